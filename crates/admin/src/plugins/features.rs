//! What is built in and can be switched on and off: by settings, which count from the next start.

use serde_json::{Value, json};

use settings::{self, Settings};

struct Feature {
    /// The page of plugins has a text for it.
    name: &'static str,
    /// The setting that switches it.
    key: &'static str,
    kind: Kind,
    /// Further settings that belong to it.
    more: &'static [&'static str],
}

#[derive(Clone, Copy)]
enum Kind {
    /// `true` and `false`.
    Flag,
    /// It is off by that word, and on by any other.
    Tier,
    /// It is on as long as there is a value, which only the operator knows.
    Value,
}

const FEATURES: &[Feature] = &[
    flag(
        "chat",
        "padOptions.showChat",
        &["padOptions.alwaysShowChat", "padOptions.chatAndUsers"],
    ),
    flag("recent", "showRecentPads", &[]),
    flag("dark", "enableDarkMode", &[]),
    flag("padWide", "enablePadWideSettings", &[]),
    flag(
        "notice",
        "privacyBanner.enabled",
        &[
            "privacyBanner.title",
            "privacyBanner.body",
            "privacyBanner.learnMoreUrl",
            "privacyBanner.dismissal",
        ],
    ),
    flag("compaction", "cleanup.enabled", &["cleanup.keepRevisions"]),
    flag("erasure", "gdprAuthorErasure.enabled", &[]),
    flag("word", "docxExport", &[]),
    Feature {
        name: "office",
        key: "soffice",
        kind: Kind::Value,
        more: &[],
    },
    flag("signIn", "requireAuthentication", &["users"]),
    Feature {
        name: "provider",
        key: "login.issuer",
        kind: Kind::Value,
        more: &[
            "login.clientId",
            "login.clientSecret",
            "login.label",
            "login.groups",
        ],
    },
    flag("metrics", "enableMetrics", &[]),
    Feature {
        name: "updates",
        key: "updates.tier",
        kind: Kind::Tier,
        more: &[
            "updates.checkIntervalHours",
            "updates.maintenanceWindow",
            "adminEmail",
        ],
    },
    flag("updateCheck", "privacy.updateCheck", &["updateServer"]),
    flag("catalogue", "privacy.pluginCatalog", &["updateServer"]),
];

const fn flag(name: &'static str, key: &'static str, more: &'static [&'static str]) -> Feature {
    Feature {
        name,
        key,
        kind: Kind::Flag,
        more,
    }
}

/// Each feature as it is; `file` is the settings file, where administrators may see it.
pub(super) fn overview(in_force: &Settings, file: Option<&str>) -> Value {
    let environment = settings::environment;
    let next = file.and_then(|text| settings::load(text, &environment).ok());
    let next = next.map(|(settings, _)| settings::effective(&settings));
    let now = settings::effective(in_force);
    let features = FEATURES.iter().map(|feature| {
        json!({
            "name": feature.name,
            "key": feature.key,
            "kind": feature.kind.name(),
            "help": settings::help(feature.key),
            "on": is_on(&now, feature.key),
            "next": next.as_ref().map(|next| is_on(next, feature.key)),
            "variable": settings::variable_over(feature.key, &environment),
            "more": feature.more,
        })
    });
    features.collect()
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Flag => "flag",
            Kind::Tier => "tier",
            Kind::Value => "value",
        }
    }
}

fn is_on(values: &Value, key: &str) -> bool {
    let value = values.pointer(&format!("/{}", key.replace('.', "/")));
    value.is_some_and(|value| {
        !matches!(value, Value::Null | Value::Bool(false)) && value != "off" && value != ""
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feature_is_one_of_the_settings_and_has_a_text_in_the_admin_area() {
        let texts = include_str!("../../../../web/src/admin/texts/en.json");
        let texts: Value = serde_json::from_str(texts).unwrap();
        for feature in FEATURES {
            let key = format!("plugins.feature.{}", feature.name);
            assert!(texts[&key].is_string(), "{key}");
            for key in feature.more.iter().chain([&feature.key]) {
                assert!(settings::help(key).is_some(), "{key}");
            }
        }
    }

    fn found<'a>(overview: &'a Value, name: &str) -> &'a Value {
        let features = overview.as_array().unwrap();
        let found = features.iter().find(|feature| feature["name"] == name);
        found.unwrap()
    }

    #[test]
    fn what_is_in_force_and_what_will_be_differ() {
        let file = r#"{
            "enableMetrics": false, "soffice": "/bin/office", "updates": { "tier": "off" }
        }"#;
        let overview_of = |file| overview(&Settings::default(), file);
        let shown = overview_of(Some(file));
        for (name, now, next) in [
            ("metrics", true, false),
            ("office", false, true),
            ("updates", true, false),
            ("erasure", false, false),
        ] {
            let feature = found(&shown, name);
            assert_eq!(feature["on"], now, "{name}");
            assert_eq!(feature["next"], next, "{name}");
        }
        // A file that is hidden, or that the service could not start with, says nothing.
        for file in [None, Some("{")] {
            let shown = overview_of(file);
            assert_eq!(found(&shown, "metrics")["next"], Value::Null);
        }
    }
}
