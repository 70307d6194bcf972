-- Version 6: several processes on one database.

-- The processes that serve pads. Times are those of the database's clock, so that the clocks of
-- machines need not agree.
CREATE TABLE nodes (
    id BIGINT PRIMARY KEY,
    version {text} NOT NULL,
    -- Where other nodes reach it.
    address {text} NOT NULL,
    started BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    -- It accepts nobody new and will leave.
    draining BIGINT NOT NULL,
    members BIGINT NOT NULL,
    pads BIGINT NOT NULL,
    commits BIGINT NOT NULL,
    replans BIGINT NOT NULL
);

-- Who is in which pad.
CREATE TABLE presence (
    pad BIGINT NOT NULL,
    node BIGINT NOT NULL,
    member BIGINT NOT NULL,
    author {text} NOT NULL,
    joined BIGINT NOT NULL,
    looks_only BIGINT NOT NULL,
    PRIMARY KEY (pad, node, member)
) {clustered};
CREATE INDEX presence_by_node ON presence (node);

-- What has changed besides texts, for the other nodes. Kept for a minute.
CREATE TABLE notes (
    number {key},
    node BIGINT NOT NULL,
    time BIGINT NOT NULL,
    kind {text} NOT NULL,
    pad BIGINT,
    subject {text}
);
CREATE INDEX notes_by_time ON notes (time);

-- Grows when an author moves to another node: what its old connection still sends is too late.
ALTER TABLE pads ADD COLUMN seats BIGINT NOT NULL DEFAULT 0;

-- Small values that end by themselves: logins, codes, counts of failed attempts.
CREATE TABLE entries (
    kind {text} NOT NULL,
    key {bytes} NOT NULL,
    value {bytes} NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (kind, key)
) {clustered};
CREATE INDEX entries_by_end ON entries (expires);

-- What one node does for all of them, until a point in time of the database's clock.
CREATE TABLE leases (
    name {text} PRIMARY KEY,
    node BIGINT NOT NULL,
    expires BIGINT NOT NULL
) {clustered};

-- Keys that all nodes need, each encrypted under a key that is not in the database.
CREATE TABLE secrets (
    name {text} PRIMARY KEY,
    sealed {bytes} NOT NULL
) {clustered};
