//! The constant operators of TLA+ and of the arithmetic and sequence modules, each implemented once.
//!
//! The context comes first: every operator takes the [`Host`](crate::Host), which provides memory and runs closures.

mod apply;
mod arithmetic;
mod compare;
mod elements;
mod except;
mod force;
mod function;
mod hash;
mod known;
mod member;
mod normal;
mod sequence;
mod set;
mod size;
mod tree;
mod tuple_cache;

pub use apply::{FieldCache, apply, apply_many, domain, field, field_cached, select, select_same};
pub use arithmetic::{add, compare_ints, divide, interval, modulo, multiply, negate, power, subtract};
pub use compare::{compare, equal, equal_sequences};
pub use elements::{Elements, elements, elements_normal};
pub use except::{Excepted, except};
pub use force::{explicit_function, explicit_set, force, is_explicit};
pub use function::{function, function_from_pairs, lazy_function, merge, pair, record};
pub use function::{with_key, with_value, without_key};
pub use hash::hash;
pub(crate) use hash::mix;
pub use known::KnownMembers;
pub use member::{depends_on_origin, is_subset, member};
pub use normal::normalize;
pub use sequence::{append, as_sequence, concat, head, len, sub_seq, sub_seq_items, tail};
pub use set::{cap, cup, difference, filter, function_set, is_eager, k_subsets, powerset, product};
pub use set::{record_set, sequences, union};
pub use size::{cardinality, is_empty, is_finite};
pub(crate) use tree::{KeyLevels, build as build_tree, is_large, level};
pub use tree::{are_counts, note_counts};
pub use tuple_cache::{TupleCache, tuple_cached};

use crate::print::print_raw;
use crate::{OpError, Value};

#[cold]
fn wrong_kind(op: &'static str, expected: &'static str, value: Value<'_>) -> Box<OpError> {
    Box::new(OpError::WrongKind { op, expected, got: value.kind(), value: print_raw(value) })
}

#[cold]
fn not_comparable(left: Value<'_>, right: Value<'_>) -> Box<OpError> {
    Box::new(OpError::NotComparable { left: print_raw(left), right: print_raw(right) })
}

#[cold]
fn not_decidable(element: Value<'_>, set: Value<'_>) -> Box<OpError> {
    Box::new(OpError::NotDecidable { element: print_raw(element), set: print_raw(set), kind: set.kind() })
}

#[cold]
fn not_enumerable(set: Value<'_>) -> Box<OpError> {
    Box::new(OpError::NotEnumerable { set: print_raw(set) })
}

#[cold]
fn too_large(set: Value<'_>) -> Box<OpError> {
    Box::new(OpError::TooLarge { set: print_raw(set) })
}
