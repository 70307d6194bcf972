//! A hostile crowd, and loyal editors beside it who lose nothing.
//!
//! The crowd comes from other addresses than the editors and does at random what attacks.rs has,
//! the same for the same seed. In the normal run each attack happens a few times. With
//! `PADSVC_HOSTILE_MINUTES` (`cargo xtask soak hostile`) it goes on for so long, `padsvc loadtest`
//! types beside it, and 95 of 100 of its changes must be acknowledged within 250 ms.

mod attacks;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::{Server, TempRoot, padsvc, run, stdout};
use crate::socket::insert;
use crate::socket_client::{Member, token};
use attacks::ATTACKS;

/// How many attack at the same time.
const ATTACKERS: usize = 6;
/// How often each attack happens in the normal run.
const ROUNDS: usize = 2;
/// Within which 95 of 100 changes of loyal editors are acknowledged, in the long run.
const P95: f64 = 250.0;
/// Anything that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// Numbers that look random and are the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }
}

/// Where the crowd is, and what it knows.
pub(crate) struct Arena {
    pub address: SocketAddr,
    /// A group's pad, and the cookies of somebody who may open it.
    pub group_pad: String,
    pub cookies: String,
    /// The author of the witness, who is in the pad `notes`.
    pub witness: String,
    is_over: AtomicBool,
    counts: Mutex<BTreeMap<&'static str, u64>>,
}

impl Arena {
    /// A connection from an address of the crowd; `None` where the server takes no more.
    pub(crate) fn dial(&self, dice: &mut Dice) -> Option<TcpStream> {
        let from = IpAddr::from([127, 0, 1, 1 + dice.below(20) as u8]);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        let stream = runtime.unwrap().block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().ok()?;
            socket.bind(SocketAddr::new(from, 0)).ok()?;
            socket.connect(self.address).await.ok()?.into_std().ok()
        })?;
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Some(stream)
    }

    /// A socket from an address of the crowd.
    pub(crate) fn connect(
        &self,
        dice: &mut Dice,
        headers: &[(&'static str, &str)],
    ) -> Option<Member> {
        let stream = self.dial(dice)?;
        Member::over(stream, &self.address.to_string(), headers)
    }

    /// Somebody of the crowd who is in a pad.
    pub(crate) fn join(&self, dice: &mut Dice, pad: &str) -> Option<Member> {
        let mut member = self.connect(dice, &[])?;
        member.ready(&json!({ "padId": pad, "token": token(1000 + dice.below(50)) }));
        let message = member.next_message()?;
        (message["type"] == "CLIENT_VARS").then(|| member.take_vars(message))?;
        Some(member)
    }

    /// Waits, but not beyond the end.
    pub(crate) fn pause(&self, duration: Duration) {
        let end = Instant::now() + duration;
        while Instant::now() < end && !self.is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn count(&self, what: &'static str) {
        *self.counts.lock().unwrap().entry(what).or_default() += 1;
    }
}

/// Attacks at random until it is over, or each attack as often as it is said.
fn attack(arena: &Arena, seed: u64, rounds: Option<usize>) {
    let mut dice = Dice::new(seed);
    let mut next = 0;
    while !arena.is_over.load(Ordering::Relaxed) {
        let (name, attack) = match rounds {
            None => ATTACKS[dice.below(ATTACKS.len())],
            Some(rounds) if next < rounds * ATTACKS.len() => ATTACKS[next % ATTACKS.len()],
            Some(_) => return,
        };
        next += 1;
        match attack(arena, &mut dice) {
            Some(()) => arena.count(name),
            // Refused or cut off half way, which is as good.
            None => arena.count("cut off"),
        }
    }
}

/// An editor who counts: every change has a number, and is remembered once it is acknowledged.
fn bear_witness(mut member: Member, arena: &Arena) -> u64 {
    let mut length = member.length();
    let mut rev = member.vars["collab_client_vars"]["rev"].as_u64().unwrap();
    let mut number = 0;
    while !arena.is_over.load(Ordering::Relaxed) {
        let word = format!("{number} ");
        member.change(rev, insert(length, &word, &member.author.clone()));
        rev = member.accepted().expect("nobody sends the witness away");
        length += word.len();
        number += 1;
        arena.pause(Duration::from_millis(100));
    }
    number
}

/// Memory in megabytes, now and at most so far.
fn memory(server: &Server) -> (u64, u64) {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let kilobytes = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap()
            .split_whitespace()
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    (kilobytes("VmRSS:") / 1000, kilobytes("VmHWM:") / 1000)
}

fn arena(server: &Server, witness: &Member) -> Arena {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let group = server.data("createGroup", &json!({}))["groupID"].clone();
    let author = server.data("createAuthor", &json!({}))["authorID"].clone();
    let pad = json!({ "groupID": group, "padName": "plan" });
    let pad = server.data("createGroupPad", &pad)["padID"].clone();
    let session = json!({ "groupID": group, "authorID": author, "validUntil": 4_000_000_000_u64 });
    let session = server.data("createSession", &session)["sessionID"].clone();
    server.data("createPad", &json!({ "padID": "book" }));
    let book = "0123456789abcde\n".repeat(attacks::BOOK / 16);
    server.data("setText", &json!({ "padID": "book", "text": book }));
    Arena {
        address: server.address.parse().unwrap(),
        group_pad: text(&pad),
        cookies: format!("sessionID={}; token={}", text(&session), token(1)),
        witness: witness.author.clone(),
        is_over: AtomicBool::new(false),
        counts: Mutex::default(),
    }
}

/// People who type in other pads.
fn start_editors(server: &Server, root: &TempRoot, minutes: u64) -> Child {
    let mut editors = padsvc(root);
    editors.args(["loadtest", &format!("http://{}", server.address)]);
    let line = "--authors 5 --readers 2 --pads 2 --seconds";
    editors
        .args(line.split(' '))
        .arg((minutes * 60).to_string());
    editors.stdout(Stdio::piped()).stderr(Stdio::null());
    editors.spawn().unwrap()
}

/// All that the witness saw acknowledged is there, once and in its order.
fn check_notes(server: &Server, written: u64) {
    let notes = server.data("getText", &json!({ "padID": "notes" }));
    let expected: Vec<String> = (0..written)
        .rev()
        .map(|number| number.to_string())
        .collect();
    let words = notes["text"].as_str().unwrap().split(' ');
    let found: Vec<&str> = words.take(expected.len()).collect();
    assert_eq!(
        found, expected,
        "each acknowledged change once, in its order"
    );
}

#[test]
fn loyal_editors_lose_nothing_beside_a_hostile_crowd() {
    let number = |name| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse::<u64>().unwrap())
    };
    let minutes = number("PADSVC_HOSTILE_MINUTES");
    let seed = number("PADSVC_HOSTILE_SEED").unwrap_or(1);
    let root = TempRoot::with_settings("hostile", r#"{ "loglevel": "WARN" }"#);
    let server = Server::start(&root);
    let witness = Member::join(&server, "notes", &token(1));
    let arena = Arc::new(arena(&server, &witness));
    let idle = memory(&server).0;
    let editors = minutes.map(|minutes| start_editors(&server, &root, minutes));
    let watching = Arc::clone(&arena);
    let witness = thread::spawn(move || bear_witness(witness, &watching));
    let rounds = minutes.is_none().then_some(ROUNDS);
    let crowd = (0..ATTACKERS as u64).map(|attacker| {
        let arena = Arc::clone(&arena);
        thread::spawn(move || attack(&arena, seed + attacker, rounds))
    });
    let crowd: Vec<_> = crowd.collect();
    // The long run ends with the editors, the short one with the crowd.
    let report = editors.map(|editors| editors.wait_with_output().unwrap());
    if report.is_some() {
        arena.is_over.store(true, Ordering::Relaxed);
    }
    for attacker in crowd {
        attacker.join().unwrap();
    }
    arena.is_over.store(true, Ordering::Relaxed);
    let written = witness.join().unwrap();
    let (after, most) = memory(&server);
    println!("seed {seed}: {:?}", arena.counts.lock().unwrap());
    println!("memory: {idle} MB idle, {most} MB at most, {after} MB afterwards");

    check_notes(&server, written);
    println!("witness: {written} changes acknowledged, all there");
    assert_eq!(server.get("/health").status, 200);
    let log = server.log();
    assert!(!log.contains("panicked"), "{log}");
    server.stop();
    let checked = stdout(&run(&root, &["check"]));
    assert!(checked.ends_with("no problems\n"), "{checked}");
    if let Some(report) = report {
        let text = stdout(&report);
        println!("{text}");
        assert!(report.status.success(), "an editor had trouble");
        let acknowledged = text.lines().find(|line| line.starts_with("acknowledged"));
        let p95 = acknowledged.unwrap().split_whitespace().nth(3).unwrap();
        assert!(p95.parse::<f64>().unwrap() <= P95, "p95 {p95} ms");
    }
}
