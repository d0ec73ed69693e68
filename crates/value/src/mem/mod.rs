//! The memory of values: the word, the objects that words point to, regions, and the interner's address range.
//!
//! All unsafe code about values is in this folder; everything it exports is safe to call in any way.

mod arena;
mod constant;
mod grown;
mod heap;
mod items;
mod map;
mod object;
mod prefetch;
pub mod raw;
mod region;
#[cfg(not(any(miri, feature = "shuttle")))]
mod reserve;
mod run;
mod tree;
mod vec;
mod word;

pub(crate) use arena::{Arena, Block, IdBits, Parts, encode_inline};
pub use constant::Constant;
pub(crate) use grown::Growth;
pub use heap::Heap;
pub(crate) use items::SCAN_MAX;
pub use items::{Items, ItemsIter};
pub use map::trim;
pub(crate) use object::{FunctionKind, Object, ObjectKind};
pub use prefetch::{prefetch, prefetch_to_write};
pub use region::Region;
#[cfg(not(any(miri, feature = "shuttle")))]
pub use reserve::Reserve;
pub(crate) use run::LONG;
pub(crate) use tree::{Child, Tree, TreeCursor, parts_of};
pub use vec::ValueVec;
pub use word::Value;
