//! Which buttons are in the bars of a pad and of its history.

use std::marker::PhantomData;

use serde_json::Value as Json;

use crate::diagnostics::Report;
use crate::tree::{Node, Value};
use crate::value::Setting;

/// What is unset is as the pages are made.
#[derive(Clone, Debug, Default)]
pub struct Toolbar {
    pub left: Option<Buttons<Pad>>,
    pub right: Option<Buttons<Pad>>,
    pub history: Option<Buttons<History>>,
}

/// Names of buttons, in groups.
#[derive(Clone, Debug)]
pub struct Buttons<Page> {
    groups: Vec<Vec<&'static str>>,
    page: PhantomData<Page>,
}

/// A page that has bars.
pub trait Bars {
    const NAMES: &'static [&'static str];
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Pad;

/// Those after `showusers` are not in Etherpad. The page has these names as
/// `web/src/pad/buttonNames.ts`.
impl Bars for Pad {
    const NAMES: &'static [&'static str] = &[
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "orderedlist",
        "unorderedlist",
        "indent",
        "outdent",
        "undo",
        "redo",
        "clearauthorship",
        "importexport",
        "timeslider",
        "savedrevision",
        "settings",
        "embed",
        "home",
        "showusers",
        "style",
        "clearformatting",
        "authorship",
        "find",
        "link",
        "tasklist",
        "formats",
        "fonts",
        "align",
        "outline",
    ];
}

#[derive(Clone, Copy, Debug, Default)]
pub struct History;

impl Bars for History {
    const NAMES: &'static [&'static str] = &[
        "timeslider_export",
        "timeslider_settings",
        "timeslider_returnToPad",
    ];
}

impl<Page: Bars> Default for Buttons<Page> {
    fn default() -> Buttons<Page> {
        Buttons {
            groups: Vec::new(),
            page: PhantomData,
        }
    }
}

impl<Page: Bars> Setting for Buttons<Page> {
    fn allowed(&self) -> String {
        format!("a list of lists of {}", Page::NAMES.join(", "))
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let Value::List(groups) = &node.value else {
            return report.refuse_kind(key, node, &self.allowed());
        };
        for (at, group) in groups.iter().enumerate() {
            let path = format!("{key}[{at}]");
            let mut names = Vec::<String>::new();
            names.read(&path, group, report);
            let known = names.iter().enumerate().filter_map(|(at, name)| {
                let known = Page::NAMES.iter().find(|known| *known == name);
                if known.is_none() {
                    let path = format!("{path}[{at}]");
                    let text = format!("{path} is ignored: there is no button {name:?}");
                    report.warn(&path, group.place, text);
                }
                known.copied()
            });
            self.groups.push(known.collect());
        }
    }

    fn to_json(&self) -> Json {
        Json::from_iter(self.groups.iter().map(|group| Json::from(group.clone())))
    }
}
