//! One function being generated: values in their representations, guards, calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::{FxHashMap, FxHashSet, Id};
use cranelift_codegen::Context as Codegen;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self, AbiParam, Block, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, types,
};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_frontend::FunctionBuilder;
use cranelift_jit::JITModule;
use cranelift_module::FuncId as FuncOfCode;
use eval::interp::{Machine, NodeForCode, VarSet};
use eval::ir::{FuncId, IrId, Program, VarIdx};
use value::{Constant, OpResult, Value, ValueId, raw};

use crate::env::{Binding, CellNo, Env, FrameNo};
use crate::hint::Hint;
use crate::interpreted::Needs;
use crate::memo::MemoPlan;
use crate::once::Once;
use crate::pieces::Choices;
use crate::recursion::RecursiveFunctions;
use crate::runtime::{self, Helper};
use crate::shared::SelfApplication;
use crate::split::Draft;

/// The reason why something is not compiled; the interpreter does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub &'static str);

/// The reason when making code would take longer than it is worth by now.
pub(crate) const TOO_MUCH: Unsupported = Unsupported("more code than it is worth by now");

/// The reason when the interpreter has spent little time on an action.
pub(crate) const RARE: Unsupported = Unsupported("little time was spent on it when code was made");

pub(crate) type Emitted<T> = Result<T, Unsupported>;

/// The return value of a function that did everything. Otherwise the interpreter must start over.
pub(crate) const DONE: i64 = 1;
pub(crate) const GAVE_UP: i64 = 2;
/// The first return value of a function that did everything: the action is not possible, by a guard with a number, or by
/// the variables of a closing. The greater codes are for the other guards, and then for the other closings.
pub(crate) const CLOSED: i64 = 3;
pub(crate) const CLOSED_BY_READS: i64 = CLOSED + crate::split::STAGES_MAX as i64;

/// A value of the specification, in one of its forms in code.
#[derive(Clone, Debug)]
pub(crate) struct Val {
    pub repr: Repr,
    pub hint: Hint,
    /// Whether it may be a value that was just made and not one of a state: then the hint says nothing, and code must
    /// not give up because of that.
    pub is_made: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Repr {
    Const(Constant),
    /// An id of 32 bits.
    Id(ir::Value),
    /// A word.
    Word(ir::Value),
    /// An integer of 63 bits in 64.
    Int(ir::Value),
    /// 0 or 1, in 8 bits.
    Bool(ir::Value),
}

impl Val {
    pub fn constant(constant: Constant) -> Val {
        Val { repr: Repr::Const(constant), hint: Hint::Unknown, is_made: false }
    }

    pub fn word(word: ir::Value) -> Val {
        Val { repr: Repr::Word(word), hint: Hint::Unknown, is_made: true }
    }

    /// Makes a part of a state.
    pub fn of_state(id: ir::Value, hint: Hint) -> Val {
        Val { repr: Repr::Id(id), hint, is_made: false }
    }

    /// Returns the same value with a guess at its form.
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Val {
        Val { hint, ..self }
    }

    pub fn int(int: ir::Value) -> Val {
        Val { repr: Repr::Int(int), hint: Hint::Int, is_made: false }
    }

    pub fn bool(truth: ir::Value) -> Val {
        Val { repr: Repr::Bool(truth), hint: Hint::Bool, is_made: false }
    }

    pub fn as_const(&self) -> Option<Value<'static>> {
        match self.repr {
            Repr::Const(constant) => Some(constant.get()),
            Repr::Id(_) | Repr::Word(_) | Repr::Int(_) | Repr::Bool(_) => None,
        }
    }
}

/// The value of a variable of the next state.
#[derive(Clone, Debug)]
pub(crate) enum NextValue {
    Unchanged,
    Val(Val),
    /// A value in a cell.
    Held {
        cell: CellNo,
        hint: Hint,
        is_made: bool,
    },
}

/// The data that the functions of one action have in common while their code is made.
#[derive(Debug, Default)]
pub(crate) struct Common {
    /// The expressions that are evaluated by need.
    pub onces: Vec<Once>,
    /// The cells of slots, and of variables of the next state.
    pub cells: BTreeMap<(FrameNo, u16), CellNo>,
    pub next_cells: BTreeMap<VarIdx, CellNo>,
    pub n_cells: u32,
    /// Number of functions whose code is being made, one inside the other.
    pub n_open: usize,
    /// Number of frames besides the first.
    pub n_frames: u32,
    /// Number of calls of actions that apply themselves whose bodies are part of the code.
    pub n_unrolled: usize,
    /// Whether functions apply themselves, as far as it is known.
    pub recursive: FxHashMap<FuncId, bool>,
    pub needs: FxHashMap<IrId, Rc<Needs>>,
    /// The nodes that the code leaves to the interpreter.
    pub interpreted: Vec<IrId>,
    /// Number of nodes that were compiled.
    n_nodes: usize,
    /// Number of instructions of finished functions, and the limit on it, if there is one.
    pub n_instructions: usize,
    pub n_instructions_max: Option<usize>,
    /// The conjuncts of the action where its code gives up, because these cannot be compiled.
    pub stops: Rc<FxHashSet<IrId>>,
    /// Whether only the guards of an action are compiled: the code gives up where the action may be possible.
    pub only_guards: bool,
    /// The innermost conjunct that could not be compiled.
    pub no_code_at: Option<IrId>,
}

/// The generator of one function.
// Over 20 fields: the tables of the code so far, each asked by another kind of node.
pub(crate) struct Emitter<'e, 'p, 'r> {
    pub b: FunctionBuilder<'e>,
    pub program: &'p Program,
    pub machine: &'e mut Machine<'p, 'r>,
    pub hints: &'e [Hint],
    pub isa: OwnedTargetIsa,
    pub module: &'e mut JITModule,
    /// The functions that parts of this one were made into.
    pub outlined: &'e mut Vec<(FuncOfCode, Codegen)>,
    /// The functions that apply themselves, of all actions.
    pub functions: &'e mut RecursiveFunctions,
    pub common: Common,
    /// The address of the cells.
    pub memory: ir::Value,
    /// The memory of the cells, in the function that has it.
    cells: Option<ir::StackSlot>,
    pub env: Env,
    pub next: Vec<Option<NextValue>>,
    /// Constant tables to which the code refers.
    pub tables: &'e mut Vec<Box<[u64]>>,
    /// The nodes that the code leaves to the interpreter, at addresses that stay.
    #[expect(clippy::vec_box, reason = "code has their addresses")]
    pub nodes: &'e mut Vec<Box<NodeForCode>>,
    /// The places where results are kept.
    pub plan: &'e mut MemoPlan,
    pub context: ir::Value,
    ids: ir::Value,
    pub window: ir::Value,
    gives_up: Block,
    /// The number that the function returns when it gives up.
    gave_up: i64,
    /// Whether the code says where it gave up.
    pub notes_ends: bool,
    /// The node that was begun last.
    pub at: Option<IrId>,
    /// The variables of the current state that the code reads.
    pub reads: VarSet,
    /// The end of an action that is not possible, until a successor may have been written.
    pub end: Option<Block>,
    /// The ends where the action is not possible, whatever the other variables are: those that were read, as bits.
    pub closings: Vec<(u64, Block)>,
    /// The function of the specification that the code is for, if it applies itself.
    pub applies_itself: Option<SelfApplication>,
    /// The choices on the way to the piece of an action that code is made for.
    pub choices: Option<Choices>,
    /// Whether a condition of the state decided which way is taken: what comes after it is on one of several ways, and
    /// no choice there is one of the whole piece.
    pub is_conditional: bool,
    /// The pieces of an action, as long as it has nothing else.
    pub draft: Option<Draft>,
    /// The blocks for guards that are false, by the number of the guard, with the variables that were read until there.
    pub stages: Vec<(Block, VarSet)>,
}

/// Limit on the nodes of an action. More are not worth the time.
const NODES_MAX: usize = 200_000;
/// Limit on the instructions of a function, because compile time grows faster than their number.
const INSTRUCTIONS_MAX: usize = 1 << 16;
/// Limit on the parts of a value. A larger one is left to the interpreter.
pub(crate) const PARTS_MAX: usize = 64;

fn load_flags() -> MemFlagsData {
    // Interned objects never change. The load must not be moved: its guard must stay before it.
    MemFlagsData::trusted().with_readonly()
}

/// The blocks of two that are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    First,
    Second,
    Both,
}

/// The kinds of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A whole action or formula.
    Whole,
    /// A part of one: it is given the address of the cells.
    Part,
    /// A function of the specification that applies itself: it is given its arguments.
    Recursive,
}

pub(crate) struct EmitterParts<'e, 'p, 'r> {
    pub program: &'p Program,
    pub machine: &'e mut Machine<'p, 'r>,
    pub hints: &'e [Hint],
    pub isa: OwnedTargetIsa,
    pub n_slots: u16,
    pub role: Role,
    pub module: &'e mut JITModule,
    pub outlined: &'e mut Vec<(FuncOfCode, Codegen)>,
    pub functions: &'e mut RecursiveFunctions,
    pub tables: &'e mut Vec<Box<[u64]>>,
    #[expect(clippy::vec_box, reason = "code has their addresses")]
    pub nodes: &'e mut Vec<Box<NodeForCode>>,
    pub plan: &'e mut MemoPlan,
    pub notes_ends: bool,
}

impl<'e, 'p, 'r> Emitter<'e, 'p, 'r> {
    /// Begins a function of the context.
    pub fn new(mut b: FunctionBuilder<'e>, parts: EmitterParts<'e, 'p, 'r>) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let context = b.block_params(entry)[0];
        let always = load_flags().with_can_move();
        let ids = b.ins().load(types::I64, always, context, runtime::IDS);
        let window = b.ins().load(types::I64, always, context, runtime::WINDOW);
        let gives_up = b.create_block();
        b.set_cold_block(gives_up);
        // A function of a part is given the address of the cells, and returns a word, which is never 0.
        let (memory, cells) = match parts.role {
            Role::Part => (b.block_params(entry)[1], None),
            Role::Whole | Role::Recursive => {
                let slot = b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 0, 3));
                (b.ins().stack_addr(types::I64, slot, 0), Some(slot))
            }
        };
        let gave_up = match parts.role {
            Role::Part | Role::Recursive => 0,
            Role::Whole => GAVE_UP,
        };
        let n_variables = parts.program.variables.len();
        Emitter {
            b,
            program: parts.program,
            machine: parts.machine,
            hints: parts.hints,
            isa: parts.isa,
            module: parts.module,
            outlined: parts.outlined,
            functions: parts.functions,
            common: Common::default(),
            memory,
            cells,
            gave_up,
            env: Env::new(parts.n_slots),
            next: vec![None; n_variables],
            tables: parts.tables,
            nodes: parts.nodes,
            plan: parts.plan,
            context,
            ids,
            window,
            gives_up,
            notes_ends: parts.notes_ends,
            at: None,
            reads: VarSet::NONE,
            end: None,
            closings: Vec::new(),
            applies_itself: None,
            choices: None,
            is_conditional: false,
            draft: None,
            stages: Vec::new(),
        }
    }

    /// Returns the parameters after the context.
    pub fn params_of_entry(&self, n: usize) -> Vec<ir::Value> {
        let entry = self.b.func.layout.entry_block().expect("a function begins with its entry");
        self.b.block_params(entry)[1..=n].to_vec()
    }

    /// Ends the function. The current block must be finished.
    pub fn finish(mut self) {
        self.b.switch_to_block(self.gives_up);
        let code = self.b.ins().iconst(types::I64, self.gave_up);
        self.b.ins().return_(&[code]);
        if let Some(slot) = self.cells {
            self.b.func.sized_stack_slots[slot].size = self.common.n_cells.max(1) * size_of::<u64>() as u32;
        }
        self.b.seal_all_blocks();
        let config = self.isa.frontend_config();
        self.b.finalize(config);
    }

    /// Begins a node. Fails when the function has become too large.
    pub fn spend(&mut self, id: IrId) -> Emitted<()> {
        self.at = Some(id);
        self.common.n_nodes += 1;
        let is_too_much = self.common.n_instructions_max.is_some_and(|max| self.common.n_instructions > max);
        match self.common.n_nodes <= NODES_MAX && self.n_instructions() <= INSTRUCTIONS_MAX {
            true if is_too_much => Err(TOO_MUCH),
            true => Ok(()),
            false => Err(Unsupported("too large")),
        }
    }

    pub fn n_instructions(&self) -> usize {
        self.b.func.dfg.num_insts()
    }

    pub fn block(&mut self) -> Block {
        self.b.create_block()
    }

    pub fn start(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    /// Begins a block to which no more jumps will be added. Returns whether it is reached at all: if not, code for it is
    /// not worth making.
    pub fn open(&mut self, block: Block) -> bool {
        self.b.seal_block(block);
        self.b.switch_to_block(block);
        !self.b.is_unreachable()
    }

    /// Seals two blocks that a formula leads to, and returns which of them are reached: at least one is taken to be.
    pub fn reached(&mut self, yes: Block, no: Block) -> Reached {
        match (self.open(yes), self.open(no)) {
            (true, false) => Reached::First,
            (false, true) => Reached::Second,
            (true, true) | (false, false) => Reached::Both,
        }
    }

    pub fn jump(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
    }

    pub fn iconst(&mut self, value: i64) -> ir::Value {
        self.b.ins().iconst(types::I64, value)
    }

    pub fn iconst32(&mut self, value: u32) -> ir::Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    /// Continues if `condition` is not 0, and gives up otherwise.
    pub fn guard(&mut self, condition: ir::Value) {
        let (on, end) = (self.block(), self.end_of_giving_up());
        self.b.ins().brif(condition, on, &[], end, &[]);
        self.note_end(end);
        self.start(on);
    }

    /// Returns the block to which code goes that gives up here. [`Emitter::note_end`] must follow once it does.
    fn end_of_giving_up(&mut self) -> Block {
        if !self.notes_ends {
            return self.gives_up;
        }
        let end = self.block();
        self.b.set_cold_block(end);
        end
    }

    /// Notes the current node in a block before it gives up, unless a function that was called has noted one. Does nothing
    /// if the code does not say where it gives up.
    fn note_end(&mut self, end: Block) {
        if end == self.gives_up {
            return;
        }
        self.start(end);
        let noted = self.load_word(self.context, runtime::GAVE_UP_AT);
        let at = self.at.map_or(0, |at| at.index() as i64 + 1);
        let at = self.iconst(at);
        let is_none = self.b.ins().icmp_imm_s(IntCC::Equal, noted, 0);
        let at = self.b.ins().select(is_none, at, noted);
        self.store_word(at, self.context, runtime::GAVE_UP_AT);
        self.jump(self.gives_up);
    }

    /// Runs `quick`, and `slow` where that would give up. Both give a word.
    pub fn either(
        &mut self,
        quick: impl FnOnce(&mut Self) -> Val,
        slow: impl FnOnce(&mut Self) -> Val,
    ) -> ir::Value {
        let (otherwise, join) = (self.block(), self.block());
        self.b.set_cold_block(otherwise);
        let result = self.b.append_block_param(join, types::I64);
        let gives_up = std::mem::replace(&mut self.gives_up, otherwise);
        let val = quick(self);
        let word = self.word_of(&val);
        self.b.ins().jump(join, &[word.into()]);
        self.gives_up = gives_up;
        self.start(otherwise);
        if self.notes_ends {
            let none = self.iconst(0);
            self.store_word(none, self.context, runtime::GAVE_UP_AT);
        }
        let val = slow(self);
        let word = self.word_of(&val);
        self.b.ins().jump(join, &[word.into()]);
        self.start(join);
        result
    }

    /// Gives up here, and ends the block.
    pub fn give_up_here(&mut self) {
        let end = self.end_of_giving_up();
        self.jump(end);
        self.note_end(end);
    }

    /// Gives up here. Code after this is never reached.
    pub fn give_up(&mut self) {
        self.give_up_here();
        let dead = self.block();
        self.start(dead);
    }

    /// Gives up, and returns a dummy value.
    pub fn give_up_value(&mut self, ty: ir::Type) -> ir::Value {
        self.give_up();
        self.b.ins().iconst(ty, 0)
    }

    pub fn call(&mut self, helper: Helper, args: &[ir::Value]) -> ir::Value {
        debug_assert_eq!(helper.n_args, args.len());
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params.extend(std::iter::repeat_n(AbiParam::new(types::I64), args.len() + 1));
        signature.returns.push(AbiParam::new(types::I64));
        let signature = self.b.import_signature(signature);
        let address = self.iconst(helper.address as i64);
        let mut all = vec![self.context];
        all.extend_from_slice(args);
        let call = self.b.ins().call_indirect(signature, address, &all);
        self.b.inst_results(call)[0]
    }

    /// Calls a helper that returns a word, and gives up if there is none.
    pub fn call_word(&mut self, helper: Helper, args: &[ir::Value]) -> Val {
        let word = self.call(helper, args);
        self.guard(word);
        Val::word(word)
    }

    /// Calls a helper that returns a truth, and continues at one of the blocks.
    pub fn call_branch(&mut self, helper: Helper, args: &[ir::Value], yes: Block, no: Block) {
        let truth = self.call(helper, args);
        let is_known = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, truth, 2);
        self.guard(is_known);
        self.b.ins().brif(truth, yes, &[], no, &[]);
    }

    /// Puts words on the stack, for a call, and returns their address and number.
    pub fn on_stack(&mut self, words: &[ir::Value]) -> (ir::Value, ir::Value) {
        let size = (words.len().max(1) * size_of::<u64>()) as u32;
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3));
        for (index, &word) in words.iter().enumerate() {
            self.b.ins().stack_store(types::I64, word, slot, (index * size_of::<u64>()) as i32);
        }
        let address = self.b.ins().stack_addr(types::I64, slot, 0);
        let n = self.iconst(words.len() as i64);
        (address, n)
    }

    /// Reads a variable of the current state.
    pub fn variable(&mut self, var: VarIdx) -> Val {
        self.reads = self.reads.with(VarSet::one(var));
        let offset = i32::from(var.0) * size_of::<u32>() as i32;
        let id = self.b.ins().load(types::I32, load_flags().with_can_move(), self.ids, offset);
        Val::of_state(id, self.hints[usize::from(var.0)].clone())
    }

    /// Reads a parameter of the code.
    pub fn param(&mut self, param: usize, hint: Hint) -> Val {
        let params = self.load_word(self.context, runtime::PARAMS);
        let id = self.b.ins().load(types::I32, load_flags(), params, (param * size_of::<u32>()) as i32);
        Val::of_state(id, hint)
    }

    /// Reads the id of a variable of the current state, as a word of 64 bits.
    pub fn variable_id(&mut self, var: VarIdx) -> ir::Value {
        let offset = i32::from(var.0) * size_of::<u32>() as i32;
        let id = self.b.ins().load(types::I32, load_flags().with_can_move(), self.ids, offset);
        self.b.ins().uextend(types::I64, id)
    }

    /// Reads a variable of the next state.
    pub fn next_variable(&mut self, var: VarIdx) -> Emitted<Val> {
        match self.next[usize::from(var.0)].clone() {
            Some(NextValue::Unchanged) => Ok(self.variable(var)),
            Some(NextValue::Val(val)) => Ok(val),
            Some(NextValue::Held { cell, hint, is_made }) => Ok(self.held(cell, &hint, is_made)),
            // The way to here may be one that is never taken; otherwise the interpreter reports it.
            None => Ok(Val::word(self.give_up_value(types::I64))),
        }
    }

    /// Computes a value once and for all, if it has one.
    pub fn fold(&mut self, compute: impl FnOnce(&mut Machine<'p, 'r>) -> OpResult<Value<'r>>) -> Option<Val> {
        let value = compute(self.machine).ok()?;
        self.machine.constant(value).ok().map(Val::constant)
    }

    /// Returns the id of a constant, if states can hold it.
    pub fn const_id(value: Value<'_>) -> Option<u32> {
        let id = match raw::id(value) {
            Some(id) => Some(id),
            None => {
                value::Ground::opt(value).and_then(|ground| value::Interner::shared().intern(ground).ok())
            }
        };
        id.map(ValueId::bits)
    }

    /// Returns the word of a constant: of the same value among those of states, if they can hold it, because the results
    /// of operators are kept for these only.
    pub fn const_word(value: Value<'static>) -> u64 {
        match Self::const_id(value) {
            Some(id) => raw::word(value::Interner::shared().value(ValueId::from_bits(id))),
            None => raw::word(value),
        }
    }

    pub fn load8(&mut self, address: ir::Value, offset: i32) -> ir::Value {
        self.b.ins().load(types::I8, load_flags(), address, offset)
    }

    fn load16(&mut self, address: ir::Value, offset: i32) -> ir::Value {
        self.b.ins().load(types::I16, load_flags(), address, offset)
    }

    pub fn load32(&mut self, address: ir::Value, offset: i32) -> ir::Value {
        self.b.ins().load(types::I32, load_flags(), address, offset)
    }

    pub fn load64(&mut self, address: ir::Value, offset: i32) -> ir::Value {
        self.b.ins().load(types::I64, load_flags(), address, offset)
    }

    /// Loads a word that generated code or a helper wrote.
    pub fn load_word(&mut self, address: ir::Value, offset: i32) -> ir::Value {
        self.b.ins().load(types::I64, MemFlagsData::trusted(), address, offset)
    }

    /// Loads 32 bits that may have changed since they were last loaded.
    pub fn load_kept(&mut self, address: ir::Value, offset: i32) -> ir::Value {
        self.b.ins().load(types::I32, MemFlagsData::trusted(), address, offset)
    }

    pub fn store_word(&mut self, word: ir::Value, address: ir::Value, offset: i32) {
        self.b.ins().store(MemFlagsData::trusted(), word, address, offset);
    }

    /// Loads the `index`-th slot of an interned object.
    pub fn slot(&mut self, object: ir::Value, index: u32) -> ir::Value {
        self.load32(object, raw::SLOTS_OFFSET + index as i32 * size_of::<u32>() as i32)
    }

    /// Loads the slot at an index of 64 bits, plus `first`.
    pub fn slot_at(&mut self, object: ir::Value, index: ir::Value, first: u32) -> ir::Value {
        let offset = self.b.ins().ishl_imm_s(index, 2);
        let place = self.b.ins().iadd(object, offset);
        self.slot(place, first)
    }

    /// Gives up unless the object is of this kind.
    pub fn guard_kind(&mut self, object: ir::Value, kind: raw::InternedKind) {
        let start = self.load16(object, 0);
        let is = self.b.ins().icmp_imm_s(IntCC::Equal, start, i64::from(kind.start()));
        self.guard(is);
    }

    /// Gives up unless the object is of this kind, wherever its children are.
    pub fn guard_kind_in_any_form(&mut self, object: ir::Value, kind: raw::InternedKind) {
        let byte = self.load8(object, 0);
        let is = self.b.ins().icmp_imm_s(IntCC::Equal, byte, i64::from(kind.byte()));
        self.guard(is);
    }

    /// Returns the length of a sequence, wherever its elements are.
    pub fn sequence_len_of(&mut self, object: ir::Value) -> ir::Value {
        self.guard_kind_in_any_form(object, raw::InternedKind::Sequence);
        self.len(object)
    }

    /// Returns the number of children, in 64 bits.
    pub fn len(&mut self, object: ir::Value) -> ir::Value {
        let len = self.load32(object, raw::LEN_OFFSET);
        self.b.ins().uextend(types::I64, len)
    }

    /// Restores bindings: facts learnt after a test may not be used for its other outcome.
    pub fn forget_to(&mut self, saved: Env) {
        self.env = saved;
    }

    pub fn bind(&mut self, slot: u16, val: Val) {
        self.env.bind(slot, Binding::Val(val));
    }
}
