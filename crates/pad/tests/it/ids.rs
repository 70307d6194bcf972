//! Names: what is cleaned, what is refused.

use pad::{AuthorId, GroupId, PadId, SessionId, WindowId, clean_text};

#[test]
fn names_of_new_pads_are_cleaned() {
    let long = "x".repeat(50);
    let too_long = "x".repeat(51);
    for (input, expected) in [
        ("notes", Some("notes")),
        ("my \t notes", Some("my_notes")),
        ("a::b:c", Some("a_b_c")),
        (" : ", Some("___")),
        ("日本語", Some("日本語")),
        ("g.0123456789abcdef$a b", Some("g.0123456789abcdef$a_b")),
        (long.as_str(), Some(long.as_str())),
        (too_long.as_str(), None),
        ("", None),
        ("a$b", None),
        ("g.short$b", None),
        ("g.0123456789abcdef$", None),
        ("g.0123456789abcdef$a$b", None),
        ("bell\u{7}", None),
        // Persian and family emoji need these two, and they turn nothing.
        ("a\u{200c}b\u{200d}c", Some("a\u{200c}b\u{200d}c")),
        ("invoice\u{202e}fdp.exe", None),
        ("left\u{200e}", None),
        ("\u{61c}mark", None),
        ("g.0123456789abcdef$\u{2066}isolate\u{2069}", None),
    ] {
        let found = PadId::for_new(input);
        assert_eq!(found.as_ref().map(PadId::as_str), expected, "{input:?}");
    }
}

#[test]
fn pads_that_have_odd_names_already_are_found_by_them() {
    for name in ["invoice\u{202e}fdp.exe", "bell\u{7}"] {
        assert_eq!(PadId::parse(name).unwrap().as_str(), name);
    }
}

#[test]
fn a_group_pad_knows_its_group() {
    let group = GroupId::parse("g.0123456789abcdef").unwrap();
    let pad = PadId::in_group(&group, "plan").unwrap();
    assert_eq!(pad.as_str(), "g.0123456789abcdef$plan");
    assert_eq!(pad.group(), Some(group));
    assert_eq!(PadId::parse("plan").unwrap().group(), None);
}

#[test]
fn names_in_lower_case_leave_the_group_alone() {
    let lower = |text: &str| PadId::parse(text).unwrap().in_lower_case().into_string();
    assert_eq!(lower("ÜBER_Uns"), "über_uns");
    assert_eq!(lower("g.0123456789ABCDEF$Plan"), "g.0123456789ABCDEF$plan");
    // Each of these letters is two in lower case, which would be too long a name.
    let long = "İ".repeat(50);
    assert_eq!(lower(&long), long);
}

#[test]
fn random_ids_have_the_form_of_the_contract() {
    for entropy in [0, 1, 61, 62, u128::MAX] {
        let id = AuthorId::random(entropy);
        assert_eq!(id.as_str().len(), 18);
        assert_eq!(AuthorId::parse(id.as_str()), Some(id));
        let id = SessionId::random(entropy);
        assert_eq!(SessionId::parse(id.as_str()), Some(id));
    }
    assert_ne!(AuthorId::random(1), AuthorId::random(2));
    assert_eq!(AuthorId::parse("notanauthor"), None);
    assert_eq!(AuthorId::parse("a."), None);
    assert_eq!(AuthorId::parse("a.x,y"), None);
}

#[test]
fn texts_get_one_kind_of_line_end_and_no_tabs() {
    let clean = |text: &str| clean_text(&changeset::Text::from(text)).to_string();
    assert_eq!(clean("x\r\ny\rz\n\r\n"), "x\ny\nz\n\n");
    assert_eq!(clean("a\tb"), "a        b");
    assert_eq!(clean("\u{a0}\u{0}\u{b}😀"), "\u{a0}\u{0}\u{b}😀");
}

#[test]
fn windows_have_short_names_and_tags_that_stay() {
    let long = "x".repeat(41);
    for refused in ["", "a b", "ä", "a-b", long.as_str()] {
        assert_eq!(WindowId::parse(refused), None, "{refused:?}");
    }
    let tag = |name: &str| WindowId::parse(name).unwrap().tag();
    // Nodes of several releases compare them.
    assert_eq!(
        [tag("a"), tag("page1"), tag(&long[1..])],
        [797_357, 7_405_050, 3_035_254]
    );
    let mut tags: Vec<u32> = (0..1_000).map(|it| tag(&format!("page{it}"))).collect();
    assert!(tags.iter().all(|tag| (1..1 << 23).contains(tag)));
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), 1_000);
}
