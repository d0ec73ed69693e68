//! Explains the violation that a trace shows: the part of the property that failed, with its values.

use diag::Diagnostic;
use eval::interp::Machine;
use eval::ir::Root;
use model::blocked;
use trace::Failure;

use crate::context::Context;
use crate::rebuild::load;
use crate::rebuild::{SuccessorOf, Target, Wanted, at_successor};
use crate::run::WorkerRun;

/// The failing part of a property of states, for a stored or a found state; of a step, with its parent.
pub(crate) fn failure<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    root: Root,
    at: At,
) -> Option<(diag::Span, Failure)> {
    run.quietly(|| with_step(context, run, at, |machine| model::failing_part(context.model, machine, root)))
}

/// Adds to what is said of a deadlock why no action is possible in the state.
pub(crate) fn deadlock<'a>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    target: Target,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let plain = diagnostic.clone();
    let told = run.quietly(|| {
        with_step(context, run, At { target, is_step: false }, |machine| {
            Some(blocked::explain_deadlock(context.model, machine, context.actions, diagnostic))
        })
    });
    told.unwrap_or(plain)
}

/// Which state or step is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub target: Target,
    /// The step to the target, not the target itself.
    pub is_step: bool,
}

/// Runs `body` on a machine that is in the state, or makes the step.
fn with_step<'a, T>(
    context: &'a Context<'a>,
    run: &'a WorkerRun<'a>,
    at: At,
    body: impl FnOnce(&mut Machine<'a, '_>) -> Option<T>,
) -> Option<T> {
    let region = context.board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    match at.target {
        Target::Stored(handle) => {
            load(context, &mut machine, handle);
            body(&mut machine)
        }
        Target::Successor { parent, ordinal } => {
            let mut body = Some(body);
            let mut result = None;
            let wanted = SuccessorOf { parent, wanted: &Wanted::Number(ordinal) };
            at_successor(context, run, &mut machine, wanted, &mut |machine, _| {
                if let Some(body) = body.take() {
                    let is_successor = parent.is_some() && !at.is_step;
                    result = if is_successor { machine.in_next(body) } else { body(machine) };
                }
            });
            result
        }
    }
}
