//! The provider as a whole: everything that is registered.
//!
//! Each method is one step of a request. Time, random bytes and keys come in as arguments, what is
//! going on is kept by the caller; nothing here waits, but [`Provider::knows`] takes the time of a
//! hash.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::authorize::{AuthorizationError, Request};
use crate::client::{Clients, Registration};
use crate::codes;
use crate::error::{Error, ErrorKind};
use crate::kept::{Kept, KeptKey};
use crate::keys::Keys;
use crate::logins::{Life, Login};
use crate::parameters::Parameters;
use crate::secret;
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

    /// Grants a request to somebody who is signed in: the address to go on to, and the code to
    /// keep.
    pub fn grant(
        &self,
        request: &Request,
        login: &Login,
        moment: &Moment,
    ) -> (String, (KeptKey, Kept)) {
        let code = secret::text(&moment.random);
        let ends = moment.now.saturating_add(self.lives.code);
        let grant = request.grant(&login.user, login.since);
        let address = request.back.with_code(&code, moment.issuer);
        (address, codes::fresh(&code, grant, ends))
    }

    /// Whether the password is that of the user. Can take a good part of a second.
    pub fn knows(&self, user: &str, password: &str) -> bool {
        self.users.check(user, password)
    }

    /// Whether there is such a user.
    pub fn has_user(&self, user: &str) -> bool {
        self.users.contains(user)
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
    /// name where none is set. Whether it was revoked is the caller's to know.
    pub fn verify(
        &self,
        keys: &Keys,
        token: &str,
        asked: &str,
        now: u64,
    ) -> Result<Verified, Flaw> {
        let issuer = self.issuer().unwrap_or(asked);
        token::verify_access(keys, token, issuer, now)
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
}

#[cfg(test)]
mod tests;
