//! A hash of states that looks at a part of each value alone: logs have many entries, and differ at their ends.

use std::hash::{BuildHasher, Hash, Hasher};

use base::FxBuildHasher;
use value::{Atom, Items, Value, View};

/// The most parts of a variable's value that are looked at.
const PARTS_LEN_MAX: u32 = 64;
/// The most elements of one sequence, set or function that are looked at.
const ITEMS_LEN_MAX: usize = 8;

/// Returns a hash of explicit values. Equal values have equal hashes within one run of the program.
pub(super) fn hash_values<'r>(values: impl Iterator<Item = Value<'r>>) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    for value in values {
        let mut n_left = PARTS_LEN_MAX;
        hash_value(&mut hasher, value, &mut n_left);
    }
    hasher.finish()
}

/// Hashes a value. Values that are equal are looked at in the same order, whatever their form: so it ends at the same part.
fn hash_value(hasher: &mut impl Hasher, value: Value<'_>, n_left: &mut u32) {
    if *n_left == 0 {
        return;
    }
    *n_left -= 1;
    match value.view() {
        View::Bool(value) => hasher.write_u8(1 + u8::from(value)),
        View::Int(int) => hasher.write_i64(int),
        View::String(atom) | View::ModelValue(atom) => hash_atom(hasher, atom),
        View::Sequence(items) => {
            hasher.write_usize(items.len());
            hash_last(hasher, items, n_left);
        }
        View::Record(_, values) | View::Function(_, values) => {
            hasher.write_usize(!values.len());
            hash_last(hasher, values, n_left);
        }
        View::Set { elements, .. } => {
            hasher.write_usize(elements.len());
            hash_last(hasher, elements, n_left);
        }
        View::Interval(first, last) => {
            let len = usize::try_from(last - first).unwrap_or_default() + 1;
            hasher.write_usize(len);
            for int in (first..=last).rev().take(ITEMS_LEN_MAX) {
                if *n_left > 0 {
                    *n_left -= 1;
                    hasher.write_i64(int);
                }
            }
        }
        // They are rare in states, or never there.
        View::BigInt(_) | View::LazyFunction { .. } | View::Powerset(_) | View::KSubsets(..) => {}
        View::FunctionSet(..) | View::RecordSet(..) | View::Product(_) | View::Filter(..) => {}
        View::Cup(..) | View::Cap(..) | View::Difference(..) | View::Union(_) | View::Naturals => {}
        View::Integers | View::Reals | View::Strings | View::Sequences(_) | View::Anything => {}
    }
}

fn hash_atom(hasher: &mut impl Hasher, atom: Atom) {
    atom.hash(hasher);
}

/// Hashes the last elements, the last one first.
fn hash_last(hasher: &mut impl Hasher, items: Items<'_>, n_left: &mut u32) {
    let first = items.len().saturating_sub(ITEMS_LEN_MAX);
    for at in (first..items.len()).rev() {
        hash_value(hasher, items.get(at), n_left);
    }
}

#[cfg(test)]
mod tests {
    use value::{Region, Value};

    use super::hash_values;

    #[test]
    fn values_that_are_equal_have_equal_hashes_whatever_their_form() {
        let region = Region::with_limit(1 << 20);
        let ints: Vec<Value<'_>> = (1..=20).map(|int| region.int(int)).collect();
        let (set, interval) = (region.set(&ints), region.interval(1, 20));
        assert_eq!(hash_values([set].into_iter()), hash_values([interval].into_iter()));
        let (log, longer) = (region.sequence(&ints[..19]), region.sequence(&ints));
        assert_ne!(hash_values([log].into_iter()), hash_values([longer].into_iter()));
    }
}
