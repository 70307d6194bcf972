//! Texts of the pages in the operator's own words.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::diagnostics::Report;
use crate::tree::{Node, Value, join};
use crate::value::Setting;
use bundle::texts;

/// By language, then by the name of the text. Both are known; a name may be Etherpad's.
#[derive(Clone, Debug, Default)]
pub struct Messages(BTreeMap<String, BTreeMap<String, String>>);

/// By language, then by our name of the text.
pub type Words = BTreeMap<&'static str, BTreeMap<&'static str, String>>;

impl Messages {
    pub fn words(&self) -> Words {
        let mut words = Words::new();
        for (language, messages) in &self.0 {
            let known = messages
                .iter()
                .filter_map(|(name, text)| Some((texts::name(name)?, text.clone())));
            if let Some(language) = texts::language(language) {
                words.entry(language).or_default().extend(known);
            }
        }
        words
    }
}

impl Setting for Messages {
    fn allowed(&self) -> String {
        self.0.allowed()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let Value::Object(languages) = &node.value else {
            return report.refuse_kind(key, node, &self.allowed());
        };
        self.0.clear();
        for (language, node) in languages.iter().filter(|(_, node)| !node.is_null()) {
            let path = join(key, language);
            if texts::language(language).is_none() {
                let text = format!("{path} is ignored: there are no pages in that language");
                report.warn(&path, node.place, text);
                continue;
            }
            let mut messages = BTreeMap::<String, String>::new();
            messages.read(&path, node, report);
            messages.retain(|name, _| {
                let known = texts::name(name).is_some();
                if !known {
                    let path = join(&path, name);
                    let text = format!("{path} is ignored: the pages have no such text");
                    report.warn(&path, node.place, text);
                }
                known
            });
            self.0.insert(language.clone(), messages);
        }
    }

    fn to_json(&self) -> Json {
        self.0.to_json()
    }
}
