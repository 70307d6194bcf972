//! The token endpoint: a client proves who it is and turns what it has into a token.
//!
//! The steps of a request: [`Provider::client_request`], [`Provider::authenticate`], then
//! [`Provider::token_for_client`], or [`Provider::redemption`] and [`Provider::token_for_grant`].

use serde_json::{Map, Value, json};

use crate::client::{Client, ClientCredential};
use crate::codes::{Grant, IssuedToken, Redemption};
use crate::error::{Error, ErrorKind};
use crate::keys::Keys;
use crate::parameters::Parameters;
use crate::provider::{Moment, Provider};
use crate::secret;
use crate::token::{Access, Identity, Subject, sign_access, sign_identity};

/// A request for a token, as far as it can be read without knowing whether it is honest.
pub struct ClientRequest {
    grant: String,
    shown: ClientCredential,
}

/// What a client turns into a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantKind {
    Code,
    Secret,
}

impl ClientRequest {
    /// The account to count failures for: guessing a client's secret is slowed down like guessing
    /// a password. Not to be mistaken for a person of the same name.
    pub fn account(&self) -> String {
        format!("\0{}", self.shown.id)
    }

    /// After the client has proven who it is.
    pub fn kind(&self) -> Result<GrantKind, Error> {
        match self.grant.as_str() {
            "authorization_code" => Ok(GrantKind::Code),
            "client_credentials" => Ok(GrantKind::Secret),
            _ => {
                let reason = "grant_type must be authorization_code or client_credentials";
                Err(ErrorKind::UnsupportedGrantType.because(reason))
            }
        }
    }
}

impl Provider {
    /// Reads `POST /oidc/token`. `authorization` is the header of that name.
    pub fn client_request(
        &self,
        form: &Parameters,
        authorization: Option<&str>,
    ) -> Result<ClientRequest, Error> {
        let grant = form
            .get("grant_type")?
            .ok_or(ErrorKind::InvalidRequest.because("grant_type is missing"))?;
        Ok(ClientRequest {
            grant: grant.to_owned(),
            shown: ClientCredential::read(authorization, form)?,
        })
    }

    pub fn authenticate(&self, request: &ClientRequest) -> Result<&Client, Error> {
        self.clients.authenticate(&request.shown)
    }

    /// What a client shows with a code.
    pub fn redemption(
        &self,
        client: &Client,
        form: &Parameters,
        moment: &Moment,
    ) -> Result<Redemption, Error> {
        if !client.takes_people {
            let reason = "the client is not registered for people to sign in";
            return Err(ErrorKind::UnauthorizedClient.because(reason));
        }
        let code = form.owned("code")?;
        Ok(Redemption {
            code: code.ok_or(ErrorKind::InvalidRequest.because("code is missing"))?,
            client: client.id.clone(),
            redirect_uri: form.owned("redirect_uri")?,
            verifier: form.owned("code_verifier")?,
            token: IssuedToken {
                id: secret::text(&moment.random),
                ends: moment.now.saturating_add(self.lives.user_token),
            },
        })
    }

    /// The answer to a client that has redeemed a code.
    pub fn token_for_grant(
        &self,
        keys: &Keys,
        client: &Client,
        (redemption, grant): (&Redemption, &Grant),
        moment: &Moment,
    ) -> Result<Value, Error> {
        let life = self.lives.user_token;
        let mut extra = Map::new();
        extra.insert("admin".to_owned(), self.users.is_admin(&grant.user).into());
        let access = Access {
            issuer: moment.issuer,
            subject: &Subject::User(grant.user.clone()),
            client: &client.id,
            scope: &grant.scope,
            extra,
            id: &redemption.token.id,
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

    /// The answer to a client that acts for nobody.
    pub fn token_for_client(
        &self,
        keys: &Keys,
        client: &Client,
        moment: &Moment,
    ) -> Result<Value, Error> {
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
