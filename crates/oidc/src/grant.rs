//! The token endpoint: a client proves who it is and turns what it has into a token.

use std::hash::Hash;

use serde_json::{Map, Value, json};

use crate::client::{Client, ClientCredential};
use crate::codes::Redemption;
use crate::error::{Error, ErrorKind};
use crate::keys::Keys;
use crate::parameters::Parameters;
use crate::provider::{Moment, Provider};
use crate::secret;
use crate::throttle::Wait;
use crate::token::{Access, Identity, Subject, sign_access, sign_identity};

/// Why a client gets no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoToken {
    Refused(Error),
    /// Too many wrong secrets.
    Slowed(Wait),
}

impl From<Error> for NoToken {
    fn from(error: Error) -> NoToken {
        NoToken::Refused(error)
    }
}

impl Provider {
    /// Answers `POST /oidc/token`. `authorization` is the header of that name, `address` where the
    /// request came from.
    pub fn token(
        &self,
        keys: &Keys,
        form: &Parameters,
        authorization: Option<&str>,
        address: &impl Hash,
        moment: &Moment,
    ) -> Result<Value, NoToken> {
        let grant = form
            .get("grant_type")?
            .ok_or(ErrorKind::InvalidRequest.because("grant_type is missing"))?;
        let shown = ClientCredential::read(authorization, form)?;
        let client = self.client(&shown, address, moment.now)?;
        let answer = match grant {
            "authorization_code" => self.by_code(keys, client, form, moment),
            "client_credentials" => self.by_secret(keys, client, moment),
            _ => {
                let reason = "grant_type must be authorization_code or client_credentials";
                Err(ErrorKind::UnsupportedGrantType.because(reason))
            }
        };
        Ok(answer?)
    }

    /// Guessing a client's secret is slowed down like guessing a password.
    fn client(
        &self,
        shown: &ClientCredential,
        address: &impl Hash,
        now: u64,
    ) -> Result<&Client, NoToken> {
        // Not to be mistaken for a person of the same name.
        let account = format!("\0{}", shown.id);
        let mut throttle = self.throttle();
        let attempt = throttle
            .admit(&account, address, now)
            .map_err(NoToken::Slowed)?;
        let client = self.clients.authenticate(shown)?;
        throttle.succeeded(attempt);
        Ok(client)
    }

    fn by_code(
        &self,
        keys: &Keys,
        client: &Client,
        form: &Parameters,
        moment: &Moment,
    ) -> Result<Value, Error> {
        if !client.takes_people {
            let reason = "the client is not registered for people to sign in";
            return Err(ErrorKind::UnauthorizedClient.because(reason));
        }
        let code = form.get("code")?;
        let shown = Redemption {
            code: code.ok_or(ErrorKind::InvalidRequest.because("code is missing"))?,
            client: &client.id,
            redirect_uri: form.get("redirect_uri")?,
            verifier: form.get("code_verifier")?,
        };
        let life = self.lives.user_token;
        let id = secret::text(&moment.random);
        let ends = moment.now.saturating_add(life);
        let grant = self.codes().redeem(&shown, (&id, ends), moment.now)?;
        let mut extra = Map::new();
        extra.insert("admin".to_owned(), self.users.is_admin(&grant.user).into());
        let access = Access {
            issuer: moment.issuer,
            subject: &Subject::User(grant.user.clone()),
            client: &client.id,
            scope: &grant.scope,
            extra,
            id: &id,
            life,
        };
        let token = sign_access(keys, &access, moment.now)?;
        let mut answer = answer(&token, life, &grant.scope);
        let has = |name| grant.scope.split(' ').any(|scope| scope == name);
        if has("openid") {
            let identity = Identity {
                issuer: moment.issuer,
                user: &grant.user,
                client: &client.id,
                nonce: grant.nonce.as_deref(),
                signed_in: grant.signed_in,
                access_token: &token,
                profile: has("profile"),
                life: self.lives.id_token,
            };
            let identity = sign_identity(keys, &identity, moment.now)?;
            answer.insert("id_token".to_owned(), identity.into());
        }
        Ok(answer.into())
    }

    fn by_secret(&self, keys: &Keys, client: &Client, moment: &Moment) -> Result<Value, Error> {
        if !client.acts_alone {
            let reason = "the client is not registered for client_credentials";
            return Err(ErrorKind::UnauthorizedClient.because(reason));
        }
        let life = self.lives.client_token;
        let access = Access {
            issuer: moment.issuer,
            subject: &Subject::Client(client.id.clone()),
            client: &client.id,
            scope: "",
            extra: client.claims.clone(),
            id: &secret::text(&moment.random),
            life,
        };
        let token = sign_access(keys, &access, moment.now)?;
        Ok(answer(&token, life, "").into())
    }
}

fn answer(token: &str, life: u64, scope: &str) -> Map<String, Value> {
    let mut answer = Map::new();
    answer.insert("access_token".to_owned(), token.into());
    answer.insert("token_type".to_owned(), json!("Bearer"));
    answer.insert("expires_in".to_owned(), life.into());
    if !scope.is_empty() {
        answer.insert("scope".to_owned(), scope.into());
    }
    answer
}
