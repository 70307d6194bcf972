//! Writing an `.etherpad` file, record by record.

use changeset::{Attribs, Document, NEWLINE, Pool, Text};
use pad::sparing_final_newline;
use wtf_json::{Json, object, push_json, push_string};

use super::atext::push_atext;
use super::{Author, ChatMessage, Colour, Head, Pad, PluginRecord, Revision, SavedRevision, TITLE};
use crate::Error;

/// Every so many revisions the file holds the whole document, for programs that look into it
/// without reading all of it.
const KEY_REVISION_INTERVAL: u64 = 100;

/// Writes a pad that is in memory.
pub fn write(pad: &Pad) -> Result<String, Error> {
    let counts = Counts {
        revisions: pad.revisions.len() as u64,
        chat: pad.chat.len() as u64,
    };
    let mut writer = Writer::new(pad.head.clone(), counts);
    pad.authors.iter().for_each(|author| writer.author(author));
    for revision in &pad.revisions {
        writer.revision(revision)?;
    }
    pad.chat.iter().for_each(|message| writer.chat(message));
    pad.records.iter().for_each(|record| writer.record(record));
    writer.finish();
    Ok(writer.take())
}

/// How much will be written after the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub revisions: u64,
    pub chat: u64,
}

/// Writes a file from its start to its end: after the head come all authors, all revisions, all
/// chat messages and all records of extensions, in this order. The caller takes what is written now
/// and then.
pub struct Writer {
    head: Head,
    written: String,
    /// The document after the revisions written so far.
    document: Document,
    /// How much of the pool was there then: all below this number.
    pool_size: u32,
    revisions: u64,
    messages: u64,
}

impl Writer {
    pub fn new(head: Head, counts: Counts) -> Writer {
        let first = pad_key(&head, "");
        let record = pad_record(&head, counts);
        let mut writer = Writer {
            head,
            written: String::new(),
            document: Document::plain(&[NEWLINE]),
            pool_size: 0,
            revisions: 0,
            messages: 0,
        };
        // Texts are not made JSON in memory first: that takes many times the size of a large one.
        writer.key("{", &first);
        writer.written.push_str("{\"atext\":");
        push_atext(&mut writer.written, &writer.head.document);
        let mut others = String::new();
        push_json(&mut others, &record);
        others.replace_range(..1, ",");
        writer.written.push_str(&others);
        writer
    }

    pub fn author(&mut self, author: &Author) {
        let colour = match &author.colour {
            Colour::Palette(index) => Json::from(u64::from(*index)),
            Colour::Hex(hex) => Json::from(&**hex),
        };
        let mut record = vec![
            (Text::from("colorId"), colour),
            (Text::from("name"), author.name.as_deref().into()),
            (Text::from("timestamp"), author.timestamp.into()),
        ];
        if let Some(last_seen) = author.last_seen {
            record.push((Text::from("lastSeen"), last_seen.into()));
        }
        record.push((Text::from("padIDs"), Json::from(&*self.head.id)));
        let key = format!("globalAuthor:{}", author.id);
        self.member(",", &key, &Json::Object(record));
    }

    pub fn revision(&mut self, revision: &Revision) -> Result<(), Error> {
        let Revision {
            changeset,
            author,
            timestamp,
        } = revision;
        // Etherpad cannot read a history with revisions that padsvc once made.
        let changeset = &sparing_final_newline(changeset, &self.document, &self.head.pool)?;
        self.document = self.document.apply(changeset, &self.head.pool)?;
        for op in &changeset.ops {
            self.use_pool(&op.attribs);
        }
        let attribute = changeset::Attribute::new("author", &**author);
        let number = self.head.pool.number_of(&attribute);
        self.use_pool(&number.into_iter().collect());
        let mut meta = vec![
            (Text::from("author"), Json::from(&**author)),
            (Text::from("timestamp"), (*timestamp).into()),
        ];
        if self.revisions.is_multiple_of(KEY_REVISION_INTERVAL) {
            let pool = pool_json(&self.head.pool, self.pool_size);
            meta.push((Text::from("pool"), pool));
        }
        let meta = Json::Object(meta);
        let key = pad_key(&self.head, &format!(":revs:{}", self.revisions));
        self.key(",", &key);
        self.written.push_str("{\"changeset\":");
        push_string(&mut self.written, &changeset.print());
        self.written.push_str(",\"meta\":");
        push_json(&mut self.written, &meta);
        if self.revisions.is_multiple_of(KEY_REVISION_INTERVAL) {
            // One more member, and a large one.
            self.written.pop();
            self.written.push_str(",\"atext\":");
            push_atext(&mut self.written, &self.document);
            self.written.push('}');
        }
        self.written.push('}');
        self.revisions += 1;
        Ok(())
    }

    pub fn chat(&mut self, message: &ChatMessage) {
        let mut record = vec![
            (Text::from("text"), message.text.clone().into()),
            (Text::from("time"), message.time.into()),
        ];
        record.extend(message.extra.iter().cloned());
        record.push((Text::from("userId"), message.author.as_deref().into()));
        record.push((Text::from("userName"), message.name.as_deref().into()));
        let key = pad_key(&self.head, &format!(":chat:{}", self.messages));
        self.member(",", &key, &Json::Object(record));
        self.messages += 1;
    }

    pub fn record(&mut self, record: &PluginRecord) {
        let PluginRecord {
            prefix,
            rest,
            value,
        } = record;
        let key = format!("{prefix}:{}{rest}", self.head.id);
        self.member(",", &key, value);
    }

    /// Nothing follows.
    pub fn finish(&mut self) {
        self.written.push('}');
    }

    /// What was written since the last time.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.written)
    }

    fn use_pool(&mut self, attribs: &Attribs) {
        let used = attribs.iter().max().map_or(0, |n| n.saturating_add(1));
        self.pool_size = self.pool_size.max(used);
    }

    fn member(&mut self, separator: &str, key: &str, value: &Json) {
        self.key(separator, key);
        push_json(&mut self.written, value);
    }

    fn key(&mut self, separator: &str, key: &str) {
        self.written.push_str(separator);
        push_string(&mut self.written, &Text::from(key));
        self.written.push(':');
    }
}

fn pad_key(head: &Head, rest: &str) -> String {
    format!("pad:{}{rest}", head.id)
}

/// All but the text.
fn pad_record(head: &Head, counts: Counts) -> Json {
    // The last of none is number -1.
    let last = |count: u64| match count.checked_sub(1) {
        Some(last) => Json::from(last),
        None => Json::Number((-1).into()),
    };
    let saved = head.saved_revisions.iter().map(saved_revision).collect();
    let record = object([
        ("pool", pool_json(&head.pool, u32::MAX)),
        ("head", last(counts.revisions)),
        ("chatHead", last(counts.chat)),
        ("publicStatus", head.public_status.into()),
        ("savedRevisions", Json::Array(saved)),
    ]);
    let Json::Object(mut members) = record else {
        return record;
    };
    if !head.settings.is_null() {
        let settings = Json::from(&head.settings);
        members.push((Text::from("padSettings"), settings));
    }
    if let Some(title) = &head.title {
        members.push((Text::from(TITLE), title.clone().into()));
    }
    Json::Object(members)
}

fn saved_revision(saved: &SavedRevision) -> Json {
    object([
        ("revNum", saved.revision.into()),
        ("savedById", Json::from(&*saved.saved_by)),
        ("label", saved.label.clone().into()),
        ("timestamp", saved.timestamp.into()),
        ("id", Json::from(&*saved.id)),
    ])
}

/// The entries of a pool that have numbers below `size`.
fn pool_json(pool: &Pool, size: u32) -> Json {
    let entries = pool.entries().take_while(|(number, _)| *number < size);
    let entries = entries.map(|(number, attribute)| {
        let pair = [&*attribute.key, &*attribute.value].map(Json::from);
        (Text::from(&*number.to_string()), Json::Array(pair.into()))
    });
    object([
        ("numToAttrib", Json::Object(entries.collect())),
        ("nextNum", u64::from(pool.next_number().min(size)).into()),
    ])
}
