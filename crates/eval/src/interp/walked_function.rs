//! `f[e]` as an action or a part of one.
//!
//! TLC: the body of a function that is not given by its values is walked like the body of a definition. It may assign,
//! and its choices count.

use diag::Span;
use value::{Closure, OpError, Value, View, ops};

use super::action::Then;
use super::call::COMPLETE;
use super::fault::{At, Evaluated, FaultKind};
use super::{Flow, Machine};
use crate::ir::{IrId, IrKind};

impl<'p, 'r> Machine<'p, 'r> {
    pub(super) fn walk_apply(
        &mut self,
        (function, arg): (IrId, IrId),
        id: IrId,
        then: Then<'_, 'p, 'r>,
    ) -> Evaluated<Flow> {
        let span = self.span(id);
        let function = self.eval_unmade(function)?;
        let arg = self.eval(arg)?;
        if let View::LazyFunction { domain, closure, overrides } = function.view()
            && overrides.is_empty()
            && self.can_walk(closure)
        {
            self.check_domain((function, domain), arg, span)?;
            return self.walk_closure(closure, [arg, function], then);
        }
        match ops::apply(self, function, arg).at(span)?.as_bool() {
            Some(true) => then(self),
            Some(false) => Ok(Flow::Continue),
            // This reports the value that is there instead.
            None => self.test(id, then),
        }
    }

    /// Evaluates a function that is about to be applied. If it is a constructor, the function is not made.
    fn eval_unmade(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let program = self.program;
        let kind = &program.irs[id].kind;
        if let IrKind::Lazy { up, expr, .. } = kind {
            let base = self.frame_up(*up);
            self.in_frame(base, |machine| machine.eval_unmade(*expr))
        } else if let IrKind::Enter { def, body } = kind {
            self.eval_unmade(*body).map_err(|fault| self.add_inlined_call(fault, id, *def))
        } else if let IrKind::Bind { memos, body } = kind {
            self.reset(memos, true);
            self.eval_unmade(*body)
        } else if let IrKind::Call { func, up, args } = kind {
            let link = self.frame_up(*up);
            self.call_with(*func, link, (args, id), Self::eval_unmade)
        } else {
            let outer = std::mem::replace(&mut self.closures.takes_all, true);
            let function = self.eval_applied(id);
            self.closures.takes_all = outer;
            function
        }
    }

    /// Whether a closure has everything that walking its body may look at: a walk looks through arguments and
    /// definitions.
    fn can_walk(&self, closure: Closure<'r>) -> bool {
        let node: IrId = base::Id::from_index(closure.code as usize);
        let IrKind::Function { captures, .. } = &self.program.irs[node].kind else { return false };
        closure.flags == COMPLETE || captures.indirect.is_empty()
    }

    fn check_domain(
        &mut self,
        (function, domain): (Value<'r>, Value<'r>),
        arg: Value<'r>,
        span: Span,
    ) -> Evaluated<()> {
        if ops::member(self, arg, domain).at(span)? {
            return Ok(());
        }
        let (function, argument) = (value::print_raw(function), value::print_raw(arg));
        Err(Box::new(OpError::OutsideDomain { function, argument })).at(span)
    }

    fn walk_closure(
        &mut self,
        closure: Closure<'r>,
        args: [Value<'r>; 2],
        then: Then<'_, 'p, 'r>,
    ) -> Evaluated<Flow> {
        let node: IrId = base::Id::from_index(closure.code as usize);
        let program = self.program;
        let IrKind::Function { bounds, body, itself, .. } = &program.irs[node].kind else {
            return self.fault(node, FaultKind::Failure(crate::ir::Failure::Temporal));
        };
        self.call_depth += 1;
        self.check_depth(node)?;
        let outside = self.enter_closure(node, closure)?;
        if let Some(slot) = itself {
            self.set_slot(*slot, args[1]);
        }
        self.bind_argument(bounds, args[0], node)?;
        let flow = base::with_stack(|| {
            self.walk(*body, &mut |machine| {
                let here = machine.step_out(outside.frame());
                let flow = then(machine);
                machine.step_in(here);
                flow
            })
        });
        self.leave_closure(outside);
        self.call_depth -= 1;
        flow
    }
}
