//! The interpreter: expressions to values, actions to states.
//!
//! One machine serves a worker. Frames live in one vector and are found by their base; a state is a
//! vector of values, each perhaps not there yet. Initial states, successors and ENABLED are one walk
//! ([`action`]) with a mode.

mod access;
mod action;
mod applied;
mod blame;
mod bounds;
mod call;
mod code;
mod compile;
mod compiled;
mod conjoin;
mod conjuncts;
mod counting;
mod disjuncts;
mod explain;
mod expr;
mod extent;
mod fault;
mod functions;
mod guards;
mod membership;
mod message;
mod steps;
mod temporal;
mod walked_function;
mod way;

use std::sync::{Mutex, OnceLock, PoisonError};

use base::{FxIndexMap, FxIndexSet, Id};
use diag::Span;
use value::{Constant, Region, Value};

pub use blame::Miss;
pub use call::Operator;
pub use compiled::native_arity;
pub use conjuncts::{Conjuncts, VarSet, reads};
pub use counting::{NodeCount, is_counted};
pub use disjuncts::Disjuncts;
pub use explain::{Culprit, Reading};
pub use fault::{At, Evaluated, Fault, FaultKind, PathEntry, Told};
pub use steps::{ActionInstance, action_instances, rule_instances};
pub use way::StepTaken;

use crate::Run;
use crate::ir::{FuncId, GlobalId, IrId, Program, Root};

/// What a walk does next. As wide as a pointer, so that it comes back in a register beside a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Flow {
    Continue,
    Stop,
}

/// Which variables an action gives values to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Those of the state itself: an initial predicate.
    Init,
    /// Those of the next state.
    Next,
}

/// What the machines of all workers share.
pub struct Shared {
    globals: Vec<OnceLock<Constant>>,
    codes: code::Codes,
    pub call_depth_max: usize,
    /// EXCEPT clauses whose path led outside the domain.
    lost_updates: Mutex<FxIndexSet<IrId>>,
    /// What evaluating arguments ended with that closures have taken along without a value.
    faults: Mutex<FxIndexMap<(IrId, String), Fault>>,
    /// Only where evaluations are counted.
    counters: Option<counting::Counters>,
}

impl Shared {
    pub fn new(program: &Program) -> Shared {
        let globals = program.globals.iter().map(|_| OnceLock::new()).collect();
        Shared {
            globals,
            codes: code::Codes::new(program, false),
            call_depth_max: 100_000,
            lost_updates: Mutex::default(),
            faults: Mutex::default(),
            counters: None,
        }
    }

    /// Likewise, and evaluations are counted if `is_counting`.
    pub fn with_counters(program: &Program, is_counting: bool) -> Shared {
        let counters = is_counting.then(|| counting::Counters::new(program));
        Shared { codes: code::Codes::new(program, is_counting), counters, ..Shared::new(program) }
    }

    /// How often each node was evaluated, by number, if that was counted.
    pub fn counts(&self) -> Option<Vec<NodeCount>> {
        self.counters.as_ref().map(counting::Counters::counts)
    }

    /// Keeps why the argument that `reader` reads has no value, and gives its number.
    fn keep_fault(&self, reader: IrId, fault: Fault) -> u32 {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        // A search can make any number of closures; of more faults than this only the first of all is told.
        if faults.len() >= KEPT_FAULTS_MAX {
            return 0;
        }
        let key = (reader, format!("{:?}", fault.kind));
        let entry = faults.entry(key);
        let index = entry.index() as u32;
        entry.or_insert(fault);
        index
    }

    /// The fault with this number.
    fn kept_fault(&self, index: u32, span: Span) -> Box<Fault> {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        match faults.get_index(index as usize) {
            Some((_, fault)) => Box::new(fault.clone()),
            None => Fault::new(FaultKind::Failure(crate::ir::Failure::Temporal), span),
        }
    }

    fn warn_except(&self, id: IrId) {
        self.lost_updates.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
    }

    /// Adds what an earlier part of the same run met, by number; numbers that the program does not have are left out.
    pub fn restore_lost_updates(&self, program: &Program, numbers: &[u32]) {
        let known = numbers.iter().map(|&number| number as usize).filter(|&index| index < program.irs.len());
        known.for_each(|index| self.warn_except(IrId::from_index(index)));
    }

    /// The EXCEPTs that had a clause without effect, in the order they were met.
    pub fn lost_updates(&self) -> Vec<IrId> {
        self.lost_updates.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }
}

/// A place in a frame.
#[derive(Clone, Copy)]
enum Slot<'r> {
    /// A memo that has not been needed yet.
    Empty,
    /// A memo that is evaluated at each use.
    Repeating,
    Value(Value<'r>),
    /// An argument that has not been needed yet: code of the frame at `base`.
    Thunk {
        code: IrId,
        base: usize,
    },
    /// An argument that had no value when the closure around took it along, and the fault: see [`Shared::kept_fault`].
    Failed {
        fault: u32,
    },
    /// An operator: a function and the frame its static link points to.
    Operator {
        func: FuncId,
        link: usize,
    },
}

/// How many faults of arguments that closures took along are kept.
const KEPT_FAULTS_MAX: usize = 10_000;

/// The static link of a frame that has none.
const NO_LINK: usize = usize::MAX;

pub struct Machine<'p, 'r> {
    program: &'p Program,
    shared: &'p Shared,
    region: &'r Region,
    run: &'p dyn Run,
    slots: Vec<Slot<'r>>,
    /// Where the current frame starts; its static link is in `links`.
    base: usize,
    /// Static link of the current frame.
    link: usize,
    /// The first slot that no live frame uses.
    top: usize,
    state: Vec<Option<Value<'r>>>,
    next: Vec<Option<Value<'r>>>,
    /// The variables that conjunctions under way have given values to.
    given: Vec<crate::ir::VarIdx>,
    /// How many variables of the state that is being made have no value yet.
    n_missing: usize,
    mode: Mode,
    /// What memo slots held before they were filled, newest last: backtracking restores them.
    trail: Vec<(usize, Slot<'r>)>,
    /// The names that the `\E` of a walk have bound, outermost first, with their places.
    bound: Vec<(usize, Slot<'r>)>,
    /// How many walks are under way, ENABLED inside a successor included. Outside of any, nothing goes back
    /// and the trail is not kept.
    walks: usize,
    call_depth: usize,
    /// The quantifiers that are under way, and what their code has kept: see [`extent`].
    extents: Vec<extent::Extent>,
    kept: Vec<extent::Kept<'r>>,
    /// How often one began.
    n_extents: u64,
    /// The value of the next closure is to be applied: see [`applied`].
    keep_lazy: bool,
    /// The closures that are made now are to be walked: see [`walked_function`].
    takes_all: bool,
    /// Intermediate states of `\\cdot`: TLC counts them as generated.
    n_intermediate: usize,
    /// Inside the first part of a `\\cdot`.
    is_composing: bool,
    /// Branches since the limits of the run were looked at.
    n_branches: u32,
    /// The way of the current walk is kept in `way`: see [`way`].
    is_recording: bool,
    way: Vec<way::Passed<'r>>,
    /// Evaluations are counted: see [`counting`].
    is_counting: bool,
    /// One of these, or conjuncts are blamed: asked at every node of a walk.
    is_watched: bool,
    /// How many were.
    n_counted: u64,
    /// Conjuncts that are FALSE are looked for: see [`blame`].
    blame: Option<Box<blame::Blame<'r>>>,
}

impl<'p, 'r> Machine<'p, 'r> {
    pub fn new(program: &'p Program, shared: &'p Shared, region: &'r Region, run: &'p dyn Run) -> Self {
        let n_vars = program.variables.len();
        Machine {
            program,
            shared,
            region,
            run,
            slots: Vec::new(),
            base: 0,
            link: NO_LINK,
            top: 0,
            state: vec![None; n_vars],
            next: vec![None; n_vars],
            given: Vec::new(),
            n_missing: n_vars,
            mode: Mode::Next,
            trail: Vec::new(),
            bound: Vec::new(),
            walks: 0,
            call_depth: 0,
            extents: Vec::new(),
            kept: Vec::new(),
            n_extents: 0,
            keep_lazy: false,
            takes_all: false,
            n_intermediate: 0,
            is_composing: false,
            n_branches: 0,
            is_recording: false,
            way: Vec::new(),
            is_counting: shared.counters.is_some(),
            is_watched: shared.counters.is_some(),
            n_counted: 0,
            blame: None,
        }
    }

    pub fn region(&self) -> &'r Region {
        self.region
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The run that this machine evaluates for.
    pub fn run(&self) -> &'p dyn Run {
        self.run
    }

    /// Sets the current state.
    pub fn set_state(&mut self, values: impl IntoIterator<Item = Value<'r>>) {
        self.state.clear();
        self.state.extend(values.into_iter().map(Some));
        debug_assert_eq!(self.state.len(), self.program.variables.len());
    }

    pub fn set_next(&mut self, values: impl IntoIterator<Item = Value<'r>>) {
        self.next.clear();
        self.next.extend(values.into_iter().map(Some));
    }

    pub fn state(&self) -> &[Option<Value<'r>>] {
        &self.state
    }

    pub fn next(&self) -> &[Option<Value<'r>>] {
        &self.next
    }

    /// How many intermediate states `\cdot` made since this was last asked.
    pub fn take_intermediate(&mut self) -> usize {
        std::mem::take(&mut self.n_intermediate)
    }

    /// Evaluates an expression that has a frame of its own.
    pub fn eval_root(&mut self, root: Root) -> Evaluated<Value<'r>> {
        self.with_frame(root.n_slots, NO_LINK, |machine| machine.eval(root.expr))
    }

    pub fn eval_root_bool(&mut self, root: Root) -> Evaluated<bool> {
        self.with_frame(root.n_slots, NO_LINK, |machine| machine.eval_bool(root.expr))
    }

    /// The value of a global, evaluated when it is first needed.
    pub fn global(&mut self, id: GlobalId) -> Evaluated<Value<'r>> {
        let shared = self.shared;
        let cell = &shared.globals[id.index()];
        if let Some(value) = cell.get() {
            return Ok(value.get());
        }
        let value =
            base::with_stack(|| evaluate_global(self, id)).map_err(|fault| self.defined(fault, id))?;
        Ok(cell.get_or_init(|| value).get())
    }

    pub fn span(&self, id: IrId) -> Span {
        self.program.irs[id].span
    }

    /// A value for a message.
    pub fn printed(&mut self, value: Value<'r>) -> String {
        value::print(self, value).unwrap_or_else(|_| "a value that cannot be printed".to_owned())
    }

    fn fault<T>(&self, id: IrId, kind: FaultKind) -> Evaluated<T> {
        Err(Fault::new(kind, self.span(id)))
    }
}

/// Evaluates a global in a region of its own and keeps the result for ever.
fn evaluate_global(asker: &Machine<'_, '_>, id: GlobalId) -> Evaluated<Constant> {
    let program = asker.program;
    let global = &program.globals[id];
    let region = asker.region.sibling();
    let mut machine = Machine::new(program, asker.shared, &region, asker.run);
    machine.call_depth = asker.call_depth + 1;
    machine.check_depth(global.expr)?;
    let value = machine.with_frame(global.n_slots, NO_LINK, |machine| machine.eval(global.expr))?;
    let span = program.irs[global.expr].span;
    Constant::new(&mut machine, value).at(span)
}
