//! TLC: output, assertions, functions, sorting.

use value::{OpResult, Value, ValueVec, View, ops};

use super::call::{ArgPosition, Call};
use crate::interp::{At, Evaluated, FaultKind, Machine};
use crate::ir::IrId;

type Result<'r> = Evaluated<Value<'r>>;

/// The width at which TLC breaks its output.
const LINE_WIDTH: usize = 80;

/// Limit on the number of elements that are permuted: 10! is the most that a set of the default size can hold.
pub(super) const PERMUTED_MAX: usize = 10;

pub(super) fn print<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [out, value] = call.values()?;
    let line = format!("{}  {}", pretty(call, out)?, pretty(call, value)?);
    call.machine.run().print(&line);
    Ok(value)
}

pub(super) fn print_t<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [out] = call.values()?;
    let line = pretty(call, out)?;
    call.machine.run().print(&line);
    Ok(Value::TRUE)
}

fn pretty<'r>(call: &mut Call<'_, '_, 'r>, value: Value<'r>) -> Evaluated<String> {
    call.op(|machine| print_enumerated(machine, value, LINE_WIDTH))
}

/// Prints a value as `PrintT` does, over several lines if it is wider than `width`. A value that cannot be enumerated is a
/// fault at `place`.
pub fn printable<'r>(
    machine: &mut Machine<'_, 'r>,
    value: Value<'r>,
    (width, place): (usize, IrId),
) -> Evaluated<String> {
    let span = machine.span(place);
    print_enumerated(machine, value, width).at(span)
}

fn print_enumerated<'r>(machine: &mut Machine<'_, 'r>, value: Value<'r>, width: usize) -> OpResult<String> {
    enumerate(machine, value)?;
    value::pretty(machine, value, width)
}

/// Enumerates a value before it is printed. TLC: it must be enumerable, except infinite sets that have a name.
fn enumerate<'r>(machine: &mut Machine<'_, 'r>, value: Value<'r>) -> OpResult<()> {
    let parts = match value.view() {
        View::Filter(..) | View::Cup(..) | View::Cap(..) | View::Difference(..) | View::Union(_) => {
            return ops::explicit_set(machine, value).map(|_| ());
        }
        // TLC: the subsets of what is no set cannot be printed.
        View::Powerset(base) if !base.is_set() => return ops::explicit_set(machine, value).map(|_| ()),
        View::Sequence(items) | View::Record(_, items) | View::Function(_, items) => items,
        View::Set { elements, .. } => elements,
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => {
            return Ok(());
        }
        View::LazyFunction { .. } | View::Interval(..) | View::Powerset(_) | View::KSubsets(..) => {
            return Ok(());
        }
        View::FunctionSet(..) | View::RecordSet(..) | View::Product(_) | View::Naturals => return Ok(()),
        View::Integers | View::Reals | View::Strings | View::Sequences(_) | View::Anything => return Ok(()),
    };
    base::with_stack(|| parts.iter().try_for_each(|part| enumerate(machine, part)))
}

/// `Assert`. TLC: anything other than TRUE fails, including a value that is not a boolean.
pub(super) fn assert<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [holds, message] = call.values()?;
    if holds.as_bool() == Some(true) {
        return Ok(Value::TRUE);
    }
    let message = pretty(call, message)?;
    Err(call.fault(FaultKind::Assert { message }))
}

pub(super) fn java_time<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    match call.machine.run().world().epoch_seconds() {
        Some(seconds) => Ok(call.machine.region().int((seconds & 0x7fff_ffff) as i64)),
        None => Err(call.unavailable_fault("a clock")),
    }
}

pub(super) fn maps_to<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [key, value] = call.values()?;
    call.op(|machine| ops::pair(machine, key, value))
}

pub(super) fn override_with<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [f, g] = call.values()?;
    for (place, function) in [(ArgPosition::First, f), (ArgPosition::Second, g)] {
        if !function.is_function() {
            return Err(call.refuse(place, "function", function));
        }
    }
    call.op(|machine| ops::merge(machine, f, g))
}

pub(super) fn permutations<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    if !set.is_set() {
        return Err(call.not_applicable("a finite set", set));
    }
    let domain = call.op(|machine| ops::explicit_set(machine, set))?;
    let elements = call.elements(domain)?;
    let orders = orders(call, set, &elements)?;
    let region = call.machine.region();
    let functions: Vec<Value<'r>> =
        orders.iter().map(|order| ops::function(domain, ValueVec::from_slice(region, order))).collect();
    Ok(call.set_of(&functions))
}

/// Returns all orders of the elements, in lexicographic order.
pub(super) fn orders<'r>(
    call: &mut Call<'_, '_, 'r>,
    set: Value<'r>,
    elements: &[Value<'r>],
) -> Evaluated<Vec<Vec<Value<'r>>>> {
    if elements.len() > PERMUTED_MAX {
        let set = call.machine.show(set);
        return Err(call.too_large(format!("the permutations of {set}")));
    }
    let mut indices: Vec<usize> = (0..elements.len()).collect();
    let mut orders = Vec::new();
    loop {
        orders.push(indices.iter().map(|&index| elements[index]).collect());
        if !next_permutation(&mut indices) {
            return Ok(orders);
        }
    }
}

fn next_permutation(indices: &mut [usize]) -> bool {
    let Some(pivot) = indices.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let larger = indices.iter().rposition(|&index| index > indices[pivot]);
    indices.swap(pivot, larger.unwrap_or(pivot));
    indices[pivot + 1..].reverse();
    true
}

/// `SortSeq`. TLC: insertion sort, each element moved forward while it comes before its neighbour.
pub(super) fn sort_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let sequence = call.value(0)?;
    let before = call.operator(1)?;
    let items = call.sequence(ArgPosition::First, sequence)?;
    let mut sorted = ValueVec::with_capacity(call.machine.region(), items.len());
    for item in items {
        sorted.push(item);
        let mut place = sorted.len() - 1;
        while place > 0 && call.holds(before, &[item, sorted.as_slice()[place - 1]], ArgPosition::Second)? {
            sorted.as_mut_slice().swap(place - 1, place);
            place -= 1;
        }
    }
    Ok(sorted.into_sequence())
}

pub(super) fn any<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::ANY)
}

pub(super) fn to_string<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    let text = call.show(value)?;
    Ok(call.string(&text))
}

/// `TLCEval`. TLC: sets and functions are made explicit one level deep; infinite sets stay as they are.
pub(super) fn tlc_eval<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [value] = call.values()?;
    match value.view() {
        View::Naturals | View::Integers | View::Reals | View::Strings => Ok(value),
        View::Sequences(_) | View::Anything => Ok(value),
        View::LazyFunction { .. } => call.op(|machine| ops::explicit_function(machine, value)),
        View::Set { .. } | View::Interval(..) | View::Powerset(_) | View::KSubsets(..) => {
            explicit(call, value)
        }
        View::FunctionSet(..) | View::RecordSet(..) | View::Product(_) => explicit(call, value),
        View::Filter(..) | View::Cup(..) | View::Cap(..) => explicit(call, value),
        View::Difference(..) | View::Union(_) => explicit(call, value),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => Ok(value),
        View::Sequence(_) | View::Record(..) | View::Function(..) => Ok(value),
    }
}

fn explicit<'r>(call: &mut Call<'_, '_, 'r>, set: Value<'r>) -> Result<'r> {
    call.op(|machine| ops::explicit_set(machine, set))
}
