//! A page of prose with blocks that are filled by measuring, and the tables in them.

use std::fmt::{self, Display, Formatter};

use crate::failure::Result;

const OPEN: &str = "<!-- bench ";
const CLOSE: &str = " -->";
const END: &str = "<!-- end of bench -->";

enum Part {
    Prose(String),
    Block { command: String, content: String },
}

pub(super) struct Page(Vec<Part>);

impl Page {
    pub(super) fn parse(text: &str) -> Result<Page> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((prose, after)) = rest.split_once(OPEN) {
            let (command, after) = after.split_once(CLOSE).ok_or("a block without a name")?;
            let no_end = || format!("the block {command} has no end");
            let (content, after) = after.split_once(END).ok_or_else(no_end)?;
            parts.push(Part::Prose(prose.to_owned()));
            parts.push(Part::Block {
                command: command.to_owned(),
                content: content.trim().to_owned(),
            });
            rest = after;
        }
        parts.push(Part::Prose(rest.to_owned()));
        Ok(Page(parts))
    }

    pub(super) fn commands(&self) -> Vec<String> {
        let command = |part: &Part| match part {
            Part::Prose(_) => None,
            Part::Block { command, .. } => Some(command.clone()),
        };
        self.0.iter().filter_map(command).collect()
    }

    pub(super) fn fill(&mut self, name: &str, text: &str) {
        for part in &mut self.0 {
            if let Part::Block { command, content } = part
                && command == name
            {
                text.clone_into(content);
            }
        }
    }

    /// A cell of a table in a block: of the row whose first cells these are, in the column with
    /// this heading.
    pub(super) fn cell(&self, name: &str, row: &str, column: &str) -> Option<&str> {
        let content = self.0.iter().find_map(|part| match part {
            Part::Block { command, content } if command == name => Some(content),
            _ => None,
        })?;
        let start = format!("| {row} |");
        let mut heading: Vec<&str> = Vec::new();
        let mut before = "";
        for line in content.lines() {
            if line.starts_with("|---") {
                heading = cells(before);
            } else if line.starts_with(&start)
                && let Some(index) = heading.iter().position(|cell| *cell == column)
            {
                return cells(line).get(index).copied();
            }
            before = line;
        }
        None
    }
}

impl Display for Page {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Part::Prose(text) => out.write_str(text)?,
                Part::Block { command, content } => {
                    write!(out, "{OPEN}{command}{CLOSE}\n{content}\n{END}")?;
                }
            }
        }
        Ok(())
    }
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    line.split('|').map(str::trim).collect()
}

/// The tables of what a bench printed, each after an empty line. Other lines are for those who
/// watch it.
pub(super) fn tables(printed: &str) -> String {
    let mut text = String::new();
    let mut is_inside = false;
    for line in printed.lines() {
        let is_row = line.starts_with('|');
        if is_row {
            text.push_str(line);
            text.push('\n');
        } else if is_inside {
            text.push('\n');
        }
        is_inside = is_row;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Page\n\n<!-- bench one -->\nold\n<!-- end of bench -->\n\nWords.\n\
                        <!-- bench two --big -->\n| a | b |\n|---|---:|\n| x | 1 |\n\
                        \n| a | c |\n|---|---|\n| x | y | 2 |\n| x2 | 3 |\n\
                        <!-- end of bench -->\n";

    #[test]
    fn blocks_are_filled_and_the_rest_is_left_alone() {
        let mut page = Page::parse(TEXT).ok().unwrap();
        assert_eq!(page.to_string(), TEXT);
        assert_eq!(page.commands(), ["one", "two --big"]);
        page.fill("one", "new");
        assert_eq!(page.to_string(), TEXT.replace("old", "new"));
        assert!(Page::parse("<!-- bench one -->\n| 1 |").is_err());
    }

    #[test]
    fn cells_are_found_by_row_and_column() {
        let page = Page::parse(TEXT).ok().unwrap();
        let cell = |row, column| page.cell("two --big", row, column);
        assert_eq!(cell("x", "b"), Some("1"));
        assert_eq!(cell("x2", "c"), Some("3"));
        assert_eq!(cell("x", "d"), None);
        assert_eq!(cell("z", "b"), None);
        assert_eq!(page.cell("three", "x", "b"), None);
    }

    #[test]
    fn only_tables_are_kept() {
        let printed = "a pad of 7\n\n| a |\n|---|\n| 1 |\ndone\n| b |\n|---|\n";
        assert_eq!(tables(printed), "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n");
    }
}
