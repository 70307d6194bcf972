//! The goals, and whether what was measured meets them.

use std::fmt::Write as _;

use super::page::Page;
use crate::failure::Result;

/// The block of the page that they fill.
pub(super) const BLOCK: &str = "goals";

struct Goal {
    what: &'static str,
    aim: Aim,
    measured: Figure,
    /// What the engine, the editor or a loop does without us.
    bare: Option<Cell>,
}

#[derive(Clone, Copy)]
enum Aim {
    AtMost(f64),
    AtLeast(f64),
}

#[derive(Clone, Copy)]
enum Figure {
    Plain(Cell),
    /// The first divided by the second.
    Ratio(Cell, Cell),
}

/// Block, first cells of the row, heading of the column.
#[derive(Clone, Copy)]
struct Cell(&'static str, &'static str, &'static str);

use Aim::{AtLeast, AtMost};
use Figure::{Plain, Ratio};

const API: &str = "api --large";
const STORE: &str = "store commits";
const RATE: &str = "requests/s";
const OF_BARE: &str = "store of bare";

const fn crowd(row: &'static str, column: &'static str) -> Cell {
    Cell("crowds", row, column)
}

const fn page(row: &'static str, column: &'static str) -> Cell {
    Cell("page", row, column)
}

const fn goal(what: &'static str, aim: Aim, measured: Figure) -> Goal {
    Goal {
        what,
        aim,
        measured,
        bare: None,
    }
}

const fn beside(what: &'static str, aim: Aim, measured: Cell, bare: Cell) -> Goal {
    Goal {
        what,
        aim,
        measured: Plain(measured),
        bare: Some(bare),
    }
}

const fn idle(row: &'static str, column: &'static str) -> Cell {
    Cell("idle", row, column)
}

const HEALTH: Cell = Cell(API, "/health | 16", RATE);

const GOALS: &[Goal] = &[
    goal(
        "1,000 people type in one pad: acknowledged p95, ms",
        AtMost(250.0),
        Plain(crowd("1,000 type", "acknowledged p95, ms")),
    ),
    goal(
        "the same: seen by others p95, ms",
        AtMost(500.0),
        Plain(crowd("1,000 type", "seen by others p95, ms")),
    ),
    goal(
        "the same, and 5,000 read: connections that failed",
        AtMost(0.0),
        Plain(crowd("1,000 type and 5,000 read", "errors")),
    ),
    goal(
        "500 type: bytes for a revision, times fewer in batches",
        AtLeast(10.0),
        Ratio(
            crowd("500 type, each revision for itself", "bytes for a revision"),
            crowd("500 type", "bytes for a revision"),
        ),
    ),
    goal(
        "1,000 type: processor time for a revision that one person learns of, times that of 500",
        AtMost(1.1),
        Ratio(
            crowd("1,000 type", "server µs for a revision"),
            crowd("500 type", "server µs for a revision"),
        ),
    ),
    goal(
        "2 type in each of 4,000 pads: commits/s",
        AtLeast(16_000.0),
        Plain(crowd("2 type in each of 4,000 pads", "commits/s")),
    ),
    goal(
        "the same: acknowledged p95, ms",
        AtMost(50.0),
        Plain(crowd(
            "2 type in each of 4,000 pads",
            "acknowledged p95, ms",
        )),
    ),
    goal(
        "instructions for a commit",
        AtMost(79_000.0),
        Plain(Cell(
            "plugins",
            "no host of plugins",
            "instructions for a commit",
        )),
    ),
    goal(
        "the same, more with five plugins, %",
        AtMost(5.0),
        Plain(Cell(
            "plugins",
            "the five plugins of this repository",
            "more than without a host",
        )),
    ),
    goal(
        "start, later with five plugins, ms",
        AtMost(150.0),
        Plain(Cell("plugins", "more with five plugins", "ms")),
    ),
    goal(
        "a worker of a plugin, MB of its own",
        AtMost(8.0),
        Plain(Cell("plugins", "the largest", "MB of its own")),
    ),
    beside(
        "the store of a bare loop at 1 pad, %",
        AtLeast(85.0),
        Cell(STORE, "1", OF_BARE),
        Cell(STORE, "1", "bare loop, commits/s"),
    ),
    beside(
        "the same at 16 pads, %",
        AtLeast(85.0),
        Cell(STORE, "16", OF_BARE),
        Cell(STORE, "16", "bare loop, commits/s"),
    ),
    beside(
        "the same at 256 pads, %",
        AtLeast(85.0),
        Cell(STORE, "256", OF_BARE),
        Cell(STORE, "256", "bare loop, commits/s"),
    ),
    beside(
        "getText of 1 MB, calls/s",
        AtLeast(2_000.0),
        Cell(API, "getText, 1 MB | 16", RATE),
        HEALTH,
    ),
    beside(
        "getHTML of 1,000 lines, calls/s",
        AtLeast(5_000.0),
        Cell(API, "getHTML, 1,000 lines | 16", RATE),
        HEALTH,
    ),
    beside(
        "checkToken, calls/s",
        AtLeast(60_000.0),
        Cell(API, "checkToken | 16", RATE),
        HEALTH,
    ),
    beside(
        "a small pad is open after, ms",
        AtMost(250.0),
        page("pad page | 1000", "open, ms"),
        page("bare editor | 1000", "open, ms"),
    ),
    beside(
        "a pad of 1 MB is open after, ms",
        AtMost(300.0),
        page("pad page | 1000000", "open, ms"),
        page("bare editor | 1000000", "open, ms"),
    ),
    goal(
        "a small pad is open again, from the browser's cache, after, ms",
        AtMost(150.0),
        Plain(page("pad page | 1000", "open again, ms")),
    ),
    goal(
        "requests before one can type",
        AtMost(8.0),
        Plain(page("pad page | 1000", "requests")),
    ),
    goal(
        "kB before one can type, without the text and fonts",
        AtMost(120.0),
        Plain(page("pad page | 1000", "kB")),
    ),
    Goal {
        bare: Some(page("bare editor | 1000000", "key p95, ms")),
        ..goal(
            "a key at 1 MB, p95, times a bare editor",
            AtMost(1.5),
            Ratio(
                page("pad page | 1000000", "key p95, ms"),
                page("bare editor | 1000000", "key p95, ms"),
            ),
        )
    },
    Goal {
        bare: Some(page("bare editor | 1000000", "heap, MB")),
        ..goal(
            "heap at 1 MB, times a bare editor",
            AtMost(1.3),
            Ratio(
                page("pad page | 1000000", "heap, MB"),
                page("bare editor | 1000000", "heap, MB"),
            ),
        )
    },
    goal(
        "a history of 100,000 revisions is open after, ms",
        AtMost(100.0),
        Plain(page("history", "open, ms")),
    ),
    goal(
        "a jump to any of them, p95, ms",
        AtMost(100.0),
        Plain(page("history", "jump p95, ms")),
    ),
    goal(
        "10,000 idle connections in one pad, MB",
        AtMost(150.0),
        Plain(crowd(
            "10,000 are connected and do nothing",
            "memory at most, MB",
        )),
    ),
    goal(
        "a minute after the last of 6,000 people in 3,000 pads, MB",
        AtMost(60.0),
        Plain(idle("a minute later", "memory, MB")),
    ),
    goal(
        "wake-ups a second when nobody is there",
        AtMost(1.0),
        Plain(idle("two minutes later", "wake-ups a second")),
    ),
];

/// A row for each. What has not been measured says so.
pub(super) fn table(page: &Page) -> Result<String> {
    let mut text =
        "| goal | aim | measured | bare limit | met |\n|---|---:|---:|---:|---|\n".to_owned();
    for Goal {
        what,
        aim,
        measured,
        bare,
    } in GOALS
    {
        let value = measured.value(page);
        let met = value.map_or("not measured", |value| match aim.is_met(value) {
            true => "yes",
            false => "no",
        });
        let value = value.map_or("–".to_owned(), shown);
        let bare = bare.and_then(|cell| cell.value(page)).map(shown);
        let bare = bare.unwrap_or_default();
        let aim = aim.shown();
        let _ = writeln!(text, "| {what} | {aim} | {value} | {bare} | {met} |");
    }
    text.truncate(text.trim_end().len());
    Ok(text)
}

impl Aim {
    fn is_met(self, value: f64) -> bool {
        match self {
            AtMost(bound) => value <= bound,
            AtLeast(bound) => value >= bound,
        }
    }

    fn shown(self) -> String {
        match self {
            AtMost(bound) => format!("≤ {}", shown(bound)),
            AtLeast(bound) => format!("≥ {}", shown(bound)),
        }
    }
}

impl Figure {
    fn value(self, page: &Page) -> Option<f64> {
        match self {
            Plain(cell) => cell.value(page),
            Ratio(cell, other) => Some(cell.value(page)? / other.value(page)?),
        }
    }
}

impl Cell {
    fn value(self, page: &Page) -> Option<f64> {
        let Cell(block, row, column) = self;
        let cell = page.cell(block, row, column)?;
        let number = cell.trim_end_matches(['%', ' ']).replace(',', "");
        number.parse().ok()
    }
}

/// With as many digits as mean anything.
fn shown(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 || value.fract() == 0.0 => {
            super::super::grouped(value.round() as u64)
        }
        size if size >= 10.0 => format!("{value:.0}"),
        _ => format!("{value:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_looked_up_and_judged() {
        let text = "<!-- bench crowds -->\n\
            | people | acknowledged p95, ms | bytes for a revision | errors |\n\
            |---|---:|---:|---:|\n\
            | 500 type, each revision for itself | 1.0 | 309 | 0 |\n\
            | 500 type | 1.0 | 25 | 0 |\n\
            | 1,000 type | 250.1 | 20 | 0 |\n\
            | 1,000 type and 5,000 read | 1.0 | 20 | 0 |\n\
            <!-- end of bench -->\n\
            <!-- bench store commits -->\n\
            | pads | bare loop, commits/s | store of bare |\n|---:|---:|---:|\n\
            | 16 | 35000 | 86 % |\n<!-- end of bench -->\n";
        let page = Page::parse(text).ok().unwrap();
        let table = table(&page).ok().unwrap();
        for row in [
            "acknowledged p95, ms | ≤ 250 | 250 |  | no |",
            "connections that failed | ≤ 0 | 0 |  | yes |",
            "times fewer in batches | ≥ 10 | 12 |  | yes |",
            "at 16 pads, % | ≥ 85 | 86 | 35,000 | yes |",
            "at 1 pad, % | ≥ 85 | – |  | not measured |",
        ] {
            assert!(table.contains(row), "{row}\n{table}");
        }
    }

    #[test]
    fn the_page_has_every_block_that_a_goal_is_looked_up_in() {
        let page = include_str!("../../../../docs/performance.md");
        let commands = Page::parse(page).ok().unwrap().commands();
        let mut blocks = vec![BLOCK];
        for Goal { measured, bare, .. } in GOALS {
            match measured {
                Plain(Cell(block, ..)) => blocks.push(block),
                Ratio(Cell(one, ..), Cell(other, ..)) => blocks.extend([*one, *other]),
            }
            blocks.extend(bare.map(|Cell(block, ..)| block));
        }
        for block in blocks {
            assert!(commands.iter().any(|it| it == block), "{block}");
        }
    }
}
