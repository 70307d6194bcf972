-- Version 3: lists of pads are ordered by columns that few commits write.
--
-- An index on head or head_time is written by every commit; on PostgreSQL that makes a new entry in
-- each of the table's indexes for every keystroke. What lists are ordered by is therefore of its
-- own, and brought up to date now and then.

DROP INDEX pads_by_edit;
DROP INDEX pads_by_head;
ALTER TABLE pads ADD COLUMN listed_head BIGINT NOT NULL DEFAULT 0;
ALTER TABLE pads ADD COLUMN listed_time BIGINT NOT NULL DEFAULT 0;
UPDATE pads SET listed_head = head, listed_time = head_time;
CREATE INDEX pads_by_edit ON pads (listed_time, name) WHERE name IS NOT NULL;
CREATE INDEX pads_by_head ON pads (listed_head, name) WHERE name IS NOT NULL;
