//! Explains why a formula is FALSE: finds the innermost part that decides, the names bound on the way there, and the
//! values that it reads.

use base::Name;
use diag::Span;
use sema::spec::{Quantifier, StepKind};
use value::Value;

use super::fault::{Evaluated, PathEntry};
use super::{ActionInstance, Flow, Machine, NO_LINK};
use crate::ir::{Bound, CallArg, FuncId, IrId, IrKind, Program, Root};

/// The part of a formula that made it FALSE.
#[derive(Debug)]
pub struct Culprit<'r> {
    pub span: Span,
    /// The calls and bound names on the way there, outermost first.
    pub way: Vec<PathEntry>,
    /// Expressions in it and their values, in the order of the text.
    pub values: Vec<Reading<'r>>,
}

/// An expression of the text, or a part of its value, together with the value.
#[derive(Debug)]
pub struct Reading<'r> {
    pub span: Span,
    /// Whether it stands under a prime that is not part of `span`.
    pub is_primed: bool,
    /// Whether this is an element of the value, not the value itself.
    pub is_element: bool,
    /// The part of the value: `[2].term`.
    pub part: String,
    pub value: Value<'r>,
}

/// Limit on the number of expressions shown.
const VALUES_MAX: usize = 12;

impl<'r> Machine<'_, 'r> {
    /// Returns the part that made `root` FALSE in the current state and step, if it is FALSE.
    pub fn explain(&mut self, root: Root) -> Evaluated<Option<Culprit<'r>>> {
        self.with_frame(root.n_slots, NO_LINK, |machine| {
            if machine.eval_bool(root.expr)? {
                return Ok(None);
            }
            let mut culprit = machine.culprit(root.expr, false)?;
            culprit.way.reverse();
            Ok(Some(culprit))
        })
    }

    /// Returns the part that prevents the step from the current state to the next one from being a step of `action`, if
    /// it is none.
    pub fn explain_step(&mut self, action: &ActionInstance<'_>) -> Evaluated<Option<Culprit<'r>>> {
        self.in_action(action, |machine| {
            if machine.eval_bool(action.leaf.expr)? {
                return Ok(None);
            }
            let mut culprit = machine.culprit(action.leaf.expr, false)?;
            culprit.way.reverse();
            Ok(Some(culprit))
        })
    }

    /// Returns the parameters of an action that are known without a state, named as in the text.
    pub fn action_params(&mut self, action: &ActionInstance<'_>) -> Vec<(Name, Value<'r>)> {
        let read = self.in_action(action, |machine| {
            let params = action.leaf.params.iter();
            Ok(params.filter_map(|&(name, reader)| Some((name, machine.eval(reader).ok()?))).collect())
        });
        read.unwrap_or_default()
    }

    fn in_action<T>(
        &mut self,
        action: &ActionInstance<'_>,
        body: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        self.with_frame(action.n_slots, NO_LINK, |machine| {
            for &(slot, value) in &action.bindings {
                machine.set_slot(slot, value.get());
            }
            machine.reset(&action.memos, false);
            body(machine)
        })
    }

    /// Returns the part to blame for `id` having the value `is`. The way is innermost first.
    fn culprit(&mut self, id: IrId, is: bool) -> Evaluated<Culprit<'r>> {
        base::with_stack(|| self.culprit_here(id, is))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is shown whole")]
    fn culprit_here(&mut self, id: IrId, is: bool) -> Evaluated<Culprit<'r>> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::And(items) if !is => self.culprit_among(items, is, id),
            IrKind::Or(items) if is => self.culprit_among(items, is, id),
            IrKind::Not(operand) => self.negation(*operand, is, id),
            IrKind::Implies(_, conclusion) if !is => self.implication(*conclusion, id),
            IrKind::Enter { def, body } => {
                let mut culprit = self.culprit(*body, is)?;
                let bindings = self.params_at_hand(id);
                culprit.way.push(PathEntry { node: id, def: Some(*def), bindings });
                Ok(culprit)
            }
            IrKind::Bind { memos, body } => {
                self.reset(memos, false);
                self.culprit(*body, is)
            }
            IrKind::Lazy { up: 0, expr, .. } => self.culprit(*expr, is),
            IrKind::Global(global) => {
                let global = &program.globals[*global];
                self.with_frame(global.n_slots, NO_LINK, |machine| machine.culprit(global.expr, is))
            }
            IrKind::If { condition, then, otherwise } => {
                let branch = if self.eval_bool(*condition)? { *then } else { *otherwise };
                self.culprit(branch, is)
            }
            IrKind::Case { arms, other } => match self.case_arm(arms, *other)? {
                Some(arm) => self.culprit(arm, is),
                None => Ok(self.leaf(id)),
            },
            IrKind::Quantified { kind: Quantifier::Forall, bounds, body } if !is => {
                self.instance((bounds, *body), is, id)
            }
            IrKind::Quantified { kind: Quantifier::Exists, bounds, body } if is => {
                self.instance((bounds, *body), is, id)
            }
            IrKind::Call { func, up, args } => {
                let link = self.frame_up(*up);
                self.called_culprit((*func, link), args, is, id)
            }
            IrKind::Step { kind: StepKind::Box, action, .. } if !is => self.culprit(*action, is),
            _ => Ok(self.leaf(id)),
        }
    }

    fn culprit_among(&mut self, items: &[IrId], is: bool, id: IrId) -> Evaluated<Culprit<'r>> {
        for &item in items {
            if self.eval_bool(item)? == is {
                return self.culprit(item, is);
            }
        }
        Ok(self.leaf(id))
    }

    /// Explains `~p`: shown whole, with the values that determine `p`.
    fn negation(&mut self, operand: IrId, is: bool, id: IrId) -> Evaluated<Culprit<'r>> {
        let mut culprit = self.culprit(operand, !is)?;
        if culprit.way.is_empty() {
            culprit = self.leaf(id);
        }
        culprit.span = self.span(id);
        Ok(culprit)
    }

    /// Explains `p => q`: shown whole if `q` is.
    fn implication(&mut self, conclusion: IrId, id: IrId) -> Evaluated<Culprit<'r>> {
        let culprit = self.culprit(conclusion, false)?;
        let is_whole = culprit.way.is_empty() && culprit.span == self.span(conclusion);
        Ok(if is_whole { self.leaf(id) } else { culprit })
    }

    /// Explains the first instance of a quantified formula that has the wrong value.
    fn instance(&mut self, (bounds, body): (&[Bound], IrId), is: bool, id: IrId) -> Evaluated<Culprit<'r>> {
        let mut found = None;
        self.for_each_binding(bounds, id, &mut |machine| {
            if machine.eval_bool(body)? != is {
                return Ok(Flow::Continue);
            }
            let mut culprit = machine.culprit(body, is)?;
            culprit.way.push(machine.bound_entry(id));
            found = Some(culprit);
            Ok(Flow::Stop)
        })?;
        Ok(found.unwrap_or_else(|| self.leaf(id)))
    }

    fn called_culprit(
        &mut self,
        (func, link): (FuncId, usize),
        args: &[CallArg],
        is: bool,
        id: IrId,
    ) -> Evaluated<Culprit<'r>> {
        let saved = self.enter_call(func, link, args, id)?;
        let body = self.program.funcs[func].body;
        let culprit = self.culprit(body, is).map(|mut culprit| {
            culprit.way.push(self.call_entry(func, id));
            culprit
        });
        self.leave_call(saved);
        culprit
    }

    /// Returns the part of `id`, which is FALSE, that is to blame, or all of it where that cannot be determined.
    pub(super) fn culprit_or_whole(&mut self, id: IrId) -> Culprit<'r> {
        let mut culprit = self.culprit(id, false).unwrap_or_else(|_| self.leaf(id));
        culprit.way.reverse();
        culprit
    }

    fn leaf(&mut self, id: IrId) -> Culprit<'r> {
        let mut culprit = Culprit { span: self.span(id), way: Vec::new(), values: Vec::new() };
        self.collect(id, &mut culprit);
        self.offenders(id, &mut culprit.values);
        culprit.values.sort_by_key(|reading| (reading.span.range().start, reading.span.range().end));
        culprit
    }

    /// Collects the values that `id` reads: variables, bound names, and operators applied to them.
    fn collect(&mut self, id: IrId, culprit: &mut Culprit<'r>) {
        if culprit.values.len() >= VALUES_MAX {
            return;
        }
        if let Some(span) = self.place_in(id, culprit.span) {
            self.read(id, span, culprit);
        }
        let program = self.program;
        let kind = &program.irs[id].kind;
        let mut parts = Vec::new();
        if hides_parts(kind) {
            // The parts of a node that binds names have no value here, but the sets that the names range over do.
            parts.extend(kind.bounds().iter().map(|bound| bound.set));
        } else {
            kind.for_each_child(&mut |child| parts.push(child));
        }
        for part in parts {
            self.collect(part, culprit);
        }
    }

    fn read(&mut self, id: IrId, span: Span, culprit: &mut Culprit<'r>) {
        let ir = &self.program.irs[id];
        let is_primed = ir.facts.reads_next;
        let is_same = |known: &Reading<'_>| known.span == span && known.is_primed == is_primed;
        if ir.facts.impure || !is_worth_telling(self.program, &ir.kind) || culprit.values.iter().any(is_same)
        {
            return;
        }
        // The outcome of a comparison in it says less than the values that are compared.
        let is_comparison =
            |value: Value<'_>| value.as_bool().is_some() && matches!(ir.kind, IrKind::Native { .. });
        if let Ok(value) = self.eval(id)
            && !is_comparison(value)
        {
            let (is_element, part) = (false, String::new());
            culprit.values.push(Reading { span, is_primed, is_element, part, value });
        }
    }

    /// Returns the place of `id` in the text inside `whole`, if it is there.
    pub(super) fn place_in(&self, id: IrId, whole: Span) -> Option<Span> {
        let own = self.span(id);
        let sites = self.program.notes.sites.get(&id).into_iter().flatten().copied();
        let is_inside = |span: &Span| {
            let (inner, outer) = (span.range(), whole.range());
            span.source == whole.source && outer.start <= inner.start && inner.end <= outer.end
        };
        sites.chain([own]).find(|span| is_inside(span) && *span != whole)
    }
}

/// Whether the parts of a node cannot be evaluated where the node is.
fn hides_parts(kind: &IrKind) -> bool {
    !kind.bounds().is_empty()
        || matches!(kind, IrKind::Except { .. } | IrKind::Enabled { .. } | IrKind::Lazy { .. })
}

/// Whether a reader wants the value of a node; literals and formulas tell nothing.
fn is_worth_telling(program: &Program, kind: &IrKind) -> bool {
    if let IrKind::Global(global) = kind {
        return program.globals[*global].def.is_some();
    }
    matches!(
        kind,
        IrKind::Var(_)
            | IrKind::Next(_)
            | IrKind::Slot(_)
            | IrKind::Lazy { .. }
            | IrKind::Enter { .. }
            | IrKind::Call { .. }
            | IrKind::CallParam { .. }
            | IrKind::FnApply { .. }
            | IrKind::Field { .. }
            | IrKind::Domain(_)
            | IrKind::BigUnion(_)
            | IrKind::Choose { .. }
            | IrKind::SetFilter { .. }
            | IrKind::SetMap { .. }
            | IrKind::Enabled { .. }
    ) || matches!(kind, IrKind::Native { args, .. } if !args.is_empty())
}
