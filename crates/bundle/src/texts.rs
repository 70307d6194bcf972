//! The texts of the pages, `web/locales/`: one file for each language, a text for each name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::LOCALES;

pub const ENGLISH: &str = "en";

type Texts = BTreeMap<&'static str, BTreeMap<String, String>>;

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let read = |(language, json): &(&'static str, &str)| {
        let texts = serde_json::from_str(json).unwrap_or_default();
        (*language, texts)
    };
    LOCALES.iter().map(read).collect()
});

/// The language of that very name.
pub fn language(name: &str) -> Option<&'static str> {
    languages().find(|language| language.eq_ignore_ascii_case(name))
}

pub fn languages() -> impl Iterator<Item = &'static str> {
    LOCALES.iter().map(|(language, _)| *language)
}

pub fn text(language: &str, name: &str) -> Option<&'static str> {
    let text = TEXTS.get(language)?.get(name)?;
    Some(text.as_str())
}

/// Our name of a text, by that name or by the one that Etherpad has for its like.
pub fn name(name: &str) -> Option<&'static str> {
    let known = |name: &str| {
        let (name, _) = TEXTS.get(ENGLISH)?.get_key_value(name)?;
        Some(name.as_str())
    };
    known(name).or_else(|| {
        let (_, ours) = THEIRS.iter().find(|(theirs, _)| *theirs == name)?;
        known(ours)
    })
}

/// Those that operators of Etherpad write in words of their own, as far as there is the like here.
const THEIRS: [(&str, &str); 61] = [
    ("index.newPad", "home.new"),
    ("index.createOpenPad", "home.openLabel"),
    ("index.openPad", "home.openLabel"),
    ("index.recentPads", "home.recent"),
    ("pad.toolbar.bold.title", "bar.bold"),
    ("pad.toolbar.italic.title", "bar.italic"),
    ("pad.toolbar.underline.title", "bar.underline"),
    ("pad.toolbar.strikethrough.title", "bar.strikethrough"),
    ("pad.toolbar.ol.title", "bar.numbers"),
    ("pad.toolbar.ul.title", "bar.bullets"),
    ("pad.toolbar.indent.title", "bar.indent"),
    ("pad.toolbar.unindent.title", "bar.outdent"),
    ("pad.toolbar.undo.title", "bar.undo"),
    ("pad.toolbar.redo.title", "bar.redo"),
    ("pad.toolbar.clearAuthorship.title", "bar.clearAuthorship"),
    ("pad.toolbar.import_export.title", "more.files"),
    ("pad.toolbar.timeslider.title", "header.history"),
    ("pad.toolbar.savedRevision.title", "more.saveRevision"),
    ("pad.toolbar.settings.title", "more.settings"),
    ("pad.toolbar.embed.title", "header.share"),
    ("pad.toolbar.home.title", "header.home"),
    ("pad.toolbar.showusers.title", "more.people"),
    ("pad.loading", "state.connecting"),
    ("pad.permissionDenied", "stopped.denied"),
    ("pad.settings.title", "settings.title"),
    ("pad.settings.padSettings", "settings.everybody"),
    ("pad.settings.myView", "settings.mine"),
    ("pad.settings.stickychat", "settings.chatOpen"),
    ("pad.settings.chatandusers", "settings.chatAndUsers"),
    ("pad.settings.colorcheck", "settings.authorship"),
    ("pad.settings.linenocheck", "settings.lineNumbers"),
    ("pad.settings.fontType", "settings.font"),
    ("pad.settings.language", "settings.language"),
    ("pad.settings.deletePad", "more.delete"),
    ("pad.importExport.import", "files.import"),
    ("pad.importExport.export", "files.export"),
    ("pad.importExport.exportetherpad", "files.etherpad"),
    ("pad.importExport.exporthtml", "files.html"),
    ("pad.importExport.exportplain", "files.txt"),
    ("pad.importExport.exportword", "files.docx"),
    ("pad.importExport.exportpdf", "files.pdf"),
    ("pad.importExport.exportopen", "files.odt"),
    ("pad.modals.connected", "state.saved"),
    ("pad.modals.forcereconnect", "notice.reload"),
    ("pad.modals.userdup.explanation", "stopped.duplicate"),
    ("pad.modals.userdup.advice", "notice.useHere"),
    ("pad.modals.unauth", "stopped.denied"),
    ("pad.modals.deleted", "stopped.deleted"),
    ("pad.modals.deleted.explanation", "stopped.deleted"),
    ("pad.modals.rateLimited", "stopped.rateLimited"),
    ("pad.modals.rateLimited.explanation", "stopped.rateLimited"),
    ("pad.modals.corruptPad.explanation", "stopped.corrupt"),
    ("pad.share", "share.title"),
    ("pad.share.readonly", "share.canRead"),
    ("pad.share.link", "share.link"),
    ("pad.share.emebdcode", "share.embed"),
    ("pad.chat", "panel.chat"),
    ("pad.chat.loadmessages", "chat.older"),
    ("pad.userlist.entername", "people.yourName"),
    ("pad.userlist.unnamed", "editor.unnamed"),
    ("timeslider.toolbar.returnbutton", "history.back"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_etherpads_texts_lead_to_texts_of_ours() {
        for (theirs, ours) in THEIRS {
            assert_eq!(name(theirs), Some(ours), "{theirs}");
            assert!(text(ENGLISH, theirs).is_none(), "{theirs} is ours as well");
        }
        assert_eq!(name("bar.bold"), Some("bar.bold"));
        assert_eq!(name("pad.nothing"), None);
    }
}
