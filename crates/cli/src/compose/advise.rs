//! `--advise`: which composition is worth the time that there is.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use base::{Clock as _, SystemClock};
use compose::{Choice, Composed, Family, finest};
use diag::{Code, Diagnostic, SourceMap};
use eval::lower::{Lowered, lower};
use model::{Engine, Limit, Model, NoVerdict, Verdict};
use serde_json::json;
use setup::{composition, memory};
use simulate::{Mode, Walks, simulate};
use value::Atoms;

use crate::args::CheckFormatArg;
use crate::compose::Command;
use crate::compose::levels::Levels;
use crate::console::Stream;
use crate::environment;
use crate::exit::{Ending, Stop};
use crate::signals;

/// The share of the budget that a short search may take, and its limits.
const SHORT_SHARE: u32 = 30;
const SHORT_MAX: Duration = Duration::from_secs(20);
const SHORT_MIN: Duration = Duration::from_millis(500);
/// Estimates above this number are not shown.
const HOPELESS: f64 = 1e12;
/// Walks for the estimate of the number of states.
const N_WALKS: u64 = 200;
const WALK_DEPTH: u32 = 100;

/// A composition that was measured.
struct Candidate<'f> {
    choice: Choice<'f>,
    /// How many steps the other modules are away from their finest grains: less is finer.
    coarseness: usize,
    /// How many invariants and properties it is checked for.
    n_asked: usize,
    measured: Measured,
}

impl Candidate<'_> {
    /// Returns what candidates are ordered by: the finest first; among equally fine ones those that follow all
    /// behaviours, and are asked most.
    fn order(&self) -> (usize, bool, std::cmp::Reverse<usize>) {
        let grains = self.choice.parts.iter().map(|part| part.grain);
        let composition = self.choice.composition;
        let n_constraints = composition.constraints.len() + composition.action_constraints.len();
        let is_cut = n_constraints + grains.map(|grain| grain.constraints.len()).sum::<usize>() > 0;
        (self.coarseness, is_cut, std::cmp::Reverse(self.n_asked))
    }
}

/// Estimates of a composition's size and speed, from short runs.
#[derive(Clone, Copy)]
struct Measured {
    /// The number of states, if walks or a complete search can say.
    states: Option<f64>,
    states_per_second: f64,
    /// How long a complete check takes.
    seconds: Option<f64>,
    /// Whether the short search was complete.
    is_complete: bool,
    /// Whether the short search found a violation.
    is_violated: bool,
}

/// Measures compositions, proposes one, checks it, and says how good the estimate was.
pub fn run(command: &Command<'_>, family: &Family, targets: &[String]) -> Result<Ending, Stop> {
    let interrupted = signals::watch()?;
    let run = AdviseRun { command, interrupted: &interrupted, world: environment::world(true)? };
    let mut candidates = Vec::new();
    for choice in candidate_choices(command, family, targets)? {
        let coarseness = coarseness(&choice, targets);
        let composed = command.compose(&choice)?;
        let n_asked = composed.outline.invariants.len() + composed.outline.properties.len();
        let measured = run.measure(composed)?;
        candidates.push(Candidate { choice, coarseness, n_asked, measured });
    }
    candidates.sort_by_key(Candidate::order);
    let budget = command.args.budget.as_secs_f64();
    let fits =
        |candidate: &&Candidate<'_>| candidate.measured.seconds.is_some_and(|seconds| seconds <= budget);
    let proposed = candidates.iter().find(fits);
    table(command, &candidates, proposed)?;
    let Some(proposed) = proposed else {
        let text = "No composition with these targets can be checked within the budget.";
        command.console.line(Stream::Out, text)?;
        return Ok(Ending::Limit);
    };
    run.check(proposed)
}

/// Returns the compositions in which every target is at its finest grain.
fn candidate_choices<'f>(
    command: &Command<'_>,
    family: &'f Family,
    targets: &[String],
) -> Result<Vec<Choice<'f>>, Stop> {
    let mut choices = Vec::new();
    for composition in &family.compositions {
        let choice = command.choose(family, &composition.name.text)?;
        let is_fine = |target: &String| {
            choice.part(target).is_some_and(|part| std::ptr::eq(finest(part.module, part.grain), part.grain))
        };
        if targets.iter().all(is_fine) {
            choices.push(choice);
        }
    }
    if choices.is_empty() {
        let targets = targets.join(", ");
        let headline = format!("no composition has {targets} at the finest grain");
        let help = "add a composition whose grains of the targets coarsen no other";
        let wrong = Diagnostic::without_place(Code::CompositionFile, headline).help(help);
        return Err(command.console.refuse(&SourceMap::new(), &wrong));
    }
    Ok(choices)
}

/// Returns how many steps of `coarsens` the grains of a composition are away from their finest ones.
fn coarseness(choice: &Choice<'_>, targets: &[String]) -> usize {
    let others = choice.parts.iter().filter(|part| !targets.contains(&part.module.name.text));
    let steps = |part: &compose::ChosenModule<'_>| {
        let mut grain = part.grain;
        let mut n_steps = 0;
        while let Some(finer) = grain.coarsens.as_ref().and_then(|finer| part.module.grain(&finer.text)) {
            grain = finer;
            n_steps += 1;
        }
        n_steps
    };
    others.map(steps).sum()
}

struct AdviseRun<'a> {
    command: &'a Command<'a>,
    interrupted: &'a Arc<AtomicBool>,
    /// The machine in a sandbox: what is measured here was not asked to run anything.
    world: eval::world::Machine,
}

/// The answer of a search, and how long it took.
struct Searched {
    answer: check::Answer,
    seconds: f64,
}

impl AdviseRun<'_> {
    fn measure(&self, composed: Composed) -> Result<Measured, Stop> {
        let budget = self.command.args.budget;
        let short = (budget / SHORT_SHARE).clamp(SHORT_MIN, SHORT_MAX);
        self.with_model(composed, |model, check_deadlock| {
            let levels = Levels::default();
            let searched = self.search(model, (check_deadlock, short), &levels);
            let states_per_second = searched.answer.counts.distinct as f64 / searched.seconds.max(0.001);
            let is_violated = matches!(searched.answer.outcome, Ok(Verdict::Violated(_)));
            let is_complete = matches!(searched.answer.outcome, Ok(Verdict::Holds));
            let (states, seconds) = match is_complete || is_violated {
                true => (Some(searched.answer.counts.distinct as f64), Some(searched.seconds)),
                false => {
                    // Walks give a lower bound on the number of states.
                    let least = self.estimate(model).unwrap_or(0.0);
                    let least = least.max(searched.answer.counts.distinct as f64);
                    let states = levels.estimate().map(|states| states.max(least));
                    (states, states.map(|states| states / states_per_second))
                }
            };
            Measured { states, states_per_second, seconds, is_complete, is_violated }
        })
    }

    /// Checks the proposed composition within the budget, and says how good the estimate was.
    fn check(&self, proposed: &Candidate<'_>) -> Result<Ending, Stop> {
        let command = self.command;
        let composed = command.compose(&proposed.choice)?;
        let budget = command.args.budget;
        let searched = self.with_model(composed, |model, check_deadlock| {
            self.search(model, (check_deadlock, budget), &check::Silent)
        })?;
        let (distinct, seconds) = (searched.answer.counts.distinct, searched.seconds);
        let ending = setup::ending_of(&searched.answer.outcome);
        let how = match &searched.answer.outcome {
            Ok(Verdict::Holds) => "complete, no error was found".to_owned(),
            Ok(Verdict::Violated(violation)) => format!("`{}` is violated", violation.property.name),
            Err(NoVerdict::Limit(Limit::Time)) => "not complete when the budget was used up".to_owned(),
            Err(NoVerdict::Interrupted) => "interrupted".to_owned(),
            Err(_) => "no verdict".to_owned(),
        };
        let name = &proposed.choice.composition.name.text;
        let measured = proposed.measured;
        if command.args.format == CheckFormatArg::Json {
            let text = json!({
                "event": "advised",
                "composition": name,
                "estimated_states": measured.states,
                "estimated_seconds": measured.seconds,
                "states": distinct,
                "seconds": seconds,
                "how": how,
            });
            command.console.line(Stream::Out, &text.to_string())?;
            return Ok(ending);
        }
        let ratio = |estimated: Option<f64>, actual: f64| {
            estimated
                .map_or_else(|| "?".to_owned(), |estimated| format!("{:.2}", estimated / actual.max(0.001)))
        };
        let text = format!(
            "Checked {name}: {how}; {distinct} states in {seconds:.1} s.\nThe estimate was {} times the states and {} \
             times the seconds.\nSee more with `specline check {}@{name}`.",
            ratio(measured.states, distinct as f64),
            ratio(measured.seconds, seconds),
            command.file.display()
        );
        command.console.line(Stream::Out, &text)?;
        Ok(ending)
    }

    /// Calls `body` with a composition that is ready to run, and whether deadlock is an error.
    fn with_model<T>(
        &self,
        mut composed: Composed,
        body: impl FnOnce(Model<'_>, bool) -> T,
    ) -> Result<T, Stop> {
        let command = self.command;
        let bound = composition::bind(&mut composed, &command.file, &command.args.sources.defines)
            .map_err(|errors| command.refuse(&composed.spec.sources, &errors))?;
        let Lowered { program, diagnostics } = lower(&composed.spec, &bound, Atoms::new());
        if diagnostics.has_errors() {
            return Err(command.refuse(&composed.spec.sources, &diagnostics));
        }
        let model = Model { spec: &composed.spec, program: &program };
        Ok(body(model, bound.check_deadlock.unwrap_or(true)))
    }

    fn search(
        &self,
        model: Model<'_>,
        (check_deadlock, time): (bool, Duration),
        observer: &dyn check::Observer,
    ) -> Searched {
        let clock = SystemClock::start();
        let options = check::Options {
            n_workers: std::thread::available_parallelism().map_or(1, usize::from),
            check_deadlock,
            time_max: Some(time),
            seed: self.command.args.seed,
            ..check::Options::new(
                memory::bytes(memory::default_bytes()),
                self.interrupted,
                &self.world,
                &clock,
            )
        };
        let answer = check::check(model, &options, observer);
        Searched { answer, seconds: clock.elapsed().as_secs_f64() }
    }

    /// Returns the number of states that random walks suggest.
    fn estimate(&self, model: Model<'_>) -> Option<f64> {
        let clock = SystemClock::start();
        let options = simulate::Options {
            mode: Mode::Uniform,
            walks: Walks::First(Some(N_WALKS)),
            depth: WALK_DEPTH,
            n_workers: 1,
            engine: Engine::Interpreted,
            check_deadlock: false,
            weights: Vec::new(),
            seed: self.command.args.seed,
            time_max: Some(SHORT_MAX),
            memory_bytes_max: memory::bytes(memory::default_bytes()),
            minimises: false,
            violations_max: Some(1),
            checks_properties: false,
            estimates_states: true,
            counts_flow: false,
            counts_evaluations: false,
            tells_walks: false,
            interrupted: self.interrupted,
            world: &self.world,
            clock: &clock,
        };
        let answer = simulate(model, &options, &Unwatched);
        answer.statistics.estimate.map(simulate::Estimate::number)
    }
}

struct Unwatched;

impl simulate::Observer for Unwatched {
    fn event(&self, _event: simulate::Event<'_>) {}
}

fn table(
    command: &Command<'_>,
    candidates: &[Candidate<'_>],
    proposed: Option<&Candidate<'_>>,
) -> Result<(), Stop> {
    let is_proposed =
        |candidate: &Candidate<'_>| proposed.is_some_and(|known| std::ptr::eq(known, candidate));
    for candidate in candidates {
        let name = &candidate.choice.composition.name.text;
        let measured = candidate.measured;
        let text = match command.args.format {
            CheckFormatArg::Json => json!({
                "event": "candidate",
                "composition": name,
                "coarseness": candidate.coarseness,
                "asked": candidate.n_asked,
                "estimated_states": measured.states,
                "estimated_seconds": measured.seconds,
                "states_per_second": measured.states_per_second,
                "is_complete": measured.is_complete,
                "is_violated": measured.is_violated,
                "is_proposed": is_proposed(candidate),
            })
            .to_string(),
            CheckFormatArg::Text => text_line(candidate, is_proposed(candidate)),
        };
        command.console.line(Stream::Out, &text)?;
    }
    Ok(())
}

fn text_line(candidate: &Candidate<'_>, is_proposed: bool) -> String {
    let measured = candidate.measured;
    let number = |value: Option<f64>, n_decimals: usize| match value {
        None => "unknown".to_owned(),
        // An estimate says no more than that.
        Some(value) if value >= HOPELESS => "over 10^12".to_owned(),
        Some(value) => format!("{value:.n_decimals$}"),
    };
    let how = match (measured.is_complete, measured.is_violated) {
        (true, _) => "complete",
        (false, true) => "violation found",
        (false, false) => "estimated",
    };
    format!(
        "{} {:<24} {} steps from the finest, {:>2} asked  {:>12} states  {:>8} s  ({how}, {:.0} states/s)",
        if is_proposed { "->" } else { "  " },
        candidate.choice.composition.name.text,
        candidate.coarseness,
        candidate.n_asked,
        number(measured.states, 0),
        number(measured.seconds, 1),
        measured.states_per_second
    )
}
