//! Visitors who came while nothing could be stored, and whom the store does not know yet.
//!
//! They are somebody all the same: a visitor with the same token is the same author, and
//! when storing works again they are stored under that id.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pad::{Author, AuthorToken};

use crate::limits::NEWCOMERS;

#[derive(Default)]
pub(crate) struct Newcomers(Mutex<HashMap<String, Newcomer>>);

#[derive(Clone)]
pub(crate) struct Newcomer {
    /// None has come without one, and will not be recognised.
    pub token: Option<AuthorToken>,
    pub author: Author,
}

impl Newcomers {
    /// Who a token stood for, if it was not stored.
    pub(crate) fn find(&self, token: &AuthorToken) -> Option<Author> {
        self.lock().get(token.as_str()).map(|it| it.author.clone())
    }

    /// One more than there is room for is forgotten: then the next visit is somebody else's.
    pub(crate) fn remember(&self, token: Option<&AuthorToken>, author: &Author) {
        let mut newcomers = self.lock();
        if newcomers.len() < NEWCOMERS {
            let key = token.map_or(author.id.as_str(), AuthorToken::as_str);
            let newcomer = Newcomer {
                token: token.cloned(),
                author: author.clone(),
            };
            newcomers.insert(key.to_owned(), newcomer);
        }
    }

    /// Gives one who is remembered another name and colour.
    pub(crate) fn update(&self, token: Option<&AuthorToken>, author: &Author) {
        let key = token.map_or(author.id.as_str(), AuthorToken::as_str);
        if let Some(known) = self.lock().get_mut(key)
            && known.author.id == author.id
        {
            known.author = author.clone();
        }
    }

    pub(crate) fn forget(&self, token: &AuthorToken) {
        self.lock().remove(token.as_str());
    }

    /// Those who wait for the store, with the key to remove them by.
    pub(crate) fn waiting(&self) -> Vec<(String, Newcomer)> {
        let newcomers = self.lock();
        let pairs = newcomers.iter();
        pairs.map(|(key, it)| (key.clone(), it.clone())).collect()
    }

    pub(crate) fn remove(&self, key: &str) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Newcomer>> {
        // Nothing under this lock can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
