//! The expressions around the place of an error, outermost first, as TLC numbers them.
//!
//! TLC keeps a stack of applications while it evaluates; here it is put together afterwards from the calls that led to
//! the place and from what stands around each of them in the text.

use diag::Span;
use eval::interp::Fault;
use model::Model;
use sema::spec::{Arg, Builtin, DefBody, DefId, DefKind, Expr, ExprId, ExprKind, JunctionKind, Op};

use super::place;

/// The activity of TLC in which the evaluation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It was walking through the initial predicate or an action: the conjuncts before the place are still on
    /// its stack.
    Walk,
    /// It was checking a new initial state.
    AfterInit,
    Evaluation,
}

/// Definitions inside definitions are followed no further than this.
const DEPTH_MAX: usize = 32;

/// The message, without its number.
pub fn text(model: Model<'_>, fault: &Fault, way: Way) -> String {
    let lines = lines(model, fault, way);
    format!(
        "The error occurred when TLC was evaluating the nested\n\
         expressions at the following positions:\n{lines}\n"
    )
}

/// Returns the message about an error that a value itself reports. TLC: it is worded as an error of
/// fingerprints.
pub fn fingerprint_text(model: Model<'_>, fault: &Fault, (way, reason): (Way, &str)) -> String {
    let lines = lines(model, fault, way);
    format!("TLC was unable to fingerprint.\n\nFingerprint Stack Trace:\n{lines}\n\nReason:\n{reason}")
}

fn lines(model: Model<'_>, fault: &Fault, way: Way) -> String {
    let positions = positions(model, fault, way).into_iter().enumerate();
    positions.map(|(n, span)| format!("{n}. {}\n", place::nested_place(model.spec, span))).collect()
}

fn positions(model: Model<'_>, fault: &Fault, way: Way) -> Vec<Span> {
    let calls = fault.calls(model.program);
    let defs: Vec<DefId> = calls.iter().filter_map(|entry| entry.def).collect();
    let sites = defs.windows(2).filter_map(|pair| site(model, pair[0], pair[1]));
    let mut stack = Stack { model, spans: Vec::new() };
    if way == Way::AfterInit {
        let roots = model.program.init.iter().filter_map(|root| root.def);
        roots.for_each(|def| stack.definition(def, 0));
    }
    let mut is_walk = way == Way::Walk;
    for target in sites.chain([fault.span]) {
        stack.around(target, is_walk);
        is_walk = false;
    }
    stack.spans
}

/// Returns where a definition applies another one: the first place, if there are several.
fn site(model: Model<'_>, caller: DefId, called: DefId) -> Option<Span> {
    let border = model.spec.defs[caller].span;
    let is_call = |kind: &ExprKind| {
        if let ExprKind::Apply { op: Op::Def(def), .. } = kind { *def == called } else { false }
    };
    let calls = model.spec.exprs.iter().filter(|expr| contains(border, expr.span) && is_call(&expr.kind));
    calls.map(|expr| expr.span).min_by_key(|span| span.start)
}

struct Stack<'a> {
    model: Model<'a>,
    spans: Vec<Span>,
}

impl Stack<'_> {
    fn push(&mut self, span: Span) {
        if self.spans.last() != Some(&span) {
            self.spans.push(span);
        }
    }

    /// The applications around a place, up to its definition or action; on a walk also the conjuncts before it.
    fn around(&mut self, target: Span, is_walk: bool) {
        let model = self.model;
        let Some(border) = border(model, target) else { return self.push(target) };
        let inside = model.spec.exprs.iter().filter(|expr| {
            contains(border, expr.span) && contains(expr.span, target) && is_application(&expr.kind)
        });
        let mut chain: Vec<&Expr> = inside.collect();
        chain.sort_by_key(|expr| (std::cmp::Reverse(expr.span.range().len()), expr.span.start));
        chain.dedup_by_key(|expr| expr.span);
        let mut is_walked = is_walk;
        for expr in chain {
            self.push(expr.span);
            is_walked &= is_action_form(&expr.kind);
            if is_walked {
                let items = conjuncts(&expr.kind);
                let before = items.iter().take_while(|&&item| !contains(model.spec.exprs[item].span, target));
                before.for_each(|&item| self.push_passed(item, 0));
            }
        }
    }

    /// A conjunct that was passed, with what it consists of.
    fn push_passed(&mut self, id: ExprId, depth: usize) {
        let expr = &self.model.spec.exprs[id];
        if is_application(&expr.kind) {
            self.push(expr.span);
        }
        if let ExprKind::Apply { op: Op::Def(def), .. } = &expr.kind
            && self.model.spec.defs[*def].std.is_none()
        {
            self.definition(*def, depth + 1);
        }
        if depth < DEPTH_MAX {
            conjuncts(&expr.kind).into_iter().for_each(|item| self.push_passed(item, depth + 1));
        }
    }

    fn definition(&mut self, def: DefId, depth: usize) {
        if let DefBody::Expr(body) = self.model.spec.defs[def].body
            && depth < DEPTH_MAX
        {
            self.push_passed(body, depth + 1);
        }
    }
}

/// The formulas that one consists of, if all of them must hold.
fn conjuncts(kind: &ExprKind) -> Vec<ExprId> {
    if let ExprKind::Junction { kind: JunctionKind::And, items } = kind {
        return items.clone();
    }
    let ExprKind::Apply { op: Op::Builtin(Builtin::And), args } = kind else { return Vec::new() };
    let expr = |arg: &Arg| if let Arg::Expr(expr) = arg { Some(*expr) } else { None };
    args.iter().filter_map(expr).collect()
}

/// Whether TLC walks through the conjuncts of the expression, instead of evaluating it as a whole.
fn is_action_form(kind: &ExprKind) -> bool {
    let is_or = matches!(kind, ExprKind::Apply { op: Op::Builtin(Builtin::Or), .. });
    let is_choice = matches!(kind, ExprKind::Quantified { .. } | ExprKind::If { .. } | ExprKind::Case { .. });
    is_or || is_choice || matches!(kind, ExprKind::Junction { .. }) || !conjuncts(kind).is_empty()
}

/// The smallest action around a place, or the largest definition.
fn border(model: Model<'_>, target: Span) -> Option<Span> {
    let leaves = model.program.next.as_ref().map_or_else(Vec::new, |(tree, _)| tree.leaves());
    let actions = leaves.iter().map(|leaf| leaf.span).filter(|&span| contains(span, target));
    let smallest = actions.min_by_key(|span| span.range().len());
    smallest.or_else(|| {
        let defs = model.spec.defs.iter().filter(|def| def.kind != DefKind::Let);
        let around = defs.map(|def| def.span).filter(|&span| contains(span, target));
        around.max_by_key(|span| span.range().len())
    })
}

/// Whether TLC has an entry for the expression on its stack: not for constants, names and `LET`.
fn is_application(kind: &ExprKind) -> bool {
    !kind.is_atomic() && !matches!(kind, ExprKind::Let { .. })
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}
