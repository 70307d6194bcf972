//! Comparing and naming secrets.
//!
//! A caller with a wrong one learns nothing from how long the answer takes. What has to be found
//! again is kept under its digest, so that reading our memory or a copy of it gives nothing to use.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

pub(crate) type Digest = [u8; 32];

pub(crate) fn digest(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}

/// Takes the same time for every wrong text, whatever its length and wherever it differs.
pub fn same(one: &str, other: &str) -> bool {
    digest(one).ct_eq(&digest(other)).into()
}

/// Random bytes as a text that fits into an address, a cookie and a form.
pub(crate) fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
