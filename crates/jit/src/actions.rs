//! Compiles actions to code that writes successors.
//!
//! As in the interpreter, conjuncts run from left to right, and the remaining work is a continuation, which exists here
//! while code is made. At each boundary between conjuncts, once every variable has a value, the rest is only tested. A
//! way that ends, with or without a successor, continues at the block for the next way.

use std::cell::RefCell;

use base::FxIndexMap;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;
use eval::interp::VarSet;
use eval::ir::{Bound, CallArg, IrId, IrKind, VarIdx};
use sema::spec::Quantifier;
use sema::std_ops::StdOp;

use crate::binders::Source;
use crate::emit::{Emitted, Emitter, NextValue, Reached, Unsupported, Val};
use crate::env::{Binding, Env, FrameNo};
use crate::hint::Hint;
use crate::outline::Outlined;
use crate::pieces::PIECE_MIN;
use crate::runtime;

/// The continuation: the work that remains when an action holds so far.
#[derive(Clone, Copy)]
pub(crate) enum Then<'k> {
    /// Writes the successor.
    Emit,
    /// Conjuncts of the frame, and what remains after them.
    Conjuncts(&'k [IrId], FrameNo, &'k Then<'k>),
    /// Instances of the body of `\A`, and what remains after them.
    Instances(&'k Instances<'k>),
    /// The rest after a part with several ways, as a function of its own.
    Rest(&'k Rest<'k>),
}

/// Instances of the body of `\A` that an action still has to go through.
#[derive(Clone, Copy)]
pub(crate) struct Instances<'k> {
    /// For each instance the values of the bound names.
    instances: &'k [Vec<(u16, Val)>],
    body: IrId,
    frame: FrameNo,
    then: Then<'k>,
}

/// The rest of an action, which several ways come to: a function for each set of variables that have values by then.
pub(crate) struct Rest<'k> {
    then: Then<'k>,
    env: Env,
    made: RefCell<Vec<((u64, u64), Outlined)>>,
}

/// The least number of nodes for which the rest of an action becomes a function of its own.
const REST_MIN: usize = 40;

/// The least number of nodes for which one of several ways becomes a function of its own.
const APART_MIN: usize = 120;

/// The most instances of `\A` in an action.
const INSTANCES_MAX: usize = 64;

/// The variables that the code of a formula without branches gives values to.
type Targets = FxIndexMap<VarIdx, bool>;

impl<'k> Then<'k> {
    /// Collects the nodes that remain, each with its frame.
    fn parts(self, parts: &mut Vec<(IrId, FrameNo)>) {
        match self {
            Then::Emit => {}
            Then::Conjuncts(items, frame, next) => {
                parts.extend(items.iter().map(|&item| (item, frame)));
                next.parts(parts)
            }
            Then::Instances(rest) => {
                parts.push((rest.body, rest.frame));
                rest.then.parts(parts)
            }
            Then::Rest(rest) => rest.then.parts(parts),
        }
    }
}

impl<'e, 'p, 'r> Emitter<'e, 'p, 'r> {
    /// Makes code for every way to make the action true. Ends the current block, and every way ends at `done`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other nodes give no values and do not branch")]
    pub fn walk(&mut self, id: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.spend(id)?;
        if self.common.only_guards && self.stops_at(id) {
            return Ok(());
        }
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) => self.walk_and(items, then, done),
            IrKind::Or(items) => self.walk_or(items, then, done),
            IrKind::Quantified { kind: Quantifier::Exists, bounds, body } => {
                if self.is_tested_first(id, done) {
                    self.require(id, done)?;
                }
                self.walk_exists(bounds, *body, then, done)
            }
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } => {
                self.walk_forall(bounds, *body, then, done)
            }
            IrKind::If { condition, then: yes, otherwise } => {
                self.walk_if(*condition, (*yes, *otherwise), then, done)
            }
            IrKind::Case { arms, other } => {
                self.with_rest(then, |emitter, then| emitter.walk_case(arms, *other, then, done))
            }
            IrKind::Implies(guard, action) => self.walk_implies(*guard, *action, then, done),
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
            IrKind::Enter { body, .. } => self.walk(*body, then, done),
            IrKind::Lazy { up, expr, .. } => self.in_frame_up(*up, |emitter| emitter.walk(*expr, then, done)),
            IrKind::Slot(_) | IrKind::Call { .. } | IrKind::CallParam { .. } => {
                self.walk_name(id, then, done)
            }
            IrKind::FnApply { .. } | IrKind::Global(_) if !self.is_single_test(id) => {
                Err(Unsupported("a function of actions, or a constant with several ways"))
            }
            IrKind::Const(constant) if constant.get().as_bool() == Some(false) => {
                self.draft = None;
                self.jump(done);
                Ok(())
            }
            IrKind::Step { .. } | IrKind::Cdot(..) | IrKind::Unchanged { .. } => {
                Err(Unsupported("an action of a rare kind"))
            }
            _ => self.test(id, then, done),
        }
    }

    /// Makes code for an action that is an argument, or a call.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node is one")]
    fn walk_name(&mut self, id: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        match &self.program.irs[id].kind {
            IrKind::Slot(slot) => match self.env.find(*slot) {
                Some((_, Binding::Argument { expr, frame, .. })) => {
                    let (expr, frame) = (*expr, *frame);
                    self.in_frame(frame, |emitter| emitter.walk(expr, then, done))
                }
                Some((_, Binding::Val(_) | Binding::Held { .. })) => self.test(id, then, done),
                Some((_, Binding::Memo { .. } | Binding::Operator { .. })) | None => {
                    Err(Unsupported("a slot without a value"))
                }
            },
            IrKind::Call { func, up, args } => {
                let callee = self.callee(*func, *up)?;
                match self.is_recursive(*func) && self.is_single_test(id) {
                    true => self.test(id, then, done),
                    false => self.walk_call(callee, args, then, done),
                }
            }
            IrKind::CallParam { slot, args } => {
                let callee = self.operator(*slot)?;
                self.walk_call(callee, args, then, done)
            }
            _ => Err(Unsupported("an action that is no name")),
        }
    }

    fn walk_or(&mut self, items: &[IrId], then: Then<'_>, done: Block) -> Emitted<()> {
        if self.is_taken_apart(items, then, done)
            && let Some(choices) = &mut self.choices
        {
            let chosen = choices.way(items.len());
            return self.walk(items[chosen], then, done);
        }
        self.draft = None;
        self.with_rest(then, |emitter, then| {
            for &item in items {
                let next = emitter.block();
                emitter.one_way(|emitter| emitter.walk_apart(item, then, next))?;
                emitter.start(next);
            }
            emitter.jump(done);
            Ok(())
        })
    }

    fn walk_implies(&mut self, guard: IrId, action: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.draft = None;
        self.is_conditional = true;
        let (yes, no) = (self.block(), self.block());
        self.branch(guard, yes, no)?;
        self.with_rest(then, |emitter, then| {
            emitter.start(yes);
            emitter.one_way(|emitter| emitter.walk(action, then, done))?;
            emitter.start(no);
            emitter.one_way(|emitter| emitter.go_on(then, done))
        })
    }

    fn walk_forall(&mut self, bounds: &[Bound], body: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.draft = None;
        if self.only_tests(body) {
            self.all_in_action(bounds, body, done)?;
            return self.go_on(then, done);
        }
        match self.program.irs[body].facts.reads_next {
            true => self.walk_all(bounds, body, then, done),
            false => self.walk_guard_for_all(bounds, body, then, done),
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
        if !self.is_first_way(done) {
            return self.assume(id, done);
        }
        let (yes, no) = (self.block(), self.block());
        self.branch(id, yes, no)?;
        self.start(no);
        let end = match stage {
            Some(stage) => self.stage(stage),
            None => self.closing().unwrap_or(done),
        };
        self.jump(end);
        self.start(yes);
        self.learn(id, true);
        Ok(())
    }

    /// Whether nothing was written yet, and no choice was left behind: the action ends at `done` if it ends here.
    pub fn is_first_way(&self, done: Block) -> bool {
        self.end == Some(done)
    }

    /// Whether a choice between these ways is made while code is made: a piece for each of them.
    fn is_taken_apart(&self, ways: &[IrId], then: Then<'_>, done: Block) -> bool {
        let mut rest = Vec::new();
        then.parts(&mut rest);
        let rest: Vec<IrId> = rest.into_iter().map(|(id, _)| id).collect();
        self.choices.is_some()
            && !self.is_conditional
            && self.is_first_way(done)
            && self.size(ways, PIECE_MIN) >= PIECE_MIN
            && self.size(&rest, REST_MIN) < REST_MIN
    }

    /// Returns the block where the action ends when the guard of this number is false.
    fn stage(&mut self, stage: usize) -> Block {
        while self.stages.len() <= stage {
            let block = self.block();
            self.stages.push((block, VarSet::NONE));
        }
        let (block, reads) = &mut self.stages[stage];
        *reads = reads.with(self.reads);
        *block
    }

    pub fn go_on(&mut self, then: Then<'_>, done: Block) -> Emitted<()> {
        match then {
            Then::Emit => self.emit(done),
            Then::Conjuncts(items, frame, next) => self.in_frame(frame, |emitter| {
                if emitter.n_missing() > 0 {
                    let walked = emitter.walk_and(items, *next, done);
                    items.first().iter().for_each(|&&item| emitter.may_stop_at(item, &walked));
                    return walked;
                }
                for &item in items {
                    if emitter.stops_at(item) {
                        return Ok(());
                    }
                    let required = emitter.require(item, done);
                    emitter.may_stop_at(item, &required);
                    required?;
                }
                emitter.go_on(*next, done)
            }),
            Then::Instances(rest) => self.walk_instances(*rest, done),
            Then::Rest(rest) => self.go_to_rest(rest, done),
        }
    }

    /// Runs `body` with a rest that does not repeat the code of `then`, if that is long.
    fn with_rest(
        &mut self,
        then: Then<'_>,
        body: impl FnOnce(&mut Self, Then<'_>) -> Emitted<()>,
    ) -> Emitted<()> {
        let mut parts = Vec::new();
        then.parts(&mut parts);
        let ids: Vec<IrId> = parts.iter().map(|&(id, _)| id).collect();
        // What is a function already is only called.
        if matches!(then, Then::Rest(_)) || self.size(&ids, REST_MIN) < REST_MIN {
            return body(self, then);
        }
        let rest = Rest { then, env: self.env.clone(), made: RefCell::default() };
        body(self, Then::Rest(&rest))
    }

    /// Makes code for one of several ways, as a function of its own if it is long: what takes a compiler longest are long
    /// functions.
    fn walk_apart(&mut self, id: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        let mut parts = vec![(id, self.env.current)];
        then.parts(&mut parts);
        if self.size(&[id], APART_MIN) < APART_MIN {
            return self.walk(id, then, done);
        }
        self.end = None;
        self.draft = None;
        let (env, next) = (self.env.clone(), self.next.clone());
        let (outlined, ()) = self.outline(&env, &parts, &next, |emitter| {
            let end = emitter.block();
            emitter.walk(id, then, end)?;
            emitter.start(end);
            let code = emitter.iconst(1);
            emitter.b.ins().return_(&[code]);
            Ok(())
        })?;
        let went_well = self.call_outlined(&outlined)?;
        self.guard(went_well);
        self.jump(done);
        Ok(())
    }

    /// Calls the function for the rest of the action, which is made when it is first needed.
    fn go_to_rest(&mut self, rest: &Rest<'_>, done: Block) -> Emitted<()> {
        self.end = None;
        self.draft = None;
        let mut form = (0, 0);
        for (index, given) in self.next.iter().enumerate() {
            match given {
                None => {}
                Some(NextValue::Unchanged) => form = (form.0 | 1 << index, form.1 | 1 << index),
                Some(NextValue::Val(_) | NextValue::Held { .. }) => form.0 |= 1 << index,
            }
        }
        let known = rest.made.borrow().iter().find(|(known, _)| *known == form).map(|(_, made)| made.clone());
        let outlined = match known {
            Some(outlined) => outlined,
            None => {
                let mut parts = Vec::new();
                rest.then.parts(&mut parts);
                let next = self.next.clone();
                let (outlined, ()) = self.outline(&rest.env, &parts, &next, |emitter| {
                    let end = emitter.block();
                    emitter.go_on(rest.then, end)?;
                    emitter.start(end);
                    let code = emitter.iconst(1);
                    emitter.b.ins().return_(&[code]);
                    Ok(())
                })?;
                rest.made.borrow_mut().push((form, outlined.clone()));
                outlined
            }
        };
        let went_well = self.call_outlined(&outlined)?;
        self.guard(went_well);
        self.jump(done);
        Ok(())
    }

    /// Goes through the instances of `\A` that are left, and then on.
    fn walk_instances(&mut self, rest: Instances<'_>, done: Block) -> Emitted<()> {
        let Some((first, others)) = rest.instances.split_first() else { return self.go_on(rest.then, done) };
        self.in_frame(rest.frame, |emitter| {
            for (slot, val) in first {
                emitter.bind(*slot, val.clone());
            }
            let left = Instances { instances: others, ..rest };
            // Instances are separated by a boundary like that between conjuncts.
            if emitter.n_missing() == 0 {
                emitter.require(rest.body, done)?;
                return emitter.walk_instances(left, done);
            }
            emitter.walk(rest.body, Then::Instances(&left), done)
        })
    }

    /// Makes code for `\A` over constant sets whose body is an action: one instance after the other.
    fn walk_all(&mut self, bounds: &[Bound], body: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        let instances = self.constant_instances(bounds, INSTANCES_MAX)?;
        let frame = self.env.current;
        self.walk_instances(Instances { instances: &instances, body, frame, then }, done)
    }

    /// Makes code for one of several ways. Its bindings and facts are forgotten after it.
    pub fn one_way(&mut self, way: impl FnOnce(&mut Self) -> Emitted<()>) -> Emitted<()> {
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
    pub fn target(&self, id: IrId) -> Option<VarIdx> {
        let var = self.named_variable(id, self.env.current)?;
        self.next[usize::from(var.0)].is_none().then_some(var)
    }

    /// Returns the variable of the next state that a node of a frame names.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else names a variable")]
    fn named_variable(&self, id: IrId, frame: FrameNo) -> Option<VarIdx> {
        match &self.program.irs[id].kind {
            IrKind::Next(var) => Some(*var),
            // TLC: not through an operator that is applied to arguments.
            IrKind::Enter { .. } if self.program.notes.params.contains_key(&id) => None,
            IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => self.named_variable(*body, frame),
            IrKind::Lazy { up, expr, .. } => self.named_variable(*expr, self.env.up_from(frame, *up)?),
            IrKind::Slot(slot) => match self.env.binding_in(self.env.up_from(frame, slot.up)?, slot.index)? {
                Binding::Argument { expr, frame, .. } => self.named_variable(*expr, *frame),
                Binding::Val(_) | Binding::Held { .. } | Binding::Memo { .. } | Binding::Operator { .. } => {
                    None
                }
            },
            _ => None,
        }
    }

    fn walk_and(&mut self, items: &[IrId], then: Then<'_>, done: Block) -> Emitted<()> {
        for (index, &item) in items.iter().enumerate() {
            if index > 0 && self.n_missing() == 0 {
                return self.go_on(Then::Conjuncts(&items[index..], self.env.current, &then), done);
            }
            if self.stops_at(item) {
                return Ok(());
            }
            let is_direct = self.walk_direct(item, done);
            if index > 0 {
                self.may_stop_at(item, &is_direct);
            }
            if !is_direct? {
                let rest = Then::Conjuncts(&items[index + 1..], self.env.current, &then);
                let rest = if index + 1 == items.len() { then } else { rest };
                let walked = self.walk(item, rest, done);
                if index > 0 {
                    self.may_stop_at(item, &walked);
                }
                return walked;
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
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } if self.only_tests(*body) => {
                self.draft = None;
                self.all_in_action(bounds, *body, done)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a part of an action gives no value to a variable and can be true in one way only.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node may have several ways")]
    pub fn only_tests(&self, id: IrId) -> bool {
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
        if self.is_taken_apart(&[body], then, done) && self.bind_params(bounds)? {
            return self.walk(body, then, done);
        }
        self.draft = None;
        let saved = (self.env.clone(), self.next.clone());
        self.with_rest(then, |emitter, then| {
            emitter.for_each_guarded_binding(bounds, body, &mut |emitter, _| {
                let next = emitter.block();
                emitter.one_way(|emitter| emitter.walk_apart(body, then, next))?;
                emitter.start(next);
                Ok(())
            })
        })?;
        (self.env, self.next) = saved;
        self.jump(done);
        Ok(())
    }

    fn walk_in(&mut self, var: VarIdx, set: IrId, then: Then<'_>, done: Block) -> Emitted<()> {
        self.draft = None;
        let source = self.own_source(set)?;
        self.with_rest(then, |emitter, then| {
            emitter.for_each(&source, &mut |emitter, element, _| {
                let next = emitter.block();
                emitter.one_way(|emitter| {
                    emitter.give(var, NextValue::Val(element));
                    emitter.go_on(then, next)
                })?;
                emitter.start(next);
                Ok(())
            })
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
        self.is_conditional = true;
        for &(guard, action) in arms {
            let (yes, no) = (self.block(), self.block());
            self.branch(guard, yes, no)?;
            if self.reached(yes, no) != Reached::Second {
                self.start(yes);
                self.one_way(|emitter| {
                    emitter.learn(guard, true);
                    emitter.walk(action, then, done)
                })?;
            }
            self.start(no);
            self.learn(guard, false);
        }
        match other {
            _ if self.b.is_unreachable() => Ok(()),
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
        if let Some(truth) = self.known_truth(condition) {
            return self.walk(if truth { then } else { otherwise }, rest, done);
        }
        self.draft = None;
        let (yes, no) = (self.block(), self.block());
        self.branch(condition, yes, no)?;
        match self.reached(yes, no) {
            Reached::First => {
                self.start(yes);
                return self.walk(then, rest, done);
            }
            Reached::Second => return self.walk(otherwise, rest, done),
            Reached::Both => self.is_conditional = true,
        }
        let (mut of_then, mut of_otherwise) = (Targets::default(), Targets::default());
        let are_plain = self.is_plain(then, &mut of_then) && self.is_plain(otherwise, &mut of_otherwise);
        let are_alike =
            of_then.len() == of_otherwise.len() && of_then.keys().all(|var| of_otherwise.contains_key(var));
        if !are_plain || !are_alike || matches!(rest, Then::Emit) || self.n_missing() == of_then.len() {
            return self.with_rest(rest, |emitter, rest| {
                for (block, action, truth) in [(yes, then, true), (no, otherwise, false)] {
                    emitter.start(block);
                    emitter.one_way(|emitter| {
                        emitter.learn(condition, truth);
                        emitter.walk(action, rest, done)
                    })?;
                }
                Ok(())
            });
        }
        let changed = of_then.iter().filter(|&(var, same)| !(*same && of_otherwise[var]));
        let joined: Vec<(VarIdx, Variable)> =
            changed.map(|(&var, _)| (var, self.b.declare_var(types::I64))).collect();
        let join = self.block();
        for (block, action, truth) in [(yes, then, true), (no, otherwise, false)] {
            self.start(block);
            self.one_way(|emitter| {
                emitter.learn(condition, truth);
                emitter.walk_plain(action, &joined, join, done)
            })?;
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
        self.end = None;
        let mut mask = 0_u64;
        let mut words = Vec::new();
        for (index, given) in self.next.clone().iter().enumerate() {
            match given {
                // The interpreter reports it.
                None => {
                    self.give_up_here();
                    return Ok(());
                }
                Some(NextValue::Unchanged) => {}
                Some(NextValue::Val(val)) => {
                    mask |= 1 << index;
                    words.push(self.word_of(val));
                }
                Some(NextValue::Held { cell, .. }) => {
                    mask |= 1 << index;
                    words.push(self.load_cell(*cell));
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
