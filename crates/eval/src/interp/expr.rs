//! Expressions to values.

use sema::spec::{Quantifier, StepKind};
use value::{Value, ValueVec, ops};

use super::fault::{At, Evaluated, FaultKind};
use super::{Flow, Machine, Slot};
use crate::ir::{Bound, IrId, IrKind, Memo};

impl<'r> Machine<'_, 'r> {
    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    pub fn eval(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let program = self.program;
        let ir = &program.irs[id];
        let span = ir.span;
        match &ir.kind {
            IrKind::Const(value) => Ok(value.get()),
            IrKind::Global(global) => self.global(*global),
            IrKind::Var(var) => match self.state[usize::from(var.0)] {
                Some(value) => Ok(value),
                None => self.fault(id, FaultKind::Unassigned { variable: *var, next: false }),
            },
            IrKind::Next(var) => match self.next[usize::from(var.0)] {
                Some(value) => Ok(value),
                None => self.fault(id, FaultKind::Unassigned { variable: *var, next: true }),
            },
            IrKind::Slot(slot) => self.read_slot(*slot, id),
            IrKind::Lazy { up, memo, expr } => self.read_lazy(*up, *memo, *expr),
            IrKind::Bind { memos, body } => {
                self.reset(memos, false);
                self.eval(*body)
            }
            IrKind::Enter { def, body } => self.eval(*body).map_err(|fault| fault.within(*def, span)),
            IrKind::And(_)
            | IrKind::Or(_)
            | IrKind::Not(_)
            | IrKind::Implies(..)
            | IrKind::Equiv(..)
            | IrKind::Quantified { .. }
            | IrKind::Eq(..)
            | IrKind::Neq(..)
            | IrKind::In(..)
            | IrKind::NotIn(..)
            | IrKind::SubsetEq(..)
            | IrKind::Unchanged { .. }
            | IrKind::Step { .. }
            | IrKind::Enabled { .. }
            | IrKind::Cdot(..) => self.eval_bool(id).map(Value::bool),
            IrKind::If { condition, then, otherwise } => {
                let branch = if self.eval_bool(*condition)? { *then } else { *otherwise };
                self.eval(branch)
            }
            IrKind::Case { arms, other } => match self.case_arm(arms, *other)? {
                Some(arm) => self.eval(arm),
                None => self.fault(id, FaultKind::NoArm),
            },
            IrKind::Choose { bound, body } => self.choose(bound, *body, id),
            IrKind::Cup(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::cup(self, a, b).at(span)
            }
            IrKind::Cap(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::cap(self, a, b).at(span)
            }
            IrKind::SetMinus(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::difference(self, a, b).at(span)
            }
            IrKind::PowerSet(set) => {
                let set = self.eval(*set)?;
                Ok(ops::powerset(self, set))
            }
            IrKind::BigUnion(set) => {
                let set = self.eval(*set)?;
                ops::union(self, set).at(span)
            }
            IrKind::Domain(function) => {
                let function = self.eval(*function)?;
                ops::domain(self, function).at(span)
            }
            IrKind::Tuple(items) => Ok(self.all(items)?.into_sequence()),
            IrKind::Product(items) => {
                let items = self.all(items)?;
                Ok(ops::product(self, items.as_slice()))
            }
            IrKind::SetEnum(items) => Ok(self.all(items)?.into_set()),
            IrKind::SetFilter { .. } => self.set_filter(id),
            IrKind::SetMap { body, bounds } => self.set_map(*body, bounds, id),
            IrKind::Function { .. } => self.function(id),
            IrKind::FunctionSet { domain, range } => {
                let (domain, range) = self.pair(*domain, *range)?;
                Ok(ops::function_set(self, domain, range))
            }
            IrKind::FnApply { function, arg } => self.apply(*function, *arg, span),
            IrKind::Record { shape, values } => self.record(*shape, values),
            IrKind::RecordSet { shape, sets } => self.record_set(*shape, sets),
            IrKind::Field { record, field } => {
                let record = self.eval(*record)?;
                ops::field(self, record, *field).at(span)
            }
            IrKind::Except { base, updates } => self.except(*base, updates, id),
            IrKind::Call { func, up, args } => {
                let link = self.frame_up(*up);
                self.call(*func, link, args, id)
            }
            IrKind::CallParam { slot, args } => {
                let (func, link) = self.operator(*slot, id)?;
                self.call(func, link, args, id)
            }
            IrKind::Native { op, args } => self.eval_native(*op, args, id),
            IrKind::Table { name, rows, args } => self.table(*name, rows, args, id),
            IrKind::Fail(failure) => self.fault(id, FaultKind::Failure(*failure)),
        }
    }

    pub(super) fn pair(&mut self, a: IrId, b: IrId) -> Evaluated<(Value<'r>, Value<'r>)> {
        let a = self.eval(a)?;
        Ok((a, self.eval(b)?))
    }

    pub(super) fn all(&mut self, items: &[IrId]) -> Evaluated<ValueVec<'r>> {
        let mut values = ValueVec::with_capacity(self.region, items.len());
        for &item in items {
            let value = self.eval(item)?;
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

    /// Evaluates a node whose value must be a boolean.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is evaluated and its value checked")]
    pub fn eval_bool(&mut self, id: IrId) -> Evaluated<bool> {
        let program = self.program;
        let span = program.irs[id].span;
        match &program.irs[id].kind {
            IrKind::And(items) => {
                for &item in items {
                    if !self.eval_bool(item)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            IrKind::Or(items) => {
                for &item in items {
                    if self.eval_bool(item)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            IrKind::Not(a) => self.eval_bool(*a).map(|value| !value),
            IrKind::Implies(a, b) => Ok(!self.eval_bool(*a)? || self.eval_bool(*b)?),
            IrKind::Equiv(a, b) => {
                let a = self.eval_bool(*a)?;
                Ok(a == self.eval_bool(*b)?)
            }
            IrKind::Quantified { kind, bounds, body } => self.quantified(*kind, bounds, *body, id),
            IrKind::Eq(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::equal(self, a, b).at(span)
            }
            IrKind::Neq(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::equal(self, a, b).at(span).map(|equal| !equal)
            }
            IrKind::In(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::member(self, a, b).at(span)
            }
            IrKind::NotIn(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::member(self, a, b).at(span).map(|member| !member)
            }
            IrKind::SubsetEq(a, b) => {
                let (a, b) = self.pair(*a, *b)?;
                ops::is_subset(self, a, b).at(span)
            }
            IrKind::If { condition, then, otherwise } => {
                let branch = if self.eval_bool(*condition)? { *then } else { *otherwise };
                self.eval_bool(branch)
            }
            IrKind::Enter { def, body } => self.eval_bool(*body).map_err(|fault| fault.within(*def, span)),
            IrKind::Bind { memos, body } => {
                self.reset(memos, false);
                self.eval_bool(*body)
            }
            IrKind::Unchanged { current, next, .. } => {
                let (next, current) = self.pair(*next, *current)?;
                ops::equal(self, next, current).at(span)
            }
            IrKind::Step { kind, action, unchanged } => match kind {
                StepKind::Box => Ok(self.eval_bool(*action)? || self.eval_bool(*unchanged)?),
                StepKind::Angle => Ok(self.eval_bool(*action)? && !self.eval_bool(*unchanged)?),
            },
            IrKind::Enabled { action, primed } => self.enabled(*action, *primed),
            IrKind::Cdot(a, b) => self.cdot_holds(*a, *b),
            _ => self.boolean(id),
        }
    }

    /// Any other node, its value checked.
    fn boolean(&mut self, id: IrId) -> Evaluated<bool> {
        let value = self.eval(id)?;
        match value.as_bool() {
            Some(value) => Ok(value),
            None => {
                let value = self.printed(value);
                self.fault(id, FaultKind::NotBoolean { value })
            }
        }
    }

    fn quantified(&mut self, kind: Quantifier, bounds: &[Bound], body: IrId, id: IrId) -> Evaluated<bool> {
        let wanted = kind == Quantifier::Exists;
        let mut found = false;
        self.for_each_binding(bounds, id, &mut |machine| {
            if machine.eval_bool(body)? == wanted {
                found = true;
                return Ok(Flow::Stop);
            }
            Ok(Flow::Continue)
        })?;
        Ok(found == wanted)
    }

    pub(super) fn case_arm(&mut self, arms: &[(IrId, IrId)], other: Option<IrId>) -> Evaluated<Option<IrId>> {
        for &(guard, value) in arms {
            if self.eval_bool(guard)? {
                return Ok(Some(value));
            }
        }
        Ok(other)
    }

    /// The first element in normal order that satisfies the body.
    fn choose(&mut self, bound: &Bound, body: IrId, id: IrId) -> Evaluated<Value<'r>> {
        let span = self.span(bound.set);
        let set = self.eval(bound.set)?;
        let mut elements = ops::elements_normal(self, set).at(span)?;
        while let Some(element) = elements.next(self).at(span)? {
            self.bind_element(&bound.pattern, element, id)?;
            if self.eval_bool(body)? {
                return Ok(element);
            }
        }
        let set = self.printed(set);
        self.fault(id, FaultKind::NoWitness { set })
    }
}
