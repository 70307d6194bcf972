//! Cache of what the API answers about the newest revision of pads, as JSON.
//!
//! Writing a megabyte of JSON takes a hundred times as long as sending it. Programs that show pads
//! ask for the same revision again and again.

use std::sync::{Arc, Mutex, PoisonError};

use convert::Declared;
use lru::LruCache;
use pad::Rev;
use store::PadKey;

use crate::limits::{CACHED_ANSWER, CACHED_ANSWERS};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    Text,
    Html,
}

/// What an answer was made from. One that was made from anything else is not the answer.
#[derive(Clone)]
pub(crate) struct Source {
    pub rev: Option<Rev>,
    pub declared: Arc<Declared>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        self.rev == other.rev && Arc::ptr_eq(&self.declared, &other.declared)
    }
}

/// The last answer in each form for each pad, least recently used first out.
pub(crate) struct AnswerCache(Mutex<Kept>);

struct Kept {
    answers: LruCache<(PadKey, Form), (Source, Arc<str>)>,
    bytes: usize,
}

impl Default for AnswerCache {
    fn default() -> AnswerCache {
        AnswerCache(Mutex::new(Kept {
            answers: LruCache::unbounded(),
            bytes: 0,
        }))
    }
}

impl AnswerCache {
    pub(crate) fn get(&self, pad: PadKey, form: Form, source: &Source) -> Option<Arc<str>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (made_from, json) = kept.answers.get(&(pad, form))?;
        (made_from == source).then(|| Arc::clone(json))
    }

    pub(crate) fn keep(&self, pad: PadKey, form: Form, source: Source, json: &Arc<str>) {
        if json.len() > CACHED_ANSWER {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += json.len();
        let replaced = kept.answers.put((pad, form), (source, Arc::clone(json)));
        kept.bytes -= replaced.map_or(0, |(_, json)| json.len());
        while kept.bytes > CACHED_ANSWERS {
            let Some((_, (_, evicted))) = kept.answers.pop_lru() else {
                break;
            };
            kept.bytes -= evicted.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(rev: u64) -> Source {
        Source {
            rev: Some(Rev(rev)),
            declared: Arc::default(),
        }
    }

    #[test]
    fn an_answer_is_given_again_for_what_it_was_made_from_only() {
        let cache = AnswerCache::default();
        let (pad, first) = (PadKey(1), source(1));
        cache.keep(pad, Form::Text, first.clone(), &"one".into());
        assert_eq!(cache.get(pad, Form::Text, &first).as_deref(), Some("one"));
        assert_eq!(cache.get(pad, Form::Html, &first), None);
        assert_eq!(cache.get(PadKey(2), Form::Text, &first), None);
        let newer = Source {
            rev: Some(Rev(2)),
            ..first.clone()
        };
        assert_eq!(cache.get(pad, Form::Text, &newer), None);
        // The same revision, after a plugin changed what attributes mean.
        assert_eq!(cache.get(pad, Form::Text, &source(1)), None);
    }

    #[test]
    fn the_bytes_it_keeps_are_bounded() {
        let cache = AnswerCache::default();
        let large: Arc<str> = "x".repeat(CACHED_ANSWER).into();
        let made_from = source(1);
        let fit = CACHED_ANSWERS / CACHED_ANSWER;
        for pad in 0..=fit {
            let pad = PadKey(i64::try_from(pad).unwrap());
            cache.keep(pad, Form::Text, made_from.clone(), &large);
            // Again: what is replaced does not count twice.
            cache.keep(pad, Form::Text, made_from.clone(), &large);
        }
        let kept = |pad| cache.get(PadKey(pad), Form::Text, &made_from).is_some();
        assert!(!kept(0));
        assert!(kept(1));
        let too_large = format!("{large}x").into();
        cache.keep(PadKey(-1), Form::Text, made_from.clone(), &too_large);
        assert!(!kept(-1));
    }
}
