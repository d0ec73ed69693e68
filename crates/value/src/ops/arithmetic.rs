//! Integer arithmetic: any size, never wrapped.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use crate::mem::Value;
use crate::{Host, OpError, OpResult, print};

/// Limit on the size of powers. Larger ones would take all memory.
const POWER_BITS_MAX: u64 = 1 << 26;

/// Computes `left + right`.
#[inline]
pub fn add<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<Value<'r>> {
    if let (Some(left), Some(right)) = (left.as_small(), right.as_small()) {
        // Two integers of 63 bits add up to one of 64.
        return Ok(host.region().int(left + right));
    }
    with_big("+", host, left, right, |left, right| Ok(left + right))
}

/// Computes `left - right`.
#[inline]
pub fn subtract<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    if let (Some(left), Some(right)) = (left.as_small(), right.as_small()) {
        return Ok(host.region().int(left - right));
    }
    with_big("-", host, left, right, |left, right| Ok(left - right))
}

/// Computes `left * right`.
#[inline]
pub fn multiply<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    let small = left.as_small().zip(right.as_small()).and_then(|(left, right)| left.checked_mul(right));
    if let Some(product) = small {
        return Ok(host.region().int(product));
    }
    with_big("*", host, left, right, |left, right| Ok(left * right))
}

/// Computes `left \div right`, rounded towards minus infinity.
#[inline]
pub fn divide<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    if let (Some(left), Some(right @ 1..)) = (left.as_small(), right.as_small()) {
        return Ok(Value::from_int(left.div_euclid(right)));
    }
    with_big("\\div", host, left, right, |left, right| match right.sign() {
        Sign::NoSign => Err(Box::new(OpError::DivisionByZero)),
        Sign::Plus | Sign::Minus => Ok(div_floor(left, right)),
    })
}

/// Computes `left % right`. The divisor must be positive; the result is never negative.
#[inline]
pub fn modulo<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    if let (Some(left), Some(right @ 1..)) = (left.as_small(), right.as_small()) {
        return Ok(Value::from_int(left.rem_euclid(right)));
    }
    with_big("%", host, left, right, |left, right| match right.sign() {
        Sign::Plus => Ok(left - div_floor(left, right) * right),
        Sign::NoSign | Sign::Minus => Err(Box::new(OpError::NotPositive { divisor: right.to_string() })),
    })
}

/// Computes `left ^ right`. The exponent must not be negative, and `0 ^ 0` has no value.
pub fn power<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    with_big("^", host, left, right, |base, exponent| {
        if exponent.sign() == Sign::Minus {
            return Err(Box::new(OpError::NegativeExponent { exponent: exponent.to_string() }));
        }
        if base.sign() == Sign::NoSign && exponent.sign() == Sign::NoSign {
            return Err(Box::new(OpError::ZeroToTheZero));
        }
        // For 0, 1 and -1 any exponent is fine: only whether it is zero and its parity count.
        let small_base = base.bits() <= 1;
        let exponent_u32 = if small_base {
            u32::from(exponent.bit(0)) + 2 * u32::from(exponent.bits() > 1)
        } else {
            u32::try_from(exponent)
                .ok()
                .filter(|&n| u64::from(n) * base.bits() <= POWER_BITS_MAX)
                .ok_or_else(|| Box::new(OpError::NumberTooLarge { op: "^", number: exponent.to_string() }))?
        };
        Ok(base.pow(exponent_u32))
    })
}

/// Computes `-operand`.
#[inline]
pub fn negate<'r, H: Host<'r> + ?Sized>(host: &mut H, operand: Value<'r>) -> OpResult<Value<'r>> {
    match operand.as_small() {
        Some(int) => Ok(host.region().int(-int)),
        None => Ok(host.region().big_int(&-big("-", operand)?)),
    }
}

/// Computes `left..right`.
#[inline]
pub fn interval<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Value<'r>> {
    if let (Some(first), Some(last)) = (left.as_small(), right.as_small()) {
        return Ok(host.region().interval(first, last));
    }
    if big("..", left)? > big("..", right)? {
        return Ok(Value::empty_set());
    }
    let large = if left.as_small().is_some() { right } else { left };
    Err(Box::new(OpError::NumberTooLarge { op: "..", number: print::print_raw(large) }))
}

/// Compares integers for `<`, `\leq`, `>`, `\geq`; `op` is the operator as messages name it.
#[inline]
pub fn compare_ints<'r>(op: &'static str, left: Value<'r>, right: Value<'r>) -> OpResult<Ordering> {
    if let (Some(left), Some(right)) = (left.as_small(), right.as_small()) {
        return Ok(left.cmp(&right));
    }
    Ok(big(op, left)?.cmp(&big(op, right)?))
}

#[cold]
fn with_big<'r, H: Host<'r> + ?Sized>(
    op: &'static str,
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
    compute: impl FnOnce(&BigInt, &BigInt) -> OpResult<BigInt>,
) -> OpResult<Value<'r>> {
    let (left, right) = (big(op, left)?, big(op, right)?);
    Ok(host.region().big_int(&compute(&left, &right)?))
}

fn big(op: &'static str, value: Value<'_>) -> OpResult<BigInt> {
    value.as_big_int().ok_or_else(|| super::wrong_kind(op, "an integer", value))
}

fn div_floor(left: &BigInt, right: &BigInt) -> BigInt {
    let quotient = left / right;
    let exact = &quotient * right == *left;
    let negative = (left.sign() == Sign::Minus) != (right.sign() == Sign::Minus);
    if negative && !exact { quotient - 1 } else { quotient }
}
