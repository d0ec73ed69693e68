//! Finished code: made, kept, and run.
#![expect(unsafe_code, reason = "runs generated code")]

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use cranelift_codegen::Context as Codegen;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module};
use eval::interp::{ActionInstance, Conjuncts, Machine, VarSet};
use eval::ir::{IrId, Program};
use value::{Interner, Value, ValueId, raw};

use crate::actions::Then;
use crate::cache::OpCache;
use crate::emit::{DONE, Emitter, GAVE_UP, Made, Parts, Unsupported};
use crate::hint::{self, Hint};
use crate::runtime::Context;

/// The bits of a successor's mask.
const VARIABLES_MAX: usize = 64;

/// Code for the actions and the formulas of a specification.
pub struct Compiled {
    /// The memory of the code. `None` never, until it is dropped.
    module: Option<JITModule>,
    actions: Vec<Option<Code>>,
    invariants: Vec<Vec<Part>>,
    constraints: Vec<Vec<Part>>,
    formulas_interpret: bool,
    /// Tables that the code refers to.
    _tables: Vec<Box<[u64]>>,
    /// How often code was run, and how often it gave up.
    n_runs: AtomicU64,
    n_given_up: AtomicU64,
}

/// The address of finished code in the memory of its module.
#[derive(Clone, Copy)]
struct Code(extern "C" fn(*mut Context) -> u64);

/// One conjunct of a formula.
struct Part {
    code: Option<Code>,
    reads: Option<VarSet>,
}

// SAFETY: code is not changed once it is finished, and what it refers to are tables that are not changed either,
// interned objects, and constants, which every thread may read. The module itself is touched only when it is dropped.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_actions = self.actions.iter().flatten().count();
        write!(f, "Compiled({n_actions} of {} actions)", self.actions.len())
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: this owns the code and nobody can run it any more.
            unsafe { module.free_memory() };
        }
    }
}

/// What is to be made into code.
#[derive(Clone, Copy)]
pub struct Sources<'s, 'p> {
    pub program: &'p Program,
    pub actions: &'s [ActionInstance<'p>],
    pub invariants: &'s [Conjuncts],
    pub constraints: &'s [Conjuncts],
}

/// What a worker keeps between runs of code.
#[derive(Debug)]
pub struct Scratch {
    words: Vec<u64>,
    n_words: usize,
    /// Where the successors of an action end.
    ends: Vec<(usize, usize)>,
    cache: OpCache,
}

/// Successors as code wrote them down.
#[derive(Debug)]
pub struct Found {
    words: Vec<u64>,
    n_words: usize,
    ends: Vec<(usize, usize)>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { words: vec![0; 1 << 10], n_words: 0, ends: Vec::new(), cache: OpCache::default() }
    }
}

impl Scratch {
    /// What was found last; to be given back.
    pub fn take_found(&mut self) -> Found {
        let (words, ends) = (std::mem::take(&mut self.words), std::mem::take(&mut self.ends));
        Found { words, n_words: self.n_words, ends }
    }

    pub fn give_back(&mut self, found: Found) {
        (self.words, self.ends) = (found.words, found.ends);
    }
}

impl Found {
    pub fn is_empty(&self) -> bool {
        self.n_words == 0
    }

    /// The action that the successor at `position` is a step of.
    pub fn action(&self, position: usize) -> Option<usize> {
        self.ends.iter().find(|(end, _)| position < *end).map(|&(_, action)| action)
    }

    /// The first one at or behind `position`, and where the next begins.
    #[inline]
    pub fn at(&self, position: usize) -> Option<(Successor<'_>, usize)> {
        let words = &self.words[position..self.n_words];
        let (&mask, rest) = words.split_first()?;
        let n = mask.count_ones() as usize;
        Some((Successor { mask, words: &rest[..n] }, position + 1 + n))
    }
}

/// A successor: the variables that were given values, and these.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'s> {
    mask: u64,
    words: &'s [u64],
}

impl<'s> Successor<'s> {
    /// Each variable that was given a value.
    ///
    /// The values live as long as the region of the machine that they were made by: `'r` must be its lifetime, which
    /// `_machine` gives.
    #[inline]
    pub fn values<'r>(
        self,
        _machine: &Machine<'_, 'r>,
    ) -> impl Iterator<Item = (usize, Value<'r>)> + use<'s, 'r> {
        let mut mask = self.mask;
        self.words.iter().map(move |&word| {
            let index = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            // SAFETY: the word was made by code that ran on this machine, in its region or where things live for ever.
            (index, unsafe { raw::value(word) })
        })
    }
}

impl Compiled {
    /// Makes code for what code can be made for. `states` are examples of what variables look like.
    pub fn new<'s, 'p, 'a>(
        sources: Sources<'s, 'p>,
        machine: &mut Machine<'p, '_>,
        states: impl Iterator<Item = &'a [ValueId]>,
    ) -> Option<Compiled> {
        let n_variables = sources.program.variables.len();
        if n_variables > VARIABLES_MAX {
            return None;
        }
        let hints = hint::of_states(n_variables, states);
        let mut maker = Maker::new(sources.program, &hints)?;
        let actions: Vec<Option<FuncId>> =
            sources.actions.iter().map(|action| maker.action(machine, action).ok()).collect();
        // Actions are about the current state of the machine in any case.
        maker.interprets = false;
        let mut formulas = |all: &[Conjuncts]| -> Vec<Vec<(Option<FuncId>, Option<VarSet>)>> {
            let part = |maker: &mut Maker<'p, '_>, machine: &mut Machine<'p, '_>, n_slots, (expr, reads)| {
                (maker.formula(machine, expr, n_slots).ok(), reads)
            };
            let one = |conjuncts: &Conjuncts| {
                conjuncts.parts().map(|each| part(&mut maker, machine, conjuncts.n_slots(), each)).collect()
            };
            all.iter().map(one).collect()
        };
        let invariants = formulas(sources.invariants);
        let constraints = formulas(sources.constraints);
        maker.module.finalize_definitions().ok()?;
        let code = |id: FuncId| maker.code(id);
        let parts = |all: Vec<Vec<(Option<FuncId>, Option<VarSet>)>>| -> Vec<Vec<Part>> {
            let part = |(id, reads): (Option<FuncId>, _)| Part { code: id.map(code), reads };
            all.into_iter().map(|one| one.into_iter().map(part).collect()).collect()
        };
        let (invariants, constraints) = (parts(invariants), parts(constraints));
        let actions = actions.into_iter().map(|id| id.map(code)).collect();
        Some(Compiled {
            actions,
            invariants,
            constraints,
            formulas_interpret: maker.interprets,
            _tables: maker.tables,
            module: Some(maker.module),
            n_runs: AtomicU64::new(0),
            n_given_up: AtomicU64::new(0),
        })
    }

    /// How many actions have code, of how many.
    pub fn n_actions(&self) -> (usize, usize) {
        (self.actions.iter().flatten().count(), self.actions.len())
    }

    /// How often code was run, and how often it gave up, since it was last asked.
    pub fn take_counts(&self) -> (u64, u64) {
        (self.n_runs.swap(0, Ordering::Relaxed), self.n_given_up.swap(0, Ordering::Relaxed))
    }

    /// Adds to the counts: workers count for themselves.
    pub fn count(&self, n_runs: u64, n_given_up: u64) {
        self.n_runs.fetch_add(n_runs, Ordering::Relaxed);
        self.n_given_up.fetch_add(n_given_up, Ordering::Relaxed);
    }

    /// Writes down the successors of the state with these ids, the current state of the machine, by the actions from
    /// `first` on, up to one that the interpreter must do. That one, if there is one, and why.
    #[inline]
    pub fn run_actions(
        &self,
        first: usize,
        machine: &mut Machine<'_, '_>,
        ids: &[ValueId],
        scratch: &mut Scratch,
    ) -> Option<(usize, Ran)> {
        let window = raw::window(Interner::shared());
        let memory = (&mut scratch.words, &mut scratch.cache);
        scratch.ends.clear();
        scratch.n_words = 0;
        let mut context = Context::new(machine, raw::id_bits(ids), window, memory);
        for (index, action) in self.actions.iter().enumerate().skip(first) {
            let Some(code) = action else { return Some((index, Ran::NoCode)) };
            if (code.0)(&raw mut context) != DONE as u64 {
                return Some((index, Ran::GaveUp));
            }
            let n_words = context.n_written();
            if n_words > scratch.n_words {
                scratch.n_words = n_words;
                scratch.ends.push((n_words, index));
            }
        }
        None
    }

    /// Whether those conjuncts of an invariant hold in the state with these ids, the current one of the machine, that
    /// may not if only these variables have changed since they did. `None` when the interpreter must say.
    #[inline]
    pub fn invariant(
        &self,
        index: usize,
        machine: &mut Machine<'_, '_>,
        (ids, changed): (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> Option<bool> {
        hold(&self.invariants[index], machine, (ids, changed), scratch)
    }

    #[inline]
    pub fn constraint(
        &self,
        index: usize,
        machine: &mut Machine<'_, '_>,
        (ids, changed): (&[ValueId], VarSet),
        scratch: &mut Scratch,
    ) -> Option<bool> {
        hold(&self.constraints[index], machine, (ids, changed), scratch)
    }

    /// Whether the code of a formula asks the interpreter about the current state of the machine.
    pub fn formulas_interpret(&self) -> bool {
        self.formulas_interpret
    }
}

fn hold(
    parts: &[Part],
    machine: &mut Machine<'_, '_>,
    (ids, changed): (&[ValueId], VarSet),
    scratch: &mut Scratch,
) -> Option<bool> {
    let window = raw::window(Interner::shared());
    let mut none = Vec::new();
    let mut context = Context::new(machine, raw::id_bits(ids), window, (&mut none, &mut scratch.cache));
    for part in parts {
        let is_open = changed == VarSet::ALL || part.reads.is_none_or(|reads| reads.meets(changed));
        if !is_open {
            continue;
        }
        match (part.code?.0)(&raw mut context) {
            0 => return Some(false),
            1 => {}
            _ => return None,
        }
    }
    Some(true)
}

/// Why the interpreter must do an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It has none.
    NoCode,
    /// It met something that it was not made for.
    GaveUp,
}

struct Maker<'p, 'h> {
    program: &'p Program,
    hints: &'h [Hint],
    module: JITModule,
    codegen: Codegen,
    building: FunctionBuilderContext,
    tables: Vec<Box<[u64]>>,
    /// Some code asks the interpreter.
    interprets: bool,
}

impl<'p, 'h> Maker<'p, 'h> {
    /// `None` on a machine that no code can be made for.
    fn new(program: &'p Program, hints: &'h [Hint]) -> Option<Self> {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
        let codegen = module.make_context();
        let building = FunctionBuilderContext::new();
        Some(Maker { program, hints, module, codegen, building, tables: Vec::new(), interprets: false })
    }

    fn code(&self, id: FuncId) -> Code {
        let address = self.module.get_finalized_function(id);
        // SAFETY: the function was made with this signature and is finished; the module keeps it.
        Code(unsafe { std::mem::transmute::<*const u8, extern "C" fn(*mut Context) -> u64>(address) })
    }

    fn action(&mut self, machine: &mut Machine<'p, '_>, action: &ActionInstance<'p>) -> Made<FuncId> {
        self.function(machine, action.n_slots(), |emitter| {
            for &(slot, constant) in action.bindings() {
                emitter.bind(slot, crate::emit::Val::constant(constant));
            }
            emitter.empty(action.memos());
            let done = emitter.block();
            emitter.walk(action.leaf.expr, Then::Emit, done)?;
            finish_with(emitter, &[(done, DONE)]);
            Ok(())
        })
    }

    fn formula(&mut self, machine: &mut Machine<'p, '_>, expr: IrId, n_slots: u16) -> Made<FuncId> {
        self.function(machine, n_slots, |emitter| {
            let (yes, no) = (emitter.block(), emitter.block());
            emitter.branch(expr, yes, no)?;
            finish_with(emitter, &[(yes, 1), (no, 0)]);
            Ok(())
        })
    }

    fn function<'r>(
        &mut self,
        machine: &mut Machine<'p, 'r>,
        n_slots: u16,
        body: impl FnOnce(&mut Emitter<'_, 'p, 'r>) -> Made<()>,
    ) -> Made<FuncId> {
        self.module.clear_context(&mut self.codegen);
        let call_conv = self.module.isa().default_call_conv();
        let mut signature = Signature::new(call_conv);
        signature.params.push(AbiParam::new(types::I64));
        signature.returns.push(AbiParam::new(types::I64));
        self.codegen.func.signature = signature.clone();
        let builder = FunctionBuilder::new(&mut self.codegen.func, &mut self.building);
        let parts = Parts {
            program: self.program,
            machine,
            hints: self.hints,
            call_conv,
            n_slots,
            tables: &mut self.tables,
        };
        let mut emitter = Emitter::new(builder, parts);
        if let Err(unsupported) = body(&mut emitter) {
            // What was begun is thrown away.
            drop(emitter);
            self.building = FunctionBuilderContext::new();
            return Err(unsupported);
        }
        self.interprets |= emitter.interprets;
        emitter.finish(self.module.isa().frontend_config());
        let failed = |_| Unsupported("code that cannot be finished");
        let id = self.module.declare_anonymous_function(&signature).map_err(failed)?;
        self.module
            .define_function(id, &mut self.codegen)
            .map_err(|_| Unsupported("code that cannot be finished"))?;
        Ok(id)
    }
}

/// Returns a number from each of these blocks.
fn finish_with(emitter: &mut Emitter<'_, '_, '_>, returns: &[(Block, i64)]) {
    for &(block, code) in returns {
        emitter.start(block);
        let code = emitter.iconst(code);
        emitter.b.ins().return_(&[code]);
    }
}

const _: () = assert!(GAVE_UP != DONE && GAVE_UP > 1);
