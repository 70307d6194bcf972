//! Pages that are made to cost time, memory or the process.

use convert::html::read_shown;
use convert::html::{find_urls, read};
use convert::{Error, Limits};
use proptest::prelude::*;

fn outcome(html: &str) -> Result<usize, Error> {
    read(html, &Limits::default()).map(|runs| runs.len())
}

#[test]
fn nesting_is_bounded_however_it_comes_about() {
    for open in [
        "<div>",
        "<b id=1>",
        "<ul><li>",
        "<table><tr><td>",
        "<svg>",
        "<math><mi>",
        "<template>",
        "<object>",
        "<select><div>",
        "<frameset>",
    ] {
        let html = open.repeat(100_000);
        assert_eq!(outcome(&html), Err(Error::TooDeep), "{open}");
    }
    assert!(outcome(&"<div>".repeat(200)).is_ok());
}

#[test]
fn tags_that_end_by_themselves_are_not_nesting() {
    for unit in ["<p>a", "<li>a", "<br>", "<option>a", "<tr>", "<p><b>a</b>"] {
        assert!(outcome(&unit.repeat(20_000)).is_ok(), "{unit}");
    }
}

#[test]
fn input_beyond_the_limit_is_refused() {
    let limits = Limits {
        bytes: 10,
        ..Limits::default()
    };
    assert_eq!(read("12345678901", &limits).unwrap_err(), Error::TooLarge);
    assert!(read("1234567890", &limits).is_ok());
}

#[test]
fn a_tag_with_very_many_attributes_is_refused() {
    let many: String = (0..100_000).map(|n| format!(" a{n}")).collect();
    let quoted: String = (0..100_000).map(|n| format!(" a{n}='>'")).collect();
    for html in [
        format!("<p{many}>x"),
        format!("</p{many}>x"),
        format!("<p{quoted}>x"),
        format!("<!-- <i \" --><p{many}>x"),
        format!("<p{}>x", many.replace(' ', "/")),
        format!("<p a=b{}>x", many.replace(' ', " = ")),
    ] {
        assert_eq!(outcome(&html), Err(Error::TooComplex));
    }
    // A large image is one attribute.
    let image = "iVBOR/w0+KGgo".repeat(100_000);
    assert!(outcome(&format!("<img src=\"data:image/png;base64,{image}\">x")).is_ok());
    let script = "if (a < b && b<c) { x = () => \"word\"; }\n".repeat(10_000);
    assert!(outcome(&format!("<script>{script}</script>x")).is_ok());
}

#[test]
fn unclosed_tags_are_not_repeated_without_end() {
    let open: String = (0..200).map(|n| format!("<b id={n}>")).collect();
    let html = format!("<p>{open}</p>{}", "<p>x".repeat(100_000));
    assert_eq!(outcome(&html), Err(Error::TooComplex));
    let class = "x".repeat(100_000);
    let html = format!("<p><b class={class}></p>{}", "<p>x".repeat(10_000));
    assert_eq!(outcome(&html), Err(Error::TooComplex));
    // What people write is not that.
    let html = format!("<p><font><b><i>{}", "<p>x".repeat(10_000));
    assert!(outcome(&html).is_ok());
}

#[test]
fn many_siblings_take_time_in_proportion() {
    for unit in [
        "<b></b>", "<b> </b>", " <i></i>", "<table>x", "a<td>", "</p>", "</b>", "&amp",
    ] {
        assert!(outcome(&unit.repeat(20_000)).is_ok(), "{unit}");
    }
    let url = "http://www.tel:".repeat(100_000);
    assert_eq!(find_urls(&url.encode_utf16().collect::<Vec<_>>()).len(), 1);
}

/// Pieces of pages, whole and broken.
fn arb_html() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(
            "<p> </p> <div> </div> <b> </b> <i> </i> <u> <a href=x> </a> <ul> </ul> <ol> </ol>
             <li> </li> <br> <pre> </pre> <table> </table> <tr> <td> <td~nowrap> <caption>
             <select> <option> <template> </template> <script> </script> <style> </style> <svg>
             </svg> <math> <mi> <annotation-xml> <foreignObject> <title> <textarea> <plaintext>
             <xmp> <frameset> <body> <html> <head> <form> </form> <button> <nobr> <iframe> <!--
             --> <!DOCTYPE~html> <![CDATA[ ]]> </ < > & &amp; &nbsp; &#xd800; &#0; &#x10ffff;
             <ul~class=list-number3> <p~style=font-weight:bold~hidden> <image> <input>"
                .split_ascii_whitespace()
                .map(|piece| piece.replace('~', " "))
                .collect::<Vec<_>>(),
        ),
        2 => "[ \\t\\n\\r\\x0ca-z]{0,5}",
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_page_does_any_harm(html in arb_html()) {
        if let Ok(runs) = read(&html, &Limits::default()) {
            let text: Vec<u16> = runs.iter().flat_map(|run| run.text.iter().copied()).collect();
            prop_assert!(text.last().is_none_or(|last| *last == 0x0a));
            prop_assert!(runs.iter().all(|run| !run.text.is_empty()));
            prop_assert!(runs.windows(2).all(|pair| pair[0].attributes != pair[1].attributes));
        }
    }

    #[test]
    fn urls_lie_in_the_text_one_after_another(text in "(http://|www\\.|[a-z.:/!é]){0,20}") {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut at = 0;
        for url in find_urls(&units) {
            prop_assert!(at <= url.start && url.start < url.end && url.end <= units.len());
            at = url.end;
        }
    }
}

#[test]
fn many_links_in_a_line_are_read_in_time() {
    let html = "<a href='http://a.b'>http://a.b</a><b>c</b> ".repeat(20_000);
    let runs = read_shown(&html, &Limits::default()).unwrap();
    assert!(
        runs.iter()
            .all(|run| run.attributes.iter().all(|a| a.key != "url"))
    );
}
