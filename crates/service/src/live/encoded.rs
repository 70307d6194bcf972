//! A value in the form it has on the network, which this crate does not know.

use std::any::Any;
use std::sync::OnceLock;

/// Made once, by the first that needs it, and shared.
#[derive(Debug, Default)]
pub struct Encoded(OnceLock<Box<dyn Any + Send + Sync>>);

impl Encoded {
    pub fn get_or_make<T>(&self, make: impl Fn() -> T) -> T
    where
        T: Clone + Send + Sync + 'static,
    {
        let encoded = self.0.get_or_init(|| Box::new(make()));
        encoded.downcast_ref().cloned().unwrap_or_else(make)
    }
}
