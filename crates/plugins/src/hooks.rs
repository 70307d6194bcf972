//! Hooks of the service, passed on to plugins.

use std::sync::Arc;

use plugin::Hook;
use plugin::parameter::check_object;
use serde_json::{Value, json};
use service::changeset::Text;
use service::pad::{AuthorId, PadId};
use service::{Decision, Hooks, Narrowing, Notice, Refusal, Review};
use tracing::debug;

use crate::answers::{self, Verdict};
use crate::host::{Plugins, insert};
use crate::running::{Failure, Running};

impl Hooks for Plugins {
    fn notify(&self, notice: Notice<'_>) {
        let hook = hook_of(&notice);
        if !self.wants(hook) {
            return;
        }
        if let Notice::PadChanged {
            pad,
            from,
            revisions,
        } = notice
        {
            let revision = from.plus(revisions.len() as u64).minus(1);
            for plugin in self.running().iter().filter(|it| it.is_called(hook, pad)) {
                let authors = revisions.iter().filter_map(|it| it.author.as_ref());
                plugin.enqueue(|queue| queue.push_changed(pad, from, revision, authors));
            }
            return;
        }
        let arguments = arguments_of(&notice);
        if let Err(error) = check_object(hook.row().arguments, &arguments) {
            debug!("{hook} is not called: {error}");
            return;
        }
        let (pad, other) = pads_of(&notice);
        let mut plugins = self.on_pad(hook, pad);
        // Of a copy also those learn who are switched on for the copy only.
        for plugin in other.into_iter().flat_map(|pad| self.on_pad(hook, pad)) {
            if !plugins.iter().any(|it| Arc::ptr_eq(it, &plugin)) {
                plugins.push(plugin);
            }
        }
        for plugin in plugins {
            plugin.enqueue(|queue| queue.push(hook, arguments.clone()));
        }
    }

    fn new_pad_text<'a>(
        &'a self,
        pad: &'a PadId,
        author: Option<&'a AuthorId>,
        text: &'a Text,
    ) -> Decision<'a, Option<Text>> {
        Box::pin(async move {
            let mut arguments = json!({ "padId": pad.as_str(), "text": text.to_string_lossy() });
            insert(&mut arguments, "authorId", author.map(AuthorId::as_str));
            let reviewed = self.review(Hook::NewPadText, pad, "text", arguments).await;
            reviewed
                .ok()
                .flatten()
                .map(|text| Text::from(text.as_str()))
        })
    }

    fn chat_message<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        name: Option<&'a str>,
        text: &'a Text,
    ) -> Decision<'a, Review<Text>> {
        Box::pin(async move {
            let mut arguments = json!({
                "padId": pad.as_str(),
                "authorId": author.as_str(),
                "text": text.to_string_lossy(),
            });
            insert(&mut arguments, "name", name);
            let reviewed = self
                .review(Hook::ChatMessage, pad, "text", arguments)
                .await?;
            Ok(reviewed.map(|text| Text::from(text.as_str())))
        })
    }

    fn member_name<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        name: &'a str,
    ) -> Decision<'a, Review<String>> {
        let arguments = json!({
            "padId": pad.as_str(),
            "authorId": author.as_str(),
            "name": name,
        });
        Box::pin(self.review(Hook::MemberNamed, pad, "name", arguments))
    }

    fn reviews_messages(&self) -> bool {
        self.wants(Hook::MemberMessage)
    }

    fn member_message<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        kind: &'a str,
        text: Option<&'a str>,
    ) -> Decision<'a, Result<(), Refusal>> {
        Box::pin(async move {
            let mut arguments = json!({
                "padId": pad.as_str(),
                "authorId": author.as_str(),
                "kind": kind,
            });
            insert(&mut arguments, "text", text);
            let reviewed = self
                .review(Hook::MemberMessage, pad, "text", arguments)
                .await;
            reviewed.map(drop)
        })
    }

    fn narrows_access(&self) -> bool {
        self.wants(Hook::Access)
    }

    fn access<'a>(
        &'a self,
        pad: &'a PadId,
        author: Option<&'a AuthorId>,
        read_only: bool,
    ) -> Decision<'a, Narrowing> {
        Box::pin(async move {
            let mut arguments = json!({ "padId": pad.as_str(), "readOnly": read_only });
            insert(&mut arguments, "authorId", author.map(AuthorId::as_str));
            let mut narrowed = Narrowing::Nothing;
            for plugin in self.on_pad(Hook::Access, pad) {
                let answer = self.decide(&plugin, Hook::Access, &arguments).await;
                let narrowing = match &answer {
                    Ok(answer) => answers::narrowing(answer).unwrap_or_default(),
                    Err(_) => Narrowing::Unchecked,
                };
                narrowed = narrowed.max(narrowing);
                if narrowed >= Narrowing::Denied {
                    break;
                }
            }
            narrowed
        })
    }

    fn page_parts<'a>(
        &'a self,
        pad: &'a PadId,
        author: &'a AuthorId,
        read_only: bool,
    ) -> Decision<'a, Value> {
        Box::pin(self.page_parts_for(pad, author, read_only))
    }
}

impl Plugins {
    /// Passes a text through all plugins with that hook, each of which may change or refuse it.
    async fn review(
        &self,
        hook: Hook,
        pad: &PadId,
        member: &str,
        mut arguments: Value,
    ) -> Review<String> {
        let mut replaced = None;
        for plugin in self.on_pad(hook, pad) {
            let answer = self.decide(&plugin, hook, &arguments).await?;
            match answers::checked_verdict(&answer) {
                Verdict::Leave => {}
                Verdict::Refuse(reason) => return Err(Refusal::Reason(reason)),
                Verdict::Replace(text) => {
                    insert(&mut arguments, member, Some(text.as_str()));
                    replaced = Some(text);
                }
            }
        }
        Ok(replaced)
    }
}

impl Plugins {
    /// The answer of a hook. One that gives none leaves everything as it is, unless the plugin is
    /// written so that nothing passes without it.
    async fn decide(
        &self,
        plugin: &Running,
        hook: Hook,
        arguments: &Value,
    ) -> Result<Value, Refusal> {
        match Plugins::ask(plugin, hook, arguments.clone()).await {
            Ok(answer) => Ok(answer),
            Err(_) if !plugin.refuses(hook) => Ok(Value::Null),
            Err(failure) => {
                // The other failures were counted where they happened.
                if failure == Failure::Unavailable {
                    plugin.health().refuse(hook, self.now());
                }
                debug!("{hook} of {} refuses: {failure:?}", plugin.installed.name());
                Err(Refusal::Unchecked)
            }
        }
    }
}

fn hook_of(notice: &Notice<'_>) -> Hook {
    match notice {
        Notice::PadCreated { .. } => Hook::PadCreated,
        Notice::PadOpened { .. } => Hook::PadOpened,
        Notice::PadChanged { .. } => Hook::PadChanged,
        Notice::RevisionSaved { .. } => Hook::RevisionSaved,
        Notice::PadDeleted { .. } => Hook::PadDeleted,
        Notice::PadCopied { .. } => Hook::PadCopied,
        Notice::MemberJoined { .. } => Hook::MemberJoined,
        Notice::MemberLeft { .. } => Hook::MemberLeft,
    }
}

/// The pad that a notice is about, and the second one of a copy.
fn pads_of<'a>(notice: &Notice<'a>) -> (&'a PadId, Option<&'a PadId>) {
    match *notice {
        Notice::PadCreated { pad, .. }
        | Notice::PadOpened { pad }
        | Notice::PadChanged { pad, .. }
        | Notice::RevisionSaved { pad, .. }
        | Notice::PadDeleted { pad }
        | Notice::MemberJoined { pad, .. }
        | Notice::MemberLeft { pad, .. } => (pad, None),
        Notice::PadCopied { pad, copy, .. } => (pad, Some(copy)),
    }
}

fn arguments_of(notice: &Notice<'_>) -> Value {
    match *notice {
        Notice::PadCreated { pad, author } => {
            let mut arguments = json!({ "padId": pad.as_str() });
            insert(&mut arguments, "authorId", author.map(AuthorId::as_str));
            arguments
        }
        Notice::PadOpened { pad } | Notice::PadDeleted { pad } | Notice::PadChanged { pad, .. } => {
            json!({ "padId": pad.as_str() })
        }
        Notice::RevisionSaved {
            pad,
            author,
            rev,
            label,
        } => {
            let mut arguments = json!({ "padId": pad.as_str(), "revision": rev.0 });
            insert(&mut arguments, "authorId", author.map(AuthorId::as_str));
            insert(&mut arguments, "label", Some(label));
            arguments
        }
        Notice::PadCopied { pad, copy, moved } => json!({
            "padId": pad.as_str(), "newPadId": copy.as_str(), "moved": moved,
        }),
        Notice::MemberJoined {
            pad,
            author,
            name,
            read_only,
        } => {
            let mut arguments = json!({
                "padId": pad.as_str(), "authorId": author.as_str(), "readOnly": read_only,
            });
            insert(&mut arguments, "name", name);
            arguments
        }
        Notice::MemberLeft { pad, author } => json!({
            "padId": pad.as_str(), "authorId": author.as_str(),
        }),
    }
}
