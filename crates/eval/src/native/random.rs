//! RandomElement, and Randomization. The run provides the random numbers.

use num_bigint::BigUint;
use value::{Value, ValueVec, View, ops};

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

/// Size up to which a set is enumerated to draw from it. From larger sets, each part is drawn on its own.
const EXPLICIT_MAX: i64 = 1 << 16;

fn bits(call: &mut Call<'_, '_, '_>) -> Evaluated<u64> {
    call.machine.run().random().ok_or_else(|| call.unavailable_fault("random numbers"))
}

/// Returns a number below `n`, each equally likely except for one part in 2^64 / n.
fn below(call: &mut Call<'_, '_, '_>, n: usize) -> Evaluated<usize> {
    let scaled = u128::from(bits(call)?) * n as u128;
    Ok((scaled >> 64) as usize)
}

pub(super) fn random_element<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    if !set.is_set() {
        return Err(call.not_applicable("a finite set", set));
    }
    draw(call, set)
}

/// Draws an element. TLC: sets of functions, records and tuples are not enumerated; each part is drawn on its own.
fn draw<'r>(call: &mut Call<'_, '_, 'r>, set: Value<'r>) -> Result<'r> {
    match set.view() {
        View::FunctionSet(domain, range) => {
            let mut pairs = Vec::new();
            for key in call.elements(domain)? {
                pairs.push((key, draw(call, range)?));
            }
            call.function(&pairs)
        }
        View::RecordSet(shape, sets) => Ok(draw_each(call, sets)?.into_record(shape)),
        View::Product(sets) => Ok(draw_each(call, sets)?.into_sequence()),
        View::Powerset(base) => draw_subset(call, base, 1 << 63),
        View::Interval(first, last) => {
            let index = below(call, (last - first) as usize + 1)?;
            Ok(call.machine.region().int(first + index as i64))
        }
        View::Set { .. } | View::KSubsets(..) | View::Filter(..) | View::Cup(..) | View::Cap(..) => {
            draw_explicit(call, set)
        }
        View::Difference(..) | View::Union(_) => draw_explicit(call, set),
        View::Naturals | View::Integers | View::Reals | View::Strings | View::Sequences(_) => {
            Err(call.not_applicable("a finite set", set))
        }
        View::Anything | View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) => {
            Err(call.not_applicable("a finite set", set))
        }
        View::ModelValue(_) | View::Sequence(_) | View::Record(..) | View::Function(..) => {
            Err(call.not_applicable("a finite set", set))
        }
        View::LazyFunction { .. } => Err(call.not_applicable("a finite set", set)),
    }
}

fn draw_each<'r>(
    call: &mut Call<'_, '_, 'r>,
    sets: impl IntoIterator<Item = Value<'r>>,
) -> Evaluated<ValueVec<'r>> {
    let mut values = ValueVec::new(call.machine.region());
    for set in sets {
        let value = draw(call, set)?;
        values.push(value);
    }
    Ok(values)
}

fn draw_explicit<'r>(call: &mut Call<'_, '_, 'r>, set: Value<'r>) -> Result<'r> {
    let elements = call.elements(set)?;
    if elements.is_empty() {
        return Err(call.not_applicable("a set that is not empty", set));
    }
    let index = below(call, elements.len())?;
    Ok(elements[index])
}

/// Draws a subset that contains each element with a probability of `chance` in 2^64.
fn draw_subset<'r>(call: &mut Call<'_, '_, 'r>, base: Value<'r>, chance: u128) -> Result<'r> {
    let mut kept = Vec::new();
    for element in call.elements(base)? {
        if u128::from(bits(call)?) < chance {
            kept.push(element);
        }
    }
    Ok(call.set_of(&kept))
}

fn size<'r>(call: &mut Call<'_, '_, 'r>, place: ArgPosition, value: Value<'r>) -> Evaluated<usize> {
    let size = value.as_i64().and_then(|size| usize::try_from(size).ok());
    size.ok_or_else(|| call.refuse(place, "nonnegative integer", value))
}

/// `RandomSubset(k, S)`: `k` different elements, each choice of them equally likely; the whole set if it has no more.
pub(super) fn random_subset<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [k, set] = call.values()?;
    let n = size(call, ArgPosition::First, k)?;
    if !set.is_set() || !call.op(|machine| ops::is_finite(machine, set))? {
        return Err(call.refuse(ArgPosition::Second, "finite set", set));
    }
    let cardinality = call.op(|machine| ops::cardinality(machine, set))?;
    // TLC: all of them, if the set has fewer.
    let n =
        cardinality.as_i64().and_then(|total| usize::try_from(total).ok()).map_or(n, |total| n.min(total));
    if cardinality.as_i64().is_some_and(|total| total <= EXPLICIT_MAX.max(2 * n as i64)) {
        return subset_of_explicit(call, n, set);
    }
    subset_by_drawing(call, n, set)
}

/// Returns the first `n` elements of a shuffle.
fn subset_of_explicit<'r>(call: &mut Call<'_, '_, 'r>, n: usize, set: Value<'r>) -> Result<'r> {
    let mut elements = call.elements(set)?;
    for index in 0..n {
        let other = index + below(call, elements.len() - index)?;
        elements.swap(index, other);
    }
    Ok(call.set_of(&elements[..n]))
}

/// Draws until there are enough different elements. The set has at least twice as many.
fn subset_by_drawing<'r>(call: &mut Call<'_, '_, 'r>, n: usize, set: Value<'r>) -> Result<'r> {
    let mut drawn: Vec<Value<'r>> = Vec::new();
    loop {
        while drawn.len() < n {
            drawn.push(draw(call, set)?);
        }
        let subset = call.set_of(&drawn);
        let subset = call.op(|machine| ops::explicit_set(machine, subset))?;
        drawn = call.elements(subset)?;
        if drawn.len() == n {
            return Ok(subset);
        }
    }
}

/// `RandomSetOfSubsets(k, n, S)`: a set of `k` random subsets (fewer when some are equal) with `n` elements on average.
pub(super) fn random_set_of_subsets<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [k, n, set] = call.values()?;
    let n_picks = size(call, ArgPosition::First, k)?;
    let n_wanted = size(call, ArgPosition::Second, n)?;
    if !set.is_set() || !call.op(|machine| ops::is_finite(machine, set))? {
        return Err(call.refuse(ArgPosition::Third, "finite set", set));
    }
    let n_elements = call.elements(set)?.len();
    if n_elements < 64 && BigUint::from(n_picks) > BigUint::from(1u8) << n_elements {
        return Err(call.refuse(
            ArgPosition::First,
            "natural number not larger than the number of subsets",
            k,
        ));
    }
    if n_wanted > n_elements {
        return Err(call.refuse(ArgPosition::Second, "nonnegative integer in range 0..Cardinality(S)", n));
    }
    let chance = ((n_wanted as u128) << 64) / n_elements.max(1) as u128;
    let mut subsets = Vec::with_capacity(n_picks);
    for _ in 0..n_picks {
        subsets.push(draw_subset(call, set, chance)?);
    }
    Ok(call.set_of(&subsets))
}
