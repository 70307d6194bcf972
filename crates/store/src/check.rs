//! Whether what is stored of a pad holds together.

use std::fmt;

use pad::PadId;

use crate::{Error, Store, missing};

/// Something wrong with a stored pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[allow(unused_variables)]
impl Store {
    pub async fn check_pad(&self, id: &PadId) -> Result<Vec<Problem>, Error> {
        missing()
    }
}
