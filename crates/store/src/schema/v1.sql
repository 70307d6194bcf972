-- Version 1.
--
-- A pad is known by its key everywhere but in its own row; the name is a column that can be given
-- to another row. A row without a name is a pad that is being built, or, if doomed, one whose rows
-- are being removed. There are no foreign keys: rows of doomed pads go away bit by bit.

CREATE TABLE pads (
    key {key},
    name {text} UNIQUE,
    doomed BIGINT NOT NULL DEFAULT 0,
    head BIGINT NOT NULL,
    head_time BIGINT NOT NULL,
    created BIGINT NOT NULL,
    creator {text},
    chat_count BIGINT NOT NULL DEFAULT 0,
    public BIGINT NOT NULL DEFAULT 0,
    settings {text},
    read_only_id {text} UNIQUE,
    deletion {text},
    -- The number that the pool gives next.
    next_attribute BIGINT NOT NULL DEFAULT 0,
    -- Revisions below it are in packs.
    sealed BIGINT NOT NULL DEFAULT 0,
    -- What the changes in revisions weigh.
    loose_bytes BIGINT NOT NULL DEFAULT 0,
    -- What the newest snapshot weighs, and the sealed revisions since.
    snapshot_bytes BIGINT NOT NULL DEFAULT 0,
    changed_bytes BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX pads_without_name ON pads (key) WHERE name IS NULL;

CREATE TABLE revisions (
    pad BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    author {text},
    time BIGINT NOT NULL,
    change {bytes} NOT NULL,
    PRIMARY KEY (pad, rev)
) {clustered};

CREATE TABLE packs (
    pad BIGINT NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    data {bytes} NOT NULL,
    PRIMARY KEY (pad, last)
);

CREATE TABLE snapshots (
    pad BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    data {bytes} NOT NULL,
    PRIMARY KEY (pad, rev)
);

CREATE TABLE attributes (
    pad BIGINT NOT NULL,
    number BIGINT NOT NULL,
    key {text} NOT NULL,
    value {text} NOT NULL,
    PRIMARY KEY (pad, number)
) {clustered};

CREATE TABLE pad_authors (
    pad BIGINT NOT NULL,
    author {text} NOT NULL,
    -- Of the attribute that names the author.
    number BIGINT NOT NULL,
    PRIMARY KEY (pad, author)
) {clustered};
CREATE INDEX pad_authors_by_author ON pad_authors (author, pad);

CREATE TABLE chat (
    pad BIGINT NOT NULL,
    number BIGINT NOT NULL,
    author {text},
    time BIGINT NOT NULL,
    text {bytes} NOT NULL,
    PRIMARY KEY (pad, number)
) {clustered};
CREATE INDEX chat_by_author ON chat (author) WHERE author IS NOT NULL;

CREATE TABLE saved_revisions (
    pad BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    id {text} NOT NULL,
    label {text} NOT NULL,
    author {text},
    time BIGINT NOT NULL,
    PRIMARY KEY (pad, rev)
) {clustered};

CREATE TABLE authors (
    id {text} PRIMARY KEY,
    name {text},
    -- A number of the palette, or # and hexadecimal digits.
    colour {text} NOT NULL,
    created BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    erased BIGINT
) {clustered};

-- Tokens and mappers are found by their SHA-256: of a token nothing else is kept, and a mapper may
-- be longer than an index can hold.
CREATE TABLE author_tokens (
    hash {bytes} PRIMARY KEY,
    author {text} NOT NULL
) {clustered};
CREATE INDEX author_tokens_by_author ON author_tokens (author);

CREATE TABLE author_mappers (
    hash {bytes} PRIMARY KEY,
    mapper {text} NOT NULL,
    author {text} NOT NULL
) {clustered};
CREATE INDEX author_mappers_by_author ON author_mappers (author);

CREATE TABLE groups (
    id {text} PRIMARY KEY,
    created BIGINT NOT NULL
) {clustered};

CREATE TABLE group_mappers (
    hash {bytes} PRIMARY KEY,
    mapper {text} NOT NULL,
    group_id {text} NOT NULL
) {clustered};
CREATE INDEX group_mappers_by_group ON group_mappers (group_id);

CREATE TABLE sessions (
    id {text} PRIMARY KEY,
    group_id {text} NOT NULL,
    author {text} NOT NULL,
    valid_until BIGINT NOT NULL
) {clustered};
CREATE INDEX sessions_by_group ON sessions (group_id, id);
CREATE INDEX sessions_by_author ON sessions (author, id);
CREATE INDEX sessions_by_end ON sessions (valid_until);
