//! Pads, one after the other.

use convert::native::{self, Key};
use convert::wtf_json::push_string;
use pad::{AuthorId, PadId, ReadOnlyId, TokenHash};
use store::{Origin, Store};

use crate::people::timestamp;
use crate::records::{Records, json};
use crate::report::Report;
use crate::{Error, Progress};

/// So many keys are looked through at a time.
const KEYS: usize = 10_000;
/// As many characters as a hash has.
const HASH_DIGITS: usize = 64;

pub async fn migrate(
    records: &Records,
    store: Option<&Store>,
    report: &mut Report,
    progress: Progress<'_>,
) -> Result<(), Error> {
    let names = names(records)?;
    for (name, done) in names.iter().zip(1..) {
        match PadId::parse(name) {
            Some(id) => migrate_one(records, store, name, &id, report).await?,
            None => report.fail(name, "no pad can have this name here"),
        }
        progress(done, names.len() as u64);
    }
    Ok(())
}

fn names(records: &Records) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    let mut pages = records.pages("pad:", KEYS);
    while let Some(keys) = pages.next()? {
        let is_pad = |rest: &String| matches!(Key::parse(&format!("pad:{rest}")), Key::Pad(_));
        names.extend(keys.into_iter().filter(is_pad));
    }
    Ok(names)
}

async fn migrate_one(
    records: &Records,
    store: Option<&Store>,
    name: &str,
    id: &PadId,
    report: &mut Report,
) -> Result<(), Error> {
    let Some(record) = records.text(&format!("pad:{name}"))? else {
        return Ok(());
    };
    // There is no pad without it, whatever else an extension has put there.
    if json(&record).is_none_or(|it| it.get("atext").is_none()) {
        report.note(name, "it has no text, and so is no pad");
        return Ok(());
    }
    if let Some(store) = store
        && store.pad(id).await?.is_some()
    {
        report.present += 1;
        return Ok(());
    }
    let file = file_of(records, name, &record)?;
    let (pad, warnings) = match native::read(file.as_bytes()) {
        Ok(read) => read,
        Err(error) => {
            report.fail(name, error);
            return Ok(());
        }
    };
    for warning in warnings {
        report.note(name, warning);
    }
    report.pads += 1;
    report.revisions += pad.revisions.len() as u64;
    report.messages += pad.chat.len() as u64;
    let origin = origin(records, name, &pad)?;
    if let Some(store) = store {
        store
            .import_new(id, origin, service::to_import(pad))
            .await?;
    }
    Ok(())
}

/// The records of a pad as the `.etherpad` file they would be.
fn file_of(records: &Records, name: &str, record: &str) -> Result<String, Error> {
    let mut file = String::from("{");
    let mut add = |key: &str, value: &str| {
        if file.len() > 1 {
            file.push(',');
        }
        push_string(&mut file, &changeset::Text::from(key));
        file.push(':');
        file.push_str(value);
    };
    add(&format!("pad:{name}"), record);
    records.each(&format!("pad:{name}:"), |key, value| {
        // The names of other pads may begin in the same way.
        if let Key::Revision(pad, _) | Key::Chat(pad, _) = Key::parse(key)
            && pad == name
        {
            add(key, value);
        }
    })?;
    file.push('}');
    Ok(file)
}

fn origin(records: &Records, name: &str, pad: &native::Pad) -> Result<Origin, Error> {
    let first = pad.revisions.first();
    let read_only_id = records.string(&format!("pad2readonly:{name}"))?;
    let deletion = records.text(&format!("pad:{name}:deletionToken"))?;
    let deletion = deletion.and_then(|text| json(&text)?.get("hash")?.to_str());
    let is_hash = |text: &String| {
        text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    Ok(Origin {
        created: timestamp(first.map_or(0, |first| first.timestamp)),
        creator: first.and_then(|first| AuthorId::parse(&first.author)),
        public: pad.head.public_status,
        settings: pad
            .head
            .settings
            .is_object()
            .then(|| pad.head.settings.to_string()),
        read_only_id: read_only_id.and_then(|id| ReadOnlyId::parse(&id)),
        deletion: deletion
            .filter(is_hash)
            .map(|hash| TokenHash(hash.to_ascii_lowercase())),
    })
}
