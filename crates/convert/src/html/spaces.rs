//! White space of a page: what a browser would not show is not there.
//!
//! A blank counts only between two things that stand in one line. Two walks over the tree find that
//! out: the first from the end, noting for every text and element whether a boundary (a block, or
//! the end of one) follows it, the second from the start, knowing what came before. The second walk
//! writes the page down again, from which the text is then collected.
//!
//! The HTML in between exists because pages have always been read in these two steps, and parsing
//! twice is not the same as once: the first newline of a `pre` goes away each time.

use std::rc::Rc;

use super::tree::{Data, Element, Node, Tree};

/// The page without the white space that does not show, as HTML.
pub(super) fn without_hidden_spaces(tree: &Tree) -> String {
    let mut boundaries = Vec::new();
    note_boundaries(&tree.root, true, &mut boundaries);
    let mut writer = Writer {
        boundaries,
        out: String::new(),
    };
    if !tree.quirks {
        writer.out.push_str("<!DOCTYPE html>");
    }
    writer.children(&tree.root, true, Mode::Normal, Escape::Text);
    writer.out
}

/// Notes for each text and element whether a boundary follows it, in such an order that a walk from
/// the start takes its notes from the end. Returns whether a boundary follows what is before the
/// node.
fn note_boundaries(node: &Rc<Node>, follows: bool, notes: &mut Vec<bool>) -> bool {
    match &node.data {
        Data::Root => note_children(node, true, notes),
        Data::Comment => follows,
        Data::Text(text) => {
            notes.push(follows);
            follows && text.borrow().bytes().all(|byte| is_space(byte.into()))
        }
        Data::Element(element) => {
            let kind = Kind::of(element);
            let inside = note_children(node, follows || kind == Kind::Block, notes);
            notes.push(follows);
            match kind {
                Kind::Block => true,
                Kind::Content => false,
                Kind::Hidden => follows,
                Kind::Transparent => inside,
            }
        }
    }
}

fn note_children(node: &Rc<Node>, mut follows: bool, notes: &mut Vec<bool>) -> bool {
    for child in node.children.borrow().iter().rev() {
        follows = note_boundaries(child, follows, notes);
    }
    follows
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Normal,
    /// Runs of blanks become one, but none is dropped.
    NoWrap,
    Verbatim,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    Text,
    /// What the parser reads as it stands.
    Raw,
    /// What nobody wants to read.
    Drop,
}

struct Writer {
    boundaries: Vec<bool>,
    out: String,
}

impl Writer {
    /// Writes the children of a node. Takes and returns whether a boundary, or a blank, is before.
    fn children(&mut self, node: &Rc<Node>, mut before: bool, mode: Mode, escape: Escape) -> bool {
        for child in node.children.borrow().iter() {
            match &child.data {
                Data::Root => {}
                // Texts on both sides of a comment stay apart.
                Data::Comment => self.out.push_str("<!---->"),
                Data::Text(text) => before = self.text(&text.borrow(), before, mode, escape),
                Data::Element(element) => before = self.element(child, element, before, mode),
            }
        }
        before
    }

    fn element(&mut self, node: &Rc<Node>, element: &Element, before: bool, mode: Mode) -> bool {
        let follows = self.boundaries.pop().unwrap_or(true);
        let kind = Kind::of(element);
        let block = kind == Kind::Block;
        let name = written_name(element);
        self.open_tag(name, element);
        let inside = self.children(
            node,
            before || block,
            mode_inside(element).unwrap_or(mode),
            escape_inside(element),
        );
        if !is_void(name) {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
        kind != Kind::Content && (inside || follows || block)
    }

    fn open_tag(&mut self, name: &str, element: &Element) {
        self.out.push('<');
        self.out.push_str(name);
        for attribute in &element.attributes {
            self.out.push(' ');
            self.out.push_str(&attribute.name.local);
            self.out.push_str("=\"");
            push_escaped(&mut self.out, &attribute.value);
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn text(&mut self, text: &str, before: bool, mode: Mode, escape: Escape) -> bool {
        let follows = self.boundaries.pop().unwrap_or(true);
        if mode == Mode::Verbatim {
            self.push_text(text, escape);
            return false;
        }
        let collapsed = collapse(text);
        if mode == Mode::NoWrap {
            self.push_text(&collapsed, escape);
            return false;
        }
        let mut rest = &*collapsed;
        if before {
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
        if follows {
            rest = rest.strip_suffix(' ').unwrap_or(rest);
        }
        if rest.is_empty() {
            return before;
        }
        self.push_text(rest, escape);
        rest.ends_with(' ')
    }

    fn push_text(&mut self, text: &str, escape: Escape) {
        match escape {
            Escape::Text => push_escaped(&mut self.out, text),
            Escape::Raw => self.out.push_str(text),
            Escape::Drop => {}
        }
    }
}

/// Every run of white space as one blank.
pub(super) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_space = false;
    for c in text.chars() {
        if !is_space(c) {
            out.push(c);
        } else if !in_space {
            out.push(' ');
        }
        in_space = is_space(c);
    }
    out
}

/// White space that collapses. U+00A0 and other spaces of Unicode are ordinary text.
fn is_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ')
}

fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
}

/// `plaintext` cannot be closed: read again, it would swallow the rest of the page.
fn written_name(element: &Element) -> &str {
    match element.name() {
        "plaintext" => "span",
        name => name,
    }
}

fn mode_inside(element: &Element) -> Option<Mode> {
    match element.name() {
        "pre" | "listing" | "plaintext" | "xmp" | "script" | "style" | "textarea" => {
            Some(Mode::Verbatim)
        }
        "nobr" => Some(Mode::NoWrap),
        "td" | "th" if element.attribute("nowrap").is_some() => Some(Mode::NoWrap),
        _ => None,
    }
}

fn escape_inside(element: &Element) -> Escape {
    match element.name() {
        "script" | "style" => Escape::Drop,
        "xmp" | "iframe" | "noembed" | "noframes" if element.is_html() => Escape::Raw,
        _ => Escape::Text,
    }
}

/// What an element means for the white space around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Starts and ends lines.
    Block,
    /// Is shown, whatever is in it.
    Content,
    /// Is not shown.
    Hidden,
    /// Is what is in it.
    Transparent,
}

impl Kind {
    fn of(element: &Element) -> Kind {
        match element.name() {
            "address" | "article" | "aside" | "blockquote" | "body" | "br" | "caption"
            | "center" | "col" | "colgroup" | "dd" | "dialog" | "dir" | "div" | "dl" | "dt"
            | "figcaption" | "figure" | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5"
            | "h6" | "head" | "header" | "hgroup" | "hr" | "html" | "legend" | "li" | "listing"
            | "main" | "menu" | "nav" | "ol" | "optgroup" | "option" | "p" | "plaintext"
            | "pre" | "section" | "summary" | "table" | "tbody" | "td" | "tfoot" | "th"
            | "thead" | "tr" | "ul" | "wbr" | "xmp" => Kind::Block,
            "audio" | "canvas" | "embed" | "iframe" | "img" | "math" | "object" | "picture"
            | "svg" | "video" | "button" | "input" | "select" | "textarea" => Kind::Content,
            "area" | "base" | "basefont" | "datalist" | "link" | "meta" | "noembed"
            | "noframes" | "param" | "rp" | "script" | "source" | "style" | "template"
            | "track" | "title" => Kind::Hidden,
            _ if element.attribute("hidden").is_some() => Kind::Hidden,
            _ => Kind::Transparent,
        }
    }
}

/// Elements that have no end tag.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}
