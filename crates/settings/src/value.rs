//! Value types: how each is read from the tree, named in messages, and shown.
//!
//! A type that can be set implements [`Setting`] once; the table only points at fields. Reading
//! leaves the field as it was if the value is refused.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

use serde_json::Value as Json;

use super::diagnostics::{HIDDEN, Report};
use super::tree::{Node, Value, join};

pub trait Setting {
    /// What may be written, to follow "must be".
    fn allowed(&self) -> String;

    /// Takes the value over, or tells the report why not.
    fn read(&mut self, key: &str, node: &Node, report: &mut Report);

    /// The value as JSON, as it can be shown to an administrator.
    fn to_json(&self) -> Json;

    /// What sort of value it is.
    fn kind(&self) -> Kind {
        match self.to_json() {
            Json::Array(_) => Kind::List,
            Json::Object(_) => Kind::Object,
            _ => Kind::Text,
        }
    }

    /// The names of members that are secrets, at any depth.
    fn secrets(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

/// What sort of value a key has: which field a form needs for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Flag,
    Text,
    Secret,
    Choice(&'static [&'static str]),
    List,
    Object,
}

/// A text that is never printed: a password, a client's secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// An address of a web site, `http` or `https`, without the slash at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebAddress(pub String);

/// A text, a number or a flag, passed on as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scalar(pub Json);

/// A flag whose default depends on other settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undecided(pub Option<bool>);

/// Whole numbers of any width; the table says between which bounds.
pub(crate) trait Number {
    fn get(&self) -> u64;
    fn put(&mut self, value: u64);
}

macro_rules! numbers {
    ($($width:ty)*) => { $(
        impl Number for $width {
            fn get(&self) -> u64 {
                u64::try_from(*self).unwrap_or(u64::MAX)
            }

            fn put(&mut self, value: u64) {
                *self = <$width>::try_from(value).unwrap_or(<$width>::MAX);
            }
        }
    )* };
}

numbers!(u16 u64 usize);

/// An enum whose variants have names in the file. Upper and lower case are alike: Etherpad's own
/// template writes `Lax` where its code says `lax`.
macro_rules! choices {
    ($(#[$about:meta])* pub enum $name:ident {
        $($(#[$note:meta])* $variant:ident = $text:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $($(#[$note])* $variant,)*
        }

        impl crate::value::Setting for $name {
            fn allowed(&self) -> String {
                crate::value::one_of(&[$($text),*])
            }

            fn read(
                &mut self,
                key: &str,
                node: &crate::tree::Node,
                report: &mut crate::diagnostics::Report,
            ) {
                match node.text() {
                    $(Some(text) if text.eq_ignore_ascii_case($text) => *self = $name::$variant,)*
                    _ => report.refuse(key, node, &self.allowed()),
                }
            }

            fn to_json(&self) -> serde_json::Value {
                match self {
                    $($name::$variant => $text.into(),)*
                }
            }

            fn kind(&self) -> crate::value::Kind {
                crate::value::Kind::Choice(&[$($text),*])
            }
        }
    };
}
pub(super) use choices;

pub(crate) fn one_of(names: &[&str]) -> String {
    match names {
        [only] => format!("{only:?}"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|name| format!("{name:?}")).collect();
            format!("{} or {last:?}", first.join(", "))
        }
        [] => String::new(),
    }
}

/// An object with members of its own that is one value to the table: a user, a client.
pub trait Fields: Clone {
    /// Members that cannot be left out.
    const REQUIRED: &'static [&'static str] = &[];

    fn fields(&mut self) -> Vec<(&'static str, &mut dyn Setting)>;
}

impl<T: Fields> Setting for T {
    fn allowed(&self) -> String {
        let mut copy = self.clone();
        let names: Vec<_> = copy.fields().into_iter().map(|(name, _)| name).collect();
        format!("an object with {}", names.join(", "))
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let Value::Object(members) = &node.value else {
            return report.refuse_kind(key, node, &self.allowed());
        };
        for name in T::REQUIRED {
            if !members
                .iter()
                .any(|(given, node)| given == name && !node.is_null())
            {
                let path = join(key, name);
                report.fail(&path, node.place, format!("{path} is missing"));
            }
        }
        let mut fields = self.fields();
        for (name, node) in members {
            let path = join(key, name);
            match fields.iter_mut().find(|(known, _)| known == name) {
                Some(_) if node.is_null() => {}
                Some((_, field)) => field.read(&path, node, report),
                None => report.warn(&path, node.place, unknown(&path)),
            }
        }
    }

    fn to_json(&self) -> Json {
        let mut copy = self.clone();
        let fields = copy.fields();
        let shown = fields
            .iter()
            .map(|(name, field)| ((*name).to_owned(), field.to_json()));
        Json::Object(shown.collect())
    }

    fn secrets(&self) -> Vec<&'static str> {
        let mut copy = self.clone();
        let fields = copy.fields().into_iter();
        let secrets = fields.flat_map(|(name, field)| match field.kind() {
            Kind::Secret => vec![name],
            _ => field.secrets(),
        });
        secrets.collect()
    }
}

pub(crate) fn unknown(path: &str) -> String {
    format!("{path} is ignored: padsvc has no such setting")
}

impl Setting for bool {
    fn allowed(&self) -> String {
        "true or false".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.flag() {
            Some(flag) => *self = flag,
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        (*self).into()
    }

    fn kind(&self) -> Kind {
        Kind::Flag
    }
}

impl Setting for Undecided {
    fn allowed(&self) -> String {
        false.allowed()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.flag() {
            Some(flag) => self.0 = Some(flag),
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        self.0.into()
    }

    fn kind(&self) -> Kind {
        Kind::Flag
    }
}

impl Setting for String {
    fn allowed(&self) -> String {
        "a text".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.text() {
            Some(text) => *self = text.to_owned(),
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        self.as_str().into()
    }
}

impl Setting for Secret {
    fn allowed(&self) -> String {
        "a text".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.text() {
            Some(text) => self.0 = text.to_owned(),
            None => report.refuse_secret(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        HIDDEN.into()
    }

    fn kind(&self) -> Kind {
        Kind::Secret
    }
}

impl Setting for WebAddress {
    fn allowed(&self) -> String {
        "an address that begins with http:// or https://".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let is_web = |text: &&str| {
            let host = text
                .strip_prefix("https://")
                .or_else(|| text.strip_prefix("http://"));
            host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace))
        };
        match node.text().filter(is_web) {
            Some(text) => self.0 = text.trim_end_matches('/').to_owned(),
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        self.0.as_str().into()
    }
}

impl Setting for IpAddr {
    fn allowed(&self) -> String {
        "an IP address such as \"127.0.0.1\", \"0.0.0.0\" or \"::\"".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.text().and_then(|text| text.parse().ok()) {
            Some(address) => *self = address,
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        self.to_string().into()
    }
}

impl Setting for Scalar {
    fn allowed(&self) -> String {
        "a text, a number, true or false".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let number = || match node.number()? {
            whole if whole.fract() == 0.0 && whole.abs() < 1e15 => Some((whole as i64).into()),
            fraction => Some(fraction.into()),
        };
        let flag = || node.flag().map(Json::from);
        let text = || node.text().map(Json::from);
        match flag().or_else(number).or_else(text) {
            Some(value) => self.0 = value,
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> Json {
        self.0.clone()
    }
}

/// `null` is "not given", and so is `false`, which older templates write for it.
impl<T: Setting + Default> Setting for Option<T> {
    fn allowed(&self) -> String {
        T::default().allowed()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        if node.is_null() || node.flag() == Some(false) {
            *self = None;
            return;
        }
        let mut value = T::default();
        value.read(key, node, report);
        *self = Some(value);
    }

    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, Setting::to_json)
    }

    fn kind(&self) -> Kind {
        T::default().kind()
    }

    fn secrets(&self) -> Vec<&'static str> {
        T::default().secrets()
    }
}

impl<T: Setting + Default> Setting for Vec<T> {
    fn allowed(&self) -> String {
        format!("a list, each item {}", T::default().allowed())
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let Value::List(items) = &node.value else {
            return report.refuse_kind(key, node, &self.allowed());
        };
        self.clear();
        for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_null()) {
            let mut value = T::default();
            value.read(&format!("{key}[{at}]"), item, report);
            self.push(value);
        }
    }

    fn to_json(&self) -> Json {
        self.iter().map(Setting::to_json).collect()
    }

    fn secrets(&self) -> Vec<&'static str> {
        T::default().secrets()
    }
}

impl<T: Setting + Default> Setting for BTreeMap<String, T> {
    fn allowed(&self) -> String {
        format!("an object, each value {}", T::default().allowed())
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let Value::Object(members) = &node.value else {
            return report.refuse_kind(key, node, &self.allowed());
        };
        self.clear();
        for (name, node) in members.iter().filter(|(_, node)| !node.is_null()) {
            let mut value = T::default();
            value.read(&join(key, name), node, report);
            self.insert(name.clone(), value);
        }
    }

    fn to_json(&self) -> Json {
        let shown = self
            .iter()
            .map(|(name, value)| (name.clone(), value.to_json()));
        Json::Object(shown.collect())
    }

    fn secrets(&self) -> Vec<&'static str> {
        T::default().secrets()
    }
}
