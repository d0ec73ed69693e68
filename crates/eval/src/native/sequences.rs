//! Sequences.

use value::{Value, ValueVec, ops};

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    Ok(ops::sequences(call.machine, set))
}

pub(super) fn select_seq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let sequence = call.value(0)?;
    let test = call.operator(1)?;
    let items = call.sequence(ArgPosition::First, sequence)?;
    let mut selected = ValueVec::with_capacity(call.machine.region(), items.len());
    for item in items {
        if call.holds(test, &[item], ArgPosition::Second)? {
            selected.push(item);
        }
    }
    Ok(selected.into_sequence())
}
