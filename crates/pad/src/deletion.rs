//! The token with which a pad's creator may delete it. Only its hash is kept.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// A token of 64 hexadecimal digits, shown once.
#[derive(Clone)]
pub struct DeletionToken(String);

/// What is stored of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenHash(pub String);

impl DeletionToken {
    pub fn random(entropy: [u128; 2]) -> DeletionToken {
        let [first, second] = entropy;
        DeletionToken(format!("{first:032x}{second:032x}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> TokenHash {
        TokenHash(hash(&self.0))
    }
}

impl TokenHash {
    /// Compares in a time that does not depend on the token.
    pub fn matches(&self, token: &str) -> bool {
        hash(token).as_bytes().ct_eq(self.0.as_bytes()).into()
    }
}

fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
