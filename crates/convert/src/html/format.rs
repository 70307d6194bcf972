//! What an element makes of the characters in it.

use std::rc::Rc;

use super::tree::Element;
use crate::declared::{Declared, Kind};
use crate::family;
use crate::links;
use crate::palette::{Colour, css_colour, highlight_of_file, highlight_of_value};
use crate::style::{CODE, STYLES, declared, declares};
use crate::text_format::TextFormat;
use crate::values::{self, Value, css_size};

/// The attributes of an element, by name.
pub(crate) type Attributes<'a> = &'a dyn Fn(&str) -> Option<&'a str>;

/// The class of a link that has a name.
pub(super) const LINK_CLASS: &str = "url";

impl TextFormat {
    /// Takes what an element says, as a browser shows it.
    pub(crate) fn enter(&mut self, tag: &str, attributes: Attributes<'_>, table: &Declared) {
        let class = attributes("class").unwrap_or_default();
        let tag = self.enter_declared(tag, class, table);
        let css = attributes("style").unwrap_or_default();
        if tag == "a" {
            let address = attributes("href").and_then(links::of_file);
            self.link = address.or(self.link.take());
        }
        for style in &STYLES {
            let is_strike = style.key == "strikethrough" && tag == "strike";
            if style.tags_read.contains(&tag) || is_strike {
                self.set(style.key, true);
            }
        }
        self.take_css(css);
        self.family = family::of_element(tag, css, attributes("face")).or(self.family.take());
        // Headings have the colour of their page.
        let css_of_text = if is_heading(tag) { "" } else { css };
        let colour =
            declared(css_of_text, "color").or(attributes("color").filter(|_| tag == "font"));
        let colour = colour.and_then(css_colour);
        let colour = colour.and_then(|rgb| Colour::of_file(rgb, self.link.is_some()));
        self.colour = colour.or(self.colour);
        // Of blocks, these are the look of a page.
        if matches!(tag, "span" | "font" | "mark") {
            let behind = declared(css, "background-color").or(declared(css, "background"));
            let highlight = behind.and_then(css_colour).and_then(highlight_of_file);
            let usual = highlight_of_value("yellow").filter(|_| tag == "mark");
            self.highlight = highlight.or(usual).or(self.highlight);
            let size = declared(css, "font-size").and_then(css_size);
            self.size = size.or(self.size);
        }
        self.take_class(class);
    }

    /// Takes what a class says of declared attributes. Returns the tag for what the core makes of
    /// it: an element that is there for such an attribute is no more than a `span`.
    fn enter_declared<'t>(&mut self, tag: &'t str, class: &str, declared: &Declared) -> &'t str {
        let attributes = declared.of_class(Kind::Inline, class);
        let is_its_own = declared.is_element_of(tag, &attributes);
        self.declared.enter(attributes);
        if is_its_own { "span" } else { tag }
    }

    /// Takes what a style says that is on or off.
    fn take_css(&mut self, css: &str) {
        let said = |property: &str| declared(css, property).unwrap_or_default();
        let lower = |property: &str| said(property).to_ascii_lowercase();
        let weight = lower("font-weight");
        let number = weight.get(..3).unwrap_or_default().parse::<u16>();
        match number {
            Ok(weight) => self.set("bold", weight >= 600),
            _ if weight.starts_with("bold") => self.set("bold", true),
            _ if weight.starts_with("normal") || weight.starts_with("lighter") => {
                self.set("bold", false);
            }
            _ => {}
        }
        let slant = lower("font-style");
        if slant.starts_with("italic") || slant.starts_with("oblique") {
            self.set("italic", true);
        } else if slant.starts_with("normal") {
            self.set("italic", false);
        }
        match &*lower("vertical-align") {
            "sub" => self.set("sub", true),
            "super" => self.set("sup", true),
            _ => {}
        }
        let lines = lower("text-decoration") + " " + &lower("text-decoration-line");
        let mut words = lines.split_ascii_whitespace();
        // Links are underlined because they are links.
        if self.link.is_none() && words.clone().any(|word| word == "underline") {
            self.set("underline", true);
        }
        if words.any(|word| word == "line-through") {
            self.set("strikethrough", true);
        }
    }

    /// Takes what the API's `setHTML` has always read, and what only our own pages say.
    pub(super) fn enter_recorded(&mut self, element: &Element, declared: &Declared) {
        let css = element.attribute("style").unwrap_or_default();
        let class = element.attribute("class").unwrap_or_default();
        let tag = self.enter_declared(element.name(), class, declared);
        let is_newer = |key: &str| matches!(key, CODE | "sub" | "sup");
        for style in STYLES.iter().filter(|style| !is_newer(style.key)) {
            if style.is_read_from(tag, css) {
                self.set(style.key, true);
            }
        }
        let family = family::of_element(tag, css, element.attribute("face"));
        self.family = family.or(self.family.take());
        if class
            .split_ascii_whitespace()
            .any(|word| word == LINK_CLASS)
        {
            let address = element.attribute("href").and_then(links::of_file);
            self.link = address.or(self.link.take());
        }
        self.take_class(class);
    }

    /// Takes classes that are a key and a value.
    fn take_class(&mut self, class: &str) {
        for word in class.split_ascii_whitespace() {
            let Some((key, value)) = word.split_once(':') else {
                continue;
            };
            if !matches!(
                key,
                values::COLOUR | values::HIGHLIGHT | values::SIZE | values::MENTION
            ) {
                continue;
            }
            match Value::of_attribute(key, value) {
                Some(Value::Colour(colour)) => self.colour = Some(colour),
                Some(Value::Highlight(highlight)) => self.highlight = Some(highlight),
                Some(Value::Size(size)) => self.size = Some(size),
                Some(Value::Mention(author)) => self.mention = Some(Rc::from(author)),
                Some(Value::Link(_)) | None => {}
            }
        }
    }
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Whether an element is not shown.
pub(super) fn is_hidden(element: &Element, css: &str) -> bool {
    element.attribute("hidden").is_some() || declares(css, "display", "none")
}
