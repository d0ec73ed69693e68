//! The code of a specification: how it is made, and the data that it is stored with.
#![expect(unsafe_code, reason = "runs generated code")]

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use base::FxHashSet;
use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use eval::interp::{ActionInstance, Conjuncts, Machine, NodeForCode, VarSet};
use eval::ir::Program;
use value::{RowPool, ValueId};

use crate::account::Account;
use crate::emit::{CLOSED, CLOSED_BY_READS, DONE, GAVE_UP};
use crate::forge::Forge;
use crate::formula_code::{FormulaCode, FormulaDrafts, Formulas};
use crate::hint;
use crate::maker::Maker;
use crate::memo::{Cell, MemoPlan};
use crate::runtime::Context;
use crate::split::{Bits, Screen, Split};

/// Limit on the number of variables: the bits of a successor's mask.
const VARIABLES_MAX: usize = 64;
/// Limit on the instructions that are compiled in all. The rest is interpreted.
const INSTRUCTIONS_MAX: usize = 1 << 21;
/// A piece of an action that gave up more often is compiled again when newer code is made.
const GIVEN_UP_MAX: u32 = 64;

/// Code for the actions and the formulas of a specification.
pub struct Compiled {
    /// The memory of the code: that of earlier code of which parts are kept, and its own.
    memories: Vec<Arc<CodeMemory>>,
    /// The pieces of all actions, in order.
    pub(crate) actions: Vec<Action>,
    /// The number of the first piece of each action, and of all pieces.
    pub(crate) starts: Vec<usize>,
    pub(crate) formulas: FormulaCode,
    /// The plan of the results that are kept for actions, and these.
    pub(crate) actions_plan: MemoPlan,
    pub(crate) actions_rows: Arc<RowPool>,
    /// The places that record which actions are possible: a bit for each.
    pub(crate) bits: Bits,
    pub(crate) screens: Vec<Screen>,
    /// A number that no other code has.
    pub(crate) serial: u64,
    /// The forms of values that the code was made for.
    shown_hints: String,
    /// Whether something has no code because of the limit on instructions.
    is_cut: bool,
    /// The actions that have no code, or code for their guards only, because the interpreter had spent little time on them.
    rare: FxHashSet<usize>,
    account: Account,
    effort: Effort,
    pub(crate) n_variables: usize,
    pub(crate) counts: RunCounts,
}

/// Machine code, and what it refers to.
struct CodeMemory {
    /// The module that owns the code. It is `None` only while this is dropped.
    module: Option<JITModule>,
    _tables: Vec<Box<[u64]>>,
    #[expect(clippy::vec_box, reason = "code has their addresses")]
    _nodes: Vec<Box<NodeForCode>>,
}

/// Number of nodes of the actions that code was made for, and of those that were left out because little time was spent on
/// them. Both are rough, and only compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub n_nodes_made: usize,
    pub n_nodes_left: usize,
}

/// Numbers of runs of code, and of those that gave up.
#[derive(Default)]
pub(crate) struct RunCounts {
    n_runs: AtomicU64,
    n_given_up: AtomicU64,
    /// Number of times that each piece gave up.
    pub of_pieces: Box<[AtomicU32]>,
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
#[derive(Clone)]
pub(crate) struct Action {
    pub code: Option<Code>,
    /// Whether the code only tests guards: it gives up where the action may be possible.
    pub is_guard: bool,
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
#[derive(Clone)]
pub(crate) struct InvariantGroup {
    pub parts: Vec<ConjunctCode>,
    /// The variables that they read. `None` when one of them may have changed with anything.
    pub reads: Option<VarSet>,
    /// The place that records that all of them hold.
    pub kept: Option<Cell>,
}

impl InvariantGroup {
    /// Groups all conjuncts, including those that are not kept.
    pub fn all(invariants: &[Vec<ConjunctCode>], plan: &mut MemoPlan) -> Vec<InvariantGroup> {
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

// SAFETY: code is not changed once it is finished, and it refers only to tables that are not changed either, interned
// objects, and constants, which every thread may read. The module itself is touched only when it is dropped.
unsafe impl Send for CodeMemory {}
// SAFETY: the same holds for shared references.
unsafe impl Sync for CodeMemory {}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n_compiled, n_actions) = self.n_actions();
        write!(f, "Compiled({n_compiled} of {n_actions} actions in {} pieces)", self.actions.len())
    }
}

impl Drop for CodeMemory {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: this owns the code, and every `Compiled` that could run it is gone.
            unsafe { module.free_memory() };
        }
    }
}

/// Number of times that code was made. The number 0 is not used.
static N_MADE: AtomicU64 = AtomicU64::new(1);

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
    /// of the values of variables. Code of `earlier` that seldom gave up is kept. Returns `None` if there is no code, or if
    /// it would be the earlier code again.
    // Six values: the three that say what to compile come from the caller, the others from the search.
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
        let is_complete = |code: &Compiled| !code.is_cut && code.rare.is_empty();
        if earlier.is_some_and(|earlier| earlier.shown_hints == shown_hints && is_complete(earlier)) {
            return None;
        }
        let mut maker = Maker::new(sources.program, &hints, forge, n_instructions_max.min(INSTRUCTIONS_MAX))?;
        maker.notes_ends = sources.notes_ends;
        maker.plan = earlier.map(|earlier| earlier.actions_plan.clone()).unwrap_or_default();
        let actions = maker.actions(machine, sources, earlier);
        // Actions are about the current state of the machine in any case.
        maker.interprets = false;
        let of_actions = std::mem::take(&mut maker.accounts);
        let formulas = match earlier.filter(|earlier| earlier.keeps_formulas(&shown_hints)) {
            Some(earlier) => Formulas::Kept(Box::new(earlier.formulas.clone())),
            None => Formulas::Drafts(FormulaDrafts::new(&mut maker, machine, sources)),
        };
        if machine.run().is_over() {
            return None;
        }
        let rest = maker.open.finish();
        maker.define(rest);
        // Code that calls a function without code cannot be finished.
        if !maker.called.is_subset(&maker.defined) {
            return None;
        }
        maker.module.finalize_definitions().ok()?;
        let mut plan = std::mem::take(&mut maker.plan);
        let actions: Vec<Action> =
            actions.iter().map(|action| maker.finish_action(action, earlier, &mut plan)).collect();
        let starts = starts(&actions, sources.actions.len());
        let bits = Bits::new(&actions, &mut plan);
        let screens = Screen::all(&actions, &bits);
        let formulas = formulas.finish(&maker);
        let account = Account { actions: of_actions, ..formulas.account.clone() };
        let memory = CodeMemory { module: Some(maker.module), _tables: maker.tables, _nodes: maker.nodes };
        let mut memories = earlier.map(|earlier| earlier.memories.clone()).unwrap_or_default();
        memories.push(Arc::new(memory));
        let of_pieces = actions.iter().map(|_| AtomicU32::new(0)).collect();
        Some(Compiled {
            memories,
            formulas,
            actions,
            starts,
            actions_rows: plan.rows(),
            actions_plan: plan,
            bits,
            screens,
            serial: N_MADE.fetch_add(1, Ordering::Relaxed),
            shown_hints,
            // More code than that is never made.
            is_cut: maker.is_cut && n_instructions_max < INSTRUCTIONS_MAX,
            rare: maker.rare,
            account,
            effort: maker.effort,
            n_variables,
            counts: RunCounts { of_pieces, ..RunCounts::default() },
        })
    }

    /// Returns the pieces of an action if all have code that goes on being used in newer code.
    pub(crate) fn kept_pieces(&self, action: usize) -> Option<std::ops::Range<usize>> {
        let pieces = self.starts[action]..self.starts[action + 1];
        let is_kept = |piece: usize| {
            let Action { code, is_guard, .. } = self.actions[piece];
            let n_given_up = self.counts.of_pieces[piece].load(Ordering::Relaxed);
            code.is_some() && !is_guard && n_given_up <= GIVEN_UP_MAX
        };
        pieces.clone().all(is_kept).then_some(pieces)
    }

    /// Whether newer code, made for values of these forms, has the same code for formulas. If it is made because actions
    /// gave up, values are not what they were.
    fn keeps_formulas(&self, shown_hints: &str) -> bool {
        let gave_up = |count: &AtomicU32| count.load(Ordering::Relaxed) > GIVEN_UP_MAX;
        let is_old = shown_hints != self.shown_hints && self.counts.of_pieces.iter().any(gave_up);
        !self.is_cut && !is_old
    }

    /// Returns how large the actions are that code was made for, and those that were left out.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether something has no code because making it would have taken too long.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether some action has no code because the interpreter had spent little time on it.
    pub fn leaves_rare(&self) -> bool {
        !self.rare.is_empty()
    }

    /// Whether this action has no code because the interpreter had spent little time on it.
    pub fn is_rare(&self, action: usize) -> bool {
        self.rare.contains(&action)
    }

    /// Whether some of the code is no longer run, because it gave up too often.
    pub fn is_abandoned(&self) -> bool {
        self.counts.n_abandoned.load(Ordering::Relaxed) > 0
    }

    /// Returns the number of actions that have code, and the number of all actions.
    pub fn n_actions(&self) -> (usize, usize) {
        let has_code = |action: &Action| action.code.is_some() && !action.is_guard;
        let is_compiled = |pieces: &[usize]| has_code(&self.actions[pieces[0]]);
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
        self.formulas.interpret
    }

    /// Whether the code of a constraint does.
    pub fn constraints_interpret(&self) -> bool {
        self.formulas.constraints_interpret
    }
}

impl Maker<'_, '_> {
    /// Returns the address of a function that is finished.
    pub fn code(&self, id: FuncId) -> Code {
        let address = self.module.get_finalized_function(id);
        // SAFETY: the function was made with this signature and is finished; the module keeps it.
        Code(unsafe {
            std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut Context<'_>) -> u64>(address)
        })
    }
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

    use cranelift_codegen::ir::{AbiParam, InstBuilder, types};
    use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
    use cranelift_jit::JITBuilder;
    use cranelift_module::Module;

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
