//! Reports what a walk found, and keeps violations after which walks go on.

use model::{Outcome, Property, Tally, Verdict, Violation, What};

use crate::answer::{Passed, Shortened};
use crate::context::Context;
use crate::endless::{self, WalkAgain};
use crate::minimise::minimise;
use crate::options::{Event, Progress};
use crate::path;
use crate::run::WalkRun;
use crate::walk::{Ending, FinishedWalk};

pub(crate) struct Reported {
    pub outcome: Outcome,
    pub walk: u64,
    pub shortened: Option<Shortened>,
}

/// Reports what a walk found, and shortens the walk if that is wanted.
pub(crate) fn tell(
    context: &Context<'_>,
    run: &WalkRun<'_>,
    walked: FinishedWalk,
    minimises: bool,
) -> Reported {
    let walk = walked.number;
    let path = path::replay(context, run, &walked);
    let found = match walked.ending {
        Ending::Found(found) => found,
        Ending::Temporal(outlook) => {
            let outcome =
                endless::tell(context, run, WalkAgain { number: walk, path: path.as_ref() }, *outlook);
            return Reported { outcome, walk, shortened: None };
        }
        Ending::Depth | Ending::Stuck | Ending::Cut => unreachable!("the walk found something"),
    };
    let what = found.what;
    let (path, shortened) = match path {
        Some(path) if minimises => {
            let (path, shortened) = minimise(context, run, path, &what);
            (Some(path), shortened)
        }
        path => (path, None),
    };
    let mut trace = match &path {
        Some(path) => path::trace(context, run, path),
        None => model::no_states(context.model),
    };
    path::note(context, walk, &mut trace);
    let outcome = match what {
        What::Invariant(_) | What::StepProperty(_) | What::InitialProperty(_) | What::Deadlock => {
            let explained = path.as_ref().and_then(|path| path::failing_part(context, run, path, &what));
            let mut violation = model::violation(context.model, &what, trace, explained);
            if let (What::Deadlock, Some(path)) = (&what, &path) {
                violation.diagnostic = path::explain_deadlock(context, run, path, violation.diagnostic);
            }
            Ok(Verdict::Violated(Box::new(violation)))
        }
        What::Incomplete | What::Fault(..) | What::Full => {
            Err(model::no_verdict(context.model, what, false, trace))
        }
    };
    Reported { outcome, walk, shortened }
}

/// Whether other walks may follow one that ended like this. TLC: not after an evaluation error, nor after a temporal
/// property.
pub(crate) fn may_go_on(context: &Context<'_>, ending: &Ending) -> bool {
    match ending {
        Ending::Found(found) => context.options.violations_max != Some(1) && found.what.is_violation(),
        Ending::Temporal(_) => false,
        Ending::Depth | Ending::Stuck | Ending::Cut => true,
    }
}

/// Violations after which walks went on.
#[derive(Default)]
pub(crate) struct Passing {
    passed: Option<Passed>,
    n_violations: usize,
}

impl Passing {
    /// Reports a violation, and keeps the first one. The others are not shortened: there can be very many.
    pub fn add(&mut self, context: &Context<'_>, walked: FinishedWalk, (n_walks, n_generated): (u64, u64)) {
        let run = WalkRun::new(context, 0);
        let minimises = context.options.minimises && self.passed.is_none();
        let Reported { outcome, walk, shortened } = tell(context, &run, walked, minimises);
        let Ok(Verdict::Violated(violation)) = outcome else {
            unreachable!("walks go on after violations alone")
        };
        let so_far = Progress { n_walks, n_generated, elapsed: context.options.clock.elapsed() };
        context.board.observer.event(Event::Violation { violation: &violation, walk, so_far });
        self.n_violations += 1;
        let property = violation.property.clone();
        let passed = self.passed.get_or_insert_with(|| first(violation, walk, shortened));
        count(&mut passed.tallies, property);
    }

    /// Whether there were as many violations as were asked for.
    pub fn is_enough(&self, context: &Context<'_>) -> bool {
        context.options.violations_max.is_some_and(|max| self.n_violations >= max)
    }

    pub fn into_passed(self) -> Option<Passed> {
        self.passed
    }
}

fn first(violation: Box<Violation>, walk: u64, shortened: Option<Shortened>) -> Passed {
    Passed { first: violation, walk, shortened, tallies: Vec::new() }
}

fn count(tallies: &mut Vec<Tally>, property: Property) {
    match tallies.iter_mut().find(|tally| tally.property == property) {
        Some(tally) => tally.n_violations += 1,
        None => tallies.push(Tally { property, n_violations: 1 }),
    }
}
