//! Rules for the language's own operators that the table of rules does not express: where actions may stand.

use super::Level;
use super::checker::Checker;
use crate::spec::{Arg, Bound, Builtin, ExprId, ExprKind, StepKind};

impl Checker<'_> {
    /// Checks that an action is a formula only as `[][A]_v` or `<><<A>>_v`, because TLA+ formulas do not see
    /// stuttering.
    pub fn check_operator(&mut self, expr: ExprId, op: Builtin, args: &[Arg]) {
        let operands: Vec<ExprId> = args.iter().filter_map(Arg::expr).collect();
        match op {
            Builtin::Box => self.check_stuttering(expr, StepKind::Box, &operands),
            Builtin::Diamond => self.check_stuttering(expr, StepKind::Angle, &operands),
            Builtin::LeadsTo | Builtin::PlusArrow => {
                let action = operands.iter().copied().find(|&operand| self.level(operand) == Level::Action);
                if let Some(action) = action
                    && self.is_sound(expr)
                {
                    self.report(expr, |checker| checker.action_operand(op, action));
                }
            }
            Builtin::And | Builtin::Or | Builtin::Implies | Builtin::Equiv => {
                self.check_mixed(expr, op, &operands);
            }
            Builtin::Not
            | Builtin::Eq
            | Builtin::Neq
            | Builtin::In
            | Builtin::NotIn
            | Builtin::SubsetEq
            | Builtin::Cup
            | Builtin::Cap
            | Builtin::SetMinus
            | Builtin::Times
            | Builtin::PowerSet
            | Builtin::Union
            | Builtin::Domain
            | Builtin::Prime
            | Builtin::Unchanged
            | Builtin::Enabled
            | Builtin::Cdot => {}
        }
    }

    fn check_stuttering(&mut self, expr: ExprId, wanted: StepKind, operands: &[ExprId]) {
        let &[operand] = operands else { return };
        if self.is_sound(expr)
            && self.level(operand) == Level::Action
            && self.step_kind(operand) != Some(wanted)
        {
            self.report(expr, |checker| checker.sees_stuttering(wanted, operand));
        }
    }

    /// Returns the kind of `[A]_v` or `<<A>>_v`, looking through labels and LETs.
    fn step_kind(&self, mut expr: ExprId) -> Option<StepKind> {
        loop {
            let kind = &self.spec.exprs[expr].kind;
            if let ExprKind::Label { body, .. } | ExprKind::Let { body, .. } = kind {
                expr = *body;
            } else if let ExprKind::Step { kind, .. } = kind {
                return Some(*kind);
            } else {
                return None;
            }
        }
    }

    /// Reports an action joined with a temporal formula: an action is not a temporal formula, so the two cannot be
    /// joined.
    pub fn check_mixed(&mut self, expr: ExprId, op: Builtin, operands: &[ExprId]) {
        let of_level = |level| operands.iter().copied().find(|&operand| self.level(operand) == level);
        if let Some(action) = of_level(Level::Action)
            && let Some(temporal) = of_level(Level::Temporal)
            && self.is_sound(expr)
        {
            self.report(expr, |checker| checker.mixed_levels(op, action, temporal));
        }
    }

    /// Checks that a temporal formula is quantified over a set only if the set is not an action.
    pub fn check_bounds(&mut self, expr: ExprId, level: Level, bounds: &[Bound]) {
        let bound = bounds.iter().map(|bound| bound.set).find(|&set| self.level(set) == Level::Action);
        if let Some(set) = bound
            && level == Level::Temporal
            && self.is_sound(expr)
        {
            self.report(expr, |checker| checker.action_bound(set));
        }
    }
}
