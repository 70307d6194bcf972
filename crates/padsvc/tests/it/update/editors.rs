//! People write while the service updates itself: they learn when, they come back, and nothing
//! of what they wrote is lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{self, Request};
use crate::socket::insert;
use crate::socket_client::{Member, token};
use crate::update::installation::{Installation, PATIENCE};
use crate::update::origin::Kind;

/// Somebody who writes numbers at the end of a pad, and comes back when the connection is gone.
struct Writer {
    person: usize,
    member: Member,
    /// What was acknowledged.
    accepted: Vec<String>,
    length: usize,
    rev: u64,
    /// How many seconds were left, by what was said, and when that was.
    told: Vec<(u64, Instant)>,
}

pub(super) fn join(address: &str, person: usize) -> Option<Member> {
    let mut member = Member::connect_to(address, &[])?;
    let pad = format!("pad-{person}");
    let ready = json!({
        "component": "pad", "type": "CLIENT_READY", "padId": pad, "token": token(person),
    });
    member.try_send(&format!("42{}", json!(["message", ready])));
    loop {
        let message = member.next_message()?;
        if message["type"] == "CLIENT_VARS" {
            member.author = message["data"]["userId"].as_str()?.to_owned();
            member.vars = message["data"].clone();
            return Some(member);
        }
        if message["disconnect"] == "updateInProgress" {
            return None;
        }
    }
}

impl Writer {
    fn new(address: &str, person: usize) -> Writer {
        let member = join(address, person).unwrap();
        let mut writer = Writer {
            person,
            member,
            accepted: Vec::new(),
            length: 0,
            rev: 0,
            told: Vec::new(),
        };
        writer.look();
        writer
    }

    fn look(&mut self) {
        self.length = self.member.length();
        self.rev = self.member.vars["collab_client_vars"]["rev"]
            .as_u64()
            .unwrap();
    }

    /// Writes one word and waits until it is accepted, whatever happens meanwhile.
    fn write(&mut self, address: &str, word: &str) {
        let mut is_back = true;
        loop {
            let text =
                self.member.vars["collab_client_vars"]["initialAttributedText"]["text"].clone();
            if !is_back && text.as_str().unwrap().contains(word) {
                // It was stored; only the answer did not arrive.
                self.accepted.push(word.to_owned());
                return;
            }
            let author = self.member.author.clone();
            let change = insert(self.length, word, &author);
            self.send(change);
            if let Some(rev) = self.hear() {
                self.rev = rev;
                self.length += word.encode_utf16().count();
                self.accepted.push(word.to_owned());
                return;
            }
            self.come_back(address);
            is_back = false;
        }
    }

    fn send(&mut self, mut change: Value) {
        change["type"] = json!("USER_CHANGES");
        change["baseRev"] = json!(self.rev);
        let message = json!({ "component": "pad", "type": "COLLABROOM", "data": change });
        // If nobody hears it, listening tells.
        self.member
            .try_send(&format!("42{}", json!(["message", message])));
    }

    /// Listens until the change is accepted; `None` when the connection is gone.
    fn hear(&mut self) -> Option<u64> {
        loop {
            let message = self.member.next_message()?;
            let data = &message["data"];
            if data["type"] == "ACCEPT_COMMIT" {
                return data["newRev"].as_u64();
            }
            let shouted = &data["payload"]["message"];
            if let Some(seconds) = shouted["values"]["seconds"].as_u64() {
                assert!(
                    shouted["messageKey"]
                        .as_str()?
                        .starts_with("update.drain.t")
                );
                self.told.push((seconds, Instant::now()));
            }
        }
    }

    fn come_back(&mut self, address: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            assert!(Instant::now() < end, "the service is back");
            if let Some(member) = join(address, self.person) {
                self.member = member;
                return self.look();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn is_soak() -> bool {
    std::env::var_os("PADSVC_SOAK").is_some()
}

/// How long people are informed before; the whole contract takes over a minute.
fn drain_seconds() -> u64 {
    if is_soak() { 61 } else { 12 }
}

/// What people see, and when.
fn announced(drain: u64) -> Vec<u64> {
    let marks = [60, 30, 10].into_iter().filter(|mark| *mark < drain);
    [drain].into_iter().chain(marks).collect()
}

#[test]
fn nothing_is_lost_while_people_write() {
    let drain = drain_seconds();
    let mut here = Installation::new("editors", json!({ "drainSeconds": drain }));
    here.settings["commitRateLimiting"] = json!({ "duration": 1, "points": 1000 });
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_known("v1.1.0");
    let address = here.address.as_str();
    let is_over = AtomicBool::new(false);
    /// Ends the writing, also when something fails.
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let write = |person: usize| {
        let mut writer = Writer::new(address, person);
        for count in 0.. {
            if is_over.load(Ordering::Relaxed) {
                break;
            }
            writer.write(address, &format!("w{person}-{count} "));
            std::thread::sleep(Duration::from_millis(20));
        }
        writer
    };
    let (drained, writers) = std::thread::scope(|scope| {
        let write = &write;
        let end = End(&is_over);
        let writers: Vec<_> = (0..3)
            .map(|person| scope.spawn(move || write(person)))
            .collect();
        here.until("everybody is there", || {
            call(&here, "listAllPads", "")["padIDs"][2].is_string()
        });
        let answer = here.apply();
        let drained = Instant::now() + Duration::from_secs(drain);
        assert_eq!(answer.status, 202, "{}", answer.text());
        // Nobody new comes in meanwhile, and the reason is given.
        let mut late = Member::connect_to(address, &[]).unwrap();
        late.ready(&json!({ "padId": "late", "token": token(9) }));
        assert_eq!(
            late.next_message().unwrap()["disconnect"],
            "updateInProgress"
        );
        here.until_status("verified");
        drop(end);
        let writers: Vec<Writer> = writers.into_iter().map(|one| one.join().unwrap()).collect();
        (drained, writers)
    });
    for writer in &writers {
        let seconds: Vec<u64> = writer.told.iter().map(|(seconds, _)| *seconds).collect();
        assert_eq!(seconds, announced(drain));
        // Only on a machine that has nothing else to do.
        for (seconds, at) in writer.told.iter().filter(|_| is_soak()) {
            let left = drained.saturating_duration_since(*at).as_secs_f64();
            assert!(
                (left - *seconds as f64).abs() < 2.5,
                "{seconds} told {left} before"
            );
        }
        let text = call(&here, "getText", &format!("?padID=pad-{}", writer.person));
        let text = text["text"].as_str().unwrap();
        let words = text
            .split(' ')
            .filter(|word| word.starts_with('w') && word.contains('-'));
        let mut words: Vec<&str> = words.collect();
        // The newest is in front.
        words.reverse();
        let accepted: Vec<&str> = writer.accepted.iter().map(|word| word.trim()).collect();
        assert!(accepted.len() > 10, "{}", accepted.len());
        assert_eq!(words, accepted);
    }
    here.stop();
}

fn call(here: &Installation, function: &str, query: &str) -> Value {
    let key = std::fs::read_to_string(here.root.join("APIKEY.txt")).unwrap();
    let request = Request::get(&format!("/api/1.3.1/{function}{query}"));
    let mut envelope = client::send(&here.address, &request.header("apikey", key.trim())).json();
    envelope["data"].take()
}
