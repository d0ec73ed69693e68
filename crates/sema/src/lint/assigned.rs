//! Variables that a step or an initial state leaves without a value (SL0604), those that an action assigns
//! twice (SL0605), and those that the subscript of `[][Next]_vars` leaves out (SL0609).

use base::FxIndexMap;
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::effect::{Assign, AssignForm, EffectId, EffectKind, Site, SitePart};
use super::read::{Mode, Reading};
use super::var_set::VarSet;
use crate::config::{Behaviour, Replacements};
use crate::spec::{DefId, ExprId, ModuleId, Spec, VarId};
use crate::unfold::Env;

/// Limit on visits of effects. A shared effect counts each time. Larger formulas are not read to the end.
const VISITS_MAX: usize = 200_000;

/// The variables that must be assigned.
#[derive(Clone, Copy)]
pub(super) enum WantedVars {
    /// All variables of the root module: a state of TLC has them all.
    State,
    /// The variables that the module knows and that the subscript of `[][Next]_vars` names. The module may be one
    /// component of several.
    Component(ModuleId),
}

/// Reports all three kinds for a behaviour.
pub(super) fn lint(
    spec: &Spec,
    replacements: &Replacements,
    behaviour: &Behaviour<'_>,
    wanted: WantedVars,
) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let variables = wanted.of_module(spec);
    let mut of_init = VarSet::empty(spec.modules[spec.root].variables.len());
    for relation in &behaviour.next {
        let mut reading = Reading::new(spec, replacements, Mode::Next);
        let root = reading.formula(&relation.action);
        let of_next = match (wanted, relation.subscript) {
            (WantedVars::Component(_), Some(subscript)) => {
                let vars = reading.tuple_variables(subscript, &relation.action.env);
                let named = vars.into_iter().filter(|&var| variables.contains(var));
                named.fold(VarSet::empty(spec.modules[spec.root].variables.len()), VarSet::with)
            }
            (WantedVars::State | WantedVars::Component(_), _) => variables.clone(),
        };
        if let (WantedVars::State, Some(subscript)) = (wanted, relation.subscript) {
            incomplete_subscript(&reading, subscript, &relation.action.env)
                .into_iter()
                .for_each(|diagnostic| diagnostics.push(diagnostic));
        }
        of_init = of_init.union(&of_next);
        diagnostics.extend(AssignedLint::new(reading).run(root, &of_next));
    }
    if behaviour.next.is_empty() {
        of_init = variables;
    }
    let mut reading = Reading::new(spec, replacements, Mode::Init);
    if let Some(root) = reading.conjunction(&behaviour.init) {
        diagnostics.extend(AssignedLint::new(reading).run(root, &of_init));
    }
    diagnostics
}

/// Reports variables that the subscript leaves out. TLC: warning EC 2140 (contract 1.4).
fn incomplete_subscript(reading: &Reading<'_, '_>, subscript: ExprId, env: &Env<'_>) -> Option<Diagnostic> {
    let spec = reading.spec;
    let named = reading.tuple_variables(subscript, env);
    let variables = spec.modules[spec.root].variables.iter().enumerate();
    let missing = variables.filter(|(var, _)| !named.contains(var)).map(|(_, &id)| &spec.variables[id]);
    let missing: Vec<_> = missing.collect();
    let first = missing.first()?;
    let names = list(missing.iter().map(|variable| spec.names.text(variable.name)));
    let headline = format!("the subscript of the next-state relation leaves out {names}");
    let diagnostic = Diagnostic::new(Code::IncompleteSubscript, spec.exprs[subscript].span, headline)
        .related(first.span, "declared here")
        .help(format!("add {names} to the tuple of variables"));
    Some(diagnostic)
}

impl WantedVars {
    fn of_module(self, spec: &Spec) -> VarSet {
        let all = &spec.modules[spec.root].variables;
        let known = match self {
            WantedVars::State => all,
            WantedVars::Component(module) => &spec.modules[module].variables,
        };
        let positions = (0..all.len()).filter(|&var| known.contains(&all[var]));
        positions.fold(VarSet::empty(all.len()), VarSet::with)
    }
}

struct AssignedLint<'s, 'r> {
    reading: Reading<'s, 'r>,
    visits_left: usize,
    /// Missing variables by place: one report for each place, however many ways lead there.
    missing: FxIndexMap<Span, (Site, VarSet)>,
    twice: FxIndexMap<Span, RepeatedAssignment>,
}

/// The place where a variable got its value.
#[derive(Clone)]
struct FirstAssignment {
    span: Span,
    how: AssignForm,
    site: Site,
}

/// A second assignment to variables that already have a value.
struct RepeatedAssignment {
    /// The definition in which both assignments come together.
    def: Option<DefId>,
    /// The variables, each with the place of its first assignment.
    vars: Vec<(usize, Span)>,
}

/// The first assignment of each variable on the way.
type FirstAssignments = Vec<Option<FirstAssignment>>;

impl<'s, 'r> AssignedLint<'s, 'r> {
    fn new(reading: Reading<'s, 'r>) -> Self {
        AssignedLint {
            reading,
            visits_left: VISITS_MAX,
            missing: FxIndexMap::default(),
            twice: FxIndexMap::default(),
        }
    }

    fn run(mut self, root: EffectId, wanted: &VarSet) -> Diagnostics {
        self.find_missing(root, wanted);
        if self.reading.mode == Mode::Next {
            self.visits_left = VISITS_MAX;
            self.find_twice(root, vec![None; self.variables().len()]);
        }
        let mut diagnostics = Diagnostics::new();
        for (site, vars) in self.missing.values() {
            diagnostics.push(self.missing_diagnostic(site, vars));
        }
        for (&span, twice) in &self.twice {
            diagnostics.push(self.twice_diagnostic(span, twice));
        }
        diagnostics
    }

    /// Reports the variables of `wanted` that no way through `id` assigns, if only `id` could assign them.
    ///
    /// Two conjuncts may each assign a variable on some of their ways. Their conditions may fit together so that one of
    /// them always does, so nothing is reported then.
    fn find_missing(&mut self, id: EffectId, wanted: &VarSet) {
        let wanted = wanted.without(&self.reading.effects[id].covered);
        if wanted.is_empty() || !self.visit() {
            return;
        }
        let effect = &self.reading.effects[id];
        let nowhere = wanted.without(&effect.may);
        match &effect.kind {
            EffectKind::Any(ways) => {
                for way in ways.clone() {
                    self.find_missing(way, &wanted);
                }
            }
            EffectKind::All(parts) => {
                let alone = |index| self.assigned_only_by(parts, index);
                let responsible: Vec<(EffectId, VarSet)> =
                    parts.iter().enumerate().map(|(index, &part)| (part, alone(index))).collect();
                self.add_missing(&effect.site.clone(), &nowhere);
                for (part, alone) in responsible {
                    self.find_missing(part, &wanted.intersection(&alone));
                }
            }
            EffectKind::Test | EffectKind::Assign(_) | EffectKind::Perhaps(_) => {
                self.add_missing(&effect.site.clone(), &nowhere);
            }
            EffectKind::Never | EffectKind::Unknown => {}
        }
    }

    /// Returns the variables that only the `index`-th of `parts` may assign.
    fn assigned_only_by(&self, parts: &[EffectId], index: usize) -> VarSet {
        let may = |part: EffectId| &self.reading.effects[part].may;
        let others = parts.iter().enumerate().filter(|&(other, _)| other != index);
        others.fold(may(parts[index]).clone(), |set, (_, &other)| set.without(may(other)))
    }

    /// Adds missing variables, each at a place where it can be mentioned: an extended module does not know the
    /// variables of the modules that extend it.
    fn add_missing(&mut self, site: &Site, vars: &VarSet) {
        for var in vars.iter() {
            let knows = |site: &&Site| self.knows(site, var);
            let site = site.outward().find(knows).unwrap_or(site);
            let none = VarSet::empty(self.variables().len());
            let (_, missing) = self.missing.entry(site.span).or_insert_with(|| (site.clone(), none));
            missing.insert(var);
        }
    }

    fn knows(&self, site: &Site, var: usize) -> bool {
        let spec = self.reading.spec;
        let known = |def: DefId| &spec.modules[spec.defs[def].module].variables;
        site.def.is_none_or(|def| known(def).contains(&self.variables()[var]))
    }

    /// Walks through `id` with the assignments known so far, and returns those known after it. Returns `None` when
    /// there is no way through or too much to look at.
    fn find_twice(&mut self, id: EffectId, mut known: FirstAssignments) -> Option<FirstAssignments> {
        if !self.visit() {
            return None;
        }
        let effect = &self.reading.effects[id];
        match &effect.kind {
            EffectKind::Test | EffectKind::Unknown => Some(known),
            EffectKind::Never => None,
            EffectKind::Assign(assign) => {
                for (var, first) in note_assign(assign, &effect.site, &mut known) {
                    add_twice(&mut self.twice, var, &first, assign.span, &effect.site);
                }
                Some(known)
            }
            EffectKind::All(parts) => {
                parts.clone().into_iter().try_fold(known, |known, part| self.find_twice(part, known))
            }
            EffectKind::Any(ways) => {
                let ways = ways.clone().into_iter();
                let after: Vec<FirstAssignments> =
                    ways.filter_map(|way| self.find_twice(way, known.clone())).collect();
                after.into_iter().reduce(|one, two| intersect(&one, &two))
            }
            EffectKind::Perhaps(inner) => {
                self.find_twice(*inner, known.clone());
                Some(known)
            }
        }
    }

    fn visit(&mut self) -> bool {
        self.visits_left = self.visits_left.saturating_sub(1);
        self.visits_left > 0
    }

    fn variables(&self) -> &'s [VarId] {
        &self.reading.spec.modules[self.reading.spec.root].variables
    }

    fn missing_diagnostic(&self, site: &Site, vars: &VarSet) -> Diagnostic {
        let spec = self.reading.spec;
        let names = list(vars.iter().map(|var| self.var_name(var)));
        let what = self.describe(site);
        let Some(first) = vars.iter().next() else {
            return Diagnostic::new(Code::UnassignedVariable, site.span, what);
        };
        let example = self.var_name(first);
        let (headline, help) = match self.reading.mode {
            Mode::Next => (
                format!("{what} gives {names} no next value"),
                format!("add {names} to UNCHANGED, or write `{example}' = ...`, the variable on the left"),
            ),
            Mode::Init => (
                format!("{what} gives {names} no value"),
                format!("write `{example} = ...` or `{example} \\in ...`, the variable on the left"),
            ),
        };
        Diagnostic::new(Code::UnassignedVariable, site.span, headline)
            .related(spec.variables[self.variables()[first]].span, "declared here")
            .help(help)
    }

    fn twice_diagnostic(&self, span: Span, twice: &RepeatedAssignment) -> Diagnostic {
        let action = match twice.def {
            Some(def) => format!("`{}`", self.def_name(def)),
            None => "this action".to_owned(),
        };
        let names = list(twice.vars.iter().map(|&(var, _)| self.var_name(var)));
        let headline = format!("{action} says twice what the next value of {names} is");
        let mut diagnostic = Diagnostic::new(Code::AssignedTwice, span, headline)
            .label("the second time, the value is only tested");
        for &(var, first) in twice.vars.iter().filter(|&&(_, first)| first != span) {
            diagnostic =
                diagnostic.related(first, format!("`{}` gets its next value here", self.var_name(var)));
        }
        diagnostic.help("remove one of the two")
    }

    fn describe(&self, site: &Site) -> String {
        let Some(def) = site.def.map(|def| self.def_name(def)) else { return "this formula".to_owned() };
        match (site.part, self.reading.mode) {
            (SitePart::Whole, Mode::Next) => format!("the action `{def}`"),
            (SitePart::Whole, Mode::Init) => format!("the initial predicate `{def}`"),
            (SitePart::Disjunct, Mode::Next | Mode::Init) => format!("this disjunct of `{def}`"),
            (SitePart::Branch, Mode::Next | Mode::Init) => format!("this branch of `{def}`"),
            (SitePart::Other, Mode::Next | Mode::Init) => format!("this part of `{def}`"),
        }
    }

    fn def_name(&self, def: DefId) -> &'s str {
        let spec = self.reading.spec;
        spec.names.text(spec.defs[def].name)
    }

    fn var_name(&self, var: usize) -> &'s str {
        let spec = self.reading.spec;
        spec.names.text(spec.variables[self.variables()[var]].name)
    }
}

/// Joins names for a message: "`x`, `y` and `z`".
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Enters the assignments into `known`, and returns those of variables that already have a value.
///
/// Two UNCHANGED agree, and `x' \in S` beside another assignment is a condition on the new value. Neither is returned.
fn note_assign(assign: &Assign, site: &Site, known: &mut FirstAssignments) -> Vec<(usize, FirstAssignment)> {
    let mut again = Vec::new();
    for &var in &assign.vars {
        match (&known[var], assign.how) {
            (None, how) => known[var] = Some(FirstAssignment { span: assign.span, how, site: site.clone() }),
            (Some(FirstAssignment { how: AssignForm::Chosen, .. }), _) | (Some(_), AssignForm::Chosen) => {}
            (Some(FirstAssignment { how: AssignForm::Unchanged, .. }), AssignForm::Unchanged) => {}
            (Some(first), AssignForm::Equals | AssignForm::Unchanged) => again.push((var, first.clone())),
        }
    }
    again
}

fn intersect(one: &FirstAssignments, two: &FirstAssignments) -> FirstAssignments {
    one.iter().zip(two).map(|(one, two)| one.clone().filter(|_| two.is_some())).collect()
}

/// Enters a second assignment at the place where the ways to the two assignments part: `Send(a) /\ Send(b)` is at
/// fault, not `Send`.
fn add_twice(
    twice: &mut FxIndexMap<Span, RepeatedAssignment>,
    var: usize,
    first: &FirstAssignment,
    span: Span,
    site: &Site,
) {
    let way = |site: &Site, leaf: Span| {
        let callers = site.outward().skip(1).map(|site| (site.span, site.def));
        let mut way: Vec<_> = std::iter::once((leaf, site.def)).chain(callers).collect();
        way.reverse();
        way
    };
    let (one, two) = (way(&first.site, first.span), way(site, span));
    let parting = one.iter().zip(&two).find(|(one, two)| one != two);
    let (first, (second, def)) =
        parting.map_or((first.span, (span, site.def)), |(&(first, _), &second)| (first, second));
    let entry = twice.entry(second).or_insert(RepeatedAssignment { def, vars: Vec::new() });
    if entry.vars.iter().all(|&(other, _)| other != var) {
        entry.vars.push((var, first));
    }
}
