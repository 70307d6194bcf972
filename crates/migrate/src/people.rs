//! Authors and what they are found by, groups, and sessions.

use std::collections::BTreeMap;

use convert::wtf_json::Json;
use futures_util::future::try_join_all;
use pad::limits::{AUTHOR_NAME, cut};
use pad::{Author, AuthorId, AuthorToken, Colour, GroupId, Session, SessionId, Timestamp};
use store::Store;

use crate::Error;
use crate::records::{Records, json};
use crate::report::Report;

/// So many are written at once, and share a commit.
const TOGETHER: usize = 256;

type Authors = BTreeMap<AuthorId, Author>;

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
    tokens(records, store, &authors, now, report).await?;
    mappers(records, store, &authors, now, report).await?;
    groups(records, store, now, report).await?;
    sessions(records, store, now, report).await
}

fn authors(records: &Records, report: &mut Report) -> Result<Authors, Error> {
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
    let name = record.get("name").and_then(Json::to_str);
    let last_seen = time("lastSeen").unwrap_or(created);
    let is_erased = record.get("erased").and_then(Json::as_bool) == Some(true);
    Author {
        id,
        name: name.map(|name| cut(&name, AUTHOR_NAME).to_owned()),
        colour: hex.unwrap_or(Colour::palette(number.unwrap_or_default())),
        created,
        last_seen,
        // When exactly is not told in a way that both understand.
        erased: is_erased.then_some(last_seen),
    }
}

/// Who is meant by a browser's token.
async fn tokens(
    records: &Records,
    store: Option<&Store>,
    authors: &Authors,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), Error> {
    let mut pages = records.pages("token2author:", TOGETHER);
    while let Some(tokens) = pages.next()? {
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
            store.author_of_token(token, &known(authors, id, now)).await
        };
        try_join_all(found.iter().map(write)).await?;
    }
    Ok(())
}

/// Who is meant by another application's name.
async fn mappers(
    records: &Records,
    store: Option<&Store>,
    authors: &Authors,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), Error> {
    let mut pages = records.pages("mapper2author:", TOGETHER);
    while let Some(mappers) = pages.next()? {
        for mapper in &mappers {
            let key = format!("mapper2author:{mapper}");
            let Some(text) = records.text(&key)? else {
                continue;
            };
            let Some(id) = author_named(&text) else {
                report.fail(&key, "it names no author");
                continue;
            };
            report.mappers += 1;
            if let Some(store) = store {
                let author = known(authors, &id, now);
                store.author_of_mapper(mapper, &author).await?;
            }
        }
    }
    Ok(())
}

/// By a string, which some databases keep without quotes, or in old data an object that has it.
fn author_named(text: &str) -> Option<AuthorId> {
    let record = json(text);
    let record = record.as_ref();
    let in_object = record.and_then(|it| it.get("authorID")?.to_str());
    let id = in_object.or_else(|| record?.to_str());
    AuthorId::parse(id.as_deref().unwrap_or(text))
}

fn known(authors: &Authors, id: &AuthorId, now: Timestamp) -> Author {
    let author = authors.get(id).cloned();
    author.unwrap_or_else(|| nameless(id, now))
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
    let mut pages = records.pages("group:", TOGETHER);
    while let Some(groups) = pages.next()? {
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
    let mut pages = records.pages("mapper2group:", TOGETHER);
    while let Some(mappers) = pages.next()? {
        for mapper in &mappers {
            let key = format!("mapper2group:{mapper}");
            let Some(id) = records.string(&key)? else {
                continue;
            };
            let Some(id) = GroupId::parse(&id) else {
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
    Ok(())
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
