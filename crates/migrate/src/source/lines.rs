//! Text files with a record in each line.

use std::io::{BufRead, Read};

use convert::wtf_json::{Json, parse, push_json};
use rusqlite::Connection;

use crate::Error;

/// No record is longer: a pad of many megabytes with its history is many of them.
const LONGEST_LINE: u64 = 256 * 1024 * 1024;
/// How many bytes are read between two reports of progress.
const REPORT_BYTES: u64 = 4 * 1024 * 1024;

pub fn fill(
    mut lines: impl BufRead,
    table: &mut Connection,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let changes = table.transaction()?;
    {
        let sql = "INSERT INTO store (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        let mut put = changes.prepare(sql)?;
        let mut remove = changes.prepare("DELETE FROM store WHERE key = ?1")?;
        let (mut line, mut number, mut done, mut told) = (Vec::new(), 0_u64, 0, 0);
        loop {
            line.clear();
            let length = lines
                .by_ref()
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line);
            let length = length.map_err(|error| Error::Source(error.to_string()))?;
            if length == 0 {
                break;
            }
            number += 1;
            done += length as u64;
            match record(&line) {
                Some((key, Some(value))) => put.execute((key, value)).map(drop)?,
                Some((key, None)) => remove.execute([key]).map(drop)?,
                None if line.trim_ascii().is_empty() => {}
                // The last line may have been cut off when the other service was.
                None if !line.ends_with(b"\n") => {}
                None => {
                    let text = "is not a record: JSON with key and val, or key, tabulator, value";
                    return Err(Error::Source(format!("line {number} {text}")));
                }
            }
            if done - told >= REPORT_BYTES {
                progress(done);
                told = done;
            }
        }
    }
    Ok(changes.commit()?)
}

/// The key of a line, and the value as JSON; `None` instead of that if it says that there is none
/// any more.
fn record(line: &[u8]) -> Option<(String, Option<String>)> {
    let line = line.trim_ascii_end();
    if line.first() != Some(&b'{') {
        let line = std::str::from_utf8(line).ok()?;
        let (key, value) = line.split_once('\t')?;
        return Some((unescaped(key), Some(unescaped(value))));
    }
    let json = parse(line).ok()?;
    let key = json.get("key")?.to_str()?;
    let value = json.get("val").filter(|value| !value.is_null());
    Some((key, value.map(printed)))
}

fn printed(json: &Json) -> String {
    let mut text = String::new();
    push_json(&mut text, json);
    text
}

/// The client of MySQL writes so what would end a line or a column.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('0') => plain.push('\0'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_from_both_kinds_of_lines() {
        let given = |line: &str| record(line.as_bytes());
        let some = |key: &str, value: &str| Some((key.to_owned(), Some(value.to_owned())));
        assert_eq!(
            given("{\"key\":\"a\",\"val\":{\"x\":1}}\n"),
            some("a", "{\"x\":1}")
        );
        assert_eq!(given("{\"key\":\"a\",\"val\":\"b\"}"), some("a", "\"b\""));
        assert_eq!(given("{\"key\":\"a\"}\n"), Some(("a".to_owned(), None)));
        assert_eq!(
            given("{\"key\":\"a\",\"val\":null}"),
            Some(("a".to_owned(), None))
        );
        assert_eq!(
            given("a\t{\"x\":\"l\\\\n\\t\"}\n"),
            some("a", "{\"x\":\"l\\n\t\"}")
        );
        for wrong in ["", "nothing", "{\"val\":1}", "{\"key\":1}", "{"] {
            assert_eq!(given(wrong), None, "{wrong}");
        }
    }
}
