//! Code for nodes that bind names: quantifiers, CHOOSE, comprehensions.

use diag::Span;
use sema::spec::Quantifier;
use value::{Host, Value, ValueVec, ops};

use super::super::code::{Get, Operand, TestCode, ValueCode};
use super::super::extent::{settled_parts, with_extent};
use super::super::fault::{At, Evaluated, FaultKind};
use super::super::guards::{ExistsContext, Guards};
use super::super::{Flow, Machine};
use super::extreme::Extreme;
use super::{Compiler, value_code};
use crate::ir::{Bound, Captures, Facts, IrId, Pattern};

/// Number of elements of a lazy set after which evaluation checks whether it must end.
const ELEMENTS_BETWEEN_LOOKS: u32 = 1 << 9;

/// Names and the set from which they take values.
pub(in super::super) struct Binder {
    set: Operand,
    span: Span,
    pattern: Pattern,
}

impl Binder {
    /// Returns the slot, if it is one name.
    fn as_name(&self) -> Option<u16> {
        match &self.pattern {
            Pattern::Names(slots) => match slots.as_slice() {
                [slot] => Some(*slot),
                _ => None,
            },
            Pattern::Tuple(_) => None,
        }
    }
}

/// One name and its set.
struct OneName {
    slot: u16,
    set: Operand,
    span: Span,
}

/// Returns the two names, if there are exactly two and none is in a tuple.
fn two_names(binders: &[Binder]) -> Option<[OneName; 2]> {
    let mut names = Vec::new();
    for binder in binders {
        let Pattern::Names(slots) = &binder.pattern else { return None };
        let name = |&slot: &u16| OneName { slot, set: binder.set.clone(), span: binder.span };
        names.extend(slots.iter().map(name));
    }
    names.try_into().ok()
}

impl Compiler<'_> {
    fn binder(&self, bound: &Bound) -> Binder {
        let span = self.program.irs[bound.set].span;
        Binder { set: self.operand(bound.set), span, pattern: bound.pattern.clone() }
    }

    fn binders(&self, bounds: &[Bound]) -> Box<[Binder]> {
        bounds.iter().map(|bound| self.binder(bound)).collect()
    }

    pub(super) fn quantifier(&self, kind: Quantifier, bounds: &[Bound], body: IrId, id: IrId) -> TestCode {
        // Sets of constants are small. Where evaluations are counted, none may be skipped.
        let is_constant = |bound: &Bound| self.program.irs[bound.set].facts == Facts::default();
        let extent = match self.codes.is_counting() || bounds.iter().all(is_constant) {
            true => None,
            false => self.codes.extent_of(&settled_parts(self.program, bounds, body)),
        };
        let code = self.quantifier_code(kind, bounds, body, id);
        match extent {
            Some(extent) => with_extent(extent, code),
            None => code,
        }
    }

    fn quantifier_code(&self, kind: Quantifier, bounds: &[Bound], body: IrId, id: IrId) -> TestCode {
        let wanted = kind == Quantifier::Exists;
        let guards = match kind {
            // Where evaluations are counted, none is skipped.
            Quantifier::Exists if !self.codes.is_counting() => {
                Guards::of(self.program, bounds, body, ExistsContext::Formula)
            }
            Quantifier::Exists | Quantifier::Forall => Guards::default(),
        };
        let body = self.test(body);
        let binders = self.binders(bounds);
        if let [binder] = &*binders
            && let Some(slot) = binder.as_name()
        {
            let (set, span) = (binder.set.clone(), binder.span);
            return TestCode::new(move |machine| {
                let set = set.value(machine)?;
                if !guards.is_empty() && machine.narrow(&guards, &mut [(slot, set)]) == Flow::Stop {
                    return Ok(false);
                }
                let flow = machine.for_each_element(set, span, |machine, element| {
                    machine.set_slot(slot, element);
                    let is = body.holds(machine).map_err(|fault| machine.add_bound_names(fault, id))?;
                    Ok(if is == wanted { Flow::Stop } else { Flow::Continue })
                })?;
                Ok((flow == Flow::Stop) == wanted)
            });
        }
        if let Some([first, last]) = two_names(&binders) {
            return TestCode::new(move |machine| {
                let inner = first.set.value(machine)?;
                // `x, y \in S` evaluates S once.
                let outer = if binders.len() == 1 { inner } else { last.set.value(machine)? };
                let mut sets = [(first.slot, inner), (last.slot, outer)];
                if !guards.is_empty() && machine.narrow(&guards, &mut sets) == Flow::Stop {
                    return Ok(false);
                }
                let [(_, inner), (_, outer)] = sets;
                let flow = machine.for_each_element(outer, last.span, |machine, element| {
                    machine.set_slot(last.slot, element);
                    machine.for_each_element(inner, first.span, |machine, element| {
                        machine.set_slot(first.slot, element);
                        let is = body.holds(machine).map_err(|fault| machine.add_bound_names(fault, id))?;
                        Ok(if is == wanted { Flow::Stop } else { Flow::Continue })
                    })
                })?;
                Ok((flow == Flow::Stop) == wanted)
            });
        }
        TestCode::new(move |machine| {
            let flow = machine.for_each_bound(&binders, id, &mut |machine| {
                Ok(if body.holds(machine)? == wanted { Flow::Stop } else { Flow::Continue })
            })?;
            Ok((flow == Flow::Stop) == wanted)
        })
    }

    /// Returns code for CHOOSE: the first element in normal order that satisfies the body.
    pub(super) fn choose(&self, bound: &Bound, body: IrId, id: IrId) -> ValueCode {
        let extreme =
            if self.codes.is_counting() { None } else { Extreme::recognise(self.program, bound, body) };
        let (binder, body) = (self.binder(bound), self.test(body));
        value_code(move |machine| {
            let set = binder.set.value(machine)?;
            if let Some(extreme) = extreme
                && let Some(chosen) = extreme.of(set)
            {
                return Ok(chosen);
            }
            let mut chosen = None;
            machine.for_each_element(set, binder.span, |machine, element| {
                machine.bind_element(&binder.pattern, element, id)?;
                if !body.holds(machine).map_err(|fault| machine.add_bound_names(fault, id))? {
                    return Ok(Flow::Continue);
                }
                chosen = Some(element);
                Ok(Flow::Stop)
            })?;
            match chosen {
                Some(element) => Ok(element),
                None => {
                    let set = machine.show(set);
                    machine.fault(id, FaultKind::NoWitness { set })
                }
            }
        })
    }

    /// Returns code for `{x \in S : p}`: eager over explicit sets and intervals, otherwise lazy.
    pub(super) fn set_filter(
        &self,
        bound: &Bound,
        predicate: IrId,
        captures: &Captures,
        id: IrId,
    ) -> ValueCode {
        let (binder, predicate) = (self.binder(bound), self.test(predicate));
        let captures = captures.clone();
        let span = self.program.irs[id].span;
        value_code(move |machine| {
            let set = binder.set.value(machine)?;
            if !ops::is_eager(set) {
                let closure = machine.closure(id, &captures)?;
                return Ok(ops::filter(machine, set, closure));
            }
            let mut kept = ValueVec::new(machine.region);
            machine.for_each_element(set, span, |machine, element| {
                machine.bind_element(&binder.pattern, element, id)?;
                if predicate.holds(machine).map_err(|fault| machine.add_bound_names(fault, id))? {
                    kept.push(element);
                }
                Ok(Flow::Continue)
            })?;
            Ok(kept.into_normal_set())
        })
    }

    /// Returns code for `{e : x \in S}`.
    pub(super) fn set_map(&self, body: IrId, bounds: &[Bound], id: IrId) -> ValueCode {
        let (binders, body) = (self.binders(bounds), self.operand(body));
        value_code(move |machine| {
            let mut values = ValueVec::new(machine.region);
            machine.for_each_bound(&binders, id, &mut |machine| {
                let value = body.value(machine)?;
                values.push(value);
                Ok(Flow::Continue)
            })?;
            Ok(values.into_set())
        })
    }
}

impl<'r> Machine<'_, 'r> {
    /// Calls `visit` with each element of a set in normal order.
    #[inline]
    pub(in super::super) fn for_each_element(
        &mut self,
        set: Value<'r>,
        span: Span,
        mut visit: impl FnMut(&mut Self, Value<'r>) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        if let Some(items) = set.as_normal_set() {
            for element in items {
                self.count_work().at(span)?;
                if visit(self, element)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            return Ok(Flow::Continue);
        }
        let mut elements = ops::elements_normal(self, set).at(span)?;
        let mut n_since_look = 0;
        while let Some(element) = elements.next(self).at(span)? {
            if visit(self, element)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            n_since_look += 1;
            if n_since_look == ELEMENTS_BETWEEN_LOOKS {
                n_since_look = 0;
                self.check_limits().at(span)?;
            }
        }
        Ok(Flow::Continue)
    }

    /// Calls `visit` with every way to bind the names. The first name varies fastest.
    pub(in super::super) fn for_each_bound(
        &mut self,
        binders: &[Binder],
        id: IrId,
        visit: &mut dyn FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        // The sets are evaluated before any name is bound.
        let mut sets = ValueVec::with_capacity(self.region, binders.len());
        for binder in binders {
            let set = binder.set.value(self)?;
            sets.push(set);
        }
        let sets = sets.into_sequence().as_sequence().expect("just made as a sequence");
        self.nest(Nest { binders, sets, n_bound: 0, id }, visit)
    }

    /// Binds the last name that is not bound yet, outermost.
    fn nest(
        &mut self,
        nest: Nest<'_, 'r>,
        visit: &mut dyn FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        let Some((binder, outer)) = nest.binders.split_last() else {
            return visit(self).map_err(|fault| self.add_bound_names(fault, nest.id));
        };
        let set = nest.sets.get(outer.len());
        let next = Nest { binders: outer, n_bound: 0, ..nest };
        match &binder.pattern {
            Pattern::Names(slots) => {
                let Some(&slot) = slots.iter().rev().nth(nest.n_bound) else { return self.nest(next, visit) };
                self.for_each_element(set, binder.span, |machine, element| {
                    machine.set_slot(slot, element);
                    machine.nest(Nest { n_bound: nest.n_bound + 1, ..nest }, visit)
                })
            }
            Pattern::Tuple(_) => self.for_each_element(set, binder.span, |machine, element| {
                machine.bind_element(&binder.pattern, element, nest.id)?;
                machine.nest(next, visit)
            }),
        }
    }
}

/// The bounds that are still to be bound.
#[derive(Clone, Copy)]
struct Nest<'a, 'r> {
    binders: &'a [Binder],
    sets: value::Items<'r>,
    /// Number of names of the last binder that have values.
    n_bound: usize,
    id: IrId,
}
