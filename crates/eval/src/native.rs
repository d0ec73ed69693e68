//! The standard operators that are implemented here and not by their TLA+ definitions.

use sema::std_ops::StdOp;
use value::Value;

use crate::interp::{Evaluated, Fault, FaultKind, Machine};
use crate::ir::{CallArg, Failure, IrId};

/// Whether an operator is evaluated natively.
pub fn is_native(_op: StdOp) -> bool {
    true
}

/// Applies a native operator.
pub fn call<'r>(
    machine: &mut Machine<'_, 'r>,
    op: StdOp,
    args: &[CallArg],
    id: IrId,
) -> Evaluated<Value<'r>> {
    let _ = args;
    Err(Fault::new(FaultKind::Failure(Failure::NoNative(op)), machine.span(id)))
}
