//! The proof that who turns in a code is who asked for it (RFC 7636), in its one safe form, S256.

use serde::{Deserialize, Serialize};

use crate::secret::{digest, same, text};

/// Shown with the request for a code: the digest of something that only its sender knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge(String);

impl Challenge {
    /// `None` if the text cannot be a digest.
    pub fn read(text: &str) -> Option<Challenge> {
        let is_sound = text.len() == 43 && text.chars().all(is_base64url);
        is_sound.then(|| Challenge(text.to_owned()))
    }

    pub fn is_answered_by(&self, verifier: &str) -> bool {
        let is_sound = (43..=128).contains(&verifier.len())
            && verifier
                .chars()
                .all(|c| is_base64url(c) || ".~".contains(c));
        is_sound && same(&self.0, &text(&digest(verifier)))
    }
}

fn is_base64url(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard_holds() {
        let challenge = Challenge::read("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").unwrap();
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert!(challenge.is_answered_by(verifier));
        assert!(!challenge.is_answered_by(&verifier[1..]));
        assert!(!challenge.is_answered_by(&format!("{verifier}A")));
    }

    #[test]
    fn what_cannot_be_a_digest_or_an_answer_is_none() {
        for text in ["", "short", &"=".repeat(43), &"a".repeat(44)] {
            assert_eq!(Challenge::read(text), None, "{text}");
        }
        // Its digest is right, its form is not: it could be guessed.
        let challenge = Challenge::read(&text(&digest("short"))).unwrap();
        assert!(!challenge.is_answered_by("short"));
    }
}
