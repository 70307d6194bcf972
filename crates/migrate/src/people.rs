//! Authors and what they are found by, groups, and sessions.

use std::collections::BTreeMap;

use convert::wtf_json::Json;
use futures_util::future::try_join_all;
use pad::{Author, AuthorId, AuthorToken, Colour, GroupId, Session, SessionId, Timestamp};
use store::Store;

use crate::Error;
use crate::records::{Records, json};
use crate::report::Report;

/// So many are written at once, and share a commit.
const TOGETHER: usize = 256;

pub async fn migrate(
    records: &Records,
    store: Option<&Store>,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), Error> {
    let authors = authors(records, report)?;
    if let Some(store) = store {
        let all: Vec<&Author> = authors.values().collect();
        for some in all.chunks(TOGETHER) {
            try_join_all(some.iter().map(|author| store.create_author(author))).await?;
        }
    }
    report.authors = authors.len() as u64;
    names_of_authors(records, store, &authors, now, report).await?;
    groups(records, store, now, report).await?;
    sessions(records, store, now, report).await
}

fn authors(records: &Records, report: &mut Report) -> Result<BTreeMap<AuthorId, Author>, Error> {
    let mut authors = BTreeMap::new();
    records.each("globalAuthor:", |key, value| {
        let id = key.strip_prefix("globalAuthor:").and_then(AuthorId::parse);
        match (id, json(value)) {
            (Some(id), Some(record)) => {
                authors.insert(id.clone(), author(id, &record));
            }
            _ => report.fail(key, "it is not an author"),
        }
    })?;
    Ok(authors)
}

fn author(id: AuthorId, record: &Json) -> Author {
    let time = |name| record.get(name).and_then(Json::as_u64).map(timestamp);
    let created = time("timestamp").unwrap_or_default();
    let colour = record.get("colorId");
    let number = colour.and_then(Json::as_u64);
    let number = number.and_then(|number| u32::try_from(number).ok());
    let hex = colour.and_then(Json::to_str);
    let hex = hex.and_then(|hex| Colour::parse_hex(&hex));
    let last_seen = time("lastSeen").unwrap_or(created);
    let is_erased = record.get("erased").and_then(Json::as_bool) == Some(true);
    Author {
        id,
        name: record.get("name").and_then(Json::to_str),
        colour: hex.unwrap_or(Colour::Palette(number.unwrap_or_default())),
        created,
        last_seen,
        // When exactly is not told in a way that both understand.
        erased: is_erased.then_some(last_seen),
    }
}

/// Who is meant by a browser's token, or by another application's name.
async fn names_of_authors(
    records: &Records,
    store: Option<&Store>,
    authors: &BTreeMap<AuthorId, Author>,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), Error> {
    let known = |id: &AuthorId| {
        authors
            .get(id)
            .cloned()
            .unwrap_or_else(|| nameless(id, now))
    };
    let mut after = String::new();
    loop {
        let tokens = records.keys("token2author:", &after, TOGETHER as u64)?;
        let Some(last) = tokens.last() else { break };
        after.clone_from(last);
        let mut found = Vec::new();
        for text in &tokens {
            let id = records.string(&format!("token2author:{text}"))?;
            let id = id.and_then(|id| AuthorId::parse(&id));
            // Tokens that no browser can show are worth nothing, such as `null`.
            found.extend(AuthorToken::parse(text).zip(id));
        }
        report.tokens += found.len() as u64;
        let Some(store) = store else { continue };
        let write = async |(token, id): &(AuthorToken, AuthorId)| {
            store.author_of_token(token, &known(id)).await
        };
        try_join_all(found.iter().map(write)).await?;
    }
    let mut after = String::new();
    loop {
        let mappers = records.keys("mapper2author:", &after, TOGETHER as u64)?;
        let Some(last) = mappers.last() else {
            return Ok(());
        };
        after.clone_from(last);
        for mapper in &mappers {
            let key = format!("mapper2author:{mapper}");
            let Some(id) = author_of_mapper(records, &key)? else {
                report.fail(&key, "it names no author");
                continue;
            };
            report.mappers += 1;
            if let Some(store) = store {
                store.author_of_mapper(mapper, &known(&id)).await?;
            }
        }
    }
}

/// A string, or in old data an object that has it.
fn author_of_mapper(records: &Records, key: &str) -> Result<Option<AuthorId>, Error> {
    let Some(text) = records.text(key)? else {
        return Ok(None);
    };
    let in_object = json(&text).and_then(|it| it.get("authorID")?.to_str());
    let id = match in_object {
        Some(id) => Some(id),
        None => records.string(key)?,
    };
    Ok(id.and_then(|id| AuthorId::parse(&id)))
}

fn nameless(id: &AuthorId, now: Timestamp) -> Author {
    Author {
        id: id.clone(),
        name: None,
        colour: Colour::Palette(0),
        created: now,
        last_seen: now,
        erased: None,
    }
}

async fn groups(
    records: &Records,
    store: Option<&Store>,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), Error> {
    let mut after = String::new();
    loop {
        let groups = records.keys("group:", &after, TOGETHER as u64)?;
        let Some(last) = groups.last() else { break };
        after.clone_from(last);
        for group in &groups {
            let key = format!("group:{group}");
            if records.text(&key)?.is_none() {
                continue;
            }
            let Some(id) = GroupId::parse(group) else {
                report.fail(&key, "it is not the id of a group");
                continue;
            };
            report.groups += 1;
            if let Some(store) = store
                && !store.group_exists(&id).await?
            {
                store.create_group(&id, now).await?;
            }
        }
    }
    let mut after = String::new();
    loop {
        let mappers = records.keys("mapper2group:", &after, TOGETHER as u64)?;
        let Some(last) = mappers.last() else {
            return Ok(());
        };
        after.clone_from(last);
        for mapper in &mappers {
            let key = format!("mapper2group:{mapper}");
            let id = records.string(&key)?;
            let Some(id) = id.and_then(|id| GroupId::parse(&id)) else {
                report.fail(&key, "it names no group");
                continue;
            };
            // Of a group that was deleted.
            if records.text(&format!("group:{id}"))?.is_none() {
                continue;
            }
            report.mappers += 1;
            if let Some(store) = store {
                store.group_of_mapper(mapper, &id, now).await?;
            }
        }
    }
}

/// Those that still let somebody in.
async fn sessions(
    records: &Records,
    store: Option<&Store>,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), Error> {
    let mut sessions = Vec::new();
    records.each("session:", |key, value| {
        let id = key.strip_prefix("session:").and_then(SessionId::parse);
        let record = json(value);
        let record = record.as_ref();
        let text = |name| record.and_then(|it| it.get(name)?.to_str());
        let group = text("groupID").and_then(|id| GroupId::parse(&id));
        let author = text("authorID").and_then(|id| AuthorId::parse(&id));
        let until = record.and_then(|it| it.get("validUntil")?.as_u64());
        let until = until.and_then(|until| i64::try_from(until).ok());
        match (id, group, author, until) {
            (Some(id), Some(group), Some(author), Some(valid_until)) => {
                if valid_until > now.millis() / 1000 {
                    sessions.push(Session {
                        id,
                        group,
                        author,
                        valid_until,
                    });
                }
            }
            _ => report.fail(key, "it is not a session"),
        }
    })?;
    report.sessions = sessions.len() as u64;
    let Some(store) = store else { return Ok(()) };
    for session in &sessions {
        if store.session(&session.id).await?.is_none() {
            store.create_session(session).await?;
        }
    }
    Ok(())
}

pub fn timestamp(millis: u64) -> Timestamp {
    Timestamp(i64::try_from(millis).unwrap_or(i64::MAX))
}
