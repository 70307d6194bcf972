//! Text files with a record in each line.

use std::io::{BufRead, Read};

use convert::native::Key;
use rusqlite::Connection;
use wtf_json::{Json, parse, push_json};

use super::Leniency;
use crate::Error;
use crate::lossy::QuestionMarks;
use crate::records::Damage;

/// No record is longer: a pad of many megabytes with its history is many of them.
const LONGEST_LINE: u64 = 256 * 1024 * 1024;
/// How many bytes are read between two reports of progress.
const REPORT_BYTES: u64 = 4 * 1024 * 1024;

/// The first and the last line that `etherpad-dump.mjs` writes.
const DUMP_BEGIN: &str = "etherpad-dump:begin";
const DUMP_END: &str = "etherpad-dump:end";
/// With so many broken lines a file is something else.
const MOST_BROKEN: usize = 1_000;
/// How much of a broken line is reported.
const SHOWN: usize = 60;

/// Fills the table; gives the lines that are broken.
pub(super) fn fill(
    mut lines: impl BufRead,
    table: &mut Connection,
    leniency: Leniency,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Damage>, Error> {
    let changes = table.transaction()?;
    let mut reader = Reader::default();
    {
        let sql = "INSERT INTO store (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        let mut put = changes.prepare(sql)?;
        let mut remove = changes.prepare("DELETE FROM store WHERE key = ?1")?;
        let (mut line, mut done, mut reported) = (Vec::new(), 0, 0);
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
            done += length as u64;
            match reader.record(&line)? {
                Some((key, Some(value))) => put.execute((key, value)).map(drop)?,
                Some((key, None)) => remove.execute([key]).map(drop)?,
                None => {}
            }
            if done - reported >= REPORT_BYTES {
                progress(done);
                reported = done;
            }
        }
    }
    changes.commit()?;
    reader.finish(leniency)
}

/// What is known of the lines so far.
#[derive(Default)]
struct Reader {
    number: u64,
    records: u64,
    is_dump: bool,
    /// How many records the dump says it has.
    end: Option<u64>,
    broken: Vec<Damage>,
    marks: QuestionMarks,
}

impl Reader {
    /// The record of the next line, if it has one.
    fn record(&mut self, line: &[u8]) -> Result<Option<(String, Option<String>)>, Error> {
        self.number += 1;
        let number = self.number;
        let Ok(text) = std::str::from_utf8(line) else {
            return Err(Error::Source(format!(
                "line {number} is not valid UTF-8: it was written with another character set, and \
                 characters may be lost. Nothing was brought over; etherpad-dump.mjs reads the \
                 database as Etherpad does"
            )));
        };
        // A power failure leaves such bytes where a file was just growing.
        let text = text.trim_matches('\0').trim_end();
        if text.trim().is_empty() {
            return Ok(None);
        }
        let found = match record(text) {
            Some(record) => Some(record),
            // The last line may have been cut off when the other service was.
            None if !line.ends_with(b"\n") => None,
            None => {
                self.complain(text)?;
                // A line that was cut off may have the next one behind it.
                let next = text.rfind("{\"key\":").filter(|at| *at > 0);
                next.and_then(|at| record(text.get(at..)?))
            }
        };
        let Some((key, value)) = found else {
            return Ok(None);
        };
        match &*key {
            DUMP_BEGIN => self.is_dump = true,
            DUMP_END => {
                let count = value.as_deref().and_then(|it| parse(it.as_bytes()).ok());
                self.end = count.and_then(|it| it.get("records")?.as_u64());
            }
            _ => {
                self.records += 1;
                if let Some(value) = &value
                    && matches!(Key::parse(&key), Key::Pad(_))
                {
                    self.marks.add(value);
                }
                return Ok(Some((key, value)));
            }
        }
        Ok(None)
    }

    fn complain(&mut self, text: &str) -> Result<(), Error> {
        let number = self.number;
        if self.records == 0 || self.broken.len() >= MOST_BROKEN {
            let what = "is not a record: JSON with key and val, or key, tabulator, value";
            return Err(Error::Source(format!("line {number} {what}")));
        }
        let shown: String = text.chars().take(SHOWN).collect();
        let reason = format!("it is not a record; it begins with {shown}");
        self.broken.push((format!("line {number}"), reason));
        Ok(())
    }

    fn finish(self, leniency: Leniency) -> Result<Vec<Damage>, Error> {
        if self.is_dump && self.end != Some(self.records) {
            return Err(Error::Source(format!(
                "the dump ends early, after {} records: etherpad-dump.mjs was interrupted. Nothing \
                 was brought over; let it write to a file with --to, where it can resume",
                self.records
            )));
        }
        if self.marks.is_lossy() && !leniency.question_marks {
            return Err(Error::Source(
                "the texts are full of question marks where other characters must have been: they \
                 were written by a client with another character set (mysql needs \
                 --default-character-set=utf8mb4). Nothing was brought over; give the address of \
                 the database, or use etherpad-dump.mjs. If the texts really are like this, \
                 --allow-question-marks brings them"
                    .to_owned(),
            ));
        }
        Ok(self.broken)
    }
}

/// The key of a line, and the value as JSON; `None` instead of that if it says that there is none
/// any more.
fn record(line: &str) -> Option<(String, Option<String>)> {
    let line = line.trim_end();
    if !line.starts_with('{') {
        let (key, value) = line.split_once('\t')?;
        return Some((unescaped(key), Some(unescaped(value))));
    }
    let json = parse(line.as_bytes()).ok()?;
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
        let given = |line: &str| record(line);
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
