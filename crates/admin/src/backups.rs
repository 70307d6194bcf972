//! Backups that the service makes itself, on schedule and when an administrator asks, and the test
//! of a restore.
//!
//! Invariant: a file in the folder that has the name of a backup was looked over after it was
//! written, as a restore would, and can be restored. One job runs at a time, in the whole cluster;
//! its thread holds up neither requests nor the end of the program.

mod error;
mod files;
mod record;
mod rehearsal;
mod routes;
mod schedule;

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use alerts::{Condition, Kind};
use serde_json::{Value, json};
use service::Service;
use store::Location;
use tokio::sync::mpsc;
use tracing::{error, info};

use error::BackupError;
use files::{BackupFile, Origin};
use record::Lease;
use schedule::History;

pub(crate) use routes::{download, list, make, test};

/// The pause between two checks of the schedule.
const PAUSE: Duration = Duration::from_secs(60);

pub struct Backups {
    service: Arc<Service>,
    location: Location,
    folder: PathBuf,
    /// 0: only when somebody asks.
    every_hours: u64,
    keep: usize,
    started: i64,
    known: Mutex<Known>,
    /// Jobs on their way to `run`. There is never more than one, since each has the slot.
    begun: mpsc::Sender<Begun>,
    waiting: tokio::sync::Mutex<mpsc::Receiver<Begun>>,
}

/// What this process knows.
#[derive(Default)]
struct Known {
    job: Option<Arc<Progress>>,
    /// The last scheduled attempt, should the store not take the record of it.
    tried: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Backup(Origin),
    Test,
}

/// How far a job is, in thousandths.
struct Progress {
    job: Job,
    thousandths: AtomicU64,
}

/// A job that nobody else can begin now.
struct Begun {
    slot: Slot,
    lease: Lease,
    file: String,
}

/// Why a job does not begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("a backup or a test is under way already")]
    Busy,
    #[error("there is no backup to test")]
    NoBackup,
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Backups {
    pub fn new(
        service: &Arc<Service>,
        location: Location,
        root: &Path,
        settings: &settings::Backups,
    ) -> Arc<Backups> {
        let (begun, waiting) = mpsc::channel(1);
        Arc::new(Backups {
            service: Arc::clone(service),
            location,
            folder: root.join(&settings.folder),
            every_hours: settings.every_hours,
            keep: settings.keep,
            started: service.now().millis(),
            known: Mutex::default(),
            begun,
            waiting: tokio::sync::Mutex::new(waiting),
        })
    }

    /// Carries out what was begun, and begins backups when they are due, until it is dropped.
    pub async fn run(self: &Arc<Self>) -> Infallible {
        let mut waiting = self.waiting.lock().await;
        loop {
            if self.is_due().await
                && self.is_first_node().await
                && let Err(refused) = self.begin(Job::Backup(Origin::Schedule)).await
            {
                info!("the scheduled backup waits: {refused}");
            }
            if let Ok(Some(begun)) = tokio::time::timeout(PAUSE, waiting.recv()).await {
                tokio::select! {
                    () = self.carry_out(&begun.slot, &begun.file) => {}
                    never = begun.lease.renew() => match never {},
                }
                begun.lease.release().await;
            }
        }
    }

    /// Begins a job, which `run` carries out, and gives the name of its file.
    pub(crate) async fn begin(self: &Arc<Self>, job: Job) -> Result<String, Refused> {
        let slot = Slot::take(self, job)?;
        let file = match job {
            Job::Backup(origin) => files::name(self.service.now().millis(), origin),
            Job::Test => self.newest().await.ok_or(Refused::NoBackup)?.name,
        };
        let lease = Lease::take(&self.service).await?.ok_or(Refused::Busy)?;
        // Another node may have made it since the schedule was looked at.
        if job == Job::Backup(Origin::Schedule) && !self.is_due().await {
            lease.release().await;
            return Err(Refused::Busy);
        }
        let name = file.clone();
        let begun = Begun { slot, lease, file };
        self.begun.try_send(begun).map_err(|_| Refused::Busy)?;
        Ok(name)
    }

    async fn carry_out(&self, slot: &Slot, name: &str) {
        match slot.progress.job {
            Job::Backup(origin) => self.make(slot, name, origin).await,
            Job::Test => self.test(slot, name).await,
        }
    }

    async fn make(&self, slot: &Slot, name: &str, origin: Origin) {
        let now = self.service.now().millis();
        if origin == Origin::Schedule {
            self.lock().tried = Some(now);
            self.note(json!({ "tried": now })).await;
        }
        let made = self.write(slot, name, origin).await;
        let now = self.service.now().millis();
        let note = match &made {
            Ok(file) => {
                info!("made the backup {name}, {} bytes", file.bytes);
                json!({
                    "last": { "at": now, "name": name, "bytes": file.bytes },
                    "failure": null,
                })
            }
            Err(failure) => {
                error!("the backup {name} could not be made: {failure}");
                json!({ "failure": { "at": now, "reason": failure.to_string() } })
            }
        };
        self.note(note).await;
        if origin == Origin::Schedule {
            let kept = match &made {
                Ok(_) => json!({ "scheduled": now, "scheduleFailure": null }),
                Err(failure) => json!({ "scheduleFailure": failure.to_string() }),
            };
            self.note(kept).await;
        }
    }

    async fn write(
        &self,
        slot: &Slot,
        name: &str,
        origin: Origin,
    ) -> Result<BackupFile, BackupError> {
        let bytes = self.service.store().size().await?;
        let (location, folder, keep) = (self.location.clone(), self.folder.clone(), self.keep);
        let (name, progress) = (name.to_owned(), Arc::clone(&slot.progress));
        on_thread(move || {
            let report = |done, total| progress.set(done, total);
            files::make(&location, &folder, &name, bytes, report)
                .inspect(|_| files::remove_old(&folder, &name, origin, keep))
        })
        .await
    }

    async fn test(&self, slot: &Slot, name: &str) {
        let (folder, file) = (self.folder.clone(), name.to_owned());
        let progress = Arc::clone(&slot.progress);
        let found =
            rehearsal::run(folder, file, move |done, total| progress.set(done, total)).await;
        let at = self.service.now().millis();
        let test = match found {
            Ok(found) => {
                let (pads, revisions) = (found.pads, found.revisions);
                match found.problems.first() {
                    None => info!("{name} can be restored: {pads} pads, {revisions} revisions"),
                    Some(problem) => error!("the backup {name} is damaged: {problem}"),
                }
                json!({
                    "at": at, "name": name, "pads": pads, "revisions": revisions,
                    "problem": found.problems.first(), "problems": found.problems.len(),
                })
            }
            Err(failure) => {
                error!("the backup {name} could not be tested: {failure}");
                json!({
                    "at": at, "name": name, "pads": 0, "revisions": 0,
                    "problem": failure.to_string(), "problems": 1,
                })
            }
        };
        self.note(json!({ "test": test })).await;
    }

    /// Keeps something in the record that all nodes share.
    async fn note(&self, members: Value) {
        if let Err(error) = record::change(&self.service, members).await {
            error!("the record of backups could not be written: {error}");
        }
    }

    /// Those of this node's folder, the newest first.
    pub(crate) async fn files(&self) -> Vec<BackupFile> {
        let folder = self.folder.clone();
        let listed = tokio::task::spawn_blocking(move || files::list(&folder)).await;
        listed.unwrap_or_default()
    }

    async fn newest(&self) -> Option<BackupFile> {
        self.files().await.into_iter().next()
    }

    async fn is_due(&self) -> bool {
        let now = self.service.now().millis();
        match self.history().await {
            Some(history) => history.is_due(self.every_hours, now),
            // Without the record nobody knows; the store is not readable, so nothing can be copied.
            None => false,
        }
    }

    async fn history(&self) -> Option<History> {
        let record = record::read(&self.service).await.ok()?;
        let mut history = History::of(&record, self.started);
        history.tried = history.tried.max(self.lock().tried);
        Some(history)
    }

    /// What needs a look, if scheduled backups fail or are late.
    pub(crate) async fn problem(&self) -> Option<Condition> {
        let now = self.service.now().millis();
        let history = self.history().await?;
        let facts = || json!({ "at": history.succeeded, "reason": history.failure });
        let is_late = history.is_late(self.every_hours, now);
        is_late.then(|| Condition::new(Kind::Backup, facts()))
    }

    /// Whether this node makes those on schedule. Without an answer of the database it does not.
    async fn is_first_node(&self) -> bool {
        let store = self.service.store();
        let Some(own) = store.node() else {
            return true;
        };
        let nodes = store.nodes(self.service.now()).await.unwrap_or_default();
        nodes.first().is_some_and(|first| first.id == own)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn set(&self, done: u64, total: u64) {
        let thousandths = done.saturating_mul(1_000).checked_div(total);
        self.thousandths
            .store(thousandths.unwrap_or(0), Ordering::Relaxed);
    }
}

/// The one job of this process. Dropped, there is none.
struct Slot {
    backups: Arc<Backups>,
    progress: Arc<Progress>,
}

impl Slot {
    fn take(backups: &Arc<Backups>, job: Job) -> Result<Slot, Refused> {
        let progress = Arc::new(Progress {
            job,
            thousandths: AtomicU64::new(0),
        });
        let mut known = backups.lock();
        if known.job.is_some() {
            return Err(Refused::Busy);
        }
        known.job = Some(Arc::clone(&progress));
        drop(known);
        Ok(Slot {
            backups: Arc::clone(backups),
            progress,
        })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.backups.lock().job = None;
    }
}

/// Runs on a thread that the end of the program does not wait for, as it does for tokio's.
async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupError> + Send + 'static,
) -> Result<T, BackupError> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().name("backup".to_owned());
    let started = thread.spawn(move || sender.send(work()).unwrap_or_default());
    started.map_err(BackupError::Thread)?;
    let done = receiver.await;
    done.unwrap_or(Err(BackupError::BrokeOff))
}
