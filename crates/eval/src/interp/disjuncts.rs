//! Finds the actions of the next-state relation that a fair action consists of.
//!
//! Usually `WF_v(A)` is about an action that is a disjunct of Next, with some of its parameters fixed. Then nothing
//! must be evaluated to know its steps and where it is enabled, because the search has generated them. Both are split
//! into the parts that make steps, and these are compared node by node.

use base::{FxHashMap, FxHashSet};
use sema::spec::{Quantifier, StepKind};
use value::Constant;

use super::fault::Evaluated;
use super::{ActionInstance, Flow, Machine, NO_LINK};
use crate::ir::{Bound, CallArg, Facts, IrId, IrKind, Memo, Program, VarIdx};
use crate::temporal::TemporalAtom;

/// Limit on the number of parts that are compared.
const PARTS_MAX: usize = 10_000;

/// `<<A>>_v` where A is a disjunction of actions of the next-state relation.
#[derive(Clone, Debug)]
pub struct Disjuncts {
    /// The actions, by their numbers, in order.
    pub actions: Vec<usize>,
    /// The variables of `v`: a step must change one of them.
    pub subscript: Vec<VarIdx>,
}

/// A part that makes steps, and the bindings of the names in it.
struct StepPart {
    expr: IrId,
    names: Vec<(u16, Constant)>,
}

impl<'p> Machine<'p, '_> {
    /// Returns the actions that `step`, an atom `<<A>>_v`, consists of, if it consists of some. `enabled` is `ENABLED
    /// <<A>>_v`.
    pub fn disjuncts(
        &mut self,
        actions: &[ActionInstance<'p>],
        step: &TemporalAtom,
        enabled: &TemporalAtom,
    ) -> Evaluated<Option<Disjuncts>> {
        let program = self.program;
        let IrKind::Step { kind: StepKind::Angle, action, unchanged } = program.irs[step.expr].kind else {
            return Ok(None);
        };
        let IrKind::Enabled { action: enabled_step, primed: false } = program.irs[enabled.expr].kind else {
            return Ok(None);
        };
        // Inside an INSTANCE, ENABLED is about other variables.
        let is_same_step =
            Comparison::new(program, &step.bindings, &enabled.bindings).is_same(step.expr, enabled_step);
        let facts = program.irs[step.expr].facts;
        let Some(subscript) = subscript(program, unchanged) else { return Ok(None) };
        if !is_same_step || facts.dynamic || facts.impure {
            return Ok(None);
        }
        let (names, memos) = (step.bindings.clone(), step.memos.clone());
        let wanted = self.parts(action, (names, memos), step.n_slots)?;
        let Some(actions) = self.find_covering(actions, &wanted)? else { return Ok(None) };
        Ok(Some(Disjuncts { actions, subscript }))
    }

    /// Returns the actions all of whose parts are among `wanted`, if together they have all of these.
    fn find_covering(
        &mut self,
        actions: &[ActionInstance<'p>],
        wanted: &[StepPart],
    ) -> Evaluated<Option<Vec<usize>>> {
        let program = self.program;
        let mut by_place: FxHashMap<diag::Span, Vec<usize>> = FxHashMap::default();
        for (index, part) in wanted.iter().enumerate() {
            by_place.entry(program.irs[part.expr].span).or_default().push(index);
        }
        let mut is_found = vec![false; wanted.len()];
        let mut covering = Vec::new();
        for (number, action) in actions.iter().enumerate() {
            // Most actions are elsewhere in the text.
            let names = (action.bindings.clone(), action.memos.clone());
            let parts = self.parts(action.leaf.expr, names, action.n_slots)?;
            let found = parts.iter().map(|part| {
                let candidates = by_place.get(&program.irs[part.expr].span)?;
                candidates.iter().copied().find(|&index| {
                    let wanted = &wanted[index];
                    Comparison::new(program, &part.names, &wanted.names).is_same(part.expr, wanted.expr)
                })
            });
            if let Some(found) = found.collect::<Option<Vec<usize>>>() {
                found.into_iter().for_each(|index| is_found[index] = true);
                covering.push(number);
            }
        }
        Ok(is_found.into_iter().all(|found| found).then_some(covering))
    }

    fn parts(
        &mut self,
        expr: IrId,
        (names, memos): (Vec<(u16, Constant)>, Vec<Memo>),
        n_slots: u16,
    ) -> Evaluated<Vec<StepPart>> {
        let mut parts = Vec::new();
        self.with_frame(n_slots, NO_LINK, |machine| {
            for &(slot, value) in &names {
                machine.set_slot(slot, value.get());
            }
            machine.reset(&memos, true);
            machine.add_parts(expr, &mut names.clone(), &mut parts)
        })?;
        Ok(parts)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is one part")]
    fn add_parts(
        &mut self,
        expr: IrId,
        names: &mut Vec<(u16, Constant)>,
        parts: &mut Vec<StepPart>,
    ) -> Evaluated<()> {
        let program = self.program;
        match &program.irs[expr].kind {
            IrKind::Or(items) => items.iter().try_for_each(|&item| self.add_parts(item, names, parts)),
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, expr: body, .. } => {
                self.add_parts(*body, names, parts)
            }
            IrKind::Bind { memos, body } => {
                self.reset(memos, true);
                self.add_parts(*body, names, parts)
            }
            IrKind::Quantified { kind: Quantifier::Exists, bounds, body }
                if bounds.iter().all(|bound| program.irs[bound.set].facts == Facts::default()) =>
            {
                self.add_instances(bounds, *body, names, parts)
            }
            _ => {
                if parts.len() < PARTS_MAX {
                    parts.push(StepPart { expr, names: names.clone() });
                }
                Ok(())
            }
        }
    }

    fn add_instances(
        &mut self,
        bounds: &[Bound],
        body: IrId,
        names: &mut Vec<(u16, Constant)>,
        parts: &mut Vec<StepPart>,
    ) -> Evaluated<()> {
        let Some(place) = bounds.first().map(|bound| bound.set) else { return Ok(()) };
        self.for_each_binding(bounds, place, &mut |machine| {
            let n_before = names.len();
            for &slot in bounds.iter().flat_map(|bound| bound.pattern.slots()) {
                names.push((slot, machine.slot_constant(slot, place)?));
            }
            machine.add_parts(body, names, parts)?;
            names.truncate(n_before);
            Ok(Flow::Continue)
        })?;
        Ok(())
    }
}

/// Returns the variables of a subscript that is a tuple of variables.
#[expect(clippy::wildcard_enum_match_arm, reason = "anything else is more than variables")]
fn subscript(program: &Program, unchanged: IrId) -> Option<Vec<VarIdx>> {
    match &program.irs[unchanged].kind {
        IrKind::Unchanged { vars, .. } => vars.clone(),
        IrKind::And(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|&part| subscript(program, part)).collect();
            parts.map(|parts| parts.concat())
        }
        _ => None,
    }
}

/// A comparison of two nodes, each with the bindings of its names. It says no when in doubt.
struct Comparison<'c> {
    program: &'c Program,
    left: &'c [(u16, Constant)],
    right: &'c [(u16, Constant)],
    /// Names bound on the way, by their slots.
    bound: FxHashMap<u16, u16>,
    seen: FxHashSet<(IrId, IrId)>,
}

impl<'c> Comparison<'c> {
    fn new(program: &'c Program, left: &'c [(u16, Constant)], right: &'c [(u16, Constant)]) -> Self {
        Comparison { program, left, right, bound: FxHashMap::default(), seen: FxHashSet::default() }
    }

    fn is_same(&mut self, left: IrId, right: IrId) -> bool {
        let (left, right) = (self.skip_wrappers(left), self.skip_wrappers(right));
        if !self.seen.insert((left, right)) {
            return true;
        }
        base::with_stack(|| self.is_same_node(left, right))
    }

    fn is_same_node(&mut self, left: IrId, right: IrId) -> bool {
        let program = self.program;
        let (left_node, right_node) = (&program.irs[left], &program.irs[right]);
        if let (Some(left), Some(right)) = (self.value(left, self.left), self.value(right, self.right)) {
            return is_same_value(left, right);
        }
        match (&left_node.kind, &right_node.kind) {
            (IrKind::Var(left), IrKind::Var(right)) | (IrKind::Next(left), IrKind::Next(right)) => {
                left == right
            }
            (IrKind::Global(left), IrKind::Global(right)) => {
                left == right || self.is_same(program.globals[*left].expr, program.globals[*right].expr)
            }
            (IrKind::Slot(left), IrKind::Slot(right)) => {
                left.up == 0 && right.up == 0 && self.is_same_name(left.index, right.index)
            }
            (IrKind::Fail(_), _) | (_, IrKind::Fail(_)) => false,
            (left_kind, right_kind) => {
                let is_alike = std::mem::discriminant(left_kind) == std::mem::discriminant(right_kind);
                is_alike && left_node.span == right_node.span && self.have_same_parts(left_kind, right_kind)
            }
        }
    }

    fn is_same_name(&self, left: u16, right: u16) -> bool {
        if let Some(&paired) = self.bound.get(&left) {
            return paired == right;
        }
        false
    }

    /// Returns the node behind nodes that exist only for evaluation.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is")]
    fn skip_wrappers(&self, id: IrId) -> IrId {
        match &self.program.irs[id].kind {
            IrKind::Lazy { up: 0, expr, .. } => self.skip_wrappers(*expr),
            IrKind::Enter { body, .. } | IrKind::Bind { body, .. } => self.skip_wrappers(*body),
            _ => id,
        }
    }

    /// Returns the value of a constant, or of a name that stands for one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is computed")]
    fn value(&self, id: IrId, names: &[(u16, Constant)]) -> Option<Constant> {
        match &self.program.irs[id].kind {
            IrKind::Const(value) => Some(*value),
            IrKind::Slot(slot) if slot.up == 0 => {
                names.iter().rev().find(|name| name.0 == slot.index).map(|name| name.1)
            }
            _ => None,
        }
    }

    fn have_same_parts(&mut self, left: &IrKind, right: &IrKind) -> bool {
        let is_plain = |kind: &IrKind| kind.call_args().iter().all(|arg| matches!(arg, CallArg::Expr(_)));
        if !is_plain(left) || !is_plain(right) || !is_same_operator(left, right) {
            return false;
        }
        let slots = |kind: &IrKind| {
            let mut slots = Vec::new();
            kind.for_each_bound_slot(&mut |slot| slots.push(slot));
            slots
        };
        let children = |kind: &IrKind| {
            let mut children = Vec::new();
            kind.for_each_child(&mut |child| children.push(child));
            children
        };
        let (left_slots, right_slots) = (slots(left), slots(right));
        let (left, right) = (children(left), children(right));
        if left_slots.len() != right_slots.len() || left.len() != right.len() {
            return false;
        }
        self.bound.extend(left_slots.into_iter().zip(right_slots));
        left.into_iter().zip(right).all(|(left, right)| self.is_same(left, right))
    }
}

/// Whether two nodes apply the same operator, if they apply one.
fn is_same_operator(left: &IrKind, right: &IrKind) -> bool {
    match (left, right) {
        (IrKind::Call { func: left, .. }, IrKind::Call { func: right, .. }) => left == right,
        (IrKind::Native { op: left, .. }, IrKind::Native { op: right, .. }) => left == right,
        (IrKind::CallParam { .. } | IrKind::Table { .. }, _) => false,
        (_, _) => true,
    }
}

/// Whether two values are equal and written in the same way.
fn is_same_value(left: Constant, right: Constant) -> bool {
    value::print_raw(left.get()) == value::print_raw(right.get())
}
