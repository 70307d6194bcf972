//! `docs/api.md`, made from the table. A test keeps the committed file the same as this.

use std::fmt::Write;

use service::api::{Function, Version, functions};

use super::{kind, later};

const INTRODUCTION: &str = "\
# API functions

<!-- Made from the table of functions; `UPDATE_EXPECT=1 cargo test -p padsvc` writes it. -->

A call is `GET` or `POST {address}/api/VERSION/FUNCTION`. Parameters go into the query, or into the
body as a form, as multipart fields or as one JSON object; the body wins. The same reference, with
calls to try, is the page `/api-docs` of every server; `/api/openapi.json` and
`/api/VERSION/openapi.json` have it for machines.

An answer is `{\"code\": …, \"message\": …, \"data\": …}`:

| code | HTTP | means |
|---|---|---|
| 0 | 200 | all is well, the message is `ok`, and `data` is what is written below |
| 1 | 200 | the parameters are wrong, and the message says why; 400 if the body cannot be read |
| 2 | 500 | something is wrong with the server |
| 3 | 404 | the version has no such function |
| 4 | 401 | no credential, or a wrong one |

The credential is the API key from `APIKEY.txt`, as the header or the parameter `apikey`, or a token
as `Authorization: Bearer …`.

In what a function gives, `*` stands for any key, `?` marks a member that may be missing, and `|`
means \"or\". Where no version is named, every version has it.
";

/// The whole file.
pub(super) fn markdown() -> String {
    let mut text = INTRODUCTION.to_owned();
    let (latest, current) = (Version::LATEST, Version::CURRENT);
    let _ = write!(
        text,
        "\nThe latest version is {latest}. Versions up to {current} are those of Etherpad and \
         never change;\n`GET /api` and `/api/openapi.json` name {current}, because Etherpad's \
         clients read them.\n"
    );
    let mut heading = None;
    for function in functions() {
        if heading.replace(function.heading) != Some(function.heading) {
            let (title, about) = (function.heading.title(), function.heading.about());
            let _ = write!(text, "\n## {title}\n\n{about}\n");
        }
        write_function(&mut text, function);
    }
    text
}

fn write_function(text: &mut String, function: &Function) {
    let (name, about) = (function.name, function.about);
    let since = later(function.since).map_or(String::new(), |since| format!(" Since {since}."));
    let _ = write!(text, "\n### {name}\n\n{about}{since}\n\n");
    if !function.params.is_empty() {
        text.push_str("| Parameter | Type | |\n|---|---|---|\n");
    }
    for param in function.params {
        let optional = if param.required { "" } else { ", optional" };
        let since = later(param.since).map_or(String::new(), |since| format!("; since {since}"));
        let (name, kind, about) = (param.name, kind(param.kind), param.about);
        let _ = writeln!(text, "| `{name}` | {kind}{optional} | {about}{since} |");
    }
    let gap = if function.params.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "{gap}Gives `{}`.", function.result);
}
