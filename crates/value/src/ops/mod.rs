//! The constant operators of TLA+ and of the arithmetic and sequence modules, each implemented once.
//!
//! Context first: every operator takes the [`Host`](crate::Host), which gives memory and runs closures.

mod apply;
mod arithmetic;
mod compare;
mod elements;
mod except;
mod force;
mod function;
mod hash;
mod member;
mod normal;
mod sequence;
mod set;
mod size;

pub use apply::{apply, apply_many, domain, field, select};
pub use arithmetic::{add, compare_ints, divide, interval, modulo, multiply, negate, power, subtract};
pub use compare::{compare, equal};
pub use elements::{Elements, elements, elements_normal};
pub use except::{Excepted, except};
pub use force::{explicit_function, explicit_set, force, is_explicit};
pub use function::{function, function_from_pairs, lazy_function, merge, pair, record};
pub use hash::hash;
pub use member::{is_subset, member};
pub use normal::normalize;
pub use sequence::{append, as_sequence, concat, head, len, sub_seq, tail};
pub use set::{cap, cup, difference, filter, function_set, is_eager, k_subsets, powerset, product};
pub use set::{record_set, sequences, union};
pub use size::{cardinality, is_empty, is_finite};
