//! Temporal properties beside SYMMETRY and VIEW: a right verdict, on states as they are.
//!
//! A cycle of states that stand for others need not be a cycle of behaviours, and the steps of one process may look like
//! those of all: a violation can be missed. So the search with SYMMETRY looks for everything but temporal properties, and
//! its counts are those that are told. If it finds nothing, all states are searched once more without SYMMETRY, and
//! behaviours are judged there.
//!
//! A VIEW may be what makes a model finite, so it stays. Where a violation is found that is none of the states as they
//! are, the VIEW is left out too, up to a number of states.

use eval::interp::{Machine, Shared};
use eval::ir::Program;
use model::{Model, NoVerdict, Outcome, PropertyKind, Verdict};
use std::sync::atomic::Ordering;
use std::time::Duration;

use diag::{Code, Diagnostic};

use crate::answer::{Answer, Counts};
use crate::live;
use crate::observe::{Event, Observer, Silent};
use crate::options::Options;
use crate::prepare::{check_here, refuse};
use crate::run::{Board, WorkerRun};
use crate::space::Space;

/// Without the VIEW so many states are searched for each one with it, and some more.
const STATES_PER_VIEW: u64 = 16;
const STATES_MORE: u64 = 100_000;

/// Whether behaviours are to be judged on other states than those that are counted.
pub(crate) fn is_due(program: &Program) -> bool {
    !program.temporal.is_empty() && (program.symmetry.is_some() || program.view.is_some())
}

/// Checks a model for which that [is due](is_due).
pub(crate) fn check(model: Model<'_>, options: &Options<'_>, observer: &dyn Observer) -> Answer {
    // What cannot be checked is refused before the search, as ever.
    if let Err(reason) = check_form(model, options) {
        return refuse(reason);
    }
    let answer = match model.program.symmetry {
        Some(_) => without_symmetry(model, options, observer),
        None => check_here(model, options, observer, None).0,
    };
    match &answer.outcome {
        Err(NoVerdict::Unsupported(error))
            if error.code == Code::ConfigTemporal && model.program.view.is_some() =>
        {
            without_view(model, options, observer, answer)
        }
        Ok(_) | Err(_) => answer,
    }
}

/// Whether temporal properties can be checked, by their form and by what else is asked for.
fn check_form(model: Model<'_>, options: &Options<'_>) -> Result<(), NoVerdict> {
    let shared = Shared::new(model.program);
    let board = Board::new(options, &Silent, Duration::ZERO);
    let space = Space::new(model.program.variables.len(), Some(1));
    let run = WorkerRun::preparing(&board, &space, model);
    let region = board.region();
    let mut machine = Machine::new(model.program, &shared, &region, &run);
    run.quietly(|| live::prepare(model, &mut machine, options)).map(|_| ())
}

fn without_symmetry(model: Model<'_>, options: &Options<'_>, observer: &dyn Observer) -> Answer {
    let program = model.program;
    let safety = Program { temporal: Vec::new(), ..program.clone() };
    let mut reduced = check_here(Model { program: &safety, ..model }, options, observer, None).0;
    if !goes_on(&reduced.outcome) {
        let is_stopped = match &reduced.outcome {
            // A search that goes on after violations would look at behaviours too.
            Ok(_) => options.violations_max != Some(1),
            Err(reason) => matches!(reason, NoVerdict::Limit(_) | NoVerdict::Interrupted),
        };
        reduced.warnings.extend(live::warn_unchecked(model).filter(|_| is_stopped));
        return reduced;
    }
    let behaviours = Program { symmetry: None, ..for_behaviours(program) };
    let counts = reduced.counts;
    let narrow = Narrow { observer, counts };
    let whole = check_here(Model { program: &behaviours, ..model }, options, &narrow, None).0;
    reduced.warnings.extend(note(model, counts, whole.counts));
    reduced.warnings.extend(whole.warnings);
    // TLC: postconditions are told where nothing else is wrong.
    if !matches!(whole.outcome, Ok(Verdict::Holds)) || matches!(reduced.outcome, Ok(Verdict::Holds)) {
        reduced.outcome = whole.outcome;
    }
    reduced
}

/// Searches again without the VIEW, after `seen`, which has a violation that is none.
fn without_view(
    model: Model<'_>,
    options: &Options<'_>,
    observer: &dyn Observer,
    mut seen: Answer,
) -> Answer {
    let counts = seen.counts;
    let states_max = STATES_PER_VIEW * counts.distinct + STATES_MORE;
    let states_max = options.states_max.map_or(states_max, |max| max.min(states_max));
    let options = Options { states_max: Some(states_max), spill: None, checkpoints: None, ..*options };
    let behaviours = Program { symmetry: None, view: None, ..for_behaviours(model.program) };
    let narrow = Narrow { observer, counts };
    let whole = check_here(Model { program: &behaviours, ..model }, &options, &narrow, None).0;
    if whole.outcome.is_ok() || options.interrupted.load(Ordering::Relaxed) {
        seen.outcome = whole.outcome;
        // The verdict is about the states as they are: the VIEW hid nothing from it.
        seen.warnings.retain(|warning| warning.code != Code::LiveViewed);
    }
    seen
}

/// Whether behaviours are still to be judged after a search of states.
fn goes_on(outcome: &Outcome) -> bool {
    match outcome {
        Ok(Verdict::Holds) => true,
        Ok(Verdict::Violated(violation)) => match violation.property.kind {
            PropertyKind::Postcondition | PropertyKind::Possible => true,
            PropertyKind::Assumption
            | PropertyKind::Invariant
            | PropertyKind::Step
            | PropertyKind::Initial
            | PropertyKind::Temporal
            | PropertyKind::Deadlock
            | PropertyKind::Periodic => false,
        },
        Err(_) => false,
    }
}

/// The program with nothing to check but temporal properties. Assumptions stay: they may set registers.
fn for_behaviours(program: &Program) -> Program {
    Program {
        invariants: Vec::new(),
        implied_inits: Vec::new(),
        step_properties: Vec::new(),
        postconditions: Vec::new(),
        possible: Vec::new(),
        periodic: None,
        ..program.clone()
    }
}

fn note(model: Model<'_>, reduced: Counts, whole: Counts) -> Option<Diagnostic> {
    let (symmetry, property) = (model.program.symmetry?, model.program.temporal.first()?);
    let headline = format!(
        "temporal properties are checked without SYMMETRY: on {} states instead of {}",
        whole.distinct, reduced.distinct
    );
    Some(Diagnostic::new(Code::LiveSymmetric, symmetry.span, headline).related(property.span, "this is"))
}

/// Passes on what shows that a second search is under way, and nothing that the first one has told.
struct Narrow<'o> {
    observer: &'o dyn Observer,
    /// Those of the first search.
    counts: Counts,
}

impl Observer for Narrow<'_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Progress(progress) => self.observer.event(Event::Progress(progress)),
            Event::Temporal { n_steps, elapsed, .. } => {
                self.observer.event(Event::Temporal { counts: self.counts, n_steps, elapsed });
            }
            Event::Growing(growths) => self.observer.event(Event::Growing(growths)),
            Event::Prepared | Event::Initial { .. } | Event::Resumed { .. } | Event::Checkpoint { .. } => {}
            Event::Printed(_) | Event::Violation(_) => {}
        }
    }

    fn wants_traces(&self) -> bool {
        false
    }

    fn progress_interval(&self) -> Duration {
        self.observer.progress_interval()
    }
}
