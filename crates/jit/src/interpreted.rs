//! Nodes that code leaves to the interpreter: the values that they need, and the call.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::FxHashSet;
use eval::interp::{FrameForCode, NodeForCode, VarSet};
use eval::ir::{CallArg, FuncId, IrId, IrKind, Program, SlotRef, VarIdx};

use crate::emit::{Emitted, Emitter, NextValue, Unsupported, Val};
use crate::env::{Binding, FrameNo};
use crate::hint::Hint;
use crate::runtime::{self, Helper};

/// Number of nodes that were left to the interpreter so far. Results are kept by it, because addresses are used again.
static N_LEFT: AtomicU64 = AtomicU64::new(0);

/// Returns a number under which results of a node are kept.
pub(crate) fn new_number() -> u64 {
    N_LEFT.fetch_add(1, Ordering::Relaxed)
}

/// The names that a node reads: slots by the number of links from its own frame, and variables.
#[derive(Debug)]
pub(crate) struct Needs {
    slots: BTreeMap<u16, BTreeSet<u16>>,
    operators: bool,
    current: VarSet,
    next: VarSet,
}

/// More frames than functions are nested in each other. A function that applies itself makes new frames without end, but
/// a slot is never named through more links than this.
const OWN_MAX: u16 = 64;

/// A node to look at: it is in the innermost of `n_own` frames that were made on the way to it, the outermost of which
/// is linked to the frame `depth` links out from the first node's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Visit {
    pub id: IrId,
    n_own: u16,
    depth: u16,
}

impl Visit {
    /// Begins with a node of the first frame.
    pub fn of_root(id: IrId) -> Visit {
        Visit { id, n_own: 0, depth: 0 }
    }

    /// Whether the node is in the frame of the first one.
    pub fn is_in_first_frame(self) -> bool {
        (self.n_own, self.depth) == (0, 0)
    }

    /// Returns it, unless it is linked to a frame around the first one.
    pub fn within_first_frame(self) -> Option<Visit> {
        (self.depth == 0).then_some(self)
    }

    /// Whether a slot is in a frame that was made on the way.
    pub fn is_own(self, slot: SlotRef) -> bool {
        slot.up < self.n_own
    }

    /// Returns a slot if it is in the first frame, nothing if it is in one that was made on the way, and `None` if it is in
    /// a frame around the first.
    pub fn first_frame_slot(self, slot: SlotRef) -> Option<Option<u16>> {
        match slot.up.checked_sub(self.n_own) {
            None => Some(None),
            Some(links) => (self.depth + links == 0).then_some(Some(slot.index)),
        }
    }

    /// Returns where a node in the frame `up` links out is.
    pub fn out(self, id: IrId, up: u16) -> Visit {
        let (n_own, depth) = match self.n_own.checked_sub(up) {
            Some(n_own) => (n_own, self.depth),
            None => (0, self.depth + (up - self.n_own)),
        };
        Visit { id, n_own, depth }
    }

    /// Returns where the body of a function is that is linked to the frame `up` links out.
    pub fn into_body(self, body: IrId, up: u16) -> Visit {
        let linked = self.out(body, up);
        Visit { n_own: (linked.n_own + 1).min(OWN_MAX), ..linked }
    }
}

impl Needs {
    /// Collects what a node reads, whatever else it does.
    fn of_any(program: &Program, root: IrId) -> Needs {
        Needs::from(program, Visit::of_root(root))
    }

    /// Collects what the body of a function reads: slots by the number of links from the frame that it is linked to.
    pub fn of_body(program: &Program, func: FuncId) -> Needs {
        Needs::from(program, Visit { id: program.funcs[func].body, n_own: 1, depth: 0 })
    }

    /// Iterates over the slots, each with the number of links to its frame.
    pub fn slots(&self) -> impl Iterator<Item = (u16, u16)> {
        self.slots.iter().flat_map(|(&depth, slots)| slots.iter().map(move |&slot| (depth, slot)))
    }

    /// Returns the variables of the current state that are read.
    pub fn current(&self) -> VarSet {
        self.current
    }

    /// Whether operators are read that are parameters of a function around.
    pub fn has_operators(&self) -> bool {
        self.operators
    }

    /// Returns the variables of the next state that are read.
    pub fn next(&self) -> VarSet {
        self.next
    }

    fn from(program: &Program, first: Visit) -> Needs {
        let mut needs =
            Needs { slots: BTreeMap::new(), operators: false, current: VarSet::NONE, next: VarSet::NONE };
        let mut seen = FxHashSet::from_iter([first]);
        let mut todo = vec![first];
        while let Some(visit) = todo.pop() {
            let mut next = Vec::new();
            needs.add(program, visit, &mut next);
            todo.extend(next.into_iter().filter(|&visit| seen.insert(visit)));
        }
        needs
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node reads what is below it")]
    fn add(&mut self, program: &Program, visit: Visit, next: &mut Vec<Visit>) {
        let kind = &program.irs[visit.id].kind;
        match kind {
            IrKind::Var(var) => self.current = self.current.with(VarSet::one(*var)),
            IrKind::Next(var) => self.next = self.next.with(VarSet::one(*var)),
            IrKind::Slot(slot) => self.add_slot(visit, *slot),
            IrKind::CallParam { slot, .. } => self.add_operator(visit, *slot),
            IrKind::Lazy { up, memo, expr } => {
                if let Some(memo) = memo {
                    self.add_slot(visit, SlotRef { up: *up, index: *memo });
                }
                next.push(visit.out(*expr, *up));
                return;
            }
            IrKind::Call { func, up, .. } => next.push(visit.into_body(program.funcs[*func].body, *up)),
            _ => {}
        }
        kind.for_each_slot(&mut |index| {
            if visit.n_own == 0 {
                self.slots.entry(visit.depth).or_default().insert(index);
            }
        });
        kind.for_each_passed(&mut |arg| match arg {
            CallArg::Func(func) => next.push(visit.into_body(program.funcs[func].body, 0)),
            CallArg::Param(slot) => self.add_operator(visit, slot),
            CallArg::Expr(_) => {}
        });
        kind.for_each_child(&mut |child| next.push(Visit { id: child, ..visit }));
    }

    fn add_slot(&mut self, visit: Visit, slot: SlotRef) {
        if !visit.is_own(slot) {
            let depth = visit.depth + (slot.up - visit.n_own);
            self.slots.entry(depth).or_default().insert(slot.index);
        }
    }

    fn add_operator(&mut self, visit: Visit, slot: SlotRef) {
        self.operators |= !visit.is_own(slot);
    }

    /// Whether a step, and not one state, determines the value.
    fn reads_next(&self) -> bool {
        self.next != VarSet::NONE
    }
}

impl Emitter<'_, '_, '_> {
    /// Returns what a node reads.
    pub fn needs(&mut self, id: IrId) -> Rc<Needs> {
        let program = self.program;
        Rc::clone(self.common.needs.entry(id).or_insert_with(|| Rc::new(Needs::of_any(program, id))))
    }

    /// Leaves a node to the interpreter.
    pub fn interpret(&mut self, id: IrId) -> Emitted<Val> {
        self.interpret_by(runtime::interpret::helper(), id)
    }

    /// Leaves a node to the interpreter whose value is a set that is about to be listed: it is made explicit, and kept.
    pub fn interpret_listed(&mut self, id: IrId) -> Emitted<Val> {
        let set = self.interpret_by(runtime::interpret_listed::helper(), id)?;
        Ok(Val { hint: Hint::Set(Rc::new(Hint::Unknown)), is_made: false, ..set })
    }

    fn interpret_by(&mut self, helper: Helper, id: IrId) -> Emitted<Val> {
        let needs = self.needs(id);
        if needs.operators {
            return Err(Unsupported("an operator argument of a part without code"));
        }
        if self.applies_itself.is_some_and(|own| needs.slots().any(|slot| slot == (0, own.itself))) {
            return Err(Unsupported("a function that applies itself in a part without code"));
        }
        self.common.interpreted.push(id);
        self.reads = self.reads.with(needs.current);
        let mut words = Vec::new();
        let next = if self.program.irs[id].facts.reads_next || needs.reads_next() {
            Some(self.next_words(&needs, &mut words)?)
        } else {
            None
        };
        let depth_max = needs.slots.keys().copied().max().unwrap_or(0);
        let mut frames = Vec::new();
        for depth in (0..=depth_max).rev() {
            let frame = self.env.up(depth).ok_or(Unsupported("a frame that is not there"))?;
            let slots = needs.slots.get(&depth).into_iter().flatten().copied();
            frames.push(self.frame_for_code(frame, slots.collect(), &mut words)?);
        }
        let node = Box::new(NodeForCode { id, frames, next });
        let address = self.iconst(std::ptr::from_ref(&*node) as i64);
        self.nodes.push(node);
        // What it reads determines its value, which is kept by that.
        let n_given = self.iconst(words.len() as i64);
        for index in 0..self.next.len() {
            let var = VarIdx(index as u16);
            if needs.current.meets(VarSet::one(var)) {
                words.push(self.variable_id(var));
            }
        }
        let (first, n) = self.on_stack(&words);
        let number = self.iconst(new_number() as i64);
        Ok(self.call_word(helper, &[address, number, first, n_given, n]))
    }

    /// Lists the variables of the next state that have values, and adds these to the words.
    fn next_words(
        &mut self,
        needs: &Needs,
        words: &mut Vec<cranelift_codegen::ir::Value>,
    ) -> Emitted<Vec<VarIdx>> {
        let mut given = Vec::new();
        for index in 0..self.next.len() {
            let var = VarIdx(index as u16);
            let is_read = needs.next.meets(VarSet::one(var));
            let val = match &self.next[index] {
                Some(NextValue::Unchanged) if is_read => self.variable(var),
                Some(NextValue::Val(val)) if is_read => val.clone(),
                Some(NextValue::Held { .. }) if is_read => self.next_variable(var)?,
                Some(NextValue::Unchanged | NextValue::Val(_) | NextValue::Held { .. }) | None => continue,
            };
            given.push(var);
            words.push(self.word_of(&val));
        }
        Ok(given)
    }

    /// Describes a frame in which these slots are named, and adds the values of those that have one to the words.
    fn frame_for_code(
        &mut self,
        frame: FrameNo,
        slots: Vec<u16>,
        words: &mut Vec<cranelift_codegen::ir::Value>,
    ) -> Emitted<FrameForCode> {
        let mut given = Vec::new();
        for &slot in &slots {
            let val = match self.env.binding_in(frame, slot).cloned() {
                Some(Binding::Val(val) | Binding::Memo { known: Some(val), .. }) => val,
                Some(Binding::Held { cell, hint, is_made }) => self.held(cell, &hint, is_made),
                Some(Binding::Argument { .. }) => self.argument(frame, slot)?,
                Some(Binding::Memo { known: None, .. } | Binding::Operator { .. }) | None => continue,
            };
            given.push(slot);
            words.push(self.word_of(&val));
        }
        Ok(FrameForCode { n_slots: self.env.n_slots(frame), emptied: slots, given })
    }

    /// Returns whether a function applies itself, directly or through others.
    pub fn is_recursive(&mut self, func: FuncId) -> bool {
        if let Some(&known) = self.common.recursive.get(&func) {
            return known;
        }
        let program = self.program;
        let mut seen = FxHashSet::default();
        let mut todo = vec![program.funcs[func].body];
        let mut is_recursive = false;
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = &program.irs[id].kind;
            kind.for_each_child(&mut |child| todo.push(child));
            kind.for_each_func(&mut |called| {
                is_recursive |= called == func;
                todo.push(program.funcs[called].body);
            });
        }
        self.common.recursive.insert(func, is_recursive);
        is_recursive
    }

    /// Gives up where a node with effects would be evaluated, or one that asks about the run.
    pub fn leave_effect(&mut self) -> Val {
        self.give_up();
        Val::word(self.iconst(value::raw::word(value::Value::FALSE) as i64))
    }
}
