//! Signing in over HTTP: OpenID Connect for the clients of the settings, and the tokens of the API.
//!
//! The rules are those of the crate `oidc`; here are the routes, the pages, the cookies and the
//! clock. Programs are answered in JSON and from any site, since they show what they are; browsers
//! are answered with pages, and what they send is taken from our own pages only.

mod authorize;
mod programs;
mod sign_out;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use oidc::{Config, Flaw, Keys, Life, Lives, Provider, Registration, User, Verified};
use serde_json::Value;
use service::store::Store;
use tower_http::cors::{Any, CorsLayer};
use tracing::{error, warn};

use super::origin;
use super::refuse::NO_STORE;
use super::sign_in::SignInState;
use identity::codes::Codes;
use identity::shared_keys::SharedKeys;
use identity::signing_keys::SigningKeys;
use settings::{Access, Client, Settings};
use system::environment::now_seconds as now;

/// How long a login lasts that ends with the browser, if the browser does not say that it ended.
const UNTIL_CLOSED_SECONDS: u64 = 24 * 60 * 60;

pub struct Oidc {
    pub provider: Arc<Provider>,
    keys: SigningKeys,
    codes: Codes,
}

/// State of the routes below `/oidc`.
#[derive(Clone)]
pub(crate) struct OidcState {
    pub sign_in: SignInState,
    pub oidc: Arc<Oidc>,
}

pub(crate) fn router(state: OidcState) -> Router {
    let anywhere = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE]);
    let mut for_programs = Router::new()
        .route("/oidc/jwks", get(programs::keys))
        .route("/oidc/token", post(programs::token))
        .route("/oidc/me", get(programs::me).post(programs::me));
    for name in ["openid-configuration", "oauth-authorization-server"] {
        for folder in ["", "/oidc"] {
            let path = format!("{folder}/.well-known/{name}");
            for_programs = for_programs.route(&path, get(programs::discovery));
        }
    }
    Router::new()
        .route(
            "/oidc/auth",
            get(authorize::authorize).post(authorize::authorize),
        )
        .route("/oidc/sign-in", post(authorize::sign_in))
        .route("/oidc/consent", post(authorize::consent))
        .route(
            "/oidc/session/end",
            get(sign_out::end_session).post(sign_out::end_session),
        )
        .merge(for_programs.layer(anywhere))
        .with_state(state)
}

impl Oidc {
    /// What is odd about users and clients is said once, in the log.
    pub fn new(
        settings: &Settings,
        root: &Path,
        store: &Store,
        shared: Option<SharedKeys>,
    ) -> Oidc {
        let (provider, complaints) = Provider::new(config(settings));
        for complaint in complaints {
            warn!("{complaint}");
        }
        let longest = provider.lives.longest_token();
        let keys = SigningKeys::new(&root.join("var"), shared, longest);
        Oidc {
            provider: Arc::new(provider),
            keys,
            codes: Codes::new(store),
        }
    }

    /// The keys to sign with.
    async fn keys(&self) -> Result<Arc<Keys>, Response> {
        self.keys.to_sign(now()).await.map_err(|error| {
            error!("tokens cannot be signed: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        })
    }

    /// `asked` is the address that the token was sent to.
    async fn verify(&self, token: &str, asked: &str) -> Result<Verified, Flaw> {
        let now = now();
        let keys = self.keys.to_check(now).await.ok_or(Flaw::UnknownKey)?;
        let verified = match self.provider.verify(&keys, token, asked, now) {
            Err(Flaw::UnknownKey) => {
                let keys = self.keys.to_check_again(now).await;
                let keys = keys.ok_or(Flaw::UnknownKey)?;
                self.provider.verify(&keys, token, asked, now)
            }
            outcome => outcome,
        }?;
        if self.codes.is_revoked(&verified.id, now).await {
            return Err(Flaw::Invalid);
        }
        Ok(verified)
    }

    /// Whether a token may do everything.
    pub(crate) async fn may_administer(&self, token: &str, asked: &str) -> bool {
        let verified = self.verify(token, asked).await;
        verified.is_ok_and(|token| self.provider.may_administer(&token))
    }
}

fn config(settings: &Settings) -> Config {
    let Access {
        users,
        sso,
        tokens,
        cookies,
        ..
    } = &settings.access;
    let address = sso.issuer.as_ref().or(settings.listen.public_url.as_ref());
    let users: BTreeMap<String, User> = users
        .iter()
        .map(|(name, user)| {
            let user = User {
                password: user.password.as_ref().map(|secret| secret.0.clone()),
                is_admin: user.is_admin,
            };
            (name.clone(), user)
        })
        .collect();
    Config {
        issuer: address.map(|address| address.0.clone()),
        clients: sso.clients.iter().map(registration).collect(),
        users,
        lives: Lives {
            code: tokens.authorization_code,
            user_token: tokens.access_token,
            client_token: tokens.client_credentials,
            id_token: tokens.id_token,
            login: Life {
                seconds: match cookies.lifetime_milliseconds {
                    0 => UNTIL_CLOSED_SECONDS,
                    milliseconds => milliseconds.div_ceil(1000),
                },
                refresh_seconds: cookies.refresh_milliseconds.div_ceil(1000),
            },
        },
    }
}

fn registration(client: &Client) -> Registration {
    let extra = client.extra_parameters.iter();
    Registration {
        id: client.id.clone(),
        secret: client.secret.as_ref().map(|secret| secret.0.clone()),
        grant_types: client.grant_types.clone(),
        response_types: client.response_types.clone(),
        redirect_uris: client.redirect_uris.clone(),
        name: client.name.clone(),
        trusted: client.trusted,
        extra: extra
            .map(|parameter| (parameter.name.clone(), parameter.value.0.clone()))
            .collect(),
    }
}

/// The address that we are known by: that of the settings, or else the one that was asked.
fn issuer(state: &OidcState, request: &Parts) -> String {
    if let Some(issuer) = state.oidc.provider.issuer() {
        return issuer.to_owned();
    }
    origin::asked(&state.sign_in.settings, &request.uri, &request.headers)
}

fn json(status: StatusCode, value: &Value) -> Response {
    let kind = (header::CONTENT_TYPE, super::api::JSON);
    (status, [kind, NO_STORE], value.to_string()).into_response()
}
