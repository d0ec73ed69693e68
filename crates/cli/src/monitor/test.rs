//! `specline monitor test SPEC`: behaviours of the specification, as each node sees them, and changed ones.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use base::SystemClock;
use diag::{Code, Diagnostic};
use eval::interp::Shared;
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use eval::world::Machine;
use model::{Engine, Model, STACK_BYTES};
use monitor::conditions::Condition;
use monitor::spec_test::{Dice, Mutation, NoMessages, Observer, judge, mutate};
use monitor::{CannotStart, Monitor, MonitorRun, Setting, Told};
use sema::Spec;
use serde_json::{Value, json};
use setup::memory::{self, bytes};
use setup::read_model;
use simulate::{Mode, Options, Walks, simulate};
use trace::Trace;
use value::Atoms;

use super::args::TestMonitorArgs;
use super::conditions::Wanted;
use super::load::{MappingFile, Sliced, load};
use super::{conditions, tell};
use crate::args::CheckFormatArg;
use crate::console::{Console, Stream};
use crate::environment::{Environment, n_workers, world};
use crate::exit::{Ending, Stop};
use crate::signals;

/// Number of behaviours that are made at once.
const BATCH_LEN: u64 = 50;
/// The most false alarms that are shown.
const FALSE_ALARMS_LEN_MAX: usize = 3;

pub fn run(args: &TestMonitorArgs, _: &Environment, console: &Console) -> Result<Ending, Stop> {
    let file = MappingFile::read(&args.mapping, console)?;
    let input = args.model.input();
    let sliced = load(&input, &file, console)?;
    // The specification was read before, with the mapping in it: here it is as it stands.
    let mut read = read_model::read(&input, &file.constants());
    let Some(mut config) = read.config.take() else { return Err(Ending::ConfigError.into()) };
    config.alias = None;
    let Lowered { program, .. } = lower(&read.spec, &config, Atoms::new());
    let interrupted = signals::watch()?;
    let world = world(args.model.sandbox.is_wanted())?;
    let plain = Plain { spec: &read.spec, program: &program, world: &world, interrupted: &interrupted };
    let shared = Shared::new(&sliced.program);
    let found = conditions::find(
        &input,
        (&file, Wanted { trusts: args.trust, derives: false }),
        &interrupted,
        console,
    )?;
    for warning in conditions::warnings(&found) {
        console.draw(Stream::Err, &sliced.spec.sources, &warning)?;
    }
    let memory_bytes_max = bytes(memory::default_bytes());
    let run = &MonitorRun { model: sliced.model(), memory_bytes_max, interrupted: &interrupted };
    let watched = Watched { sliced: &sliced, file: &file, shared: &shared, conditions: &found.all, run };
    let tested = base::on_deep_stack(STACK_BYTES, || test(args, &watched, &plain));
    match tested {
        Ok(results) => report(args, &results, console),
        Err(NoTest::Start(CannotStart(told))) => Err(console.refuse(&sliced.spec.sources, &told)),
        Err(NoTest::Messages(NoMessages(why))) => {
            let told = Diagnostic::without_place(Code::MonitorMap, why);
            Err(console.refuse(&sliced.spec.sources, &told))
        }
        Err(NoTest::Walks(told)) => Err(console.refuse(&read.spec.sources, &told)),
    }
}

/// The specification with the mapping in it, for monitors.
struct Watched<'a> {
    sliced: &'a Sliced,
    file: &'a MappingFile,
    shared: &'a Shared,
    conditions: &'a [Condition],
    run: &'a MonitorRun<'a>,
}

/// The specification as it is, for behaviours.
struct Plain<'a> {
    spec: &'a Spec,
    program: &'a Program,
    world: &'a Machine,
    interrupted: &'a AtomicBool,
}

enum NoTest {
    Start(CannotStart),
    Messages(NoMessages),
    Walks(Box<Diagnostic>),
}

#[derive(Default)]
struct Results {
    n_walks: u64,
    n_traces: u64,
    n_events: u64,
    n_undecided: u64,
    /// Alarms that behaviours of the specification raised: lines for each of the first few.
    false_alarms: Vec<Vec<String>>,
    n_false: u64,
    /// Changed behaviours, and those of them that raised an alarm.
    mutants: BTreeMap<Mutation, (u64, u64)>,
    /// Whether these were all behaviours.
    is_complete: bool,
}

impl Results {
    fn add(&mut self, other: Results) {
        self.n_walks += other.n_walks;
        self.n_traces += other.n_traces;
        self.n_events += other.n_events;
        self.n_undecided += other.n_undecided;
        self.n_false += other.n_false;
        let n_more = FALSE_ALARMS_LEN_MAX.saturating_sub(self.false_alarms.len());
        self.false_alarms.extend(other.false_alarms.into_iter().take(n_more));
        for (mutation, (n, n_caught)) in other.mutants {
            let counts = self.mutants.entry(mutation).or_default();
            *counts = (counts.0 + n, counts.1 + n_caught);
        }
    }
}

/// Tries behaviours until there are enough, on several threads. What comes of a batch depends on its number alone.
fn test(args: &TestMonitorArgs, watched: &Watched<'_>, plain: &Plain<'_>) -> Result<Results, NoTest> {
    if args.all {
        return test_all(args, watched, plain);
    }
    let next = AtomicU64::new(0);
    let n_batches = args.walks.div_ceil(BATCH_LEN);
    let done: Mutex<BTreeMap<u64, Results>> = Mutex::default();
    let work = || -> Result<(), NoTest> {
        let mut tester = Tester::new(watched)?;
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= n_batches || plain.interrupted.load(Ordering::Relaxed) {
                return Ok(());
            }
            let first = batch * BATCH_LEN;
            let n_walks = BATCH_LEN.min(args.walks - first);
            let traces = walks(args, plain, (n_walks, args.seed.wrapping_add(first)))?;
            tester.begin(args.seed.wrapping_add(batch));
            traces.iter().for_each(|trace| tester.try_behaviour(trace));
            let results = Results { n_walks, ..std::mem::take(&mut tester.results) };
            done.lock().unwrap_or_else(PoisonError::into_inner).insert(batch, results);
        }
    };
    let n_workers = n_workers(args.workers).min(n_batches as usize).max(1);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_workers).map(|_| base::spawn_deep(scope, STACK_BYTES, work)).collect();
        threads.into_iter().map(base::join).collect::<Result<Vec<()>, NoTest>>()
    })?;
    let mut all = Results::default();
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_values().for_each(|results| all.add(results));
    Ok(all)
}

/// Tries all behaviours of a number of steps, or as many as are asked for.
fn test_all(args: &TestMonitorArgs, watched: &Watched<'_>, plain: &Plain<'_>) -> Result<Results, NoTest> {
    let model = Model { spec: plain.spec, program: plain.program };
    let run = MonitorRun {
        model,
        memory_bytes_max: bytes(memory::default_bytes()),
        interrupted: plain.interrupted,
    };
    let shared = Shared::new(plain.program);
    let actions = match model::prepare(model, &shared, &run) {
        Ok(actions) => actions,
        Err(ended) => return Err(NoTest::Walks(Box::new(monitor::describe_early(ended)))),
    };
    let mut tester = Tester::new(watched)?;
    tester.begin(args.seed);
    let mut n_walks = 0;
    let evaluation = model::Evaluation { model, shared: &shared, run: &run };
    let visited = monitor::behaviours::all(evaluation, &actions, args.depth, &mut |trace| {
        tester.try_behaviour(trace);
        n_walks += 1;
        match n_walks >= args.walks || plain.interrupted.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    match visited {
        Ok(is_complete) => Ok(Results { n_walks, is_complete, ..tester.results }),
        Err(fault) => Err(NoTest::Walks(Box::new(model::fault_diagnostic(model, &fault)))),
    }
}

/// Monitors of all nodes, which behaviours are run through.
struct Tester<'a> {
    observer: Observer<'a>,
    monitors: Vec<(String, Monitor<'a>)>,
    dice: Dice,
    results: Results,
}

impl<'a> Tester<'a> {
    fn new(watched: &'a Watched<'a>) -> Result<Tester<'a>, NoTest> {
        let Watched { sliced, file, shared, conditions, run } = *watched;
        let (slice, mapping, model) = (&sliced.slice, &file.mapping, sliced.model());
        let observer = Observer::new(slice, mapping).map_err(NoTest::Messages)?;
        let setting = Setting { model, shared, run, slice, mapping, node: "", is_running: false, conditions };
        let mut monitors = Vec::new();
        for name in monitor::node_names(setting).map_err(NoTest::Start)? {
            let monitor = Monitor::for_node(setting, &name).map_err(NoTest::Start)?;
            monitors.push((name, monitor));
        }
        Ok(Tester { observer, monitors, dice: Dice(0), results: Results::default() })
    }

    fn begin(&mut self, seed: u64) {
        self.dice = Dice(seed);
        self.results = Results::default();
    }

    fn try_behaviour(&mut self, trace: &Trace) {
        for (name, monitor) in &mut self.monitors {
            let events = self.observer.events(trace, name);
            if !events.is_empty() {
                self.results.n_traces += 1;
                self.results.n_events += events.len() as u64;
                try_events(&mut self.results, (name, monitor), &events, &mut self.dice);
            }
        }
    }
}

fn try_events(
    results: &mut Results,
    (name, monitor): (&str, &mut Monitor<'_>),
    events: &[monitor::input::Event],
    dice: &mut Dice,
) {
    match judge(monitor, events) {
        None => {}
        Some(Told::Alarm(alarm)) => {
            results.n_false += 1;
            if results.false_alarms.len() < FALSE_ALARMS_LEN_MAX {
                results.false_alarms.push(tell::alarm(&alarm, name));
            }
            return;
        }
        Some(Told::Undecided(_) | Told::Fine | Told::Joined) => {
            results.n_undecided += 1;
            return;
        }
    }
    for mutation in Mutation::ALL {
        let Some(changed) = mutate(events, mutation, dice) else { continue };
        let counts = results.mutants.entry(mutation).or_default();
        counts.0 += 1;
        if matches!(judge(monitor, &changed), Some(Told::Alarm(_))) {
            counts.1 += 1;
        }
    }
}

struct Collector(Mutex<Vec<Trace>>);

impl simulate::Observer for Collector {
    fn event(&self, event: simulate::Event<'_>) {
        if let simulate::Event::Walk { trace, .. } = event {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(trace.clone());
        }
    }
}

/// Makes random walks.
fn walks(
    args: &TestMonitorArgs,
    plain: &Plain<'_>,
    (n_walks, seed): (u64, u64),
) -> Result<Vec<Trace>, NoTest> {
    let clock = SystemClock::start();
    let options = Options {
        mode: Mode::Successors,
        walks: Walks::First(Some(n_walks)),
        depth: args.depth,
        n_workers: 1,
        engine: Engine::Interpreted,
        check_deadlock: false,
        weights: Vec::new(),
        seed,
        time_max: None,
        memory_bytes_max: bytes(memory::default_bytes()),
        minimises: false,
        violations_max: Some(1),
        checks_properties: false,
        estimates_states: false,
        counts_flow: false,
        counts_evaluations: false,
        tells_walks: true,
        interrupted: plain.interrupted,
        world: plain.world,
        clock: &clock,
    };
    let collector = Collector(Mutex::default());
    let model = Model { spec: plain.spec, program: plain.program };
    let answer = simulate(model, &options, &collector);
    let traces = collector.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    match answer.outcome {
        Err(model::NoVerdict::Undefined { error, .. }) if traces.is_empty() => Err(NoTest::Walks(error)),
        _ => Ok(traces),
    }
}

fn report(args: &TestMonitorArgs, results: &Results, console: &Console) -> Result<Ending, Stop> {
    match args.format {
        CheckFormatArg::Json => console.line(Stream::Out, &report_json(results).to_string())?,
        CheckFormatArg::Text => report_text(results, console)?,
    }
    Ok(match (results.n_false, results.n_undecided) {
        (1.., _) => Ending::Alarm,
        (0, 1..) => Ending::Limit,
        (0, 0) => Ending::Ok,
    })
}

fn report_json(results: &Results) -> Value {
    let mutants: Vec<Value> = results
        .mutants
        .iter()
        .map(|(mutation, (n, n_caught))| json!({ "change": mutation.name(), "tried": n, "caught": n_caught }))
        .collect();
    json!({
        "behaviours": results.n_walks, "complete": results.is_complete, "traces": results.n_traces, "events": results.n_events,
        "false_alarms": results.n_false, "undecided": results.n_undecided, "mutants": mutants,
    })
}

fn report_text(results: &Results, console: &Console) -> io::Result<()> {
    for lines in &results.false_alarms {
        for line in lines {
            console.line(Stream::Out, line)?;
        }
    }
    console.line(
        Stream::Out,
        &format!(
            "{}{} behaviours, {} traces of nodes with {} events: {} false alarms, {} undecided.",
            if results.is_complete { "all " } else { "" },
            results.n_walks,
            results.n_traces,
            results.n_events,
            results.n_false,
            results.n_undecided
        ),
    )?;
    for (mutation, (n, n_caught)) in &results.mutants {
        console.line(Stream::Out, &format!("{}: {n_caught} of {n} caught", mutation.name()))?;
    }
    Ok(())
}
