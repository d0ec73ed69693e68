//! Code for standard operators. Those that are functions of values are called with them; others evaluate their
//! arguments themselves.

use sema::std_ops::StdOp;
use value::Value;

use super::super::code::{Get, Operand, ValueCode};
use super::super::fault::{At, FaultKind};
use super::{Compiler, value_code};
use crate::ir::{CallArg, Failure, IrId};
use crate::native::{self, Implementation};

impl Compiler<'_> {
    pub(super) fn native(&self, op: StdOp, args: &[CallArg], id: IrId) -> ValueCode {
        let span = self.program.irs[id].span;
        let refuse =
            move || value_code(move |machine| machine.fault(id, FaultKind::Failure(Failure::NoNative(op))));
        let Some(implementation) = native::implementation(op) else { return refuse() };
        if let Implementation::Call(native) = implementation {
            let args: Box<[CallArg]> = args.into();
            if !crate::lower::is_function_of_values(op) && op != StdOp::Assert {
                return value_code(move |machine| {
                    machine.allow_effect(id)?;
                    native::call(machine, native, (op, &args), id)
                });
            }
            return value_code(move |machine| native::call(machine, native, (op, &args), id));
        }
        let Some(operands) = self.value_args(args) else { return refuse() };
        match (implementation, <[Operand; 1]>::try_from(operands)) {
            (Implementation::Unary(run), Ok([a])) => value_code(move |machine| {
                let a = a.value(machine)?;
                run(machine, a).at(span)
            }),
            (Implementation::Binary(run), Err(operands)) => match <[Operand; 2]>::try_from(operands) {
                Ok([a, b]) => value_code(move |machine| {
                    let a = a.value(machine)?;
                    let b = b.value(machine)?;
                    run(machine, a, b).at(span)
                }),
                Err(_) => refuse(),
            },
            (Implementation::Ternary(run), Err(operands)) => match <[Operand; 3]>::try_from(operands) {
                Ok([a, b, c]) => value_code(move |machine| {
                    let a = a.value(machine)?;
                    let b = b.value(machine)?;
                    let c = c.value(machine)?;
                    run(machine, a, b, c).at(span)
                }),
                Err(_) => refuse(),
            },
            (Implementation::Comparison(..), Err(_)) => {
                let test = self.test(id);
                value_code(move |machine| test.holds(machine).map(Value::bool))
            }
            (_, _) => refuse(),
        }
    }

    /// Returns the arguments, if none is an operator.
    fn value_args(&self, args: &[CallArg]) -> Option<Vec<Operand>> {
        let operand = |arg: &CallArg| match arg {
            CallArg::Expr(expr) => Some(self.operand(*expr)),
            CallArg::Func(_) | CallArg::Param(_) => None,
        };
        args.iter().map(operand).collect()
    }
}
