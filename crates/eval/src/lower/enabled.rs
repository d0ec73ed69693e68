//! Lowers ENABLED, and the variables that it has of its own.
//!
//! `ENABLED A` is about all next states that A allows: primed variables are bound in it, as by a quantifier. So an
//! INSTANCE around it replaces only the unprimed ones; a primed one stays a variable of the instantiated module. TLC
//! does the same (contract 3.4): the inside of ENABLED ends the search for what a primed variable stands for.

use base::{FxHashMap, FxIndexSet};
use diag::Span;
use sema::spec::{Arg, ExprId, InstanceId, StepKind, VarId};

use super::Lowerer;
use super::env::{OwnVars, Scope};
use crate::ir::{Failure, IrId, IrKind, VarIdx};

#[derive(Default)]
pub(super) struct Own {
    /// Sets of instances that contain ENABLEDs. A scope has the number of one, from 1.
    sets: FxIndexSet<Vec<InstanceId>>,
    vars: FxHashMap<(InstanceId, VarId), usize>,
}

impl Own {
    /// Returns the number of the set of instances around an ENABLED.
    fn set(&mut self, instances: Option<&Vec<InstanceId>>) -> OwnVars {
        match instances {
            None => 0,
            Some(instances) => {
                let index = self.sets.insert_full(instances.clone()).0 + 1;
                OwnVars::try_from(index).expect("there are fewer than 65,536 sets of instances")
            }
        }
    }
}

impl<'s> Lowerer<'s> {
    /// Lowers `ENABLED A`, of the state that `scope` is about.
    pub(super) fn lower_enabled(
        &mut self,
        scope: &Scope<'s>,
        expr: ExprId,
        args: &[Arg],
        span: Span,
    ) -> IrId {
        let Some(action) = args.first().and_then(Self::is_expr_arg) else {
            return self.fail(scope, Failure::Temporal, span);
        };
        let inner = self.inside_enabled(scope, expr);
        let action = self.expr(&inner, action);
        self.node(scope.frame, IrKind::Enabled { action, primed: scope.primed }, span)
    }

    /// Lowers `ENABLED <<A>>_v` for the fairness condition `expr`.
    pub(super) fn enabled_step(
        &mut self,
        scope: &Scope<'s>,
        (action, subscript): (ExprId, ExprId),
        expr: ExprId,
    ) -> IrId {
        let span = self.spec.exprs[expr].span;
        let inner = self.inside_enabled(scope, expr);
        let action = self.expr(&inner, action);
        let unchanged = self.lower_unchanged(&inner, subscript, span);
        let step = IrKind::Step { kind: StepKind::Angle, action, unchanged };
        let step = self.node(scope.frame, step, span);
        self.node(scope.frame, IrKind::Enabled { action: step, primed: false }, span)
    }

    fn inside_enabled(&mut self, scope: &Scope<'s>, expr: ExprId) -> Scope<'s> {
        let own = self.own.set(self.spec.enabled_within.get(&expr));
        Scope { primed: false, own, ..scope.clone() }
    }

    /// Returns the variable that `expr` replaced, where that is primed inside an ENABLED that the INSTANCE is around.
    pub(super) fn own_variable(&mut self, scope: &Scope<'s>, expr: ExprId) -> Option<VarIdx> {
        if !scope.primed || scope.own == 0 {
            return None;
        }
        let around = self.own.sets.get_index(usize::from(scope.own) - 1)?;
        let replaced = self.spec.replaced.get(&expr)?;
        let &key = replaced.iter().find(|(instance, _)| around.contains(instance))?;
        let index = match self.own.vars.get(&key) {
            Some(&index) => index,
            None => {
                self.program.own_variables.push(self.spec.variables[key.1].name);
                self.own.vars.insert(key, self.own.vars.len());
                self.own.vars.len() - 1
            }
        };
        let first = self.program.variables.len();
        Some(VarIdx(u16::try_from(first + index).expect("there are fewer than 65,536 variables")))
    }
}
