//! What the nodes of a program are compiled to: closures, each with its parts at hand.
//!
//! A node is compiled when it is first evaluated, once for all workers. Nodes form a graph, so code is shared
//! by whoever refers to it. Two kinds of code: for a value, and for the truth of a formula.

use std::sync::{Arc, OnceLock};

use base::Id;
use value::{Constant, Value};

use super::compile::Compiler;
use super::fault::Evaluated;
use super::{Machine, Slot};
use crate::ir::{IrId, Program, SlotRef};

/// Evaluates a node.
pub(super) type ValueCode =
    Arc<dyn for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<Value<'r>> + Send + Sync>;
/// Evaluates a node that must be a boolean.
pub(super) type TestCode =
    Arc<dyn for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<bool> + Send + Sync>;

/// The code of a program, by node, as far as it was needed.
pub(super) struct Codes {
    values: Vec<OnceLock<ValueCode>>,
    tests: Vec<OnceLock<TestCode>>,
}

impl Codes {
    pub fn new(program: &Program) -> Codes {
        Codes {
            values: program.irs.iter().map(|_| OnceLock::new()).collect(),
            tests: program.irs.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    #[inline]
    pub fn value(&self, program: &Program, id: IrId) -> &ValueCode {
        match self.values[id.index()].get() {
            Some(code) => code,
            None => self.compile_value(program, id),
        }
    }

    #[inline]
    pub fn test(&self, program: &Program, id: IrId) -> &TestCode {
        match self.tests[id.index()].get() {
            Some(code) => code,
            None => self.compile_test(program, id),
        }
    }

    // The parts of a node are compiled while its own place waits. That cannot go round in a circle: calls of
    // functions, which can, look their bodies up when they run.
    #[cold]
    fn compile_value(&self, program: &Program, id: IrId) -> &ValueCode {
        let compile = || base::with_stack(|| Compiler::new(program, self).compile_value(id));
        self.values[id.index()].get_or_init(compile)
    }

    #[cold]
    fn compile_test(&self, program: &Program, id: IrId) -> &TestCode {
        let compile = || base::with_stack(|| Compiler::new(program, self).compile_test(id));
        self.tests[id.index()].get_or_init(compile)
    }
}

/// A part of a node: what is read at once without a call, or code.
#[derive(Clone)]
pub(super) enum Operand {
    Const(Constant),
    /// A variable in the current state.
    Var(u16, IrId),
    /// A slot of the current frame.
    Slot(u16, IrId),
    /// A memo slot of the current frame, and what fills it.
    Memo(u16, ValueCode),
    Code(ValueCode),
}

impl Operand {
    #[inline(always)]
    pub fn get<'r>(&self, machine: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>> {
        match self {
            Operand::Const(constant) => Ok(constant.get()),
            Operand::Var(index, id) => match machine.state[usize::from(*index)] {
                Some(value) => Ok(value),
                None => machine.no_value(*index, *id),
            },
            Operand::Slot(index, id) => match machine.slots[machine.base + 1 + usize::from(*index)] {
                Slot::Value(value) => Ok(value),
                Slot::Empty | Slot::Repeating | Slot::Thunk { .. } | Slot::Operator { .. } => {
                    machine.read_slot(SlotRef { up: 0, index: *index }, *id)
                }
            },
            Operand::Memo(index, code) => match machine.slots[machine.base + 1 + usize::from(*index)] {
                Slot::Value(value) => Ok(value),
                Slot::Empty | Slot::Repeating | Slot::Thunk { .. } | Slot::Operator { .. } => {
                    machine.fill_memo(*index, code)
                }
            },
            Operand::Code(code) => code(machine),
        }
    }
}

impl<'r> Machine<'_, 'r> {
    #[inline]
    pub fn eval(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let code = self.shared.codes.value(self.program, id);
        code(self)
    }

    /// Evaluates a node whose value must be a boolean.
    #[inline]
    pub fn eval_bool(&mut self, id: IrId) -> Evaluated<bool> {
        let code = self.shared.codes.test(self.program, id);
        code(self)
    }

    #[cold]
    fn no_value(&self, index: u16, id: IrId) -> Evaluated<Value<'r>> {
        let variable = crate::ir::VarIdx(index);
        self.fault(id, super::FaultKind::Unassigned { variable, next: false })
    }

    /// Evaluates what a memo slot stands for, and keeps it there.
    #[inline(never)]
    fn fill_memo(&mut self, slot: u16, code: &ValueCode) -> Evaluated<Value<'r>> {
        let value = code(self)?;
        let place = self.own_place(slot);
        if let Slot::Empty = self.slots[place] {
            self.remember(place, value);
        }
        Ok(value)
    }
}
