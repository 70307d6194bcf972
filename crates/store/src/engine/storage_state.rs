//! Whether the database takes what is written, as far as the last write has shown.

use std::sync::Arc;

use tokio::sync::watch;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StorageState {
    #[default]
    Working,
    /// The last write failed: the disk is full, or the server is not there. The reason comes from
    /// the engine.
    Failing(Arc<str>),
}

impl StorageState {
    pub fn is_failing(&self) -> bool {
        matches!(self, StorageState::Failing(_))
    }
}

/// Written by those who write to the database, watched by everybody else.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage(Arc<watch::Sender<StorageState>>);

impl Storage {
    pub(super) fn watch(&self) -> watch::Receiver<StorageState> {
        self.0.subscribe()
    }

    pub(super) fn works(&self) {
        self.0.send_if_modified(|state| {
            let is_new = state.is_failing();
            *state = StorageState::Working;
            is_new
        });
    }

    pub(super) fn fails(&self, reason: &str) {
        self.0.send_if_modified(|state| {
            let is_new = !state.is_failing();
            *state = StorageState::Failing(reason.into());
            is_new
        });
    }
}
