//! `N'` and `UNCHANGED N` where `N` never changes (SL0607).

use base::FxHashSet;
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::is_own;
use crate::config::{Replacement, Replacements};
use crate::level::Level;
use crate::spec::{Arg, Builtin, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, LocalKind, Op, Spec};

/// Modules whose operators have no fixed value, although their level is constant: they ask the checker, chance or the
/// machine.
const ASKING: &[&str] = &["TLC", "TLCExt", "Toolbox", "Randomization", "IOUtils", "Json", "CSV"];

pub(super) fn lint(spec: &Spec, replacements: &Replacements) -> Diagnostics {
    let mut lint =
        PrimedLint { spec, replacements, seen: FxHashSet::default(), diagnostics: Diagnostics::new() };
    for def in spec.defs.iter() {
        // A copy made by INSTANCE repeats its original. Proofs use the fact that a constant has the same value in the
        // next state.
        let is_read = match def.kind {
            DefKind::Operator | DefKind::Function | DefKind::Let => true,
            DefKind::Assumption | DefKind::Theorem | DefKind::ProofStep | DefKind::Subexpression => false,
        };
        if let DefBody::Expr(body) = def.body
            && is_read
            && def.origin.is_none()
            && is_own(spec, def.module)
        {
            spec.walk(body, |expr| {
                lint.check(expr);
                true
            });
        }
    }
    lint.diagnostics
}

struct PrimedLint<'s, 'r> {
    spec: &'s Spec,
    replacements: &'r Replacements,
    seen: FxHashSet<Span>,
    diagnostics: Diagnostics,
}

impl PrimedLint<'_, '_> {
    fn check(&mut self, expr: ExprId) {
        let ExprKind::Apply { op: Op::Builtin(op @ (Builtin::Prime | Builtin::Unchanged)), args } =
            &self.spec.exprs[expr].kind
        else {
            return;
        };
        let Some(Arg::Expr(operand)) = args.first() else { return };
        match (op, &self.spec.exprs[*operand].kind) {
            (Builtin::Unchanged, ExprKind::Tuple(items)) => items.iter().for_each(|&item| self.operand(item)),
            _ => self.operand(*operand),
        }
    }

    fn operand(&mut self, operand: ExprId) {
        let span = self.spec.exprs[operand].span;
        if !self.is_constant(operand) || !self.seen.insert(span) {
            return;
        }
        let text = self.spec.sources.text(span);
        let what = if text.contains('\n') { "this expression".to_owned() } else { format!("`{text}`") };
        let headline = format!("{what} is constant: its next value is the same");
        let diagnostic = Diagnostic::new(Code::PrimedConstant, span, headline)
            .label("does not change")
            .help("leave it as it is, without prime or UNCHANGED, or declare it as a variable");
        self.diagnostics.push(diagnostic);
    }

    /// Whether the expression is constant in any surroundings.
    fn is_constant(&self, expr: ExprId) -> bool {
        let mut constant = self.spec.levels.exprs[expr] == Level::Constant;
        let mut entered: FxHashSet<DefId> = FxHashSet::default();
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop().filter(|_| constant) {
            self.spec.walk(expr, |inner| {
                constant &= !self.may_change(inner);
                if let ExprKind::Apply { op: Op::Def(def), args: _ } = self.spec.exprs[inner].kind
                    && let DefBody::Expr(body) = self.spec.defs[def].body
                    && entered.insert(def)
                {
                    todo.push(body);
                }
                constant
            });
        }
        constant
    }

    /// Whether a node of a constant expression may stand for something that is not constant. A parameter may be given a
    /// variable, and a NEW of a proof may be one.
    fn may_change(&self, expr: ExprId) -> bool {
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Local(local) = kind {
            return match self.spec.locals[*local].kind {
                LocalKind::Bound | LocalKind::At => false,
                LocalKind::Param | LocalKind::TemporalBound | LocalKind::New(_) => true,
            };
        }
        if let ExprKind::Const(constant) = kind {
            return self.is_replaced(Entity::Const(*constant));
        }
        if let ExprKind::Apply { op, args: _ } = kind {
            return !self.is_constant_op(*op);
        }
        // Some people write `UNCHANGED <<>>` for TRUE.
        matches!(kind, ExprKind::Tuple(items) if items.is_empty())
    }

    fn is_constant_op(&self, op: Op) -> bool {
        match op {
            Op::Def(def) => {
                let std = self.spec.defs[def].std;
                let asks_tlc = std.is_some_and(|std| ASKING.contains(&std.signature().0));
                !asks_tlc && !self.is_replaced(Entity::Def(def))
            }
            Op::Const(constant) => !self.is_replaced(Entity::Const(constant)),
            Op::Param(_) => false,
            Op::Builtin(_) => true,
        }
    }

    /// Whether a configuration replaces it: the replacement may change.
    fn is_replaced(&self, entity: Entity) -> bool {
        match self.replacements.of(entity) {
            Some(Replacement::Def(def)) => self.spec.levels.defs[*def] > Level::Constant,
            Some(_) | None => false,
        }
    }
}
