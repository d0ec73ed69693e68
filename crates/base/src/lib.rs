//! The foundation: typed ids and the vectors they index, interned names, hash maps with a fixed hash, deep recursion,
//! near spellings, printable characters, gzip, and the clock.
//!
//! Nothing here knows TLA+ or distributed systems.

mod clock;
mod gzip;
mod idvec;
mod names;
mod spelling;
mod stack;
mod visible;

pub use clock::{Clock, SystemClock, since_epoch};
pub use gzip::{GunzipError, gunzip, gzip};
pub use idvec::{Id, IdVec};
pub use indexmap::{self, IndexMap, IndexSet};
pub use names::{Name, Names};
pub use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
pub use spelling::nearest;
pub use stack::{join, on_deep_stack, spawn_deep, try_spawn_deep, with_stack};
pub use visible::visible;

/// A map that iterates in insertion order. Use it wherever the order is visible.
pub type FxIndexMap<K, V> = IndexMap<K, V, FxBuildHasher>;
/// A set that iterates in insertion order. Use it wherever the order is visible.
pub type FxIndexSet<T> = IndexSet<T, FxBuildHasher>;
