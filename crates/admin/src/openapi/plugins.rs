//! What can be asked about plugins.

use super::{NOT_NOW, Operation, Shape, get, post};

const FROM_CATALOGUE: (&str, &str) = ("name", "a plugin of the catalogue, in place of the body");
const CATALOGUE_VERSION: (&str, &str) = ("version", "its version; the newest, if left out");
const NOT_FETCHED: (&str, &str) = ("502", "The catalogue does not give it; `error` says why.");
const NOT_ANSWERED: (&str, &str) = ("502", "The plugin does not answer; `error` says why.");
const NO_PLUGIN: (&str, &str) = ("404", "It is not installed.");

pub(super) const OPERATIONS: &[Operation] = &[
    get(
        "/admin/api/plugins",
        "What extends this service: the operator's own files.",
        Shape::Object,
    ),
    Operation {
        query: &[("language", "of the texts, where a plugin has them")],
        ..get(
            "/admin/api/plugins/installed",
            "The plugins that are installed, and those that cannot be used with the reason.",
            Shape::Json("{plugins: [{}], unusable: {*: string}}"),
        )
    },
    get(
        "/admin/api/plugins/offers",
        "What the catalogue in `plugins.catalogue` offers.",
        Shape::Object,
    ),
    Operation {
        query: &[FROM_CATALOGUE, CATALOGUE_VERSION],
        body: Some(Shape::File("application/octet-stream")),
        also: &[NOT_FETCHED],
        ..post(
            "/admin/api/plugins/review",
            "What has to be agreed to before a plugin is installed. Changes nothing.",
            "{}",
        )
    },
    Operation {
        query: &[
            FROM_CATALOGUE,
            CATALOGUE_VERSION,
            (
                "sha256",
                "of the package that was shown; another one is refused",
            ),
            (
                "granted",
                "the permissions that are agreed to, spaces between; of an upgrade, the new ones",
            ),
            (
                "browsers",
                "`true`: agreed that code of it runs in browsers",
            ),
        ],
        body: Some(Shape::File("application/octet-stream")),
        also: &[NOT_NOW, NOT_FETCHED],
        ..post(
            "/admin/api/plugins/install",
            "Installs a plugin, or upgrades it.",
            "{name: string, version: string}",
        )
    },
    Operation {
        body: Some(Shape::Json("{name: string, enabled: boolean}")),
        also: &[NO_PLUGIN],
        ..post(
            "/admin/api/plugins/enable",
            "Switches a plugin on or off.",
            "{}",
        )
    },
    Operation {
        body: Some(Shape::Json("{name: string, values?: {}, pads?: [string]}")),
        also: &[NO_PLUGIN, NOT_NOW],
        ..post(
            "/admin/api/plugins/configure",
            "Sets settings of a plugin, and for which pads it is switched on; the rest stays.",
            "{}",
        )
    },
    Operation {
        body: Some(Shape::Json("{name: string}")),
        also: &[NO_PLUGIN],
        ..post(
            "/admin/api/plugins/remove",
            "Removes a plugin with everything it has stored.",
            "{}",
        )
    },
    Operation {
        query: &[("name", "the plugin"), ("language", "of the administrator")],
        also: &[NO_PLUGIN, NOT_ANSWERED],
        ..get(
            "/admin/api/plugins/page",
            "The page of a plugin, as parts that it describes.",
            Shape::Json("{title: string, parts: [{}]}"),
        )
    },
    Operation {
        body: Some(Shape::Json(
            "{name: string, language: string, action: string}",
        )),
        also: &[NO_PLUGIN, NOT_ANSWERED],
        ..post(
            "/admin/api/plugins/page",
            "Presses a button on that page.",
            "{title: string, parts: [{}]}",
        )
    },
    get(
        "/admin/api/plugins/catalogue",
        "The catalogue of Etherpad's plugins, as it was fetched last or is now.",
        Shape::Object,
    ),
    Operation {
        method: "post",
        ..get(
            "/admin/api/plugins/catalogue",
            "The same, fetched again.",
            Shape::Object,
        )
    },
];
