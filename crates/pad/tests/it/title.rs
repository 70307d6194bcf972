//! Titles of pads.

use pad::limits::TITLE;
use pad::{Title, TitleTooLong, readable};

#[test]
fn a_title_is_one_line() {
    let cases = [
        ("Notes", Some("Notes")),
        ("", None),
        (" \t\r\n ", None),
        ("\u{0}\u{7}\u{202e}", None),
        ("  Team   notes \n of\tMay ", Some("Team notes of May")),
        ("a\u{0}b\u{1b}c\u{85}d", Some("abc d")),
        // It cannot be made to look like another one.
        ("pay \u{202e}ecila", Some("pay ecila")),
        ("<b>&amp;</b>", Some("<b>&amp;</b>")),
        ("𝒯itel ملاحظات 会議", Some("𝒯itel ملاحظات 会議")),
    ];
    for (text, expected) in cases {
        let title = Title::parse(text).unwrap();
        assert_eq!(title.as_ref().map(Title::as_str), expected, "{text:?}");
        assert_eq!(Title::cut(text), title, "{text:?}");
    }
}

#[test]
fn a_title_is_short() {
    // Units, not characters: this one has two.
    let longest = "𝒯".repeat(TITLE / 2);
    let title = Title::parse(&longest).unwrap().unwrap();
    assert_eq!(title.as_str(), longest);
    let longer = format!("{longest}!");
    assert_eq!(Title::parse(&longer), Err(TitleTooLong));
    assert_eq!(Title::cut(&longer), Some(title));
    assert_eq!(Title::parse(&" ".repeat(1 << 20)), Err(TitleTooLong));
    assert_eq!(Title::cut(&" ".repeat(1 << 20)), None);
    // What is cut ends in no blank.
    let blank = format!("{} !", "x".repeat(TITLE - 1));
    assert_eq!(Title::cut(&blank).unwrap().as_str(), "x".repeat(TITLE - 1));
}

#[test]
fn an_address_is_made_readable() {
    let cases = [
        ("notes", "notes"),
        ("team_notes-2026", "team notes 2026"),
        ("__Team--notes_", "Team notes"),
        ("Caf%C3%A9_Treffen", "Café Treffen"),
        ("50%25_off%", "50% off%"),
        // No text, no line.
        ("odd%FFname", "odd%FFname"),
        ("two%0Alines%00", "two lines"),
        ("g.s8oes9dhwrvt0zif$weekly_minutes", "weekly minutes"),
        ("g.s8oes9dhwrvt0zif$_", "_"),
        ("r.s8oes9dhwrvt0zif", "r.s8oes9dhwrvt0zif"),
        ("---", "---"),
        ("会議_ملاحظات", "会議 ملاحظات"),
    ];
    for (address, expected) in cases {
        assert_eq!(readable(address), expected, "{address}");
        assert_eq!(Title::shown(None, address), expected);
    }
    let title = Title::parse("Minutes").unwrap();
    assert_eq!(Title::shown(title.as_ref(), "team_notes"), "Minutes");
}
