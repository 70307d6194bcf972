//! Functions that plugins call: the permission and the arguments are checked first, then the
//! service does it. What a plugin writes is by the system author.

use std::sync::{Arc, Weak};

use plugin::wire::Outcome;
use plugin::{Function, PadPatterns, Reason};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use service::api::Caller;
use service::changeset::Text;
use service::pad::{AuthorId, ChatMessage, PadId, Rev, Timestamp, Title};
use service::{Error, Service};
use store::{PluginTimer, PluginTimerWrite, PluginValueWrite, Store};
use tokio::sync::Notify;

use crate::fetch::Fetcher;
use crate::registry::Installed;

/// How many a page has, and answers of lists.
const PAGE: u64 = 100;
/// How often one call looks for more pads that the plugin is switched on for.
const LOOKS: usize = 20;

pub(crate) struct Calls {
    service: Weak<Service>,
    fetcher: Fetcher,
    /// The timers that are set have changed.
    timers: Arc<Notify>,
}

/// Arguments that were checked against the table, of a plugin that is switched on for some pads.
struct Arguments<'a> {
    values: Vec<Value>,
    pads: &'a PadPatterns,
}

impl Arguments<'_> {
    fn text(&self, index: usize) -> &str {
        self.values
            .get(index)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    fn number(&self, index: usize) -> Option<u64> {
        let value = self.values.get(index)?;
        // JavaScript writes whole numbers as it likes; they are whole, and not negative.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked by the table"
        )]
        value
            .as_u64()
            .or_else(|| value.as_f64().map(|it| it as u64))
    }

    fn pad(&self, index: usize) -> Result<PadId, Reason> {
        let pad = PadId::parse(self.text(index));
        self.switched_on(pad.ok_or_else(|| Error::PadMissing.to_string())?)
    }

    fn new_pad(&self, index: usize) -> Result<PadId, Reason> {
        let pad = PadId::for_new(self.text(index));
        self.switched_on(pad.ok_or_else(|| Error::PadIdForm.to_string())?)
    }

    /// A plugin reaches no pad that it is not switched on for.
    fn switched_on(&self, pad: PadId) -> Result<PadId, Reason> {
        match self.pads.include(pad.as_str()) {
            true => Ok(pad),
            false => Err(format!("the plugin is not switched on for the pad {pad}").into()),
        }
    }

    fn content(&self, index: usize) -> Option<Text> {
        self.values
            .get(index)
            .and_then(Value::as_str)
            .map(Text::from)
    }

    fn limit(&self, index: usize) -> u64 {
        self.number(index).unwrap_or(PAGE).min(PAGE)
    }
}

impl Calls {
    pub(crate) fn new(service: Weak<Service>, timers: Arc<Notify>) -> Calls {
        Calls {
            service,
            fetcher: Fetcher::new(),
            timers,
        }
    }

    /// What time it is for plugins.
    pub(crate) fn now(&self) -> u64 {
        let now = self.service.upgrade().map(|service| service.now().millis());
        now.and_then(|now| u64::try_from(now).ok()).unwrap_or(0)
    }

    pub(crate) async fn run(
        &self,
        installed: &Installed,
        function: Function,
        arguments: &RawValue,
    ) -> Outcome {
        let arguments: Vec<Value> = serde_json::from_str(arguments.get())
            .map_err(|error| format!("{function}: the arguments cannot be read: {error}"))?;
        let arguments = function.check(&installed.granted, arguments);
        let arguments = Arguments {
            values: arguments.map_err(Reason::of)?,
            pads: &installed.pads,
        };
        let service = self.service.upgrade().ok_or("the service stops")?;
        let value = match function {
            Function::HttpFetch => {
                let options = arguments.values.get(1).unwrap_or(&Value::Null);
                let granted = &installed.granted;
                self.fetcher
                    .fetch(granted, arguments.text(0), options)
                    .await
            }
            Function::StorageGet
            | Function::StorageSet
            | Function::StorageDelete
            | Function::StorageList => {
                storage(service.store(), installed, function, &arguments).await
            }
            Function::TimersEvery | Function::TimersAfter | Function::TimersCancel => {
                let set = timers(&service, installed, function, &arguments).await;
                self.timers.notify_one();
                set
            }
            Function::ChatAppend | Function::ChatHistory | Function::AuthorsName => {
                people(&service, function, &arguments).await
            }
            Function::PadsCreate
            | Function::PadsSetText
            | Function::PadsAppendText
            | Function::PadsSetTitle
            | Function::PadsCopy
            | Function::PadsDelete
            | Function::PadsNotice => write(&service, function, &arguments).await,
            Function::PadsList => list(&service, &arguments).await,
            _ => read(&service, function, &arguments).await,
        }?;
        to_raw_value(&value).map_err(Reason::of)
    }
}

async fn read(
    service: &Service,
    function: Function,
    given: &Arguments<'_>,
) -> Result<Value, Reason> {
    let pad = given.pad(0)?;
    let rev = given.number(1).map(Rev);
    let value: Result<Value, Error> = match function {
        Function::PadsExists => return Ok(record(service, &pad).await.is_ok().into()),
        Function::PadsGetChanges => return changes(service, &pad, given).await,
        Function::PadsGetText => service.get_text(&pad, rev).await.map(|it| text(&it)),
        Function::PadsGetHtml => service.get_html(&pad, rev).await.map(Value::from),
        Function::PadsGetTitle => {
            let title = service.get_title(&pad).await;
            title.map(|title| json!(title.as_ref().map(Title::as_str)))
        }
        Function::PadsGetRevisionsCount => {
            let count = service.get_revisions_count(&pad).await;
            count.map(|rev| rev.0.into())
        }
        Function::PadsGetAuthorship => service.get_authorship(&pad).await.map(|shares| {
            let share = |(author, characters): &(AuthorId, usize)| {
                json!({ "authorId": author.as_str(), "characters": characters })
            };
            shares.iter().map(share).collect()
        }),
        Function::PadsListAuthors => {
            let authors = service.list_authors_of_pad(&pad).await;
            authors.map(|authors| authors.iter().map(AuthorId::as_str).collect())
        }
        Function::PadsLastEdited => {
            let edited = service.get_last_edited(&pad).await;
            edited.map(|time| time.millis().into())
        }
        _ => return Err(format!("{function} is not known here").into()),
    };
    value.map_err(Reason::of)
}

async fn list(service: &Service, given: &Arguments<'_>) -> Result<Value, Reason> {
    let limit = usize::try_from(given.limit(1)).unwrap_or_default();
    let after = Some(given.text(0)).filter(|after| !after.is_empty());
    let mut next = after.map(str::to_owned);
    let mut found: Vec<PadId> = Vec::new();
    for _ in 0..LOOKS {
        let wanted = limit - found.len();
        let pads = service.store().list_pads(next.as_deref(), wanted).await;
        let pads = pads.map_err(failed)?;
        let is_last = pads.len() < wanted;
        next = pads.last().map(|pad| pad.as_str().to_owned());
        next = next.filter(|_| !is_last);
        let is_on = |pad: &PadId| given.pads.include(pad.as_str());
        found.extend(pads.into_iter().filter(is_on));
        if is_last || found.len() >= limit {
            break;
        }
    }
    let pads: Vec<&str> = found.iter().map(PadId::as_str).collect();
    Ok(json!({ "pads": pads, "next": next }))
}

async fn changes(service: &Service, pad: &PadId, given: &Arguments<'_>) -> Result<Value, Reason> {
    let record = record(service, pad).await?;
    let from = Rev(given.number(1).unwrap_or_default());
    let range = from..from.plus(given.limit(2));
    let revisions = service.store().revisions(record.key, range).await;
    let mut rev = from;
    let mut changes = Vec::new();
    for revision in revisions.map_err(failed)? {
        changes.push(json!({
            "revision": rev.0,
            "authorId": revision.author.as_ref().map(AuthorId::as_str),
            "time": revision.time.millis(),
        }));
        rev = rev.next();
    }
    Ok(changes.into())
}

async fn write(
    service: &Service,
    function: Function,
    given: &Arguments<'_>,
) -> Result<Value, Reason> {
    let done: Result<(), Error> = match function {
        Function::PadsCreate => {
            let pad = given.new_pad(0)?;
            let created = service.create_pad(&pad, given.content(1), None).await;
            created.map(drop)
        }
        Function::PadsSetText => {
            let text = given.content(1).unwrap_or_default();
            service.set_text(&given.pad(0)?, text, None).await
        }
        Function::PadsAppendText => {
            let text = given.content(1).unwrap_or_default();
            service.append_text(&given.pad(0)?, text, None).await
        }
        Function::PadsSetTitle => {
            let title = Title::parse(given.text(1)).map_err(|_| "the title is too long")?;
            service.set_title(&given.pad(0)?, title).await
        }
        Function::PadsCopy => {
            let copy = given.new_pad(1)?;
            service.copy_pad(&given.pad(0)?, &copy, false).await
        }
        Function::PadsDelete => {
            let pad = given.pad(0)?;
            service.delete_pad(&pad, None, Caller::Trusted).await
        }
        Function::PadsNotice => service.show_notice(&given.pad(0)?, given.text(1)).await,
        _ => return Err(format!("{function} is not known here").into()),
    };
    done.map(|()| Value::Null).map_err(Reason::of)
}

async fn people(
    service: &Service,
    function: Function,
    given: &Arguments<'_>,
) -> Result<Value, Reason> {
    match function {
        Function::ChatAppend => {
            let text = given.content(1).unwrap_or_default();
            let author = AuthorId::system();
            let pad = given.pad(0)?;
            let said = service.append_chat_message(&pad, text, &author, None).await;
            said.map(|()| Value::Null).map_err(Reason::of)
        }
        Function::ChatHistory => {
            let record = record(service, &given.pad(0)?).await?;
            let first = record.chat_count.saturating_sub(given.limit(1));
            let range = first..record.chat_count;
            let messages = service.store().chat(record.key, range).await;
            let entry = |(_, message): (u64, ChatMessage)| {
                json!({
                    "authorId": message.author.as_ref().map(AuthorId::as_str),
                    "text": text(&message.text),
                    "time": message.time.millis(),
                })
            };
            Ok(messages.map_err(failed)?.into_iter().map(entry).collect())
        }
        Function::AuthorsName => {
            let Some(author) = AuthorId::parse(given.text(0)) else {
                return Ok(Value::Null);
            };
            let author = service.store().author(&author).await.map_err(failed)?;
            Ok(json!(author.and_then(|author| author.name)))
        }
        _ => Err(format!("{function} is not known here").into()),
    }
}

async fn storage(
    store: &Store,
    installed: &Installed,
    function: Function,
    given: &Arguments<'_>,
) -> Result<Value, Reason> {
    let name = installed.name().as_str();
    let key = given.text(0);
    match function {
        Function::StorageGet => {
            let value = store.plugin_value(name, key).await.map_err(failed)?;
            let value = value.map(|bytes| serde_json::from_slice(&bytes));
            value
                .transpose()
                .map(Option::unwrap_or_default)
                .map_err(Reason::of)
        }
        Function::StorageSet => {
            let value = given.values.get(1).unwrap_or(&Value::Null).to_string();
            let put = store.put_plugin_value(name, key, value.as_bytes()).await;
            match put.map_err(failed)? {
                PluginValueWrite::Done => Ok(Value::Null),
                PluginValueWrite::Full => Err("the plugin's storage is full".into()),
                PluginValueWrite::TooLong => Err("the key or the value is too long".into()),
                PluginValueWrite::NotInstalled => Err("the plugin was removed".into()),
            }
        }
        Function::StorageDelete => {
            let removed = store.remove_plugin_value(name, key).await;
            removed.map(|_| Value::Null).map_err(failed)
        }
        _ => {
            let after = Some(given.text(1)).filter(|after| !after.is_empty());
            let keys = store.plugin_keys(name, key, after, PAGE).await;
            let keys = keys.map_err(failed)?;
            let next = keys.last().filter(|_| keys.len() as u64 == PAGE);
            Ok(json!({ "keys": keys, "next": next }))
        }
    }
}

async fn timers(
    service: &Service,
    installed: &Installed,
    function: Function,
    given: &Arguments<'_>,
) -> Result<Value, Reason> {
    let (store, plugin) = (service.store(), installed.name().as_str());
    let name = given.text(0);
    if function == Function::TimersCancel {
        let cancelled = store.cancel_plugin_timer(plugin, name).await;
        return cancelled.map(|_| Value::Null).map_err(failed);
    }
    let seconds = given.number(1).unwrap_or_default();
    let wait = i64::try_from(seconds)
        .unwrap_or(i64::MAX)
        .saturating_mul(1_000);
    let timer = PluginTimer {
        name: name.to_owned(),
        wait,
        every: (function == Function::TimersEvery).then_some(wait),
    };
    let now: Timestamp = service.now();
    match store
        .put_plugin_timer(plugin, &timer, now)
        .await
        .map_err(failed)?
    {
        PluginTimerWrite::Done => Ok(Value::Null),
        PluginTimerWrite::TooMany => Err("the plugin has too many timers".into()),
        PluginTimerWrite::NotInstalled => Err("the plugin was removed".into()),
    }
}

async fn record(service: &Service, pad: &PadId) -> Result<store::PadRecord, Reason> {
    let record = service.store().pad(pad).await.map_err(failed)?;
    record.ok_or_else(|| Reason::of(Error::PadMissing))
}

fn text(text: &Text) -> Value {
    text.to_string_lossy().into()
}

/// The reason is in the log and nowhere else.
fn failed(error: store::Error) -> Reason {
    Reason::of(Error::from(error))
}
