//! What the nodes of a program are compiled to: closures, each with its parts at hand.
//!
//! A node is compiled when it is first evaluated, once for all workers. Nodes form a graph, so code is shared
//! by whoever refers to it. Two kinds of code: for a value, and for the truth of a formula.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use base::Id;
use value::{Constant, Value};

use super::compile::Compiler;
use super::counting::{counted_test, counted_value};
use super::extent::keeping;
use super::fault::Evaluated;
use super::guards::{Guards, Place};
use super::{Machine, Slot};
use crate::ir::{Bound, IrId, Program, SlotRef};

/// Evaluates a node.
pub(super) type ValueCode =
    Arc<dyn for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<Value<'r>> + Send + Sync>;
type Test = dyn for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<Truth> + Send + Sync;

/// Evaluates a node that must be a boolean.
#[derive(Clone)]
pub(super) struct TestCode(Arc<Test>);

/// A boolean as wide as a pointer, so that it comes back in a register beside a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Truth {
    False,
    True,
}

impl TestCode {
    pub fn new<F>(run: F) -> TestCode
    where
        F: for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<bool> + Send + Sync + 'static,
    {
        TestCode(Arc::new(move |machine| match run(machine) {
            Ok(true) => Ok(Truth::True),
            Ok(false) => Ok(Truth::False),
            Err(fault) => Err(fault),
        }))
    }

    #[inline(always)]
    pub fn holds(&self, machine: &mut Machine<'_, '_>) -> Evaluated<bool> {
        match (self.0)(machine) {
            Ok(truth) => Ok(truth == Truth::True),
            Err(fault) => Err(fault),
        }
    }
}

/// The code of a program, by node, as far as it was needed.
pub(super) struct Codes {
    values: Vec<OnceLock<ValueCode>>,
    tests: Vec<OnceLock<TestCode>>,
    /// Of each `\E` that was walked.
    guards: Vec<OnceLock<Guards>>,
    /// The extents that values of nodes are kept in: see [`super::extent`].
    extents: Vec<OnceLock<usize>>,
    n_extents: AtomicUsize,
    n_kept: AtomicUsize,
    /// Code counts how often it runs.
    is_counting: bool,
}

impl Codes {
    pub fn new(program: &Program, is_counting: bool) -> Codes {
        Codes {
            is_counting,
            values: program.irs.iter().map(|_| OnceLock::new()).collect(),
            tests: program.irs.iter().map(|_| OnceLock::new()).collect(),
            guards: program.irs.iter().map(|_| OnceLock::new()).collect(),
            extents: program.irs.iter().map(|_| OnceLock::new()).collect(),
            n_extents: AtomicUsize::new(0),
            n_kept: AtomicUsize::new(0),
        }
    }

    /// Whether code counts how often it runs.
    pub fn is_counting(&self) -> bool {
        self.is_counting
    }

    /// What can be asked ahead when an action that is `\E` is walked.
    #[inline]
    pub fn guards(&self, program: &Program, id: IrId, (bounds, body): (&[Bound], IrId)) -> &Guards {
        self.guards[id.index()].get_or_init(|| Guards::of(program, bounds, body, Place::Action))
    }

    /// A new extent that these nodes are kept in, as far as they are in no wider one and have no code yet.
    pub fn extent_of(&self, parts: &[IrId]) -> Option<usize> {
        let parts = parts.iter().filter(|part| self.values[part.index()].get().is_none());
        let free: Vec<&IrId> = parts.filter(|part| self.extents[part.index()].get().is_none()).collect();
        if free.is_empty() {
            return None;
        }
        let extent = self.n_extents.fetch_add(1, Ordering::Relaxed);
        let taken = free.iter().filter(|part| self.extents[part.index()].set(extent).is_ok()).count();
        (taken > 0).then_some(extent)
    }

    /// The code of a node, which keeps its value if the node is in an extent.
    pub fn keeping(&self, id: IrId, code: ValueCode) -> ValueCode {
        match self.extents[id.index()].get() {
            Some(&extent) => keeping(extent, self.n_kept.fetch_add(1, Ordering::Relaxed), code),
            None => code,
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
        let compiler = Compiler::new(program, self);
        let compile = || base::with_stack(|| compiler.compile_value(id));
        self.values[id.index()].get_or_init(|| match self.is_counting {
            true => counted_value(&program.irs[id].kind, id, (compile(), compiler.has_own_test(id))),
            false => self.keeping(id, compile()),
        })
    }

    #[cold]
    fn compile_test(&self, program: &Program, id: IrId) -> &TestCode {
        let compiler = Compiler::new(program, self);
        let compile = || base::with_stack(|| compiler.compile_test(id));
        self.tests[id.index()].get_or_init(|| match self.is_counting {
            true => counted_test(&program.irs[id].kind, id, (compile(), compiler.has_own_test(id))),
            false => compile(),
        })
    }
}

/// What gives a value: a part of a node.
pub(super) trait Get: Send + Sync + 'static {
    fn value<'r>(&self, machine: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>>;
}

impl Get for Constant {
    #[inline(always)]
    fn value<'r>(&self, _: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>> {
        Ok(self.get())
    }
}

/// A variable in the current state.
#[derive(Clone, Copy)]
pub(super) struct OfState {
    pub index: u16,
    pub id: IrId,
}

impl Get for OfState {
    #[inline(always)]
    fn value<'r>(&self, machine: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>> {
        match machine.state[usize::from(self.index)] {
            Some(value) => Ok(value),
            None => machine.no_value(self.index, self.id),
        }
    }
}

/// A slot of the current frame.
#[derive(Clone, Copy)]
pub(super) struct OfFrame {
    pub index: u16,
    pub id: IrId,
}

impl Get for OfFrame {
    #[inline(always)]
    fn value<'r>(&self, machine: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>> {
        match machine.slots[machine.own_place(self.index)] {
            Slot::Value(value) => Ok(value),
            Slot::Empty
            | Slot::Repeating
            | Slot::Failed { .. }
            | Slot::Thunk { .. }
            | Slot::Operator { .. } => machine.read_slot(SlotRef { up: 0, index: self.index }, self.id),
        }
    }
}

impl Get for ValueCode {
    #[inline(always)]
    fn value<'r>(&self, machine: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>> {
        self(machine)
    }
}

/// A part of a node: what is read at once without a call, or code.
#[derive(Clone)]
pub(super) enum Operand {
    Const(Constant),
    State(OfState),
    Frame(OfFrame),
    /// A memo slot of the current frame, and what fills it.
    Memo(u16, ValueCode),
    Code(ValueCode),
}

impl Get for Operand {
    #[inline(always)]
    fn value<'r>(&self, machine: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>> {
        match self {
            Operand::Const(part) => part.value(machine),
            Operand::State(part) => part.value(machine),
            Operand::Frame(part) => part.value(machine),
            Operand::Memo(index, code) => match machine.slots[machine.own_place(*index)] {
                Slot::Value(value) => Ok(value),
                Slot::Empty
                | Slot::Repeating
                | Slot::Failed { .. }
                | Slot::Thunk { .. }
                | Slot::Operator { .. } => machine.fill_memo(*index, code),
            },
            Operand::Code(part) => part.value(machine),
        }
    }
}

/// The same closure for each kind of part, so that what is read at once is read without asking what it is.
macro_rules! specialise {
    ($operand:expr, |$part:ident| $closure:expr) => {
        match $operand {
            Operand::Const($part) => $closure,
            Operand::State($part) => $closure,
            Operand::Frame($part) => $closure,
            Operand::Code($part) => $closure,
            $part @ Operand::Memo(..) => $closure,
        }
    };
}
pub(super) use specialise;

impl<'r> Machine<'_, 'r> {
    #[inline]
    pub fn eval(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let code = self.shared.codes.value(self.program, id);
        code(self)
    }

    /// Evaluates a node whose value must be a boolean.
    #[inline]
    pub fn eval_bool(&mut self, id: IrId) -> Evaluated<bool> {
        self.shared.codes.test(self.program, id).holds(self)
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
