//! Function constructors, EXCEPT, tables.

use std::sync::Arc;

use base::Name;
use value::ops::{self, Excepted};
use value::{Constant, OpError, Value, ValueVec, View};

use super::Machine;
use super::bounds::n_arguments;
use super::code::{Get, Operand};
use super::fault::{At, Evaluated, FaultKind};
use crate::ir::{Bound, IrId, IrKind};

impl<'r> Machine<'_, 'r> {
    /// Evaluates `[x \in S |-> e]`: eager over explicit sets and intervals, otherwise lazy. A recursive function is
    /// always lazy.
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
            let value = self.eval(*body).map_err(|fault| self.add_bound_names(fault, id))?;
            values.push(value);
        }
        Ok(ops::function(domain, values))
    }

    /// Returns the set of arguments: one set, or the product of several.
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

    /// Returns the set of arguments in a lazy form.
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

    /// Evaluates one clause of an EXCEPT, given the slot of `@`, the new value, and its place.
    #[inline]
    // Six values: the parts of an EXCEPT, as the compiled node has them.
    pub(super) fn except_at(
        &mut self,
        function: Value<'r>,
        path: &[Value<'r>],
        (at, new, span): (u16, &Operand, diag::Span),
        id: IrId,
    ) -> Evaluated<Value<'r>> {
        let outcome = ops::except(self, function, path, |machine, old| {
            machine.set_slot(at, old);
            new.value(machine).map_err(|fault| Box::new(OpError::Raised(Arc::new(*fault))))
        });
        match outcome.at(span)? {
            Excepted::Changed(changed) => Ok(changed),
            // Outside the domain TLC warns and leaves the function unchanged (contract 3.9).
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
        args: ValueVec<'r>,
        id: IrId,
    ) -> Evaluated<Value<'r>> {
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
        let printed: Vec<String> = args.as_slice().iter().map(|&arg| self.show(arg)).collect();
        self.fault(id, FaultKind::NoRow { name, args: printed.join(", ") })
    }
}
