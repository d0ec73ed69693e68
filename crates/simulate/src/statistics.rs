//! Statistics of walks.

use std::collections::BTreeMap;

use base::FxHashSet;

use crate::context::Context;
use crate::distinct::{Distinct, DistinctCount};
use crate::estimate::{Estimate, Occurrences};
use crate::flow::Flow;
use crate::options::Options;
use crate::walk::{Ending, FinishedWalk};

/// Statistics of the walks that count. They do not depend on the number of workers, unless time ended the walks.
#[derive(Clone, Debug)]
pub struct Statistics {
    pub n_walks: u64,
    /// Number of successors and initial states that were made, chosen or not: TLC's "states generated".
    pub n_generated: u64,
    /// Number of steps that were made.
    pub n_steps: u64,
    /// Number of different states on the walks.
    pub distinct: DistinctCount,
    /// Number of walks by their number of steps.
    pub depths: BTreeMap<u32, u64>,
    /// Number of walks that ended in a state without a successor.
    pub n_stuck: u64,
    /// Each action of the specification by name, and how often it was taken.
    pub actions: Vec<ActionCount>,
    /// Average number of different actions of a walk; an action with other constants is another one.
    pub diversity: f64,
    /// An estimate of the number of states, if that was asked for.
    pub estimate: Option<Estimate>,
    /// The counts of which action came after which, if that was asked for.
    pub flow: Option<Flow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionCount {
    pub name: String,
    pub n_taken: u64,
}

/// The statistics while they are collected.
#[derive(Default)]
pub(crate) struct Tally {
    n_walks: u64,
    n_generated: u64,
    n_steps: u64,
    distinct: Distinct,
    depths: BTreeMap<u32, u64>,
    n_stuck: u64,
    /// The number of times that each action was taken, by name.
    taken: Vec<u64>,
    /// Number of different actions of each walk, summed over all walks.
    n_different: u64,
    occurrences: Option<Occurrences>,
    pub flow: Option<Flow>,
}

impl Tally {
    pub fn new(options: &Options<'_>) -> Tally {
        let occurrences = options.estimates_states.then(Occurrences::default);
        Tally { occurrences, flow: options.counts_flow.then(Flow::default), ..Tally::default() }
    }

    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Returns the number of walks so far, and the number of states that were made.
    pub fn n_walks_and_states(&self, context: &Context<'_>) -> (u64, u64) {
        (self.n_walks, self.n_generated + context.initial.n_generated)
    }

    pub fn add(&mut self, context: &Context<'_>, walked: &FinishedWalk) {
        self.taken.resize(context.names.len(), 0);
        self.n_walks += 1;
        self.n_generated += walked.n_generated;
        self.n_steps += walked.choices.len() as u64;
        for &hash in &walked.hashes {
            self.distinct.add(hash);
        }
        *self.depths.entry(walked.choices.len() as u32).or_insert(0) += 1;
        self.n_stuck += u64::from(matches!(walked.ending, Ending::Stuck));
        let different: FxHashSet<u32> = walked.choices.iter().map(|choice| choice.action).collect();
        self.n_different += different.len() as u64;
        if let Some(occurrences) = &mut self.occurrences {
            occurrences.add(&walked.hashes);
        }
        if let Some(flow) = &mut self.flow {
            flow.add(&walked.choices);
        }
        for choice in &walked.choices {
            self.taken[context.name_of[choice.action as usize] as usize] += 1;
        }
    }

    pub fn finish(self, context: Option<&Context<'_>>) -> Statistics {
        let names = context.map_or(&[][..], |context| &context.step_names);
        let taken = self.taken.into_iter().chain(std::iter::repeat(0));
        let action =
            |(names, n_taken): (&Vec<String>, u64)| ActionCount { name: names.join(" or "), n_taken };
        Statistics {
            n_walks: self.n_walks,
            n_generated: self.n_generated + context.map_or(0, |context| context.initial.n_generated),
            n_steps: self.n_steps,
            distinct: self.distinct.count(),
            depths: self.depths,
            n_stuck: self.n_stuck,
            actions: names.iter().zip(taken).map(action).collect(),
            diversity: self.n_different as f64 / self.n_walks.max(1) as f64,
            estimate: self.occurrences.map(|occurrences| occurrences.estimate()),
            flow: self.flow,
        }
    }
}
