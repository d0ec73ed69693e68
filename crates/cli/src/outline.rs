//! `--emit spec`: what a specification declares and defines. `docs/json-output.md` is its contract.

use diag::Span;
use sema::spec::{ConstId, DefId, DefKind, Module, Spec, VarId};
use serde::Serialize;

/// The outline of `spec` as one line of JSON, with its line feed.
pub fn json(spec: &Spec) -> String {
    let modules = spec.modules.iter().filter(|module| !module.embedded);
    let outline = JsonSpec {
        kind: "spec",
        root: spec.names.text(spec.modules[spec.root].name),
        modules: modules.map(|module| JsonModule::new(spec, module)).collect(),
    };
    let line = serde_json::to_string(&outline).expect("strings and numbers always have a JSON form");
    format!("{line}\n")
}

#[derive(Serialize)]
struct JsonSpec<'a> {
    kind: &'static str,
    root: &'a str,
    modules: Vec<JsonModule<'a>>,
}

#[derive(Serialize)]
struct JsonModule<'a> {
    name: &'a str,
    at: JsonPlace<'a>,
    parent: Option<&'a str>,
    extends: Vec<&'a str>,
    constants: Vec<JsonName<'a>>,
    variables: Vec<JsonName<'a>>,
    definitions: Vec<JsonDefinition<'a>>,
    assumptions: usize,
    theorems: usize,
}

impl<'a> JsonModule<'a> {
    fn new(spec: &'a Spec, module: &'a Module) -> Self {
        let module_name = |id| spec.names.text(spec.modules[id].name);
        JsonModule {
            name: spec.names.text(module.name),
            at: JsonPlace::new(spec, module.name_span),
            parent: module.parent.map(module_name),
            extends: module.extends.iter().copied().map(module_name).collect(),
            constants: module.constants.iter().map(|&id| JsonName::constant(spec, id)).collect(),
            variables: module.variables.iter().map(|&id| JsonName::variable(spec, id)).collect(),
            definitions: module.defs.iter().map(|&id| JsonDefinition::new(spec, id)).collect(),
            assumptions: module.assumptions.len(),
            theorems: module.theorems.len(),
        }
    }
}

#[derive(Serialize)]
struct JsonName<'a> {
    name: &'a str,
    arity: u32,
    at: JsonPlace<'a>,
}

impl<'a> JsonName<'a> {
    fn constant(spec: &'a Spec, id: ConstId) -> Self {
        let constant = &spec.constants[id];
        let name = spec.names.text(constant.name);
        JsonName { name, arity: constant.arity, at: JsonPlace::new(spec, constant.span) }
    }

    fn variable(spec: &'a Spec, id: VarId) -> Self {
        let variable = &spec.variables[id];
        JsonName { name: spec.names.text(variable.name), arity: 0, at: JsonPlace::new(spec, variable.span) }
    }
}

#[derive(Serialize)]
struct JsonDefinition<'a> {
    name: &'a str,
    kind: &'static str,
    parameters: Vec<&'a str>,
    level: String,
    local: bool,
    recursive: bool,
    at: JsonPlace<'a>,
}

impl<'a> JsonDefinition<'a> {
    fn new(spec: &'a Spec, id: DefId) -> Self {
        let def = &spec.defs[id];
        JsonDefinition {
            name: spec.names.text(def.name),
            kind: kind_name(def.kind),
            parameters: def.params.iter().map(|&param| spec.names.text(spec.locals[param].name)).collect(),
            level: spec.levels.defs[id].to_string(),
            local: def.local,
            recursive: def.recursive,
            at: JsonPlace::new(spec, def.name_span),
        }
    }
}

fn kind_name(kind: DefKind) -> &'static str {
    match kind {
        DefKind::Operator => "operator",
        DefKind::Function => "function",
        DefKind::Let => "let",
        DefKind::Assumption => "assumption",
        DefKind::Theorem => "theorem",
        DefKind::ProofStep => "proof-step",
        DefKind::Subexpression => "subexpression",
    }
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

impl<'a> JsonPlace<'a> {
    fn new(spec: &'a Spec, span: Span) -> Self {
        let position = spec.sources.position(span);
        let file = spec.sources.file(span.source).name();
        JsonPlace { file, line: position.line, column: position.column }
    }
}
