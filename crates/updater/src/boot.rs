//! The first thing the program does, before it reads settings or opens anything: it looks how far
//! an update had got. Whatever a new version does wrong after this is counted; and if it is one
//! time too many, or the last run was killed halfway, what ran before is put back here.

use std::io::{Write, stderr};
use std::path::Path;
use std::sync::Arc;

use update::state::Change;
use update::{Effect, Step};

use super::command::Shell;
use super::owner::{Owner, now};
use super::places::Places;
use super::restore;

/// What a start found.
pub enum Booted {
    /// The service can start.
    Ready(Arc<Owner>),
    /// The program must end and be restarted.
    Restart,
}

/// `running` is the version of this program.
pub fn boot(root: &Path, running: &str) -> Booted {
    let owner = Owner::open(Places::of(root));
    let step = owner.apply_step(|state| update::boot(state, running, now()));
    match step {
        Ok(Step { effects, .. }) => {
            let restored = effects.into_iter().find_map(|effect| match effect {
                Effect::Restore { change } => Some(change),
                _ => None,
            });
            if let Some(change) = restored {
                roll_back(&owner, &change);
                return Booted::Restart;
            }
        }
        Err(error) => {
            // Without the state nothing is known to be wrong; people want to write.
            let _ = writeln!(stderr(), "padsvc: the state of updates: {error}");
        }
    }
    Booted::Ready(Arc::new(owner))
}

/// Puts back what ran before, also when nothing else works.
pub(super) fn roll_back(owner: &Owner, change: &Change) {
    let shell = Shell {
        places: &owner.places,
        journal: &owner.journal,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let problem = match runtime {
        Ok(runtime) => {
            let restored = runtime.block_on(restore::run(shell, change));
            restored.err().map(|error| error.to_string())
        }
        Err(error) => Some(error.to_string()),
    };
    if let Err(error) = owner.apply_step(|state| update::rolled_back(state, problem, now())) {
        let _ = writeln!(stderr(), "padsvc: the state of updates: {error}");
    }
}
