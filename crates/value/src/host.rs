//! The evaluator as seen by the operators: they ask it for memory, and to run closures.

use crate::ops::KnownMembers;
use crate::{Closure, Interner, OpError, OpResult, Region, Value};

/// Limit on the number of elements of a set that is made explicit, unless the evaluator sets another.
pub const SET_SIZE_MAX: usize = 1_000_000;

/// The evaluator, as the operators see it.
pub trait Host<'r> {
    /// Returns the region in which results are allocated.
    fn region(&self) -> &'r Region;

    /// Runs a closure. For a filter, `args` is the element and the result is a boolean. For a lazy function, `args` is
    /// the argument and the function itself (which a recursive definition needs).
    fn call(&mut self, closure: Closure<'r>, args: &[Value<'r>]) -> OpResult<Value<'r>>;

    /// Returns the interner of the values of stored states, if sequences among them may be lengthened there.
    fn interner(&self) -> Option<&'r Interner> {
        None
    }

    /// Returns the answers to `\\in` that are remembered, unless asking a question twice differs from asking it once.
    fn known_members(&mut self) -> Option<&mut KnownMembers> {
        None
    }

    /// Returns the limit on the number of elements of a set that is made explicit, if there is room for them.
    fn set_size_max(&self) -> usize {
        SET_SIZE_MAX
    }

    /// Checks the limits of the run. Called every few hundred elements of a long enumeration. Returns
    /// [`OpError::Raised`] to stop it when the time is up, and [`OpError::NoRoom`] when memory is exhausted.
    fn check_limits(&mut self) -> OpResult<()> {
        check_room(self, 0)
    }

    /// Counts a piece of work, and checks the limits once in many of them.
    #[inline]
    fn count_work(&mut self) -> OpResult<()> {
        if self.region().is_look_due() { self.check_limits() } else { Ok(()) }
    }
}

/// Refuses when `n_words` more words of values do not fit. To be called before a large value is made at once.
#[inline]
pub fn check_room<'r, H: Host<'r> + ?Sized>(host: &H, n_words: usize) -> OpResult<()> {
    if host.region().has_room_for(n_words) { Ok(()) } else { Err(Box::new(OpError::NoRoom)) }
}

/// A host without code, for constants, tests, and values that are known to hold no closures.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'r>(pub &'r Region);

impl<'r> Host<'r> for Plain<'r> {
    fn region(&self) -> &'r Region {
        self.0
    }

    fn call(&mut self, _closure: Closure<'r>, _args: &[Value<'r>]) -> OpResult<Value<'r>> {
        Err(Box::new(OpError::NoEvaluator))
    }
}
