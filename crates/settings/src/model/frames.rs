//! `frameAncestors`: which sites may show pads in a frame.

use serde_json::Value as Json;

use crate::diagnostics::Report;
use crate::tree::Node;
use crate::value::Setting;

/// One source of the directive `frame-ancestors` of a content security policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameAncestor(pub String);

impl Setting for FrameAncestor {
    fn allowed(&self) -> String {
        "\"'self'\", \"'none'\", \"*\", or a site such as \"https://app.example.com\" or \
         \"https://*.example.com\""
            .to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.text().and_then(source) {
            Some(source) => self.0 = source,
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        self.0.as_str().into()
    }
}

/// What can be written into the header as it is: nothing that ends the directive.
fn source(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches('/');
    match text.trim_matches('\'') {
        "self" => return Some("'self'".to_owned()),
        "none" => return Some("'none'".to_owned()),
        "*" => return Some("*".to_owned()),
        _ => {}
    }
    let host = match text.split_once("://") {
        Some(("http" | "https", host)) => host,
        Some(_) => return None,
        None => text,
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "*.:-[]".contains(c);
    (!host.is_empty() && host.chars().all(is_plain)).then(|| text.to_owned())
}
