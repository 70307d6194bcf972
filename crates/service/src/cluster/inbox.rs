//! Hints of other nodes: where to look before the next comparison.

use std::collections::BTreeMap;

use hints::{CaretHint, Hint, ReceivedHint, RevisionHint};
use store::PadKey;

use crate::Service;
use crate::live::{Caret, Encoded};

/// What a batch of hints asks for.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Read the notes.
    pub look: bool,
    /// Hints may be lost: compare everything.
    pub compare: bool,
}

impl Service {
    /// Brings pads up to date that hints name, and shows carets. Gives what is left to do.
    pub(super) async fn receive_hints(&self, hints: Vec<ReceivedHint>) -> Asked {
        let mut asked = Asked::default();
        let mut revisions: BTreeMap<PadKey, Vec<RevisionHint>> = BTreeMap::new();
        let mut carets = Vec::new();
        for hint in hints {
            match hint {
                ReceivedHint::Missed => asked.compare = true,
                ReceivedHint::From(_, Hint::Look) => asked.look = true,
                ReceivedHint::From(_, Hint::Revision(hint)) => {
                    revisions.entry(hint.pad).or_default().push(hint);
                }
                ReceivedHint::From(_, hint) => carets.push(hint),
            }
        }
        let mut learning = Vec::new();
        for (key, mut sent) in revisions {
            let Some(pad) = self.live.by_key(key) else {
                continue;
            };
            let known = pad.head().rev;
            sent.retain(|hint| Some(hint.rev) > known);
            if !sent.is_empty() {
                learning.extend(pad.learn(sent));
            }
        }
        // All writers work at once. One that fails ends its pad, and members come again.
        for learning in learning {
            let _ = learning.await;
        }
        for hint in carets {
            self.show_caret(hint);
        }
        asked
    }

    fn show_caret(&self, hint: Hint) {
        match hint {
            Hint::Caret(caret) => self.put_caret(caret),
            Hint::CaretGone { pad, author } => {
                if let Some(pad) = self.live.by_key(pad) {
                    pad.carets().remove(&author);
                }
            }
            Hint::Look | Hint::Revision(_) => {}
        }
    }

    /// Shows where an author of another node is, if its revision is known here.
    fn put_caret(&self, caret: CaretHint) {
        let Some(pad) = self.live.by_key(caret.pad) else {
            return;
        };
        if pad.head().rev >= Some(caret.rev) && pad.roster().has_author(&caret.author) {
            pad.carets().put(Caret {
                author: caret.author,
                window: caret.window,
                rev: caret.rev,
                position: caret.position,
                anchor: caret.anchor,
                encoded: Encoded::default(),
            });
        }
    }
}
