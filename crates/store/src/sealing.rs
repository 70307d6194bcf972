//! Encryption of secrets under a key that is derived from the database's password.
//!
//! A dump of the database does not hold the password, so who has only the dump cannot decrypt them,
//! and guessing the password takes long (PBKDF2). The name of a secret is authenticated with it:
//! one secret cannot be put in the place of another.

use std::fmt;
use std::num::NonZeroU32;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::pbkdf2::{PBKDF2_HMAC_SHA256, derive};

use crate::error::Error;

pub const SEALING_SALT_BYTES: usize = 16;
/// What OWASP recommends for PBKDF2 with SHA-256. Takes a fraction of a second, once at the start.
const ROUNDS: NonZeroU32 = match NonZeroU32::new(if cfg!(test) { 1 } else { 600_000 }) {
    Some(rounds) => rounds,
    None => NonZeroU32::MIN,
};
/// Another way to encrypt would have another number.
const VERSION: u8 = 1;

#[derive(Clone)]
pub struct SealingKey([u8; 32]);

impl SealingKey {
    /// Takes a while.
    pub fn from_password(password: &[u8], salt: &[u8]) -> SealingKey {
        let mut key = [0; 32];
        derive(PBKDF2_HMAC_SHA256, ROUNDS, salt, password, &mut key);
        SealingKey(key)
    }

    /// `nonce` is random.
    pub fn seal(&self, name: &str, nonce: [u8; NONCE_LEN], text: &[u8]) -> Result<Vec<u8>, Error> {
        let failed = |_| Error::Unavailable("a key could not be encrypted".to_owned());
        let key = UnboundKey::new(&AES_256_GCM, &self.0).map_err(failed)?;
        let mut body = text.to_vec();
        LessSafeKey::new(key)
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(name.as_bytes()),
                &mut body,
            )
            .map_err(failed)?;
        Ok([&[VERSION][..], &nonce, &body].concat())
    }

    /// `None`: sealed under another key or name, or damaged.
    pub fn open(&self, name: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (version, rest) = sealed.split_first()?;
        let (nonce, body) = rest.split_at_checked(NONCE_LEN)?;
        if *version != VERSION {
            return None;
        }
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let key = UnboundKey::new(&AES_256_GCM, &self.0).ok()?;
        let mut body = body.to_vec();
        let text = LessSafeKey::new(key)
            .open_in_place(nonce, Aad::from(name.as_bytes()), &mut body)
            .ok()?;
        Some(text.to_vec())
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealingKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_opens_and_only_under_its_name() {
        let key = SealingKey::from_password(b"secret", &[1; SEALING_SALT_BYTES]);
        let sealed = key.seal("api-key", [7; NONCE_LEN], b"abc").unwrap();
        assert_eq!(key.open("api-key", &sealed), Some(b"abc".to_vec()));
        assert_eq!(key.open("session-key", &sealed), None);
        for (password, salt) in [(&b"Secret"[..], 1), (b"secret", 2)] {
            let other = SealingKey::from_password(password, &[salt; SEALING_SALT_BYTES]);
            assert_eq!(other.open("api-key", &sealed), None);
        }
        for length in 0..sealed.len() {
            assert_eq!(key.open("api-key", &sealed[..length]), None);
        }
        assert_eq!(format!("{key:?}"), "SealingKey");
    }
}
