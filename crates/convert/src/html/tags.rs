//! Counting the attributes of tags before the parser sees them.
//!
//! The parser compares each attribute of a tag with all before it, so a tag with a hundred thousand
//! of them would keep it busy for minutes. Where tags are can only be told by parsing (a `<` may
//! stand in a script or a comment), so every `<` that could start a tag is followed, all at once:
//! for each state that a reader of tags can be in, the most attributes seen on any way into it.
//! That never counts too few, and takes one pass. Where it counts too many, that is text with
//! thousands of words after a `<` and no `>`.

/// Where a reader is in a tag.
#[derive(Clone, Copy)]
enum State {
    /// Between attributes.
    Between,
    /// In a name, that of the tag included.
    Name,
    /// After `=`, before the value.
    BeforeValue,
    Unquoted,
    DoubleQuoted,
    SingleQuoted,
}

const STATES: [State; 6] = [
    State::Between,
    State::Name,
    State::BeforeValue,
    State::Unquoted,
    State::DoubleQuoted,
    State::SingleQuoted,
];

/// For each state the most attributes on any way into it; 0 if there is none.
type Counts = [u32; STATES.len()];

pub(super) fn has_tag_with_more_attributes(html: &[u8], limit: u32) -> bool {
    let mut counts = Counts::default();
    for (at, &byte) in html.iter().enumerate() {
        if counts != Counts::default() {
            counts = step(&counts, byte);
        }
        let next = html.get(at + 1);
        if byte == b'<' && next.is_some_and(|next| next.is_ascii_alphabetic() || *next == b'/') {
            raise(&mut counts, State::Name, 1);
        }
        if counts.iter().any(|&count| count > limit) {
            return true;
        }
    }
    false
}

fn raise(counts: &mut Counts, state: State, count: u32) {
    if let Some(known) = counts.get_mut(state as usize) {
        *known = count.max(*known);
    }
}

fn step(counts: &Counts, byte: u8) -> Counts {
    let mut next = Counts::default();
    for (state, &count) in STATES.into_iter().zip(counts) {
        if count == 0 {
            continue;
        }
        let space = byte.is_ascii_whitespace();
        match (state, byte) {
            (State::DoubleQuoted, b'"') | (State::SingleQuoted, b'\'') => {
                raise(&mut next, State::Between, count);
            }
            (State::DoubleQuoted | State::SingleQuoted, _) => raise(&mut next, state, count),
            (_, b'>') => {}
            (State::Between, b'=') => {
                // Either the name before has a value after all, or a name starts with this.
                raise(&mut next, State::BeforeValue, count);
                raise(&mut next, State::Name, count + 1);
            }
            (State::Between, _) if space || byte == b'/' => raise(&mut next, state, count),
            (State::Between, _) => raise(&mut next, State::Name, count + 1),
            (State::Name, b'=') => raise(&mut next, State::BeforeValue, count),
            (State::Name, b'/') => raise(&mut next, State::Between, count),
            (State::BeforeValue, b'"') => raise(&mut next, State::DoubleQuoted, count),
            (State::BeforeValue, b'\'') => raise(&mut next, State::SingleQuoted, count),
            (State::BeforeValue, _) if space => raise(&mut next, state, count),
            (State::BeforeValue, _) => raise(&mut next, State::Unquoted, count),
            (State::Name | State::Unquoted, _) if space => {
                raise(&mut next, State::Between, count);
            }
            (State::Name | State::Unquoted, _) => raise(&mut next, state, count),
        }
    }
    next
}
