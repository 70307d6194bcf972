//! Authors and what they are found by, groups, and sessions.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use pad::limits::{AUTHOR_NAME, cut, fits};
use pad::{Author, AuthorId, AuthorToken, Colour, GroupId, Session, SessionId, Timestamp};
use wtf_json::Json;

use crate::ledger::Row;
use crate::records::{Records, json};
use crate::report::{Outcome, Report};
use crate::{Error, Plan};

/// So many are written at once, and share a commit.
const TOGETHER: usize = 256;

type Authors = BTreeMap<AuthorId, Author>;

pub(crate) async fn migrate(
    records: &Records,
    plan: Option<&Plan<'_>>,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), Error> {
    let authors = authors(records, report)?;
    if let Some(plan) = plan {
        let all: Vec<&Author> = authors.values().collect();
        for some in all.chunks(TOGETHER) {
            try_join_all(some.iter().map(|author| bring(plan, author))).await?;
        }
    }
    report.authors = authors.len() as u64;
    tokens(records, plan, &authors, now, report).await?;
    mappers(records, plan, &authors, now, report).await?;
    groups(records, plan, now, report).await?;
    sessions(records, plan, report).await
}

/// Those who are here already stay, unless they are to follow the source.
async fn bring(plan: &Plan<'_>, author: &Author) -> Result<(), Error> {
    plan.store.create_author(author).await?;
    if !plan.follow {
        return Ok(());
    }
    let Some(here) = plan.store.author(&author.id).await? else {
        return Ok(());
    };
    let (id, seen) = (&author.id, author.last_seen);
    // Authors seen here later were changed here later.
    if seen <= here.last_seen || here.erased.is_some() {
        return Ok(());
    }
    if here.name != author.name {
        let name = author.name.as_deref();
        plan.store.set_author_name(id, name, seen).await?;
    }
    if here.colour != author.colour {
        plan.store
            .set_author_colour(id, &author.colour, seen)
            .await?;
    }
    Ok(())
}

fn authors(records: &Records, report: &mut Report) -> Result<Authors, Error> {
    let mut authors = BTreeMap::new();
    records.each("globalAuthor:", |key, value| {
        let id = key.strip_prefix("globalAuthor:").and_then(AuthorId::parse);
        match (id, json(value)) {
            (Some(id), Some(record)) => {
                let name = record.get("name").and_then(Json::to_str);
                if name.as_ref().is_some_and(|name| !fits(name, AUTHOR_NAME)) {
                    let reason = format!("the name is longer than {AUTHOR_NAME} and was cut");
                    report.add(key, Outcome::RepairedWithLoss, reason);
                }
                authors.insert(id.clone(), author(id, name.as_deref(), &record));
            }
            _ => report.leave_out(key, "it is not an author"),
        }
    })?;
    Ok(authors)
}

fn author(id: AuthorId, name: Option<&str>, record: &Json) -> Author {
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
        name: name.map(|name| cut(name, AUTHOR_NAME).to_owned()),
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
    plan: Option<&Plan<'_>>,
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
        let Some(Plan { store, .. }) = plan else {
            continue;
        };
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
    plan: Option<&Plan<'_>>,
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
                report.leave_out(&key, "it names no author");
                continue;
            };
            report.mappers += 1;
            if let Some(Plan { store, .. }) = plan {
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
    plan: Option<&Plan<'_>>,
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
                report.leave_out(&key, "it is not the id of a group");
                continue;
            };
            report.groups += 1;
            if let Some(Plan { store, .. }) = plan
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
                report.leave_out(&key, "it names no group");
                continue;
            };
            // Of a group that was deleted.
            if records.text(&format!("group:{id}"))?.is_none() {
                continue;
            }
            report.mappers += 1;
            if let Some(Plan { store, .. }) = plan {
                store.group_of_mapper(mapper, &id, now).await?;
            }
        }
    }
    Ok(())
}

/// All that are there: the service removes those that ended more than a day ago.
async fn sessions(
    records: &Records,
    plan: Option<&Plan<'_>>,
    report: &mut Report,
) -> Result<(), Error> {
    let mut sessions = BTreeMap::new();
    records.each("session:", |key, value| match session(key, value) {
        Some(session) => drop(sessions.insert(key.to_owned(), session)),
        None => report.leave_out(key, "it is not a session"),
    })?;
    report.sessions = sessions.len() as u64;
    let Some(plan) = plan else { return Ok(()) };
    for (key, session) in &sessions {
        // A session that was deleted here, or in the source after it was brought, stays deleted.
        let is_new = plan.ledger.get(key)?.is_none();
        if is_new && plan.store.session(&session.id).await?.is_none() {
            plan.store.create_session(session).await?;
            plan.ledger.put(key, &Row::default())?;
        }
    }
    if plan.follow {
        for key in plan.ledger.keys("session:")? {
            let id = key.strip_prefix("session:").and_then(SessionId::parse);
            if let Some(id) = id.filter(|_| !sessions.contains_key(&key)) {
                plan.store.delete_session(&id).await?;
                plan.ledger.forget(&key)?;
            }
        }
    }
    Ok(())
}

fn session(key: &str, value: &str) -> Option<Session> {
    let record = json(value)?;
    let text = |name| record.get(name)?.to_str();
    let until = record.get("validUntil")?.as_u64()?;
    Some(Session {
        id: key.strip_prefix("session:").and_then(SessionId::parse)?,
        group: GroupId::parse(&text("groupID")?)?,
        author: AuthorId::parse(&text("authorID")?)?,
        valid_until: i64::try_from(until).ok()?,
    })
}

pub(crate) fn timestamp(millis: u64) -> Timestamp {
    Timestamp(i64::try_from(millis).unwrap_or(i64::MAX))
}
