//! Bitwise, Combinatorics, DyadicRationals.

use num_bigint::BigInt;
use value::Value;

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

const I32_MIN: i64 = i32::MIN as i64;

/// Limit on the factors of a binomial coefficient that is computed factor by factor.
const CHOOSE_FACTORS_MAX: i64 = 1 << 20;

fn big<'r>(call: &mut Call<'_, '_, 'r>, place: ArgPosition, value: Value<'r>) -> Evaluated<BigInt> {
    value.as_big_int().ok_or_else(|| call.refuse(place, "natural number", value))
}

fn bitwise<'r>(call: &mut Call<'_, '_, 'r>, op: fn(&BigInt, &BigInt) -> BigInt) -> Result<'r> {
    let [left, right] = call.values()?;
    let (left, right) = (big(call, ArgPosition::First, left)?, big(call, ArgPosition::Second, right)?);
    Ok(call.machine.region().big_int(&op(&left, &right)))
}

pub(super) fn bit_and<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    bitwise(call, |left, right| left & right)
}

pub(super) fn bit_or<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    bitwise(call, |left, right| left | right)
}

pub(super) fn bit_xor<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    bitwise(call, |left, right| left ^ right)
}

/// `Not(a)`: inverts the bits up to the highest one that is set.
pub(super) fn bit_not<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [operand] = call.values()?;
    let operand = natural(call, ArgPosition::Only, operand)?;
    let ones = (BigInt::from(1) << operand.bits()) - 1;
    Ok(call.machine.region().big_int(&(ones ^ operand)))
}

/// `shiftR(n, k)`. TLC: a negative number is shifted as 32 bits.
pub(super) fn shift_r<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [operand, n_bits] = call.values()?;
    let n_bits = call.int(ArgPosition::Second, "natural number", n_bits)?.max(0) as u64;
    let number = big(call, ArgPosition::First, operand)?;
    let shifted = match operand.as_i64() {
        Some(negative @ I32_MIN..=-1) => BigInt::from((negative as u32) >> (n_bits & 31)),
        Some(_) | None => number >> n_bits,
    };
    Ok(call.machine.region().big_int(&shifted))
}

fn natural<'r>(call: &mut Call<'_, '_, 'r>, place: ArgPosition, value: Value<'r>) -> Evaluated<BigInt> {
    match value.as_big_int() {
        Some(number) if number.sign() != num_bigint::Sign::Minus => Ok(number),
        Some(_) | None => Err(call.refuse(place, "natural number", value)),
    }
}

/// `choose(n, k)`. TLC: 0 when there are fewer than `k` elements.
pub(super) fn choose<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [n, k] = call.values()?;
    let total = natural(call, ArgPosition::First, n)?;
    let wanted = natural(call, ArgPosition::Second, k)?;
    if wanted > total {
        return Ok(Value::small(0));
    }
    let fewer = wanted.clone().min(&total - &wanted);
    let Some(n_factors) = i64::try_from(fewer).ok().filter(|&n| n <= CHOOSE_FACTORS_MAX) else {
        return Err(call.malformed_fault("the result is too large"));
    };
    let result = (0..n_factors).fold(BigInt::from(1), |product, i| product * (&total - i) / (i + 1));
    Ok(call.machine.region().big_int(&result))
}

/// `Reduce(p)`: a fraction in lowest terms.
pub(super) fn reduce<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [fraction] = call.values()?;
    let (num, den) = (call.field(fraction, "num")?, call.field(fraction, "den")?);
    let (Some(num), Some(den)) = (num, den) else {
        return Err(call.refuse(ArgPosition::Only, "record", fraction));
    };
    let (num, den) = (big(call, ArgPosition::Only, num)?, big(call, ArgPosition::Only, den)?);
    let divisor = gcd(num.clone(), den.clone());
    if divisor == BigInt::from(0) || divisor == BigInt::from(1) {
        return Ok(fraction);
    }
    let region = call.machine.region();
    let (num, den) = (region.big_int(&(num / &divisor)), region.big_int(&(den / &divisor)));
    call.record(&[("num", num), ("den", den)])
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while b.sign() != num_bigint::Sign::NoSign {
        (a, b) = (b.clone(), a % b);
    }
    if a.sign() == num_bigint::Sign::Minus { -a } else { a }
}
