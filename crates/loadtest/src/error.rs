//! Errors of a load test: why nothing could be measured.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum LoadTestError {
    #[error("{0} cannot be measured: it is not an address")]
    NotAnAddress(String),
    #[error("{0} cannot be measured: it names no host")]
    NoHost(String),
    #[error(
        "{0} cannot be measured: encrypted connections are not spoken here; measure the server \
         itself and not what stands in front of it"
    )]
    Encrypted(String),
    #[error("{0} cannot be measured: an address begins with http://")]
    Scheme(String),
    #[error("there is nobody to type: give --authors, --pads and --seconds at least 1")]
    Nobody,
    #[error("the figures cannot be kept")]
    Figures(#[from] hdrhistogram::CreationError),
    #[error("nobody could join")]
    NobodyJoined,
    /// Not even one person got into a pad, for this reason.
    #[error("{0}")]
    Unreachable(String),
}
