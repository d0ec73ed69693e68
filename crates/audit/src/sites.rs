//! Finds the possible changes of an expression.

use base::FxHashSet;
use num_bigint::BigInt;
use sema::Spec;
use sema::config::BoundConfig;
use sema::level::Level;
use sema::spec::{Arg, Builtin, DefBody, DefId, ExceptUpdate, ExprId, ExprKind, Op, Quantifier, VarId};
use sema::std_ops::StdOp;

use crate::class::Class;
use crate::mutant::Rewrite;
use crate::reach::{
    Role, Site, builtin_pair, is_checked_only, is_conjunction, primed_variable, updated_variable,
};

/// The greatest depth to which definitions are followed for the variables that a part of an action assigns.
const DEPTH_MAX: usize = 50;

/// Collects changes.
pub(crate) struct Finder<'a> {
    spec: &'a Spec,
    config: &'a BoundConfig,
    pub found: Vec<(Class, ExprId, Rewrite)>,
}

impl<'a> Finder<'a> {
    pub fn new(spec: &'a Spec, config: &'a BoundConfig) -> Self {
        Finder { spec, config, found: Vec::new() }
    }

    pub fn look_at(&mut self, site: Site) {
        let spec = self.spec;
        if let ExprKind::Except { base, updates } = &spec.exprs[site.expr].kind {
            self.drop_clauses(site, *base, updates);
        }
        if updated_variable(spec, site.expr).is_some() {
            return self.drop_update(site.expr);
        }
        if self.level(site.expr) > Level::State {
            return self.drop_part_of_action(site);
        }
        if site.in_init && self.gives_initial_value(site.expr, 0) {
            return;
        }
        self.drop_conjunct(site);
        self.weaken_relation(site);
        self.weaken_comparison(site.expr);
        if let ExprKind::Quantified { kind: Quantifier::Forall, .. } = spec.exprs[site.expr].kind {
            self.add(Class::Quantifier, site.expr, Rewrite::Exists);
        }
    }

    fn add(&mut self, class: Class, expr: ExprId, rewrite: Rewrite) {
        self.found.push((class, expr, rewrite));
    }

    fn level(&self, expr: ExprId) -> Level {
        self.spec.levels.exprs[expr]
    }

    /// Leaves out a guard.
    fn drop_conjunct(&mut self, site: Site) {
        let kind = &self.spec.exprs[site.expr].kind;
        let is_plain = !is_conjunction(kind)
            && !is_checked_only(self.spec, kind)
            && !matches!(kind, ExprKind::Bool(_) | ExprKind::Let { .. } | ExprKind::Label { .. });
        if site.role == Role::Conjunct && is_plain {
            self.add(Class::Conjunct, site.expr, Rewrite::True);
        }
    }

    /// Makes `=`, `\in` and similar relations hold always. For a conjunct that is the same as leaving it out.
    fn weaken_relation(&mut self, site: Site) {
        let Some((op, _)) = builtin_pair(self.spec, site.expr) else { return };
        let is_relation =
            matches!(op, Builtin::Eq | Builtin::Neq | Builtin::In | Builtin::NotIn | Builtin::SubsetEq);
        if is_relation && site.role != Role::Conjunct {
            self.add(Class::Comparison, site.expr, Rewrite::True);
        }
    }

    /// Changes comparisons of numbers, and majorities.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other operator compares numbers")]
    fn weaken_comparison(&mut self, expr: ExprId) {
        let Some((op, [left, right])) = self.std_pair(expr) else { return };
        match op {
            StdOp::Gt if self.is_doubled(left) || self.is_halved(right) => {
                self.weaken_majority(expr, (left, 1))
            }
            StdOp::Lt if self.is_doubled(right) || self.is_halved(left) => {
                self.weaken_majority(expr, (right, 0))
            }
            StdOp::Gt | StdOp::Lt => {
                let weaker = if op == StdOp::Gt { StdOp::Geq } else { StdOp::Leq };
                let rewrite = self.std_def(weaker).map(Rewrite::Operator);
                self.add_some(Class::Comparison, expr, rewrite);
            }
            StdOp::Geq => self.add_shifted(Class::Comparison, expr, (op, StdOp::Minus), 1),
            StdOp::Leq => self.add_shifted(Class::Comparison, expr, (op, StdOp::Plus), 1),
            StdOp::Plus if self.is_halved(left) && self.is_number(right, 1) => {
                self.add(Class::Quorum, expr, Rewrite::Part(left));
            }
            StdOp::Plus if self.is_halved(right) && self.is_number(left, 1) => {
                self.add(Class::Quorum, expr, Rewrite::Part(right));
            }
            _ => {}
        }
    }

    /// Makes half enough; for an odd number, the smaller half.
    fn weaken_majority(&mut self, expr: ExprId, (more, whole): (ExprId, usize)) {
        let weaker = if whole == 1 { StdOp::Geq } else { StdOp::Leq };
        let rewrite = self.std_def(weaker).map(Rewrite::Operator);
        self.add_some(Class::Quorum, expr, rewrite);
        // `Q > N \div 2` is rounded already.
        if self.is_doubled(more) {
            self.add_shifted(Class::Quorum, expr, (weaker, StdOp::Minus), whole);
        }
    }

    fn add_shifted(&mut self, class: Class, expr: ExprId, (operator, by): (StdOp, StdOp), operand: usize) {
        if let (Some(operator), Some(by)) = (self.std_def(operator), self.std_def(by)) {
            self.add(class, expr, Rewrite::Shifted { operator, operand, by });
        }
    }

    fn add_some(&mut self, class: Class, expr: ExprId, rewrite: Option<Rewrite>) {
        if let Some(rewrite) = rewrite {
            self.add(class, expr, rewrite);
        }
    }

    /// Makes the variable of `x' = e` or `x' \in S` keep its value.
    fn drop_update(&mut self, expr: ExprId) {
        let Some((_, [left, right])) = builtin_pair(self.spec, expr) else { return };
        let Some((inner, variable)) = primed_variable(self.spec, left) else { return };
        let keeps_it = matches!(self.spec.exprs[right].kind, ExprKind::Var(same) if same == variable);
        if !keeps_it {
            self.add(Class::Update, expr, Rewrite::Equals(inner));
        }
    }

    /// Removes one clause of an EXCEPT. If that is the whole update, the update itself is removed elsewhere.
    fn drop_clauses(&mut self, site: Site, base: ExprId, updates: &[ExceptUpdate]) {
        let is_same_as_update = match (site.role, &self.spec.exprs[base].kind) {
            (Role::NextValue(variable), ExprKind::Var(same)) => variable == *same && updates.len() == 1,
            (_, _) => false,
        };
        if is_same_as_update {
            return;
        }
        for index in 0..updates.len() {
            let rewrite =
                if updates.len() == 1 { Rewrite::Part(base) } else { Rewrite::WithoutClause(index) };
            self.add(Class::Update, site.expr, rewrite);
        }
    }

    /// Makes a conjunct that is an operator which assigns variables, such as `Send(m)`, do nothing.
    fn drop_part_of_action(&mut self, site: Site) {
        let ExprKind::Apply { op: Op::Def(def), .. } = self.spec.exprs[site.expr].kind else { return };
        if site.role != Role::Conjunct || self.spec.defs[def].std.is_some() {
            return;
        }
        let mut assigned = AssignedVariables {
            spec: self.spec,
            seen: FxHashSet::default(),
            updated: Vec::new(),
            has_update: false,
        };
        assigned.look_at(site.expr, 0);
        let AssignedVariables { mut updated, has_update, .. } = assigned;
        updated.sort();
        updated.dedup();
        let variables = &self.spec.modules[self.spec.root].variables;
        if has_update && updated.iter().all(|variable| variables.contains(variable)) {
            self.add(Class::Update, site.expr, Rewrite::Unchanged(updated));
        }
    }

    /// Whether a part of the initial predicate gives a variable its value: without it, there would be no initial state.
    fn gives_initial_value(&self, expr: ExprId, depth: usize) -> bool {
        if depth > DEPTH_MAX {
            return true;
        }
        if let Some((Builtin::Eq | Builtin::In, [left, _])) = builtin_pair(self.spec, expr)
            && matches!(self.spec.exprs[left].kind, ExprKind::Var(_))
        {
            return true;
        }
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Apply { op: Op::Def(def), .. } = kind
            && self.spec.defs[*def].std.is_none()
            && !self.config.replacements.defs.contains_key(def)
            && let DefBody::Expr(body) = self.spec.defs[*def].body
            && self.gives_initial_value(body, depth + 1)
        {
            return true;
        }
        let mut gives = false;
        kind.for_each_child(&mut |child| gives = gives || self.gives_initial_value(child, depth + 1));
        gives
    }

    /// Returns the operator of a standard module that is applied to two expressions.
    fn std_pair(&self, expr: ExprId) -> Option<(StdOp, [ExprId; 2])> {
        let ExprKind::Apply { op: Op::Def(def), args } = &self.spec.exprs[expr].kind else { return None };
        let [Arg::Expr(left), Arg::Expr(right)] = args[..] else { return None };
        Some((self.spec.defs[*def].std?, [left, right]))
    }

    fn std_def(&self, op: StdOp) -> Option<DefId> {
        self.spec.defs.iter_enumerated().find(|(_, def)| def.std == Some(op)).map(|(id, _)| id)
    }

    /// Whether an expression is `2 * e` or `e * 2`.
    fn is_doubled(&self, expr: ExprId) -> bool {
        let Some((StdOp::Times, [left, right])) = self.std_pair(expr) else { return false };
        self.is_number(left, 2) || self.is_number(right, 2)
    }

    /// Whether an expression is `e \div 2`.
    fn is_halved(&self, expr: ExprId) -> bool {
        let Some((StdOp::Div, [_, right])) = self.std_pair(expr) else { return false };
        self.is_number(right, 2)
    }

    fn is_number(&self, expr: ExprId, number: i32) -> bool {
        matches!(&self.spec.exprs[expr].kind, ExprKind::Int(int) if *int == BigInt::from(number))
    }
}

/// The variables that a part of an action assigns, as far as its text shows.
struct AssignedVariables<'a> {
    spec: &'a Spec,
    seen: FxHashSet<ExprId>,
    updated: Vec<VarId>,
    /// Whether there is more than UNCHANGED.
    has_update: bool,
}

impl AssignedVariables<'_> {
    fn look_at(&mut self, expr: ExprId, depth: usize) {
        if depth > DEPTH_MAX || !self.seen.insert(expr) {
            return;
        }
        let spec = self.spec;
        if let Some(variable) = updated_variable(spec, expr) {
            self.updated.push(variable);
            self.has_update = true;
            return;
        }
        let kind = &spec.exprs[expr].kind;
        if let ExprKind::Apply { op: Op::Builtin(Builtin::Unchanged), args } = kind {
            args.iter().filter_map(Arg::expr).for_each(|arg| self.add_unchanged(arg, depth));
            return;
        }
        if let ExprKind::Apply { op: Op::Def(def), .. } = kind
            && let DefBody::Expr(body) = spec.defs[*def].body
            && spec.defs[*def].std.is_none()
        {
            self.look_at(body, depth + 1);
        }
        kind.for_each_child(&mut |child| self.look_at(child, depth + 1));
    }

    /// Adds the variables of a tuple, through definitions.
    fn add_unchanged(&mut self, expr: ExprId, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Var(variable) = kind {
            self.updated.push(*variable);
        }
        if let ExprKind::Apply { op: Op::Def(def), .. } = kind
            && let DefBody::Expr(body) = self.spec.defs[*def].body
        {
            self.add_unchanged(body, depth + 1);
        }
        if let ExprKind::Tuple(items) = kind {
            items.iter().for_each(|&item| self.add_unchanged(item, depth + 1));
        }
    }
}
