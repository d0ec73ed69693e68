//! The code of a specification: how it is made, and the data that it is stored with.
#![expect(unsafe_code, reason = "runs generated code")]

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base::FxHashSet;
use cranelift_codegen::Context as Codegen;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc};
use eval::interp::{ActionInstance, Conjuncts, Machine, NodeForCode, VarSet};
use eval::ir::{IrId, Program};
use value::{Constant, RowPool, ValueId};

use crate::account::{Account, PartAccount, Refusal};
use crate::actions::Then;
use crate::emit::{
    CLOSED, CLOSED_BY_READS, DONE, Emitted, Emitter, EmitterParts, GAVE_UP, RARE, Role, TOO_MUCH, Unsupported,
};
use crate::forge::{Forge, ForgedFunction, Open};
use crate::hint::{self, Hint};
use crate::memo::{Cell, MemoPlan};
use crate::pieces::{ActionGroup, Choices, PIECES_MAX, PieceInstance};
use crate::recursion::RecursiveFunctions;
use crate::runtime::Context;
use crate::split::{Bits, Draft, Screen, Split};

/// Limit on the number of variables: the bits of a successor's mask.
const VARIABLES_MAX: usize = 64;
/// Limit on the instructions that are compiled in all. The rest is interpreted.
const INSTRUCTIONS_MAX: usize = 1 << 21;
/// Number of instructions from which on compiling a function quickly counts more than its code.
const LONG_MIN: usize = 1500;
/// The address space for code: some 30 bytes for each instruction.
const CODE_BYTES_MAX: usize = 64 << 20;

/// Code for the actions and the formulas of a specification.
pub struct Compiled {
    /// The memory of the code. It is `None` only while this is dropped.
    module: Option<JITModule>,
    /// The pieces of all actions, in order.
    pub(crate) actions: Vec<Action>,
    /// The number of the first piece of each action, and of all pieces.
    pub(crate) starts: Vec<usize>,
    pub(crate) invariants: Vec<Vec<ConjunctCode>>,
    pub(crate) constraints: Vec<Vec<ConjunctCode>>,
    pub(crate) groups: Vec<InvariantGroup>,
    formulas_interpret: bool,
    /// The plans of the results that are kept for actions and for formulas.
    pub(crate) actions_plan: MemoPlan,
    pub(crate) formulas_plan: MemoPlan,
    pub(crate) actions_rows: Arc<RowPool>,
    pub(crate) formulas_rows: Arc<RowPool>,
    /// The places that record which actions are possible: a bit for each.
    pub(crate) bits: Bits,
    pub(crate) screens: Vec<Screen>,
    /// A number that no other code has.
    pub(crate) serial: u64,
    /// Tables and nodes that the code refers to.
    _tables: Vec<Box<[u64]>>,
    #[expect(clippy::vec_box, reason = "code has their addresses")]
    _nodes: Vec<Box<NodeForCode>>,
    /// The forms of values that the code was made for.
    shown_hints: String,
    /// Whether something has no code because of the limit on instructions.
    is_cut: bool,
    /// Whether actions have no code because the interpreter spent little time on them.
    leaves_rare: bool,
    account: Account,
    pub(crate) n_variables: usize,
    pub(crate) counts: RunCounts,
}

/// Numbers of runs of code, and of those that gave up.
#[derive(Default)]
pub(crate) struct RunCounts {
    n_runs: AtomicU64,
    n_given_up: AtomicU64,
    /// Number of pieces of actions whose code a worker no longer runs, because it gave up too often.
    pub n_abandoned: AtomicU64,
}

/// The address of finished code in the memory of its module.
#[derive(Clone, Copy)]
pub(crate) struct Code(unsafe extern "C" fn(*mut Context<'_>) -> u64);

impl Code {
    /// Runs the code, and lets the panic of a function that it called go on.
    ///
    /// # Safety
    /// The [`Compiled`] that has this code is alive, the ids of the context are as many as its specification has
    /// variables, and for an action the context has the rows that its plan asks for.
    #[inline]
    pub unsafe fn run(self, context: &mut Context<'_>) -> u64 {
        // SAFETY: the caller promises that the code is there and that it finds what it reads.
        let result = unsafe { (self.0)(std::ptr::from_mut(context)) };
        context.resume_panic();
        result
    }
}

/// The steps of one instance of an action.
pub(crate) struct Action {
    pub code: Option<Code>,
    /// The ids of the parameters of the code.
    pub params: Box<[u32]>,
    /// The number of the action that it is a piece of.
    pub of: usize,
    /// The place that records its successors. For an action in pieces it records only that there are none.
    pub kept: Option<Cell>,
    /// The projections that record that it is not possible: for each end of the code by what was read, then for each guard
    /// with a number.
    pub ends: Box<[Option<usize>]>,
    pub n_closings: usize,
    /// Its pieces, if it has nothing else: then these are kept.
    pub split: Option<Split>,
}

impl Action {
    /// Returns the projections of the guards of an action in pieces.
    pub fn guards(&self) -> &[usize] {
        self.split.as_ref().map_or(&[], Split::guards)
    }

    /// Whether a projection records that the action is not possible, whatever else is known of it.
    pub fn is_closed_by(&self, projection: usize) -> bool {
        self.kept.is_some_and(|cell| cell.projection == projection)
            || self.ends.contains(&Some(projection)) && !self.guards().contains(&projection)
    }

    /// Returns the projection that records why the code ended with this number, if the action was not possible.
    pub fn closing(&self, ended: i64) -> Option<usize> {
        let end = match ended - CLOSED_BY_READS {
            closing @ 0.. => closing as usize,
            _ => self.n_closings + (ended - CLOSED) as usize,
        };
        self.ends.get(end).copied().flatten()
    }
}

/// One conjunct of a formula.
#[derive(Clone, Copy)]
pub(crate) struct ConjunctCode {
    pub code: Option<Code>,
    pub reads: Option<VarSet>,
    /// The place that records whether it holds.
    pub kept: Option<Cell>,
}

/// Conjuncts of invariants that are kept by the same variables.
pub(crate) struct InvariantGroup {
    pub parts: Vec<ConjunctCode>,
    /// The variables that they read. `None` when one of them may have changed with anything.
    pub reads: Option<VarSet>,
    /// The place that records that all of them hold.
    pub kept: Option<Cell>,
}

impl InvariantGroup {
    /// Groups all conjuncts, including those that are not kept.
    fn all(invariants: &[Vec<ConjunctCode>], plan: &mut MemoPlan) -> Vec<InvariantGroup> {
        let parts = || invariants.iter().flatten();
        let projection = |part: &ConjunctCode| part.kept.map(|cell| cell.projection);
        let of_projection = |of: Option<usize>| -> Vec<ConjunctCode> {
            parts().filter(|part| projection(part) == of).copied().collect()
        };
        let mut groups: Vec<InvariantGroup> = Vec::new();
        for of in (0..plan.len()).map(Some).chain([None]) {
            let parts = of_projection(of);
            if parts.is_empty() {
                continue;
            }
            let reads = parts.iter().try_fold(VarSet::NONE, |all, part| Some(all.with(part.reads?)));
            groups.push(InvariantGroup { parts, reads, kept: of.map(|of| plan.widen(of, 1)) });
        }
        groups
    }
}

/// A compiled function, and the variables that it reads.
struct Function {
    id: FuncId,
    reads: VarSet,
    /// The variables that were read at each end where it is not possible.
    closings: Vec<u64>,
    stages: Vec<u64>,
    draft: Option<Draft>,
}

/// The ends of the code of an action, and the choices that were made on the way.
struct FunctionEnds {
    choices: Option<Choices>,
    closings: Vec<u64>,
    stages: Vec<u64>,
}

/// A piece of an action on its way to an [`Action`].
struct ActionDraft {
    of: usize,
    params: Vec<Constant>,
    /// The number of its function, if it has one.
    function: Option<usize>,
}

// SAFETY: code is not changed once it is finished, and it refers only to tables that are not changed either, interned
// objects, and constants, which every thread may read. The module itself is touched only when it is dropped.
unsafe impl Send for Compiled {}
// SAFETY: the same holds for shared references.
unsafe impl Sync for Compiled {}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n_compiled, n_actions) = self.n_actions();
        write!(f, "Compiled({n_compiled} of {n_actions} actions in {} pieces)", self.actions.len())
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: this owns the code, and nothing can run it any more.
            unsafe { module.free_memory() };
        }
    }
}

/// Number of times that code was made. The number 0 is not used.
static N_MADE: AtomicU64 = AtomicU64::new(1);

/// A conjunct on its way to a [`ConjunctCode`].
struct ConjunctDraft {
    made: Option<Function>,
    reads: Option<VarSet>,
}

/// The parts of a specification to compile.
#[derive(Clone, Copy)]
pub struct Sources<'s, 'p> {
    pub program: &'p Program,
    pub actions: &'s [ActionInstance<'p>],
    pub invariants: &'s [Conjuncts],
    pub constraints: &'s [Conjuncts],
    /// The time that the interpreter has spent on each action so far; empty if it is not known.
    pub interpreted: &'s [Duration],
    /// Whether the code says where it gives up. It is longer then.
    pub notes_ends: bool,
}

impl Compiled {
    /// Compiles everything that can be compiled with no more instructions than `n_instructions_max`. `states` are examples
    /// of the values of variables. Returns `None` if there is no code, or if it would be the `earlier` code again.
    pub fn new<'s, 'p, 'a>(
        (sources, forge, n_instructions_max): (Sources<'s, 'p>, &Forge, usize),
        earlier: Option<&Compiled>,
        machine: &mut Machine<'p, '_>,
        states: impl Iterator<Item = &'a [ValueId]>,
    ) -> Option<Compiled> {
        let n_variables = sources.program.variables.len();
        if n_variables > VARIABLES_MAX {
            return None;
        }
        let hints = hint::of_states(n_variables, states);
        let shown_hints = format!("{hints:?}");
        let is_complete = |code: &Compiled| !code.is_cut && !code.leaves_rare;
        if earlier.is_some_and(|earlier| earlier.shown_hints == shown_hints && is_complete(earlier)) {
            return None;
        }
        let mut maker = Maker::new(sources.program, &hints, forge, n_instructions_max.min(INSTRUCTIONS_MAX))?;
        maker.notes_ends = sources.notes_ends;
        let actions = maker.actions(machine, sources);
        // Actions are about the current state of the machine in any case.
        maker.interprets = false;
        let of_actions = std::mem::take(&mut maker.accounts);
        let invariants = maker.formulas(machine, sources.invariants);
        let of_invariants = std::mem::take(&mut maker.accounts);
        let constraints = maker.formulas(machine, sources.constraints);
        let of_constraints = std::mem::take(&mut maker.accounts);
        if machine.run().is_over() {
            return None;
        }
        let rest = maker.open.finish();
        maker.define(rest);
        // Others call them.
        if !maker.parts.iter().all(|part| maker.defined.contains(part)) {
            return None;
        }
        maker.module.finalize_definitions().ok()?;
        let mut plan = std::mem::take(&mut maker.plan);
        let actions: Vec<Action> =
            actions.iter().map(|action| maker.finish_action(action, &mut plan)).collect();
        let starts = starts(&actions, sources.actions.len());
        let bits = Bits::new(&actions, &mut plan);
        let screens = Screen::all(&actions, &bits);
        let mut formulas_plan = MemoPlan::default();
        let mut parts = |all: Vec<Vec<ConjunctDraft>>| -> Vec<Vec<ConjunctCode>> {
            let mut part = |part: ConjunctDraft| {
                let made = part.made.filter(|made| maker.defined.contains(&made.id));
                let kept = made.as_ref().and_then(|made| maker.room(made.reads, &mut formulas_plan));
                ConjunctCode { code: made.map(|made| maker.code(made.id)), reads: part.reads, kept }
            };
            all.into_iter().map(|one| one.into_iter().map(&mut part).collect()).collect()
        };
        let (invariants, constraints) = (parts(invariants), parts(constraints));
        let groups = InvariantGroup::all(&invariants, &mut formulas_plan);
        Some(Compiled {
            groups,
            invariants,
            constraints,
            actions,
            starts,
            formulas_interpret: maker.interprets,
            actions_rows: plan.rows(),
            formulas_rows: formulas_plan.rows(),
            actions_plan: plan,
            formulas_plan,
            bits,
            screens,
            serial: N_MADE.fetch_add(1, Ordering::Relaxed),
            _tables: maker.tables,
            _nodes: maker.nodes,
            module: Some(maker.module),
            shown_hints,
            // More code than that is never made.
            is_cut: maker.is_cut && n_instructions_max < INSTRUCTIONS_MAX,
            leaves_rare: maker.leaves_rare,
            account: Account { actions: of_actions, invariants: of_invariants, constraints: of_constraints },
            n_variables,
            counts: RunCounts::default(),
        })
    }

    /// Whether something has no code because making it would have taken too long.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether actions have no code because the interpreter had spent little time on them.
    pub fn leaves_rare(&self) -> bool {
        self.leaves_rare
    }

    /// Whether some of the code is no longer run, because it gave up too often.
    pub fn is_abandoned(&self) -> bool {
        self.counts.n_abandoned.load(Ordering::Relaxed) > 0
    }

    /// Returns the number of actions that have code, and the number of all actions.
    pub fn n_actions(&self) -> (usize, usize) {
        let is_compiled = |pieces: &[usize]| self.actions[pieces[0]].code.is_some();
        (self.starts.windows(2).filter(|pieces| is_compiled(pieces)).count(), self.starts.len() - 1)
    }

    /// Returns what has code, and what has none.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Returns how often code was run, and how often it gave up, since this was last called.
    pub fn take_counts(&self) -> (u64, u64) {
        (self.counts.n_runs.swap(0, Ordering::Relaxed), self.counts.n_given_up.swap(0, Ordering::Relaxed))
    }

    /// Adds to the counts. Workers count for themselves.
    pub fn count(&self, n_runs: u64, n_given_up: u64) {
        self.counts.n_runs.fetch_add(n_runs, Ordering::Relaxed);
        self.counts.n_given_up.fetch_add(n_given_up, Ordering::Relaxed);
    }

    /// Whether the code of a formula calls the interpreter about the current state of the machine.
    pub fn formulas_interpret(&self) -> bool {
        self.formulas_interpret
    }
}

struct Maker<'p, 'h> {
    /// The access to the forge, where others compile the functions that are generated here.
    open: Open<'h>,
    isa: OwnedTargetIsa,
    /// For long functions: its code is made sooner, and is slower.
    quick_isa: OwnedTargetIsa,
    /// The functions that have code.
    defined: FxHashSet<FuncId>,
    program: &'p Program,
    hints: &'h [Hint],
    module: JITModule,
    codegen: Codegen,
    building: FunctionBuilderContext,
    tables: Vec<Box<[u64]>>,
    /// The nodes that the code leaves to the interpreter.
    #[expect(clippy::vec_box, reason = "code has their addresses")]
    nodes: Vec<Box<NodeForCode>>,
    /// The plan of the results that are kept for actions.
    plan: MemoPlan,
    /// Whether some code calls the interpreter.
    interprets: bool,
    /// The functions that parts of others were made into.
    parts: Vec<FuncId>,
    /// The functions of the specification that apply themselves.
    functions: RecursiveFunctions,
    /// What came of each function, in the order in which they were asked for.
    accounts: Vec<PartAccount>,
    /// The functions of actions.
    of_actions: Vec<Function>,
    /// Number of instructions so far, and the limit on it.
    n_instructions: usize,
    n_instructions_max: usize,
    /// Whether something has no code because of the limit.
    is_cut: bool,
    /// Whether actions have no code because little time is spent on them.
    leaves_rare: bool,
    /// Whether the code says where it gives up.
    notes_ends: bool,
}

impl<'p, 'h> Maker<'p, 'h> {
    /// Makes a compiler. Returns `None` on a machine for which no code can be made.
    fn new(
        program: &'p Program,
        hints: &'h [Hint],
        forge: &'h Forge,
        n_instructions_max: usize,
    ) -> Option<Self> {
        let mut flags = settings::builder();
        // PERF: code runs for a second or two, and most of that time is spent in functions that it calls. `speed` takes
        // a quarter longer to compile, and its code is no quicker: RaftLog of the bench 1.49 s with it and 1.38 s
        // without, ZabRecords 5.3 and 4.8, TwoPhaseCommit 5.4 and 5.5 (CPU time, means of two or three runs).
        flags.set("opt_level", "none").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags.clone())).ok()?;
        // PERF: for long functions this allocator is three times as quick: 785,000 instructions of a specification of
        // ZooKeeper took 3.3 s with it and 10.7 s without. Its code is slower where that matters: RaftLog of the bench took
        // 10.6 s with it everywhere, and 8.3 s without (CPU time, a busy machine).
        flags.set("regalloc_algorithm", "single_pass").ok()?;
        let quick_isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let names = cranelift_module::default_libcall_names();
        let mut builder = JITBuilder::with_isa(Arc::clone(&isa), names);
        // One piece of address space, so that functions are near enough to call each other.
        builder.memory_provider(Box::new(ArenaMemoryProvider::new_with_size(CODE_BYTES_MAX).ok()?));
        let module = JITModule::new(builder);
        let codegen = module.make_context();
        let building = FunctionBuilderContext::new();
        Some(Maker {
            open: forge.open(),
            isa,
            quick_isa,
            defined: FxHashSet::default(),
            program,
            hints,
            module,
            codegen,
            building,
            tables: Vec::new(),
            nodes: Vec::new(),
            plan: MemoPlan::default(),
            interprets: false,
            parts: Vec::new(),
            functions: RecursiveFunctions::default(),
            accounts: Vec::new(),
            of_actions: Vec::new(),
            n_instructions: 0,
            n_instructions_max,
            is_cut: false,
            leaves_rare: false,
            notes_ends: false,
        })
    }

    fn code(&self, id: FuncId) -> Code {
        let address = self.module.get_finalized_function(id);
        // SAFETY: the function was made with this signature and is finished; the module keeps it.
        Code(unsafe {
            std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut Context<'_>) -> u64>(address)
        })
    }

    /// Returns the code of an action in its final form, with room for its results.
    fn finish_action(&self, action: &ActionDraft, plan: &mut MemoPlan) -> Action {
        let n_variables = self.program.variables.len();
        let id = |param: &Constant| Emitter::const_id(param.get()).expect("parameters have ids");
        let params = action.params.iter().map(id).collect();
        let of = action.of;
        let made = action.function.map(|function| &self.of_actions[function]);
        let Some(made) = made.filter(|made| self.defined.contains(&made.id)) else {
            return Action {
                code: None,
                params,
                of,
                kept: None,
                ends: Box::default(),
                n_closings: 0,
                split: None,
            };
        };
        let split = made.draft.as_ref().and_then(|draft| Split::new(draft, plan, n_variables));
        let is_told_apart = made.draft.as_ref().is_some_and(|draft| !draft.has_silent_guard);
        let kept = match split {
            Some(_) if is_told_apart || made.reads.bits().count_ones() < 2 => None,
            Some(_) => plan.cell(made.reads.bits(), 0, n_variables),
            None => self.room(made.reads, plan),
        };
        let mut projection = |reads: u64| plan.cell(reads, 0, n_variables).map(|cell| cell.projection);
        let mut ends: Vec<Option<usize>> = made.closings.iter().map(|&reads| projection(reads)).collect();
        let n_closings = ends.len();
        match &split {
            Some(split) => ends.extend((0..made.stages.len()).map(|stage| split.stage(stage))),
            None => ends.extend(made.stages.iter().map(|&reads| projection(reads))),
        }
        Action { code: Some(self.code(made.id)), params, of, kept, ends: ends.into(), n_closings, split }
    }

    /// Returns the place for what code with these reads gives.
    fn room(&self, reads: VarSet, plan: &mut MemoPlan) -> Option<Cell> {
        plan.cell(reads.bits(), 1, self.program.variables.len())
    }

    fn formulas(&mut self, machine: &mut Machine<'p, '_>, all: &[Conjuncts]) -> Vec<Vec<ConjunctDraft>> {
        let mut one = |conjuncts: &Conjuncts| {
            let part = |(expr, reads)| {
                let made = self.formula(machine, expr, conjuncts.n_slots()).ok();
                if let Some(account) = self.accounts.last_mut() {
                    account.conjunct = Some(expr);
                }
                ConjunctDraft { made, reads }
            };
            conjuncts.parts().map(part).collect()
        };
        all.iter().map(&mut one).collect()
    }

    /// Makes the code of all actions. Returns their pieces, in order.
    fn actions(&mut self, machine: &mut Machine<'p, '_>, sources: Sources<'_, 'p>) -> Vec<ActionDraft> {
        let mut pieces: Vec<(Vec<usize>, ActionDraft)> = Vec::new();
        let groups = ActionGroup::all(self.program, sources.actions);
        let rare = ActionGroup::find_rare(&groups, self.program, sources.interpreted);
        for (number, group) in groups.into_iter().enumerate() {
            let n_accounts = self.accounts.len();
            let made = match rare.contains(&number) {
                true => self.leave_rare(),
                false => self.pieces(machine, &group, Some(Choices::new(group.slots.len()))).or_else(|_| {
                    self.accounts.truncate(n_accounts);
                    self.pieces(machine, &group, None)
                }),
            };
            for account in &mut self.accounts[n_accounts..] {
                account.of = group.members.iter().map(|&(index, _)| index).collect();
            }
            let made = made.unwrap_or_else(|_| vec![(None, PieceInstance::default())]);
            for (index, params) in &group.members {
                pieces.extend(made.iter().map(|(function, instance)| {
                    let params = params.iter().chain(&instance.params).copied().collect();
                    (instance.key.clone(), ActionDraft { of: *index, params, function: *function })
                }));
            }
        }
        pieces.sort_by(|(a_key, a), (b_key, b)| (a.of, a_key).cmp(&(b.of, b_key)));
        pieces.into_iter().map(|(_, piece)| piece).collect()
    }

    /// Leaves actions to the interpreter because it spends little time on them.
    fn leave_rare<T>(&mut self) -> Emitted<T> {
        self.leaves_rare = true;
        let refusal = Some(Refusal { why: RARE.0, node: None });
        self.accounts.push(PartAccount { refusal, ..PartAccount::default() });
        Err(RARE)
    }

    /// Makes the code of the pieces of a group of actions: the functions, with their instances.
    fn pieces(
        &mut self,
        machine: &mut Machine<'p, '_>,
        group: &ActionGroup<'_, 'p>,
        mut choices: Option<Choices>,
    ) -> Emitted<Vec<(Option<usize>, PieceInstance)>> {
        let mut all = Vec::new();
        loop {
            let (made, after) = self.action(machine, group, choices.take())?;
            self.of_actions.push(made);
            let function = Some(self.of_actions.len() - 1);
            let Some(mut made) = after else {
                all.push((function, PieceInstance::default()));
                return Ok(all);
            };
            let (instances, is_more) = made.advance();
            all.extend(instances.into_iter().map(|instance| (function, instance)));
            if all.len() * group.members.len() > PIECES_MAX {
                return Err(Unsupported("too many pieces"));
            }
            if !is_more {
                return Ok(all);
            }
            choices = Some(made);
        }
    }

    /// Makes the code of the piece of a group of actions that these choices lead to. Returns the choices that were made.
    fn action(
        &mut self,
        machine: &mut Machine<'p, '_>,
        group: &ActionGroup<'_, 'p>,
        choices: Option<Choices>,
    ) -> Emitted<(Function, Option<Choices>)> {
        let action = group.action;
        self.function(machine, action.n_slots(), |emitter| {
            emitter.choices = choices;
            for &(slot, constant) in action.bindings() {
                emitter.bind(slot, crate::emit::Val::constant(constant));
            }
            for (param, (slot, hint)) in group.slots.iter().enumerate() {
                let val = emitter.param(param, hint.clone());
                emitter.bind(*slot, val);
            }
            emitter.empty_memos(action.memos());
            let done = emitter.block();
            emitter.end = Some(done);
            emitter.draft = Some(Draft::default());
            emitter.walk(action.leaf.expr, Then::Emit, done)?;
            finish_with(emitter, done, DONE);
            let stages = std::mem::take(&mut emitter.stages);
            let stage_reads = stages.iter().map(|(_, reads)| reads.bits()).collect();
            stages.into_iter().zip(CLOSED..).for_each(|((block, _), code)| finish_with(emitter, block, code));
            let closings = std::mem::take(&mut emitter.closings);
            let closing_reads = closings.iter().map(|&(reads, _)| reads).collect();
            let codes = CLOSED_BY_READS..;
            closings.into_iter().zip(codes).for_each(|((_, block), code)| finish_with(emitter, block, code));
            Ok(FunctionEnds { choices: emitter.choices.take(), closings: closing_reads, stages: stage_reads })
        })
        .map(|(mut function, ends)| {
            (function.closings, function.stages) = (ends.closings, ends.stages);
            (function, ends.choices)
        })
    }

    fn formula(&mut self, machine: &mut Machine<'p, '_>, expr: IrId, n_slots: u16) -> Emitted<Function> {
        self.function(machine, n_slots, |emitter| {
            let (yes, no) = (emitter.block(), emitter.block());
            emitter.branch(expr, yes, no)?;
            finish_with(emitter, yes, 1);
            finish_with(emitter, no, 0);
            Ok(())
        })
        .map(|(function, ())| function)
    }

    fn function<'r, T>(
        &mut self,
        machine: &mut Machine<'p, 'r>,
        n_slots: u16,
        body: impl FnOnce(&mut Emitter<'_, 'p, 'r>) -> Emitted<T>,
    ) -> Emitted<(Function, T)> {
        if self.n_instructions > self.n_instructions_max || machine.run().is_over() {
            self.is_cut = true;
            let refusal = Some(Refusal { why: TOO_MUCH.0, node: None });
            self.accounts.push(PartAccount { refusal, ..PartAccount::default() });
            return Err(TOO_MUCH);
        }
        self.codegen = self.module.make_context();
        let call_conv = self.module.isa().default_call_conv();
        let mut signature = Signature::new(call_conv);
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        self.codegen.func.signature = signature.clone();
        let mut outlined = Vec::new();
        let builder = FunctionBuilder::new(&mut self.codegen.func, &mut self.building);
        let parts = EmitterParts {
            program: self.program,
            machine,
            hints: self.hints,
            isa: Arc::clone(&self.isa),
            n_slots,
            role: Role::Whole,
            module: &mut self.module,
            outlined: &mut outlined,
            functions: &mut self.functions,
            tables: &mut self.tables,
            nodes: &mut self.nodes,
            plan: &mut self.plan,
            notes_ends: self.notes_ends,
        };
        let mut emitter = Emitter::new(builder, parts);
        emitter.common.n_instructions_max = Some(self.n_instructions_max - self.n_instructions);
        let made = body(&mut emitter);
        if let Err(unsupported) = made {
            // The unfinished function is dropped.
            let refusal = Some(Refusal { why: unsupported.0, node: emitter.at });
            // They took time, too.
            self.n_instructions += emitter.n_instructions() + emitter.common.n_instructions;
            self.is_cut |= unsupported == TOO_MUCH;
            drop(emitter);
            // Other actions may call the functions among its parts that apply themselves.
            outlined.retain(|&(id, _)| self.functions.has(id));
            self.take_parts(outlined);
            self.building = FunctionBuilderContext::new();
            self.accounts.push(PartAccount { refusal, ..PartAccount::default() });
            return Err(unsupported);
        }
        let made = made?;
        let interpreted = std::mem::take(&mut emitter.common.interpreted);
        self.interprets |= !interpreted.is_empty();
        self.accounts.push(PartAccount {
            of: Vec::new(),
            conjunct: None,
            refusal: None,
            interpreted,
            n_instructions: emitter.n_instructions() + emitter.common.n_instructions,
        });
        self.n_instructions += emitter.n_instructions() + emitter.common.n_instructions;
        let (reads, draft) = (emitter.reads, emitter.draft.take());
        emitter.finish();
        self.take_parts(outlined);
        let failed = |_| Unsupported("code that cannot be finished");
        let id = self.module.declare_anonymous_function(&signature).map_err(failed)?;
        let codegen = std::mem::replace(&mut self.codegen, Codegen::new());
        self.forge(id, codegen);
        Ok((Function { id, reads, closings: Vec::new(), stages: Vec::new(), draft }, made))
    }

    /// Sends the functions of parts off to be compiled.
    fn take_parts(&mut self, parts: Vec<(FuncId, Codegen)>) {
        for (id, codegen) in parts {
            self.parts.push(id);
            self.forge(id, codegen);
        }
    }

    /// Sends a function off to be compiled.
    fn forge(&mut self, id: FuncId, codegen: Codegen) {
        let is_long = codegen.func.dfg.num_insts() > LONG_MIN;
        let isa = Arc::clone(if is_long { &self.quick_isa } else { &self.isa });
        let done = self.open.push(ForgedFunction { id, codegen, isa });
        self.define(done);
    }

    /// Puts finished code where it can be run.
    fn define(&mut self, pieces: Vec<ForgedFunction>) {
        for ForgedFunction { id, codegen, .. } in pieces {
            let Some(code) = codegen.compiled_code() else { continue };
            let relocs = code.buffer.relocs().iter();
            let relocs: Vec<ModuleReloc> =
                relocs.map(|reloc| ModuleReloc::from_mach_reloc(reloc, &codegen.func, id)).collect();
            let alignment = u64::from(code.buffer.alignment);
            if self.module.define_function_bytes(id, alignment, code.code_buffer(), &relocs).is_ok() {
                self.defined.insert(id);
            }
        }
    }
}

/// Returns a number from a block.
fn finish_with(emitter: &mut Emitter<'_, '_, '_>, block: Block, code: i64) {
    emitter.start(block);
    let code = emitter.iconst(code);
    emitter.b.ins().return_(&[code]);
}

/// Returns the number of the first piece of each action, and the number of all pieces.
fn starts(pieces: &[Action], n_actions: usize) -> Vec<usize> {
    let mut starts: Vec<usize> =
        (0..n_actions).map(|action| pieces.partition_point(|piece| piece.of < action)).collect();
    starts.push(pieces.len());
    debug_assert!(starts.is_sorted(), "pieces come in the order of their actions");
    starts
}

const _: () = assert!(GAVE_UP > 1 && CLOSED > GAVE_UP && DONE <= 1);

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::runtime;

    /// Makes code that calls a helper and returns its result.
    fn code_that_calls(helper: runtime::Helper) -> (JITModule, Code) {
        let mut module = JITModule::new(
            JITBuilder::new(cranelift_module::default_libcall_names())
                .expect("code can be made on this machine"),
        );
        let mut codegen = module.make_context();
        let mut signature = module.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        codegen.func.signature = signature.clone();
        let mut building = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut codegen.func, &mut building);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let context = b.block_params(entry)[0];
        let callee = b.import_signature(signature.clone());
        let address = b.ins().iconst(types::I64, helper.address as i64);
        let call = b.ins().call_indirect(callee, address, &[context]);
        let result = b.inst_results(call)[0];
        b.ins().return_(&[result]);
        b.finalize(module.target_config());
        let id = module.declare_anonymous_function(&signature).expect("a name is free");
        module.define_function(id, &mut codegen).expect("the code is well-formed");
        module.finalize_definitions().expect("nothing is missing");
        let address = module.get_finalized_function(id);
        // SAFETY: the function was made with this signature and is finished; the module keeps it.
        let code = unsafe {
            std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut Context<'_>) -> u64>(address)
        };
        (module, Code(code))
    }

    #[test]
    fn a_panic_waits_until_the_code_has_returned() {
        let (module, code) = code_that_calls(runtime::broken::helper());
        let mut context = Context::empty();
        // SAFETY: the module is alive, and the code reads nothing of the context.
        let run = AssertUnwindSafe(|| unsafe { code.run(&mut context) });
        let panic = catch_unwind(run).expect_err("the panic goes on");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a bug"));
        context.resume_panic();
        // SAFETY: nothing runs the code any more.
        unsafe { module.free_memory() };
    }
}
