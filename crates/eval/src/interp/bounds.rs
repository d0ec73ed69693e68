//! Bound names: enumerates sets and matches elements with patterns.

use value::{Value, ops};

use super::fault::{At, Evaluated, FaultKind};
use super::guards::Guards;
use super::{Flow, Machine};
use crate::ir::{Bound, IrId, Pattern};

impl<'r> Machine<'_, 'r> {
    /// Binds the names of a pattern to one element.
    #[inline]
    pub(super) fn bind_element(&mut self, pattern: &Pattern, element: Value<'r>, id: IrId) -> Evaluated<()> {
        match pattern {
            Pattern::Names(slots) => {
                for &slot in slots {
                    self.set_slot(slot, element);
                }
                Ok(())
            }
            Pattern::Tuple(slots) => {
                for (index, &slot) in slots.iter().enumerate() {
                    let part = self.tuple_part(element, index, slots.len(), id)?;
                    self.set_slot(slot, part);
                }
                Ok(())
            }
        }
    }

    fn tuple_part(
        &mut self,
        element: Value<'r>,
        index: usize,
        width: usize,
        id: IrId,
    ) -> Evaluated<Value<'r>> {
        match element.as_sequence() {
            Some(items) if items.len() == width => Ok(items.get(index)),
            Some(_) | None => {
                let element = self.show(element);
                self.fault(id, FaultKind::NoMatch { element, width })
            }
        }
    }

    /// Binds the argument of a function: one name takes it whole, several take the parts of a tuple.
    pub(super) fn bind_argument(&mut self, bounds: &[Bound], arg: Value<'r>, id: IrId) -> Evaluated<()> {
        let n_args = n_arguments(bounds);
        if let [Bound { pattern, .. }] = bounds
            && n_args == 1
        {
            return self.bind_element(pattern, arg, id);
        }
        let mut index = 0;
        for bound in bounds {
            match &bound.pattern {
                Pattern::Names(slots) => {
                    for &slot in slots {
                        let part = self.tuple_part(arg, index, n_args, id)?;
                        self.set_slot(slot, part);
                        index += 1;
                    }
                }
                Pattern::Tuple(_) => {
                    let part = self.tuple_part(arg, index, n_args, id)?;
                    self.bind_element(&bound.pattern, part, id)?;
                    index += 1;
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` with every way to bind the names of `bounds`. The first name varies fastest.
    pub(super) fn for_each_binding(
        &mut self,
        bounds: &[Bound],
        id: IrId,
        visit: &mut dyn FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        self.for_each_guarded_binding((bounds, None), id, visit)
    }

    /// Calls `visit` with every way to bind the names of `bounds`, except those that guards rule out.
    pub(super) fn for_each_guarded_binding(
        &mut self,
        (bounds, guards): (&[Bound], Option<&Guards>),
        id: IrId,
        visit: &mut dyn FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        if let [Bound { pattern: Pattern::Names(slots), set, .. }] = bounds
            && let [slot] = slots.as_slice()
        {
            let (slot, span) = (*slot, self.span(*set));
            let set = self.eval(*set)?;
            if guards.is_some_and(|guards| self.narrow(guards, &mut [(slot, set)]) == Flow::Stop) {
                return Ok(Flow::Continue);
            }
            return self.for_each_element(set, span, |machine, element| {
                machine.set_slot(slot, element);
                visit(machine).map_err(|fault| machine.add_bound_names(fault, id))
            });
        }
        // The sets are evaluated before any name is bound.
        let mut sets = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let set = self.eval(bound.set)?;
            match &bound.pattern {
                Pattern::Names(slots) => {
                    sets.extend(slots.iter().map(|&slot| (Names::One(slot), set, bound.set)))
                }
                Pattern::Tuple(_) => sets.push((Names::Tuple(&bound.pattern), set, bound.set)),
            }
        }
        match guards {
            Some(guards) if self.narrow_sets(guards, &mut sets) == Flow::Stop => Ok(Flow::Continue),
            Some(_) | None => self.bind_sets(&sets, id, visit),
        }
    }

    fn narrow_sets(&mut self, guards: &Guards, sets: &mut [(Names<'_>, Value<'r>, IrId)]) -> Flow {
        let named = |&(names, set, _): &(Names<'_>, Value<'r>, IrId)| match names {
            Names::One(slot) => Some((slot, set)),
            Names::Tuple(_) => None,
        };
        let Some(mut narrowed) = sets.iter().map(named).collect::<Option<Vec<_>>>() else {
            return Flow::Continue;
        };
        let flow = self.narrow(guards, &mut narrowed);
        for (place, (_, set)) in sets.iter_mut().zip(narrowed) {
            place.1 = set;
        }
        flow
    }

    /// Binds the names of each set, the last set outermost.
    fn bind_sets(
        &mut self,
        sets: &[(Names<'_>, Value<'r>, IrId)],
        id: IrId,
        visit: &mut dyn FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        let Some((&(names, set, set_id), inner)) = sets.split_last() else {
            return visit(self).map_err(|fault| self.add_bound_names(fault, id));
        };
        let span = self.span(set_id);
        let mut elements = ops::elements_normal(self, set).at(span)?;
        while let Some(element) = elements.next(self).at(span)? {
            match names {
                Names::One(slot) => self.set_slot(slot, element),
                Names::Tuple(pattern) => self.bind_element(pattern, element, id)?,
            }
            if self.bind_sets(inner, id, visit)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

#[derive(Clone, Copy)]
enum Names<'a> {
    One(u16),
    Tuple(&'a Pattern),
}

/// Returns the number of arguments of a function with these bounds. A tuple pattern counts as one.
pub(super) fn n_arguments(bounds: &[Bound]) -> usize {
    let counts = bounds.iter().map(|bound| match &bound.pattern {
        Pattern::Names(slots) => slots.len(),
        Pattern::Tuple(_) => 1,
    });
    counts.sum()
}
