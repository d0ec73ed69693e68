//! Frames, arguments by need, functions, and closures that values call back.

use std::sync::Arc;

use value::ops::KnownMembers;
use value::{Closure, Host, Interner, OpError, OpResult, Region, Value, ValueVec, check_room};

use super::fault::{At, Evaluated, Fault, FaultKind};
use super::{Machine, NO_LINK, Slot};
use crate::ir::{CallArg, Capture, Captures, FuncId, IrId, IrKind, SlotRef};

/// A frame to return to.
#[derive(Clone, Copy)]
pub(super) struct Saved {
    base: usize,
    link: usize,
}

/// The place where a closure was called.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    frame: Saved,
    top: usize,
}

impl Outside {
    pub(super) fn frame(self) -> Saved {
        self.frame
    }
}

impl<'p, 'r> Machine<'p, 'r> {
    /// Runs `body` in a new frame of `n_slots`.
    pub(super) fn with_frame<T>(
        &mut self,
        n_slots: u16,
        link: usize,
        body: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let saved = self.enter(n_slots, link);
        let result = body(self);
        self.leave(saved);
        result
    }

    /// Makes a new frame current. Its slots are not cleared: each is written before it is read.
    #[inline]
    pub(super) fn enter(&mut self, n_slots: u16, link: usize) -> Saved {
        let saved = Saved { base: self.frame.base, link: self.frame.link };
        self.frame.base = self.frame.top;
        self.frame.link = link;
        // The first slot of a frame holds its static link; its own slots follow.
        self.frame.top += usize::from(n_slots) + 1;
        if self.slots.len() < self.frame.top {
            self.slots.resize(self.frame.top.next_power_of_two(), Slot::Empty);
        }
        self.slots[self.frame.base] = Slot::Thunk { code: base::Id::from_index(0), base: link };
        saved
    }

    #[inline]
    pub(super) fn leave(&mut self, saved: Saved) {
        self.frame.top = self.frame.base;
        self.frame.base = saved.base;
        self.frame.link = saved.link;
    }

    /// Goes back to the frame `saved` while this one stays alive; undone by [`Machine::step_in`].
    pub(super) fn step_out(&mut self, saved: Saved) -> Saved {
        let here = Saved { base: self.frame.base, link: self.frame.link };
        self.frame.base = saved.base;
        self.frame.link = saved.link;
        here
    }

    pub(super) fn step_in(&mut self, here: Saved) {
        self.frame.base = here.base;
        self.frame.link = here.link;
    }

    /// Returns the static link of the frame at `base`.
    fn link_of(&self, base: usize) -> usize {
        match self.slots[base] {
            Slot::Thunk { base: link, .. } => link,
            Slot::Empty | Slot::Repeating | Slot::Value(_) | Slot::Failed { .. } | Slot::Operator { .. } => {
                NO_LINK
            }
        }
    }

    /// Returns the base of the frame `up` static links out.
    pub(super) fn frame_up(&self, up: u16) -> usize {
        self.frame_from(self.frame.base, up)
    }

    /// Returns the base of the frame `up` static links out from the one at `base`.
    pub(super) fn frame_from(&self, mut base: usize, up: u16) -> usize {
        for _ in 0..up {
            base = self.link_of(base);
        }
        base
    }

    pub(super) fn place(&self, slot: SlotRef) -> usize {
        self.frame_up(slot.up) + 1 + usize::from(slot.index)
    }

    #[inline]
    pub(super) fn own_place(&self, slot: u16) -> usize {
        // Wrapping is safe, because indexing refuses a place outside the slots, and this runs all the time.
        self.frame.base.wrapping_add(1 + usize::from(slot))
    }

    #[inline]
    pub(super) fn set_slot(&mut self, slot: u16, value: Value<'r>) {
        let place = self.own_place(slot);
        self.slots[place] = Slot::Value(value);
    }

    pub(super) fn frame_at(&self, base: usize) -> Saved {
        Saved { base, link: self.link_of(base) }
    }

    /// Runs `body` in the live frame at `base`.
    pub(super) fn in_frame<T>(&mut self, base: usize, body: impl FnOnce(&mut Self) -> T) -> T {
        let here = Saved { base: self.frame.base, link: self.frame.link };
        self.frame.base = base;
        self.frame.link = self.link_of(base);
        let result = body(self);
        self.frame.base = here.base;
        self.frame.link = here.link;
        result
    }

    /// Reads a bound name or parameter. An argument by need is evaluated now, once.
    pub(super) fn read_slot(&mut self, slot: SlotRef, id: IrId) -> Evaluated<Value<'r>> {
        let place = self.place(slot);
        match self.slots[place] {
            Slot::Value(value) => Ok(value),
            Slot::Thunk { code, base } => {
                let value = self.in_frame(base, |machine| machine.eval(code))?;
                self.remember(place, value);
                Ok(value)
            }
            Slot::Failed { fault } => Err(self.shared.kept_fault(fault, self.span(id))),
            Slot::Empty | Slot::Repeating | Slot::Operator { .. } => {
                self.fault(id, FaultKind::Failure(crate::ir::Failure::Temporal))
            }
        }
    }

    /// Reads an inlined argument or LET definition.
    pub(super) fn read_lazy(&mut self, up: u16, memo: Option<u16>, expr: IrId) -> Evaluated<Value<'r>> {
        let base = self.frame_up(up);
        let place = memo.map(|slot| base + 1 + usize::from(slot));
        if let Some(place) = place
            && let Slot::Value(value) = self.slots[place]
        {
            return Ok(value);
        }
        let value =
            if up == 0 { self.eval(expr)? } else { self.in_frame(base, |machine| machine.eval(expr))? };
        if let Some(place) = place
            && let Slot::Empty = self.slots[place]
        {
            self.remember(place, value);
        }
        Ok(value)
    }

    /// Keeps the value of a memo or argument, and notes how to forget it when a walk goes back.
    pub(super) fn remember(&mut self, place: usize, value: Value<'r>) {
        if self.walks > 0 {
            self.trail.push((place, self.slots[place]));
        }
        self.slots[place] = Slot::Value(value);
    }

    /// Empties the slots remembered since `mark`: the branch that needed them is finished.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((place, before)) = self.trail.pop() {
                self.slots[place] = before;
            }
        }
    }

    /// Refuses calls that are too deep, and checks from time to time whether evaluation must end: a recursion may be
    /// long without being deep.
    #[inline]
    pub(super) fn check_depth(&mut self, id: IrId) -> Evaluated<()> {
        let limit = self.shared.call_depth_max;
        if self.call_depth > limit {
            return self.fault(id, FaultKind::TooDeep { limit });
        }
        if self.region.is_look_due() { self.look(id) } else { Ok(()) }
    }

    /// Checks whether evaluation must end here.
    #[cold]
    pub(super) fn look(&mut self, id: IrId) -> Evaluated<()> {
        let span = self.span(id);
        self.check_limits().at(span)
    }

    /// Makes the frame of a call current, with its parameters filled.
    pub(super) fn enter_call(
        &mut self,
        func: FuncId,
        link: usize,
        args: &[CallArg],
        id: IrId,
    ) -> Evaluated<Saved> {
        self.call_depth += 1;
        self.check_depth(id)?;
        let mut filled = [Slot::Empty; 8];
        let mut more = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            let slot = self.argument(*arg);
            match filled.get_mut(index) {
                Some(place) => *place = slot,
                None => more.push(slot),
            }
        }
        let saved = self.enter(self.program.funcs[func].n_slots, link);
        for index in 0..args.len() {
            let place = self.frame.base + 1 + index;
            self.slots[place] = if index < filled.len() { filled[index] } else { more[index - filled.len()] };
        }
        Ok(saved)
    }

    pub(super) fn leave_call(&mut self, saved: Saved) {
        self.leave(saved);
        self.call_depth -= 1;
    }

    /// Returns an argument ready to be stored. A value at hand is passed as it is, the rest by need.
    fn argument(&mut self, arg: CallArg) -> Slot<'r> {
        match arg {
            CallArg::Func(func) => Slot::Operator { func, link: self.frame.base },
            CallArg::Param(slot) => self.slots[self.place(slot)],
            CallArg::Expr(expr) => self.argument_expr(expr),
        }
    }

    fn argument_expr(&mut self, expr: IrId) -> Slot<'r> {
        let by_need = Slot::Thunk { code: expr, base: self.frame.base };
        let ir = &self.program.irs[expr];
        // An action may give a value to a variable or parameter, so pass the place, not the value.
        if ir.facts.unrepeatable || matches!(ir.kind, IrKind::Next(_) | IrKind::Var(_) | IrKind::Slot(_)) {
            return by_need;
        }
        // Evaluating at once keeps chains of pending arguments short. If it fails, the argument may never be needed, so
        // the failure waits until it is.
        match self.eval(expr) {
            Ok(value) => Slot::Value(value),
            Err(_) => by_need,
        }
    }

    pub(super) fn call(
        &mut self,
        func: FuncId,
        link: usize,
        args: &[CallArg],
        id: IrId,
    ) -> Evaluated<Value<'r>> {
        self.call_with(func, link, (args, id), |machine, body| machine.eval(body))
    }

    /// Calls a function whose body `eval` evaluates.
    pub(super) fn call_with(
        &mut self,
        func: FuncId,
        link: usize,
        (args, id): (&[CallArg], IrId),
        eval: impl FnOnce(&mut Self, IrId) -> Evaluated<Value<'r>>,
    ) -> Evaluated<Value<'r>> {
        let saved = self.enter_call(func, link, args, id)?;
        let body = self.program.funcs[func].body;
        let result = base::with_stack(|| eval(self, body)).map_err(|fault| self.add_call(fault, func, id));
        self.leave_call(saved);
        result
    }

    /// Returns the function and static link of an operator parameter.
    pub(super) fn operator(&self, slot: SlotRef, id: IrId) -> Evaluated<(FuncId, usize)> {
        match self.slots[self.place(slot)] {
            Slot::Operator { func, link } => Ok((func, link)),
            Slot::Empty | Slot::Repeating | Slot::Value(_) | Slot::Failed { .. } | Slot::Thunk { .. } => {
                self.fault(id, FaultKind::Failure(crate::ir::Failure::Temporal))
            }
        }
    }

    /// Calls an operator argument with values, as natives do.
    pub fn call_values(&mut self, op: Operator, args: &[Value<'r>]) -> Evaluated<Value<'r>> {
        self.call_depth += 1;
        let body = self.program.funcs[op.func].body;
        self.check_depth(body)?;
        let saved = self.enter(self.program.funcs[op.func].n_slots, op.link);
        for (index, &arg) in args.iter().enumerate() {
            let place = self.frame.base + 1 + index;
            self.slots[place] = Slot::Value(arg);
        }
        let result = base::with_stack(|| self.eval(body));
        self.leave(saved);
        self.call_depth -= 1;
        result
    }

    /// Returns the operator that an argument of a native is.
    pub fn operator_arg(&self, arg: CallArg, id: IrId) -> Evaluated<Operator> {
        match arg {
            CallArg::Func(func) => Ok(Operator { func, link: self.frame.base }),
            CallArg::Param(slot) => {
                let (func, link) = self.operator(slot, id)?;
                Ok(Operator { func, link })
            }
            CallArg::Expr(_) => self.fault(id, FaultKind::Failure(crate::ir::Failure::Temporal)),
        }
    }

    /// Evaluates a node that may fail without consequences.
    pub fn attempt(&mut self, id: IrId) -> Evaluated<Value<'r>> {
        let call_depth = self.call_depth;
        let result = self.eval(id);
        self.call_depth = call_depth;
        result
    }

    /// Makes a closure of `node` with the values that its body needs from around it.
    ///
    /// An argument or LET definition is evaluated now if it has a value. If it has none, the body may never need it:
    /// then the closure captures everything that is needed to evaluate it in the body.
    pub(super) fn closure(&mut self, node: IrId, captures: &Captures) -> Evaluated<Closure<'r>> {
        if self.closures.takes_all || captures.walks {
            return self.complete_closure(node, captures);
        }
        let mut values = ValueVec::with_capacity(self.region, captures.direct.len());
        for &capture in &captures.direct {
            match self.capture_value(capture) {
                Ok(value) => values.push(value),
                Err(fault) if matches!(fault.kind, FaultKind::Interrupted) => return Err(fault),
                Err(_) => return self.complete_closure(node, captures),
            }
        }
        let captured = values.into_sequence().as_sequence().expect("just made as a sequence");
        Ok(Closure { code: base::Id::index(node) as u32, flags: 0, captured })
    }

    /// Makes a closure with everything that has a value, including the expressions behind memo slots. First comes a
    /// sequence with a number for each capture, then the values. The number tells whether the value is there
    /// ([`Captured`]).
    #[cold]
    fn complete_closure(&mut self, node: IrId, captures: &Captures) -> Evaluated<Closure<'r>> {
        let mut states = ValueVec::new(self.region);
        let mut values = ValueVec::new(self.region);
        for &capture in captures.all() {
            let state = match self.capture_value(capture) {
                Ok(value) => {
                    values.push(value);
                    Captured::Value
                }
                Err(fault) if matches!(fault.kind, FaultKind::Interrupted) => return Err(fault),
                Err(fault) => self.stand_in(capture, *fault),
            };
            states.push(state.to_value());
        }
        let mut captured = ValueVec::with_capacity(self.region, values.len() + 1);
        captured.push(states.into_sequence());
        values.as_slice().iter().for_each(|&value| captured.push(value));
        let captured = captured.into_sequence().as_sequence().expect("just made as a sequence");
        Ok(Closure { code: base::Id::index(node) as u32, flags: COMPLETE, captured })
    }

    /// Returns the stand-in for a value that could not be captured.
    fn stand_in(&mut self, capture: Capture, fault: Fault) -> Captured {
        let base = self.frame_up(capture.slot.up);
        match self.slots[base + 1 + usize::from(capture.slot.index)] {
            Slot::Empty | Slot::Repeating | Slot::Value(_) => Captured::ByNeed,
            // The frame of this argument may be gone when it is needed.
            Slot::Thunk { .. } => Captured::Failed(self.shared.keep_fault(capture.reader, fault)),
            Slot::Failed { fault } => Captured::Failed(fault),
            Slot::Operator { .. } => Captured::Failed(self.shared.keep_fault(capture.reader, fault)),
        }
    }

    fn capture_value(&mut self, capture: Capture) -> Evaluated<Value<'r>> {
        let base = self.frame_up(capture.slot.up);
        self.in_frame(base, |machine| machine.attempt(capture.reader))
    }

    /// Runs the body of a lazy set or function on an element.
    fn run_closure(&mut self, closure: Closure<'r>, args: &[Value<'r>]) -> Evaluated<Value<'r>> {
        let node: IrId = base::Id::from_index(closure.code as usize);
        let Some(call) = self.recursive_call(node, args) else { return self.run_body(node, closure, args) };
        if let Some(known) = self.recursion.known(call) {
            self.closures.keep_lazy = false;
            return Ok(known);
        }
        let is_outermost = self.recursion.begin(call);
        let result = self.run_body(node, closure, args);
        match &result {
            _ if is_outermost => self.recursion.end(),
            Ok(value) => self.recursion.keep(call, *value),
            Err(_) => {}
        }
        result
    }

    fn run_body(&mut self, node: IrId, closure: Closure<'r>, args: &[Value<'r>]) -> Evaluated<Value<'r>> {
        self.call_depth += 1;
        self.check_depth(node)?;
        let result = base::with_stack(|| self.closure_body(node, closure, args));
        self.call_depth -= 1;
        result
    }

    fn closure_body(&mut self, node: IrId, closure: Closure<'r>, args: &[Value<'r>]) -> Evaluated<Value<'r>> {
        let outside = self.enter_closure(node, closure)?;
        let result = self.closure_step(node, args);
        self.leave_closure(outside);
        result
    }

    /// Makes the frames that the body was lowered in, outermost first, with the captured slots filled.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only these two kinds make closures")]
    pub(super) fn enter_closure(&mut self, node: IrId, closure: Closure<'r>) -> Evaluated<Outside> {
        let program = self.program;
        let captures = match &program.irs[node].kind {
            IrKind::SetFilter { captures, .. } | IrKind::Function { captures, .. } => captures,
            _ => return self.fault(node, FaultKind::Failure(crate::ir::Failure::Temporal)),
        };
        let outside =
            Outside { frame: Saved { base: self.frame.base, link: self.frame.link }, top: self.frame.top };
        let n_slots = self.program.n_slots_max;
        let mut link = NO_LINK;
        for _ in 0..=captures.depth {
            self.enter(n_slots, link);
            link = self.frame.base;
        }
        if closure.flags == COMPLETE {
            self.fill_complete(captures, closure);
        } else {
            for (index, capture) in captures.direct.iter().enumerate() {
                let place = self.place(capture.slot);
                self.slots[place] = Slot::Value(closure.captured_value(index));
            }
        }
        Ok(outside)
    }

    /// Fills the slots of a closure that [`Machine::complete_closure`] made.
    fn fill_complete(&mut self, captures: &Captures, closure: Closure<'r>) {
        let states =
            closure.captured_value(0).as_sequence().expect("a complete closure begins with a sequence");
        let mut next = 1;
        for (index, capture) in captures.all().enumerate() {
            let place = self.place(capture.slot);
            self.slots[place] = match Captured::from_value(states.get(index)) {
                Captured::Value => {
                    next += 1;
                    Slot::Value(closure.captured_value(next - 1))
                }
                Captured::ByNeed => Slot::Empty,
                Captured::Failed(fault) => Slot::Failed { fault },
            };
        }
    }

    pub(super) fn leave_closure(&mut self, outside: Outside) {
        self.frame.top = outside.top;
        self.frame.base = outside.frame.base;
        self.frame.link = outside.frame.link;
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only these two kinds make closures")]
    fn closure_step(&mut self, node: IrId, args: &[Value<'r>]) -> Evaluated<Value<'r>> {
        let program = self.program;
        match &program.irs[node].kind {
            IrKind::SetFilter { bound, predicate, .. } => {
                // First the argument is tested for membership in the set.
                let keep_lazy = std::mem::take(&mut self.closures.keep_lazy);
                self.bind_element(&bound.pattern, args[0], node)?;
                let holds = self.eval(*predicate).map_err(|fault| self.add_bound_names(fault, node));
                self.closures.keep_lazy = keep_lazy;
                holds
            }
            IrKind::Function { bounds, body, itself, .. } => {
                if let (Some(slot), Some(&function)) = (itself, args.get(1)) {
                    self.set_slot(*slot, function);
                }
                let keep_lazy = std::mem::take(&mut self.closures.keep_lazy);
                self.bind_argument(bounds, args[0], node)?;
                let value = if keep_lazy { self.eval_applied(*body) } else { self.eval(*body) };
                value.map_err(|fault| self.add_bound_names(fault, node))
            }
            _ => self.fault(node, FaultKind::Failure(crate::ir::Failure::Temporal)),
        }
    }
}

/// The flag of a closure that [`Machine::complete_closure`] made.
pub(super) const COMPLETE: u32 = 1;

/// The form in which a complete closure holds one of its captures.
#[derive(Clone, Copy)]
enum Captured {
    Value,
    /// A memo slot without a value. The body evaluates it when needed.
    ByNeed,
    /// An argument without a value, and the number of the fault from its evaluation.
    Failed(u32),
}

impl Captured {
    fn to_value<'r>(self) -> Value<'r> {
        Value::small(match self {
            Captured::Value => 0,
            Captured::ByNeed => 1,
            Captured::Failed(fault) => fault.saturating_add(2) as i32,
        })
    }

    fn from_value(value: Value<'_>) -> Captured {
        match value.as_small() {
            Some(0) => Captured::Value,
            Some(1) | None => Captured::ByNeed,
            Some(fault) => Captured::Failed((fault - 2) as u32),
        }
    }
}

/// An operator passed as an argument.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    func: FuncId,
    link: usize,
}

impl<'r> Host<'r> for Machine<'_, 'r> {
    fn region(&self) -> &'r Region {
        self.region
    }

    fn interner(&self) -> Option<&'r Interner> {
        Some(Interner::shared())
    }

    fn call(&mut self, closure: Closure<'r>, args: &[Value<'r>]) -> OpResult<Value<'r>> {
        self.run_closure(closure, args).map_err(|fault| Box::new(OpError::Raised(Arc::new(*fault))))
    }

    fn known_members(&mut self) -> Option<&mut KnownMembers> {
        self.keeps_members.then_some(&mut self.known_members)
    }

    /// Returns the limit on elements. Memory is the only limit, up to the size that TLC cannot count either.
    fn set_size_max(&self) -> usize {
        i32::MAX as usize
    }

    fn check_limits(&mut self) -> OpResult<()> {
        let has_room = check_room(self, 0);
        if has_room.is_ok() && !self.run.is_over() {
            return Ok(());
        }
        self.region.look_soon();
        has_room?;
        let span = self.span(base::Id::from_index(0));
        Err(Box::new(OpError::Raised(Arc::new(*Fault::new(FaultKind::Interrupted, span)))))
    }
}
