//! HTML as a tree of elements, built within bounds.
//!
//! The parser is given the input in small pieces and stopped as soon as the tree grows too deep, or
//! out of proportion: the standard lets a few unclosed tags be repeated in every paragraph that
//! follows. No tree that leaves here is deeper than the limit, so walking it may recurse.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{
    Attribute, ExpandedName, LocalName, ParseOpts, QualName, local_name, ns, parse_document,
};

use super::tags::has_tag_with_more_attributes;
use crate::{Error, Limits};

pub(super) struct Node {
    pub data: Data,
    pub children: RefCell<Vec<Rc<Node>>>,
    parent: RefCell<Weak<Node>>,
    depth: Cell<usize>,
}

pub(super) enum Data {
    /// The document, and what is inside a `template`.
    Root,
    Element(Element),
    Text(RefCell<String>),
    Comment,
}

pub(super) struct Element {
    name: QualName,
    /// Those of [`ATTRIBUTES`] that it has.
    pub attributes: Vec<Attribute>,
    /// What a `template` holds is not part of the page.
    template: Option<Rc<Node>>,
}

/// The attributes that decide about something, here or in the parser. All others are dropped at
/// once: an image may be megabytes in one of them.
const ATTRIBUTES: [LocalName; 17] = [
    local_name!("align"),
    local_name!("alt"),
    local_name!("width"),
    local_name!("checked"),
    local_name!("role"),
    local_name!("aria-checked"),
    local_name!("class"),
    local_name!("href"),
    local_name!("start"),
    local_name!("value"),
    local_name!("style"),
    local_name!("nowrap"),
    local_name!("hidden"),
    local_name!("type"),
    local_name!("color"),
    local_name!("face"),
    local_name!("size"),
];

/// Those among them that the parser has no names for.
const OTHER_ATTRIBUTES: [&str; 4] = [
    "aria-level",
    "aria-roledescription",
    "data-aria-level",
    "data-checked",
];

fn is_read(name: &LocalName) -> bool {
    ATTRIBUTES.contains(name) || OTHER_ATTRIBUTES.contains(&&**name)
}

impl Element {
    pub(super) fn name(&self) -> &str {
        &self.name.local
    }

    /// Whether this is an element of HTML, and not one of SVG or MathML with the same name.
    pub(super) fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|attribute| &*attribute.name.local == name)
            .map(|attribute| &*attribute.value)
    }
}

/// A parsed page.
pub(super) struct Tree {
    pub root: Rc<Node>,
    /// Whether the page has no proper doctype, which changes how tables are read.
    pub quirks: bool,
    pub faults: Faults,
}

/// What is malformed in a page: kinds of mistakes and where they are, nothing of its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many there are.
    pub count: usize,
    /// The first of them.
    pub first: Option<Fault>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub line: u64,
    /// In the words of the parser.
    pub what: Cow<'static, str>,
}

/// Bytes given to the parser at once. Between two pieces the bounds are checked.
const PIECE: usize = 256;

pub(super) fn parse(html: &str, limits: &Limits) -> Result<Tree, Error> {
    if has_tag_with_more_attributes(html.as_bytes(), limits.attributes) {
        return Err(Error::TooComplex);
    }
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(Sink::new(limits.depth), options);
    let budget = html.len().saturating_mul(limits.growth);
    let budget = budget.min(limits.unpacked).saturating_add(1 << 16);
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        rest = after;
        parser.process(StrTendril::from(piece));
        let sink = &parser.tokenizer.sink.sink;
        if sink.too_deep.get() {
            return Err(Error::TooDeep);
        }
        if sink.cost.get() > budget || sink.nodes.get() > limits.nodes {
            return Err(Error::TooComplex);
        }
        if sink.text.get() > limits.bytes_of_text() {
            return Err(Error::TextTooLong);
        }
    }
    let tree = parser.finish();
    if is_deeper(&tree.root, limits.depth) {
        return Err(Error::TooDeep);
    }
    Ok(tree)
}

/// Measures without recursion: moving misnested tags may have made the tree deeper than it was
/// while it grew.
fn is_deeper(root: &Rc<Node>, limit: usize) -> bool {
    let mut pending = vec![(Rc::clone(root), 0)];
    while let Some((node, depth)) = pending.pop() {
        if depth > limit {
            return true;
        }
        let children = node.children.borrow();
        pending.extend(children.iter().map(|child| (Rc::clone(child), depth + 1)));
    }
    false
}

impl Node {
    fn new(data: Data) -> Rc<Node> {
        Rc::new(Node {
            data,
            children: RefCell::default(),
            parent: RefCell::default(),
            depth: Cell::new(0),
        })
    }

    pub(super) fn element(&self) -> Option<&Element> {
        match &self.data {
            Data::Element(element) => Some(element),
            _ => None,
        }
    }

    pub(super) fn parent(&self) -> Option<Rc<Node>> {
        self.parent.borrow().upgrade()
    }

    /// Where the node is among its siblings. Nodes that are looked for are nearly always the last.
    fn index_in(&self, parent: &Node) -> Option<usize> {
        let children = parent.children.borrow();
        children
            .iter()
            .rposition(|child| std::ptr::eq(&**child, self))
    }

    fn detach(&self) {
        if let Some(parent) = self.parent()
            && let Some(index) = self.index_in(&parent)
        {
            parent.children.borrow_mut().remove(index);
        }
        *self.parent.borrow_mut() = Weak::new();
    }

    /// Puts a child in front of the one that is at an index; text joins the text before it.
    fn insert(self: &Rc<Node>, index: usize, child: NodeOrText<Rc<Node>>) -> usize {
        let node = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let before = index.checked_sub(1);
                let children = self.children.borrow();
                let before = before.and_then(|index| children.get(index));
                if let Some(Data::Text(existing)) = before.map(|node| &node.data) {
                    existing.borrow_mut().push_str(&text);
                    return 0;
                }
                Node::new(Data::Text(RefCell::new(text.to_string())))
            }
        };
        node.detach();
        *node.parent.borrow_mut() = Rc::downgrade(self);
        let depth = self.depth.get() + 1;
        node.depth.set(depth);
        if let Data::Element(Element {
            template: Some(contents),
            ..
        }) = &node.data
        {
            contents.depth.set(depth);
        }
        let mut children = self.children.borrow_mut();
        let index = index.min(children.len());
        children.insert(index, node);
        depth
    }
}

/// What the parser builds the tree through.
struct Sink {
    root: Rc<Node>,
    /// The name of what is not an element, for which the parser does not ask.
    no_name: QualName,
    quirks: Cell<bool>,
    depth_limit: usize,
    too_deep: Cell<bool>,
    /// Roughly the bytes it would take to write down all elements that were made.
    cost: Cell<usize>,
    line: Cell<u64>,
    faults: RefCell<Faults>,
    nodes: Cell<usize>,
    /// Bytes of all texts, those included that are not shown.
    text: Cell<usize>,
}

impl Sink {
    fn new(depth_limit: usize) -> Sink {
        Sink {
            root: Node::new(Data::Root),
            no_name: QualName::new(None, ns!(), local_name!("")),
            quirks: Cell::new(false),
            depth_limit,
            too_deep: Cell::new(false),
            cost: Cell::new(0),
            line: Cell::new(1),
            faults: RefCell::default(),
            nodes: Cell::new(0),
            text: Cell::new(0),
        }
    }

    fn insert(&self, parent: &Rc<Node>, index: usize, child: NodeOrText<Rc<Node>>) {
        if let NodeOrText::AppendText(text) = &child {
            self.text.set(self.text.get() + text.len());
        }
        let depth = parent.insert(index, child);
        if depth > self.depth_limit {
            self.too_deep.set(true);
        }
        // Text that joins the text before it is at no depth of its own.
        self.nodes.set(self.nodes.get() + usize::from(depth > 0));
    }
}

impl TreeSink for Sink {
    type Handle = Rc<Node>;
    type Output = Tree;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Tree {
        Tree {
            root: self.root,
            quirks: self.quirks.get(),
            faults: self.faults.into_inner(),
        }
    }

    fn parse_error(&self, what: Cow<'static, str>) {
        // Before the first element it is the doctype that is missing, as in all that callers send.
        if self.cost.get() == 0 {
            return;
        }
        let mut faults = self.faults.borrow_mut();
        faults.count += 1;
        let line = self.line.get();
        faults.first.get_or_insert(Fault { line, what });
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(line);
    }

    fn get_document(&self) -> Rc<Node> {
        Rc::clone(&self.root)
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<Node>) -> ExpandedName<'a> {
        let element = target.element();
        element
            .map_or(&self.no_name, |element| &element.name)
            .expanded()
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Rc<Node> {
        // The parser copies all attributes of a tag that it repeats, and that is slow.
        let cost = 8 + 2 * name.local.len() + 16 * attributes.len();
        let attributes: Vec<Attribute> = attributes
            .into_iter()
            .filter(|attribute| is_read(&attribute.name.local))
            .collect();
        let values: usize = attributes.iter().map(|a| a.value.len() + 12).sum();
        self.cost.set(self.cost.get() + cost + values);
        let template = flags.template.then(|| Node::new(Data::Root));
        Node::new(Data::Element(Element {
            name,
            attributes,
            template,
        }))
    }

    fn create_comment(&self, _text: StrTendril) -> Rc<Node> {
        Node::new(Data::Comment)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Rc<Node> {
        Node::new(Data::Comment)
    }

    fn append(&self, parent: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        let end = parent.children.borrow().len();
        self.insert(parent, end, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Rc<Node>,
        previous: &Rc<Node>,
        child: NodeOrText<Rc<Node>>,
    ) {
        if element.parent().is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_before_sibling(&self, sibling: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        if let NodeOrText::AppendNode(node) = &child {
            node.detach();
        }
        if let Some(parent) = sibling.parent()
            && let Some(index) = sibling.index_in(&parent)
        {
            self.insert(&parent, index, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Rc<Node>) -> Rc<Node> {
        let contents = target.element().and_then(|e| e.template.as_ref());
        Rc::clone(contents.unwrap_or(target))
    }

    fn same_node(&self, x: &Rc<Node>, y: &Rc<Node>) -> bool {
        Rc::ptr_eq(x, y)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode == QuirksMode::Quirks);
    }

    fn add_attrs_if_missing(&self, _target: &Rc<Node>, _attributes: Vec<Attribute>) {
        // Only asked for `html` and `body`, of which no attribute matters.
    }

    fn remove_from_parent(&self, target: &Rc<Node>) {
        target.detach();
    }

    fn reparent_children(&self, node: &Rc<Node>, new_parent: &Rc<Node>) {
        let children = std::mem::take(&mut *node.children.borrow_mut());
        for child in &children {
            *child.parent.borrow_mut() = Rc::downgrade(new_parent);
        }
        new_parent.children.borrow_mut().extend(children);
    }
}
