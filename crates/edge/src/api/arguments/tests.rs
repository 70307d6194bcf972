//! What arguments a request holds: each check sends one head and one body through the reader.

use axum::http::Request;
use axum::http::header::CONTENT_TYPE;

use super::*;

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";
const MULTIPART: &str = "multipart/form-data; boundary=X";

fn read_all(query: &str, kind: &str, body: &[u8]) -> Result<Vec<(String, Argument)>, String> {
    let mut request = Request::post(format!("/api/1/getText{query}"));
    if !kind.is_empty() {
        request = request.header(CONTENT_TYPE, kind);
    }
    let (head, body) = request
        .body(Body::from(body.to_vec()))
        .unwrap()
        .into_parts();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let held = runtime.block_on(read(&head, body, &BodyBudget::new()));
    held.map(|held| held.arguments.iter().cloned().collect())
        .map_err(|reason| format!("{} {reason}", reason.status().as_u16()))
}

fn text(value: &str) -> Argument {
    Argument::Text(value.to_owned())
}

fn check(query: &str, kind: &str, body: &str, expected: &[(&str, Argument)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let found = read_all(query, kind, body.as_bytes());
    assert_eq!(found, Ok(expected), "{query} {body}");
}

fn check_refused(kind: &str, body: &[u8], expected: &str) {
    let found = read_all("", kind, body).unwrap_err();
    assert_eq!(found, expected, "{kind} {}", String::from_utf8_lossy(body));
}

#[test]
fn queries_and_forms_are_decoded() {
    for (encoded, expected) in [
        ("padID=a", &[("padID", text("a"))][..]),
        (
            "padID=a&text=b+c%20d",
            &[("padID", text("a")), ("text", text("b c d"))],
        ),
        ("text=%E2%98%83", &[("text", text("\u{2603}"))]),
        ("text=%00", &[("text", text("\0"))]),
        ("text=a=b", &[("text", text("a=b"))]),
        ("text=", &[("text", text(""))]),
        ("text", &[("text", text(""))]),
        ("&&text=a&", &[("text", text("a"))]),
        ("=a", &[("", text("a"))]),
        ("text=100%", &[("text", text("100%"))]),
        ("text=%zz%4", &[("text", text("%zz%4"))]),
        ("text=%+1", &[("text", text("% 1"))]),
        ("%74ext=a", &[("text", text("a"))]),
        ("", &[]),
    ] {
        check(&format!("?{encoded}"), "", "", expected);
        check("", FORM, encoded, expected);
    }
}

#[test]
fn form_may_hold_raw_utf8() {
    check("", FORM, "text=\u{2603}+x", &[("text", text("\u{2603} x"))]);
}

#[test]
fn json_keeps_types() {
    check(
        "",
        JSON,
        r#" {"a":"x","b":1,"c":-0.5,"d":true,"e":null,"f":[[2]],"g":{"h":{}},"i":"\ud83d\ude00"}"#,
        &[
            ("a", text("x")),
            ("b", Argument::Number(1.0)),
            ("c", Argument::Number(-0.5)),
            ("d", Argument::Boolean(true)),
            ("f", Argument::Other),
            ("g", Argument::Other),
            ("i", text("\u{1f600}")),
        ],
    );
    check("", JSON, "\u{feff}{}", &[]);
}

#[test]
fn multipart_fields_are_texts() {
    check(
        "",
        MULTIPART,
        "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\ntwo\r\n\
         --X\r\nContent-Disposition: form-data; name=b; filename=\"n.txt\"\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n\u{2603}\0\r\n--X--\r\n",
        &[("a", text("one\r\ntwo")), ("b", text("\u{2603}\0"))],
    );
}

#[test]
fn body_comes_before_the_query_and_the_first_before_the_second() {
    let expected = [("a", text("1")), ("a", text("2")), ("a", text("3"))];
    check("?a=3", FORM, "a=1&a=2", &expected);
    check("?a=3", JSON, r#"{"a":"1","a":"2"}"#, &expected);
}

#[test]
fn body_without_content_needs_no_type() {
    for kind in ["", "text/plain", JSON, MULTIPART] {
        check("?a=1", kind, "", &[("a", text("1"))]);
    }
}

#[test]
fn unreadable_requests_are_refused_with_the_reason() {
    for (kind, body, expected) in [
        ("", &b"a=1"[..], "415 the body has no Content-Type; "),
        (
            "text/plain",
            b"a=1",
            "415 a body of type text/plain is not understood; ",
        ),
        (
            "APPLICATION/XML; x",
            b"a=1",
            "415 a body of type application/xml is not understood; ",
        ),
    ] {
        check_refused(kind, body, &format!("{expected}{USE}"));
    }
    let charset = "application/x-www-form-urlencoded; charset=\"latin1\"";
    for (kind, body, expected) in [
        (
            charset,
            &b"a=1"[..],
            "415 the charset latin1 is not understood; use UTF-8",
        ),
        (FORM, b"text=\xff", "400 text is not valid UTF-8"),
        (FORM, b"text=%ff", "400 text is not valid UTF-8"),
        (FORM, b"text=%ed%a0%80", "400 text is not valid UTF-8"),
        (FORM, b"%ff=1", "400 the name of a field is not valid UTF-8"),
        (JSON, b"[1]", "400 the body must be a JSON object"),
        (JSON, b"\"{}\"", "400 the body must be a JSON object"),
        (JSON, b"5", "400 the body must be a JSON object"),
        (
            "multipart/form-data",
            b"x",
            "400 the body is not a valid multipart form: its Content-Type has no boundary",
        ),
    ] {
        check_refused(kind, body, expected);
    }
}

/// A browser can cut a character in two, and what it sends has to be stored as it is.
#[test]
fn half_a_surrogate_pair_is_a_text() {
    let body = b"{\"a\":\"x\\ud83d\",\"b\":\"\\ud83d\\ude00\",\"c\":5,\"d\":null,\"a\":\"y\"}";
    let half = Argument::Units(vec![u16::from(b'x'), 0xd83d].into());
    let expected = [
        ("a", half),
        ("b", text("😀")),
        ("c", Argument::Number(5.0)),
        ("a", text("y")),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(read_all("", JSON, body), Ok(expected.to_vec()));
}

#[test]
fn json_that_is_none_is_said_to_be_none() {
    for body in [
        &b"{"[..],
        b"x",
        b"{} {}",
        b"{'a':1}",
        b"{\"a\":1,}",
        b"{\"a\":1e999}",
        b"{\"a\":\"\\ud800",
        b"{\"a\":\"\\ud80\"}",
        b"{\"a\":\"\xff\"}",
        b"{\"a\":\"\xed\xa0\x80\"}",
        b"{\"a\":\"\n\"}",
        b"\xff\xfe{\0}\0",
        b" ",
    ] {
        let found = read_all("", JSON, body).unwrap_err();
        assert!(
            found.starts_with("400 the body is not valid JSON: "),
            "{found}"
        );
    }
}

#[test]
fn deep_json_is_read_without_depth_of_our_own() {
    let lists = "[".repeat(1_000_000);
    assert!(read_all("", JSON, format!("{{\"a\":{lists}").as_bytes()).is_err());
    let closed = format!("{{\"a\":{lists}{}}}", "]".repeat(1_000_000));
    // Whether so much depth is accepted is up to the parser; what counts is that it answers.
    let _ = read_all("", JSON, closed.as_bytes());
}

#[test]
fn broken_multipart_is_refused() {
    let whole = "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--X--\r\n";
    for end in 1..whole.len() - "--\r\n".len() {
        let found = read_all("", MULTIPART, &whole.as_bytes()[..end]);
        let found = found.expect_err(&whole[..end]);
        let reason = "400 the body is not a valid multipart form: ";
        assert!(found.starts_with(reason), "{found}");
    }
    for (body, reason) in [
        (
            "--X\r\n\r\none\r\n--X--\r\n",
            "400 the body is not a valid multipart form: ",
        ),
        (
            "--X\r\nContent-Disposition: form-data; name=a\r\n\
             Content-Type: text/plain; charset=utf-16\r\n\r\none\r\n--X--\r\n",
            "415 the charset utf-16 ",
        ),
        (
            "no boundary at all",
            "400 the body is not a valid multipart form: ",
        ),
    ] {
        let found = read_all("", MULTIPART, body.as_bytes()).unwrap_err();
        assert!(found.starts_with(reason), "{found}");
    }
    let invalid = b"--X\r\nContent-Disposition: form-data; name=a\r\n\r\n\xff\r\n--X--\r\n";
    check_refused(MULTIPART, invalid, "400 a is not valid UTF-8");
}

#[test]
fn fields_and_bytes_are_bounded() {
    let form = "a&".repeat(MAX_FIELDS);
    assert_eq!(
        read_all("", FORM, form.as_bytes()).unwrap().len(),
        MAX_FIELDS
    );
    let too_many = "400 there are more than 1000 fields";
    check_refused(FORM, format!("{form}b").as_bytes(), too_many);
    let member = "\"a\":1,".repeat(MAX_FIELDS);
    check_refused(JSON, format!("{{{member}\"b\":1}}").as_bytes(), too_many);
    let part = "--X\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n".repeat(MAX_FIELDS + 1);
    check_refused(MULTIPART, format!("{part}--X--").as_bytes(), too_many);

    let largest = vec![b'x'; body::MAX_BYTES];
    assert_eq!(read_all("", FORM, &largest).unwrap().len(), 1);
    let larger = vec![b'x'; body::MAX_BYTES + 1];
    check_refused(FORM, &larger, "413 the body is over 52428800 bytes");
}
