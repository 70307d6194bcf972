//! Rows: pads, files that come in and go out, and the connections of editors.

use super::server::FOREVER;
use super::{Section, any, whole};

pub(super) const PADS: Section = Section {
    title: "Pads",
    rows: &[
        any(
            "defaultPadText",
            |s| &mut s.pads.default_text,
            "The text of a new pad. Unset, a new pad is an empty sheet.",
        )
        .may_be_empty(),
        whole(
            "maxTextLength",
            (1, 100_000_000),
            |s| &mut s.pads.max_text,
            "The longest text a pad may have, in UTF-16 units (one for most characters, two for an \
             emoji). Not a key of Etherpad.",
        ),
        any(
            "allowPadDeletionByAllUsers",
            |s| &mut s.pads.deletion_by_all,
            "Let everybody delete every pad, without its deletion token.",
        ),
        any(
            "cleanup.enabled",
            |s| &mut s.pads.compaction,
            "Allow the history of pads to be removed (`compactPad` and the tools for it).",
        ),
        whole(
            "cleanup.keepRevisions",
            (0, 1_000_000_000),
            |s| &mut s.pads.kept_revisions,
            "How many revisions of a pad the clean-up in the admin area keeps.",
        ),
        any(
            "gdprAuthorErasure.enabled",
            |s| &mut s.pads.erasure,
            "Allow the personal data of an author to be erased (`anonymizeAuthor`).",
        ),
        any(
            "lowerCasePadIds",
            |s| &mut s.pads.lower_case_ids,
            "Treat the names of pads as if written in lower case; pads that exist under another \
             spelling stay reachable.",
        ),
        any(
            "enablePadWideSettings",
            |s| &mut s.pads.pad_wide_settings,
            "Let the creator of a pad choose its look for everybody in it.",
        ),
        any(
            "enablePluginPadOptions",
            |s| &mut s.pads.plugin_options,
            "Let plugins keep options of their own (`ep_…`) with a pad.",
        ),
        any(
            "templates",
            |s| &mut s.pads.templates,
            "Pads to start others from, at most 100: each has a `name` for `?template=`, the id of \
             the `pad` or its read-only id (the name if left out), and a `title` for the first \
             page. A visitor gets a copy only of a pad that it may read. Not a key of Etherpad.",
        ),
    ],
};

pub(super) const FILES: Section = Section {
    title: "Import and export",
    rows: &[
        any(
            "soffice",
            |s| &mut s.files.soffice,
            "The path of LibreOffice's `soffice`, for export as odt, doc and rtf; it then also \
             makes the PDFs, and odt, doc, rtf and pdf can be imported. Relative paths start at \
             the root folder.",
        ),
        any(
            "docxExport",
            |s| &mut s.files.docx_export,
            "Offer docx for Word; when off, only doc, if there is `soffice`.",
        ),
        any(
            "exportPdfFonts",
            |s| &mut s.files.pdf_fonts,
            "Font files for PDFs, by the name of the family in CSS: `sans-serif`, `serif` and \
             `monospace`, which the page offers (the first is that of all text), or one that comes \
             with imported files. Upper and lower case, `-`, `_` and space are alike in names; \
             relative paths start at the root folder. A file that cannot be read is replaced by \
             the fallback.",
        ),
        any(
            "allowUnknownFileEnds",
            |s| &mut s.files.unknown_endings,
            "Import files with unknown endings as text.",
        ),
        whole(
            "importMaxFileSize",
            (1, 1_000_000_000_000),
            |s| &mut s.files.max_import_bytes,
            "The largest file that can be imported, in bytes.",
        ),
        whole(
            "importExportRateLimiting.windowMs",
            (1, FOREVER),
            |s| &mut s.files.rate_window_milliseconds,
            "The time in which imports and exports of one address are counted, in milliseconds.",
        ),
        whole(
            "importExportRateLimiting.max",
            (1, 1_000_000_000),
            |s| &mut s.files.requests_in_window,
            "How many imports and exports of one address are answered in that time.",
        ),
    ],
};

pub(super) const SOCKETS: Section = Section {
    title: "Editing",
    rows: &[
        whole(
            "commitRateLimiting.duration",
            (1, 86_400),
            |s| &mut s.sockets.rate_window_seconds,
            "The time in which messages of an editor are counted, in seconds.",
        ),
        whole(
            "commitRateLimiting.points",
            (1, 1_000_000_000),
            |s| &mut s.sockets.messages_in_window,
            "How many messages of an editor are taken in that time.",
        ),
        whole(
            "creationRateLimiting.padsPerMinute",
            (0, 1_000_000_000),
            |s| &mut s.creation.pads_per_minute,
            "How many pads one address may create in a minute by opening them, an IPv6 network of \
             64 bits being one address; 0 is no limit. Calls of the API with a key or a token are \
             not counted. Not a key of Etherpad.",
        ),
        whole(
            "creationRateLimiting.historyBytesPerMinute",
            (0, 1_000_000_000_000),
            |s| &mut s.creation.history_bytes_per_minute,
            "How many bytes of changes, chat and imports of one address are stored in a minute; 0 \
             is no limit. A single change or file may be larger, and is paid for by waiting \
             afterwards. Calls of the API with a key or a token are not counted. Not a key of \
             Etherpad.",
        ),
        any(
            "socketTransportProtocols",
            |s| &mut s.sockets.transports,
            "Which ways of connecting editors may use.",
        ),
        whole(
            "socketIo.maxHttpBufferSize",
            (1000, 1_000_000_000),
            |s| &mut s.sockets.max_message_bytes,
            "The longest message of an editor, in bytes; it bounds how much can be pasted at once.",
        ),
        whole(
            "socketIo.maxUnreadBytesPerAddress",
            (1_000_000, 1_000_000_000_000),
            |s| &mut s.sockets.max_unread_bytes,
            "How many bytes of large answers, such as the texts of pads, may be on their way to \
             the editors of one address at a time. Those beyond it wait until others are read.",
        ),
    ],
};
