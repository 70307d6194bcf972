//! Alerts from the condition to the receiver, with a clock of the test.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicI64, Ordering};

use pad::Timestamp;
use settings::WebhookAddress;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;

const MINUTE: i64 = 60 * 1_000;
const DAY: i64 = 24 * 60 * MINUTE;

struct Clock(AtomicI64);

impl service::Environment for Clock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }

    fn entropy(&self) -> u128 {
        System.entropy()
    }
}

/// A receiver of webhooks. It answers with each status once, and with 204 then.
struct Receiver {
    address: WebhookAddress,
    documents: UnboundedReceiver<Value>,
}

impl Receiver {
    fn start(statuses: &[u16]) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/key-of-ours", listener.local_addr().unwrap());
        let (sender, documents) = unbounded_channel();
        let mut statuses: VecDeque<u16> = statuses.iter().copied().collect();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut line, mut length) = (String::new(), 0);
                while line != "\r\n" {
                    line.clear();
                    reader.read_line(&mut line).unwrap();
                    let lower = line.to_lowercase();
                    if let Some(value) = lower.strip_prefix("content-length: ") {
                        length = value.trim().parse().unwrap();
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let status = statuses.pop_front().unwrap_or(204);
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                );
                stream.write_all(head.as_bytes()).unwrap();
                let _ = sender.send(serde_json::from_slice(&body).unwrap());
            }
        });
        Receiver {
            address: WebhookAddress(address),
            documents,
        }
    }

    async fn next(&mut self) -> Value {
        self.documents.recv().await.unwrap()
    }
}

struct Place {
    site: Site,
    clock: Arc<Clock>,
}

const CERTIFICATE_DAYS: i64 = 30;

/// A service whose certificate expires in thirty days.
async fn place(store: Store, settings: Settings) -> Place {
    // Certificates know no parts of a second.
    let now = service::Environment::now(&System).millis() / 1_000 * 1_000;
    let clock = Arc::new(Clock(AtomicI64::new(now)));
    let environment = Arc::clone(&clock) as Arc<dyn service::Environment>;
    let certificate = certificate(now + CERTIFICATE_DAYS * DAY);
    let site = site_in(environment, store, settings, Some(&certificate)).await;
    let alerts = Arc::clone(&site.state.alerts);
    tokio::spawn(async move { alerts.deliver_all().await });
    Place { site, clock }
}

/// As much of a certificate as is read, with the time at which it expires.
fn certificate(ends: i64) -> Vec<u8> {
    let tagged = |tag: u8, content: &[u8]| {
        let length = u8::try_from(content.len()).unwrap();
        [&[tag, length], content].concat()
    };
    let digits = |text: String| text.replace(['-', 'T', ':'], "");
    let times = [0, ends].map(|time| tagged(0x18, digits(series::iso_time(time)).as_bytes()));
    let fields = [
        tagged(0x02, &[1]),
        tagged(0x30, &[]),
        tagged(0x30, &[]),
        tagged(0x30, &times.concat()),
    ];
    tagged(0x30, &tagged(0x30, &fields.concat()))
}

impl Place {
    async fn look_after(&self, millis: i64) {
        self.clock.0.fetch_add(millis, Ordering::SeqCst);
        self.site.state.alerts.look(&self.site.state).await;
    }

    async fn shown(&self) -> Value {
        get(&self.site.router, "/admin/api/alerts").await
    }

    /// As soon as something is so.
    async fn until(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let shown = self.shown().await;
            if is_so(&shown) {
                return shown;
            }
            tokio::task::yield_now().await;
        }
    }
}

fn posting_to(receiver: &Receiver) -> Settings {
    let mut settings = settings();
    settings.alerts.webhook = Some(receiver.address.clone());
    settings.alerts.webhook_secret = Some(Secret("not to be seen".to_owned()));
    settings.listen.public_url = Some(WebAddress("https://pads.example.org".to_owned()));
    settings
}

#[tokio::test]
async fn what_the_overview_shows_is_sent_once_and_its_end_too() {
    let mut receiver = Receiver::start(&[]);
    let store = Store::open(Location::Memory).await.unwrap();
    let place = place(store, posting_to(&receiver)).await;
    place.look_after(0).await;
    assert_eq!(place.shown().await["active"], json!([]));
    // Fourteen days before it expires, as the overview shows it.
    place.look_after((CERTIFICATE_DAYS - 14) * DAY).await;
    let overview = get(&place.site.router, "/admin/api/overview").await;
    assert_eq!(overview["health"][0]["kind"], "certificate");
    assert_eq!(overview["health"][0]["days"], 14);
    assert_eq!(
        place.shown().await["active"],
        json!([]),
        "not at the first look"
    );
    place.look_after(MINUTE).await;
    place.look_after(MINUTE).await;
    let document = receiver.next().await;
    assert_eq!(document["condition"], "certificate");
    assert_eq!(document["event"], "began");
    assert_eq!(document["service"], "https://pads.example.org");
    let is_noted = |shown: &Value| {
        shown["webhook"]["last"]["problem"] == Value::Null
            && shown["webhook"]["last"]["at"].is_i64()
    };
    let shown = place.until(is_noted).await;
    assert_eq!(shown["active"][0]["kind"], "certificate");
    assert_eq!(shown["mail"], json!({ "on": false, "last": null }));
    // A day later again.
    place.look_after(DAY).await;
    let reminder = receiver.next().await;
    assert_eq!(reminder["event"], "reminder");
    // A renewed one expires later: the clock goes back.
    place.look_after(-20 * DAY).await;
    place.look_after(MINUTE).await;
    let end = receiver.next().await;
    let what = (&end["event"], &end["condition"]);
    assert_eq!(what, (&json!("resolved"), &json!("certificate")));
    assert_eq!(place.shown().await["active"], json!([]));
    assert!(receiver.documents.is_empty());
}

#[tokio::test]
async fn a_restart_sends_nothing_twice() {
    let mut receiver = Receiver::start(&[]);
    let store = Store::open(Location::Memory).await.unwrap();
    let settings = posting_to(&receiver);
    let first = place(store.clone(), settings.clone()).await;
    first.look_after(20 * DAY).await;
    first.look_after(MINUTE).await;
    assert_eq!(receiver.next().await["event"], "began");
    let second = place(store, settings).await;
    second.look_after(20 * DAY + 2 * MINUTE).await;
    assert_eq!(second.shown().await["active"][0]["kind"], "certificate");
    // Whatever was due would come before this.
    let (_, sent) = send(
        &second.site.router,
        "POST",
        "/admin/api/alerts/test",
        json!({}),
    )
    .await;
    assert_eq!(sent["webhook"]["problem"], Value::Null);
    assert_eq!(receiver.next().await["event"], "test");
}

#[tokio::test]
async fn a_receiver_in_trouble_gets_it_again_and_what_fails_is_shown() {
    // Two attempts, the second of which arrives; then one that makes no sense to repeat.
    let mut receiver = Receiver::start(&[500, 204, 404]);
    let store = Store::open(Location::Memory).await.unwrap();
    let place = place(store, posting_to(&receiver)).await;
    place.look_after(20 * DAY).await;
    place.look_after(MINUTE).await;
    let [one, two] = [receiver.next().await, receiver.next().await];
    assert_eq!(one["id"], two["id"]);
    let is_noted = |shown: &Value| shown["webhook"]["last"].is_object();
    assert_eq!(
        place.until(is_noted).await["webhook"]["last"]["problem"],
        Value::Null
    );
    place.look_after(DAY).await;
    let has_failed = |shown: &Value| shown["webhook"]["last"]["problem"].is_string();
    let shown = place.until(has_failed).await;
    assert_eq!(shown["webhook"]["last"]["problem"], "it answered 404");
}

#[tokio::test]
async fn nothing_is_tried_out_without_a_place_to_send_to_nor_too_often() {
    let site = site().await;
    let path = "/admin/api/alerts/test";
    let (status, _) = send(&site, "POST", path, json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let receiver = Receiver::start(&[]);
    let mut settings = posting_to(&receiver);
    settings.alerts.email = Some("operator@example.org".to_owned());
    let store = Store::open(Location::Memory).await.unwrap();
    let place = place(store, settings).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let (status, answer) = send(&place.site.router, "POST", path, json!({})).await;
        statuses.push(status.as_u16());
        if status == StatusCode::OK {
            assert_eq!(answer["webhook"]["problem"], Value::Null);
            let problem = &answer["mail"]["problem"];
            assert_eq!(problem, "mail.host and mail.from are not set");
        }
    }
    assert_eq!(statuses, [200, 200, 200, 429]);
    let log = get(&place.site.router, "/admin/api/audit?action=alerts").await;
    let details = log["lines"].as_array().unwrap().iter();
    let details: Vec<&Value> = details.map(|line| &line["detail"]).collect();
    assert_eq!(details[1], "mail failed, webhook sent");
    // Neither the address of a webhook nor its secret is anywhere.
    for path in [
        "/admin/api/alerts",
        "/admin/api/audit",
        "/admin/api/settings",
    ] {
        let text = get(&place.site.router, path).await.to_string();
        assert!(
            !text.contains("key-of-ours") && !text.contains("not to be seen"),
            "{path}"
        );
    }
}

#[test]
fn attempts_are_bounded() {
    let all: Duration = crate::alerts::ATTEMPT_PAUSES.iter().sum();
    assert!(all < Duration::from_secs(10 * 60));
}
