//! Functions, and the folds over functions.

use value::{Value, View, ops};

use super::call::{ArgPosition, Call};
use crate::interp::{Evaluated, Operator};

type Result<'r> = Evaluated<Value<'r>>;

/// `AntiFunction`. TLC: of several arguments with one value the first in normal order is taken.
pub(super) fn anti_function<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [function] = call.values()?;
    let Some(pairs) = call.graph(function)? else {
        return Err(call.refuse(ArgPosition::Only, "functions", function));
    };
    let turned: Vec<_> = pairs.into_iter().map(|(key, value)| (value, key)).collect();
    call.function(&turned)
}

/// `IsInjective`. TLC: it also accepts a set of records, and takes its sets as values.
pub(super) fn is_injective<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [function] = call.values()?;
    let values: Vec<Value<'r>> = if let View::RecordSet(_, sets) = function.view() {
        sets.iter().collect()
    } else if let Some(pairs) = call.graph(function)? {
        pairs.into_iter().map(|(_, value)| value).collect()
    } else {
        return Err(call.refuse(ArgPosition::Only, "function", function));
    };
    for (index, &one) in values.iter().enumerate() {
        for &other in &values[index + 1..] {
            if call.equal(one, other)? {
                return Ok(Value::FALSE);
            }
        }
    }
    Ok(Value::TRUE)
}

/// `FoldFunction`, and `FoldSeq` too.
pub(super) fn fold_function<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let base = call.value(1)?;
    let function = call.value(2)?;
    if !function.is_function() {
        return Err(call.refuse(ArgPosition::Third, "function", function));
    }
    let domain = call.op(|machine| ops::domain(machine, function))?;
    fold(call, op, base, (function, domain))
}

pub(super) fn fold_function_on_set<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let op = call.operator(0)?;
    let base = call.value(1)?;
    let function = call.value(2)?;
    let indices = call.value(3)?;
    if !function.is_function() {
        return Err(call.refuse(ArgPosition::Third, "function", function));
    }
    if !indices.is_set() {
        return Err(call.refuse(ArgPosition::Fourth, "set", indices));
    }
    fold(call, op, base, (function, indices))
}

/// Folds values. TLC: `op(f[xn], ... op(f[x2], op(f[x1], base)))`, the indices in normal order.
fn fold<'r>(
    call: &mut Call<'_, '_, 'r>,
    op: Operator,
    base: Value<'r>,
    (function, indices): (Value<'r>, Value<'r>),
) -> Result<'r> {
    let mut elements = call.op(|machine| ops::elements_normal(machine, indices))?;
    let mut result = base;
    while let Some(index) = call.op(|machine| elements.next(machine))? {
        let value = call.op(|machine| ops::apply(machine, function, index))?;
        result = call.apply(op, &[value, result])?;
    }
    Ok(result)
}
