//! The data that all workers of a simulation read.

use eval::interp::{ActionInstance, Conjuncts, Shared};
use eval::ir::{Program, Root, StepProperty};
use model::{Evaluation, WalkLiveness};
use sema::Spec;

use crate::board::Board;
use crate::initial::InitialStates;
use crate::options::Options;
use crate::run::WalkRun;

pub(crate) struct Context<'a> {
    pub model: model::Model<'a>,
    pub options: &'a Options<'a>,
    pub shared: &'a Shared,
    pub board: &'a Board<'a>,
    pub actions: &'a [ActionInstance<'a>],
    /// The name of each action, as an index into `names`.
    pub name_of: Vec<u32>,
    /// The names of actions, in the order of the text.
    pub names: Vec<&'a str>,
    /// The names of the steps of each action in traces, parallel to `names`.
    pub step_names: Vec<Vec<String>>,
    /// The weight of each action.
    pub weights: Vec<f64>,
    /// Whether all actions have the same weight.
    pub is_unweighted: bool,
    pub invariants: Vec<Conjuncts>,
    pub step_properties: &'a [StepProperty],
    pub constraints: Vec<Conjuncts>,
    pub initial: InitialStates,
    /// Temporal properties, which are checked on walks that have ended.
    pub liveness: Option<WalkLiveness>,
}

impl<'a> Context<'a> {
    /// Returns what it takes to evaluate formulas of the model in `run`.
    pub fn evaluation<'e>(&'e self, run: &'e WalkRun<'_>) -> Evaluation<'e> {
        Evaluation { model: self.model, shared: self.shared, run }
    }

    pub fn new(
        model: model::Model<'a>,
        (options, shared, board): (&'a Options<'a>, &'a Shared, &'a Board<'a>),
        actions: &'a [ActionInstance<'a>],
    ) -> Context<'a> {
        let program = model.program;
        let conjuncts = |roots: &[Root]| roots.iter().map(|root| Conjuncts::of(program, root)).collect();
        let (invariants, step_properties): (&[Root], &[StepProperty]) = match options.checks_properties {
            true => (&program.invariants, &program.step_properties),
            false => (&[], &[]),
        };
        let mut names: Vec<&'a str> = Vec::new();
        let mut step_names: Vec<Vec<String>> = Vec::new();
        let mut name_of = Vec::new();
        for action in actions {
            let name = model.spec.names.text(action.leaf.name);
            let index = names.iter().position(|&known| known == name).unwrap_or(names.len());
            if index == names.len() {
                names.push(name);
                step_names.push(Vec::new());
            }
            for step_name in model::step_names(model, action.leaf) {
                if !step_names[index].contains(&step_name) {
                    step_names[index].push(step_name);
                }
            }
            name_of.push(index as u32);
        }
        let weight = |(name, step_names): (&&str, &Vec<String>)| {
            let mut given = options.weights.iter().rev();
            given.find(|(known, _)| known == name || step_names.contains(known)).map_or(1.0, |(_, w)| *w)
        };
        let by_name: Vec<f64> = names.iter().zip(&step_names).map(weight).collect();
        Context {
            model,
            options,
            shared,
            board,
            actions,
            is_unweighted: by_name.iter().all(|weight| *weight == by_name[0]),
            weights: name_of.iter().map(|&name| by_name[name as usize]).collect(),
            name_of,
            names,
            step_names,
            invariants: conjuncts(invariants),
            step_properties,
            constraints: conjuncts(&program.constraints),
            initial: InitialStates::default(),
            liveness: None,
        }
    }

    pub fn program(&self) -> &'a Program {
        self.model.program
    }

    pub fn spec(&self) -> &'a Spec {
        self.model.spec
    }
}
