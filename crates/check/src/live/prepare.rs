//! Temporal properties before the search: quantifiers expanded, formulas taken apart, what cannot be checked refused.

use diag::{Code, Diagnostic, Span};
use eval::interp::{ActionInstance, Evaluated, Machine};
use eval::temporal::{TemporalAtom, TemporalAtoms, TemporalFormula, TemporalRoot};
use live::{Formula, Plan, Refusal};

use super::asked::{ASKED_MAX, Asked};
use super::bits::{BitSets, Cache};
use super::derived::{Derived, Fair, collect};
use super::formula::translate;
use super::log::StepLog;
use super::{Liveness, Recorder, TemporalProperty};
use crate::answer::{NoVerdict, Phase};
use crate::expand::is_interruption;
use crate::fault;
use crate::options::{Model, Options};
use crate::run::Board;

/// What there is to check about behaviours; `None` if there is nothing.
pub(crate) fn prepare(
    model: Model<'_>,
    machine: &mut Machine<'_, '_>,
    options: &Options<'_>,
) -> Result<Option<Liveness>, NoVerdict> {
    let program = model.program;
    let Some(first) = program.temporal.first() else { return Ok(None) };
    if let Some(option) = refused_option(options) {
        return Err(NoVerdict::Unsupported(Box::new(option_refusal(option, first.span))));
    }
    let mut builder = Builder::new(model);
    builder.may_ask = true;
    let (fairness, properties) = builder.planned(machine)?;
    let asked = Asked::new(builder.asking());
    Ok(Some(Liveness {
        fairness,
        properties,
        leads_to: builder.leads_to,
        asked,
        atoms: builder.atoms,
        labels: BitSets::default(),
        log: StepLog::default(),
        fair: builder.fair,
        derived: Derived::default(),
        bits: BitSets::default(),
        labels_at_once: program.view.is_some() || program.symmetry.is_some(),
    }))
}

impl Liveness {
    /// Finds out which fair actions are disjuncts of the next-state relation.
    pub fn derive<'p>(&mut self, machine: &mut Machine<'p, '_>, actions: &[ActionInstance<'p>]) {
        self.derived = match self.labels_at_once {
            true => Derived::none(&self.atoms),
            false => Derived::new(machine, actions, &self.atoms, &self.fair),
        };
        self.derived.ask(&self.asked.atoms);
    }

    /// How many steps were written down.
    pub fn n_steps(&self) -> u64 {
        self.log.n_steps()
    }

    /// The number of the set of actions that the machine's step is.
    pub(super) fn label(&self, labels: &mut Cache<'_>, machine: &mut Machine<'_, '_>) -> Evaluated<u32> {
        let actions = &self.atoms.actions;
        labels.number_of(actions.len(), |atom| machine.atom_holds(&actions[atom]))
    }

    /// What a worker writes steps down with.
    pub fn recorder<'a>(&'a self, board: &'a Board<'a>) -> Recorder<'a> {
        Recorder::new(board, self)
    }
}

pub(super) struct Builder<'a> {
    model: Model<'a>,
    pub atoms: TemporalAtoms,
    leads_to: Vec<super::formula::LeadsTo>,
    fair: Vec<Fair>,
    /// The formulas that were made last, with the values of bound names.
    pub expanded: Vec<TemporalFormula>,
    /// State predicates may ask about the run: there is a search that they can be evaluated in.
    may_ask: bool,
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
    pub fn planned(
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
    fn asking(&self) -> Vec<usize> {
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

pub(super) fn refusal(name: &str, span: Span, refusal: Refusal) -> Diagnostic {
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

/// What temporal properties cannot be checked with.
fn refused_option(options: &Options<'_>) -> Option<&'static str> {
    match (&options.spill, &options.checkpoints) {
        (Some(_), _) => Some("--spill"),
        (None, Some(checkpoints)) if checkpoints.is_resumed => Some("--resume"),
        (None, Some(_)) => Some("--checkpoint"),
        (None, None) => None,
    }
}

fn option_refusal(option: &str, span: Span) -> Diagnostic {
    let headline = format!("temporal properties cannot be checked with `{option}` yet");
    Diagnostic::new(Code::TemporalOption, span, headline)
        .label("this needs every step of the search in memory")
        .help(format!("leave `{option}` out, or check this property in a run of its own"))
}
