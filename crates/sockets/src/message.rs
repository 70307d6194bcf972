//! Messages that clients send.
//!
//! A message is an object with a type; most are wrapped in a `COLLABROOM` message. Whatever is
//! malformed is an error with a text for people, and changes nothing.

use changeset::{Attribute, Changeset, Pool, Text};
use pad::limits::{AUTHOR_NAME, fits};
use pad::{COARSEST, Colour, HistoryRequest, OptionsPatch, Rev, Title, WindowId};
use service::JoinRequest;
use wtf_json::Json;

use identity::visitor::session_ids;

/// The extension by which clients tell each other where they are.
pub(super) const CARETS: &str = "cursors";

/// The extension by which clients name the pad and its saved revisions.
pub(super) const TITLES: &str = "titles";

/// The extension by which clients show parts of plugins.
pub(super) const PLUGINS: &str = "plugins";

/// The extension by which clients come with several windows of one author.
pub(super) const WINDOWS: &str = "windows";

/// The extension by which clients take many revisions in one message.
pub(super) const BATCHES: &str = "batches";

/// Windows that a message ends at most.
const ENDED: usize = 16;

/// No text is longer, whatever the settings say.
const FARTHEST: u64 = i32::MAX as u64;

/// No pad and no template has a longer name.
const TEMPLATE_NAME: usize = 200;

/// A message, and what it means.
pub(super) enum Message {
    Ready(Ready),
    History {
        request: HistoryRequest,
        id: Json,
    },
    /// The content at a revision.
    Past {
        rev: Rev,
        id: Json,
    },
    /// Which revision wrote a unit of the text.
    Origin {
        rev: Rev,
        position: u64,
        id: Json,
    },
    /// Who wrote when, before a revision; with none, up to now.
    Periods {
        before: Option<Rev>,
        id: Json,
    },
    Room(Room),
}

/// A visitor wants to join a pad.
#[derive(Debug, Default)]
pub(super) struct Ready {
    pub pad: String,
    pub token: Option<String>,
    pub session: Option<String>,
    pub name: Option<String>,
    pub colour: Option<Colour>,
    /// For a member that was here before: the last revision it knows.
    pub reconnect: Option<Option<Rev>>,
    /// Options of the pad, if this visit creates it.
    pub options: Option<OptionsPatch>,
    /// What a pad starts with that this visit creates.
    pub template: Option<String>,
    /// What a pad is called that this visit creates.
    pub title: Option<Title>,
    /// Whether the client wants to know where others are.
    pub wants_carets: bool,
    /// Whether the client shows the pad's title.
    pub wants_titles: bool,
    /// Whether the client loads the parts of plugins that are for pages.
    pub wants_plugins: bool,
    /// Whether the client takes many revisions in one message.
    pub takes_batches: bool,
    /// The client's window, if it knows of windows.
    pub window: Option<WindowId>,
    /// Windows of the same author that are gone, and that this one takes up.
    pub ends: Vec<WindowId>,
}

/// What a member says in a pad.
pub(super) enum Room {
    /// `None` where the message is not a proper change.
    Changes(Option<Changes>),
    Chat(Text),
    ChatMessages {
        start: u64,
        end: u64,
    },
    Caret {
        rev: Rev,
        position: u64,
        anchor: u64,
    },
    UserInfo {
        name: Option<String>,
        colour: Colour,
    },
    SaveRevision,
    NameSavedRevision {
        rev: Rev,
        label: String,
    },
    /// `None`: the pad has no title any more.
    Title(Option<Title>),
    SuggestName {
        author: String,
        name: String,
    },
    Options(OptionsPatch),
    /// Windows of the member's author are gone, and the member takes up what they have left.
    EndWindows(Vec<WindowId>),
    Delete {
        pad: String,
        token: Option<String>,
    },
}

pub(super) struct Changes {
    pub base: Option<Rev>,
    pub change: Changeset,
    pub pool: Pool,
}

/// Why a message is not understood, for people.
pub(super) type Misunderstood = &'static str;

impl Message {
    /// Whether it becomes part of what is stored of a pad, and stays there.
    pub(crate) fn is_stored(&self) -> bool {
        matches!(self, Message::Room(Room::Changes(_) | Room::Chat(_)))
    }

    pub(crate) fn read(message: &Json) -> Result<Message, Misunderstood> {
        if text(message, "component").as_deref() != Some("pad") {
            return Err("unknown component");
        }
        let data = message.get("data").unwrap_or(&Json::Null);
        match text(message, "type").as_deref() {
            Some("CLIENT_READY") => Ready::read(message).map(Message::Ready),
            Some("CHANGESET_REQ") => read_history(data),
            Some("REVISION_REQ") => read_past(data),
            Some("ORIGIN_REQ") => read_origin(data),
            Some("PERIODS_REQ") => read_periods(data),
            Some("COLLABROOM") => Room::read(data).map(Message::Room),
            Some(_) => Err("unknown type of message"),
            None => Err("a message has a type"),
        }
    }
}

impl Ready {
    fn read(message: &Json) -> Result<Ready, Misunderstood> {
        let user = message.get("userInfo").unwrap_or(&Json::Null);
        let known = message.get("client_rev").and_then(Json::as_u64);
        let is_back = message.get("reconnect").and_then(Json::as_bool) == Some(true);
        Ok(Ready {
            pad: text(message, "padId").ok_or("CLIENT_READY names a padId")?,
            token: text(message, "token"),
            session: text(message, "sessionID"),
            name: text(user, "name").filter(|name| !name.is_empty()),
            colour: text(user, "colorId").and_then(|colour| Colour::parse_hex(&colour)),
            reconnect: is_back.then_some(known.map(Rev)),
            options: message.get("padSettingsDefaults").map(options),
            template: text(message, "template")
                .filter(|name| !name.is_empty() && fits(name, TEMPLATE_NAME)),
            title: text(message, "title").and_then(|title| Title::cut(&title)),
            wants_carets: announces(message, CARETS),
            wants_titles: announces(message, TITLES),
            wants_plugins: announces(message, PLUGINS),
            takes_batches: announces(message, BATCHES),
            window: text(message, "window")
                .filter(|_| announces(message, WINDOWS))
                .and_then(|window| WindowId::parse(&window)),
            ends: windows(message, "endWindows"),
        })
    }
}

/// The windows that a message names, as far as they are windows.
fn windows(message: &Json, name: &str) -> Vec<WindowId> {
    let named = message.get(name).and_then(Json::as_array).unwrap_or(&[]);
    let named = named.iter().take(ENDED).filter_map(Json::to_str);
    named
        .filter_map(|window| WindowId::parse(&window))
        .collect()
}

fn options(json: &Json) -> OptionsPatch {
    service::options::from_json(&json.to_value())
}

/// Whether a client says that it knows an extension.
fn announces(message: &Json, extension: &str) -> bool {
    let extensions = message.get("extensions").and_then(Json::as_array);
    let is_meant = |known: &Json| known.to_str().as_deref() == Some(extension);
    extensions.is_some_and(|known| known.iter().take(100).any(is_meant))
}

impl Ready {
    /// What is asked for, by an identity to which messages may only add what is missing.
    pub(crate) fn request(&self, known: JoinRequest) -> JoinRequest {
        let sessions = match (known.sessions.is_empty(), &self.session) {
            (true, Some(list)) => session_ids(list),
            _ => known.sessions,
        };
        JoinRequest {
            token: known.token.or_else(|| self.token.clone()),
            sessions,
            name: self.name.clone(),
            colour: self.colour.clone(),
            options: self.options.clone(),
            template: self.template.clone(),
            title: self.title.clone(),
            known: self.reconnect.flatten(),
            window: self.window.clone(),
            ends: self.ends.clone(),
            ..known
        }
    }
}

fn read_history(data: &Json) -> Result<Message, Misunderstood> {
    let start = data.get("start");
    let start = start
        .and_then(Json::as_u64)
        .or_else(|| text(data, "start")?.parse().ok());
    let granularity = data.get("granularity").and_then(Json::as_u64);
    let request = HistoryRequest {
        start: Rev(start.ok_or("start is a number that is not negative")?),
        granularity: granularity
            .filter(|step| (1..=COARSEST).contains(step))
            .ok_or("granularity is from 1 to 100")?,
    };
    let id = request_id(data)?;
    Ok(Message::History { request, id })
}

fn read_past(data: &Json) -> Result<Message, Misunderstood> {
    let rev = data.get("rev").and_then(Json::as_u64);
    let rev = rev.ok_or("rev is a number that is not negative")?;
    let id = request_id(data)?;
    Ok(Message::Past { rev: Rev(rev), id })
}

fn read_origin(data: &Json) -> Result<Message, Misunderstood> {
    let number = |name| data.get(name).and_then(Json::as_u64);
    let position = number("position").filter(|place| *place <= FARTHEST);
    Ok(Message::Origin {
        rev: Rev(number("rev").ok_or("rev is a number that is not negative")?),
        position: position.ok_or("position is not a place in a text")?,
        id: request_id(data)?,
    })
}

fn read_periods(data: &Json) -> Result<Message, Misunderstood> {
    let before = match data.get("before") {
        None | Some(Json::Null) => None,
        Some(rev) => Some(Rev(rev
            .as_u64()
            .ok_or("before is a number that is not negative")?)),
    };
    let id = request_id(data)?;
    Ok(Message::Periods { before, id })
}

/// Sent back with the answer, whatever it is.
fn request_id(data: &Json) -> Result<Json, Misunderstood> {
    let id = data.get("requestID");
    id.cloned().ok_or("a request has a requestID")
}

impl Room {
    fn read(data: &Json) -> Result<Room, Misunderstood> {
        Ok(match text(data, "type").as_deref() {
            Some("USER_CHANGES") => Room::Changes(Changes::read(data)),
            Some("CHAT_MESSAGE") => {
                let message = data.get("message").unwrap_or(&Json::Null);
                let said = message.get("text").and_then(Json::as_text);
                Room::Chat(said.cloned().ok_or("a chat message has a text")?)
            }
            Some("GET_CHAT_MESSAGES") => {
                let bound = |name| data.get(name).and_then(Json::as_u64);
                let bounds = bound("start").zip(bound("end"));
                let proper = |(start, end): &(u64, u64)| start <= end && end - start <= 100;
                let (start, end) = bounds.filter(proper).ok_or("start and end are numbers")?;
                Room::ChatMessages { start, end }
            }
            Some("USERINFO_UPDATE") => {
                let user = data.get("userInfo").unwrap_or(&Json::Null);
                let colour = text(user, "colorId").and_then(|colour| Colour::parse_hex(&colour));
                Room::UserInfo {
                    name: text(user, "name").filter(|name| !name.is_empty()),
                    colour: colour.ok_or("a colour is # and three or six hexadecimal digits")?,
                }
            }
            Some("CURSOR") => {
                let number = |name| data.get(name).and_then(Json::as_u64);
                let place = |name| number(name).filter(|place| *place <= FARTHEST);
                Room::Caret {
                    rev: Rev(number("rev").ok_or("a cursor is at a revision")?),
                    position: place("position").ok_or("position is not a place in a text")?,
                    anchor: place("anchor").ok_or("anchor is not a place in a text")?,
                }
            }
            Some("SAVE_REVISION") => Room::SaveRevision,
            Some("NAME_SAVED_REVISION") => {
                let rev = data.get("rev").and_then(Json::as_u64);
                Room::NameSavedRevision {
                    rev: Rev(rev.ok_or("rev is a number that is not negative")?),
                    label: text(data, "label").ok_or("a saved revision has a label")?,
                }
            }
            Some("SET_TITLE") => {
                let title = text(data, "title").ok_or("SET_TITLE has a title")?;
                Room::Title(Title::parse(&title).map_err(|_| "the title is too long")?)
            }
            Some("END_WINDOWS") => Room::EndWindows(windows(data, "windows")),
            Some("CLIENT_MESSAGE") => Room::read_relay(data.get("payload").unwrap_or(&Json::Null))?,
            Some("PAD_DELETE") => {
                let data = data.get("data").unwrap_or(&Json::Null);
                Room::Delete {
                    pad: text(data, "padId").ok_or("PAD_DELETE names a padId")?,
                    token: text(data, "deletionToken"),
                }
            }
            Some(_) => return Err("unknown type of message in a pad"),
            None => return Err("a message in a pad has a type"),
        })
    }

    fn read_relay(payload: &Json) -> Result<Room, Misunderstood> {
        match text(payload, "type").as_deref() {
            Some("suggestUserName") => {
                let name = text(payload, "newName").ok_or("a suggestion has a newName")?;
                if !fits(&name, AUTHOR_NAME) {
                    return Err("newName is too long");
                }
                let author = text(payload, "unnamedId").ok_or("a suggestion has an unnamedId")?;
                Ok(Room::SuggestName { author, name })
            }
            Some("padoptions") => {
                let named = payload.get("options").ok_or("padoptions has options")?;
                Ok(Room::Options(options(named)))
            }
            _ => Err("unknown payload"),
        }
    }
}

impl Changes {
    fn read(data: &Json) -> Option<Changes> {
        let base = match data.get("baseRev")? {
            Json::Number(number) if number.as_i64() == Some(-1) => None,
            other => Some(Rev(other.as_u64()?)),
        };
        let change = Changeset::parse_units(data.get("changeset")?.as_text()?).ok()?;
        Some(Changes {
            base,
            change,
            pool: read_pool(data.get("apool")?)?,
        })
    }
}

/// A pool of a message. Values that are not strings are turned into some, as clients rely on.
fn read_pool(pool: &Json) -> Option<Pool> {
    let mut entries = Vec::new();
    for (number, pair) in pool.get("numToAttrib")?.as_object()? {
        let number: u32 = number.to_utf8()?.parse().ok()?;
        let [key, value] = pair.as_array()? else {
            return None;
        };
        entries.push((number, Attribute::new(plain(key)?, plain(value)?)));
    }
    let next = pool.get("nextNum").and_then(Json::as_u64).unwrap_or(0);
    Some(Pool::from_entries(entries, u32::try_from(next).ok()?))
}

/// Half a surrogate pair has no place in an attribute.
fn plain(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => text.to_utf8(),
        Json::Bool(true) => Some("true".to_owned()),
        Json::Null | Json::Bool(false) => Some(String::new()),
        Json::Number(number) if number.as_f64() == Some(0.0) => Some(String::new()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn text(json: &Json, name: &str) -> Option<String> {
    json.get(name)?.to_str()
}
