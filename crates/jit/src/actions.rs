//! Compiles actions to code that writes successors.
//!
//! As in the interpreter, conjuncts run from left to right, and the remaining work is a continuation, which exists here
//! while code is made. At each boundary between conjuncts, once every variable has a value, the rest is only tested. A
//! way that ends, with or without a successor, continues at the block for the next way.

use base::FxIndexMap;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use eval::ir::{Bound, CallArg, IrId, IrKind, VarIdx};
use sema::spec::Quantifier;
use sema::std_ops::StdOp;

use crate::binders::Source;
use crate::emit::{Emitted, Emitter, NextValue, Unsupported, Val};
use crate::hint::Hint;
use crate::runtime;

/// The continuation: the work that remains when an action holds so far.
#[derive(Clone, Copy)]
pub(crate) enum Then<'k> {
    /// Writes the successor.
    Emit,
    Conjuncts(&'k [IrId], &'k Then<'k>),
}

/// The variables that the code of a formula without branches gives values to.
type Targets = FxIndexMap<VarIdx, bool>;

impl<'e, 'p, 'r> Emitter<'e, 'p, 'r> {
    /// Makes code for every way to make the action true. Ends the current block, and every way ends at `done`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is a formula to be tested")]
    pub fn walk(&mut self, id: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.spend()?;
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) => self.walk_and(items, then, done),
            IrKind::Or(items) => {
                self.draft = None;
                for &item in items {
                    let next = self.block();
                    self.one_way(|emitter| emitter.walk(item, then, next))?;
                    self.start(next);
                }
                self.jump(done);
                Ok(())
            }
            IrKind::Quantified { kind: Quantifier::Exists, bounds, body } => {
                self.walk_exists(bounds, *body, then, done)
            }
            IrKind::If { condition, then: yes, otherwise } => {
                self.walk_if(*condition, (*yes, *otherwise), then, done)
            }
            IrKind::Case { arms, other } => self.walk_case(arms, *other, then, done),
            IrKind::Implies(guard, action) => {
                self.draft = None;
                let (yes, no) = (self.block(), self.block());
                self.branch(*guard, yes, no)?;
                self.start(yes);
                self.one_way(|emitter| emitter.walk(*action, then, done))?;
                self.start(no);
                self.one_way(|emitter| emitter.go_on(then, done))
            }
            IrKind::Eq(left, right) => match self.target(*left) {
                Some(var) => {
                    self.update(var, *right)?;
                    self.go_on(then, done)
                }
                None => self.test(id, then, done),
            },
            IrKind::In(left, set) => match self.target(*left) {
                Some(var) => self.walk_in(var, *set, then, done),
                None => self.test(id, then, done),
            },
            IrKind::SubsetEq(left, _) if self.target(*left).is_some() => {
                Err(Unsupported("a variable that is a subset"))
            }
            IrKind::Unchanged { vars: Some(vars), .. } => {
                self.walk_unchanged(vars, done)?;
                self.go_on(then, done)
            }
            IrKind::Bind { memos, body } => {
                self.empty_memos(memos);
                self.walk(*body, then, done)
            }
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, expr: body, .. } => {
                self.walk(*body, then, done)
            }
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } => {
                self.all(bounds, *body, done)?;
                self.go_on(then, done)
            }
            IrKind::Slot(_)
            | IrKind::Lazy { .. }
            | IrKind::Call { .. }
            | IrKind::CallParam { .. }
            | IrKind::Step { .. }
            | IrKind::Cdot(..)
            | IrKind::Global(_)
            | IrKind::Unchanged { .. }
            | IrKind::FnApply { .. } => Err(Unsupported("an action of a rare kind")),
            _ => self.test(id, then, done),
        }
    }

    fn test(&mut self, id: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.require(id, done)?;
        self.go_on(then, done)
    }

    /// Continues with a formula that must be true. While nothing was written and one variable determines it, the code
    /// distinguishes whether the action ends here.
    fn require(&mut self, id: IrId, done: Block) -> Emitted<()> {
        let stage = self.draft_guard(id);
        let Some(ends) = self.ends.filter(|ends| ends.done == done) else { return self.assume(id, done) };
        let (yes, no) = (self.block(), self.block());
        self.branch(id, yes, no)?;
        self.start(no);
        if self.reads.bits().count_ones() == 1 {
            self.lead = self.reads;
            self.jump(ends.closed);
        } else {
            let end = stage.map_or(done, |stage| self.stage(stage));
            self.jump(end);
        }
        self.start(yes);
        Ok(())
    }

    /// Returns the block where the action ends when the guard of this number is false.
    fn stage(&mut self, stage: usize) -> Block {
        while self.stages.len() <= stage {
            let block = self.block();
            self.stages.push(block);
        }
        self.stages[stage]
    }

    fn go_on(&mut self, then: Then<'_>, done: Block) -> Emitted<()> {
        match then {
            Then::Emit => self.emit(done),
            Then::Conjuncts(items, next) => {
                if self.n_missing() > 0 {
                    return self.walk_and(items, *next, done);
                }
                for &item in items {
                    self.require(item, done)?;
                }
                self.go_on(*next, done)
            }
        }
    }

    /// Makes code for one of several ways. Its bindings and facts are forgotten after it.
    fn one_way(&mut self, way: impl FnOnce(&mut Self) -> Emitted<()>) -> Emitted<()> {
        let saved = (self.env.clone(), self.next.clone());
        way(self)?;
        (self.env, self.next) = saved;
        Ok(())
    }

    fn n_missing(&self) -> usize {
        self.next.iter().filter(|given| given.is_none()).count()
    }

    pub fn give(&mut self, var: VarIdx, given: NextValue) {
        self.next[usize::from(var.0)] = Some(given);
    }

    /// Returns the variable that an assignment's left side names, if it has no value yet.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else names a variable")]
    fn target(&self, id: IrId) -> Option<VarIdx> {
        match &self.program.irs[id].kind {
            IrKind::Next(var) => self.next[usize::from(var.0)].is_none().then_some(*var),
            // TLC: not through an operator that is applied to arguments.
            IrKind::Enter { .. } if self.program.notes.params.contains_key(&id) => None,
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, expr: body, .. } => self.target(*body),
            _ => None,
        }
    }

    fn walk_and(&mut self, items: &[IrId], then: Then<'_>, done: Block) -> Emitted<()> {
        for (index, &item) in items.iter().enumerate() {
            if index > 0 && self.n_missing() == 0 {
                return self.go_on(Then::Conjuncts(&items[index..], &then), done);
            }
            if !self.walk_direct(item, done)? {
                let rest = Then::Conjuncts(&items[index + 1..], &then);
                let rest = if index + 1 == items.len() { then } else { rest };
                return self.walk(item, rest, done);
            }
        }
        self.go_on(then, done)
    }

    /// Makes code for a conjunct that cannot branch. Returns whether it is one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node may branch")]
    fn walk_direct(&mut self, id: IrId, done: Block) -> Emitted<bool> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Eq(left, right) => match self.target(*left) {
                Some(var) => self.update(var, *right)?,
                None => self.require(id, done)?,
            },
            IrKind::In(left, _) | IrKind::SubsetEq(left, _) if self.target(*left).is_none() => {
                self.require(id, done)?;
            }
            IrKind::Unchanged { vars: Some(vars), .. } => self.walk_unchanged(vars, done)?,
            IrKind::Not(_) | IrKind::Neq(..) | IrKind::NotIn(..) | IrKind::Equiv(..) => {
                self.require(id, done)?;
            }
            IrKind::Native { .. } | IrKind::Field { .. } => self.require(id, done)?,
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } => self.all(bounds, *body, done)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn all(&mut self, bounds: &[Bound], body: IrId, done: Block) -> Emitted<()> {
        self.draft = None;
        match self.only_tests(body) {
            true => self.all_in_action(bounds, body, done),
            false => Err(Unsupported("an action for all elements of a set")),
        }
    }

    /// Whether a part of an action gives no value to a variable and can be true in one way only.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node may have several ways")]
    fn only_tests(&self, id: IrId) -> bool {
        match &self.program.irs[id].kind {
            IrKind::And(items) => items.iter().all(|&item| self.only_tests(item)),
            IrKind::Implies(_, body)
            | IrKind::Enter { body, .. }
            | IrKind::Bind { body, .. }
            | IrKind::Lazy { up: 0, expr: body, .. } => self.only_tests(*body),
            IrKind::If { then, otherwise, .. } => self.only_tests(*then) && self.only_tests(*otherwise),
            IrKind::Eq(left, _) | IrKind::In(left, _) | IrKind::SubsetEq(left, _) => {
                self.target(*left).is_none()
            }
            IrKind::Not(_) | IrKind::Neq(..) | IrKind::NotIn(..) | IrKind::Equiv(..) => true,
            IrKind::Native { .. } | IrKind::Field { .. } | IrKind::Const(_) => true,
            _ => false,
        }
    }

    fn walk_unchanged(&mut self, vars: &[VarIdx], done: Block) -> Emitted<()> {
        for &var in vars {
            if self.next[usize::from(var.0)].is_none() {
                self.give(var, NextValue::Unchanged);
                continue;
            }
            self.draft = None;
            let (next, current) = (self.next_variable(var)?, self.variable(var));
            let same = self.block();
            self.equal_vals(&next, &current, same, done)?;
            self.start(same);
        }
        Ok(())
    }

    fn walk_exists(&mut self, bounds: &[Bound], body: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.draft = None;
        let saved = (self.env.clone(), self.next.clone());
        self.for_each_binding(bounds, &mut |emitter, _| {
            let next = emitter.block();
            emitter.one_way(|emitter| emitter.walk(body, then, next))?;
            emitter.start(next);
            Ok(())
        })?;
        (self.env, self.next) = saved;
        self.jump(done);
        Ok(())
    }

    fn walk_in(&mut self, var: VarIdx, set: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.draft = None;
        let source = self.own_source(set)?;
        self.for_each(&source, &mut |emitter, element, _| {
            let next = emitter.block();
            emitter.one_way(|emitter| {
                emitter.give(var, NextValue::Val(element));
                emitter.go_on(then, next)
            })?;
            emitter.start(next);
            Ok(())
        })?;
        self.jump(done);
        Ok(())
    }

    /// Returns the elements of a set in its own order.
    fn own_source(&mut self, set: IrId) -> Emitted<Source> {
        if let IrKind::Native { op: StdOp::Interval, args } = &self.program.irs[set].kind
            && let [CallArg::Expr(_), CallArg::Expr(_)] = args.as_slice()
        {
            return self.source(set);
        }
        let val = self.value(set)?;
        let is_listed = match val.as_const() {
            Some(value) => value.as_normal_set().is_some() || value.as_interval().is_some(),
            None => matches!(&val.hint, Hint::Set(of) if **of != Hint::Int),
        };
        if is_listed {
            return self.source_of(&val);
        }
        let set = self.word_of(&val);
        Ok(self.words_of(runtime::own_elements::helper(), set))
    }

    fn walk_case(
        &mut self,
        arms: &[(IrId, IrId)],
        other: Option<IrId>,
        then: Then<'_>,
        done: Block,
    ) -> Emitted<()> {
        self.draft = None;
        for &(guard, action) in arms {
            let (yes, no) = (self.block(), self.block());
            self.branch(guard, yes, no)?;
            self.start(yes);
            self.one_way(|emitter| emitter.walk(action, then, done))?;
            self.start(no);
        }
        match other {
            Some(action) => self.one_way(|emitter| emitter.walk(action, then, done)),
            None => {
                self.give_up();
                self.jump(done);
                Ok(())
            }
        }
    }

    fn walk_if(
        &mut self,
        condition: IrId,
        (then, otherwise): (IrId, IrId),
        rest: Then<'_>,
        done: Block,
    ) -> Emitted<()> {
        self.draft = None;
        let (yes, no) = (self.block(), self.block());
        self.branch(condition, yes, no)?;
        let (mut of_then, mut of_otherwise) = (Targets::default(), Targets::default());
        let are_plain = self.is_plain(then, &mut of_then) && self.is_plain(otherwise, &mut of_otherwise);
        let are_alike =
            of_then.len() == of_otherwise.len() && of_then.keys().all(|var| of_otherwise.contains_key(var));
        if !are_plain || !are_alike || matches!(rest, Then::Emit) || self.n_missing() == of_then.len() {
            for (block, action) in [(yes, then), (no, otherwise)] {
                self.start(block);
                self.one_way(|emitter| emitter.walk(action, rest, done))?;
            }
            return Ok(());
        }
        let changed = of_then.iter().filter(|&(var, same)| !(*same && of_otherwise[var]));
        let joined: Vec<(VarIdx, Variable)> =
            changed.map(|(&var, _)| (var, self.b.declare_var(types::I64))).collect();
        let join = self.block();
        for (block, action) in [(yes, then), (no, otherwise)] {
            self.start(block);
            self.one_way(|emitter| emitter.walk_plain(action, &joined, join, done))?;
        }
        self.start(join);
        for &var in of_then.keys() {
            self.give(var, NextValue::Unchanged);
        }
        for (var, word) in joined {
            let word = self.b.use_var(word);
            self.give(var, NextValue::Val(Val::word(word)));
        }
        self.go_on(rest, done)
    }

    /// Makes code for one side of an IF whose sides give values to the same variables.
    fn walk_plain(
        &mut self,
        action: IrId,
        joined: &[(VarIdx, Variable)],
        join: Block,
        done: Block,
    ) -> Emitted<()> {
        self.plain_part(action, done)?;
        for &(var, variable) in joined {
            let val = self.next_variable(var)?;
            let word = self.word_of(&val);
            self.b.def_var(variable, word);
        }
        self.jump(join);
        Ok(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is plain was asked before")]
    fn plain_part(&mut self, id: IrId, done: Block) -> Emitted<()> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) => items.iter().try_for_each(|&item| self.plain_part(item, done)),
            IrKind::Enter { body, .. } => self.plain_part(*body, done),
            IrKind::Bind { memos, body } => {
                self.empty_memos(memos);
                self.plain_part(*body, done)
            }
            _ => match self.walk_direct(id, done)? {
                true => Ok(()),
                false => Err(Unsupported("an action that branches")),
            },
        }
    }

    /// Whether an action is a list of conjuncts that cannot branch. Collects the variables that it gives values to:
    /// `true` for those that it leaves unchanged.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node may branch")]
    fn is_plain(&self, id: IrId, targets: &mut Targets) -> bool {
        match &self.program.irs[id].kind {
            IrKind::And(items) => items.iter().all(|&item| self.is_plain(item, targets)),
            IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => self.is_plain(*body, targets),
            IrKind::Eq(left, _) => {
                if let Some(var) = self.target(*left)
                    && !targets.contains_key(&var)
                {
                    targets.insert(var, false);
                }
                true
            }
            IrKind::Unchanged { vars: Some(vars), .. } => {
                for var in vars.iter().filter(|var| self.next[usize::from(var.0)].is_none()) {
                    targets.entry(*var).or_insert(true);
                }
                true
            }
            IrKind::In(left, _) | IrKind::SubsetEq(left, _) => self.target(*left).is_none(),
            IrKind::Not(_) | IrKind::Neq(..) | IrKind::NotIn(..) | IrKind::Equiv(..) => true,
            IrKind::Native { .. } | IrKind::Field { .. } => true,
            _ => false,
        }
    }

    /// Writes a successor: which variables have changed, and their words.
    fn emit(&mut self, done: Block) -> Emitted<()> {
        self.ends = None;
        let mut mask = 0_u64;
        let mut words = Vec::new();
        for (index, given) in self.next.clone().iter().enumerate() {
            match given {
                None => return Err(Unsupported("a successor with a variable that has no value")),
                Some(NextValue::Unchanged) => {}
                Some(NextValue::Val(val)) => {
                    mask |= 1 << index;
                    words.push(self.word_of(val));
                }
            }
        }
        let n_words = words.len() as i64 + 1;
        let (full, ready) = (self.block(), self.block());
        self.b.set_cold_block(full);
        let out = self.load_word(self.context, runtime::OUT);
        let end = self.load_word(self.context, runtime::OUT_END);
        let after = self.b.ins().iadd_imm_s(out, n_words * size_of::<u64>() as i64);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, after, end);
        self.b.ins().brif(fits, ready, &[], full, &[]);
        self.start(full);
        let n = self.iconst(n_words);
        self.call(runtime::grow::helper(), &[n]);
        self.jump(ready);
        self.start(ready);
        let out = self.load_word(self.context, runtime::OUT);
        let mask = self.iconst(mask as i64);
        self.store_word(mask, out, 0);
        for (index, word) in words.into_iter().enumerate() {
            self.store_word(word, out, (index as i32 + 1) * size_of::<u64>() as i32);
        }
        let after = self.b.ins().iadd_imm_s(out, n_words * size_of::<u64>() as i64);
        self.store_word(after, self.context, runtime::OUT);
        self.jump(done);
        Ok(())
    }
}
