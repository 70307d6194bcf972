-- Version 4: sessions are found by the SHA-256 of their id.
--
-- Whoever reads the database, or a copy of it, cannot enter pads with what is there. Listings need
-- the ids: they are kept encrypted under a key that is not in the database. The table of version 1
-- stays for a release that is put back; it is emptied whenever a store is opened.

CREATE TABLE hashed_sessions (
    hash {bytes} PRIMARY KEY,
    -- Null where there was no key.
    sealed_id {bytes},
    group_id {text} NOT NULL,
    author {text} NOT NULL,
    valid_until BIGINT NOT NULL
) {clustered};
CREATE INDEX hashed_sessions_by_group ON hashed_sessions (group_id, hash);
CREATE INDEX hashed_sessions_by_author ON hashed_sessions (author, hash);
CREATE INDEX hashed_sessions_by_end ON hashed_sessions (valid_until);
