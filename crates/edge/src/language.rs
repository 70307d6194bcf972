//! Which language a page is in, and its texts.
//!
//! A text that a language lacks is in English.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, header};

use bundle::texts::{self, ENGLISH};
use identity::cookies;
use settings::Words;

/// Who reads these does not read `zh-Hans`.
const TRADITIONAL_CHINESE: [&str; 4] = ["Hant", "TW", "HK", "MO"];
const RIGHT_TO_LEFT: [&str; 8] = ["ar", "ckb", "fa", "he", "ps", "sd", "ug", "ur"];

/// A language there are texts for, and the operator's own words in it.
#[derive(Clone, Copy, Debug)]
pub struct Language<'a> {
    code: &'static str,
    own: Option<&'a BTreeMap<&'static str, String>>,
}

impl<'a> Language<'a> {
    /// What the address asks for, then what the visitor has chosen before, then what the operator
    /// has set, then what the browser prefers.
    pub fn choose(
        asked: Option<&str>,
        headers: &HeaderMap,
        cookie: &str,
        usual: Option<&str>,
        words: &'a Words,
    ) -> Language<'a> {
        let chosen = cookies::of(headers).and_then(|cookies| cookies::value(cookies, cookie));
        let preferred = headers
            .get(header::ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok());
        let first = [asked, chosen.as_deref(), usual]
            .into_iter()
            .flatten()
            .find_map(known);
        let best = first.or_else(|| preferences(preferred?).find_map(known));
        let code = best.unwrap_or(ENGLISH);
        Language {
            code,
            own: words.get(code),
        }
    }

    pub fn code(self) -> &'static str {
        self.code
    }

    pub fn direction(self) -> &'static str {
        let base = self.code.split('-').next().unwrap_or(self.code);
        if RIGHT_TO_LEFT.contains(&base) {
            "rtl"
        } else {
            "ltr"
        }
    }

    pub fn text(self, name: &'static str) -> &'a str {
        let own = self.own.and_then(|own| own.get(name)).map(String::as_str);
        own.or_else(|| texts::text(self.code, name))
            .or_else(|| texts::text(ENGLISH, name))
            .unwrap_or(name)
    }
}

/// The language of that name, or one that its readers read as well: `de-AT` is served by `de`,
/// `pt` by `pt-BR`, `zh-CN` by `zh-Hans`.
fn known(name: &str) -> Option<&'static str> {
    let name = name.trim();
    let mut parts = name.split(['-', '_']);
    let base = parts.next()?;
    if let Some(language) = texts::language(name).or_else(|| texts::language(base)) {
        return Some(language);
    }
    let is_traditional = |part: &str| {
        let mut regions = TRADITIONAL_CHINESE.iter();
        regions.any(|region| region.eq_ignore_ascii_case(part))
    };
    if base.eq_ignore_ascii_case("zh") && parts.any(is_traditional) {
        return None;
    }
    texts::languages().find(|language| {
        let own = language.split('-').next();
        own.is_some_and(|own| own.eq_ignore_ascii_case(base))
    })
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

    static NONE: Words = Words::new();

    fn chosen(
        asked: Option<&str>,
        cookies: &str,
        accepted: &str,
        usual: Option<&str>,
    ) -> Language<'static> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        Language::choose(asked, &headers, "language", usual, &NONE)
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
        assert_eq!(code("pt-PT, en;q=0.5"), "pt-BR");
        assert_eq!(code("zh-CN"), "zh-Hans");
        assert_eq!(code("zh-hant-HK, fr"), "fr");
        assert_eq!(code("zh-TW, ja"), "ja");
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
