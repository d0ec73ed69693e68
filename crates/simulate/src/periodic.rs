//! Evaluates the formula under `_PERIODIC` between walks.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use eval::interp::Machine;
use model::Outcome;

use crate::context::Context;
use crate::run::WalkRun;

/// Evaluates the formula, if it is time. Whichever worker comes first does it. TLC: the first time is after an interval.
pub(crate) fn look(context: &Context<'_>, run: &WalkRun<'_>) {
    let Some(root) = context.program().periodic.filter(|_| context.options.checks_properties) else { return };
    let board = context.board;
    let Ok(mut periodic) = board.periodic.try_lock() else { return };
    if !periodic.is_due(board.options.clock.elapsed().as_millis() as u64) {
        return;
    }
    let region = board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    run.stand_at(0);
    let is_over = periodic.evaluate(&mut machine, root);
    board.periodic_over.store(is_over, Ordering::Relaxed);
}

/// Returns how the walks end, if the formula ended them.
pub(crate) fn take_outcome(context: &Context<'_>) -> Option<Outcome> {
    let mut periodic = context.board.periodic.lock().unwrap_or_else(PoisonError::into_inner);
    periodic.take_outcome(context.model)
}
