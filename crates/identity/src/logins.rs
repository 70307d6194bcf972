//! Logins, in the store: for all nodes, and beyond a restart.
//!
//! A login is kept under the digest of the text that the browser holds. Requests find it in memory;
//! the store is asked for those that this process has not seen yet. A login that ends on
//! another node ends here within a second: the node that closes it leaves its key among those that
//! ended, and every node looks at these. If the store fails, logins that are in memory go on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oidc::{Kept, KeptKey, Life, LoginRecord, login_key};
use serde::{Deserialize, Serialize};
use store::Store;
use tokio::sync::{Notify, watch};
use tracing::warn;

use crate::attempts::{time, to_entry};
use system::now_seconds;

const LOGINS: &str = "logins";
const ENDED: &str = "ended-logins";
/// Sign-ins at an external provider that have come back.
const SPENT: &str = "spent-sign-ins";
/// How long the other nodes see that a login has ended. They look every second.
const ENDED_SECONDS: u64 = 120;
/// How many of those are looked at.
const MAX_ENDED: u64 = 10_000;
/// Where there are other nodes, a login is read again after so long.
const RECHECK_SECONDS: u64 = 30;
/// How many logins are in memory, besides those of open connections.
const MAX_KNOWN: usize = 20_000;
/// What a browser holds is shorter.
const MAX_TEXT: usize = 128;
const PAUSE: Duration = Duration::from_secs(1);

/// Who has signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub name: String,
    /// What somebody may do whom an external provider knows. `None`: a user of the settings.
    pub granted: Option<Granted>,
    /// A keyed hash of the settings that the login rests upon, such as the password. After they
    /// change the login is worth nothing.
    pub basis: KeptKey,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Granted {
    Nothing,
    ReadOnly,
    Modify,
    Create,
    Admin,
}

/// A login that this process knows. A connection holds it for as long as it lasts.
#[derive(Clone)]
pub struct KnownLogin(Arc<Known>);

struct Known {
    key: KeptKey,
    /// False: this process alone knows it.
    is_stored: bool,
    state: Mutex<State>,
}

struct State {
    record: LoginRecord<Person>,
    has_ended: bool,
    /// It lasts longer than the store knows.
    is_ahead: bool,
    checked: u64,
}

impl KnownLogin {
    /// Whether it is the login of that text.
    pub fn is_of(&self, text: &str) -> bool {
        self.0.key == login_key(text)
    }

    /// Since when, and whose, if it is still open.
    pub fn person(&self) -> Option<(Person, u64)> {
        let state = self.state();
        let is_open = !state.has_ended && state.record.is_open(now_seconds());
        is_open.then(|| (state.record.person.clone(), state.record.since))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Logins {
    store: Store,
    life: Life,
    known: Mutex<HashMap<KeptKey, KnownLogin>>,
    /// Those that last longer than the store knows.
    ahead: Mutex<Vec<KnownLogin>>,
    /// There are some.
    is_behind: Notify,
    /// Changes when a login is closed.
    closings: watch::Sender<()>,
}

impl Logins {
    pub fn new(store: &Store, life: Life) -> Logins {
        Logins {
            store: store.clone(),
            life,
            known: Mutex::default(),
            ahead: Mutex::default(),
            is_behind: Notify::new(),
            closings: watch::Sender::default(),
        }
    }

    /// To wait for the next time that a login is closed.
    pub fn closings(&self) -> watch::Receiver<()> {
        self.closings.subscribe()
    }

    /// The open login of a text.
    pub async fn find(&self, text: &str) -> Result<Option<KnownLogin>, store::Error> {
        if text.is_empty() || text.len() > MAX_TEXT {
            return Ok(None);
        }
        let (key, now) = (login_key(text), now_seconds());
        let known = self.known().get(&key).cloned();
        let open = known.filter(|login| login.person().is_some());
        if let Some(login) = &open
            && !self.is_due(login, now)
        {
            return Ok(open);
        }
        let found = match (self.store.entry(LOGINS, &key, time(now)).await, &open) {
            (Ok(found), _) => found,
            (Err(error), Some(_)) => {
                warn!("a login cannot be read again, and goes on: {error}");
                return Ok(open);
            }
            (Err(error), None) => return Err(error),
        };
        let record = found.and_then(|(value, _)| serde_json::from_slice(&value).ok());
        let Some(record) = record else {
            self.end(&key);
            return Ok(None);
        };
        Ok(Some(match open {
            Some(login) => {
                let mut state = login.state();
                state.checked = now;
                if !state.is_ahead {
                    state.record = record;
                }
                drop(state);
                login
            }
            None => self.remember(key, record, true),
        }))
    }

    /// The open login of a text that this process alone knows.
    pub fn find_here(&self, text: &str) -> Option<KnownLogin> {
        let login = self.known().get(&login_key(text)).cloned();
        login.filter(|login| !login.0.is_stored && login.person().is_some())
    }

    pub async fn open(&self, text: &str, person: Person) -> Result<KnownLogin, store::Error> {
        let (key, now) = (login_key(text), now_seconds());
        let record = LoginRecord::open(person, self.life, now);
        let value = serde_json::to_vec(&record).unwrap_or_default();
        let entry = (value.as_slice(), time(record.ends));
        self.store.put_entry(LOGINS, &key, entry, time(now)).await?;
        Ok(self.remember(key, record, true))
    }

    /// Opens a login that only this process knows, and only until it ends: what the text says could
    /// be guessed from its digest.
    pub fn open_here(&self, text: &str, person: Person) -> KnownLogin {
        let record = LoginRecord::open(person, self.life, now_seconds());
        self.remember(login_key(text), record, false)
    }

    /// Closes a login, here at once and on other nodes within a second.
    pub async fn close(&self, text: &str) -> Result<(), store::Error> {
        let (key, now) = (login_key(text), now_seconds());
        let was_open = self.store.remove_entry(LOGINS, &key).await?;
        if was_open && self.store.is_shared() {
            let ended: (&[u8], _) = (&[], time(now.saturating_add(ENDED_SECONDS)));
            self.store.put_entry(ENDED, &key, ended, time(now)).await?;
        }
        self.end(&key);
        self.closings.send_replace(());
        Ok(())
    }

    /// Whether a sign-in elsewhere comes back for the first time.
    pub async fn spend(&self, (key, kept): (KeptKey, Kept)) -> Result<bool, store::Error> {
        let spend = move |found: Option<&[u8]>| (Some(to_entry(kept.clone())), found.is_none());
        let now = time(now_seconds());
        self.store.update_entry(SPENT, &key, now, spend).await
    }

    /// A visit, which makes a login last longer.
    pub fn visit(&self, login: &KnownLogin) -> Option<(Person, u64)> {
        if self.extend(login) {
            self.put_ahead(login.clone());
        }
        login.person()
    }

    /// Whether the store has to learn that the login lasts longer.
    fn extend(&self, login: &KnownLogin) -> bool {
        let mut state = login.state();
        let Some(longer) = state.record.extended(self.life, now_seconds()) else {
            return false;
        };
        if state.has_ended {
            return false;
        }
        state.record = longer;
        login.0.is_stored && !std::mem::replace(&mut state.is_ahead, true)
    }

    /// Stores how long logins last, and ends those that ended on other nodes. Does not end itself.
    pub async fn keep_up(&self) {
        let is_shared = self.store.is_shared();
        loop {
            // A service that nobody visits and that has no other nodes does not even wake up.
            if !is_shared {
                self.is_behind.notified().await;
            }
            tokio::time::sleep(PAUSE).await;
            self.store_visits().await;
            if is_shared {
                self.end_those_of_others().await;
            }
        }
    }

    async fn store_visits(&self) {
        let ahead = std::mem::take(&mut *self.ahead());
        for login in ahead {
            let record = {
                let mut state = login.state();
                state.is_ahead = false;
                state.record.clone()
            };
            let (value, ends) = (serde_json::to_vec(&record), time(record.ends));
            let value = value.unwrap_or_default();
            let extend = move |found: Option<&[u8]>| match found {
                Some(_) => (Some((value.clone(), ends)), true),
                None => (None, false),
            };
            let now = time(now_seconds());
            let key = login.0.key;
            let stored = self.store.update_entry(LOGINS, &key, now, extend).await;
            match stored {
                Ok(true) => {}
                Ok(false) => {
                    self.end(&key);
                    self.closings.send_replace(());
                }
                Err(_) => {
                    login.state().is_ahead = true;
                    self.put_ahead(login);
                }
            }
        }
    }

    async fn end_those_of_others(&self) {
        let now = time(now_seconds());
        // The storage watch says when the store fails.
        let Ok(ended) = self.store.entry_keys(ENDED, MAX_ENDED, now).await else {
            return;
        };
        let keys = ended.into_iter().filter_map(|key| key.try_into().ok());
        let ended = keys.filter(|key| self.end(key)).count();
        if ended > 0 {
            self.closings.send_replace(());
        }
    }

    /// Ends a login in memory. False: it was not there.
    fn end(&self, key: &KeptKey) -> bool {
        let login = self.known().remove(key);
        login.is_some_and(|login| {
            let mut state = login.state();
            !std::mem::replace(&mut state.has_ended, true)
        })
    }

    fn remember(&self, key: KeptKey, record: LoginRecord<Person>, is_stored: bool) -> KnownLogin {
        let login = KnownLogin(Arc::new(Known {
            key,
            is_stored,
            state: Mutex::new(State {
                record,
                has_ended: false,
                is_ahead: false,
                checked: now_seconds(),
            }),
        }));
        let mut known = self.known();
        if known.len() >= MAX_KNOWN {
            // Those that nobody holds are found again in the store.
            let mut surplus = known.len() / 4;
            known.retain(|_, login| {
                let goes = surplus > 0 && Arc::strong_count(&login.0) == 1;
                surplus -= usize::from(goes);
                !goes
            });
        }
        known.insert(key, login.clone());
        login
    }

    fn is_due(&self, login: &KnownLogin, now: u64) -> bool {
        let checked = login.state().checked;
        let is_old = now.saturating_sub(checked) >= RECHECK_SECONDS;
        login.0.is_stored && self.store.is_shared() && is_old
    }

    fn known(&self) -> MutexGuard<'_, HashMap<KeptKey, KnownLogin>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put_ahead(&self, login: KnownLogin) {
        self.ahead().push(login);
        self.is_behind.notify_one();
    }

    fn ahead(&self) -> MutexGuard<'_, Vec<KnownLogin>> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{Location, NodeId};

    const LIFE: Life = Life {
        seconds: 1000,
        refresh_seconds: 0,
    };

    fn ada() -> Person {
        Person {
            name: "ada".to_owned(),
            granted: None,
            basis: [1; 32],
        }
    }

    #[tokio::test]
    async fn a_login_is_known_to_all_nodes_until_one_closes_it() {
        let store = Store::open(Location::Memory).await.unwrap();
        let node = |number| Logins::new(&store.as_node(NodeId::new(number)), LIFE);
        let [one, two] = [node(1), node(2)];
        one.open("text", ada()).await.unwrap();
        let held = two.find("text").await.unwrap().unwrap();
        assert_eq!(held.person().unwrap().0, ada());
        assert!(two.find("other").await.unwrap().is_none());
        let mut closings = two.closings();
        one.close("text").await.unwrap();
        assert!(one.find("text").await.unwrap().is_none());
        two.end_those_of_others().await;
        assert!(closings.has_changed().unwrap());
        closings.mark_unchanged();
        assert!(held.person().is_none());
        assert!(two.find("text").await.unwrap().is_none());
        // The same text can be used again.
        two.end_those_of_others().await;
        assert!(!closings.has_changed().unwrap());
    }

    #[tokio::test]
    async fn logins_in_memory_outlast_the_store() {
        let store = Store::open(Location::Memory).await.unwrap();
        let logins = Logins::new(&store, LIFE);
        let held = logins.open("text", ada()).await.unwrap();
        let here = logins.open_here("Basic YTpi", ada());
        assert!(here.is_of("Basic YTpi") && !here.is_of("text"));
        store.close().await;
        assert!(logins.find("text").await.unwrap().is_some());
        assert!(logins.find_here("Basic YTpi").is_some());
        assert!(logins.find("other").await.is_err());
        assert!(logins.open("new", ada()).await.is_err());
        assert!(logins.close("text").await.is_err());
        assert!(logins.visit(&held).is_some());
        logins.store_visits().await;
    }

    #[tokio::test]
    async fn a_visit_is_stored_and_does_not_bring_a_closed_login_back() {
        let store = Store::open(Location::Memory).await.unwrap();
        let life = Life {
            seconds: 1000,
            refresh_seconds: 1,
        };
        let [one, two] = [Logins::new(&store, life), Logins::new(&store, life)];
        let held = one.open("text", ada()).await.unwrap();
        // As if it had been opened a while ago.
        let before = LoginRecord::open(ada(), life, now_seconds() - 500);
        held.state().record = before;
        one.visit(&held).unwrap();
        one.store_visits().await;
        let found = two.find("text").await.unwrap().unwrap();
        assert_eq!(found.state().record, held.state().record);
        held.state().record = LoginRecord::open(ada(), life, now_seconds() - 500);
        one.visit(&held).unwrap();
        two.close("text").await.unwrap();
        one.store_visits().await;
        assert!(held.person().is_none());
        assert!(two.find("text").await.unwrap().is_none());
    }
}
