//! Values in the representation that an operator takes: words, integers, truths, addresses of objects.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, types};
use value::{Value, raw};

use crate::emit::{Emitter, Repr, Val};
use crate::hint::Hint;

impl Emitter<'_, '_, '_> {
    /// Returns a value as a word.
    pub fn word_of(&mut self, val: &Val) -> ir::Value {
        match val.repr {
            Repr::Const(constant) => self.iconst(Self::const_word(constant.get()) as i64),
            Repr::Word(word) => word,
            Repr::Int(int) => {
                let shifted = self.b.ins().ishl_imm_s(int, 1);
                self.b.ins().bor_imm_s(shifted, raw::INT_TAG as i64)
            }
            Repr::Bool(truth) => {
                let wide = self.b.ins().uextend(types::I64, truth);
                let shifted = self.b.ins().ishl_imm_s(wide, i64::from(raw::TAG_SHIFT));
                self.b.ins().bor_imm_s(shifted, raw::word(Value::FALSE) as i64)
            }
            Repr::Id(id) => self.decode(id, &val.hint),
        }
    }

    fn decode(&mut self, id: ir::Value, hint: &Hint) -> ir::Value {
        match hint {
            Hint::Int => {
                self.guard_int_id(id);
                self.decode_int(id)
            }
            Hint::Atom => {
                self.guard_class(id, raw::ID_ATOM);
                self.decode_atom(id)
            }
            Hint::Bool => {
                self.guard_class(id, raw::ID_BOOL);
                self.decode_bool(id)
            }
            Hint::Sequence(_) | Hint::Set(_) | Hint::Function(_) | Hint::Map(_) | Hint::Record(_) => {
                self.guard_object_id(id);
                self.decode_object(id)
            }
            Hint::Unknown | Hint::Never => self.decode_any(id),
        }
    }

    pub fn decode_any(&mut self, id: ir::Value) -> ir::Value {
        let object = self.decode_object(id);
        let int = self.decode_int(id);
        let atom = self.decode_atom(id);
        let truth = self.decode_bool(id);
        let class = self.b.ins().ushr_imm_s(id, i64::from(raw::ID_PAYLOAD_BITS));
        let is_atom = self.b.ins().icmp_imm_s(IntCC::Equal, class, i64::from(raw::ID_ATOM));
        let is_bool = self.b.ins().icmp_imm_s(IntCC::Equal, class, i64::from(raw::ID_BOOL));
        let is_object = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, id, 0);
        let word = self.b.ins().select(is_atom, atom, int);
        let word = self.b.ins().select(is_bool, truth, word);
        self.b.ins().select(is_object, object, word)
    }

    fn decode_int(&mut self, id: ir::Value) -> ir::Value {
        let int = self.int_of_id(id);
        let shifted = self.b.ins().ishl_imm_s(int, 1);
        self.b.ins().bor_imm_s(shifted, raw::INT_TAG as i64)
    }

    fn int_of_id(&mut self, id: ir::Value) -> ir::Value {
        let shifted = self.b.ins().ishl_imm_s(id, 2);
        let int = self.b.ins().sshr_imm_s(shifted, 2);
        self.b.ins().sextend(types::I64, int)
    }

    fn decode_atom(&mut self, id: ir::Value) -> ir::Value {
        self.decode_payload(id, raw::ATOM_TAG)
    }

    fn decode_bool(&mut self, id: ir::Value) -> ir::Value {
        self.decode_payload(id, raw::word(Value::FALSE))
    }

    fn decode_payload(&mut self, id: ir::Value, tag: u64) -> ir::Value {
        let payload = self.b.ins().band_imm_s(id, (1 << raw::ID_PAYLOAD_BITS) - 1);
        let wide = self.b.ins().uextend(types::I64, payload);
        let shifted = self.b.ins().ishl_imm_s(wide, i64::from(raw::TAG_SHIFT));
        self.b.ins().bor_imm_s(shifted, tag as i64)
    }

    fn decode_object(&mut self, id: ir::Value) -> ir::Value {
        let address = self.address_of_id(id);
        self.b.ins().bor_imm_s(address, raw::INTERNED_TAG as i64)
    }

    fn address_of_id(&mut self, id: ir::Value) -> ir::Value {
        let wide = self.b.ins().uextend(types::I64, id);
        let offset = self.b.ins().ishl_imm_s(wide, i64::from(raw::ID_UNIT_LOG2));
        self.b.ins().iadd(self.window, offset)
    }

    fn guard_object_id(&mut self, id: ir::Value) {
        let is_object = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, id, 0);
        self.guard(is_object);
    }

    fn guard_int_id(&mut self, id: ir::Value) {
        let is_int = self.is_int_id(id);
        self.guard(is_int);
    }

    pub fn is_int_id(&mut self, id: ir::Value) -> ir::Value {
        let class = self.b.ins().ushr_imm_s(id, 30);
        self.b.ins().icmp_imm_s(IntCC::Equal, class, i64::from(raw::ID_INT))
    }

    fn guard_class(&mut self, id: ir::Value, class: u32) {
        let is = self.is_class(id, class);
        self.guard(is);
    }

    pub fn is_class(&mut self, id: ir::Value, class: u32) -> ir::Value {
        let top = self.b.ins().ushr_imm_s(id, i64::from(raw::ID_PAYLOAD_BITS));
        self.b.ins().icmp_imm_s(IntCC::Equal, top, i64::from(class))
    }

    /// Converts to an integer in 64 bits. Gives up if it is not one or does not fit into a word.
    pub fn int_of(&mut self, val: &Val) -> ir::Value {
        match val.repr {
            Repr::Const(constant) => match constant.get().as_small() {
                Some(int) => self.iconst(int),
                None => self.give_up_value(types::I64),
            },
            Repr::Int(int) => int,
            Repr::Id(id) => {
                self.guard_int_id(id);
                self.int_of_id(id)
            }
            Repr::Word(word) => {
                let bit = self.b.ins().band_imm_s(word, raw::INT_TAG as i64);
                self.guard(bit);
                self.b.ins().sshr_imm_s(word, 1)
            }
            Repr::Bool(_) => self.give_up_value(types::I64),
        }
    }

    /// Checks a computed integer. Gives up if it does not fit into a word.
    pub fn checked_int(&mut self, int: ir::Value) -> Val {
        let shifted = self.b.ins().ishl_imm_s(int, 1);
        let back = self.b.ins().sshr_imm_s(shifted, 1);
        let fits = self.b.ins().icmp(IntCC::Equal, back, int);
        self.guard(fits);
        Val::int(int)
    }

    /// Converts to 0 or 1 in 8 bits. Gives up if it is not a boolean.
    pub fn bool_of(&mut self, val: &Val) -> ir::Value {
        match val.repr {
            Repr::Const(constant) => match constant.get().as_bool() {
                Some(truth) => self.b.ins().iconst(types::I8, i64::from(truth)),
                None => self.give_up_value(types::I8),
            },
            Repr::Bool(truth) => truth,
            Repr::Id(id) => {
                self.guard_class(id, raw::ID_BOOL);
                let bit = self.b.ins().band_imm_s(id, 1);
                self.b.ins().ireduce(types::I8, bit)
            }
            Repr::Word(word) => {
                let (yes, no) = (raw::word(Value::TRUE) as i64, raw::word(Value::FALSE) as i64);
                let is_true = self.b.ins().icmp_imm_s(IntCC::Equal, word, yes);
                let is_false = self.b.ins().icmp_imm_s(IntCC::Equal, word, no);
                let is_bool = self.b.ins().bor(is_true, is_false);
                self.guard(is_bool);
                is_true
            }
            Repr::Int(_) => self.give_up_value(types::I8),
        }
    }

    /// Returns the address of an interned object. Gives up if the value is not one.
    pub fn object_of(&mut self, val: &Val) -> ir::Value {
        match val.repr {
            Repr::Id(id) => {
                self.guard_object_id(id);
                self.address_of_id(id)
            }
            Repr::Word(word) => {
                let tag = self.b.ins().band_imm_s(word, raw::TAG_MASK as i64);
                let is_interned = self.b.ins().icmp_imm_s(IntCC::Equal, tag, raw::INTERNED_TAG as i64);
                self.guard(is_interned);
                self.b.ins().iadd_imm_s(word, -(raw::INTERNED_TAG as i64))
            }
            Repr::Const(_) | Repr::Int(_) | Repr::Bool(_) => self.give_up_value(types::I64),
        }
    }
}
