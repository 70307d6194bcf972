-- Version 2: pads and authors in the orders in which an operator looks through them.
--
-- The name is in each index, so that one can go on behind any row, however many are alike. The key
-- would be shorter, but SQLite does not look for it inside of an index.

CREATE INDEX pads_by_edit ON pads (head_time, name) WHERE name IS NOT NULL;
CREATE INDEX pads_by_creation ON pads (created, name) WHERE name IS NOT NULL;
CREATE INDEX pads_by_head ON pads (head, name) WHERE name IS NOT NULL;
CREATE INDEX authors_by_last_seen ON authors (last_seen, id);
