//! The people: who can sign in, who has, and what they may do.
//!
//! A request shows who sends it by a login's cookie, by HTTP basic authentication, or by a header
//! of a proxy that is trusted. A request without a credential, or with a wrong one, is anonymous.
//! A password is checked once and then known by what showed it, since checking takes long.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use oidc::{Attempt, BrowserId, Kept, KeptKey, Login, Provider, Throttle, Wait, read_basic};
use pad::access::Rights;
use store::Store;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tracing::{info, warn};

use crate::attempts::{Attempts, Refused};
use crate::client_ip::ClientIp;
use crate::cookies;
use crate::device_key::DeviceKey;
use crate::logins::{Granted, KnownLogin, Logins, Person};
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
    logins: Logins,
    pub attempts: Attempts,
    /// What a browser keeps is sealed under while it signs in at an external provider.
    pub external_key: [u8; 32],
    /// Makes hashes of what logins rest upon.
    basis: Throttle,
    /// Recognizes browsers that have signed in before.
    devices: DeviceKey,
    checks: Semaphore,
    /// For known browsers, which do not wait behind strangers.
    known_checks: Semaphore,
}

/// Why somebody is not signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLogin {
    Wrong,
    Slowed(Wait),
    /// The store does not work.
    Unavailable,
}

impl From<Refused> for NoLogin {
    fn from(refused: Refused) -> NoLogin {
        match refused {
            Refused::Slowed(wait) => NoLogin::Slowed(wait),
            Refused::Unavailable => NoLogin::Unavailable,
        }
    }
}

/// Why it cannot be said who sends a request.
pub type Unproven = Refused;

impl Accounts {
    /// `var` is the folder of what the service keeps.
    pub fn new(
        settings: Arc<Settings>,
        provider: Arc<Provider>,
        var: &Path,
        store: &Store,
    ) -> Accounts {
        let key = store.derived_key("logins");
        Accounts {
            settings,
            logins: Logins::new(store, provider.lives.login),
            attempts: Attempts::new(store),
            external_key: store
                .derived_key("external-provider")
                .unwrap_or_else(random_bytes),
            basis: Throttle::new(&key.unwrap_or_else(random_bytes)),
            provider,
            devices: DeviceKey::of_all(var, store),
            checks: Semaphore::new(CHECKS),
            known_checks: Semaphore::new(CHECKS),
        }
    }

    /// The principal of a request. Fails when too many wrong passwords came before this one.
    pub async fn principal(&self, request: &Parts) -> Result<Principal, Unproven> {
        let proof = self.proof(request).await?;
        Ok(self.principal_of(&proof))
    }

    /// The proof of identity in a request.
    pub async fn proof(&self, request: &Parts) -> Result<Proof, Unproven> {
        if let Some(name) = self.trusted_proxy_user(request) {
            return Ok(Proof::TrustedProxy(name));
        }
        if let Some(login) = self.login(request).await? {
            return Ok(Proof::Login(login));
        }
        let header = request.headers.get(AUTHORIZATION);
        let header = header.and_then(|value| value.to_str().ok());
        let Some((header, (user, password))) =
            header.and_then(|text| Some((text, read_basic(text)?)))
        else {
            return Ok(Proof::Nothing);
        };
        // A client sends the same header with each request: it is as good as a cookie from now on.
        if let Some(login) = self.logins.find_here(header) {
            return Ok(Proof::Login(login));
        }
        match self.admit(request, &user, &password).await {
            Ok(attempt) => {
                self.succeeded(&attempt).await?;
                let person = self.user(&user);
                Ok(Proof::Login(self.logins.open_here(header, person)))
            }
            Err(NoLogin::Wrong) => Ok(Proof::Nothing),
            Err(NoLogin::Slowed(wait)) => Err(Unproven::Slowed(wait)),
            Err(NoLogin::Unavailable) => Err(Unproven::Unavailable),
        }
    }

    /// The open login of a request's cookie.
    async fn login(&self, request: &Parts) -> Result<Option<KnownLogin>, Unproven> {
        let Some(text) = self.login_text(request) else {
            return Ok(None);
        };
        let found = self.logins.find(&text).await;
        let found = found.map_err(unavailable)?;
        Ok(found.filter(|login| {
            login
                .person()
                .is_some_and(|(person, _)| self.holds(&person))
        }))
    }

    /// Whether what a login rests upon is still so.
    fn holds(&self, person: &Person) -> bool {
        match person.granted {
            None => {
                let is_user = self.provider.has_user(&person.name);
                is_user && self.user(&person.name).basis == person.basis
            }
            Some(_) => self.external_basis() == person.basis,
        }
    }

    /// A user of the settings, whose login ends with the password.
    fn user(&self, name: &str) -> Person {
        let user = self.settings.access.users.get(name);
        let password = user.and_then(|user| user.password.as_ref());
        let password = password.map_or("", |secret| secret.0.as_str());
        Person {
            name: name.to_owned(),
            granted: None,
            basis: self.basis.tag("user", name, password),
        }
    }

    /// Logins through an external provider end when its settings change: rights follow from them.
    fn external_basis(&self) -> KeptKey {
        let access = &self.settings.access;
        let issuer = access.login.issuer.as_ref();
        let issuer = issuer.map_or("", |issuer| issuer.0.as_str());
        let rights = format!("{:?} {}", access.login.groups, access.require_authorization);
        self.basis.tag("external", issuer, &rights)
    }

    /// The principal that a proof stands for now.
    pub fn principal_of(&self, proof: &Proof) -> Principal {
        let name = match proof {
            Proof::Nothing => return Principal::Anonymous,
            Proof::TrustedProxy(name) => name.clone(),
            Proof::Login(login) => match self.logins.visit(login) {
                None => return Principal::Anonymous,
                Some((Person { name, granted, .. }, _)) => match granted {
                    Some(granted) => return external_principal(name, granted),
                    None => name,
                },
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
    pub async fn signed_in(&self, request: &Parts) -> Option<String> {
        let login = self.login(request).await.ok()??;
        match self.principal_of(&Proof::Login(login)) {
            Principal::Admin(name) | Principal::User(User { name, .. }) => Some(name),
            Principal::Anonymous => None,
        }
    }

    /// The text of a request's login and whose it is, if that is a user of the settings.
    pub async fn user_login(&self, request: &Parts) -> Result<Option<(String, Login)>, Unproven> {
        let Some(login) = self.login(request).await? else {
            return Ok(None);
        };
        let person = self.logins.visit(&login);
        let person = person.filter(|(person, _)| person.granted.is_none());
        let login = person.map(|(person, since)| Login {
            user: person.name,
            since,
        });
        Ok(self.login_text(request).zip(login))
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
        self.succeeded(&attempt).await?;
        let text = self.open_as(request, user).await?;
        let login = Login {
            user: user.to_owned(),
            since: now_seconds(),
        };
        Ok((text, login))
    }

    /// Whether a request shows who sends it by a name and a password, and by nothing else.
    pub async fn is_by_password(&self, request: &Parts) -> bool {
        let header = request.headers.get(AUTHORIZATION);
        let header = header.and_then(|value| value.to_str().ok());
        let proof = self.proof(request).await;
        matches!(proof, Ok(Proof::Login(login)) if header.is_some_and(|text| login.is_of(text)))
    }

    /// Opens a login for a user whose password is known to be right: the text for the browser to
    /// keep.
    pub async fn open_as(&self, request: &Parts, user: &str) -> Result<String, Unproven> {
        self.open_login(request, self.user(user)).await
    }

    /// Opens a login for who has signed in elsewhere: the text for the browser to keep.
    pub async fn open(&self, request: &Parts, principal: Principal) -> Result<String, Unproven> {
        let (name, granted) = match principal {
            Principal::Anonymous => (String::new(), Granted::Nothing),
            Principal::Admin(name) => (name, Granted::Admin),
            Principal::User(User { name, rights }) => {
                let granted = match rights {
                    None => Granted::Nothing,
                    Some(Rights::ReadOnly) => Granted::ReadOnly,
                    Some(Rights::Modify) => Granted::Modify,
                    Some(Rights::Create) => Granted::Create,
                };
                (name, granted)
            }
        };
        let person = Person {
            name,
            granted: Some(granted),
            basis: self.external_basis(),
        };
        self.open_login(request, person).await
    }

    /// Whether a sign-in elsewhere comes back for the first time.
    pub async fn spend(&self, spent: (KeptKey, Kept)) -> Result<bool, Unproven> {
        self.logins.spend(spent).await.map_err(unavailable)
    }

    async fn open_login(&self, request: &Parts, person: Person) -> Result<String, Unproven> {
        if let Some(before) = self.login_text(request) {
            self.sign_out(&before).await?;
        }
        let text = hex(&random_bytes::<32>());
        self.logins.open(&text, person).await.map_err(unavailable)?;
        Ok(text)
    }

    /// Ends a login. If that cannot be stored the login goes on.
    pub async fn sign_out(&self, text: &str) -> Result<(), Unproven> {
        self.logins.close(text).await.map_err(unavailable)
    }

    /// To wait for the next time that a login is closed.
    pub fn closings(&self) -> watch::Receiver<()> {
        self.logins.closings()
    }

    /// Brings logins up to date with the store. Does not end.
    pub async fn keep_up(&self) {
        self.logins.keep_up().await;
    }

    async fn succeeded(&self, attempt: &Attempt) -> Result<(), Unproven> {
        let counted = self.attempts.succeeded(attempt, now_seconds()).await;
        counted.map_err(unavailable)
    }

    /// Lets an attempt through if the password is right and not too many wrong ones came before.
    async fn admit(&self, request: &Parts, user: &str, password: &str) -> Result<Attempt, NoLogin> {
        let client = ClientIp::of(&request.extensions);
        let shown = client.shown(self.settings.log.ip);
        let browser = self.browser(request, user);
        let now = now_seconds();
        let attempt = match browser {
            Some(browser) => self.attempts.from_browser(user, browser),
            None => self.attempts.from_address(user, client),
        };
        let admitted = self.attempts.admit(&attempt, now).await;
        admitted.inspect_err(|refused| {
            if let Refused::Slowed(_) = refused {
                info!("too many failed logins from {shown}");
            }
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

/// What a person may do whom an external provider knows.
fn external_principal(name: String, granted: Granted) -> Principal {
    let rights = match granted {
        Granted::Admin => return Principal::Admin(name),
        Granted::Nothing => None,
        Granted::ReadOnly => Some(Rights::ReadOnly),
        Granted::Modify => Some(Rights::Modify),
        Granted::Create => Some(Rights::Create),
    };
    Principal::User(User { name, rights })
}

fn unavailable(error: store::Error) -> Refused {
    warn!("logins cannot be read or stored: {error}");
    Refused::Unavailable
}
