//! Visitors who came while nothing could be stored, and whom the store does not know yet.
//!
//! They are somebody all the same: whoever comes again with the same token is the same author, and
//! when storing works again they are stored under that id.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pad::{Author, AuthorToken};

use crate::Service;
use crate::admission::JoinError;
use crate::limits::NEWCOMERS;

#[derive(Default)]
pub(crate) struct Newcomers(Mutex<HashMap<String, Newcomer>>);

#[derive(Clone)]
struct Newcomer {
    /// None has come without one, and will not be recognised.
    token: Option<AuthorToken>,
    author: Author,
}

impl Newcomers {
    /// Who a token stood for, if it was not stored.
    fn find(&self, token: &AuthorToken) -> Option<Author> {
        self.lock().get(token.as_str()).map(|it| it.author.clone())
    }

    /// One more than there is room for is forgotten: then the next visit is somebody else's.
    fn remember(&self, token: Option<&AuthorToken>, author: &Author) {
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
    pub fn update(&self, token: Option<&AuthorToken>, author: &Author) {
        let key = token.map_or(author.id.as_str(), AuthorToken::as_str);
        if let Some(known) = self.lock().get_mut(key)
            && known.author.id == author.id
        {
            known.author = author.clone();
        }
    }

    fn forget(&self, token: &AuthorToken) {
        self.lock().remove(token.as_str());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Newcomer>> {
        // Nothing under this lock can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// The author of a visitor who brings a token or nothing, made if there is none. One that
    /// cannot be stored is given all the same.
    pub(crate) async fn author_by_token(
        &self,
        token: Option<&AuthorToken>,
        comes_back: bool,
    ) -> Result<Author, JoinError> {
        let known = token.and_then(|token| self.newcomers.find(token));
        let is_unknown = known.is_none();
        let new = known.unwrap_or_else(|| self.new_author(None));
        let stored = match token {
            Some(token) => self.store.author_of_token(token, &new).await,
            None => self
                .store
                .create_author(&new)
                .await
                .map(|()| new.id.clone()),
        };
        let is_new = match &stored {
            Ok(id) => *id == new.id,
            Err(error) => matches!(error, store::Error::NotStored(_)),
        };
        if token.is_some() && is_unknown && is_new && comes_back {
            // The page that comes back still writes as another author, erased since.
            return Err(JoinError::UnknownRevision);
        }
        match stored {
            Ok(id) => {
                if let Some(token) = token {
                    self.newcomers.forget(token);
                }
                Ok(Author { id, ..new })
            }
            Err(store::Error::NotStored(_)) => {
                self.newcomers.remember(token, &new);
                Ok(new)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Stores the visitors who could not be stored when they came.
    pub async fn store_newcomers(&self) {
        let waiting: Vec<(String, Newcomer)> = {
            let newcomers = self.newcomers.lock();
            let pairs = newcomers.iter();
            pairs.map(|(key, it)| (key.clone(), it.clone())).collect()
        };
        for (key, Newcomer { token, author }) in waiting {
            let stored = match &token {
                Some(token) => self.store.author_of_token(token, &author).await.map(drop),
                None => self.store.create_author(&author).await,
            };
            if stored.is_err() {
                return;
            }
            self.newcomers.lock().remove(&key);
        }
    }
}
