//! Random walks of a specification, each carried out on fresh nodes. Of each kind of ending the shortest walk is kept, made
//! shorter if that is wanted.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base::{Clock, SystemClock};
use eval::world::Machine;
use model::{Engine, Outcome};
use retrace::{Steps, with_steps};
use simulate::{Event, Mode, Observer, Options, Walks, simulate};
use trace::Trace;

use crate::kinds::{Kind, WalkResults};
use crate::outcome::Ending;
use crate::session::{Pair, Session};
use crate::shorten::shorten;

/// How walks are made, and when they end.
pub struct WalkOptions<'a> {
    pub mode: Mode,
    /// Largest number of steps of a walk.
    pub depth: u32,
    /// Weights of actions; every other action has weight 1.
    pub weights: Vec<(String, f64)>,
    pub seed: u64,
    /// End after so many walks.
    pub n_walks: Option<u64>,
    /// Make no walks after this long.
    pub time_max: Option<Duration>,
    /// End after this long, in the middle of carrying out walks.
    pub time: Option<Duration>,
    /// End after this long without a new kind.
    pub until_quiet: Option<Duration>,
    /// Whether walks that went wrong are made shorter.
    pub shortens: bool,
    /// Whether what of the specification was carried out is counted.
    pub counts: bool,
    pub memory_bytes_max: usize,
    /// The machine as the specification sees it.
    pub world: &'a Machine,
    /// Set when the user wants it to end; it is set to end the walks, too.
    pub interrupted: &'a AtomicBool,
}

/// Random walks that were carried out.
pub struct Walked {
    pub results: WalkResults,
    /// Outcome of the walks through the specification.
    pub outcome: Outcome,
    /// Coverage of the steps that were carried out and agreed, if it is counted.
    pub counted: Option<model::Coverage>,
}

/// Told of the results after each walk. A failure to show them ends the walks.
pub type Progress<'a> = &'a (dyn Fn(&WalkResults) -> io::Result<()> + Sync);

/// Makes walks, and carries out each when it was made.
pub fn walk(
    pair: &Pair,
    session: &mut Session<'_>,
    wishes: &WalkOptions<'_>,
    progress: Progress<'_>,
) -> Walked {
    let clock = SystemClock::start();
    let model = pair.plain.model();
    let options = walk_options(wishes, &clock);
    let by_name = retrace::Options {
        check_deadlock: false,
        memory_bytes_max: wishes.memory_bytes_max,
        seed: wishes.seed,
        finding: None,
        interrupted: wishes.interrupted,
        world: wishes.world,
        clock: &clock,
    };
    let walked = with_steps(model, &by_name, |steps| {
        let state = Mutex::new((session, WalkResults::default()));
        let walker = Walker { wishes, steps, clock: &clock, state, progress };
        let answer = simulate(model, &options, &walker);
        let (_, mut results) = walker.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.elapsed = clock.elapsed();
        (results, answer.outcome)
    });
    match walked {
        Ok(((results, outcome), counted)) => {
            Walked { results, outcome, counted: counted.filter(|_| wishes.counts) }
        }
        Err(early) => Walked { results: WalkResults::default(), outcome: early.outcome(), counted: None },
    }
}

fn walk_options<'a>(wishes: &WalkOptions<'a>, clock: &'a SystemClock) -> Options<'a> {
    Options {
        mode: wishes.mode,
        walks: Walks::First(wishes.n_walks),
        depth: wishes.depth,
        n_workers: 1,
        engine: Engine::Interpreted,
        check_deadlock: false,
        weights: wishes.weights.clone(),
        seed: wishes.seed,
        time_max: wishes.time_max,
        memory_bytes_max: wishes.memory_bytes_max,
        minimises: false,
        violations_max: Some(1),
        // What the specification does wrong, the program is to do as well.
        checks_properties: false,
        estimates_states: false,
        counts_flow: false,
        counts_evaluations: false,
        tells_walks: true,
        interrupted: wishes.interrupted,
        world: wishes.world,
        clock,
    }
}

/// Carries out each walk when it was made.
struct Walker<'r, 's, 'a> {
    wishes: &'r WalkOptions<'r>,
    steps: &'r Steps<'r>,
    clock: &'r SystemClock,
    state: Mutex<(&'s mut Session<'a>, WalkResults)>,
    progress: Progress<'r>,
}

impl Observer for Walker<'_, '_, '_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Walk { number, trace } => self.carry_out(number, trace),
            Event::Initial { .. } | Event::Progress(_) | Event::Printed(_) | Event::Violation { .. } => {}
        }
    }
}

impl Walker<'_, '_, '_> {
    fn carry_out(&self, number: u64, trace: &Trace) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (session, results) = &mut *state;
        if results.is_over || self.is_interrupted() {
            return;
        }
        let (replayed, took) = session.run(trace, None);
        if Session::is_over(&replayed) {
            return;
        }
        results.count(trace, (&replayed, took));
        if self.wishes.counts {
            let mut agreed = trace.clone();
            agreed.states.truncate(replayed.n_agreed() + 1);
            self.steps.count(&agreed);
        }
        if !matches!(replayed.ending, Ending::Agreed) {
            let mut kind = Kind::new(number, trace, (replayed, took));
            if !results.kinds.contains_key(&kind.name()) {
                if self.wishes.shortens && kind.is_divergence() {
                    shorten(session, self.steps, &mut kind, &|| self.is_late() || self.is_interrupted());
                }
                results.last_new = self.clock.elapsed();
            }
            results.add(kind);
        }
        let now = self.clock.elapsed();
        if let Err(error) = (self.progress)(results) {
            results.trouble.get_or_insert(error);
        }
        let is_quiet = self.wishes.until_quiet.is_some_and(|quiet| now - results.last_new > quiet);
        let is_late = self.wishes.time.is_some_and(|time| now > time);
        if is_quiet || is_late || results.trouble.is_some() {
            results.is_over = true;
            self.wishes.interrupted.store(true, Ordering::Relaxed);
        }
    }

    fn is_late(&self) -> bool {
        self.wishes.time.is_some_and(|time| self.clock.elapsed() > time)
    }

    fn is_interrupted(&self) -> bool {
        self.wishes.interrupted.load(Ordering::Relaxed)
    }
}
