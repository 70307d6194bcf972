//! `var/log/update.log`: what updates did, line by line, for later.
//!
//! Nothing depends on it: a line that cannot be written is lost.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::owner::now;

/// A file of this size is put away.
const FULL: u64 = 10 * 1024 * 1024;
/// So many are kept.
const KEPT: u32 = 5;
const LONGEST_LINE: usize = 2_000;

pub struct Journal {
    path: PathBuf,
    /// Lines are written one after the other.
    writing: Mutex<()>,
}

impl Journal {
    pub fn new(path: PathBuf) -> Journal {
        Journal {
            path,
            writing: Mutex::new(()),
        }
    }

    pub fn line(&self, text: &str) {
        let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let shown: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(LONGEST_LINE)
            .collect();
        let _ = self.append(&format!("[{:.3}] {shown}\n", now()));
    }

    fn append(&self, line: &str) -> std::io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        if fs::metadata(&self.path).is_ok_and(|file| file.len() >= FULL) {
            for number in (1..KEPT).rev() {
                let _ = fs::rename(self.numbered(number), self.numbered(number + 1));
            }
            fs::rename(&self.path, self.numbered(1))?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.append(true).create(true).open(&self.path)?;
        file.write_all(line.as_bytes())
    }

    fn numbered(&self, number: u32) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }

    /// The last lines, without a line end behind the last; also from the file that was just put
    /// away.
    pub fn tail(&self, count: usize) -> String {
        let mut lines = end_of(&self.path, count);
        if lines.len() < count {
            let mut older = end_of(&self.numbered(1), count - lines.len());
            older.append(&mut lines);
            lines = older;
        }
        lines.join("\n")
    }
}

fn end_of(path: &Path, count: usize) -> Vec<String> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let most = (count * (LONGEST_LINE + 64) * 4) as u64;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.len().saturating_sub(count);
    let last = lines.into_iter().skip(first);
    last.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal(name: &str) -> (PathBuf, Journal) {
        let folder = std::env::temp_dir().join(format!("padsvc-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        (folder.clone(), Journal::new(folder.join("log/update.log")))
    }

    #[test]
    fn the_last_lines_are_shown_also_over_two_files() {
        let (folder, journal) = journal("journal-tail");
        assert_eq!(journal.tail(200), "");
        for number in 0..250 {
            journal.line(&format!("line {number}\nwith two"));
        }
        let tail = journal.tail(200);
        assert_eq!(tail.lines().count(), 200);
        assert!(tail.lines().next().unwrap().ends_with("line 50 with two"));
        fs::rename(&journal.path, journal.numbered(1)).unwrap();
        journal.line("new");
        let tail = journal.tail(200);
        assert_eq!(tail.lines().count(), 200);
        assert!(tail.ends_with("new"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn full_files_are_put_away_and_five_are_kept() {
        let (folder, journal) = journal("journal-rotation");
        journal.line("first");
        for _ in 0..7 {
            let file = OpenOptions::new().append(true).open(&journal.path).unwrap();
            file.set_len(FULL).unwrap();
            journal.line("next");
        }
        let count = fs::read_dir(folder.join("log")).unwrap().count();
        assert_eq!(count, 1 + KEPT as usize);
        assert!(fs::metadata(&journal.path).unwrap().len() < 100);
        assert!(journal.numbered(KEPT).exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
