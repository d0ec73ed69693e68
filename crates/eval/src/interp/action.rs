//! Turns actions into states: one walk for initial predicates, next-state relations and ENABLED.
//!
//! A conjunction runs its conjuncts left to right; the remaining work is a continuation. At each boundary between
//! conjuncts, once every variable has a value, the rest is only tested (contract 3.3).

use sema::spec::{Quantifier, StepKind};
use value::{Host, Value, ops};

use super::fault::{At, Evaluated, FaultKind};
use super::{Flow, Machine, Mode, Slot};
use crate::ir::{Bound, CallArg, FuncId, IrId, IrKind, Root, VarIdx};

/// Number of branches after which a walk checks whether it must end, because it may go on for long without finding a
/// state.
const BRANCHES_BETWEEN_LOOKS: u32 = 1 << 9;

/// The continuation: the work that remains when an action holds so far.
pub(super) type Then<'k, 'p, 'r> = &'k mut dyn FnMut(&mut Machine<'p, 'r>) -> Evaluated<Flow>;

impl<'p, 'r> Machine<'p, 'r> {
    /// Calls `found` for each way to make all of `roots` true of the state itself.
    pub fn initial_states(&mut self, roots: &[Root], found: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        self.making.mode = Mode::Init;
        self.state.fill(None);
        self.making.n_missing = self.state.len();
        self.walks += 1;
        let flow = self.initial_from(roots, found);
        self.walks -= 1;
        self.undo(0);
        self.making.mode = Mode::Next;
        flow
    }

    fn initial_from(&mut self, roots: &[Root], found: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let Some((first, rest)) = roots.split_first() else { return found(self) };
        self.walk_in_new_frame(first.n_slots, first.expr, &mut |machine| machine.initial_from(rest, found))
    }

    /// Calls `found` for each successor of the current state by the action `expr` of the current frame.
    pub fn successors(&mut self, expr: IrId, found: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        self.making.mode = Mode::Next;
        self.next.fill(None);
        self.making.n_missing = self.next.len();
        let mark = self.trail.len();
        self.walks += 1;
        let flow = self.walk(expr, found);
        self.walks -= 1;
        self.undo(mark);
        flow
    }

    /// Returns the number of variables of the state being made that have no value.
    pub fn n_missing(&self) -> usize {
        self.making.n_missing
    }

    pub(super) fn walk(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        if self.watch.is_watched {
            return self.walk_watched(id, then);
        }
        self.walk_node(id, then)
    }

    #[cold]
    fn walk_watched(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        if self.watch.is_recording {
            return self.record_node(id, |machine| machine.walk_node(id, then));
        }
        if self.watch.blame.is_some() {
            return self.blame_walk(id, then);
        }
        self.count_walk(id, then)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is a formula to be tested")]
    pub(super) fn walk_node(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let program = self.program;
        let span = program.irs[id].span;
        match &program.irs[id].kind {
            IrKind::And(items) => self.walk_and(items, then),
            IrKind::Or(items) => {
                for &item in items {
                    if self.branch(item, then)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                Ok(Flow::Continue)
            }
            IrKind::Quantified { kind: Quantifier::Exists, bounds, body } => {
                self.walk_exists(bounds, *body, id, then)
            }
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } => {
                self.walk_forall(bounds, *body, id, then)
            }
            IrKind::If { condition, then: yes, otherwise } => {
                let branch = if self.eval_bool(*condition)? { *yes } else { *otherwise };
                self.walk(branch, then)
            }
            IrKind::Case { arms, other } => match self.case_arm(arms, *other)? {
                Some(arm) => self.walk(arm, then),
                None => self.fault(id, FaultKind::NoArm),
            },
            IrKind::Implies(guard, action) => {
                if self.eval_bool(*guard)? {
                    self.walk(*action, then)
                } else {
                    then(self)
                }
            }
            IrKind::Eq(left, right) => match self.unassigned_target(*left) {
                Some(var) => {
                    let value = self.eval(*right)?;
                    self.with_value(var, value, then)
                }
                None => self.test(id, then),
            },
            IrKind::In(left, set) => match self.unassigned_target(*left) {
                Some(var) => {
                    let set = self.eval(*set)?;
                    self.walk_in(var, set, span, then)
                }
                None => self.test(id, then),
            },
            IrKind::SubsetEq(left, set) => match self.unassigned_target(*left) {
                Some(var) => {
                    let set = self.eval(*set)?;
                    let subsets = ops::powerset(self, set);
                    self.walk_in(var, subsets, span, then)
                }
                None => self.test(id, then),
            },
            IrKind::Unchanged { vars: Some(vars), .. } => self.walk_unchanged_vars(vars, span, then),
            IrKind::Bind { memos, body } => {
                self.reset(memos, true);
                self.walk(*body, then)
            }
            IrKind::Enter { def, body } => {
                self.walk(*body, then).map_err(|fault| self.add_inlined_call(fault, id, *def))
            }
            IrKind::Lazy { up, expr, .. } => {
                let base = self.frame_up(*up);
                self.walk_in_frame(base, *expr, then)
            }
            IrKind::Slot(slot) => {
                let place = self.place(*slot);
                match self.slots[place] {
                    Slot::Thunk { code, base } => self.walk_in_frame(base, code, then),
                    Slot::Value(_)
                    | Slot::Empty
                    | Slot::Repeating
                    | Slot::Failed { .. }
                    | Slot::Operator { .. } => self.test(id, then),
                }
            }
            IrKind::Call { func, up, args } => {
                let link = self.frame_up(*up);
                self.walk_call(*func, link, args, (id, then))
            }
            IrKind::CallParam { slot, args } => {
                let (func, link) = self.operator(*slot, id)?;
                self.walk_call(func, link, args, (id, then))
            }
            IrKind::Step { kind: StepKind::Box, action, unchanged } => {
                if self.branch(*action, then)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
                self.branch(*unchanged, then)
            }
            IrKind::Step { kind: StepKind::Angle, action, unchanged } => self.walk(*action, &mut |machine| {
                if machine.eval_bool(*unchanged)? { Ok(Flow::Continue) } else { then(machine) }
            }),
            IrKind::Cdot(first, second) => self.walk_cdot(*first, *second, then),
            IrKind::FnApply { function, arg } => self.walk_apply((*function, *arg), id, then),
            // TLC: a constant with a name was evaluated at the start; one that is written out branches.
            IrKind::Global(global) if program.globals[*global].def.is_none() => {
                let global = &program.globals[*global];
                self.walk_in_new_frame(global.n_slots, global.expr, then)
            }
            _ => self.test(id, then),
        }
    }

    pub(super) fn test(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        if self.eval_bool(id)? { then(self) } else { Ok(Flow::Continue) }
    }

    /// Walks one of several ways. Anything it remembered is forgotten when it is finished.
    fn branch(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let mark = self.trail.len();
        self.count_branch()?;
        let flow = self.walk(id, then)?;
        self.undo(mark);
        Ok(flow)
    }

    /// Checks from time to time whether the walk must end.
    #[inline]
    fn count_branch(&mut self) -> Evaluated<()> {
        self.n_branches += 1;
        if self.n_branches < BRANCHES_BETWEEN_LOOKS {
            return Ok(());
        }
        self.n_branches = 0;
        let span = self.fallback_span();
        self.check_limits().at(span)
    }

    /// Walks `\E`. The continuation may walk or evaluate the same code in the same frame, as in `A /\ A` or another
    /// instance of a `\A`. So the names are bound again when it comes back to the other branches of the body.
    fn walk_exists(
        &mut self,
        bounds: &[Bound],
        body: IrId,
        id: IrId,
        then: Then<'_, 'p, 'r>,
    ) -> Evaluated<Flow> {
        // Initial predicates give values to the variables that they read, and an observer of a walk wants to see all of
        // it.
        let guards = match self.making.mode {
            Mode::Next if !self.watch.is_watched => {
                Some(self.shared.codes.guards(self.program, id, (bounds, body)))
                    .filter(|guards| !guards.is_empty())
            }
            Mode::Next | Mode::Init => None,
        };
        self.for_each_guarded_binding((bounds, guards), id, &mut |machine| {
            let mark = machine.bound.len();
            for &slot in bounds.iter().flat_map(|bound| bound.pattern.slots()) {
                let place = machine.own_place(slot);
                machine.bound.push((place, machine.slots[place]));
            }
            let flow = machine.branch(body, &mut |machine| {
                let flow = then(machine);
                machine.bind_again(mark);
                flow
            });
            machine.bound.truncate(mark);
            flow
        })
    }

    /// Writes the names kept since `mark` back into their slots.
    fn bind_again(&mut self, mark: usize) {
        for &(place, slot) in &self.bound[mark..] {
            self.slots[place] = slot;
        }
    }

    /// Walks `\A`, the conjunction of its instances: the first, then the last, ... the second (contract 3.3).
    fn walk_forall(
        &mut self,
        bounds: &[Bound],
        body: IrId,
        id: IrId,
        then: Then<'_, 'p, 'r>,
    ) -> Evaluated<Flow> {
        let slots: Vec<u16> = bounds.iter().flat_map(|bound| bound.pattern.slots()).copied().collect();
        let mut instances: Vec<Vec<Value<'r>>> = Vec::new();
        self.for_each_binding(bounds, id, &mut |machine| {
            let mut values = Vec::with_capacity(slots.len());
            for &slot in &slots {
                match machine.slots[machine.own_place(slot)] {
                    Slot::Value(value) => values.push(value),
                    Slot::Empty
                    | Slot::Repeating
                    | Slot::Failed { .. }
                    | Slot::Thunk { .. }
                    | Slot::Operator { .. } => {}
                }
            }
            instances.push(values);
            Ok(Flow::Continue)
        })?;
        if instances.len() > 1 {
            instances[1..].reverse();
        }
        self.walk_instances(&slots, &instances, (body, id), then)
    }

    fn walk_instances(
        &mut self,
        slots: &[u16],
        instances: &[Vec<Value<'r>>],
        (body, id): (IrId, IrId),
        then: Then<'_, 'p, 'r>,
    ) -> Evaluated<Flow> {
        let Some((first, rest)) = instances.split_first() else { return then(self) };
        self.bind_instance(slots, first);
        // Instances are separated by a boundary like that between conjuncts.
        if self.making.n_missing == 0 {
            return match self.eval_bool(body).map_err(|fault| self.add_bound_names(fault, id))? {
                true => self.walk_instances(slots, rest, (body, id), then),
                false => Ok(Flow::Continue),
            };
        }
        let flow = self.walk(body, &mut |machine| {
            let flow = machine.walk_instances(slots, rest, (body, id), then);
            machine.bind_instance(slots, first);
            flow
        });
        flow.map_err(|fault| self.add_bound_names(fault, id))
    }

    fn bind_instance(&mut self, slots: &[u16], values: &[Value<'r>]) {
        for (&slot, &value) in slots.iter().zip(values) {
            self.set_slot(slot, value);
        }
    }

    /// Returns the variable that an assignment's left side names, if it has no value yet.
    pub(super) fn unassigned_target(&self, id: IrId) -> Option<VarIdx> {
        let var = self.target(id, self.frame.base)?;
        let values = if self.making.mode == Mode::Init { &self.state } else { &self.next };
        values[usize::from(var.0)].is_none().then_some(var)
    }

    /// Returns the variable that a node of the frame at `base` names: directly, by a definition or LET without
    /// parameters, or by an argument, which may have come through any number of calls.
    ///
    /// TLC: not by an operator that is applied to arguments.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else names a variable")]
    fn target(&self, id: IrId, base: usize) -> Option<VarIdx> {
        let (mut id, mut base) = (id, base);
        loop {
            match &self.program.irs[id].kind {
                IrKind::Var(var) if self.making.mode == Mode::Init => return Some(*var),
                IrKind::Next(var) if self.making.mode == Mode::Next => return Some(*var),
                IrKind::Enter { .. } if self.program.notes.params.contains_key(&id) => return None,
                IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => id = *body,
                IrKind::Lazy { up, expr, .. } => {
                    base = self.frame_from(base, *up);
                    id = *expr;
                }
                IrKind::Slot(slot) => {
                    match self.slots[self.frame_from(base, slot.up) + 1 + usize::from(slot.index)] {
                        Slot::Thunk { code, base: home } => (id, base) = (code, home),
                        Slot::Value(_)
                        | Slot::Empty
                        | Slot::Repeating
                        | Slot::Failed { .. }
                        | Slot::Operator { .. } => return None,
                    }
                }
                _ => return None,
            }
        }
    }

    /// Gives a variable a value while the continuation runs.
    fn with_value(&mut self, var: VarIdx, value: Value<'r>, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let index = usize::from(var.0);
        let mode = self.making.mode;
        match mode {
            Mode::Init => self.state[index] = Some(value),
            Mode::Next => self.next[index] = Some(value),
        }
        self.making.n_missing -= 1;
        let flow = then(self);
        self.making.n_missing += 1;
        match mode {
            Mode::Init => self.state[index] = None,
            Mode::Next => self.next[index] = None,
        }
        flow
    }

    fn walk_in(
        &mut self,
        var: VarIdx,
        set: Value<'r>,
        span: diag::Span,
        then: Then<'_, 'p, 'r>,
    ) -> Evaluated<Flow> {
        let mut elements = ops::elements(self, set).at(span)?;
        while let Some(element) = elements.next(self).at(span)? {
            let mark = self.trail.len();
            self.count_branch()?;
            if self.with_value(var, element, then)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            self.undo(mark);
        }
        Ok(Flow::Continue)
    }

    fn walk_unchanged_vars(
        &mut self,
        vars: &[VarIdx],
        span: diag::Span,
        then: Then<'_, 'p, 'r>,
    ) -> Evaluated<Flow> {
        let Some((&var, rest)) = vars.split_first() else { return then(self) };
        let index = usize::from(var.0);
        let Some(value) = self.state[index] else {
            return Err(super::Fault::new(FaultKind::Unassigned { variable: var, next: false }, span));
        };
        match self.next[index] {
            None => self.with_value(var, value, &mut |machine| machine.walk_unchanged_vars(rest, span, then)),
            Some(next) => {
                if ops::equal(self, next, value).at(span)? {
                    self.walk_unchanged_vars(rest, span, then)
                } else {
                    Ok(Flow::Continue)
                }
            }
        }
    }

    /// Walks closed code in a frame of its own. The continuation runs in this one.
    fn walk_in_new_frame(&mut self, n_slots: u16, code: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let saved = self.enter(n_slots, super::NO_LINK);
        let flow = self.walk(code, &mut |machine| {
            let here = machine.step_out(saved);
            let flow = then(machine);
            machine.step_in(here);
            flow
        });
        self.leave(saved);
        flow
    }

    /// Walks code of another live frame. The continuation runs in this one.
    fn walk_in_frame(&mut self, base: usize, code: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        if base == self.frame.base {
            return self.walk(code, then);
        }
        let target = self.frame_at(base);
        let here = self.step_out(target);
        let flow = self.walk(code, &mut |machine| {
            let there = machine.step_out(here);
            let flow = then(machine);
            machine.step_in(there);
            flow
        });
        self.step_in(here);
        flow
    }

    fn walk_call(
        &mut self,
        func: FuncId,
        link: usize,
        args: &[CallArg],
        (id, then): (IrId, Then<'_, 'p, 'r>),
    ) -> Evaluated<Flow> {
        let saved = self.enter_call(func, link, args, id)?;
        let body = self.program.funcs[func].body;
        let flow = base::with_stack(|| {
            self.walk(body, &mut |machine| {
                let here = machine.step_out(saved);
                let flow = then(machine);
                machine.step_in(here);
                flow
            })
        });
        let flow = flow.map_err(|fault| self.add_call(fault, func, id));
        self.leave_call(saved);
        flow
    }

    /// Evaluates `ENABLED A`: whether A has a successor, from the current state or from the next one.
    pub(super) fn eval_enabled(&mut self, action: IrId, primed: bool) -> Evaluated<bool> {
        let n_vars = self.state.len();
        let n_next = n_vars + self.program.own_variables.len();
        let outer_next = std::mem::replace(&mut self.next, vec![None; n_next]);
        let outer_state = primed.then(|| std::mem::replace(&mut self.state, outer_next.clone()));
        let outer = (
            self.making.n_missing,
            self.making.mode,
            self.composing.n_intermediate,
            self.composing.is_composing,
        );
        let flow = self.successors(action, &mut |_| Ok(Flow::Stop));
        (
            self.making.n_missing,
            self.making.mode,
            self.composing.n_intermediate,
            self.composing.is_composing,
        ) = outer;
        self.next = outer_next;
        if let Some(state) = outer_state {
            self.state = state;
        }
        flow.map(|flow| flow == Flow::Stop)
    }

    /// Walks `A \cdot B`: a B step after an A step. Variables that A leaves open stay as they are.
    fn walk_cdot(&mut self, first: IrId, second: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let n_vars = self.state.len();
        let outer_next = std::mem::replace(&mut self.next, vec![None; n_vars]);
        let outer_missing = std::mem::replace(&mut self.making.n_missing, n_vars);
        let kept = outer_next.clone();
        // TLC: in a composition inside another one, the states between are not counted.
        let outer_composing = std::mem::replace(&mut self.composing.is_composing, true);
        let flow = self.walk(first, &mut |machine| {
            let composing = std::mem::replace(&mut machine.composing.is_composing, outer_composing);
            machine.composing.n_intermediate += usize::from(!outer_composing);
            let filled = machine.next.iter().zip(&machine.state).map(|(next, old)| next.or(*old)).collect();
            let before = std::mem::replace(&mut machine.state, filled);
            let middle = std::mem::replace(&mut machine.next, kept.clone());
            let middle_missing = std::mem::replace(&mut machine.making.n_missing, outer_missing);
            let flow = machine.walk(second, &mut |machine| {
                let middle = std::mem::replace(&mut machine.state, before.clone());
                let flow = then(machine);
                machine.state = middle;
                flow
            });
            machine.state = before;
            machine.next = middle;
            machine.making.n_missing = middle_missing;
            machine.composing.is_composing = composing;
            flow
        });
        self.composing.is_composing = outer_composing;
        self.next = outer_next;
        self.making.n_missing = outer_missing;
        flow
    }

    /// Evaluates `A \cdot B` for a step whose states both exist already.
    pub(super) fn cdot_holds(&mut self, first: IrId, second: IrId) -> Evaluated<bool> {
        // Every variable of the next state has a value, so B only tests.
        let outer_missing = self.making.n_missing;
        let n_intermediate = self.composing.n_intermediate;
        self.walks += 1;
        let mark = self.trail.len();
        let flow = self.walk_cdot(first, second, &mut |_| Ok(Flow::Stop));
        self.composing.n_intermediate = n_intermediate;
        self.undo(mark);
        self.walks -= 1;
        self.making.n_missing = outer_missing;
        flow.map(|flow| flow == Flow::Stop)
    }
}
