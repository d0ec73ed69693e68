//! Compiles nodes to code.
//!
//! Each function here examines a node once. The code that it returns does the work in the order that the contract
//! requires. Rare cases are left to functions of the machine that look nodes up by their ids.

mod binders;
mod extreme;
mod formulas;
mod functions;
mod natives;

use std::sync::Arc;

use value::{Value, ops};

use super::Machine;
use super::code::{Codes, Get, OfFrame, OfState, Operand, TestCode, ValueCode};
use super::fault::{At, Evaluated, FaultKind};
use crate::ir::{IrId, IrKind, Program};

pub(super) struct Compiler<'c> {
    program: &'c Program,
    codes: &'c Codes,
}

/// Turns a closure into code. The bound tells the compiler the lifetimes.
fn value_code<F>(run: F) -> ValueCode
where
    F: for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<Value<'r>> + Send + Sync + 'static,
{
    Arc::new(run)
}

/// Makes code for a binary operator on two operands.
macro_rules! binary {
    ($self:expr, $a:expr, $b:expr, $span:expr, $op:path) => {{
        let (a, b, span) = ($self.operand($a), $self.operand($b), $span);
        value_code(move |machine| {
            let a = a.value(machine)?;
            let b = b.value(machine)?;
            $op(machine, a, b).at(span)
        })
    }};
}

impl<'c> Compiler<'c> {
    pub fn new(program: &'c Program, codes: &'c Codes) -> Self {
        Compiler { program, codes }
    }

    fn value(&self, id: IrId) -> ValueCode {
        self.codes.value(self.program, id).clone()
    }

    fn test(&self, id: IrId) -> TestCode {
        self.codes.test(self.program, id).clone()
    }

    /// Returns the operand for a part of a node.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is code")]
    fn operand(&self, id: IrId) -> Operand {
        match &self.program.irs[id].kind {
            IrKind::Const(constant) => Operand::Const(*constant),
            IrKind::Var(var) => Operand::State(OfState { index: var.0, id }),
            IrKind::Slot(slot) if slot.up == 0 => Operand::Frame(OfFrame { index: slot.index, id }),
            IrKind::Lazy { up: 0, memo: Some(slot), expr } => Operand::Memo(*slot, self.value(*expr)),
            IrKind::Lazy { up: 0, memo: None, expr } => self.operand(*expr),
            _ => Operand::Code(self.value(id)),
        }
    }

    fn operands(&self, ids: &[IrId]) -> Box<[Operand]> {
        ids.iter().map(|&id| self.operand(id)).collect()
    }

    fn tests(&self, ids: &[IrId]) -> Box<[TestCode]> {
        ids.iter().map(|&id| self.test(id)).collect()
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    pub fn compile_value(&self, id: IrId) -> ValueCode {
        let ir = &self.program.irs[id];
        let span = ir.span;
        match &ir.kind {
            IrKind::Const(_) | IrKind::Var(_) => self.read(id),
            IrKind::Global(global) => {
                let global = *global;
                value_code(move |machine| machine.global(global))
            }
            IrKind::Next(variable) => {
                let variable = *variable;
                value_code(move |machine| match machine.next[usize::from(variable.0)] {
                    Some(value) => Ok(value),
                    None => machine.fault(id, FaultKind::Unassigned { variable, next: true }),
                })
            }
            IrKind::Slot(slot) => match slot.up {
                0 => self.read(id),
                _ => {
                    let slot = *slot;
                    value_code(move |machine| machine.read_slot(slot, id))
                }
            },
            IrKind::Lazy { up: 0, .. } => self.read(id),
            IrKind::Lazy { up, memo, expr } => {
                let (up, memo, expr) = (*up, *memo, *expr);
                value_code(move |machine| machine.read_lazy(up, memo, expr))
            }
            IrKind::Bind { memos, body } => {
                let (memos, body) = (memos.clone(), self.operand(*body));
                value_code(move |machine| {
                    machine.reset(&memos, false);
                    body.value(machine)
                })
            }
            IrKind::Enter { def, body } => {
                let (def, body) = (*def, self.operand(*body));
                value_code(move |machine| {
                    body.value(machine).map_err(|fault| machine.add_inlined_call(fault, id, def))
                })
            }
            IrKind::And(_)
            | IrKind::Or(_)
            | IrKind::Not(_)
            | IrKind::Implies(..)
            | IrKind::Equiv(..)
            | IrKind::Quantified { .. }
            | IrKind::Eq(..)
            | IrKind::Neq(..)
            | IrKind::In(..)
            | IrKind::NotIn(..)
            | IrKind::SubsetEq(..)
            | IrKind::Unchanged { .. }
            | IrKind::Step { .. }
            | IrKind::Enabled { .. }
            | IrKind::Cdot(..) => {
                let test = self.test(id);
                value_code(move |machine| test.holds(machine).map(Value::bool))
            }
            IrKind::If { condition, then, otherwise } => {
                let (condition, then, otherwise) =
                    (self.test(*condition), self.operand(*then), self.operand(*otherwise));
                value_code(move |machine| {
                    if condition.holds(machine)? { then.value(machine) } else { otherwise.value(machine) }
                })
            }
            IrKind::Case { arms, other } => {
                let (arms, other) = (arms.clone(), *other);
                value_code(move |machine| match machine.case_arm(&arms, other)? {
                    Some(arm) => machine.eval(arm),
                    None => machine.fault(id, FaultKind::NoArm),
                })
            }
            IrKind::Choose { bound, body } => self.choose(bound, *body, id),
            IrKind::Cup(a, b) => binary!(self, *a, *b, span, ops::cup),
            IrKind::Cap(a, b) => binary!(self, *a, *b, span, ops::cap),
            IrKind::SetMinus(a, b) => binary!(self, *a, *b, span, ops::difference),
            IrKind::PowerSet(set) => {
                let set = self.operand(*set);
                value_code(move |machine| {
                    let set = set.value(machine)?;
                    Ok(ops::powerset(machine, set))
                })
            }
            IrKind::BigUnion(set) => {
                let set = self.operand(*set);
                value_code(move |machine| {
                    let set = set.value(machine)?;
                    ops::union(machine, set).at(span)
                })
            }
            IrKind::Domain(function) => {
                let function = self.operand(*function);
                value_code(move |machine| {
                    let function = function.value(machine)?;
                    ops::domain(machine, function).at(span)
                })
            }
            IrKind::Tuple(items) => {
                let items = self.operands(items);
                value_code(move |machine| Ok(machine.all(&items)?.into_sequence()))
            }
            IrKind::Product(items) => {
                let items = self.operands(items);
                value_code(move |machine| {
                    let items = machine.all(&items)?;
                    Ok(ops::product(machine, items.as_slice()))
                })
            }
            IrKind::SetEnum(items) => {
                let items = self.operands(items);
                value_code(move |machine| Ok(machine.all(&items)?.into_set()))
            }
            IrKind::SetFilter { bound, predicate, captures } => {
                self.set_filter(bound, *predicate, captures, id)
            }
            IrKind::SetMap { body, bounds } => self.set_map(*body, bounds, id),
            IrKind::Function { .. } => value_code(move |machine| machine.function(id)),
            IrKind::FunctionSet { domain, range } => {
                let (domain, range) = (self.operand(*domain), self.operand(*range));
                value_code(move |machine| {
                    let domain = domain.value(machine)?;
                    let range = range.value(machine)?;
                    Ok(ops::function_set(machine, domain, range))
                })
            }
            IrKind::FnApply { function, arg } => self.apply(*function, *arg, span),
            IrKind::Record { shape, values } => {
                let (shape, values) = (*shape, self.operands(values));
                value_code(move |machine| Ok(machine.all(&values)?.into_record(shape)))
            }
            IrKind::RecordSet { shape, sets } => {
                let (shape, sets) = (*shape, self.operands(sets));
                value_code(move |machine| {
                    let sets = machine.all(&sets)?;
                    Ok(ops::record_set(machine, shape, sets.as_slice()))
                })
            }
            IrKind::Field { record, field } => self.field(*record, *field, span),
            IrKind::Except { base, updates } => self.except(*base, updates, id),
            IrKind::Call { func, up, args } => {
                let (func, up, args) = (*func, *up, args.clone());
                value_code(move |machine| {
                    let link = machine.frame_up(up);
                    machine.call(func, link, &args, id)
                })
            }
            IrKind::CallParam { slot, args } => {
                let (slot, args) = (*slot, args.clone());
                value_code(move |machine| {
                    let (func, link) = machine.operator(slot, id)?;
                    machine.call(func, link, &args, id)
                })
            }
            IrKind::Native { op, args } => self.native(*op, args, id),
            IrKind::Table { name, rows, args } => {
                let (name, rows, args) = (*name, rows.clone(), self.operands(args));
                value_code(move |machine| {
                    let args = machine.all(&args)?;
                    machine.table(name, &rows, args, id)
                })
            }
            IrKind::Fail(failure) => {
                let failure = *failure;
                value_code(move |machine| machine.fault(id, FaultKind::Failure(failure)))
            }
        }
    }

    /// Returns code for a node that an operand reads without code of its own.
    fn read(&self, id: IrId) -> ValueCode {
        let operand = self.operand(id);
        value_code(move |machine| operand.value(machine))
    }
}
