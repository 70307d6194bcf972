//! Version of the API, by which functions and parameters are there or not.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// A version of the API, as a place in [`VERSIONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u8);

/// Every version that there has been, oldest first.
pub const VERSIONS: [&str; 16] = [
    "1", "1.1", "1.2", "1.2.1", "1.2.7", "1.2.8", "1.2.9", "1.2.10", "1.2.11", "1.2.12", "1.2.13",
    "1.2.14", "1.2.15", "1.3.0", "1.3.1", "2.0.0",
];

impl Version {
    /// The newest version, which has all functions.
    pub const LATEST: Version = Version(VERSIONS.len() as u8 - 1);
    /// The newest version that Etherpad has. Clients that ask for the current version get this
    /// one: they compare it with those they know.
    pub const CURRENT: Version = Version::V1_3_1;
    pub const V1: Version = Version(0);
    pub const V1_1: Version = Version(1);
    pub const V1_2: Version = Version(2);
    pub const V1_2_1: Version = Version(3);
    pub const V1_2_7: Version = Version(4);
    pub const V1_2_8: Version = Version(5);
    pub const V1_2_9: Version = Version(6);
    pub const V1_2_10: Version = Version(7);
    pub const V1_2_11: Version = Version(8);
    pub const V1_2_12: Version = Version(9);
    pub const V1_2_13: Version = Version(10);
    pub const V1_2_14: Version = Version(11);
    pub const V1_2_15: Version = Version(12);
    pub const V1_3_0: Version = Version(13);
    pub const V1_3_1: Version = Version(14);
    pub const V2_0_0: Version = Version(15);

    pub fn all() -> impl Iterator<Item = Version> {
        (0..VERSIONS.len() as u8).map(Version)
    }

    pub fn as_str(self) -> &'static str {
        VERSIONS
            .get(usize::from(self.0))
            .copied()
            .unwrap_or_default()
    }
}

impl FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Version, Error> {
        Version::all()
            .find(|version| version.as_str() == text)
            .ok_or(Error::NoSuchFunction)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
