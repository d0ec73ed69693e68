//! Names and values on the way: of the calls that led to a fault, and of a step.
//!
//! A search records nothing. The path of a fault is made while the fault is passed up, from values at hand: nothing is
//! computed for it. The way of a step is recorded when a trace is rebuilt.

use base::{FxHashSet, Name};
use diag::Span;
use sema::spec::{DefId, Quantifier};
use value::{OpError, Value};

use super::fault::{Fault, FaultKind, PathEntry, SavedValue};
use super::{ActionInstance, Machine, Slot};
use crate::Owned;
use crate::ir::{ActionLeaf, FuncId, GlobalId, IrId, IrKind, Param, Program, SlotRef};

/// A node that the walk of an action has passed.
pub(super) struct PassedNode<'r> {
    node: IrId,
    /// The frame in which it was walked.
    base: usize,
    /// The values that the quantifier right above it has bound.
    witnesses: Vec<Value<'r>>,
}

/// A step as a trace shows it.
#[derive(Debug)]
pub struct StepTaken<'r> {
    /// The definitions below the action's own that the step passes before its first conjunct.
    pub defs: Vec<DefId>,
    /// The part of the text that the step is an instance of.
    pub span: Span,
    /// Parameters and witnesses, outermost first. A name may occur twice.
    pub params: Vec<(Name, Value<'r>)>,
}

impl<'p, 'r> Machine<'p, 'r> {
    /// Sets whether the ways of steps are kept from here on: [`Machine::step_taken`] needs them.
    pub fn set_recording(&mut self, is_recording: bool) {
        self.watch.is_recording = is_recording;
        self.watch.is_watched = is_recording || self.watch.is_counting;
    }

    /// Runs `walk`, the walk of `node`, with `node` on the way.
    #[cold]
    pub(super) fn record_node<T>(&mut self, node: IrId, walk: impl FnOnce(&mut Self) -> T) -> T {
        let witnesses = self.watch.way.last().map_or_else(Vec::new, |above| self.witnesses(above.node, node));
        let n_before = self.watch.way.len();
        self.watch.way.push(PassedNode { node, base: self.frame.base, witnesses });
        let result = walk(self);
        self.watch.way.truncate(n_before);
        result
    }

    /// Returns the values that `above` has bound, if it is an `\E` and `node` its body.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else has witnesses")]
    fn witnesses(&self, above: IrId, node: IrId) -> Vec<Value<'r>> {
        match &self.program.irs[above].kind {
            IrKind::Quantified { kind: Quantifier::Exists, bounds, body } if *body == node => {
                let slots = bounds.iter().flat_map(|bound| bound.pattern.slots());
                slots.filter_map(|&slot| self.slot_value(slot)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn slot_value(&self, slot: u16) -> Option<Value<'r>> {
        match self.slots[self.own_place(slot)] {
            Slot::Value(value) => Some(value),
            Slot::Empty
            | Slot::Repeating
            | Slot::Failed { .. }
            | Slot::Thunk { .. }
            | Slot::Operator { .. } => None,
        }
    }

    /// Returns the step that was just found. To be called inside [`Machine::step`]'s callback, while recording.
    pub fn step_taken(&mut self, action: &ActionInstance<'p>) -> StepTaken<'r> {
        let mut step = StepTaken { defs: Vec::new(), span: action.leaf.span, params: Vec::new() };
        for &(name, reader) in &action.leaf.params {
            if let Ok(value) = self.eval(reader) {
                step.params.push((name, value));
            }
        }
        let way = std::mem::take(&mut self.watch.way);
        let n_heads = self.heads(&way, &mut step);
        for (above, below) in way.iter().zip(way.iter().skip(1)).skip(n_heads) {
            self.push_witnesses(above, below, &mut step.params);
        }
        self.watch.way = way;
        step
    }

    /// Returns the action definitions that the step just found passed, each once. To be called like
    /// [`Machine::step_taken`].
    pub fn actions_passed(&self) -> Vec<DefId> {
        let mut seen = FxHashSet::default();
        let entered = self.watch.way.iter().filter_map(|passed| self.action_entered(passed.node));
        entered.filter(|&def| seen.insert(def)).collect()
    }

    /// Returns the definition that a node enters, if it is an action definition.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else enters a definition")]
    pub(super) fn action_entered(&self, node: IrId) -> Option<DefId> {
        let ir = &self.program.irs[node];
        let def = match &ir.kind {
            IrKind::Enter { def, .. } => Some(*def),
            IrKind::Call { func, .. } => self.program.funcs[*func].def,
            _ => None,
        };
        def.filter(|_| ir.facts.reads_next)
    }

    /// Collects the part of the way before the first conjunct: its definitions name the step, with their arguments.
    /// Returns the length of that part of `way`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "at anything else the action begins")]
    fn heads(&mut self, way: &[PassedNode<'r>], step: &mut StepTaken<'r>) -> usize {
        let program = self.program;
        for (index, passed) in way.iter().enumerate() {
            let below = way.get(index + 1);
            step.span = program.irs[passed.node].span;
            match &program.irs[passed.node].kind {
                IrKind::Or(_)
                | IrKind::Bind { .. }
                | IrKind::If { .. }
                | IrKind::Case { .. }
                | IrKind::Lazy { .. }
                | IrKind::Quantified { kind: Quantifier::Exists, .. } => {
                    if let Some(below) = below {
                        self.push_witnesses(passed, below, &mut step.params);
                    }
                }
                IrKind::Enter { def, .. } => {
                    let params = program.notes.params.get(&passed.node).map_or(&[][..], Vec::as_slice);
                    // TLC: a definition that takes an action as an argument is not an action by itself.
                    if params.iter().any(|param| program.irs[param.reader].facts.reads_next) {
                        return index;
                    }
                    step.defs.push(*def);
                    self.push_params(passed.base, params, &mut step.params);
                }
                IrKind::Call { func, .. } => {
                    step.defs.extend(program.funcs[*func].def);
                    if let Some(below) = below {
                        self.push_arguments(below.base, *func, &mut step.params);
                    }
                }
                _ => return index,
            }
        }
        way.len()
    }

    fn push_witnesses(
        &self,
        above: &PassedNode<'r>,
        below: &PassedNode<'r>,
        params: &mut Vec<(Name, Value<'r>)>,
    ) {
        let names = self.program.irs[above.node].kind.bounds().iter().flat_map(|bound| &bound.names);
        params.extend(names.copied().zip(below.witnesses.iter().copied()));
    }

    fn push_params(&mut self, base: usize, params: &[Param], told: &mut Vec<(Name, Value<'r>)>) {
        for param in params {
            if self.program.irs[param.reader].facts.impure {
                continue;
            }
            if let Ok(value) = self.in_frame(base, |machine| machine.eval(param.reader)) {
                told.push((param.name, value));
            }
        }
    }

    fn push_arguments(&mut self, base: usize, func: FuncId, told: &mut Vec<(Name, Value<'r>)>) {
        let arguments = self.in_frame(base, |machine| machine.arguments(func));
        told.extend(arguments);
    }

    /// Returns the arguments of the current call of `func` that are at hand.
    fn arguments(&self, func: FuncId) -> Vec<(Name, Value<'r>)> {
        let names = self.program.funcs[func].param_names.iter().zip(0..);
        names.filter_map(|(&name, index)| Some((name, self.known_slot(SlotRef { up: 0, index })?))).collect()
    }

    /// Adds the inlined call `id` to the path of a fault.
    #[cold]
    pub(super) fn add_inlined_call(&mut self, fault: Box<Fault>, id: IrId, def: DefId) -> Box<Fault> {
        if !fault.takes_path() {
            return fault;
        }
        let bindings = self.params_at_hand(id);
        with_entry(fault, PathEntry { node: id, def: Some(def), bindings })
    }

    /// Returns the parameters of an inlined call, as far as they are known.
    pub(super) fn params_at_hand(&self, id: IrId) -> Vec<(Name, SavedValue)> {
        let params = self.program.notes.params.get(&id).map_or(&[][..], Vec::as_slice);
        let safe = params.iter().filter(|param| param.is_safe);
        safe.filter_map(|param| Some((param.name, save_value(self.value_at_hand(param.reader)?)))).collect()
    }

    /// Adds the action that was tried to the path of a fault.
    #[cold]
    pub(super) fn add_action(&mut self, fault: Box<Fault>, leaf: &ActionLeaf) -> Box<Fault> {
        let params = leaf.params.iter();
        let bindings = params
            .filter_map(|&(name, reader)| Some((name, save_value(self.value_at_hand(reader)?))))
            .collect();
        match leaf.def {
            Some(_) if fault.takes_path() => {
                with_entry(fault, PathEntry { node: leaf.expr, def: leaf.def, bindings })
            }
            Some(_) | None => fault,
        }
    }

    /// Adds the operands of a comparison that was refused to a fault.
    #[cold]
    pub(super) fn add_operands(&self, mut fault: Box<Fault>, operands: [(IrId, Value<'r>); 2]) -> Box<Fault> {
        let is_refused = |error: &OpError| {
            matches!(
                error,
                OpError::NotComparable { .. }
                    | OpError::RecordWithFunction { .. }
                    | OpError::WrongModelType { .. }
                    | OpError::DifferentModelTypes { .. }
            )
        };
        if matches!(&fault.kind, FaultKind::Op(error) if is_refused(error)) && fault.path.is_empty() {
            let operand = |(id, value)| {
                (self.place_in(id, fault.span).unwrap_or_else(|| self.span(id)), save_value(value))
            };
            fault.operands = operands.map(operand).to_vec();
        }
        fault
    }

    /// Adds the call `id` of `func` to the path of a fault. Its frame is the current one.
    #[cold]
    pub(super) fn add_call(&mut self, fault: Box<Fault>, func: FuncId, id: IrId) -> Box<Fault> {
        match self.program.funcs[func].def {
            Some(_) if fault.takes_path() => with_entry(fault, self.call_entry(func, id)),
            Some(_) | None => fault,
        }
    }

    pub(super) fn call_entry(&self, func: FuncId, id: IrId) -> PathEntry {
        let bindings =
            self.arguments(func).into_iter().map(|(name, value)| (name, save_value(value))).collect();
        PathEntry { node: id, def: self.program.funcs[func].def, bindings }
    }

    /// Adds the names that `id` has bound to the path of a fault.
    #[cold]
    pub(super) fn add_bound_names(&mut self, fault: Box<Fault>, id: IrId) -> Box<Fault> {
        if !fault.takes_path() {
            return fault;
        }
        let entry = self.bound_entry(id);
        if entry.bindings.is_empty() { fault } else { with_entry(fault, entry) }
    }

    pub(super) fn bound_entry(&self, id: IrId) -> PathEntry {
        let mut bindings = Vec::new();
        for bound in self.program.irs[id].kind.bounds() {
            for (&name, &slot) in bound.names.iter().zip(bound.pattern.slots()) {
                bindings.extend(self.slot_value(slot).map(|value| (name, save_value(value))));
            }
        }
        PathEntry { node: id, def: None, bindings }
    }

    /// Adds the constant definition that a global is to the path of a fault.
    #[cold]
    pub(super) fn add_definition(&mut self, fault: Box<Fault>, id: GlobalId) -> Box<Fault> {
        let global = &self.program.globals[id];
        match global.def {
            Some(_) if fault.takes_path() => {
                with_entry(fault, PathEntry { node: global.expr, def: global.def, bindings: Vec::new() })
            }
            Some(_) | None => fault,
        }
    }

    /// Returns the value of a node, if no computation is needed for it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is computed")]
    fn value_at_hand(&self, id: IrId) -> Option<Value<'r>> {
        match &self.program.irs[id].kind {
            IrKind::Const(value) => Some(value.get()),
            IrKind::Global(global) => {
                self.shared.globals[base::Id::index(*global)].get().map(|value| value.get())
            }
            IrKind::Var(var) => self.state[usize::from(var.0)],
            IrKind::Next(var) => self.next[usize::from(var.0)],
            IrKind::Slot(slot) => self.known_slot(*slot),
            IrKind::Lazy { up, memo: Some(memo), .. } => self.known_slot(SlotRef { up: *up, index: *memo }),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is computed")]
    fn known_slot(&self, slot: SlotRef) -> Option<Value<'r>> {
        match self.slots[self.place(slot)] {
            Slot::Value(value) => Some(value),
            Slot::Thunk { code, .. } => match self.program.irs[code].kind {
                IrKind::Var(_) | IrKind::Next(_) => self.value_at_hand(code),
                _ => None,
            },
            Slot::Empty | Slot::Repeating | Slot::Failed { .. } | Slot::Operator { .. } => None,
        }
    }
}

fn save_value(value: Value<'_>) -> SavedValue {
    Owned::opt_copy(value).map_or_else(|| SavedValue::Printed(value::print_raw(value)), SavedValue::Value)
}

fn with_entry(mut fault: Box<Fault>, entry: PathEntry) -> Box<Fault> {
    fault.path.push(entry);
    fault
}

impl Fault {
    /// Returns the calls and bound names around the place of the fault, outermost first. Leaves out whatever the walk
    /// of an action passed before it came there.
    pub fn calls(&self, program: &Program) -> Vec<&PathEntry> {
        let mut kept: Vec<&PathEntry> = Vec::new();
        for entry in &self.path {
            let is_around = match kept.last() {
                None => reaches(program, entry.node, |node| program.irs[node].span == self.span),
                // Of the instances of one `\A` of an action, the innermost is the one at fault.
                Some(inner) if inner.node == entry.node && entry.def.is_none() => false,
                Some(inner) => reaches(program, entry.node, |node| node == inner.node),
            };
            if is_around {
                kept.push(entry);
            }
        }
        kept.reverse();
        kept
    }
}

/// Whether `from` or something below it satisfies `is_it`.
fn reaches(program: &Program, from: IrId, is_it: impl Fn(IrId) -> bool) -> bool {
    if is_it(from) {
        return true;
    }
    let mut seen = FxHashSet::default();
    let mut todo = vec![from];
    while let Some(id) = todo.pop() {
        let n_before = todo.len();
        let kind = &program.irs[id].kind;
        kind.for_each_child(&mut |child| todo.push(child));
        kind.for_each_func(&mut |func| todo.push(program.funcs[func].body));
        if let IrKind::Global(global) = kind {
            todo.push(program.globals[*global].expr);
        }
        if todo[n_before..].iter().any(|&below| is_it(below)) {
            return true;
        }
        let below = todo.split_off(n_before);
        todo.extend(below.into_iter().filter(|&below| seen.insert(below)));
    }
    false
}
