//! Finds out, from its text alone, where a trace specification takes its log from.

use base::{FxHashSet, Id};
use diag::Span;
use sema::Spec;
use sema::config::BoundConfig;
use sema::spec::{Builtin, DefBody, DefId, Entity, ExprId, ExprKind, Op};
use sema::std_ops::StdOp;

/// The known facts about how a specification reads a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The environment variables that give the name of the file, in the order of the text.
    pub variables: Vec<String>,
    /// The sequence of events and the variable that indexes it, if there is one such pair.
    pub sequence: Option<LogSequence>,
    /// Whether it contains `TLCSet("exit", ...)`.
    pub has_exit: bool,
    /// Whether everything that it deserialises is JSON.
    pub is_json: bool,
}

/// The two parts of `TraceLog[l]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSequence {
    /// The definition of the sequence, whose name the root module knows.
    pub def: DefId,
    pub name: String,
    /// The variable that says which event comes next.
    pub variable: String,
}

/// Examines everything in a specification.
pub fn reads(spec: &Spec) -> Reads {
    let mut found = Reads::default();
    let all = || (0..spec.exprs.len()).map(ExprId::from_index);
    for expr in all().filter(|&expr| is_deserialisation(spec, expr)) {
        for argument in spec.children(expr) {
            walk(spec, argument, &mut |part| found.variables.extend(variable_read(spec, part)));
        }
    }
    let is_json = |op: StdOp| [StdOp::NdJsonDeserialize, StdOp::JsonDeserialize].contains(&op);
    let read_by = |expr: ExprId| applied_def(spec, expr).and_then(|def| spec.defs[def].std);
    found.is_json =
        all().filter(|&expr| is_deserialisation(spec, expr)).all(|expr| read_by(expr).is_some_and(is_json));
    found.has_exit = all().any(|expr| is_exit(spec, expr));
    let mut seen = FxHashSet::default();
    found.variables.retain(|name| seen.insert(name.clone()));
    let mut sequences: Vec<LogSequence> = Vec::new();
    for sequence in all().filter_map(|expr| sequence(spec, expr)) {
        if !sequences.iter().any(|known| known.variable == sequence.variable) {
            sequences.push(sequence);
        }
    }
    found.sequence = sequences.pop().filter(|_| sequences.is_empty());
    found
}

/// Returns the operator that an expression applies.
fn applied_def(spec: &Spec, expr: ExprId) -> Option<DefId> {
    if let ExprKind::Apply { op: Op::Def(def), .. } = &spec.exprs[expr].kind { Some(*def) } else { None }
}

fn is_deserialisation(spec: &Spec, expr: ExprId) -> bool {
    let readers =
        [StdOp::NdJsonDeserialize, StdOp::JsonDeserialize, StdOp::IoDeserialize, StdOp::Deserialize];
    let op = applied_def(spec, expr).and_then(|def| spec.defs[def].std);
    op.is_some_and(|op| readers.contains(&op))
}

/// Returns the place of `TLCSet("exit", ...)` in the formulas that are evaluated during the search.
pub fn exit_place(spec: &Spec, config: &BoundConfig) -> Option<Span> {
    let BoundConfig { specification, init, next, invariants, constraints, action_constraints, .. } = config;
    let single = [specification, init, next].into_iter().flatten();
    let all = single.chain([invariants, constraints, action_constraints].into_iter().flatten());
    let mut place = None;
    for named in all {
        if let DefBody::Expr(body) = spec.defs[named.def].body {
            walk(spec, body, &mut |part| {
                if place.is_none() && is_exit(spec, part) {
                    place = Some(spec.exprs[part].span);
                }
            });
        }
    }
    place
}

/// Whether an expression is `TLCSet("exit", ...)`.
fn is_exit(spec: &Spec, expr: ExprId) -> bool {
    let is_set = applied_def(spec, expr).is_some_and(|def| spec.defs[def].std == Some(StdOp::TlcSet));
    let is_named = |register: &ExprId| matches!(&spec.exprs[*register].kind, ExprKind::Str(name) if spec.names.text(*name) == "exit");
    is_set && spec.children(expr).first().is_some_and(is_named)
}

/// Returns the variable that `IOEnv.NAME` or `IOEnv["NAME"]` reads.
fn variable_read(spec: &Spec, expr: ExprId) -> Option<String> {
    let is_environment =
        |expr: ExprId| applied_def(spec, expr).is_some_and(|def| spec.defs[def].std == Some(StdOp::IoEnv));
    let kind = &spec.exprs[expr].kind;
    if let ExprKind::Field { record, field } = kind {
        return is_environment(*record).then(|| spec.names.text(*field).to_owned());
    }
    if let ExprKind::FnApply { function, args } = kind
        && let [name] = args.as_slice()
        && let ExprKind::Str(name) = &spec.exprs[*name].kind
    {
        return is_environment(*function).then(|| spec.names.text(*name).to_owned());
    }
    None
}

/// Returns the pair if an expression applies a definition that comes from a file to a variable.
fn sequence(spec: &Spec, expr: ExprId) -> Option<LogSequence> {
    let ExprKind::FnApply { function, args } = &spec.exprs[expr].kind else { return None };
    let [argument] = args.as_slice() else { return None };
    let ExprKind::Var(variable) = &spec.exprs[*argument].kind else { return None };
    let def = applied_def(spec, *function)?;
    let name = spec.defs[def].name;
    let is_known =
        spec.modules[spec.root].scope.get(&name).is_some_and(|entry| entry.entity == Entity::Def(def));
    let mut is_read = false;
    walk(spec, *function, &mut |part| is_read |= is_deserialisation(spec, part));
    let text = |name| spec.names.text(name).to_owned();
    (is_known && is_read).then(|| LogSequence {
        def,
        name: text(name),
        variable: text(spec.variables[*variable].name),
    })
}

/// Returns the properties of a configuration which say that the log is read to its end eventually: `<>(l > Len(Log))`.
pub fn end_properties(spec: &Spec, config: &BoundConfig, sequence: &LogSequence) -> Vec<String> {
    let is_one = |body: ExprId| {
        let (mut is_some_time, mut has_cursor, mut has_log) = (false, false, false);
        walk(spec, body, &mut |part| {
            let kind = &spec.exprs[part].kind;
            is_some_time |=
                matches!(kind, ExprKind::Apply { op: Op::Builtin(Builtin::Diamond | Builtin::LeadsTo), .. });
            let is_cursor = |name| spec.names.text(name) == sequence.variable;
            has_cursor |=
                matches!(kind, ExprKind::Var(variable) if is_cursor(spec.variables[*variable].name));
            has_log |= applied_def(spec, part) == Some(sequence.def);
        });
        is_some_time && has_cursor && has_log
    };
    let bodies = config.properties.iter().filter_map(|named| match spec.defs[named.def].body {
        DefBody::Expr(body) => Some((named, body)),
        DefBody::Native | DefBody::Missing => None,
    });
    let found = bodies.filter(|(_, body)| is_one(*body));
    found.map(|(named, _)| spec.names.text(named.name).to_owned()).collect()
}

/// Returns the names by which a specification refers to the log: the variable that says which event comes next, and
/// definitions that read the log.
pub fn about_log(spec: &Spec, sequence: &LogSequence) -> Vec<String> {
    let mut names = vec![sequence.variable.clone(), sequence.name.clone()];
    let mut known: FxHashSet<DefId> = FxHashSet::from_iter([sequence.def]);
    // The question is what an action does with the log, so actions are not such names.
    let is_plain = |def: &DefId| spec.levels.defs[*def] < sema::level::Level::Action;
    loop {
        let all = (0..spec.defs.len()).map(DefId::from_index);
        let new: Vec<DefId> = all.filter(|def| !known.contains(def) && is_plain(def)).collect();
        let reads_log = |def: &DefId| {
            let mut is_read = false;
            if let DefBody::Expr(body) = spec.defs[*def].body {
                spec.walk(body, |part| {
                    is_read |= applied_def(spec, part).is_some_and(|def| known.contains(&def));
                    !is_read
                });
            }
            is_read
        };
        let new: Vec<DefId> = new.into_iter().filter(reads_log).collect();
        if new.is_empty() {
            return names;
        }
        names.extend(new.iter().map(|&def| spec.names.text(spec.defs[def].name).to_owned()));
        known.extend(new);
    }
}

/// Calls `visit` for `expr` and everything below it, definitions included.
pub fn walk(spec: &Spec, expr: ExprId, visit: &mut impl FnMut(ExprId)) {
    let mut entered: FxHashSet<DefId> = FxHashSet::default();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        visit(expr);
        todo.extend(spec.children(expr));
        if let Some(def) = applied_def(spec, expr)
            && spec.defs[def].std.is_none()
            && let DefBody::Expr(body) = spec.defs[def].body
            && entered.insert(def)
        {
            todo.push(body);
        }
    }
}
