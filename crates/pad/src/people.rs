//! Authors, groups and sessions.

use crate::colours::GIVEN_COLOURS;
use crate::ids::{AuthorId, GroupId, SessionId};
use crate::revision::Timestamp;

/// How many colours have a number that other programs know.
const PALETTE_SIZE: u32 = PALETTE.len() as u32;

/// The colours that numbers stand for. Imported authors have numbers, so these keep their looks.
pub const PALETTE: [&str; 64] = [
    "#ffc7c7", "#fff1c7", "#e3ffc7", "#c7ffd5", "#c7ffff", "#c7d5ff", "#e3c7ff", "#ffc7f1",
    "#ffa8a8", "#ffe699", "#cfff9e", "#99ffb3", "#a3ffff", "#99b3ff", "#cc99ff", "#ff99e5",
    "#e7b1b1", "#e9dcAf", "#cde9af", "#bfedcc", "#b1e7e7", "#c3cdee", "#d2b8ea", "#eec3e6",
    "#e9cece", "#e7e0ca", "#d3e5c7", "#bce1c5", "#c1e2e2", "#c1c9e2", "#cfc1e2", "#e0bdd9",
    "#baded3", "#a0f8eb", "#b1e7e0", "#c3c8e4", "#cec5e2", "#b1d5e7", "#cda8f0", "#f0f0a8",
    "#f2f2a6", "#f5a8eb", "#c5f9a9", "#ececbb", "#e7c4bc", "#daf0b2", "#b0a0fd", "#bce2e7",
    "#cce2bb", "#ec9afe", "#edabbd", "#aeaeea", "#c4e7b1", "#d722bb", "#f3a5e7", "#ffa8a8",
    "#d8c0c5", "#eaaedd", "#adc6eb", "#bedad1", "#dee9af", "#e9afc2", "#f8d2a0", "#b3b3e6",
];

/// An author's colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Colour {
    /// A place in the palette, as imported authors have one.
    Palette(u32),
    /// One of [`GIVEN_COLOURS`], which the service gave and may replace.
    Given(u32),
    /// One that the author chose: `#rgb` or `#rrggbb`.
    Hex(String),
}

impl Colour {
    /// The colour as CSS writes it.
    pub fn to_css(&self) -> &str {
        match self {
            Colour::Palette(index) => PALETTE
                .get(*index as usize % PALETTE.len())
                .copied()
                .unwrap_or_default(),
            Colour::Given(index) => GIVEN_COLOURS
                .get(*index as usize % GIVEN_COLOURS.len())
                .copied()
                .unwrap_or_default(),
            Colour::Hex(hex) => hex,
        }
    }

    /// The number under which it is stored: those that are given follow the palette, so that a
    /// release that does not know them reads some colour of the palette.
    pub fn stored_number(&self) -> Option<u32> {
        match self {
            Colour::Palette(number) => Some(*number),
            Colour::Given(index) => Some(PALETTE_SIZE + index),
            Colour::Hex(_) => None,
        }
    }

    pub fn of_stored_number(number: u32) -> Colour {
        match number.checked_sub(PALETTE_SIZE) {
            Some(index) if (index as usize) < GIVEN_COLOURS.len() => Colour::Given(index),
            _ => Colour::Palette(number),
        }
    }

    /// The colour with a number, which data from elsewhere may have beyond the palette.
    pub fn palette(number: u32) -> Colour {
        Colour::Palette(number % PALETTE_SIZE)
    }

    pub fn parse_hex(text: &str) -> Option<Colour> {
        let digits = text.strip_prefix('#')?;
        let valid = matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        valid.then(|| Colour::Hex(text.to_owned()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub id: AuthorId,
    pub name: Option<String>,
    pub colour: Colour,
    pub created: Timestamp,
    pub last_seen: Timestamp,
    /// Set once the author's personal data has been removed.
    pub erased: Option<Timestamp>,
}

impl Author {
    pub fn is_erased(&self) -> bool {
        self.erased.is_some()
    }
}

/// The grant that lets an author into the pads of a group until a point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub group: GroupId,
    pub author: AuthorId,
    /// Unix seconds, as the contract counts them here.
    pub valid_until: i64,
}

impl Session {
    pub fn is_valid(&self, now: Timestamp) -> bool {
        now.millis() < self.valid_until.saturating_mul(1000)
    }
}

/// What erasing an author removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erasure {
    pub affected_pads: u64,
    pub removed_token_mappings: u64,
    pub removed_external_mappings: u64,
    pub cleared_chat_messages: u64,
}
