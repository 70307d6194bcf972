//! The numbers of list items, for formats that write them out.

use crate::lines::List;

/// Counts items level by level. The first one of a list may say where it starts; what the others
/// say is not looked at: it is right only in the editor that wrote it.
#[derive(Default)]
pub(crate) struct Numbers {
    /// For each level from 1 the kind and number of its last item.
    levels: Vec<(String, u32)>,
}

impl Numbers {
    /// The number of a line that comes after all that were asked about.
    pub(crate) fn next(&mut self, list: Option<List<'_>>) -> Number {
        let Some(List { kind, level, start }) = list else {
            self.levels.clear();
            return Number::default();
        };
        let is_deeper = self.levels.len() < level;
        self.levels.truncate(level);
        self.levels.resize_with(level, Default::default);
        let Some((last_kind, number)) = self.levels.last_mut() else {
            return Number::default();
        };
        let is_first = is_deeper || last_kind != kind;
        if is_first {
            kind.clone_into(last_kind);
            *number = start.unwrap_or(1);
        } else {
            *number = number.saturating_add(1);
        }
        Number {
            value: *number,
            is_first,
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Number {
    pub value: u32,
    /// Whether a list starts with this item.
    pub is_first: bool,
}
