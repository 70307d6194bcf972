//! Configuration of pads.

use pad::OptionRules;

/// The settings that concern this crate; `padsvc` fills them from the settings file.
#[derive(Clone, Debug)]
pub struct Config {
    /// The text of a pad that is created without one.
    pub default_text: String,
    /// The longest text of a pad, in UTF-16 units.
    pub max_text: usize,
    /// Whether everybody may delete every pad. Then nobody needs a deletion token.
    pub deletion_by_all: bool,
    /// Who may set options of pads, and their defaults.
    pub options: OptionRules,
    /// Whether pads are named in lower case, however they were asked for.
    pub lower_case_ids: bool,
    /// Whether histories may be compacted.
    pub compaction: bool,
    /// Whether authors' personal data may be erased.
    pub erasure: bool,
    /// How many pads stay in memory that nobody uses at the moment.
    pub idle_pads: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            default_text: String::new(),
            max_text: 5_000_000,
            deletion_by_all: false,
            options: OptionRules::default(),
            lower_case_ids: false,
            compaction: false,
            erasure: false,
            idle_pads: 256,
        }
    }
}
