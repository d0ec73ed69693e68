//! The number of elements of a set.

use num_bigint::BigUint;

use super::force::{self, Explicit};
use super::{elements, not_enumerable, too_large, wrong_kind};
use crate::mem::ObjectKind;
use crate::view::View;
use crate::{Host, OpError, OpResult, Value, print};

/// Limit on the bits of a cardinality.
const SIZE_BITS_MAX: u64 = 1 << 20;

/// Computes `Cardinality(set)`: exact, of any size if it can be computed without enumerating.
pub fn cardinality<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<Value<'r>> {
    if let Some(items) = set.as_normal_set() {
        return Ok(Value::from_int(items.len() as i64));
    }
    let size = size(host, set)?;
    Ok(host.region().big_int(&size.into()))
}

fn size<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<BigUint> {
    match known_size(host, set)? {
        Some(size) => Ok(size),
        None => Ok(force::explicit_elements(host, set)?.len().into()),
    }
}

/// Returns the number of elements, if it follows from the operands' without enumerating the set itself.
pub(super) fn known_size<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    set: Value<'r>,
) -> OpResult<Option<BigUint>> {
    let size = match set.view() {
        View::Interval(first, last) => Explicit::Interval(first, last).len().into(),
        View::Powerset(base) => {
            let bits = u64::try_from(size(host, base)?).ok().filter(|&bits| bits <= SIZE_BITS_MAX);
            BigUint::from(1u8) << bits.ok_or_else(|| too_large(set))?
        }
        View::KSubsets(base, k) => {
            let n = u64::try_from(size(host, base)?).map_err(|_| too_large(set))?;
            binomial(n, k as u64)
        }
        View::FunctionSet(domain, range) => {
            let (n, base) = (size(host, domain)?, size(host, range)?);
            power(base, n).ok_or_else(|| too_large(set))?
        }
        View::RecordSet(_, sets) | View::Product(sets) => {
            let mut product = BigUint::from(1u8);
            for factor in sets {
                product *= size(host, factor)?;
                if product.bits() > SIZE_BITS_MAX {
                    return Err(too_large(set));
                }
            }
            product
        }
        View::Set { .. } | View::Filter(..) | View::Cup(..) | View::Cap(..) => return Ok(None),
        View::Difference(..) | View::Union(_) => return Ok(None),
        View::Naturals | View::Integers | View::Reals | View::Strings => return Err(not_enumerable(set)),
        View::Sequences(_) | View::Anything => return Err(not_enumerable(set)),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => {
            return Err(wrong_kind("Cardinality", "a set", set));
        }
        View::Sequence(_) | View::Record(..) | View::Function(..) | View::LazyFunction { .. } => {
            return Err(wrong_kind("Cardinality", "a set", set));
        }
    };
    Ok(Some(size))
}

fn power(base: BigUint, exponent: BigUint) -> Option<BigUint> {
    if base.bits() <= 1 {
        // 0 to the 0 is 1 here: there is one function on the empty set.
        let is_one = base.bits() == 1 || exponent.bits() == 0;
        return Some(BigUint::from(u8::from(is_one)));
    }
    let exponent = u32::try_from(exponent).ok().filter(|&n| u64::from(n) * base.bits() <= SIZE_BITS_MAX)?;
    Some(base.pow(exponent))
}

fn binomial(n: u64, k: u64) -> BigUint {
    if k > n {
        return BigUint::ZERO;
    }
    let k = k.min(n - k);
    (0..k).fold(BigUint::from(1u8), |product, i| product * (n - i) / (i + 1))
}

/// Computes `IsFiniteSet(set)`.
pub fn is_finite<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<bool> {
    match set.view() {
        View::Set { .. } | View::Interval(..) => Ok(true),
        View::Powerset(base) | View::KSubsets(base, _) => is_finite(host, base),
        View::FunctionSet(domain, range) => Ok(is_finite(host, domain)? && is_finite(host, range)?),
        View::RecordSet(_, sets) | View::Product(sets) => {
            for part in sets {
                if !is_finite(host, part)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        View::Cup(left, right) => Ok(is_finite(host, left)? && is_finite(host, right)?),
        View::Filter(base, _) => check_finite(host, base, set),
        View::Cap(left, right) => Ok(is_finite(host, left)? || check_finite(host, right, set)?),
        View::Difference(left, right) => Ok(is_finite(host, left)? || !check_finite(host, right, set)?),
        View::Union(base) => {
            let mut sets = elements(host, base)?;
            while let Some(part) = sets.next(host)? {
                if !is_finite(host, part)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        View::Naturals | View::Integers | View::Reals | View::Strings => Ok(false),
        View::Sequences(_) | View::Anything => Ok(false),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_) => {
            Err(wrong_kind("IsFiniteSet", "a set", set))
        }
        View::Sequence(_) | View::Record(..) | View::Function(..) | View::LazyFunction { .. } => {
            Err(wrong_kind("IsFiniteSet", "a set", set))
        }
    }
}

/// Whether an operand is finite. TLC: if it is infinite, the answer depends on more than that, so it refuses.
fn check_finite<'r, H: Host<'r> + ?Sized>(host: &mut H, part: Value<'r>, set: Value<'r>) -> OpResult<bool> {
    match is_finite(host, part)? {
        true => Ok(true),
        false => Err(Box::new(OpError::NotEnumerable { set: print::print_raw(set) })),
    }
}

/// Computes `set = {}`, for infinite sets too.
pub fn is_empty<'r, H: Host<'r> + ?Sized>(host: &mut H, set: Value<'r>) -> OpResult<bool> {
    match set.object() {
        Some(object) if object.kind() == ObjectKind::Set => Ok(object.len() == 0),
        Some(object) if object.kind() == ObjectKind::Sequences => Ok(false),
        Some(object) if object.kind() == ObjectKind::Interval => Ok(false),
        Some(_) => Ok(elements(host, set)?.next(host)?.is_none()),
        None if set.is_set() => Ok(false),
        None => Err(not_enumerable(set)),
    }
}
