//! The parts of the state that a step by an action may read and change, by its text alone: variables, and below them
//! the values of functions, fields of records and elements of sets, as far as the event determines them.
//!
//! The result holds in every state. A step changes only the parts that are written here; whether there is a step, and
//! what it writes, depends only on the parts that are read or written here. So two actions of which neither writes what
//! the other reads or writes lead to the same states in either order, and neither makes the other possible or
//! impossible. An expression that is not understood touches everything.

mod values;

use base::{FxHashMap, FxHashSet, FxIndexSet, Name};
use sema::Spec;
use sema::config::{Replacement, Replacements};
use sema::spec::{
    Arg, Bound, Builtin, DefBody, DefId, ExprId, ExprKind, JunctionKind, LocalId, Op, Pattern, Quantifier,
    VarId,
};
use sema::std_ops::StdOp;

use values::Shape;

/// The most subexpressions that are examined for one action.
const PARTS_MAX: usize = 100_000;

/// An expression of the event alone: `root`, and fields of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub root: ExprId,
    pub fields: Vec<Name>,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Inside {
    /// Any step.
    Any,
    Field(Name),
    /// The argument of a function, or the element of a set.
    Key(Key),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TouchKind {
    Read,
    Write,
    /// Elements are added to a set. Two such actions do not interfere.
    Grow,
}

/// A part of the state that is touched, with all that is below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RawTouch {
    pub variable: VarId,
    pub path: Vec<Inside>,
    pub kind: TouchKind,
}

/// Returns the parts that an action touches; `None` if that may be everything.
pub(super) fn touches(
    spec: &Spec,
    replacements: &Replacements,
    (action, event): (ExprId, VarId),
) -> Option<Vec<RawTouch>> {
    let mut toucher = Toucher {
        spec,
        replacements,
        event,
        bound: FxHashMap::default(),
        open: Vec::new(),
        found: Vec::new(),
        is_primed: false,
        is_lost: false,
        n_parts: 0,
    };
    toucher.action(action);
    let mut found = toucher.found;
    let mut seen = FxHashSet::default();
    found.retain(|touch| seen.insert(touch.clone()));
    (!toucher.is_lost).then_some(found)
}

struct Toucher<'s> {
    spec: &'s Spec,
    replacements: &'s Replacements,
    event: VarId,
    /// The shapes that names stand for.
    bound: FxHashMap<LocalId, Shape>,
    /// Definitions that are being followed.
    open: Vec<DefId>,
    found: Vec<RawTouch>,
    /// Whether variables are those of the next state.
    is_primed: bool,
    /// Whether something is not understood.
    is_lost: bool,
    n_parts: usize,
}

impl Toucher<'_> {
    fn touch(&mut self, variable: VarId, path: Vec<Inside>, kind: TouchKind) {
        if variable != self.event {
            self.found.push(RawTouch { variable, path, kind });
        }
    }

    /// Whether the limit on subexpressions is exceeded.
    fn is_over(&mut self) -> bool {
        self.n_parts += 1;
        self.is_lost |= self.n_parts > PARTS_MAX;
        self.is_lost
    }

    /// Examines a formula that a step has to satisfy.
    fn action(&mut self, expr: ExprId) {
        if !self.is_over() {
            base::with_stack(|| self.action_here(expr));
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is a condition")]
    fn action_here(&mut self, expr: ExprId) {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::Junction { items, kind: JunctionKind::And | JunctionKind::Or } => {
                items.iter().for_each(|&item| self.action(item));
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::And | Builtin::Or | Builtin::Cdot), args } => {
                args.iter().filter_map(Arg::expr).for_each(|item| self.action(item));
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::Eq), args }
                if self.find_assignment(args).is_some() =>
            {
                self.assignment(args);
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::In), args }
                if self.find_assignment(args).is_some() =>
            {
                self.read_args(args);
                if let Some((variable, _)) = self.find_assignment(args) {
                    self.touch(variable, Vec::new(), TouchKind::Write);
                }
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::Unchanged), args } => {
                args.iter().filter_map(Arg::expr).for_each(|item| self.examine_unchanged(item));
            }
            ExprKind::Apply { op: Op::Def(def), args } if self.is_looked_through(*def, args) => {
                self.examine_body(*def, args, |this, body| this.action(body));
            }
            ExprKind::Quantified { kind: Quantifier::Exists | Quantifier::Forall, bounds, body } => {
                self.bind_all(bounds);
                self.action(*body);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.read(*condition);
                self.action(*then);
                self.action(*otherwise);
            }
            ExprKind::Case { arms, other } => {
                for (guard, body) in arms {
                    self.read(*guard);
                    self.action(*body);
                }
                other.iter().for_each(|&other| self.action(other));
            }
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => self.action(*body),
            _ => self.read(expr),
        }
    }

    /// Returns the variable and the expression of `x' = e` or `x' \in e`.
    fn find_assignment(&self, args: &[Arg]) -> Option<(VarId, ExprId)> {
        let [Arg::Expr(left), Arg::Expr(right)] = args else { return None };
        let ExprKind::Apply { op: Op::Builtin(Builtin::Prime), args } = &self.spec.exprs[*left].kind else {
            return None;
        };
        let [Arg::Expr(operand)] = args.as_slice() else { return None };
        let ExprKind::Var(variable) = &self.spec.exprs[*operand].kind else { return None };
        (!self.is_primed).then_some((*variable, *right))
    }

    /// Examines `x' = e`, where `e` may be `x` except for some of its parts.
    fn assignment(&mut self, args: &[Arg]) {
        let Some((variable, right)) = self.find_assignment(args) else { return };
        let shape = self.value(right);
        if shape.is_made_of(variable) {
            for (path, kind) in shape.changed {
                self.touch(variable, path, kind);
            }
            return;
        }
        self.read_shape(&shape);
        self.touch(variable, Vec::new(), TouchKind::Write);
    }

    /// Examines UNCHANGED: a variable that stays as it is depends on nothing.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is compared, and so read")]
    fn examine_unchanged(&mut self, expr: ExprId) {
        let spec = self.spec;
        if self.is_over() {
            return;
        }
        match &spec.exprs[expr].kind {
            ExprKind::Var(_) => {}
            ExprKind::Tuple(items) => items.iter().for_each(|&item| self.examine_unchanged(item)),
            ExprKind::Apply { op: Op::Def(def), args }
                if args.is_empty() && self.is_looked_through(*def, args) =>
            {
                self.examine_body(*def, args, |this, body| this.examine_unchanged(body));
            }
            _ => self.read(expr),
        }
    }

    /// Whether a definition can be replaced by its body.
    fn is_looked_through(&self, def: DefId, args: &[Arg]) -> bool {
        let entry = &self.spec.defs[def];
        entry.std.is_none()
            && !entry.recursive
            && !self.replacements.defs.contains_key(&def)
            && !self.open.contains(&def)
            && matches!(entry.body, DefBody::Expr(_))
            && args.iter().all(|arg| matches!(arg, Arg::Expr(_)))
    }

    /// Examines the body of a definition, with the arguments as its parameters.
    fn examine_body<T>(
        &mut self,
        def: DefId,
        args: &[Arg],
        look: impl FnOnce(&mut Self, ExprId) -> T,
    ) -> Option<T> {
        let spec = self.spec;
        let DefBody::Expr(body) = spec.defs[def].body else { return None };
        let shapes: Vec<Shape> =
            args.iter().filter_map(Arg::expr).map(|arg| self.shape_with_key(arg)).collect();
        let params = &spec.defs[def].params;
        let before: Vec<(LocalId, Option<Shape>)> =
            params.iter().map(|&param| (param, self.bound.get(&param).cloned())).collect();
        self.bound.extend(params.iter().copied().zip(shapes));
        self.open.push(def);
        let found = look(self, body);
        self.open.pop();
        for (param, shape) in before {
            match shape {
                Some(shape) => self.bound.insert(param, shape),
                None => self.bound.remove(&param),
            };
        }
        Some(found)
    }

    /// Returns the shape of an expression, with its key if it has one.
    fn shape_with_key(&mut self, expr: ExprId) -> Shape {
        let key = self.key(expr);
        let mut shape = self.value(expr);
        shape.key = key;
        shape
    }

    /// Returns the key of an expression of the event alone, which can be evaluated before there is a state.
    fn key(&self, expr: ExprId) -> Option<Key> {
        let kind = &self.spec.exprs[expr].kind;
        if let ExprKind::Local(local) = kind {
            return self.bound.get(local).and_then(|shape| shape.key.clone());
        }
        if let ExprKind::Field { record, field } = kind {
            let mut key = self.key(*record)?;
            key.fields.push(*field);
            return Some(key);
        }
        self.is_of_event(expr).then(|| Key { root: expr, fields: Vec::new() })
    }

    fn is_of_event(&self, expr: ExprId) -> bool {
        let mut is_free = true;
        self.spec.walk(expr, |part| {
            is_free &= !matches!(self.spec.exprs[part].kind, ExprKind::Local(_));
            is_free
        });
        // A definition in a `LET` may use names around it.
        crate::reads::walk(self.spec, expr, &mut |part| {
            is_free &= !matches!(&self.spec.exprs[part].kind, ExprKind::Local(local) if self.bound.contains_key(local));
        });
        is_free && self.variables_in(expr).is_some_and(|read| read.is_empty())
    }

    /// Returns the variables that an expression reads, besides the event; `None` if it does more than read them.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is what its parts are")]
    fn variables_in(&self, expr: ExprId) -> Option<FxIndexSet<VarId>> {
        let (mut read, mut is_plain) = (FxIndexSet::default(), true);
        crate::reads::walk(self.spec, expr, &mut |part| match &self.spec.exprs[part].kind {
            ExprKind::Var(variable) if *variable == self.event => {}
            ExprKind::Var(variable) => {
                read.insert(*variable);
            }
            ExprKind::Const(constant) => is_plain &= self.find_replacement(*constant).is_none(),
            ExprKind::Apply { op: Op::Def(def), .. } => {
                let entry = &self.spec.defs[*def];
                let is_known = entry.std.map_or(matches!(entry.body, DefBody::Expr(_)), is_pure);
                is_plain &= is_known && !self.replacements.defs.contains_key(def);
            }
            ExprKind::Apply { op: Op::Const(_), .. } | ExprKind::Unbounded { .. } | ExprKind::Step { .. } => {
                is_plain = false;
            }
            ExprKind::Apply { op: Op::Builtin(op), .. } => is_plain &= !is_about_steps(*op),
            _ => {}
        });
        is_plain.then_some(read)
    }

    fn bind_all(&mut self, bounds: &[Bound]) {
        for bound in bounds {
            self.bind(&bound.pattern, bound.set);
        }
    }

    /// Binds the names of a pattern. A name in a set with one element is that element.
    fn bind(&mut self, pattern: &Pattern, set: ExprId) {
        let shape = if let (ExprKind::SetEnum(items), Pattern::Names(_)) =
            (&self.spec.exprs[set].kind, pattern)
            && let [only] = items.as_slice()
        {
            self.shape_with_key(*only)
        } else {
            self.read(set);
            Shape::opaque()
        };
        for &local in pattern.locals() {
            self.bound.insert(local, shape.clone());
        }
    }

    /// Returns the definition that a constant stands for.
    fn find_replacement(&self, constant: sema::spec::ConstId) -> Option<DefId> {
        match self.replacements.constants.get(&constant) {
            Some(Replacement::Def(def)) => Some(*def),
            Some(Replacement::Const(_) | Replacement::Value(_) | Replacement::Table(_)) | None => None,
        }
    }
}

fn is_about_steps(op: Builtin) -> bool {
    matches!(
        op,
        Builtin::Prime
            | Builtin::Unchanged
            | Builtin::Enabled
            | Builtin::Cdot
            | Builtin::Box
            | Builtin::Diamond
            | Builtin::LeadsTo
            | Builtin::PlusArrow
    )
}

/// Whether an operator returns the same for the same arguments and has no side effects.
fn is_pure(op: StdOp) -> bool {
    const MODULES: [&str; 11] = [
        "Naturals",
        "Integers",
        "Sequences",
        "FiniteSets",
        "Bags",
        "SequencesExt",
        "FiniteSetsExt",
        "Functions",
        "Folds",
        "BagsExt",
        "Bitwise",
    ];
    let is_of_tlc = matches!(op, StdOp::MapsTo | StdOp::Override | StdOp::Permutations | StdOp::SortSeq);
    is_of_tlc || op == StdOp::TlcEval || MODULES.contains(&op.signature().0)
}
