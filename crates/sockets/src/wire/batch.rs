//! Wire format of a batch of revisions.
//!
//! It is written once for all who receive it, so it says nothing that is meant for one of them.
//! Attributes have the numbers of the pad's pool, and their names are sent once to everybody.

use std::fmt::Write;

use changeset::{Text, print_ops};
use pad::AuthorId;
use serde_json::{Map, Value, json};
use service::{Batch, BatchedRevision};
use socketio::Packet;
use wtf_json::push_string;

use super::room;

/// What everybody gets who takes batches.
pub(crate) fn changes_batch(batch: &Batch) -> Packet {
    let Some(first) = batch.revisions.first().map(|it| &it.live) else {
        return room(r#"{"type":"CHANGES_BATCH"}"#);
    };
    let pool = batch.revisions.last().map(|it| &it.live.pool);
    let named = batch.announced.iter().filter_map(|number| {
        let attribute = pool?.get(*number)?;
        Some((number.to_string(), json!([attribute.key, attribute.value])))
    });
    let named = Value::Object(named.collect::<Map<_, _>>());
    let (from, length) = (batch.from, first.revision.change.old_len);
    let (time, interval) = (first.previous_time.millis(), batch.commit_interval);
    let mut data = format!(
        r#"{{"type":"CHANGES_BATCH","baseRev":{from},"baseLength":{length},"baseTime":{time}"#
    );
    let _ = write!(data, r#","commitInterval":{interval},"attributes":{named}"#);
    data.push_str(r#","changes":["#);
    for (index, revision) in batch.revisions.iter().enumerate() {
        if index > 0 {
            data.push(',');
        }
        push_change(&mut data, revision);
    }
    data.push_str("]}");
    room(&data)
}

/// Operations and new text, the author, the milliseconds since the revision before it, and the
/// window if it is another one than the author's last.
fn push_change(out: &mut String, batched: &BatchedRevision) {
    let live = &batched.live;
    let change = &live.revision.change;
    let mut text = Text::from(print_ops(&change.ops).as_str());
    text.push_str("$");
    text.push_units(&change.bank);
    out.push('[');
    push_string(out, &text);
    let passed = live.revision.time.millis() - live.previous_time.millis();
    let author = live.revision.author.as_ref().map_or("", AuthorId::as_str);
    let _ = match batched.author {
        Some(number) => write!(out, ",{number},{passed}"),
        None => write!(out, r#","{author}",{passed}"#),
    };
    let window = match batched.author {
        Some(_) => batched.window,
        None => live.origin.map(service::MemberId::window),
    };
    if let Some(window) = window {
        let _ = write!(out, ",{window}");
    }
    out.push(']');
}
