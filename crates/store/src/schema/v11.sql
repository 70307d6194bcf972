-- Version 11: on which pads a plugin is switched on. JSON: a list of patterns of their names.

ALTER TABLE plugins ADD COLUMN pads {text} NOT NULL DEFAULT '["*"]';
