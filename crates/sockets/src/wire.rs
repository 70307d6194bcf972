//! Wire format of the server's messages.
//!
//! Messages that go to many are written once and shared. Texts are written unit by unit, because
//! they may hold half a surrogate pair.

mod batch;

use std::fmt::Write;

use axum::body::Bytes;
use changeset::{Changeset, Document, Pool, Text, print_ops};
use pad::{AuthorId, Colour, History, OptionsPatch, Origin, Period, Rev, Stretch, Title};
use serde_json::{Value, json};
use service::api::ChatEntry;
use service::{Caret, LiveRevision, Member, MemberId, Past, Presence, options};
use socketio::Packet;
use store::SavedRevision;
use wtf_json::{Json, push_string};

pub(super) use batch::changes_batch;

/// A message of the event that every pad message uses.
fn message(json: &str) -> Packet {
    Packet::event("message", json)
}

/// A message inside a pad, from the members of its `data`.
fn room(data: &str) -> Packet {
    message(&format!(r#"{{"type":"COLLABROOM","data":{data}}}"#))
}

/// What a newcomer gets, from JSON objects about everything but the text, and the text.
pub(super) fn client_vars(vars: &Value, document: &Value, text: &AttributedText) -> Packet {
    // Both objects go on with what follows.
    let [vars, document] = [vars, document].map(|object| {
        let mut opened = object.to_string();
        opened.pop();
        opened
    });
    let document = format!(r#"{document},"initialAttributedText":"#);
    let opening =
        format!(r#"{{"type":"CLIENT_VARS","data":{vars},"collab_client_vars":{document}"#);
    let json = [
        Bytes::from(opening),
        text.text.clone(),
        Bytes::from_static(br#","apool":"#),
        text.pool.clone(),
        Bytes::from_static(b"}}}"),
    ];
    Packet::event_in_pieces("message", &json)
}

pub(super) fn accept_commit(rev: Rev) -> Packet {
    room(&format!(r#"{{"type":"ACCEPT_COMMIT","newRev":{rev}}}"#))
}

pub(super) fn new_changes(live: &LiveRevision) -> Packet {
    let mut data = String::from(r#"{"type":"NEW_CHANGES","#);
    push_revision(&mut data, live);
    let delta = live.revision.time.millis() - live.previous_time.millis();
    if let Some(window) = live.origin.map(MemberId::window).filter(|it| *it != 0) {
        let _ = write!(data, r#","window":{window}"#);
    }
    let _ = write!(data, r#","timeDelta":{delta}}}"#);
    room(&data)
}

/// A revision that a member missed while it was away.
pub(super) fn reconnect_change(live: &LiveRevision, head: Rev, member: &Member) -> Packet {
    let mut data = format!(r#"{{"type":"CLIENT_RECONNECT","headRev":{head},"#);
    push_revision(&mut data, live);
    if let Some(record) = record(member) {
        let is_own = member.made_last(live.rev);
        let _ = write!(data, r#","windowRecord":"{record}","own":{is_own}"#);
    }
    data.push('}');
    room(&data)
}

pub(super) fn reconnect_without_changes(head: Rev, member: &Member) -> Packet {
    let mut data = json!({ "type": "CLIENT_RECONNECT", "noChanges": true, "newRev": head.0 });
    if let (Value::Object(data), Some(record)) = (&mut data, record(member)) {
        data.insert("windowRecord".to_owned(), json!(record));
    }
    room(&data.to_string())
}

/// What is remembered of the member's window is called so, if it has named one.
pub(super) fn record(member: &Member) -> Option<String> {
    member.record().map(|name| format!("{name:032x}"))
}

fn push_revision(out: &mut String, live: &LiveRevision) {
    let mut pool = Pool::new();
    let change = live.pool.move_changeset(&live.revision.change, &mut pool);
    let author = live.revision.author.as_ref().map_or("", AuthorId::as_str);
    let _ = write!(out, r#""newRev":{},"changeset":"#, live.rev);
    push_string(out, &change.print());
    let time = live.revision.time.millis();
    let pool = pool_json(&pool, true);
    let _ = write!(
        out,
        r#","apool":{pool},"author":"{author}","currentTime":{time}"#
    );
}

/// JSON of a document in numbers of its own: what is `initialAttributedText`, and its `apool`.
#[derive(Clone)]
pub(super) struct AttributedText {
    text: Bytes,
    pool: Bytes,
}

pub(super) fn attributed_text(document: &Document, pool: &Pool) -> AttributedText {
    let mut own = Pool::new();
    let ops = pool.move_ops(&document.attribution(), &mut own);
    let mut text = String::from(r#"{"text":"#);
    push_string(&mut text, &document.text());
    text.push_str(r#","attribs":"#);
    push_string(&mut text, &Text::from(print_ops(&ops).as_str()));
    text.push('}');
    text.shrink_to_fit();
    AttributedText {
        text: text.into(),
        pool: pool_json(&own, false).to_string().into(),
    }
}

pub(super) fn history(stretch: Stretch, granularity: u64, history: &History, id: &Json) -> Packet {
    let mut data = String::from(r#"{"forwardsChangesets":"#);
    push_changes(&mut data, &history.forwards);
    data.push_str(r#","backwardsChangesets":"#);
    push_changes(&mut data, &history.backwards);
    let pool = pool_json(&history.pool, false);
    let Stretch { start, end } = stretch;
    let deltas = json!(history.time_deltas);
    let _ = write!(
        data,
        r#","apool":{pool},"actualEndNum":{end},"timeDeltas":{deltas}"#
    );
    let _ = write!(
        data,
        r#","start":{start},"granularity":{granularity},"requestID":{id}}}"#
    );
    message(&format!(r#"{{"type":"CHANGESET_REQ","data":{data}}}"#))
}

/// The content at a revision.
pub(super) fn past(past: &Past, id: &Json) -> Packet {
    let AttributedText { text, pool } = attributed_text(&past.document, &past.pool);
    let author = past.author.as_ref().map_or("", AuthorId::as_str);
    let (rev, time) = (past.rev, past.time.millis());
    let opening = format!(r#"{{"type":"REVISION_REQ","data":{{"rev":{rev},"atext":"#);
    let closing = format!(r#","author":"{author}","time":{time},"requestID":{id}}}}}"#);
    let json = [
        Bytes::from(opening),
        text,
        Bytes::from_static(br#","apool":"#),
        pool,
        Bytes::from(closing),
    ];
    Packet::event_in_pieces("message", &json)
}

/// Which revision wrote a unit of the text; null where there is no such unit.
pub(super) fn origin(origin: Option<Origin>, id: &Json) -> Packet {
    let (rev, time, earlier) = match origin {
        Some(Origin::At(rev, time)) => (Some(rev.0), Some(time.millis()), false),
        Some(Origin::Before(rev, time)) => (Some(rev.0), Some(time.millis()), true),
        None => (None, None, false),
    };
    let found = json!({ "rev": rev, "time": time, "earlier": earlier }).to_string();
    let found = found.trim_end_matches('}');
    message(&format!(
        r#"{{"type":"ORIGIN_REQ","data":{found},"requestID":{id}}}}}"#
    ))
}

/// Who wrote when, newest first, and before which revision to go on.
pub(super) fn periods(periods: &[Period], next: Option<Rev>, id: &Json) -> Packet {
    let period = |period: &Period| {
        let authors: Vec<&str> = period.authors.iter().map(AuthorId::as_str).collect();
        json!({
            "first": period.first.0, "last": period.last.0,
            "began": period.began.millis(), "ended": period.ended.millis(),
            "authors": authors, "others": period.others,
        })
    };
    let periods: Vec<_> = periods.iter().map(period).collect();
    let (periods, next) = (json!(periods), json!(next.map(|rev| rev.0)));
    message(&format!(
        r#"{{"type":"PERIODS_REQ","data":{{"periods":{periods},"next":{next},"requestID":{id}}}}}"#
    ))
}

fn push_changes(out: &mut String, changes: &[Changeset]) {
    out.push('[');
    for (index, change) in changes.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_string(out, &change.print());
    }
    out.push(']');
}

pub(super) fn chat(entry: &ChatEntry) -> Packet {
    room(&format!(
        r#"{{"type":"CHAT_MESSAGE","message":{}}}"#,
        chat_entry(entry)
    ))
}

pub(super) fn chat_messages(entries: &[ChatEntry]) -> Packet {
    let entries: Vec<String> = entries.iter().map(chat_entry).collect();
    room(&format!(
        r#"{{"type":"CHAT_MESSAGES","messages":[{}]}}"#,
        entries.join(",")
    ))
}

fn chat_entry(entry: &ChatEntry) -> String {
    let mut out = String::from(r#"{"text":"#);
    push_string(&mut out, &entry.message.text);
    let rest = json!({
        "time": entry.message.time.millis(),
        "userId": entry.message.author.as_ref().map(AuthorId::as_str),
        "userName": entry.author_name,
    });
    out.push(',');
    out.push_str(rest.to_string().trim_start_matches('{'));
    out
}

pub(super) fn user_info(presence: &Presence) -> Packet {
    let info = json!({
        "userId": presence.author.as_str(),
        "name": presence.name,
        "colorId": colour(&presence.colour),
    });
    room(&json!({ "type": "USER_NEWINFO", "userInfo": info }).to_string())
}

pub(super) fn user_left(presence: &Presence) -> Packet {
    let info = json!({
        "userId": presence.author.as_str(),
        "colorId": colour(&presence.colour),
    });
    room(&json!({ "type": "USER_LEAVE", "userInfo": info }).to_string())
}

pub(super) fn caret_gone(author: &AuthorId, window: u32) -> Packet {
    let author = author.as_str();
    room(&json!({ "type": "CURSOR_GONE", "author": author, "window": window }).to_string())
}

pub(super) fn caret(caret: &Caret) -> Packet {
    let mut data = json!({
        "type": "CURSOR",
        "author": caret.author.as_str(),
        "rev": caret.rev.0,
        "position": caret.position,
        "anchor": caret.anchor,
    });
    if let (Value::Object(data), 1..) = (&mut data, caret.window) {
        data.insert("window".to_owned(), json!(caret.window));
    }
    room(&data.to_string())
}

pub(super) fn saved(saved: &SavedRevision) -> Packet {
    room(&json!({ "type": "NEW_SAVEDREV", "savedRev": saved_json(saved) }).to_string())
}

/// Saved revisions as they are called now.
pub(super) fn saved_revisions<'a>(saved: impl IntoIterator<Item = &'a SavedRevision>) -> Packet {
    let saved: Vec<Value> = saved.into_iter().map(saved_json).collect();
    room(&json!({ "type": "SAVED_REVISIONS", "savedRevisions": saved }).to_string())
}

/// The title, to a member that came by an address.
pub(super) fn title(title: Option<&Title>, address: &str) -> Packet {
    let (shown, is_default) = (Title::shown(title, address), title.is_none());
    room(&json!({ "type": "TITLE", "title": shown, "isDefault": is_default }).to_string())
}

pub(super) fn saved_json(saved: &SavedRevision) -> Value {
    json!({
        "revNum": saved.rev.0,
        "savedById": saved.author.as_ref().map_or("", AuthorId::as_str),
        "label": saved.label,
        "timestamp": saved.time.millis(),
        "id": saved.id,
    })
}

pub(super) fn name_suggested(to: &AuthorId, name: &str) -> Packet {
    relayed(&json!({ "type": "suggestUserName", "unnamedId": to.as_str(), "newName": name }))
}

pub(super) fn options_changed(options: &OptionsPatch, by: Option<&str>) -> Packet {
    let (options, by) = (options::to_json(options), by.unwrap_or_default());
    relayed(&json!({ "type": "padoptions", "options": options, "changedBy": by }))
}

/// What members say to one another. Clients take it in the form in which they sent it.
fn relayed(payload: &Value) -> Packet {
    let data = json!({ "type": "CLIENT_MESSAGE", "payload": payload });
    let whole = json!({ "type": "COLLABROOM", "component": "pad", "data": data });
    message(&whole.to_string())
}

pub(super) fn custom(kind: &str, time: pad::Timestamp) -> Packet {
    room(&json!({ "type": kind, "time": time.millis() }).to_string())
}

/// The parts of plugins that pages have now.
pub(super) fn page_plugins(parts: &Value) -> Packet {
    room(&json!({ "type": "PLUGINS", "pagePlugins": parts }).to_string())
}

/// The text for what a plugin has to check and did not.
pub(super) const UNCHECKED: &str = "refused.unchecked";

/// A plugin does not let pass what the member has sent. The key names a text of ours that says so
/// in the member's language.
pub(super) fn refused(what: &str, reason: &str, key: Option<&str>) -> Packet {
    let data = match key {
        Some(key) => {
            json!({ "type": "REFUSED", "what": what, "reason": reason, "messageKey": key })
        }
        None => json!({ "type": "REFUSED", "what": what, "reason": reason }),
    };
    room(&data.to_string())
}

/// The client must stop, and why.
pub(super) fn disconnect(reason: &str) -> Packet {
    message(&json!({ "disconnect": reason }).to_string())
}

pub(super) fn denied() -> Packet {
    message(r#"{"accessStatus":"deny"}"#)
}

/// A notice by the name of its text.
pub(super) fn shout(key: &str, now: pad::Timestamp) -> Packet {
    announcement(&json!({ "messageKey": key, "sticky": false }), now)
}

/// What an operator says.
pub(super) fn announced(text: &str, sticky: bool, now: pad::Timestamp) -> Packet {
    announcement(&json!({ "message": text, "sticky": sticky }), now)
}

/// The service restarts soon.
pub(super) fn restarting(key: &str, seconds_left: u64, now: pad::Timestamp) -> Packet {
    let values = json!({ "seconds": seconds_left });
    let message = json!({ "messageKey": key, "values": values, "sticky": false });
    announcement(&message, now)
}

/// Whether anything can be stored: the name of a text, and words for clients that do not know it.
pub(super) fn storage(is_failing: bool, now: pad::Timestamp) -> Packet {
    let (key, text) = if is_failing {
        (
            "storage.failing",
            "The server cannot store anything at the moment. Keep this page open: what is typed \
             is sent as soon as storing works again.",
        )
    } else {
        ("storage.working", "Storing works again.")
    };
    announcement(
        &json!({ "messageKey": key, "message": text, "sticky": false }),
        now,
    )
}

/// The last word of a server that stops. Clients know no name for this text.
pub(super) fn stopping(now: pad::Timestamp) -> Packet {
    let text = "The server stops or restarts. What was accepted is saved; \
                the rest is sent when it is back.";
    announcement(&json!({ "message": text, "sticky": false }), now)
}

fn announcement(message: &Value, now: pad::Timestamp) -> Packet {
    let payload = json!({ "message": message, "timestamp": now.millis() });
    let data = json!({ "type": "shoutMessage", "payload": payload });
    Packet::event(
        "shout",
        &json!({ "type": "COLLABROOM", "data": data }).to_string(),
    )
}

/// The reply to a client that asked for one.
pub(super) fn acknowledge(id: u64, problem: Option<&String>) -> Packet {
    match problem {
        None => Packet::ack(id, "[null,null]"),
        Some(text) => Packet::ack(
            id,
            &json!([{ "name": "Error", "message": text }]).to_string(),
        ),
    }
}

pub(super) fn colour(colour: &Colour) -> Value {
    match colour {
        Colour::Palette(index) => json!(index),
        chosen => json!(chosen.to_css()),
    }
}

fn pool_json(pool: &Pool, both_ways: bool) -> Value {
    let number =
        |(number, a): (u32, &changeset::Attribute)| (number.to_string(), json!([a.key, a.value]));
    let attribute = |(number, a): (u32, &changeset::Attribute)| {
        (format!("{},{}", a.key, a.value), json!(number))
    };
    let numbers: serde_json::Map<_, _> = pool.entries().map(number).collect();
    let mut json = json!({ "numToAttrib": numbers, "nextNum": pool.next_number() });
    if both_ways {
        let attributes: serde_json::Map<_, _> = pool.entries().map(attribute).collect();
        if let Value::Object(json) = &mut json {
            json.insert("attribToNum".to_owned(), Value::Object(attributes));
        }
    }
    json
}
