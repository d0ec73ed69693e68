//! Determines how far a rejected log can be explained in any order of its events.
//!
//! A search that leaves out orders ends as soon as it is known that an event can never be explained, although others
//! could be explained before it. The report on a rejected log has the longest behaviour, so this is searched for
//! separately.

use super::frame::{Frame, Stack};
use super::{End, Reached, Searcher};

/// Number of turns without progress after which the search is given up.
pub(super) const TURNS_MAX: u32 = 20_000;

/// The end of a search that could not go on.
const UNDECIDED: End = End::Undecided(crate::outcome::Undecided::Time);

impl Searcher<'_, '_> {
    /// Searches once more with every order. It is known that the log is rejected.
    pub(super) fn look_further(&mut self) -> (End, Stack<'static>) {
        self.effort.leaves_out = false;
        self.dead.clear();
        self.checked.action_uses.fill(0);
        let known = std::mem::take(&mut self.furthest);
        self.effort.turns_left = Some(TURNS_MAX);
        let (end, stack) = match self.begin() {
            Ok(stack) => self.search_some(stack),
            // An expression that has no value now, or not in time, has been evaluated before.
            Err(_) => (UNDECIDED, Stack::default()),
        };
        if let End::Accepted = end {
            return (end, stack);
        }
        if matches!(end, End::Undecided(_)) {
            self.go_on(known);
        }
        self.effort.turns_left = None;
        (End::Rejected, Stack::default())
    }

    /// Continues from the longest behaviours that are known.
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
        self.checked.action_uses.clone_from(&first.uses);
        if let Some(action) = last.action {
            // It is counted again, together with the steps after it.
            self.checked.action_uses[action as usize] -= 1;
        }
        self.dead.clear();
        self.effort.turns_left = Some(TURNS_MAX);
        self.search_some(stack);
    }

    /// Searches, and gives up if something cannot be evaluated, or not in time.
    fn search_some(&mut self, stack: Stack<'static>) -> (End, Stack<'static>) {
        self.search_from(stack).unwrap_or((UNDECIDED, Stack::default()))
    }

    /// Whether no turn is left.
    pub(super) fn is_spent(&mut self) -> bool {
        let Some(left) = &mut self.effort.turns_left else { return false };
        *left = left.saturating_sub(1);
        *left == 0
    }
}
