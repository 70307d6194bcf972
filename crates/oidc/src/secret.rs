//! Comparing and naming secrets.
//!
//! A caller with a wrong one learns nothing from how long the answer takes. What has to be found
//! again is kept under its digest, so that reading our memory or a copy of it gives nothing to use.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

pub(crate) type Digest = [u8; 32];

pub(crate) fn digest(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}

/// A hash that only those with the key can make, and that tells nothing to others: names and
/// addresses could be found by trying.
pub(crate) fn keyed_hash(key: &hmac::Key, parts: &[&[u8]]) -> Digest {
    let mut context = hmac::Context::with_key(key);
    for part in parts {
        // With its length: no two lists of parts are the same bytes.
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut hash = Digest::default();
    let signed = context.sign();
    hash.iter_mut()
        .zip(signed.as_ref())
        .for_each(|(to, from)| *to = *from);
    hash
}

/// Takes the same time for every wrong text, whatever its length and wherever it differs.
pub fn same(one: &str, other: &str) -> bool {
    digest(one).ct_eq(&digest(other)).into()
}

/// Random bytes as a text that fits into an address, a cookie and a form.
pub(crate) fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
