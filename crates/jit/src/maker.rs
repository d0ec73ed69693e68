//! Makes the functions of a specification: which parts get code, and how much of it.

use std::rc::Rc;
use std::sync::Arc;

use base::FxHashSet;
use cranelift_codegen::Context as Codegen;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc};
use eval::interp::{Conjuncts, Machine, NodeForCode, VarSet};
use eval::ir::{IrId, Program};
use value::Constant;

use crate::account::{PartAccount, Refusal};
use crate::actions::Then;
use crate::code::{Action, Compiled, Effort, Sources};
use crate::emit::{
    CLOSED, CLOSED_BY_READS, DONE, Emitted, Emitter, EmitterParts, RARE, Role, TOO_MUCH, Unsupported,
};
use crate::forge::{Forge, ForgedFunction, Open};
use crate::hint::Hint;
use crate::memo::{Cell, MemoPlan};
use crate::pieces::{ActionGroup, Choices, PIECES_MAX, PieceInstance, nodes_of};
use crate::recursion::RecursiveFunctions;
use crate::split::{Draft, Split};

/// Number of instructions from which on compiling a function quickly counts more than its code.
const LONG_MIN: usize = 300;
/// The most conjuncts of an action that are left to the interpreter, while the others have code.
const STOPS_MAX: usize = 4;
/// The most instructions of code that only tests the guards of an action.
const GUARD_INSTRUCTIONS_MAX: usize = 4_000;
/// The most nodes of an action that count as the effort of making its code.
const EFFORT_NODES_MAX: usize = 20_000;
/// The address space for code: some 30 bytes for each instruction.
const CODE_BYTES_MAX: usize = 64 << 20;

/// A compiled function, and the variables that it reads.
pub(crate) struct Function {
    pub id: FuncId,
    pub reads: VarSet,
    /// The variables that were read at each end where it is not possible.
    pub closings: Vec<u64>,
    pub stages: Vec<u64>,
    pub draft: Option<Draft>,
}

/// The ends of the code of an action, and the choices that were made on the way.
pub(crate) struct FunctionEnds {
    pub choices: Option<Choices>,
    pub closings: Vec<u64>,
    pub stages: Vec<u64>,
}

/// A piece of an action on its way to an [`Action`].
pub(crate) struct ActionDraft {
    pub of: usize,
    pub params: Vec<Constant>,
    pub code: DraftCode,
}

/// The code of a piece of an action.
#[derive(Clone, Copy)]
pub(crate) enum DraftCode {
    /// It has none.
    None,
    /// The function with this number.
    Made(usize),
    /// The function with this number, which only tests guards.
    Guard(usize),
    /// The code of this piece in the earlier code.
    Kept(usize),
}

/// A conjunct on its way to a [`ConjunctCode`].
pub(crate) struct ConjunctDraft {
    pub made: Option<Function>,
    pub reads: Option<VarSet>,
}

/// A compiler of the parts of one specification.
// Over 20 fields: what all functions share, what was made of each kind of part, and the limits.
pub(crate) struct Maker<'p, 'h> {
    /// The access to the forge, where others compile the functions that are generated here.
    pub open: Open<'h>,
    pub isa: OwnedTargetIsa,
    /// For long functions: its code is made sooner, and is slower.
    pub quick_isa: OwnedTargetIsa,
    /// The functions that have code.
    pub defined: FxHashSet<FuncId>,
    pub program: &'p Program,
    pub hints: &'h [Hint],
    pub module: JITModule,
    pub codegen: Codegen,
    pub building: FunctionBuilderContext,
    pub tables: Vec<Box<[u64]>>,
    /// The nodes that the code leaves to the interpreter.
    #[expect(clippy::vec_box, reason = "code has their addresses")]
    pub nodes: Vec<Box<NodeForCode>>,
    /// The plan of the results that are kept for actions.
    pub plan: MemoPlan,
    /// Whether some code calls the interpreter.
    pub interprets: bool,
    /// The functions that others call.
    pub called: FxHashSet<FuncId>,
    /// The functions of the specification that apply themselves.
    pub functions: RecursiveFunctions,
    /// The account of each function, in the order in which they were asked for.
    pub accounts: Vec<PartAccount>,
    /// The functions of actions.
    pub of_actions: Vec<Function>,
    /// Number of instructions so far, and the limit on it.
    pub n_instructions: usize,
    pub n_instructions_max: usize,
    /// Whether something has no code because of the limit.
    pub is_cut: bool,
    /// How large the actions are that have code now, and those that are left out.
    pub effort: Effort,
    /// The actions that are left out because the interpreter spent little time on them.
    pub rare: FxHashSet<usize>,
    /// Whether the functions that are made only test guards.
    pub makes_guards: bool,
    /// Whether the code says where it gives up.
    pub notes_ends: bool,
    /// The conjuncts of the action where its code gives up, because these cannot be compiled.
    pub stops: Rc<FxHashSet<IrId>>,
    /// The conjunct of the last action that could not be compiled.
    pub no_code_at: Option<IrId>,
}

impl<'p, 'h> Maker<'p, 'h> {
    /// Makes a compiler. Returns `None` on a machine for which no code can be made.
    pub fn new(
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
            called: FxHashSet::default(),
            functions: RecursiveFunctions::default(),
            accounts: Vec::new(),
            of_actions: Vec::new(),
            n_instructions: 0,
            n_instructions_max,
            is_cut: false,
            effort: Effort::default(),
            rare: FxHashSet::default(),
            makes_guards: false,
            notes_ends: false,
            stops: Rc::default(),
            no_code_at: None,
        })
    }

    /// Returns the code of an action in its final form, with room for its results.
    pub fn finish_action(
        &self,
        action: &ActionDraft,
        earlier: Option<&Compiled>,
        plan: &mut MemoPlan,
    ) -> Action {
        let (function, is_guard) = match action.code {
            DraftCode::None => (None, false),
            DraftCode::Made(function) => (Some(function), false),
            DraftCode::Guard(function) => (Some(function), true),
            DraftCode::Kept(piece) => {
                return earlier.expect("only earlier code is kept").actions[piece].clone();
            }
        };
        let n_variables = self.program.variables.len();
        let id = |param: &Constant| Emitter::const_id(param.get()).expect("parameters have ids");
        let params = action.params.iter().map(id).collect();
        let of = action.of;
        let made = function.map(|function| &self.of_actions[function]);
        let Some(made) = made.filter(|made| self.defined.contains(&made.id)) else {
            return Action {
                code: None,
                is_guard: false,
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
        let code = Some(self.code(made.id));
        Action { code, is_guard, params, of, kept, ends: ends.into(), n_closings, split }
    }

    /// Returns the place for what code with these reads gives.
    pub fn room(&self, reads: VarSet, plan: &mut MemoPlan) -> Option<Cell> {
        plan.cell(reads.bits(), 1, self.program.variables.len())
    }

    /// Makes the code of invariants or constraints. Conjuncts of constraints that depend on the level alone have none.
    pub fn formulas(
        &mut self,
        machine: &mut Machine<'p, '_>,
        (all, are_constraints): (&[Conjuncts], bool),
    ) -> Vec<Vec<ConjunctDraft>> {
        let mut one = |conjuncts: &Conjuncts| {
            let part = |(number, (expr, reads))| {
                if are_constraints && conjuncts.is_of_level(number) {
                    // Whoever asks knows it.
                    return ConjunctDraft { made: None, reads };
                }
                let made = self.formula(machine, expr, conjuncts.n_slots()).ok();
                if let Some(account) = self.accounts.last_mut() {
                    account.conjunct = Some(expr);
                }
                ConjunctDraft { made, reads }
            };
            conjuncts.parts().enumerate().map(part).collect()
        };
        all.iter().map(&mut one).collect()
    }

    /// Makes the code of all actions, or keeps that of earlier code. Returns their pieces, in order.
    pub fn actions(
        &mut self,
        machine: &mut Machine<'p, '_>,
        sources: Sources<'_, 'p>,
        earlier: Option<&Compiled>,
    ) -> Vec<ActionDraft> {
        let mut pieces: Vec<(Vec<usize>, ActionDraft)> = Vec::new();
        let (kept, groups): (Vec<_>, Vec<_>) = ActionGroup::all(self.program, sources.actions)
            .into_iter()
            .partition(|group| earlier.is_some_and(|earlier| group.has_code_in(earlier)));
        if let Some(earlier) = earlier {
            kept.iter().for_each(|group| pieces.extend(self.keep(group, earlier)));
        }
        let rare = ActionGroup::find_rare(&groups, self.program, sources.interpreted);
        for (number, group) in groups.into_iter().enumerate() {
            let n_accounts = self.accounts.len();
            let n_nodes = nodes_of(self.program, &[group.action.leaf.expr], EFFORT_NODES_MAX);
            let made = match rare.contains(&number) {
                true => {
                    self.effort.n_nodes_left += n_nodes;
                    self.rare.extend(group.members.iter().map(|&(index, _)| index));
                    self.guards(machine, &group)
                }
                false => {
                    self.effort.n_nodes_made += n_nodes;
                    self.pieces(machine, &group, Some(Choices::new(group.slots.len()))).or_else(|_| {
                        self.accounts.truncate(n_accounts);
                        self.whole(machine, &group)
                    })
                }
            };
            for account in &mut self.accounts[n_accounts..] {
                account.of = group.members.iter().map(|&(index, _)| index).collect();
            }
            let made = made.unwrap_or_else(|_| vec![(DraftCode::None, PieceInstance::default())]);
            for (index, params) in &group.members {
                pieces.extend(made.iter().map(|(code, instance)| {
                    let params = params.iter().chain(&instance.params).copied().collect();
                    (instance.key.clone(), ActionDraft { of: *index, params, code: *code })
                }));
            }
        }
        pieces.sort_by(|(a_key, a), (b_key, b)| (a.of, a_key).cmp(&(b.of, b_key)));
        pieces.into_iter().map(|(_, piece)| piece).collect()
    }

    /// Keeps the code of a group of actions. Returns their pieces, each with what it is sorted by.
    fn keep(&mut self, group: &ActionGroup<'_, 'p>, earlier: &Compiled) -> Vec<(Vec<usize>, ActionDraft)> {
        let is_of = |account: &&PartAccount| account.of.contains(&group.members[0].0);
        self.accounts.extend(earlier.account().actions.iter().filter(is_of).cloned());
        let pieces_of = |&(of, _): &(usize, Vec<Constant>)| {
            let pieces = earlier.kept_pieces(of).expect("the group has code that is kept");
            pieces.map(move |piece| {
                (vec![piece], ActionDraft { of, params: Vec::new(), code: DraftCode::Kept(piece) })
            })
        };
        group.members.iter().flat_map(pieces_of).collect()
    }

    /// Makes code for a group of actions in one piece. Where a conjunct cannot be compiled, the code gives up there.
    fn whole(
        &mut self,
        machine: &mut Machine<'p, '_>,
        group: &ActionGroup<'_, 'p>,
    ) -> Emitted<Vec<(DraftCode, PieceInstance)>> {
        let mut made = self.pieces(machine, group, None);
        let mut stops = FxHashSet::default();
        while let (Err(unsupported), Some(conjunct)) = (&made, self.no_code_at.take()) {
            if *unsupported == TOO_MUCH || stops.len() == STOPS_MAX || !stops.insert(conjunct) {
                break;
            }
            self.stops = Rc::new(stops.clone());
            let refused = self.accounts.pop();
            made = self.pieces(machine, group, None);
            if let (Ok(_), Some(account), Some(refused)) = (&made, self.accounts.last_mut(), refused) {
                // It has code, and the report says what has none.
                account.refusal = refused.refusal;
            }
        }
        self.stops = Rc::default();
        made
    }

    /// Leaves actions to the interpreter because it spends little time on them. If their guards are short, these get code,
    /// because rare actions are seldom possible.
    fn guards(
        &mut self,
        machine: &mut Machine<'p, '_>,
        group: &ActionGroup<'_, 'p>,
    ) -> Emitted<Vec<(DraftCode, PieceInstance)>> {
        let n_accounts = self.accounts.len();
        let (is_cut, n_instructions_max) = (self.is_cut, self.n_instructions_max);
        self.makes_guards = true;
        self.n_instructions_max = n_instructions_max.min(self.n_instructions + GUARD_INSTRUCTIONS_MAX);
        let made = self.action(machine, group, None);
        (self.makes_guards, self.is_cut, self.n_instructions_max) = (false, is_cut, n_instructions_max);
        self.accounts.truncate(n_accounts);
        let refusal = Some(Refusal { why: RARE.0, node: None });
        self.accounts.push(PartAccount { refusal, ..PartAccount::default() });
        let (function, _) = made?;
        self.of_actions.push(function);
        Ok(vec![(DraftCode::Guard(self.of_actions.len() - 1), PieceInstance::default())])
    }

    /// Makes the code of the pieces of a group of actions: the functions, with their instances.
    fn pieces(
        &mut self,
        machine: &mut Machine<'p, '_>,
        group: &ActionGroup<'_, 'p>,
        mut choices: Option<Choices>,
    ) -> Emitted<Vec<(DraftCode, PieceInstance)>> {
        let mut all = Vec::new();
        loop {
            let (made, after) = self.action(machine, group, choices.take())?;
            self.of_actions.push(made);
            let function = DraftCode::Made(self.of_actions.len() - 1);
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
        emitter.common.stops = Rc::clone(&self.stops);
        emitter.common.only_guards = self.makes_guards;
        let made = body(&mut emitter);
        if let Err(unsupported) = made {
            self.no_code_at = emitter.common.no_code_at;
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
            self.forge(id, codegen);
        }
    }

    /// Sends a function off to be compiled.
    fn forge(&mut self, id: FuncId, codegen: Codegen) {
        let called = codegen.func.params.user_named_funcs().values();
        self.called.extend(called.map(|name| FuncId::from_u32(name.index)));
        let is_long = codegen.func.dfg.num_insts() > LONG_MIN;
        let isa = Arc::clone(if is_long { &self.quick_isa } else { &self.isa });
        let done = self.open.push(ForgedFunction { id, codegen, isa });
        self.define(done);
    }

    /// Puts finished code where it can be run.
    pub fn define(&mut self, pieces: Vec<ForgedFunction>) {
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
