//! How far a rejected log can be explained, whichever order its events are taken in.
//!
//! A search that leaves out orders is over as soon as it is known that an event can never be explained, though others could be
//! explained before it. What is told of a rejected log is the longest behaviour, so it is looked for by itself.

use super::frame::{Frame, Stack};
use super::{End, Reached, Searcher};

/// It is given up after so many turns that lead no further.
pub(super) const TURNS_MAX: u32 = 20_000;

/// Of a search that could not go on.
const UNDECIDED: End = End::Undecided(crate::outcome::Undecided::Time);

impl Searcher<'_, '_> {
    /// Searches once more with every order. That the log is rejected is known.
    pub(super) fn look_further(&mut self) -> (End, Stack<'static>) {
        self.leaves_out = false;
        self.dead.clear();
        self.action_uses.fill(0);
        let known = std::mem::take(&mut self.furthest);
        self.turns_left = Some(TURNS_MAX);
        let (end, stack) = match self.begin() {
            Ok(stack) => self.search_some(stack),
            // What has no value now, or not in time, has been evaluated before.
            Err(_) => (UNDECIDED, Stack::default()),
        };
        if let End::Accepted = end {
            return (end, stack);
        }
        if matches!(end, End::Undecided(_)) {
            self.go_on(known);
        }
        self.turns_left = None;
        (End::Rejected, Stack::default())
    }

    /// Goes on from the longest behaviours that are known.
    fn go_on(&mut self, known: Vec<Reached>) {
        let n_explained = |all: &[Reached]| all.first().map_or(0, |reached| reached.n_explained);
        if n_explained(&known) > n_explained(&self.furthest) {
            self.furthest = known;
        }
        let Some(first) = self.furthest.first() else { return };
        let Some((last, before)) = first.nodes.split_last() else { return };
        let stack = Stack {
            frames: [Frame::new(last.clone())].into(),
            n_open: 1,
            past: before.to_vec().into(),
            n_forgotten: first.n_before,
            ..Stack::default()
        };
        self.action_uses.clone_from(&first.uses);
        if let Some(action) = last.action {
            // It is counted again, with what comes after it.
            self.action_uses[action as usize] -= 1;
        }
        self.dead.clear();
        self.turns_left = Some(TURNS_MAX);
        self.search_some(stack);
    }

    /// What cannot be evaluated, or not in time, is not looked for.
    fn search_some(&mut self, stack: Stack<'static>) -> (End, Stack<'static>) {
        self.search_from(stack).unwrap_or((UNDECIDED, Stack::default()))
    }

    /// Whether no turn is left.
    pub(super) fn is_spent(&mut self) -> bool {
        let Some(left) = &mut self.turns_left else { return false };
        *left = left.saturating_sub(1);
        *left == 0
    }
}
