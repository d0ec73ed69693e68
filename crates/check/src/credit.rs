//! Which action found each new state, where evaluations are counted: the one with the least key, so that it does not
//! depend on the number of workers.

use std::sync::PoisonError;

use crate::context::Context;
use crate::expand::Harvest;
use crate::space::{OrderKey, StateSlot};

/// The successors of one state by one action: from this key on, up to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit {
    pub first: OrderKey,
    pub action: usize,
}

/// Counts what was found at a level.
pub(crate) fn count(context: &Context<'_>, harvests: &[Harvest], found: &[StateSlot]) {
    let mut credits: Vec<Credit> = harvests.iter().flat_map(|harvest| &harvest.credits).copied().collect();
    if credits.is_empty() {
        return;
    }
    credits.sort_by_key(|credit| credit.first);
    let mut found_by = context.board.found_by.lock().unwrap_or_else(PoisonError::into_inner);
    for &slot in found {
        let key = context.space.key(slot);
        let after = credits.partition_point(|credit| credit.first <= key);
        if let Some(credit) = after.checked_sub(1).and_then(|at| credits.get(at)) {
            *found_by.entry(context.actions[credit.action].leaf.expr).or_insert(0) += 1;
        }
    }
}
