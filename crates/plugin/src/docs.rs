//! The tables of docs/plugins.md, held to those of this crate. `UPDATE_EXPECT=1` writes them.

use std::fmt::Write;

use crate::functions::FUNCTIONS;
use crate::hooks::{HOOKS, Wait};
use crate::parameter::{Kind, Parameter};
use crate::permission::KINDS;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plugins.md");

#[test]
#[expect(clippy::disallowed_methods, reason = "UPDATE_EXPECT writes the file")]
fn tables_in_docs_are_those_of_the_code() {
    let file = std::fs::read_to_string(PATH).unwrap();
    let mut text = file.clone();
    for (name, table) in [
        ("permissions", permissions()),
        ("hooks", hooks()),
        ("functions", functions()),
    ] {
        let start = format!("<!-- table of {name} -->\n");
        let (before, rest) = text.split_once(&start).expect(name);
        let (_, after) = rest.split_once("<!-- end -->").expect(name);
        text = format!("{before}{start}{table}<!-- end -->{after}");
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(PATH, &text).unwrap();
    }
    assert!(
        file == text || std::env::var_os("UPDATE_EXPECT").is_some(),
        "run the tests of plugin with UPDATE_EXPECT=1"
    );
}

fn permissions() -> String {
    let mut table = String::from("| Permission | What a plugin does with it |\n|---|---|\n");
    for (_, name, meaning) in KINDS {
        let _ = writeln!(table, "| `{name}` | {meaning} |");
    }
    table
}

fn hooks() -> String {
    let mut table = String::from(
        "| Hook | When | Arguments | Answer | Waits | Permission |\n|---|---|---|---|---|---|\n",
    );
    for row in HOOKS {
        let wait = match row.wait {
            Wait::Never => "no".to_owned(),
            Wait::Budget { default_ms, max_ms } => {
                let decides = if row.decides { "; decides" } else { "" };
                format!("{default_ms} ms, at most {max_ms}{decides}")
            }
        };
        let permission = row.permission.map_or(String::new(), |it| {
            let name = it.name();
            format!("`{name}`")
        });
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {} | {wait} | {permission} |",
            row.name,
            cell(row.meaning),
            parameters(row.arguments),
            cell(row.answer),
        );
    }
    table
}

fn functions() -> String {
    let mut table = String::from(
        "| Function | Does | Arguments | Gives | Permission |\n|---|---|---|---|---|\n",
    );
    for row in FUNCTIONS {
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {} | `{}` |",
            row.name,
            cell(row.meaning),
            parameters(row.parameters),
            cell(row.answer),
            row.permission.name(),
        );
    }
    table
}

fn parameters(list: &[Parameter]) -> String {
    let one = |it: &Parameter| {
        let sign = if it.is_optional { "?" } else { "" };
        let Parameter { name, meaning, .. } = it;
        format!("`{name}{sign}` {} ({})", cell(meaning), bound(it.kind))
    };
    list.iter().map(one).collect::<Vec<_>>().join("<br>")
}

/// A bar would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The kind and its bound in a few characters.
fn bound(kind: Kind) -> String {
    match kind {
        Kind::Text { max } => format!("text, {max}"),
        Kind::Integer { min, max } => format!("{min} to {max}"),
        Kind::Flag => "true or false".to_owned(),
        Kind::Texts { count, max } => format!("{count} texts, {max} each"),
        Kind::Json { bytes } => format!("JSON, {bytes} bytes"),
    }
}
