//! The page of a plugin in the admin area: a list of parts, as data. The admin area shows them with
//! elements of its own, so nothing of a plugin is markup there; what has another form or is longer
//! than a page could be is a failure of the plugin.

use serde::Serialize;
use serde_json::Value;

const PARTS: usize = 200;
const COLUMNS: usize = 20;
const ROWS: usize = 1_000;
/// Bytes of an action, of what stands on one line, and of a paragraph.
const ACTION: usize = 100;
const LINE: usize = 1_000;
const PARAGRAPH: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    Heading(String),
    Text(String),
    /// Names with their values.
    Values(Vec<[String; 2]>),
    Table {
        columns: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    /// Calls the hook again, with its action.
    Button {
        action: String,
        label: String,
        /// Asked before, if it is there.
        confirm: Option<String>,
    },
}

/// The parts of an answer. Nothing is an empty page.
pub(crate) fn parts(answer: &Value) -> Option<Vec<Part>> {
    if answer.is_null() {
        return Some(Vec::new());
    }
    list(answer.get("parts")?, PARTS)?
        .iter()
        .map(part)
        .collect()
}

fn part(value: &Value) -> Option<Part> {
    let members = value.as_object()?;
    let mut members = members.iter();
    let ((name, value), None) = (members.next()?, members.next()) else {
        return None;
    };
    match name.as_str() {
        "heading" => text(value, LINE).map(Part::Heading),
        "text" => text(value, PARAGRAPH).map(Part::Text),
        "values" => {
            let pairs = list(value, ROWS)?.iter();
            let pairs = pairs.map(|pair| texts(pair, 2)?.try_into().ok());
            pairs.collect::<Option<_>>().map(Part::Values)
        }
        "table" => table(value),
        "button" => button(value),
        _ => None,
    }
}

fn table(value: &Value) -> Option<Part> {
    let columns = texts(value.get("columns")?, COLUMNS)?;
    let rows = list(value.get("rows")?, ROWS)?.iter();
    let rows = rows.map(|row| texts(row, COLUMNS).filter(|row| row.len() == columns.len()));
    let rows = rows.collect::<Option<_>>()?;
    Some(Part::Table { columns, rows })
}

fn button(value: &Value) -> Option<Part> {
    let confirm = match value.get("confirm") {
        None | Some(Value::Null) => None,
        Some(question) => Some(text(question, LINE)?),
    };
    Some(Part::Button {
        action: text(value.get("action")?, ACTION)?,
        label: text(value.get("label")?, LINE)?,
        confirm,
    })
}

fn list(value: &Value, most: usize) -> Option<&[Value]> {
    let list = value.as_array()?.as_slice();
    (list.len() <= most).then_some(list)
}

fn texts(value: &Value, most: usize) -> Option<Vec<String>> {
    let cells = list(value, most)?.iter();
    cells.map(|cell| text(cell, LINE)).collect()
}

/// Numbers are often what a page is about; a value that is not there is an empty text.
fn text(value: &Value, most: usize) -> Option<String> {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (text.len() <= most).then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_are_passed_on_as_they_are_known() {
        let sent = json!([
            { "heading": "Pads" },
            { "text": "<b>no markup</b>" },
            { "values": [["Checked", 12], ["Last", null]] },
            { "table": { "columns": ["Pad", "Days"], "rows": [["notes", 3]] } },
            { "button": { "action": "check", "label": "Check", "more": 1 } },
            { "button": { "action": "drop", "label": "Drop", "confirm": "Really?" } },
        ]);
        let shown = json!([
            { "heading": "Pads" },
            { "text": "<b>no markup</b>" },
            { "values": [["Checked", "12"], ["Last", ""]] },
            { "table": { "columns": ["Pad", "Days"], "rows": [["notes", "3"]] } },
            { "button": { "action": "check", "label": "Check", "confirm": null } },
            { "button": { "action": "drop", "label": "Drop", "confirm": "Really?" } },
        ]);
        let found = parts(&json!({ "parts": sent })).unwrap();
        assert_eq!(serde_json::to_value(found).unwrap(), shown);
        assert_eq!(parts(&Value::Null), Some(Vec::new()));
    }

    #[test]
    fn anything_else_is_refused() {
        let long = "x".repeat(PARAGRAPH + 1);
        for part in [
            json!({ "html": "<b>" }),
            json!({ "heading": "a", "text": "b" }),
            json!({}),
            json!("text"),
            json!({ "text": long }),
            json!({ "text": ["a"] }),
            json!({ "values": [["a"]] }),
            json!({ "values": [["a", "b", "c"]] }),
            json!({ "table": { "columns": ["a"], "rows": [["b", "c"]] } }),
            json!({ "table": { "columns": ["a"], "rows": vec![["b"]; ROWS + 1] } }),
            json!({ "table": { "columns": vec!["a"; COLUMNS + 1], "rows": [] } }),
            json!({ "button": { "label": "a" } }),
            json!({ "button": { "action": "x".repeat(ACTION + 1), "label": "a" } }),
        ] {
            assert_eq!(parts(&json!({ "parts": [part] })), None, "{part}");
        }
        let many = vec![json!({ "heading": "a" }); PARTS + 1];
        assert_eq!(parts(&json!({ "parts": many })), None);
        assert_eq!(parts(&json!([])), None);
        assert_eq!(parts(&json!({})), None);
    }
}
