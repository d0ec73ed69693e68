//! Fields that are spelled like a definition or declaration (SL0310).
//!
//! `[Key |-> 1]` has the field `"Key"`, whatever `Key` is. Who knows that writes `[msgs |-> msgs]` all the
//! time, so the rule is SANY's: no report where a value of the record, or of another one with the same
//! fields, is made from constants, variables or bound names.

use base::{FxHashMap, FxHashSet, FxIndexSet, Name};
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::is_own;
use crate::spec::{Arg, DefBody, DefId, Entity, ExprId, ExprKind, ModuleId, Op, OpArg, Spec};
use crate::std_ops::StdOp;

pub(super) fn lint(spec: &Spec) -> Diagnostics {
    let records = records(spec);
    let mut made: FxHashMap<Vec<Name>, bool> = FxHashMap::default();
    for &(_, record) in &records {
        let is_made = fields(spec, record).iter().any(|&(_, value)| is_made_from_declarations(spec, value));
        *made.entry(field_names(spec, record)).or_default() |= is_made;
    }
    let mut diagnostics = Diagnostics::new();
    for &(module, record) in &records {
        if !made[&field_names(spec, record)] {
            report(spec, module, record, &mut diagnostics);
        }
    }
    diagnostics
}

/// Every record and set of records that the user wrote, with its module.
fn records(spec: &Spec) -> FxIndexSet<(ModuleId, ExprId)> {
    let mut found = FxIndexSet::default();
    for def in spec.defs.iter().filter(|def| def.origin.is_none() && is_own(spec, def.module)) {
        let DefBody::Expr(body) = def.body else { continue };
        spec.walk(body, |expr| {
            if !fields(spec, expr).is_empty() {
                found.insert((def.module, expr));
            }
            true
        });
    }
    found
}

/// The fields of a record or set of records; of anything else, none.
fn fields(spec: &Spec, expr: ExprId) -> &[(Name, ExprId)] {
    let kind = &spec.exprs[expr].kind;
    if let ExprKind::Record(fields) | ExprKind::RecordSet(fields) = kind { fields } else { &[] }
}

/// In an order that does not depend on how they are written.
fn field_names(spec: &Spec, record: ExprId) -> Vec<Name> {
    let mut names: Vec<Name> = fields(spec, record).iter().map(|&(name, _)| name).collect();
    names.sort();
    names
}

/// Whether a constant, a variable or a bound name goes into the value, through definitions too. Sets that
/// hold infinitely many values count as such.
fn is_made_from_declarations(spec: &Spec, value: ExprId) -> bool {
    let mut entered: FxHashSet<DefId> = FxHashSet::default();
    let mut todo = vec![value];
    let mut found = false;
    while let Some(next) = todo.pop().filter(|_| !found) {
        spec.walk(next, |expr| {
            let kind = &spec.exprs[expr].kind;
            found |= is_declared(spec, kind);
            for def in kind.let_defs().iter().copied().chain(applied(kind)) {
                if let DefBody::Expr(body) = spec.defs[def].body
                    && entered.insert(def)
                {
                    todo.push(body);
                }
            }
            !found
        });
    }
    found
}

fn is_declared(spec: &Spec, kind: &ExprKind) -> bool {
    if let ExprKind::Apply { op, args: _ } = kind {
        match *op {
            Op::Const(_) | Op::Param(_) => true,
            Op::Def(def) => matches!(spec.defs[def].std, Some(StdOp::Nat | StdOp::Int | StdOp::Real)),
            Op::Builtin(_) => false,
        }
    } else {
        matches!(kind, ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Local(_) | ExprKind::BuiltinSet(_))
    }
}

/// The definitions that an expression applies or passes.
fn applied(kind: &ExprKind) -> Vec<DefId> {
    let ExprKind::Apply { op, args } = kind else { return Vec::new() };
    let passed = args.iter().filter_map(|arg| match arg {
        Arg::Op(OpArg::Ref(op, _)) => Some(*op),
        Arg::Op(OpArg::Lambda(_)) | Arg::Expr(_) => None,
    });
    let defs = std::iter::once(*op).chain(passed).filter_map(|op| match op {
        Op::Def(def) => Some(def),
        Op::Const(_) | Op::Param(_) | Op::Builtin(_) => None,
    });
    defs.collect()
}

fn report(spec: &Spec, module: ModuleId, record: ExprId, diagnostics: &mut Diagnostics) {
    let mut from = spec.exprs[record].span.start_point();
    for &(field, value) in fields(spec, record) {
        let value_span = spec.exprs[value].span;
        let place = field_span(spec, field, from.to(value_span.start_point())).unwrap_or(value_span);
        from = value_span.end_point();
        let entry = spec.modules[module].scope.get(&field);
        let Some((entity, meaning)) = entry.and_then(|entry| meaning(spec, entry.entity)) else { continue };
        let name = spec.names.text(field);
        let headline =
            format!("the field `{name}` is not called after {entity} `{name}`: it is the string \"{name}\"");
        let diagnostic = Diagnostic::new(Code::FieldNameClash, place, headline)
            .label(format!("this is `\"{name}\"`"))
            .related(meaning, format!("`{name}` plays no part in it"))
            .help(format!("rename the field, or write a function: `[k \\in {{{name}}} |-> ...]`"));
        diagnostics.push(diagnostic);
    }
}

/// What a name stands for and where it gets this meaning.
fn meaning(spec: &Spec, entity: Entity) -> Option<(&'static str, Span)> {
    match entity {
        Entity::Const(id) => Some(("the constant", spec.constants[id].span)),
        Entity::Var(id) => Some(("the variable", spec.variables[id].span)),
        Entity::Def(id) => Some(("the definition", spec.defs[id].name_span)),
        Entity::Instance(_) | Entity::Local(_) => None,
    }
}

/// Where a field is named: right before its value.
fn field_span(spec: &Spec, field: Name, within: Span) -> Option<Span> {
    let name = spec.names.text(field);
    let start = within.start + spec.sources.text(within).rfind(name)? as u32;
    Some(Span { start, end: start + name.len() as u32, ..within })
}
