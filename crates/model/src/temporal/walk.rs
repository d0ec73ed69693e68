//! Temporal properties of one walk: its states and steps are a small graph, in which every behaviour is one of the
//! specification.
//!
//! TLC does the same at the end of each walk of a simulation (contract 5). A behaviour goes round where the walk came
//! by a state again, or stays where it is; what the walk did not come by is not looked at.

use base::FxHashSet;
use eval::interp::{Fault, Machine};
use eval::temporal::TemporalAtoms;
use live::{ClassId, Formula, Graph, LabelId, Stop};
use trace::Trace;
use value::{Region, Value, ValueId};

use super::bits::{self, BitSets, Cache};
use super::build::Builder;
use super::meaning::{Endless, Word};
use super::{
    Remarks, TemporalProperty, describe_violation, no_counterexample, refuse, stops_anywhere, violated_names,
};
use crate::Model;
use crate::fault;
use crate::outcome::is_interruption;
use crate::outcome::{NoVerdict, Phase, Violation};
use crate::run::REGION_BYTES_MAX;
use crate::run::{Evaluation, quietly};

/// The temporal properties and the fairness to check on walks.
pub struct WalkLiveness {
    fairness: Vec<Formula>,
    properties: Vec<TemporalProperty>,
    atoms: TemporalAtoms,
}

/// The states of a walk.
pub trait WalkedStates {
    /// For each state on the way its number: equal states have the same, and the first that are met the least.
    fn numbers(&self) -> &[u32];

    /// The values of the state with a number.
    fn values<'r>(&self, region: &'r Region, number: u32) -> Vec<Value<'r>>;

    /// Whether to end without an answer.
    fn is_over(&self) -> bool;
}

/// A behaviour without end that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkLasso {
    property: usize,
    /// The numbers of its states.
    pub states: Vec<u32>,
    /// Index of the state that comes after the last one; `None` if the last state stays for ever.
    pub back_to: Option<usize>,
}

/// Why a walk could not be judged.
#[derive(Debug)]
pub enum WalkStop {
    /// A part of a property has no value in the state with this place on the walk.
    Fault(usize, Box<Fault>),
    Unsupported(NoVerdict),
    Over,
}

impl WalkLiveness {
    /// `None` if there are no temporal properties.
    pub fn prepare(evaluation: Evaluation<'_>) -> Result<Option<WalkLiveness>, NoVerdict> {
        let Evaluation { model, run, .. } = evaluation;
        if model.program.temporal.is_empty() {
            return Ok(None);
        }
        let region = run.region();
        let mut machine = evaluation.machine(&region);
        let mut builder = Builder::new(model);
        let (fairness, properties) = builder.plan(&mut machine)?;
        Ok(Some(WalkLiveness { fairness, properties, atoms: builder.atoms }))
    }

    /// A behaviour through the states of a walk that is fair and violates a property.
    pub fn find(
        &self,
        evaluation: Evaluation<'_>,
        states: &dyn WalkedStates,
    ) -> Result<Option<WalkLasso>, WalkStop> {
        let graph = quietly(evaluation.run, || self.graph(evaluation, states))?;
        for (property, planned) in self.properties.iter().enumerate() {
            let found = live::search(&graph, &planned.plan).map_err(|stop| match stop {
                Stop::Refused(refusal) => WalkStop::Unsupported(refuse(planned, refusal)),
                Stop::Over => WalkStop::Over,
            })?;
            if let Some(lasso) = found {
                return Ok(Some(WalkLasso { property, states: lasso.nodes, back_to: lasso.back_to }));
            }
        }
        Ok(None)
    }

    /// The violation that a behaviour shows, as formulas mean it; `ids` are its states and `trace` tells it.
    pub fn violation(
        &self,
        evaluation: Evaluation<'_>,
        lasso: &WalkLasso,
        ids: &[Vec<ValueId>],
        trace: Trace,
    ) -> Result<Violation, NoVerdict> {
        let property = &self.properties[lasso.property];
        let not_meant = || NoVerdict::Unsupported(Box::new(no_counterexample(property)));
        let back_to = lasso.back_to.unwrap_or(ids.len() - 1);
        let behaviour = Endless { states: ids, back_to, after: None };
        let word = Word::new(evaluation, &self.atoms, behaviour).map_err(|_| not_meant())?;
        let is_fair = self.fairness.iter().all(|fair| word.satisfies(fair));
        if !is_fair || word.satisfies(&property.formula) {
            return Err(not_meant());
        }
        let names = violated_names(&self.properties, &word);
        let remarks = Remarks {
            instances: property.failing_instances(evaluation.model.spec, &word),
            help: stops_anywhere(lasso.back_to, &self.fairness),
        };
        Ok(describe_violation(property, Some(trace), names, remarks))
    }

    fn graph<'w>(
        &self,
        evaluation: Evaluation<'_>,
        states: &'w dyn WalkedStates,
    ) -> Result<WalkGraph<'w>, WalkStop> {
        let (classes, labels) = (BitSets::default(), BitSets::default());
        let (mut class_cache, mut label_cache) = (classes.cache(), labels.cache());
        let mut graph = WalkGraph::new(states);
        let mut known = FxHashSet::default();
        let numbers = states.numbers();
        let mut region = evaluation.run.region();
        let mut at = 0;
        while at < numbers.len() {
            region.reset();
            let machine = evaluation.machine(&region);
            let caches = (&mut class_cache, &mut label_cache);
            let mut evaluator = Evaluator { atoms: &self.atoms, states, region: &region, machine, caches };
            while at < numbers.len() && !region.is_reset_due(REGION_BYTES_MAX) {
                if states.is_over() {
                    return Err(WalkStop::Over);
                }
                let added = evaluator.add(&mut graph, &mut known, at);
                added.map_err(|fault| match is_interruption(&fault) {
                    true => WalkStop::Over,
                    false => WalkStop::Fault(at, fault),
                })?;
                at += 1;
            }
        }
        graph.class_sets = classes.all();
        graph.label_sets = labels.all();
        Ok(graph)
    }
}

/// Returns the answer when a walk cannot be judged; `trace` leads to the state.
pub fn undefined_verdict(model: Model<'_>, fault: Box<Fault>, mut trace: Trace) -> NoVerdict {
    let error = Box::new(fault::diagnostic(model, &fault));
    let (code, message) = (Some(error.code.id().to_owned()), error.headline.clone());
    trace.finding = trace::Finding::EvaluationError { code, message };
    trace.failure = Some(fault::failure(model, &fault));
    let (phase, trace) = (Phase::Temporal, Some(Box::new(trace)));
    NoVerdict::Undefined { phase, initial: false, error, fault: Some(fault), trace }
}

struct Evaluator<'e, 'k, 'a, 'r> {
    atoms: &'e TemporalAtoms,
    states: &'e dyn WalkedStates,
    region: &'r Region,
    machine: Machine<'a, 'r>,
    /// Sets of state atoms, sets of action atoms.
    caches: (&'e mut Cache<'k>, &'e mut Cache<'k>),
}

impl Evaluator<'_, '_, '_, '_> {
    /// Adds a state of the walk and the step that led there, as far as they are new.
    fn add(
        &mut self,
        graph: &mut WalkGraph<'_>,
        known: &mut FxHashSet<(u32, u32)>,
        at: usize,
    ) -> Result<(), Box<Fault>> {
        let numbers = self.states.numbers();
        let number = numbers[at];
        if number as usize == graph.nodes.len() {
            let values = self.states.values(self.region, number);
            self.machine.set_state(values.iter().copied());
            self.machine.set_successor(values);
            let (atoms, machine) = (self.atoms, &mut self.machine);
            let class = self
                .caches
                .0
                .number_of(atoms.states.len(), |atom| machine.atom_holds(&atoms.states[atom]))?;
            let stutter = self.label()?;
            graph.nodes.push(Node { class, stutter, steps: Vec::new() });
        }
        let Some(before) = at.checked_sub(1).map(|before| numbers[before]) else { return Ok(()) };
        if before == number || !known.insert((before, number)) {
            return Ok(());
        }
        self.machine.set_state(self.states.values(self.region, before));
        self.machine.set_successor(self.states.values(self.region, number));
        let label = self.label()?;
        graph.nodes[before as usize].steps.push((number, LabelId(label)));
        Ok(())
    }

    /// The set of action atoms that hold of the machine's step.
    fn label(&mut self) -> Result<u32, Box<Fault>> {
        let (actions, machine) = (&self.atoms.actions, &mut self.machine);
        self.caches.1.number_of(actions.len(), |atom| machine.atom_holds(&actions[atom]))
    }
}

struct Node {
    class: u32,
    stutter: u32,
    steps: Vec<(u32, LabelId)>,
}

struct WalkGraph<'w> {
    states: &'w dyn WalkedStates,
    nodes: Vec<Node>,
    class_sets: Vec<Box<[u64]>>,
    label_sets: Vec<Box<[u64]>>,
}

impl<'w> WalkGraph<'w> {
    fn new(states: &'w dyn WalkedStates) -> Self {
        WalkGraph { states, nodes: Vec::new(), class_sets: Vec::new(), label_sets: Vec::new() }
    }
}

impl Graph for WalkGraph<'_> {
    fn n_nodes(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn initial(&self) -> &[u32] {
        &[0]
    }

    fn class(&self, node: u32) -> ClassId {
        ClassId(self.nodes[node as usize].class)
    }

    fn stutter(&self, node: u32) -> Option<LabelId> {
        Some(LabelId(self.nodes[node as usize].stutter))
    }

    fn steps(&self, node: u32, steps: &mut Vec<(u32, LabelId)>) {
        steps.extend_from_slice(&self.nodes[node as usize].steps);
    }

    fn class_has(&self, class: ClassId, atom: u32) -> bool {
        bits::has(&self.class_sets[class.0 as usize], atom)
    }

    fn label_has(&self, label: LabelId, atom: u32) -> bool {
        bits::has(&self.label_sets[label.0 as usize], atom)
    }

    fn is_over(&self, _n_bytes: usize) -> bool {
        self.states.is_over()
    }
}
