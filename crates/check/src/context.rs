//! Data that every worker reads: the model, its actions and permutations; and the values that `TLCGet` reports about
//! it.

use base::Name;
use eval::interp::{ActionInstance, Conjuncts, Shared};
use eval::ir::{IrId, IrKind, Program, Root};
use model::{Evaluation, Model, Witnesses};
use sema::Spec;

use crate::code_shelf::CodeShelf;
use crate::live::Liveness;
use crate::run::{Board, WorkerRun};
use crate::space::Space;
use crate::spill::Past;
use crate::symmetry::Symmetry;

pub(crate) struct Context<'a> {
    pub model: Model<'a>,
    pub shared: &'a Shared,
    pub board: &'a Board<'a>,
    pub space: &'a Space,
    /// Record of how states were reached, when the search goes on from disk. Then `space` has only states that were
    /// made again.
    pub past: Option<&'a Past>,
    pub code: &'a CodeShelf,
    pub actions: &'a [ActionInstance<'a>],
    pub symmetry: Option<&'a Symmetry>,
    /// The variables by which states are compared, if these are not all: see [`variables_in_view`].
    pub viewed: Option<&'a [usize]>,
    /// The invariants and constraints, in the order of the program.
    pub invariants: &'a [Conjuncts],
    pub constraints: &'a [Conjuncts],
    /// The properties of behaviours, if there are any.
    pub liveness: Option<&'a Liveness>,
    pub witnesses: &'a Witnesses,
}

/// The value by which states are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The values of their variables.
    Variables,
    /// The values of some variables, those in a VIEW, or the representative of the permutations of some or all.
    Orbit,
    /// Their VIEW; under SYMMETRY the representative of the views of all their permutations.
    View,
}

/// Returns the variables in a VIEW, if it is a tuple of variables: then it need not be evaluated.
pub(crate) fn variables_in_view(program: &Program) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let is_plain = add_variables(program, program.view?.expr, &mut found);
    (is_plain && !found.is_empty()).then_some(found)
}

/// Adds the variables that a tuple consists of. Returns whether it consists of nothing else.
#[expect(clippy::wildcard_enum_match_arm, reason = "anything else is evaluated")]
fn add_variables(program: &Program, id: IrId, found: &mut Vec<usize>) -> bool {
    match &program.irs[id].kind {
        IrKind::Var(var) => found.push(usize::from(var.0)),
        IrKind::Tuple(items) => return items.iter().all(|&item| add_variables(program, item, found)),
        IrKind::Enter { body, .. } => return add_variables(program, *body, found),
        _ => return false,
    }
    true
}

impl Identity {
    /// Whether states are compared by something other than their variables.
    pub fn is_derived(self) -> bool {
        self != Identity::Variables
    }
}

impl<'a> Context<'a> {
    /// Returns what it takes to evaluate formulas of the model in `run`.
    pub fn evaluation<'e>(&'e self, run: &'e WorkerRun<'_>) -> Evaluation<'e> {
        Evaluation { model: self.model, shared: self.shared, run }
    }

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
            (Some(_), _) if self.viewed.is_some() => Identity::Orbit,
            (Some(_), _) => Identity::View,
        }
    }

    /// Returns the parts of a state by which it is compared, where its variables determine that.
    pub fn compared<T: Copy>(&self, state: &[T]) -> Vec<T> {
        match self.viewed {
            Some(viewed) => viewed.iter().map(|&variable| state[variable]).collect(),
            None => state.to_vec(),
        }
    }

    /// Whether one could see how often an invariant is evaluated: it prints, say.
    pub fn invariants_have_effects(&self) -> bool {
        self.program().invariants.iter().any(|root| {
            let facts = self.program().irs[root.expr].facts;
            facts.impure || facts.dynamic
        })
    }

    /// Returns the name of a property.
    pub fn root_name(&self, root: &Root) -> String {
        model::root_name(self.spec(), root)
    }
}
