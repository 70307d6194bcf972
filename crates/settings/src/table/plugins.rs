//! Rows: where plugins come from.

use super::{Section, any};

pub(super) const PLUGINS: Section = Section {
    title: "Plugins",
    rows: &[
        any(
            "plugins.catalogue",
            |s| &mut s.plugins.catalogue,
            "The address of a catalogue that plugins are installed from: a JSON file. It is \
             asked only when an administrator looks, and never with `privacy.pluginCatalog` off.",
        ),
        any(
            "plugins.keys",
            |s| &mut s.plugins.keys,
            "Keys that plugins of the catalogue must be signed with, one of them each: Ed25519 \
             public keys in base64. Without keys the SHA-256 in the catalogue is checked alone.",
        ),
    ],
};
