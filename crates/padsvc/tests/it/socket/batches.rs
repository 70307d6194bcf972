//! Many revisions in one message: an extension that clients announce.

use std::collections::BTreeMap;

use changeset::Changeset;
use serde_json::{Map, Value, json};

use super::{base36, insert};
use crate::server::{Server, TempRoot};
use crate::socket_client::{Member, token};

/// A member, and what it has learned of revisions.
struct Learner {
    member: Member,
    /// The newest revision it knows.
    last: u64,
    /// Text and author by number, of those that others have made.
    learned: BTreeMap<u64, (String, String)>,
    own: Vec<u64>,
    /// What batches have named.
    names: Map<String, Value>,
    batches: usize,
}

impl Learner {
    fn join(server: &Server, person: usize, extensions: &Value) -> Learner {
        let mut member = Member::connect(server);
        let fields = json!({ "padId": "notes", "token": token(person), "extensions": extensions });
        member.ready(&fields);
        member.welcomed();
        Learner {
            member,
            last: 0,
            learned: BTreeMap::new(),
            own: Vec::new(),
            names: Map::new(),
            batches: 0,
        }
    }

    fn writes(&mut self, text: &str) {
        let author = self.member.author.clone();
        self.member.change(0, insert(5, text, &author));
    }

    fn learns_up_to(&mut self, newest: u64) {
        while self.last < newest {
            let message = self.member.message();
            let data = &message["data"];
            match data["type"].as_str().unwrap_or_default() {
                "ACCEPT_COMMIT" => {
                    let rev = data["newRev"].as_u64().unwrap();
                    self.own.push(rev);
                    if rev == self.last + 1 {
                        self.last = rev;
                    }
                }
                "NEW_CHANGES" => {
                    let rev = data["newRev"].as_u64().unwrap();
                    self.reads(rev, data["changeset"].as_str().unwrap(), &data["author"]);
                }
                "CHANGES_BATCH" => self.reads_batch(data),
                _ => {}
            }
        }
    }

    fn reads(&mut self, rev: u64, notation: &str, author: &Value) {
        assert_eq!(rev, self.last + 1, "without a gap");
        self.last = rev;
        let change = Changeset::parse(notation).unwrap();
        if !self.own.contains(&rev) {
            let author = author.as_str().unwrap().to_owned();
            self.learned
                .insert(rev, (change.bank.to_string_lossy(), author));
        }
    }

    fn reads_batch(&mut self, data: &Value) {
        self.batches += 1;
        self.names
            .extend(data["attributes"].as_object().unwrap().clone());
        let mut length = data["baseLength"].as_u64().unwrap();
        let first = data["baseRev"].as_u64().unwrap() + 1;
        for (rev, change) in (first..).zip(data["changes"].as_array().unwrap()) {
            let (steps, text) = change[0].as_str().unwrap().split_once('$').unwrap();
            let lengths = [length as usize, text.len()].map(base36);
            length += text.len() as u64;
            let author = self.names[&change[1].to_string()].clone();
            assert_eq!(author[0], "author");
            // Its own was taken at once if it comes first.
            if rev > self.last {
                let notation = format!("Z:{}>{}{steps}${text}", lengths[0], lengths[1]);
                self.reads(rev, &notation, &author[1]);
            }
        }
    }
}

#[test]
fn members_that_take_batches_learn_what_others_learn_one_by_one() {
    let root = TempRoot::new("socket_batches");
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "base" }));
    let known = json!(["batches", "something else"]);
    let mut stock = Learner::join(&server, 1, &json!([]));
    let mut reader = Learner::join(&server, 2, &known);
    assert_eq!(reader.member.vars["extensions"], json!(["batches"]));
    assert_eq!(stock.member.vars.get("extensions"), None);
    let writers = 3..15;
    let mut writers: Vec<_> = writers
        .map(|it| Learner::join(&server, it, &known))
        .collect();
    // Those that wait together are stored together, and then delivered together.
    let mut newest = 0;
    while reader.batches < 2 {
        for (number, writer) in writers.iter_mut().enumerate() {
            writer.writes(&format!("{number} of {newest};"));
        }
        stock.writes(&format!("stock of {newest};"));
        newest += writers.len() as u64 + 1;
        reader.learns_up_to(newest);
        stock.learns_up_to(newest);
        writers.iter_mut().for_each(|it| it.learns_up_to(newest));
    }
    assert_eq!(stock.batches, 0);
    assert_eq!(reader.learned.len() as u64, newest);
    for member in writers.iter().chain([&stock]) {
        let made = |it: &&(String, String)| it.1 == member.member.author;
        let own = reader.learned.iter().filter(|(_, it)| made(it));
        assert_eq!(own.map(|(rev, _)| *rev).collect::<Vec<_>>(), member.own);
        let mut others = reader.learned.clone();
        others.retain(|_, it| it.1 != member.member.author);
        assert_eq!(others, member.learned);
    }
    drop((reader, writers, stock));
    server.stop();
}
