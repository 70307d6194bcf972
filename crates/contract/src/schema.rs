//! Schema of a function's result, parsed from the short form in its row.
//!
//! The short form is written the way one would say it: `{padIDs: [string]}`, `string|null`,
//! `{*: integer}` for an object with keys of its own, `name?: …` for a member that may be missing,
//! `"all"|"last"` for fixed texts. Documents that need it in full are made from what is read here.

/// The shape of a JSON value. Names and texts are those of the short form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schema<'a> {
    Null,
    Boolean,
    Integer,
    String,
    /// This one text.
    Text(&'a str),
    True,
    List(Box<Schema<'a>>),
    /// An object with these members and no other.
    Object(Vec<Member<'a>>),
    /// An object with any keys and values of one shape.
    Map(Box<Schema<'a>>),
    /// Any one of at least two.
    Either(Vec<Schema<'a>>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    pub name: &'a str,
    pub optional: bool,
    pub schema: Schema<'a>,
}

impl<'a> Schema<'a> {
    /// `None` if the text is not in the short form.
    pub fn parse(text: &'a str) -> Option<Schema<'a>> {
        let mut reader = Reader { rest: text };
        let schema = reader.either()?;
        reader.next_token().is_none().then_some(schema)
    }
}

/// What is still to be read.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn either(&mut self) -> Option<Schema<'a>> {
        let mut schemas = vec![self.single()?];
        while self.takes("|") {
            schemas.push(self.single()?);
        }
        match schemas.len() {
            1 => schemas.pop(),
            _ => Some(Schema::Either(schemas)),
        }
    }

    fn single(&mut self) -> Option<Schema<'a>> {
        Some(match self.next_token()? {
            "null" => Schema::Null,
            "boolean" => Schema::Boolean,
            "integer" => Schema::Integer,
            "string" => Schema::String,
            "true" => Schema::True,
            "[" => {
                let items = self.either()?;
                self.takes("]").then_some(Schema::List(Box::new(items)))?
            }
            "{" => self.object()?,
            token => Schema::Text(token.strip_prefix('"')?.strip_suffix('"')?),
        })
    }

    fn object(&mut self) -> Option<Schema<'a>> {
        if self.takes("*") {
            let values = self.takes(":").then(|| self.either())??;
            return self.takes("}").then_some(Schema::Map(Box::new(values)));
        }
        let mut members = Vec::new();
        if self.takes("}") {
            return Some(Schema::Object(members));
        }
        members.push(self.member()?);
        while self.takes(",") {
            members.push(self.member()?);
        }
        self.takes("}").then_some(Schema::Object(members))
    }

    fn member(&mut self) -> Option<Member<'a>> {
        let name = self.next_token()?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric());
        let optional = self.takes("?");
        let schema = (is_name && self.takes(":")).then(|| self.either())??;
        Some(Member {
            name,
            optional,
            schema,
        })
    }

    fn takes(&mut self, token: &str) -> bool {
        let before = self.rest;
        if self.next_token() == Some(token) {
            return true;
        }
        self.rest = before;
        false
    }

    /// A word, a quoted text, or a sign; `None` at the end.
    fn next_token(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let first = text.chars().next()?;
        let is_word = |c: char| c.is_ascii_alphanumeric();
        let length = match first {
            '"' => text.get(1..)?.find('"')? + 2,
            _ if is_word(first) => text.find(|c| !is_word(c)).unwrap_or(text.len()),
            _ => first.len_utf8(),
        };
        let (token, rest) = text.split_at_checked(length)?;
        self.rest = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member<'a>(name: &'a str, schema: Schema<'a>) -> Member<'a> {
        Member {
            name,
            optional: false,
            schema,
        }
    }

    #[test]
    fn shapes_are_read() {
        let check = |text, schema| assert_eq!(Schema::parse(text), Some(schema), "{text}");
        check("null", Schema::Null);
        check(
            "string|null",
            Schema::Either(vec![Schema::String, Schema::Null]),
        );
        check("{}", Schema::Object(Vec::new()));
        check("{*: integer}", Schema::Map(Box::new(Schema::Integer)));
        check(
            "{a: [string], b: {c: boolean}}",
            Schema::Object(vec![
                member("a", Schema::List(Box::new(Schema::String))),
                member("b", Schema::Object(vec![member("c", Schema::Boolean)])),
            ]),
        );
        check(
            "{ok: true, mode?: \"all\"|\"last\"}",
            Schema::Object(vec![
                member("ok", Schema::True),
                Member {
                    optional: true,
                    ..member(
                        "mode",
                        Schema::Either(vec![Schema::Text("all"), Schema::Text("last")]),
                    )
                },
            ]),
        );
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "text",
            "string|",
            "[string",
            "{a}",
            "{a: string",
            "{a: string b: string}",
            "{, a: string}",
            "{*: string, a: string}",
            "{é: string}",
            "\"open",
            "string string",
        ] {
            assert_eq!(Schema::parse(text), None, "{text}");
        }
    }
}
