//! The table of functions.

use super::{Function, FunctionRow};
use crate::parameter::{ID, Kind, PAD_TEXT, Parameter, REVISION, optional, required};
use crate::permission::PermissionKind as P;

const PAD: Parameter = required("padId", ID, "the pad");
const AT: Parameter = optional("revision", REVISION, "as it was then; the newest without");
const KEY: Parameter = required("key", Kind::Text { max: 200 }, "the name of the value");
const TIMER: Parameter = required("name", Kind::Text { max: 100 }, "which timer");
const TITLE: Kind = Kind::Text { max: 200 };
const MESSAGE: Kind = Kind::Text { max: 10_000 };
const PAGE: Kind = Kind::Integer { min: 1, max: 100 };
/// A minute to a year, in seconds: a timer is no loop.
const SECONDS: Kind = Kind::Integer {
    min: 60,
    max: 366 * 24 * 3600,
};

pub(super) const FIRST: FunctionRow = row(
    Function::PadsList,
    "pads.list",
    P::PadsRead,
    &[
        optional("after", ID, "the last pad of the page before"),
        optional("limit", PAGE, "how many, 100 without"),
    ],
    "`{pads: [id], next}`; `next` is `null` on the last page",
    "Lists pads by their ids.",
);

/// In the order of [`Function`].
pub const FUNCTIONS: &[FunctionRow] = &[
    FIRST,
    row(
        Function::PadsExists,
        "pads.exists",
        P::PadsRead,
        &[PAD],
        "`true` or `false`",
        "Whether there is such a pad.",
    ),
    row(
        Function::PadsGetText,
        "pads.getText",
        P::PadsRead,
        &[PAD, AT],
        "the text",
        "Reads the text of a pad.",
    ),
    row(
        Function::PadsGetHtml,
        "pads.getHTML",
        P::PadsRead,
        &[PAD, AT],
        "the HTML",
        "Reads a pad as HTML.",
    ),
    row(
        Function::PadsGetTitle,
        "pads.getTitle",
        P::PadsRead,
        &[PAD],
        "the title, or `null`",
        "Reads the title of a pad.",
    ),
    row(
        Function::PadsGetRevisionsCount,
        "pads.getRevisionsCount",
        P::PadsRead,
        &[PAD],
        "the number of the newest revision",
        "Reads how many revisions a pad has.",
    ),
    row(
        Function::PadsGetChanges,
        "pads.getChanges",
        P::PadsRead,
        &[
            PAD,
            required("from", REVISION, "the first revision"),
            optional("limit", PAGE, "how many, 100 without"),
        ],
        "`[{revision, authorId, time}]`",
        "Reads who made revisions, and when.",
    ),
    row(
        Function::PadsGetAuthorship,
        "pads.getAuthorship",
        P::PadsRead,
        &[PAD],
        "`[{authorId, characters}]`, most first",
        "Counts how much of the text is whose.",
    ),
    row(
        Function::PadsListAuthors,
        "pads.listAuthors",
        P::PadsRead,
        &[PAD],
        "`[authorId]`",
        "Lists who has written in a pad.",
    ),
    row(
        Function::PadsLastEdited,
        "pads.lastEdited",
        P::PadsRead,
        &[PAD],
        "milliseconds since 1970",
        "Reads when a pad was last changed.",
    ),
    row(
        Function::PadsCreate,
        "pads.create",
        P::PadsWrite,
        &[PAD, optional("text", PAD_TEXT, "its text")],
        "nothing",
        "Creates a pad. Fails if there is one.",
    ),
    row(
        Function::PadsSetText,
        "pads.setText",
        P::PadsWrite,
        &[PAD, required("text", PAD_TEXT, "the new text")],
        "nothing",
        "Replaces the text of a pad.",
    ),
    row(
        Function::PadsAppendText,
        "pads.appendText",
        P::PadsWrite,
        &[PAD, required("text", PAD_TEXT, "what is added")],
        "nothing",
        "Adds to the end of a pad.",
    ),
    row(
        Function::PadsSetTitle,
        "pads.setTitle",
        P::PadsWrite,
        &[PAD, optional("title", TITLE, "the title; none without")],
        "nothing",
        "Gives a pad a title.",
    ),
    row(
        Function::PadsCopy,
        "pads.copy",
        P::PadsWrite,
        &[PAD, required("newPadId", ID, "the copy")],
        "nothing",
        "Copies a pad with its history. Fails if the copy would replace a pad.",
    ),
    row(
        Function::PadsDelete,
        "pads.delete",
        P::PadsWrite,
        &[PAD],
        "nothing",
        "Deletes a pad.",
    ),
    row(
        Function::PadsNotice,
        "pads.notice",
        P::PadsWrite,
        &[
            PAD,
            required("text", Kind::Text { max: 1_000 }, "the notice"),
        ],
        "nothing",
        "Shows a notice to those who are in the pad now.",
    ),
    row(
        Function::ChatAppend,
        "chat.append",
        P::Chat,
        &[PAD, required("text", MESSAGE, "the message")],
        "nothing",
        "Adds a chat message.",
    ),
    row(
        Function::ChatHistory,
        "chat.history",
        P::Chat,
        &[PAD, optional("limit", PAGE, "how many, 100 without")],
        "`[{authorId, text, time}]`",
        "Reads the newest chat messages.",
    ),
    row(
        Function::AuthorsName,
        "authors.name",
        P::AuthorsNames,
        &[required("authorId", ID, "the author")],
        "the name, or `null`",
        "Reads the name of an author.",
    ),
    row(
        Function::HttpFetch,
        "http.fetch",
        P::HttpFetch,
        &[
            required(
                "url",
                Kind::Text { max: 2_000 },
                "an address of a granted host",
            ),
            optional(
                "options",
                Kind::Json { bytes: 1_048_576 },
                "`{method, headers, body}`: `GET` or `POST`, an object of texts, a text",
            ),
        ],
        "`{status, headers, body}`; the body is text of up to 1 MB",
        "Sends a request to a host that is granted. Redirections are not followed.",
    ),
    row(
        Function::StorageGet,
        "storage.get",
        P::Storage,
        &[KEY],
        "the value, or `null`",
        "Reads a value of the plugin's own.",
    ),
    row(
        Function::StorageSet,
        "storage.set",
        P::Storage,
        &[
            KEY,
            required("value", Kind::Json { bytes: 65_536 }, "any JSON"),
        ],
        "nothing",
        "Keeps a value: up to 1,000 of them, 1 MB in all.",
    ),
    row(
        Function::StorageDelete,
        "storage.delete",
        P::Storage,
        &[KEY],
        "nothing",
        "Deletes a value.",
    ),
    row(
        Function::StorageList,
        "storage.list",
        P::Storage,
        &[
            optional("prefix", Kind::Text { max: 200 }, "how the keys begin"),
            optional("after", Kind::Text { max: 200 }, "the last key before"),
        ],
        "`{keys: [key], next}`; `next` is `null` on the last page",
        "Lists keys of the plugin's own values.",
    ),
    row(
        Function::TimersEvery,
        "timers.every",
        P::Timers,
        &[TIMER, required("seconds", SECONDS, "the interval")],
        "nothing",
        "Calls the hook `timer` again and again. One with that name is replaced.",
    ),
    row(
        Function::TimersAfter,
        "timers.after",
        P::Timers,
        &[TIMER, required("seconds", SECONDS, "the wait")],
        "nothing",
        "Calls the hook `timer` once. One with that name is replaced.",
    ),
    row(
        Function::TimersCancel,
        "timers.cancel",
        P::Timers,
        &[TIMER],
        "nothing",
        "Cancels a timer.",
    ),
];

const fn row(
    function: Function,
    name: &'static str,
    permission: P,
    parameters: &'static [Parameter],
    answer: &'static str,
    meaning: &'static str,
) -> FunctionRow {
    FunctionRow {
        function,
        name,
        permission,
        parameters,
        answer,
        meaning,
    }
}
