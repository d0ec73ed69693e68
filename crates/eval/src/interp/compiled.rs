//! Services of the interpreter for compiled code: evaluating a node, a standard operator or a constant.

use base::Id;
use sema::std_ops::StdOp;
use value::{Constant, OpResult, Value};

use super::fault::{At, Evaluated};
use super::steps::ActionInstance;
use super::{Machine, NO_LINK, Slot};
use crate::ir::{GlobalId, IrId, Memo};
use crate::native::{self, Implementation};

impl ActionInstance<'_> {
    /// Returns the constants that its names are bound to, by slot.
    pub fn bindings(&self) -> &[(u16, Constant)] {
        &self.bindings
    }

    /// Returns the definitions on the way, which are evaluated when needed.
    pub fn memos(&self) -> &[Memo] {
        &self.memos
    }

    pub fn n_slots(&self) -> u16 {
        self.n_slots
    }
}

impl<'r> Machine<'_, 'r> {
    /// Evaluates a node in a frame where these slots have values and all others have none yet.
    pub fn eval_with_slots(
        &mut self,
        id: IrId,
        n_slots: u16,
        slots: impl Iterator<Item = (u16, Value<'r>)>,
    ) -> Evaluated<Value<'r>> {
        self.with_frame(n_slots, NO_LINK, |machine| {
            let first = machine.base + 1;
            machine.slots[first..first + usize::from(n_slots)].fill(Slot::Empty);
            for (slot, value) in slots {
                machine.set_slot(slot, value);
            }
            machine.eval(id)
        })
    }

    /// Sets every variable of the next state.
    pub fn set_successor(&mut self, values: impl IntoIterator<Item = Value<'r>>) {
        self.set_next(values);
        self.n_missing = 0;
    }

    /// Returns the value of a global, which lives forever.
    pub fn global_constant(&mut self, id: GlobalId) -> Evaluated<Constant> {
        self.global(id)?;
        let kept = self.shared.globals[id.index()].get().copied();
        Ok(kept.expect("a global that was evaluated is kept"))
    }

    /// Makes a value that lives forever.
    pub fn constant(&mut self, value: Value<'r>) -> Evaluated<Constant> {
        let span = self.fallback_span();
        Constant::new(self, value).at(span)
    }

    /// Applies a standard operator that is a function of the values of its arguments. Returns `None` for any other.
    pub fn apply_native(&mut self, op: StdOp, args: &[Value<'r>]) -> Option<OpResult<Value<'r>>> {
        match (native::implementation(op)?, args) {
            (Implementation::Unary(run), [a]) => Some(run(self, *a)),
            (Implementation::Binary(run), [a, b]) => Some(run(self, *a, *b)),
            (Implementation::Ternary(run), [a, b, c]) => Some(run(self, *a, *b, *c)),
            (_, _) => None,
        }
    }
}

/// Returns the number of arguments if [`Machine::apply_native`] applies the operator, otherwise `None`.
pub fn native_arity(op: StdOp) -> Option<usize> {
    match native::implementation(op)? {
        Implementation::Unary(_) => Some(1),
        Implementation::Binary(_) => Some(2),
        Implementation::Ternary(_) => Some(3),
        Implementation::Comparison(..) | Implementation::Call(_) => None,
    }
}
