//! The compiled code of a search, made when [`CodePolicy`] says so, and lent to workers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval::interp::Machine;
use jit::{ActionRuns, Compiled, Effort, Forge, Scratch, Sources};
use model::{CodeExamples, CodePolicy, CodeUse};
use value::ValueId;

use crate::context::Context;
use crate::engine_report::EngineReport;
use crate::run::WorkerRun;
use crate::space::Handle;

/// Number of states of a level that are looked at for what variables look like.
const EXAMPLES_PER_LEVEL: usize = 1000;

/// Bytes for results of compiled code that workers share: so many for a state, at least and at most this many.
const KEPT_BYTES_PER_STATE: usize = 2;
const KEPT_BYTES_MIN: usize = 4 << 20;
const KEPT_BYTES_MAX: usize = 64 << 20;
/// The results take at most one of so many parts of the memory that a worker has.
const KEPT_SHARES: usize = 16;

/// The code of a search, as it is now.
#[derive(Default)]
pub(crate) struct CodeShelf {
    code: Mutex<Shelf>,
    /// Number of times that code was made.
    pub n_made: AtomicUsize,
    /// The forge that makes the code.
    forge: Forge,
    /// Memory that workers keep from level to level.
    scratches: Mutex<Vec<Scratch>>,
    /// Runs of each action by the interpreter.
    interpreted: Mutex<Vec<ActionRuns>>,
}

#[derive(Default)]
struct Shelf {
    code: Option<Arc<Compiled>>,
    /// Number of states when it was made.
    n_states: usize,
    examples: CodeExamples,
    /// How long the interpreter had worked on each action when it was made.
    interpreted: Vec<Duration>,
    /// About how long it takes to make code for the actions that have none because little time was spent on them.
    rest_time: Duration,
    /// How long it took to make code, each time together, and how many nodes that was for.
    make_time: Duration,
    n_nodes_made: usize,
}

impl CodeShelf {
    /// The code for whoever begins to expand states, and what it needs to run.
    pub fn current(
        &self,
        n_states: usize,
        bytes_max: usize,
    ) -> (Option<Arc<Compiled>>, Option<Box<Scratch>>) {
        let code = self.code.lock().unwrap_or_else(PoisonError::into_inner).code.clone();
        let scratch = code.as_ref().map(|code| {
            let mut scratches = self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
            let mut scratch = scratches.pop().unwrap_or_default();
            let bytes = (n_states * KEPT_BYTES_PER_STATE).clamp(KEPT_BYTES_MIN, KEPT_BYTES_MAX);
            scratch.prepare(code, bytes.min(bytes_max / KEPT_SHARES));
            Box::new(scratch)
        });
        (code, scratch)
    }

    pub fn give_back(&self, scratch: Option<Box<Scratch>>) {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).extend(scratch.map(|scratch| *scratch));
    }

    pub fn add_interpreted(&self, runs: &[ActionRuns]) {
        let mut all = self.interpreted.lock().unwrap_or_else(PoisonError::into_inner);
        all.resize(runs.len(), ActionRuns::default());
        all.iter_mut().zip(runs).for_each(|(all, &runs)| all.add(runs));
    }

    /// Returns how long each action took in the interpreter, as far as workers have reported it.
    fn interpreted_times(&self) -> Vec<Duration> {
        let all = self.interpreted.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().map(|runs| runs.time).collect()
    }

    /// Whether the interpreter has worked longer on actions that were left to it as rare, since code was made, than making
    /// their code would take.
    fn is_held_up(&self, shelf: &Shelf) -> bool {
        let Some(code) = shelf.code.as_ref().filter(|code| code.leaves_rare()) else { return false };
        let since = self.interpreted_since(shelf);
        let rare = since.iter().enumerate().filter(|&(action, _)| code.is_rare(action));
        rare.map(|(_, &time)| time).sum::<Duration>() > shelf.rest_time
    }

    /// Returns how long each action took in the interpreter since code was made.
    fn interpreted_since(&self, shelf: &Shelf) -> Vec<Duration> {
        let before = shelf.interpreted.iter().copied().chain(std::iter::repeat(Duration::ZERO));
        let times = self.interpreted_times().into_iter();
        times.zip(before).map(|(time, before)| time.saturating_sub(before)).collect()
    }

    /// Returns the time of the interpreter after which a worker asks again for code.
    pub fn interpreted_time_max(&self) -> Duration {
        let shelf = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        match &shelf.code {
            Some(code) if code.leaves_rare() => shelf.rest_time,
            Some(_) | None => Duration::MAX,
        }
    }

    /// Returns how actions and formulas were evaluated, when all workers are finished.
    pub fn report(&self, context: &Context<'_>) -> EngineReport {
        let shelf = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let code = shelf.code.as_deref();
        let scratches = self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut compiled = vec![ActionRuns::default(); context.actions.len()];
        for runs in code.into_iter().flat_map(|code| scratches.iter().map(|scratch| scratch.runs(code))) {
            compiled.iter_mut().zip(runs).for_each(|(all, runs)| all.add(runs));
        }
        let mut interpreted = self.interpreted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        interpreted.resize(context.actions.len(), ActionRuns::default());
        EngineReport::new(context, code, &compiled, &interpreted)
    }

    /// Before states are expanded: makes code if that pays, or makes it again if it gives up too often.
    pub fn prepare<'a>(&self, context: &'a Context<'a>, level: &[Handle]) {
        let n_states = context.space.len();
        let mut shelf = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = match &shelf.code {
            None => shelf.is_first_due(context, context.board.counts().generated),
            Some(code) => {
                let (n_runs, n_given_up) = code.take_counts();
                let use_of_code =
                    CodeUse { n_runs, n_given_up, is_cut: code.is_cut() || code.is_abandoned() };
                policy(context).is_due_again(use_of_code, [shelf.n_states as u64, n_states as u64])
            }
        };
        if is_wanted || self.is_held_up(&shelf) {
            shelf.make(context, level, self);
            self.n_made.fetch_add(1, Ordering::Release);
        }
    }

    /// While states are expanded: makes code if by now so many states have been generated that it pays, or helps
    /// another worker who does.
    pub fn prepare_meanwhile<'a>(&self, context: &'a Context<'a>, level: &[Handle], n_generated: u64) {
        let Ok(mut shelf) = self.code.try_lock() else { return self.forge.help() };
        if shelf.is_first_due(context, n_generated) || self.is_held_up(&shelf) {
            shelf.make(context, level, self);
            self.n_made.fetch_add(1, Ordering::Release);
        }
    }
}

fn policy(context: &Context<'_>) -> CodePolicy {
    let options = &context.board.options;
    let policy =
        CodePolicy::of_search(options.engine, options.counts_evaluations, context.program().irs.len());
    policy.within(options.memory_bytes_max)
}

impl Shelf {
    /// Whether it is time for the first code.
    fn is_first_due(&self, context: &Context<'_>, n_generated: u64) -> bool {
        self.n_states == 0 && policy(context).is_first_due(n_generated)
    }

    fn add_examples(&mut self, context: &Context<'_>, level: &[Handle]) {
        let step = (level.len() / EXAMPLES_PER_LEVEL).max(1);
        self.examples.extend(level.iter().step_by(step).map(|&handle| {
            let mut ids = vec![ValueId::from_bits(0); context.space.n_variables()];
            context.space.state(handle, &mut ids);
            ids
        }));
    }

    fn make<'a>(&mut self, context: &'a Context<'a>, level: &[Handle], shelf: &CodeShelf) {
        let clock = context.board.options.clock;
        let began = clock.elapsed();
        let interpreted = shelf.interpreted_since(self);
        self.interpreted = shelf.interpreted_times();
        self.n_states = context.space.len();
        self.add_examples(context, level);
        let region = context.board.region();
        let run = WorkerRun::new(context, 0);
        let mut machine = Machine::new(context.program(), context.shared, &region, &run);
        let sources = Sources {
            program: context.program(),
            actions: context.actions,
            invariants: context.invariants,
            constraints: context.constraints,
            interpreted: &interpreted,
            notes_ends: context.board.options.reports_engine,
        };
        let examples = self.examples.iter();
        let n_instructions_max = policy(context).n_instructions_max(context.board.options.clock.elapsed());
        let made = Compiled::new(
            (sources, &shelf.forge, n_instructions_max),
            self.code.as_deref(),
            &mut machine,
            examples,
        );
        let make_time = clock.elapsed().saturating_sub(began);
        if let Some(made) = made {
            let Effort { n_nodes_made, n_nodes_left } = made.effort();
            // Most code is kept when code is made again, so the last time alone says little about a node.
            self.make_time += make_time;
            self.n_nodes_made += n_nodes_made;
            self.rest_time = self.make_time.mul_f64(n_nodes_left as f64 / self.n_nodes_made.max(1) as f64);
            self.code = Some(Arc::new(made));
        }
        // The compiler takes megabytes for a moment, which would be counted against the states.
        value::trim();
    }
}
