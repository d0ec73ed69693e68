//! `-simulate` and `-generate`: `specline simulate` with TLC's options and TLC's output.

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use diag::Code;
use model::{Engine, Limit, Model, NoVerdict, Outcome, Verdict, Violation};
use setup::memory::{self, bytes};
use setup::words::grouped;
use setup::{Ending, Output, with_files};
use simulate::{Answer, Event, Mode, Observer, Options, Progress, Walks, simulate};
use trace::{Step, Trace};

use super::options::{Options as Wishes, Scheduler, Simulation};
use super::outcome::{self, Teller};
use super::search::{Setting, files};
use super::{behaviour, code, coverage, flow, moment, place};

/// TLC's default depth of a walk.
const DEPTH: u32 = 100;

pub fn run(teller: Teller<'_>, setting: &Setting<'_>, simulation: &Simulation) -> io::Result<Ending> {
    let output = Output::new(Arc::clone(&setting.interrupted));
    let report = Report { teller, output, wishes: setting.wishes, file: simulation.file.as_deref() };
    let options = options(setting, simulation);
    let mut answer = simulate(teller.model, &options, &report);
    report.output.finish()?;
    name_first_step(teller.model, &mut answer.outcome);
    // A limit on the walks is a normal end.
    if let Err(NoVerdict::Limit(Limit::Time)) = answer.outcome {
        answer.outcome = Ok(Verdict::Holds);
    }
    if let Err(NoVerdict::NoInitialState(error)) = &answer.outcome {
        return nowhere_to_begin(teller, error.code);
    }
    teller.tell(&answer.outcome)?;
    files(teller, setting, first_found(&mut answer).as_ref().unwrap_or(&answer.outcome))?;
    if let Some(found) = &answer.coverage {
        coverage::tell(teller, found, check::Counts::default())?;
    }
    let is_drawn = match (simulation.flow, &answer.statistics.flow) {
        (Some(form), Some(counted)) => flow::write(teller, form, counted)?,
        (Some(_) | None, _) => true,
    };
    report.summary(&answer)?;
    Ok(with_files(outcome::exit_outside_search(teller.model, &answer.outcome), is_drawn))
}

/// Reports that there is no initial state. TLC: this is an error of a simulation, but not of a search.
fn nowhere_to_begin(teller: Teller<'_>, reason: Code) -> io::Result<Ending> {
    let (code, also) = match reason == Code::NoInitialInModel {
        true => (code::NO_INITIAL_IN_MODEL, " and the state-constraint(s)"),
        false => (code::NO_INITIAL, ""),
    };
    let text = format!("There is no state satisfying the initial state predicate{also}.");
    teller.voice.error(code, &text)?;
    Ok(Ending::Unreadable)
}

/// Returns the first of the violations after which walks continued.
fn first_found(answer: &mut Answer) -> Option<Outcome> {
    let passed = answer.passed.take()?;
    Some(Ok(Verdict::Violated(passed.first)))
}

fn options<'a>(setting: &'a Setting<'_>, simulation: &Simulation) -> Options<'a> {
    let wishes = setting.wishes;
    // TLC: so many by each worker, and one at least.
    let n_walks = simulation.n_walks.map(|n| n.max(1).saturating_mul(setting.n_workers as u64));
    Options {
        mode: mode(simulation),
        walks: match wishes.aril {
            Some(number) if number > 0 => Walks::Only(number),
            Some(_) | None => Walks::First(n_walks),
        },
        depth: match wishes.depth {
            None => DEPTH,
            // TLC: a negative number is no limit.
            Some(depth) => u32::try_from(depth).unwrap_or(u32::MAX),
        },
        n_workers: setting.n_workers,
        engine: if simulation.is_drawn { Engine::Interpreted } else { Engine::Auto },
        check_deadlock: setting.check_deadlock,
        weights: Vec::new(),
        seed: wishes.seed.unwrap_or_default().cast_unsigned(),
        time_max: wishes.time_max,
        memory_bytes_max: bytes(memory::default_bytes()),
        minimises: false,
        violations_max: if wishes.goes_on { None } else { Some(1) },
        checks_properties: true,
        estimates_states: false,
        counts_flow: simulation.flow.is_some(),
        counts_evaluations: wishes.counts_coverage,
        tells_walks: simulation.file.is_some(),
        interrupted: &setting.interrupted,
        world: setting.world,
        clock: setting.clock,
    }
}

fn mode(simulation: &Simulation) -> Mode {
    match (simulation.scheduler, simulation.is_drawn) {
        (Scheduler::Learned, _) => Mode::Learned,
        (Scheduler::LearnedActions, _) => Mode::LearnedActions,
        (Scheduler::Random, true) => Mode::Drawn,
        (Scheduler::Random, false) => Mode::Uniform,
    }
}

/// Names the first state of a walk after the initial predicate, as TLC does.
fn name_first_step(model: Model<'_>, outcome: &mut Outcome) {
    let trace = match outcome {
        Ok(Verdict::Violated(violation)) => {
            let Violation { trace, .. } = &mut **violation;
            trace.as_mut()
        }
        Err(
            NoVerdict::Undefined { trace, .. }
            | NoVerdict::Assertion { trace, .. }
            | NoVerdict::Incomplete { trace, .. },
        ) => trace.as_deref_mut(),
        Ok(Verdict::Holds) | Err(_) => None,
    };
    if let Some(trace) = trace {
        name_first(model, trace);
    }
}

fn name_first(model: Model<'_>, trace: &mut Trace) {
    let Some(root) = model.program.init.first() else { return };
    if let Some(first) = trace.states.first_mut().filter(|state| state.step.is_none()) {
        let name = model::root_name(model.spec, root);
        let place = Some(model::place(model.spec, place::body(model.spec, root)));
        first.step = Some(Step { name, place, parameters: Vec::new() });
    }
}

struct Report<'a> {
    teller: Teller<'a>,
    output: Output,
    wishes: &'a Wishes,
    /// File for walks, without their numbers.
    file: Option<&'a str>,
}

impl Report<'_> {
    fn report_event(&self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Initial { n_generated, n_in_model } => self.initial(n_generated, n_in_model),
            Event::Progress(Progress { n_walks, n_generated, .. }) => self.progress(n_walks, n_generated),
            Event::Printed(line) => self.teller.voice.print(line),
            Event::Violation { violation, walk, so_far } => self.tell_passed_over(violation, walk, so_far),
            Event::Walk { number, trace } => match self.file {
                Some(file) => self.write(file, number, trace),
                None => Ok(()),
            },
        }
    }

    /// Reports the initial states. TLC: the second line has no plural.
    fn initial(&self, n_generated: u64, n_in_model: usize) -> io::Result<()> {
        let voice = self.teller.voice;
        voice.say(code::COMPUTING_INIT_PROGRESS, &format!("Computed {n_generated} initial states..."))?;
        let now = moment::now();
        let text =
            format!("Finished computing initial states: {n_in_model} distinct state generated at {now}.");
        voice.say(code::INIT_GENERATED, &text)
    }

    /// Reports a violation after which the walks continue. TLC: the summary follows each of them.
    fn tell_passed_over(&self, violation: &Violation, walk: u64, so_far: Progress) -> io::Result<()> {
        let mut violation = violation.clone();
        if let Some(trace) = &mut violation.trace {
            name_first(self.teller.model, trace);
        }
        self.teller.violation(&violation)?;
        if self.teller.voice.is_tool {
            self.progress(so_far.n_walks, so_far.n_generated)?;
        }
        self.sum(so_far.n_generated, walk)
    }

    fn progress(&self, n_walks: u64, n_generated: u64) -> io::Result<()> {
        let voice = self.teller.voice;
        let (walks, states) = (grouped(n_walks), grouped(n_generated));
        let text = match voice.is_tool {
            true => format!(
                "Progress({walks}) at {}: {states} states generated, -1 distinct states found, \
                 -1 states left on queue.",
                moment::now()
            ),
            false => format!("Progress: {states} states checked, {walks} traces generated"),
        };
        voice.say(code::PROGRESS_SIMULATION, &text)
    }

    /// TLC: `FILE_<worker>_<number>`. Here a walk belongs to no worker.
    fn write(&self, file: &str, number: u64, trace: &Trace) -> io::Result<()> {
        let mut trace = behaviour::order(trace, self.teller.shown);
        name_first(self.teller.model, &mut trace);
        let name = format!("{file}_0_{number}");
        let mut text = format!("---------------- MODULE {name} -----------------\n");
        for index in 0..trace.states.len() {
            let (header, state) = (
                trace::tlc_header(&trace, index),
                behaviour::state(&trace, (index, None), self.teller.shown),
            );
            let n = index + 1;
            writeln!(text, "\\* {header}\nSTATE_{n} == \n{state}\n").expect("a string takes all");
        }
        text.push_str("=================================================\n");
        match std::fs::write(&name, text) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.output.give_up();
                self.teller.voice.trouble(&format!("Cannot write {name}: {error}."))?;
                Err(error)
            }
        }
    }

    fn summary(&self, answer: &Answer) -> io::Result<()> {
        let (n_generated, n_walks) = (answer.statistics.n_generated, answer.statistics.n_walks);
        let aril = answer.walk.or(self.wishes.aril).unwrap_or_default();
        self.progress(n_walks, n_generated)?;
        self.sum(n_generated, aril)
    }

    fn sum(&self, n_generated: u64, aril: u64) -> io::Result<()> {
        let seed = self.wishes.seed.unwrap_or_default();
        let text = format!(
            "The number of states generated: {n_generated}\nSimulation using seed {seed} and aril {aril}"
        );
        self.teller.voice.say(code::STATS_SIMULATION, &text)
    }
}

impl Observer for Report<'_> {
    fn event(&self, event: Event<'_>) {
        self.output.keep(self.report_event(event));
    }
}
