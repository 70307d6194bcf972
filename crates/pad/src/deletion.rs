//! Who may delete a pad, and the token that proves it. Only the token's hash is kept.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::access::Role;

/// Who wants a pad deleted.
#[derive(Clone, Copy, Debug)]
pub enum Deleter<'a> {
    /// An operator, an administrator, or a program with a credential of the API.
    Trusted,
    /// A member of the pad.
    Member { role: Role, token: Option<&'a str> },
    /// A caller about whom nothing is known.
    Anonymous { token: Option<&'a str> },
}

impl Deleter<'_> {
    /// Decides whether a pad may be deleted. `by_all`: the operator lets everybody delete every
    /// pad, and no token is looked at.
    pub fn may_delete(self, stored: Option<&TokenHash>, by_all: bool) -> bool {
        let token = match self {
            Deleter::Trusted => return true,
            Deleter::Member {
                role: Role::Reader, ..
            } => return false,
            // A creator who sends a token means that one: a wrong one is refused.
            Deleter::Member {
                role: Role::Creator,
                token: None,
            } => return true,
            Deleter::Member { token, .. } | Deleter::Anonymous { token } => token,
        };
        let is_proof = |(hash, token): (&TokenHash, &str)| hash.matches(token);
        by_all || stored.zip(token).is_some_and(is_proof)
    }
}

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
