//! Encryption of messages: AES-256-GCM under a key of the sender's own, which comes from the
//! cluster's key and the salt that the sender was started with. The nonce is a counter, so none is
//! used twice under one key.
//!
//! A message is a byte for the format, the salt, the counter and the ciphertext, in base64.

use std::collections::HashMap;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, MAX_TAG_LEN, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::limits::{HINT_PAYLOAD, HINT_SENDERS};
use crate::{ClusterKey, SALT_BYTES};

const FORMAT: u8 = 1;
const COUNTER_BYTES: usize = 8;
const PURPOSE: &[u8] = b"padsvc hints";

/// What fits into a message, in bytes.
pub(super) const PLAIN_BYTES: usize =
    HINT_PAYLOAD / 4 * 3 - 1 - SALT_BYTES - COUNTER_BYTES - MAX_TAG_LEN;

pub(super) struct Sealer {
    salt: [u8; SALT_BYTES],
    key: LessSafeKey,
    counter: u64,
}

impl Sealer {
    /// `None`: the library refuses, which it has no reason to.
    pub(super) fn new(key: &ClusterKey, salt: [u8; SALT_BYTES]) -> Option<Sealer> {
        let key = derive(key, &salt)?;
        Some(Sealer {
            salt,
            key,
            counter: 0,
        })
    }

    pub(super) fn seal(&mut self, mut plain: Vec<u8>) -> Option<String> {
        self.counter = self.counter.checked_add(1)?;
        let counter = self.counter.to_be_bytes();
        let sealed =
            self.key
                .seal_in_place_append_tag(nonce(counter), Aad::from(PURPOSE), &mut plain);
        sealed.ok()?;
        let mut message = vec![FORMAT];
        message.extend_from_slice(&self.salt);
        message.extend_from_slice(&counter);
        message.extend_from_slice(&plain);
        Some(STANDARD_NO_PAD.encode(message))
    }
}

/// What a message is opened with.
pub(super) struct Opener {
    key: ClusterKey,
    own: [u8; SALT_BYTES],
    /// The keys of those who have sent something: deriving one takes longer than opening.
    senders: HashMap<[u8; SALT_BYTES], LessSafeKey>,
}

pub(super) enum Opened {
    /// We have sent it ourselves.
    Own,
    Plain(Vec<u8>),
}

impl Opener {
    pub(super) fn new(key: ClusterKey, own: [u8; SALT_BYTES]) -> Opener {
        Opener {
            key,
            own,
            senders: HashMap::new(),
        }
    }

    /// `None`: nobody with this key has sent it.
    pub(super) fn open(&mut self, message: &str) -> Option<Opened> {
        if message.len() > HINT_PAYLOAD {
            return None;
        }
        let bytes = STANDARD_NO_PAD.decode(message).ok()?;
        let bytes = bytes.strip_prefix(&[FORMAT])?;
        let (salt, bytes) = bytes.split_first_chunk::<SALT_BYTES>()?;
        if *salt == self.own {
            return Some(Opened::Own);
        }
        let (counter, sealed) = bytes.split_first_chunk::<COUNTER_BYTES>()?;
        let mut plain = sealed.to_vec();
        let mut open = |key: &LessSafeKey| {
            let opened = key.open_in_place(nonce(*counter), Aad::from(PURPOSE), &mut plain);
            opened.ok().map(|opened| opened.len())
        };
        let size = match self.senders.get(salt) {
            Some(key) => open(key)?,
            None => {
                let key = derive(&self.key, salt)?;
                let size = open(&key)?;
                // Only those who have the cluster's key get here, a new one with each start.
                if self.senders.len() >= HINT_SENDERS {
                    self.senders.clear();
                }
                self.senders.insert(*salt, key);
                size
            }
        };
        plain.truncate(size);
        Some(Opened::Plain(plain))
    }
}

fn derive(key: &ClusterKey, salt: &[u8; SALT_BYTES]) -> Option<LessSafeKey> {
    let derived = Salt::new(HKDF_SHA256, salt).extract(&key.0);
    let material = derived.expand(&[PURPOSE], &AES_256_GCM).ok()?;
    Some(LessSafeKey::new(UnboundKey::from(material)))
}

fn nonce(counter: [u8; COUNTER_BYTES]) -> Nonce {
    let mut bytes = [0; NONCE_LEN];
    for (to, from) in bytes.iter_mut().zip(counter) {
        *to = from;
    }
    Nonce::assume_unique_for_key(bytes)
}
