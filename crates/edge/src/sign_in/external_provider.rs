//! Sign-in at an external identity provider: `/sign-in/outside` redirects there, `/sign-in/back` is
//! the callback.
//!
//! The rules are those of `oidc::external_provider`; here are the requests to the provider, the
//! cookie of a pending authorization, and what groups may do. Of a token only the name and the
//! rights are kept.

use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::response::Response;
use oidc::external_provider::{ClientRegistration, PendingAuthorization, ProviderMetadata};
use pad::access::Rights;
use serde_json::{Map, Value};
use tracing::{info, warn};

use super::{SignInState, cookie, pages, wanted};
use crate::origin;
use identity::principal::{Principal, User};
use identity::query::parameter;
use settings::{GroupRights, Login as Settings};
use system::environment::{now_seconds, random_bytes};

/// How long somebody may take to sign in at the provider.
const PENDING_SECONDS: u64 = 600;
/// The longest address to go on to that a browser keeps meanwhile.
const MAX_NEXT: usize = 1024;
/// How long the provider may take for an answer, and how large that may be.
const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_BYTES: usize = 1024 * 1024;
/// How long the provider's metadata is cached.
const METADATA_LIFE: Duration = Duration::from_secs(600);

/// The external identity provider, as one of its clients sees it.
pub(super) struct ExternalProvider {
    registration: ClientRegistration,
    http: reqwest::Client,
    metadata: tokio::sync::Mutex<Option<(Instant, ProviderMetadata)>>,
}

/// Why somebody did not get in, for them and for the log.
type Problem = &'static str;

impl ExternalProvider {
    /// `None` where the settings name no provider, or no HTTP client can be made.
    pub(super) fn new(settings: &Settings) -> Option<ExternalProvider> {
        let registration = ClientRegistration {
            issuer: settings.issuer.as_ref()?.0.clone(),
            id: settings.client_id.clone(),
            secret: settings
                .client_secret
                .as_ref()
                .map(|secret| secret.0.clone()),
            scope: settings.scope.clone(),
        };
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build();
        let http = client
            .inspect_err(|error| warn!("nobody can sign in at {}: {error}", registration.issuer))
            .ok()?;
        Some(ExternalProvider {
            registration,
            http,
            metadata: tokio::sync::Mutex::default(),
        })
    }

    async fn metadata(&self) -> Result<ProviderMetadata, Problem> {
        // One asks, the others wait for what it learns.
        let mut known = self.metadata.lock().await;
        if let Some((since, metadata)) = &*known
            && since.elapsed() < METADATA_LIFE
        {
            return Ok(metadata.clone());
        }
        let address = ProviderMetadata::url(&self.registration.issuer);
        let document = fetch(self.http.get(address)).await?;
        let metadata = ProviderMetadata::read(&document, &self.registration)?;
        *known = Some((Instant::now(), metadata.clone()));
        Ok(metadata)
    }

    /// Redeems a code for the claims of an ID token.
    async fn claims(
        &self,
        authorization: &PendingAuthorization,
        code: &str,
        callback: &str,
    ) -> Result<Map<String, Value>, Problem> {
        let metadata = self.metadata().await?;
        let token_request =
            authorization.token_request(&metadata, &self.registration, callback, code);
        let mut request = self
            .http
            .post(&metadata.token_endpoint)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .body(token_request.form);
        if let Some((name, secret)) = token_request.basic_auth {
            request = request.basic_auth(name, Some(secret));
        }
        let answer = fetch(request).await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let token = answer.get("id_token").and_then(Value::as_str);
        let token = token.ok_or("it gave no ID token")?;
        let keys = fetch(self.http.get(&metadata.jwks_uri)).await?;
        authorization.claims(&keys, token, &self.registration, now_seconds())
    }
}

async fn fetch(request: reqwest::RequestBuilder) -> Result<Vec<u8>, Problem> {
    let answer = request.send().await.map_err(|error| {
        // Without the address, which may hold what is not for the log.
        warn!(
            "the provider of logins cannot be asked: {}",
            error.without_url()
        );
        "it does not answer"
    })?;
    if !answer.status().is_success() {
        warn!("the provider of logins answers {}", answer.status());
        return Err("it refuses to answer");
    }
    let mut answer = answer;
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(|_| "its answer broke off")? {
        body.extend_from_slice(&part);
        if body.len() > MAX_BYTES {
            return Err("its answer is too long");
        }
    }
    Ok(body)
}

/// Redirects to the provider.
pub(super) async fn start_sign_in(State(state): State<SignInState>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let Some(external) = &state.external else {
        return pages::failed(&state, &head, "no other provider is set up");
    };
    let metadata = match external.metadata().await {
        Ok(metadata) => metadata,
        Err(problem) => return pages::failed(&state, &head, problem),
    };
    let random = [random_bytes(), random_bytes(), random_bytes()];
    let ends = now_seconds().saturating_add(PENDING_SECONDS);
    // A cookie that is too long is not kept.
    let next = Some(wanted(&head)).filter(|next| next.len() <= MAX_NEXT);
    let authorization = PendingAuthorization::new(random, next.unwrap_or_default(), ends);
    let address = authorization.authorization_url(
        &metadata,
        &external.registration,
        &callback_url(&state, &head),
    );
    let key = &state.accounts.external_key;
    let Some(text) = authorization.seal(key, random_bytes()) else {
        return pages::failed(&state, &head, "this browser could not be sent there");
    };
    let mut response = pages::redirect(&address);
    cookie::keep_authorization(
        &state,
        &head.headers,
        (&text, PENDING_SECONDS),
        &mut response,
    );
    response
}

/// Signs in who comes back from the provider.
pub(super) async fn finish_sign_in(State(state): State<SignInState>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let mut response = match authenticate(&state, &head).await {
        Ok((text, next)) => {
            let mut response = pages::redirect(&format!("../{next}"));
            cookie::keep_login(&state, &head.headers, &text, &mut response);
            response
        }
        Err(problem) => pages::failed(&state, &head, problem),
    };
    cookie::drop_authorization(&state, &head.headers, &mut response);
    response
}

async fn authenticate(state: &SignInState, head: &Parts) -> Result<(String, String), Problem> {
    let external = state
        .external
        .as_ref()
        .ok_or("no other provider is set up")?;
    let text = cookie::pending_authorization(state, &head.headers)
        .ok_or("this browser was not sent there")?;
    let authorization =
        PendingAuthorization::open(&state.accounts.external_key, &text, now_seconds());
    let authorization = authorization.ok_or("it took too long")?;
    let sent = |name| parameter(&head.uri, name);
    if !sent("state").is_some_and(|state| authorization.matches_state(&state)) {
        return Err("the answer belongs to another attempt");
    }
    let is_first = state.accounts.spend(authorization.spent()).await;
    if !is_first.map_err(|_| "your login cannot be stored at the moment")? {
        return Err("it took too long");
    }
    if sent("error").is_some() {
        return Err("it did not let you in");
    }
    let code = sent("code").ok_or("it gave no code")?;
    let claims = external
        .claims(&authorization, &code, &callback_url(state, head))
        .await?;
    let access = &state.settings.access;
    let principal = principal(&access.login, access.require_authorization, &claims)
        .ok_or("it does not say who you are")?;
    if let Principal::Admin(name) | Principal::User(User { name, .. }) = &principal {
        info!(
            "{name:?} signed in through {}",
            external.registration.issuer
        );
    }
    let login = state.accounts.open(head, principal).await;
    let login = login.map_err(|_| "your login cannot be stored at the moment")?;
    Ok((login, authorization.next))
}

/// Our address that the provider redirects to.
fn callback_url(state: &SignInState, head: &Parts) -> String {
    let public = state.settings.listen.public_url.as_ref();
    let public = public.map_or_else(
        || origin::asked(&state.settings, &head.uri, &head.headers),
        |address| address.0.clone(),
    );
    format!("{public}/sign-in/back")
}

/// Who somebody is by the claims of an ID token, and what their groups may do.
fn principal(
    settings: &Settings,
    needs_group: bool,
    claims: &Map<String, Value>,
) -> Option<Principal> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    let name = text(&settings.name_claim)
        .or_else(|| text("sub"))?
        .to_owned();
    let groups: Vec<&str> = match claims.get(&settings.groups_claim) {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(one)) => vec![one],
        _ => Vec::new(),
    };
    let counts = |group: &str| group == "*" || groups.contains(&group);
    let granted = settings.groups.iter().filter(|(group, _)| counts(group));
    let best = granted.map(|(_, rights)| *rights).max();
    let rights = match best {
        Some(GroupRights::Admin) => return Some(Principal::Admin(name)),
        Some(GroupRights::Create) => Some(Rights::Create),
        Some(GroupRights::Modify) => Some(Rights::Modify),
        Some(GroupRights::ReadOnly) => Some(Rights::ReadOnly),
        None if settings.groups.is_empty() && !needs_group => Some(Rights::Create),
        None => None,
    };
    Some(Principal::User(User { name, rights }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rights(groups: &[(&str, GroupRights)], claims: &Value) -> Option<Principal> {
        let settings = Settings {
            groups: groups
                .iter()
                .map(|(name, rights)| ((*name).to_owned(), *rights))
                .collect(),
            ..Settings::default()
        };
        principal(&settings, false, claims.as_object().unwrap())
    }

    #[test]
    fn the_best_of_a_persons_groups_counts() {
        let groups = [
            ("staff", GroupRights::Create),
            ("guests", GroupRights::ReadOnly),
            ("ops", GroupRights::Admin),
        ];
        let user = |rights| {
            let name = "ada".to_owned();
            Some(Principal::User(User { name, rights }))
        };
        for (claim, expected) in [
            (json!(["guests", "staff"]), user(Some(Rights::Create))),
            (json!("guests"), user(Some(Rights::ReadOnly))),
            (json!(["ops"]), Some(Principal::Admin("ada".to_owned()))),
            (json!(["others"]), user(None)),
            (json!([1, null]), user(None)),
            (json!(null), user(None)),
        ] {
            let claims = json!({ "sub": "42", "preferred_username": "ada", "groups": claim });
            assert_eq!(rights(&groups, &claims), expected, "{claim}");
        }
        let claims = json!({ "sub": "ada" });
        assert_eq!(rights(&[], &claims), user(Some(Rights::Create)));
        let everybody = [("*", GroupRights::Modify)];
        assert_eq!(rights(&everybody, &claims), user(Some(Rights::Modify)));
        assert_eq!(rights(&[], &json!({})), None);
    }
}
