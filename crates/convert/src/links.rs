//! Links: which URLs are followed, and what of a line is a link.
//!
//! A URL leaves a pad, in whatever format, only if [`is_safe`] says so; otherwise the text stays
//! without a link. `web/src/document/links.ts` has the same rule, and both are held to
//! `fixtures/convert/links.json`.

use std::ops::Range;
use std::rc::Rc;

use crate::html::find_urls;

/// Longer ones are no addresses.
const LONGEST: usize = 2_000;

/// Whether a link may lead there: to the web, to a mailbox or telephone, or to a path of the
/// service itself.
pub fn is_safe(url: &str) -> bool {
    let has_space = |c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}';
    if url.encode_utf16().count() > LONGEST || url.contains(has_space) {
        return false;
    }
    // A second slash, or the backslash that browsers take for one, would name another server.
    if let Some(path) = url.strip_prefix('/') {
        return !path.starts_with(['/', '\\']);
    }
    let Some((scheme, rest)) = url.split_once(':') else {
        return false;
    };
    match &*scheme.to_ascii_lowercase() {
        "http" | "https" => {
            let host = rest.strip_prefix("//").unwrap_or_default();
            !host.is_empty() && !host.starts_with(['/', '\\', '?', '#'])
        }
        "mailto" | "tel" => !rest.is_empty(),
        _ => false,
    }
}

/// The URL in the value of a link's attribute, in any spelling of the plugins, if it is safe.
pub(crate) fn of_value(value: &str) -> Option<&str> {
    let value = value.strip_prefix("url-").unwrap_or(value);
    // Written twice by one of them.
    let half = value.len() / 2;
    let twice = value
        .get(..half)
        .zip(value.get(half + 1..))
        .filter(|(first, second)| first == second && value.as_bytes().get(half) == Some(&b','));
    let url = twice.map_or(value, |(first, _)| first);
    is_safe(url).then_some(url)
}

/// The URL that a file links to, if it is safe.
pub(crate) fn of_file(address: &str) -> Option<Rc<str>> {
    let address = address.trim();
    is_safe(address).then(|| Rc::from(address))
}

/// The scheme that an address in text lacks: people leave it out, and without one a link would lead
/// to a path beside the file.
pub(crate) fn missing_scheme(address: &str) -> &'static str {
    if address.starts_with("www.") {
        "https://"
    } else {
        ""
    }
}

/// Whether text is a link to the address without saying so. Files of others, and ours of earlier
/// releases, have `http` for what starts with `www.`.
pub(crate) fn is_written_out(text: &str, address: &str) -> bool {
    let mut schemes = ["https://", "http://"].into_iter();
    let is_www = text.starts_with("www.")
        && schemes.any(|scheme| address.strip_prefix(scheme) == Some(text));
    if text != address && !is_www {
        return false;
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    find_urls(&units).first() == Some(&(0..units.len()))
}

/// A link in a line.
pub(crate) struct Link {
    pub range: Range<usize>,
    /// For text that names an address; `None` if it is one itself.
    pub address: Option<Rc<str>>,
}

/// The links of a line, in order: those that have a name, which come in order and apart, and
/// between them the addresses in the text.
pub(crate) fn in_line(text: &[u16], named: Vec<Link>) -> Vec<Link> {
    let is_free = |url: &Range<usize>| {
        let after = named.partition_point(|link| link.range.end <= url.start);
        named
            .get(after)
            .is_none_or(|link| link.range.start >= url.end)
    };
    let bare: Vec<Link> = find_urls(text)
        .into_iter()
        .filter(is_free)
        .map(|range| Link {
            range,
            address: None,
        })
        .collect();
    let mut links = named;
    links.extend(bare);
    links.sort_by_key(|link| link.range.start);
    links
}

/// The stretches of a line that have a name, from those of its runs.
pub(crate) fn named(runs: impl Iterator<Item = (usize, Option<Rc<str>>)>) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let mut at = 0;
    for (chars, address) in runs {
        let range = at..at + chars;
        at = range.end;
        match links.last_mut() {
            _ if address.is_none() => {}
            Some(last) if last.range.end == range.start && last.address == address => {
                last.range.end = range.end;
            }
            _ => links.push(Link { range, address }),
        }
    }
    links
}
