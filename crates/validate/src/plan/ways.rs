//! The ways from a next-state relation to one of its actions: the relation without all other actions, so that a step by
//! it is a step of the relation.
//!
//! A name that the relation binds and passes to the action as a parameter gets the value that a mapping binds the
//! parameter to, and must be in its set: `\E n \in 0..Max : Send(n)` becomes `\E n \in {value} : n \in 0..Max /\
//! Send(n)`.

use base::FxHashSet;
use diag::Span;
use sema::Spec;
use sema::config::Replacements;
use sema::level::Level;
use sema::spec::{
    Arg, Bound, Builtin, Def, DefBody, DefId, DefKind, Expr, ExprId, ExprKind, JunctionKind, LocalId, Op,
    Pattern, Quantifier,
};

/// The rest of a formula for one occurrence of the action in it.
struct Way {
    expr: ExprId,
    /// Names that are parameters of the action there, by number.
    used: Vec<(LocalId, usize)>,
}

/// A search for an action, with the values of its parameters.
pub(super) struct Finder<'a> {
    pub spec: &'a mut Spec,
    pub replacements: &'a Replacements,
    pub target: DefId,
    pub binds: &'a [Option<ExprId>],
    open: Vec<DefId>,
    /// Copies of definitions in a LET, each beside the original.
    let_copies: Vec<(DefId, DefId)>,
    /// Whether a bound parameter is not a name of the relation at some occurrence.
    is_lost: bool,
}

impl<'a> Finder<'a> {
    pub fn new(
        spec: &'a mut Spec,
        replacements: &'a Replacements,
        target: DefId,
        binds: &'a [Option<ExprId>],
    ) -> Self {
        Finder { spec, replacements, target, binds, open: Vec::new(), let_copies: Vec::new(), is_lost: false }
    }

    /// Returns the action as the relation allows it; `None` if the relation does not reach it in a way that is
    /// understood.
    pub fn find(mut self, next: ExprId) -> Option<ExprId> {
        let ways = self.ways(next);
        let is_whole = !self.is_lost && ways.iter().all(|way| way.used.is_empty());
        let exprs: Vec<ExprId> = ways.into_iter().map(|way| way.expr).collect();
        if exprs.is_empty() || !is_whole {
            return None;
        }
        let span = self.spec.exprs[next].span;
        Some(junction(self.spec, JunctionKind::Or, exprs, span))
    }

    fn ways(&mut self, expr: ExprId) -> Vec<Way> {
        if !self.reaches(expr) {
            return Vec::new();
        }
        base::with_stack(|| self.ways_here(expr))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is looked through")]
    fn ways_here(&mut self, expr: ExprId) -> Vec<Way> {
        match self.spec.exprs[expr].kind.clone() {
            ExprKind::Apply { op: Op::Def(def), args } if self.is_target(def) => vec![self.leaf(expr, &args)],
            ExprKind::Apply { op: Op::Def(def), args } => self.follow_def(expr, def, args),
            ExprKind::Junction { kind: JunctionKind::Or, items } => {
                items.into_iter().flat_map(|item| self.ways(item)).collect()
            }
            ExprKind::Junction { kind: JunctionKind::And, items } => self.conjuncts(expr, &items),
            ExprKind::Apply { op: Op::Builtin(Builtin::Or), args } => {
                expr_args(&args).into_iter().flat_map(|item| self.ways(item)).collect()
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::And), args } => {
                self.conjuncts(expr, &expr_args(&args))
            }
            ExprKind::Quantified { kind: Quantifier::Exists, bounds, body } => {
                self.exists(expr, &bounds, body)
            }
            ExprKind::Let { defs, body } => self.let_in(expr, &defs, body),
            ExprKind::Case { arms, other } => self.cases(expr, &arms, other),
            ExprKind::Label { body, .. } => self.ways(body),
            ExprKind::If { condition, then, otherwise } => self.branches(expr, condition, (then, otherwise)),
            _ => {
                self.is_lost = true;
                Vec::new()
            }
        }
    }

    /// Whether a definition is the action. A definition that an INSTANCE brings exists in two copies: one for its
    /// users, and one for the other definitions that it brings.
    fn is_target(&self, def: DefId) -> bool {
        let origin = |def: DefId| self.spec.defs[def].origin.map(|origin| (origin.def, origin.instance));
        def == self.target || origin(def).is_some() && origin(def) == origin(self.target)
    }

    /// Whether the action occurs anywhere in an expression.
    fn reaches(&self, expr: ExprId) -> bool {
        let mut is_found = false;
        let mut seen: FxHashSet<DefId> = FxHashSet::default();
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            self.spec.walk(expr, |expr| {
                if let ExprKind::Apply { op: Op::Def(def), .. } = &self.spec.exprs[expr].kind {
                    is_found |= self.is_target(*def);
                    if let DefBody::Expr(body) = self.spec.defs[*def].body
                        && self.spec.defs[*def].std.is_none()
                        && seen.insert(*def)
                    {
                        todo.push(body);
                    }
                }
                !is_found
            });
        }
        is_found
    }

    fn leaf(&mut self, expr: ExprId, args: &[Arg]) -> Way {
        let mut used = Vec::new();
        let mut items = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            let Some(bind) = self.binds.get(index).copied().flatten() else { continue };
            match self.local_of(arg) {
                Some(local) => used.push((local, index)),
                None => items.extend(self.equal(arg, bind)),
            }
        }
        items.push(expr);
        let span = self.spec.exprs[expr].span;
        Way { expr: junction(self.spec, JunctionKind::And, items, span), used }
    }

    /// Follows a definition: makes a copy of it that has only this way.
    fn follow_def(&mut self, expr: ExprId, def: DefId, args: Vec<Arg>) -> Vec<Way> {
        let entry = self.spec.defs[def].clone();
        let DefBody::Expr(body) = entry.body else { return self.give_up() };
        let is_replaced = self.replacements.defs.contains_key(&def);
        if is_replaced || entry.recursive || self.open.contains(&def) {
            return self.give_up();
        }
        self.open.push(def);
        let inner = self.ways(body);
        self.open.pop();
        let span = self.spec.exprs[expr].span;
        inner.into_iter().map(|way| self.apply_copy((def, &entry), &args, way, span)).collect()
    }

    fn apply_copy(&mut self, (def, entry): (DefId, &Def), args: &[Arg], way: Way, span: Span) -> Way {
        let copy = Def { body: DefBody::Expr(way.expr), local: true, ..entry.clone() };
        let copy = self.spec.defs.push(copy);
        if entry.kind == DefKind::Let {
            self.let_copies.push((def, copy));
        }
        let (mut used, mut items) = (Vec::new(), Vec::new());
        for (local, index) in way.used {
            let arg = entry.params.iter().position(|param| *param == local).and_then(|at| args.get(at));
            match (arg, arg.and_then(|arg| self.local_of(arg)), self.binds[index]) {
                (Some(_), Some(outer), _) => used.push((outer, index)),
                (Some(arg), None, Some(bind)) => items.extend(self.equal(arg, bind)),
                _ => used.push((local, index)),
            }
        }
        items.push(push(self.spec, ExprKind::Apply { op: Op::Def(copy), args: args.to_vec() }, span));
        Way { expr: junction(self.spec, JunctionKind::And, items, span), used }
    }

    /// Follows the first conjunct that reaches the action, and keeps the others beside it.
    fn conjuncts(&mut self, expr: ExprId, items: &[ExprId]) -> Vec<Way> {
        let Some(at) = items.iter().position(|&item| self.reaches(item)) else { return Vec::new() };
        let span = self.spec.exprs[expr].span;
        let mut all = Vec::new();
        for way in self.ways(items[at]) {
            let mut beside = items.to_vec();
            beside[at] = way.expr;
            all.push(Way { expr: junction(self.spec, JunctionKind::And, beside, span), used: way.used });
        }
        all
    }

    fn wrap(&mut self, expr: ExprId, body: ExprId, around: impl Fn(ExprId) -> ExprKind) -> Vec<Way> {
        let span = self.spec.exprs[expr].span;
        let inner = self.ways(body);
        inner.into_iter().map(|way| Way { expr: push(self.spec, around(way.expr), span), ..way }).collect()
    }

    /// Follows the body of a LET, which also gets the copies of its definitions.
    fn let_in(&mut self, expr: ExprId, defs: &[DefId], body: ExprId) -> Vec<Way> {
        let span = self.spec.exprs[expr].span;
        let inner = self.ways(body);
        let copies = self.let_copies.extract_if(.., |(def, _)| defs.contains(def));
        let all: Vec<DefId> = defs.iter().copied().chain(copies.map(|(_, copy)| copy)).collect();
        let around = |body: ExprId| ExprKind::Let { defs: all.clone(), body };
        inner.into_iter().map(|way| Way { expr: push(self.spec, around(way.expr), span), ..way }).collect()
    }

    /// Follows each arm by itself. The other arms keep their guards and become FALSE, so that an arm is chosen only if
    /// it would be in the whole.
    fn cases(&mut self, expr: ExprId, arms: &[(ExprId, ExprId)], other: Option<ExprId>) -> Vec<Way> {
        let span = self.spec.exprs[expr].span;
        let never = push(self.spec, ExprKind::Bool(false), span);
        let closed: Vec<(ExprId, ExprId)> = arms.iter().map(|(guard, _)| (*guard, never)).collect();
        let mut ways = Vec::new();
        for (index, (guard, body)) in arms.iter().enumerate() {
            ways.extend(self.wrap(expr, *body, |body| {
                let mut arms = closed.clone();
                arms[index] = (*guard, body);
                ExprKind::Case { arms, other: other.map(|_| never) }
            }));
        }
        if let Some(body) = other {
            ways.extend(
                self.wrap(expr, body, |body| ExprKind::Case { arms: closed.clone(), other: Some(body) }),
            );
        }
        ways
    }

    fn branches(&mut self, expr: ExprId, condition: ExprId, (then, otherwise): (ExprId, ExprId)) -> Vec<Way> {
        let span = self.spec.exprs[expr].span;
        let never = push(self.spec, ExprKind::Bool(false), span);
        let mut ways = self.wrap(expr, then, |then| ExprKind::If { condition, then, otherwise: never });
        ways.extend(self.wrap(expr, otherwise, |otherwise| ExprKind::If {
            condition,
            then: never,
            otherwise,
        }));
        ways
    }

    fn exists(&mut self, expr: ExprId, bounds: &[Bound], body: ExprId) -> Vec<Way> {
        let span = self.spec.exprs[expr].span;
        let mut all = Vec::new();
        for mut way in self.ways(body) {
            let (mut narrowed, mut items) = (Vec::new(), Vec::new());
            for bound in bounds {
                self.narrow(bound, &mut way.used, (&mut narrowed, &mut items));
            }
            items.push(way.expr);
            let body = junction(self.spec, JunctionKind::And, items, span);
            let kind = ExprKind::Quantified { kind: Quantifier::Exists, bounds: narrowed, body };
            all.push(Way { expr: push(self.spec, kind, span), used: way.used });
        }
        all
    }

    /// Narrows a bound whose names have values already. The conditions on these values go to `items`.
    fn narrow(
        &mut self,
        bound: &Bound,
        used: &mut Vec<(LocalId, usize)>,
        (narrowed, items): (&mut Vec<Bound>, &mut Vec<ExprId>),
    ) {
        let is_tuple = matches!(bound.pattern, Pattern::Tuple(_));
        if is_tuple {
            narrowed.push(bound.clone());
        }
        for &local in bound.pattern.locals() {
            let mut values = used.extract_if(.., |(name, _)| *name == local);
            let values: Vec<ExprId> = values.by_ref().filter_map(|(_, index)| self.binds[index]).collect();
            let name_span = self.spec.locals[local].span;
            let name = push(self.spec, ExprKind::Local(local), name_span);
            let (first, rest) = match (is_tuple, values.split_first()) {
                (false, Some((first, rest))) => (Some(*first), rest),
                (true, _) | (false, None) => (None, values.as_slice()),
            };
            if !is_tuple {
                let set = match first {
                    Some(value) => self.singleton((name, value), bound.set, items),
                    None => bound.set,
                };
                narrowed.push(Bound { pattern: Pattern::Names(vec![local]), set });
            }
            for &value in rest {
                items.push(binary(self.spec, Builtin::Eq, (name, value), name_span));
            }
        }
    }

    /// Returns `{value}`. The condition that the name is in its set goes to `items`.
    fn singleton(&mut self, (name, value): (ExprId, ExprId), set: ExprId, items: &mut Vec<ExprId>) -> ExprId {
        let (name_span, set_span) = (self.spec.exprs[name].span, self.spec.exprs[set].span);
        // The place is that of `name \in set`, if the two are beside each other in the text.
        let is_near = name_span.source == set_span.source && name_span.end <= set_span.start;
        let span = if is_near { name_span.to(set_span) } else { set_span };
        items.push(binary(self.spec, Builtin::In, (name, set), span));
        let value_span = self.spec.exprs[value].span;
        push(self.spec, ExprKind::SetEnum(vec![value]), value_span)
    }

    fn local_of(&self, arg: &Arg) -> Option<LocalId> {
        let Arg::Expr(expr) = arg else { return None };
        if let ExprKind::Local(local) = self.spec.exprs[*expr].kind { Some(local) } else { None }
    }

    fn equal(&mut self, arg: &Arg, bind: ExprId) -> Option<ExprId> {
        let Arg::Expr(expr) = arg else { return None };
        let span = self.spec.exprs[*expr].span;
        Some(binary(self.spec, Builtin::Eq, (*expr, bind), span))
    }

    fn give_up(&mut self) -> Vec<Way> {
        self.is_lost = true;
        Vec::new()
    }
}

fn expr_args(args: &[Arg]) -> Vec<ExprId> {
    let expr = |arg: &Arg| match arg {
        Arg::Expr(expr) => Some(*expr),
        Arg::Op(_) => None,
    };
    args.iter().filter_map(expr).collect()
}

/// Adds an expression to a specification.
pub fn push(spec: &mut Spec, kind: ExprKind, span: Span) -> ExprId {
    spec.exprs.push(Expr { kind, span })
}

/// Builds a junction; a single item is returned as it is.
pub fn junction(spec: &mut Spec, kind: JunctionKind, items: Vec<ExprId>, span: Span) -> ExprId {
    match items.as_slice() {
        [only] => *only,
        _ => push(spec, ExprKind::Junction { kind, items }, span),
    }
}

/// Applies an operator of the language to one operand.
pub fn unary(spec: &mut Spec, op: Builtin, operand: ExprId, span: Span) -> ExprId {
    push(spec, ExprKind::Apply { op: Op::Builtin(op), args: vec![Arg::Expr(operand)] }, span)
}

/// Applies an operator of the language to two operands.
pub fn binary(spec: &mut Spec, op: Builtin, (left, right): (ExprId, ExprId), span: Span) -> ExprId {
    let args = vec![Arg::Expr(left), Arg::Expr(right)];
    push(spec, ExprKind::Apply { op: Op::Builtin(op), args }, span)
}

/// Returns the definitions that a next-state relation is a disjunction of.
pub(super) fn actions(spec: &Spec, next: ExprId) -> Vec<DefId> {
    let mut found = Vec::new();
    collect(spec, (next, true), &mut found);
    found
}

/// Collects the actions below an expression; returns whether there was one. Cases inside an action belong to the
/// action, those in the relation do not.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is looked through")]
fn collect(spec: &Spec, (expr, is_relation): (ExprId, bool), found: &mut Vec<DefId>) -> bool {
    let all = |items: &[ExprId], found: &mut Vec<DefId>| {
        let n_found = items.iter().filter(|item| collect(spec, (**item, is_relation), found)).count();
        n_found > 0
    };
    match &spec.exprs[expr].kind {
        ExprKind::Junction { kind: JunctionKind::Or, items } => all(items, found),
        ExprKind::Apply { op: Op::Builtin(Builtin::Or), args } => all(&expr_args(args), found),
        ExprKind::Quantified { kind: Quantifier::Exists, body, .. }
        | ExprKind::Let { body, .. }
        | ExprKind::Label { body, .. } => collect(spec, (*body, is_relation), found),
        ExprKind::If { then, otherwise, .. } if is_relation => all(&[*then, *otherwise], found),
        ExprKind::Case { arms, other } if is_relation => {
            let bodies: Vec<ExprId> = arms.iter().map(|(_, body)| *body).chain(*other).collect();
            all(&bodies, found)
        }
        ExprKind::Apply { op: Op::Def(def), .. } => {
            let entry = &spec.defs[*def];
            let DefBody::Expr(body) = entry.body else { return false };
            let is_action = spec.levels.defs[*def] == Level::Action;
            if entry.std.is_some() || entry.recursive || !is_action {
                return false;
            }
            if found.contains(def) {
                return true;
            }
            // A disjunction of other definitions is not an action itself.
            let is_relation = is_relation && entry.params.is_empty();
            if collect(spec, (body, is_relation), found) {
                return true;
            }
            // A definition in a LET cannot be named.
            if entry.kind == DefKind::Let {
                return false;
            }
            found.push(*def);
            true
        }
        _ => false,
    }
}
