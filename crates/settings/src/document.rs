//! `docs/settings.md`, written from the table.

use serde_json::Value as Json;

use super::model::Settings;
use super::table::{self, Field, Row};

const INTRODUCTION: &str = "\
# Settings

Made by `UPDATE_EXPECT=1 cargo test -p padsvc settings` from the table in
`crates/settings/src/`.

The settings are in `settings.json` in the root folder, or in the file that `--settings` names. It
is JSON in which comments, and commas before a closing bracket, are fine. A key that is left out or
is `null` has its default; without a file, all have. With a wrong value the service does not start,
and tells every mistake. It warns of keys that it does not know. `mail.port` below is the key `port`
in the object `mail`.

## Values from the environment

A text that is exactly `\"${NAME}\"` or `\"${NAME:default}\"` stands for an environment variable.
What it holds is taken for a number, for `true` or `false`, or for a text, as the key wants it.
`null` and `undefined` are as if the key was left out. So is an empty variable, for keys that are
unset by default, and, with a warning, a variable that is not set.

Some variables count without being named in the file, and win over it: those mentioned below, and
for each key one like `EP__mail__port`.
";

pub fn document() -> String {
    let mut defaults = Settings::default();
    let mut text = INTRODUCTION.to_owned();
    for section in table::SECTIONS {
        text.push_str(&format!("\n## {}\n\n", section.title));
        let foreign = section
            .rows
            .iter()
            .all(|row| matches!(row.field, Field::Foreign));
        text.push_str(if foreign {
            "| Key | Why |\n|---|---|\n"
        } else {
            "| Key | Allowed | Default | Meaning |\n|---|---|---|---|\n"
        });
        for row in section.rows {
            let line = match row.field {
                Field::Foreign => format!("| `{}` | {} |", row.key, row.help),
                Field::OlderName(now) => {
                    format!(
                        "| `{}` | | | Older name of `{now}`. {} |",
                        row.key, row.help
                    )
                }
                _ => {
                    let allowed = row.allowed(&mut defaults).replace('|', "\\|");
                    let default = default(row, &mut defaults);
                    format!(
                        "| `{}` | {allowed} | {default} | {} |",
                        row.key,
                        meaning(row)
                    )
                }
            };
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

fn default(row: &Row, defaults: &mut Settings) -> String {
    match row.json_value(defaults) {
        // The keys of the editor, of which there are two dozen.
        Some(Json::Object(flags))
            if flags.len() > 1 && flags.values().all(|flag| *flag == true) =>
        {
            "all `true`".to_owned()
        }
        Some(value) if !value.is_null() => format!("`{value}`"),
        _ => "unset".to_owned(),
    }
}

fn meaning(row: &Row) -> String {
    let mut text = row.help.to_owned();
    if row.lenient {
        text.push_str(" A wrong value is only a warning.");
    }
    if let Field::Whole(bounds, _) = row.field
        && bounds.clamped
    {
        text.push_str(" A number outside counts as the nearest one inside.");
    }
    if let Some(variable) = row.variable {
        text.push_str(&format!(" Also from the environment: `{variable}`."));
    }
    text
}
