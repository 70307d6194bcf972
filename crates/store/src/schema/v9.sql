-- Version 9: plugins that are installed, and what they keep.

CREATE TABLE plugins (
    name {text} NOT NULL PRIMARY KEY,
    version {text} NOT NULL,
    enabled BIGINT NOT NULL,
    -- JSON: a list of permissions, and an object of settings.
    granted {text} NOT NULL,
    settings {text} NOT NULL,
    -- Of the package, in hexadecimal digits.
    sha256 {text} NOT NULL,
    installed BIGINT NOT NULL,
    -- The number of the change that made the row what it is.
    change BIGINT NOT NULL,
    package {bytes} NOT NULL
);

-- One row, made by the first change: how many changes of what is installed there were. Nodes compare it.
CREATE TABLE plugin_changes (
    row BIGINT PRIMARY KEY,
    number BIGINT NOT NULL
);

CREATE TABLE plugin_storage (
    plugin {text} NOT NULL,
    key {bytes} NOT NULL,
    value {bytes} NOT NULL,
    PRIMARY KEY (plugin, key)
);

-- Times are those of the database's clock.
CREATE TABLE plugin_timers (
    plugin {text} NOT NULL,
    name {text} NOT NULL,
    due BIGINT NOT NULL,
    -- Null: it is due once.
    every BIGINT,
    PRIMARY KEY (plugin, name)
) {clustered};
CREATE INDEX plugin_timers_by_time ON plugin_timers (due);
