//! Updates from end to end: real git, a real build of a small program that stands in for a release
//! and becomes this one, a feed, a mail server, and a supervisor that starts what the link points
//! to.

mod editors;

mod failures;

mod feed;

mod grace;

mod installation;

mod interrupted;

mod mails;

mod origin;

mod preflight;

mod rolls;

pub(crate) mod smtp;

mod starting;

mod success;

mod supervised;

mod wishes;
