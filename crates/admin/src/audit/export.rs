//! The audit log as a file: CSV, or JSON with an object on each line. It is read a page at a time
//! while it is sent, so that a long log needs no memory.

use std::io;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use series::iso_time;
use store::{AuditAsked, AuditLine};

use super::list::shown;
use crate::AdminState;
use edge::refuse::NO_STORE;

const PAGE: usize = 1_000;

pub(super) fn csv(state: &AdminState, asked: AuditAsked) -> Response {
    let head = "time,administrator,action,target,detail,done\n";
    send(
        state,
        asked,
        "csv",
        "text/csv; charset=utf-8",
        head,
        |line| {
            let (time, done) = (iso_time(line.time.millis()), line.done);
            let [principal, action, target, detail] =
                [&line.principal, &line.action, &line.target, &line.detail]
                    .map(|text| quoted(text));
            format!("{time},{principal},{action},{target},{detail},{done}\n")
        },
    )
}

pub(super) fn json_lines(state: &AdminState, asked: AuditAsked) -> Response {
    send(state, asked, "jsonl", "application/jsonl", "", |line| {
        format!("{}\n", shown(line))
    })
}

fn send(
    state: &AdminState,
    asked: AuditAsked,
    ending: &str,
    kind: &'static str,
    head: &'static str,
    write: fn(&AuditLine) -> String,
) -> Response {
    let asked = AuditAsked {
        limit: PAGE,
        ..asked
    };
    let first = (state.service.store().clone(), Some(asked), head.to_owned());
    let pages = stream::unfold(first, move |(store, asked, mut text)| async move {
        let mut asked = asked?;
        let page = match store.browse_audit(&asked).await {
            Ok(page) => page,
            Err(error) => return Some((Err(io::Error::other(error)), (store, None, text))),
        };
        text.extend(page.found.iter().map(write));
        asked.after = page.next;
        let next = asked.after.is_some().then_some(asked);
        Some((Ok(Bytes::from(text)), (store, next, String::new())))
    });
    let name = format!("attachment; filename=\"padsvc-audit.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    ([NO_STORE], headers, Body::from_stream(pages)).into_response()
}

/// A field of CSV. What a spreadsheet would take for a formula begins with an apostrophe.
fn quoted(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@']) {
        "'"
    } else {
        ""
    };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_are_no_formulas() {
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
        assert_eq!(quoted("=1+1"), "\"'=1+1\"");
    }
}
