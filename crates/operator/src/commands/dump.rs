//! `padsvc dump`: everything as records that Etherpad's database layer can load.

use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use super::Outcome;
use super::display::Display;
use super::error::CommandError;
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
        Box::new(File::create_new(to).map_err(CommandError::of_file(to))?)
    };
    let executor = Executor::open(options).await?;
    let outcome = {
        let mut out = BufWriter::new(&mut out);
        let mut on_event = |event: TaskEvent| match event {
            TaskEvent::Bytes(bytes) => out.write_all(&bytes),
            _ => Ok(()),
        };
        let outcome = executor.execute(Task::Dump, &mut on_event).await;
        match out.flush() {
            Ok(()) => outcome.map_err(CommandError::from),
            Err(error) => Err(error.into()),
        }
    };
    executor.close().await;
    outcome
}
