//! Sequences.

use value::{Value, ValueVec, ops};

use super::call::{Call, Place};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    Ok(ops::sequences(call.machine, set))
}

pub(super) fn len<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence] = call.values()?;
    call.op(|machine| ops::len(machine, sequence))
}

pub(super) fn concat<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [left, right] = call.values()?;
    call.op(|machine| ops::concat(machine, left, right))
}

pub(super) fn append<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence, element] = call.values()?;
    call.op(|machine| ops::append(machine, sequence, element))
}

pub(super) fn head<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence] = call.values()?;
    call.op(|machine| ops::head(machine, sequence))
}

pub(super) fn tail<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence] = call.values()?;
    call.op(|machine| ops::tail(machine, sequence))
}

pub(super) fn sub_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [sequence, from, to] = call.values()?;
    call.op(|machine| ops::sub_seq(machine, sequence, from, to))
}

pub(super) fn select_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let sequence = call.value(0)?;
    let test = call.operator(1)?;
    let items = call.sequence(Place::First, sequence)?;
    let mut selected = ValueVec::with_capacity(call.machine.region(), items.len());
    for item in items {
        if call.holds(test, &[item], Place::Second)? {
            selected.push(item);
        }
    }
    Ok(selected.into_sequence())
}
