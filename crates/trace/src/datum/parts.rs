//! The parts of a value, shared by every value that has the same parts.
//!
//! States of a long behaviour mostly differ in a few places. Code that makes them gives the same parts to each, and
//! neither a copy nor a comparison has to visit these parts again.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Elements, fields or pairs.
pub struct Parts<T>(Arc<[T]>);

impl<T> Parts<T> {
    /// Whether the parts are the same in memory, and therefore equal.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Parts<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> Clone for Parts<T> {
    fn clone(&self) -> Self {
        Parts(Arc::clone(&self.0))
    }
}

impl<T: fmt::Debug> fmt::Debug for Parts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Equality; shared parts are equal without being visited.
impl<T: PartialEq> PartialEq for Parts<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_shared_with(other) || self.0 == other.0
    }
}

impl<T: Eq> Eq for Parts<T> {}

impl<T> FromIterator<T> for Parts<T> {
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Self {
        Parts(parts.into_iter().collect())
    }
}

impl<T> From<Vec<T>> for Parts<T> {
    fn from(parts: Vec<T>) -> Self {
        Parts(parts.into())
    }
}

impl<'a, T> IntoIterator for &'a Parts<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
