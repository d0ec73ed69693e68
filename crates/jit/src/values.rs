//! Compiles nodes to code for their values.

use std::rc::Rc;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, types};
use eval::interp::native_arity;
use eval::ir::{CallArg, IrId, IrKind, Memo};
use sema::std_ops::StdOp;
use value::{ops, raw};

use crate::emit::{Emitted, Emitter, PARTS_MAX, Reached, Repr, Val};
use crate::env::Binding;
use crate::hint::{self, Hint};
use crate::runtime;

/// The operators of two sets.
#[derive(Clone, Copy, Debug)]
enum SetOperator {
    Cup,
    Cap,
    Difference,
}

impl Emitter<'_, '_, '_> {
    /// Makes code for the value of a node.
    pub fn value(&mut self, id: IrId) -> Emitted<Val> {
        let around = self.at;
        self.spend(id)?;
        let val = match self.fact(id) {
            Some(known) => known,
            None => self.value_of_node(id)?,
        };
        self.at = around;
        Ok(val)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of node")]
    fn value_of_node(&mut self, id: IrId) -> Emitted<Val> {
        let program = self.program;
        match &program.irs[id].kind {
            IrKind::Const(constant) => Ok(Val::constant(*constant)),
            IrKind::Global(global) => match self.machine.global_constant(*global) {
                Ok(constant) => Ok(Val::constant(constant)),
                Err(_) => self.interpret(id),
            },
            IrKind::Var(var) => Ok(self.variable(*var)),
            IrKind::Next(var) => self.next_variable(*var),
            IrKind::Slot(slot) => self.read_slot(*slot),
            IrKind::Lazy { up, memo, expr } => self.in_frame_up(*up, |emitter| match memo {
                Some(slot) => emitter.memo(*slot, *expr),
                None => emitter.value(*expr),
            }),
            IrKind::Bind { memos, body } => {
                self.empty_memos(memos);
                self.value(*body)
            }
            IrKind::Enter { body, .. } => match self.shared(id)? {
                Some(val) => Ok(val),
                None => self.value(*body),
            },
            IrKind::And(_)
            | IrKind::Or(_)
            | IrKind::Not(_)
            | IrKind::Implies(..)
            | IrKind::Equiv(..)
            | IrKind::Quantified { .. }
            | IrKind::Eq(..)
            | IrKind::Neq(..)
            | IrKind::In(..)
            | IrKind::NotIn(..)
            | IrKind::SubsetEq(..)
            | IrKind::Unchanged { .. } => self.truth(id),
            IrKind::If { condition, then, otherwise } => self.if_value(*condition, *then, *otherwise),
            IrKind::Case { arms, other } => self.case_value(arms, *other),
            IrKind::Choose { bound, body } => self.choose(bound, *body),
            IrKind::Cup(a, b) => self.set_operator(SetOperator::Cup, *a, *b),
            IrKind::Cap(a, b) => self.set_operator(SetOperator::Cap, *a, *b),
            IrKind::SetMinus(a, b) => self.set_operator(SetOperator::Difference, *a, *b),
            IrKind::PowerSet(set) => self.unary(runtime::powerset::helper(), *set),
            IrKind::BigUnion(set) => self.unary(runtime::union::helper(), *set),
            IrKind::Domain(f) => self.domain(*f),
            // All parts of a value are held at once while it is made, and many make the compiler ever slower.
            IrKind::Tuple(items) | IrKind::SetEnum(items) | IrKind::Record { values: items, .. }
                if items.len() > PARTS_MAX =>
            {
                self.interpret(id)
            }
            IrKind::Tuple(items) => self.tuple(items),
            IrKind::SetEnum(items) => self.set_enum(items),
            IrKind::Record { shape, values } => self.record(*shape, values),
            IrKind::SetFilter { bound, predicate, .. } => self.set_filter(bound, *predicate, id),
            IrKind::SetMap { body, bounds } => self.set_map(*body, bounds),
            IrKind::Function { bounds, body, itself, .. } => {
                self.function(bounds, *body, itself.is_some(), id)
            }
            IrKind::FnApply { function, arg } => self.apply_node(*function, *arg, id),
            IrKind::Field { record, field } => self.field(*record, *field),
            IrKind::Except { base, updates } => self.except(*base, updates),
            IrKind::Native { op, args } => self.native(*op, args, id),
            IrKind::Call { func, up, args } => {
                let callee = self.callee(*func, *up)?;
                self.call_func(callee, args, id)
            }
            IrKind::CallParam { slot, args } => {
                let callee = self.operator(*slot)?;
                self.call_func(callee, args, id)
            }
            IrKind::Product(_)
            | IrKind::FunctionSet { .. }
            | IrKind::RecordSet { .. }
            | IrKind::Table { .. }
            | IrKind::Enabled { .. }
            | IrKind::Step { .. }
            | IrKind::Cdot(..)
            | IrKind::Fail(_) => self.interpret(id),
        }
    }

    /// Returns the value of a node as a word.
    pub fn word(&mut self, id: IrId) -> Emitted<ir::Value> {
        let val = self.value(id)?;
        Ok(self.word_of(&val))
    }

    /// Empties memo slots.
    pub fn empty_memos(&mut self, memos: &[Memo]) {
        for memo in memos {
            let once = self.add_once();
            self.env.bind(memo.slot, Binding::Memo { once, known: None });
        }
        self.settle_onces();
    }

    /// Makes code for a definition or argument, which is evaluated at its first use.
    pub fn memo(&mut self, slot: u16, expr: IrId) -> Emitted<Val> {
        let once = match self.env.binding(slot) {
            Some(Binding::Memo { known: Some(val), .. } | Binding::Val(val)) => return Ok(val.clone()),
            Some(Binding::Memo { once, known: None }) => *once,
            Some(Binding::Held { cell, hint, is_made }) => {
                let (cell, hint, is_made) = (*cell, hint.clone(), *is_made);
                return Ok(self.held(cell, &hint, is_made));
            }
            // The slot is emptied where no code is made for it.
            Some(Binding::Argument { .. } | Binding::Operator { .. }) | None => return self.value(expr),
        };
        let val = self.once(once, expr)?;
        self.env.bind_in(self.env.current, slot, Binding::Memo { once, known: Some(val.clone()) });
        Ok(val)
    }

    /// Returns the hint for a value after it became a word: only values from states are interned.
    pub fn kept_hint(&self, val: &Val) -> Hint {
        match val.repr {
            Repr::Id(_) | Repr::Word(_) | Repr::Int(_) | Repr::Bool(_) => val.hint.clone(),
            Repr::Const(constant) => hint::of_constant(constant.get()),
        }
    }

    /// Whether evaluating it again costs no more than checking whether it was evaluated.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is code")]
    pub fn is_cheap(&self, id: IrId) -> bool {
        match &self.program.irs[id].kind {
            IrKind::Const(_) | IrKind::Global(_) | IrKind::Var(_) | IrKind::Slot(_) => true,
            IrKind::Enter { body, .. } | IrKind::Lazy { memo: None, expr: body, .. } => self.is_cheap(*body),
            IrKind::Field { record, .. } => self.is_cheap(*record),
            IrKind::FnApply { function, arg } => self.is_cheap(*function) && self.is_cheap(*arg),
            _ => false,
        }
    }

    /// Returns whether a formula without names is true, if it has a value.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is seen when it runs")]
    pub fn known_truth(&mut self, id: IrId) -> Option<bool> {
        match &self.program.irs[id].kind {
            IrKind::Const(constant) => constant.get().as_bool(),
            IrKind::Global(global) => self.machine.global_constant(*global).ok()?.get().as_bool(),
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, memo: None, expr: body } => {
                self.known_truth(*body)
            }
            IrKind::Not(body) => self.known_truth(*body).map(|truth| !truth),
            _ => None,
        }
    }

    /// Makes code for a formula as a value.
    fn truth(&mut self, id: IrId) -> Emitted<Val> {
        let (yes, no, join) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(join, types::I8);
        self.branch(id, yes, no)?;
        for (block, truth) in [(yes, 1), (no, 0)] {
            self.start(block);
            let truth = self.b.ins().iconst(types::I8, truth);
            self.b.ins().jump(join, &[truth.into()]);
        }
        self.start(join);
        Ok(Val::bool(result))
    }

    fn if_value(&mut self, condition: IrId, then: IrId, otherwise: IrId) -> Emitted<Val> {
        if let Some(truth) = self.known_truth(condition) {
            return self.value(if truth { then } else { otherwise });
        }
        let (yes, no) = (self.block(), self.block());
        self.branch(condition, yes, no)?;
        let saved = self.env.clone();
        match self.reached(yes, no) {
            Reached::First => {
                self.start(yes);
                return self.value(then);
            }
            Reached::Second => return self.value(otherwise),
            Reached::Both => {}
        }
        let sides = [(yes, then, true), (no, otherwise, false)];
        let join = self.block();
        let result = self.b.append_block_param(join, types::I64);
        let mut joined = None;
        let mut is_made = false;
        for (block, node, truth) in sides {
            self.start(block);
            self.learn(condition, truth);
            let val = self.value(node)?;
            self.arrive(&val, join, &mut joined);
            is_made |= val.is_made || val.as_const().is_some();
            self.forget_to(saved.clone());
        }
        self.start(join);
        Ok(Val { repr: Repr::Word(result), hint: joined.unwrap_or(Hint::Unknown), is_made })
    }

    fn case_value(&mut self, arms: &[(IrId, IrId)], other: Option<IrId>) -> Emitted<Val> {
        let join = self.block();
        let result = self.b.append_block_param(join, types::I64);
        let mut joined: Option<Hint> = None;
        // Only the first guard is always evaluated.
        let mut after_first = None;
        for &(guard, value) in arms {
            let (yes, no) = (self.block(), self.block());
            self.branch(guard, yes, no)?;
            let saved = self.env.clone();
            let is_first = after_first.is_none();
            after_first.get_or_insert_with(|| saved.clone());
            let reached = self.reached(yes, no);
            if reached != Reached::Second {
                self.start(yes);
                self.learn(guard, true);
                let val = self.value(value)?;
                if is_first && reached == Reached::First {
                    return Ok(val);
                }
                self.arrive(&val, join, &mut joined);
            }
            self.forget_to(saved);
            self.start(no);
            self.learn(guard, false);
        }
        match other {
            _ if self.b.is_unreachable() => {}
            Some(value) => {
                let saved = self.env.clone();
                let val = self.value(value)?;
                if joined.is_none() {
                    return Ok(val);
                }
                self.arrive(&val, join, &mut joined);
                self.forget_to(saved);
            }
            None => {
                self.give_up();
                let word = self.iconst(0);
                self.b.ins().jump(join, &[word.into()]);
            }
        }
        self.start(join);
        if let Some(saved) = after_first {
            self.forget_to(saved);
        }
        Ok(Val { repr: Repr::Word(result), hint: joined.unwrap_or(Hint::Unknown), is_made: true })
    }

    fn arrive(&mut self, val: &Val, join: ir::Block, joined: &mut Option<Hint>) {
        let word = self.word_of(val);
        self.b.ins().jump(join, &[word.into()]);
        let hint = self.kept_hint(val);
        *joined = Some(match joined.take() {
            Some(before) => hint::join(&before, &hint),
            None => hint,
        });
    }

    fn domain(&mut self, function: IrId) -> Emitted<Val> {
        let val = self.value(function)?;
        if let Some(value) = val.as_const()
            && let Some(folded) = self.fold(|machine| ops::domain(machine, value))
        {
            return Ok(folded);
        }
        let keys = match &val.hint {
            Hint::Map(map) => map.keys.clone(),
            Hint::Function(_)
            | Hint::Never
            | Hint::Unknown
            | Hint::Int
            | Hint::Bool
            | Hint::Atom
            | Hint::Sequence(_)
            | Hint::Set(_)
            | Hint::Record(_) => {
                let word = self.word_of(&val);
                return Ok(self.call_word(runtime::domain::helper(), &[word]));
            }
        };
        let hint = Hint::Set(Rc::new(keys));
        let word = self.either(
            |emitter| {
                let object = emitter.object_of(&val);
                emitter.guard_kind_in_any_form(object, raw::InternedKind::Function);
                let domain = emitter.slot(object, 0);
                Val::of_state(domain, hint.clone())
            },
            |emitter| {
                let word = emitter.word_of(&val);
                emitter.call_word(runtime::lasting_domain::helper(), &[word])
            },
        );
        Ok(Val { repr: Repr::Word(word), hint, is_made: false })
    }

    fn unary(&mut self, helper: runtime::Helper, a: IrId) -> Emitted<Val> {
        let a = self.word(a)?;
        Ok(self.call_word(helper, &[a]))
    }

    fn set_operator(&mut self, op: SetOperator, a: IrId, b: IrId) -> Emitted<Val> {
        let a = self.value(a)?;
        let b = self.value(b)?;
        if let (Some(left), Some(right)) = (a.as_const(), b.as_const())
            && let Some(folded) = self.fold(|machine| match op {
                SetOperator::Cup => ops::cup(machine, left, right),
                SetOperator::Cap => ops::cap(machine, left, right),
                SetOperator::Difference => ops::difference(machine, left, right),
            })
        {
            return Ok(folded);
        }
        let is_known = matches!(&a.hint, Hint::Set(of) if **of != Hint::Never);
        let hint = if is_known { a.hint.clone() } else { self.kept_hint(&b) };
        let (a, b) = (self.word_of(&a), self.word_of(&b));
        let helper = match op {
            SetOperator::Cup => runtime::cup::helper(),
            SetOperator::Cap => runtime::cap::helper(),
            SetOperator::Difference => runtime::difference::helper(),
        };
        Ok(self.call_word(helper, &[a, b]).with_hint(hint))
    }

    pub fn values(&mut self, items: &[IrId]) -> Emitted<Vec<Val>> {
        items.iter().map(|&item| self.value(item)).collect()
    }

    pub fn all_const(vals: &[Val]) -> Option<Vec<value::Value<'static>>> {
        vals.iter().map(Val::as_const).collect()
    }

    pub fn on_stack_vals(&mut self, vals: &[Val]) -> (ir::Value, ir::Value) {
        let words: Vec<ir::Value> = vals.iter().map(|val| self.word_of(val)).collect();
        self.on_stack(&words)
    }

    fn tuple(&mut self, items: &[IrId]) -> Emitted<Val> {
        let vals = self.values(items)?;
        if let Some(values) = Self::all_const(&vals)
            && let Some(val) = self.fold(|machine| Ok(machine.region().sequence(&values)))
        {
            return Ok(val);
        }
        let (first, n) = self.on_stack_vals(&vals);
        Ok(self.call_word(runtime::tuple::helper(), &[first, n]))
    }

    fn set_enum(&mut self, items: &[IrId]) -> Emitted<Val> {
        let vals = self.values(items)?;
        if let Some(values) = Self::all_const(&vals)
            && let Some(val) = self.fold(|machine| Ok(machine.region().set(&values)))
        {
            return Ok(val);
        }
        let (first, n) = self.on_stack_vals(&vals);
        Ok(self.call_word(runtime::set::helper(), &[first, n]))
    }

    fn record(&mut self, shape: value::Shape, values: &[IrId]) -> Emitted<Val> {
        let vals = self.values(values)?;
        Ok(self.make_record(shape, &vals))
    }

    fn native(&mut self, op: StdOp, args: &[CallArg], id: IrId) -> Emitted<Val> {
        let exprs: Option<Vec<IrId>> = args
            .iter()
            .map(|arg| match arg {
                CallArg::Expr(expr) => Some(*expr),
                CallArg::Func(_) | CallArg::Param(_) => None,
            })
            .collect();
        let Some(exprs) = exprs else { return self.native_with_operators(op, args, id) };
        if matches!(op, StdOp::MapsTo | StdOp::Override)
            && let Some(val) = self.merged(id)?
        {
            return Ok(val);
        }
        match (op, exprs.as_slice()) {
            (StdOp::Assert, &[holds, message]) => self.assert(holds, message),
            (StdOp::Lt | StdOp::Gt | StdOp::Leq | StdOp::Geq, _) => self.truth(id),
            (StdOp::Plus | StdOp::Minus, &[a, b]) => {
                let (a, b) = self.two_ints(a, b)?;
                // Integers have 63 bits: neither result can exceed 64.
                let result =
                    if op == StdOp::Plus { self.b.ins().iadd(a, b) } else { self.b.ins().isub(a, b) };
                Ok(self.checked_int(result))
            }
            (StdOp::Len, &[a]) => self.len_of(a),
            (StdOp::Head, &[a]) => self.head(a),
            (StdOp::Cardinality, &[a]) => self.cardinality(a),
            (_, exprs) if native_arity(op) == Some(exprs.len()) => self.call_native(op, exprs),
            (_, _) if !eval::interp::is_function_of_values(op) => Ok(self.leave_effect()),
            (_, _) => self.interpret(id),
        }
    }

    /// Makes code for `Assert`, which gives up unless the first argument is true.
    fn assert(&mut self, holds: IrId, message: IrId) -> Emitted<Val> {
        let (yes, no) = (self.block(), self.block());
        self.branch(holds, yes, no)?;
        self.start(no);
        self.give_up();
        self.jump(yes);
        self.start(yes);
        // It is evaluated in any case, and may have no value.
        self.value(message)?;
        Ok(Val::bool(self.b.ins().iconst(types::I8, 1)))
    }

    fn call_native(&mut self, op: StdOp, exprs: &[IrId]) -> Emitted<Val> {
        let vals = self.values(exprs)?;
        self.call_native_on(op, &vals)
    }

    pub fn call_native_on(&mut self, op: StdOp, vals: &[Val]) -> Emitted<Val> {
        if let Some(values) = Self::all_const(vals)
            && let Some(val) = self.fold_native(op, &values)
        {
            return Ok(val);
        }
        let hint = match (op, vals) {
            (StdOp::Tail | StdOp::SubSeq | StdOp::Append | StdOp::Concat, [first, ..]) => first.hint.clone(),
            (StdOp::Override, [first, second]) => {
                hint::of_override(&self.kept_hint(first), &self.kept_hint(second))
            }
            (StdOp::MapsTo, [key, of]) => hint::of_maps_to(self.kept_hint(key), self.kept_hint(of)),
            (_, _) => Hint::Unknown,
        };
        let (first, n) = self.on_stack_vals(vals);
        let op = self.iconst(op as i64);
        Ok(self.call_word(runtime::native::helper(), &[op, first, n]).with_hint(hint))
    }

    fn fold_native(&mut self, op: StdOp, values: &[value::Value<'static>]) -> Option<Val> {
        let value = self.machine.apply_native(op, values)?;
        self.machine.constant(value).ok().map(Val::constant)
    }

    pub fn two_ints(&mut self, a: IrId, b: IrId) -> Emitted<(ir::Value, ir::Value)> {
        let a = self.value(a)?;
        let b = self.value(b)?;
        let a = self.int_of(&a);
        let b = self.int_of(&b);
        Ok((a, b))
    }

    fn len_of(&mut self, sequence: IrId) -> Emitted<Val> {
        let val = self.value(sequence)?;
        let may_be = matches!(val.hint, Hint::Unknown) && val.as_const().is_none();
        if may_be || matches!(val.hint, Hint::Sequence(_)) {
            let val = Val { is_made: val.is_made || may_be, ..val };
            return Ok(self.with_fallback(&val, Self::sequence_len, StdOp::Len));
        }
        self.call_native_on(StdOp::Len, &[val])
    }

    fn sequence_len(&mut self, val: &Val) -> Val {
        let object = self.object_of(val);
        Val::int(self.sequence_len_of(object))
    }

    fn head(&mut self, sequence: IrId) -> Emitted<Val> {
        let val = self.value(sequence)?;
        if let Hint::Sequence(of) = &val.hint
            && **of != Hint::Never
        {
            let of = Hint::clone(of);
            let first = |emitter: &mut Self, val: &Val| emitter.first(val, of.clone());
            return Ok(self.with_fallback(&val, first, StdOp::Head).with_hint(of.clone()));
        }
        self.call_native_on(StdOp::Head, &[val])
    }

    fn first(&mut self, val: &Val, of: Hint) -> Val {
        let object = self.object_of(val);
        self.guard_kind(object, raw::InternedKind::Sequence);
        let len = self.load32(object, raw::LEN_OFFSET);
        self.guard(len);
        let id = self.slot(object, 0);
        Val::of_state(id, of)
    }

    fn cardinality(&mut self, set: IrId) -> Emitted<Val> {
        if let IrKind::SetFilter { bound, predicate, .. } = &self.program.irs[set].kind {
            return self.count(bound, *predicate);
        }
        let val = self.value(set)?;
        if let Hint::Set(of) = &val.hint
            && **of != Hint::Int
        {
            return Ok(self.with_fallback(&val, Self::set_len, StdOp::Cardinality));
        }
        self.call_native_on(StdOp::Cardinality, &[val])
    }

    fn set_len(&mut self, val: &Val) -> Val {
        let object = self.object_of(val);
        self.guard_kind(object, raw::InternedKind::Set);
        Val::int(self.len(object))
    }

    /// Takes a quick way for values of states. A value that was just made may need the general operator.
    fn with_fallback(&mut self, val: &Val, quick: impl FnOnce(&mut Self, &Val) -> Val, op: StdOp) -> Val {
        if !val.is_made {
            return quick(self, val);
        }
        let word = self.either(
            |emitter| quick(emitter, val),
            |emitter| {
                let (first, n) = emitter.on_stack_vals(std::slice::from_ref(val));
                let op = emitter.iconst(op as i64);
                emitter.call_word(runtime::native::helper(), &[op, first, n])
            },
        );
        Val::word(word)
    }

    /// Whether two constants are equal, if that is known.
    pub fn fold_equal(&mut self, a: &Val, b: &Val) -> Option<bool> {
        let (a, b) = (a.as_const()?, b.as_const()?);
        ops::equal(self.machine, a, b).ok()
    }

    pub fn fold_member(&mut self, a: &Val, b: &Val) -> Option<bool> {
        let (a, b) = (a.as_const()?, b.as_const()?);
        if ops::depends_on_origin(a, b) {
            return None;
        }
        ops::member(self.machine, a, b).ok()
    }

    pub fn is_zero(&mut self, value: ir::Value) -> ir::Value {
        self.b.ins().icmp_imm_s(IntCC::Equal, value, 0)
    }
}
