//! Markdown as people write and expect it.

use changeset::Document;
use convert::markdown::{read, write};
use convert::{Error, Limits};

use crate::data::{Run, shown, styled};

fn written(runs: &[Run<'_>]) -> String {
    let (document, pool) = styled(runs);
    write(&document, &pool)
}

fn read_text(text: &str) -> String {
    shown(&read(text, &Limits::default()).unwrap())
}

#[test]
fn what_is_written_reads_well() {
    let text = written(&[
        ("*", "heading=h1 lmkr=1"),
        ("Title\n\nFirst line, see http://a.b/c_d.\nSecond ", ""),
        ("bold", "bold=true"),
        (" and ", ""),
        ("both", "bold=true italic=true"),
        (" and ", ""),
        ("u", "underline=true"),
        (".\n\n", ""),
        ("*", "list=bullet1 lmkr=1"),
        ("one\n", ""),
        ("*", "list=number2 lmkr=1 start=1"),
        ("two\n", ""),
        ("*", "list=number2 lmkr=1 start=2"),
        ("three\n", ""),
        ("*", "list=bullet1 lmkr=1"),
        ("four\n", ""),
        ("*", "list=indent1 lmkr=1"),
        ("quoted\n", ""),
        ("1. not a list\n# not a heading\nno picture!", ""),
        ("but a link", "url=https://a.b"),
        ("\n", ""),
        ("*", "heading=code lmkr=1"),
        ("let x = 1;\n", ""),
    ]);
    assert_eq!(
        text,
        "# Title\n\n\
         First line, see <http://a.b/c_d>.  \n\
         Second **bold** and <strong><em>both</em></strong> and <u>u</u>.\n\n\
         - one\n  1. two\n  2. three\n- four\n\n\
         > quoted\n\n\
         1\\. not a list  \n\\# not a heading  \n\
         no picture\\![but a link](https://a.b)\n\n    let x = 1;\n"
    );
    assert_eq!(
        write(&Document::plain(&[0x0a]), &changeset::Pool::new()),
        "\n"
    );
}

#[test]
fn what_people_write_is_read() {
    for (text, expected) in [
        ("", "\n"),
        ("a\nb\n\nc  \nd", "a b\n\nc\nd\n"),
        (
            "# A #\nb\n\nSub\n---",
            "{heading=h1 *}A\nb\n{heading=h2 *}Sub\n",
        ),
        (
            "* a\n  * b\n\n    more\n* c",
            "{list=bullet1 *}a\n{list=bullet2 *}b\n{list=indent2 *}more\n{list=bullet1 *}c\n",
        ),
        (
            "3. a\n4. b",
            "{list=number1 start=3 *}a\n{list=number1 start=4 *}b\n",
        ),
        (
            "- [x] a\n-\n- [ ] b",
            "{tasklist-done=tasklist-done *}a\n{list=bullet1 *}\n\
             {tasklist-not-done=tasklist-not-done *}b\n",
        ),
        (
            "**a *b* ~~c~~** <u>d</u> `e*`",
            "{bold=true a }{bold=true italic=true b}{bold=true  }\
             {bold=true strikethrough=true c} {underline=true d} {code=true e*}\n",
        ),
        (
            "[a](https://b.c) <https://d.e> ![alt](x.png)",
            "{url=https://b.c a} https://d.e alt\n",
        ),
        ("| a | b |\n|---|---|\n| c | d |", "a\tb\nc\td\n"),
        (
            "```rust\nlet a;\n\n  b\n```",
            "{heading=code lang=rust *}let a;\n{heading=code lang=rust *}\n\
             {heading=code lang=rust *}  b\n",
        ),
        (
            "> a\n> > b",
            "{quote=true *}a\n{list=indent1 quote=true *}b\n",
        ),
        (
            "<div>\n<b>a</b>\n<script>x</script>\n</div>",
            "{bold=true a}\n",
        ),
        ("a\n\n---\n\nb", "a\n{hr=true *}\nb\n"),
    ] {
        // The last newline is the pad's own.
        assert_eq!(read_text(text) + "\n", expected, "{text}");
    }
}

#[test]
fn hostile_files_are_refused_or_read_in_time() {
    let outcome = |text: &str| read(text, &Limits::default()).map(|runs| runs.len());
    assert_eq!(outcome(&"> ".repeat(50_000)), Err(Error::TooDeep));
    for unit in [
        "*", "**a", "[", "![", "[a](", "<b", "`", "~~", "_a_", "\\", "|", "1. ", "&", "<!--",
        "\n- a",
    ] {
        let _ = outcome(&unit.repeat(20_000));
    }
}
