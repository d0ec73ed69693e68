//! Judges one mutant: whether it is caught, and if not, whether it behaves differently.

use std::sync::atomic::Ordering;
use std::time::Duration;

use check::{Counts, Silent};
use diag::Diagnostics;
use eval::ir::Program;
use eval::lower::{Lowered, lower_changed, lower_comparison};
use model::{Engine, Limit, Model, NoVerdict, Property, PropertyKind, STACK_BYTES};
use sema::Spec;
use simulate::{Mode, Walks};
use trace::{Finding, Trace};

use crate::alone;
use crate::apply;
use crate::budget::Budget;
use crate::mutant::Mutant;
use crate::options::{Options, Subject};
use crate::report::{Base, Difference, Direction, Doubt, Survival, Verdict, Why};
use crate::touched::{actions_at, touched_actions};

/// A mutant may have this many times the states of the specification.
const STATES_TIMES: u64 = 10;
/// A mutant may have this many states, if that is more.
const STATES_LEAST: u64 = 10_000;
/// Number of states that are searched besides the walks, for states that are near but unlikely.
pub(crate) const STATES_FIRST: u64 = 20_000;

/// The checks of a run besides the properties of its program.
#[derive(Clone, Copy)]
pub(crate) struct Asks {
    pub deadlock: bool,
}

/// The limits of a search, how many workers it has, and whether it counts evaluations.
#[derive(Clone, Copy)]
pub(crate) struct SearchEffort {
    pub states_max: u64,
    pub time_max: Option<Duration>,
    pub n_workers: usize,
    pub counts_evaluations: bool,
}

impl SearchEffort {
    /// Returns the effort for one of many mutants, which workers share.
    pub fn of_one_worker(states_max: u64, time_max: Option<Duration>) -> SearchEffort {
        SearchEffort { states_max, time_max, n_workers: 1, counts_evaluations: false }
    }
}

/// Runs specifications, by search or by walks.
pub(crate) struct Explorer<'a> {
    pub options: &'a Options<'a>,
    pub budget: Budget<'a>,
}

impl Explorer<'_> {
    /// Returns the checks that the user wants.
    pub fn asks(&self) -> Asks {
        Asks { deadlock: self.options.check_deadlock }
    }

    /// Whether no time is left, or the user wants the audit to end.
    pub fn is_over(&self) -> bool {
        self.budget.is_over() || self.options.interrupted.load(Ordering::Relaxed)
    }

    /// Runs `work` on as many workers as `n_tasks` needs.
    pub fn on_workers(&self, n_tasks: usize, work: &(dyn Fn() + Sync)) {
        std::thread::scope(|scope| {
            let n_workers = self.options.n_workers.min(n_tasks);
            let workers: Vec<_> =
                (0..n_workers).map(|_| base::spawn_deep(scope, STACK_BYTES, work)).collect();
            workers.into_iter().for_each(base::join);
        });
    }

    /// Searches every state of a model, up to limits.
    pub fn search(&self, model: Model<'_>, asks: Asks, effort: SearchEffort) -> check::Answer {
        let SearchEffort { states_max, time_max, n_workers, counts_evaluations } = effort;
        let clock = self.budget.watch();
        let options = check::Options {
            n_workers,
            check_deadlock: asks.deadlock,
            states_max: Some(states_max),
            time_max,
            seed: self.options.seed,
            counts_evaluations,
            ..check::Options::new(
                self.options.memory_bytes_max,
                self.options.interrupted,
                self.options.world,
                &clock,
            )
        };
        check::check(model, &options, &Silent)
    }

    /// Makes random walks through a model.
    pub fn walk(
        &self,
        (model, asks): (Model<'_>, Asks),
        time_max: Option<Duration>,
        (n_workers, counts_evaluations): (usize, bool),
    ) -> simulate::Answer {
        let clock = self.budget.watch();
        let options = simulate::Options {
            mode: Mode::Uniform,
            walks: Walks::First(Some(self.options.n_walks)),
            depth: self.options.depth,
            n_workers,
            engine: Engine::Auto,
            check_deadlock: asks.deadlock,
            weights: Vec::new(),
            seed: self.options.seed,
            time_max,
            memory_bytes_max: self.options.memory_bytes_max,
            minimises: true,
            violations_max: Some(1),
            checks_properties: true,
            estimates_states: false,
            counts_flow: false,
            counts_evaluations,
            tells_walks: false,
            interrupted: self.options.interrupted,
            world: self.options.world,
            clock: &clock,
        };
        simulate::simulate(model, &options, &Unwatched)
    }
}

struct Unwatched;

impl simulate::Observer for Unwatched {
    fn event(&self, _event: simulate::Event<'_>) {}
}

/// The end of a run of either kind.
struct RunEnd {
    outcome: Result<model::Verdict, NoVerdict>,
    /// The counts of a search.
    counts: Option<Counts>,
    /// Whether the time cut off walks, which then have shown less than they should.
    is_cut: bool,
}

/// Judges mutants of one specification.
pub(crate) struct Judge<'a> {
    pub subject: Subject<'a>,
    pub explorer: &'a Explorer<'a>,
    pub base: &'a Base,
    /// The specification as it is.
    pub program: &'a Program,
}

impl Judge<'_> {
    pub fn judge(&self, mutant: &Mutant) -> Verdict {
        if self.explorer.options.interrupted.load(Ordering::Relaxed) {
            return Verdict::Undecided(Why::Interrupted);
        }
        if self.explorer.budget.is_over() {
            return Verdict::Undecided(Why::NoTime);
        }
        let Subject { spec, config, atoms } = self.subject;
        let changed = apply::apply_mutant(spec, mutant);
        let Lowered { program, diagnostics } = lower_changed((spec, &changed), config, atoms);
        if diagnostics.has_errors() {
            return Verdict::Invalid(diagnostics);
        }
        assert_eq!(program.variables, self.program.variables, "a mutant has the states of the specification");
        let n_asked = |program: &Program| (program.invariants.len(), program.temporal.len());
        debug_assert_eq!(n_asked(&program), n_asked(self.program), "a mutant never changes what is asked");
        let ran = self.run(&program, self.explorer.asks());
        match ran.outcome {
            Ok(model::Verdict::Holds) if ran.is_cut => Verdict::Undecided(Why::NoTime),
            Ok(model::Verdict::Holds) => Verdict::Survived(self.compare((mutant, &changed), ran.counts)),
            Ok(model::Verdict::Violated(violation)) => {
                let model::Violation { property, trace, .. } = *violation;
                Verdict::Caught { property, trace: trace.map(Box::new) }
            }
            Err(NoVerdict::Limit(Limit::Time)) => Verdict::Undecided(Why::NoTime),
            Err(NoVerdict::Limit(limit)) => Verdict::Undecided(Why::Limit(limit)),
            Err(NoVerdict::Interrupted) => Verdict::Undecided(Why::Interrupted),
            Err(reason) if reason.is_out_of_memory() => Verdict::Undecided(Why::Limit(Limit::Memory)),
            Err(NoVerdict::Disk(_) | NoVerdict::Checkpoint(_)) => Verdict::Undecided(Why::Machine),
            Err(NoVerdict::Unsupported(error)) => {
                let mut diagnostics = Diagnostics::new();
                diagnostics.push(*error);
                Verdict::Invalid(diagnostics)
            }
            Err(
                reason @ (NoVerdict::Undefined { .. }
                | NoVerdict::Assertion { .. }
                | NoVerdict::Incomplete { .. }
                | NoVerdict::NoInitialState(_)),
            ) => Verdict::Failed(Box::new(reason)),
        }
    }

    /// Returns the property among `asked` that a mutant violates first, when nothing else is checked.
    pub fn find_failing_alone(&self, mutant: &Mutant, asked: &[Property]) -> Option<Property> {
        let Subject { spec, config, atoms } = self.subject;
        let changed = apply::apply_mutant(spec, mutant);
        let Lowered { mut program, .. } = lower_changed((spec, &changed), config, atoms);
        alone::restrict(spec, &mut program, asked);
        let deadlock = asked.iter().any(|property| property.kind == PropertyKind::Deadlock);
        match self.run(&program, Asks { deadlock }).outcome {
            Ok(model::Verdict::Violated(violation)) => Some(violation.property),
            Ok(model::Verdict::Holds) | Err(_) => None,
        }
    }

    fn run(&self, program: &Program, asks: Asks) -> RunEnd {
        let model = Model { spec: self.subject.spec, program };
        let time = self.explorer.budget.for_one();
        match self.base {
            Base::Exhaustive(counts) => {
                let states_max = counts.distinct.saturating_mul(STATES_TIMES).max(STATES_LEAST);
                let answer = self.explorer.search(model, asks, SearchEffort::of_one_worker(states_max, time));
                RunEnd { outcome: answer.outcome, counts: Some(answer.counts), is_cut: false }
            }
            Base::Simulated { .. } => {
                let answer = self.explorer.walk((model, asks), time, (1, false));
                let is_cut = answer.statistics.n_walks < self.explorer.options.n_walks;
                match answer.outcome {
                    Ok(model::Verdict::Holds) if !is_cut => self.search_first(model, asks),
                    outcome => RunEnd { outcome, counts: None, is_cut },
                }
            }
        }
    }

    /// Searches the first states, after walks that found nothing. A limit on the states is not a result here.
    fn search_first(&self, model: Model<'_>, asks: Asks) -> RunEnd {
        let time = self.explorer.budget.for_one();
        let answer = self.explorer.search(model, asks, SearchEffort::of_one_worker(STATES_FIRST, time));
        let outcome = match answer.outcome {
            Err(NoVerdict::Limit(_)) => Ok(model::Verdict::Holds),
            outcome => outcome,
        };
        RunEnd { outcome, counts: None, is_cut: false }
    }

    /// Compares a mutant that nothing caught with the specification: whether it has other behaviours, or fewer.
    fn compare(&self, (mutant, changed): (&Mutant, &Spec), counts: Option<Counts>) -> Survival {
        let spec = self.subject.spec;
        let touched = touched_actions(self.program, mutant.span);
        let touched = touched.as_deref();
        let is_complete = matches!(self.base, Base::Exhaustive(_));
        let differs = |direction, trace: Option<Box<Trace>>, is_all| {
            let trace = trace.map(|trace| Box::new(example(direction, *trace)));
            Survival::Differs(Some(Box::new(Difference { direction, is_all, trace })))
        };
        let more = self.check_allowed((changed, spec), touched);
        if let Allowed::No(trace) = more {
            return differs(Direction::More, trace, false);
        }
        match (more, self.check_allowed((spec, changed), touched)) {
            (Allowed::Yes, Allowed::No(trace)) => differs(Direction::Less, trace, is_complete),
            (_, Allowed::No(trace)) => differs(Direction::Less, trace, false),
            (Allowed::Yes, Allowed::Yes) if is_complete => Survival::Same,
            (Allowed::Yes, Allowed::Yes) => Survival::Unknown(Doubt::NotMet),
            (_, _) => match (self.base, counts) {
                (Base::Exhaustive(before), Some(counts)) if *before != counts => Survival::Differs(None),
                (_, _) => Survival::Unknown(Doubt::NotCompared),
            },
        }
    }

    /// Determines whether `reference` allows everything that `behaving` does, where only `touched` actions differ.
    fn check_allowed(&self, (behaving, reference): (&Spec, &Spec), touched: Option<&[usize]>) -> Allowed {
        let Subject { spec, config, atoms } = self.subject;
        let Lowered { mut program, diagnostics } =
            lower_comparison(spec, (behaving, reference), config, atoms);
        if diagnostics.has_errors() {
            return Allowed::Unknown;
        }
        let n_actions = self.program.next.as_ref().map_or(0, |(tree, _)| tree.leaves().len());
        program.steps_in_doubt = touched.and_then(|indices| actions_at(&program, n_actions, indices));
        let ran = self.run(&program, Asks { deadlock: false });
        match ran.outcome {
            Ok(model::Verdict::Holds) if ran.is_cut => Allowed::Unknown,
            Ok(model::Verdict::Holds) => Allowed::Yes,
            Ok(model::Verdict::Violated(violation)) if is_comparison(violation.property.kind) => {
                Allowed::No(violation.trace.map(Box::new))
            }
            Ok(model::Verdict::Violated(_)) | Err(_) => Allowed::Unknown,
        }
    }
}

enum Allowed {
    Yes,
    /// The last step of this trace is not allowed.
    No(Option<Box<Trace>>),
    Unknown,
}

/// Returns a trace whose last step is not allowed, with a description that says so.
fn example(direction: Direction, trace: Trace) -> Trace {
    let description = match direction {
        Direction::More => "the mutant does this, and the specification does not",
        Direction::Less => "the specification does this, and the mutant does not",
    };
    let finding = Finding::Example { description: description.to_owned() };
    Trace { finding, failure: None, ..trace }
}

/// Whether a property is one of those that a comparison of two specifications has.
fn is_comparison(kind: PropertyKind) -> bool {
    matches!(kind, PropertyKind::Step | PropertyKind::Initial)
}
