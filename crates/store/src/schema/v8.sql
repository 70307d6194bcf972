-- Version 8: titles of pads. Null: the pad is shown by its address.

ALTER TABLE pads ADD COLUMN title {text};
