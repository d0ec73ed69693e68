//! Code for functions and records: application, fields, constructors, EXCEPT.

use std::rc::Rc;

use base::FxHashSet;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, types};
use eval::ir::{Bound, IrId, IrKind, PathStep, Pattern, Update};
use value::{Atom, Constant, Interner, Value, ValueId, ops, raw};

use crate::binders::Source;
use crate::emit::{Emitted, Emitter, Repr, Unsupported, Val};
use crate::env::Binding;
use crate::hint::{FunctionHint, Hint, Keys, RecordHint};
use crate::records::LiteralPart;
use crate::runtime;

/// Number of keys up to which code searches. Among more keys the general operator is used.
const KEYS_MAX: usize = 12;

/// The most nodes in all copies of the body of a function that is made of one copy for each key.
const UNROLLED_MAX: usize = 400;

impl Emitter<'_, '_, '_> {
    pub fn apply_node(&mut self, function: IrId, arg: IrId, id: IrId) -> Emitted<Val> {
        // Such a function is evaluated when it is applied, and may then need the values of the next state.
        if let Some(val) = self.apply_recursive(function, arg)? {
            return Ok(val);
        }
        if self.is_recursive_function(function) {
            return self.interpret(id);
        }
        if let Some(part) = self.literal_part(arg)
            && let Some(val) = self.part_of_literal(function, part)?
        {
            return Ok(val);
        }
        let function = self.value(function)?;
        let arg = self.value(arg)?;
        Ok(self.apply(&function, &arg))
    }

    /// Makes code for `f[e]`.
    pub fn apply(&mut self, function: &Val, arg: &Val) -> Val {
        if let (Some(f), Some(a)) = (function.as_const(), arg.as_const())
            && let Some(val) = self.fold(|machine| ops::apply(machine, f, a))
        {
            return val;
        }
        if let (Hint::Record(_), Some(field)) = (&function.hint, arg.as_const().and_then(Value::as_string)) {
            return self.field_of(function, field);
        }
        if function.is_made && matches!(function.hint, Hint::Function(_) | Hint::Sequence(_)) {
            let hint = match &function.hint {
                Hint::Function(hint) => hint.of.clone(),
                Hint::Sequence(of) => Hint::clone(of),
                Hint::Never
                | Hint::Unknown
                | Hint::Int
                | Hint::Bool
                | Hint::Atom
                | Hint::Set(_)
                | Hint::Map(_)
                | Hint::Record(_) => Hint::Unknown,
            };
            let known = Val { is_made: false, ..function.clone() };
            let word = self
                .either(|emitter| emitter.apply(&known, arg), |emitter| emitter.apply_slowly(function, arg));
            return Val::word(word).with_hint(hint);
        }
        match &function.hint {
            // A word may be a value that was just made, whose keys cannot be compared.
            Hint::Function(hint) if matches!((&hint.keys, arg.repr), (Keys::Ids(keys), Repr::Word(_)) if keys.len() <= KEYS_MAX) =>
            {
                let hint = Rc::clone(hint);
                let of = hint.of.clone();
                let word = self.either(
                    |emitter| emitter.select(function, &hint, arg).expect("few keys are searched"),
                    |emitter| emitter.apply_slowly(function, arg),
                );
                return Val::word(word).with_hint(of);
            }
            Hint::Function(hint) => {
                if let Some(val) = self.select(function, hint, arg) {
                    return val;
                }
            }
            Hint::Unknown if self.may_be_int(arg) && function.as_const().is_none() => {
                let word = self.either(
                    |emitter| emitter.element_at(function, &Hint::Unknown, arg),
                    |emitter| emitter.apply_slowly(function, arg),
                );
                return Val::word(word);
            }
            Hint::Sequence(of) if !matches!(arg.hint, Hint::Atom | Hint::Bool) => {
                return self.element_at(function, of, arg);
            }
            Hint::Map(map) => {
                let of = map.of.clone();
                return self.apply_slowly(function, arg).with_hint(of);
            }
            Hint::Never
            | Hint::Unknown
            | Hint::Int
            | Hint::Bool
            | Hint::Atom
            | Hint::Sequence(_)
            | Hint::Set(_)
            | Hint::Record(_) => {}
        }
        self.apply_slowly(function, arg)
    }

    /// Whether a node stands for a function whose definition applies itself.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node stands for a function literal")]
    fn is_recursive_function(&mut self, id: IrId) -> bool {
        let program = self.program;
        let found = match &program.irs[id].kind {
            IrKind::Function { itself, .. } => Ok(itself.is_some()),
            IrKind::Enter { body, .. } => Ok(self.is_recursive_function(*body)),
            IrKind::Lazy { up, expr, .. } => {
                self.in_frame_up(*up, |emitter| Ok(emitter.is_recursive_function(*expr)))
            }
            IrKind::Slot(slot) => match self.env.find(*slot) {
                Some((_, &Binding::Argument { expr, frame, .. })) => {
                    self.in_frame(frame, |emitter| Ok(emitter.is_recursive_function(expr)))
                }
                Some(_) | None => Ok(false),
            },
            _ => Ok(false),
        };
        found.unwrap_or(false)
    }

    /// Whether a value is likely to be an integer.
    fn may_be_int(&self, val: &Val) -> bool {
        match val.repr {
            Repr::Const(constant) => constant.get().as_small().is_some(),
            Repr::Int(_) => true,
            Repr::Id(_) | Repr::Word(_) => matches!(val.hint, Hint::Int),
            Repr::Bool(_) => false,
        }
    }

    fn apply_slowly(&mut self, function: &Val, arg: &Val) -> Val {
        let (function, arg) = (self.word_of(function), self.word_of(arg));
        self.call_word(runtime::apply::helper(), &[function, arg])
    }

    fn element_at(&mut self, sequence: &Val, of: &Hint, arg: &Val) -> Val {
        let object = self.object_of(sequence);
        self.guard_kind(object, raw::InternedKind::Sequence);
        let len = self.len(object);
        let int = self.int_of(arg);
        let index = self.b.ins().iadd_imm_s(int, -1);
        let is_inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        self.guard(is_inside);
        let id = self.slot_at(object, index, 0);
        Val::of_state(id, of.clone())
    }

    /// Applies a function whose domain is known. Returns `None` if code cannot find its keys.
    fn select(&mut self, function: &Val, hint: &FunctionHint, arg: &Val) -> Option<Val> {
        let index = match (&hint.keys, arg.repr) {
            (Keys::Ids(keys), Repr::Const(constant)) => {
                let id = Self::const_id(constant.get())?;
                Index::At(keys.iter().position(|&key| key == id)? as u32)
            }
            (Keys::Ids(keys), Repr::Id(id)) if keys.len() <= KEYS_MAX => Index::Search(id, keys),
            (Keys::Ids(keys), Repr::Word(word)) if keys.len() <= KEYS_MAX => Index::SearchWord(word, keys),
            (Keys::Ids(_), _) => return None,
            (Keys::From(first), _) => {
                let int = self.int_of(arg);
                let index = self.b.ins().iadd_imm_s(int, first.checked_neg()?);
                let is_inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, index, i64::from(hint.len));
                self.guard(is_inside);
                Index::Dynamic(index)
            }
        };
        let object = self.function_object(function, hint);
        let id = match index {
            // The first slot is the domain.
            Index::At(index) => self.slot(object, 1 + index),
            Index::Dynamic(index) => self.slot_at(object, index, 1),
            Index::Search(id, keys) => {
                let keys: Vec<ir::Value> = keys.iter().map(|&key| self.iconst32(key)).collect();
                let index = self.search(id, &keys);
                self.slot_at(object, index, 1)
            }
            Index::SearchWord(word, keys) => {
                let of_key = |&key: &u32| raw::word(Interner::shared().value(ValueId::from_bits(key)));
                let keys: Vec<ir::Value> = keys.iter().map(|key| self.iconst(of_key(key) as i64)).collect();
                let index = self.search(word, &keys);
                self.slot_at(object, index, 1)
            }
        };
        Some(Val::of_state(id, hint.of.clone()))
    }

    /// Finds this key among all. Gives up if it is not there.
    fn search(&mut self, wanted: ir::Value, keys: &[ir::Value]) -> ir::Value {
        let mut index = self.iconst(-1);
        for (position, &key) in keys.iter().enumerate() {
            let is_it = self.b.ins().icmp(IntCC::Equal, wanted, key);
            let here = self.iconst(position as i64);
            index = self.b.ins().select(is_it, here, index);
        }
        let is_found = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, index, 0);
        self.guard(is_found);
        index
    }

    /// Returns the address of a function with the domain of the hint.
    fn function_object(&mut self, function: &Val, hint: &FunctionHint) -> ir::Value {
        let object = self.object_of(function);
        self.guard_header(object, raw::InternedKind::Function, hint.len, hint.domain);
        object
    }

    /// Gives up unless kind, length and first slot are these.
    pub fn guard_header(&mut self, object: ir::Value, kind: raw::InternedKind, len: u32, first: u32) {
        let is = self.has_header(object, kind, len, first);
        self.guard(is);
    }

    fn has_header(&mut self, object: ir::Value, kind: raw::InternedKind, len: u32, first: u32) -> ir::Value {
        let header = self.load64(object, 0);
        let expected = self.iconst(kind.header(len) as i64);
        let is_kind = self.b.ins().icmp(IntCC::Equal, header, expected);
        let slot = self.slot(object, 0);
        let expected = self.iconst32(first);
        let is_first = self.b.ins().icmp(IntCC::Equal, slot, expected);
        self.b.ins().band(is_kind, is_first)
    }

    pub fn field(&mut self, record: IrId, field: Atom) -> Emitted<Val> {
        if let Some(val) = self.part_of_literal(record, LiteralPart::Field(field))? {
            return Ok(val);
        }
        let record = self.value(record)?;
        Ok(self.field_of(&record, field))
    }

    fn field_of(&mut self, record: &Val, field: Atom) -> Val {
        if let Some(value) = record.as_const()
            && let Some(val) = self.fold(|machine| ops::field(machine, value, field))
        {
            return val;
        }
        if let Hint::Record(shapes) = &record.hint {
            let with_field: Vec<&RecordHint> =
                shapes.iter().filter(|hint| hint.shape.position(field).is_some()).collect();
            if !with_field.is_empty() && record.is_made {
                let known = Val { is_made: false, ..record.clone() };
                let mut hint = Hint::Unknown;
                let word = self.either(
                    |emitter| {
                        let val = emitter.field_of_shapes(&known, &with_field, field);
                        hint = val.hint.clone();
                        val
                    },
                    |emitter| emitter.field_slowly(record, field),
                );
                return Val::word(word).with_hint(hint);
            }
            if !with_field.is_empty() {
                return self.field_of_shapes(record, &with_field, field);
            }
        }
        self.field_slowly(record, field)
    }

    fn field_slowly(&mut self, record: &Val, field: Atom) -> Val {
        let record = self.word_of(record);
        let field = self.iconst(raw::word(Value::atom(field)) as i64);
        self.call_word(runtime::field::helper(), &[record, field])
    }

    fn field_of_shapes(&mut self, record: &Val, shapes: &[&RecordHint], field: Atom) -> Val {
        let object = self.object_of(record);
        let join = self.block();
        let result = self.b.append_block_param(join, types::I32);
        let mut joined: Option<Hint> = None;
        for (index, hint) in shapes.iter().enumerate() {
            let position = hint.shape.position(field).expect("chosen for having the field");
            let (len, bits) = (hint.shape.len() as u32, raw::shape_bits(hint.shape));
            let is = self.has_header(object, raw::InternedKind::Record, len, bits);
            let other = self.block();
            if index + 1 == shapes.len() {
                self.guard(is);
            } else {
                let here = self.block();
                self.b.ins().brif(is, here, &[], other, &[]);
                self.start(here);
            }
            let id = self.slot(object, 1 + position as u32);
            self.b.ins().jump(join, &[id.into()]);
            let of = &hint.fields[position];
            joined = Some(joined.map_or(of.clone(), |before| crate::hint::join(&before, of)));
            self.start(other);
        }
        // The last block is never reached, because the last shape was tested by a guard.
        let zero = self.iconst32(0);
        self.b.ins().jump(join, &[zero.into()]);
        self.start(join);
        Val::of_state(result, joined.unwrap_or(Hint::Unknown))
    }

    /// Makes code for `[x \in S |-> e]` over a small constant set; others are left to the interpreter.
    pub fn function(&mut self, bounds: &[Bound], body: IrId, is_recursive: bool, id: IrId) -> Emitted<Val> {
        let [Bound { pattern: Pattern::Names(slots), set, .. }] = bounds else { return self.interpret(id) };
        let [slot] = slots.as_slice() else { return self.interpret(id) };
        if is_recursive {
            return self.interpret(id);
        }
        let domain = self.value(*set)?;
        let Some(domain) = domain.as_const() else { return self.function_on(&domain, *slot, body) };
        let is_listed = domain.as_interval().is_some() || domain.as_normal_set().is_some();
        if !is_listed {
            return self.interpret(id);
        }
        let keys = self.source_of_constant(domain)?.constants().unwrap_or_default();
        let n_nodes = self.size(&[body], UNROLLED_MAX) * keys.len();
        if keys.is_empty() || n_nodes > UNROLLED_MAX {
            let domain = self.machine.constant(domain).map_err(|_| Unsupported("a constant set"))?;
            return self.function_on(&Val::constant(domain), *slot, body);
        }
        let mut words = Vec::new();
        let mut vals = Vec::new();
        for key in keys {
            let saved = self.env.clone();
            self.bind(*slot, Val::constant(key));
            let val = self.value(body)?;
            words.push(self.word_of(&val));
            vals.push(val);
            self.forget_to(saved);
        }
        if let Some(values) = Self::all_const(&vals)
            && let Some(val) = self.fold(|machine| {
                Ok(ops::function(domain, value::ValueVec::from_slice(machine.region(), &values)))
            })
        {
            return Ok(val);
        }
        let (first, n) = self.on_stack(&words);
        let domain = self.iconst(raw::word(domain) as i64);
        Ok(self.call_word(runtime::function::helper(), &[domain, first, n]))
    }

    /// Makes code for `[x \in S |-> e]` over a set that is listed when the code runs.
    fn function_on(&mut self, domain: &Val, slot: u16, body: IrId) -> Emitted<Val> {
        let word = self.word_of(domain);
        let domain = self.call_word(runtime::explicit_domain::helper(), &[word]);
        let domain = self.word_of(&domain);
        let source = self.words_of(runtime::elements::helper(), domain);
        let room = self.source_len(&source);
        let first = self.call_word(runtime::room::helper(), &[room]);
        let first = self.word_of(&first);
        let n = self.counter();
        self.for_each(&source, &mut |emitter, element, _| {
            emitter.bind(slot, element);
            let word = emitter.word(body)?;
            emitter.push(word, first, n);
            Ok(())
        })?;
        let n = self.b.use_var(n);
        Ok(self.call_word(runtime::function::helper(), &[domain, first, n]))
    }

    pub fn except(&mut self, base: IrId, updates: &[Update]) -> Emitted<Val> {
        let mut current = self.value(base)?;
        for update in updates {
            current = self.except_one(&current, update)?;
        }
        Ok(current)
    }

    fn except_one(&mut self, base: &Val, update: &Update) -> Emitted<Val> {
        let mut path = Vec::new();
        for step in &update.path {
            path.push(match step {
                PathStep::Field(name) => {
                    let name = Constant::opt_inline(Value::atom(*name));
                    Val::constant(name.expect("an atom is a word"))
                }
                PathStep::Index(index) => self.value(*index)?,
            });
        }
        let saved = self.env.clone();
        if self.mentions(update.value, update.at) {
            let mut old = base.clone();
            for (step, key) in update.path.iter().zip(&path) {
                old = match step {
                    PathStep::Field(name) => self.field_of(&old, *name),
                    PathStep::Index(_) => self.apply(&old, key),
                };
            }
            self.bind(update.at, old);
        }
        let new = self.value(update.value)?;
        self.env.restore(update.at, &saved);
        let new = self.word_of(&new);
        let hint = base.hint.clone();
        let base = self.word_of(base);
        let (first, n) = self.on_stack_vals(&path);
        Ok(self.call_word(runtime::except::helper(), &[base, first, n, new]).with_hint(hint))
    }

    /// Whether a node may read a slot of this frame.
    fn mentions(&self, root: IrId, slot: u16) -> bool {
        let mut seen = FxHashSet::from_iter([root]);
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let kind = &self.program.irs[id].kind;
            // A called function has a frame of its own, from which it may read this one.
            let mut calls = false;
            kind.for_each_func(&mut |_| calls = true);
            if calls || matches!(kind, IrKind::Slot(place) if place.index == slot) {
                return true;
            }
            kind.for_each_child(&mut |child| {
                if seen.insert(child) {
                    todo.push(child);
                }
            });
        }
        false
    }

    fn source_of_constant(&mut self, set: Value<'static>) -> Emitted<Source> {
        let set = self.machine.constant(set).map_err(|_| Unsupported("a constant set"))?;
        self.source_of(&Val::constant(set))
    }
}

enum Index<'a> {
    At(u32),
    Dynamic(ir::Value),
    Search(ir::Value, &'a [u32]),
    SearchWord(ir::Value, &'a [u32]),
}
