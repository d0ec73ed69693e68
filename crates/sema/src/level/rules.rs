//! The level rules of the language itself, one table: how high each part of each construct may be, whether
//! it counts towards the level of the whole, and the level that the construct has of its own.
//!
//! Applications of definitions and of declared operators are not here: see `apply`.

use diag::Code;

use super::Level;
use crate::spec::{
    Arg, AssumeItem, Bound, Builtin, ExceptStep, ExceptUpdate, ExprId, ExprKind, Fairness, JunctionKind,
    LocalKind, NewKind, Op, StepKind, UnboundedQuantifier,
};
use crate::spec_walk::Head;

/// The level rule of an operator of the language. It treats all operands alike.
pub(super) struct Rule {
    /// The level it has with constant operands.
    pub own: Level,
    /// The highest level of an operand.
    pub max: Level,
    /// Whether an operand's level counts. Where it does not, equal operands may give different results.
    pub counts: bool,
    pub symbol: &'static str,
}

pub(super) fn builtin(op: Builtin) -> Rule {
    use Level::{Action, Constant, State, Temporal};
    let (own, max, counts, symbol) = match op {
        Builtin::And => (Constant, Temporal, true, "/\\"),
        Builtin::Or => (Constant, Temporal, true, "\\/"),
        Builtin::Not => (Constant, Temporal, true, "~"),
        Builtin::Implies => (Constant, Temporal, true, "=>"),
        Builtin::Equiv => (Constant, Temporal, true, "<=>"),
        Builtin::Eq => (Constant, Action, true, "="),
        Builtin::Neq => (Constant, Action, true, "#"),
        Builtin::In => (Constant, Action, true, "\\in"),
        Builtin::NotIn => (Constant, Action, true, "\\notin"),
        Builtin::SubsetEq => (Constant, Action, true, "\\subseteq"),
        Builtin::Cup => (Constant, Action, true, "\\cup"),
        Builtin::Cap => (Constant, Action, true, "\\cap"),
        Builtin::SetMinus => (Constant, Action, true, "\\"),
        Builtin::Times => (Constant, Action, true, "\\X"),
        Builtin::PowerSet => (Constant, Action, true, "SUBSET"),
        Builtin::Union => (Constant, Action, true, "UNION"),
        Builtin::Domain => (Constant, Action, true, "DOMAIN"),
        Builtin::Prime => (Action, State, false, "'"),
        Builtin::Unchanged => (Action, State, false, "UNCHANGED"),
        Builtin::Enabled => (State, Action, false, "ENABLED"),
        Builtin::Cdot => (Action, Action, false, "\\cdot"),
        Builtin::Box => (Temporal, Temporal, false, "[]"),
        Builtin::Diamond => (Temporal, Temporal, false, "<>"),
        Builtin::LeadsTo => (Temporal, Temporal, false, "~>"),
        Builtin::PlusArrow => (Temporal, Temporal, false, "-+->"),
    };
    Rule { own, max, counts, symbol }
}

/// Returns the number of operands that it takes as an operator argument.
pub(super) fn builtin_arity(op: Builtin) -> usize {
    match op {
        Builtin::Not
        | Builtin::PowerSet
        | Builtin::Union
        | Builtin::Domain
        | Builtin::Prime
        | Builtin::Unchanged
        | Builtin::Enabled
        | Builtin::Box
        | Builtin::Diamond => 1,
        Builtin::And
        | Builtin::Or
        | Builtin::Implies
        | Builtin::Equiv
        | Builtin::Eq
        | Builtin::Neq
        | Builtin::In
        | Builtin::NotIn
        | Builtin::SubsetEq
        | Builtin::Cup
        | Builtin::Cap
        | Builtin::SetMinus
        | Builtin::Times
        | Builtin::Cdot
        | Builtin::LeadsTo
        | Builtin::PlusArrow => 2,
    }
}

/// Returns the level of a bound or declared name; for a parameter, the least it can have. The level of `@` is that of
/// what it stands for.
pub(super) fn local(kind: LocalKind) -> Level {
    match kind {
        LocalKind::Param | LocalKind::Bound | LocalKind::At | LocalKind::New(NewKind::Constant) => {
            Level::Constant
        }
        LocalKind::TemporalBound | LocalKind::New(NewKind::Variable | NewKind::State) => Level::State,
        LocalKind::New(NewKind::Action) => Level::Action,
        LocalKind::New(NewKind::Temporal) => Level::Temporal,
    }
}

/// The role of a part, for messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum PartRole {
    Operand(Builtin),
    /// A role described in words: "an element of a set".
    Named(&'static str),
    /// The set of a bound name.
    Bound,
    /// The set of a `NEW` name.
    NewSet,
    /// A place where every level may stand.
    Any,
}

impl PartRole {
    pub fn describe(self) -> String {
        match self {
            PartRole::Operand(op) => format!("an operand of `{}`", builtin(op).symbol),
            PartRole::Named(name) => name.to_owned(),
            PartRole::Bound => "the set of a bound name".to_owned(),
            PartRole::NewSet => "the set of a `NEW` name".to_owned(),
            PartRole::Any => "this".to_owned(),
        }
    }

    pub fn code(self) -> Code {
        match self {
            PartRole::Operand(_) | PartRole::Named(_) | PartRole::Any => Code::LevelExceeded,
            PartRole::Bound => Code::QuantifierBoundLevel,
            PartRole::NewSet => Code::ProofStepLevel,
        }
    }
}

/// A part of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExprPart {
    pub expr: ExprId,
    pub max: Level,
    /// Whether its level counts towards the level of the whole.
    pub counts: bool,
    pub place: PartRole,
}

fn any(expr: ExprId) -> ExprPart {
    ExprPart { expr, max: Level::Temporal, counts: true, place: PartRole::Any }
}

/// Makes a part that has a value, so that it cannot be a temporal formula.
fn value(expr: ExprId, name: &'static str) -> ExprPart {
    ExprPart { expr, max: Level::Action, counts: true, place: PartRole::Named(name) }
}

fn hidden_part(expr: ExprId, max: Level, name: &'static str) -> ExprPart {
    ExprPart { expr, max, counts: false, place: PartRole::Named(name) }
}

fn bound(set: ExprId) -> ExprPart {
    ExprPart { expr: set, max: Level::Action, counts: true, place: PartRole::Bound }
}

/// Calls `visit` with each part.
///
/// Of applications, only those of the language's own operators have parts here.
pub(super) fn for_each_part(kind: &ExprKind, visit: &mut dyn FnMut(ExprPart)) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Decimal(_)
        | ExprKind::Str(_)
        | ExprKind::Bool(_)
        | ExprKind::BuiltinSet(_)
        | ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Local(_)
        | ExprKind::Error => {}
        ExprKind::Apply { op, args } => operand_parts(*op, args, visit),
        ExprKind::Junction { items, kind: _ } => items.iter().for_each(|&item| visit(any(item))),
        ExprKind::Tuple(items) => values(items, "a component of a tuple", visit),
        ExprKind::Product(items) => values(items, "an operand of `\\X`", visit),
        ExprKind::SetEnum(items) => values(items, "an element of a set", visit),
        ExprKind::FnApply { function, args } => {
            visit(value(*function, "the function in `f[x]`"));
            values(args, "the argument in `f[x]`", visit);
        }
        ExprKind::FunctionSet { domain, range } => values(&[*domain, *range], "a set in `[S -> T]`", visit),
        ExprKind::Record(fields) => fields.iter().for_each(|&(_, field)| visit(any(field))),
        ExprKind::RecordSet(fields) => {
            fields.iter().for_each(|&(_, field)| visit(value(field, "the set of a field")));
        }
        ExprKind::Field { record, field: _ } => visit(value(*record, "the record in `r.a`")),
        ExprKind::Except { base, updates } => {
            visit(except_base(*base));
            updates.iter().for_each(|update| update_parts(update, visit));
        }
        ExprKind::SetFilter { bound: range, predicate } => {
            visit(bound(range.set));
            visit(value(*predicate, "the condition of a set"));
        }
        ExprKind::SetMap { body, bounds } => {
            bounds.iter().for_each(|range| visit(bound(range.set)));
            visit(value(*body, "an element of a set"));
        }
        ExprKind::Function { bounds, body } | ExprKind::Quantified { bounds, body, kind: _ } => {
            bound_parts(bounds, visit);
            visit(any(*body));
        }
        ExprKind::Unbounded { body, kind, locals: _ } => {
            visit(ExprPart { counts: !is_temporal(*kind), ..any(*body) });
        }
        ExprKind::Choose { set, body, pattern: _ } => {
            set.iter().for_each(|&set| visit(bound(set)));
            visit(value(*body, "the condition of `CHOOSE`"));
        }
        ExprKind::If { condition, then, otherwise } => {
            [*condition, *then, *otherwise].into_iter().for_each(|part| visit(any(part)));
        }
        ExprKind::Case { arms, other } => {
            arms.iter().flat_map(|&(guard, arm)| [guard, arm]).for_each(|part| visit(any(part)));
            other.iter().for_each(|&other| visit(any(other)));
        }
        ExprKind::Let { body, defs: _ } | ExprKind::Label { body, name: _, params: _ } => visit(any(*body)),
        ExprKind::Step { kind, action, subscript } => step_parts(*kind, *action, *subscript, visit),
        ExprKind::Fairness { kind, subscript, action } => fairness_parts(*kind, *subscript, *action, visit),
        ExprKind::AssumeProve { assumptions, goal } => {
            assumptions.iter().filter_map(assumption_part).for_each(&mut *visit);
            visit(any(*goal));
        }
    }
}

/// Returns the level that `kind` has whatever its parts are. Names, definitions and `NEW` declarations need more than
/// the kind, so the caller adds theirs.
pub(super) fn own_level(kind: &ExprKind) -> Level {
    match kind.head() {
        Head::Apply { op: Op::Builtin(op), args: _ } => builtin(op).own,
        Head::Var(_) => Level::State,
        Head::Step { .. } => Level::Action,
        Head::Fairness { .. } => Level::Temporal,
        Head::Other(ExprKind::Unbounded { kind, .. }) if is_temporal(*kind) => Level::Temporal,
        Head::Const(_)
        | Head::Local(_)
        | Head::Apply { .. }
        | Head::Quantified { .. }
        | Head::If { .. }
        | Head::Case { .. }
        | Head::Other(_) => Level::Constant,
    }
}

pub(super) fn junction(kind: JunctionKind) -> Builtin {
    match kind {
        JunctionKind::And => Builtin::And,
        JunctionKind::Or => Builtin::Or,
    }
}

fn is_temporal(kind: UnboundedQuantifier) -> bool {
    match kind {
        UnboundedQuantifier::Forall | UnboundedQuantifier::Exists => false,
        UnboundedQuantifier::TemporalForall | UnboundedQuantifier::TemporalExists => true,
    }
}

fn operand_parts(op: Op, args: &[Arg], visit: &mut dyn FnMut(ExprPart)) {
    let Op::Builtin(op) = op else { return };
    let Rule { max, counts, .. } = builtin(op);
    for arg in args {
        match arg {
            Arg::Expr(expr) => visit(ExprPart { expr: *expr, max, counts, place: PartRole::Operand(op) }),
            Arg::Op(_) => debug_assert!(false, "an operator of the language takes no operators"),
        }
    }
}

fn values(exprs: &[ExprId], name: &'static str, visit: &mut dyn FnMut(ExprPart)) {
    exprs.iter().for_each(|&expr| visit(value(expr, name)));
}

fn bound_parts(bounds: &[Bound], visit: &mut dyn FnMut(ExprPart)) {
    bounds.iter().for_each(|range| visit(bound(range.set)));
}

pub(super) fn except_base(base: ExprId) -> ExprPart {
    value(base, "what `EXCEPT` changes")
}

/// Calls `visit` with the indices of the path, then with the new value.
pub(super) fn update_parts(update: &ExceptUpdate, visit: &mut dyn FnMut(ExprPart)) {
    for step in &update.path {
        match step {
            ExceptStep::Field(_) => {}
            ExceptStep::Index(indices) => values(indices, "an index in `EXCEPT`", visit),
        }
    }
    visit(value(update.value, "a new value in `EXCEPT`"));
}

fn step_parts(kind: StepKind, action: ExprId, subscript: ExprId, visit: &mut dyn FnMut(ExprPart)) {
    let (action_name, subscript_name) = match kind {
        StepKind::Box => ("the action of `[A]_v`", "the subscript of `[A]_v`"),
        StepKind::Angle => ("the action of `<<A>>_v`", "the subscript of `<<A>>_v`"),
    };
    visit(hidden_part(action, Level::Action, action_name));
    visit(hidden_part(subscript, Level::State, subscript_name));
}

fn fairness_parts(kind: Fairness, subscript: ExprId, action: ExprId, visit: &mut dyn FnMut(ExprPart)) {
    let (action_name, subscript_name) = match kind {
        Fairness::Weak => ("the action of `WF_v(A)`", "the subscript of `WF_v(A)`"),
        Fairness::Strong => ("the action of `SF_v(A)`", "the subscript of `SF_v(A)`"),
    };
    visit(hidden_part(subscript, Level::State, subscript_name));
    visit(hidden_part(action, Level::Action, action_name));
}

fn assumption_part(item: &AssumeItem) -> Option<ExprPart> {
    match *item {
        AssumeItem::Fact(fact) => Some(any(fact)),
        AssumeItem::New { set, local: _ } => {
            set.map(|set| ExprPart { expr: set, max: Level::Action, counts: true, place: PartRole::NewSet })
        }
    }
}
