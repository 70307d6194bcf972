//! The record of a roll, in the database that the nodes share.
//!
//! What becomes of it is decided by `update::roll`; here it is read and written, in one transaction
//! when it changes.

use std::fmt::Write;
use std::sync::Arc;

use service::Service;
use service::pad::Timestamp;
use service::store::Error;
use system::random_bytes;
use tracing::warn;
use update::mail::Mail;
use update::{Claim, Config, Event, NodeName, Roll, State, Step, roll};

use super::owner::{Owner, now};

/// Where the record is stored.
const KIND: &str = "update";
const KEY: &[u8] = b"roll";
/// It does not end by itself.
const ALWAYS: Timestamp = Timestamp(i64::MAX);

/// The cluster that the updated service is a node of.
#[derive(Clone)]
pub struct Cluster {
    /// Where other nodes reach this one.
    pub address: String,
    /// Whether others can take over.
    pub has_others: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// The name of this node in rolls. Processes come and go, so the installation has an id of its own;
/// the address tells copies of one folder apart.
pub(crate) fn name(owner: &Owner, address: &str) -> NodeName {
    let name = |state: &State| {
        let mut state = state.clone();
        let random: [u8; 8] = random_bytes();
        state.roll.installation.get_or_insert_with(|| hex(&random));
        Step {
            state,
            effects: Vec::new(),
            refusal: None,
        }
    };
    // An id that cannot be written is another one after the restart; nothing is updated then.
    let _ = owner.apply_step(name);
    let installation = owner.state().roll.installation.unwrap_or_default();
    NodeName {
        id: format!("{installation}@{address}"),
        address: address.to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Compares a state with the record. `None` if that is not possible now.
pub(crate) async fn sync(
    service: Arc<Service>,
    config: Arc<Config>,
    state: State,
    claim: Option<Claim>,
) -> Option<Event> {
    let now = now();
    let plan = {
        let claim = claim.clone();
        move |roll: &Roll| roll::sync(roll, &state, claim.as_ref(), now, &config)
    };
    let synced = async {
        // Most looks change nothing, and a look is cheap.
        let found = service.store().entry(KIND, KEY, service.now()).await?;
        let found = read(found.as_ref().map(|(value, _)| value.as_slice()));
        match found {
            Some(roll) if plan(&roll) == roll => Ok(Some(roll)),
            Some(_) => {
                let changed = update(&service, move |roll| *roll = plan(roll)).await?;
                Ok(changed.map(|(roll, ())| roll))
            }
            None => Ok(None),
        }
    };
    match synced.await {
        Ok(Some(roll)) => Some(Event::Synced(Box::new(roll), claim)),
        Ok(None) => {
            warn!("the record of the roll cannot be read; nothing is updated");
            None
        }
        // The storage watch says when nothing can be stored.
        Err::<_, Error>(_) => None,
    }
}

/// Whether this node sends a mail. If the others cannot be asked it does: twice is better than not
/// at all.
pub(crate) async fn takes_mail(service: &Service, mail: &Mail) -> bool {
    let (mail, now) = (mail.clone(), now());
    let take = move |roll: &mut Roll| roll.take_mail(&mail, now);
    matches!(
        update(service, take).await,
        Ok(None | Some((_, true))) | Err(_)
    )
}

/// Changes the record and gives it. `None`: it cannot be read, and stays as it is.
async fn update<T: Send + 'static>(
    service: &Service,
    change: impl Fn(&mut Roll) -> T + Send + 'static,
) -> Result<Option<(Roll, T)>, Error> {
    let update = move |found: Option<&[u8]>| {
        let Some(mut roll) = read(found) else {
            return (found.map(|found| (found.to_vec(), ALWAYS)), None);
        };
        let answer = change(&mut roll);
        (Some((written(&roll), ALWAYS)), Some((roll, answer)))
    };
    let (store, now) = (service.store(), service.now());
    store.update_entry(KIND, KEY, now, update).await
}

/// `None`: it is not one that this version knows.
fn read(value: Option<&[u8]>) -> Option<Roll> {
    match value {
        None => Some(Roll::default()),
        Some(value) => serde_json::from_slice(value).ok(),
    }
}

fn written(roll: &Roll) -> Vec<u8> {
    // Maps with text keys and plain values always can be written.
    serde_json::to_vec(roll).unwrap_or_default()
}
