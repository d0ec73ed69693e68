//! `f[e]`: if a function is written out where it is applied, only the value at the argument is computed.
//!
//! TLC does this, and the difference is visible: `[x \in {0, 1} |-> 1 \div x][1]` is 1, not an error, and a recursion
//! over functions of functions takes the time of one value, not of all. This works through definitions, LET, IF, CASE
//! and nested applications.

use diag::Span;
use value::{OpError, Value, ops};

use super::fault::{At, Evaluated, FaultKind};
use super::{Machine, NO_LINK, Slot};
use crate::ir::{Bound, GlobalId, IrId, IrKind};

/// An argument to which a function is applied.
#[derive(Clone, Copy)]
struct Application<'r> {
    arg: Value<'r>,
    /// The place of `f[e]`.
    span: Span,
    /// Whether the result will be applied, too: then a function constructor in it stays lazy.
    is_applied: bool,
}

impl<'r> Machine<'_, 'r> {
    /// Applies the function that a node gives. A constructor is applied without making the function first.
    pub(super) fn apply_code(&mut self, id: IrId, arg: Value<'r>, span: Span) -> Evaluated<Value<'r>> {
        self.apply_node(id, Application { arg, span, is_applied: false })
    }

    fn apply_node(&mut self, id: IrId, application: Application<'r>) -> Evaluated<Value<'r>> {
        let program = self.program;
        let kind = &program.irs[id].kind;
        if let IrKind::Global(global) = kind {
            self.apply_global(*global, application)
        } else if let IrKind::Function { bounds, body, itself: None, .. } = kind {
            self.bind_applied(bounds, application.arg, (id, application.span))?;
            let value = if application.is_applied { self.eval_applied(*body) } else { self.eval(*body) };
            value.map_err(|fault| self.add_bound_names(fault, id))
        } else if let IrKind::If { condition, then, otherwise } = kind {
            let branch = if self.eval_bool(*condition)? { *then } else { *otherwise };
            self.apply_node(branch, application)
        } else if let IrKind::Case { arms, other } = kind {
            match self.case_arm(arms, *other)? {
                Some(arm) => self.apply_node(arm, application),
                None => self.fault(id, FaultKind::NoArm),
            }
        } else if let IrKind::Enter { def, body } = kind {
            self.apply_node(*body, application).map_err(|fault| self.add_inlined_call(fault, id, *def))
        } else if let IrKind::Bind { memos, body } = kind {
            self.reset(memos, false);
            self.apply_node(*body, application)
        } else if let IrKind::Lazy { up, memo, expr } = kind {
            self.apply_lazy((*up, *memo, *expr), application)
        } else if let IrKind::Call { func, up, args } = kind {
            let link = self.frame_up(*up);
            self.call_with(*func, link, (args, id), |machine, body| machine.apply_node(body, application))
        } else if let IrKind::CallParam { slot, args } = kind {
            let (func, link) = self.operator(*slot, id)?;
            self.call_with(func, link, (args, id), |machine, body| machine.apply_node(body, application))
        } else {
            let function = self.eval_applied(id)?;
            self.apply_value(function, application)
        }
    }

    fn apply_value(&mut self, function: Value<'r>, application: Application<'r>) -> Evaluated<Value<'r>> {
        self.closures.keep_lazy = application.is_applied;
        let value = ops::apply(self, function, application.arg).at(application.span);
        self.closures.keep_lazy = false;
        value
    }

    /// Applies a constant. It is evaluated once, so all of it is computed. If that fails, the one value needed may
    /// still exist.
    fn apply_global(&mut self, id: GlobalId, application: Application<'r>) -> Evaluated<Value<'r>> {
        match self.global(id) {
            Ok(function) => self.apply_value(function, application),
            Err(fault) if fault.kind.is_limit() => Err(fault),
            Err(fault) => {
                let global = &self.program.globals[id];
                self.with_frame(global.n_slots, NO_LINK, |machine| {
                    machine.apply_node(global.expr, application)
                })
                .map_err(|_| fault)
            }
        }
    }

    /// Binds the names of a function constructor to an argument that must be in its domain.
    fn bind_applied(&mut self, bounds: &[Bound], arg: Value<'r>, (id, span): (IrId, Span)) -> Evaluated<()> {
        let domain = self.lazy_domain(bounds)?;
        if !ops::member(self, arg, domain).at(span)? {
            let function = format!("[x \\in {} |-> ...]", value::print_raw(domain));
            let argument = value::print_raw(arg);
            return Err(Box::new(OpError::OutsideDomain { function, argument })).at(span);
        }
        self.bind_argument(bounds, arg, id)
    }

    /// Applies an argument or LET definition. Its value is remembered, so all of it is computed. If that fails, the one
    /// value needed may still exist.
    fn apply_lazy(
        &mut self,
        (up, memo, expr): (u16, Option<u16>, IrId),
        application: Application<'r>,
    ) -> Evaluated<Value<'r>> {
        let base = self.frame_up(up);
        // In a closure the slot holds the captured value, and the slots that the expression reads are not there.
        if let Some(slot) = memo
            && let Slot::Value(function) = self.slots[base + 1 + usize::from(slot)]
        {
            return self.apply_value(function, application);
        }
        if memo.is_none() || self.program.irs[expr].facts.unrepeatable {
            return self.in_frame(base, |machine| machine.apply_node(expr, application));
        }
        match self.read_lazy(up, memo, expr) {
            Ok(function) => self.apply_value(function, application),
            Err(fault) if fault.kind.is_limit() => Err(fault),
            Err(fault) => {
                self.in_frame(base, |machine| machine.apply_node(expr, application)).map_err(|_| fault)
            }
        }
    }

    /// Evaluates a node whose value will be applied: a function constructor in it stays lazy.
    pub(super) fn eval_applied(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let program = self.program;
        let span = program.irs[id].span;
        let kind = &program.irs[id].kind;
        if let IrKind::Function { bounds, captures, .. } = kind {
            let domain = self.lazy_domain(bounds)?;
            let closure = self.closure(id, captures)?;
            Ok(ops::lazy_function(self, domain, closure))
        } else if let IrKind::If { condition, then, otherwise } = kind {
            let branch = if self.eval_bool(*condition)? { *then } else { *otherwise };
            self.eval_applied(branch)
        } else if let IrKind::Enter { def, body } = kind {
            self.eval_applied(*body).map_err(|fault| self.add_inlined_call(fault, id, *def))
        } else if let IrKind::Bind { memos, body } = kind {
            self.reset(memos, false);
            self.eval_applied(*body)
        } else if let IrKind::FnApply { function, arg } = kind {
            if is_code(&program.irs[*function].kind) {
                let arg = self.eval(*arg)?;
                return self.apply_node(*function, Application { arg, span, is_applied: true });
            }
            let function = self.eval_applied(*function)?;
            let arg = self.eval(*arg)?;
            self.apply_value(function, Application { arg, span, is_applied: true })
        } else {
            self.eval(id)
        }
    }
}

/// Whether the expression before `[e]` may lead to a function constructor.
pub(super) fn is_code(kind: &IrKind) -> bool {
    matches!(
        kind,
        IrKind::Global(_)
            | IrKind::Function { itself: None, .. }
            | IrKind::If { .. }
            | IrKind::Case { .. }
            | IrKind::Enter { .. }
            | IrKind::Bind { .. }
            | IrKind::Lazy { .. }
            | IrKind::Call { .. }
            | IrKind::CallParam { .. }
    )
}
