//! Set and function constructors, records, EXCEPT, tables.

use base::Name;
use value::ops::{self, Excepted};
use value::{Constant, OpError, Shape, Value, ValueVec, View};

use super::bounds::n_arguments;
use super::fault::{At, Evaluated, FaultKind};
use super::{Flow, Machine};
use crate::ir::{Bound, IrId, IrKind, PathStep, Update};

impl<'r> Machine<'_, 'r> {
    /// `{x \in S : p}`: at once over explicit sets and intervals, otherwise lazy.
    pub(super) fn set_filter(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let program = self.program;
        let IrKind::SetFilter { bound, predicate, captures } = &program.irs[id].kind else {
            return self.fault(id, FaultKind::Failure(crate::ir::Failure::Temporal));
        };
        let span = self.span(id);
        let set = self.eval(bound.set)?;
        if !ops::is_eager(set) {
            let closure = self.closure(id, captures)?;
            return Ok(ops::filter(self, set, closure));
        }
        let mut kept = ValueVec::new(self.region);
        let mut elements = ops::elements_normal(self, set).at(span)?;
        while let Some(element) = elements.next(self).at(span)? {
            self.bind_element(&bound.pattern, element, id)?;
            if self.eval_bool(*predicate)? {
                kept.push(element);
            }
        }
        Ok(kept.into_set())
    }

    pub(super) fn set_map(&mut self, body: IrId, bounds: &[Bound], id: IrId) -> Evaluated<Value<'r>> {
        let mut values = ValueVec::new(self.region);
        self.for_each_binding(bounds, id, &mut |machine| {
            let value = machine.eval(body)?;
            values.push(value);
            Ok(Flow::Continue)
        })?;
        Ok(values.into_set())
    }

    /// `[x \in S |-> e]`: at once over explicit sets and intervals, otherwise lazy; a recursive one always.
    pub(super) fn function(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let program = self.program;
        let IrKind::Function { bounds, body, itself, captures } = &program.irs[id].kind else {
            return self.fault(id, FaultKind::Failure(crate::ir::Failure::Temporal));
        };
        let span = self.span(id);
        let domain = self.function_domain(bounds, id)?;
        if itself.is_some() || !ops::is_eager(domain) {
            let closure = self.closure(id, captures)?;
            return Ok(ops::lazy_function(self, domain, closure));
        }
        ops::normalize(self, domain).at(span)?;
        let mut values = ValueVec::new(self.region);
        let mut elements = ops::elements_normal(self, domain).at(span)?;
        while let Some(element) = elements.next(self).at(span)? {
            self.bind_argument(bounds, element, id)?;
            let value = self.eval(*body)?;
            values.push(value);
        }
        Ok(ops::function(domain, values))
    }

    /// The set of arguments: one set, or the product of several.
    ///
    /// TLC: a function of several arguments is explicit if all its sets are given by their elements.
    fn function_domain(&mut self, bounds: &[Bound], id: IrId) -> Evaluated<Value<'r>> {
        let domain = self.lazy_domain(bounds)?;
        let span = self.span(id);
        if n_arguments(bounds) > 1
            && let View::Product(sets) = domain.view()
            && sets.iter().all(ops::is_eager)
        {
            return ops::explicit_set(self, domain).at(span);
        }
        Ok(domain)
    }

    /// The same, never written down.
    pub(super) fn lazy_domain(&mut self, bounds: &[Bound]) -> Evaluated<Value<'r>> {
        if n_arguments(bounds) == 1
            && let [bound] = bounds
        {
            return self.eval(bound.set);
        }
        let mut sets = ValueVec::new(self.region);
        for bound in bounds {
            let set = self.eval(bound.set)?;
            let n_names = match &bound.pattern {
                crate::ir::Pattern::Names(slots) => slots.len(),
                crate::ir::Pattern::Tuple(_) => 1,
            };
            for _ in 0..n_names {
                sets.push(set);
            }
        }
        Ok(ops::product(self, sets.as_slice()))
    }

    pub(super) fn record(&mut self, shape: Shape, values: &[IrId]) -> Evaluated<Value<'r>> {
        Ok(self.all(values)?.into_record(shape))
    }

    pub(super) fn record_set(&mut self, shape: Shape, sets: &[IrId]) -> Evaluated<Value<'r>> {
        let sets = self.all(sets)?;
        Ok(ops::record_set(self, shape, sets.as_slice()))
    }

    pub(super) fn except(&mut self, base: IrId, updates: &[Update], id: IrId) -> Evaluated<Value<'r>> {
        let mut current = self.eval(base)?;
        for update in updates {
            current = self.except_update(current, update, id)?;
        }
        Ok(current)
    }

    fn except_update(&mut self, function: Value<'r>, update: &Update, id: IrId) -> Evaluated<Value<'r>> {
        let mut path = Vec::with_capacity(update.path.len());
        for step in &update.path {
            path.push(match step {
                PathStep::Field(name) => Value::atom(*name),
                PathStep::Index(index) => self.eval(*index)?,
            });
        }
        let Update { at, value, span, .. } = *update;
        let outcome = ops::except(self, function, &path, |machine, old| {
            machine.set_slot(at, old);
            machine.eval(value).map_err(|fault| Box::new(OpError::Raised(fault)))
        });
        match outcome.at(span)? {
            Excepted::Changed(changed) => Ok(changed),
            // Outside the domain TLC warns and leaves the function as it is (contract 3.9).
            Excepted::OutsideDomain => {
                self.warn_except(id);
                Ok(function)
            }
        }
    }

    /// Remembers that an EXCEPT had no effect, once for each place.
    fn warn_except(&mut self, id: IrId) {
        self.shared.warn_except(id);
    }

    pub(super) fn table(
        &mut self,
        name: Name,
        rows: &[(Vec<Constant>, Constant)],
        args: &[IrId],
        id: IrId,
    ) -> Evaluated<Value<'r>> {
        let args = self.all(args)?;
        let span = self.span(id);
        'rows: for (row, value) in rows {
            for (index, &expected) in row.iter().enumerate() {
                let arg = args.as_slice()[index];
                if !ops::equal(self, arg, expected.get()).at(span)? {
                    continue 'rows;
                }
            }
            return Ok(value.get());
        }
        let printed: Vec<String> = args.as_slice().iter().map(|&arg| self.printed(arg)).collect();
        self.fault(id, FaultKind::NoRow { name, args: printed.join(", ") })
    }
}
