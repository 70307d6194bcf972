//! Arguments of a call: as they came, and as a function reads them.

use changeset::Text;
use pad::{AuthorId, PadId, Rev};

use crate::{Error, Param, Version};

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Has shown a credential.
    Trusted,
    /// Has not. Only a function that judges by itself may be called then.
    Anonymous,
}

/// A value as a form or a JSON body has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    Text(String),
    /// A text with half a surrogate pair, which only the text of a pad may have.
    Units(Text),
    Number(f64),
    Boolean(bool),
    /// A list or an object, which no parameter takes.
    Other,
}

/// Arguments by name, in the order in which they count: of two with one name the first.
#[derive(Clone, Debug, Default)]
pub struct Arguments(Vec<(String, Argument)>);

impl Arguments {
    pub fn new() -> Arguments {
        Arguments::default()
    }

    pub fn push(&mut self, name: impl Into<String>, value: Argument) {
        self.0.push((name.into(), value));
    }

    pub fn iter(&self) -> impl Iterator<Item = &(String, Argument)> {
        self.0.iter()
    }

    /// A name is matched exactly first, then without regard to case.
    pub fn get(&self, name: &str) -> Option<&Argument> {
        let exact = self.0.iter().find(|(other, _)| other == name);
        exact
            .or_else(|| {
                self.0
                    .iter()
                    .find(|(other, _)| other.eq_ignore_ascii_case(name))
            })
            .map(|(_, value)| value)
    }

    /// What a function with these parameters may read, in a version.
    pub fn for_call(
        self,
        params: &'static [Param],
        version: Version,
        caller: Caller,
    ) -> CallArguments {
        CallArguments {
            all: self,
            params,
            version,
            caller,
        }
    }
}

/// The arguments of one call, limited to what its function takes in its version.
pub struct CallArguments {
    all: Arguments,
    params: &'static [Param],
    version: Version,
    pub caller: Caller,
}

impl CallArguments {
    fn get(&self, name: &'static str) -> Option<&Argument> {
        let known = |param: &&Param| param.name == name && param.since <= self.version;
        self.params.iter().find(known)?;
        self.all.get(name)
    }

    pub fn text(&self, name: &'static str) -> Result<&str, Error> {
        self.optional_text(name)?.ok_or(Error::NotAString(name))
    }

    pub fn optional_text(&self, name: &'static str) -> Result<Option<&str>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(Argument::Text(text)) => Ok(Some(text)),
            Some(_) => Err(Error::NotAString(name)),
        }
    }

    /// A text that becomes part of a pad.
    pub fn content(&self, name: &'static str) -> Result<Text, Error> {
        self.optional_content(name)?.ok_or(Error::NotAString(name))
    }

    pub fn optional_content(&self, name: &'static str) -> Result<Option<Text>, Error> {
        match self.get(name) {
            Some(Argument::Units(text)) => Ok(Some(text.clone())),
            _ => Ok(self.optional_text(name)?.map(Text::from)),
        }
    }

    /// An id: anything that cannot be one names nothing that exists, so `missing` is the answer.
    pub fn id<T>(
        &self,
        name: &'static str,
        parse: fn(&str) -> Option<T>,
        missing: Error,
    ) -> Result<T, Error> {
        let text = self.optional_text(name)?;
        text.and_then(parse).ok_or(missing)
    }

    pub fn pad(&self, name: &'static str) -> Result<PadId, Error> {
        PadId::parse(self.text(name)?).ok_or(Error::PadIdForm)
    }

    /// The author a change is made in the name of.
    pub fn editing_author(&self) -> Result<Option<AuthorId>, Error> {
        match self.optional_text("authorId")? {
            None | Some("") => Ok(None),
            Some(text) => AuthorId::parse(text)
                .map(Some)
                .ok_or(Error::AuthorForm("authorId")),
        }
    }

    pub fn integer(&self, name: &'static str) -> Result<Option<i64>, Error> {
        let number = match self.get(name) {
            None => return Ok(None),
            Some(Argument::Number(number)) => *number,
            Some(Argument::Text(text)) => match text.trim().parse::<i64>() {
                Ok(number) => return Ok(Some(number)),
                Err(_) => text.trim().parse().map_err(|_| Error::NotANumber(name))?,
            },
            Some(_) => return Err(Error::NotANumber(name)),
        };
        if !number.is_finite() || number.abs() >= i64::MAX as f64 {
            return Err(Error::NotANumber(name));
        }
        if number.fract() != 0.0 {
            return Err(Error::Float(name));
        }
        Ok(Some(number as i64))
    }

    /// A number that counts something.
    pub fn natural(&self, name: &'static str) -> Result<Option<u64>, Error> {
        let number = self.integer(name)?;
        number
            .map(|number| u64::try_from(number).map_err(|_| Error::Negative(name)))
            .transpose()
    }

    /// The number of a revision.
    pub fn rev(&self, name: &'static str) -> Result<Option<Rev>, Error> {
        Ok(self.natural(name)?.map(Rev))
    }

    pub fn boolean(&self, name: &'static str) -> Result<Option<bool>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(Argument::Boolean(value)) => Ok(Some(*value)),
            Some(Argument::Number(1.0)) => Ok(Some(true)),
            Some(Argument::Number(0.0)) => Ok(Some(false)),
            // Client libraries send what their language writes, such as `True`.
            Some(Argument::Text(text)) => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Ok(Some(true)),
                "false" | "0" | "" => Ok(Some(false)),
                _ => Err(Error::NotABoolean(name)),
            },
            Some(_) => Err(Error::NotABoolean(name)),
        }
    }
}
