//! States as they were entered, where something else was true of the run then than when they were expanded: nodes of their own.
//! See [`super::asked`].

use base::{FxHashMap, FxHashSet};
use live::{LabelId, Lasso};

use super::asked::Asked;
use super::graph::{NONE, StateGraph};
use crate::space::Handle;

#[derive(Default)]
pub(super) struct Entries {
    /// Entries, by the number of the node less the number of states.
    nodes: Vec<Entry>,
    numbers: FxHashMap<Entry, u32>,
    /// Nodes to which a step leads instead, by source and target.
    steps: FxHashMap<(u32, u32), Vec<u32>>,
    /// Steps back to states that were expanded before, where something else was true then.
    changed: FxHashSet<(u32, u32)>,
}

/// A state and the state atoms that held when it was entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    pub state: u32,
    pub class: u32,
}

impl Entries {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn bytes_used(&self) -> usize {
        self.nodes.len() * 2 * size_of::<Entry>() + self.steps.len() * size_of::<((u32, u32), Vec<u32>)>()
    }

    pub fn of_step(&self, source: u32, target: u32) -> Option<&[u32]> {
        if self.steps.is_empty() { None } else { self.steps.get(&(source, target)).map(Vec::as_slice) }
    }
}

impl StateGraph<'_, '_> {
    pub fn entry(&self, node: u32) -> Option<Entry> {
        self.entries.nodes.get((node as usize).checked_sub(self.classes.len())?).copied()
    }

    /// The state of a node.
    pub fn state(&self, node: u32) -> u32 {
        self.entry(node).map_or(node, |entry| entry.state)
    }

    /// Adds the entries, and leads steps to them.
    pub fn enter(&mut self, asked: &Asked) {
        if asked.atoms.is_empty() {
            return;
        }
        let answers = asked.answers();
        for &(place, held) in &answers.initial {
            let state = self.context.space.handle_of(place);
            let node = self.node(asked, (state, held), answers.own(state));
            if let Some(initial) = self.initial.iter_mut().find(|initial| **initial == state.0) {
                *initial = node;
            }
        }
        for step in &answers.steps {
            let target = self.context.space.handle_of(step.target);
            let node = self.node(asked, (target, step.held), answers.own(target));
            if step.held != answers.own(target) && answers.is_before(target, step.source) {
                self.entries.changed.insert((step.source.0, target.0));
            }
            let nodes = self.entries.steps.entry((step.source.0, target.0)).or_default();
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        self.entries.steps.retain(|(_, target), nodes| nodes != &[*target]);
    }

    /// The node of a state that was entered when these atoms `held`.
    fn node(&mut self, asked: &Asked, (state, held): (Handle, u64), own: u64) -> u32 {
        let class = self.classes[state.0 as usize];
        // Of a state that was not expanded nothing is known.
        if held == own || class == NONE {
            return state.0;
        }
        let entry = Entry { state: state.0, class: self.class_with(class, asked, held) };
        let n_states = self.classes.len();
        let Entries { nodes, numbers, .. } = &mut self.entries;
        *numbers.entry(entry).or_insert_with(|| {
            nodes.push(entry);
            (n_states + nodes.len() - 1) as u32
        })
    }

    /// A class like another one, in which of the atoms that ask these `held`.
    fn class_with(&mut self, class: u32, asked: &Asked, held: u64) -> u32 {
        let mut set = self.class_sets[class as usize].clone();
        for (bit, &atom) in asked.atoms.iter().enumerate() {
            let (word, mask) = (&mut set[atom / 64], 1 << (atom % 64));
            *word = if held >> bit & 1 == 1 { *word | mask } else { *word & !mask };
        }
        let known = self.class_sets.iter().position(|known| *known == set);
        known.unwrap_or_else(|| {
            self.class_sets.push(set);
            self.class_sets.len() - 1
        }) as u32
    }

    /// Whether it cannot be told what TLC makes of a behaviour, or of all behaviours if none violates anything: see
    /// [`super::asked`].
    pub fn is_undecided(&self, lasso: Option<&Lasso>) -> bool {
        let Some(lasso) = lasso else { return !self.entries.changed.is_empty() };
        let states: Vec<u32> = lasso.nodes.iter().map(|&node| self.state(node)).collect();
        let back = lasso.back_to.map(|to| (states[states.len() - 1], states[to]));
        let mut steps = states.windows(2).map(|pair| (pair[0], pair[1])).chain(back);
        steps.any(|step| self.entries.changed.contains(&step))
    }

    /// A lasso through states, without the steps from an entry to its state.
    pub fn of_states(&self, lasso: Lasso) -> Lasso {
        if self.entries.nodes.is_empty() {
            return lasso;
        }
        let states: Vec<u32> = lasso.nodes.iter().map(|&node| self.state(node)).collect();
        let first = lasso.back_to.unwrap_or(states.len() - 1);
        let mut nodes = states[..=first].to_vec();
        nodes.dedup();
        let start = nodes.len() - 1;
        let steps = lasso.labels.iter().enumerate();
        let (mut labels, mut at) = (Vec::new(), states[first]);
        for (index, &label) in steps {
            let next = states.get(first + index + 1).copied().unwrap_or(states[first]);
            if next == at && label == LabelId(self.stutters[at as usize]) {
                continue;
            }
            labels.push(label);
            nodes.push(next);
            at = next;
        }
        if labels.is_empty() {
            return Lasso { nodes, labels, back_to: None };
        }
        // The last step leads back to the first state of the cycle.
        nodes.pop();
        Lasso { nodes, labels, back_to: Some(start) }
    }
}
