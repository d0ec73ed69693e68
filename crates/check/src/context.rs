//! What every worker reads: the model, its actions and permutations; and what `TLCGet` tells of it.

use base::Name;
use diag::Span;
use eval::Owned;
use eval::interp::{ActionInstance, Conjuncts, Shared};
use eval::ir::{Program, Root};
use eval::temporal::TemporalRoot;
use sema::Spec;

use crate::code_shelf::CodeShelf;
use crate::counterexample::location;
use crate::live::Liveness;
use crate::options::Model;
use crate::run::Board;
use crate::space::Space;
use crate::spill::Past;
use crate::symmetry::Symmetry;
use crate::witness::Witnesses;

pub(crate) struct Context<'a> {
    pub model: Model<'a>,
    pub shared: &'a Shared,
    pub board: &'a Board<'a>,
    pub space: &'a Space,
    /// How states were reached, when the search goes on from disk. Then `space` has only states that were made again.
    pub past: Option<&'a Past>,
    pub code: &'a CodeShelf,
    pub actions: &'a [ActionInstance<'a>],
    pub symmetry: Option<&'a Symmetry>,
    /// The invariants and constraints, in the order of the program.
    pub invariants: &'a [Conjuncts],
    pub constraints: &'a [Conjuncts],
    /// What is to be checked about behaviours, if anything is.
    pub liveness: Option<&'a Liveness>,
    pub witnesses: &'a Witnesses,
}

/// What states are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The values of their variables.
    Variables,
    /// The representative of all their permutations.
    Orbit,
    /// Their VIEW; under SYMMETRY the representative of the views of all their permutations.
    View,
}

impl Identity {
    /// Whether states are compared by something other than their variables.
    pub fn is_derived(self) -> bool {
        self != Identity::Variables
    }
}

impl<'a> Context<'a> {
    pub fn program(&self) -> &'a Program {
        self.model.program
    }

    pub fn spec(&self) -> &'a Spec {
        self.model.spec
    }

    pub fn text(&self, name: Name) -> &'a str {
        self.model.spec.names.text(name)
    }

    pub fn identity(&self) -> Identity {
        match (self.program().view, self.program().symmetry) {
            (None, None) => Identity::Variables,
            (None, Some(_)) => Identity::Orbit,
            (Some(_), _) => Identity::View,
        }
    }

    /// Whether one could see how often an invariant is evaluated: it prints, say.
    pub fn invariants_have_effects(&self) -> bool {
        self.program().invariants.iter().any(|root| {
            let facts = self.program().irs[root.expr].facts;
            facts.impure || facts.dynamic
        })
    }

    /// What a property is called.
    pub fn root_name(&self, root: &Root) -> String {
        root_name(self.spec(), root)
    }
}

/// What a property is called.
pub(crate) fn root_name(spec: &Spec, root: &Root) -> String {
    match root.def {
        Some(def) => spec.names.text(spec.defs[def].name).to_owned(),
        None => spec.sources.text(root.span).to_owned(),
    }
}

/// A span as traces give it.
pub(crate) fn place(spec: &Spec, span: Span) -> trace::Place {
    let file = spec.sources.file(span.source);
    let point = |offset: usize| {
        let position = file.position(offset as u32);
        trace::Point { line: position.line, column: position.column }
    };
    let range = span.range();
    let holds = |module: &&sema::spec::Module| {
        module.span.source == span.source
            && module.span.range().start <= range.start
            && range.end <= module.span.range().end
    };
    let module = spec.modules.iter().filter(holds).min_by_key(|module| module.span.range().len());
    trace::Place {
        file: file.name().to_owned(),
        module: module.map_or(String::new(), |module| spec.names.text(module.name).to_owned()),
        start: point(range.start),
        end: point(range.end),
    }
}

/// `TLCGet("spec")`
pub(crate) fn describe(model: Model<'_>, actions: &[ActionInstance<'_>]) -> Owned {
    let (program, names) = (model.program, &model.spec.names);
    let one = |name: &str, span: Span| {
        let place = location(&place(model.spec, span));
        Owned::record([("name", Owned::text(name)), ("location", place)])
    };
    let root = |root: &Root| one(&root_name(model.spec, root), root.span);
    let roots = |roots: &[Root]| Owned::Set(roots.iter().map(root).collect());
    let temporal = |root: &TemporalRoot| {
        let name = root.def.map_or(root.name, |def| model.spec.defs[def].name);
        one(names.text(name), root.span)
    };
    let temporals = |roots: &[TemporalRoot]| Owned::Set(roots.iter().map(temporal).collect());
    let actions = actions.iter().map(|action| one(names.text(action.leaf.name), action.leaf.span));
    let variables = program
        .variables
        .iter()
        .map(|&name| Owned::record([("name", Owned::text(names.text(name))), ("location", Owned::text(""))]));
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
        ("constraints", roots(&program.constraints)),
        ("actionconstraints", roots(&program.action_constraints)),
    ])
}

/// `TLCGet("revision")`. Specifications ask it for the age of TLC: that of the one whose behaviour this is.
pub(crate) fn revision() -> Owned {
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
pub(crate) fn unnamed_action() -> Owned {
    let nowhere = Owned::record([
        ("beginLine", Owned::Int(0)),
        ("beginColumn", Owned::Int(0)),
        ("endLine", Owned::Int(0)),
        ("endColumn", Owned::Int(0)),
        ("module", Owned::text("--unknown--")),
    ]);
    Owned::record([("name", Owned::text("UnnamedAction")), ("location", nowhere)])
}
