//! Naturals, Integers, Reals: the sets. Arithmetic is in `value::ops`.

use value::Value;

use super::call::Call;
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn nat<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::NAT)
}

pub(super) fn int<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::INT)
}

/// `Real`: membership can be tested, but computing with reals is not possible.
pub(super) fn real<'r>(_: &mut Call<'_, '_, 'r>) -> Result<'r> {
    Ok(Value::REAL)
}
