//! Diffs of hand-made histories. The recorded ones are in `vectors`.

use changeset::{Attribute, Changeset, Document, Pool, Text};
use convert::Error;
use convert::html::diff;

use crate::data::styled;

fn pool() -> Pool {
    let mut pool = Pool::new();
    for (key, value) in [
        ("author", "a.one"),
        ("author", "a.two"),
        ("bold", "true"),
        ("author", ""),
    ] {
        pool.intern(Attribute::new(key, value));
    }
    pool
}

fn colour(author: &str) -> Option<String> {
    (author == "a.one").then(|| "#ffc7c7".to_owned())
}

/// The body and the authors of a diff.
fn check(text: &str, changes: &[(&str, &str)], body: &str, authors: &[&str]) {
    let base = Document::plain(&Text::from(text));
    let changes: Vec<(Changeset, &str)> = changes
        .iter()
        .map(|(change, author)| (Changeset::parse(change).unwrap(), *author))
        .collect();
    let pool = pool();
    let (html, found) = diff(&base, &changes, &pool, &colour).unwrap();
    let (style, found_body) = html.split_once("</style>").unwrap();
    assert!(style.starts_with("<style>\n.authora_one {background-color: #ffc7c7}\n"));
    // One without a colour has no rule.
    assert!(!style.contains("authora_two"));
    assert_eq!(found_body, body);
    assert_eq!(found, authors);
}

#[test]
fn inserted_and_deleted_text_names_its_authors() {
    check(
        "abc\n",
        &[("Z:4>1=1*0+1$X", "a.one"), ("Z:5<1=3-1$", "a.two")],
        "a<span class=\"authora_one\">X</span>b\
         <span class=\"authora_two\"><span class=\"removed\">c</span></span><br>",
        &["a.one", "a.two"],
    );
}

#[test]
fn restyled_text_is_shown_before_and_after() {
    check(
        "abc\nde\n",
        &[("Z:7>0=1*2|1=3*2=1$", "a.one")],
        "a<span class=\"removed\">bc</span>\
         <span class=\"authora_one\"><strong>bc</strong></span><br>\
         <span class=\"removed\">d</span>\
         <span class=\"authora_one\"><strong>d</strong></span>e<br>",
        &["a.one"],
    );
}

#[test]
fn clearing_authorship_is_no_change() {
    check("abc\n", &[("Z:4>0*3|1=4$", "a.one")], "abc<br>", &[]);
}

#[test]
fn a_style_that_is_taken_away_is_shown_with_the_old_text() {
    let (base, mut pool) = styled(&[("a", "bold=true"), ("\n", "")]);
    let off = pool.intern(Attribute::new("bold", ""));
    let change = Changeset::parse(&format!("Z:2>0*{off}=1$")).unwrap();
    let (html, _) = diff(&base, &[(change, "a.one")], &pool, &colour).unwrap();
    assert!(html.ends_with(
        "</style><strong><span class=\"removed\">a</span></strong>\
         <span class=\"authora_one\">a</span><br>"
    ));
}

#[test]
fn neither_the_pool_nor_a_bad_change_is_harmed() {
    let pool = pool();
    let base = Document::plain(&Text::from("abc\n"));
    let too_long = Changeset::parse("Z:9>0$").unwrap();
    let found = diff(&base, &[(too_long, "a.one")], &pool, &colour);
    assert_eq!(
        found.unwrap_err(),
        Error::Change(changeset::Error::ApplyLengthMismatch)
    );
    assert_eq!(pool.len(), 4);
}

#[test]
fn ids_and_colours_cannot_leave_their_places() {
    let mut pool = Pool::new();
    pool.intern(Attribute::new("author", "a.\"><script>{}"));
    let base = Document::plain(&Text::from("a\n"));
    let change = Changeset::parse("Z:2>1*0+1$x").unwrap();
    let colour = |_: &str| Some("red}</style><script>".to_owned());
    let (html, _) = diff(&base, &[(change, "a.\"><script>{}")], &pool, &colour).unwrap();
    assert!(!html.contains("<script"));
    assert!(!html.contains(".authora____script___ {"));
}
