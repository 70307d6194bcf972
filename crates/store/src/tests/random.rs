//! Any sequence of calls gives the answers that the model gives.

use std::collections::HashMap;

use changeset::Text;
use pad::{AuthorId, AuthorToken, ChatMessage, Colour, PadId, Rev, Session, Timestamp, TokenHash};
use proptest::prelude::*;

use super::model::{Key, Model};
use super::scratch::Scratch;
use crate::conformance::sample::*;
use crate::{Location, NewPad, PadKey, SavedRevision, Store, Transfer};

/// A call. Numbers choose among few names, so that calls meet.
#[derive(Clone, Debug)]
enum Call {
    Create(u8),
    Append(u8, u8, u64),
    AppendToStaleHead(u8),
    Read(u8, u8, u8),
    Delete(u8),
    Move(u8, u8, bool),
    Copy(u8, u8, bool),
    Compact(u8, Option<u8>),
    Options(u8, bool),
    ReadOnlyId(u8, u8),
    DeletionToken(u8, u8),
    Save(u8, u8),
    Chat(u8, u8),
    List(u8, u8),
    Author(u8, u8),
    Erase(u8, bool),
    Group(u8, u8),
    Session(u8, u8),
    Tidy,
}

fn call() -> impl Strategy<Value = Call> {
    let small = || 0..6u8;
    prop_oneof![
        4 => small().prop_map(Call::Create),
        8 => (small(), 1..30u8, any::<u64>()).prop_map(|(a, b, c)| Call::Append(a, b, c)),
        1 => small().prop_map(Call::AppendToStaleHead),
        6 => (small(), any::<u8>(), any::<u8>()).prop_map(|(a, b, c)| Call::Read(a, b, c)),
        1 => small().prop_map(Call::Delete),
        2 => (small(), small(), any::<bool>()).prop_map(|(a, b, c)| Call::Move(a, b, c)),
        2 => (small(), small(), any::<bool>()).prop_map(|(a, b, c)| Call::Copy(a, b, c)),
        2 => (small(), proptest::option::of(0..30u8)).prop_map(|(a, b)| Call::Compact(a, b)),
        1 => (small(), any::<bool>()).prop_map(|(a, b)| Call::Options(a, b)),
        1 => (small(), small()).prop_map(|(a, b)| Call::ReadOnlyId(a, b)),
        1 => (small(), small()).prop_map(|(a, b)| Call::DeletionToken(a, b)),
        1 => (small(), 0..20u8).prop_map(|(a, b)| Call::Save(a, b)),
        3 => (small(), small()).prop_map(|(a, b)| Call::Chat(a, b)),
        2 => (small(), small()).prop_map(|(a, b)| Call::List(a, b)),
        3 => (small(), small()).prop_map(|(a, b)| Call::Author(a, b)),
        1 => (small(), any::<bool>()).prop_map(|(a, b)| Call::Erase(a, b)),
        2 => (small(), small()).prop_map(|(a, b)| Call::Group(a, b)),
        2 => (small(), small()).prop_map(|(a, b)| Call::Session(a, b)),
        1 => Just(Call::Tidy),
    ]
}

/// Half of the pads belong to groups.
fn name(number: u8) -> PadId {
    match number {
        0..3 => pad_id(&format!("pad {number}")),
        _ => PadId::in_group(&group_id(u128::from(number % 2)), &number.to_string()).unwrap(),
    }
}

/// A store, its model, and which key means which.
struct Pair {
    store: Store,
    model: Model,
    keys: Vec<PadKey>,
    by_key: HashMap<PadKey, Key>,
}

impl Pair {
    /// A pad that was once there, by its number: the model's key and the store's.
    fn pick(&self, number: u8) -> (Key, PadKey) {
        match self.keys.len() {
            0 => (usize::MAX, PadKey(i64::MAX)),
            count => {
                // The newest are chosen most, for the others are often gone.
                let at = count - 1 - usize::from(number) % count;
                (at, self.keys[at])
            }
        }
    }

    fn learn(&mut self, model: Key, store: PadKey) {
        if model == self.keys.len() {
            self.keys.push(store);
            assert_eq!(
                self.by_key.insert(store, model),
                None,
                "a key is given twice"
            );
        } else {
            assert_eq!(self.keys[model], store);
        }
    }

    async fn call(&mut self, call: &Call) {
        let (changes, names) = (self.store.name_changes(), self.model.names());
        self.make(call).await;
        if self.model.names() != names {
            let noticed = self.store.name_changes() != changes;
            assert!(
                noticed || changes.is_none(),
                "a change of names by {call:?}"
            );
        }
    }

    async fn make(&mut self, call: &Call) {
        match *call {
            Call::Create(..)
            | Call::Append(..)
            | Call::AppendToStaleHead(..)
            | Call::Read(..)
            | Call::Delete(..) => self.write(call).await,
            Call::Move(..) | Call::Copy(..) | Call::Compact(..) | Call::Tidy => {
                self.rearrange(call).await;
            }
            Call::Options(..)
            | Call::ReadOnlyId(..)
            | Call::DeletionToken(..)
            | Call::Save(..)
            | Call::Chat(..)
            | Call::List(..) => self.annotate(call).await,
            Call::Author(..) | Call::Erase(..) | Call::Group(..) | Call::Session(..) => {
                self.manage(call).await;
            }
        }
    }

    async fn write(&mut self, call: &Call) {
        match *call {
            Call::Create(number) => {
                let step = first("Hallo", &author_id(u128::from(number)));
                let id = name(number);
                let new = NewPad {
                    id: &id,
                    step: &step,
                    deletion: None,
                    public: false,
                    settings: None,
                };
                let created = self.store.create_pad(new).await.unwrap();
                let expected = self.model.create(&id, &step);
                assert_eq!(created.is_some(), expected.is_some());
                if let (Some(store), Some(model)) = (created, expected) {
                    self.learn(model, store);
                }
            }
            Call::Append(pad, count, seed) => {
                let (model, key) = self.pick(pad);
                let Some(head) = self.model.alive(model).map(|pad| pad.head.clone()) else {
                    return;
                };
                let step = joined(edits(head.clone(), usize::from(count), seed));
                let appended = self.store.append(key, &head, &step).await.unwrap();
                assert_eq!(appended, self.model.append(model, &head, &step));
            }
            Call::AppendToStaleHead(pad) => {
                let (model, key) = self.pick(pad);
                let head = first("Hallo", &author_id(1)).head;
                let step = typed(&head, "x", &author_id(1));
                let is_stale = self
                    .model
                    .alive(model)
                    .is_none_or(|pad| pad.head.rev != Some(Rev(0)));
                if is_stale {
                    let appended = self.store.append(key, &head, &step).await.unwrap();
                    assert_eq!(appended, self.model.append(model, &head, &step));
                }
            }
            Call::Read(pad, from, to) => self.read(pad, from, to).await,
            Call::Delete(pad) => {
                let (model, key) = self.pick(pad);
                let deleted = self.store.delete_pad(key).await.unwrap();
                assert_eq!(deleted, self.model.delete(model));
            }
            _ => {}
        }
    }

    async fn read(&self, pad: u8, from: u8, to: u8) {
        let (model, key) = self.pick(pad);
        let expected = self.model.alive(model);
        let head = self.store.load_head(key).await.unwrap();
        assert_eq!(head.as_ref(), expected.map(|pad| &pad.head));
        let (from, to) = (usize::from(from.min(to)), usize::from(from.max(to)));
        let found = self
            .store
            .revisions(key, Rev(from as u64)..Rev(to as u64))
            .await
            .unwrap();
        let document = self.store.document_at(key, Rev(from as u64)).await.unwrap();
        let authors = self.store.authors_of_pad(key).await.unwrap();
        let Some(expected) = expected else {
            assert_eq!((found.len(), document), (0, None));
            return;
        };
        let end = to.min(expected.revisions.len());
        let revisions = expected.revisions.get(from..end).unwrap_or_default();
        assert_eq!(found.len(), revisions.len());
        for ((found, written), rev) in found.iter().zip(revisions).zip(from..) {
            assert_eq!((&found.author, found.time), (&written.author, written.time));
            // The base of a compacted pad is a change of its own.
            assert!(rev == 0 || found.change == written.change, "{rev}");
        }
        assert_eq!(document.as_ref(), expected.documents.get(from));
        assert_eq!(authors, expected.authors());
        let id = expected.name.clone().unwrap();
        let record = self.store.pad(&id).await.unwrap().unwrap();
        assert_eq!(record.key, key);
        assert_eq!(record.head.next(), Rev(expected.revisions.len() as u64));
        assert_eq!(record.head_time, expected.head.time);
        assert_eq!(record.created, expected.created);
        assert_eq!(record.creator, expected.creator);
        assert_eq!(record.chat_count, expected.chat.len() as u64);
        assert_eq!(
            (record.public, record.settings),
            (expected.public, expected.settings.clone())
        );
        assert_eq!(record.read_only_id, expected.read_only_id);
        assert_eq!(record.deletion, expected.deletion);
        let saved = self.store.saved_revisions(key).await.unwrap();
        assert!(saved.iter().eq(expected.saved.values()));
        let chat = self.store.chat(key, 0..u64::MAX).await.unwrap();
        assert!(
            chat.into_iter()
                .eq((0..).zip(expected.chat.iter().cloned()))
        );
        assert_eq!(self.store.check_pad(&id).await.unwrap(), []);
    }

    async fn rearrange(&mut self, call: &Call) {
        let now = Timestamp(77);
        match *call {
            Call::Move(pad, to, replace) => {
                let (model, key) = self.pick(pad);
                let moved = self.store.move_pad(key, &name(to), replace).await.unwrap();
                let expected = self.model.rename(model, &name(to), replace);
                self.compare_transfer(moved, expected);
            }
            Call::Copy(pad, to, replace) => {
                let (model, key) = self.pick(pad);
                let to = name(to);
                let copied = self.store.copy_pad(key, &to, replace, None, now);
                let copied = copied.await.unwrap();
                let expected = self.model.copy(model, &to, replace, now);
                self.compare_transfer(copied, expected);
            }
            Call::Compact(pad, keep) => {
                let (model, key) = self.pick(pad);
                let keep = keep.map(u64::from);
                let compacted = self.store.compact_pad(key, keep).await.unwrap();
                let expected = self.model.compact(model, keep.unwrap_or(0));
                assert_eq!(compacted.is_some(), expected.is_some());
                if let (Some(store), Some(model)) = (compacted, expected) {
                    self.learn(model, store);
                }
            }
            _ => self.store.tidy().await.unwrap(),
        }
    }

    fn compare_transfer(&mut self, answer: Transfer, expected: Result<Key, Transfer>) {
        match (answer, expected) {
            (Transfer::Done(store), Ok(model)) => self.learn(model, store),
            (answer, Err(expected)) => assert_eq!(answer, expected),
            (answer, Ok(_)) => panic!("{answer:?}"),
        }
    }

    async fn annotate(&mut self, call: &Call) {
        let store = self.store.clone();
        match *call {
            Call::Options(pad, public) => {
                let (model, key) = self.pick(pad);
                let done = store.set_public(key, public).await.unwrap();
                let settings = format!("{{\"public\":{public}}}");
                let pad = self.model.alive_mut(model);
                let before = pad.as_ref().and_then(|pad| pad.settings.clone());
                let set = store
                    .set_settings(key, before.as_deref(), &settings, None)
                    .await;
                assert_eq!(set.unwrap(), done);
                assert_eq!(done, pad.is_some());
                if let Some(pad) = pad {
                    (pad.public, pad.settings) = (public, Some(settings));
                }
            }
            Call::ReadOnlyId(pad, number) => {
                let (model, key) = self.pick(pad);
                let candidate =
                    read_only_id(self.model.pads.len() as u128 * 10 + u128::from(number));
                let taken =
                    self.model.pads.iter().any(|pad| {
                        pad.name.is_some() && pad.read_only_id.as_ref() == Some(&candidate)
                    });
                if taken {
                    return;
                }
                let given = store.read_only_id(key, candidate.clone()).await.unwrap();
                let Some(pad) = self.model.alive_mut(model) else {
                    assert_eq!(given, None);
                    return;
                };
                let expected = pad.read_only_id.get_or_insert(candidate).clone();
                assert_eq!(given.as_ref(), Some(&expected));
                let found = store.pad_of_read_only_id(&expected).await.unwrap();
                assert_eq!(found, pad.name);
            }
            Call::DeletionToken(pad, number) => {
                let (model, key) = self.pick(pad);
                let hash = TokenHash(format!("hash {number}"));
                let issued = store.issue_deletion_token(key, &hash).await.unwrap();
                let pad = self
                    .model
                    .alive_mut(model)
                    .filter(|pad| pad.deletion.is_none());
                assert_eq!(issued, pad.is_some());
                if let Some(pad) = pad {
                    pad.deletion = Some(hash);
                }
            }
            Call::Save(pad, rev) => self.save(pad, u64::from(rev)).await,
            Call::Chat(pad, author) => self.chat(pad, author).await,
            Call::List(after, limit) => {
                let after = name(after);
                let listed = store
                    .list_pads(Some(after.as_str()), usize::from(limit))
                    .await;
                let names = self.model.names();
                let later = names.iter().filter(|name| **name > after);
                let expected: Vec<PadId> = later.take(usize::from(limit)).cloned().collect();
                assert_eq!(listed.unwrap(), expected);
                assert_eq!(store.list_pads(None, 100).await.unwrap(), names);
                assert_eq!(store.count_pads().await.unwrap(), names.len() as u64);
            }
            _ => {}
        }
    }

    async fn save(&mut self, pad: u8, rev: u64) {
        let (model, key) = self.pick(pad);
        let saved = SavedRevision {
            rev: Rev(rev),
            id: rev.to_string(),
            label: format!("Version {rev}"),
            author: None,
            time: Timestamp(5),
        };
        let done = self.store.save_revision(key, &saved).await.unwrap();
        let Some(pad) = self.model.alive_mut(model) else {
            assert!(!done);
            return;
        };
        let is_new = rev < pad.revisions.len() as u64 && !pad.saved.contains_key(&rev);
        assert_eq!(done, is_new);
        if is_new {
            pad.saved.insert(rev, saved);
        }
        let listed = self.store.saved_revisions(key).await.unwrap();
        assert!(listed.iter().eq(pad.saved.values()));
    }

    async fn chat(&mut self, pad: u8, author: u8) {
        let (model, key) = self.pick(pad);
        let message = ChatMessage {
            text: Text::from("Hallo"),
            author: (author > 0).then(|| author_id(u128::from(author))),
            time: Timestamp(i64::from(author)),
        };
        let number = self.store.append_chat(key, &message).await.unwrap();
        let Some(pad) = self.model.alive_mut(model) else {
            assert_eq!(number, None);
            return;
        };
        assert_eq!(number, Some(pad.chat.len() as u64));
        pad.chat.push(message);
        let found = self.store.chat(key, 1..4).await.unwrap();
        let expected = (1..).zip(pad.chat.iter().skip(1).take(3).cloned());
        assert!(found.into_iter().eq(expected));
    }

    async fn manage(&mut self, call: &Call) {
        match *call {
            Call::Author(number, how) => self.author(number, how).await,
            Call::Erase(number, dry_run) => {
                let (id, now) = (author_id(u128::from(number)), Timestamp(88));
                let erased = self.store.erase_author(&id, now, dry_run).await.unwrap();
                assert_eq!(erased, self.model.erase(&id, now, dry_run));
                let author = self.store.author(&id).await.unwrap();
                assert_eq!(author.as_ref(), self.model.authors.get(&id));
            }
            Call::Group(number, how) => self.group(number, how).await,
            Call::Session(number, how) => self.session(number, how).await,
            _ => {}
        }
    }

    async fn author(&mut self, number: u8, how: u8) {
        let new = author(u128::from(number));
        let id = new.id.clone();
        let store = &self.store;
        match how {
            0 => {
                store.create_author(&new).await.unwrap();
                self.model.authors.entry(id.clone()).or_insert(new);
            }
            1 => {
                let mapper = format!("mapper {}", number / 2);
                let found = store.author_of_mapper(&mapper, &new).await.unwrap();
                let known = self.model.mappers.contains_key(&mapper);
                let expected = self.model.mappers.entry(mapper).or_insert(id.clone());
                assert_eq!(found, *expected);
                if !known {
                    self.model.authors.entry(id.clone()).or_insert(new);
                }
            }
            2 => {
                let token = AuthorToken::random([u128::from(number / 2), 7]);
                let found = store.author_of_token(&token, &new).await.unwrap();
                let name = token.as_str().to_owned();
                let known = self.model.tokens.contains_key(&name);
                let expected = self.model.tokens.entry(name).or_insert(id.clone());
                assert_eq!(found, *expected);
                if !known {
                    self.model.authors.entry(id.clone()).or_insert(new);
                }
            }
            3 => {
                let (colour, now) = (Colour::Palette(3), Timestamp(66));
                let done = store.set_author_name(&id, Some("neu"), now).await.unwrap();
                assert_eq!(
                    store.set_author_colour(&id, &colour, now).await.unwrap(),
                    done
                );
                let author = self.model.authors.get_mut(&id);
                let author = author.filter(|author| author.erased.is_none());
                assert_eq!(done, author.is_some());
                if let Some(author) = author {
                    author.name = Some("neu".to_owned());
                    (author.colour, author.last_seen) = (colour, now);
                }
            }
            _ => {
                let id = author_id(u128::from(number) + 100 - 3);
                let pads = self
                    .model
                    .pads
                    .iter()
                    .filter(|pad| pad.authors().contains(&id));
                let mut names: Vec<PadId> = pads.filter_map(|pad| pad.name.clone()).collect();
                names.sort();
                assert_eq!(store.pads_of_author(&id).await.unwrap(), names);
            }
        }
        let found = store.author(&id).await.unwrap();
        assert_eq!(found.as_ref(), self.model.authors.get(&id));
    }

    async fn group(&mut self, number: u8, how: u8) {
        let (id, now) = (group_id(u128::from(number)), Timestamp(1));
        let store = &self.store;
        match how {
            0 | 1 => {
                store.create_group(&id, now).await.unwrap();
                self.model.groups.entry(id.clone()).or_default();
            }
            2 | 3 => {
                let mapper = format!("group mapper {}", number / 2);
                let found = store.group_of_mapper(&mapper, &id, now).await.unwrap();
                let mut groups = self.model.groups.iter();
                let known = groups.find(|(_, mappers)| mappers.contains(&mapper));
                let expected = known.map_or(id.clone(), |(known, _)| known.clone());
                assert_eq!(found, expected);
                let mappers = self.model.groups.entry(expected).or_default();
                if !mappers.contains(&mapper) {
                    mappers.push(mapper);
                }
            }
            _ => {
                let deleted = store.delete_group(&id).await.unwrap();
                assert_eq!(deleted, self.model.delete_group(&id));
            }
        }
        let groups: Vec<_> = self.model.groups.keys().cloned().collect();
        assert_eq!(store.list_groups().await.unwrap(), groups);
        let mut names = self.model.names();
        names.retain(|name| name.group().as_ref() == Some(&id));
        assert_eq!(store.pads_of_group(&id).await.unwrap(), names);
    }

    async fn session(&mut self, number: u8, how: u8) {
        let session = Session {
            id: session_id(u128::from(number)),
            group: group_id(u128::from(number % 2)),
            author: AuthorId::random(u128::from(number % 3)),
            valid_until: i64::from(number),
        };
        let store = &self.store;
        let sessions = &mut self.model.sessions;
        match how {
            0..3 if !sessions.contains_key(&session.id) => {
                store.create_session(&session).await.unwrap();
                sessions.insert(session.id.clone(), session.clone());
            }
            3 => {
                let deleted = store.delete_session(&session.id).await.unwrap();
                assert_eq!(deleted, sessions.remove(&session.id).is_some());
            }
            4 => {
                let before = Timestamp(i64::from(number) * 1000 + 500);
                let count = sessions.len();
                sessions.retain(|_, session| session.is_valid(before));
                let removed = store.remove_expired_sessions(before).await.unwrap();
                assert_eq!(removed, (count - sessions.len()) as u64);
            }
            _ => {}
        }
        let of_group: Vec<_> = sessions
            .values()
            .filter(|s| s.group == session.group)
            .collect();
        let found = store.sessions_of_group(&session.group).await.unwrap();
        assert!(found.iter().eq(of_group));
        let of_author: Vec<_> = sessions
            .values()
            .filter(|s| s.author == session.author)
            .collect();
        let found = store.sessions_of_author(&session.author).await.unwrap();
        assert!(found.iter().eq(of_author));
        assert_eq!(store.count_sessions().await.unwrap(), sessions.len() as u64);
    }
}

async fn try_calls(location: Location, calls: &[Call]) {
    let store = Store::open(super::keyed(location)).await.unwrap();
    let mut pair = Pair {
        store,
        model: Model::default(),
        keys: Vec::new(),
        by_key: HashMap::new(),
    };
    for call in calls {
        pair.call(call).await;
    }
    for number in 0..6 {
        pair.read(number, 0, 200).await;
    }
    pair.store.close().await;
}

fn run(future: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future);
}

fn cases(count: u32) -> ProptestConfig {
    let factor = std::env::var("PADSVC_SOAK").ok();
    let factor: u32 = factor.and_then(|factor| factor.parse().ok()).unwrap_or(1);
    ProptestConfig::with_cases(count * factor)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn memory_answers_as_the_model(calls in proptest::collection::vec(call(), 1..60)) {
        run(try_calls(Location::Memory, &calls));
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn embedded_answers_as_the_model(calls in proptest::collection::vec(call(), 1..60)) {
        let scratch = Scratch::new();
        run(try_calls(scratch.embedded(), &calls));
    }
}
