//! HTML of hand-made documents and pages. The recorded ones are in `vectors`.

use changeset::{Document, Pool, Text};
use convert::Limits;
use convert::html::{body, get_html, page, read};
use proptest::prelude::*;

use crate::data::styled;

fn read_text(html: &str) -> String {
    let runs = read(html, &Limits::default()).unwrap();
    runs.iter().map(|run| run.text.to_string()).collect()
}

/// The runs of a page, attributes as `key=value`.
fn read_runs(html: &str) -> Vec<(String, String)> {
    let runs = read(html, &Limits::default()).unwrap();
    let runs = runs.iter().map(|run| {
        let attributes = run.attributes.iter();
        let pairs: Vec<String> = attributes
            .map(|attribute| format!("{}={}", attribute.key, attribute.value))
            .collect();
        (run.text.to_string(), pairs.join(" "))
    });
    runs.collect()
}

#[test]
fn a_page_ends_where_it_ends() {
    for (html, text) in [
        ("", ""),
        ("<p>a</p>", "a\n"),
        ("a", "a\n"),
        ("a<br>", "a\n"),
        ("<p></p>", "\n"),
        ("<p>a</p><p></p>", "a\n\n"),
        ("<p>a</p><br>", "a\n\n"),
        ("<ul><li>a</li></ul>", "*a\n"),
        ("<ul><li></li></ul>", "*\n"),
    ] {
        assert_eq!(read_text(html), text, "{html}");
    }
}

#[test]
fn white_space_that_does_not_show_is_not_read() {
    for (html, text) in [
        ("<p> a <b> b </b> c </p>", "a b c\n"),
        ("<span>a </span><span> b</span>", "a b\n"),
        ("<span>a</span> <span>b</span>", "a b\n"),
        ("<b></b> a", "a\n"),
        ("a <!-- c --> b", "a b\n"),
        ("a <img> b", "a  b\n"),
        ("a <br> b", "a\nb\n"),
        ("a <i hidden>x</i><p>b</p>", "ax\nb\n"),
        ("<pre>\n\n a\n\n  b\n</pre>", " a\n\n  b\n"),
        ("<pre>a\tb</pre>", "a        b\n"),
        ("<nobr>a  b</nobr>", "a b\n"),
        (
            "<table><tr><td nowrap> a </td><td> b </td></tr></table>",
            " a b\n",
        ),
        (
            "x<script> if (a < b) c() </script>y<style>p {}</style>z",
            "xyz\n",
        ),
        ("<title>t</title>a", "a\n"),
        ("<template>t</template>a", "a\n"),
        ("<noscript>n</noscript>a", "na\n"),
        ("<plaintext>a</p>", "a</p>\n"),
        ("<iframe>a&lt;</iframe>", "a&lt;\n"),
    ] {
        assert_eq!(read_text(html), text, "{html}");
    }
}

#[test]
fn styles_are_read_from_tags_and_from_css() {
    for (html, style) in [
        ("<b>a</b>", "bold"),
        ("<u>a</u>", "underline"),
        ("<ins>a</ins>", "underline"),
        ("<p style='color: red; FONT-WEIGHT:bold'>a</p>", "bold"),
        (
            "<p style='text-decoration:\tline-through'>a</p>",
            "strikethrough",
        ),
    ] {
        let expected = [("a", format!("{style}=true")), ("\n", String::new())];
        let expected = expected.map(|(text, style)| (text.to_owned(), style));
        assert_eq!(read_runs(html), expected, "{html}");
    }
    for html in [
        "<strike>a</strike>",
        "<p style='font-weight: 700'>a</p>",
        "<p style='font-weight: bolder'>a</p>",
        "<p style='xfont-weight: bold'>a</p>",
        "<h1>a</h1>",
    ] {
        assert_eq!(
            read_runs(html),
            [("a\n".to_owned(), String::new())],
            "{html}"
        );
    }
}

#[test]
fn items_without_a_list_and_symbols_of_office_programs() {
    let marker = |list: &str| format!("insertorder=first list={list} lmkr=1");
    assert_eq!(
        read_runs("<li>a</li>b"),
        [
            ("*".to_owned(), marker("bullet1")),
            ("a\nb\n".to_owned(), String::new()),
        ]
    );
    assert_eq!(
        read_text("<ul><li><span class='Bullet_20_Symbols'>o</span>a</li></ul>"),
        "*a\n"
    );
    assert_eq!(
        read_runs("<ul><ul class='indent'><li>a</li></ul></ul>")[0],
        ("*".to_owned(), marker("indent2"))
    );
}

#[test]
fn long_lines_are_broken_between_characters() {
    let text = read_text(&"x".repeat(4_500));
    let lengths: Vec<usize> = text.lines().map(str::len).collect();
    assert_eq!(lengths, [2_000, 2_000, 500]);
    let text = read_text(&format!("x{}", "😀".repeat(1_500)));
    let lengths: Vec<usize> = text
        .lines()
        .map(|line| line.encode_utf16().count())
        .collect();
    assert_eq!(lengths, [1_999, 1_002]);
}

#[test]
fn text_cannot_become_markup() {
    let hostile = "</title><script>alert('1')</script> \"&amp; http://x/\"'<b>\n";
    let (document, pool) = styled(&[(hostile, "bold=true")]);
    for html in [
        body(&document, &pool),
        get_html(&document, &pool),
        page(hostile, &document, &pool),
    ] {
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains("'1'"), "{html}");
    }
    let (document, pool) = styled(&[("*", "list=\"><script>x1"), ("a\n", "")]);
    assert_eq!(body(&document, &pool), "<ul class=\"x\"><li>a</ul>");
}

#[test]
fn half_a_surrogate_pair_is_a_number() {
    let half = Text::from([0x61, 0xd83d, 0x0a].as_slice());
    let html = body(&Document::plain(&half), &Pool::new());
    assert_eq!(html, "a&#55357;<br>");
}

#[test]
fn a_page_of_its_own_has_its_title_once() {
    let (document, pool) = styled(&[("a\n", "")]);
    let page = page("my <pad>", &document, &pool);
    assert!(page.starts_with("<!doctype html>\n<html"));
    assert!(page.contains("<title>my &lt;pad&gt;</title>"));
    assert!(page.contains("content=\"padsvc\""));
    assert!(page.contains("\n<body>\na<br>\n</body>\n"));
    assert_eq!(
        get_html(&document, &pool),
        "<!DOCTYPE HTML><html><body>a<br></body></html>"
    );
}

/// Lines that HTML can say: text without tabs and control characters, no empty list items, and none
/// that starts with a blank, which comes back as one that does not break.
fn arb_line() -> impl Strategy<Value = Vec<(String, String)>> {
    let list = prop_oneof![
        3 => Just(None),
        2 => (prop_oneof!["bullet", "number", "indent"], 1usize..=16).prop_map(Some),
    ];
    let style =
        prop::sample::subsequence(vec!["bold", "italic", "strikethrough", "underline"], 0..=4);
    let style = style.prop_map(|keys| {
        let pairs: Vec<String> = keys.iter().map(|key| format!("{key}=true")).collect();
        pairs.join(" ")
    });
    let text = "[a-z &<>\"'/é漢😀]{1,8}|http://a\\.b/c|www\\.x ";
    (list, prop::collection::vec((text, style), 0..4)).prop_map(|(list, runs)| {
        let starts_well = runs.first().is_some_and(|(text, _)| !text.starts_with(' '));
        let marker = list.filter(|_| starts_well).map(|(kind, level)| {
            let attributes = format!("insertorder=first list={kind}{level} lmkr=1");
            ("*".to_owned(), attributes)
        });
        let newline = ("\n".to_owned(), String::new());
        marker.into_iter().chain(runs).chain([newline]).collect()
    })
}

/// The attributes of every unit, without the numbers of items, which HTML counts by itself.
fn units(runs: &[(String, String)]) -> Vec<(u16, String)> {
    let mut units = Vec::new();
    for (text, attributes) in runs {
        let kept: Vec<&str> = attributes
            .split_whitespace()
            .filter(|pair| !pair.starts_with("start="))
            .collect();
        units.extend(text.encode_utf16().map(|unit| (unit, kept.join(" "))));
    }
    units
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(lines in prop::collection::vec(arb_line(), 1..12)) {
        let runs: Vec<(String, String)> = lines.into_iter().flatten().collect();
        let borrowed: Vec<_> = runs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let (document, pool) = styled(&borrowed);
        let html = get_html(&document, &pool);
        prop_assert_eq!(units(&read_runs(&html)), units(&runs), "{}", html);
    }
}
