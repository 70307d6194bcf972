//! The pad server.

fn main() {}
