//! Plugins of Etherpad whose work is done by the program itself.
//!
//! A name is in this table only if somebody who used the plugin finds here what it was for.

/// What does the work, in words that the page of plugins has a text for, and whose work it does.
const BUILT_IN: &[(&str, &[&str])] = &[
    ("authors", &["ep_author_hover"]),
    ("broadcast", &["ep_message_all"]),
    ("carets", &["ep_cursortrace"]),
    ("chat", &["ep_disable_chat"]),
    ("clear", &["ep_clear_formatting"]),
    ("compare", &["ep_timesliderdiff"]),
    ("hashes", &["ep_hash_auth"]),
    ("header", &["ep_headerauth"]),
    ("headings", &["ep_headings", "ep_headings2"]),
    ("markdown", &["ep_markdown"]),
    (
        "metrics",
        &["ep_ether-o-meter", "ep_pads_stats", "ep_prometheus"],
    ),
    ("offline", &["ep_offline_edit"]),
    ("pads", &["ep_adminpads", "ep_adminpads2", "ep_adminpads3"]),
    ("provider", &["ep_openid_connect"]),
    ("spelling", &["ep_spellcheck"]),
    ("words", &["ep_countable"]),
];

pub(super) fn instead_of(plugin: &str) -> Option<&'static str> {
    let found = BUILT_IN
        .iter()
        .find(|(_, plugins)| plugins.contains(&plugin));
    found.map(|(feature, _)| *feature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feature_has_a_text_in_the_admin_area() {
        let texts = include_str!("../../../../web/src/admin/texts/en.json");
        let texts: serde_json::Value = serde_json::from_str(texts).unwrap();
        for (feature, _) in BUILT_IN {
            let key = format!("plugins.builtIn.{feature}");
            assert!(texts[&key].is_string(), "{key}");
        }
        assert_eq!(instead_of("ep_headings2"), Some("headings"));
        assert_eq!(instead_of("ep_webrtc"), None);
    }
}
