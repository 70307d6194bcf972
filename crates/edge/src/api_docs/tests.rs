//! The page and the reference say what the table says.

use super::super::generated;
use super::super::language::Language;
use super::*;
use settings::Words;

#[test]
fn the_committed_reference_is_fresh() {
    generated::check("docs/api.md", &reference::markdown());
}

fn html() -> String {
    let words = Words::new();
    let template = ApiDocs {
        entry: bundle::API_DOCS,
        shell: Shell {
            base: String::new(),
            language: Language::choose(None, &HeaderMap::new(), "", None, &words),
            service: "padsvc",
            dark: true,
            version: None,
        },
        version: Version::CURRENT.as_str(),
        versions: VERSIONS.to_vec(),
        sections: sections(),
    };
    template.render().unwrap()
}

#[test]
fn every_function_is_on_the_page_once() {
    let html = html();
    for function in functions() {
        let anchor = format!("id=\"{}\"", function.name);
        assert_eq!(html.matches(&anchor).count(), 1, "{}", function.name);
    }
    for section in sections() {
        assert_eq!(html.matches(&format!("id=\"{}\"", section.id)).count(), 1);
    }
}

/// Browsers repair a page with an element left open, and then it looks odd from there on.
#[test]
fn every_element_is_closed() {
    let html = html();
    for tag in "a article code dd div dl dt h1 h2 h3 h4 li main nav ol p pre section span ul var"
        .split(' ')
    {
        let open =
            html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(open, html.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}
