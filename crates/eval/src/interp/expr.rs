//! Helpers for the code of several kinds of nodes.

use value::ValueVec;

use super::code::{Get, Operand};
use super::fault::Evaluated;
use super::{Machine, Slot};
use crate::ir::{IrId, Memo};

impl<'r> Machine<'_, 'r> {
    /// Evaluates all operands, in order.
    #[inline]
    pub(super) fn all(&mut self, operands: &[Operand]) -> Evaluated<ValueVec<'r>> {
        let mut values = ValueVec::with_capacity(self.region, operands.len());
        for operand in operands {
            let value = operand.value(self)?;
            values.push(value);
        }
        Ok(values)
    }

    /// Empties memo slots. In an action a LET with effects is evaluated at every use.
    pub(super) fn reset(&mut self, memos: &[Memo], in_action: bool) {
        for memo in memos {
            let place = self.own_place(memo.slot);
            let repeats = in_action && memo.repeats_in_actions;
            self.slots[place] = if repeats { Slot::Repeating } else { Slot::Empty };
        }
    }

    pub(super) fn case_arm(&mut self, arms: &[(IrId, IrId)], other: Option<IrId>) -> Evaluated<Option<IrId>> {
        for &(guard, value) in arms {
            if self.eval_bool(guard)? {
                return Ok(Some(value));
            }
        }
        Ok(other)
    }
}
