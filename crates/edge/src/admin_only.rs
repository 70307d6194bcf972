//! Requests that only an administrator may send.
//!
//! A handler that takes an [`Admin`] runs for nobody else, and never for a form that a page of
//! another site has sent with the cookies of an administrator.

use axum::Router;
use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::any;

use super::sign_in::{SignInState, cookie};
use super::{origin, refuse};
use identity::principal::{Denied, Principal};

pub fn router(state: SignInState) -> Router {
    Router::new()
        .route("/admin-auth", any(check_admin))
        .route("/admin-auth/", any(check_admin))
        .with_state(state)
}

/// `/admin-auth`: whether the sender is an administrator, for programs that want to know. One who
/// posts a name and a password is signed in from then on.
async fn check_admin(
    State(state): State<SignInState>,
    Admin(user): Admin,
    head: Parts,
) -> Response {
    let mut response = "Authorized".into_response();
    if head.method == Method::POST && state.accounts.is_by_password(&head).await {
        let login = match state.accounts.open_as(&head, &user).await {
            Ok(login) => login,
            Err(unproven) => return refuse::unproven(unproven),
        };
        cookie::signed_in(&state, &head, (&user, &login), &mut response);
        let (name, value) = refuse::NO_STORE;
        response.headers_mut().insert(name, value);
    }
    response
}

/// The administrator who sends a request, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin(pub String);

impl<S: Sync> FromRequestParts<S> for Admin
where
    SignInState: FromRef<S>,
{
    type Rejection = Response;

    async fn from_request_parts(request: &mut Parts, state: &S) -> Result<Admin, Response> {
        // A layer has checked it already.
        if let Some(admin) = request.extensions.get::<Admin>() {
            return Ok(admin.clone());
        }
        let state = &SignInState::from_ref(state);
        if !request.method.is_safe() && origin::is_cross_site(request, &state.settings) {
            return Err(refuse::cross_site());
        }
        match state.accounts.principal(request).await {
            Ok(Principal::Admin(name)) => Ok(Admin(name)),
            Ok(Principal::User(_)) => Err(refuse::denied(state, request, Denied::Forbidden)),
            Ok(Principal::Anonymous) => Err(refuse::denied(state, request, Denied::NotSignedIn)),
            Err(unproven) => Err(refuse::unproven(unproven)),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use store::{Location, Store};
    use tower::ServiceExt;

    use crate::tests::site_with;
    use settings::{Secret, Settings, User};

    async fn site() -> Router {
        let mut settings = Settings::default();
        let user = |is_admin| User {
            password: Some(Secret("pw".to_owned())),
            is_admin,
            ..User::default()
        };
        let users = [("root", true), ("ada", false)];
        settings.access.users = users.map(|(name, is)| (name.to_owned(), user(is))).into();
        site_with(Store::open(Location::Memory).await.unwrap(), settings)
    }

    #[tokio::test]
    async fn only_administrators_get_through_and_only_from_here() {
        let site = site().await;
        // root:pw, root:no, ada:pw
        let [root, wrong, ada] = ["cm9vdDpwdw==", "cm9vdDpubw==", "YWRhOnB3"];
        for (method, who, headers, expected) in [
            ("GET", "", &[][..], StatusCode::UNAUTHORIZED),
            ("GET", "", &[("accept", "text/html,*/*")], StatusCode::FOUND),
            ("GET", wrong, &[], StatusCode::UNAUTHORIZED),
            ("GET", ada, &[], StatusCode::FORBIDDEN),
            ("GET", root, &[], StatusCode::OK),
            (
                "GET",
                root,
                &[("sec-fetch-site", "cross-site")],
                StatusCode::OK,
            ),
            ("POST", root, &[], StatusCode::OK),
            (
                "POST",
                root,
                &[("sec-fetch-site", "same-origin")],
                StatusCode::OK,
            ),
            (
                "POST",
                root,
                &[("sec-fetch-site", "cross-site")],
                StatusCode::FORBIDDEN,
            ),
            (
                "POST",
                root,
                &[("sec-fetch-site", "same-site")],
                StatusCode::FORBIDDEN,
            ),
            (
                "POST",
                root,
                &[("origin", "https://evil.example")],
                StatusCode::FORBIDDEN,
            ),
            (
                "POST",
                root,
                &[("origin", "http://pads.example")],
                StatusCode::OK,
            ),
        ] {
            let mut request = Request::builder().method(method).uri("/admin-auth");
            request = request.header("host", "pads.example");
            if !who.is_empty() {
                request = request.header("authorization", format!("Basic {who}"));
            }
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(Body::empty()).unwrap();
            let answer = site.clone().oneshot(request).await.unwrap();
            assert_eq!(answer.status(), expected, "{method} {who} {headers:?}");
        }
    }
}
