//! `padsvc check-settings`: are they what they should be, and what do they come to?

use std::process::ExitCode;

use serde_json::{Value, json};

use super::Outcome;
use super::display::Display;
use crate::arguments;
use crate::operate::{Row, Summary};
use ::settings::Options;
use settings;
use settings::configuration::{Configuration, Error};

pub(super) fn run(options: &Options, arguments: &arguments::CheckSettings) -> ExitCode {
    let mut display = Display::new(arguments.output.json);
    let outcome = check(options, arguments, &mut display);
    display.end(outcome)
}

fn check(
    options: &Options,
    arguments: &arguments::CheckSettings,
    display: &mut Display,
) -> Outcome {
    let row = |kind: &str, note: &settings::Warning| Row {
        text: format!("{kind}: {note}"),
        data: json!({
            "kind": kind,
            "key": note.key,
            "line": note.place.map(|place| place.line),
            "text": note.text,
        }),
    };
    let configuration = match Configuration::load(options) {
        Ok(configuration) => configuration,
        Err(Error::Wrong(path, problems)) => {
            for problem in &problems {
                display.row(row("problem", problem));
            }
            let count = problems.len();
            let plural = if count == 1 { "" } else { "s" };
            return Ok(Summary {
                text: format!("{}: {count} problem{plural}", path.display()),
                data: json!({ "file": path.display().to_string(), "problems": count }),
                ok: false,
            });
        }
        Err(error) => return Err(error.into()),
    };
    for warning in configuration.warnings() {
        display.row(row("warning", warning));
    }
    let shown = if arguments.show {
        settings::effective(&configuration.settings)
    } else {
        Value::Null
    };
    if arguments.show {
        let text = serde_json::to_string_pretty(&shown).unwrap_or_default();
        if !arguments.output.json {
            display.row(Row {
                text,
                data: Value::Null,
            });
        }
    }
    let (file, is_there) = configuration.file();
    let file = file.display();
    let warnings = configuration.warnings().len();
    Ok(Summary {
        text: if is_there {
            format!("{file}: can be used")
        } else {
            format!("there is no {file}; the defaults are used")
        },
        data: json!({
            "file": file.to_string(),
            "exists": is_there,
            "problems": 0,
            "warnings": warnings,
            "settings": shown,
        }),
        ok: true,
    })
}
