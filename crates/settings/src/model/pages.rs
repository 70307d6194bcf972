//! Page settings: the pages, the editor, the privacy notice, and the fonts of printed pads.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::messages::Messages;
use super::toolbar::Toolbar;
use crate::diagnostics::Report;
use crate::tree::{Node, Value, join};
use crate::value::{Fields, Setting, choices, unknown};

#[derive(Clone, Debug)]
pub struct Pages {
    pub title: String,
    pub favicon: Option<String>,
    /// The text under a link to a pad in other programs, instead of the translated one.
    pub description: Option<String>,
    pub recent_pads: bool,
    pub dark_mode: bool,
    pub options: PadOptions,
    pub shortcuts: Shortcuts,
    pub toolbar: Toolbar,
    pub reconnect_seconds: u64,
    pub indent_new_lines: bool,
    pub messages: Messages,
    pub banner: Banner,
}

impl Default for Pages {
    fn default() -> Pages {
        Pages {
            title: "padsvc".to_owned(),
            favicon: None,
            description: None,
            recent_pads: true,
            dark_mode: true,
            options: PadOptions::default(),
            shortcuts: Shortcuts::default(),
            toolbar: Toolbar::default(),
            reconnect_seconds: 0,
            indent_new_lines: false,
            messages: Messages::default(),
            banner: Banner::default(),
        }
    }
}

/// How a pad looks to somebody who has not chosen otherwise.
#[derive(Clone, Debug)]
pub struct PadOptions {
    pub no_colors: bool,
    pub show_controls: bool,
    pub show_chat: bool,
    pub show_line_numbers: bool,
    pub monospace_font: bool,
    pub user_name: Option<String>,
    pub user_color: Option<String>,
    pub right_to_left: bool,
    pub always_show_chat: bool,
    pub chat_and_users: bool,
    pub language: Option<String>,
    pub fade_inactive_authors: bool,
    pub readable_author_colors: bool,
    pub show_fonts: bool,
}

impl Default for PadOptions {
    fn default() -> PadOptions {
        PadOptions {
            no_colors: false,
            show_controls: true,
            show_chat: true,
            show_line_numbers: false,
            monospace_font: false,
            user_name: None,
            user_color: None,
            right_to_left: false,
            always_show_chat: false,
            chat_and_users: false,
            language: None,
            fade_inactive_authors: true,
            readable_author_colors: true,
            show_fonts: true,
        }
    }
}

impl PadOptions {
    /// By the names that the file, clients and addresses of pads have for them.
    pub fn to_json(&self) -> Json {
        json!({
            "noColors": self.no_colors,
            "showControls": self.show_controls,
            "showChat": self.show_chat,
            "showLineNumbers": self.show_line_numbers,
            "useMonospaceFont": self.monospace_font,
            "userName": self.user_name,
            "userColor": self.user_color,
            "rtl": self.right_to_left,
            "alwaysShowChat": self.always_show_chat,
            "chatAndUsers": self.chat_and_users,
            "lang": self.language,
            "fadeInactiveAuthorColors": self.fade_inactive_authors,
            "enforceReadableAuthorColors": self.readable_author_colors,
            "showFonts": self.show_fonts,
        })
    }
}

/// The keys of the editor; all work unless switched off.
#[derive(Clone, Debug, Default)]
pub struct Shortcuts {
    pub disabled: BTreeSet<&'static str>,
}

impl Shortcuts {
    /// The page has them as `web/src/editor/shortcutNames.ts`.
    pub const NAMES: [&'static str; 24] = [
        "altF9",
        "altC",
        "delete",
        "cmdShift2",
        "return",
        "esc",
        "cmdS",
        "tab",
        "cmdZ",
        "cmdY",
        "cmdB",
        "cmdI",
        "cmdU",
        "cmd5",
        "cmdShiftL",
        "cmdShiftN",
        "cmdShift1",
        "cmdShiftC",
        "cmdShiftD",
        "cmdShiftK",
        "cmdH",
        "ctrlHome",
        "pageUp",
        "pageDown",
    ];
}

impl Setting for Shortcuts {
    fn allowed(&self) -> String {
        let names = Shortcuts::NAMES.join(", ");
        format!("an object, each value true or false, with {names}")
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let Value::Object(members) = &node.value else {
            return report.refuse_kind(key, node, &self.allowed());
        };
        for (name, node) in members.iter().filter(|(_, node)| !node.is_null()) {
            let path = join(key, name);
            let Some(name) = Shortcuts::NAMES.into_iter().find(|known| known == name) else {
                report.warn(&path, node.place, unknown(&path));
                continue;
            };
            let mut enabled = true;
            enabled.read(&path, node, report);
            if !enabled {
                self.disabled.insert(name);
            }
        }
    }

    fn to_json(&self) -> Json {
        let shown = Shortcuts::NAMES
            .into_iter()
            .map(|name| (name.to_owned(), (!self.disabled.contains(name)).into()));
        Json::Object(shown.collect())
    }
}

/// The notice about privacy on every pad.
#[derive(Clone, Debug)]
pub struct Banner {
    pub enabled: bool,
    pub title: String,
    /// Plain text; each line is a paragraph.
    pub body: String,
    pub learn_more: Option<String>,
    pub dismissal: Dismissal,
}

impl Default for Banner {
    fn default() -> Banner {
        Banner {
            enabled: false,
            title: "Privacy notice".to_owned(),
            body: "What is written in a pad is stored on this server, together with who wrote it."
                .to_owned(),
            learn_more: None,
            dismissal: Dismissal::default(),
        }
    }
}

choices! {
    pub enum Dismissal {
        /// Once closed, it stays closed.
        #[default]
        Dismissible = "dismissible",
        /// It comes back with the next page.
        Sticky = "sticky",
    }
}

/// The files of one font family.
#[derive(Clone, Debug, Default)]
pub struct PdfFont {
    pub regular: Option<String>,
    pub bold: Option<String>,
    pub italic: Option<String>,
    pub bold_italic: Option<String>,
    pub fallback: PdfFallback,
}

choices! {
    /// The built-in font that stands in for a file that cannot be read.
    pub enum PdfFallback {
        #[default]
        Helvetica = "helvetica",
        Times = "times",
        Courier = "courier",
    }
}

/// The members of a font that is written as an object.
#[derive(Clone, Default)]
struct PdfFontFiles(PdfFont);

impl Fields for PdfFontFiles {
    fn fields(&mut self) -> Vec<(&'static str, &mut dyn Setting)> {
        vec![
            ("regular", &mut self.0.regular),
            ("bold", &mut self.0.bold),
            ("italic", &mut self.0.italic),
            ("boldItalic", &mut self.0.bold_italic),
            ("fallback", &mut self.0.fallback),
        ]
    }
}

impl Setting for PdfFont {
    fn allowed(&self) -> String {
        format!(
            "the path of a file or {}",
            PdfFontFiles::default().allowed()
        )
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        if let Some(path) = node.text() {
            let path = Some(path.to_owned());
            self.regular.clone_from(&path);
            self.bold.clone_from(&path);
            self.italic.clone_from(&path);
            self.bold_italic = path;
        } else if let Value::Object(_) = node.value {
            let mut files = PdfFontFiles::default();
            files.read(key, node, report);
            *self = files.0;
        } else {
            report.refuse_kind(key, node, &self.allowed());
        }
    }

    fn to_json(&self) -> Json {
        PdfFontFiles(self.clone()).to_json()
    }
}
