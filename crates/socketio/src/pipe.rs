//! A short way between one who gives and one who takes.
//!
//! The giver waits while what is in it weighs as much as it holds, the taker while it is empty. So
//! what waits in it never weighs more than that and one value. A channel of tokio would do, but
//! counts values instead of weighing them, and takes room for 32 of them at once, two kilobytes
//! for every connection.

use std::collections::VecDeque;
use std::sync::Mutex;

use tokio::sync::Notify;

use crate::lock::lock;

/// The room for this many values is kept when none is there.
const KEPT: usize = 4;

pub(crate) struct Pipe<T> {
    state: Mutex<State<T>>,
    capacity: usize,
    filled: Notify,
    emptied: Notify,
}

struct State<T> {
    /// With what they weigh.
    values: VecDeque<(T, usize)>,
    weight: usize,
    is_closed: bool,
}

impl<T> Pipe<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Pipe {
            state: Mutex::new(State {
                values: VecDeque::new(),
                weight: 0,
                is_closed: false,
            }),
            capacity,
            filled: Notify::new(),
            emptied: Notify::new(),
        }
    }

    /// Waits for room. After `close` the value is dropped.
    pub(crate) async fn put(&self, value: T, weight: usize) {
        while self.is_full() {
            self.emptied.notified().await;
        }
        let mut state = lock(&self.state);
        if !state.is_closed {
            state.weight += weight;
            state.values.push_back((value, weight));
            self.filled.notify_one();
        }
    }

    /// Waits for a value; `None` after `close`, once the last one is taken. Dropped before it is
    /// ready, it has taken nothing.
    pub(crate) async fn take(&self) -> Option<T> {
        loop {
            {
                let mut state = lock(&self.state);
                if !state.values.is_empty() || state.is_closed {
                    return self.pop(&mut state);
                }
            }
            self.filled.notified().await;
        }
    }

    pub(crate) fn try_take(&self) -> Option<T> {
        self.pop(&mut lock(&self.state))
    }

    fn pop(&self, state: &mut State<T>) -> Option<T> {
        let (value, weight) = state.values.pop_front()?;
        let was_full = state.weight >= self.capacity;
        state.weight -= weight;
        if was_full && state.weight < self.capacity {
            self.emptied.notify_one();
        }
        if state.values.is_empty() {
            state.values.shrink_to(KEPT);
        }
        Some(value)
    }

    /// Whether the giver has to wait.
    pub(crate) fn is_full(&self) -> bool {
        let state = lock(&self.state);
        state.weight >= self.capacity && !state.is_closed
    }

    pub(crate) fn close(&self) {
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
        for capacity in [1, 3, 100, 10_000] {
            let pipe = Pipe::new(capacity);
            let give = async {
                for value in 0..1000 {
                    pipe.put(value, value % 5).await;
                    assert!(lock(&pipe.state).weight < capacity + 5);
                }
                pipe.close();
                pipe.put(1000, 1).await;
            };
            let take = async {
                let mut taken = Vec::new();
                while let Some(value) = pipe.take().await {
                    taken.push(value);
                    // Lets the giver go ahead, to see how far it can.
                    tokio::task::yield_now().await;
                }
                taken
            };
            let ((), taken) = tokio::join!(give, take);
            assert_eq!(taken, (0..1000).collect::<Vec<_>>());
        }
    }

    #[tokio::test]
    async fn closing_wakes_both_sides() {
        let pipe = Pipe::new(1);
        pipe.put(1, 1).await;
        let ((), ()) = tokio::join!(pipe.put(2, 1), async { pipe.close() });
        assert_eq!(pipe.take().await, Some(1));
        assert_eq!(pipe.take().await, None);
    }
}
