-- Version 10: what operators look back at: the numbers of each hour, and what administrators did.

CREATE TABLE series_hours (
    -- Since 1970.
    hour BIGINT NOT NULL,
    -- Each node has its own row. 0: the database has no nodes.
    node BIGINT NOT NULL,
    -- JSON.
    totals {text} NOT NULL,
    PRIMARY KEY (hour, node)
) {clustered};

CREATE TABLE audit (
    number BIGINT PRIMARY KEY,
    time BIGINT NOT NULL,
    principal {text} NOT NULL,
    action {text} NOT NULL,
    target {text} NOT NULL,
    detail {text} NOT NULL,
    -- 0: it was refused, or failed.
    done BIGINT NOT NULL
);
