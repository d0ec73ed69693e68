//! Walks with a clock of their own. Everything that needs no clock is tested through the program.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use model::{Engine, Model, NoVerdict, Phase, PropertyKind, Verdict};
use sema::config::ConfigInput;
use sema::{DiskFiles, LoadOptions};
use simulate::{Answer, Event, Mode, Observer, Options, Walks};
use value::Atoms;

/// A clock that goes on by a second whenever it is read.
#[derive(Default)]
struct Eager(AtomicU64);

impl base::Clock for Eager {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

struct Unwatched;

impl Observer for Unwatched {
    fn event(&self, _event: Event<'_>) {}
}

const MODULE: &str = "---- MODULE Endless ----\nEXTENDS Naturals, TLC\nVARIABLE x\n\
                      Init == x = 0\nNext == x' = x + 1\nTrue == TRUE\nLow == x < 50\nBroken == <<1>>[2] = 1\n\
                      Short == TLCGet(\"duration\") < 200\nStop == TLCSet(\"exit\", TLCGet(\"duration\") > 200)\n====\n";
const WALKS_MAX: u64 = 5_000;

fn run(config: &str, checks_properties: bool) -> Answer {
    run_with(config, |options| Options { checks_properties, ..options })
}

/// Runs walks with the options that `change` makes of the usual ones.
fn run_with(config: &str, change: impl FnOnce(Options<'_>) -> Options<'_>) -> Answer {
    let loaded = sema::load_text(Path::new("Endless.tla"), MODULE, &LoadOptions::default(), &DiskFiles);
    let mut spec = loaded.spec;
    let text = format!("INIT Init\nNEXT Next\n{config}\n");
    let source = spec.sources.add("Endless.cfg", text.clone());
    let parsed = syntax::cfg::parse_config(source, &text, &mut spec.names);
    let bound = sema::config::bind(&spec, ConfigInput { source, tree: &parsed.tree });
    assert!(!bound.diagnostics.has_errors(), "{:?}", bound.diagnostics);
    let lowered = eval::lower::lower(&spec, &bound.config, Atoms::new());
    let (interrupted, clock) = (AtomicBool::new(false), Eager::default());
    let options = change(Options {
        mode: Mode::Uniform,
        walks: Walks::First(Some(WALKS_MAX)),
        depth: 5,
        n_workers: 1,
        engine: Engine::Auto,
        check_deadlock: true,
        weights: Vec::new(),
        seed: 0,
        time_max: None,
        memory_bytes_max: 1 << 30,
        minimises: false,
        violations_max: Some(1),
        checks_properties: true,
        estimates_states: false,
        counts_flow: false,
        counts_evaluations: false,
        tells_walks: false,
        interrupted: &interrupted,
        world: &eval::world::NO_WORLD,
        clock: &clock,
    });
    simulate::simulate(Model { spec: &spec, program: &lowered.program }, &options, &Unwatched)
}

#[test]
fn a_periodic_formula_ends_the_walks_once_it_is_false() {
    let answer = run("_PERIODIC Short", true);
    let Ok(Verdict::Violated(violation)) = &answer.outcome else { panic!("{:?}", answer.outcome) };
    assert_eq!(violation.property.kind, PropertyKind::Periodic);
    assert_eq!(violation.diagnostic.code.id(), "SL0758");
    assert!(answer.statistics.n_walks < WALKS_MAX, "{} walks", answer.statistics.n_walks);
}

/// The scripts of others limit the time of a simulation like this.
#[test]
fn a_periodic_formula_can_ask_for_the_end() {
    let answer = run("_PERIODIC Stop", true);
    assert!(matches!(answer.outcome, Ok(Verdict::Holds)), "{:?}", answer.outcome);
    assert!(answer.statistics.n_walks < WALKS_MAX, "{} walks", answer.statistics.n_walks);
}

#[test]
fn a_periodic_formula_that_holds_or_is_not_asked_for_changes_nothing() {
    for (config, checks_properties) in [("_PERIODIC True", true), ("", true), ("_PERIODIC Stop", false)] {
        let answer = run(config, checks_properties);
        assert!(matches!(answer.outcome, Ok(Verdict::Holds)), "{config}: {:?}", answer.outcome);
        assert_eq!(answer.statistics.n_walks, WALKS_MAX, "{config}");
    }
}

#[test]
fn a_periodic_formula_without_a_value_is_an_error() {
    let answer = run("_PERIODIC Broken", true);
    let Err(NoVerdict::Undefined { phase, error, .. }) = answer.outcome else {
        panic!("{:?}", answer.outcome)
    };
    assert_eq!((phase, error.code.id()), (Phase::Periodic, "SL0702"));
}

#[test]
fn making_a_walk_shorter_ends_soon_after_the_time() {
    for (seconds, is_minimal) in [(200, false), (1_000_000, true)] {
        let answer = run_with("INVARIANT Low", |options| Options {
            depth: 100,
            minimises: true,
            time_max: Some(Duration::from_secs(seconds)),
            ..options
        });
        assert!(matches!(answer.outcome, Ok(Verdict::Violated(_))), "{:?}", answer.outcome);
        let shortened = answer.shortened.expect("the walk has steps");
        assert_eq!((shortened.n_steps, shortened.is_minimal), (50, is_minimal), "{seconds} s");
    }
}
