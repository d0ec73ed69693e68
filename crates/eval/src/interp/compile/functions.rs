//! Code for records and functions: fields, application, EXCEPT.

use diag::Span;
use value::ops::{self, FieldCache, TupleCache};
use value::{Atom, Value};

use super::super::code::{Get, Operand, ValueCode, specialise};
use super::super::fault::{At, Evaluated};
use super::super::{Machine, Slot, applied};
use super::{Compiler, value_code};
use crate::ir::{IrId, IrKind, PathStep, Update};

impl Compiler<'_> {
    pub(super) fn field(&self, record: IrId, field: Atom, span: Span) -> ValueCode {
        let cache = FieldCache::new();
        specialise!(self.operand(record), |record| value_code(move |machine| {
            let record = record.value(machine)?;
            ops::field_cached(machine, record, field, &cache).at(span)
        }))
    }

    /// Returns code for `f[e]`.
    pub(super) fn apply(&self, function: IrId, arg: IrId, span: Span) -> ValueCode {
        if let IrKind::Lazy { up: 0, memo: Some(slot), expr } = self.program.irs[function].kind
            && !self.program.irs[expr].facts.unrepeatable
        {
            let arg = self.key(arg);
            return value_code(move |machine| {
                let arg = arg.value(machine)?;
                match machine.slots[machine.own_place(slot)] {
                    Slot::Value(function) => ops::apply(machine, function, arg).at(span),
                    Slot::Empty
                    | Slot::Repeating
                    | Slot::Failed { .. }
                    | Slot::Thunk { .. }
                    | Slot::Operator { .. } => machine.apply_code(function, arg, span),
                }
            });
        }
        let kind = &self.program.irs[function].kind;
        if applied::is_code(kind) {
            let arg = self.key(arg);
            return value_code(move |machine| {
                let arg = arg.value(machine)?;
                machine.apply_code(function, arg, span)
            });
        }
        let (function, arg) = (self.applied_operand(function), self.key(arg));
        specialise!(function, |function| specialise!(arg, |arg| value_code(move |machine| {
            let function = function.value(machine)?;
            let arg = arg.value(machine)?;
            ops::apply(machine, function, arg).at(span)
        })))
    }

    /// Returns the operand for a node that is evaluated in order to be applied: see [`Machine::eval_applied`].
    fn applied_operand(&self, id: IrId) -> Operand {
        let ir = &self.program.irs[id];
        let IrKind::FnApply { function, arg } = &ir.kind else { return self.operand(id) };
        if applied::is_code(&self.program.irs[*function].kind) {
            return Operand::Code(value_code(move |machine| machine.eval_applied(id)));
        }
        let (function, arg, span) = (self.applied_operand(*function), self.key(*arg), ir.span);
        let code = specialise!(function, |function| specialise!(arg, |arg| value_code(move |machine| {
            let function = function.value(machine)?;
            let arg = arg.value(machine)?;
            machine.closures.keep_lazy = true;
            let value = ops::apply(machine, function, arg).at(span);
            machine.closures.keep_lazy = false;
            value
        })));
        Operand::Code(self.codes.keep_value(id, code))
    }

    /// Returns the operand for a function's argument. A tuple is usually one of the keys: the interned one is found
    /// again.
    fn key(&self, id: IrId) -> Operand {
        let IrKind::Tuple(items) = &self.program.irs[id].kind else { return self.operand(id) };
        let (items, cache) = (self.operands(items), TupleCache::new());
        Operand::Code(value_code(move |machine| {
            let tuple = machine.all(&items)?;
            Ok(ops::tuple_cached(tuple, &cache))
        }))
    }

    pub(super) fn except(&self, base: IrId, updates: &[Update], id: IrId) -> ValueCode {
        let base = self.operand(base);
        if let [update] = updates {
            let clause = self.clause(update);
            return value_code(move |machine| {
                let base = base.value(machine)?;
                clause.apply(machine, base, id)
            });
        }
        let clauses: Box<[Clause]> = updates.iter().map(|update| self.clause(update)).collect();
        value_code(move |machine| {
            let mut current = base.value(machine)?;
            for clause in &clauses {
                current = clause.apply(machine, current, id)?;
            }
            Ok(current)
        })
    }

    fn clause(&self, update: &Update) -> Clause {
        let step = |step: &PathStep| match step {
            PathStep::Field(name) => {
                let name = value::Constant::opt_inline(Value::atom(*name));
                Operand::Const(name.expect("an atom is a word"))
            }
            PathStep::Index(index) => self.key(*index),
        };
        let path = update.path.iter().map(step).collect();
        Clause { path, at: update.at, value: self.operand(update.value), span: update.span }
    }
}

/// One clause of an EXCEPT.
struct Clause {
    path: Box<[Operand]>,
    at: u16,
    value: Operand,
    span: Span,
}

/// Length of the longest path that needs no allocation.
const PATH_SHORT: usize = 3;

impl Clause {
    #[inline]
    fn apply<'r>(&self, machine: &mut Machine<'_, 'r>, base: Value<'r>, id: IrId) -> Evaluated<Value<'r>> {
        let mut short = [Value::FALSE; PATH_SHORT];
        let mut long = Vec::new();
        for (index, step) in self.path.iter().enumerate() {
            let key = step.value(machine)?;
            match self.path.len() <= PATH_SHORT {
                true => short[index] = key,
                false => long.push(key),
            }
        }
        let path = if self.path.len() <= PATH_SHORT { &short[..self.path.len()] } else { &long[..] };
        machine.except_at(base, path, (self.at, &self.value, self.span), id)
    }
}
