//! Closures: the code and values that a filtered set or a lazy function needs in order to be evaluated later.

use crate::{Items, Value};

/// A piece of the evaluator's code with the values that it captured. This crate only keeps it and hands it back to
/// [`Host::call`](crate::Host::call).
#[derive(Clone, Copy, Debug)]
pub struct Closure<'r> {
    /// The evaluator's number for the code.
    pub code: u32,
    /// The evaluator's own flags.
    pub flags: u32,
    pub captured: Items<'r>,
}

impl<'r> Closure<'r> {
    pub fn captured_value(self, index: usize) -> Value<'r> {
        self.captured.get(index)
    }
}
