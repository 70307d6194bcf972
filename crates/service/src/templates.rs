//! New pads that start with the text of another one.
//!
//! A template is any pad that the visitor may read: it is admitted to the template as to any other
//! pad, and learns nothing about one that it may not read or that does not exist. What only a group
//! may read stays in the group: a link that names both pads could be anybody's, and a member who
//! follows it would publish the text.

use changeset::Text;
use contract::Error;
use pad::{AuthorId, DeletionToken, Head, PadId, PadOptions, Step, clean_text, edit};
use store::NewPad;

use crate::Service;
use crate::admission::{JoinError, JoinRequest};
use crate::api::Issued;
use crate::hooks::Notice;
use crate::options::to_stored;

/// What became of the template that a visitor named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateUse {
    /// The new pad has its text, of so many UTF-16 units.
    Copied(usize),
    /// There is none that this visitor may read; the new pad has the default text.
    Missing,
    /// The pad existed already, and is as it was.
    Ignored,
}

impl Service {
    /// Creates a pad for a visitor, from the template that it names. `None` if there is one of that
    /// name by now.
    pub(crate) async fn new_pad_for(
        &self,
        pad: &PadId,
        author: &AuthorId,
        options: Option<&PadOptions>,
        request: &JoinRequest,
    ) -> Result<(Option<Issued>, Option<TemplateUse>), JoinError> {
        let Some(name) = &request.template else {
            let issued = self.new_pad(pad, None, Some(author), options).await?;
            return Ok((issued, None));
        };
        let (issued, used) = match self.template(name, pad, request).await? {
            Some(head) => {
                let step = self.first_step(&head, author)?;
                let units = step.head.document.len();
                let issued = self.store_new_pad(pad, &step, options).await?;
                (issued, TemplateUse::Copied(units))
            }
            None => {
                let issued = self.new_pad(pad, None, Some(author), options).await?;
                (issued, TemplateUse::Missing)
            }
        };
        let used = if issued.is_some() {
            used
        } else {
            TemplateUse::Ignored
        };
        Ok((issued, Some(used)))
    }

    /// The text of a pad that is created without one. A hook may give another.
    pub(crate) async fn default_text(&self, pad: &PadId, author: Option<&AuthorId>) -> Text {
        let text = clean_text(&Text::from(&*self.config.default_text));
        let Some(hooks) = &self.hooks.0 else {
            return text;
        };
        let other = hooks.new_pad_text(pad, author, &text).await;
        let other = other.map(|other| clean_text(&other));
        let other = other.filter(|other| self.check_length(other).is_ok());
        other.unwrap_or(text)
    }

    /// Stores the first revision of a pad; `None` if there is one of that name.
    pub(crate) async fn store_new_pad(
        &self,
        pad: &PadId,
        step: &Step,
        options: Option<&PadOptions>,
    ) -> Result<Option<Issued>, Error> {
        let token = DeletionToken::random([self.entropy(), self.entropy()]);
        let deletion = Some(token.hash());
        let new = NewPad {
            id: pad,
            step,
            deletion,
            public: false,
            settings: options.map(to_stored),
        };
        let created = self.store.create_pad(new).await?;
        if created.is_some() {
            let author = step.revisions.first().and_then(|it| it.author.as_ref());
            let author = author.filter(|author| !author.is_system());
            self.hooks.notify(Notice::PadCreated { pad, author });
        }
        Ok(created.map(|_| Issued(token)))
    }

    /// The newest state of a pad that the visitor may read and copy to `destination`.
    async fn template(
        &self,
        name: &str,
        destination: &PadId,
        request: &JoinRequest,
    ) -> Result<Option<Head>, JoinError> {
        let wanted = JoinRequest {
            pad: name.to_owned(),
            ..request.clone()
        };
        let admission = match self.admit(&wanted, true).await {
            Err(JoinError::Denied | JoinError::Name) => return Ok(None),
            admission => admission?,
        };
        let Some(record) = admission.record else {
            return Ok(None);
        };
        let group = admission.pad.group();
        let stays_readable = group.is_none() || record.public || group == destination.group();
        if !stays_readable {
            return Ok(None);
        }
        match self.head(&admission.pad).await {
            Err(Error::PadMissing) => Ok(None),
            Ok(head) if head.document.len() > self.config.max_text => Ok(None),
            head => Ok(Some(head?)),
        }
    }

    /// The first revision of a copy: text and formats. The authors of the template have not
    /// written here, so the text is nobody's, as the default text is.
    fn first_step(&self, template: &Head, creator: &AuthorId) -> Result<Step, Error> {
        let mut runs = edit::runs_of(&template.document, &template.pool);
        for run in &mut runs {
            run.attributes.retain(|attribute| attribute.key != "author");
        }
        // The new pad has a final newline of its own.
        if let Some(last) = runs.last_mut()
            && let Some((_, rest)) = last.text.split_last()
        {
            last.text = Text::from(rest);
        }
        runs.retain(|run| !run.text.is_empty());
        let empty = Head::empty();
        let prepared = edit::set_runs(&empty.document, &empty.pool, &runs, &AuthorId::system());
        let by = Some(creator.clone());
        let step = empty.advance(prepared.change, prepared.pool, by, self.now())?;
        step.ok_or(Error::Internal)
    }
}
