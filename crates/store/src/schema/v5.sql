-- Version 5: what marks a pad deleted is called so.
--
-- The column `doomed` stays for a release that is put back. Neither release writes the other's
-- column, and neither needs to: pads without a name are marked deleted whenever a store is opened,
-- and two releases never have one open at once. A later version drops `doomed`.

ALTER TABLE pads ADD COLUMN deleted BIGINT NOT NULL DEFAULT 0;
UPDATE pads SET deleted = doomed WHERE doomed <> 0;
