//! Counts the memory that a search takes, and ends the search when that is more than allowed.
//!
//! Only what grows is counted: states that may still be tried or are kept, dead ends, and events that were read. Dead
//! ends are remembered only to save time, so they are forgotten when they take half of the memory.

use super::Searcher;
use super::frame::{Node, Stack, State};
use crate::log::{Course, Event};
use crate::outcome::Undecided;

/// The approximate size of a node, or of an entry of a table, besides its parts.
pub(super) const ENTRY_BYTES: usize = 128;
/// The approximate size of an event for each byte of its line: the text, and the tree that was made of it.
const EVENT_FACTOR: usize = 4;

/// Returns the approximate size of an event that was read.
pub(crate) fn event_bytes(event: &Event) -> usize {
    ENTRY_BYTES + event.text.len() * EVENT_FACTOR
}

/// Returns the approximate size of a node. The contents of values are in a region, which is counted separately.
pub(super) fn node_bytes(node: &Node<'_>) -> usize {
    let state = match &node.state {
        State::Bytes(bytes) => bytes.len(),
        State::Values(values) => size_of_val(&**values),
    };
    ENTRY_BYTES + state + 4 * (node.position.len() + node.used.len())
}

impl Stack<'_> {
    fn bytes(&self) -> usize {
        let frames = self.frames.iter();
        let tried = frames.flat_map(|frame| std::iter::once(&frame.node).chain(&frame.pending));
        tried.chain(&self.initial).chain(&self.past).map(node_bytes).sum()
    }
}

impl Searcher<'_, '_> {
    /// Returns that there is no memory to go on, if so. The stack must be between two regions.
    pub(super) fn is_full(&mut self, stack: &Stack<'static>) -> Option<Undecided> {
        self.is_more(stack.bytes())
    }

    /// Returns that there is no memory to go on, judging in the middle of a region by the number of states.
    pub(super) fn is_crowded(&mut self, stack: &Stack<'_>, region_bytes: usize) -> Option<Undecided> {
        let n_states = stack.frames.len() + stack.past.len();
        self.is_more(n_states * (ENTRY_BYTES + 8 * self.n_variables) + region_bytes)
    }

    fn is_more(&self, stack_bytes: usize) -> Option<Undecided> {
        let max = self.setting.run.options.memory_bytes_max;
        let events = match &self.course {
            Course::Total(merge) => merge.n_bytes(),
            Course::Partial(partial) => partial.n_bytes(),
        };
        let kept = self.furthest.iter().flat_map(|reached| &reached.nodes).map(node_bytes).sum::<usize>();
        let needed = stack_bytes + kept + events + self.dead.n_bytes();
        (needed > max).then_some(Undecided::Memory { bytes_max: max })
    }

    /// Forgets dead ends if they take too much memory.
    pub(super) fn tidy(&mut self) {
        let max = self.setting.run.options.memory_bytes_max / 2;
        if self.dead.n_bytes() > max {
            self.dead.clear();
        }
    }
}
