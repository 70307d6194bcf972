//! Attributes that enabled plugins declare, as one table for files.

use plugin::AttributeDeclaration;
use plugin::attributes::AttributeKind;
use service::declared::{Declaration, Declared, Kind};
use tracing::warn;

use crate::registry::Snapshot;

/// Of two plugins that declare the same attribute, the first by name is heard.
pub(crate) fn table(snapshot: &Snapshot) -> Declared {
    let mut table = Declared::default();
    for installed in snapshot.enabled() {
        for attribute in &installed.manifest().attributes {
            if let Err(error) = table.add(declaration(attribute)) {
                let (name, key) = (installed.name(), &attribute.key);
                warn!("the attribute {key} of the plugin {name} means nothing in files: {error}");
            }
        }
    }
    table
}

fn declaration(attribute: &AttributeDeclaration) -> Declaration {
    let like = attribute.like.iter();
    Declaration {
        key: attribute.key.clone(),
        kind: match attribute.kind {
            AttributeKind::Inline => Kind::Inline,
            AttributeKind::Line => Kind::Line,
        },
        values: attribute.values.clone(),
        element: attribute.element.clone(),
        like: like
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    }
}
