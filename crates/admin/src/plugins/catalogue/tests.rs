//! With a server of its own that answers as each test wants.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::*;
use settings::WebAddress;

struct Host {
    address: String,
    asked: Arc<AtomicUsize>,
    answer: watch::Sender<Option<String>>,
}

impl Host {
    /// Without an answer it leaves everybody waiting.
    async fn start(answer: Option<String>) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (sender, answers) = watch::channel(answer);
        let host = Host {
            address: format!("http://{}/infos/", listener.local_addr().unwrap()),
            asked: Arc::default(),
            answer: sender,
        };
        let asked = Arc::clone(&host.asked);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (asked, mut answers) = (Arc::clone(&asked), answers.clone());
                tokio::spawn(async move {
                    let mut request = Vec::new();
                    while !request.ends_with(b"\r\n\r\n") {
                        stream.read_buf(&mut request).await.unwrap();
                    }
                    let request = String::from_utf8(request).unwrap().to_lowercase();
                    assert!(request.starts_with("get /infos/plugins.json "), "{request}");
                    assert!(request.contains("user-agent: padsvc\r\n"), "{request}");
                    asked.fetch_add(1, Ordering::SeqCst);
                    let answer = answers.wait_for(Option::is_some).await;
                    let Some(answer) = answer.ok().and_then(|answer| answer.clone()) else {
                        return;
                    };
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        host
    }

    async fn with(body: &str) -> Host {
        Host::start(Some(http(200, body))).await
    }

    fn privacy(&self) -> Privacy {
        Privacy {
            update_server: Some(WebAddress(self.address.clone())),
            ..Privacy::default()
        }
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue::new(&self.privacy())
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn http(status: u16, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn names(shown: &Value) -> Vec<&str> {
    let plugins = shown["plugins"].as_array().unwrap();
    let names = plugins.iter().map(|plugin| plugin["name"].as_str());
    names.collect::<Option<_>>().unwrap()
}

const TWO: &str = r#"{
    "1": { "name": "ep_webrtc", "version": "3.0.1", "time": "2024-05-01", "downloads": 7 },
    "ep_headings2": {
        "name": "ep_headings2", "description": "Headings", "official": true, "disables": []
    }
}"#;

#[tokio::test]
async fn it_is_fetched_once_and_says_what_each_plugin_means_here() {
    let host = Host::with(TWO).await;
    let catalogue = host.catalogue();
    let shown = catalogue.overview(false).await;
    let expected = json!([
        {
            "name": "ep_headings2", "description": "Headings", "version": null, "time": null,
            "official": true, "builtIn": "headings",
        },
        {
            "name": "ep_webrtc", "description": null, "version": "3.0.1", "time": "2024-05-01",
            "official": false, "builtIn": null,
        },
    ]);
    assert_eq!(shown["plugins"], expected);
    assert_eq!(shown["problem"], Value::Null);
    assert!(shown["fetched"].as_i64().unwrap() > 0);
    assert_eq!(catalogue.overview(false).await, shown);
    assert_eq!(host.asked(), 1);
    catalogue.overview(true).await;
    assert_eq!(host.asked(), 2);
}

#[tokio::test]
async fn those_who_come_together_wait_for_one_answer() {
    let host = Host::start(None).await;
    let catalogue = Arc::new(host.catalogue());
    let looking = [(); 5].map(|()| {
        let catalogue = Arc::clone(&catalogue);
        tokio::spawn(async move { catalogue.overview(false).await })
    });
    host.answer.send(Some(http(200, TWO))).unwrap();
    for look in looking {
        assert_eq!(names(&look.await.unwrap()), ["ep_headings2", "ep_webrtc"]);
    }
    assert_eq!(host.asked(), 1);
}

#[tokio::test]
async fn nothing_is_asked_where_the_settings_do_not_allow_it() {
    let host = Host::with(TWO).await;
    let mut privacy = host.privacy();
    privacy.plugin_catalog = false;
    let catalogue = Catalogue::new(&privacy);
    let off = json!({ "off": "privacy.pluginCatalog" });
    assert_eq!(catalogue.overview(false).await, off);
    assert_eq!(catalogue.overview(true).await, off);
    let catalogue = Catalogue::new(&Privacy::default());
    assert_eq!(
        catalogue.overview(true).await,
        json!({ "off": "updateServer" })
    );
    assert_eq!(host.asked(), 0);
}

#[tokio::test]
async fn what_is_no_plugin_is_passed_over() {
    let long = format!("ep_{}", "x".repeat(212));
    let body = json!({
        "a": { "name": "ep_a", "description": "x".repeat(600) },
        "b": { "name": "ep_b", "version": 3 },
        "c": { "name": "not_one" },
        "d": { "name": "ep_<script>" },
        "e": { "name": long },
        "f": ["ep_f"],
        "g": "ep_g",
        "h": null,
        "i": {},
        "j": { "name": "ep_a", "description": "again" },
    });
    let host = Host::with(&body.to_string()).await;
    let shown = host.catalogue().overview(false).await;
    assert_eq!(names(&shown), ["ep_a"]);
    let many: serde_json::Map<String, Value> = (0..6000)
        .map(|at| (at.to_string(), json!({ "name": format!("ep_{at:04}") })))
        .collect();
    let host = Host::with(&Value::Object(many).to_string()).await;
    let shown = host.catalogue().overview(false).await;
    assert_eq!(names(&shown).len(), MOST_PLUGINS);
}

#[tokio::test]
async fn an_answer_that_is_none_is_said_and_the_older_one_stays() {
    let host = Host::with(TWO).await;
    let small = Limits {
        time: Duration::from_secs(30),
        bytes: 500,
    };
    let catalogue = Catalogue::with(&host.privacy(), small);
    let first = catalogue.overview(false).await;
    for (answer, problem) in [
        (
            http(200, &"x".repeat(501)),
            "the answer has more than 500 bytes",
        ),
        (http(200, "{"), "the answer is no object of JSON"),
        (http(200, "[]"), "the answer is no object of JSON"),
        (http(404, "{}"), "HTTP status client error (404"),
        ("nonsense\r\n\r\n".to_owned(), "error sending request"),
        (http(200, "{}").replace("length: 2", "length: 9"), "error"),
    ] {
        host.answer.send(Some(answer)).unwrap();
        let shown = catalogue.overview(true).await;
        let said = shown["problem"].as_str().unwrap();
        assert!(said.contains(problem), "{said}");
        assert_eq!(shown["plugins"], first["plugins"]);
        assert_eq!(shown["fetched"], first["fetched"]);
        // Not asked again at once.
        let asked = host.asked();
        assert_eq!(catalogue.overview(false).await, shown);
        assert_eq!(host.asked(), asked);
    }
    host.answer.send(Some(http(200, "{}"))).unwrap();
    let last = catalogue.overview(true).await;
    assert_eq!(
        (&last["problem"], &last["plugins"]),
        (&Value::Null, &json!([]))
    );
}

#[tokio::test]
async fn a_host_that_does_not_answer_is_not_waited_for_long() {
    let host = Host::start(None).await;
    let short = Limits {
        time: Duration::from_millis(50),
        bytes: 500,
    };
    let shown = Catalogue::with(&host.privacy(), short)
        .overview(false)
        .await;
    let said = shown["problem"].as_str().unwrap();
    assert!(said.contains("timed out"), "{said}");
    assert_eq!(shown["plugins"], json!([]));
}
