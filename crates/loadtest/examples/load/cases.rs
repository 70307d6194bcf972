//! Cases of the load test: requests, and the data they need.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::Result;
use crate::client::Connection;
use crate::server::Server;

type Prepared<'a> = Pin<Box<dyn Future<Output = Result<()>> + 'a>>;

pub(crate) struct Case {
    pub name: &'static str,
    pub prepare: fn(&Server) -> Prepared<'_>,
    /// The next request of the connection of that number.
    pub request: fn(&Server, usize) -> Vec<u8>,
}

/// Numbers that never repeat, so that every write changes something.
static NEXT: AtomicUsize = AtomicUsize::new(0);

fn next() -> usize {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// All of them, in the order in which they do not get into each other's way.
pub(crate) fn all(large: bool) -> Vec<Case> {
    let mut cases = reads();
    cases.extend(writes());
    cases.push(Case {
        name: "listAllPads, 10,000 pads",
        prepare: |server| Box::pin(pads(server, "many", 10_000)),
        request: |server, _| server.get("/api/1.3.1/listAllPads"),
    });
    if large {
        cases.push(Case {
            name: "listAllPads, 100,000 pads",
            prepare: |server| Box::pin(pads(server, "more", 90_000)),
            request: |server, _| server.get("/api/1.3.1/listAllPads"),
        });
    }
    cases.push(Case {
        name: "createPad, new ids",
        prepare: |_| Box::pin(async { Ok(()) }),
        request: |server, _| {
            let pad = format!("new-{}", next());
            server.post("createPad", &json!({"padID": pad, "text": "hello"}))
        },
    });
    cases
}

fn reads() -> Vec<Case> {
    vec![
        Case {
            name: "/health",
            prepare: |_| Box::pin(async { Ok(()) }),
            request: |server, _| server.get("/health"),
        },
        Case {
            name: "checkToken",
            prepare: |_| Box::pin(async { Ok(()) }),
            request: |server, _| server.get("/api/1.3.1/checkToken"),
        },
        Case {
            name: "getText, small",
            prepare: |server| Box::pin(pad(server, "small", "one short line".to_owned())),
            request: |server, _| server.get("/api/1.3.1/getText?padID=small"),
        },
        Case {
            name: "getText, 1 MB",
            prepare: |server| Box::pin(pad(server, "megabyte", lines(1_000_000))),
            request: |server, _| server.get("/api/1.3.1/getText?padID=megabyte"),
        },
        Case {
            name: "getHTML, 1,000 lines",
            prepare: |server| Box::pin(styled(server)),
            request: |server, _| server.get("/api/1.3.1/getHTML?padID=styled"),
        },
    ]
}

fn writes() -> Vec<Case> {
    vec![
        Case {
            name: "createAuthorIfNotExistsFor, known",
            prepare: |_| Box::pin(async { Ok(()) }),
            request: |server, number| {
                let mapper = format!("user-{number}");
                server.post(
                    "createAuthorIfNotExistsFor",
                    &json!({ "authorMapper": mapper }),
                )
            },
        },
        Case {
            name: "setText, a pad for each connection",
            prepare: |server| Box::pin(pads(server, "own", 64)),
            request: |server, number| {
                let text = format!("text number {}", next());
                server.post(
                    "setText",
                    &json!({"padID": format!("own-{number}"), "text": text}),
                )
            },
        },
        Case {
            name: "appendText, one pad for all",
            prepare: |server| Box::pin(pad(server, "shared", "begin".to_owned())),
            request: |server, _| {
                let text = format!(" {}", next());
                server.post("appendText", &json!({"padID": "shared", "text": text}))
            },
        },
    ]
}

async fn pad(server: &Server, pad: &str, text: String) -> Result<()> {
    let created = server
        .call("createPad", &json!({"padID": pad, "text": text}))
        .await;
    created.map(drop)
}

async fn styled(server: &Server) -> Result<()> {
    pad(server, "styled", String::new()).await?;
    let line = |number: usize| match number % 4 {
        0 => format!("<p>Line {number} with <b>bold</b> and <i>italic</i> words</p>"),
        1 => format!("<ul><li>item {number}</li></ul>"),
        2 => format!("<p>Line {number} with a <u>line below</u> &amp; an &eacute;</p>"),
        _ => format!("<p>Line {number} with nothing special to it at all</p>"),
    };
    let html: String = (0..1000).map(line).collect();
    let set = server
        .call("setHTML", &json!({"padID": "styled", "html": html}))
        .await;
    set.map(drop)
}

/// Creates pads over as many connections as a store likes to have writing at once.
async fn pads(server: &Server, prefix: &str, count: usize) -> Result<()> {
    let created = AtomicUsize::new(0);
    let worker = async || -> Result<()> {
        let mut connection = Connection::open(&server.address).await?;
        loop {
            let number = created.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(());
            }
            let pad = json!({"padID": format!("{prefix}-{number}"), "text": "hello"});
            connection.request(&server.post("createPad", &pad)).await?;
        }
    };
    futures_util::future::try_join_all((0..64).map(|_| worker())).await?;
    Ok(())
}

fn lines(length: usize) -> String {
    let line = "The quick brown fox jumps over the lazy dog, as it has done so many times.\n";
    line.chars().cycle().take(length).collect()
}
