//! The simulation as evaluation sees it: level, registers, TLCGet's names, random numbers, printing.

use std::cell::{Cell, RefCell};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use diag::Span;
use eval::interp::Machine;
use eval::ir::{IrKind, Program};
use eval::{Fact, Owned, Register, Request, Run, World};
use model::QuietRun;
use sema::std_ops::StdOp;
use value::Region;

use crate::board::Board;
use crate::context::Context;
use crate::dice::{Dice, mix_seeds};
use crate::options::{Event, Mode, Walks};
use crate::walk::record;

/// Number of times that a worker asks whether to go on between two checks of the clock.
const POLLS_PER_TICK: u32 = 16;
/// The time that is left after an interruption for making a path again.
const PATH_GRACE: Duration = Duration::from_secs(5);

/// One worker's view of the simulation.
pub(crate) struct WalkRun<'a> {
    pub board: &'a Board<'a>,
    model: model::Model<'a>,
    /// The context; `None` before the actions are known.
    context: Option<&'a Context<'a>>,
    worker: usize,
    walk: Cell<u64>,
    level: Cell<u32>,
    /// The action whose successors are being made, or that made the last step.
    action: Cell<Option<usize>>,
    /// The source of random numbers for the current action, once one was asked for.
    random: RefCell<Option<Dice>>,
    /// The states of the walk before the current one, if the specification can ask for them.
    history: RefCell<Vec<Owned>>,
    keeps_history: bool,
    /// The number of times that each action was taken in this walk, by name.
    taken: RefCell<Vec<u32>>,
    quiet: Cell<bool>,
    /// The time when making paths must end, once the run was interrupted.
    path_end: Cell<Option<Duration>>,
    n_polls: Cell<u32>,
}

impl<'a> WalkRun<'a> {
    pub fn for_preparation(board: &'a Board<'a>, model: model::Model<'a>) -> Self {
        WalkRun::with(board, model, None, 0)
    }

    pub fn new(context: &'a Context<'a>, worker: usize) -> Self {
        WalkRun::with(context.board, context.model, Some(context), worker)
    }

    fn with(
        board: &'a Board<'a>,
        model: model::Model<'a>,
        context: Option<&'a Context<'a>>,
        worker: usize,
    ) -> Self {
        WalkRun {
            board,
            model,
            context,
            worker,
            walk: Cell::new(0),
            level: Cell::new(0),
            action: Cell::new(None),
            random: RefCell::new(None),
            history: RefCell::default(),
            keeps_history: asks_for_history(model.program),
            taken: RefCell::new(vec![0; context.map_or(0, |context| context.names.len())]),
            quiet: Cell::new(false),
            path_end: Cell::new(None),
            n_polls: Cell::new(0),
        }
    }

    /// Whether making a path must end; it goes on for a while after an interruption.
    fn is_path_over(&self) -> bool {
        let options = self.board.options;
        if !options.interrupted.load(Ordering::Relaxed) {
            return false;
        }
        let now = options.clock.elapsed();
        let end = self.path_end.get().unwrap_or(now + PATH_GRACE);
        self.path_end.set(Some(end));
        now >= end
    }

    /// Whether the specification can ask how the current state was reached.
    pub fn keeps_history(&self) -> bool {
        self.keeps_history
    }

    /// Begins a walk and counts it.
    pub fn begin(&self, walk: u64) {
        self.board.count_begun(self.worker);
        self.restart(walk);
    }

    /// Resets to the beginning of a walk, which is made again.
    pub fn restart(&self, walk: u64) {
        self.walk.set(walk);
        self.history.borrow_mut().clear();
        self.taken.borrow_mut().fill(0);
        self.action.set(None);
        self.stand_at(1);
    }

    /// Sets the level of the current state.
    pub fn stand_at(&self, level: u32) {
        self.level.set(level);
    }

    /// Sets the states before the current one.
    pub fn set_history(&self, states: Vec<Owned>) {
        *self.history.borrow_mut() = states;
    }

    /// Notes a step from a state, which is given if it matters.
    pub fn note_step(&self, action: usize, from: Option<Owned>) {
        self.history.borrow_mut().extend(from);
        self.action.set(Some(action));
        if let Some(context) = self.context {
            self.taken.borrow_mut()[context.name_of[action] as usize] += 1;
        }
        self.level.set(self.level.get() + 1);
    }

    /// Notes that the successors by an action are made now. Random values in them are a function of the walk, the level
    /// and the action, so that they can be made again.
    pub fn try_action(&self, action: usize) {
        self.action.set(Some(action));
        *self.random.borrow_mut() = None;
    }

    /// Evaluates something in the successor that a machine has just made. What led there includes the state that the
    /// machine is in.
    pub fn about_successor<'p, 'r, T>(
        &self,
        machine: &mut Machine<'p, 'r>,
        body: impl FnOnce(&mut Machine<'p, 'r>) -> T,
    ) -> T {
        let level = self.level.get();
        self.level.set(level + 1);
        if self.keeps_history {
            self.history.borrow_mut().push(record(machine));
        }
        let result = machine.in_next(body);
        if self.keeps_history {
            self.history.borrow_mut().pop();
        }
        self.level.set(level);
        result
    }

    fn dice(&self) -> Dice {
        let action = self.action.get().map_or(u64::from(u32::MAX), |action| action as u64);
        let place = mix_seeds(self.walk.get(), u64::from(self.level.get()) << 32 | action);
        Dice::new(mix_seeds(self.board.options.seed, place))
    }

    fn stats(&self) -> Owned {
        let taken = self.taken.borrow();
        let names = self.context.map_or(&[][..], |context| &context.names);
        let counts = names.iter().zip(taken.iter()).filter(|(_, count)| **count > 0);
        let actions = counts.map(|(name, count)| (Owned::text(*name), Owned::Int(i64::from(*count))));
        let behavior = Owned::record([
            ("actions", Owned::Function(actions.collect())),
            ("id", Owned::count(self.walk.get() + 1)),
        ]);
        let unknown = || Owned::Int(-1);
        Owned::record([
            ("traces", Owned::count(self.board.n_walks.load(Ordering::Relaxed))),
            ("duration", Owned::count(self.board.options.clock.elapsed().as_secs())),
            ("generated", Owned::count(self.board.n_generated.load(Ordering::Relaxed))),
            ("behavior", behavior),
            ("worker", Owned::Int(self.worker as i64)),
            // TLC: only with its extended statistics.
            ("distinct", unknown()),
            ("distinctvalues", unknown()),
            ("retries", unknown()),
            ("actions", Owned::Function(Vec::new())),
            ("levelmean", unknown()),
            ("levelvariance", unknown()),
        ])
    }

    fn config(&self) -> Owned {
        let options = self.board.options;
        let traces = match options.walks {
            Walks::First(Some(n)) => Owned::count(n),
            Walks::First(None) => Owned::Int(-1),
            Walks::Only(_) => Owned::Int(1),
        };
        let mode = if options.mode == Mode::Drawn { "generate" } else { "simulate" };
        Owned::record([
            ("mode", Owned::text(mode)),
            ("depth", Owned::Int(i64::from(options.depth))),
            ("traces", traces),
            ("deadlock", Owned::Bool(options.check_deadlock)),
            ("seed", Owned::text(options.seed.to_string())),
            ("aril", Owned::text("0")),
            ("worker", Owned::Int(options.n_workers as i64)),
            ("install", Owned::text("specline")),
            ("sched", Owned::text(scheduler(options.mode))),
        ])
    }

    fn action(&self) -> Owned {
        let action = self.context.zip(self.action.get()).map(|(context, index)| &context.actions[index]);
        let Some(leaf) = action.map(|action| action.leaf) else { return Owned::record([]) };
        Owned::record([
            ("name", Owned::text(self.model.spec.names.text(leaf.name))),
            ("location", model::location(self.model.spec, leaf.span)),
        ])
    }

    /// Returns the registers for `TLCGet("all")`.
    fn all(&self, is_named: bool) -> Owned {
        let workers = (0..self.board.n_workers()).map(|worker| self.board.registers(worker).clone());
        model::all_registers(workers, is_named)
    }
}

/// Returns TLC's word for the way in which the next action is chosen.
fn scheduler(mode: Mode) -> &'static str {
    match mode {
        Mode::Learned => "rl",
        Mode::LearnedActions => "rlaction",
        Mode::Uniform | Mode::Drawn | Mode::Successors | Mode::Coverage => "random",
    }
}

/// Whether `Trace` occurs in a program.
fn asks_for_history(program: &Program) -> bool {
    program.irs.iter().any(|ir| matches!(ir.kind, IrKind::Native { op: StdOp::Trace, .. }))
}

impl QuietRun for WalkRun<'_> {
    fn region(&self) -> Region {
        self.board.region()
    }

    fn set_quiet(&self, is_quiet: bool) -> bool {
        self.quiet.replace(is_quiet)
    }

    fn as_run(&self) -> &dyn Run {
        self
    }
}

impl Run for WalkRun<'_> {
    fn print(&self, line: &str) {
        if !self.quiet.get() {
            self.board.observer.event(Event::Printed(line));
        }
    }

    fn register(&self, register: &Register) -> Option<Owned> {
        self.board.registers(self.worker).get(register).cloned()
    }

    fn set_register(&self, register: Register, value: Owned) -> bool {
        // A repeated evaluation already had its effect.
        if self.quiet.get() {
            return true;
        }
        if self.board.started.load(Ordering::Relaxed) {
            self.board.registers(self.worker).insert(register, value);
        } else {
            for worker in 0..self.board.n_workers() {
                self.board.registers(worker).insert(register.clone(), value.clone());
            }
        }
        true
    }

    fn fact(&self, fact: Fact) -> Option<Owned> {
        match fact {
            Fact::Level => Some(Owned::Int(i64::from(self.level.get()))),
            // TLC: the number of behaviours that this worker has begun.
            Fact::Diameter => Some(Owned::count(self.board.n_begun(self.worker))),
            Fact::Duration => Some(Owned::count(self.board.options.clock.elapsed().as_secs())),
            Fact::Stats => Some(self.stats()),
            Fact::Config => Some(self.config()),
            Fact::Revision => Some(model::revision()),
            Fact::Action => Some(self.action()),
            Fact::AllIndexed => Some(self.all(false)),
            Fact::AllNamed => Some(self.all(true)),
            Fact::Predecessors => Some(Owned::Sequence(self.history.borrow().clone())),
            Fact::CounterExample => {
                self.board.counterexample.lock().unwrap_or_else(PoisonError::into_inner).clone()
            }
            // TLC: undefined while it simulates.
            Fact::Generated | Fact::Distinct | Fact::Queue => None,
            Fact::Spec => match self.context {
                Some(context) => Some(model::describe(context.model, context.actions)),
                None => model::describe_early(self.model, &self.board.region()),
            },
            Fact::TeTrace | Fact::TePosition => None,
        }
    }

    fn request(&self, request: Request) {
        match request {
            Request::Exit if !self.quiet.get() => self.board.exit.store(true, Ordering::Relaxed),
            // LIMIT: there is nobody to wait for; TLC waits for Enter.
            Request::Exit | Request::Pause => {}
        }
    }

    fn random(&self) -> Option<u64> {
        Some(self.random.borrow_mut().get_or_insert_with(|| self.dice()).next())
    }

    fn place(&self, span: Span) -> Option<String> {
        Some(model::place_text(self.model.spec, span))
    }

    fn is_over(&self) -> bool {
        self.n_polls.set(self.n_polls.get().wrapping_add(1));
        let is_look_due = self.n_polls.get().is_multiple_of(POLLS_PER_TICK);
        if is_look_due {
            self.board.tick();
        }
        // A finding is made again and shortened regardless of the time limit, and for a while after an interruption.
        match self.quiet.get() {
            true => is_look_due && self.is_path_over(),
            false => self.board.is_over(),
        }
    }

    fn world(&self) -> &dyn World {
        self.board.options.world
    }
}
