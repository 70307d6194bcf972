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

/// Writes where a link leads, between its brackets.
pub(super) fn push_address(out: &mut String, address: &str) {
    for c in address.chars() {
        if matches!(
            c,
            '\\' | '(' | ')' | '<' | '>' | '&' | '`' | '[' | ']' | '"'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Writes code between more backticks than are in it.
pub(super) fn push_code(out: &mut String, text: &str) {
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default() + 1);
    // A blank on both sides is taken off again.
    let is_padded = text.starts_with('`')
        || text.ends_with('`')
        || (text.starts_with(' ') && text.ends_with(' ') && !text.trim().is_empty());
    let pad = if is_padded { " " } else { "" };
    out.push_str(&format!("{fence}{pad}{text}{pad}{fence}"));
}
