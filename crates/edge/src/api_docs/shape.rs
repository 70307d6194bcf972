//! The short form of a schema again, broken into lines where it is too wide for a phone.

use service::api::schema::{Member, Schema};

/// As wide as a code block is on a small screen.
const COLUMNS: usize = 40;
const STEP: usize = 2;

pub(super) fn write(schema: &Schema) -> String {
    written(schema, 0)
}

fn written(schema: &Schema, indent: usize) -> String {
    let short = in_one_line(schema);
    if indent + short.len() <= COLUMNS {
        return short;
    }
    let inner = indent + STEP;
    match schema {
        Schema::Object(members) => {
            let lines = members.iter().map(|member| {
                let (name, mark) = (member.name, mark(member));
                format!(
                    "{:inner$}{name}{mark}: {}",
                    "",
                    written(&member.schema, inner)
                )
            });
            block('{', &lines.collect::<Vec<_>>(), '}', indent)
        }
        Schema::Map(values) => {
            let line = format!("{:inner$}*: {}", "", written(values, inner));
            block('{', &[line], '}', indent)
        }
        Schema::List(items) => format!("[{}]", written(items, indent)),
        _ => short,
    }
}

fn block(open: char, lines: &[String], close: char, indent: usize) -> String {
    format!("{open}\n{}\n{:indent$}{close}", lines.join(",\n"), "")
}

fn in_one_line(schema: &Schema) -> String {
    match schema {
        Schema::Null => "null".to_owned(),
        Schema::Boolean => "boolean".to_owned(),
        Schema::True => "true".to_owned(),
        Schema::Integer => "integer".to_owned(),
        Schema::String => "string".to_owned(),
        Schema::Text(text) => format!("\"{text}\""),
        Schema::List(items) => format!("[{}]", in_one_line(items)),
        Schema::Map(values) => format!("{{*: {}}}", in_one_line(values)),
        Schema::Object(members) => {
            let member = |m: &Member| format!("{}{}: {}", m.name, mark(m), in_one_line(&m.schema));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        Schema::Either(schemas) => {
            let schemas: Vec<String> = schemas.iter().map(in_one_line).collect();
            schemas.join(" | ")
        }
    }
}

fn mark(member: &Member) -> &'static str {
    if member.optional { "?" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wide_shapes_are_broken() {
        let check = |text: &str, shown: &str| {
            assert_eq!(write(&Schema::parse(text).unwrap()), shown);
        };
        check("{padIDs: [string]}", "{padIDs: [string]}");
        check("{name?: string|null}", "{name?: string | null}");
        check(
            "{messages: [{text: string, userId: string|null, time: integer}], more: {*: true}}",
            "{\n  messages: [{\n    text: string,\n    userId: string | null,\n    \
             time: integer\n  }],\n  more: {*: true}\n}",
        );
    }

    #[test]
    fn breaking_changes_nothing_but_the_look() {
        for function in service::api::functions() {
            let schema = Schema::parse(function.result).unwrap();
            assert_eq!(
                Schema::parse(&write(&schema)),
                Some(schema),
                "{}",
                function.name
            );
        }
    }
}
