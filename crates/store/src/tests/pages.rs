//! Single pages of a real database are overwritten, and every time that is found.

use std::fs;
use std::path::Path;

use super::keyed;
use super::scratch::Scratch;
use crate::conformance::sample::*;
use crate::{Error, Store, check_file};

const PAGE: usize = 4096;

/// The next number of a sequence that a seed starts.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// A database with something in every table, and with free pages.
async fn make(scratch: &Scratch) {
    let store = Store::open(keyed(scratch.embedded())).await.unwrap();
    let now = pad::Timestamp(1);
    for number in 0..12u128 {
        let (key, head) = create_text(&store, &format!("pad {number}"), "Hallo").await;
        append_all(
            &store,
            key,
            head.clone(),
            &edits(head, 200, number as u64 + 1),
        )
        .await;
        let text = "x".repeat(300);
        let message = pad::ChatMessage {
            text: changeset::Text::from(text.as_str()),
            author: Some(author_id(number)),
            time: now,
        };
        for _ in 0..20 {
            store.append_chat(key, &message).await.unwrap();
        }
        for each in 0..20 {
            let person = number * 100 + each;
            let mapper = format!("mapper {person}");
            store
                .author_of_mapper(&mapper, &author(person))
                .await
                .unwrap();
            let token = pad::AuthorToken::random([person, 2]);
            store
                .author_of_token(&token, &author(person))
                .await
                .unwrap();
            let group = group_id(person);
            store.group_of_mapper(&mapper, &group, now).await.unwrap();
            let session = pad::Session {
                id: session_id(person),
                group,
                author: author_id(person),
                valid_until: 1_000,
            };
            store.create_session(&session).await.unwrap();
        }
    }
    for number in 0..40 {
        let line = crate::conformance::browsing::audit_line(number);
        store.append_audit(&line).await.unwrap();
        store.put_series_hour(number, "{}", 0).await.unwrap();
    }
    for number in 9..12 {
        let id = pad_id(&format!("pad {number}"));
        let key = store.pad(&id).await.unwrap().unwrap().key;
        store.delete_pad(key).await.unwrap();
    }
    store.tidy().await.unwrap();
    store.close().await;
}

/// The pages of the free list that hold nothing, not even a part of that list.
fn free_pages(bytes: &[u8]) -> Vec<usize> {
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut trunk = number(32);
    let mut free = Vec::new();
    while trunk != 0 {
        let start = (trunk - 1) * PAGE;
        let count = number(start + 4);
        free.extend((0..count).map(|leaf| number(start + 8 + 4 * leaf)));
        trunk = number(start);
    }
    free
}

/// All rows of all tables. A page without entries can be exchanged for another one without any.
fn rows(path: &Path) -> Result<Vec<String>, rusqlite::Error> {
    let database = rusqlite::Connection::open(path)?;
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut tables = database.prepare(tables)?;
    let tables = tables.query_map([], |row| row.get::<_, String>(0))?;
    let mut found = Vec::new();
    for table in tables {
        let mut rows = database.prepare(&format!("SELECT * FROM {}", table?))?;
        let width = rows.column_count();
        let text = |row: &rusqlite::Row<'_>| {
            let value = |column| row.get_ref(column).map(|value| format!("{value:?}"));
            (0..width).map(value).collect::<Result<String, _>>()
        };
        for row in rows.query_map([], text)? {
            found.push(row?);
        }
    }
    Ok(found)
}

/// Everything that `padsvc check` looks at.
async fn is_found(path: &Path) -> bool {
    let location = crate::Location::Embedded(path.to_owned());
    let store = match Store::open(keyed(location)).await {
        Ok(store) => store,
        // It cannot be opened, and the check of the file says why.
        Err(Error::Corrupt(_) | Error::Unavailable(_)) => {
            return !check_file(path).unwrap().problems.is_empty();
        }
        Err(other) => panic!("{other}"),
    };
    let found = looks_damaged(&store).await;
    store.close().await;
    found
}

async fn looks_damaged(store: &Store) -> bool {
    if !store.check_engine().await.unwrap().problems.is_empty() {
        return true;
    }
    if !store.check_tables().await.unwrap().is_empty() {
        return true;
    }
    let pads = store.list_pads(None, 100).await.unwrap();
    for id in pads {
        match store.check_pad(&id).await {
            Ok(problems) if problems.is_empty() => {}
            _ => return true,
        }
    }
    false
}

#[tokio::test]
async fn an_overwritten_page_is_found() {
    let scratch = Scratch::new();
    make(&scratch).await;
    let sound = fs::read(scratch.folder.join("pads.db")).unwrap();
    assert!(!is_found(&scratch.folder.join("pads.db")).await);
    let all = rows(&scratch.folder.join("pads.db"));
    let (free, pages) = (free_pages(&sound), sound.len() / PAGE);
    assert!(free.len() > 5 && pages > 100, "{} {pages}", free.len());
    let (mut found, mut harmless) = (0, 0);
    for seed in 0..50u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        next(&mut state);
        let page = next(&mut state) as usize % pages + 1;
        let place = (page - 1) * PAGE..page * PAGE;
        let mut bytes = sound.clone();
        let other = next(&mut state) as usize % pages * PAGE;
        match seed % 3 {
            0 => bytes[place.clone()].fill_with(|| next(&mut state) as u8),
            1 => bytes[place.clone()].fill(0),
            _ => bytes[place.clone()].copy_from_slice(&sound[other..other + PAGE]),
        }
        let damaged = Scratch::new();
        let path = damaged.folder.join("pads.db");
        fs::write(&path, &bytes).unwrap();
        let is_found = is_found(&path).await;
        let is_harmless = free.contains(&page) || bytes == sound || rows(&path) == all;
        assert!(
            is_found || is_harmless,
            "seed {seed}, page {page} of {pages}"
        );
        found += usize::from(is_found);
        harmless += usize::from(is_harmless && !is_found);
    }
    assert!(found > 40, "{found} found, {harmless} harmless");
}

#[tokio::test]
async fn indexes_are_rebuilt() {
    let scratch = Scratch::new();
    let store = Store::open(keyed(scratch.embedded())).await.unwrap();
    for number in 0..5 {
        store.create_author(&author(number)).await.unwrap();
    }
    store.close().await;
    let path = scratch.folder.join("pads.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'authors_by_last_seen'";
    let root: u32 = database.query_row(sql, [], |row| row.get(0)).unwrap();
    drop(database);
    // The index becomes a leaf without entries.
    let mut bytes = fs::read(&path).unwrap();
    let start = (root as usize - 1) * PAGE;
    bytes[start..start + PAGE].fill(0);
    bytes[start] = 10;
    bytes[start + 5..start + 7].copy_from_slice(&(PAGE as u16).to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    let store = Store::open(keyed(scratch.embedded())).await.unwrap();
    let before = store.check_engine().await.unwrap().problems;
    let is_named = |problem: &String| problem.contains("authors_by_last_seen");
    assert!(before.iter().any(is_named), "{before:?}");
    store.rebuild_indexes().await.unwrap();
    let after = store.check_engine().await.unwrap().problems;
    assert_eq!(after, Vec::<String>::new());
    store.close().await;
}

#[tokio::test]
async fn postgresql_checks_itself_where_it_can() {
    let Some(cluster) = super::cluster::Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let store = Store::open(location.clone()).await.unwrap();
    create_text(&store, "pad", "Hallo").await;
    let without = store.check_engine().await.unwrap();
    assert_eq!(without.problems, Vec::<String>::new());
    let skipped = without.skipped.unwrap();
    assert!(skipped.contains("extension amcheck"), "{skipped}");
    super::opening::define(&store, "CREATE EXTENSION IF NOT EXISTS amcheck").await;
    assert_eq!(
        store.check_engine().await.unwrap(),
        crate::EngineCheck::default()
    );
    assert_eq!(store.check_tables().await.unwrap(), Vec::<String>::new());
    store.rebuild_indexes().await.unwrap();
    store.close().await;
}
