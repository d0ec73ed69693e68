//! The expressions around the place of an error, outermost first, as TLC numbers them.
//!
//! TLC keeps a stack of applications while it evaluates; here it is put together afterwards from the calls that led to
//! the place and from what stands around each of them in the text.

use check::Model;
use diag::Span;
use eval::interp::Fault;
use sema::spec::{DefId, DefKind, ExprKind, Op};

use super::place;

/// The message, without its number.
pub fn text(model: Model<'_>, fault: &Fault) -> String {
    let lines = lines(model, fault);
    format!(
        "The error occurred when TLC was evaluating the nested\n\
         expressions at the following positions:\n{lines}\n"
    )
}

/// TLC: what values themselves refuse is told as if it were about fingerprints.
pub fn fingerprint_text(model: Model<'_>, fault: &Fault, reason: &str) -> String {
    let lines = lines(model, fault);
    format!("TLC was unable to fingerprint.\n\nFingerprint Stack Trace:\n{lines}\n\nReason:\n{reason}")
}

fn lines(model: Model<'_>, fault: &Fault) -> String {
    let positions = positions(model, fault).into_iter().enumerate();
    positions.map(|(n, span)| format!("{n}. {}\n", place::nested(model.spec, span))).collect()
}

fn positions(model: Model<'_>, fault: &Fault) -> Vec<Span> {
    let calls = fault.calls(model.program);
    let defs: Vec<DefId> = calls.iter().filter_map(|entry| entry.def).collect();
    let sites = defs.windows(2).filter_map(|pair| site(model, pair[0], pair[1]));
    let mut positions = Vec::new();
    for target in sites.chain([fault.span]) {
        for span in around(model, target) {
            if positions.last() != Some(&span) {
                positions.push(span);
            }
        }
    }
    positions
}

/// Where a definition applies another one: the first place, if there are several.
fn site(model: Model<'_>, caller: DefId, called: DefId) -> Option<Span> {
    let border = model.spec.defs[caller].span;
    let is_call = |kind: &ExprKind| {
        if let ExprKind::Apply { op: Op::Def(def), .. } = kind { *def == called } else { false }
    };
    let calls = model.spec.exprs.iter().filter(|expr| contains(border, expr.span) && is_call(&expr.kind));
    calls.map(|expr| expr.span).min_by_key(|span| span.start)
}

/// The applications around a place, up to its definition or action.
fn around(model: Model<'_>, target: Span) -> Vec<Span> {
    let Some(border) = border(model, target) else { return vec![target] };
    let inside = model.spec.exprs.iter().filter(|expr| {
        contains(border, expr.span) && contains(expr.span, target) && is_application(&expr.kind)
    });
    let mut spans: Vec<Span> = inside.map(|expr| expr.span).collect();
    spans.sort_by_key(|span| (std::cmp::Reverse(span.range().len()), span.start));
    spans.dedup();
    spans
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

/// TLC: constants, names and `LET` are not applied.
fn is_application(kind: &ExprKind) -> bool {
    !matches!(
        kind,
        ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::BuiltinSet(_)
            | ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Local(_)
            | ExprKind::Let { .. }
    )
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}
