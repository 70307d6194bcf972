//! The provider as a whole: everything that is registered, and everything that is going on.
//!
//! Each method is one step of a request. Time, random bytes, the address of the caller and the keys
//! come in as arguments; nothing here waits, but [`Provider::knows`] takes the time of a hash.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::authorize::{AuthorizationError, Request};
use crate::browser::BrowserId;
use crate::client::{Clients, Registration};
use crate::codes::Codes;
use crate::error::{Error, ErrorKind};
use crate::keys::Keys;
use crate::logins::{Life, Login, Logins};
use crate::parameters::Parameters;
use crate::secret;
use crate::throttle::{Attempt, Throttle, Wait};
use crate::token::{self, Flaw, Subject, Verified};
use crate::user::{User, Users};

/// What settings say about signing in.
pub struct Config {
    /// The issuer that every token names; `None` if it is the address that was asked.
    pub issuer: Option<String>,
    pub clients: Vec<Registration>,
    pub users: BTreeMap<String, User>,
    pub lives: Lives,
}

/// How long things last, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Lives {
    pub code: u64,
    pub user_token: u64,
    pub client_token: u64,
    pub id_token: u64,
    pub login: Life,
}

impl Lives {
    /// How long a key must stay known after it has signed.
    pub fn longest_token(&self) -> u64 {
        self.user_token.max(self.client_token).max(self.id_token)
    }
}

/// When, as whom, and with which chance a request is answered.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Seconds since 1970.
    pub now: u64,
    pub issuer: &'a str,
    /// Used for one secret at most.
    pub random: [u8; 32],
}

pub struct Provider {
    issuer: Option<String>,
    pub(crate) clients: Clients,
    pub(crate) users: Users,
    pub lives: Lives,
    codes: Mutex<Codes>,
    throttle: Mutex<Throttle>,
    logins: Mutex<Logins<Login>>,
}

impl Provider {
    /// Also gives back what an operator should be told about the settings.
    pub fn new(config: Config) -> (Provider, Vec<String>) {
        let mut complaints = Vec::new();
        let provider = Provider {
            issuer: config.issuer,
            clients: Clients::new(config.clients, &mut complaints),
            users: Users::new(config.users, &mut complaints),
            lives: config.lives,
            codes: Mutex::default(),
            throttle: Mutex::default(),
            logins: Mutex::new(Logins::new(config.lives.login)),
        };
        (provider, complaints)
    }

    pub fn issuer(&self) -> Option<&str> {
        self.issuer.as_deref()
    }

    /// What a client asks of somebody whom it sent here.
    pub fn request(&self, sent: &Parameters) -> Result<Request, AuthorizationError> {
        Request::read(&self.clients, sent)
    }

    /// Grants a request to somebody who is signed in: the address to go on to.
    pub fn grant(&self, request: &Request, login: &Login, moment: &Moment) -> String {
        let code = secret::text(&moment.random);
        let ends = moment.now.saturating_add(self.lives.code);
        let grant = request.grant(&login.user, login.since);
        self.codes().insert(&code, grant, ends, moment.now);
        request.back.with_code(&code, moment.issuer)
    }

    /// Whether somebody may try a password now. The attempt is over with [`Provider::sign_in`];
    /// if it never is, it has failed.
    pub fn admit(&self, user: &str, address: &impl Hash, now: u64) -> Result<Attempt, Wait> {
        self.throttle().admit(user, address, now)
    }

    /// The same for a browser that has signed in as that user before.
    pub fn admit_browser(&self, user: &str, browser: BrowserId, now: u64) -> Result<Attempt, Wait> {
        self.throttle().admit_browser(user, browser, now)
    }

    /// Whether the password is that of the user. Can take a good part of a second.
    pub fn knows(&self, user: &str, password: &str) -> bool {
        self.users.check(user, password)
    }

    /// After [`Provider::knows`] said yes: opens a login. Gives the text for the browser to keep.
    pub fn sign_in(&self, attempt: Attempt, user: &str, moment: &Moment) -> (String, Login) {
        let text = secret::text(&moment.random);
        let login = self.sign_in_with(attempt, user, &text, moment.now);
        (text, login)
    }

    /// The same for who will go on to show a text of their own: one that proves who they are.
    pub fn sign_in_with(&self, attempt: Attempt, user: &str, text: &str, now: u64) -> Login {
        self.throttle().succeeded(attempt);
        self.open_login(user, text, now)
    }

    /// Opens a login with that text for a user whose password is known to be right.
    pub fn open_login(&self, user: &str, text: &str, now: u64) -> Login {
        let login = Login {
            user: user.to_owned(),
            since: now,
        };
        self.logins().open(text, login.clone(), now);
        login
    }

    /// Who is signed in with that text.
    pub fn login(&self, text: &str, now: u64) -> Option<Login> {
        let login = self.logins().find(text, now)?;
        self.users.contains(&login.user).then_some(login)
    }

    pub fn sign_out(&self, text: &str) {
        self.logins().close(text);
    }

    /// Where to go after signing out, if the client that asks for it is known to be that client's.
    pub fn after_sign_out(&self, client: &str, sent: &Parameters) -> Option<String> {
        let uri = sent.get("post_logout_redirect_uri").ok()??;
        let known = &self.clients.get(client)?.redirect_uris;
        if !known.iter().any(|other| other == uri) {
            return None;
        }
        let Some(state) = sent.get("state").ok()? else {
            return Some(uri.to_owned());
        };
        let state: String = form_urlencoded::byte_serialize(state.as_bytes()).collect();
        let joint = if uri.contains('?') { '&' } else { '?' };
        Some(format!("{uri}{joint}state={state}"))
    }

    /// Checks an access token. `asked` is the address that it was sent to: the only issuer it may
    /// name where none is set.
    pub fn verify(
        &self,
        keys: &Keys,
        token: &str,
        asked: &str,
        now: u64,
    ) -> Result<Verified, Flaw> {
        let issuer = self.issuer().unwrap_or(asked);
        let verified = token::verify_access(keys, token, issuer, now)?;
        if self.codes().is_revoked(&verified.id) {
            Err(Flaw::Invalid)
        } else {
            Ok(verified)
        }
    }

    /// Whether a token may do everything: that of an administrator, or of a service that is
    /// registered as one. Settings as they are now count, not as they were when it was given.
    pub fn may_administer(&self, token: &Verified) -> bool {
        match &token.subject {
            Subject::User(name) => self.users.is_admin(name),
            Subject::Client(id) => {
                let client = self.clients.get(id);
                client.is_some_and(|client| client.acts_alone && client.is_admin())
            }
        }
    }

    /// What the userinfo endpoint tells.
    pub fn about(&self, token: &Verified) -> Result<Value, Error> {
        let Subject::User(name) = &token.subject else {
            return Err(ErrorKind::InvalidToken.because("the token is not that of a person"));
        };
        if !self.users.contains(name) {
            return Err(ErrorKind::InvalidToken.because("the person is not known any more"));
        }
        let mut about = json!({"sub": name});
        if token.scope.split(' ').any(|scope| scope == "profile")
            && let Some(about) = about.as_object_mut()
        {
            about.insert("preferred_username".to_owned(), name.as_str().into());
        }
        Ok(about)
    }

    pub(crate) fn codes(&self) -> MutexGuard<'_, Codes> {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn throttle(&self) -> MutexGuard<'_, Throttle> {
        self.throttle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn logins(&self) -> MutexGuard<'_, Logins<Login>> {
        self.logins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
