//! The parts that selectors of subexpression names lead to, for each form of expression. The order of parts is that of
//! SANY.

use diag::Span;
use syntax::ast::{PathSegment, SegmentKind};

use super::Resolver;
use crate::spec::{
    Arg, AssumeItem, Bound, DefBody, DefId, Entity, ExprId, ExprKind, Lambda, LocalId, OpArg, Pattern,
};

/// The target of one selector.
pub(super) enum SelectedPart {
    Expr(ExprId),
    /// An expression that does not exist in the tree and is made here.
    Made(ExprKind),
    Arm(Arm),
    Lambda(Lambda),
    New,
    /// The body of a binder, and the names that it binds.
    Body(Vec<LocalId>, ExprId),
    /// A clause of an ASSUME/PROVE after a NEW whose name is not known here.
    OutOfScope,
}

/// An arm `guard -> value`. OTHER has no guard.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    guard: Option<ExprId>,
    value: ExprId,
}

impl Arm {
    pub(super) fn part(self, segment: &PathSegment) -> Option<SelectedPart> {
        match segment.kind {
            SegmentKind::Number(1) | SegmentKind::First => self.guard.map(SelectedPart::Expr),
            SegmentKind::Number(2) | SegmentKind::Last => Some(SelectedPart::Expr(self.value)),
            SegmentKind::Number(_)
            | SegmentKind::Name(_)
            | SegmentKind::Step(_)
            | SegmentKind::Body
            | SegmentKind::At
            | SegmentKind::Arguments => None,
        }
    }
}

pub(super) struct FoundLabel {
    /// The place of its name where it stands.
    pub(super) name_span: Span,
    pub(super) params: Vec<LocalId>,
    pub(super) body: ExprId,
    pub(super) out_of_scope: bool,
}

impl Resolver<'_> {
    /// Returns the part of `expr` that a selector leads to. Labels are skipped: selectors count the parts of the
    /// expression inside.
    pub(super) fn part(&self, expr: ExprId, segment: &PathSegment) -> Option<SelectedPart> {
        let expr = self.skip_labels(expr);
        match segment.kind {
            SegmentKind::Number(n) => self.operand(expr, n as usize),
            SegmentKind::First => self.operand(expr, 1),
            SegmentKind::Last if self.operand(expr, 3).is_some() => None,
            SegmentKind::Last => self.operand(expr, 2),
            SegmentKind::Arguments | SegmentKind::At => {
                let (names, body) = self.binder(expr)?;
                Some(SelectedPart::Body(names, body))
            }
            SegmentKind::Name(_) | SegmentKind::Step(_) | SegmentKind::Body => None,
        }
    }

    /// Returns the expression after the labels at `expr`.
    pub(super) fn skip_labels(&self, expr: ExprId) -> ExprId {
        let mut inner = expr;
        while let ExprKind::Label { body, .. } = &self.spec.exprs[inner].kind {
            inner = *body;
        }
        inner
    }

    /// Finds the label `name` inside `expr`, but not inside another label.
    pub(super) fn find_label(&self, expr: ExprId, name: base::Name) -> Option<FoundLabel> {
        let mut todo = vec![(expr, false)];
        while let Some((next, out_of_scope)) = todo.pop() {
            let kind = &self.spec.exprs[next].kind;
            if let ExprKind::Label { name: label, params, body } = kind {
                if *label == name {
                    let start = self.spec.exprs[next].span.start;
                    let end = start + self.text(name).len() as u32;
                    let name_span = Span { start, end, ..self.spec.exprs[next].span };
                    return Some(FoundLabel { name_span, params: params.clone(), body: *body, out_of_scope });
                }
            } else if let ExprKind::AssumeProve { assumptions, goal } = kind {
                for (index, item) in assumptions.iter().enumerate() {
                    let hidden = out_of_scope || !self.are_known(&assumptions[..index]);
                    todo.extend(item.expr().map(|child| (child, hidden)));
                }
                todo.push((*goal, out_of_scope || !self.are_known(assumptions)));
            } else {
                kind.for_each_child(&mut |child| todo.push((child, out_of_scope)));
            }
        }
        None
    }

    /// Finds the definition of `name` in the LET that `expr` is.
    pub(super) fn find_let_def(&self, expr: ExprId, name: base::Name) -> Option<(DefId, ExprId)> {
        let defs = self.spec.exprs[self.skip_labels(expr)].kind.let_defs();
        defs.iter().find_map(|&id| {
            let def = &self.spec.defs[id];
            match def.body {
                DefBody::Expr(body) if def.name == name && def.origin.is_none() => Some((id, body)),
                DefBody::Expr(_) | DefBody::Native | DefBody::Missing => None,
            }
        })
    }

    /// Returns part number `n`, counted from 1.
    fn operand(&self, expr: ExprId, n: usize) -> Option<SelectedPart> {
        let index = n.checked_sub(1)?;
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Case { arms, other } = kind {
            let arms = arms.iter().map(|&(guard, value)| Arm { guard: Some(guard), value });
            let other = other.iter().map(|&value| Arm { guard: None, value });
            arms.chain(other).nth(index).map(SelectedPart::Arm)
        } else if let ExprKind::Apply { args, op: _ } = kind {
            match args.get(index)? {
                Arg::Expr(expr) => Some(SelectedPart::Expr(*expr)),
                Arg::Op(OpArg::Lambda(lambda)) => Some(SelectedPart::Lambda(lambda.clone())),
                Arg::Op(OpArg::Ref(..)) => None,
            }
        } else if let ExprKind::AssumeProve { assumptions, goal } = kind {
            self.clause(assumptions, *goal, index)
        } else if let ExprKind::Except { base, updates: _ } = kind {
            // SANY has no names for the other parts: `@` would be left without its EXCEPT.
            (index == 0).then_some(SelectedPart::Expr(*base))
        } else if let ExprKind::FnApply { function, args } = kind {
            match (index, args.as_slice()) {
                (0, _) => Some(SelectedPart::Expr(*function)),
                (1, [arg]) => Some(SelectedPart::Expr(*arg)),
                (1, args) => Some(SelectedPart::Made(ExprKind::Tuple(args.to_vec()))),
                (_, _) => None,
            }
        } else if let ExprKind::Field { record, field } = kind {
            match index {
                0 => Some(SelectedPart::Expr(*record)),
                1 => Some(SelectedPart::Made(ExprKind::Str(*field))),
                _ => None,
            }
        } else {
            self.operands(expr).get(index).copied().map(SelectedPart::Expr)
        }
    }

    /// Returns a clause of an ASSUME/PROVE. Clauses are counted from the first NEW or fact to the goal.
    fn clause(&self, assumptions: &[AssumeItem], goal: ExprId, index: usize) -> Option<SelectedPart> {
        let part = match assumptions.get(index) {
            Some(AssumeItem::Fact(fact)) => SelectedPart::Expr(*fact),
            Some(AssumeItem::New { .. }) => SelectedPart::New,
            None if index == assumptions.len() => SelectedPart::Expr(goal),
            None => return None,
        };
        let known = self.are_known(&assumptions[..index]);
        Some(if known { part } else { SelectedPart::OutOfScope })
    }

    /// Whether the names that these declare are known here.
    fn are_known(&self, assumptions: &[AssumeItem]) -> bool {
        assumptions.iter().filter_map(AssumeItem::local).all(|local| {
            let name = self.spec.locals[local].name;
            self.lookup(name) == Some(Entity::Local(local))
        })
    }

    /// Returns the parts of an expression that numbers select, in order.
    fn operands(&self, expr: ExprId) -> Vec<ExprId> {
        let mut parts = self.spec.children(expr);
        if let Some((_, body)) = self.binder(expr) {
            parts.retain(|&part| part != body);
        }
        parts
    }

    /// Returns the names that a binder binds, and its body.
    fn binder(&self, expr: ExprId) -> Option<(Vec<LocalId>, ExprId)> {
        let names = |bounds: &[Bound]| {
            bounds.iter().flat_map(|bound| bound.pattern.locals().iter().copied()).collect::<Vec<_>>()
        };
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Quantified { bounds, body, .. }
        | ExprKind::SetMap { bounds, body }
        | ExprKind::Function { bounds, body } = kind
        {
            Some((names(bounds), *body))
        } else if let ExprKind::SetFilter { bound, predicate } = kind {
            Some((names(std::slice::from_ref(bound)), *predicate))
        } else if let ExprKind::Choose {
            pattern: Pattern::Names(locals) | Pattern::Tuple(locals),
            body,
            ..
        }
        | ExprKind::Unbounded { locals, body, .. } = kind
        {
            Some((locals.clone(), *body))
        } else {
            None
        }
    }
}
