//! The keys that sign tokens, and when one takes over from another.
//!
//! A new key is shown a day before it signs, so that those with a copy of the list know it in
//! time. An old one stays on the list until the last token that it signed has ended.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::jwk::{Jwk, KeyAlgorithm, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde::{Deserialize, Serialize};

const DAY: u64 = 24 * 60 * 60;
/// How long a key is the newest one.
const PERIOD: u64 = 90 * DAY;
/// How long a key is shown before it signs.
const LEAD: u64 = DAY;

#[derive(Clone)]
pub struct Key {
    created: u64,
    pem: String,
    pub id: String,
    pub signs: EncodingKey,
    pub checks: DecodingKey,
    public: Jwk,
}

/// Never empty; the oldest first.
#[derive(Clone)]
pub struct Keys {
    first: Key,
    rest: Vec<Key>,
}

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// What was kept is not what we wrote.
    #[error("the keys cannot be read: {0}")]
    Unreadable(String),
    #[error("a key could not be made")]
    Generate,
}

/// How keys are kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    keys: Vec<KeptKey>,
}

#[derive(Serialize, Deserialize)]
struct KeptKey {
    created: u64,
    pem: String,
}

impl Key {
    /// Takes a tenth of a second or several.
    fn generate(now: u64) -> Result<Key, KeyError> {
        let pair = KeyPair::generate(KeySize::Rsa2048).map_err(|_| KeyError::Generate)?;
        let der: Pkcs8V1Der = pair.as_der().map_err(|_| KeyError::Generate)?;
        let body = STANDARD.encode(der.as_ref());
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n");
        Key::new(now, pem)
    }

    fn new(created: u64, pem: String) -> Result<Key, KeyError> {
        // The reasons of the library never hold the key.
        let unreadable =
            |error: jsonwebtoken::errors::Error| KeyError::Unreadable(error.to_string());
        let signs = EncodingKey::from_rsa_pem(pem.as_bytes()).map_err(unreadable)?;
        let mut public = Jwk::from_encoding_key(&signs, Algorithm::RS256).map_err(unreadable)?;
        let id = public
            .thumbprint(ThumbprintHash::SHA256)
            .map_err(unreadable)?;
        public.common.key_id = Some(id.clone());
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        public.common.key_algorithm = Some(KeyAlgorithm::RS256);
        let checks = DecodingKey::from_jwk(&public).map_err(unreadable)?;
        Ok(Key {
            created,
            pem,
            id,
            signs,
            checks,
            public,
        })
    }
}

impl Keys {
    pub fn generate(now: u64) -> Result<Keys, KeyError> {
        Ok(Keys {
            first: Key::generate(now)?,
            rest: Vec::new(),
        })
    }

    pub fn read(text: &str) -> Result<Keys, KeyError> {
        let kept: Kept =
            serde_json::from_str(text).map_err(|e| KeyError::Unreadable(e.to_string()))?;
        let keys: Result<Vec<Key>, _> = kept
            .keys
            .into_iter()
            .map(|key| Key::new(key.created, key.pem))
            .collect();
        let mut keys = keys?;
        keys.sort_by_key(|key| key.created);
        let mut keys = keys.into_iter();
        let first = keys
            .next()
            .ok_or_else(|| KeyError::Unreadable("there is none".to_owned()))?;
        Ok(Keys {
            first,
            rest: keys.collect(),
        })
    }

    /// Whether these and others were the same keys at some time.
    pub fn share_one_with(&self, others: &Keys) -> bool {
        self.all()
            .any(|key| others.all().any(|other| other.id == key.id))
    }

    /// All of them with their secret halves, for [`Keys::read`].
    pub fn write(&self) -> String {
        let keep = |key: &Key| KeptKey {
            created: key.created,
            pem: key.pem.clone(),
        };
        let kept = Kept {
            keys: self.all().map(keep).collect(),
        };
        serde_json::to_string_pretty(&kept).unwrap_or_default()
    }

    /// The public halves, as clients read them.
    pub fn public(&self) -> serde_json::Value {
        let keys: Vec<&Jwk> = self.all().map(|key| &key.public).collect();
        serde_json::json!({ "keys": keys })
    }

    /// The one that signs.
    pub fn current(&self, now: u64) -> &Key {
        let ready = |key: &&Key| key.created.saturating_add(LEAD) <= now;
        self.rest.iter().rev().find(ready).unwrap_or(&self.first)
    }

    pub fn find(&self, id: &str) -> Option<&Key> {
        self.all().find(|key| key.id == id)
    }

    /// Whether it is time for [`Keys::renewed`].
    pub fn are_due(&self, now: u64) -> bool {
        let newest = self.rest.last().unwrap_or(&self.first);
        newest.created.saturating_add(PERIOD) <= now
    }

    /// With a new key, and without those whose tokens have all ended.
    pub fn renewed(&self, now: u64, longest_life: u64) -> Result<Keys, KeyError> {
        let mut keys: Vec<Key> = self.all().cloned().collect();
        keys.push(Key::generate(now)?);
        while let [_, next, _, ..] = keys.as_slice()
            && next.created + LEAD + longest_life <= now
        {
            keys.remove(0);
        }
        let first = keys.remove(0);
        Ok(Keys { first, rest: keys })
    }

    fn all(&self) -> impl Iterator<Item = &Key> {
        [&self.first].into_iter().chain(&self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR: u64 = 365 * DAY;

    #[test]
    fn keys_survive_being_kept() {
        let keys = Keys::generate(100).unwrap();
        let read = Keys::read(&keys.write()).unwrap();
        assert_eq!(read.current(100).id, keys.current(100).id);
        assert_eq!(read.public(), keys.public());
        let public = keys.public().to_string();
        assert!(public.contains(r#""use":"sig""#) && public.contains(r#""alg":"RS256""#));
        assert!(!public.contains("\"d\""), "{public}");
    }

    #[test]
    fn what_is_no_key_is_reported_without_showing_it() {
        let pem = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----";
        let damaged = serde_json::json!({"keys": [{"created": 1, "pem": pem}]}).to_string();
        for text in ["", "{}", r#"{"keys":[]}"#, &damaged] {
            let error = Keys::read(text).err().unwrap().to_string();
            assert!(!error.contains("c2VjcmV0"), "{error}");
        }
    }

    #[test]
    fn a_new_key_is_shown_before_it_signs_and_an_old_one_outlives_its_tokens() {
        let keys = Keys::generate(0).unwrap();
        let old = keys.current(0).id.clone();
        assert!(!keys.are_due(PERIOD - 1));
        assert!(keys.are_due(PERIOD));
        let keys = keys.renewed(PERIOD, DAY).unwrap();
        assert!(!keys.are_due(PERIOD));
        assert_eq!(keys.public()["keys"].as_array().unwrap().len(), 2);
        assert_eq!(keys.current(PERIOD + LEAD - 1).id, old);
        let new = keys.current(PERIOD + LEAD).id.clone();
        assert_ne!(new, old);
        assert!(keys.find(&old).is_some());

        let patient = keys.renewed(2 * PERIOD, YEAR).unwrap();
        assert!(patient.find(&old).is_some() && patient.find(&new).is_some());
        let strict = keys.renewed(2 * PERIOD, DAY).unwrap();
        assert!(strict.find(&old).is_none() && strict.find(&new).is_some());
        assert_eq!(strict.current(2 * PERIOD).id, new);
        assert_eq!(
            Keys::read(&strict.write()).unwrap().public(),
            strict.public()
        );
    }
}
