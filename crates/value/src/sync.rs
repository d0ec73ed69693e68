//! The building blocks of the shared tables: atomics, locks and reserved arrays.
//!
//! With the feature `shuttle` they come from a scheduler that tries many orders of events (`tests/shuttle.rs`), and
//! tables are so small that they grow at once. Nothing else may differ.

#[cfg(feature = "shuttle")]
pub(crate) use shuttle::sync::{
    Mutex, MutexGuard, RwLock, RwLockReadGuard,
    atomic::{AtomicU32, AtomicU64, AtomicUsize},
};
#[cfg(not(feature = "shuttle"))]
pub(crate) use std::sync::{
    Mutex, MutexGuard, RwLock, RwLockReadGuard,
    atomic::{AtomicU32, AtomicU64, AtomicUsize},
};

#[cfg(not(any(miri, feature = "shuttle")))]
pub use crate::mem::Reserve;
#[cfg(any(miri, feature = "shuttle"))]
pub use short::Reserve;

/// Whether tables are as small as possible.
pub(crate) const IS_SMALL: bool = cfg!(any(miri, feature = "shuttle"));

/// Arrays for platforms without address space to reserve.
#[cfg(any(miri, feature = "shuttle"))]
mod short {
    use std::ops::Range;
    use std::sync::Arc;

    const LEN_MAX: usize = if cfg!(miri) { 1 << 12 } else { 1 << 9 };

    /// An array of atomics that begin as zero.
    pub struct Reserve<T>(Arc<[T]>);

    impl<T: Default> Reserve<T> {
        pub fn new(len_max: usize) -> Option<Reserve<T>> {
            Some(Reserve((0..len_max.min(LEN_MAX)).map(|_| T::default()).collect()))
        }

        pub fn dense(len_max: usize) -> Option<Reserve<T>> {
            Reserve::new(len_max)
        }

        pub fn one_of_many(len_max: usize) -> Reserve<T> {
            Reserve((0..len_max.min(LEN_MAX)).map(|_| T::default()).collect())
        }

        pub fn share(&self) -> Reserve<T> {
            Reserve(Arc::clone(&self.0))
        }

        #[expect(clippy::unused_self, reason = "as the other one has it")]
        pub fn prefetch(&self, _: usize) {}

        #[expect(clippy::unused_self, reason = "as the other one has it")]
        pub fn prefetch_to_write(&self, _: usize) {}

        pub fn len(&self) -> usize {
            self.0.len()
        }

        pub fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub fn at(&self, index: usize) -> &T {
            &self.0[index]
        }

        pub fn get(&self, index: usize) -> Option<&T> {
            self.0.get(index)
        }

        pub fn part(&self, entries: Range<usize>) -> &[T] {
            &self.0[entries]
        }

        pub fn discard(&self, _entries: Range<usize>) {}
    }
}
