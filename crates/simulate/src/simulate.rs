//! A simulation from beginning to end.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use eval::interp::Shared;
use model::{Limit, Model, NoVerdict, Outcome, STACK_BYTES, Verdict, WalkLiveness};

use crate::answer::Answer;
use crate::board::Board;
use crate::context::Context;
use crate::findings::tell;
use crate::initial;
use crate::options::{Event, Observer, Options};
use crate::periodic;
use crate::rounds::{Walkings, walk_all};
use crate::run::WalkRun;
use crate::statistics::Tally;

/// Walks through a model at random.
pub fn simulate(model: Model<'_>, options: &Options<'_>, observer: &dyn Observer) -> Answer {
    // Evaluation recurses as deep as the specification does, so it gets a large stack.
    base::on_deep_stack(STACK_BYTES, || simulate_here(model, options, observer))
}

fn simulate_here(model: Model<'_>, options: &Options<'_>, observer: &dyn Observer) -> Answer {
    let board = Board::new(options, observer, model);
    let shared = Shared::with_counters(model.program, options.counts_evaluations);
    let preparing = WalkRun::for_preparation(&board, model);
    let mut answer = match model::prepare(model, &shared, &preparing) {
        Err(early) => answer_without_walk(early.outcome()),
        Ok(actions) => {
            let context = Context::new(model, (options, &shared, &board), &actions);
            walk_from_initial(context)
        }
    };
    if board.time_over.load(Ordering::Relaxed)
        && matches!(answer.outcome, Err(NoVerdict::Interrupted))
        && !options.interrupted.load(Ordering::Relaxed)
    {
        answer.outcome = Err(NoVerdict::Limit(Limit::Time));
    }
    answer.warnings = model::lost_updates(model, &shared);
    answer.coverage = model::coverage::coverage(model, &shared, &model::FoundBy::default());
    answer
}

/// Returns the answer of a simulation without a walk.
fn answer_without_walk(outcome: Outcome) -> Answer {
    let statistics = Tally::default().finish(None);
    Answer {
        outcome,
        walk: None,
        shortened: None,
        passed: None,
        statistics,
        coverage: None,
        warnings: Vec::new(),
    }
}

fn walk_from_initial(mut context: Context<'_>) -> Answer {
    if context.options.checks_properties {
        let prepared = WalkLiveness::prepare(context.evaluation(&WalkRun::new(&context, 0)));
        match prepared {
            Ok(liveness) => context.liveness = liveness,
            Err(reason) => return answer_without_walk(Err(reason)),
        }
    }
    let found = initial::find(&context, &WalkRun::new(&context, 0));
    match found {
        Ok(states) => context.initial = states,
        Err(early) => return answer_without_walk(early.outcome()),
    }
    let (n_generated, n_in_model) = (context.initial.n_generated, context.initial.len());
    context.board.observer.event(Event::Initial { n_generated, n_in_model });
    context.board.started.store(true, Ordering::Relaxed);
    let Walkings { tally, last, passing } = walk_all(&context);
    let run = WalkRun::new(&context, 0);
    let told = last.map(|walked| tell(&context, &run, *walked, context.options.minimises));
    let (outcome, walk, shortened) = match told {
        Some(told) => (told.outcome, Some(told.walk), told.shortened),
        None => (conclude_without_finding(&context, tally.n_steps()), None, None),
    };
    let outcome = conclude(&context, &run, outcome);
    let mut statistics = tally.finish(Some(&context));
    statistics.flow = statistics.flow.map(|flow| flow.name_actions(&context, &run));
    let passed = passing.into_passed();
    Answer { outcome, walk, shortened, passed, statistics, coverage: None, warnings: Vec::new() }
}

/// Returns the outcome when nothing was found. The time is a bound that the user gives to every simulation: reaching it
/// is not a failure, unless there was no time for a single step.
fn conclude_without_finding(context: &Context<'_>, n_steps: u64) -> Outcome {
    let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
    if is_set(context.options.interrupted) {
        return Err(NoVerdict::Interrupted);
    }
    if let Some(outcome) = periodic::take_outcome(context) {
        return outcome;
    }
    match n_steps == 0 && is_set(&context.board.time_over) {
        true => Err(NoVerdict::Limit(Limit::Time)),
        false => Ok(Verdict::Holds),
    }
}

/// Checks postconditions, whatever was found.
fn conclude(context: &Context<'_>, run: &WalkRun<'_>, outcome: Outcome) -> Outcome {
    let witnesses = &context.board.witnesses;
    run.stand_at(0);
    match outcome {
        Ok(Verdict::Holds) => model::conclude(context.evaluation(run), witnesses),
        Ok(Verdict::Violated(violation)) => {
            let value =
                violation.trace.as_ref().and_then(|trace| model::counterexample(context.model, trace));
            *context.board.counterexample.lock().unwrap_or_else(PoisonError::into_inner) = value;
            // TLC: they run after a violation too, and change nothing then.
            let _ = model::conclude(context.evaluation(run), witnesses);
            Ok(Verdict::Violated(violation))
        }
        Err(reason) => Err(reason),
    }
}
