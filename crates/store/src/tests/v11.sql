-- Written by the release of schema version 11. Not to be changed.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE schema (
    row BIGINT PRIMARY KEY,
    version BIGINT NOT NULL,
    readable_from BIGINT NOT NULL
);
INSERT INTO schema VALUES(1,11,1);
CREATE TABLE pads (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE,
    doomed BIGINT NOT NULL DEFAULT 0,
    head BIGINT NOT NULL,
    head_time BIGINT NOT NULL,
    created BIGINT NOT NULL,
    creator TEXT,
    chat_count BIGINT NOT NULL DEFAULT 0,
    public BIGINT NOT NULL DEFAULT 0,
    settings TEXT,
    read_only_id TEXT UNIQUE,
    deletion TEXT,
    -- The number that the pool gives next.
    next_attribute BIGINT NOT NULL DEFAULT 0,
    -- Revisions below it are in packs.
    sealed BIGINT NOT NULL DEFAULT 0,
    -- What the changes in revisions weigh.
    loose_bytes BIGINT NOT NULL DEFAULT 0,
    -- What the newest snapshot weighs, and the sealed revisions since.
    snapshot_bytes BIGINT NOT NULL DEFAULT 0,
    changed_bytes BIGINT NOT NULL DEFAULT 0
, listed_head BIGINT NOT NULL DEFAULT 0, listed_time BIGINT NOT NULL DEFAULT 0, deleted BIGINT NOT NULL DEFAULT 0, seats BIGINT NOT NULL DEFAULT 0, title TEXT);
INSERT INTO pads VALUES(1,'pad',0,40,1005480,1000000,'a.1000000000000000',2,0,NULL,'r.1000000000000000',NULL,8,32,111,148,0,40,1005480,0,0,'Ein Titel');
CREATE TABLE revisions (
    pad BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    author TEXT,
    time BIGINT NOT NULL,
    change BLOB NOT NULL,
    PRIMARY KEY (pad, rev)
) WITHOUT ROWID;
INSERT INTO revisions VALUES(1,32,'a.c100000000000000',1004384,X'213404000602081304010201');
INSERT INTO revisions VALUES(1,33,'a.c100000000000000',1004521,X'192f04000908060102010278');
INSERT INTO revisions VALUES(1,34,'a.e100000000000000',1004658,X'193004000908050102010178');
INSERT INTO revisions VALUES(1,35,'a.f100000000000000',1004795,X'1931040009210c0103010578');
INSERT INTO revisions VALUES(1,36,'a.e100000000000000',1004932,X'1932040009210f040302010666657474');
INSERT INTO revisions VALUES(1,37,'a.d100000000000000',1005069,X'193604000908010102010378');
INSERT INTO revisions VALUES(1,38,'a.f100000000000000',1005206,X'193704000908010102010578');
INSERT INTO revisions VALUES(1,39,'a.c100000000000000',1005343,X'11380c0801030101070107');
INSERT INTO revisions VALUES(1,40,'a.d100000000000000',1005480,X'1938040009080b0102010378');
CREATE TABLE packs (
    pad BIGINT NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (pad, last)
);
INSERT INTO packs VALUES(1,0,15,X'01b50228b52ffd04004d05004249212890b5e9ffffebbb2052acf385038948abac9fc1b7fdbf5d4ef75c834d18b20e1161bc9321524a9976ddddcc351050005912175120a0ea55cf4109104c10f578cd7437649a5c02bf797de2d9d1f0c10b77087945ffebfefbe795ef731bd386355d1a63da1ad61e5ef8791666e63704b026572e22aa6a662222bec158482f72ce418a9cb31c0f20d002b607187e4dcdc6be367224c72d96244328f093e1ddf5583d61662d3f23a40e0496');
INSERT INTO packs VALUES(1,16,31,X'01a50228b52ffd0400e50400d2481d22a0371dff3fd63e04435d16003b22b6aa3ac2f2f3e3924891d2d87b23b2ad4999d20e5675adb26b5597b2bb14254df7c3e7f36134f2fff6f9fe0d483be96773a0f066a77969467c0cfcc729400711217c6109c3b34c18aaa6aaaa2a9386e78c45a342fb77c63bc4fbad9824286a0e88041435c8041020d082bc0e985034e077ed0e706de4c2d6091f301af3a91fec6598eeea31e3e5e371013585eaf1');
CREATE TABLE snapshots (
    pad BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (pad, rev)
);
INSERT INTO snapshots VALUES(1,15,X'0009020204020304020004010101050100010201030013000102030403020506030703060503060305080101010901100101010101010101010101010178784865696e206cc3a46e676578726572204162787361747a20eda0be78edb6800a616c780a7878786c7878786f0a');
INSERT INTO snapshots VALUES(1,31,X'01a90128b52ffd040025040072481c22a035e9ff8f4631e737dfbfdd965267645b1bf1019605581c456325d95bcabd6592017bc519e6c9e1bff27f7fa5b07fe3d10ec0da6234ac191ad61ad6066bf104b13802aeac5d1209e15fdbce63f4aa4a44914ba92e535e522753d2d4bcd444077d8253c4f371da464674880e2244742006003e03801374310bc236b815e25af40b428d32');
CREATE TABLE attributes (
    pad BIGINT NOT NULL,
    number BIGINT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (pad, number)
) WITHOUT ROWID;
INSERT INTO attributes VALUES(1,0,'author','a.1000000000000000');
INSERT INTO attributes VALUES(1,1,'author','a.e100000000000000');
INSERT INTO attributes VALUES(1,2,'author','a.c100000000000000');
INSERT INTO attributes VALUES(1,3,'author','a.d100000000000000');
INSERT INTO attributes VALUES(1,4,'list','bullet3');
INSERT INTO attributes VALUES(1,5,'author','a.f100000000000000');
INSERT INTO attributes VALUES(1,6,'bold','true');
INSERT INTO attributes VALUES(1,7,'list','bullet2');
CREATE TABLE pad_authors (
    pad BIGINT NOT NULL,
    author TEXT NOT NULL,
    -- Of the attribute that names the author.
    number BIGINT NOT NULL,
    PRIMARY KEY (pad, author)
) WITHOUT ROWID;
INSERT INTO pad_authors VALUES(1,'a.1000000000000000',0);
INSERT INTO pad_authors VALUES(1,'a.c100000000000000',2);
INSERT INTO pad_authors VALUES(1,'a.d100000000000000',3);
INSERT INTO pad_authors VALUES(1,'a.e100000000000000',1);
INSERT INTO pad_authors VALUES(1,'a.f100000000000000',5);
CREATE TABLE chat (
    pad BIGINT NOT NULL,
    number BIGINT NOT NULL,
    author TEXT,
    time BIGINT NOT NULL,
    text BLOB NOT NULL,
    PRIMARY KEY (pad, number)
) WITHOUT ROWID;
INSERT INTO chat VALUES(1,0,'a.1000000000000000',1,X'f09fa680eda0be');
INSERT INTO chat VALUES(1,1,'a.1000000000000000',1,X'f09fa680eda0be');
CREATE TABLE saved_revisions (
    pad BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    author TEXT,
    time BIGINT NOT NULL,
    PRIMARY KEY (pad, rev)
) WITHOUT ROWID;
INSERT INTO saved_revisions VALUES(1,3,'3','Version','a.1000000000000000',1);
CREATE TABLE authors (
    id TEXT PRIMARY KEY,
    name TEXT,
    -- A number of the palette, or # and hexadecimal digits.
    colour TEXT NOT NULL,
    created BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    erased BIGINT
) WITHOUT ROWID;
INSERT INTO authors VALUES('a.1000000000000000','Author 1','7',1000,2000,NULL);
CREATE TABLE author_tokens (
    hash BLOB PRIMARY KEY,
    author TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO author_tokens VALUES(X'2dd55147478d135265de1a6ad9261f9bdad1a334d7b1d963db3c8aec1d8191a8','a.1000000000000000');
CREATE TABLE author_mappers (
    hash BLOB PRIMARY KEY,
    mapper TEXT NOT NULL,
    author TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO author_mappers VALUES(X'314bc9c3ed01f8f9b7028d937185ccdcc9e2a40f6488a4eaa9ffb9366f4e48e0','mapper','a.1000000000000000');
CREATE TABLE groups (
    id TEXT PRIMARY KEY,
    created BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO "groups" VALUES('g.1000000000000000',1);
CREATE TABLE group_mappers (
    hash BLOB PRIMARY KEY,
    mapper TEXT NOT NULL,
    group_id TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO group_mappers VALUES(X'314bc9c3ed01f8f9b7028d937185ccdcc9e2a40f6488a4eaa9ffb9366f4e48e0','mapper','g.1000000000000000');
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    group_id TEXT NOT NULL,
    author TEXT NOT NULL,
    valid_until BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE hashed_sessions (
    hash BLOB PRIMARY KEY,
    -- Null where there was no key.
    sealed_id BLOB,
    group_id TEXT NOT NULL,
    author TEXT NOT NULL,
    valid_until BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO hashed_sessions VALUES(X'44c0e35904612d70d9cf87c9a81de098c54df0ea3f6e40f6f24fcab4e8f9ee0b',X'00e98de992df2a4957577fa45f156057c886d3d4fb647a244cb764857bebbeaacfa9','g.1000000000000000','a.1000000000000000',1000);
CREATE TABLE nodes (
    id BIGINT PRIMARY KEY,
    version TEXT NOT NULL,
    -- Where other nodes reach it.
    address TEXT NOT NULL,
    started BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    -- It accepts nobody new and will leave.
    draining BIGINT NOT NULL,
    members BIGINT NOT NULL,
    pads BIGINT NOT NULL,
    commits BIGINT NOT NULL,
    replans BIGINT NOT NULL
, connections BIGINT NOT NULL DEFAULT 0);
CREATE TABLE presence (
    pad BIGINT NOT NULL,
    node BIGINT NOT NULL,
    member BIGINT NOT NULL,
    author TEXT NOT NULL,
    joined BIGINT NOT NULL,
    looks_only BIGINT NOT NULL,
    PRIMARY KEY (pad, node, member)
) WITHOUT ROWID;
CREATE TABLE notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    node BIGINT NOT NULL,
    time BIGINT NOT NULL,
    kind TEXT NOT NULL,
    pad BIGINT,
    subject TEXT
);
CREATE TABLE entries (
    kind TEXT NOT NULL,
    key BLOB NOT NULL,
    value BLOB NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    node BIGINT NOT NULL,
    expires BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    sealed BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE plugins (
    name TEXT NOT NULL PRIMARY KEY,
    version TEXT NOT NULL,
    enabled BIGINT NOT NULL,
    -- JSON: a list of permissions, and an object of settings.
    granted TEXT NOT NULL,
    settings TEXT NOT NULL,
    -- Of the package, in hexadecimal digits.
    sha256 TEXT NOT NULL,
    installed BIGINT NOT NULL,
    -- The number of the change that made the row what it is.
    change BIGINT NOT NULL,
    package BLOB NOT NULL
, pads TEXT NOT NULL DEFAULT '["*"]');
INSERT INTO plugins VALUES('feed','1.0.0',1,'["storage"]','{}','92521fc3cbd964bdc9f584a991b89fddaa5754ed1cc96d6d42445338669c1305',7,1,X'312e302e30','["*"]');
CREATE TABLE plugin_changes (
    row BIGINT PRIMARY KEY,
    number BIGINT NOT NULL
);
INSERT INTO plugin_changes VALUES(1,1);
CREATE TABLE plugin_storage (
    plugin TEXT NOT NULL,
    key BLOB NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (plugin, key)
);
INSERT INTO plugin_storage VALUES('feed',X'61',X'31');
CREATE TABLE plugin_timers (
    plugin TEXT NOT NULL,
    name TEXT NOT NULL,
    due BIGINT NOT NULL,
    -- Null: it is due once.
    every BIGINT,
    PRIMARY KEY (plugin, name)
) WITHOUT ROWID;
CREATE TABLE series_hours (
    -- Since 1970.
    hour BIGINT NOT NULL,
    -- Each node has its own row. 0: the database has no nodes.
    node BIGINT NOT NULL,
    -- JSON.
    totals TEXT NOT NULL,
    PRIMARY KEY (hour, node)
) WITHOUT ROWID;
INSERT INTO series_hours VALUES(1,0,'{"steps":1}');
CREATE TABLE audit (
    number BIGINT PRIMARY KEY,
    time BIGINT NOT NULL,
    principal TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL,
    -- 0: it was refused, or failed.
    done BIGINT NOT NULL
);
INSERT INTO audit VALUES(1,1,'root','restart','pad-1','',1);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('pads',1);
CREATE INDEX pads_without_name ON pads (key) WHERE name IS NULL;
CREATE INDEX pad_authors_by_author ON pad_authors (author, pad);
CREATE INDEX chat_by_author ON chat (author) WHERE author IS NOT NULL;
CREATE INDEX author_tokens_by_author ON author_tokens (author);
CREATE INDEX author_mappers_by_author ON author_mappers (author);
CREATE INDEX group_mappers_by_group ON group_mappers (group_id);
CREATE INDEX sessions_by_group ON sessions (group_id, id);
CREATE INDEX sessions_by_author ON sessions (author, id);
CREATE INDEX sessions_by_end ON sessions (valid_until);
CREATE INDEX pads_by_creation ON pads (created, name) WHERE name IS NOT NULL;
CREATE INDEX authors_by_last_seen ON authors (last_seen, id);
CREATE INDEX pads_by_edit ON pads (listed_time, name) WHERE name IS NOT NULL;
CREATE INDEX pads_by_head ON pads (listed_head, name) WHERE name IS NOT NULL;
CREATE INDEX hashed_sessions_by_group ON hashed_sessions (group_id, hash);
CREATE INDEX hashed_sessions_by_author ON hashed_sessions (author, hash);
CREATE INDEX hashed_sessions_by_end ON hashed_sessions (valid_until);
CREATE INDEX presence_by_node ON presence (node);
CREATE INDEX notes_by_time ON notes (time);
CREATE INDEX entries_by_end ON entries (expires);
CREATE INDEX plugin_timers_by_time ON plugin_timers (due);
COMMIT;
