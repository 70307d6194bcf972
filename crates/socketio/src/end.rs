//! How a connection ends.

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The client closed it.
    Left,
    /// The client cannot be reached: nothing more is written.
    Lost,
    /// The application told the client to go; it will not come back by itself.
    Disconnected,
    /// The server closes; the client may try again.
    Closing,
    /// The client sent something that is against the protocol.
    Invalid,
    TooLarge,
    /// The client did not do in time what it had to.
    TimedOut,
}

/// The connection is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;
