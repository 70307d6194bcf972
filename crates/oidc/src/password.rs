//! A password as settings hold it: a hash of argon2 or bcrypt, or the password itself.
//!
//! Checking a hash takes its time by design; callers do it where waiting harms nobody.

use std::fmt;

use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};

use crate::secret::same;

#[derive(Clone)]
pub(crate) enum Password {
    Plain(String),
    Argon2(Box<PasswordHash>),
    Bcrypt(String),
}

/// A text that begins like a hash and is none. Taking it for a password would let in anyone who
/// reads the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrokenHash;

/// What settings hold of a password. `None`: there is not enough memory.
pub fn hash_password(password: &str, salt: &[u8; 16]) -> Option<String> {
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), salt);
    hash.ok().map(|hash| hash.to_string())
}

impl Password {
    pub(crate) fn read(text: &str) -> Result<Password, BrokenHash> {
        if text.starts_with("$argon2") {
            let hash = PasswordHash::new(text).map_err(|_| BrokenHash)?;
            let is_whole = hash.salt.is_some() && hash.hash.is_some();
            return is_whole
                .then(|| Password::Argon2(Box::new(hash)))
                .ok_or(BrokenHash);
        }
        if ["$2a$", "$2b$", "$2x$", "$2y$"]
            .iter()
            .any(|prefix| text.starts_with(prefix))
        {
            let hash: Result<bcrypt::HashParts, _> = text.parse();
            return hash
                .map(|_| Password::Bcrypt(text.to_owned()))
                .map_err(|_| BrokenHash);
        }
        Ok(Password::Plain(text.to_owned()))
    }

    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Password::Plain(_))
    }

    pub(crate) fn matches(&self, shown: &str) -> bool {
        match self {
            // Nobody gets in by leaving the field empty.
            Password::Plain(password) => same(password, shown) && !password.is_empty(),
            Password::Argon2(hash) => Argon2::default()
                .verify_password(shown.as_bytes(), &**hash)
                .is_ok(),
            Password::Bcrypt(hash) => bcrypt::verify(shown, hash).unwrap_or(false),
        }
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by other programs, Python's argon2-cffi and bcrypt, of "correct horse".
    const ARGON2: &str = "$argon2id$v=19$m=256,t=1,p=1$j1ZCryJoGjugo5z+hC7T3w\
        $5PV+dzhYmjaXu1Kd6F79dVROVTPQuTPzipJxE4JgIQY";
    const BCRYPT: &str = "$2b$04$DS.suv2d2awEe2mEPl5lheEsK4ohWxrMn3u3vH7qQYU24sYFCYkp.";

    #[test]
    fn each_kind_of_password_lets_in_the_right_one_only() {
        for (text, is_plain) in [("correct horse", true), (ARGON2, false), (BCRYPT, false)] {
            let password = Password::read(text).unwrap();
            assert_eq!(password.is_plain(), is_plain);
            assert!(password.matches("correct horse"), "{text}");
            for wrong in ["", "correct hors", "correct horse ", "Correct horse", text] {
                assert_eq!(password.matches(wrong), wrong == "correct horse", "{wrong}");
            }
        }
    }

    #[test]
    fn a_hash_made_here_lets_in_the_right_password_only() {
        let hash = hash_password("correct horse", &[7; 16]).unwrap();
        let password = Password::read(&hash).unwrap();
        assert!(!password.is_plain() && password.matches("correct horse"));
        assert!(!password.matches("correct hors"));
        assert_ne!(hash_password("correct horse", &[8; 16]), Some(hash));
    }

    #[test]
    fn broken_hashes_are_no_passwords() {
        for text in [
            "$argon2id$",
            "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ",
            "$2b$12$short",
            "$2y$",
        ] {
            assert_eq!(Password::read(text).err(), Some(BrokenHash), "{text}");
        }
        assert!(!Password::read("").unwrap().matches(""));
    }

    #[test]
    fn nothing_prints_a_password() {
        assert_eq!(format!("{:?}", Password::read("x").unwrap()), "Password");
    }
}
