//! Authorization codes: what a browser carries from the login to the client, to be turned into a
//! token once.
//!
//! A code is kept under its digest. One that is shown a second time gives nothing, and the token
//! that it gave the first time is worth nothing from then on: one of the two who had it should not
//! have.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::kept::{Kept, KeptKey};
use crate::pkce::Challenge;
use crate::secret::digest;

/// What a person has agreed to by signing in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// What is kept of a code.
#[derive(Serialize, Deserialize)]
enum State {
    Fresh(Grant),
    Used(IssuedToken),
}

/// The id of a token, and when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedToken {
    pub id: String,
    pub ends: u64,
}

impl IssuedToken {
    /// Where it is kept that the token is revoked.
    pub fn revocation(&self) -> (KeptKey, Kept) {
        let (value, ends) = (Vec::new(), self.ends);
        (revocation_key(&self.id), Kept { value, ends })
    }
}

/// Where it is kept that a token is worth nothing any more.
pub fn revocation_key(token: &str) -> KeptKey {
    digest(token)
}

/// What a client shows with a code.
#[derive(Clone)]
pub struct Redemption {
    pub(crate) code: String,
    pub(crate) client: String,
    pub(crate) redirect_uri: Option<String>,
    pub(crate) verifier: Option<String>,
    /// The token that the client gets for it.
    pub token: IssuedToken,
}

/// Why a code gives nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGrant {
    Refused(Error),
    /// It was used before; the token that it gave must be revoked.
    Replayed(IssuedToken, Error),
}

/// Where a code is kept, and what.
pub(crate) fn fresh(code: &str, grant: Grant, ends: u64) -> (KeptKey, Kept) {
    (digest(code), keep(&State::Fresh(grant), ends))
}

impl Redemption {
    /// Where the code is kept.
    pub fn key(&self) -> KeptKey {
        digest(&self.code)
    }

    /// What the code stands for, and what to keep of it. What had ended is not found.
    pub fn redeem(&self, found: Option<&Kept>) -> (Option<Kept>, Result<Grant, NoGrant>) {
        let refused = ErrorKind::InvalidGrant.because("the code is not known, used up or too old");
        let state = found.and_then(|kept| serde_json::from_slice(&kept.value).ok());
        match state {
            None => (None, Err(NoGrant::Refused(refused))),
            // Nobody else can use up a client's code.
            Some(State::Fresh(grant)) if grant.client != self.client => {
                (found.cloned(), Err(NoGrant::Refused(refused)))
            }
            Some(State::Used(token)) => (found.cloned(), Err(NoGrant::Replayed(token, refused))),
            Some(State::Fresh(grant)) => {
                let used = keep(&State::Used(self.token.clone()), self.token.ends);
                let grant = agrees(grant, self).map_err(NoGrant::Refused);
                (Some(used), grant)
            }
        }
    }
}

fn keep(state: &State, ends: u64) -> Kept {
    Kept {
        value: serde_json::to_vec(state).unwrap_or_default(),
        ends,
    }
}

fn agrees(grant: Grant, shown: &Redemption) -> Result<Grant, Error> {
    let same_place = match &shown.redirect_uri {
        Some(uri) => *uri == grant.redirect_uri,
        // OAuth 2.1 has dropped the parameter, for the challenge does more.
        None => grant.challenge.is_some() || !grant.named_redirect,
    };
    if !same_place {
        return Err(
            ErrorKind::InvalidGrant.because("redirect_uri is not the one the code was sent to")
        );
    }
    let answered = match (&grant.challenge, &shown.verifier) {
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

    fn fresh(challenge: Option<&str>) -> Kept {
        super::fresh("code", grant(challenge), 200).1
    }

    fn shown(redirect_uri: Option<&str>, verifier: Option<&str>, token: &str) -> Redemption {
        Redemption {
            code: "code".to_owned(),
            client: "app".to_owned(),
            redirect_uri: redirect_uri.map(str::to_owned),
            verifier: verifier.map(str::to_owned),
            token: issued(token),
        }
    }

    fn issued(id: &str) -> IssuedToken {
        let id = id.to_owned();
        IssuedToken { id, ends: 500 }
    }

    #[test]
    fn a_code_is_good_once_and_its_token_falls_with_it() {
        let first = shown(Some(BACK), Some(VERIFIER), "first");
        let (key, _) = super::fresh("code", grant(None), 200);
        assert_eq!(first.key(), key);
        let (used, outcome) = first.redeem(Some(&fresh(Some(CHALLENGE))));
        assert!(outcome.is_ok());
        // As long as its token: what is shown again later still ends that.
        assert_eq!(used.as_ref().map(|kept| kept.ends), Some(500));
        let second = shown(Some(BACK), Some(VERIFIER), "second");
        let (kept, outcome) = second.redeem(used.as_ref());
        assert_eq!(kept, used);
        match outcome {
            Err(NoGrant::Replayed(token, error)) => {
                assert_eq!(token, issued("first"));
                assert_eq!(error.kind, ErrorKind::InvalidGrant);
                assert_eq!(token.revocation().0, revocation_key("first"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_not_kept_or_not_ours_is_no_code() {
        let shown = shown(Some(BACK), None, "t");
        assert!(shown.redeem(None).1.is_err());
        let value = b"nonsense".to_vec();
        assert!(shown.redeem(Some(&Kept { value, ends: 200 })).1.is_err());
    }

    #[test]
    fn another_client_neither_gets_nor_spoils_a_code() {
        let code = fresh(None);
        let foreign = Redemption {
            client: "other".to_owned(),
            ..shown(Some(BACK), None, "t")
        };
        let (kept, outcome) = foreign.redeem(Some(&code));
        assert!(outcome.is_err());
        let own = shown(Some(BACK), None, "t");
        assert!(own.redeem(kept.as_ref()).1.is_ok());
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
            let shown = shown(redirect_uri, verifier, "t");
            let redeemed = shown.redeem(Some(&fresh(challenge))).1.is_ok();
            assert_eq!(
                redeemed, is_good,
                "{challenge:?} {redirect_uri:?} {verifier:?}"
            );
        }
    }

    #[test]
    fn a_wrong_verifier_uses_the_code_up() {
        let code = fresh(Some(CHALLENGE));
        let (kept, outcome) = shown(None, Some(&"a".repeat(43)), "t").redeem(Some(&code));
        assert!(outcome.is_err());
        let (_, outcome) = shown(None, Some(VERIFIER), "t").redeem(kept.as_ref());
        assert!(outcome.is_err());
    }
}
