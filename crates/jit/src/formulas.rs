//! Compiles formulas to code that branches.
//!
//! Facts about definitions that are remembered after a branch hold on both of its ways.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, InstBuilder};
use eval::ir::{CallArg, IrId, IrKind};
use sema::spec::Quantifier;
use sema::std_ops::StdOp;
use value::{Value, raw};

use crate::emit::{Emitted, Emitter, Val};
use crate::hint::Hint;
use crate::runtime;

/// Number of elements up to which membership is tested one by one. For larger sets the general operator is used.
const CHAIN_MAX: usize = 8;

impl Emitter<'_, '_, '_> {
    /// Makes code for a formula. It continues at `yes` or `no`, and ends the current block.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is evaluated and its value asked")]
    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    pub fn branch(&mut self, id: IrId, yes: Block, no: Block) -> Emitted<()> {
        self.spend(id)?;
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) => self.junction(items, no, yes, true),
            IrKind::Or(items) => self.junction(items, yes, no, false),
            IrKind::Not(a) => self.branch(*a, no, yes),
            IrKind::Implies(a, b) => {
                let then = self.block();
                self.branch(*a, then, yes)?;
                let saved = self.env.clone();
                if self.open(then) {
                    self.learn(*a, true);
                    self.branch(*b, yes, no)?;
                }
                self.forget_to(saved);
                Ok(())
            }
            IrKind::If { condition, then, otherwise } if self.known_truth(*condition).is_some() => {
                let is_true = self.known_truth(*condition) == Some(true);
                self.branch(if is_true { *then } else { *otherwise }, yes, no)
            }
            IrKind::If { condition, then, otherwise } => {
                let (is, is_not) = (self.block(), self.block());
                self.branch(*condition, is, is_not)?;
                let saved = self.env.clone();
                for (block, part, truth) in [(is, *then, true), (is_not, *otherwise, false)] {
                    if self.open(block) {
                        self.learn(*condition, truth);
                        self.branch(part, yes, no)?;
                    }
                    self.forget_to(saved.clone());
                }
                Ok(())
            }
            IrKind::Enter { body, .. } => match self.shared(id)? {
                Some(val) => self.branch_on(&val, yes, no),
                None => self.branch(*body, yes, no),
            },
            IrKind::Lazy { up: 0, memo: None, expr } => self.branch(*expr, yes, no),
            IrKind::Call { func, up, args } => {
                let callee = self.callee(*func, *up)?;
                self.branch_call(callee, args, (id, yes, no))
            }
            IrKind::CallParam { slot, args } => {
                let callee = self.operator(*slot)?;
                self.branch_call(callee, args, (id, yes, no))
            }
            IrKind::Bind { memos, body } => {
                self.empty_memos(memos);
                self.branch(*body, yes, no)
            }
            IrKind::Quantified { kind, bounds, body } => match kind {
                Quantifier::Exists => self.quantifier(bounds, *body, (yes, no), true),
                Quantifier::Forall => self.quantifier(bounds, *body, (yes, no), false),
            },
            IrKind::Eq(a, b) => self.equal(*a, *b, yes, no),
            IrKind::Neq(a, b) => self.equal(*a, *b, no, yes),
            IrKind::In(a, b) => self.member(*a, *b, yes, no),
            IrKind::NotIn(a, b) => self.member(*a, *b, no, yes),
            IrKind::SubsetEq(a, b) => {
                let a = self.value(*a)?;
                let b = self.value(*b)?;
                let (a, b) = (self.word_of(&a), self.word_of(&b));
                self.call_branch(runtime::is_subset::helper(), &[a, b], yes, no);
                Ok(())
            }
            IrKind::Unchanged { current, next, .. } => self.equal(*next, *current, yes, no),
            IrKind::Native { op, args } => match (comparison(*op), args.as_slice()) {
                (Some(order), &[CallArg::Expr(a), CallArg::Expr(b)]) => {
                    let (a, b) = self.two_ints(a, b)?;
                    let holds = self.b.ins().icmp(order, a, b);
                    self.b.ins().brif(holds, yes, &[], no, &[]);
                    Ok(())
                }
                (_, _) => self.boolean(id, yes, no),
            },
            _ => self.boolean(id, yes, no),
        }
    }

    /// Continues if the formula is true, and goes to `no` otherwise.
    pub fn assume(&mut self, id: IrId, no: Block) -> Emitted<()> {
        let yes = self.block();
        self.branch(id, yes, no)?;
        self.start(yes);
        self.learn(id, true);
        Ok(())
    }

    fn boolean(&mut self, id: IrId, yes: Block, no: Block) -> Emitted<()> {
        let val = self.value(id)?;
        self.branch_on(&val, yes, no)
    }

    /// Continues at one of the blocks, by a value that must be a truth.
    pub fn branch_on(&mut self, val: &Val, yes: Block, no: Block) -> Emitted<()> {
        if let Some(truth) = val.as_const().and_then(Value::as_bool) {
            self.jump(if truth { yes } else { no });
            return Ok(());
        }
        let truth = self.bool_of(val);
        self.b.ins().brif(truth, yes, &[], no, &[]);
        Ok(())
    }

    /// Makes code for a junction. A conjunction ends early at `early` when a part is false, a disjunction when one is
    /// true.
    fn junction(&mut self, items: &[IrId], early: Block, late: Block, is_and: bool) -> Emitted<()> {
        let mut saved = None;
        for &item in items {
            let on = self.block();
            let (yes, no) = if is_and { (on, early) } else { (early, on) };
            self.branch(item, yes, no)?;
            saved.get_or_insert_with(|| self.env.clone());
            if !self.open(on) {
                break;
            }
            self.learn(item, is_and);
        }
        if !self.b.is_unreachable() {
            self.jump(late);
        }
        if let Some(saved) = saved {
            self.forget_to(saved);
        }
        Ok(())
    }

    fn member(&mut self, element: IrId, set: IrId, yes: Block, no: Block) -> Emitted<()> {
        let element = self.value(element)?;
        if let IrKind::Native { op: StdOp::Interval, args } = &self.program.irs[set].kind
            && let &[CallArg::Expr(first), CallArg::Expr(last)] = args.as_slice()
            && matches!(element.hint, Hint::Int)
        {
            let (first, last) = self.two_ints(first, last)?;
            let int = self.int_of(&element);
            return self.in_range(int, (first, last), (yes, no));
        }
        let set = self.value(set)?;
        if let Some(truth) = self.fold_member(&element, &set) {
            self.jump(if truth { yes } else { no });
            return Ok(());
        }
        if let Some(constant) = set.as_const()
            && self.member_of_constant(&element, constant, yes, no)?
        {
            return Ok(());
        }
        let (element, set) = (self.word_of(&element), self.word_of(&set));
        self.call_branch(runtime::member::helper(), &[element, set], yes, no);
        Ok(())
    }

    fn in_range(
        &mut self,
        int: ir::Value,
        (first, last): (ir::Value, ir::Value),
        (yes, no): (Block, Block),
    ) -> Emitted<()> {
        let from = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, first, int);
        let to = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, int, last);
        let inside = self.b.ins().band(from, to);
        self.b.ins().brif(inside, yes, &[], no, &[]);
        Ok(())
    }

    /// Compares with a few atoms or integers one by one. Returns whether code was made.
    fn member_of_constant(
        &mut self,
        element: &Val,
        set: Value<'static>,
        yes: Block,
        no: Block,
    ) -> Emitted<bool> {
        if matches!(element.hint, Hint::Int) {
            if let Some((first, last)) = set.as_interval() {
                let int = self.int_of(element);
                let (first, last) = (self.iconst(first), self.iconst(last));
                self.in_range(int, (first, last), (yes, no))?;
                return Ok(true);
            }
            if set.is_same(Value::NAT) {
                let int = self.int_of(element);
                let holds = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, int, 0);
                self.b.ins().brif(holds, yes, &[], no, &[]);
                return Ok(true);
            }
        }
        let Some(items) = set.as_normal_set() else { return Ok(false) };
        let all_atoms = items.iter().all(|item| item.as_atom().is_some_and(|atom| !atom.is_typed()));
        if items.is_empty() || items.len() > CHAIN_MAX || !all_atoms {
            return Ok(false);
        }
        let word = self.word_of(element);
        for item in items {
            let other = self.block();
            let same = self.b.ins().icmp_imm_s(IntCC::Equal, word, raw::word(item) as i64);
            self.b.ins().brif(same, yes, &[], other, &[]);
            self.start(other);
        }
        let ask = self.block();
        let is_atom = self.is_untyped_atom_word(word);
        self.b.ins().brif(is_atom, no, &[], ask, &[]);
        self.start(ask);
        let set = self.iconst(Self::const_word(set) as i64);
        self.call_branch(runtime::member::helper(), &[word, set], yes, no);
        Ok(true)
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "no other operator compares integers")]
fn comparison(op: StdOp) -> Option<IntCC> {
    match op {
        StdOp::Lt => Some(IntCC::SignedLessThan),
        StdOp::Gt => Some(IntCC::SignedGreaterThan),
        StdOp::Leq => Some(IntCC::SignedLessThanOrEqual),
        StdOp::Geq => Some(IntCC::SignedGreaterThanOrEqual),
        _ => None,
    }
}
