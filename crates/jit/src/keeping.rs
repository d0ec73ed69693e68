//! Values that are kept: a value made of one variable and constants is made once for each value of the variable.

use base::FxHashSet;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use eval::interp::VarSet;
use eval::ir::{IrId, IrKind, VarIdx};

use crate::emit::{Emitted, Emitter, NextValue, Val};
use crate::env::Binding;
use crate::memo::Cell;
use crate::runtime;

impl Emitter<'_, '_, '_> {
    /// Gives a variable of the next state the value of a node.
    pub fn update(&mut self, var: VarIdx, id: IrId) -> Emitted<()> {
        let piece = self.piece(id);
        let cell = piece.filter(|_| !self.is_cheap(id)).and_then(|reads| self.cell(reads));
        let val = match cell {
            Some(cell) => self.kept_value(id, cell)?,
            None => self.value(id)?,
        };
        self.draft_update(var, piece, cell);
        self.give(var, NextValue::Val(val));
        Ok(())
    }

    /// Returns the value of a node, which is kept.
    fn kept_value(&mut self, id: IrId, cell: Cell) -> Emitted<Val> {
        let (look, found, missing, join) = (self.block(), self.block(), self.block(), self.block());
        let result = self.b.append_block_param(join, types::I64);
        let rows = self.load_word(self.context, runtime::ROWS);
        let row = self.load_word(rows, (cell.projection * size_of::<usize>()) as i32);
        self.b.ins().brif(row, look, &[], missing, &[]);
        self.start(look);
        let offset = (cell.word * size_of::<u32>()) as i32;
        let kept = self.load_kept(row, offset);
        self.b.ins().brif(kept, found, &[], missing, &[]);
        self.start(found);
        let id_bits = self.b.ins().bnot(kept);
        let word = self.decode_any(id_bits);
        self.b.ins().jump(join, &[word.into()]);
        self.start(missing);
        let saved = self.env.clone();
        let val = self.value(id)?;
        self.forget_to(saved);
        let word = self.word_of(&val);
        let (keep, end) = (self.block(), self.block());
        let result_of_missing = self.b.append_block_param(end, types::I64);
        let has_row = self.b.ins().icmp_imm_s(IntCC::NotEqual, row, 0);
        self.b.ins().brif(has_row, keep, &[], end, &[word.into()]);
        self.start(keep);
        let address = self.b.ins().iadd_imm_s(row, i64::from(offset));
        let kept = self.call(runtime::keep::helper(), &[address, word]);
        self.b.ins().jump(end, &[kept.into()]);
        self.start(end);
        self.b.ins().jump(join, &[result_of_missing.into()]);
        self.start(join);
        Ok(Val::word(result))
    }

    /// Returns the place for a value that is made of one variable and constants.
    fn cell(&mut self, reads: VarSet) -> Option<Cell> {
        let n_variables = self.program.variables.len();
        (reads != VarSet::NONE).then(|| self.plan.cell(reads.bits(), 1, n_variables)).flatten()
    }

    /// Whether every name in a node is bound to a constant, or inside the node.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node is a name")]
    pub fn is_closed(&self, id: IrId) -> bool {
        let mut seen = FxHashSet::from_iter([id]);
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let kind = &self.program.irs[id].kind;
            let is_open = match kind {
                IrKind::Slot(slot) => slot.up > 0 || self.varies(slot.index),
                IrKind::Lazy { up, memo, .. } => *up > 0 || memo.is_some_and(|slot| self.varies(slot)),
                IrKind::CallParam { .. } => true,
                _ => false,
            };
            // A function may refer to names around it.
            let mut has_functions = false;
            kind.for_each_func(&mut |_| has_functions = true);
            if is_open || has_functions {
                return false;
            }
            kind.for_each_child(&mut |child| {
                if seen.insert(child) {
                    todo.push(child);
                }
            });
        }
        true
    }

    /// Whether a slot was given a value that is not the same in all states. A slot without a value yet is bound inside,
    /// or stands for an expression that is examined itself.
    fn varies(&self, slot: u16) -> bool {
        match self.env.binding(slot) {
            Some(Binding::Val(val)) => val.as_const().is_none(),
            // An argument is read through its slot alone, and may depend on anything.
            Some(Binding::Held { .. } | Binding::Argument { .. } | Binding::Operator { .. }) => true,
            Some(Binding::Memo { .. }) | None => false,
        }
    }
}
