//! The interpreter: evaluates expressions, and turns actions into states.
//!
//! One machine serves a worker. Frames live in one vector and are found by their base. A state is a vector of values,
//! some of which may not exist yet. Initial states, successors and ENABLED are one walk ([`action`]) with a mode.

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
mod recursion;
mod steps;
mod temporal;
mod walked_function;
mod way;

use std::sync::{Mutex, OnceLock, PoisonError};

use base::{FxIndexMap, FxIndexSet, Id};
use diag::Span;
use value::ops::KnownMembers;
use value::{Constant, Region, Value};

pub use crate::lower::is_function_of_values;
pub use blame::Miss;
pub use call::Operator;
pub use compiled::{FrameForCode, NodeForCode, native_arity};
pub use conjuncts::{Conjuncts, VarSet, reads, step_reads};
pub use counting::{NodeCount, is_counted};
pub use disjuncts::Disjuncts;
pub use explain::{Culprit, Reading};
pub use extent::settled_beginning;
pub use fault::{At, Evaluated, Fault, FaultKind, PathEntry, SavedValue};
pub use steps::{ActionInstance, action_instances, rule_instances};
pub use way::StepTaken;

use crate::Run;
use crate::ir::{FuncId, GlobalId, IrId, Program, Root};

/// The next action of a walk. It is as wide as a pointer, so that it is returned in a register beside a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Flow {
    Continue,
    Stop,
}

/// The variables that an action gives values to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The variables of the state itself: an initial predicate.
    Init,
    /// The variables of the next state.
    Next,
}

/// Data shared by the machines of all workers.
pub struct Shared {
    globals: Vec<OnceLock<Constant>>,
    codes: code::Codes,
    pub call_depth_max: usize,
    /// EXCEPT clauses whose path led outside the domain.
    lost_updates: Mutex<FxIndexSet<IrId>>,
    /// Faults of arguments that had no value when closures captured them.
    faults: Mutex<FxIndexMap<(IrId, String), Fault>>,
    /// The counters. `None` unless evaluations are counted.
    counters: Option<counting::Counters>,
    /// Whether evaluating a constant set twice is the same as evaluating it once.
    are_constants_plain: bool,
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
            are_constants_plain: program.globals.iter().all(|global| {
                let facts = program.irs[global.expr].facts;
                !facts.unrepeatable && !facts.dynamic
            }),
        }
    }

    /// Makes the shared data of a program. Evaluations are counted if `is_counting`.
    pub fn with_counters(program: &Program, is_counting: bool) -> Shared {
        let counters = is_counting.then(|| counting::Counters::new(program));
        Shared { codes: code::Codes::new(program, is_counting), counters, ..Shared::new(program) }
    }

    /// Returns the counts of each node, by number, if evaluations were counted.
    pub fn counts(&self) -> Option<Vec<NodeCount>> {
        self.counters.as_ref().map(counting::Counters::counts)
    }

    /// Keeps the fault of the argument that `reader` reads, and returns its number.
    fn keep_fault(&self, reader: IrId, fault: Fault) -> u32 {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        // A search can make any number of closures. Of more faults than this, only the very first is reported.
        if faults.len() >= KEPT_FAULTS_MAX {
            return 0;
        }
        let key = (reader, format!("{:?}", fault.kind));
        let entry = faults.entry(key);
        let index = entry.index() as u32;
        entry.or_insert(fault);
        index
    }

    /// Returns the fault with this number.
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

    /// Adds the updates that an earlier part of the same run met, by number. Numbers that the program does not have are
    /// ignored.
    pub fn restore_lost_updates(&self, program: &Program, numbers: &[u32]) {
        let known = numbers.iter().map(|&number| number as usize).filter(|&index| index < program.irs.len());
        known.for_each(|index| self.warn_except(IrId::from_index(index)));
    }

    /// Returns the EXCEPTs that had a clause without effect, in the order they were met.
    pub fn lost_updates(&self) -> Vec<IrId> {
        self.lost_updates.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }
}

/// The contents of a slot in a frame.
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
    /// An argument that had no value when the surrounding closure captured it, and the fault: see
    /// [`Shared::kept_fault`].
    Failed {
        fault: u32,
    },
    /// An operator: a function and the frame its static link points to.
    Operator {
        func: FuncId,
        link: usize,
    },
}

/// Limit on the kept faults of arguments that closures captured.
const KEPT_FAULTS_MAX: usize = 10_000;

/// The static link of a frame that has none.
const NO_LINK: usize = usize::MAX;

/// The current frame in the slots.
struct CurrentFrame {
    /// The start of the frame. Its static link is in `links`.
    base: usize,
    /// Static link of the frame.
    link: usize,
    /// The first slot that no live frame uses.
    top: usize,
}

/// How far the state that is being made has come.
struct StateInMaking {
    /// The variables that active conjunctions have given values to.
    given: Vec<crate::ir::VarIdx>,
    /// Number of variables that have no value yet.
    n_missing: usize,
    mode: Mode,
}

/// The active quantifiers and the values that their code has kept: see [`extent`].
#[derive(Default)]
struct Extents<'r> {
    extents: Vec<extent::Extent>,
    kept: Vec<extent::KeptValue<'r>>,
    /// Number of extents begun so far.
    n_extents: u64,
}

/// The use of the closures that are made next.
#[derive(Default)]
struct ClosureUse {
    /// Whether the value of the next closure is to be applied: see [`applied`].
    keep_lazy: bool,
    /// Whether the closures made now are to be walked: see [`walked_function`].
    takes_all: bool,
}

/// The compositions, `\\cdot`, that are being evaluated.
#[derive(Default)]
struct Composing {
    /// Intermediate states: TLC counts them as generated.
    n_intermediate: usize,
    /// Whether this is inside the first part of a composition.
    is_composing: bool,
}

/// The records that are made of an evaluation, for traces, coverage and explanations.
#[derive(Default)]
struct Watch<'r> {
    /// Whether the way of the current walk is kept in `way`: see [`way`].
    is_recording: bool,
    way: Vec<way::PassedNode<'r>>,
    /// Whether evaluations are counted: see [`counting`].
    is_counting: bool,
    /// Whether steps are recorded, evaluations counted or conjuncts blamed. Checked at every node of a walk.
    is_watched: bool,
    /// Number of evaluations counted.
    n_counted: u64,
    /// The record for finding the conjunct that is FALSE: see [`blame`].
    blame: Option<Box<blame::Blame<'r>>>,
}

/// An interpreter of a program, with the state it is in.
// Over 20 fields: the registers of an interpreter; grouping them would cost each access a path.
pub struct Machine<'p, 'r> {
    program: &'p Program,
    shared: &'p Shared,
    region: &'r Region,
    run: &'p dyn Run,
    slots: Vec<Slot<'r>>,
    frame: CurrentFrame,
    state: Vec<Option<Value<'r>>>,
    next: Vec<Option<Value<'r>>>,
    making: StateInMaking,
    /// The contents of memo slots before they were filled, newest last. Backtracking restores them.
    trail: Vec<(usize, Slot<'r>)>,
    /// The names that the `\E` of a walk have bound, outermost first, with their places.
    bound: Vec<(usize, Slot<'r>)>,
    /// Number of active walks, including ENABLED inside a successor. Outside any walk nothing goes back, and the trail
    /// is not kept.
    walks: usize,
    call_depth: usize,
    extent: Extents<'r>,
    closures: ClosureUse,
    recursion: recursion::Recursion<'r>,
    composing: Composing,
    /// Number of branches since the limits of the run were last checked.
    n_branches: u32,
    watch: Watch<'r>,
    /// Whether operators with effects are refused: see [`compiled`].
    forbids_effects: bool,
    /// Answers to `\\in` that are remembered, and whether they may be.
    known_members: KnownMembers,
    keeps_members: bool,
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
            frame: CurrentFrame { base: 0, link: NO_LINK, top: 0 },
            state: vec![None; n_vars],
            next: vec![None; n_vars],
            making: StateInMaking { given: Vec::new(), n_missing: n_vars, mode: Mode::Next },
            trail: Vec::new(),
            bound: Vec::new(),
            walks: 0,
            call_depth: 0,
            extent: Extents::default(),
            closures: ClosureUse::default(),
            recursion: recursion::Recursion::default(),
            composing: Composing::default(),
            n_branches: 0,
            watch: Watch {
                is_counting: shared.counters.is_some(),
                is_watched: shared.counters.is_some(),
                ..Watch::default()
            },
            forbids_effects: false,
            known_members: KnownMembers::default(),
            keeps_members: shared.are_constants_plain && shared.counters.is_none(),
        }
    }

    pub fn region(&self) -> &'r Region {
        self.region
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the run that this machine evaluates for.
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

    /// Returns the number of intermediate states that `\cdot` made since this was last called.
    pub fn take_intermediate(&mut self) -> usize {
        std::mem::take(&mut self.composing.n_intermediate)
    }

    /// Evaluates an expression that has a frame of its own.
    pub fn eval_root(&mut self, root: Root) -> Evaluated<Value<'r>> {
        self.with_frame(root.n_slots, NO_LINK, |machine| machine.eval(root.expr))
    }

    pub fn eval_root_bool(&mut self, root: Root) -> Evaluated<bool> {
        self.with_frame(root.n_slots, NO_LINK, |machine| machine.eval_bool(root.expr))
    }

    /// Returns the value of a global, which is evaluated when first needed.
    pub fn global(&mut self, id: GlobalId) -> Evaluated<Value<'r>> {
        let shared = self.shared;
        let cell = &shared.globals[id.index()];
        if let Some(value) = cell.get() {
            return Ok(value.get());
        }
        let value =
            base::with_stack(|| evaluate_global(self, id)).map_err(|fault| self.add_definition(fault, id))?;
        Ok(cell.get_or_init(|| value).get())
    }

    pub fn span(&self, id: IrId) -> Span {
        self.program.irs[id].span
    }

    /// Prints a value for a message.
    pub fn show(&mut self, value: Value<'r>) -> String {
        value::print(self, value).unwrap_or_else(|_| "a value that cannot be printed".to_owned())
    }

    fn fault<T>(&self, id: IrId, kind: FaultKind) -> Evaluated<T> {
        Err(Fault::new(kind, self.span(id)))
    }
}

/// Evaluates a global in a region of its own and keeps the result forever.
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
