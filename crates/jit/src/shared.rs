//! Definitions that many places share, and functions that apply themselves: each becomes one function in code.
//!
//! A definition over the next state, such as an invariant that actions evaluate themselves, stands in every action, and
//! in each of these on many ways. It becomes one function, which is given the values that it reads. What it reads
//! determines its value, and is the same in many steps, so the value is kept by that.

use std::sync::Arc;

use base::FxHashSet;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, InstBuilder, Signature, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId as CodeId, Module};
use eval::interp::VarSet;
use eval::ir::{Bound, CallArg, IrId, IrKind, Pattern, Program, VarIdx};
use sema::std_ops::StdOp;

use crate::cache::READ_MAX;
use crate::emit::{Emitted, Emitter, EmitterParts, NextValue, Repr, Role, TOO_MUCH, Unsupported, Val};
use crate::env::{Binding, CellNo, FrameNo};
use crate::hint::Hint;
use crate::interpreted::{Visit, new_number};
use crate::runtime;

/// The least number of nodes of a definition that is worth a call and a look at what is kept.
const SHARED_MIN: usize = 60;

/// A definition, and the function for it.
#[derive(Clone, Debug)]
pub(crate) struct SharedDefinition {
    /// The variables of the current and of the next state that it reads.
    current: VarSet,
    next: VarSet,
    /// The names around it that it reads.
    slots: Vec<u16>,
    /// The definitions around it that are evaluated by need, each with its slot.
    memos: Vec<(u16, IrId)>,
    code: CodeId,
    number: u64,
    hint: Hint,
}

/// The reads of a definition: variables, and names of its frame.
struct DefinitionReads {
    current: VarSet,
    next: VarSet,
    slots: Vec<u16>,
    memos: Vec<(u16, IrId)>,
}

/// The function of the specification that code is made for, as far as it applies itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelfApplication {
    /// The slot of the function inside its body.
    pub itself: u16,
    code: CodeId,
    /// The cell with the address of the words that it reads.
    words: CellNo,
}

/// The body that a function is made for.
#[derive(Clone, Copy)]
enum SharedBody<'b> {
    Definition(IrId),
    /// `F[x \in S] == e`, with the slots of x and F.
    Function {
        bound: &'b Bound,
        name: u16,
        itself: u16,
        body: IrId,
    },
}

impl<'p> Emitter<'_, 'p, '_> {
    /// Makes code for a definition that is a function shared by all places. Returns `None` if a node is none.
    pub fn shared(&mut self, id: IrId) -> Emitted<Option<Val>> {
        let IrKind::Enter { body, .. } = &self.program.irs[id].kind else { return Ok(None) };
        let is_long = self.functions.shared.contains_key(&id) || self.size(&[id], SHARED_MIN) >= SHARED_MIN;
        if !is_long {
            return Ok(None);
        }
        let Some(shared) = self.shared_function(id, SharedBody::Definition(*body)) else { return Ok(None) };
        let Some(mut words) = self.words_for(&shared, false)? else { return Ok(None) };
        let n_given = self.iconst(words.len() as i64);
        for var in self.variables_of(shared.current) {
            words.push(self.variable_id(var));
        }
        self.reads = self.reads.with(shared.current);
        let (first, n) = self.on_stack(&words);
        let func = self.module.declare_func_in_func(shared.code, self.b.func);
        let code = self.b.ins().func_addr(types::I64, func);
        let number = self.iconst(shared.number as i64);
        let val = self.call_word(runtime::recall::helper(), &[code, number, first, n_given, n]);
        // A set may be one that is not listed.
        let is_made = matches!(shared.hint, Hint::Unknown | Hint::Never | Hint::Set(_));
        Ok(Some(Val { hint: shared.hint, is_made, ..val }))
    }

    /// Makes code for the application of a function that applies itself. Returns `None` if the node is no such function, or
    /// is left to the interpreter.
    pub fn apply_recursive(&mut self, function: IrId, arg: IrId) -> Emitted<Option<Val>> {
        if let (IrKind::Slot(slot), Some(own)) = (&self.program.irs[function].kind, self.applies_itself)
            && (slot.up, slot.index) == (0, own.itself)
        {
            let arg = self.word(arg)?;
            let words = self.load_cell(own.words);
            return self.call_itself(own.code, words, arg).map(Some);
        }
        let Some((id, frame)) = self.function_literal(function, self.env.current) else { return Ok(None) };
        let program = self.program;
        let IrKind::Function { bounds, body, itself: Some(itself), .. } = &program.irs[id].kind else {
            return Ok(None);
        };
        let [bound @ Bound { pattern: Pattern::Names(names), .. }] = bounds.as_slice() else {
            return Ok(None);
        };
        let &[name] = names.as_slice() else { return Ok(None) };
        let arg = self.word(arg)?;
        let of = SharedBody::Function { bound, name, itself: *itself, body: *body };
        let called = self.in_frame(frame, |emitter| {
            let Some(shared) = emitter.shared_function(id, of) else { return Ok(None) };
            emitter.reads = emitter.reads.with(shared.current);
            Ok(emitter.words_for(&shared, true)?.map(|words| (shared.code, words)))
        })?;
        let Some((code, mut words)) = called else { return Ok(None) };
        let number = self.call(runtime::begin_application::helper(), &[]);
        words.insert(0, number);
        let (first, _) = self.on_stack(&words);
        self.call_itself(code, first, arg).map(Some)
    }

    /// Calls a function that applies itself, unless it gave a result for the same argument within the same application
    /// from outside: a body that applies it in several places would take exponential time.
    fn call_itself(&mut self, code: CodeId, words: ir::Value, arg: ir::Value) -> Emitted<Val> {
        let func = self.module.declare_func_in_func(code, self.b.func);
        let code = self.b.ins().func_addr(types::I64, func);
        Ok(self.call_word(runtime::apply_recursive::helper(), &[code, words, arg]))
    }

    /// Returns the node that says what a function is that a node stands for, and its frame.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node stands for a function literal")]
    fn function_literal(&self, id: IrId, frame: FrameNo) -> Option<(IrId, FrameNo)> {
        match &self.program.irs[id].kind {
            IrKind::Function { .. } => Some((id, frame)),
            IrKind::Enter { body, .. } => self.function_literal(*body, frame),
            IrKind::Lazy { up, expr, .. } => self.function_literal(*expr, self.env.up_from(frame, *up)?),
            IrKind::Slot(slot) => match self.env.binding_in(self.env.up_from(frame, slot.up)?, slot.index)? {
                Binding::Argument { expr, frame, .. } => self.function_literal(*expr, *frame),
                Binding::Val(_) | Binding::Held { .. } | Binding::Memo { .. } | Binding::Operator { .. } => {
                    None
                }
            },
            _ => None,
        }
    }

    /// Returns the words of what a function reads, in the current frame: variables of the next state, names, then
    /// definitions. What is evaluated by need is evaluated now if it `may_be_forced`. Returns `None` if something has no
    /// value.
    fn words_for(
        &mut self,
        shared: &SharedDefinition,
        may_be_forced: bool,
    ) -> Emitted<Option<Vec<ir::Value>>> {
        let mut words = Vec::new();
        for var in self.variables_of(shared.next) {
            if self.next[usize::from(var.0)].is_none() {
                return Ok(None);
            }
            let val = self.next_variable(var)?;
            words.push(self.word_of(&val));
        }
        for &slot in &shared.slots {
            let val = match self.env.binding(slot).cloned() {
                Some(Binding::Val(val)) => val,
                Some(Binding::Held { cell, hint, is_made }) => self.held(cell, &hint, is_made),
                Some(Binding::Argument { .. }) if may_be_forced => self.argument(self.env.current, slot)?,
                Some(Binding::Memo { .. } | Binding::Argument { .. } | Binding::Operator { .. }) | None => {
                    return Ok(None);
                }
            };
            words.push(self.word_of(&val));
        }
        for &(slot, expr) in &shared.memos {
            let val = self.memo(slot, expr)?;
            words.push(self.word_of(&val));
        }
        Ok(Some(words))
    }

    fn variables_of(&self, set: VarSet) -> Vec<VarIdx> {
        let all = (0..self.next.len()).map(|index| VarIdx(index as u16));
        all.filter(|&var| set.meets(VarSet::one(var))).collect()
    }

    /// Returns the function for a node, which is made when it is first asked for.
    fn shared_function(&mut self, id: IrId, body: SharedBody<'p>) -> Option<SharedDefinition> {
        if let Some(known) = self.functions.shared.get(&id) {
            return known.clone();
        }
        // It must not be asked for while it is made.
        self.functions.shared.insert(id, None);
        let reads = self.reads_of_node(id, matches!(body, SharedBody::Function { .. }))?;
        let n_outlined = self.outlined.len();
        let made = match self.make_shared(body, reads) {
            Ok(made) => made,
            Err(unsupported) => {
                // Functions that were finished on the way stay: others call them, and they do not call this one.
                let begun = self.outlined.split_off(n_outlined);
                self.outlined.extend(begun.into_iter().filter(|&(code, _)| self.functions.has(code)));
                if unsupported == TOO_MUCH {
                    // Guards get little code. Where there may be more, it is tried again.
                    self.functions.shared.remove(&id);
                }
                return None;
            }
        };
        self.functions.made.extend(self.outlined[n_outlined..].iter().map(|&(code, _)| code));
        self.functions.shared.insert(id, Some(made.clone()));
        self.functions.shared_made.push(id);
        Some(made)
    }

    /// Returns what a node reads, if a function can be made for it. Definitions around it that are evaluated by need are
    /// evaluated inside, unless it `takes_memos`.
    fn reads_of_node(&mut self, id: IrId, takes_memos: bool) -> Option<DefinitionReads> {
        let memos_inside = if takes_memos { Some(self.memos_inside(id)) } else { None };
        let mut reads = NodeReads {
            current: VarSet::NONE,
            next: VarSet::NONE,
            named: Vec::new(),
            bound: FxHashSet::default(),
            memos: Vec::new(),
            memos_inside,
        };
        let mut seen = FxHashSet::from_iter([Visit::of_root(id)]);
        let mut todo = vec![Visit::of_root(id)];
        while let Some(visit) = todo.pop() {
            let mut next = Vec::new();
            reads.add(self.program, visit, &mut next)?;
            todo.extend(next.into_iter().filter(|&visit| seen.insert(visit)));
        }
        reads.finish()
    }

    /// Returns the slots of the definitions inside a node that are evaluated by need.
    fn memos_inside(&self, id: IrId) -> FxHashSet<u16> {
        let mut bound = FxHashSet::default();
        let mut seen = FxHashSet::from_iter([id]);
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let kind = &self.program.irs[id].kind;
            if let IrKind::Bind { memos, .. } = kind {
                bound.extend(memos.iter().map(|memo| memo.slot));
            }
            kind.for_each_child(&mut |child| {
                if seen.insert(child) {
                    todo.push(child);
                }
            });
        }
        bound
    }

    fn make_shared(&mut self, body: SharedBody<'p>, reads: DefinitionReads) -> Emitted<SharedDefinition> {
        let isa = Arc::clone(&self.isa);
        let n_params = match body {
            SharedBody::Definition(_) => 1,
            SharedBody::Function { .. } => 2,
        };
        let mut signature = Signature::new(isa.default_call_conv());
        signature.params.extend(std::iter::repeat_n(AbiParam::new(types::I64), 1 + n_params));
        signature.returns.push(AbiParam::new(types::I64));
        let failed = |_| Unsupported("a function");
        let code = self.module.declare_anonymous_function(&signature).map_err(failed)?;
        let mut codegen = self.module.make_context();
        codegen.func.signature = signature;
        let mut building = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut codegen.func, &mut building);
        let parts = EmitterParts {
            program: self.program,
            machine: &mut *self.machine,
            hints: self.hints,
            isa,
            n_slots: self.env.n_slots(self.env.current),
            role: Role::Recursive,
            module: &mut *self.module,
            outlined: &mut *self.outlined,
            functions: &mut *self.functions,
            tables: &mut *self.tables,
            nodes: &mut *self.nodes,
            plan: &mut *self.plan,
            notes_ends: self.notes_ends,
        };
        let mut emitter = Emitter::new(builder, parts);
        emitter.common.n_instructions_max = self.common.n_instructions_max;
        let params = emitter.params_of_entry(n_params);
        let val = emitter.body_of_shared(body, &reads, (code, &params));
        let hint = match val {
            Ok(val) => {
                let word = emitter.word_of(&val);
                if matches!(body, SharedBody::Function { .. }) {
                    emitter.leave_depth();
                }
                emitter.b.ins().return_(&[word]);
                emitter.kept_hint(&val)
            }
            Err(unsupported) => {
                drop(emitter);
                return Err(unsupported);
            }
        };
        self.common.n_instructions += emitter.common.n_instructions;
        self.common.interpreted.append(&mut emitter.common.interpreted);
        emitter.finish();
        self.common.n_instructions += codegen.func.dfg.num_insts();
        self.outlined.push((code, codegen));
        let DefinitionReads { current, next, slots, memos } = reads;
        Ok(SharedDefinition { current, next, slots, memos, code, number: new_number(), hint })
    }

    /// Makes code for the value of a shared function, from the words of what it reads.
    fn body_of_shared(
        &mut self,
        body: SharedBody<'p>,
        reads: &DefinitionReads,
        (code, params): (CodeId, &[ir::Value]),
    ) -> Emitted<Val> {
        let words = *params.first().ok_or(Unsupported("a parameter"))?;
        let mut offset = match body {
            SharedBody::Definition(_) => 0,
            // The number of the application from outside comes first.
            SharedBody::Function { .. } => size_of::<u64>() as i32,
        };
        let mut word = |emitter: &mut Self| {
            let word = emitter.load_word(words, offset);
            offset += size_of::<u64>() as i32;
            Repr::Word(word)
        };
        // Only the words of definitions are known to be those of states.
        let is_made = matches!(body, SharedBody::Function { .. });
        for var in self.variables_of(reads.next) {
            let hint = self.hints[usize::from(var.0)].clone();
            let val = Val { repr: word(self), hint, is_made };
            self.next[usize::from(var.0)] = Some(NextValue::Val(val));
        }
        let memos = reads.memos.iter().map(|(slot, _)| slot);
        for &slot in reads.slots.iter().chain(memos) {
            let val = Val { repr: word(self), hint: Hint::Unknown, is_made: true };
            self.bind(slot, val);
        }
        match body {
            SharedBody::Definition(body) => self.value(body),
            SharedBody::Function { bound, name, itself, body } => {
                self.enter_depth();
                let cell = self.new_cell();
                self.store_cell(cell, words);
                self.applies_itself = Some(SelfApplication { itself, code, words: cell });
                let arg = *params.get(1).ok_or(Unsupported("a parameter"))?;
                let arg = self.element_of_domain(bound.set, arg)?;
                self.bind(name, arg);
                self.value(body)
            }
        }
    }

    /// Gives up unless the argument of a function is in its domain.
    fn element_of_domain(&mut self, set: IrId, arg: ir::Value) -> Emitted<Val> {
        let arg = Val::word(arg);
        if let IrKind::Native { op: StdOp::Interval, args } = &self.program.irs[set].kind
            && let &[CallArg::Expr(first), CallArg::Expr(last)] = args.as_slice()
        {
            let (first, last) = self.two_ints(first, last)?;
            let int = self.int_of(&arg);
            let is_from = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, first, int);
            let is_to = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, int, last);
            let is_inside = self.b.ins().band(is_from, is_to);
            self.guard(is_inside);
            return Ok(Val::int(int));
        }
        let set = self.word(set)?;
        let word = self.word_of(&arg);
        let is_member = self.call(runtime::member::helper(), &[word, set]);
        let is_inside = self.b.ins().icmp_imm_s(IntCC::Equal, is_member, 1);
        self.guard(is_inside);
        Ok(arg)
    }
}

/// The reads and writes found on the way through a node.
struct NodeReads {
    current: VarSet,
    next: VarSet,
    named: Vec<u16>,
    /// The slots that get values inside.
    bound: FxHashSet<u16>,
    memos: Vec<(u16, IrId)>,
    /// The definitions inside that are evaluated by need, if those around are evaluated before.
    memos_inside: Option<FxHashSet<u16>>,
}

impl NodeReads {
    /// Adds what one node reads. Returns `None` if it needs more around it than variables and names of the first frame.
    fn add(&mut self, program: &Program, visit: Visit, next: &mut Vec<Visit>) -> Option<()> {
        let kind = &program.irs[visit.id].kind;
        #[expect(clippy::wildcard_enum_match_arm, reason = "every other node reads what is below it")]
        match kind {
            IrKind::Var(var) => self.current = self.current.with(VarSet::one(*var)),
            IrKind::Next(var) => self.next = self.next.with(VarSet::one(*var)),
            IrKind::Slot(slot) => self.named.extend(visit.first_frame_slot(*slot)?),
            IrKind::CallParam { slot, .. } if !visit.is_own(*slot) => return None,
            // Code gives up where it comes to an effect, so results without effects are kept.
            IrKind::Enabled { .. } | IrKind::Step { .. } | IrKind::Cdot(..) => return None,
            IrKind::Lazy { up, memo, expr } => {
                let target = visit.out(*expr, *up);
                match (memo, &self.memos_inside) {
                    (Some(slot), Some(inside)) if target.is_in_first_frame() && !inside.contains(slot) => {
                        self.memos.push((*slot, *expr));
                    }
                    (_, _) => next.push(target.within_first_frame()?),
                }
                return Some(());
            }
            IrKind::Call { func, up, .. } => {
                next.push(visit.into_body(program.funcs[*func].body, *up).within_first_frame()?);
            }
            _ => {}
        }
        if visit.is_in_first_frame() {
            kind.for_each_bound_slot(&mut |slot| self.bound.extend([slot]));
        }
        let mut is_closed = true;
        kind.for_each_passed(&mut |arg| match arg {
            CallArg::Func(func) => next.push(visit.into_body(program.funcs[func].body, 0)),
            CallArg::Param(slot) => is_closed &= visit.is_own(slot),
            CallArg::Expr(_) => {}
        });
        kind.for_each_child(&mut |child| next.push(visit.out(child, 0)));
        is_closed.then_some(())
    }

    fn finish(mut self) -> Option<DefinitionReads> {
        self.named.retain(|slot| !self.bound.contains(slot));
        self.named.sort_unstable();
        self.named.dedup();
        self.memos.sort_unstable();
        self.memos.dedup();
        let NodeReads { current, next, named, memos, .. } = self;
        let n_variables = (current.bits().count_ones() + next.bits().count_ones()) as usize;
        let n_read = n_variables + named.len() + memos.len();
        (n_read <= READ_MAX).then_some(DefinitionReads { current, next, slots: named, memos })
    }
}
