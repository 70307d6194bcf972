//! The key that session ids are encrypted under.
//!
//! Sessions are found by the hash of their id, which needs no key. Listings show the ids, so each
//! is kept encrypted (AES-256-GCM). The nonce is taken from the hash: it differs wherever the id
//! does, so no nonce is used for two texts, and no source of random numbers is needed.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use pad::SessionId;

use crate::error::Error;

pub const SESSION_KEY_BYTES: usize = 32;

#[derive(Clone, PartialEq, Eq)]
pub struct SessionKey([u8; SESSION_KEY_BYTES]);

impl SessionKey {
    /// From random bytes, which have to be the same whenever the store is opened.
    pub fn new(bytes: [u8; SESSION_KEY_BYTES]) -> SessionKey {
        SessionKey(bytes)
    }

    /// A key for another purpose. Knowing it tells nothing about this one (HKDF).
    pub(crate) fn derive(&self, purpose: &str) -> Option<[u8; 32]> {
        let mut key = [0; 32];
        let salt = Salt::new(HKDF_SHA256, b"padsvc");
        let info = [purpose.as_bytes()];
        let derived = salt.extract(&self.0);
        let derived = derived.expand(&info, HKDF_SHA256).ok()?;
        derived.fill(&mut key).ok()?;
        Some(key)
    }

    pub(crate) fn seal(&self, hash: &[u8], id: &SessionId) -> Result<Vec<u8>, Error> {
        let mut text = id.as_str().as_bytes().to_vec();
        let (key, nonce) = self.parts(hash)?;
        let sealed = key.seal_in_place_append_tag(nonce, Aad::empty(), &mut text);
        sealed.map_err(|_| failed())?;
        Ok(text)
    }

    /// `None`: sealed under another key, or damaged.
    pub(crate) fn open(&self, hash: &[u8], sealed: &[u8]) -> Option<SessionId> {
        let mut text = sealed.to_vec();
        let (key, nonce) = self.parts(hash).ok()?;
        let opened = key.open_in_place(nonce, Aad::empty(), &mut text).ok()?;
        SessionId::parse(std::str::from_utf8(opened).ok()?)
    }

    fn parts(&self, hash: &[u8]) -> Result<(LessSafeKey, Nonce), Error> {
        let start = hash.get(..NONCE_LEN).ok_or_else(failed)?;
        let nonce = Nonce::try_assume_unique_for_key(start).map_err(|_| failed())?;
        let key = UnboundKey::new(&AES_256_GCM, &self.0).map_err(|_| failed())?;
        Ok((LessSafeKey::new(key), nonce))
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey")
    }
}

fn failed() -> Error {
    Error::Unavailable("a session id could not be encrypted".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::sample::session_id;
    use crate::people::digest;

    #[test]
    fn only_the_same_key_opens_what_was_sealed() {
        let (id, key) = (session_id(1), SessionKey::new([7; SESSION_KEY_BYTES]));
        let hash = digest(id.as_str());
        let sealed = key.seal(&hash, &id).unwrap();
        assert_eq!(key.open(&hash, &sealed), Some(id.clone()));
        assert_eq!(key.seal(&hash, &id).unwrap(), sealed);
        let other = SessionKey::new([8; SESSION_KEY_BYTES]);
        assert_eq!(other.open(&hash, &sealed), None);
        assert_eq!(key.open(&digest("other"), &sealed), None);
        assert_eq!(key.open(&hash, &sealed[1..]), None);
        assert!(!format!("{key:?}").contains('7'));
        assert_eq!(key.derive("a"), key.derive("a"));
        assert_ne!(key.derive("a"), key.derive("b"));
        assert_ne!(key.derive("a"), other.derive("a"));
    }
}
