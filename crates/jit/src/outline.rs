//! Parts of an action that become functions of their own, because several places of its code need them: definitions and
//! arguments that are evaluated by need, and the rest of an action after a part with several ways.
//!
//! Such a function has the context and the address of memory that all functions of the action share. A name that it
//! reads is in a cell of that memory, where whoever calls it has put the value.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use cranelift_codegen::ir::{self, AbiParam, InstBuilder, Signature, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};

use eval::ir::{IrId, VarIdx};

use crate::emit::{Emitted, Emitter, EmitterParts, NextValue, Role, Unsupported, Val};
use crate::env::{Binding, CellNo, Env, FrameNo};
use crate::hint::Hint;
use crate::interpreted::Needs;
use crate::pieces::nodes_of;

/// A function that was made out of a part.
#[derive(Clone, Debug)]
pub(crate) struct Outlined {
    func: FuncId,
    /// The names whose values it reads from cells.
    names: Vec<(FrameNo, u16, CellNo)>,
    /// The variables of the next state that it reads from cells.
    next: Vec<(VarIdx, CellNo)>,
}

/// The most nodes of a part that is put into the code at each place that needs it.
pub(crate) const REPEATED_MAX: usize = 32;

impl<'p, 'r> Emitter<'_, 'p, 'r> {
    /// Returns the cell of a slot.
    fn cell_of(&mut self, frame: FrameNo, slot: u16) -> CellNo {
        match self.common.cells.get(&(frame, slot)) {
            Some(&cell) => cell,
            None => {
                let cell = self.new_cell();
                self.common.cells.insert((frame, slot), cell);
                cell
            }
        }
    }

    /// Returns the cell of a variable of the next state.
    fn next_cell(&mut self, var: VarIdx) -> CellNo {
        match self.common.next_cells.get(&var) {
            Some(&cell) => cell,
            None => {
                let cell = self.new_cell();
                self.common.next_cells.insert(var, cell);
                cell
            }
        }
    }

    pub fn new_cell(&mut self) -> CellNo {
        self.common.n_cells += 1;
        CellNo(self.common.n_cells - 1)
    }

    pub fn load_cell(&mut self, cell: CellNo) -> ir::Value {
        let offset = cell.0 as i32 * size_of::<u64>() as i32;
        self.b.ins().load(types::I64, ir::MemFlagsData::trusted(), self.memory, offset)
    }

    pub fn store_cell(&mut self, cell: CellNo, word: ir::Value) {
        self.store_word(word, self.memory, cell.0 as i32 * size_of::<u64>() as i32);
    }

    /// Returns the slots with values that are read when these nodes are evaluated in their frames.
    fn names_of(&mut self, env: &Env, parts: &[(IrId, FrameNo)]) -> Vec<(FrameNo, u16, CellNo)> {
        let mut names = Vec::new();
        let mut seen = BTreeSet::new();
        let mut todo: Vec<(Rc<Needs>, FrameNo)> =
            parts.iter().map(|&(id, frame)| (self.needs(id), frame)).collect();
        while let Some((needs, frame)) = todo.pop() {
            for (depth, slot) in needs.slots() {
                let Some(frame) = env.up_from(frame, depth) else { continue };
                if !seen.insert((frame, slot)) {
                    continue;
                }
                match env.binding_in(frame, slot) {
                    Some(Binding::Val(val)) if val.as_const().is_some() => {}
                    Some(Binding::Val(_) | Binding::Held { .. }) => {
                        names.push((frame, slot, self.cell_of(frame, slot)));
                    }
                    Some(Binding::Argument { expr, frame, .. }) => todo.push((self.needs(*expr), *frame)),
                    Some(Binding::Operator { func, link }) => {
                        todo.push((Rc::new(Needs::of_body(self.program, *func)), *link));
                    }
                    // The expression itself was looked at.
                    Some(Binding::Memo { .. }) | None => {}
                }
            }
        }
        names
    }

    /// Makes a function out of parts of the current frame: `body` makes its code, which ends with a return. `next` are the
    /// values of the next state that it starts with.
    pub fn outline<T>(
        &mut self,
        env: &Env,
        parts: &[(IrId, FrameNo)],
        next: &[Option<NextValue>],
        body: impl FnOnce(&mut Emitter<'_, 'p, 'r>) -> Emitted<T>,
    ) -> Emitted<(Outlined, T)> {
        let names = self.names_of(env, parts);
        let inner = env.in_cells(&names, |val| (self.kept_hint(val), val.is_made));
        let (inner_next, held) = self.hold_next(next);
        let signature = self.outlined_signature();
        let isa = Arc::clone(&self.isa);
        let mut codegen = self.module.make_context();
        codegen.func.signature = signature.clone();
        let mut building = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut codegen.func, &mut building);
        let parts = EmitterParts {
            program: self.program,
            machine: &mut *self.machine,
            hints: self.hints,
            isa: Arc::clone(&isa),
            n_slots: 0,
            role: Role::Part,
            module: &mut *self.module,
            outlined: &mut *self.outlined,
            functions: &mut *self.functions,
            tables: &mut *self.tables,
            nodes: &mut *self.nodes,
            plan: &mut *self.plan,
            notes_ends: self.notes_ends,
        };
        let mut emitter = Emitter::new(builder, parts);
        emitter.env = inner;
        emitter.next = inner_next;
        emitter.applies_itself = self.applies_itself;
        emitter.common = std::mem::take(&mut self.common);
        emitter.common.n_open += 1;
        let made = body(&mut emitter);
        emitter.common.n_open -= 1;
        let (common, reads, at) = (std::mem::take(&mut emitter.common), emitter.reads, emitter.at);
        let made = match made {
            Ok(made) => {
                emitter.finish();
                made
            }
            Err(unsupported) => {
                drop(emitter);
                (self.common, self.at) = (common, at);
                return Err(unsupported);
            }
        };
        self.common = common;
        self.common.n_instructions += codegen.func.dfg.num_insts();
        self.reads = self.reads.with(reads);
        let failed = |_| Unsupported("code that cannot be finished");
        let func = self.module.declare_anonymous_function(&signature).map_err(failed)?;
        self.outlined.push((func, codegen));
        Ok((Outlined { func, names, next: held }, made))
    }

    /// Moves the values of the next state into cells. Returns how they are found there, and which these are.
    fn hold_next(&mut self, next: &[Option<NextValue>]) -> (Vec<Option<NextValue>>, Vec<(VarIdx, CellNo)>) {
        let mut held = Vec::new();
        let mut inner = next.to_vec();
        for (index, given) in next.iter().enumerate() {
            let hint = match given {
                None | Some(NextValue::Unchanged) => continue,
                Some(NextValue::Val(val)) => self.kept_hint(val),
                Some(NextValue::Held { hint, .. }) => hint.clone(),
            };
            let var = VarIdx(index as u16);
            let cell = self.next_cell(var);
            // At other places where the same function is called it may be of another form.
            inner[index] = Some(NextValue::Held { cell, hint, is_made: true });
            held.push((var, cell));
        }
        (inner, held)
    }

    fn outlined_signature(&self) -> Signature {
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params.extend([AbiParam::new(types::I64), AbiParam::new(types::I64)]);
        signature.returns.push(AbiParam::new(types::I64));
        signature
    }

    /// Puts the values that a function reads into their cells, and calls it.
    pub fn call_outlined(&mut self, outlined: &Outlined) -> Emitted<ir::Value> {
        for &(frame, slot, cell) in &outlined.names {
            let val = match self.env.binding_in(frame, slot) {
                Some(Binding::Val(val)) => val.clone(),
                // It is there already.
                Some(Binding::Held { .. }) => continue,
                Some(Binding::Memo { .. } | Binding::Argument { .. } | Binding::Operator { .. }) | None => {
                    return Err(Unsupported("a name without a value"));
                }
            };
            let word = self.word_of(&val);
            self.store_cell(cell, word);
        }
        for &(var, cell) in &outlined.next {
            let val = match self.next[usize::from(var.0)].clone() {
                // It is there already.
                Some(NextValue::Held { .. }) => continue,
                Some(NextValue::Val(val)) => val,
                Some(NextValue::Unchanged) => self.variable(var),
                None => return Err(Unsupported("a variable of the next state without a value")),
            };
            let word = self.word_of(&val);
            self.store_cell(cell, word);
        }
        let func = self.module.declare_func_in_func(outlined.func, self.b.func);
        let call = self.b.ins().call(func, &[self.context, self.memory]);
        Ok(self.b.inst_results(call)[0])
    }

    /// Returns the number of nodes of these parts, counted as often as they are used, up to a limit.
    pub fn size(&self, ids: &[IrId], limit: usize) -> usize {
        nodes_of(self.program, ids, limit)
    }

    /// Returns the value in a cell.
    pub fn held(&mut self, cell: CellNo, hint: &Hint, is_made: bool) -> Val {
        let word = self.load_cell(cell);
        Val { repr: crate::emit::Repr::Word(word), hint: hint.clone(), is_made }
    }
}
