//! Searches with a clock of their own. What needs no clock is tested through the program.

mod judges;
mod lassos;
mod symmetry;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use check::{Answer, Event, Observer, Options, Search, Silent};
use model::{Limit, Model, NoVerdict, Phase, PropertyKind, Verdict};
use sema::config::ConfigInput;
use sema::{DiskFiles, LoadOptions};
use value::Atoms;

/// A clock that goes on by a second whenever it is read.
#[derive(Default)]
struct Eager(AtomicU64);

impl base::Clock for Eager {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

const MODULE: &str = "---- MODULE Endless ----\nEXTENDS Naturals, TLC\nVARIABLE x\n\
                      Init == x = 0\nNext == x' = x + 1\nTrue == TRUE\nNumber == 7\n\
                      Few == TLCGet(\"distinct\") < 500\nBroken == <<1>>[2] = 1\n====\n";

struct How<'o> {
    module: &'o str,
    config: &'o str,
    search: Search,
    n_judges: usize,
    time_max: Option<Duration>,
    states_max: Option<u64>,
}

fn run(how: &How<'_>, observer: &dyn Observer) -> Answer {
    let loaded = sema::load_text(Path::new("Endless.tla"), how.module, &LoadOptions::default(), &DiskFiles);
    let mut spec = loaded.spec;
    let text = format!("INIT Init\nNEXT Next\n{}\n", how.config);
    let source = spec.sources.add("Endless.cfg", text.clone());
    let parsed = syntax::cfg::parse_config(source, &text, &mut spec.names);
    let bound = sema::config::bind(&spec, ConfigInput { source, tree: &parsed.tree });
    assert!(!bound.diagnostics.has_errors(), "{:?}", bound.diagnostics);
    let lowered = eval::lower::lower(&spec, &bound.config, Atoms::new());
    let interrupted = AtomicBool::new(false);
    let options = Options {
        search: how.search,
        engine: model::Engine::Auto,
        n_workers: 1,
        n_judges: how.n_judges,
        check_deadlock: true,
        depth_max: None,
        states_max: how.states_max,
        time_max: how.time_max,
        memory_bytes_max: 1 << 30,
        spill: None,
        violations_max: Some(1),
        counts_evaluations: false,
        reports_engine: false,
        checkpoints: None,
        seed: 0,
        interrupted: &interrupted,
        world: &eval::world::NO_WORLD,
        clock: &Eager::default(),
    };
    check::check(Model { spec: &spec, program: &lowered.program }, &options, observer)
}

fn periodic(config: &str, search: Search) -> Answer {
    run(
        &How { module: MODULE, config, search, n_judges: 0, time_max: None, states_max: Some(20_000) },
        &Silent,
    )
}

#[test]
fn a_periodic_formula_ends_the_search_once_it_is_false() {
    for search in [Search::BreadthFirst, Search::DepthFirst] {
        let answer = periodic("_PERIODIC Few", search);
        let Ok(Verdict::Violated(violation)) = answer.outcome else { panic!("{:?}", answer.outcome) };
        assert_eq!(violation.property.kind, PropertyKind::Periodic);
        assert_eq!(violation.diagnostic.code.id(), "SL0758");
        assert!(answer.counts.distinct >= 500, "{:?}", answer.counts);
    }
}

#[test]
fn a_periodic_formula_that_is_anything_else_changes_nothing() {
    for config in ["_PERIODIC True", "_PERIODIC Number", ""] {
        let answer = periodic(config, Search::BreadthFirst);
        let is_limit = matches!(answer.outcome, Err(NoVerdict::Limit(Limit::States(20_000))));
        assert!(is_limit, "{config}: {:?}", answer.outcome);
    }
}

#[test]
fn a_periodic_formula_without_a_value_is_an_error() {
    let answer = periodic("_PERIODIC Broken", Search::BreadthFirst);
    let Err(NoVerdict::Undefined { phase, error, .. }) = answer.outcome else {
        panic!("{:?}", answer.outcome)
    };
    assert_eq!((phase, error.code.id()), (Phase::Periodic, "SL0702"));
}

/// Counts what it is told.
#[derive(Default)]
struct Counting {
    n_progress: AtomicU64,
    /// The most states that were generated when one was told about progress.
    generated_max: AtomicU64,
}

impl Observer for Counting {
    fn event(&self, event: Event<'_>) {
        if let Event::Progress(progress) = event {
            assert!(progress.counts.distinct > 0 && progress.bytes_used > 0, "{progress:?}");
            assert!(progress.counts.generated >= progress.counts.distinct, "{progress:?}");
            self.n_progress.fetch_add(1, Ordering::Relaxed);
            self.generated_max.fetch_max(progress.counts.generated, Ordering::Relaxed);
        }
    }

    fn progress_interval(&self) -> Duration {
        Duration::from_secs(10)
    }
}

#[test]
fn progress_counts_what_the_level_at_hand_has_generated() {
    // All of 1 + 40 * 40 states are found in two levels, and the second one generates 1600 * 1600.
    let module = "---- MODULE Endless ----\nEXTENDS Naturals\nVARIABLES x, y\n\
                  Init == x = 0 /\\ y = 0\nNext == x' \\in 1..40 /\\ y' \\in 1..40\n====\n";
    let search = Search::BreadthFirst;
    let how = How { module, config: "", search, n_judges: 0, time_max: None, states_max: None };
    let observer = Counting::default();
    let answer = run(&how, &observer);
    assert!(answer.outcome.is_ok(), "{:?}", answer.outcome);
    let generated = observer.generated_max.load(Ordering::Relaxed);
    assert!(generated > 500_000, "{generated} states were told to be generated in the middle of the level");
}

#[test]
fn time_ends_a_search_and_progress_is_told_on_the_way() {
    for search in [Search::BreadthFirst, Search::DepthFirst] {
        let observer = Counting::default();
        let how = How {
            module: MODULE,
            config: "",
            search,
            n_judges: 0,
            time_max: Some(Duration::from_secs(100)),
            states_max: None,
        };
        let answer = run(&how, &observer);
        assert!(matches!(answer.outcome, Err(NoVerdict::Limit(Limit::Time))), "{:?}", answer.outcome);
        let n_progress = observer.n_progress.load(Ordering::Relaxed);
        assert!((2..=10).contains(&n_progress), "{n_progress}");
    }
}
