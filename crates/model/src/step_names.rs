//! Names of the steps of an action, known before any step is made.
//!
//! A step by way of a choice that depends on the state, `\E m \in msgs : Receive(m)`, is called after the definition that
//! was chosen ([`step`]). Whoever counts steps by actions must call them the same: here the names that the steps of
//! an action can have are read off the program.

use base::FxHashSet;
use eval::interp::{ActionInstance, Machine};
use eval::ir::{ActionLeaf, IrId, IrKind, Program};
use sema::Spec;
use sema::spec::{DefId, DefKind, Quantifier};
use trace::{Binding, Step};
use value::ops;

use crate::Model;
use crate::data::datum;
use crate::names::place;

/// The names that steps of an action can have, in the order of the text.
pub fn step_names(model: Model<'_>, leaf: &ActionLeaf) -> Vec<String> {
    let (spec, program) = (model.spec, model.program);
    let own = || spec.names.text(leaf.name).to_owned();
    if leaf.is_named {
        return vec![own()];
    }
    let mut heads = Heads { spec, program, seen: FxHashSet::default(), found: Vec::new() };
    heads.visit(leaf.expr, None);
    let name =
        |def: &Option<DefId>| def.map_or_else(own, |def| spec.names.text(spec.defs[def].name).to_owned());
    let mut names: Vec<String> = Vec::new();
    for name in heads.found.iter().map(name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The names in one text: `Receive or Drop`.
pub fn join(names: &[String]) -> String {
    names.join(" or ")
}

struct Heads<'a> {
    spec: &'a Spec,
    program: &'a Program,
    seen: FxHashSet<IrId>,
    /// The definition that each way through choices ends in; nothing where it enters none.
    found: Vec<Option<DefId>>,
}

impl Heads<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "at anything else the action begins")]
    fn visit(&mut self, id: IrId, def: Option<DefId>) {
        // A node that several ways lead to is called after the first.
        if !self.seen.insert(id) {
            return;
        }
        base::with_stack(|| match &self.program.irs[id].kind {
            IrKind::Or(items) => items.iter().for_each(|&item| self.visit(item, def)),
            IrKind::Bind { body, .. } | IrKind::Quantified { kind: Quantifier::Exists, body, .. } => {
                self.visit(*body, def);
            }
            IrKind::Lazy { expr, .. } => self.visit(*expr, def),
            IrKind::If { then, otherwise, .. } => {
                self.visit(*then, def);
                self.visit(*otherwise, def);
            }
            IrKind::Case { arms, other } => {
                arms.iter().for_each(|&(_, arm)| self.visit(arm, def));
                other.iter().for_each(|&other| self.visit(other, def));
            }
            IrKind::Enter { def: entered, body } => {
                let params = self.program.notes.params.get(&id).map_or(&[][..], Vec::as_slice);
                match params.iter().any(|param| self.program.irs[param.reader].facts.reads_next) {
                    true => self.found.push(def),
                    false => self.visit(*body, self.naming_definition(*entered).or(def)),
                }
            }
            IrKind::Call { func, .. } => {
                let func = &self.program.funcs[*func];
                self.visit(func.body, func.def.and_then(|def| self.naming_definition(def)).or(def));
            }
            _ => self.found.push(def),
        });
    }

    /// A definition that steps are called after.
    fn naming_definition(&self, def: DefId) -> Option<DefId> {
        (self.spec.defs[def].kind != DefKind::Let).then_some(def)
    }
}

/// The step that a machine which records its way has just made.
pub fn step<'a>(spec: &Spec, machine: &mut Machine<'a, '_>, action: &ActionInstance<'a>) -> Step {
    let text = |name| spec.names.text(name);
    let taken = machine.step_taken(action);
    let mut parameters: Vec<Binding> = Vec::new();
    for (name, value) in taken.params {
        let value = datum(ops::force(machine, value).unwrap_or(value));
        let name = text(name);
        // `\E i \in S : A(i)` binds the name twice: the innermost counts.
        match parameters.iter_mut().find(|known| known.name == name) {
            Some(known) => known.value = value,
            None => parameters.push(Binding::new(name, value)),
        }
    }
    // TLC: a step by way of a choice that depends on the state is called Next. Its own name says more.
    let defs = taken.defs.iter().rev().map(|&def| &spec.defs[def]);
    let own = defs.into_iter().find(|def| !action.leaf.is_named && def.kind != DefKind::Let);
    let (name, span) = match own {
        Some(def) => (def.name, taken.span),
        None => (action.leaf.name, action.leaf.span),
    };
    Step { name: text(name).to_owned(), place: Some(place(spec, span)), parameters }
}
