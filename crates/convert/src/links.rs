//! Imported hyperlinks: a pad has no link attribute, so the URL is appended to the link text.

/// The text to append to a link: its URL, unless the text has it or the URL leads nowhere from a
/// pad.
pub(crate) fn written_out(text: &str, address: &str) -> Option<String> {
    let address = address.trim();
    let leads_somewhere = ["http://", "https://", "mailto:"].iter().any(|scheme| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let is_one_word = !address.contains(|c: char| c.is_whitespace() || c.is_control());
    if !leads_somewhere || !is_one_word || bare(text.trim()) == bare(address) {
        return None;
    }
    if text.trim().is_empty() {
        Some(address.to_owned())
    } else {
        Some(format!(" ({address})"))
    }
}

/// An address without what people leave out.
fn bare(address: &str) -> &str {
    let schemes = ["https://", "http://", "mailto:"];
    let bare = schemes
        .iter()
        .find_map(|scheme| address.strip_prefix(scheme));
    bare.unwrap_or(address).trim_end_matches('/')
}
