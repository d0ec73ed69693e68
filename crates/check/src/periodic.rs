//! Evaluates the formula under `_PERIODIC` during a search.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use eval::interp::Machine;
use model::Outcome;

use crate::context::Context;
use crate::run::WorkerRun;

/// TLC: the first look comes after three seconds, if there is still something to do then.
pub(crate) const FIRST_MS: u64 = 3_000;

/// Looks at the formula, if it is time. Whichever worker comes first does it.
pub(crate) fn look<'a>(context: &'a Context<'a>, run: &'a WorkerRun<'a>) {
    let Some(root) = context.program().periodic else { return };
    let board = context.board;
    let Ok(mut periodic) = board.periodic.try_lock() else { return };
    if !periodic.is_due(board.options.clock.elapsed().as_millis() as u64) {
        return;
    }
    let region = board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    let is_over = periodic.evaluate(&mut machine, root);
    board.limits.periodic_over.store(is_over, Ordering::Relaxed);
}

/// Returns how the search ends, if the formula ended it.
pub(crate) fn take_outcome(context: &Context<'_>) -> Option<Outcome> {
    let mut periodic = context.board.periodic.lock().unwrap_or_else(PoisonError::into_inner);
    periodic.take_outcome(context.model)
}
