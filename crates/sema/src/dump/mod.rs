//! Writes a resolved specification as text: s-expressions for people, JSON for programs. It shows what the resolver
//! made of the modules, with nothing left to look up.
//!
//! Every reference says what it is: `var:x`, `const:N`, `def:Op`, `std:Naturals::+`, `let:a#1`, `step:<1>2`,
//! a bound name or parameter `x#0`, a symbol of the language as it is. `M::` stands before what another module
//! declares or defines. Numbers tell names of one unit apart that are spelled alike; `#?` would be a name
//! that nothing around it binds.
//!
//! The walk makes [`Events`], which `syntax` prints; no answer is computed here.

mod expr;
mod kinds;
mod module;
mod names;
mod proof;

use base::{FxHashMap, FxHashSet, FxIndexMap};
use diag::{SourceMap, Span};
use syntax::dump::events::Events;
use syntax::dump::{Positions, json, text};

use crate::spec::{DefId, DefKind, InstanceId, LocalId, ModuleId, ProofKind, ProofStepKind, Spec};

/// Writes the specification: the root module, then the other modules that are not embedded, in the order they were
/// needed. Embedded modules are only named.
pub fn dump_spec(spec: &Spec) -> String {
    text::print(&Dumper::new(spec).whole_spec())
}

/// Writes one module and the modules nested in it.
pub fn dump_module(spec: &Spec, module: ModuleId) -> String {
    let mut dumper = Dumper::new(spec);
    dumper.module(module);
    text::print(&dumper.events)
}

/// Writes the same as [`dump_spec`] as one line of JSON: an array of modules. The `span` of a node has the number of
/// its source; the `file` of a module is that of the source in its own `span`.
pub fn dump_spec_json(spec: &Spec) -> String {
    let positions = AllPositions::new(&spec.sources);
    json::print(&Dumper::new(spec).whole_spec(), |span, out| positions.write(span, out))
}

struct Dumper<'a> {
    spec: &'a Spec,
    events: Events<'a>,
    /// The module that is shown.
    module: ModuleId,
    /// Numbers of the names bound in the unit that is shown.
    locals: FxHashMap<LocalId, u32>,
    /// Numbers of the LET definitions in the unit that is shown.
    lets: FxHashMap<DefId, u32>,
    /// The definitions made by each INSTANCE, without those of LETs, which show their own.
    made: FxIndexMap<InstanceId, Vec<DefId>>,
    /// Named proof steps by place.
    steps: FxHashMap<Span, DefId>,
}

impl<'a> Dumper<'a> {
    fn new(spec: &'a Spec) -> Self {
        let in_lets = let_definitions(spec);
        let mut made: FxIndexMap<InstanceId, Vec<DefId>> = FxIndexMap::default();
        let mut steps = FxHashMap::default();
        for (id, def) in spec.defs.iter_enumerated() {
            if let Some(origin) = def.origin
                && !in_lets.contains(&id)
                && def.kind != DefKind::Subexpression
            {
                made.entry(origin.instance).or_default().push(id);
            }
            if def.kind == DefKind::ProofStep {
                steps.insert(def.span, id);
            }
        }
        Dumper {
            spec,
            events: Events::default(),
            module: spec.root,
            locals: FxHashMap::default(),
            lets: FxHashMap::default(),
            made,
            steps,
        }
    }

    /// Starts a unit: its names are numbered from 0 again.
    fn start_unit(&mut self) {
        self.locals.clear();
        self.lets.clear();
    }
}

/// Returns the definitions of all LETs and DEFINE steps.
fn let_definitions(spec: &Spec) -> FxHashSet<DefId> {
    let lets = spec.exprs.iter().flat_map(|expr| expr.kind.let_defs().iter().copied());
    let mut found: FxHashSet<DefId> = lets.collect();
    let theorems = spec.modules.iter().flat_map(|module| &module.theorems);
    let mut todo: Vec<_> = theorems.filter_map(|theorem| theorem.proof.as_ref()).collect();
    while let Some(proof) = todo.pop() {
        let ProofKind::Steps(steps) = &proof.kind else { continue };
        for step in steps {
            todo.extend(&step.proof);
            if let ProofStepKind::Define(defs) = &step.kind {
                found.extend(defs);
            }
        }
    }
    found
}

/// The positions in all texts of a specification.
struct AllPositions<'a>(Vec<Positions<'a>>);

impl<'a> AllPositions<'a> {
    fn new(sources: &'a SourceMap) -> Self {
        AllPositions(sources.ids().map(|id| Positions::new(sources.file(id))).collect())
    }

    /// Writes `{"source":index,"start":[line,column],"end":[line,column]}`.
    fn write(&self, span: Span, out: &mut String) {
        let index = base::Id::index(span.source);
        out.push_str(&format!("{{\"source\":{index},"));
        self.0[index].write(span, out);
        out.push('}');
    }
}
