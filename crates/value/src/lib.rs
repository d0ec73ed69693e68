//! TLA+ values: one machine word each, in regions or interned, with every constant operator on them.
//!
//! - [`Value`] is a tagged word. [`Region`] holds values that are being computed, [`Interner`] those that
//!   belong to stored states, and [`Constant`] is one that lives forever.
//! - [`ops`] has the operators. They know values, never places: their errors are an [`OpError`].
//! - [`Encoder`] and [`decode`] write values as bytes and read them again: one meaning, one text, in one process.
//! - [`StateStore`] is the exact visited set: vectors of [`ValueId`].
//!
//! Not here: syntax, names, states, evaluation. Filters and lazy functions hold a [`Closure`], and the evaluator runs
//! it through [`Host`].
//!
//! Two orders must not be confused: values *compare* in TLC's normal order ([`ops::compare`]), which `CHOOSE`,
//! enumeration and printing follow; the tables hash by meaning and follow no visible order.

mod atom;
mod bytes;
mod closure;
mod error;
mod host;
mod intern;
mod mem;
pub mod ops;
mod pairs;
mod plan;
mod pretty;
mod print;
mod rows;
mod segments;
mod shape;
mod store;
mod sync;
mod table;
mod view;

pub use atom::{Atom, Atoms};
pub use bytes::{Damaged, Encoder, decode};
pub use closure::Closure;
pub use error::{Kind, OpError, OpResult};
pub use host::{Host, Plain, SET_SIZE_MAX, check_room};
pub use intern::{Full, Ground, Interner, ValueId};
pub use mem::raw;
pub use mem::{Constant, Heap, Items, ItemsIter, Region, Value, ValueVec, prefetch, trim};
pub use pretty::pretty;
pub use print::{print, print_raw};
pub use rows::{NoRoom, RowPool, RowTable, SpareRows, mix_id};
pub use shape::Shape;
pub use store::{Folded, Seat, StateId, StateStore, StoreBytes};
pub use sync::Reserve;
pub use view::View;
