//! A hash by meaning.

use base::with_stack;

use crate::view::View;
use crate::{Ground, Items, Value};

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns a hash: equal values have equal hashes, in every run and on every machine; atoms count by their spelling.
pub fn hash(value: Ground<'_>) -> u64 {
    hash_value(SEED, value.value())
}

/// Hashes a value. Each kind begins with a number of its own; functions of all forms share one, and so do sets.
fn hash_value(state: u64, value: Value<'_>) -> u64 {
    match value.view() {
        View::Bool(value) => mix(mix(state, 1), u64::from(value)),
        View::Int(int) => mix(mix(state, 2), int as u64),
        View::BigInt(int) => int.iter_u64_digits().fold(mix(state, 3 + int.sign() as u64), mix),
        View::String(atom) => hash_text(mix(state, 8), atom.text()),
        View::ModelValue(atom) => hash_text(mix(state, 9), atom.text()),
        View::Sequence(items) => {
            let state = mix(mix(state, 10), items.len() as u64);
            let keys = (1..).map(|int| mix(SEED, int));
            keys.zip(items).fold(state, |state, (key, item)| hash_deep(mix(state, key), item))
        }
        View::Record(shape, values) => {
            let keys = shape.fields().iter().map(|field| hash_text(mix(SEED, 8), field.text()));
            hash_graph(state, keys, values)
        }
        View::Function(domain, values) => match domain.as_interval() {
            Some((first, _)) => hash_graph(state, (first..).map(|int| mix(mix(SEED, 2), int as u64)), values),
            None => {
                let keys = domain.as_normal_set().unwrap_or(Items::EMPTY);
                hash_graph(state, keys.iter().map(|key| hash_deep(SEED, key)), values)
            }
        },
        View::Set { elements, .. } => {
            let state = mix(mix(state, 12), elements.len() as u64);
            elements.iter().fold(state, hash_deep)
        }
        View::Interval(first, last) => {
            let state = mix(mix(state, 12), (last - first) as u64 + 1);
            (first..=last).fold(state, |state, int| mix(mix(state, 2), int as u64))
        }
        View::LazyFunction { .. } | View::Powerset(_) | View::KSubsets(..) | View::FunctionSet(..) => {
            not_ground(value)
        }
        View::RecordSet(..) | View::Product(_) | View::Filter(..) | View::Cup(..) | View::Cap(..) => {
            not_ground(value)
        }
        View::Difference(..) | View::Union(_) | View::Naturals | View::Integers | View::Reals => {
            not_ground(value)
        }
        View::Strings | View::Sequences(_) | View::Anything => not_ground(value),
    }
}

fn not_ground(value: Value<'_>) -> ! {
    unreachable!("{value:?} is not explicit")
}

fn hash_deep(state: u64, value: Value<'_>) -> u64 {
    if value.is_object() { with_stack(|| hash_value(state, value)) } else { hash_value(state, value) }
}

fn hash_graph<'r>(state: u64, keys: impl Iterator<Item = u64>, values: Items<'r>) -> u64 {
    let state = mix(mix(state, 11), values.len() as u64);
    keys.zip(values).fold(state, |state, (key, value)| hash_deep(mix(state, key), value))
}

fn hash_text(state: u64, text: &str) -> u64 {
    let words = text.as_bytes().chunks(8).map(|chunk| {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(bytes)
    });
    words.fold(mix(state, text.len() as u64), mix)
}

/// Computes one step of a multiply-and-fold hash.
#[inline]
pub(crate) fn mix(state: u64, word: u64) -> u64 {
    const FACTOR: u64 = 0x9fb2_1c65_1e98_df25;
    let product = u128::from(state.rotate_left(23) ^ word) * u128::from(FACTOR);
    (product as u64) ^ (product >> 64) as u64
}
