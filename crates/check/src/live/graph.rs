//! The graph of a search, as the crate `live` asks about it.

use std::cell::Cell;

use live::{ClassId, Graph, LabelId};
use model::temporal::bits::{self};

use super::entries::Entries;
use super::log::StepReader;
use crate::context::Context;

/// How often it is asked whether to end before somebody looks at the clock.
const ASKED_PER_TICK: u32 = 16;
pub(super) const NONE: u32 = u32::MAX;

/// Nodes are handles of states, and after them the entries. States that were not expanded have no steps.
pub(super) struct StateGraph<'c, 'a> {
    pub context: &'c Context<'a>,
    pub initial: Vec<u32>,
    /// Set of state atoms that hold, by node; [`NONE`] for one that was not expanded.
    pub classes: Vec<u32>,
    /// Set of action atoms that hold on a step that changes nothing, by node.
    pub stutters: Vec<u32>,
    /// Piece and position of the steps, by node.
    pub places: Vec<(u32, u32)>,
    pub pieces: Vec<Vec<u8>>,
    pub class_sets: Vec<Box<[u64]>>,
    pub label_sets: Vec<Box<[u64]>>,
    pub n_asked: Cell<u32>,
    /// States as they were entered, where that matters.
    pub entries: Entries,
}

impl StateGraph<'_, '_> {
    /// Returns the memory besides that of the steps, which the log has counted.
    pub fn bytes_used(&self) -> usize {
        self.classes.len() * (2 * size_of::<u32>() + size_of::<(u32, u32)>()) + self.entries.bytes_used()
    }
}

impl Graph for StateGraph<'_, '_> {
    fn n_nodes(&self) -> u32 {
        (self.classes.len() + self.entries.len()) as u32
    }

    fn initial(&self) -> &[u32] {
        &self.initial
    }

    fn class(&self, node: u32) -> ClassId {
        ClassId(self.entry(node).map_or_else(|| self.classes[node as usize], |entry| entry.class))
    }

    fn class_there(&self, node: u32) -> ClassId {
        ClassId(self.classes[self.state(node) as usize])
    }

    fn stutter(&self, node: u32) -> Option<LabelId> {
        if self.entry(node).is_some() {
            return None;
        }
        (self.classes[node as usize] != NONE).then(|| LabelId(self.stutters[node as usize]))
    }

    fn steps(&self, node: u32, steps: &mut Vec<(u32, LabelId)>) {
        let state = self.state(node);
        if self.classes[state as usize] == NONE {
            return;
        }
        if state != node {
            steps.push((state, LabelId(self.stutters[state as usize])));
        }
        let (piece, at) = self.places[state as usize];
        let mut reader = StepReader::new(&self.pieces[piece as usize], at as usize);
        let n_steps = reader.number();
        reader.steps(state, n_steps, |target, label| match self.entries.of_step(state, target) {
            Some(nodes) => steps.extend(nodes.iter().map(|&node| (node, LabelId(label)))),
            None => steps.push((target, LabelId(label))),
        });
    }

    fn class_has(&self, class: ClassId, atom: u32) -> bool {
        self.class_sets.get(class.0 as usize).is_some_and(|set| bits::has(set, atom))
    }

    fn label_has(&self, label: LabelId, atom: u32) -> bool {
        self.label_sets.get(label.0 as usize).is_some_and(|set| bits::has(set, atom))
    }

    fn is_over(&self, n_bytes: usize) -> bool {
        self.context.board.hold_for_behaviours(self.bytes_used() + n_bytes);
        self.n_asked.set(self.n_asked.get() + 1);
        if self.n_asked.get().is_multiple_of(ASKED_PER_TICK) {
            self.context.board.tick(self.context.space);
        }
        self.context.board.is_over()
    }
}
