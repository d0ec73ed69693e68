//! Naturals, Integers, Reals: numbers of any size.

use std::cmp::Ordering;

use value::{OpResult, Value, ops};

use super::call::Call;
use crate::interp::{Evaluated, Machine};

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn nat<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::NAT)
}

pub(super) fn int<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::INT)
}

/// Elements of it can be asked for; computing with reals is not possible.
pub(super) fn real<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::REAL)
}

pub(super) fn plus<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    binary(call, ops::add)
}

pub(super) fn minus<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    binary(call, ops::subtract)
}

pub(super) fn times<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    binary(call, ops::multiply)
}

pub(super) fn power<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    binary(call, ops::power)
}

pub(super) fn modulo<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    binary(call, ops::modulo)
}

pub(super) fn div<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    binary(call, ops::divide)
}

pub(super) fn interval<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    binary(call, ops::interval)
}

pub(super) fn lt<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    comparison(call, "<", Ordering::is_lt)
}

pub(super) fn gt<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    comparison(call, ">", Ordering::is_gt)
}

pub(super) fn leq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    comparison(call, "\\leq", Ordering::is_le)
}

pub(super) fn geq<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    comparison(call, "\\geq", Ordering::is_ge)
}

pub(super) fn neg<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [operand] = call.values()?;
    call.op(|machine| ops::negate(machine, operand))
}

#[inline]
fn binary<'p, 'r>(
    call: &mut Call<'_, 'p, 'r>,
    op: impl FnOnce(&mut Machine<'p, 'r>, Value<'r>, Value<'r>) -> OpResult<Value<'r>>,
) -> Result<'r> {
    let [left, right] = call.values()?;
    call.op(|machine| op(machine, left, right))
}

#[inline]
fn comparison<'r>(call: &mut Call<'_, '_, 'r>, op: &'static str, holds: fn(Ordering) -> bool) -> Result<'r> {
    let [left, right] = call.values()?;
    let ordering = call.op(|_| ops::compare_ints(op, left, right))?;
    Ok(Value::bool(holds(ordering)))
}
