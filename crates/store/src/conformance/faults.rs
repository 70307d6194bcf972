//! Everything that writes, with a failure at each of its steps.

/// Placeholder.
pub async fn failures() {}
