//! Text that Markdown would take for something else.

/// Writes text that stands in a line. At its start more characters mean something.
pub(super) fn push_text(out: &mut String, text: &str, at_start: bool) {
    let ordered = at_start.then(|| end_of_number(text)).flatten();
    let chars = text.char_indices().peekable();
    for (at, c) in chars {
        let is_first = at_start && at == 0;
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '|' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '#' | '+' | '-' | '=' | ':' if is_first => {
                out.push('\\');
                out.push(c);
            }
            '.' | ')' if ordered == Some(at) => {
                out.push('\\');
                out.push(c);
            }
            // A carriage return would end the line; others of its kind say nothing.
            '\0' | '\r' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
}

/// Where the number ends that a list item would start with.
fn end_of_number(text: &str) -> Option<usize> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    (digits > 0).then_some(digits)
}

/// Writes white space that Markdown would not keep.
pub(super) fn push_spaces(out: &mut String, spaces: &str) {
    for c in spaces.chars() {
        out.push_str(&format!("&#{};", u32::from(c)));
    }
}
