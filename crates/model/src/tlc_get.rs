//! Values of `TLCGet` that depend on the model alone.

use diag::Span;
use eval::interp::{ActionInstance, Machine, Shared, action_instances};
use eval::ir::Root;
use eval::temporal::TemporalRoot;
use eval::{NoRun, Owned};
use sema::spec::{DefBody, Entity};
use value::Region;

use crate::Model;
use crate::names::{location, root_name};

/// `TLCGet("spec")` while constants and assumptions are evaluated, which is before a run knows its actions. `None` if they
/// have no value.
pub fn describe_early(model: Model<'_>, region: &Region) -> Option<Owned> {
    let shared = Shared::new(model.program);
    let mut machine = Machine::new(model.program, &shared, region, &NoRun);
    let actions = action_instances(model.program, &mut machine).ok()?;
    Some(describe(model, &actions))
}

/// `TLCGet("spec")`
pub fn describe(model: Model<'_>, actions: &[ActionInstance<'_>]) -> Owned {
    let (program, names) = (model.program, &model.spec.names);
    let one = |name: &str, span: Span| {
        let place = location(model.spec, span);
        Owned::record([("name", Owned::text(name)), ("location", place)])
    };
    // TLC: what has a name has the place of its definition's body, wherever it is used.
    let body = |root: &Root| match root.def.map(|def| model.spec.defs[def].body) {
        Some(DefBody::Expr(body)) => model.spec.exprs[body].span,
        Some(DefBody::Native | DefBody::Missing) | None => root.span,
    };
    let root = |root: &Root| one(&root_name(model.spec, root), body(root));
    let roots = |roots: &[Root]| Owned::Set(roots.iter().map(root).collect());
    // TLC: the place of a constraint is that of its definition, with the name.
    let whole = |root: &Root| {
        let span = root.def.map_or(root.span, |def| model.spec.defs[def].span);
        one(&root_name(model.spec, root), span)
    };
    let wholes = |roots: &[Root]| Owned::Set(roots.iter().map(whole).collect());
    let temporal = |root: &TemporalRoot| {
        let name = root.def.map_or(root.name, |def| model.spec.defs[def].name);
        one(names.text(name), root.span)
    };
    let temporals = |roots: &[TemporalRoot]| Owned::Set(roots.iter().map(temporal).collect());
    let actions = actions.iter().map(|action| one(names.text(action.leaf.name), action.leaf.span));
    let root_scope = &model.spec.modules[model.spec.root].scope;
    let declared = |name| root_scope.get(&name).map(|entry| entry.entity);
    let variables = program.variables.iter().filter_map(|&name| match declared(name) {
        Some(Entity::Var(id)) => Some(one(names.text(name), model.spec.variables[id].span)),
        Some(Entity::Const(_) | Entity::Def(_) | Entity::Instance(_) | Entity::Local(_)) | None => None,
    });
    let steps: Vec<Root> = program.step_properties.iter().map(|property| property.root).collect();
    Owned::record([
        ("inits", roots(&program.init)),
        ("actions", Owned::Set(actions.collect())),
        ("temporals", temporals(&program.fairness)),
        ("invariants", roots(&program.invariants)),
        ("impliedinits", roots(&program.implied_inits)),
        ("impliedactions", roots(&steps)),
        ("impliedtemporals", temporals(&program.temporal)),
        ("variables", Owned::Set(variables.collect())),
        ("constraints", wholes(&program.constraints)),
        ("actionconstraints", wholes(&program.action_constraints)),
    ])
}

/// `TLCGet("revision")`. Specifications ask it for the age of TLC: that of the one whose behaviour this is.
pub fn revision() -> Owned {
    /// 2026-04-29, in seconds.
    const TIMESTAMP: i64 = 1_777_420_800;
    Owned::record([
        ("tag", Owned::text(env!("CARGO_PKG_VERSION"))),
        ("count", Owned::Int(0)),
        ("timestamp", Owned::Int(TIMESTAMP)),
        ("date", Owned::text("2026-04-29")),
        ("calver", Owned::text("")),
    ])
}

/// `TLCGet("action")`. TLC: only simulation knows better.
pub fn unnamed_action() -> Owned {
    let nowhere = Owned::record([
        ("beginLine", Owned::Int(0)),
        ("beginColumn", Owned::Int(0)),
        ("endLine", Owned::Int(0)),
        ("endColumn", Owned::Int(0)),
        ("module", Owned::text("--unknown--")),
    ]);
    Owned::record([("name", Owned::text("UnnamedAction")), ("location", nowhere)])
}
