//! Recursive functions, `F[x \in S] == ... F[x - 1] ...`: a value that was computed is not computed again while the
//! application that needs it lasts. A body that applies its function in three places would otherwise take 3^n steps.
//!
//! Invariant: the current and the next state do not change during an application. ENABLED and `\cdot` put other states in
//! the place of these; what is applied there counts as an application of its own.

use base::FxHashMap;
use value::{Value, raw};

use super::Machine;
use crate::ir::{IrId, IrKind};

/// The values of a recursive function that were computed during one application.
struct ActiveApplication<'r> {
    function: FunctionInStates,
    values: FxHashMap<RecursiveArgument, Value<'r>>,
}

/// A function, and the states in which it is applied, by their addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FunctionInStates {
    word: u64,
    state: usize,
    next: usize,
}

/// The argument of a recursive function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct RecursiveArgument {
    word: u64,
    /// Whether the value is to be applied itself, so that it may stay lazy.
    keeps_lazy: bool,
}

/// The recursive functions that are being applied.
#[derive(Default)]
pub(super) struct Recursion<'r> {
    /// The applications that no other application of the same function is around, outermost first.
    active: Vec<ActiveApplication<'r>>,
}

/// An application whose value may be known.
#[derive(Clone, Copy)]
pub(super) struct RecursiveCall {
    function: FunctionInStates,
    arg: RecursiveArgument,
}

impl<'r> Recursion<'r> {
    fn find_active(&mut self, function: FunctionInStates) -> Option<&mut ActiveApplication<'r>> {
        self.active.iter_mut().rev().find(|active| active.function == function)
    }

    /// Returns the value, if it was computed before.
    pub fn known(&mut self, call: RecursiveCall) -> Option<Value<'r>> {
        self.find_active(call.function)?.values.get(&call.arg).copied()
    }

    /// Begins an application. Returns whether it is the outermost one of its function: then [`Recursion::end`] must follow.
    pub fn begin(&mut self, call: RecursiveCall) -> bool {
        let is_outermost = self.find_active(call.function).is_none();
        if is_outermost {
            self.active.push(ActiveApplication { function: call.function, values: FxHashMap::default() });
        }
        is_outermost
    }

    /// Keeps a value for as long as the outermost application of its function lasts.
    pub fn keep(&mut self, call: RecursiveCall, value: Value<'r>) {
        if let Some(active) = self.find_active(call.function) {
            active.values.insert(call.arg, value);
        }
    }

    /// Ends the application that was begun last.
    pub fn end(&mut self) {
        self.active.pop();
    }
}

impl<'r> Machine<'_, 'r> {
    /// Describes the application of a recursive function whose values may be kept: nothing else than they would show
    /// whether they were computed again.
    pub(super) fn recursive_call(&self, node: IrId, args: &[Value<'r>]) -> Option<RecursiveCall> {
        let ir = &self.program.irs[node];
        let IrKind::Function { itself: Some(_), .. } = &ir.kind else { return None };
        let &[arg, function] = args else { return None };
        if ir.facts.unrepeatable || ir.facts.dynamic || self.watch.is_watched {
            return None;
        }
        let function = FunctionInStates {
            word: raw::word(function),
            state: self.state.as_ptr() as usize,
            next: self.next.as_ptr() as usize,
        };
        let arg = RecursiveArgument { word: raw::word(arg), keeps_lazy: self.closures.keep_lazy };
        Some(RecursiveCall { function, arg })
    }
}
