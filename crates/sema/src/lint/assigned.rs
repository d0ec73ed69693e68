//! Variables that a step or an initial state leaves without a value (SL0604), those that an action assigns
//! twice (SL0605), and those that the subscript of `[][Next]_vars` leaves out (SL0609).

use base::FxIndexMap;
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::effect::{Assign, EffectId, EffectKind, How, Part, Site};
use super::read::{Mode, Reading};
use super::var_set::VarSet;
use crate::config::{Behaviour, Replacements};
use crate::spec::{DefId, ExprId, ModuleId, Spec, VarId};
use crate::unfold::Env;

/// Visits of effects; one that is shared counts each time. Formulas beyond are not looked at to the end.
const VISITS_MAX: usize = 200_000;

/// The variables that must get a value.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// All of the root module: a state of TLC has them all.
    State,
    /// Those that the module knows and that the subscript of `[][Next]_vars` names: it may be one
    /// component of several.
    Component(ModuleId),
}

/// Reports all three for a behaviour.
pub(super) fn lint(
    spec: &Spec,
    replacements: &Replacements,
    behaviour: &Behaviour<'_>,
    wanted: Wanted,
) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let variables = wanted.of_module(spec);
    let mut of_init = VarSet::empty(spec.modules[spec.root].variables.len());
    for relation in &behaviour.next {
        let mut reading = Reading::new(spec, replacements, Mode::Next);
        let root = reading.formula(&relation.action);
        let of_next = match (wanted, relation.subscript) {
            (Wanted::Component(_), Some(subscript)) => {
                let vars = reading.tuple_variables(subscript, &relation.action.env);
                let named = vars.into_iter().filter(|&var| variables.contains(var));
                named.fold(VarSet::empty(spec.modules[spec.root].variables.len()), VarSet::with)
            }
            (Wanted::State | Wanted::Component(_), _) => variables.clone(),
        };
        if let (Wanted::State, Some(subscript)) = (wanted, relation.subscript) {
            incomplete_subscript(&reading, subscript, &relation.action.env)
                .into_iter()
                .for_each(|diagnostic| diagnostics.push(diagnostic));
        }
        of_init = of_init.union(&of_next);
        diagnostics.extend(Lint::new(reading).run(root, &of_next));
    }
    if behaviour.next.is_empty() {
        of_init = variables;
    }
    let mut reading = Reading::new(spec, replacements, Mode::Init);
    if let Some(root) = reading.conjunction(&behaviour.init) {
        diagnostics.extend(Lint::new(reading).run(root, &of_init));
    }
    diagnostics
}

/// TLC: warning EC 2140 (contract 1.4).
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

impl Wanted {
    fn of_module(self, spec: &Spec) -> VarSet {
        let all = &spec.modules[spec.root].variables;
        let known = match self {
            Wanted::State => all,
            Wanted::Component(module) => &spec.modules[module].variables,
        };
        let positions = (0..all.len()).filter(|&var| known.contains(&all[var]));
        positions.fold(VarSet::empty(all.len()), VarSet::with)
    }
}

struct Lint<'s, 'r> {
    reading: Reading<'s, 'r>,
    visits_left: usize,
    /// One report a place, whatever the ways that lead there.
    missing: FxIndexMap<Span, (Site, VarSet)>,
    twice: FxIndexMap<Span, Twice>,
}

/// Where a variable got its value.
#[derive(Clone)]
struct First {
    span: Span,
    how: How,
    site: Site,
}

/// An assignment to variables that have a value.
struct Twice {
    /// The definition in which both assignments come together.
    def: Option<DefId>,
    /// The variables, each with the place where it gets its value.
    vars: Vec<(usize, Span)>,
}

/// For each variable its first assignment on the way.
type Known = Vec<Option<First>>;

impl<'s, 'r> Lint<'s, 'r> {
    fn new(reading: Reading<'s, 'r>) -> Self {
        Lint {
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

    /// Reports the variables of `wanted` that no way through `id` assigns, where `id` alone could.
    ///
    /// When two conjuncts assign a variable on some of their ways, their conditions may go together so
    /// that one of them always does: nothing is said.
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
                let alone = |index| self.alone(parts, index);
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

    /// What only the `index`-th of `parts` may assign.
    fn alone(&self, parts: &[EffectId], index: usize) -> VarSet {
        let may = |part: EffectId| &self.reading.effects[part].may;
        let others = parts.iter().enumerate().filter(|&(other, _)| other != index);
        others.fold(may(parts[index]).clone(), |set, (_, &other)| set.without(may(other)))
    }

    /// Each variable is reported where it can be mentioned: an extended module does not know those of the
    /// modules that extend it.
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

    /// Goes through `id` knowing what is assigned; what is known after it, or `None` when there is no way
    /// through or too much to look at.
    fn find_twice(&mut self, id: EffectId, mut known: Known) -> Option<Known> {
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
                let after: Vec<Known> = ways.filter_map(|way| self.find_twice(way, known.clone())).collect();
                after.into_iter().reduce(|one, two| on_both(&one, &two))
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

    fn twice_diagnostic(&self, span: Span, twice: &Twice) -> Diagnostic {
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
            (Part::Whole, Mode::Next) => format!("the action `{def}`"),
            (Part::Whole, Mode::Init) => format!("the initial predicate `{def}`"),
            (Part::Disjunct, Mode::Next | Mode::Init) => format!("this disjunct of `{def}`"),
            (Part::Branch, Mode::Next | Mode::Init) => format!("this branch of `{def}`"),
            (Part::Other, Mode::Next | Mode::Init) => format!("this part of `{def}`"),
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

/// "`x`, `y` and `z`"
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Enters the assignments into `known`; returns those of variables that have a value already.
///
/// Two UNCHANGED agree, and `x' \in S` beside another is a condition on the new value: neither is
/// returned.
fn note_assign(assign: &Assign, site: &Site, known: &mut Known) -> Vec<(usize, First)> {
    let mut again = Vec::new();
    for &var in &assign.vars {
        match (&known[var], assign.how) {
            (None, how) => known[var] = Some(First { span: assign.span, how, site: site.clone() }),
            (Some(First { how: How::Chosen, .. }), _) | (Some(_), How::Chosen) => {}
            (Some(First { how: How::Unchanged, .. }), How::Unchanged) => {}
            (Some(first), How::Equals | How::Unchanged) => again.push((var, first.clone())),
        }
    }
    again
}

fn on_both(one: &Known, two: &Known) -> Known {
    one.iter().zip(two).map(|(one, two)| one.clone().filter(|_| two.is_some())).collect()
}

/// Enters a second assignment, where the ways to both part: `Send(a) /\ Send(b)` is at fault, not `Send`.
fn add_twice(twice: &mut FxIndexMap<Span, Twice>, var: usize, first: &First, span: Span, site: &Site) {
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
    let entry = twice.entry(second).or_insert(Twice { def, vars: Vec::new() });
    if entry.vars.iter().all(|&(other, _)| other != var) {
        entry.vars.push((var, first));
    }
}
