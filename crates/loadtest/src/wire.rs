//! Messages over a connection.
//!
//! A crowd hears hundreds of thousands of messages in a second, on the processor that the server
//! needs too. So messages are searched for what counts and not parsed; only the first large one is.

use memchr::memmem;
use serde_json::{Value, json};

/// The type of a message stands this close to its beginning.
const OPENING: usize = 80;

/// What the server said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ServerMessage<'a> {
    Accepted {
        rev: u64,
    },
    Changed {
        rev: u64,
        changeset: &'a str,
    },
    /// Revisions after a base, as JSON has them.
    Batch {
        base: u64,
        changes: Changes<'a>,
    },
    /// It sent the client away.
    Dismissed(&'a str),
    Other,
}

pub(crate) fn parse(packet: &str) -> ServerMessage<'_> {
    let opening = packet.get(..OPENING).unwrap_or(packet).as_bytes();
    let is = |text: &str| memmem::find(opening, text.as_bytes()).is_some();
    if is("\"NEW_CHANGES\"") {
        let rev = number_after(packet, "\"newRev\":");
        let changeset = text_after(packet, "\"changeset\":\"");
        if let (Some(rev), Some(changeset)) = (rev, changeset) {
            return ServerMessage::Changed { rev, changeset };
        }
    } else if is("\"CHANGES_BATCH\"") {
        let base = number_after(packet, "\"baseRev\":");
        let changes = after(packet, "\"changes\":[");
        if let (Some(base), Some(rest)) = (base, changes) {
            let changes = Changes(rest);
            return ServerMessage::Batch { base, changes };
        }
    } else if is("\"ACCEPT_COMMIT\"") {
        if let Some(rev) = number_after(packet, "\"newRev\":") {
            return ServerMessage::Accepted { rev };
        }
    } else if is("\"disconnect\":\"") {
        return ServerMessage::Dismissed(
            text_after(packet, "\"disconnect\":\"").unwrap_or_default(),
        );
    } else if is("\"accessStatus\":\"deny\"") {
        return ServerMessage::Dismissed("access denied");
    }
    ServerMessage::Other
}

/// The changes of a batch one after the other: operations and new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changes<'a>(&'a str);

impl<'a> Iterator for Changes<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.0.trim_start_matches(',').strip_prefix("[\"")?;
        let (change, rest) = rest.split_at_checked(memchr::memchr(b'"', rest.as_bytes())?)?;
        self.0 = rest.get(memchr::memchr(b']', rest.as_bytes())? + 1..)?;
        Some(change)
    }
}

fn after<'a>(packet: &'a str, key: &str) -> Option<&'a str> {
    let at = memmem::find(packet.as_bytes(), key.as_bytes())?;
    packet.get(at + key.len()..)
}

fn number_after(packet: &str, key: &str) -> Option<u64> {
    let rest = after(packet, key)?;
    let end = rest.bytes().position(|byte| !byte.is_ascii_digit());
    rest.get(..end?)?.parse().ok()
}

/// A string as it is written in JSON. Escapes stay; what is written here has no quotes.
fn text_after<'a>(packet: &'a str, key: &str) -> Option<&'a str> {
    let rest = after(packet, key)?;
    rest.get(..memchr::memchr(b'"', rest.as_bytes())?)
}

/// What a client needs of the first large answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Welcome {
    pub author: String,
    pub rev: u64,
    /// How long the text is.
    pub units: usize,
}

/// `None` if it is another message.
pub(crate) fn welcome(packet: &str) -> Option<Welcome> {
    let message: Value = serde_json::from_str(packet.strip_prefix("42")?).ok()?;
    let message = message.get(1)?;
    if message.get("type")?.as_str()? != "CLIENT_VARS" {
        return None;
    }
    let vars = message.get("data")?;
    let document = vars.get("collab_client_vars")?;
    let text = document.get("initialAttributedText")?.get("text")?;
    Some(Welcome {
        author: vars.get("userId")?.as_str()?.to_owned(),
        rev: document.get("rev")?.as_u64()?,
        units: text.as_str()?.encode_utf16().count(),
    })
}

pub(crate) fn ready(pad: &str, token: &str, batches: bool) -> String {
    let mut ready = json!({
        "component": "pad",
        "type": "CLIENT_READY",
        "padId": pad,
        "token": token,
    });
    if let (Value::Object(ready), true) = (&mut ready, batches) {
        ready.insert("extensions".to_owned(), json!(["batches"]));
    }
    format!(r#"42["message",{ready}]"#)
}

/// A change of one's own, whose only attribute is its author.
pub(crate) fn user_changes(base: u64, changeset: &str, author: &str) -> String {
    let changeset = changeset.replace('\n', "\\n");
    let pool = format!(r#"{{"numToAttrib":{{"0":["author","{author}"]}},"nextNum":1}}"#);
    let data = format!(
        r#"{{"type":"USER_CHANGES","baseRev":{base},"changeset":"{changeset}","apool":{pool}}}"#
    );
    format!(r#"42["message",{{"component":"pad","type":"COLLABROOM","data":{data}}}]"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_heard_whatever_the_order_of_their_members() {
        let accepted =
            r#"42["message",{"type":"COLLABROOM","data":{"type":"ACCEPT_COMMIT","newRev":7}}]"#;
        assert_eq!(parse(accepted), ServerMessage::Accepted { rev: 7 });
        let data = [
            r#""newRev":8,"changeset":"Z:7>1*0+1$X","apool":{}"#,
            r#""apool":{"numToAttrib":{}},"changeset":"Z:7>1*0+1$X","newRev":8"#,
        ];
        for data in data {
            let packet = format!(
                r#"42["message",{{"type":"COLLABROOM","data":{{"type":"NEW_CHANGES",{data}}}}}]"#
            );
            let changeset = "Z:7>1*0+1$X";
            assert_eq!(parse(&packet), ServerMessage::Changed { rev: 8, changeset });
        }
        let batch = r#"42["message",{"type":"COLLABROOM","data":{"type":"CHANGES_BATCH","baseRev":8,
            "attributes":{"1":["author","a.x"]},"changes":[["*1+1$X",1,2],["=1*1+1$Y",1,0,77]]}}]"#;
        let ServerMessage::Batch { base, changes } = parse(batch) else {
            panic!("not read as a batch");
        };
        assert_eq!(base, 8);
        assert_eq!(changes.collect::<Vec<_>>(), ["*1+1$X", "=1*1+1$Y"]);
        let gone = r#"42["message",{"disconnect":"badChangeset"}]"#;
        assert_eq!(parse(gone), ServerMessage::Dismissed("badChangeset"));
        assert_eq!(parse("2"), ServerMessage::Other);
    }

    #[test]
    fn the_first_answer_tells_who_one_is_and_how_long_the_text() {
        let vars = r#"{"userId":"a.x","collab_client_vars":{"rev":3,
            "initialAttributedText":{"text":"😀\n","attribs":"|1+3"}}}"#;
        let packet = format!(r#"42["message",{{"type":"CLIENT_VARS","data":{vars}}}]"#);
        let expected = Welcome {
            author: "a.x".to_owned(),
            rev: 3,
            units: 3,
        };
        assert_eq!(welcome(&packet), Some(expected));
        assert_eq!(welcome(r#"42["message",{"type":"COLLABROOM"}]"#), None);
    }
}
