//! Options of a pad: what a patch makes of them, and who may set them.

use pad::access::Role;
use pad::limits::{OPTION_FONT, OPTION_LANGUAGE, PLUGIN_OPTION_BYTES, PLUGIN_OPTIONS_BYTES};
use pad::{OptionRules, OptionsPatch, PadOptions, Patch, PluginName, ViewPatch};

fn defaults() -> PadOptions {
    OptionRules::default().defaults()
}

fn applied(before: &PadOptions, patch: &OptionsPatch) -> PadOptions {
    before.apply(patch, &OptionRules::default())
}

fn plugin(name: &str, bytes: usize) -> (PluginName, String) {
    (PluginName::parse(name).unwrap(), "7".repeat(bytes))
}

#[test]
fn a_patch_changes_what_it_names_and_the_rest_stays() {
    let language = Patch::Set(Some("de".to_owned()));
    let german = applied(
        &defaults(),
        &OptionsPatch {
            language,
            ..OptionsPatch::default()
        },
    );
    let view = Some(ViewPatch {
        right_to_left: Patch::Set(true),
        ..ViewPatch::default()
    });
    let patch = OptionsPatch {
        view,
        show_chat: Patch::Set(false),
        ..OptionsPatch::default()
    };
    let both = applied(&german, &patch);
    assert_eq!(both.language.as_deref(), Some("de"));
    assert!(both.view.right_to_left && !both.view.show_line_numbers && !both.show_chat);
    assert_eq!(both.named_by(&patch), patch);
    let reset = OptionsPatch {
        view: Some(ViewPatch::reset()),
        show_chat: Patch::Reset,
        language: Patch::Reset,
        ..OptionsPatch::default()
    };
    assert_eq!(applied(&both, &reset), defaults());
    // What is stored names everything, whatever the defaults are when it is read.
    let other = OptionRules {
        show_chat: true,
        show_line_numbers: true,
        ..OptionRules::default()
    };
    assert_eq!(other.defaults().apply(&both.to_patch(), &other), both);
}

#[test]
fn what_a_patch_brings_is_bounded() {
    let named = |name: &str| PluginName::parse(name).is_some();
    assert!(named("ep_a_1") && !named("ep_") && !named("ep_A") && !named("evil"));
    assert!(!named(&format!("ep_{}", "n".repeat(101))));
    for (length, kept) in [(OPTION_LANGUAGE, true), (OPTION_LANGUAGE + 1, false)] {
        let patch = OptionsPatch {
            language: Patch::Set(Some("l".repeat(length))),
            ..OptionsPatch::default()
        };
        assert_eq!(applied(&defaults(), &patch).language.is_some(), kept);
    }
    for (bytes, kept) in [(PLUGIN_OPTION_BYTES, 1), (PLUGIN_OPTION_BYTES + 1, 0)] {
        let patch = OptionsPatch {
            plugins: [plugin("ep_a", bytes)].into(),
            ..OptionsPatch::default()
        };
        assert_eq!(applied(&defaults(), &patch).plugins.len(), kept);
    }
    let view = Some(ViewPatch {
        font: Patch::Set("f".repeat(OPTION_FONT + 1)),
        ..ViewPatch::default()
    });
    let patch = OptionsPatch {
        view,
        ..OptionsPatch::default()
    };
    let font = applied(&defaults(), &patch).view.font;
    assert_eq!(font.len(), OPTION_FONT);
}

#[test]
fn plugins_share_the_room_for_their_options() {
    let full = PLUGIN_OPTIONS_BYTES / PLUGIN_OPTION_BYTES;
    let names: Vec<String> = (1..=full).map(|number| format!("ep_{number}")).collect();
    let plugins = names.iter().map(|name| plugin(name, PLUGIN_OPTION_BYTES));
    let patch = OptionsPatch {
        plugins: plugins.collect(),
        ..OptionsPatch::default()
    };
    let before = applied(&defaults(), &patch);
    assert_eq!(before.plugins.len(), full);
    for (name, bytes, kept, others) in [
        // A new one takes nothing away from others.
        ("ep_0", 1, false, full),
        // One that grows too large is gone.
        ("ep_1", PLUGIN_OPTION_BYTES + 1, false, full - 1),
        ("ep_1", 1, true, full - 1),
    ] {
        let patch = OptionsPatch {
            plugins: [plugin(name, bytes)].into(),
            ..OptionsPatch::default()
        };
        let after = applied(&before, &patch);
        assert_eq!(after.named_by(&patch).plugins.len(), usize::from(kept));
        assert_eq!(after.plugins.len(), others + usize::from(kept), "{name}");
    }
    let without = OptionRules {
        plugins: false,
        ..OptionRules::default()
    };
    let after = before.apply(&OptionsPatch::default(), &without);
    assert!(after.plugins.is_empty());
}

#[test]
fn creators_set_options_where_the_operator_lets_them() {
    for (pad_wide, role, may) in [
        (true, Role::Creator, true),
        (true, Role::Writer, false),
        (true, Role::Reader, false),
        (false, Role::Creator, false),
    ] {
        let rules = OptionRules {
            pad_wide,
            ..OptionRules::default()
        };
        assert_eq!(rules.may_set(role), may, "{pad_wide} {role:?}");
    }
}
