//! Which language a page is in, and its texts.
//!
//! The texts are those of the scripts, `web/locales/`: one file for each language, a text for each
//! key. A key that a language lacks is told in English.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::{HeaderMap, header};

use super::assets::LOCALES;
use crate::cookies;

const ENGLISH: &str = "en";
const RIGHT_TO_LEFT: [&str; 8] = ["ar", "ckb", "fa", "he", "ps", "sd", "ug", "ur"];

type Texts = BTreeMap<&'static str, BTreeMap<String, String>>;

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let read = |(language, json): &(&'static str, &str)| {
        let texts = serde_json::from_str(json).unwrap_or_default();
        (*language, texts)
    };
    LOCALES.iter().map(read).collect()
});

/// A language there are texts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language(&'static str);

impl Language {
    /// What the address asks for, then what the visitor has chosen before, then what the operator
    /// has set, then what the browser prefers.
    pub fn choose(
        asked: Option<&str>,
        headers: &HeaderMap,
        cookie: &str,
        usual: Option<&str>,
    ) -> Language {
        let chosen = cookies::of(headers).and_then(|cookies| cookies::value(cookies, cookie));
        let preferred = headers
            .get(header::ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok());
        let first = [asked, chosen.as_deref(), usual]
            .into_iter()
            .flatten()
            .find_map(known);
        let best = first.or_else(|| preferences(preferred?).find_map(known));
        Language(best.unwrap_or(ENGLISH))
    }

    pub fn code(self) -> &'static str {
        self.0
    }

    pub fn direction(self) -> &'static str {
        let base = self.0.split('-').next().unwrap_or(self.0);
        match RIGHT_TO_LEFT.contains(&base) {
            true => "rtl",
            false => "ltr",
        }
    }

    pub fn text(self, key: &'static str) -> &'static str {
        let texts = &*TEXTS;
        let find = |language| texts.get(language)?.get(key);
        find(self.0)
            .or_else(|| find(ENGLISH))
            .map_or(key, String::as_str)
    }
}

/// The language of that name, or the one it is a kind of: `de-AT` is served by `de`.
fn known(name: &str) -> Option<&'static str> {
    let mut name = name.trim();
    loop {
        let found = LOCALES
            .iter()
            .find(|(language, _)| language.eq_ignore_ascii_case(name));
        if let Some((language, _)) = found {
            return Some(language);
        }
        name = name.rsplit_once('-')?.0;
    }
}

/// The languages of an `Accept-Language` list, the dearest first.
fn preferences(list: &str) -> impl Iterator<Item = &str> {
    let weighed = |item: &str| {
        let weight = item.split_once(";q=").map_or("1", |(_, weight)| weight);
        // In thousandths, which is all the precision there is.
        (weight.trim().parse().unwrap_or(0.0_f32) * 1000.0) as u32
    };
    let mut items: Vec<&str> = list.split(',').filter(|item| weighed(item) > 0).collect();
    // Stable, so that equals keep their order.
    items.sort_by_key(|item| std::cmp::Reverse(weighed(item)));
    items
        .into_iter()
        .map(|item| item.split(';').next().unwrap_or(item))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(asked: Option<&str>, cookies: &str, accepted: &str, usual: Option<&str>) -> Language {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        Language::choose(asked, &headers, "language", usual)
    }

    #[test]
    fn the_most_personal_wish_that_can_be_met_wins() {
        let all = ("language=fr", "es", Some("ja"));
        let (cookie, accepted, usual) = all;
        let code = |asked| chosen(asked, cookie, accepted, usual).code();
        assert_eq!(code(Some("de")), "de");
        assert_eq!(code(Some("tlh")), "fr");
        assert_eq!(code(None), "fr");
        assert_eq!(chosen(None, "", accepted, usual).code(), "ja");
        assert_eq!(chosen(None, "", accepted, None).code(), "es");
        assert_eq!(chosen(None, "", "tlh", None).code(), "en");
    }

    #[test]
    fn a_browser_lists_what_it_prefers_with_weights() {
        let code = |accepted| chosen(None, "", accepted, None).code();
        assert_eq!(code("de-AT,de;q=0.9,en;q=0.8"), "de");
        assert_eq!(code("en;q=0.5, fr-CA;q=0.7"), "fr");
        assert_eq!(code("fr;q=0, es"), "es");
        assert_eq!(code("*, ,;q=x"), "en");
    }

    #[test]
    fn texts_are_there_in_every_language_and_arabic_runs_to_the_left() {
        let arabic = chosen(Some("ar"), "", "en", None);
        assert_eq!(arabic.direction(), "rtl");
        assert_eq!(chosen(Some("ja"), "", "en", None).direction(), "ltr");
        let english = chosen(Some("en"), "", "en", None);
        assert_ne!(
            arabic.text("shell.noScript"),
            english.text("shell.noScript")
        );
        assert!(english.text("shell.noScript").contains(' '));
    }
}
