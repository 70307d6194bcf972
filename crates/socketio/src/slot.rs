//! Room for one value between one who gives and one who takes.
//!
//! The giver waits while there is a value in it, the taker while there is none. A channel of tokio
//! would do, but takes room for 32 values at once, two kilobytes for every connection.

use std::sync::Mutex;

use tokio::sync::Notify;

use crate::tasks::lock;

pub(crate) struct Slot<T> {
    state: Mutex<State<T>>,
    filled: Notify,
    emptied: Notify,
}

struct State<T> {
    value: Option<T>,
    is_closed: bool,
}

impl<T> Slot<T> {
    pub fn new() -> Self {
        Slot {
            state: Mutex::new(State {
                value: None,
                is_closed: false,
            }),
            filled: Notify::new(),
            emptied: Notify::new(),
        }
    }

    /// Waits for room. After `close` the value is given back to nobody.
    pub async fn put(&self, value: T) {
        while self.is_full() {
            self.emptied.notified().await;
        }
        let mut state = lock(&self.state);
        if !state.is_closed {
            state.value = Some(value);
            self.filled.notify_one();
        }
    }

    /// Waits for a value; `None` after `close`, once the last one is taken. Dropped before it is
    /// ready, it has taken nothing.
    pub async fn take(&self) -> Option<T> {
        loop {
            {
                let mut state = lock(&self.state);
                if state.value.is_some() || state.is_closed {
                    self.emptied.notify_one();
                    return state.value.take();
                }
            }
            self.filled.notified().await;
        }
    }

    pub fn try_take(&self) -> Option<T> {
        self.emptied.notify_one();
        lock(&self.state).value.take()
    }

    pub fn is_full(&self) -> bool {
        let state = lock(&self.state);
        state.value.is_some() && !state.is_closed
    }

    pub fn close(&self) {
        lock(&self.state).is_closed = true;
        self.filled.notify_one();
        self.emptied.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn values_come_out_in_the_order_they_went_in() {
        let slot = Slot::new();
        let give = async {
            for value in 0..1000 {
                slot.put(value).await;
            }
            slot.close();
            slot.put(1000).await;
        };
        let take = async {
            let mut taken = Vec::new();
            while let Some(value) = slot.take().await {
                taken.push(value);
                // Lets the giver go ahead, to see that it cannot.
                tokio::task::yield_now().await;
            }
            taken
        };
        let ((), taken) = tokio::join!(give, take);
        assert_eq!(taken, (0..1000).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn closing_wakes_both_sides() {
        let slot = Slot::new();
        slot.put(1).await;
        let (second, ()) = tokio::join!(slot.put(2), async { slot.close() });
        assert_eq!(second, ());
        assert_eq!(slot.take().await, Some(1));
        assert_eq!(slot.take().await, None);
    }
}
