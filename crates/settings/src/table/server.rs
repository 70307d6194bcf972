//! Rows: where the service listens, what it logs, where its data is.

use super::{Section, any, older, whole};

/// A thousand years in milliseconds: an upper bound where no other is natural.
pub(super) const FOREVER: u64 = 31_556_952_000_000;

pub(super) const LISTENING: Section = Section {
    title: "Listening",
    rows: &[
        any(
            "ip",
            |s| &mut s.listen.ip,
            "The address to listen on; `0.0.0.0` or `::` is every interface. \
             `--ip` on the command line wins.",
        ),
        whole(
            "port",
            (0, 65_535),
            |s| &mut s.listen.port,
            "The port to listen on; 0 takes a free one. `--port` on the command line wins.",
        )
        .variable("PORT"),
        any(
            "trustProxy",
            |s| &mut s.listen.trust_proxy,
            "Behind a reverse proxy: whose `X-Forwarded-…` headers, and `login.header`, are \
             believed. `true` is one proxy, a number so many of them, a list their addresses and \
             networks (also `loopback`, `linklocal`, `uniquelocal`). That is Express's \
             `trust proxy`, but `true` never believes more than the last entry of \
             `X-Forwarded-For`, which the proxy has added. Leave it off when clients connect \
             directly, since anybody can send such headers.",
        ),
        any(
            "ssl",
            |s| &mut s.listen.tls,
            "Serve HTTPS without a proxy, with the key and the certificate of these PEM files; \
             `ca` lists intermediate certificates. Relative paths start at the root folder.",
        ),
        whole(
            "connectionLimits.total",
            (0, 10_000_000),
            |s| &mut s.listen.max_connections,
            "How many connections may be open, websockets included; 0 is no limit. In any case it \
             is 128 fewer than the descriptors that the system allows. More are refused. Not a key \
             of Etherpad.",
        ),
        whole(
            "connectionLimits.perAddress",
            (0, 10_000_000),
            |s| &mut s.listen.max_connections_per_address,
            "How many connections one address may have open, an IPv6 network of 64 bits being one \
             address; 0 is no limit. Never more than half of all. Does not apply to \
             proxies that `trustProxy` names. Not a key of Etherpad.",
        ),
        any(
            "publicURL",
            |s| &mut s.listen.public_url,
            "The address people use, such as `https://pad.example.com`, for links that are made \
             by the server. Unset, it is taken from each request.",
        ),
        any(
            "frameAncestors",
            |s| &mut s.listen.frame_ancestors,
            "The sites that may show pads in a frame, such as `[\"'self'\", \
             \"https://app.example.com\"]`, or `[\"'none'\"]`. Unset, all may. Pages where one \
             signs in and the admin area are never shown in a frame.",
        ),
        any(
            "exposeVersion",
            |s| &mut s.listen.expose_version,
            "Tell everybody the version: in the `Server` header, on the pages, in `/health` and in \
             the state of updates. Administrators see it in any case. Otherwise `releaseId` in \
             `/health` is an id that changes with the release and is no version.",
        ),
        any(
            "enableMetrics",
            |s| &mut s.listen.metrics,
            "Serve numbers for monitoring under `/metrics` and `/stats`, to administrators and \
             holders of the API's key or a token.",
        ),
    ],
};

pub(super) const LOG: Section = Section {
    title: "Log",
    rows: &[
        older(
            "disableIPlogging",
            "ipLogging",
            "`true` is `\"anonymous\"`, `false` is `\"full\"`; ignored when `ipLogging` is given.",
        ),
        any(
            "ipLogging",
            |s| &mut s.log.ip,
            "How much of a client's address is logged: nothing, a shortened address, or all of it.",
        )
        .lenient(),
        any(
            "loglevel",
            |s| &mut s.log.level,
            "The least important messages that are logged.",
        ),
        any(
            "logLayoutType",
            |s| &mut s.log.layout,
            "How the log is written: plain, in colours on a terminal, or as a JSON object to a \
             line.",
        ),
    ],
};

pub(super) const DATA: Section = Section {
    title: "Data",
    rows: &[
        any(
            "dbType",
            |s| &mut s.database.kind,
            "Where pads are kept: `\"padsvc\"` is a database file that needs no server, \
             `\"postgres\"` a PostgreSQL server. Databases of an Etherpad, of every kind, are \
             brought over by `padsvc migrate`; see migration.md.",
        ),
        any(
            "dbSettings.filename",
            |s| &mut s.database.file,
            "The database file of `\"padsvc\"`; a relative path starts at the root folder.",
        ),
        any(
            "dbSettings.host",
            |s| &mut s.database.host,
            "The host of the PostgreSQL server, or the folder of its socket.",
        ),
        whole(
            "dbSettings.port",
            (1, 65_535),
            |s| &mut s.database.port,
            "The port of the PostgreSQL server.",
        ),
        any(
            "dbSettings.user",
            |s| &mut s.database.user,
            "The user to connect to PostgreSQL as.",
        ),
        any(
            "dbSettings.password",
            |s| &mut s.database.password,
            "The password of that user.",
        ),
        any(
            "dbSettings.database",
            |s| &mut s.database.name,
            "The PostgreSQL database to use.",
        ),
        any(
            "dbSettings.ssl",
            |s| &mut s.database.encrypted,
            "Encrypt the connection to PostgreSQL. The server has to show a certificate for its \
             host that this machine trusts; an authority of your own is named by the variable \
             `SSL_CERT_FILE`.",
        ),
        any(
            "dbSettings.connectionString",
            |s| &mut s.database.connection,
            "All of the above for PostgreSQL in one text, such as \
             `postgres://user:password@host/database?sslmode=require`; wins over the single keys. \
             `dbSettings` may also be this text itself.",
        ),
        whole(
            "backups.everyHours",
            (0, 24 * 31),
            |s| &mut s.backups.every_hours,
            "How often the service makes a backup by itself, in hours; 0: never. In a cluster one \
             node does.",
        ),
        whole(
            "backups.keep",
            (1, 1_000),
            |s| &mut s.backups.keep,
            "How many of these backups are kept; the oldest goes when a newer one is verified. Of \
             those made in the admin area as many are kept.",
        ),
        any(
            "backups.folder",
            |s| &mut s.backups.folder,
            "The folder of the backups, on the machine of the node that makes them; a relative \
             path starts at the root folder. On the disk of the database they are lost with it.",
        ),
        any(
            "cluster.address",
            |s| &mut s.cluster.address,
            "With `\"postgres\"`: the host, and the port if it is another, at which other \
             processes on the same database reach this one. They pass on what belongs to a \
             connection of this one, over HTTP, or HTTPS if `ssl` is set. Unset, it is `ip` and \
             `port`, and if `ip` is every interface, the address that PostgreSQL sees. Not a \
             key of Etherpad.",
        ),
    ],
};
