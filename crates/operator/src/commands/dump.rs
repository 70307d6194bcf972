//! `padsvc dump`: everything as records that Etherpad's database layer can load.

use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use super::Outcome;
use super::display::Display;
use crate::arguments;
use crate::operate::client::Executor;
use crate::operate::{Task, TaskEvent};
use ::settings::Options;

pub(super) async fn run(options: &Options, arguments: &arguments::Dump) -> ExitCode {
    let display = Display::new(arguments.output.json);
    let to_stdout = arguments.to == Path::new("-");
    let outcome = dump(options, arguments).await;
    if to_stdout && outcome.is_ok() {
        // There are the records already; a last line would be one of them.
        return ExitCode::SUCCESS;
    }
    display.end(outcome)
}

async fn dump(options: &Options, arguments: &arguments::Dump) -> Outcome {
    let to = &arguments.to;
    let mut out: Box<dyn Write + Send> = if to == Path::new("-") {
        Box::new(stdout())
    } else {
        let file = File::create_new(to);
        Box::new(file.map_err(|error| format!("{}: {error}", to.display()))?)
    };
    let executor = Executor::open(options)
        .await
        .map_err(|error| error.to_string())?;
    let outcome = {
        let mut out = BufWriter::new(&mut out);
        let mut on_event = |event: TaskEvent| match event {
            TaskEvent::Bytes(bytes) => out.write_all(&bytes).map_err(|error| error.to_string()),
            _ => Ok(()),
        };
        let outcome = executor.execute(Task::Dump, &mut on_event).await;
        out.flush().map_err(|error| error.to_string()).and(outcome)
    };
    executor.close().await;
    outcome
}
