//! Task that receives the events of updates and carries out their effects.
//!
//! One effect runs at a time. Dropping obsolete work ends the processes it has started.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::Client;
use service::Service;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};
use update::feed::Checked;
use update::mail::Mail;
use update::state::Change;
use update::{CheckSchedule, Claim, Config, Effect, Event, Execution, Refusal, Roll, State, step};

use super::cluster::{self, Cluster};
use super::command::Shell;
use super::drain::{self, Intake};
use super::lock::Lock;
use super::owner::{Owner, now};
use super::preflight::{self, Demands};
use super::releases::Releases;
use super::{feed, health, install, mailer, restore};

/// The clock may be set during a wait, so it is read this often.
const LOOK: Duration = Duration::from_secs(20);
/// Capacity of the request channel; there are few administrators.
const WAITING: usize = 16;
/// Between two looks at the record that the nodes share.
const SYNC: Duration = Duration::from_secs(2);

/// What work needs.
pub(crate) struct Tools {
    /// Where to ask for releases.
    pub feed: Option<(Client, String)>,
    pub demands: Demands,
    pub service: Arc<Service>,
    pub intake: Intake,
    /// Where the service says whether it is healthy.
    pub health: String,
    /// What it calls the release that runs.
    pub release: String,
    pub mail: settings::Mail,
    pub check_interval_hours: u64,
    pub restart: CancellationToken,
    pub cluster: Option<Cluster>,
}

/// Outcome of an administrator's request to install an update.
#[derive(Debug)]
pub enum Applied {
    /// It has begun.
    Draining(Timestamp),
    Refused(Refusal),
    LockHeld,
    PreflightFailed(String),
    Cancelled,
    /// The state cannot be written.
    Broken,
}

enum Request {
    Apply(oneshot::Sender<Applied>),
    Event(Event, oneshot::Sender<Option<Result<(), Refusal>>>),
}

/// Handle to the runner, for requests and the state.
#[derive(Clone)]
pub struct Updates {
    pub owner: Arc<Owner>,
    pub config: Arc<Config>,
    requests: mpsc::Sender<Request>,
    roll: watch::Receiver<Option<Roll>>,
}

impl Updates {
    pub async fn apply(&self) -> Applied {
        let (reply, answer) = oneshot::channel();
        let _ = self.requests.send(Request::Apply(reply)).await;
        answer.await.unwrap_or(Applied::Broken)
    }

    pub async fn cancel(&self) -> Option<Result<(), Refusal>> {
        let roll = self.roll().map(Box::new);
        self.send(Event::Cancel(roll)).await
    }

    pub async fn acknowledge(&self) -> Option<Result<(), Refusal>> {
        self.send(Event::Acknowledge).await
    }

    /// `None` if the state cannot be written.
    async fn send(&self, event: Event) -> Option<Result<(), Refusal>> {
        let (reply, answer) = oneshot::channel();
        let _ = self.requests.send(Request::Event(event, reply)).await;
        answer.await.ok().flatten()
    }

    /// Whether the program is about to be replaced, or has been and is being watched.
    pub fn is_under_way(&self) -> bool {
        self.owner.state().execution.is_under_way() || self.lock_is_held()
    }

    /// What the nodes share about updates. `None`: there are no others, or it is not known yet.
    pub fn roll(&self) -> Option<Roll> {
        self.roll.borrow().clone()
    }

    pub fn lock_is_held(&self) -> bool {
        Lock::is_held(&self.owner.places.lock())
    }
}

type Work<T = Event> = Pin<Box<dyn Future<Output = T> + Send>>;

pub(crate) struct Runner {
    owner: Arc<Owner>,
    config: Arc<Config>,
    tools: Arc<Tools>,
    requests: mpsc::Receiver<Request>,
    work: Option<Work>,
    check: Option<Work>,
    health: Option<Work>,
    timer: Option<Timestamp>,
    next_check: Option<Timestamp>,
    checks: CheckSchedule,
    lock: Option<Lock>,
    applying: Option<oneshot::Sender<Applied>>,
    sync: Option<Work<Option<Event>>>,
    /// `None`: there are no other nodes.
    next_sync: Option<Instant>,
    /// Asked for with the next look at the record, or just now.
    claim: Option<Claim>,
    roll: watch::Sender<Option<Roll>>,
}

impl Runner {
    pub(crate) fn start(owner: Arc<Owner>, config: Config, tools: Tools) -> Updates {
        let (sender, requests) = mpsc::channel(WAITING);
        let config = Arc::new(config);
        let roll = watch::Sender::default();
        let updates = Updates {
            owner: Arc::clone(&owner),
            config: Arc::clone(&config),
            requests: sender,
            roll: roll.subscribe(),
        };
        let checks = CheckSchedule::new(tools.check_interval_hours);
        let is_checking = tools.feed.is_some();
        let next_check = is_checking.then(|| checks.first(&owner.state(), now()));
        let next_sync = config.node.as_ref().map(|_| Instant::now());
        let runner = Runner {
            owner,
            config,
            tools: Arc::new(tools),
            requests,
            work: None,
            check: None,
            health: None,
            timer: None,
            next_check,
            checks,
            lock: None,
            applying: None,
            sync: None,
            next_sync,
            claim: None,
            roll,
        };
        tokio::spawn(runner.run());
        updates
    }

    async fn run(mut self) {
        self.apply_event(Event::Started);
        loop {
            let event = tokio::select! {
                request = self.requests.recv() => match request {
                    Some(request) => {
                        self.on_request(request);
                        continue;
                    }
                    None => return,
                },
                event = working(&mut self.work) => event,
                event = working(&mut self.check) => event,
                event = working(&mut self.health) => event,
                event = working(&mut self.sync) => match event {
                    Some(event) => event,
                    None => {
                        self.not_synced();
                        continue;
                    }
                },
                () = due(self.next_sync), if self.sync.is_none() => {
                    self.start_sync();
                    continue;
                }
                () = until(self.timer) => {
                    self.timer = None;
                    Event::TimerFired
                }
                () = until(self.next_check) => {
                    self.check_feed();
                    continue;
                }
            };
            self.apply_event(event);
        }
    }

    fn on_request(&mut self, request: Request) {
        match request {
            Request::Apply(reply) => self.apply(reply),
            Request::Event(event, reply) => {
                let taken = self.apply_event(event);
                // The others should learn of it soon.
                if self.next_sync.is_some() {
                    self.next_sync = Some(Instant::now());
                }
                let _ = reply.send(taken.map(|refusal| refusal.map_or(Ok(()), Err)));
            }
        }
    }

    fn apply(&mut self, reply: oneshot::Sender<Applied>) {
        if self.lock.is_none() && Lock::is_held(&self.owner.places.lock()) {
            let _ = reply.send(Applied::LockHeld);
            return;
        }
        match self.apply_event(Event::Apply) {
            None => drop(reply.send(Applied::Broken)),
            Some(Some(refusal)) => drop(reply.send(Applied::Refused(refusal))),
            Some(None) => self.applying = Some(reply),
        }
    }

    /// Applies an event and carries out its effects. `None` if the state could not be written.
    fn apply_event(&mut self, event: Event) -> Option<Option<Refusal>> {
        if let Event::Checked(checked) = &event {
            self.schedule_next_check(checked);
        }
        if let Event::Synced(roll, claim) = &event {
            self.roll.send_replace(Some(Roll::clone(roll)));
            self.claim.take_if(|asked| claim.as_ref() == Some(asked));
        }
        let config = Arc::clone(&self.config);
        let taken = self
            .owner
            .apply_step(|state| step(state, event, now(), &config))
            .ok()?;
        // Nothing is under way that the old state had begun: each state has its own work.
        for effect in taken.effects {
            self.carry_out(effect);
        }
        self.answer(&taken.state, taken.refusal.as_ref());
        if !taken.state.execution.is_under_way() {
            self.lock = None;
        }
        Some(taken.refusal)
    }

    /// Answers the request for an update as soon as its outcome is known.
    fn answer(&mut self, state: &State, refusal: Option<&Refusal>) {
        if self.claim.is_some() {
            return;
        }
        let applied = match &state.execution {
            Execution::Preflight { .. } => return,
            Execution::Draining { drain_ends_at, .. } => Applied::Draining(*drain_ends_at),
            Execution::PreflightFailed { reason, .. } => Applied::PreflightFailed(reason.clone()),
            _ => refusal.map_or(Applied::Cancelled, |it| Applied::Refused(it.clone())),
        };
        if let Some(reply) = self.applying.take() {
            let _ = reply.send(applied);
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::ArmTimer(at) => self.timer = Some(at),
            Effect::DropTimer => self.timer = None,
            Effect::Mail(mail) => {
                tokio::spawn(send(Arc::clone(&self.tools), mail));
            }
            Effect::Preflight { tag, .. } => self.preflight(tag),
            Effect::AbortPreflight | Effect::StopDrain => self.work = None,
            Effect::Drain { is_announced, .. } => self.drain(is_announced),
            Effect::Install { tag, change } => self.install(tag, change),
            Effect::Switch { release } => self.switch(&release),
            Effect::Restore { change } => self.restore(change),
            Effect::AwaitHealth { .. } => self.await_health(),
            Effect::Claim(claim) => {
                self.claim = Some(claim);
                self.next_sync = Some(Instant::now());
            }
            Effect::Keep { releases } => Releases(&self.owner.places).keep(&releases),
            // Not before a switch that could not be made is taken back.
            Effect::Exit if self.work.is_some() => {}
            Effect::Exit => {
                info!("the program ends, to be restarted");
                self.tools.restart.cancel();
            }
        }
    }

    fn preflight(&mut self, tag: String) {
        let taken = Lock::try_acquire(&self.owner.places.lock());
        let is_locked_elsewhere = !matches!(taken, Ok(Some(_)));
        self.lock = taken.ok().flatten();
        let (owner, config) = (Arc::clone(&self.owner), Arc::clone(&self.config));
        let demands = self.tools.demands.clone();
        let cluster = self.tools.cluster.clone();
        self.work = Some(Box::pin(async move {
            let shell = shell(&owner);
            let run = preflight::run(shell, &tag, &config, &demands, is_locked_elsewhere);
            match run.await {
                Ok(mut found) => {
                    found.hands_over = cluster.is_some_and(|cluster| (cluster.has_others)());
                    Event::PreflightPassed(found)
                }
                Err(error) => Event::PreflightFailed(error.to_string()),
            }
        }));
    }

    fn drain(&mut self, is_announced: bool) {
        let (service, intake) = (Arc::clone(&self.tools.service), self.tools.intake.clone());
        let seconds = self.config.drain_seconds;
        self.work = Some(Box::pin(async move {
            if is_announced {
                drain::run(service, intake, seconds).await;
            }
            Event::DrainEnded
        }));
    }

    fn install(&mut self, tag: String, change: Change) {
        let owner = Arc::clone(&self.owner);
        self.work = Some(Box::pin(async move {
            match install::run(shell(&owner), &tag, &change).await {
                Ok(()) => Event::Installed,
                Err(error) => Event::StepFailed(error.to_string()),
            }
        }));
    }

    fn switch(&mut self, release: &str) {
        if let Err(error) = Releases(&self.owner.places).switch(release) {
            let reason = format!("switch: {error}");
            self.work = Some(Box::pin(async { Event::StepFailed(reason) }));
        }
    }

    fn restore(&mut self, change: Change) {
        let owner = Arc::clone(&self.owner);
        self.health = None;
        self.work = Some(Box::pin(async move {
            let restored = restore::run(shell(&owner), &change).await;
            Event::RolledBack(restored.err().map(|error| error.to_string()))
        }));
    }

    fn await_health(&mut self) {
        let (address, release) = (self.tools.health.clone(), self.tools.release.clone());
        let seconds = Duration::from_secs(self.config.health_check_seconds);
        self.health = Some(Box::pin(async move {
            match tokio::time::timeout(seconds, health::healthy(address, release)).await {
                Ok(()) => Event::Healthy,
                Err(_) => Event::HealthTimedOut,
            }
        }));
    }

    /// Compares with what the nodes share.
    fn start_sync(&mut self) {
        self.next_sync = Some(Instant::now() + SYNC);
        let (service, config) = (Arc::clone(&self.tools.service), Arc::clone(&self.config));
        let (state, claim) = (self.owner.state(), self.claim.clone());
        self.sync = Some(Box::pin(cluster::sync(service, config, state, claim)));
    }

    /// Nobody knows whose turn it is.
    fn not_synced(&mut self) {
        if self.claim.take().is_some()
            && let Some(reply) = self.applying.take()
        {
            let _ = reply.send(Applied::Broken);
        }
    }

    /// Asks the release feed for the newest release.
    fn check_feed(&mut self) {
        self.next_check = None;
        let Some((client, address)) = &self.tools.feed else {
            return;
        };
        let etag = self.owner.state().last_etag;
        let asked = feed::check(client.clone(), address.clone(), etag);
        self.check = Some(Box::pin(async move { Event::Checked(asked.await) }));
    }

    fn schedule_next_check(&mut self, checked: &Checked) {
        match checked {
            Checked::Found { release, .. } => info!("the newest release is {}", release.tag),
            Checked::Unchanged | Checked::Prerelease { .. } => {}
            Checked::Limited { .. } => warn!("the code host asks not to be asked so often"),
            // Logged once, until it works again.
            Checked::Failed(reason) if self.checks.is_failing() => {
                debug!("still no release could be looked for: {reason}");
            }
            Checked::Failed(reason) => info!("no release could be looked for: {reason}"),
        }
        self.next_check = Some(self.checks.after(checked, now()));
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        if self.work.is_some() {
            error!("an update is broken off; the next start puts it right");
        }
    }
}

fn shell(owner: &Owner) -> Shell<'_> {
    Shell {
        places: &owner.places,
        journal: &owner.journal,
    }
}

/// Sends a mail, unless another node has.
async fn send(tools: Arc<Tools>, mail: Mail) {
    if tools.cluster.is_none() || cluster::takes_mail(&tools.service, &mail).await {
        mailer::send(tools.mail.clone(), mail).await;
    }
}

async fn working<T>(work: &mut Option<Work<T>>) -> T {
    let Some(running) = work else {
        return std::future::pending().await;
    };
    let event = running.await;
    *work = None;
    event
}

async fn due(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Waits for a time on the wall, which may be set meanwhile.
async fn until(at: Option<Timestamp>) {
    let Some(at) = at else {
        return std::future::pending().await;
    };
    loop {
        let left = Duration::try_from(at.duration_since(now())).unwrap_or_default();
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(LOOK)).await;
    }
}
