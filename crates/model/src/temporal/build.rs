//! Temporal properties before a run: quantifiers expanded, formulas taken apart, what cannot be checked refused.

use diag::{Code, Diagnostic, Span};
use eval::interp::Machine;
use eval::temporal::{TemporalAtom, TemporalAtoms, TemporalFormula, TemporalRoot};
use live::{Formula, Plan, Refusal};

use super::formula::{LeadsTo, translate};
use super::property::TemporalProperty;
use crate::Model;
use crate::fault;
use crate::outcome::{NoVerdict, Phase, is_interruption};

/// Evaluated on the way, so many state predicates may ask about the run: as many as there are bits in a word.
pub const ASKED_MAX: usize = 64;

pub struct Builder<'a> {
    model: Model<'a>,
    pub atoms: TemporalAtoms,
    pub leads_to: Vec<LeadsTo>,
    pub fair: Vec<Fair>,
    /// The formulas that were made last, with the values of bound names.
    pub expanded: Vec<TemporalFormula>,
    /// State predicates may ask about the run: there is a search that they can be evaluated in.
    pub may_ask: bool,
}

impl<'a> Builder<'a> {
    pub fn new(model: Model<'a>) -> Self {
        Builder {
            model,
            atoms: TemporalAtoms::default(),
            leads_to: Vec::new(),
            fair: Vec::new(),
            expanded: Vec::new(),
            may_ask: false,
        }
    }

    /// The fairness of the specification, and its properties with plans of how to violate them.
    pub fn plan(
        &mut self,
        machine: &mut Machine<'_, '_>,
    ) -> Result<(Vec<Formula>, Vec<TemporalProperty>), NoVerdict> {
        let program = self.model.program;
        let fairness = self.formulas(machine, &program.fairness)?;
        // Only what a property says can be vacuous.
        self.leads_to.clear();
        let formulas = self.formulas(machine, &program.temporal)?;
        let mut properties = Vec::new();
        let expanded = std::mem::take(&mut self.expanded);
        for ((root, formula), expanded) in program.temporal.iter().zip(formulas).zip(expanded) {
            let name = self.model.spec.names.text(root.name).to_owned();
            let plan = Plan::new(&fairness, &formula)
                .map_err(|found| NoVerdict::Unsupported(Box::new(refusal(&name, root.span, found))))?;
            properties.push(TemporalProperty { name, span: root.span, formula, expanded, plan });
        }
        match program.temporal.first() {
            Some(first) if properties.iter().all(|property| property.plan.is_empty()) => {
                Err(NoVerdict::Unsupported(Box::new(tautology(first))))
            }
            Some(_) | None => Ok((fairness, properties)),
        }
    }

    pub fn formulas(
        &mut self,
        machine: &mut Machine<'_, '_>,
        roots: &[TemporalRoot],
    ) -> Result<Vec<Formula>, NoVerdict> {
        let mut formulas = Vec::new();
        self.expanded.clear();
        for root in roots {
            let expanded = machine.expand_temporal(root, &mut self.atoms).map_err(|fault| {
                if is_interruption(&fault) {
                    return NoVerdict::Interrupted;
                }
                let error = Box::new(fault::diagnostic(self.model, &fault));
                let (phase, fault) = (Phase::Temporal, Some(fault));
                NoVerdict::Undefined { phase, initial: false, error, fault, trace: None }
            })?;
            if let Some(atom) = self.refused_atom() {
                return Err(NoVerdict::Unsupported(Box::new(self.asks_run_refusal(root, atom))));
            }
            collect(&expanded, &mut self.fair);
            formulas.push(translate(&expanded, &mut self.leads_to));
            self.expanded.push(expanded);
        }
        Ok(formulas)
    }

    /// LIMIT: actions are evaluated after the search, when what `TLCGet` tells has changed; state predicates that ask are
    /// evaluated on the way. Where there is no search there is nobody to ask.
    fn refused_atom(&self) -> Option<&TemporalAtom> {
        let states = self.atoms.states.iter().filter(|atom| self.asks_run(atom));
        let n_allowed = if self.may_ask { ASKED_MAX } else { 0 };
        let actions = self.atoms.actions.iter().filter(|atom| self.asks_run(atom));
        states.skip(n_allowed).chain(actions).next()
    }

    /// The numbers of the state predicates that ask about the run.
    pub fn asking(&self) -> Vec<usize> {
        let states = self.atoms.states.iter().enumerate();
        states.filter(|(_, atom)| self.asks_run(atom)).map(|(number, _)| number).collect()
    }

    fn asks_run(&self, atom: &TemporalAtom) -> bool {
        self.model.program.irs[atom.expr].facts.dynamic
    }

    fn asks_run_refusal(&self, root: &TemporalRoot, atom: &TemporalAtom) -> Diagnostic {
        let name = self.model.spec.names.text(root.name);
        let headline = format!("`{name}` has a temporal part that cannot be checked");
        Diagnostic::new(Code::ConfigTemporal, root.span, headline)
            .related(atom.span, "this depends on the run")
            .help(if self.may_ask {
                "only state predicates may ask about the run, and at most 64 of them"
            } else {
                "`specline check` and `specline validate` evaluate such parts while they search"
            })
    }
}

pub fn refusal(name: &str, span: Span, refusal: Refusal) -> Diagnostic {
    let headline = format!("`{name}` has a temporal part that cannot be checked");
    let diagnostic = Diagnostic::new(Code::ConfigTemporal, span, headline);
    match refusal {
        Refusal::ActionShape => {
            diagnostic.help("an action in a temporal formula must stand in `<>[]A` or `[]<>A`")
        }
        Refusal::TooLarge => diagnostic.help("it has too many alternatives: check its parts one by one"),
    }
}

/// TLC: a formula that cannot be false by its form alone is a mistake.
fn tautology(root: &TemporalRoot) -> Diagnostic {
    let headline = "the temporal properties cannot be violated, whatever the specification does";
    Diagnostic::new(Code::TemporalTautology, root.span, headline).label("this is always true")
}

/// The atoms of a fair action.
#[derive(Clone, Copy, Debug)]
pub struct Fair {
    pub enabled: usize,
    pub step: usize,
}

/// Adds the fair actions of a formula.
pub fn collect(formula: &TemporalFormula, fair: &mut Vec<Fair>) {
    match formula {
        TemporalFormula::Fair { enabled, step, .. } => fair.push(Fair { enabled: *enabled, step: *step }),
        TemporalFormula::Bool(_) | TemporalFormula::State(_) | TemporalFormula::Action(_) => {}
        TemporalFormula::Not(inner) | TemporalFormula::Always(inner) | TemporalFormula::Eventually(inner) => {
            collect(inner, fair);
        }
        TemporalFormula::And(items) | TemporalFormula::Or(items) => {
            items.iter().for_each(|item| collect(item, fair));
        }
        TemporalFormula::Instances(items) => items.iter().for_each(|item| collect(&item.formula, fair)),
        TemporalFormula::LeadsTo(sides, _) => sides.iter().for_each(|side| collect(side, fair)),
    }
}
