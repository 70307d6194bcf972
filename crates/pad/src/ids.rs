//! The names of things, and what each may contain.
//!
//! A value of one of these types has been checked; text from outside becomes one only through
//! `parse`. New ids are made from random bytes that the caller provides.

use std::fmt;

use changeset::Text;

/// The longest pad name, the group part not counted, in UTF-16 units.
pub const MAX_PAD_NAME: usize = 50;
const RANDOM_LETTERS: usize = 16;
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }

            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

/// Ids that are a prefix and random letters. Those of imported data may be longer than ours.
macro_rules! random_id {
    ($name:ident, $prefix:literal) => {
        impl $name {
            pub fn parse(text: &str) -> Option<$name> {
                let letters = text.strip_prefix($prefix)?;
                let known = letters.bytes().all(|byte| byte.is_ascii_alphanumeric());
                ((1..=64).contains(&letters.len()) && known).then(|| $name(text.to_owned()))
            }

            pub fn random(entropy: u128) -> $name {
                $name(format!("{}{}", $prefix, random_letters(entropy)))
            }
        }
    };
}

id! {
    /// The name of a pad: a free name, or a group's id, `$` and a name.
    PadId
}
id! {
    /// `g.` and random letters.
    GroupId
}
id! {
    /// `a.` and random letters. Integrations have always been able to name authors freely, so
    /// any text after the prefix that does not break the notation is taken.
    AuthorId
}
id! {
    /// `s.` and random letters: the grant that lets an author into a group's pads.
    SessionId
}
id! {
    /// `r.` and random letters: a second name of a pad that allows reading only.
    ReadOnlyId
}
id! {
    /// `t.` and base64url text: what a browser keeps to be the same author again.
    AuthorToken
}
id! {
    /// Up to forty letters and digits: a page that is open in a browser. An author may have several
    /// in one pad.
    WindowId
}

random_id!(GroupId, "g.");
random_id!(SessionId, "s.");
random_id!(ReadOnlyId, "r.");

fn random_letters(mut entropy: u128) -> String {
    // 62^16 is far below 2^128, so the remainder is as good as unbiased.
    (0..RANDOM_LETTERS)
        .map(|_| {
            let letter = (entropy % 62) as usize;
            entropy /= 62;
            LETTERS.get(letter).copied().map_or('0', char::from)
        })
        .collect()
}

impl PadId {
    /// Checks the form that the id of an existing pad may have.
    pub fn parse(text: &str) -> Option<PadId> {
        is_pad_id(text).then(|| PadId(text.to_owned()))
    }

    /// The same for a text that need not be copied.
    pub fn from_string(text: String) -> Option<PadId> {
        is_pad_id(&text).then_some(PadId(text))
    }

    /// The id that a pad of that name gets when it is created: runs of white space and of colons
    /// become `_`. Control characters are refused, and so are those that turn the direction of
    /// text: with them a name looks like another one.
    pub fn for_new(text: &str) -> Option<PadId> {
        let text = replace_runs(text, char::is_whitespace);
        let text = replace_runs(&text, |c| c == ':');
        let is_odd = |c: char| c.is_control() || is_bidi_control(c);
        PadId::parse(&text).filter(|id| !id.0.contains(is_odd))
    }

    /// The same id with its name in lower case. The group stays: its letters are no word.
    #[must_use]
    pub fn in_lower_case(&self) -> PadId {
        let lower = match self.0.split_once('$') {
            Some((group, name)) => format!("{group}${}", name.to_lowercase()),
            None => self.0.to_lowercase(),
        };
        // Some letters are longer in lower case, so that a long name may have none.
        PadId::from_string(lower).unwrap_or_else(|| self.clone())
    }

    /// A name for a pad that nobody has named: one that cannot be guessed.
    pub fn random(entropy: u128) -> PadId {
        PadId(random_letters(entropy))
    }

    /// The pad `name` of a group.
    pub fn in_group(group: &GroupId, name: &str) -> Option<PadId> {
        PadId::for_new(&format!("{group}${name}"))
    }

    pub fn group(&self) -> Option<GroupId> {
        let (group, _) = self.0.split_once('$')?;
        GroupId::parse(group)
    }

    pub fn is_group_pad(&self) -> bool {
        self.0.contains('$')
    }
}

/// Whether a character controls the direction of the text around it (Unicode's `Bidi_Control`).
pub fn is_bidi_control(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

fn is_pad_id(text: &str) -> bool {
    let name = match text.split_once('$') {
        Some((group, name)) if is_group_part(group) => name,
        Some(_) => return false,
        None => text,
    };
    // No text has more units than bytes, so that the units of nearly all names need no counting.
    let is_short = name.len() <= MAX_PAD_NAME || name.encode_utf16().count() <= MAX_PAD_NAME;
    !name.is_empty() && is_short && !name.contains('$')
}

/// `g`, any character, and sixteen letters: that loose, because stored ids were checked that way.
fn is_group_part(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('g')
        && chars.next().is_some()
        && chars.as_str().len() == RANDOM_LETTERS
        && chars.all(|c| c.is_ascii_alphanumeric())
}

fn replace_runs(text: &str, is_separator: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_run = false;
    for c in text.chars() {
        let separator = is_separator(c);
        if !separator {
            out.push(c);
        } else if !in_run {
            out.push('_');
        }
        in_run = separator;
    }
    out
}

impl AuthorId {
    /// The author of what nobody in particular wrote: default texts, calls without an author.
    pub fn system() -> AuthorId {
        AuthorId("a.padsvc-system".to_owned())
    }

    pub fn is_system(&self) -> bool {
        self.0 == "a.padsvc-system"
    }

    pub fn parse(text: &str) -> Option<AuthorId> {
        let name = text.strip_prefix("a.")?;
        let valid = (1..=64).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        valid.then(|| AuthorId(text.to_owned()))
    }

    pub fn random(entropy: u128) -> AuthorId {
        AuthorId(format!("a.{}", random_letters(entropy)))
    }
}

impl AuthorToken {
    /// Accepts `t.` and canonical base64url text, padded or a multiple of four letters long.
    pub fn parse(text: &str) -> Option<AuthorToken> {
        let code = text.strip_prefix("t.")?;
        let letters = code.trim_end_matches('=');
        let padding = code.len() - letters.len();
        let last = letters.bytes().last()?;
        let bits_to_spare = match padding {
            0 => 0,
            1 => 2,
            2 => 4,
            _ => return None,
        };
        let canonical = base64url_value(last)?.trailing_zeros() >= bits_to_spare;
        let valid = code.len().is_multiple_of(4)
            && code.len() <= 512
            && letters.bytes().all(|byte| base64url_value(byte).is_some())
            && canonical;
        valid.then(|| AuthorToken(text.to_owned()))
    }

    pub fn random(entropy: [u128; 2]) -> AuthorToken {
        let [first, second] = entropy.map(random_letters);
        let token: String = first.chars().chain(second.chars()).take(20).collect();
        AuthorToken(format!("t.{token}"))
    }
}

impl WindowId {
    pub fn parse(text: &str) -> Option<WindowId> {
        let known = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        ((1..=40).contains(&text.len()) && known).then(|| WindowId(text.to_owned()))
    }

    /// A short number from 1 on that tells the windows of one author apart, the same on all nodes
    /// and in all releases. It fits into 23 bits.
    pub fn tag(&self) -> u32 {
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let hash = self.0.bytes().fold(0x811c_9dc5, mix);
        1 + (hash ^ (hash >> 23)) % 0x007f_ffff
    }
}

fn base64url_value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// Text as it is cleaned when it comes through the API or a file: one kind of line end, no tabs.
pub fn clean_text(text: &[u16]) -> Text {
    let mut out = Text::with_capacity(text.len());
    let mut units = text.iter().copied().peekable();
    while let Some(unit) = units.next() {
        match u8::try_from(unit) {
            Ok(b'\r') => {
                units.next_if_eq(&u16::from(b'\n'));
                out.push(u16::from(b'\n'));
            }
            Ok(b'\t') => out.push_str("        "),
            _ => out.push(unit),
        }
    }
    out
}
