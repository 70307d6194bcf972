//! What a pad in the source has beyond the bounds of `pad::limits`. It is cut or left out, so it is
//! reported.

use convert::native;
use pad::limits::{CHAT_TEXT, SAVED_LABEL, SAVED_REVISIONS};

/// What is cut or left out when the pad is stored, in words.
pub(crate) fn exceeded(pad: &native::Pad) -> Vec<String> {
    let chat = pad.chat.iter().filter(|it| it.text.len() > CHAT_TEXT);
    let saved = &pad.head.saved_revisions;
    let kept = saved.iter().take(SAVED_REVISIONS);
    let labels = kept.filter(|it| it.label.len() > SAVED_LABEL);
    let beyond = saved.len().saturating_sub(SAVED_REVISIONS);
    let told = [
        (
            chat.count(),
            format!("chat messages are longer than {CHAT_TEXT} and were cut"),
        ),
        (
            labels.count(),
            format!("labels of saved revisions are longer than {SAVED_LABEL} and were cut"),
        ),
        (
            beyond,
            format!("saved revisions beyond the first {SAVED_REVISIONS} were left out"),
        ),
    ];
    let told = told.into_iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{count} {what}"))
        .collect()
}
