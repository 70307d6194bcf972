//! `GET /api/version-status`: whether the creator of a pad should know that the service is behind.
//! Never says which version runs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use pad::AuthorId;
use serde_json::json;
use service::Service;
use update::Tier;
use update::version::is_minor_behind;

use crate::api::JSON;
use crate::refuse::NO_STORE;
use crate::sign_in::SignInState;
use identity::accounts::Accounts;
use identity::query::parameter;
use identity::visitor::Visitor;
use settings::Settings;
use updater::Updates;

/// How long an answer holds.
const FRESH: Duration = Duration::from_secs(60);
/// As many answers are remembered; when there are more, all are forgotten.
const REMEMBERED: usize = 10_000;

#[derive(Clone, Copy, Default)]
struct Answer {
    is_outdated: bool,
    is_first_author: bool,
}

/// Answers by pad and author, and when they were given.
#[derive(Default)]
struct Answers(Mutex<HashMap<(String, AuthorId), (Instant, Answer)>>);

impl Answers {
    fn lock(&self) -> MutexGuard<'_, HashMap<(String, AuthorId), (Instant, Answer)>> {
        // Nothing under this lock can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remembered(&self, key: &(String, AuthorId)) -> Option<Answer> {
        let answers = self.lock();
        let (at, answer) = answers.get(key)?;
        (at.elapsed() < FRESH).then_some(*answer)
    }

    fn remember(&self, key: (String, AuthorId), answer: Answer) {
        let mut answers = self.lock();
        if answers.len() >= REMEMBERED {
            answers.clear();
        }
        answers.insert(key, (Instant::now(), answer));
    }
}

/// State of the question.
#[derive(Clone)]
pub(crate) struct VersionStatusState {
    updates: Updates,
    service: Arc<Service>,
    settings: Arc<Settings>,
    accounts: Arc<Accounts>,
    answers: Arc<Answers>,
}

impl VersionStatusState {
    pub(crate) fn new(updates: Updates, service: &Arc<Service>, sign_in: &SignInState) -> Self {
        VersionStatusState {
            updates,
            service: Arc::clone(service),
            settings: Arc::clone(&sign_in.settings),
            accounts: Arc::clone(&sign_in.accounts),
            answers: Arc::default(),
        }
    }
}

pub(crate) fn router(state: VersionStatusState) -> Router {
    Router::new()
        .route("/api/version-status", get(version_status))
        .with_state(state)
}

async fn version_status(State(state): State<VersionStatusState>, request: Request) -> Response {
    if state.updates.config.tier == Tier::Off {
        return (StatusCode::NOT_FOUND, "Not found\n").into_response();
    }
    let (parts, _) = request.into_parts();
    let answer = answer(&state, &parts).await.unwrap_or_default();
    let body = json!({
        "outdated": answer.is_outdated.then_some("minor"),
        "isFirstAuthor": answer.is_first_author,
    });
    let headers = [(header::CONTENT_TYPE, JSON)];
    ([NO_STORE], headers, body.to_string()).into_response()
}

/// `None` for those about whom nothing is known.
async fn answer(state: &VersionStatusState, parts: &Parts) -> Option<Answer> {
    let pad = parameter(&parts.uri, "padId")?;
    let visitor = Visitor::of(parts, &state.settings);
    let request = visitor
        .request(&pad, &state.accounts, &state.settings)
        .ok()?;
    let (author, is_first_author) = state.service.known_visitor(&request).await.ok()??;
    let key = (pad, author);
    if let Some(answer) = state.answers.remembered(&key) {
        return Some(answer);
    }
    let latest = state.updates.owner.state().latest;
    let is_behind = latest
        .is_some_and(|latest| is_minor_behind(&state.updates.config.current, &latest.version));
    let answer = Answer {
        is_outdated: is_behind && is_first_author,
        is_first_author,
    };
    state.answers.remember(key, answer);
    Some(answer)
}
