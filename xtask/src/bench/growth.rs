//! `cargo xtask bench growth`: what operations cost, in instructions, where there is ten and a
//! hundred times as much of something. What cannot stay the same says why.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{check_growth_of, count_instructions, grouped};
use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::shell::Log;

/// How many times the cost of the smallest the largest may cost, with a hundred times as much.
const LIMIT: f64 = 2.0;
const SCALES: [u64; 3] = [1, 10, 100];

/// What there is a hundred times as much of.
#[derive(Clone, Copy)]
enum Dimension {
    Text,
    History,
    People,
    Pads,
}

enum Law {
    Flat,
    /// The cost divided by the number of people is.
    FlatPerPerson,
    Grows(&'static str),
}

use Dimension::{History, Pads, People, Text};
use Law::{Flat, FlatPerPerson, Grows};

/// As the example names it, for people, how often it is carried out, and its laws.
struct Operation {
    name: &'static str,
    meaning: &'static str,
    count: u64,
    laws: &'static [(Dimension, Law)],
}

const OPERATIONS: &[Operation] = &[
    Operation {
        name: "commit",
        meaning: "a change, stored and told to all",
        // Two packs of revisions, so that sealing is part of the price.
        count: 1_024,
        laws: &[
            (Text, Flat),
            (History, Flat),
            (People, FlatPerPerson),
            (Pads, Flat),
        ],
    },
    Operation {
        name: "join",
        meaning: "somebody comes and goes",
        count: 64,
        laws: &[
            (Text, Flat),
            (History, Flat),
            (People, Grows("a newcomer learns who is there")),
            (Pads, Flat),
        ],
    },
    Operation {
        name: "chat",
        meaning: "a chat message, told to all",
        count: 256,
        laws: &[(People, FlatPerPerson), (Pads, Flat)],
    },
    Operation {
        name: "text",
        meaning: "the text",
        count: 512,
        laws: &[(Text, Grows("the answer is the text")), (History, Flat)],
    },
    Operation {
        name: "html",
        meaning: "the text as HTML",
        count: 8,
        laws: &[(Text, Grows("the answer is the text")), (History, Flat)],
    },
    Operation {
        name: "past",
        meaning: "the text at any revision",
        count: 32,
        laws: &[(Text, Grows("the answer is the text")), (History, Flat)],
    },
    Operation {
        name: "history",
        meaning: "a hundred revisions of the history",
        count: 32,
        laws: &[(History, Flat)],
    },
    Operation {
        name: "periods",
        meaning: "a page of the list of versions",
        count: 32,
        laws: &[(History, Grows("it covers up to 10,000 revisions"))],
    },
    Operation {
        name: "create",
        meaning: "a pad made and deleted",
        count: 64,
        laws: &[(Pads, Flat)],
    },
    Operation {
        name: "list",
        meaning: "fifty pads of the list in the admin area",
        count: 64,
        laws: &[(Pads, Flat)],
    },
];

/// Everything, as a table.
pub fn run(project: &Project, log: &mut Log, wanted: &[&str]) -> Result<()> {
    let known: BTreeSet<&str> = OPERATIONS.iter().map(|it| it.name).collect();
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(**name)) {
        return Err(format!("no such operation: {unknown}; there are: {known:?}").into());
    }
    let bench = Bench::build(project, log)?;
    println!("| operation | 100 times as much | at 1 | at 10 | at 100 | |");
    println!("|---|---|---:|---:|---:|---|");
    let is_wanted = |it: &&Operation| wanted.is_empty() || wanted.contains(&it.name);
    for operation in OPERATIONS.iter().filter(is_wanted) {
        for (dimension, law) in operation.laws {
            let costs = bench.costs(log, operation, *dimension, law, &SCALES)?;
            let cells: Vec<String> = costs.iter().map(|cost| grouped(*cost)).collect();
            let (cells, name) = (cells.join(" | "), dimension.name());
            let note = law.note();
            println!("| {} | {name} | {cells} | {note} |", operation.meaning);
            law.check(operation, *dimension, &costs)?;
        }
    }
    Ok(())
}

/// What must be flat is, from the smallest to the largest.
pub fn check(project: &Project, log: &mut Log) -> Result<u64> {
    let bench = Bench::build(project, log)?;
    let mut checked = 0;
    for operation in OPERATIONS {
        for (dimension, law) in operation.laws {
            if matches!(law, Grows(_)) {
                continue;
            }
            let costs = bench.costs(log, operation, *dimension, law, &[1, 100])?;
            let name = dimension.name();
            log.line(&format!("{}, {name}: {costs:?}", operation.name));
            law.check(operation, *dimension, &costs)?;
            checked += 1;
        }
    }
    Ok(checked)
}

impl Dimension {
    fn name(self) -> &'static str {
        match self {
            Text => "text",
            History => "history",
            People => "people",
            Pads => "pads",
        }
    }
}

impl Law {
    fn note(&self) -> &'static str {
        match self {
            Flat => "",
            FlatPerPerson => "for each person",
            Grows(reason) => reason,
        }
    }

    fn check(&self, operation: &Operation, dimension: Dimension, costs: &[u64]) -> Result<()> {
        let name = format!("{}, {}", operation.name, dimension.name());
        // Less for each of many than for each of a few is no growth.
        let costs: Vec<u64> = match (self, costs) {
            (Grows(_), _) => return Ok(()),
            (_, [first, rest @ ..]) => {
                let rest = rest.iter().map(|cost| (*cost).max(*first));
                [*first].into_iter().chain(rest).collect()
            }
            _ => return Ok(()),
        };
        check_growth_of(&name, &costs, LIMIT)
    }
}

struct Bench {
    program: PathBuf,
    folder: PathBuf,
}

/// How much there is of everything.
#[derive(Clone, Copy)]
struct Size {
    units: u64,
    revisions: u64,
    people: u64,
    pads: u64,
}

impl Size {
    fn new(dimension: Dimension, scale: u64) -> Size {
        let mut size = Size {
            units: 10_000,
            revisions: 1_000,
            people: 2,
            pads: 100,
        };
        let grown = match dimension {
            Text => &mut size.units,
            History => &mut size.revisions,
            People => &mut size.people,
            Pads => &mut size.pads,
        };
        *grown *= scale;
        size
    }
}

impl Bench {
    fn build(project: &Project, log: &mut Log) -> Result<Bench> {
        let build = "cargo build --locked --release --package service --example growth_bench";
        log.run(project.command(build))?;
        let folder = project.scratch().join("bench-growth");
        // From an earlier run, whose data may have another form.
        let _ = std::fs::remove_dir_all(&folder);
        Ok(Bench {
            program: project.target.join("release/examples/growth_bench"),
            folder,
        })
    }

    fn costs(
        &self,
        log: &mut Log,
        operation: &Operation,
        dimension: Dimension,
        law: &Law,
        scales: &[u64],
    ) -> Result<Vec<u64>> {
        let mut costs = Vec::new();
        for scale in scales {
            let size = Size::new(dimension, *scale);
            let folder = self.prepared(log, size)?;
            let cost = self.cost_of_one(log, &folder, operation, size.people)?;
            costs.push(match law {
                FlatPerPerson => cost / size.people,
                Flat | Grows(_) => cost,
            });
        }
        Ok(costs)
    }

    /// Data of a size, made at full speed and used for all operations.
    fn prepared(&self, log: &mut Log, size: Size) -> Result<PathBuf> {
        let Size {
            units,
            revisions,
            pads,
            ..
        } = size;
        let folder = self.folder.join(format!("{units}-{revisions}-{pads}"));
        if !folder.exists() {
            let create = std::fs::create_dir_all(&folder);
            create.map_err(Failure::at(&folder))?;
            let mut prepare = Command::new(&self.program);
            prepare.arg(&folder).arg("prepare");
            prepare.args([units, revisions, pads].map(|number| number.to_string()));
            log.run(prepare)?;
        }
        Ok(folder)
    }

    fn cost_of_one(
        &self,
        log: &mut Log,
        folder: &Path,
        operation: &Operation,
        people: u64,
    ) -> Result<u64> {
        let mut times = |count: u64| {
            let mut command = Command::new(&self.program);
            command.arg(folder).arg(operation.name);
            command.args([count, people].map(|number| number.to_string()));
            count_instructions(log, &command)
        };
        let (once, twice) = (times(operation.count)?, times(2 * operation.count)?);
        Ok(twice.saturating_sub(once) / operation.count)
    }
}
