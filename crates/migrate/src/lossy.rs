//! Detector of dumps whose texts were converted to a character set that lacks their characters.
//!
//! A client that writes Latin-1 or ASCII puts `?` in place of what it cannot write. Then nothing
//! beyond Latin-1 is left in the whole dump, and question marks stand where no question ends:
//! inside words, and as words of their own. Text in a language that needs only Latin-1 has none of
//! the second kind, and any other text has something beyond Latin-1.

/// So many question marks of that kind are taken for wit.
const FEW: u64 = 5;
/// One of so many characters, or more, makes a dump one that has lost its characters.
const ONE_OF: u64 = 200;

#[derive(Debug, Default)]
pub(crate) struct QuestionMarks {
    characters: u64,
    suspicious: u64,
    beyond_latin: bool,
}

impl QuestionMarks {
    /// Takes the record of a pad, as JSON. Only what is not an escape sequence counts: those pass
    /// through any conversion.
    pub(crate) fn add(&mut self, record: &str) {
        self.beyond_latin |= record.chars().any(|character| character > '\u{FF}');
        let mut before = ' ';
        let mut characters = record.chars().peekable();
        while let Some(character) = characters.next() {
            self.characters += 1;
            if character == '?' {
                let mut run = 1;
                while characters.next_if_eq(&'?').is_some() {
                    run += 1;
                }
                self.characters += run - 1;
                let after = characters.peek().copied().unwrap_or(' ');
                if stands_for_something(before, run, after) {
                    self.suspicious += run;
                }
            }
            before = character;
        }
    }

    pub(crate) fn is_lossy(&self) -> bool {
        !self.beyond_latin
            && self.suspicious > FEW
            && self.suspicious.saturating_mul(ONE_OF) >= self.characters
    }
}

/// Not at the end of a sentence, and not the beginning of a query in an address, which comes
/// alone and after something.
fn stands_for_something(before: char, run: u64, after: char) -> bool {
    let is_own_word = before.is_whitespace() || before == '"';
    let is_inside = after.is_alphanumeric() && (run > 1 || before.is_whitespace());
    is_own_word || is_inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_lossy(text: &str) -> bool {
        let mut marks = QuestionMarks::default();
        marks.add(&format!("{{\"atext\":{{\"text\":\"{text}\"}}}}"));
        marks.is_lossy()
    }

    #[test]
    fn converted_texts_are_distinguished_from_questions() {
        let lost = [
            "???? ?? ????, ??????",
            "Stra?e ???? na?ve ?????? and more",
            "a pad about ??? and ????? with \\ud83d half a pair",
        ];
        for text in lost {
            assert!(is_lossy(text), "{text}");
        }
        let kept = [
            "What? Really?? No way???",
            "see https://example.org/?q=1 and http://example.org/a?b=c",
            "caf\u{e9} \u{fc}ber alles?",
            "日本語 ???? ??? ????",
            "?",
            "",
        ];
        for text in kept {
            assert!(!is_lossy(text), "{text}");
        }
    }
}
