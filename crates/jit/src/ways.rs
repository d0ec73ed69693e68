//! Guards that can be true in several ways: `\A x \in S : a \/ b` as part of an action has a successor for each way to
//! choose true disjuncts, and all of these are counted. Guards give no values, so it is enough to know how many ways
//! there are: the rest of the action is done so many times.

use base::FxHashSet;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, InstBuilder, types};
use cranelift_frontend::Variable;
use eval::ir::{Bound, IrId, IrKind};
use sema::spec::Quantifier;

use crate::actions::Then;
use crate::emit::{Emitted, Emitter, Unsupported};

impl Emitter<'_, '_, '_> {
    /// Makes code for `\A` in an action, whose body may be true in several ways and gives no values.
    pub fn walk_guard_for_all(
        &mut self,
        bounds: &[Bound],
        body: IrId,
        then: Then<'_>,
        done: Block,
    ) -> Emitted<()> {
        let n_ways = self.ways_for_all(bounds, body)?;
        let (head, inside, on) = (self.block(), self.block(), self.block());
        let index = self.b.append_block_param(head, types::I64);
        let zero = self.iconst(0);
        self.b.ins().jump(head, &[zero.into()]);
        self.start(head);
        let goes_on = self.b.ins().icmp(IntCC::UnsignedLessThan, index, n_ways);
        self.b.ins().brif(goes_on, inside, &[], done, &[]);
        self.start(inside);
        self.one_way(|emitter| emitter.go_on(then, on))?;
        self.start(on);
        let next = self.b.ins().iadd_imm_s(index, 1);
        self.b.ins().jump(head, &[next.into()]);
        Ok(())
    }

    /// Whether a part of an action gives no values and is true in at most one way, wherever it is evaluated.
    pub fn is_single_test(&self, id: IrId) -> bool {
        !self.program.irs[id].facts.reads_next && self.has_single_way(id, &mut FxHashSet::default())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is true in one way, or false")]
    fn has_single_way(&self, id: IrId, seen: &mut FxHashSet<IrId>) -> bool {
        if !seen.insert(id) {
            return true;
        }
        match &self.program.irs[id].kind {
            IrKind::And(items) => items.iter().all(|&item| self.has_single_way(item, seen)),
            IrKind::Or(_) | IrKind::Quantified { kind: Quantifier::Exists, .. } => false,
            IrKind::CallParam { .. } | IrKind::Slot(_) => false,
            IrKind::FnApply { function, .. } => self.is_of_state(*function),
            // TLC: a constant with a name was evaluated at the start; one that is written out branches.
            IrKind::Global(global) => {
                let global = &self.program.globals[*global];
                global.def.is_some() || self.has_single_way(global.expr, seen)
            }
            IrKind::Implies(_, body)
            | IrKind::Enter { body, .. }
            | IrKind::Bind { body, .. }
            | IrKind::Lazy { expr: body, .. }
            | IrKind::Quantified { kind: Quantifier::Forall, body, .. } => self.has_single_way(*body, seen),
            IrKind::If { then, otherwise, .. } => {
                self.has_single_way(*then, seen) && self.has_single_way(*otherwise, seen)
            }
            IrKind::Case { arms, other } => {
                let mut parts = arms.iter().map(|(_, part)| part).chain(other);
                parts.all(|&part| self.has_single_way(part, seen))
            }
            IrKind::Call { func, .. } => self.has_single_way(self.program.funcs[*func].body, seen),
            _ => true,
        }
    }

    /// Returns the number of ways in which a part of an action that gives no values is true.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is true in one way, or false")]
    fn ways(&mut self, id: IrId) -> Emitted<ir::Value> {
        self.spend(id)?;
        match &self.program.irs[id].kind {
            IrKind::And(items) => {
                let total = self.total(1);
                let end = self.block();
                let saved = self.env.clone();
                for &item in items {
                    let n = self.ways(item)?;
                    self.multiply(total, n, end);
                }
                self.jump(end);
                self.start(end);
                self.forget_to(saved);
                Ok(self.b.use_var(total))
            }
            IrKind::Or(items) => {
                let total = self.total(0);
                let saved = self.env.clone();
                for &item in items {
                    let n = self.ways(item)?;
                    self.add(total, n);
                    self.forget_to(saved.clone());
                }
                Ok(self.b.use_var(total))
            }
            IrKind::Implies(guard, body) => self.ways_if(*guard, Some(*body), None),
            IrKind::If { condition, then, otherwise } => {
                self.ways_if(*condition, Some(*then), Some(*otherwise))
            }
            IrKind::Quantified { kind: Quantifier::Exists, bounds, body } => {
                let total = self.total(0);
                self.for_each_binding(bounds, *body, &mut |emitter, _| {
                    let n = emitter.ways(*body)?;
                    emitter.add(total, n);
                    Ok(())
                })?;
                Ok(self.b.use_var(total))
            }
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } => self.ways_for_all(bounds, *body),
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, expr: body, .. } => self.ways(*body),
            IrKind::Lazy { up, expr, .. } => self.in_frame_up(*up, |emitter| emitter.ways(*expr)),
            IrKind::Call { .. } | IrKind::Global(_) | IrKind::FnApply { .. } if !self.is_single_test(id) => {
                Err(Unsupported("a guard with several ways inside a name"))
            }
            IrKind::Slot(_) | IrKind::CallParam { .. } | IrKind::Case { .. } => {
                Err(Unsupported("a guard of a rare kind"))
            }
            IrKind::Bind { memos, body } => {
                self.empty_memos(memos);
                self.ways(*body)
            }
            _ => self.ways_if(id, None, None),
        }
    }

    fn ways_for_all(&mut self, bounds: &[Bound], body: IrId) -> Emitted<ir::Value> {
        let total = self.total(1);
        let end = self.block();
        self.for_each_binding(bounds, body, &mut |emitter, _| {
            let n = emitter.ways(body)?;
            emitter.multiply(total, n, end);
            Ok(())
        })?;
        self.jump(end);
        self.start(end);
        Ok(self.b.use_var(total))
    }

    /// Returns the ways of `then` if the condition is true, and of `otherwise` if not. Nothing in the place of the first is
    /// one way, and in the place of the second is one way if the first is something.
    fn ways_if(
        &mut self,
        condition: IrId,
        then: Option<IrId>,
        otherwise: Option<IrId>,
    ) -> Emitted<ir::Value> {
        let (yes, no, join) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(join, types::I64);
        self.branch(condition, yes, no)?;
        let saved = self.env.clone();
        let if_not = i64::from(then.is_some());
        for (block, part, n) in [(yes, then, 1), (no, otherwise, if_not)] {
            self.start(block);
            let n = match part {
                Some(part) => self.ways(part)?,
                None => self.iconst(n),
            };
            self.b.ins().jump(join, &[n.into()]);
            self.forget_to(saved.clone());
        }
        self.start(join);
        Ok(result)
    }

    fn total(&mut self, first: i64) -> Variable {
        let total = self.b.declare_var(types::I64);
        let first = self.iconst(first);
        self.b.def_var(total, first);
        total
    }

    fn add(&mut self, total: Variable, n: ir::Value) {
        let before = self.b.use_var(total);
        let after = self.b.ins().iadd(before, n);
        self.b.def_var(total, after);
    }

    /// Multiplies, and goes to `end` if the product is 0. A product that is too large makes the code give up.
    fn multiply(&mut self, total: Variable, n: ir::Value, end: Block) {
        let before = self.b.use_var(total);
        let after = self.b.ins().imul(before, n);
        self.b.def_var(total, after);
        let is_sane = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, after, 1 << 20);
        self.guard(is_sane);
        let on = self.block();
        self.b.ins().brif(after, on, &[], end, &[]);
        self.start(on);
    }
}
