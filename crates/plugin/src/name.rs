//! Name of a plugin: part of addresses, tables and log lines, and so harmless in all of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

/// Two to forty lower-case letters, digits and hyphens; the first is a letter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Name(String);

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a name has 2 to 40 characters: lower-case letters, digits and hyphens, first a letter")]
pub struct NameError;

impl Name {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Name, NameError> {
        let fits = (2..=40).contains(&text.len());
        let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
        let rest = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if fits && begins && text.bytes().all(rest) {
            Ok(Name(text.to_owned()))
        } else {
            Err(NameError)
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Name, D::Error> {
        let text = String::deserialize(source)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_harmless_in_addresses() {
        for good in ["ab", "pad-feed", "x2", &"a".repeat(40)] {
            assert_eq!(good.parse::<Name>().unwrap().as_str(), good);
        }
        for bad in [
            "",
            "a",
            "2x",
            "-a",
            "Ab",
            "a_b",
            "a.b",
            "a/b",
            "..",
            "a b",
            "ä-b",
            "a\n",
            &"a".repeat(41),
        ] {
            assert_eq!(bad.parse::<Name>(), Err(NameError), "{bad:?}");
        }
    }
}
