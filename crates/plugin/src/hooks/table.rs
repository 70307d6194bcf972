//! The table of hooks.

use super::{Hook, HookRow, Wait};
use crate::parameter::{ID, Kind, PAD_TEXT, Parameter, REVISION, TIME, optional, required};
use crate::permission::PermissionKind as P;

/// In the way of somebody who does something in a pad, but never of a keystroke.
pub(super) const IN_PAD: Wait = Wait::Budget {
    default_ms: 50,
    max_ms: 250,
};
/// Somebody waits for exactly this plugin's answer, and for nothing else.
const ON_REQUEST: Wait = Wait::Budget {
    default_ms: 2_000,
    max_ms: 10_000,
};

const PAD: Parameter = required("padId", ID, "the pad");
const AUTHOR: Parameter = optional("authorId", ID, "the author; none for the service itself");
const NAME: Parameter = optional("name", Kind::Text { max: 255 }, "the author's name");
const READ_ONLY: Parameter = required("readOnly", Kind::Flag, "whether they can only read");
const BODY: Kind = Kind::Text { max: 1_000_000 };
const QUERY: Kind = Kind::Json { bytes: 16_384 };

pub(super) const FIRST: HookRow = after(
    Hook::Started,
    "started",
    None,
    &[],
    "The worker has started: after an installation, a change of the settings, and a pause.",
);

/// In the order of [`Hook`].
pub const HOOKS: &[HookRow] = &[
    FIRST,
    after(
        Hook::Stopping,
        "stopping",
        None,
        &[],
        "The worker is about to stop.",
    ),
    after(
        Hook::PadCreated,
        "padCreated",
        Some(P::PadsRead),
        &[PAD, AUTHOR],
        "A pad was created.",
    ),
    after(
        Hook::PadOpened,
        "padOpened",
        Some(P::PadsRead),
        &[PAD],
        "The first member has entered a pad that nobody was in.",
    ),
    after(
        Hook::PadChanged,
        "padChanged",
        Some(P::PadsRead),
        &[
            PAD,
            required("from", REVISION, "the first revision that is new"),
            required("revision", REVISION, "the newest revision"),
            required(
                "authors",
                Kind::Texts {
                    count: 100,
                    max: 200,
                },
                "who changed it, up to a hundred",
            ),
        ],
        "A pad has changed. Changes that come while the plugin is busy arrive as one.",
    ),
    after(
        Hook::RevisionSaved,
        "revisionSaved",
        Some(P::PadsRead),
        &[
            PAD,
            AUTHOR,
            required("revision", REVISION, "the revision that was saved"),
            optional("label", Kind::Text { max: 255 }, "what it is called"),
        ],
        "Somebody saved a revision.",
    ),
    after(
        Hook::PadDeleted,
        "padDeleted",
        Some(P::PadsRead),
        &[PAD],
        "A pad was deleted.",
    ),
    after(
        Hook::PadCopied,
        "padCopied",
        Some(P::PadsRead),
        &[
            PAD,
            required("newPadId", ID, "the copy"),
            required("moved", Kind::Flag, "whether the old pad is gone"),
        ],
        "A pad was copied or moved.",
    ),
    after(
        Hook::MemberJoined,
        "memberJoined",
        Some(P::AuthorsNames),
        &[PAD, AUTHOR, NAME, READ_ONLY],
        "Somebody entered a pad.",
    ),
    after(
        Hook::MemberLeft,
        "memberLeft",
        Some(P::AuthorsNames),
        &[PAD, AUTHOR],
        "Somebody left a pad.",
    ),
    after(
        Hook::Timer,
        "timer",
        Some(P::Timers),
        &[
            required("name", Kind::Text { max: 100 }, "which timer"),
            required("due", TIME, "when it was due"),
        ],
        "A timer of the plugin is due.",
    ),
    waited(
        Hook::NewPadText,
        "newPadText",
        IN_PAD,
        Some(P::PadsWrite),
        &[
            PAD,
            AUTHOR,
            required("text", PAD_TEXT, "what the pad would begin with"),
        ],
        "`{text}`, or nothing to leave it",
        "A pad is about to be created without a text of its own.",
    ),
    waited(
        Hook::ClientVars,
        "clientVars",
        IN_PAD,
        None,
        &[PAD, AUTHOR, READ_ONLY],
        "JSON of up to 16 KB, for the plugin's part of the page",
        "Somebody enters a pad. Called for plugins with a part in the page.",
    ),
    deciding(
        Hook::ChatMessage,
        "chatMessage",
        Some(P::Chat),
        &[
            PAD,
            AUTHOR,
            NAME,
            required("text", Kind::Text { max: 10_000 }, "the message"),
        ],
        "`{text}` to change it, `{refuse: reason}`, or nothing to leave it",
        "Somebody sends a chat message.",
    ),
    deciding(
        Hook::MemberNamed,
        "memberNamed",
        Some(P::AuthorsNames),
        &[
            PAD,
            AUTHOR,
            required("name", Kind::Text { max: 255 }, "the new name"),
        ],
        "`{text}` to change it, `{refuse: reason}`, or nothing to leave it",
        "Somebody takes a name.",
    ),
    deciding(
        Hook::Access,
        "access",
        Some(P::PadsRead),
        &[PAD, AUTHOR, READ_ONLY],
        "`\"deny\"`, `\"readOnly\"`, or nothing: it can only narrow",
        "Somebody who may enter a pad is about to.",
    ),
    deciding(
        Hook::MemberMessage,
        "memberMessage",
        Some(P::PadsRead),
        &[
            PAD,
            AUTHOR,
            required(
                "kind",
                Kind::Text { max: 40 },
                "`chatMessages`, `delete`, `nameSavedRevision`, `options`, `saveRevision`, \
                 `suggestName` or `title`",
            ),
            optional(
                "text",
                Kind::Text { max: 1_000 },
                "the label, the name or the title in it",
            ),
        ],
        "`{refuse: reason}`, or nothing to let it pass",
        "Somebody in a pad does something other than typing, chatting and taking a name: reads \
         older chat messages, deletes the pad, names a saved revision, sets options, saves a \
         revision, suggests a name to another, or sets the title.",
    ),
    waited(
        Hook::Message,
        "message",
        ON_REQUEST,
        None,
        &[
            PAD,
            AUTHOR,
            READ_ONLY,
            required("data", Kind::Json { bytes: 65_536 }, "what it sent"),
        ],
        "JSON of up to 64 KB",
        "The plugin's part of the page has sent a message.",
    ),
    waited(
        Hook::Request,
        "request",
        ON_REQUEST,
        Some(P::Routes),
        &[
            required("method", Kind::Text { max: 10 }, "`GET` or `POST`"),
            required("path", Kind::Text { max: 1_000 }, "below /plugins/NAME/"),
            required("query", QUERY, "an object of texts"),
            required(
                "base",
                Kind::Text { max: 1_000 },
                "the address of /plugins/NAME/",
            ),
            optional("type", Kind::Text { max: 200 }, "what kind of body it is"),
            optional("body", BODY, "the body, if it is text"),
        ],
        "`{status, type, body}`",
        "A request to a route of the plugin's own.",
    ),
    waited(
        Hook::ApiCall,
        "apiCall",
        ON_REQUEST,
        Some(P::Routes),
        &[
            required(
                "function",
                Kind::Text { max: 60 },
                "one that plugin.json lists",
            ),
            required("arguments", QUERY, "an object of texts"),
        ],
        "JSON of up to 1 MB: the data of the answer",
        "A call of an API function of the plugin's own, by somebody who may use the API.",
    ),
    waited(
        Hook::AdminPage,
        "adminPage",
        ON_REQUEST,
        None,
        &[
            required("language", Kind::Text { max: 35 }, "of the administrator"),
            optional(
                "action",
                Kind::Text { max: 100 },
                "the button that was pressed",
            ),
        ],
        "`{parts: […]}`, see [below](#a-page-in-the-admin-area)",
        "An administrator looks at the plugin's page.",
    ),
];

const fn after(
    hook: Hook,
    name: &'static str,
    permission: Option<P>,
    arguments: &'static [Parameter],
    meaning: &'static str,
) -> HookRow {
    HookRow {
        hook,
        name,
        wait: Wait::Never,
        permission,
        arguments,
        answer: "",
        meaning,
        decides: false,
    }
}

const fn deciding(
    hook: Hook,
    name: &'static str,
    permission: Option<P>,
    arguments: &'static [Parameter],
    answer: &'static str,
    meaning: &'static str,
) -> HookRow {
    HookRow {
        decides: true,
        ..waited(hook, name, IN_PAD, permission, arguments, answer, meaning)
    }
}

const fn waited(
    hook: Hook,
    name: &'static str,
    wait: Wait,
    permission: Option<P>,
    arguments: &'static [Parameter],
    answer: &'static str,
    meaning: &'static str,
) -> HookRow {
    HookRow {
        hook,
        name,
        wait,
        permission,
        arguments,
        answer,
        meaning,
        decides: false,
    }
}
