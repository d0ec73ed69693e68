//! Checks whether the last event of a log is read before the log is accepted.
//!
//! `l = Len(Log) => TLCSet("exit", TRUE)` ends a search when the last event comes next. If events are read only by
//! steps, from the state in which they come next, that event was never read. If anything else may read it, nothing is
//! reported.

use base::FxHashSet;
use sema::Spec;
use sema::config::{BoundConfig, Named};
use sema::spec::{Builtin, DefBody, DefId, ExprId, ExprKind, Op};
use sema::std_ops::StdOp;

use crate::LogSequence;

/// Whether an event is read only by steps from the state in which it comes next.
pub fn is_read_by_steps_alone(spec: &Spec, config: &BoundConfig, sequence: &LogSequence) -> bool {
    let reading = Reading { spec, sequence };
    let BoundConfig { specification, next, action_constraints, .. } = config;
    let BoundConfig { invariants, properties, constraints, possible, periodic, view, .. } = config;
    let steps = specification.iter().chain(next).chain(action_constraints);
    let others =
        [invariants, properties, constraints, possible].into_iter().flatten().chain(periodic).chain(view);
    steps.map(|named| (named, LogReader::Step)).chain(others.map(|named| (named, LogReader::Other))).all(
        |(named, reader): (&Named, LogReader)| match spec.defs[named.def].body {
            DefBody::Expr(body) => reading.is_plain(body, reader),
            DefBody::Native | DefBody::Missing => false,
        },
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LogReader {
    /// A step: `Log[l]` is the event that it explains.
    Step,
    /// A formula about the state after a step, or about a state.
    Other,
}

struct Reading<'a> {
    spec: &'a Spec,
    sequence: &'a LogSequence,
}

impl Reading<'_> {
    /// Whether an expression reads of the log only what its reader may read: its length, its first events, and the
    /// event that comes next.
    fn is_plain(&self, root: ExprId, reader: LogReader) -> bool {
        let mut entered: FxHashSet<(DefId, bool)> = FxHashSet::default();
        let mut todo = vec![(root, reader)];
        while let Some((expr, reader)) = todo.pop() {
            if self.is_log(expr) {
                return false;
            }
            if let ExprKind::FnApply { function, args } = &self.spec.exprs[expr].kind
                && self.is_log(*function)
            {
                if args.iter().all(|&arg| self.is_allowed(arg, reader)) {
                    continue;
                }
                return false;
            }
            let is_length = self.is_length(expr);
            let inner = if self.is_prime(expr) { LogReader::Other } else { reader };
            let parts =
                self.spec.children(expr).into_iter().filter(|&part| !(is_length && self.is_log(part)));
            todo.extend(parts.map(|part| (part, inner)));
            if let Some((def, body)) = self.definition(expr)
                && entered.insert((def, reader == LogReader::Step))
            {
                todo.push((body, reader));
            }
        }
        true
    }

    fn is_log(&self, expr: ExprId) -> bool {
        matches!(&self.spec.exprs[expr].kind, ExprKind::Apply { op: Op::Def(def), .. } if *def == self.sequence.def)
    }

    /// Whether an index is allowed: `Log[l]` in a step, and an event that is always the same one.
    fn is_allowed(&self, index: ExprId, reader: LogReader) -> bool {
        let kind = &self.spec.exprs[index].kind;
        let is_cursor = |name| self.spec.names.text(name) == self.sequence.variable;
        let is_next =
            matches!(kind, ExprKind::Var(variable) if is_cursor(self.spec.variables[*variable].name));
        matches!(kind, ExprKind::Int(_)) || (reader == LogReader::Step && is_next)
    }

    /// Whether an expression is `Len(Log)` or `DOMAIN Log`.
    fn is_length(&self, expr: ExprId) -> bool {
        let ExprKind::Apply { op, .. } = &self.spec.exprs[expr].kind else { return false };
        match op {
            Op::Def(def) => self.spec.defs[*def].std == Some(StdOp::Len),
            Op::Builtin(builtin) => *builtin == Builtin::Domain,
            Op::Const(_) | Op::Param(_) => false,
        }
    }

    fn is_prime(&self, expr: ExprId) -> bool {
        let kind = &self.spec.exprs[expr].kind;
        matches!(kind, ExprKind::Apply { op: Op::Builtin(Builtin::Prime), .. })
    }

    fn definition(&self, expr: ExprId) -> Option<(DefId, ExprId)> {
        let ExprKind::Apply { op: Op::Def(def), .. } = &self.spec.exprs[expr].kind else { return None };
        let definition = &self.spec.defs[*def];
        match definition.body {
            DefBody::Expr(body) if definition.std.is_none() => Some((*def, body)),
            DefBody::Expr(_) | DefBody::Native | DefBody::Missing => None,
        }
    }
}
