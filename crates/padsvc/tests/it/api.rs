//! The API over HTTP: what is checked first, where the key may be, statuses and headers.

use serde_json::json;

use crate::client::{Request, form, multipart, multipart_type};
use crate::server::{Server, TempRoot};

fn outcome(server: &Server, request: &Request) -> (u16, u64, String) {
    let response = server.send(request);
    let envelope = response.json();
    assert_eq!(
        response.header("content-type"),
        "application/json; charset=utf-8"
    );
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("x-request-id").len(), 16);
    assert_eq!(response.header("access-control-allow-origin"), "");
    assert_eq!(envelope.as_object().unwrap().len(), 3, "{envelope}");
    if envelope["code"] != 0 {
        assert!(envelope["data"].is_null(), "{envelope}");
    }
    (
        response.status,
        envelope["code"].as_u64().unwrap(),
        envelope["message"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn version_comes_before_function_before_credential_before_parameters() {
    let root = TempRoot::new("order");
    let server = Server::start(&root);
    let unknown = (404, 3, "no such function".to_owned());
    let denied = (401, 4, "no or wrong API Key".to_owned());
    let check = |path: &str, expected: &(u16, u64, String)| {
        for request in [
            Request::get(path),
            Request::post(path).form("padID=none"),
            Request::post(path).body("application/json", "{\"padID\":7}"),
        ] {
            assert_eq!(&outcome(&server, &request), expected, "{path}");
        }
    };
    for path in [
        "/api/99/getText",
        "/api/1.2.2/getText",
        "/api/01/getText",
        "/api/1.3.1/noSuchFunction",
        "/api/1.3.1/gettext",
        "/api/1.3.0/compactPad",
        "/api/1/checkToken",
        "/api/1.3.1",
        "/api/1.3.1/",
        "/api/getText",
        "/api//getText",
        "/api/1.3.1//getText",
        "/api/1.3.1/getText//",
        "/api/1.3.1/getText/more",
        "/api/1.3.1/get%54ext",
        "/api/1.3.1/getText%00",
    ] {
        check(path, &unknown);
    }
    for path in [
        "/api/1/getText",
        "/api/1.3.1/getText",
        "/api/1.3.1/getText/",
    ] {
        check(path, &denied);
    }
    let with_key = Request::get("/api/1/getText").header("apikey", &server.key);
    let expected = (200, 1, "padID is not a string".to_owned());
    assert_eq!(outcome(&server, &with_key), expected);
}

#[test]
fn only_get_and_post_are_functions() {
    let root = TempRoot::new("methods");
    let server = Server::start(&root);
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        let request = Request::new(method, "/api/1.2/checkToken").header("apikey", &server.key);
        let expected = (404, 3, "no such function".to_owned());
        assert_eq!(outcome(&server, &request), expected, "{method}");
    }
    let head = Request::new("HEAD", "/api/1.2/checkToken").header("apikey", &server.key);
    let head = server.send(&head);
    assert_eq!((head.status, head.body.len()), (404, 0));
}

#[test]
fn key_is_accepted_wherever_callers_put_it() {
    let root = TempRoot::new("credentials");
    let server = Server::start(&root);
    let (key, path) = (server.key.as_str(), "/api/1.2/checkToken");
    let bearer = format!("Bearer {key}");
    let wrong = "0".repeat(64);
    let json =
        |value: serde_json::Value| Request::post(path).body("application/json", value.to_string());
    let query = |query: String| Request::get(&format!("{path}?{query}"));
    let right = [
        query(format!("apikey={key}")),
        query(format!("api_key={key}")),
        query(format!("x=1&apiKey={key}")),
        query(format!("apikey={key}&apikey={wrong}")),
        Request::post(path).form(format!("apikey={key}")),
        Request::post(path).form(format!("api_key={key}")),
        Request::post(path).body(&multipart_type(), multipart(&[("apikey", key)])),
        json(json!({ "apikey": key })),
        json(json!({ "api_key": key })),
        Request::get(path).header("apikey", key),
        Request::get(path).header("APIKEY", key),
        Request::get(path).header("authorization", key),
        Request::get(path).header("authorization", &bearer),
        Request::get(path).header("authorization", &format!("bearer  {key}")),
        // The body wins over the query, and one right credential is enough.
        Request::post(&format!("{path}?apikey={wrong}")).form(format!("apikey={key}")),
        query(format!("apikey={wrong}")).header("authorization", &bearer),
        query(format!("apikey={key}")).header("authorization", "Basic dXNlcjpwYXNz"),
    ];
    for request in right {
        assert_eq!(
            outcome(&server, &request),
            (200, 0, "ok".to_owned()),
            "{request:?}"
        );
    }
    let wrong = [
        Request::get(path),
        query(format!("apikey={wrong}")),
        query("apikey=".to_owned()),
        query(format!("key={key}")),
        query(format!("apikey={}", &key[1..])),
        query(format!("apikey={key}0")),
        query(format!("apikey={wrong}&apikey={key}")),
        Request::post(&format!("{path}?apikey={key}")).form(format!("apikey={wrong}")),
        json(json!({ "apikey": [key] })),
        json(json!({ "apikey": { "key": key } })),
        json(json!({ "apikey": true })),
        Request::get(path).header("authorization", &format!("Basic {key}")),
        Request::get(path).header("authorization", "Bearer"),
        Request::get(path).header("authorization", "Bearer "),
        Request::get(path).header("x-apikey", key),
        Request::get(path).header("cookie", &format!("apikey={key}")),
    ];
    for request in wrong {
        let expected = (401, 4, "no or wrong API Key".to_owned());
        assert_eq!(outcome(&server, &request), expected, "{request:?}");
    }
}

#[test]
fn body_wins_over_the_query_and_the_first_of_two() {
    let root = TempRoot::new("precedence");
    let server = Server::start(&root);
    server.data(
        "createPad",
        &json!({"padID": "body", "text": "from the body"}),
    );
    server.data(
        "createPad",
        &json!({"padID": "query", "text": "from the query"}),
    );
    let path = "/api/1/getText?padID=query&padID=body";
    let with = |request: Request| request.header("apikey", &server.key);
    let fields = [("padID", "body"), ("padID", "query")];
    for (request, text) in [
        (Request::get(path), "from the query\n"),
        (Request::post(path), "from the query\n"),
        (Request::post(path).form(form(&fields)), "from the body\n"),
        (
            Request::post(path).body(&multipart_type(), multipart(&fields)),
            "from the body\n",
        ),
        (
            Request::post(path).body("application/json", r#"{"padID":"body","padID":"query"}"#),
            "from the body\n",
        ),
        (
            Request::post(path).body("application/json", r#"{"padID":null}"#),
            "from the query\n",
        ),
    ] {
        let answer = server.send(&with(request)).json();
        assert_eq!(answer["data"]["text"], text);
    }
}

#[test]
fn only_deleting_judges_by_token_without_a_key() {
    let root = TempRoot::new("anonymous_deletion");
    let server = Server::start(&root);
    let created = server.data("createPad", &json!({"padID": "notes"}));
    let token = created["deletionToken"].as_str().unwrap();
    let delete = |fields: &[(&str, &str)]| {
        outcome(
            &server,
            &Request::post("/api/1/deletePad").form(form(fields)),
        )
    };
    let refused = (200, 1, "invalid deletionToken".to_owned());
    assert_eq!(delete(&[("padID", "notes")]), refused);
    assert_eq!(
        delete(&[("padID", "notes"), ("deletionToken", "wrong")]),
        refused
    );
    assert_eq!(
        delete(&[("padID", "missing"), ("deletionToken", token)]),
        refused
    );
    let right = [("padID", "notes"), ("deletionToken", token)];
    assert_eq!(delete(&right), (200, 0, "ok".to_owned()));
    assert_eq!(delete(&right), refused);
}

#[test]
fn erasure_that_is_off_looks_as_if_it_was_not_there() {
    let root = TempRoot::new("erasure_off");
    let server = Server::start(&root);
    let request = Request::get("/api/1.3.1/anonymizeAuthor").header("apikey", &server.key);
    let (status, code, message) = outcome(&server, &request);
    assert_eq!((status, code), (404, 1));
    assert!(message.starts_with("anonymizeAuthor is disabled: "));
}

#[test]
fn root_of_the_api_names_the_newest_version() {
    let root = TempRoot::new("api_root");
    let server = Server::start(&root);
    for path in ["/api", "/api/"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.text(), r#"{"currentVersion":"1.3.1"}"#);
    }
}

#[test]
fn texts_of_any_kind_come_back_as_they_were() {
    let root = TempRoot::new("any_text");
    let server = Server::start(&root);
    server.data("createPad", &json!({"padID": "notes"}));
    let text =
        "NUL \0, BEL \u{7}, quotes \"'\\, snow \u{2603}, face \u{1f600}, \u{2028}, & = + % ;\n";
    let fields = [("padID", "notes"), ("text", text)];
    let path = "/api/1/setText";
    for request in [
        Request::get(&format!("{path}?{}", form(&fields))),
        Request::post(path).form(form(&fields)),
        Request::post(path).body(&multipart_type(), multipart(&fields)),
        Request::post(path).body(
            "application/json",
            json!({"padID": "notes", "text": text}).to_string(),
        ),
        Request::post(path).body(
            "Application/JSON ; Charset=\"UTF-8\"",
            json!({"padID": "notes", "text": text}).to_string(),
        ),
    ] {
        server.data("setText", &json!({"padID": "notes", "text": ""}));
        let request = request.header("apikey", &server.key);
        assert_eq!(outcome(&server, &request).1, 0);
        let found = server.data("getText", &json!({"padID": "notes"}));
        assert_eq!(found["text"], text);
    }
}

#[test]
fn long_answers_are_compressed_for_those_who_ask() {
    let root = TempRoot::new("compression");
    let server = Server::start(&root);
    let text = "many lines of the same\n".repeat(200);
    server.data("createPad", &json!({"padID": "long", "text": text}));
    server.data("createPad", &json!({"padID": "short", "text": "x"}));
    let get = |pad: &str, accepted: &str| {
        let path = format!("/api/1/getText?padID={pad}");
        let request = Request::get(&path).header("apikey", &server.key);
        server.send(&request.header("accept-encoding", accepted))
    };
    for (accepted, encoding) in [
        ("gzip", "gzip"),
        ("br", "br"),
        ("gzip, deflate, br", "br"),
        ("identity", ""),
        ("", ""),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("gzip, *;q=0", "gzip"),
        ("identity;q=0", ""),
        ("zstd, Identity ; q=0.000", ""),
    ] {
        let answer = get("long", accepted);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.header("vary"), "accept-encoding");
        assert_eq!(answer.body.len() < 500, !encoding.is_empty(), "{accepted}");
    }
    assert_eq!(get("short", "gzip, br").header("content-encoding"), "");
    let stored = format!("{text}\n");
    assert_eq!(get("long", "identity").json()["data"]["text"], stored);
}

/// A browser that deletes half of an emoji leaves such a text, and it has to come back as it is.
#[test]
fn half_a_surrogate_pair_comes_back_as_an_escape() {
    let root = TempRoot::new("half_pairs");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "half", "text": "" }));
    let send = |function: &str, text: &str| {
        let body = format!(r#"{{"padID":"half","authorID":"a.writer0000000000","text":"{text}"}}"#);
        let call = Request::post(&format!("/api/1.3.1/{function}"));
        let call = call
            .header("apikey", &server.key)
            .body("application/json", body);
        assert_eq!(server.send(&call).json()["code"], 0, "{function}");
    };
    send("setText", r"lone \ud83d surrogate");
    send("appendChatMessage", r"\ude00 said");
    for (function, part) in [
        ("getText", r#"{"text":"lone \ud83d surrogate\n"}"#),
        ("getText?rev=1", r#"{"text":"lone \ud83d surrogate\n"}"#),
        (
            "getRevisionChangeset",
            r#""Z:1>g|1-1*1|1+h$lone \ud83d surrogate\n""#,
        ),
        ("getChatHistory", r#""text":"\ude00 said""#),
        ("getHTML", "lone &#55357; surrogate"),
    ] {
        let sign = if function.contains('?') { '&' } else { '?' };
        let path = format!("/api/1.3.1/{function}{sign}padID=half");
        let answer = server.send(&Request::get(&path).header("apikey", &server.key));
        assert!(
            answer.text().contains(part),
            "{function}: {}",
            answer.text()
        );
        assert!(!answer.text().contains('\u{fffd}'), "{function}");
    }
    server.stop();
}
