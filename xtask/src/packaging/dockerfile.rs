//! Reading a Dockerfile: as much of its language as ours uses. What is not understood is an error,
//! since a step that was left out would be a lie.

use crate::failure::Result;

/// One instruction: `COPY --from=build a b` has the keyword `COPY`, a flag and a rest.
#[derive(Debug, PartialEq, Eq)]
pub struct Instruction {
    pub keyword: String,
    pub flags: Vec<(String, String)>,
    pub rest: String,
}

impl Instruction {
    pub fn flag(&self, name: &str) -> Option<&str> {
        let found = self.flags.iter().find(|(flag, _)| flag == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The rest as the words of a command, which has to be a JSON list: the other form needs a
    /// shell in the image.
    pub fn words(&self) -> Result<Vec<String>> {
        let list = self
            .rest
            .find('[')
            .and_then(|at| self.rest.get(at..))
            .unwrap_or_default();
        let words = serde_json::from_str(list);
        Ok(words.map_err(|_| format!("not a list of words: {}", self.rest))?)
    }
}

pub fn parse(text: &str) -> Result<Vec<Instruction>> {
    let mut instructions = Vec::new();
    let mut line = String::new();
    for part in text.lines().map(str::trim) {
        if part.is_empty() || part.starts_with('#') {
            continue;
        }
        match part.strip_suffix('\\') {
            Some(begun) => line.push_str(begun),
            None => {
                line.push_str(part);
                instructions.push(instruction(&line)?);
                line.clear();
            }
        }
    }
    match line.is_empty() {
        true => Ok(instructions),
        false => Err(format!("the last line goes on nowhere: {line}").into()),
    }
}

fn instruction(line: &str) -> Result<Instruction> {
    let (keyword, mut rest) = line
        .split_once(char::is_whitespace)
        .ok_or_else(|| format!("an instruction without anything after it: {line}"))?;
    let mut flags = Vec::new();
    rest = rest.trim_start();
    while let Some(flag) = rest.strip_prefix("--") {
        let (flag, after) = flag.split_once(char::is_whitespace).unwrap_or((flag, ""));
        let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
        flags.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    Ok(Instruction {
        keyword: keyword.to_ascii_uppercase(),
        flags,
        rest: rest.to_owned(),
    })
}

/// Puts values in the place of `${NAME}` and `$NAME`.
pub fn expand(text: &str, variables: &[(String, String)]) -> String {
    // Longer names first: $BASE is not $BASEMENT.
    let mut variables: Vec<_> = variables.iter().collect();
    variables.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut text = text.to_owned();
    for (name, value) in variables {
        text = text.replace(&format!("${{{name}}}"), value);
        text = text.replace(&format!("${name}"), value);
    }
    text
}

/// `A=1 B="two words"` as pairs.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest
            .split_once('=')
            .ok_or_else(|| format!("no value: {rest}"))?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted
                .split_once('"')
                .ok_or_else(|| format!("a quote that does not end: {after}"))?,
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        pairs.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_go_on_flags_and_comments_are_understood() {
        let text = "# syntax=x\nARG BASE=debian\n\
                    RUN --mount=type=cache,target=/x \\\n  # no\n  make && \\\n  make install\n\
                    CMD [\"a\", \"b c\"]\n";
        let read = parse(text).unwrap();
        let keywords: Vec<&str> = read.iter().map(|it| it.keyword.as_str()).collect();
        assert_eq!(keywords, ["ARG", "RUN", "CMD"]);
        assert_eq!(read[1].flag("mount"), Some("type=cache,target=/x"));
        assert_eq!(read[1].rest, "make && make install");
        assert_eq!(read[2].words().unwrap(), ["a", "b c"]);
        assert!(read[1].words().is_err());
        assert!(parse("RUN a \\\n").is_err());
        assert!(parse("RUN").is_err());
    }

    #[test]
    fn variables_and_pairs_are_understood() {
        let variables = [
            ("BASE".to_owned(), "debian".to_owned()),
            ("BASEMENT".to_owned(), "no".to_owned()),
        ];
        assert_eq!(
            expand("${BASE}:$BASEMENT/$BASE", &variables),
            "debian:no/debian"
        );
        let read = pairs("A=1 B=\"two words\" C=").unwrap();
        let names: Vec<String> = read.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(names, ["A=1", "B=two words", "C="]);
        assert!(pairs("A=\"1").is_err());
    }
}
