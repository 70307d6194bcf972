//! Somebody who types, and comes back with a known revision whenever the connection breaks, as the
//! web client does.

use std::time::{Duration, Instant};

use changeset::{Attribs, Attribute, Changeset, splice};
use pad::{AuthorId, Replica, Rev, Update};
use serde_json::{Value, json};

use super::link::{Link, Transport};
use super::pause::Pause;
use crate::json::{document, pool, pool_to_json, string};
use crate::socket_client::token;

/// Between attempts to connect. The web client waits a little longer.
const PAUSE: Duration = Duration::from_millis(100);
/// Longer than any fault of these tests lasts, so that what never ends is a failure and no hang.
const PATIENCE: Duration = Duration::from_secs(240);

pub(super) struct Editor {
    number: usize,
    address: String,
    transport: Transport,
    pub pad: String,
    link: Option<Link>,
    replica: Option<Replica>,
    author: String,
    /// The word on its way.
    word: Option<String>,
    /// What was acknowledged, with its revision.
    pub acknowledged: Vec<(u64, String)>,
    pause: Pause,
    pub longest: Pause,
    pub reconnects: usize,
}

impl Editor {
    pub(super) fn new(number: usize, address: &str, pad: &str, transport: Transport) -> Editor {
        let mut editor = Editor {
            number,
            address: address.to_owned(),
            transport,
            pad: pad.to_owned(),
            link: None,
            replica: None,
            author: String::new(),
            word: None,
            acknowledged: Vec::new(),
            pause: Pause::begin(),
            longest: Pause::begin(),
            reconnects: 0,
        };
        editor.connect_until(Instant::now() + PATIENCE);
        editor
    }

    /// Types a word and waits until it is acknowledged, whatever happens meanwhile.
    pub(super) fn write(&mut self) {
        self.pause = Pause::begin();
        let end = Instant::now() + PATIENCE;
        let word = format!("<{}.{}>", self.number, self.acknowledged.len());
        let replica = self.replica.as_mut().unwrap();
        let visible = replica.visible().unwrap();
        let author = Attribute::new("author", self.author.clone());
        let attribs: Attribs = [replica.pool_mut().intern(author)].into_iter().collect();
        // At the start of a line, so that words stay whole.
        let units: Vec<u16> = format!("{word}\n").encode_utf16().collect();
        let lines = visible.text().to_string().matches('\n').count().max(1);
        let line = self.number * 31 % lines;
        let change = splice(&visible, visible.line_start(line), 0, &units, &attribs);
        replica.edit(&change).unwrap();
        self.word = Some(word);
        let mut submission = replica.next_submission();
        while self.word.is_some() {
            self.connect_until(end);
            if self.word.is_none() {
                break;
            }
            let replica = self.replica.as_ref().unwrap();
            let sent = submission
                .take()
                .or_else(|| replica.resubmission())
                .unwrap();
            let message = json!({ "component": "pad", "type": "COLLABROOM", "data": {
                "type": "USER_CHANGES",
                "baseRev": replica.rev().unwrap().0,
                "changeset": sent.change.print().to_string(),
                "apool": pool_to_json(&sent.pool),
            } });
            self.send(&message);
            while self.word.is_some() && self.link.is_some() {
                self.listen();
            }
            let lap = self.pause.lap();
            match self.word {
                Some(_) => self.pause.noticing += lap,
                None => self.pause.storing += lap,
            }
            submission = None;
        }
        if self.pause.length() > self.longest.length() {
            self.longest = self.pause;
        }
    }

    /// Listens until that revision is known.
    pub(super) fn read_to(&mut self, rev: u64) {
        let end = Instant::now() + PATIENCE;
        while self.rev() < rev {
            self.connect_until(end);
            if self.rev() < rev {
                self.listen();
            }
        }
    }

    pub(super) fn text(&self) -> String {
        let visible = self.replica.as_ref().unwrap().visible().unwrap();
        visible.text().to_string()
    }

    fn rev(&self) -> u64 {
        self.replica.as_ref().unwrap().rev().unwrap().0
    }

    fn connect_until(&mut self, end: Instant) {
        while self.link.is_none() {
            let who = self.number;
            assert!(Instant::now() < end, "editor {who} does not come back");
            if self.connect().is_none() {
                self.link = None;
                std::thread::sleep(PAUSE);
                let lap = self.pause.lap();
                self.pause.connecting += lap;
            }
        }
    }

    fn connect(&mut self) -> Option<()> {
        self.link = Some(Link::connect(&self.address, self.transport)?);
        let lap = self.pause.lap();
        self.pause.connecting += lap;
        let mut ready = json!({
            "component": "pad", "type": "CLIENT_READY",
            "padId": self.pad, "token": token(self.number),
        });
        let is_back = self.replica.is_some();
        if is_back {
            self.reconnects += 1;
            ready["reconnect"] = json!(true);
            ready["client_rev"] = json!(self.rev());
        }
        self.send(&ready);
        loop {
            let message = self.message()?;
            if message["type"] == "CLIENT_VARS" {
                assert!(!is_back, "editor {} starts over", self.number);
                self.begin(&message["data"]);
                return Some(());
            }
            let data = &message["data"];
            let is_answer = data["type"] == "CLIENT_RECONNECT";
            let is_last = data["noChanges"] == true || data["newRev"] == data["headRev"];
            self.hear(&message);
            if is_answer && is_last {
                let lap = self.pause.lap();
                self.pause.joining += lap;
                return Some(());
            }
            self.link.as_ref()?;
        }
    }

    fn begin(&mut self, vars: &Value) {
        string(&vars["userId"]).clone_into(&mut self.author);
        let author = AuthorId::parse(&self.author).unwrap();
        let vars = &vars["collab_client_vars"];
        let rev = Some(Rev(vars["rev"].as_u64().unwrap()));
        let text = document(&vars["initialAttributedText"]);
        self.replica = Some(Replica::new(author, rev, text, pool(&vars["apool"])));
    }

    fn send(&mut self, message: &Value) {
        let packet = format!("42{}", json!(["message", message]));
        if !self.link.as_mut().unwrap().send(&packet) {
            self.link = None;
        }
    }

    /// The next message; `None` when the connection is broken.
    fn message(&mut self) -> Option<Value> {
        loop {
            let Some(packet) = self.link.as_mut()?.packet() else {
                self.link = None;
                return None;
            };
            if let Some(event) = packet.strip_prefix("42") {
                let mut event: Value = serde_json::from_str(event).unwrap();
                return Some(event[1].take());
            }
        }
    }

    fn listen(&mut self) {
        if let Some(message) = self.message() {
            self.hear(&message);
        }
    }

    fn hear(&mut self, message: &Value) {
        if let Some(reason) = message["disconnect"].as_str() {
            // A node that stops lets nobody in any more.
            assert_eq!(reason, "updateInProgress", "editor {}", self.number);
            self.link = None;
            return;
        }
        assert!(message.get("accessStatus").is_none(), "{message}");
        let data = &message["data"];
        let rev = || Rev(data["newRev"].as_u64().unwrap());
        match data["type"].as_str() {
            Some("ACCEPT_COMMIT") => self.accepted(rev()),
            Some("NEW_CHANGES" | "CLIENT_RECONNECT") if data["changeset"].is_string() => {
                let next = self.rev() + 1;
                assert!(rev().0 <= next, "editor {}: no {next}: {data}", self.number);
                if rev().0 == next && data["author"] == self.author.as_str() {
                    // It was stored, only the acknowledgement got lost.
                    return self.accepted(rev());
                }
                let update = Update::Changed {
                    rev: rev(),
                    change: Changeset::parse(string(&data["changeset"])).unwrap(),
                    pool: pool(&data["apool"]),
                };
                self.replica.as_mut().unwrap().receive(&update).unwrap();
            }
            _ => {}
        }
    }

    fn accepted(&mut self, rev: Rev) {
        let (who, next) = (self.number, self.rev() + 1);
        assert_eq!(rev.0, next, "editor {who}: acknowledged out of order");
        let word = self.word.take();
        let word = word.unwrap_or_else(|| panic!("editor {who}: {rev:?} is acknowledged twice"));
        self.acknowledged.push((rev.0, word));
        let update = Update::Accepted { rev };
        self.replica.as_mut().unwrap().receive(&update).unwrap();
    }
}
