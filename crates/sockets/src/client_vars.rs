//! The first large answer: everything a client needs to show a pad.

use pad::{Author, Colour, Head, PALETTE, ReadOnlyId, Title};
use serde_json::{Map, Value, json};
use service::{Joined, TemplateUse, options};
use socketio::Packet;

use crate::message::{BATCHES, CARETS, PLUGINS, TITLES, WINDOWS};
use crate::wire;
use bundle::NAME as BUNDLE;
use settings::{Banner, Setting as _, Settings};

/// What a client asked for and gets told about itself.
pub(super) struct Told<'a> {
    pub joined: &'a Joined,
    /// The name the client used: a read-only member never learns the real one.
    pub asked_for: &'a str,
    /// Whether the client knows that extension.
    pub shows_titles: bool,
    pub takes_batches: bool,
    /// What the parts of plugins get. `None`: the client does not know that extension.
    pub page_plugins: Option<Value>,
    pub settings: &'a Settings,
    pub now: pad::Timestamp,
}

/// The text, which is most of it, is the same bytes for everybody who comes to the same revision.
pub(super) fn client_vars(told: &Told<'_>) -> Packet {
    let mut vars = about_pad(told);
    if let (Value::Object(vars), Value::Object(about_server)) = (&mut vars, about_server(told)) {
        vars.extend(about_server);
    }
    wire::client_vars(&vars, &about_document(told), &text(told))
}

fn text(told: &Told<'_>) -> wire::AttributedText {
    let encode = |head: &Head| wire::attributed_text(&head.document, &head.pool);
    told.joined.snapshot.encoded(encode)
}

fn about_document(told: &Told<'_>) -> Value {
    let head = &told.joined.snapshot.head;
    json!({
        "padId": told.asked_for,
        "historicalAuthorData": authors(&told.joined.authors),
        "rev": head.rev.unwrap_or_default().0,
        "time": head.time.millis(),
    })
}

fn authors(authors: &[Author]) -> Value {
    let others = authors.iter().filter(|author| !author.id.is_system());
    let entry = |author: &Author| {
        let data = json!({ "name": author.name, "colorId": wire::colour(&author.colour) });
        (author.id.as_str().to_owned(), data)
    };
    Value::Object(others.map(entry).collect::<Map<_, _>>())
}

fn about_pad(told: &Told<'_>) -> Value {
    let Told {
        joined,
        asked_for,
        settings,
        now,
        ..
    } = told;
    let author = &joined.author;
    // Where nobody needs a token, nobody is bothered with one.
    let deletion_token = joined.deletion_token.as_ref();
    let deletion_token = deletion_token.filter(|_| !settings.pads.deletion_by_all);
    let saved: Vec<Value> = joined.saved.iter().map(wire::saved_json).collect();
    let mut vars = json!({
        "padId": asked_for,
        "initialTitle": format!("Pad: {asked_for}"),
        "userId": author.id.as_str(),
        "userColor": wire::colour(&author.colour),
        // Not one that the visitor chose.
        "userColorGiven": !matches!(author.colour, Colour::Hex(_)),
        "readonly": joined.member.is_read_only(),
        "readOnlyId": joined.read_only_id.as_ref().map_or("", ReadOnlyId::as_str),
        "chatHead": joined.record.chat_count as i64 - 1,
        "savedRevisions": saved,
        "initialOptions": options::to_json(&joined.options.to_patch()),
        "canEditPadSettings": joined.member.may_set_options(),
        "padDeletionToken": deletion_token.map(pad::DeletionToken::as_str),
        "canDeleteWithoutToken": joined.member.may_delete(),
        "numConnectedUsers": joined.member.member_count(),
        "serverTimestamp": now.millis(),
    });
    // Left out where there is no name: that is how clients tell.
    if let (Value::Object(vars), Some(name)) = (&mut vars, &author.name) {
        vars.insert("userName".to_owned(), json!(name));
    }
    if let (Value::Object(vars), Some(template)) = (&mut vars, joined.template) {
        vars.insert("template".to_owned(), json!(template_word(template)));
    }
    extend(&mut vars, told);
    vars
}

fn template_word(template: TemplateUse) -> &'static str {
    match template {
        TemplateUse::Copied(_) => "copied",
        TemplateUse::Missing => "missing",
        TemplateUse::Ignored => "ignored",
    }
}

/// Adds what belongs to extensions. Other clients see nothing that they do not know.
fn extend(vars: &mut Value, told: &Told<'_>) {
    let feed = &told.joined.feed;
    let known = [
        (CARETS, feed.follows_carets()),
        (TITLES, told.shows_titles),
        (PLUGINS, told.page_plugins.is_some()),
        (WINDOWS, told.joined.member.record().is_some()),
        (BATCHES, told.takes_batches),
    ];
    let known = known.iter().filter(|(_, is_known)| *is_known);
    let known: Vec<&str> = known.map(|(name, _)| *name).collect();
    let Value::Object(vars) = vars else {
        return;
    };
    if !known.is_empty() {
        vars.insert("extensions".to_owned(), json!(known));
    }
    if let Some(parts) = &told.page_plugins {
        vars.insert("pagePlugins".to_owned(), parts.clone());
    }
    if let Some(record) = wire::record(&told.joined.member) {
        vars.insert("windowRecord".to_owned(), json!(record));
    }
    if told.shows_titles {
        let title = feed.title();
        let shown = Title::shown(title, told.asked_for);
        vars.insert("padTitle".to_owned(), json!(shown));
        vars.insert("hasDefaultTitle".to_owned(), json!(title.is_none()));
    }
}

fn about_server(told: &Told<'_>) -> Value {
    let settings = told.settings;
    let pages = &settings.pages;
    let office = match settings.files.soffice {
        Some(_) => "yes",
        None => "no",
    };
    json!({
        "skinName": "colibris",
        "skinVariants": "",
        "randomVersionString": *BUNDLE,
        "accountPrivs": { "maxRevisions": 100 },
        "automaticReconnectionTimeout": pages.reconnect_seconds,
        "sessionRefreshInterval": settings.access.cookies.refresh_milliseconds,
        "initialRevisionList": [],
        "initialChangesets": [],
        "opts": {},
        "colorPalette": PALETTE.as_slice(),
        "padOptions": pages.options.to_json(),
        "padShortcutEnabled": pages.shortcuts.to_json(),
        "cookiePrefix": settings.access.cookies.prefix.0,
        "plugins": { "plugins": {}, "parts": [] },
        "sofficeAvailable": office,
        "exportAvailable": office,
        "docxExport": settings.files.docx_export,
        "mode": "production",
        "enableDarkMode": pages.dark_mode,
        "enablePadWideSettings": settings.pads.pad_wide_settings,
        "enablePluginPadOptions": settings.pads.plugin_options,
        "indentationOnNewLine": pages.indent_new_lines,
        "privacyBanner": banner(&pages.banner),
        "scrollWhenFocusLineIsOutOfViewport": {
            "percentage": { "editionAboveViewport": 0, "editionBelowViewport": 0 },
            "duration": 0,
            "scrollWhenCaretIsInTheLastLineOfViewport": false,
            "percentageToScrollWhenUserPressesArrowUp": 0,
        },
    })
}

fn banner(banner: &Banner) -> Value {
    json!({
        "enabled": banner.enabled,
        "title": banner.title,
        "body": banner.body,
        "learnMoreUrl": banner.learn_more,
        "dismissal": banner.dismissal.to_json(),
    })
}
