//! Why an action has no successor: the conjunct that was FALSE after the most others had held.
//!
//! The walk is the one that makes successors, so that a conjunct about the next state is met with the values that the
//! conjuncts before it have given; what made it FALSE is read while they are there.

use super::action::Then;
use super::explain::Culprit;
use super::fault::Evaluated;
use super::{ActionInstance, Flow, Machine};
use crate::ir::{IrId, IrKind};

/// How near an action came to being a step.
#[derive(Debug)]
pub struct Miss<'r> {
    /// How many conjuncts held before the one that did not.
    pub n_passed: usize,
    pub culprit: Culprit<'r>,
}

/// What a walk that is blamed has met.
#[derive(Default)]
pub(super) struct Blame<'r> {
    /// Conjuncts that hold on the way to where the walk is.
    n_passed: usize,
    /// How often a conjunct was FALSE.
    n_missed: usize,
    best: Option<Miss<'r>>,
}

impl<'p, 'r> Machine<'p, 'r> {
    /// Where `action` came nearest to a step from the current state; nothing if it makes one.
    pub fn nearest_miss(&mut self, action: &ActionInstance<'p>) -> Evaluated<Option<Miss<'r>>> {
        let was_watched = std::mem::replace(&mut self.is_watched, true);
        self.blame = Some(Box::default());
        let mut has_step = false;
        let flow = self.step(action, &mut |_| {
            has_step = true;
            Ok(Flow::Stop)
        });
        self.is_watched = was_watched;
        let blame = self.blame.take();
        flow?;
        Ok(blame.and_then(|blame| blame.best).filter(|_| !has_step))
    }

    /// Walks a node; if nothing could be gone on with after it, and no part of it is to blame, it is.
    pub(super) fn blamed_walk(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let n_missed = self.n_missed();
        let is_part = usize::from(!is_frame(&self.program.irs[id].kind));
        let mut has_held = false;
        let flow = self.walk_node(id, &mut |machine| {
            has_held = true;
            machine.pass(is_part);
            let flow = then(machine);
            machine.go_back(is_part);
            flow
        })?;
        if !has_held && self.n_missed() == n_missed {
            self.miss(id, 0);
        }
        Ok(flow)
    }

    /// The conjunct `id` is FALSE, after `n_more` that hold.
    pub(super) fn miss(&mut self, id: IrId, n_more: usize) {
        let Some(mut blame) = self.blame.take() else { return };
        blame.n_missed += 1;
        let n_passed = blame.n_passed + n_more;
        if blame.best.as_ref().is_none_or(|best| n_passed > best.n_passed) {
            let was_watched = std::mem::replace(&mut self.is_watched, false);
            let culprit = self.culprit_or_whole(id);
            self.is_watched = was_watched;
            blame.best = Some(Miss { n_passed, culprit });
        }
        self.blame = Some(blame);
    }

    fn n_missed(&self) -> usize {
        self.blame.as_ref().map_or(0, |blame| blame.n_missed)
    }

    fn pass(&mut self, n: usize) {
        if let Some(blame) = &mut self.blame {
            blame.n_passed += n;
        }
    }

    fn go_back(&mut self, n: usize) {
        if let Some(blame) = &mut self.blame {
            blame.n_passed -= n;
        }
    }
}

/// Whether a node is only the way to conjuncts.
fn is_frame(kind: &IrKind) -> bool {
    matches!(
        kind,
        IrKind::And(_)
            | IrKind::Or(_)
            | IrKind::Quantified { .. }
            | IrKind::If { .. }
            | IrKind::Case { .. }
            | IrKind::Bind { .. }
            | IrKind::Enter { .. }
            | IrKind::Lazy { .. }
            | IrKind::Slot(_)
            | IrKind::Call { .. }
            | IrKind::CallParam { .. }
            | IrKind::Cdot(..)
            | IrKind::Global(_)
    )
}
