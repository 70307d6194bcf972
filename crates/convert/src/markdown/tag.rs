//! One tag of HTML inside Markdown.

/// Attributes of a tag that are looked at.
const ATTRIBUTES: usize = 16;

/// The name of a tag in lower case, and its attributes.
pub(super) fn parse_tag(html: &str) -> (String, Vec<(String, String)>) {
    let tag = html.trim_start_matches('<').trim_start_matches('/');
    let tag = tag.trim_end_matches('>').trim_end_matches('/');
    let end = tag.find(|c: char| c.is_whitespace()).unwrap_or(tag.len());
    let (name, mut rest) = tag.split_at(end);
    let mut attributes = Vec::new();
    while attributes.len() < ATTRIBUTES {
        rest = rest.trim_start();
        let Some((key, after)) = rest.split_once('=') else {
            break;
        };
        // Those without a value may stand before it.
        let key = key.split_whitespace().next_back().unwrap_or_default();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, next) = match quote {
            Some(quote) => {
                let inside = after.get(1..).unwrap_or_default();
                inside.split_once(quote).unwrap_or((inside, ""))
            }
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        rest = next;
        let value = value.replace("&quot;", "\"").replace("&amp;", "&");
        attributes.push((key.to_ascii_lowercase(), value));
    }
    (name.to_ascii_lowercase(), attributes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_names_and_attributes() {
        let pair = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        for (html, name, attributes) in [
            ("<u>", "u", vec![]),
            ("</U>", "u", vec![]),
            ("<br/>", "br", vec![]),
            ("<br />", "br", vec![]),
            (
                "<span class=\"a b\" hidden STYLE='c: d' x=y>",
                "span",
                vec![("class", "a b"), ("style", "c: d"), ("x", "y")],
            ),
            ("<a href=\"b&amp;c\">", "a", vec![("href", "b&c")]),
            ("<a href=\"", "a", vec![("href", "")]),
        ] {
            let attributes = attributes.into_iter().map(pair).collect();
            assert_eq!(parse_tag(html), (name.to_owned(), attributes), "{html}");
        }
    }
}
