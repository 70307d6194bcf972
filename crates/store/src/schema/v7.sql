-- Version 7: the sockets that are open on a node.

ALTER TABLE nodes ADD COLUMN connections BIGINT NOT NULL DEFAULT 0;
