//! Authors by token: a browser's author, also while nothing can be stored.

use pad::{Author, AuthorToken};

use crate::Service;
use crate::admission::JoinError;
use crate::newcomers::Newcomer;

impl Service {
    /// The author of a visitor who brings a token or nothing, made if there is none, and whether it
    /// was made now. One that cannot be stored is given all the same.
    pub(crate) async fn author_by_token(
        &self,
        token: Option<&AuthorToken>,
        comes_back: bool,
    ) -> Result<(Author, bool), JoinError> {
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
                Ok((Author { id, ..new }, is_new && is_unknown))
            }
            Err(store::Error::NotStored(_)) => {
                self.newcomers.remember(token, &new);
                Ok((new, is_unknown))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Stores the visitors who could not be stored when they came.
    pub async fn store_newcomers(&self) {
        for (key, Newcomer { token, author }) in self.newcomers.waiting() {
            let stored = match &token {
                Some(token) => self.store.author_of_token(token, &author).await.map(drop),
                None => self.store.create_author(&author).await,
            };
            if stored.is_err() {
                return;
            }
            self.newcomers.remove(&key);
        }
    }
}
