//! The code of a program's nodes: closures, each with its parts at hand.
//!
//! A node is compiled when it is first evaluated, once for all workers. Nodes form a graph, so all parents of a node
//! share its code. There are two kinds of code: for a value, and for the truth of a formula.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use base::Id;
use value::{Constant, Value};

use super::compile::Compiler;
use super::counting::{count_test, count_value};
use super::extent::keep_in_extent;
use super::fault::Evaluated;
use super::guards::{ExistsContext, Guards};
use super::{Machine, Slot};
use crate::ir::{Bound, IrId, Program, SlotRef};

/// Code that evaluates a node.
pub(super) type ValueCode =
    Arc<dyn for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<Value<'r>> + Send + Sync>;
type Test = dyn for<'m, 'p, 'r> Fn(&'m mut Machine<'p, 'r>) -> Evaluated<Truth> + Send + Sync;

/// Code that evaluates a node that must be a boolean.
#[derive(Clone)]
pub(super) struct TestCode(Arc<Test>);

/// A boolean as wide as a pointer, so that it is returned in a register beside a fault.
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

/// The code of a program by node, as far as it was needed.
pub(super) struct Codes {
    values: Vec<OnceLock<ValueCode>>,
    tests: Vec<OnceLock<TestCode>>,
    /// The guards of each `\E` that was walked.
    guards: Vec<OnceLock<Guards>>,
    /// The extents in which values of nodes are kept: see [`super::extent`].
    extents: Vec<OnceLock<usize>>,
    n_extents: AtomicUsize,
    n_kept: AtomicUsize,
    /// Whether code counts how often it runs.
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

    /// Returns the conjuncts that can be evaluated ahead when an action that is `\E` is walked.
    #[inline]
    pub fn guards(&self, program: &Program, id: IrId, (bounds, body): (&[Bound], IrId)) -> &Guards {
        self.guards[id.index()].get_or_init(|| Guards::of(program, bounds, body, ExistsContext::Action))
    }

    /// Makes a new extent for those of these nodes that are in no wider extent and have no code yet.
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

    /// Returns the code of a node, which keeps its value if the node is in an extent.
    pub fn keep_value(&self, id: IrId, code: ValueCode) -> ValueCode {
        match self.extents[id.index()].get() {
            Some(&extent) => keep_in_extent(extent, self.n_kept.fetch_add(1, Ordering::Relaxed), code),
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

    // The parts of a node are compiled while its own entry waits. That cannot become circular: calls of functions,
    // which can be circular, look up their bodies when they run.
    #[cold]
    fn compile_value(&self, program: &Program, id: IrId) -> &ValueCode {
        let compiler = Compiler::new(program, self);
        let compile = || base::with_stack(|| compiler.compile_value(id));
        self.values[id.index()].get_or_init(|| match self.is_counting {
            true => count_value(&program.irs[id].kind, id, (compile(), compiler.has_own_test(id))),
            false => self.keep_value(id, compile()),
        })
    }

    #[cold]
    fn compile_test(&self, program: &Program, id: IrId) -> &TestCode {
        let compiler = Compiler::new(program, self);
        let compile = || base::with_stack(|| compiler.compile_test(id));
        self.tests[id.index()].get_or_init(|| match self.is_counting {
            true => count_test(&program.irs[id].kind, id, (compile(), compiler.has_own_test(id))),
            false => compile(),
        })
    }
}

/// A part of a node that gives a value.
pub(super) trait Get: Send + Sync + 'static {
    fn value<'r>(&self, machine: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>>;
}

impl Get for Constant {
    #[inline(always)]
    fn value<'r>(&self, _: &mut Machine<'_, 'r>) -> Evaluated<Value<'r>> {
        Ok(self.get())
    }
}

/// Reads a variable of the current state.
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

/// Reads a slot of the current frame.
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

/// A part of a node: something that is read at once without a call, or code.
#[derive(Clone)]
pub(super) enum Operand {
    Const(Constant),
    State(OfState),
    Frame(OfFrame),
    /// A memo slot of the current frame, and the code that fills it.
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

/// Makes the same closure for each kind of part, so that reading a part needs no check of its kind.
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

    /// Evaluates the expression behind a memo slot, and keeps the value there.
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
