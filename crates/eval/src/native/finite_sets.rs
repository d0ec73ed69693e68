//! FiniteSets, FiniteSetsExt, Folds.

use value::{Kind, OpError, Value, ops};

use super::call::{ArgPosition, Call};
use crate::interp::{Evaluated, FaultKind};

type Result<'r> = Evaluated<Value<'r>>;

pub(super) fn is_finite_set<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [set] = call.values()?;
    call.op(|machine| ops::is_finite(machine, set)).map(Value::bool)
}

/// `FoldSet`. TLC: `op(xn, ... op(x2, op(x1, base)))`, the elements in normal order.
pub(super) fn fold_set<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let base = call.value(1)?;
    let set = call.value(2)?;
    let mut elements = call.op(|machine| ops::elements_normal(machine, set))?;
    let mut result = base;
    while let Some(element) = call.op(|machine| elements.next(machine))? {
        result = call.apply(op, &[element, result])?;
    }
    Ok(result)
}

pub(super) fn quantify<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let set = call.value(0)?;
    let test = call.operator(1)?;
    if !set.is_set() {
        return Err(call.refuse(ArgPosition::First, "set", set));
    }
    let mut elements = call.op(|machine| ops::elements_normal(machine, set))?;
    let mut n = 0;
    while let Some(element) = call.op(|machine| elements.next(machine))? {
        n += i64::from(call.holds(test, &[element], ArgPosition::Second)?);
    }
    Ok(call.machine.region().int(n))
}

/// `kSubset(k, S)`: lazy, so the subsets are enumerated when needed.
pub(super) fn k_subset<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [size, set] = call.values()?;
    if !set.is_set() {
        return Err(call.refuse(ArgPosition::Second, "set", set));
    }
    let set = call.op(|machine| ops::explicit_set(machine, set))?;
    let Some(wanted) = size.as_big_int() else {
        return Err(call.refuse(ArgPosition::First, "natural number", size));
    };
    let n_elements = set.as_normal_set().map_or(0, |items| items.len());
    match u32::try_from(wanted) {
        Ok(0) => Ok(call.set_of(&[Value::empty_set()])),
        Ok(wanted) if (wanted as usize) <= n_elements => Ok(ops::k_subsets(call.machine, wanted, set)),
        Ok(_) | Err(_) => Ok(Value::empty_set()),
    }
}

/// `MapThenFoldSet`: `op(f(x1), op(f(x2), ... op(f(xn), base)))`, where `choose` picks x1 from the whole set, x2 from
/// the rest.
pub(super) fn map_then_fold_set<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let base = call.value(1)?;
    let map = call.operator(2)?;
    let choose = call.operator(3)?;
    let set = call.value(4)?;
    if !set.is_set() {
        // TLC evaluates the definition, which tests whether the argument is among its subsets.
        let element = call.machine.show(set);
        let set = format!("SUBSET {element}");
        let error = OpError::NotDecidable { element, set, kind: Kind::Powerset };
        return Err(call.fault(FaultKind::Op(Box::new(error))));
    }
    let mut rest = call.op(|machine| ops::explicit_set(machine, set))?;
    let mut picked = Vec::new();
    while !call.op(|machine| ops::is_empty(machine, rest))? {
        let element = call.apply(choose, &[rest])?;
        let single = call.set_of(&[element]);
        let smaller = call.op(|machine| ops::difference(machine, rest, single))?;
        if call.equal(smaller, rest)? {
            return Err(call.not_applicable("a choice from the set that is left", element));
        }
        picked.push(element);
        rest = smaller;
    }
    let mut result = base;
    for &element in picked.iter().rev() {
        let image = call.apply(map, &[element])?;
        result = call.apply(op, &[image, result])?;
    }
    Ok(result)
}
