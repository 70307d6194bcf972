//! `/api/…`: the functions of the contract over HTTP.
//!
//! A request is judged in this order: version, function, credential, parameters. Before the
//! credential can be looked for the request must be readable, because it may be in the body. What
//! a function does and answers is the service's business; here it becomes an envelope.

mod arguments;
mod credential;
mod envelope;
mod plugin_calls;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use plugins::Plugins;
use service::api::{Data, Function, Version, function};
use service::{Error, Service};
use tokio_util::task::TaskTracker;
use tracing::error;

pub(crate) use arguments::BodyBudget;
pub(crate) use credential::Credentials;
pub use envelope::JSON;
use envelope::Refusal;
use plugin_calls::PluginFunction;

use super::{openapi, origin};
use settings::Settings;
use telemetry::metrics::METRICS;

/// State of the API.
#[derive(Clone)]
pub(crate) struct ApiState {
    pub service: Arc<Service>,
    pub settings: Arc<Settings>,
    pub credentials: Arc<Credentials>,
    pub budget: Arc<BodyBudget>,
    /// `None` where no plugin can run.
    pub plugins: Option<Arc<Plugins>>,
    /// Calls under way. They are tasks of their own, since a call that was begun is carried out
    /// even if the client does not wait for the answer.
    pub calls: TaskTracker,
}

/// The routes below `/api`. What is not one of them is answered in an envelope too, so that a
/// program that made a mistake is answered in the form it reads.
pub(crate) fn router(state: ApiState) -> Router {
    Router::new()
        .route("/", get(current_version))
        .route("/openapi.json", get(openapi::current))
        .route("/{version}/openapi.json", get(openapi::of_version))
        .method_not_allowed_fallback(no_such_function)
        .fallback(call)
        .with_state(state)
}

/// `GET /api`: the newest version that clients of Etherpad know.
pub(crate) async fn current_version() -> impl IntoResponse {
    let json = format!("{{\"currentVersion\":\"{}\"}}", Version::CURRENT);
    ([(header::CONTENT_TYPE, JSON)], json)
}

pub(crate) async fn no_such_function() -> Response {
    Refusal::from(Error::NoSuchFunction).into_response()
}

async fn call(State(state): State<ApiState>, request: Request) -> Response {
    METRICS.api_calls.inc();
    match answer(&state, request).await {
        Ok(data) => envelope::success(&data),
        Err(refusal) => {
            METRICS.api_errors.inc();
            refusal.into_response()
        }
    }
}

async fn answer(state: &ApiState, request: Request) -> Result<Data, Refusal> {
    if let Some(function) = PluginFunction::of(state, &request) {
        return function.answer(state, request).await;
    }
    let (version, function) = target(&request).ok_or(Error::NoSuchFunction)?;
    let (head, body) = request.into_parts();
    let arguments::BudgetedArguments { arguments, permit } =
        arguments::read(&head, body, &state.budget).await?;
    let asked = origin::asked(&state.settings, &head.uri, &head.headers);
    let caller = state
        .credentials
        .caller(&head.headers, &arguments, &asked)
        .await;
    let service = Arc::clone(&state.service);
    let call = async move {
        let outcome = service
            .call(version, function.name, arguments, caller)
            .await;
        drop(permit);
        outcome
    };
    match state.calls.spawn(call).await {
        Ok(outcome) => Ok(outcome?),
        Err(broken) => {
            error!("{} broke off: {broken}", function.name);
            Err(Error::Internal.into())
        }
    }
}

/// The version and function that a request names; a slash at the end makes no difference.
fn target(request: &Request) -> Option<(Version, &'static Function)> {
    if !matches!(*request.method(), Method::GET | Method::POST) {
        return None;
    }
    let path = request.uri().path().strip_prefix('/')?;
    let (version, name) = path.strip_suffix('/').unwrap_or(path).split_once('/')?;
    let version = version.parse().ok()?;
    Some((version, function(version, name)?))
}
