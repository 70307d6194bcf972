//! The parameters of a request, from a query or a form.
//!
//! A parameter without a value counts as not sent, and one that is sent twice is refused: which of
//! the two counts is what two programs could disagree about.

use crate::error::{Error, ErrorKind};

#[derive(Clone, Debug, Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub fn read(text: &str) -> Parameters {
        Parameters(
            form_urlencoded::parse(text.as_bytes())
                .into_owned()
                .collect(),
        )
    }

    pub fn get(&self, name: &str) -> Result<Option<&str>, Error> {
        let mut values = self.0.iter().filter(|(other, _)| other == name);
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(ErrorKind::InvalidRequest.because("a parameter is there twice")),
            (Some((_, value)), None) if !value.is_empty() => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    /// As they can be written into an address.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.0);
        query.finish()
    }

    pub fn owned(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(self.get(name)?.map(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_unambiguous() {
        let parameters = Parameters::read("state=a%26b+c&empty=&twice=1&twice=1");
        assert_eq!(parameters.get("state"), Ok(Some("a&b c")));
        let again = Parameters::read(&parameters.query());
        assert_eq!(again.get("state"), Ok(Some("a&b c")));
        assert_eq!(parameters.get("empty"), Ok(None));
        assert_eq!(parameters.get("other"), Ok(None));
        assert_eq!(
            parameters.get("twice").unwrap_err().kind,
            ErrorKind::InvalidRequest
        );
    }
}
