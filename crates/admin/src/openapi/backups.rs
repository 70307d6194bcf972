//! What can be asked about backups.

use super::{NOT_NOW, Operation, Shape, get, post};

pub(super) const OPERATIONS: &[Operation] = &[
    get(
        "/admin/api/backups",
        "The backups of this node's folder, the newest first, and what became of the last of any \
         node.",
        Shape::Object,
    ),
    Operation {
        status: "202",
        body: Some(Shape::Json("{}")),
        also: &[NOT_NOW],
        ..post(
            "/admin/api/backups",
            "Begins a backup. It is in the list when it is made and verified.",
            "{name: string}",
        )
    },
    Operation {
        status: "202",
        body: Some(Shape::Json("{}")),
        also: &[NOT_NOW],
        ..post(
            "/admin/api/backups/test",
            "Begins the test of the newest backup: it is restored elsewhere and checked.",
            "{name: string}",
        )
    },
    Operation {
        also: &[("404", "There is no such backup.")],
        ..get(
            "/admin/api/backups/download/{name}",
            "A backup as a file.",
            Shape::File("application/vnd.sqlite3"),
        )
    },
];
