//! Everything that writes, with a failure at each of its steps.
//!
//! Whatever fails, what can be read afterwards is what was there before, or what should be there
//! after; and the same call then works.

use changeset::Text;
use pad::{
    AuthorToken, ChatMessage, Colour, DeletionToken, Head, PadId, Rev, Session, Timestamp, Title,
};

use super::sample::*;
use crate::{Error, FaultPlan, Import, Missed, NewPad, PadKey, SavedRevision, Store};

/// Tries every call on a store that was opened with the plan.
pub async fn failures(store: &Store, plan: &FaultPlan) {
    super::plugins::failures(store, plan).await;
    let mut number = 0;
    for operation in OPERATIONS {
        number += 1;
        let scene = Scene::set(store, number, operation).await;
        let before = scene.state().await;
        scene.run(operation).await.unwrap();
        let after = scene.state().await;
        assert_ne!(before, after, "{operation:?}");
        let mut is_reached = true;
        for step in 1.. {
            if !is_reached {
                break;
            }
            number += 1;
            let scene = Scene::set(store, number, operation).await;
            plan.fail_at(step);
            let outcome = scene.run(operation).await;
            is_reached = plan.end();
            let state = scene.state().await;
            let place = format!("{operation:?}, step {step}: {outcome:?}");
            match outcome {
                Ok(()) => assert_eq!(state, after, "{place}"),
                Err(Error::Unavailable(_)) => {
                    assert!(state == before || state == after, "{place}\n{state}");
                }
                Err(error) => panic!("{operation:?}, step {step}: {error}"),
            }
            scene.run(operation).await.unwrap();
            assert_eq!(scene.state().await, after, "{place}, and again");
            scene.check().await;
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Create,
    Append,
    AppendAndSeal,
    Replan,
    Chat,
    SaveRevision,
    SetPublic,
    SetSettings,
    ReadOnlyId,
    DeletionToken,
    Delete,
    Move,
    Copy,
    CompactAll,
    CompactSome,
    Import,
    CreateAuthor,
    Mapper,
    Token,
    AuthorName,
    AuthorColour,
    Erase,
    CreateGroup,
    GroupMapper,
    DeleteGroup,
    CreateSession,
    DeleteSession,
    RemoveSessions,
}

const OPERATIONS: [Operation; 28] = [
    Operation::Create,
    Operation::Append,
    Operation::AppendAndSeal,
    Operation::Replan,
    Operation::Chat,
    Operation::SaveRevision,
    Operation::SetPublic,
    Operation::SetSettings,
    Operation::ReadOnlyId,
    Operation::DeletionToken,
    Operation::Delete,
    Operation::Move,
    Operation::Copy,
    Operation::CompactAll,
    Operation::CompactSome,
    Operation::Import,
    Operation::CreateAuthor,
    Operation::Mapper,
    Operation::Token,
    Operation::AuthorName,
    Operation::AuthorColour,
    Operation::Erase,
    Operation::CreateGroup,
    Operation::GroupMapper,
    Operation::DeleteGroup,
    Operation::CreateSession,
    Operation::DeleteSession,
    Operation::RemoveSessions,
];

impl Operation {
    /// Whether no pad has anything to do with it.
    fn is_of_people(self) -> bool {
        matches!(
            self,
            Operation::CreateAuthor
                | Operation::Mapper
                | Operation::Token
                | Operation::AuthorName
                | Operation::AuthorColour
                | Operation::CreateGroup
                | Operation::GroupMapper
                | Operation::CreateSession
                | Operation::DeleteSession
                | Operation::RemoveSessions
        )
    }
}

/// Something to try a call on: two pads of a group, two people, a session, apart from all other
/// scenes.
struct Scene<'a> {
    store: &'a Store,
    number: u128,
    key: PadKey,
    head: Head,
}

impl Scene<'_> {
    async fn set(store: &Store, number: u128, operation: Operation) -> Scene<'_> {
        let number = number * 1_000 + 50_000;
        let mut scene = Scene {
            store,
            number,
            key: PadKey(0),
            head: Head::empty(),
        };
        store.create_author(&author(number)).await.unwrap();
        let (mapper, token) = (scene.name("mapper"), scene.token(0));
        store
            .author_of_mapper(&mapper, &author(number))
            .await
            .unwrap();
        store
            .author_of_token(&token, &author(number))
            .await
            .unwrap();
        store
            .create_group(&group_id(number), Timestamp(1))
            .await
            .unwrap();
        store.create_session(&scene.session(0, 50)).await.unwrap();
        if operation.is_of_people() {
            return scene;
        }
        let start = first("Hallo", &author_id(number));
        let mut steps = vec![start.clone()];
        steps.extend(edits(start.head, 40, 3));
        let step = joined(steps);
        scene.key = create(store, scene.pad("here").as_str(), &step).await;
        scene.head = step.head;
        create_text(store, scene.pad("there").as_str(), "anderer Text").await;
        for _ in 0..5 {
            store
                .append_chat(scene.key, &scene.message())
                .await
                .unwrap();
        }
        scene
    }

    fn name(&self, name: &str) -> String {
        format!("{name} {}", self.number)
    }

    /// A pad of the scene's group.
    fn pad(&self, name: &str) -> PadId {
        PadId::in_group(&group_id(self.number), name).unwrap()
    }

    fn token(&self, offset: u128) -> AuthorToken {
        AuthorToken::random([self.number + offset, 3])
    }

    fn session(&self, offset: u128, valid_until: i64) -> Session {
        Session {
            id: session_id(self.number + offset),
            group: group_id(self.number),
            author: author_id(self.number),
            valid_until,
        }
    }

    fn message(&self) -> ChatMessage {
        ChatMessage {
            text: Text::from("Hallo"),
            author: Some(author_id(self.number)),
            time: Timestamp(3),
        }
    }

    fn import(&self) -> Import {
        let start = first("Import", &author_id(self.number));
        let mut steps = vec![start.clone()];
        steps.extend(edits(start.head, 60, 5));
        let step = joined(steps);
        Import {
            pool: step.head.pool,
            revisions: step.revisions,
            chat: vec![self.message(); 6],
            saved: Vec::new(),
            title: Title::cut("Importiert"),
            authors: vec![author(self.number + 1)],
        }
    }

    async fn run(&self, operation: Operation) -> Result<(), Error> {
        match operation {
            Operation::Create
            | Operation::Append
            | Operation::AppendAndSeal
            | Operation::Replan
            | Operation::Chat
            | Operation::SaveRevision => self.write(operation).await,
            Operation::SetPublic
            | Operation::SetSettings
            | Operation::ReadOnlyId
            | Operation::DeletionToken
            | Operation::Delete
            | Operation::Move
            | Operation::Copy
            | Operation::CompactAll
            | Operation::CompactSome
            | Operation::Import => self.rearrange(operation).await,
            _ => self.manage(operation).await,
        }
    }

    async fn write(&self, operation: Operation) -> Result<(), Error> {
        let store = self.store;
        match operation {
            Operation::Create => {
                let new = NewPad {
                    id: &self.pad("new"),
                    step: &joined(std::iter::once(first("neu", &author_id(1)))),
                    deletion: None,
                    public: true,
                    settings: Some("{}".to_owned()),
                };
                store.create_pad(new).await.map(drop)
            }
            Operation::Append => {
                let step = typed(&self.head, "und", &author_id(self.number + 1));
                store.append(self.key, &self.head, &step).await.map(drop)
            }
            Operation::AppendAndSeal => {
                let step = joined(edits(self.head.clone(), 40, 4));
                store.append(self.key, &self.head, &step).await.map(drop)
            }
            Operation::Replan => {
                // Nobody knows these seats. On a head that is another nothing is left to add.
                let (before, author) = (self.head.rev, author_id(self.number + 1));
                let replan = move |head: &Head, _: &Missed| {
                    let mut step = typed(head, "und", &author);
                    if head.rev != before {
                        step.revisions.clear();
                    }
                    Box::new(step)
                };
                let step = typed(&self.head, "nie", &author_id(1));
                let added =
                    store.append_or_replan(self.key, &self.head, Some(-1), &step, false, replan);
                added.await.map(drop)
            }
            Operation::Chat => {
                // Chat has no expected state, so that repeating it would add another message.
                let count = store.chat(self.key, 0..9).await?.len();
                match count {
                    5 => store.append_chat(self.key, &self.message()).await.map(drop),
                    _ => Ok(()),
                }
            }
            _ => {
                let saved = SavedRevision {
                    rev: Rev(7),
                    id: "7".to_owned(),
                    label: "sieben".to_owned(),
                    author: None,
                    time: Timestamp(7),
                };
                store.save_revision(self.key, &saved).await.map(drop)
            }
        }
    }

    async fn rearrange(&self, operation: Operation) -> Result<(), Error> {
        let store = self.store;
        let there = self.pad("there");
        // A pad that was compacted has another key.
        let here = store.pad(&self.pad("here")).await?;
        let settings = here.as_ref().and_then(|record| record.settings.clone());
        let (key, head) = here.map_or((self.key, Rev(0)), |record| (record.key, record.head));
        match operation {
            Operation::SetPublic => store.set_public(key, true).await.map(drop),
            Operation::SetSettings => {
                let set = store.set_settings(key, settings.as_deref(), "{}", None);
                set.await.map(drop)
            }
            Operation::ReadOnlyId => {
                let candidate = read_only_id(self.number);
                store.read_only_id(key, candidate).await.map(drop)
            }
            Operation::DeletionToken => {
                let hash = DeletionToken::random([1, 2]).hash();
                store.issue_deletion_token(key, &hash).await.map(drop)
            }
            Operation::Delete => store.delete_pad(key).await.map(drop),
            Operation::Move => store.move_pad(key, &there, true).await.map(drop),
            Operation::Copy => {
                let copied = store.copy_pad(key, &there, true, None, Timestamp(2));
                copied.await.map(drop)
            }
            Operation::CompactAll => store.compact_pad(key, None).await.map(drop),
            Operation::CompactSome => store.compact_pad(key, Some(20)).await.map(drop),
            _ => store.import_pad(key, head, self.import()).await.map(drop),
        }
    }

    async fn manage(&self, operation: Operation) -> Result<(), Error> {
        let store = self.store;
        let (id, new) = (author_id(self.number), author(self.number + 1));
        let (group, now) = (group_id(self.number + 1), Timestamp(9));
        match operation {
            Operation::CreateAuthor => store.create_author(&new).await,
            Operation::Mapper => {
                let mapper = self.name("new mapper");
                store.author_of_mapper(&mapper, &new).await.map(drop)
            }
            Operation::Token => store.author_of_token(&self.token(1), &new).await.map(drop),
            Operation::AuthorName => store.set_author_name(&id, Some("neu"), now).await.map(drop),
            Operation::AuthorColour => {
                let colour = Colour::Palette(1);
                store.set_author_colour(&id, &colour, now).await.map(drop)
            }
            Operation::Erase => store.erase_author(&id, now, false).await.map(drop),
            Operation::CreateGroup => store.create_group(&group, now).await,
            Operation::GroupMapper => {
                let mapper = self.name("group mapper");
                store.group_of_mapper(&mapper, &group, now).await.map(drop)
            }
            Operation::DeleteGroup => store.delete_group(&group_id(self.number)).await.map(drop),
            Operation::CreateSession => match store.session(&session_id(self.number + 1)).await? {
                None => store.create_session(&self.session(1, 1_000_000)).await,
                Some(_) => Ok(()),
            },
            Operation::DeleteSession => {
                let id = session_id(self.number);
                store.delete_session(&id).await.map(drop)
            }
            _ => {
                let end = Timestamp(60_000);
                store.remove_expired_sessions(end).await.map(drop)
            }
        }
    }

    /// All that can be read of the scene, as text in which its number does not appear.
    async fn state(&self) -> String {
        let mut lines = Vec::new();
        for name in ["here", "there", "new"] {
            lines.push(format!("{name}: {}", self.state_of_pad(name).await));
        }
        let store = self.store;
        for number in [self.number, self.number + 1] {
            let author = store.author(&author_id(number)).await.unwrap();
            let own = format!("Author {number}");
            let named = |name: Option<String>| name.map(|name| name.replace(&own, "own"));
            let author = author.map(|a| (named(a.name), a.colour, a.last_seen, a.erased));
            let group = store.group_exists(&group_id(number)).await.unwrap();
            let session = store.session(&session_id(number)).await.unwrap().is_some();
            lines.push(format!("{author:?} {group} {session}"));
        }
        for offset in [0, 1] {
            let found = store
                .find_author_of_token(&self.token(offset))
                .await
                .unwrap();
            lines.push(format!("{}", found.is_some()));
        }
        lines.join("\n")
    }

    async fn state_of_pad(&self, name: &str) -> String {
        let store = self.store;
        let Some(record) = store.pad(&self.pad(name)).await.unwrap() else {
            return "none".to_owned();
        };
        let key = record.key;
        let head = store.load_head(key).await.unwrap().unwrap();
        let revisions = store.revisions(key, Rev(0)..Rev(u64::MAX)).await.unwrap();
        let changes: Vec<String> = revisions.iter().map(|r| r.change.to_string()).collect();
        let chat = store.chat(key, 0..u64::MAX).await.unwrap();
        let signed = chat.iter().filter(|(_, message)| message.author.is_some());
        format!(
            "{} {:?} {:?} {} {:?} {:?} {:?} {} {} {} {:?} {} {:?}",
            record.head,
            record.title,
            record.created,
            record.public,
            record.settings,
            record.read_only_id.is_some(),
            record.deletion,
            head.document.attribs(),
            head.pool.len(),
            changes.join(" "),
            (chat.len(), signed.count()),
            store.saved_revisions(key).await.unwrap().len(),
            store.authors_of_pad(key).await.unwrap().len(),
        )
    }

    async fn check(&self) {
        for name in ["here", "there", "new"] {
            let problems = self.store.check_pad(&self.pad(name)).await.unwrap();
            assert_eq!(problems, [], "{name}");
        }
    }
}
