//! Options of a pad, which its creator sets for everybody in it.
//!
//! [`PadOptions`] always has a value for every option. Somebody who changes options names some of
//! them in an [`OptionsPatch`]; [`PadOptions::apply`] bounds what it brings. What is stored is a
//! patch too, so that data with missing or wrong values reads as the defaults of the server.

use std::collections::BTreeMap;

use crate::access::Role;
use crate::limits::{
    OPTION_FONT, OPTION_LANGUAGE, PLUGIN_NAME, PLUGIN_OPTION_BYTES, PLUGIN_OPTIONS_BYTES, cut, fits,
};

/// The operator's rules for options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRules {
    /// Whether creators may set options at all.
    pub pad_wide: bool,
    /// Whether plugins may keep options.
    pub plugins: bool,
    /// Defaults that the operator chooses.
    pub show_chat: bool,
    pub show_line_numbers: bool,
    pub fade_inactive_authors: bool,
}

impl Default for OptionRules {
    fn default() -> OptionRules {
        OptionRules {
            pad_wide: true,
            plugins: true,
            show_chat: true,
            show_line_numbers: false,
            fade_inactive_authors: true,
        }
    }
}

impl OptionRules {
    /// Whether a member may set options.
    pub fn may_set(&self, role: Role) -> bool {
        self.pad_wide && role == Role::Creator
    }

    /// The options of a pad for which nobody has set any.
    pub fn defaults(&self) -> PadOptions {
        PadOptions {
            enforce_settings: false,
            show_chat: self.show_chat,
            always_show_chat: false,
            chat_and_users: false,
            language: None,
            view: ViewOptions {
                show_author_colours: true,
                show_line_numbers: self.show_line_numbers,
                right_to_left: false,
                fade_inactive_authors: self.fade_inactive_authors,
                font: String::new(),
            },
            plugins: BTreeMap::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PadOptions {
    /// Whether these options win over what readers choose for themselves.
    pub enforce_settings: bool,
    pub show_chat: bool,
    pub always_show_chat: bool,
    pub chat_and_users: bool,
    pub language: Option<String>,
    pub view: ViewOptions,
    /// What plugins keep, as JSON text that nobody here reads.
    pub plugins: BTreeMap<PluginName, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewOptions {
    pub show_author_colours: bool,
    pub show_line_numbers: bool,
    pub right_to_left: bool,
    pub fade_inactive_authors: bool,
    /// Empty for the font of the page.
    pub font: String,
}

/// The name of a plugin: `ep_` and small letters, digits and underscores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PluginName(String);

impl PluginName {
    pub fn parse(name: &str) -> Option<PluginName> {
        let rest = name.strip_prefix("ep_").unwrap_or_default();
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let is_name = !rest.is_empty() && rest.len() <= PLUGIN_NAME && rest.bytes().all(allowed);
        is_name.then(|| PluginName(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A change of one option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    #[default]
    Keep,
    /// Back to the default. A value of the wrong type means this.
    Reset,
    Set(T),
}

impl<T: Clone> Patch<T> {
    fn change(&self, option: &mut T, default: &T) {
        match self {
            Patch::Keep => {}
            Patch::Reset => option.clone_from(default),
            Patch::Set(value) => option.clone_from(value),
        }
    }

    /// The value that holds, if the patch names the option.
    fn held(&self, value: &T) -> Patch<T> {
        match self {
            Patch::Keep => Patch::Keep,
            Patch::Reset | Patch::Set(_) => Patch::Set(value.clone()),
        }
    }
}

/// A change of the options that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionsPatch {
    pub enforce_settings: Patch<bool>,
    pub show_chat: Patch<bool>,
    pub always_show_chat: Patch<bool>,
    pub chat_and_users: Patch<bool>,
    pub language: Patch<Option<String>>,
    pub view: Option<ViewPatch>,
    pub plugins: BTreeMap<PluginName, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewPatch {
    pub show_author_colours: Patch<bool>,
    pub show_line_numbers: Patch<bool>,
    pub right_to_left: Patch<bool>,
    pub fade_inactive_authors: Patch<bool>,
    pub font: Patch<String>,
}

impl ViewPatch {
    /// Every option back to its default.
    pub fn reset() -> ViewPatch {
        ViewPatch {
            show_author_colours: Patch::Reset,
            show_line_numbers: Patch::Reset,
            right_to_left: Patch::Reset,
            fade_inactive_authors: Patch::Reset,
            font: Patch::Reset,
        }
    }
}

impl PadOptions {
    /// The options after a patch, within bounds.
    pub fn apply(&self, patch: &OptionsPatch, rules: &OptionRules) -> PadOptions {
        let (mut after, default) = (self.clone(), rules.defaults());
        let OptionsPatch {
            enforce_settings,
            show_chat,
            always_show_chat,
            chat_and_users,
            language,
            view,
            plugins,
        } = patch;
        enforce_settings.change(&mut after.enforce_settings, &default.enforce_settings);
        show_chat.change(&mut after.show_chat, &default.show_chat);
        always_show_chat.change(&mut after.always_show_chat, &default.always_show_chat);
        chat_and_users.change(&mut after.chat_and_users, &default.chat_and_users);
        language.change(&mut after.language, &default.language);
        after.language = after
            .language
            .filter(|language| fits(language, OPTION_LANGUAGE));
        if let Some(view) = view {
            after.view.change(view, &default.view);
        }
        if rules.plugins {
            change_plugins(&mut after.plugins, plugins)
        } else {
            after.plugins.clear()
        }
        after
    }

    /// A patch that sets every option to what it is.
    pub fn to_patch(&self) -> OptionsPatch {
        let everything = OptionsPatch {
            enforce_settings: Patch::Reset,
            show_chat: Patch::Reset,
            always_show_chat: Patch::Reset,
            chat_and_users: Patch::Reset,
            language: Patch::Reset,
            view: Some(ViewPatch::reset()),
            plugins: self.plugins.clone(),
        };
        self.named_by(&everything)
    }

    /// The values that hold, of the options that a patch names. This is what others get: the
    /// patch itself would reach them unchecked.
    pub fn named_by(&self, patch: &OptionsPatch) -> OptionsPatch {
        let plugins = self.plugins.iter();
        let plugins = plugins.filter(|(name, _)| patch.plugins.contains_key(*name));
        OptionsPatch {
            enforce_settings: patch.enforce_settings.held(&self.enforce_settings),
            show_chat: patch.show_chat.held(&self.show_chat),
            always_show_chat: patch.always_show_chat.held(&self.always_show_chat),
            chat_and_users: patch.chat_and_users.held(&self.chat_and_users),
            language: patch.language.held(&self.language),
            view: patch.view.as_ref().map(|patch| self.view.named_by(patch)),
            plugins: plugins
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        }
    }
}

impl ViewOptions {
    fn change(&mut self, patch: &ViewPatch, default: &ViewOptions) {
        let ViewPatch {
            show_author_colours,
            show_line_numbers,
            right_to_left,
            fade_inactive_authors,
            font,
        } = patch;
        show_author_colours.change(&mut self.show_author_colours, &default.show_author_colours);
        show_line_numbers.change(&mut self.show_line_numbers, &default.show_line_numbers);
        right_to_left.change(&mut self.right_to_left, &default.right_to_left);
        fade_inactive_authors.change(
            &mut self.fade_inactive_authors,
            &default.fade_inactive_authors,
        );
        font.change(&mut self.font, &default.font);
        self.font = cut(&self.font, OPTION_FONT).to_owned();
    }

    fn named_by(&self, patch: &ViewPatch) -> ViewPatch {
        ViewPatch {
            show_author_colours: patch.show_author_colours.held(&self.show_author_colours),
            show_line_numbers: patch.show_line_numbers.held(&self.show_line_numbers),
            right_to_left: patch.right_to_left.held(&self.right_to_left),
            fade_inactive_authors: patch
                .fade_inactive_authors
                .held(&self.fade_inactive_authors),
            font: patch.font.held(&self.font),
        }
    }
}

/// A value that is too large, alone or with the others, leaves its plugin without one.
fn change_plugins(
    plugins: &mut BTreeMap<PluginName, String>,
    patch: &BTreeMap<PluginName, String>,
) {
    plugins.retain(|name, _| !patch.contains_key(name));
    let mut used: usize = plugins.values().map(String::len).sum();
    for (name, value) in patch {
        if value.len() <= PLUGIN_OPTION_BYTES && used + value.len() <= PLUGIN_OPTIONS_BYTES {
            used += value.len();
            plugins.insert(name.clone(), value.clone());
        }
    }
}
