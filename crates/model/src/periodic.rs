//! `_PERIODIC`: a formula about the run that is evaluated now and then; once it is FALSE the run ends.

use diag::{Code, Diagnostic};
use eval::interp::{Fault, Machine};
use eval::ir::Root;

use crate::{
    Model, NoVerdict, Outcome, Phase, Property, PropertyKind, Verdict, Violation, fault, outcome, root_name,
};

/// TLC: its progress interval.
pub const INTERVAL_MS: u64 = 60_000;

/// When the formula is evaluated next, and what came of it.
pub struct Periodic {
    due_ms: u64,
    end: Option<PeriodicEnd>,
}

/// The reason why the formula ends a run.
enum PeriodicEnd {
    False,
    Fault(Box<Fault>),
}

impl Periodic {
    /// Creates a schedule whose first evaluation is due after so long.
    pub fn first_after(first_ms: u64) -> Periodic {
        Periodic { due_ms: first_ms, end: None }
    }

    /// Whether the formula is to be evaluated now. If so, the next time is an interval later.
    pub fn is_due(&mut self, now_ms: u64) -> bool {
        let is_due = now_ms >= self.due_ms && self.end.is_none();
        if is_due {
            self.due_ms = now_ms + INTERVAL_MS;
        }
        is_due
    }

    /// Evaluates the formula, and returns whether it ends the run. TLC: a run goes on after anything but FALSE.
    pub fn evaluate(&mut self, machine: &mut Machine<'_, '_>, root: Root) -> bool {
        self.end = match machine.eval_root(root) {
            Ok(value) if value.as_bool() == Some(false) => Some(PeriodicEnd::False),
            Ok(_) => None,
            Err(fault) if outcome::is_interruption(&fault) => None,
            Err(fault) => Some(PeriodicEnd::Fault(fault)),
        };
        self.end.is_some()
    }

    /// Returns the outcome of the run, if the formula ended it.
    pub fn take_outcome(&mut self, model: Model<'_>) -> Option<Outcome> {
        let root = model.program.periodic?;
        match self.end.take()? {
            PeriodicEnd::False => {
                let name = root_name(model.spec, &root);
                let headline = format!("`{name}`, which is looked at now and then, is false");
                let diagnostic = Diagnostic::new(Code::PeriodicFalse, root.span, headline);
                let property = Property { kind: PropertyKind::Periodic, name, span: Some(root.span) };
                let violation = Violation { property, trace: None, is_prefix: false, diagnostic };
                Some(Ok(Verdict::Violated(Box::new(violation))))
            }
            PeriodicEnd::Fault(fault) => {
                let error = Box::new(fault::diagnostic(model, &fault));
                let (phase, fault) = (Phase::Periodic, Some(fault));
                Some(Err(NoVerdict::Undefined { phase, initial: false, error, fault, trace: None }))
            }
        }
    }
}
