//! Explains why an action has no successor: finds the conjunct that was FALSE after the most others had held.
//!
//! The walk is the one that makes successors. So a conjunct about the next state is met with the values that the
//! conjuncts before it have given, and the values that made it FALSE are read while they are there.

use base::FxHashSet;
use diag::Span;
use sema::spec::DefId;

use super::action::Then;
use super::explain::Culprit;
use super::fault::Evaluated;
use super::{ActionInstance, Flow, Machine};
use crate::ir::{IrId, IrKind};

/// The point at which an action came nearest to being a step.
#[derive(Debug)]
pub struct Miss<'r> {
    /// Number of conjuncts that held before the one that did not.
    pub n_passed: usize,
    pub culprit: Culprit<'r>,
    /// Action definitions that the walk had entered: those that it had chosen among others, and those around the
    /// culprit.
    pub via: Vec<DefId>,
}

/// The record of a walk that looks for the conjunct to blame.
#[derive(Default)]
pub(super) struct Blame<'r> {
    /// Number of conjuncts that hold on the way to the current point.
    n_passed: usize,
    /// Number of times that a conjunct was FALSE.
    n_missed: usize,
    best: Option<Miss<'r>>,
    /// The nodes that the walk has passed.
    way: Vec<IrId>,
}

impl<'p, 'r> Machine<'p, 'r> {
    /// Returns the point where `action` came nearest to a step from the current state, or `None` if it makes one.
    pub fn nearest_miss(&mut self, action: &ActionInstance<'p>) -> Evaluated<Option<Miss<'r>>> {
        let was_watched = std::mem::replace(&mut self.watch.is_watched, true);
        self.watch.blame = Some(Box::default());
        let mut has_step = false;
        let flow = self.step(action, &mut |_| {
            has_step = true;
            Ok(Flow::Stop)
        });
        self.watch.is_watched = was_watched;
        let blame = self.watch.blame.take();
        flow?;
        Ok(blame.and_then(|blame| blame.best).filter(|_| !has_step))
    }

    /// Walks a node. If no continuation ran after it, and no part of it is to blame, the node itself is.
    pub(super) fn blame_walk(&mut self, id: IrId, then: Then<'_, 'p, 'r>) -> Evaluated<Flow> {
        let n_missed = self.n_missed();
        let is_part = usize::from(!is_frame(&self.program.irs[id].kind));
        if let Some(blame) = &mut self.watch.blame {
            blame.way.push(id);
        }
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
        if let Some(blame) = &mut self.watch.blame {
            blame.way.pop();
        }
        Ok(flow)
    }

    /// Notes that the conjunct `id` is FALSE, after `n_more` that hold.
    pub(super) fn miss(&mut self, id: IrId, n_more: usize) {
        let Some(mut blame) = self.watch.blame.take() else { return };
        blame.n_missed += 1;
        let n_passed = blame.n_passed + n_more;
        if blame.best.as_ref().is_none_or(|best| n_passed > best.n_passed) {
            let was_watched = std::mem::replace(&mut self.watch.is_watched, false);
            let culprit = self.culprit_or_whole(id);
            self.watch.is_watched = was_watched;
            let via = self.telling_definitions(&blame.way, culprit.span);
            blame.best = Some(Miss { n_passed, culprit, via });
        }
        self.watch.blame = Some(blame);
    }

    /// Returns the definitions on a way that tell where on it a part of the text is, and which of several ways it is.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a choice, or passes one on")]
    fn telling_definitions(&self, way: &[IrId], part: Span) -> Vec<DefId> {
        let irs = &self.program.irs;
        let mut chosen: FxHashSet<IrId> = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut telling = Vec::new();
        for &node in way {
            let is_chosen = chosen.contains(&node);
            let mut holds_part = false;
            match &irs[node].kind {
                IrKind::Or(items) => chosen.extend(items),
                IrKind::Enter { body, .. } => {
                    holds_part = contains(irs[*body].span, part);
                    chosen.extend(is_chosen.then_some(*body));
                }
                IrKind::Bind { body, .. } | IrKind::Quantified { body, .. } => {
                    chosen.extend(is_chosen.then_some(*body));
                }
                _ => {}
            }
            let def = self.action_entered(node).filter(|_| is_chosen || holds_part);
            telling.extend(def.filter(|&def| seen.insert(def)));
        }
        telling
    }

    fn n_missed(&self) -> usize {
        self.watch.blame.as_ref().map_or(0, |blame| blame.n_missed)
    }

    fn pass(&mut self, n: usize) {
        if let Some(blame) = &mut self.watch.blame {
            blame.n_passed += n;
        }
    }

    fn go_back(&mut self, n: usize) {
        if let Some(blame) = &mut self.watch.blame {
            blame.n_passed -= n;
        }
    }
}

fn contains(whole: Span, part: Span) -> bool {
    whole.source == part.source && whole.start <= part.start && part.end <= whole.end
}

/// Whether a node only leads to conjuncts.
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
