//! `plugins`: where plugins are found, and whose signatures count.

use serde_json::Value as Json;

use crate::diagnostics::Report;
use crate::tree::Node;
use crate::value::{Setting, WebAddress};

#[derive(Clone, Debug, Default)]
pub struct Plugins {
    /// The catalogue that they are installed from.
    pub catalogue: Option<WebAddress>,
    /// With keys, whatever comes from the catalogue must be signed with one of them.
    pub keys: Vec<PluginKey>,
}

/// The 32 bytes of an Ed25519 public key in base64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginKey(pub String);

impl Setting for PluginKey {
    fn allowed(&self) -> String {
        "the 32 bytes of an Ed25519 public key in base64: 44 characters, the last of them =".into()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.text().map(str::trim).filter(|text| is_key(text)) {
            Some(text) => self.0 = text.to_owned(),
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        self.0.as_str().into()
    }
}

/// Whether it is base64 of 32 bytes. The last character holds four bits; the other two are 0.
fn is_key(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_alphanumeric() || c == '+' || c == '/';
    let Some(digits) = text.strip_suffix('=') else {
        return false;
    };
    digits.len() == 43
        && digits.chars().all(is_digit)
        && digits.ends_with(|last| "AEIMQUYcgkosw048".contains(last))
}
