//! Signatures of catalogue entries: Ed25519, checked by aws-lc.

use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use semver::Version;
use thiserror::Error;

use crate::name::Name;

/// A key that the operator trusts: 32 bytes, in base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a key is the 32 bytes of an Ed25519 public key in base64")]
pub struct KeyError;

impl PublicKey {
    pub fn parse(text: &str) -> Result<PublicKey, KeyError> {
        let bytes = STANDARD.decode(text.trim()).map_err(|_| KeyError)?;
        bytes.try_into().map(PublicKey).map_err(|_| KeyError)
    }

    pub(super) fn has_signed(&self, text: &str, signature: &str) -> bool {
        let Ok(signature) = STANDARD.decode(signature) else {
            return false;
        };
        let key = UnparsedPublicKey::new(&ED25519, &self.0);
        key.verify(text.as_bytes(), &signature).is_ok()
    }
}

/// What is signed: the name and the version too, so that no signature serves for another plugin,
/// nor an old archive as a new version.
pub fn signed_text(name: &Name, version: &Version, sha256: &str) -> String {
    format!("padsvc plugin\n{name}\n{version}\n{sha256}\n")
}
