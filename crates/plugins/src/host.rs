//! The host: enabled plugins with their supervisors, and the hooks of the service for them.
//!
//! Plugins are asked in the order of their names. One that does not answer in time is skipped, and
//! the service goes on as if it were not there, unless the plugin is written to refuse then.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, Weak};

use futures_util::future::join_all;
use plugin::parameter::check_object;
use plugin::{Hook, Name};
use serde_json::{Map, Value, json};
use service::Service;
use service::pad::{AuthorId, PadId, Timestamp};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{debug, info};

use crate::admin_page::{self, Part};
use crate::answers::{self, RouteResponse};
use crate::calls::Calls;
use crate::confinement;
use crate::declared;
use crate::health::Health;
use crate::registry::{Installed, Registry, Snapshot};
use crate::running::{Answer, Failure, Running};
use crate::supervise::Supervisor;
use crate::timers;
use crate::worker::{Launcher, Worker};

pub struct Plugins {
    registry: Arc<Registry>,
    launcher: Arc<Launcher>,
    running: RwLock<Arc<[Arc<Running>]>>,
    /// A bit for each hook that a running plugin has.
    wanted: AtomicU32,
    service: OnceLock<Weak<Service>>,
    timers: Arc<Notify>,
    tasks: TaskTracker,
    end: CancellationToken,
}

/// A request to a route of a plugin. Nothing of it says who sends it.
#[derive(Clone, Debug, Default)]
pub struct RouteRequest {
    pub method: String,
    /// Below `/plugins/NAME/`.
    pub path: String,
    pub query: Map<String, Value>,
    /// The address of `/plugins/NAME/`.
    pub base: String,
    pub kind: Option<String>,
    pub body: Option<String>,
}

impl Plugins {
    /// `program` has the hidden command that workers are.
    pub fn new(registry: Arc<Registry>, program: PathBuf) -> Arc<Plugins> {
        Plugins::with_launcher(registry, Arc::new(move || Worker::spawn(&program)))
    }

    pub(crate) fn with_launcher(registry: Arc<Registry>, launcher: Arc<Launcher>) -> Arc<Plugins> {
        Arc::new(Plugins {
            registry,
            launcher,
            running: RwLock::new(Arc::new([])),
            wanted: AtomicU32::new(0),
            service: OnceLock::new(),
            timers: Arc::default(),
            tasks: TaskTracker::new(),
            end: CancellationToken::new(),
        })
    }

    /// Names the service whose hooks these are, and starts what is installed: once, before the
    /// first request, so that none is answered without its plugins.
    pub fn attach(self: &Arc<Plugins>, service: &Arc<Service>) {
        if self.service.set(Arc::downgrade(service)).is_ok() {
            let host = Arc::downgrade(self);
            self.registry.apply_with(Box::new(move |snapshot| {
                if let Some(host) = host.upgrade() {
                    host.update(snapshot);
                }
            }));
            self.update(&self.registry.current());
        }
    }

    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Tells open pages of every change of what is installed, keeps up with other nodes, fires
    /// timers and says how workers are confined, for as long as the future lives.
    pub async fn run(&self) -> Infallible {
        let mut snapshots = self.registry.subscribe();
        let announcing = async {
            while snapshots.changed().await.is_ok() {
                let snapshot = Arc::clone(&snapshots.borrow_and_update());
                if let Some(service) = self.service() {
                    let parts = |pad: &PadId| self.page_parts_of(&snapshot, pad, &[]);
                    service.announce_page_parts(parts).await;
                }
            }
            std::future::pending::<Infallible>().await
        };
        tokio::select! {
            never = announcing => never,
            never = self.find_out_confinement() => never,
            never = self.registry.follow() => never,
            never = self.fire_timers() => never,
        }
    }

    /// Where there is a plugin that has workers.
    async fn find_out_confinement(&self) -> Infallible {
        let has_server = |it: &Arc<Installed>| it.package.server().is_some();
        let has_workers = |snapshot: &Arc<Snapshot>| snapshot.enabled().any(has_server);
        let mut snapshots = self.registry.subscribe();
        if snapshots.wait_for(has_workers).await.is_ok() {
            confinement::find_out(&*self.launcher).await;
        }
        std::future::pending().await
    }

    /// Ends all workers, after their last hook.
    pub async fn stop(&self) {
        self.end.cancel();
        self.wanted.store(0, Ordering::Relaxed);
        self.tasks.close();
        self.tasks.wait().await;
    }

    async fn fire_timers(&self) -> Infallible {
        let now = || self.service().map_or(Timestamp::default(), |it| it.now());
        let fire = |plugin: &str, timer: &str, due: Timestamp| {
            if let Some(plugin) = self.find(plugin).filter(|it| it.has(Hook::Timer)) {
                let arguments = json!({ "name": timer, "due": due.millis() });
                plugin.enqueue(|queue| queue.push(Hook::Timer, arguments));
            }
        };
        timers::run(self.registry.store(), &self.timers, now, fire).await
    }

    /// Starts what is new, ends what is gone or has changed, and leaves the rest alone.
    fn update(&self, snapshot: &Snapshot) {
        let Some(service) = self.service.get() else {
            return;
        };
        let before = self.running();
        let mut running = Vec::new();
        for installed in snapshot.enabled() {
            let same = before
                .iter()
                .find(|it| Arc::ptr_eq(&it.installed, installed));
            running.push(match same {
                Some(same) => Arc::clone(same),
                None => self.start(installed, service),
            });
        }
        if let Some(service) = service.upgrade() {
            service.set_declared_attributes(Arc::new(declared::table(snapshot)));
        }
        for old in before.iter() {
            if !running.iter().any(|it| Arc::ptr_eq(it, old)) {
                old.end.cancel();
            }
        }
        let wanted = running.iter().flat_map(|it| it.hooks());
        let wanted = wanted.fold(0, |bits, hook| bits | bit(hook));
        let mut place = self.running.write().unwrap_or_else(PoisonError::into_inner);
        *place = running.into();
        self.wanted.store(wanted, Ordering::Relaxed);
        self.timers.notify_one();
    }

    /// Its task ends with the plugin, and [`Plugins::stop`] waits for it.
    fn start(&self, installed: &Arc<Installed>, service: &Weak<Service>) -> Arc<Running> {
        info!(
            "the plugin {} {} runs",
            installed.name(),
            installed.record.version
        );
        let end = self.end.child_token();
        let (plugin, incoming) = Running::new(Arc::clone(installed), end);
        // One that is only for pages has no worker.
        if installed.package.server().is_none() {
            return plugin;
        }
        let calls = Arc::new(Calls::new(service.clone(), Arc::clone(&self.timers)));
        let supervise = |incoming| {
            let supervisor = Supervisor {
                plugin: Arc::clone(&plugin),
                incoming,
                launcher: Arc::clone(&self.launcher),
                calls: Arc::clone(&calls),
            };
            self.tasks.spawn(supervisor.run());
        };
        if plugin.has_second_worker() {
            let (first, second) = incoming.split();
            supervise(first);
            supervise(second);
        } else {
            supervise(incoming);
        }
        plugin
    }

    pub(crate) fn service(&self) -> Option<Arc<Service>> {
        self.service.get().and_then(Weak::upgrade)
    }

    pub(crate) fn running(&self) -> Arc<[Arc<Running>]> {
        let running = self.running.read();
        Arc::clone(&running.unwrap_or_else(PoisonError::into_inner))
    }

    fn find(&self, name: &str) -> Option<Arc<Running>> {
        let running = self.running();
        let is_meant = |it: &&Arc<Running>| it.installed.name().as_str() == name;
        running.iter().find(is_meant).cloned()
    }

    /// Whether any plugin has a hook: a load and a test, for what happens with every commit.
    pub(crate) fn wants(&self, hook: Hook) -> bool {
        self.wanted.load(Ordering::Relaxed) & bit(hook) != 0
    }

    /// The plugins that have a hook and are switched on for a pad: everything that is about a pad
    /// asks here.
    pub(crate) fn on_pad(&self, hook: Hook, pad: &PadId) -> Vec<Arc<Running>> {
        if !self.wants(hook) {
            return Vec::new();
        }
        let running = self.running();
        let is_meant = |it: &&Arc<Running>| it.is_called(hook, pad);
        running.iter().filter(is_meant).cloned().collect()
    }

    /// Calls a hook of one plugin, if its arguments are as the table has them.
    pub(crate) async fn ask(plugin: &Running, hook: Hook, arguments: Value) -> Answer {
        if let Err(error) = check_object(hook.row().arguments, &arguments) {
            debug!("{hook} is not called: {error}");
            return Err(Failure::Unavailable);
        }
        plugin.ask(hook, arguments).await
    }

    async fn ask_named(&self, name: &str, hook: Hook, arguments: Value) -> Answer {
        let plugin = self.find(name).ok_or(Failure::NoHook)?;
        Plugins::ask(&plugin, hook, arguments).await
    }

    /// A request to a route of a plugin.
    pub async fn request(
        &self,
        name: &str,
        request: RouteRequest,
    ) -> Result<RouteResponse, Failure> {
        let mut arguments = json!({
            "method": request.method,
            "path": request.path,
            "query": request.query,
            "base": request.base,
        });
        insert(&mut arguments, "type", request.kind);
        insert(&mut arguments, "body", request.body);
        let answer = self.ask_named(name, Hook::Request, arguments).await?;
        answers::response(&answer).ok_or(Failure::Unavailable)
    }

    /// A message of a plugin's part of the page, by somebody who may be in the pad.
    pub async fn message(
        &self,
        name: &str,
        pad: &PadId,
        author: Option<&AuthorId>,
        read_only: bool,
        data: Value,
    ) -> Answer {
        let mut arguments = json!({
            "padId": pad.as_str(),
            "readOnly": read_only,
            "data": data,
        });
        insert(&mut arguments, "authorId", author.map(AuthorId::as_str));
        let plugins = self.on_pad(Hook::Message, pad).into_iter();
        let mut plugins = plugins.filter(|it| it.installed.name().as_str() == name);
        let plugin = plugins.next().ok_or(Failure::NoHook)?;
        Plugins::ask(&plugin, Hook::Message, arguments).await
    }

    /// A call of an API function of a plugin's own, by somebody who may use the API.
    pub async fn api_call(
        &self,
        name: &str,
        function: &str,
        arguments: Map<String, Value>,
    ) -> Answer {
        let plugin = self.find(name).ok_or(Failure::NoHook)?;
        if !plugin.installed.manifest().api.contains_key(function) {
            return Err(Failure::NoHook);
        }
        let arguments = json!({ "function": function, "arguments": arguments });
        Plugins::ask(&plugin, Hook::ApiCall, arguments).await
    }

    /// The page of a plugin in the admin area, after the action of one of its buttons.
    pub async fn admin_page(
        &self,
        name: &Name,
        language: &str,
        action: Option<&str>,
    ) -> Result<Vec<Part>, Failure> {
        let mut arguments = json!({ "language": language });
        insert(&mut arguments, "action", action);
        let answer = self.ask_named(name.as_str(), Hook::AdminPage, arguments);
        admin_page::parts(&answer.await?).ok_or(Failure::Unavailable)
    }

    /// An error of a plugin's part of a page, for its log.
    pub fn report(&self, name: &str, text: &str) -> bool {
        // Of others there is nothing in pages: somebody else wants to be in the log.
        let has_part = |it: &Arc<Running>| it.installed.package.runs_in_browsers();
        let Some(plugin) = self.find(name).filter(has_part) else {
            return false;
        };
        let level = plugin::wire::LogLevel::Error;
        let text = format!("in a page: {text}");
        plugin.health().log(self.now(), level, &text);
        true
    }

    pub(crate) fn now(&self) -> u64 {
        let now = self.service().map_or(0, |service| service.now().millis());
        u64::try_from(now).unwrap_or(0)
    }

    /// How a plugin does. `None`: it is not enabled.
    pub fn health(&self, name: &Name) -> Option<Health> {
        let plugin = self.find(name.as_str())?;
        let health = plugin.health().clone();
        Some(health)
    }

    /// Lets a plugin run again that was switched off after failures.
    pub fn switch_on(&self, name: &Name) -> bool {
        let Some(plugin) = self.find(name.as_str()) else {
            return false;
        };
        plugin.health().switch_on();
        plugin.wake.notify_one();
        true
    }

    /// What the pages of a pad get of all plugins with a part in them, with the variables that they
    /// gave.
    pub(crate) fn page_parts_of(
        &self,
        snapshot: &Snapshot,
        pad: &PadId,
        vars: &[(Name, Value)],
    ) -> Value {
        let parts = snapshot
            .enabled()
            .filter(|it| it.package.runs_in_browsers() && it.is_on(pad));
        let part = |installed: &Arc<Installed>| {
            let name = installed.name();
            let vars = vars.iter().find(|(of, _)| of == name);
            let languages: Vec<&String> = installed.package.texts().keys().collect();
            json!({
                "name": name.as_str(),
                "version": installed.record.version,
                "base": format!("plugins/{name}/{}/", installed.asset_folder()),
                "style": installed.package.style().is_some(),
                "languages": languages,
                "attributes": installed.manifest().attributes,
                "vars": vars.map_or(Value::Null, |(_, vars)| vars.clone()),
            })
        };
        parts.map(part).collect()
    }

    pub(crate) async fn page_parts_for(
        &self,
        pad: &PadId,
        author: &AuthorId,
        read_only: bool,
    ) -> Value {
        let snapshot = self.registry.current();
        let arguments = json!({
            "padId": pad.as_str(),
            "authorId": author.as_str(),
            "readOnly": read_only,
        });
        let plugins = self.on_pad(Hook::ClientVars, pad);
        let asked = plugins.iter().map(async |plugin| {
            let answer = Plugins::ask(plugin, Hook::ClientVars, arguments.clone()).await;
            Some((plugin.installed.name().clone(), answer.ok()?))
        });
        let vars: Vec<(Name, Value)> = join_all(asked).await.into_iter().flatten().collect();
        self.page_parts_of(&snapshot, pad, &vars)
    }
}

fn bit(hook: Hook) -> u32 {
    1 << (hook as u32)
}

/// Adds an argument that is left out where there is none.
pub(crate) fn insert(arguments: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let (Value::Object(arguments), Some(value)) = (arguments, value) {
        arguments.insert(name.to_owned(), value.into());
    }
}
