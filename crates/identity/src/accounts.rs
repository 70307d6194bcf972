//! The people: who can sign in, who has, and what they may do.
//!
//! A request shows who sends it by a login's cookie, by HTTP basic authentication, or by a header
//! of a proxy that is trusted. A request without a credential, or with a wrong one, is anonymous.
//! A password is checked once and then known by what showed it, since checking takes long.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use oidc::{Attempt, BrowserId, Login, Logins, Moment, Provider, Wait, read_basic};
use pad::access::Rights;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tracing::info;

use crate::client_ip::ClientIp;
use crate::cookies;
use crate::device_key::DeviceKey;
use crate::principal::{Denied, Principal, Proof, User};
use settings::{Settings, User as Settled};
use system::environment::{now_seconds, random_bytes};
use system::hex;

/// The cookie of a login.
pub const LOGIN: &str = "login";
/// The cookie of a browser that has signed in before.
pub const BROWSER: &str = "browser";
/// How many passwords are checked at a time. A hash takes a processor for a while, and memory.
const CHECKS: usize = 2;
/// How long a password waits to be checked.
const PATIENCE: Duration = Duration::from_secs(10);
/// When to try again if too many passwords are being checked.
const BUSY_SECONDS: u64 = 10;

pub struct Accounts {
    settings: Arc<Settings>,
    provider: Arc<Provider>,
    /// Those who have signed in elsewhere: as what, at that time.
    outside: Mutex<Logins<Principal>>,
    /// Recognizes browsers that have signed in before.
    devices: DeviceKey,
    checks: Semaphore,
    /// For known browsers, which do not wait behind strangers.
    known_checks: Semaphore,
    /// Changes when a login is closed.
    closings: watch::Sender<()>,
}

/// Why somebody is not signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLogin {
    Wrong,
    Slowed(Wait),
}

impl Accounts {
    /// `var` is the folder of what the service keeps.
    pub fn new(settings: Arc<Settings>, provider: Arc<Provider>, var: &Path) -> Accounts {
        Accounts {
            settings,
            outside: Mutex::new(Logins::new(provider.lives.login)),
            provider,
            devices: DeviceKey::new(var),
            checks: Semaphore::new(CHECKS),
            known_checks: Semaphore::new(CHECKS),
            closings: watch::Sender::default(),
        }
    }

    /// The principal of a request. Fails when too many wrong passwords came before this one.
    pub async fn principal(&self, request: &Parts) -> Result<Principal, Wait> {
        let proof = self.proof(request).await?;
        Ok(self.principal_of(&proof))
    }

    /// The proof of identity in a request.
    pub async fn proof(&self, request: &Parts) -> Result<Proof, Wait> {
        if let Some(name) = self.trusted_proxy_user(request) {
            return Ok(Proof::TrustedProxy(name));
        }
        if let Some(text) = self.login_text(request).filter(|text| self.is_open(text)) {
            return Ok(Proof::Login(text));
        }
        let header = request.headers.get(AUTHORIZATION);
        let header = header.and_then(|value| value.to_str().ok());
        let Some((header, (user, password))) =
            header.and_then(|text| Some((text, read_basic(text)?)))
        else {
            return Ok(Proof::Nothing);
        };
        // A client sends the same header with each request: it is as good as a cookie from now on.
        if !self.is_open(header) {
            match self.admit(request, &user, &password).await {
                Ok(attempt) => {
                    let now = now_seconds();
                    self.provider.sign_in_with(attempt, &user, header, now);
                }
                Err(NoLogin::Wrong) => return Ok(Proof::Nothing),
                Err(NoLogin::Slowed(wait)) => return Err(wait),
            }
        }
        Ok(Proof::Login(header.to_owned()))
    }

    /// The principal that a proof stands for now.
    pub fn principal_of(&self, proof: &Proof) -> Principal {
        let name = match proof {
            Proof::Nothing => return Principal::Anonymous,
            Proof::TrustedProxy(name) => name.clone(),
            Proof::Login(text) => match self.provider.login(text, now_seconds()) {
                Some(login) => login.user,
                None => return self.outsider(text).unwrap_or(Principal::Anonymous),
            },
        };
        let settled = self.settings.access.users.get(&name);
        match settled {
            Some(user) if user.is_admin => Principal::Admin(name),
            _ => Principal::User(User {
                rights: self.rights(settled),
                name,
            }),
        }
    }

    /// Whether people have to sign in to come to pads.
    pub fn are_asked_for(&self) -> bool {
        self.settings.access.require_authentication
    }

    /// What a principal may do with pads. `None`, where nobody has to sign in, leaves that to the
    /// pad.
    pub fn pad_rights(&self, proof: &Proof) -> Result<Option<Rights>, Denied> {
        if !self.are_asked_for() {
            return Ok(None);
        }
        match self.principal_of(proof) {
            Principal::Admin(_) => Ok(Some(Rights::Create)),
            Principal::User(user) => user.rights.map(Some).ok_or(Denied::Forbidden),
            Principal::Anonymous => Err(Denied::NotSignedIn),
        }
    }

    /// The text of the login that a request comes with, open or not.
    pub fn login_text(&self, request: &Parts) -> Option<String> {
        self.cookie(request, LOGIN)
    }

    /// The cookie by which the browser of somebody who has just signed in is known from now on.
    pub fn device_cookie(&self, request: &Parts, user: &str) -> String {
        let before = self.cookie(request, BROWSER);
        let devices = self.devices.cookies();
        devices.issue(before.as_deref(), user, random_bytes())
    }

    /// The browser that sends a request, if it has signed in as that user before.
    fn browser(&self, request: &Parts, user: &str) -> Option<BrowserId> {
        let cookie = self.cookie(request, BROWSER)?;
        self.devices.cookies().recognize(&cookie, user)
    }

    fn cookie(&self, request: &Parts, name: &str) -> Option<String> {
        let name = format!("{}{name}", self.settings.access.cookies.prefix);
        cookies::value(cookies::of(&request.headers)?, &name)
    }

    /// The name of the signed-in user, who can sign out again.
    pub fn signed_in(&self, request: &Parts) -> Option<String> {
        let text = self.login_text(request)?;
        match self.principal_of(&Proof::Login(text)) {
            Principal::Admin(name) | Principal::User(User { name, .. }) => Some(name),
            Principal::Anonymous => None,
        }
    }

    /// Opens a login for who knows the password, and closes the one that the browser had: what it
    /// held before is worth nothing after.
    pub async fn sign_in(
        &self,
        request: &Parts,
        user: &str,
        password: &str,
    ) -> Result<(String, Login), NoLogin> {
        let attempt = self.admit(request, user, password).await?;
        self.close_before(request);
        let moment = Moment {
            now: now_seconds(),
            issuer: "",
            random: random_bytes(),
        };
        Ok(self.provider.sign_in(attempt, user, &moment))
    }

    /// Whether a request shows who sends it by a name and a password, and by nothing else.
    pub async fn is_by_password(&self, request: &Parts) -> bool {
        let header = request.headers.get(AUTHORIZATION);
        let header = header.and_then(|value| value.to_str().ok());
        let proof = self.proof(request).await;
        matches!(proof, Ok(Proof::Login(text)) if header == Some(&text))
    }

    /// Opens a login for a user whose password is known to be right: the text for the browser to
    /// keep.
    pub fn open_as(&self, request: &Parts, user: &str) -> String {
        self.close_before(request);
        let text = hex(&random_bytes::<32>());
        self.provider.open_login(user, &text, now_seconds());
        text
    }

    /// Opens a login for who has signed in elsewhere: the text for the browser to keep.
    pub fn open(&self, request: &Parts, principal: Principal) -> String {
        self.close_before(request);
        let text = hex(&random_bytes::<32>());
        self.outside().open(&text, principal, now_seconds());
        text
    }

    fn close_before(&self, request: &Parts) {
        if let Some(before) = self.login_text(request) {
            self.sign_out(&before);
        }
    }

    pub fn sign_out(&self, text: &str) {
        self.provider.sign_out(text);
        self.outside().close(text);
        self.closings.send_replace(());
    }

    /// To wait for the next time that a login is closed.
    pub fn closings(&self) -> watch::Receiver<()> {
        self.closings.subscribe()
    }

    /// Lets an attempt through if the password is right and not too many wrong ones came before.
    async fn admit(&self, request: &Parts, user: &str, password: &str) -> Result<Attempt, NoLogin> {
        let client = ClientIp::of(&request.extensions);
        let shown = client.shown(self.settings.log.ip);
        let browser = self.browser(request, user);
        let now = now_seconds();
        let attempt = match browser {
            Some(browser) => self.provider.admit_browser(user, browser, now),
            None => self.provider.admit(user, &client.network(), now),
        };
        let attempt = attempt.map_err(|wait| {
            info!("too many failed logins from {shown}");
            NoLogin::Slowed(wait)
        })?;
        let turns = match browser {
            Some(_) => &self.known_checks,
            None => &self.checks,
        };
        match self.check(turns, user, password).await {
            Some(true) => {
                info!("{user} signed in from {shown}");
                Ok(attempt)
            }
            Some(false) => {
                // The name stays out of the log: some type their password there.
                info!("a login from {shown} failed");
                Err(NoLogin::Wrong)
            }
            None => Err(NoLogin::Slowed(Wait(BUSY_SECONDS))),
        }
    }

    /// Whether a password is right; `None` if too many are being checked to say so in time.
    async fn check(&self, turns: &Semaphore, user: &str, password: &str) -> Option<bool> {
        let turn = timeout(PATIENCE, turns.acquire()).await;
        let _turn = turn.ok()?.ok()?;
        let provider = Arc::clone(&self.provider);
        let (user, password) = (user.to_owned(), password.to_owned());
        let check = move || provider.knows(&user, &password);
        tokio::task::spawn_blocking(check).await.ok()
    }

    fn is_open(&self, text: &str) -> bool {
        let here = self.provider.login(text, now_seconds()).is_some();
        here || self.outsider(text).is_some()
    }

    fn outsider(&self, text: &str) -> Option<Principal> {
        self.outside().find(text, now_seconds())
    }

    fn outside(&self) -> MutexGuard<'_, Logins<Principal>> {
        self.outside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name in the proxy's header, where such a header is believed.
    fn trusted_proxy_user(&self, request: &Parts) -> Option<String> {
        let header = self.settings.access.login.header.as_ref()?;
        if !self.settings.listen.trust_proxy.is_on() {
            return None;
        }
        let name = request
            .headers
            .get(header.0.as_str())?
            .to_str()
            .ok()?
            .trim();
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// What a user may do who is no administrator. One whom only the proxy knows may do what one
    /// may of whom the settings say nothing.
    fn rights(&self, user: Option<&Settled>) -> Option<Rights> {
        let plain = Settled::default();
        let user = user.unwrap_or(&plain);
        if self.settings.access.require_authorization {
            return None;
        }
        Some(match user {
            Settled {
                read_only: true, ..
            } => Rights::ReadOnly,
            Settled {
                can_create: false, ..
            } => Rights::Modify,
            _ => Rights::Create,
        })
    }
}
