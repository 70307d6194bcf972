//! The way back: everything in the store as records that Etherpad's database layer can load.
//!
//! One record per line, `{"key": …, "val": …}`, as in a database of the kind dirty. Only hashes are
//! stored of the tokens by which browsers are known, so those are not among the records.

use std::collections::{BTreeMap, VecDeque};

use changeset::Text;
use convert::native::{Key, SYSTEM_AUTHOR};
use pad::{Author, Colour, GroupId, PadId};
use serde_json::{Map, Value, json};
use service::{Service, Visit};
use store::{AuthorsAsked, Mark, PadRecord};
use wtf_json::{Json, Object, entries, push_json, push_string};

/// So many authors, names of applications, or pads are looked up at once.
const PAGE: usize = 500;
/// What Etherpad calls the author that stands for nobody.
const THEIR_SYSTEM_AUTHOR: &str = "a.etherpad-system";

pub struct Dump<'a> {
    service: &'a Service,
    next: Next,
}

/// What comes next.
enum Next {
    Authors(Option<Mark>),
    Mappers(Vec<u8>),
    Groups,
    Pads(Option<String>, VecDeque<PadId>),
    Nothing,
}

impl<'a> Dump<'a> {
    pub fn new(service: &'a Service) -> Dump<'a> {
        Dump {
            service,
            next: Next::Authors(None),
        }
    }

    /// The next lines, which may be none; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<String>, service::Error> {
        let mut lines = String::new();
        self.next = match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Authors(after) => self.authors(after, &mut lines).await?,
            Next::Mappers(after) => self.mappers(&after, &mut lines).await?,
            Next::Groups => self.groups(&mut lines).await?,
            Next::Pads(after, queue) => self.pads(after, queue, &mut lines).await?,
            Next::Nothing => return Ok(None),
        };
        Ok(Some(lines))
    }

    async fn authors(
        &self,
        after: Option<Mark>,
        lines: &mut String,
    ) -> Result<Next, service::Error> {
        let store = self.service.store();
        let asked = AuthorsAsked {
            search: String::new(),
            after,
            limit: PAGE,
        };
        let page = store.browse_authors(&asked).await?;
        for author in &page.found {
            let pads = store.pads_of_author(&author.id).await?;
            let record = author_record(author, &pads);
            push(lines, &format!("globalAuthor:{}", author.id), &record);
            let sessions = store.sessions_of_author(&author.id).await?;
            if !sessions.is_empty() {
                let ids = sessions.iter().map(|session| session.id.as_str());
                let key = format!("author2sessions:{}", author.id);
                push(lines, &key, &json!({ "sessionIDs": set(ids) }));
            }
        }
        Ok(match page.next {
            Some(mark) => Next::Authors(Some(mark)),
            None => Next::Mappers(Vec::new()),
        })
    }

    async fn mappers(&self, after: &[u8], lines: &mut String) -> Result<Next, service::Error> {
        let mappers = self.service.store().author_mappers(after, PAGE).await?;
        for (_, mapper, author) in &mappers {
            push(
                lines,
                &format!("mapper2author:{mapper}"),
                &json!(author.as_str()),
            );
        }
        Ok(match mappers.into_iter().last() {
            Some((hash, _, _)) => Next::Mappers(hash),
            None => Next::Groups,
        })
    }

    async fn groups(&self, lines: &mut String) -> Result<Next, service::Error> {
        let store = self.service.store();
        let groups = store.list_groups().await?;
        let mut mappers: BTreeMap<GroupId, Vec<String>> = BTreeMap::new();
        for (mapper, group) in store.group_mappers().await? {
            push(
                lines,
                &format!("mapper2group:{mapper}"),
                &json!(group.as_str()),
            );
            mappers.entry(group).or_default().push(mapper);
        }
        for group in &groups {
            let pads = store.pads_of_group(group).await?;
            let mappings = mappers.remove(group).unwrap_or_default();
            let record = json!({
                "pads": set(pads.iter().map(PadId::as_str)),
                "mappings": set(mappings.iter().map(String::as_str)),
            });
            push(lines, &format!("group:{group}"), &record);
            let sessions = store.sessions_of_group(group).await?;
            let ids = sessions.iter().map(|session| session.id.as_str());
            push(
                lines,
                &format!("group2sessions:{group}"),
                &json!({ "sessionIDs": set(ids) }),
            );
            for session in &sessions {
                let record = json!({
                    "groupID": session.group.as_str(),
                    "authorID": session.author.as_str(),
                    "validUntil": session.valid_until,
                });
                push(lines, &format!("session:{}", session.id), &record);
            }
        }
        let all = set(groups.iter().map(GroupId::as_str));
        push(lines, "groups", &all);
        Ok(Next::Pads(None, VecDeque::new()))
    }

    async fn pads(
        &self,
        mut after: Option<String>,
        mut queue: VecDeque<PadId>,
        lines: &mut String,
    ) -> Result<Next, service::Error> {
        let store = self.service.store();
        if queue.is_empty() {
            queue = store.list_pads(after.as_deref(), PAGE).await?.into();
            after = queue.back().map(|id| id.as_str().to_owned());
        }
        let Some(id) = queue.pop_front() else {
            return Ok(Next::Nothing);
        };
        if let Some(record) = store.pad(&id).await? {
            self.pad(&record, lines).await?;
        }
        Ok(Next::Pads(after, queue))
    }

    async fn pad(&self, pad: &PadRecord, lines: &mut String) -> Result<(), service::Error> {
        let name = pad.id.as_str();
        let visit = Visit {
            pad: pad.id.clone(),
            name: name.to_owned(),
            head: pad.head,
            read_only: true,
            is_new: false,
        };
        let mut file = self.service.native_file(&visit, None).await?;
        let mut content = String::new();
        while let Some(part) = file.next().await? {
            content.push_str(&part);
        }
        push_records(lines, &content).map_err(|_| service::Error::Internal)?;
        if let Some(id) = &pad.read_only_id {
            push(lines, &format!("pad2readonly:{name}"), &json!(id.as_str()));
            push(lines, &format!("readonly2pad:{id}"), &json!(name));
        }
        if let Some(hash) = &pad.deletion {
            let record = json!({ "createdAt": pad.created.millis(), "hash": hash.0 });
            push(lines, &format!("pad:{name}:deletionToken"), &record);
        }
        Ok(())
    }
}

fn author_record(author: &Author, pads: &[PadId]) -> Value {
    let mut record = json!({
        "colorId": match &author.colour {
            Colour::Palette(number) => json!(number),
            other => json!(other.to_css()),
        },
        "name": author.name,
        "timestamp": author.created.millis(),
        "lastSeen": author.last_seen.millis(),
        "padIDs": set(pads.iter().map(PadId::as_str)),
    });
    if let (Some(_), Some(members)) = (author.erased, record.as_object_mut()) {
        members.insert("erased".to_owned(), json!(true));
    }
    record
}

/// The records of an `.etherpad` file as the database has them.
fn push_records(lines: &mut String, file: &str) -> Result<(), wtf_json::Error> {
    for entry in entries(file.as_bytes())? {
        let (key, mut value) = entry?;
        let name = key.to_string_lossy();
        match Key::parse(&name) {
            Key::Author(_) => continue,
            Key::Chat(..) => value = chat_record(value),
            _ => {}
        }
        rename_system_author(&mut value);
        lines.push_str("{\"key\":");
        push_string(lines, &key);
        lines.push_str(",\"val\":");
        push_json(lines, &value);
        lines.push_str("}\n");
    }
    Ok(())
}

/// In a file a message has the name of its author; in the database it does not.
fn chat_record(value: Json) -> Json {
    let Json::Object(members) = value else {
        return value;
    };
    let renamed = members
        .into_iter()
        .filter_map(|(name, value)| match &*name.to_string_lossy() {
            "userName" => None,
            "userId" => Some((Text::from("authorId"), value)),
            _ => Some((name, value)),
        });
    Json::Object(renamed.collect::<Object>())
}

fn rename_system_author(json: &mut Json) {
    match json {
        Json::String(text) if *text == Text::from(SYSTEM_AUTHOR) => {
            *text = Text::from(THEIR_SYSTEM_AUTHOR);
        }
        Json::Array(items) => items.iter_mut().for_each(rename_system_author),
        Json::Object(members) => {
            let values = members.iter_mut().map(|(_, value)| value);
            values.for_each(rename_system_author);
        }
        _ => {}
    }
}

/// As Etherpad keeps sets.
fn set<'a>(names: impl Iterator<Item = &'a str>) -> Value {
    let members = names.map(|name| (name.to_owned(), json!(1)));
    Value::Object(members.collect::<Map<_, _>>())
}

fn push(lines: &mut String, key: &str, value: &Value) {
    lines.push_str(&json!({ "key": key, "val": value }).to_string());
    lines.push('\n');
}
