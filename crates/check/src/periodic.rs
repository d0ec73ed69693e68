//! `_PERIODIC`: a formula about the run that is looked at now and then; once it is FALSE the search ends.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use diag::Code;
use eval::interp::{Fault, Machine};
use model::{NoVerdict, Outcome, Phase, Property, PropertyKind, Verdict, Violation, fault};

use crate::context::Context;
use crate::run::WorkerRun;

/// TLC: the first look comes after three seconds, if there is still something to do then.
const FIRST_MS: u64 = 3_000;
/// TLC: its progress interval.
const INTERVAL_MS: u64 = 60_000;

pub(crate) struct Periodic {
    due_ms: u64,
    ended: Option<Ended>,
}

impl Default for Periodic {
    fn default() -> Self {
        Periodic { due_ms: FIRST_MS, ended: None }
    }
}

enum Ended {
    False,
    Fault(Box<Fault>),
}

/// Looks at the formula, if it is time. Whichever worker comes first does it.
pub(crate) fn look<'a>(context: &'a Context<'a>, run: &'a WorkerRun<'a>) {
    let Some(root) = context.program().periodic else { return };
    let board = context.board;
    let Ok(mut periodic) = board.periodic.try_lock() else { return };
    let now_ms = board.options.clock.elapsed().as_millis() as u64;
    if now_ms < periodic.due_ms || periodic.ended.is_some() {
        return;
    }
    periodic.due_ms = now_ms + INTERVAL_MS;
    let region = board.region();
    let mut machine = Machine::new(context.program(), context.shared, &region, run);
    // TLC: it goes on after anything but FALSE.
    periodic.ended = match machine.eval_root(root) {
        Ok(value) if value.as_bool() == Some(false) => Some(Ended::False),
        Ok(_) => None,
        Err(fault) if model::outcome::is_interruption(&fault) => None,
        Err(fault) => Some(Ended::Fault(fault)),
    };
    board.limits.periodic_over.store(periodic.ended.is_some(), Ordering::Relaxed);
}

/// How the search ends, if the formula ended it.
pub(crate) fn ended(context: &Context<'_>) -> Option<Outcome> {
    let root = context.program().periodic?;
    let mut periodic = context.board.periodic.lock().unwrap_or_else(PoisonError::into_inner);
    match periodic.ended.take()? {
        Ended::False => {
            let name = context.root_name(&root);
            let headline = format!("`{name}`, which is looked at now and then, is false");
            let diagnostic = diag::Diagnostic::new(Code::PeriodicFalse, root.span, headline);
            let property = Property { kind: PropertyKind::Periodic, name, span: Some(root.span) };
            let violation = Violation { property, trace: None, is_prefix: false, diagnostic };
            Some(Ok(Verdict::Violated(Box::new(violation))))
        }
        Ended::Fault(fault) => {
            let error = Box::new(fault::diagnostic(context.model, &fault));
            let (phase, fault) = (Phase::Periodic, Some(fault));
            Some(Err(NoVerdict::Undefined { phase, initial: false, error, fault, trace: None }))
        }
    }
}
