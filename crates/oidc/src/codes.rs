//! Authorization codes: what a browser carries from the login to the client, to be turned into a
//! token once.
//!
//! A code is kept as a digest. One that is shown a second time gives nothing, and the token that it
//! gave the first time is worth nothing from then on: one of the two who had it should not have.

use std::collections::HashMap;
use std::hash::Hash;

use crate::error::{Error, ErrorKind};
use crate::pkce::Challenge;
use crate::secret::{Digest, digest};

/// How many codes are known at a time, used ones included. Only who has signed in is given one;
/// when there are more, those that end first go first.
const MAX_CODES: usize = 10_000;

/// What a person has agreed to by signing in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub client: String,
    pub user: String,
    pub redirect_uri: String,
    /// Whether the request named the address, or left it to the only one there is.
    pub named_redirect: bool,
    pub scope: String,
    pub nonce: Option<String>,
    pub challenge: Option<Challenge>,
    /// When the person signed in.
    pub signed_in: u64,
}

#[derive(Default)]
pub(crate) struct Codes {
    codes: HashMap<Digest, Code>,
    /// The ids of tokens that are worth nothing any more, and when they end anyway.
    revoked: HashMap<String, u64>,
}

struct Code {
    ends: u64,
    state: State,
}

enum State {
    Fresh(Grant),
    /// With the id of the token it gave, and when that ends.
    Used(String, u64),
}

/// What a client shows with a code.
pub(crate) struct Redemption<'a> {
    pub code: &'a str,
    pub client: &'a str,
    pub redirect_uri: Option<&'a str>,
    pub verifier: Option<&'a str>,
}

impl Codes {
    pub(crate) fn insert(&mut self, code: &str, grant: Grant, ends: u64, now: u64) {
        if self.codes.len() >= MAX_CODES {
            self.codes.retain(|_, code| code.ends > now);
        }
        drop_first(&mut self.codes, |code| code.ends);
        let state = State::Fresh(grant);
        self.codes.insert(digest(code), Code { ends, state });
    }

    /// What a code stands for. `token` is the id of the token that the client gets for it.
    pub(crate) fn redeem(
        &mut self,
        shown: &Redemption,
        token: (&str, u64),
        now: u64,
    ) -> Result<Grant, Error> {
        let refused = ErrorKind::InvalidGrant.because("the code is not known, used up or too old");
        let code = self.codes.get_mut(&digest(shown.code)).ok_or(refused)?;
        match &code.state {
            // Nobody else can use up a client's code.
            State::Fresh(grant) if grant.client != shown.client => return Err(refused),
            State::Used(id, ends) => {
                let (id, ends) = (id.clone(), *ends);
                self.revoke(id, ends, now);
                return Err(refused);
            }
            State::Fresh(_) => {}
        }
        if code.ends <= now {
            return Err(refused);
        }
        let used = State::Used(token.0.to_owned(), token.1);
        match std::mem::replace(&mut code.state, used) {
            State::Fresh(grant) => agrees(grant, shown),
            State::Used(..) => Err(refused),
        }
    }

    pub(crate) fn is_revoked(&self, token: &str) -> bool {
        self.revoked.contains_key(token)
    }

    fn revoke(&mut self, token: String, ends: u64, now: u64) {
        self.revoked.retain(|_, ends| *ends > now);
        drop_first(&mut self.revoked, |ends| *ends);
        self.revoked.insert(token, ends);
    }
}

/// Makes room for one more: of too many, the one that ends first goes.
fn drop_first<K: Clone + Eq + Hash, V>(map: &mut HashMap<K, V>, ends: impl Fn(&V) -> u64) {
    if map.len() >= MAX_CODES {
        let first = map.iter().min_by_key(|(_, value)| ends(value));
        let first = first.map(|(key, _)| key.clone());
        first.map(|key| map.remove(&key));
    }
}

fn agrees(grant: Grant, shown: &Redemption) -> Result<Grant, Error> {
    let same_place = match shown.redirect_uri {
        Some(uri) => uri == grant.redirect_uri,
        // OAuth 2.1 has dropped the parameter, for the challenge does more.
        None => grant.challenge.is_some() || !grant.named_redirect,
    };
    if !same_place {
        return Err(
            ErrorKind::InvalidGrant.because("redirect_uri is not the one the code was sent to")
        );
    }
    let answered = match (&grant.challenge, shown.verifier) {
        (Some(challenge), Some(verifier)) => challenge.is_answered_by(verifier),
        (None, None) => true,
        // A verifier without a challenge: somebody has taken the challenge away on the way here.
        (Some(_), None) | (None, Some(_)) => false,
    };
    if answered {
        Ok(grant)
    } else {
        Err(ErrorKind::InvalidGrant.because("code_verifier does not answer code_challenge"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const BACK: &str = "https://app.example/back";

    fn grant(challenge: Option<&str>) -> Grant {
        Grant {
            client: "app".to_owned(),
            user: "ada".to_owned(),
            redirect_uri: BACK.to_owned(),
            named_redirect: true,
            scope: "openid".to_owned(),
            nonce: None,
            challenge: challenge.and_then(Challenge::read),
            signed_in: 90,
        }
    }

    fn codes(challenge: Option<&str>) -> Codes {
        let mut codes = Codes::default();
        codes.insert("code", grant(challenge), 200, 100);
        codes
    }

    fn shown<'a>(redirect_uri: Option<&'a str>, verifier: Option<&'a str>) -> Redemption<'a> {
        Redemption {
            code: "code",
            client: "app",
            redirect_uri,
            verifier,
        }
    }

    fn try_once(challenge: Option<&str>, shown: &Redemption, now: u64) -> Result<Grant, Error> {
        codes(challenge).redeem(shown, ("t", 500), now)
    }

    #[test]
    fn a_code_is_good_once_and_its_token_falls_with_it() {
        let mut codes = codes(Some(CHALLENGE));
        let shown = shown(Some(BACK), Some(VERIFIER));
        assert!(codes.redeem(&shown, ("first", 500), 150).is_ok());
        assert!(!codes.is_revoked("first"));
        let again = codes.redeem(&shown, ("second", 500), 151);
        assert_eq!(again.unwrap_err().kind, ErrorKind::InvalidGrant);
        assert!(codes.is_revoked("first"));
        assert!(!codes.is_revoked("second"));
    }

    #[test]
    fn codes_end() {
        let shown = shown(Some(BACK), None);
        assert!(try_once(None, &shown, 199).is_ok());
        assert!(try_once(None, &shown, 200).is_err());
    }

    #[test]
    fn another_client_neither_gets_nor_spoils_a_code() {
        let mut codes = codes(None);
        let foreign = Redemption {
            client: "other",
            ..shown(Some(BACK), None)
        };
        assert!(codes.redeem(&foreign, ("t", 500), 150).is_err());
        assert!(
            codes
                .redeem(&shown(Some(BACK), None), ("t", 500), 150)
                .is_ok()
        );
    }

    #[test]
    fn redirect_and_verifier_are_those_of_the_request() {
        for (challenge, redirect_uri, verifier, is_good) in [
            (None, Some(BACK), None, true),
            (None, None, None, false),
            (None, Some("https://app.example/back/"), None, false),
            (None, Some(BACK), Some(VERIFIER), false),
            (Some(CHALLENGE), Some(BACK), Some(VERIFIER), true),
            (Some(CHALLENGE), None, Some(VERIFIER), true),
            (Some(CHALLENGE), Some(BACK), None, false),
            (Some(CHALLENGE), Some(BACK), Some(CHALLENGE), false),
            (Some(CHALLENGE), Some(BACK), Some(""), false),
            (
                Some(CHALLENGE),
                Some("https://evil.example/"),
                Some(VERIFIER),
                false,
            ),
        ] {
            let shown = shown(redirect_uri, verifier);
            let redeemed = try_once(challenge, &shown, 150).is_ok();
            assert_eq!(
                redeemed, is_good,
                "{challenge:?} {redirect_uri:?} {verifier:?}"
            );
        }
    }

    #[test]
    fn a_wrong_verifier_uses_the_code_up() {
        let mut codes = codes(Some(CHALLENGE));
        let guess = "a".repeat(43);
        assert!(
            codes
                .redeem(&shown(None, Some(&guess)), ("t", 500), 150)
                .is_err()
        );
        assert!(
            codes
                .redeem(&shown(None, Some(VERIFIER)), ("t", 500), 150)
                .is_err()
        );
    }

    #[test]
    fn memory_is_bounded() {
        let mut codes = Codes::default();
        for n in 0..MAX_CODES as u64 + 10 {
            codes.insert(&n.to_string(), grant(None), 1000 + n, 100);
        }
        assert_eq!(codes.codes.len(), MAX_CODES);
        let last = (MAX_CODES + 9).to_string();
        for (code, is_good) in [("0", false), ("9", false), ("10", true), (&last, true)] {
            let shown = Redemption {
                code,
                ..shown(Some(BACK), None)
            };
            assert_eq!(
                codes.redeem(&shown, ("t", 5), 100).is_ok(),
                is_good,
                "{code}"
            );
        }
    }
}
