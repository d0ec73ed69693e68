//! Services of the interpreter for compiled code: evaluating a node, a standard operator or a constant.

use base::Id;
use sema::std_ops::StdOp;
use value::{Constant, Value};

use super::fault::{At, Evaluated, FaultKind};
use super::steps::ActionInstance;
use super::{Machine, NO_LINK, Slot};
use crate::ir::{Failure, GlobalId, IrId, Memo, VarIdx};
use crate::lower;
use crate::native::{self, Implementation};

/// A node that compiled code leaves to the interpreter, with what it needs to be evaluated.
#[derive(Clone, Debug)]
pub struct NodeForCode {
    pub id: IrId,
    /// The frames around it, the outermost first. The node is evaluated in the last one.
    pub frames: Vec<FrameForCode>,
    /// The variables of the next state that have values, if the node may read them.
    pub next: Option<Vec<VarIdx>>,
}

/// A frame of slots around a node that compiled code leaves to the interpreter.
#[derive(Clone, Debug)]
pub struct FrameForCode {
    pub n_slots: u16,
    /// Slots that must be empty: memos that are evaluated when they are first read.
    pub emptied: Vec<u16>,
    /// Slots that have values.
    pub given: Vec<u16>,
}

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
    /// Evaluates a node of compiled code. `values` has what its slots and variables of the next state are, in the order
    /// in which the node lists them.
    pub fn eval_for_code(&mut self, node: &NodeForCode, values: &[Value<'r>]) -> Evaluated<Value<'r>> {
        let saved = node.next.is_some().then(|| (std::mem::take(&mut self.next), self.making.n_missing));
        let mut rest = values.iter().copied();
        if let Some(next) = &node.next {
            self.next.resize(self.program.variables.len(), None);
            for (&var, value) in next.iter().zip(&mut rest) {
                self.next[usize::from(var.0)] = Some(value);
            }
            self.making.n_missing = self.next.len() - next.len();
        }
        let forbade = std::mem::replace(&mut self.forbids_effects, true);
        let result = self.in_frames(&node.frames, NO_LINK, &mut rest, node.id);
        self.forbids_effects = forbade;
        if let Some((next, n_missing)) = saved {
            (self.next, self.making.n_missing) = (next, n_missing);
        }
        result
    }

    /// Refuses an operator with effects, or one that asks about the run, while compiled code asks for a value: the code
    /// gives up, and everything is evaluated again in its order.
    #[inline]
    pub(super) fn allow_effect(&self, id: IrId) -> Evaluated<()> {
        match self.forbids_effects {
            false => Ok(()),
            true => self.fault(id, FaultKind::Failure(Failure::Temporal)),
        }
    }

    /// Evaluates a node in the last of these frames, each of which is linked to the one before it.
    fn in_frames(
        &mut self,
        frames: &[FrameForCode],
        link: usize,
        values: &mut dyn Iterator<Item = Value<'r>>,
        id: IrId,
    ) -> Evaluated<Value<'r>> {
        let Some((frame, inner)) = frames.split_first() else { return self.eval(id) };
        self.with_frame(frame.n_slots, link, |machine| {
            for &slot in &frame.emptied {
                let place = machine.own_place(slot);
                machine.slots[place] = Slot::Empty;
            }
            for (&slot, value) in frame.given.iter().zip(&mut *values) {
                machine.set_slot(slot, value);
            }
            let base = machine.frame.base;
            machine.in_frames(inner, base, values, id)
        })
    }

    /// Sets every variable of the next state.
    pub fn set_successor(&mut self, values: impl IntoIterator<Item = Value<'r>>) {
        self.set_next(values);
        self.making.n_missing = 0;
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

    /// Applies a standard operator that is a function of the values of its arguments. Returns `None` if it has no value
    /// for these, or is not such an operator.
    pub fn apply_native(&mut self, op: StdOp, args: &[Value<'r>]) -> Option<Value<'r>> {
        match (native::implementation(op)?, args) {
            (Implementation::Unary(run), [a]) => run(self, *a).ok(),
            (Implementation::Binary(run), [a, b]) => run(self, *a, *b).ok(),
            (Implementation::Ternary(run), [a, b, c]) => run(self, *a, *b, *c).ok(),
            (Implementation::Call(run), _) if native_arity(op) == Some(args.len()) => {
                // Its fault is not shown: whoever asks falls back to evaluating the node.
                let place = IrId::from_index(0);
                native::call_values(self, run, (op, args), place).ok()
            }
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
        // It asks whether its argument has a value.
        Implementation::Call(_) if op == StdOp::AssertError => None,
        Implementation::Call(_) if lower::is_function_of_values(op) => Some(op.signature().2),
        Implementation::Comparison(..) | Implementation::Call(_) => None,
    }
}
