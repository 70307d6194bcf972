//! Everybody who may call, each with what they show.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::client::{Request, form};
use crate::logins::sign_in;
use crate::server::Server;
use crate::socket_client::token;

pub(super) struct Caller {
    pub name: &'static str,
    pub headers: Vec<(&'static str, String)>,
}

impl Caller {
    fn new(name: &'static str, headers: &[(&'static str, String)]) -> Caller {
        Caller {
            name,
            headers: headers.to_vec(),
        }
    }

    pub(super) fn send(&self, server: &Server, mut request: Request) -> crate::client::Response {
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        server.send(&request)
    }

    pub(super) fn headers(&self) -> Vec<(&'static str, &str)> {
        let headers = self.headers.iter();
        headers
            .map(|(name, value)| (*name, value.as_str()))
            .collect()
    }
}

/// All of them, and the group that some have a session for.
pub(super) fn all(server: &Server) -> (Vec<Caller>, String) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let group = text(&server.data("createGroup", &json!({}))["groupID"]);
    let other = text(&server.data("createGroup", &json!({}))["groupID"]);
    let author = text(&server.data("createAuthor", &json!({}))["authorID"]);
    let session = |group: &str, until: u64| {
        let session = json!({ "groupID": group, "authorID": author, "validUntil": until });
        text(&server.data("createSession", &session)["sessionID"])
    };
    let far = 4_000_000_000;
    let (valid, foreign) = (session(&group, far), session(&other, far));
    let deleted = session(&group, far);
    let (expired, end) = short_session(server, &group, &author);
    server.data("deleteSession", &json!({ "sessionID": deleted }));
    let cookie = |text: String| vec![("cookie", text)];
    let with_session = |name, id| Caller::new(name, &cookie(format!("sessionID={id}")));
    let login = |user| sign_in(server, user).cookie("login").unwrap();
    let with_login = |name, user| Caller::new(name, &cookie(format!("login={}", login(user))));
    let with_both = |name, user| {
        let both = format!("login={}; sessionID={valid}", login(user));
        Caller::new(name, &cookie(both))
    };
    let bearer =
        |name, token: String| Caller::new(name, &[("authorization", format!("Bearer {token}"))]);
    let callers = vec![
        Caller::new("anonymous", &[]),
        Caller::new("author", &cookie(format!("token={}", token(1)))),
        with_session("session", &valid),
        with_session("expired session", &expired),
        with_session("deleted session", &deleted),
        with_session("foreign session", &foreign),
        with_login("user", "ada"),
        with_login("user who may not create", "clerk"),
        with_login("read-only user", "guest"),
        with_login("admin", "root"),
        with_both("user with session", "ada"),
        with_both("read-only user with session", "guest"),
        bearer("service token", service_token(server)),
        bearer("wrong token", "wrong".to_owned()),
        Caller::new("API key", &[("apikey", server.key.clone())]),
    ];
    while now() <= end {
        // The server is asked, which takes its time, until the session has ended.
        server.get("/health");
    }
    (callers, group)
}

/// A session that ends soon, and when: as soon as the server is quick enough to take it.
fn short_session(server: &Server, group: &str, author: &str) -> (String, u64) {
    let session = (1..60).find_map(|seconds| {
        let end = now() + seconds;
        let session = json!({ "groupID": group, "authorID": author, "validUntil": end });
        let answer = server.call("createSession", &session);
        let id = answer["data"]["sessionID"].as_str()?;
        Some((id.to_owned(), end))
    });
    session.expect("a session that ends within a minute")
}

fn service_token(server: &Server) -> String {
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", "robot"),
        ("client_secret", "robot's"),
    ];
    let answer = server.send(&Request::post("/oidc/token").form(form(&fields)));
    answer.json()["access_token"].as_str().unwrap().to_owned()
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs()
}
