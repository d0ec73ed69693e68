//! The states passed on the way to where one stands.

use model::Model;
use trace::{State, Trace};

use crate::session::Position;
use crate::steps::Reached;

/// States in the order in which they were passed, and the one where one stands. States behind it are those of a trace, or
/// those that one went back from: taking a step forgets them.
#[derive(Clone, Debug, Default)]
pub struct Path {
    states: Vec<Reached>,
    at: usize,
}

impl Path {
    /// A path of these states, with its end at `at`, counted from 0.
    pub fn new(states: Vec<Reached>, at: usize) -> Path {
        let at = at.min(states.len().saturating_sub(1));
        Path { states, at }
    }

    pub fn states(&self) -> &[Reached] {
        &self.states
    }

    /// The number of the state where one stands, from 1; 0 before the first.
    pub fn level(&self) -> u32 {
        if self.states.is_empty() { 0 } else { u32::try_from(self.at + 1).unwrap_or(u32::MAX) }
    }

    /// The state where one stands.
    pub fn here(&self) -> Option<&Reached> {
        self.states.get(self.at)
    }

    /// The place for expressions: this state, and the next one if there is one.
    pub fn position(&self) -> Option<Position<'_>> {
        let state = &self.here()?.state;
        let next = self.states.get(self.at + 1).map(|next| &next.state);
        Some(Position { state, next, level: self.level() })
    }

    /// Takes a step; one to an initial state begins anew.
    pub fn take(&mut self, reached: Reached) {
        match reached.step {
            None => self.states.clear(),
            Some(_) => self.states.truncate(self.at + 1),
        }
        self.states.push(reached);
        self.at = self.states.len() - 1;
    }

    /// Goes back one state. Returns whether there is one.
    pub fn back(&mut self) -> bool {
        let can = self.at > 0;
        self.at = self.at.saturating_sub(1);
        can
    }

    /// Goes to the state with this number, from 1. Returns whether there is one.
    pub fn go_to(&mut self, number: usize) -> bool {
        let is_there = (1..=self.states.len()).contains(&number);
        if is_there {
            self.at = number - 1;
        }
        is_there
    }

    /// Returns the behaviour up to where one stands.
    pub fn to_trace(&self, model: Model<'_>) -> Trace {
        let until = self.states.iter().take(self.level() as usize);
        let state = |reached: &Reached| State { step: reached.step.clone(), ..reached.state.to_state() };
        Trace { states: until.map(state).collect(), ..model::no_states(model) }
    }
}
