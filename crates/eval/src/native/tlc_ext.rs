//! TLCExt and Toolbox: errors as values, the trace so far.

use value::Value;

use super::call::{ArgPosition, Call};
use super::registers::load_owned;
use super::tlc_text::tlc_text;
use crate::interp::{Evaluated, FaultKind};
use crate::run::Fact;

type Result<'r> = Evaluated<Value<'r>>;

/// `AssertError`. TLC: TRUE iff the second argument fails with exactly this message. A failure whose wording in TLC is
/// not known here is passed on: neither answer would be known to be right.
pub(super) fn assert_error<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let expected = call.value(0)?;
    let expected = call.text(ArgPosition::First, expected)?;
    match call.attempt(1)? {
        Ok(_) => Ok(Value::FALSE),
        Err(fault) if fault.kind.is_limit() => Err(fault),
        Err(fault) => match tlc_text(call.machine.run(), &fault) {
            Some(text) => Ok(Value::bool(text == expected)),
            None => Err(fault),
        },
    }
}

/// `Trace`: the states up to the current one, as records.
pub(super) fn trace<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let current = current_state(call)?;
    let Some(before) = call.machine.run().fact(Fact::Predecessors) else {
        return Err(call.unavailable_fault("a search that knows how the current state was reached"));
    };
    let before = load_owned(call, &before)?;
    call.op(|machine| value::ops::append(machine, before, current))
}

fn current_state<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let program = call.machine.program();
    let mut fields = Vec::with_capacity(program.variables.len());
    for (index, value) in call.machine.state().iter().enumerate() {
        let Some(value) = *value else {
            let variable = crate::ir::VarIdx(index as u16);
            return Err(call.fault(FaultKind::Unassigned { variable, next: false }));
        };
        fields.push((Value::atom(program.variable_atoms[index]), value));
    }
    call.function(&fields)
}

/// `CounterExample`. TLC: without a counterexample it is one without states and steps.
pub(super) fn counter_example<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    match call.machine.run().fact(Fact::CounterExample) {
        Some(value) => load_owned(call, &value),
        None => call.record(&[("state", Value::empty_set()), ("action", Value::empty_set())]),
    }
}

pub(super) fn te_trace<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    trace_fact(call, Fact::TeTrace)
}

pub(super) fn te_position<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    trace_fact(call, Fact::TePosition)
}

fn trace_fact<'r>(call: &mut Call<'_, '_, 'r>, fact: Fact) -> Result<'r> {
    match call.machine.run().fact(fact) {
        Some(value) => load_owned(call, &value),
        None => Err(call.unavailable_fault("an error trace that is being explored")),
    }
}

pub(super) fn tlc_no_op<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    call.value(0)
}

pub(super) fn tlc_model_value<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [name] = call.values()?;
    match name.as_string() {
        Some(atom) => Ok(Value::atom(atom.as_model_value())),
        None => Err(call.refuse(ArgPosition::Only, "string", name)),
    }
}

/// `PickSuccessor`. TLC asks the user about each step when the condition is FALSE. Here nobody can be asked.
pub(super) fn pick_successor<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [condition] = call.values()?;
    let is_step = call.machine.next().iter().all(|value| value.is_some());
    if call.boolean(ArgPosition::Only, condition)? || !is_step {
        return Ok(Value::TRUE);
    }
    Err(call.unavailable_fault("someone to ask which step to take"))
}
