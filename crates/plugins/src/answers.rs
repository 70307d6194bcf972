//! Answers of hooks: which form each has. What has another form is a failure of the plugin.

use plugin::parameter::Kind;
use plugin::{Hook, Reason};
use serde_json::Value;
use service::Narrowing;

use crate::admin_page;

const PAD_TEXT: Kind = Kind::Text { max: 1_000_000 };
const MESSAGE: Kind = Kind::Text { max: 10_000 };
const NAME: Kind = Kind::Text { max: 255 };
const REASON: Kind = Kind::Text { max: 500 };
const BODY: Kind = Kind::Text { max: 1_500_000 };
const KIND_OF_BODY: Kind = Kind::Text { max: 100 };

/// A response to a request of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteResponse {
    pub status: u16,
    pub kind: String,
    pub body: String,
}

/// What a hook says about a text: another one, or why there must be none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Leave,
    Replace(String),
    Refuse(String),
}

/// Checks an answer before anybody relies on it.
pub(crate) fn check(hook: Hook, answer: &Value) -> Result<(), Reason> {
    let expected = |is_fine: bool| {
        if is_fine {
            Ok(())
        } else {
            Err(format!("its answer must be {}", hook.row().answer).into())
        }
    };
    match hook {
        Hook::NewPadText => expected(verdict(answer, PAD_TEXT).is_some_and(|it| !is_refusal(&it))),
        Hook::ChatMessage => expected(verdict(answer, MESSAGE).is_some()),
        Hook::MemberNamed => expected(verdict(answer, NAME).is_some()),
        Hook::MemberMessage => {
            expected(verdict(answer, MESSAGE).is_some_and(|it| !is_replacement(&it)))
        }
        Hook::Access => expected(narrowing(answer).is_some()),
        Hook::ClientVars => expected(Kind::Json { bytes: 16_384 }.fits(answer)),
        Hook::Message => expected(Kind::Json { bytes: 65_536 }.fits(answer)),
        Hook::ApiCall => expected(Kind::Json { bytes: 1_048_576 }.fits(answer)),
        Hook::Request => expected(response(answer).is_some()),
        Hook::AdminPage => expected(admin_page::parts(answer).is_some()),
        _ => Ok(()),
    }
}

fn is_refusal(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Refuse(_))
}

fn is_replacement(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Replace(_))
}

fn verdict(answer: &Value, kind: Kind) -> Option<Verdict> {
    let member = |name: &str| answer.get(name).filter(|value| !value.is_null());
    match (member("text"), member("refuse")) {
        (None, None) => (answer.is_null() || answer.is_object()).then_some(Verdict::Leave),
        (_, Some(reason)) if REASON.fits(reason) => {
            Some(Verdict::Refuse(reason.as_str()?.to_owned()))
        }
        (Some(text), None) if kind.fits(text) => Some(Verdict::Replace(text.as_str()?.to_owned())),
        _ => None,
    }
}

/// The verdict of an answer that was checked.
pub(crate) fn checked_verdict(answer: &Value) -> Verdict {
    verdict(answer, PAD_TEXT).unwrap_or(Verdict::Leave)
}

pub(crate) fn narrowing(answer: &Value) -> Option<Narrowing> {
    match answer {
        Value::Null => Some(Narrowing::Nothing),
        Value::String(text) if text == "readOnly" => Some(Narrowing::ReadOnly),
        Value::String(text) if text == "deny" => Some(Narrowing::Denied),
        _ => None,
    }
}

/// The response of a route. Nothing: there is no such page.
pub(crate) fn response(answer: &Value) -> Option<RouteResponse> {
    if answer.is_null() {
        return Some(RouteResponse {
            status: 404,
            kind: "text/plain".to_owned(),
            body: "not found\n".to_owned(),
        });
    }
    let member = |name: &str| answer.get(name).filter(|value| !value.is_null());
    let status = match member("status") {
        None => 200,
        Some(status) => whole(status)?,
    };
    let text = |name: &str, kind: Kind, default: &str| match member(name) {
        None => Some(default.to_owned()),
        Some(value) if kind.fits(value) => value.as_str().map(str::to_owned),
        Some(_) => None,
    };
    let kind = text("type", KIND_OF_BODY, "text/plain")?;
    Some(RouteResponse {
        status,
        kind: allowed_kind(&kind)?.to_owned(),
        body: text("body", BODY, "")?,
    })
}

/// JavaScript may write 200 as 200.0.
fn whole(value: &Value) -> Option<u16> {
    (200..600).find(|status| value.as_f64() == Some(f64::from(*status)))
}

/// Types of responses. None can run a script: HTML and SVG come with a policy that forbids it.
const KINDS: [&str; 9] = [
    "text/plain",
    "text/html",
    "text/csv",
    "text/calendar",
    "text/markdown",
    "application/json",
    "application/atom+xml",
    "application/rss+xml",
    "image/svg+xml",
];

fn allowed_kind(kind: &str) -> Option<&'static str> {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    KINDS
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_have_the_form_of_the_table() {
        let long = "x".repeat(20_000);
        for (hook, answer, is_fine) in [
            (Hook::NewPadText, json!(null), true),
            (Hook::NewPadText, json!({"text": "a"}), true),
            (Hook::NewPadText, json!({"refuse": "no"}), false),
            (Hook::NewPadText, json!("a"), false),
            (Hook::ChatMessage, json!({}), true),
            (Hook::ChatMessage, json!({"text": long}), false),
            (Hook::ChatMessage, json!({"text": 1}), false),
            (Hook::ChatMessage, json!({"refuse": "no"}), true),
            (Hook::ChatMessage, json!({"refuse": long}), false),
            (Hook::ChatMessage, json!([1]), false),
            (Hook::MemberNamed, json!({"text": "x".repeat(256)}), false),
            (Hook::MemberMessage, json!(null), true),
            (Hook::MemberMessage, json!({"refuse": "no"}), true),
            (Hook::MemberMessage, json!({"text": "other"}), false),
            (Hook::Access, json!("deny"), true),
            (Hook::Access, json!("readOnly"), true),
            (Hook::Access, json!("allow"), false),
            (Hook::Access, json!(true), false),
            (Hook::ClientVars, json!({"a": [1]}), true),
            (Hook::ClientVars, json!(long), false),
            (Hook::Message, json!("x".repeat(70_000)), false),
            (Hook::Request, json!(null), true),
            (Hook::Request, json!({"body": "a"}), true),
            (Hook::Request, json!({"status": 99}), false),
            (Hook::Request, json!({"status": 1e300}), false),
            (Hook::Request, json!({"status": "200"}), false),
            (Hook::Request, json!({"type": "text/javascript"}), false),
            (
                Hook::Request,
                json!({"type": "text/html\r\nset-cookie: a"}),
                false,
            ),
            (Hook::AdminPage, json!([]), false),
            (Hook::PadChanged, json!(long), true),
        ] {
            assert_eq!(check(hook, &answer).is_ok(), is_fine, "{hook} {answer}");
        }
        let response = response(&json!({"status": 201.0, "type": "Text/HTML; charset=x"}));
        assert_eq!(response.unwrap().kind, "text/html");
    }
}
