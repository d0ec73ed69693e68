//! Judges by their text whether coarse grains preserve interaction: conditions (1) and (2) of REMIX, §3.2.
//!
//! (1) The dependency variables of the target and all interaction variables are still there. (2) All their updates are
//! still the same. A text that differs can still mean the same: then exploration decides.

use diag::Span;
use sema::spec::{DefId, VarId};

use crate::action_text::Update;
use crate::assemble::Composed;
use crate::interaction::{Interaction, Reason, Reasons};

/// The conditions on the text of two grains, judged for one target.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The variables that the target can observe, in the composition with the finer grains, with the reasons.
    pub visible: Reasons,
    /// Of these, the dependency variables of the target; the others are interaction variables only.
    pub dependencies: Vec<VarId>,
    /// Condition (1): those that the coarse composition does not have.
    pub missing: Vec<VarId>,
    /// Condition (2), for each module whose grain is coarser, variable by variable.
    pub updates: Vec<UpdateJudgement>,
}

/// Whether the updates of one variable by one module are the same at both grains.
#[derive(Clone, Debug)]
pub struct UpdateJudgement {
    /// The module.
    pub module: String,
    /// The name of the variable.
    pub variable: String,
    pub verdict: UpdateVerdict,
    /// The updates of the fine grain that the coarse one does not have in these words.
    pub fine: Vec<UpdatePlace>,
    /// The updates of the coarse grain that the fine one does not have in these words.
    pub coarse: Vec<UpdatePlace>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateVerdict {
    /// Both update it, in the same words.
    Same,
    /// Both update it, in other words.
    Reworded,
    /// Only the fine grain updates it.
    Lost,
    /// Only the coarse grain updates it.
    Added,
}

/// An update, as evidence.
#[derive(Clone, Debug)]
pub struct UpdatePlace {
    pub action: DefId,
    pub span: Span,
    pub value: String,
}

/// The judgement of the text alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextVerdict {
    /// Both conditions hold word by word.
    Preserved,
    /// Some updates are worded otherwise: the text cannot decide.
    Undecided,
    /// A condition is broken.
    Broken,
}

impl Conditions {
    pub fn verdict(&self) -> TextVerdict {
        let has = |verdict: UpdateVerdict| self.updates.iter().any(|update| update.verdict == verdict);
        if !self.missing.is_empty() || has(UpdateVerdict::Lost) || has(UpdateVerdict::Added) {
            return TextVerdict::Broken;
        }
        if has(UpdateVerdict::Reworded) { TextVerdict::Undecided } else { TextVerdict::Preserved }
    }
}

/// Judges the grains of `coarse` against those of `fine` for the parts `targets` of `fine`.
pub fn judge(
    (fine, of_fine): (&Composed, &Interaction),
    (coarse, of_coarse): (&Composed, &Interaction),
    targets: &[usize],
) -> Conditions {
    let visible = of_fine.visible_to(targets);
    let has = |name: &str| variable_named(coarse, name).is_some();
    let missing = visible.keys().copied().filter(|&var| !has(name(fine, var))).collect();
    let dependencies = visible
        .keys()
        .copied()
        .filter(|var| targets.iter().any(|&target| of_fine.dependencies[target].contains_key(var)));
    let dependencies = dependencies.collect();
    let mut updates = Vec::new();
    for group in groups(fine, coarse) {
        for &var in visible.keys() {
            let sides = (
                Grains { composed: fine, interaction: of_fine, parts: &group.fine, var: Some(var) },
                Grains {
                    composed: coarse,
                    interaction: of_coarse,
                    parts: &group.coarse,
                    var: variable_named(coarse, name(fine, var)),
                },
            );
            updates.extend(judge_updates(&group.name, name(fine, var), sides));
        }
    }
    Conditions { visible, dependencies, missing, updates }
}

/// Modules that are compared as one: those that a coarse grain merges.
struct Group {
    name: String,
    fine: Vec<usize>,
    coarse: Vec<usize>,
}

/// Returns the modules whose grains differ; modules that share a file of a coarse grain are one group.
fn groups(fine: &Composed, coarse: &Composed) -> Vec<Group> {
    let mut groups: Vec<(sema::spec::ModuleId, Group)> = Vec::new();
    for (at, part) in coarse.outline.parts.iter().enumerate() {
        let other = fine.outline.parts.iter().position(|known| known.module == part.module);
        let Some(other) = other.filter(|&other| fine.outline.parts[other].grain != part.grain) else {
            continue;
        };
        match groups.iter_mut().find(|(tla, _)| *tla == part.tla) {
            Some((_, group)) => {
                group.name = format!("{} and {}", group.name, part.module);
                group.fine.push(other);
                group.coarse.push(at);
            }
            None => {
                let group = Group { name: part.module.clone(), fine: vec![other], coarse: vec![at] };
                groups.push((part.tla, group));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The updates of one variable by some parts.
struct Grains<'c> {
    composed: &'c Composed,
    interaction: &'c Interaction,
    parts: &'c [usize],
    var: Option<VarId>,
}

impl<'c> Grains<'c> {
    fn updates(&self) -> Vec<(DefId, &'c Update)> {
        let actions = self.parts.iter().flat_map(|&part| &self.interaction.actions[part]);
        let updates = actions.flat_map(|(action, text)| text.updates.iter().map(|update| (*action, update)));
        updates.filter(|(_, update)| Some(update.var) == self.var).collect()
    }

    /// Returns the updates that `others` does not have in the same words.
    fn without(&self, others: &Grains<'_>) -> Vec<UpdatePlace> {
        let others = others.updates();
        let own = self.updates().into_iter();
        let new = own.filter(|(_, update)| others.iter().all(|(_, other)| other.value != update.value));
        new.map(|(action, update)| UpdatePlace { action, span: update.span, value: update.value.clone() })
            .collect()
    }
}

fn judge_updates(
    module: &str,
    variable: &str,
    (fine, coarse): (Grains<'_>, Grains<'_>),
) -> Option<UpdateJudgement> {
    // A variable that is not there is condition (1).
    coarse.var?;
    debug_assert!(!fine.composed.outline.parts.is_empty(), "a composition has parts");
    let (n_fine, n_coarse) = (fine.updates().len(), coarse.updates().len());
    let (only_fine, only_coarse) = (fine.without(&coarse), coarse.without(&fine));
    let verdict = match (n_fine, n_coarse) {
        (0, 0) => return None,
        (_, 0) => UpdateVerdict::Lost,
        (0, _) => UpdateVerdict::Added,
        (_, _) if only_fine.is_empty() && only_coarse.is_empty() => UpdateVerdict::Same,
        (_, _) => UpdateVerdict::Reworded,
    };
    let (module, variable) = (module.to_owned(), variable.to_owned());
    Some(UpdateJudgement { module, variable, verdict, fine: only_fine, coarse: only_coarse })
}

/// Returns the name of a variable.
pub fn name(composed: &Composed, var: VarId) -> &str {
    composed.spec.names.text(composed.spec.variables[var].name)
}

/// Returns the variable of a composition that has this name.
pub fn variable_named(composed: &Composed, wanted: &str) -> Option<VarId> {
    let all = &composed.spec.modules[composed.spec.root].variables;
    all.iter().copied().find(|&var| name(composed, var) == wanted)
}

/// Whether a composition has a constant or a definition of this name.
pub fn has_name(composed: &Composed, wanted: &str) -> bool {
    let scope = &composed.spec.modules[composed.spec.root].scope;
    composed.spec.names.get(wanted).is_some_and(|name| scope.get(&name).is_some())
}

/// Returns a reason in words, and its place.
pub fn explain(composed: &Composed, reason: &Reason) -> (String, Option<Span>) {
    let def = |def: DefId| composed.spec.names.text(composed.spec.defs[def].name);
    let module = |part: usize| &composed.outline.parts[part].module;
    match reason {
        Reason::Enables { action, span } => (format!("enables {}", def(*action)), Some(*span)),
        Reason::Feeds { action, into, span } => {
            (format!("{} computes {} from it", def(*action), name(composed, *into)), Some(*span))
        }
        Reason::Shared { modules: (first, second) } => {
            (format!("{} and {} depend on it", module(*first), module(*second)), None)
        }
    }
}
