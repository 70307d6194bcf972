//! Device cookies: browsers that have signed in before.
//!
//! A browser that has shown the password of an account keeps a cookie that says so, signed by this
//! service. Its attempts at that account are counted apart from those of strangers, who therefore
//! cannot lock it out. A cookie opens nothing: a thief may guess as often as from one
//! address, and no more.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::secret::{same, text};

/// How many accounts one browser is known for; the last ones count.
const MAX_ACCOUNTS: usize = 8;
const ID_BYTES: usize = 16;
const TAG_BYTES: usize = 16;

/// What a browser is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BrowserId([u8; ID_BYTES]);

impl BrowserId {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Signs and recognizes device cookies. A cookie is the id of a browser and a tag for each account:
/// it names nobody.
#[derive(Clone)]
pub struct DeviceCookies {
    key: hmac::Key,
}

impl DeviceCookies {
    pub fn new(key: &[u8; 32]) -> DeviceCookies {
        DeviceCookies {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
        }
    }

    /// The browser that a cookie belongs to, if the account was signed in to with it.
    pub fn recognize(&self, cookie: &str, account: &str) -> Option<BrowserId> {
        let (id, tags) = parse(cookie)?;
        let expected = self.tag(id, account);
        let is_known = tags.iter().any(|tag| same(tag, &expected));
        is_known.then_some(id)
    }

    /// The cookie of a browser that has shown the password of an account. `random` makes the id of
    /// one that has no cookie yet.
    pub fn issue(&self, before: Option<&str>, account: &str, random: [u8; ID_BYTES]) -> String {
        let (id, tags) = before
            .and_then(parse)
            .unwrap_or((BrowserId(random), Vec::new()));
        let tag = self.tag(id, account);
        let others = tags.into_iter().filter(|other| *other != tag);
        let mut cookie = format!("{}.{tag}", text(&id.0));
        for other in others.take(MAX_ACCOUNTS - 1) {
            cookie.push('.');
            cookie.push_str(other);
        }
        cookie
    }

    fn tag(&self, id: BrowserId, account: &str) -> String {
        let whole = hmac::sign(&self.key, &[&id.0, account.as_bytes()].concat());
        let (tag, _) = whole.as_ref().split_at(TAG_BYTES);
        text(tag)
    }
}

fn parse(cookie: &str) -> Option<(BrowserId, Vec<&str>)> {
    let mut parts = cookie.split('.');
    let id = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
    let id = BrowserId(id.try_into().ok()?);
    let tags: Vec<&str> = parts.take(MAX_ACCOUNTS).collect();
    let is_tag = |tag: &&str| {
        let bytes = URL_SAFE_NO_PAD.decode(tag);
        bytes.is_ok_and(|bytes| bytes.len() == TAG_BYTES)
    };
    tags.iter().all(is_tag).then_some((id, tags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_known_for_the_accounts_it_signed_in_to() {
        let cookies = DeviceCookies::new(&[1; 32]);
        let ada = cookies.issue(None, "ada", [7; 16]);
        let both = cookies.issue(Some(&ada), "bob", [8; 16]);
        let id = Some(BrowserId([7; 16]));
        assert_eq!(cookies.recognize(&ada, "ada"), id);
        assert_eq!(cookies.recognize(&ada, "bob"), None);
        assert_eq!(cookies.recognize(&both, "ada"), id);
        assert_eq!(cookies.recognize(&both, "bob"), id);
        assert_eq!(cookies.issue(Some(&both), "bob", [9; 16]), both);
    }

    #[test]
    fn what_another_key_signed_or_nobody_did_is_not_known() {
        let cookies = DeviceCookies::new(&[1; 32]);
        let good = cookies.issue(None, "ada", [7; 16]);
        let foreign = DeviceCookies::new(&[2; 32]).issue(None, "ada", [7; 16]);
        let (id, tag) = good.split_once('.').unwrap();
        let other = text(&[8; 16]);
        for cookie in [
            foreign.as_str(),
            "",
            ".",
            id,
            &format!("{id}."),
            &format!("{other}.{tag}"),
            &format!("{id}.{}", &tag[1..]),
            &format!("{good}.x"),
        ] {
            assert_eq!(cookies.recognize(cookie, "ada"), None, "{cookie}");
            // It does not come back in a new one either, unless it could be ours.
            let issued = cookies.issue(Some(cookie), "ada", [9; 16]);
            assert!(cookies.recognize(&issued, "ada").is_some(), "{cookie}");
        }
    }

    #[test]
    fn a_cookie_does_not_grow_for_ever() {
        let cookies = DeviceCookies::new(&[1; 32]);
        let mut cookie = None;
        for n in 0..100 {
            cookie = Some(cookies.issue(cookie.as_deref(), &format!("user{n}"), [7; 16]));
        }
        let cookie = cookie.unwrap();
        assert!(cookie.len() < 256, "{}", cookie.len());
        assert!(cookies.recognize(&cookie, "user99").is_some());
        assert!(cookies.recognize(&cookie, "user92").is_some());
        assert!(cookies.recognize(&cookie, "user91").is_none());
    }
}
