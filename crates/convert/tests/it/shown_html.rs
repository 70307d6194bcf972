//! Files of HTML, read as a browser shows them.

use convert::Limits;
use convert::html::read_shown;

use crate::data::shown;

fn read(html: &str) -> String {
    shown(&read_shown(html, &Limits::default()).unwrap())
}

#[test]
fn blocks_are_lines() {
    for (html, text) in [
        (
            "<h1>a</h1><h2>b</h2>c",
            "{heading=h1 *}a\n{heading=h2 *}b\nc\n",
        ),
        ("<h6>a</h6><br>b", "{heading=h6 *}a\nb\n"),
        ("<h1>a</h1><br><br>b", "{heading=h1 *}a\n\nb\n"),
        ("<p>a</p><br><p>b</p>", "a\n\nb\n"),
        (
            "<div><section>a</section><footer>b</footer></div>",
            "a\nb\n",
        ),
        ("<dl><dt>a<dd>b</dl>", "a\nb\n"),
        (
            "<blockquote>a<blockquote>b</blockquote></blockquote>c",
            "{quote=true *}a\n{list=indent1 quote=true *}b\nc\n",
        ),
        (
            "<pre>a\n b</pre>",
            "{heading=code *}a\n{heading=code *} b\n",
        ),
        (
            "<p style='text-align:center'>a</p>b",
            "{align=center *}a\nb\n",
        ),
        ("a<span hidden>x</span><b style='display:none'>y</b>", "a\n"),
        ("", ""),
    ] {
        assert_eq!(read(html), text, "{html}");
    }
}

#[test]
fn rows_of_tables_are_lines() {
    let html = "<table><tr><th>a</th><th>b</th></tr>\
                <tr><td><p>c</p><p>d</p></td><td></td><td>e</td></tr></table>f";
    assert_eq!(read(html), "a\tb\nc d\t\te\nf\n");
}

#[test]
fn items_have_their_numbers_and_bullets_once() {
    for (html, text) in [
        (
            "<ol start=3><li>a<li>b<ol><li>c</ol><li value=9>d</ol>",
            "{list=number1 start=3 *}a\n{list=number1 start=4 *}b\n\
             {list=number2 start=1 *}c\n{list=number1 start=9 *}d\n",
        ),
        (
            "<ul><li>a<br>b<p>c</p></ul>",
            "{list=bullet1 *}a\n{list=indent1 *}b\n{list=indent1 *}c\n",
        ),
        (
            "<ul><li></li><li>a</ul>",
            "{list=bullet1 *}\n{list=bullet1 *}a\n",
        ),
        (
            "<ol><li>a</ol>b<ol><li>c</ol>",
            "{list=number1 start=1 *}a\nb\n{list=number1 start=1 *}c\n",
        ),
    ] {
        assert_eq!(read(html), text, "{html}");
    }
}

#[test]
fn links_keep_their_addresses() {
    for (html, text) in [
        (
            "<a href='https://a.b/c'>word</a>.",
            "{url=https://a.b/c word}.\n",
        ),
        ("<a href='https://a.b/'>a.b</a>", "{url=https://a.b/ a.b}\n"),
        ("<a href='http://a.b/c'>http://a.b/c</a>", "http://a.b/c\n"),
        ("<a href='http://www.a.b'>www.a.b</a>", "www.a.b\n"),
        (
            "<a href='mailto:x@a.b'>x@a.b</a>",
            "{url=mailto:x@a.b x@a.b}\n",
        ),
        ("<a href='javascript:alert(1)'>word</a>", "word\n"),
        ("<a href='#top'>word</a>", "word\n"),
        ("<a href='https://a.b'><img></a>", "https://a.b\n"),
        (
            "<a href='https://a.b'><p>one</p><p>two</p></a>",
            "{url=https://a.b one}\n{url=https://a.b two}\n",
        ),
    ] {
        assert_eq!(read(html), text, "{html}");
    }
}
