//! What a whole line is: a heading, code, a task, aligned.
//!
//! A line says so with attributes of the marker character at its start, `heading` and `align`, as
//! the extensions that brought them write them. The one table between these and the file formats.

/// What a line is by its `heading`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heading {
    /// From 1, the largest, to 6.
    Level(u8),
    /// Not a heading at all, but a choice beside the levels: text as a computer shows it.
    Code,
}

impl Heading {
    /// The attribute's value, which is the tag as well but for [`Heading::Code`].
    pub(crate) const fn value(self) -> &'static str {
        match self {
            Heading::Level(0 | 1) => "h1",
            Heading::Level(2) => "h2",
            Heading::Level(3) => "h3",
            Heading::Level(4) => "h4",
            Heading::Level(5) => "h5",
            Heading::Level(_) => "h6",
            Heading::Code => "code",
        }
    }

    pub(crate) fn of_value(value: &str) -> Option<Heading> {
        let levels = (1..=6).map(Heading::Level);
        levels
            .chain([Heading::Code])
            .find(|heading| heading.value() == value)
    }

    pub(crate) fn tag(self) -> &'static str {
        match self {
            Heading::Code => "pre",
            level => level.value(),
        }
    }
}

/// The word for tasks among the kinds of lists.
pub(crate) const TASK: &str = "tasklist";

/// The key and value of a task's attribute.
pub(crate) const fn task_key(is_done: bool) -> &'static str {
    if is_done {
        "tasklist-done"
    } else {
        "tasklist-not-done"
    }
}

/// Whether a task is done, by a key of either plugin or a class of its item.
pub(crate) fn task_of_key(key: &str) -> Option<bool> {
    match key {
        "tasklist-done" | "checklist-done" => Some(true),
        "tasklist-not-done" | "checklist-not-done" => Some(false),
        _ => None,
    }
}

/// The keys that make a marker of a line's first character.
pub(crate) const LINE_KEYS: [&str; 9] = [
    "align",
    "checklist-done",
    "checklist-not-done",
    "heading",
    "hr",
    "list",
    "quote",
    "tasklist-done",
    "tasklist-not-done",
];

/// The name of a language, if it is one: it becomes part of a class and of a line of Markdown.
pub(crate) fn language(name: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '.' | '_' | '-');
    let is_name = !name.is_empty() && name.len() <= 32 && name.chars().all(is_plain);
    is_name.then_some(name)
}

/// Where the text of a line stands, if not at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
    Justify,
}

impl Align {
    /// The attribute's value and that of CSS's `text-align`.
    pub(crate) const fn value(self) -> &'static str {
        match self {
            Align::Left => "left",
            Align::Centre => "center",
            Align::Right => "right",
            Align::Justify => "justify",
        }
    }

    /// The value of a DOCX paragraph's `w:jc`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Align::Justify => "both",
            other => other.value(),
        }
    }

    pub(crate) fn of_value(value: &str) -> Option<Align> {
        ALL.into_iter().find(|align| align.value() == value)
    }

    pub(crate) fn of_word(value: &str) -> Option<Align> {
        ALL.into_iter().find(|align| align.word() == value)
    }
}

const ALL: [Align; 4] = [Align::Left, Align::Centre, Align::Right, Align::Justify];
