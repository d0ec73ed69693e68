//! Dependency and interaction variables (Definitions 2 and 3 of REMIX), computed from the text, with evidence.

use base::FxIndexMap;
use diag::Span;
use sema::spec::{DefId, VarId};

use crate::action_text::{self, ActionText};
use crate::assemble::Composed;
use crate::effects::EffectTable;

/// The reason why a variable is a dependency or interaction variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is in an enabling condition of this action, at this place.
    Enables { action: DefId, span: Span },
    /// This action computes `into` from it, at this place.
    Feeds { action: DefId, into: VarId, span: Span },
    /// These two modules depend on it.
    Shared { modules: (usize, usize) },
}

/// Variables, each with the first reason that was found.
pub type Reasons = FxIndexMap<VarId, Reason>;

/// The variables that the modules of a composition depend on, and those through which they interact.
#[derive(Clone, Debug)]
pub struct Interaction {
    /// For each part of the composition, its dependency variables.
    pub dependencies: Vec<Reasons>,
    pub interaction: Reasons,
    /// For each part, its actions.
    pub actions: Vec<Vec<(DefId, ActionText)>>,
}

impl Interaction {
    /// Reads the actions of a composition.
    pub fn new(composed: &Composed) -> Interaction {
        let spec = &composed.spec;
        let table = EffectTable::new(spec);
        let read = |part: &crate::assemble::PartOutline| {
            let action = |action: &crate::assemble::ActionOutline| {
                // The disjunct itself: sets of its quantifiers are conditions too.
                (action.def, action_text::read(spec, &table, action.expr))
            };
            part.actions.iter().map(action).collect::<Vec<_>>()
        };
        let actions: Vec<Vec<(DefId, ActionText)>> = composed.outline.parts.iter().map(read).collect();
        let dependencies: Vec<Reasons> = actions.iter().map(|actions| dependencies(actions)).collect();
        let interaction = interaction(&actions, &dependencies);
        Interaction { dependencies, interaction, actions }
    }

    /// Returns the variables that target modules can observe: their dependency variables and all interaction
    /// variables. Beyond the definitions of the paper, also the variables that their updates read and other
    /// modules change: otherwise a target could compute other values, although none of its actions is enabled
    /// earlier or later.
    pub fn visible_to(&self, targets: &[usize]) -> Reasons {
        let mut visible = Reasons::default();
        let own = targets.iter().flat_map(|&target| &self.dependencies[target]);
        for (&var, reason) in own.chain(&self.interaction) {
            visible.entry(var).or_insert_with(|| reason.clone());
        }
        for (action, text) in targets.iter().flat_map(|&target| &self.actions[target]) {
            for update in &text.updates {
                let reason = Reason::Feeds { action: *action, into: update.var, span: update.span };
                for &var in update.from.keys().filter(|&&var| self.is_changed_outside(var, targets)) {
                    visible.entry(var).or_insert_with(|| reason.clone());
                }
            }
        }
        visible
    }

    /// Whether a module that is no target updates a variable.
    fn is_changed_outside(&self, var: VarId, targets: &[usize]) -> bool {
        let others = self.actions.iter().enumerate().filter(|(part, _)| !targets.contains(part));
        let mut updates = others.flat_map(|(_, actions)| actions).flat_map(|(_, text)| &text.updates);
        updates.any(|update| update.var == var)
    }
}

/// Returns the dependency variables (Definition 2): those in enabling conditions, and those from which they
/// are computed.
fn dependencies(actions: &[(DefId, ActionText)]) -> Reasons {
    let mut found = Reasons::default();
    for (action, text) in actions {
        for (&var, &span) in &text.enabling {
            found.entry(var).or_insert(Reason::Enables { action: *action, span });
        }
    }
    let mut n_known = usize::MAX;
    while n_known != found.len() {
        n_known = found.len();
        for (action, text) in actions {
            for update in &text.updates {
                if found.contains_key(&update.var) {
                    let reason = Reason::Feeds { action: *action, into: update.var, span: update.span };
                    for &var in update.from.keys() {
                        found.entry(var).or_insert_with(|| reason.clone());
                    }
                }
            }
        }
    }
    found
}

/// Returns the interaction variables (Definition 3): those on which several modules depend, and those from
/// which they are computed.
fn interaction(actions: &[Vec<(DefId, ActionText)>], dependencies: &[Reasons]) -> Reasons {
    let mut found = Reasons::default();
    for (second, later) in dependencies.iter().enumerate() {
        for &var in later.keys() {
            let first = dependencies[..second].iter().position(|earlier| earlier.contains_key(&var));
            if let Some(first) = first {
                found.entry(var).or_insert(Reason::Shared { modules: (first, second) });
            }
        }
    }
    let mut n_known = usize::MAX;
    while n_known != found.len() {
        n_known = found.len();
        for (module, actions) in actions.iter().enumerate() {
            for (action, text) in actions {
                for update in &text.updates {
                    let more = find_fed(module, update, (&found, dependencies));
                    let reason = Reason::Feeds { action: *action, into: update.var, span: update.span };
                    for var in more {
                        found.entry(var).or_insert_with(|| reason.clone());
                    }
                }
            }
        }
    }
    found
}

/// Returns the variables that rules 2 and 3 of Definition 3 add because of one update of a module's action.
fn find_fed(
    module: usize,
    update: &action_text::Update,
    (found, dependencies): (&Reasons, &[Reasons]),
) -> Vec<VarId> {
    let mut more = Vec::new();
    if found.contains_key(&update.var) {
        let own = &dependencies[module];
        more.extend(update.from.keys().copied().filter(|var| !own.contains_key(var)));
    }
    for of_module in dependencies {
        if of_module.contains_key(&update.var) && !found.contains_key(&update.var) {
            more.extend(update.from.keys().copied().filter(|var| !of_module.contains_key(var)));
        }
    }
    more.retain(|var| !found.contains_key(var));
    more
}
