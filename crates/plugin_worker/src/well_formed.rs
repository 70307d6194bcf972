//! JSON of the engine, made well-formed: half a surrogate pair becomes U+FFFD.
//!
//! JavaScript's strings can hold half a pair, which JSON.stringify writes as an escape, and which
//! no text in Rust can hold. The service would have to refuse the whole message.

/// The JSON with every escape that is half of a pair replaced. The engine writes whole pairs as
/// characters, so such an escape is never followed by its other half.
pub(crate) fn well_formed(json: String) -> String {
    if !json.contains("\\ud") {
        return json;
    }
    let mut fixed = String::with_capacity(json.len());
    let mut rest = json.as_str();
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        fixed.push_str(before);
        if is_half(escape) {
            fixed.push_str("\\ufffd");
            rest = escape.get(6..).unwrap_or_default();
        } else {
            // The second character too: it may be a backslash that is no escape's beginning.
            let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
            let (escape, after) = escape.split_at(length);
            fixed.push_str(escape);
            rest = after;
        }
    }
    fixed.push_str(rest);
    fixed
}

fn is_half(escape: &str) -> bool {
    let digits = escape.strip_prefix("\\u").and_then(|rest| rest.get(..4));
    let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
    unit.is_some_and(|unit| (0xd800..0xe000).contains(&unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_replaced_and_nothing_else() {
        for (json, expected) in [
            (r#""a""#, r#""a""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (
                r#"["\udc00x","\ud800\n\u0001"]"#,
                r#"["\ufffdx","\ufffd\n\u0001"]"#,
            ),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""ä\"😀\ud83dä""#, r#""ä\"😀\ufffdä""#),
        ] {
            let fixed = well_formed(json.to_owned());
            assert_eq!(fixed, expected);
            let value: serde_json::Value = serde_json::from_str(&fixed).unwrap();
            drop(value);
        }
    }
}
