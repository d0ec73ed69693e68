//! Compiles equality: ids and words that are the same are the same values, and many that differ are seen to differ.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, InstBuilder};
use eval::ir::IrId;
use value::{Value, raw};

use crate::emit::{Emitted, Emitter, Repr, Val};
use crate::runtime;

impl Emitter<'_, '_, '_> {
    pub fn equal(&mut self, a: IrId, b: IrId, yes: Block, no: Block) -> Emitted<()> {
        let a = self.value(a)?;
        let b = self.value(b)?;
        self.equal_vals(&a, &b, yes, no)
    }

    pub fn equal_vals(&mut self, a: &Val, b: &Val, yes: Block, no: Block) -> Emitted<()> {
        if let Some(truth) = self.fold_equal(a, b) {
            self.jump(if truth { yes } else { no });
            return Ok(());
        }
        match (a.repr, b.repr) {
            (Repr::Int(_), _) | (_, Repr::Int(_)) => {
                let (left, right) = (self.int_of(a), self.int_of(b));
                let same = self.b.ins().icmp(IntCC::Equal, left, right);
                self.b.ins().brif(same, yes, &[], no, &[]);
                Ok(())
            }
            (Repr::Bool(_), _) | (_, Repr::Bool(_)) => {
                let (left, right) = (self.bool_of(a), self.bool_of(b));
                let same = self.b.ins().icmp(IntCC::Equal, left, right);
                self.b.ins().brif(same, yes, &[], no, &[]);
                Ok(())
            }
            (Repr::Id(id), Repr::Const(constant)) | (Repr::Const(constant), Repr::Id(id)) => {
                self.equal_constant(id, constant.get(), (a, b), (yes, no))
            }
            (Repr::Id(left), Repr::Id(right)) => {
                let other = self.block();
                let same = self.b.ins().icmp(IntCC::Equal, left, right);
                self.b.ins().brif(same, yes, &[], other, &[]);
                self.start(other);
                self.differ_or_ask(left, right, (a, b), (yes, no));
                Ok(())
            }
            (Repr::Word(_), Repr::Const(constant)) => {
                self.equal_constant_word(a, constant.get(), b, (yes, no));
                Ok(())
            }
            (Repr::Const(constant), Repr::Word(_)) => {
                self.equal_constant_word(b, constant.get(), a, (yes, no));
                Ok(())
            }
            (_, _) => {
                self.equal_words(a, b, yes, no);
                Ok(())
            }
        }
    }

    /// Compares words. The same word is the same value, and different words are different values if both are integers or
    /// both are atoms without a type.
    fn equal_words(&mut self, a: &Val, b: &Val, yes: Block, no: Block) {
        let (left, right) = (self.word_of(a), self.word_of(b));
        let (same, other, atoms, ask) = (self.block(), self.block(), self.block(), self.block());
        let is_same = self.b.ins().icmp(IntCC::Equal, left, right);
        self.b.ins().brif(is_same, same, &[], other, &[]);
        self.start(same);
        // A value that was just made may be a set that equals nothing, not even itself.
        let is_lasting = self.b.ins().band_imm_s(left, raw::TAG_MASK as i64);
        self.b.ins().brif(is_lasting, yes, &[], ask, &[]);
        self.start(other);
        let both = self.b.ins().band(left, right);
        let ints = self.b.ins().band_imm_s(both, raw::INT_TAG as i64);
        self.b.ins().brif(ints, no, &[], atoms, &[]);
        self.start(atoms);
        let is_left = self.is_untyped_atom_word(left);
        let is_right = self.is_untyped_atom_word(right);
        let are = self.b.ins().band(is_left, is_right);
        self.b.ins().brif(are, no, &[], ask, &[]);
        self.start(ask);
        self.call_branch(runtime::equal::helper(), &[left, right], yes, no);
    }

    /// Compares a word with a constant.
    fn equal_constant_word(
        &mut self,
        val: &Val,
        constant: Value<'static>,
        b: &Val,
        (yes, no): (Block, Block),
    ) {
        let word = self.word_of(val);
        let expected = Self::const_word(constant);
        let (other, ask) = (self.block(), self.block());
        if expected & raw::TAG_MASK != 0 {
            let expected = self.iconst(expected as i64);
            let same = self.b.ins().icmp(IntCC::Equal, word, expected);
            self.b.ins().brif(same, yes, &[], other, &[]);
            self.start(other);
        }
        let differs = if constant.as_small().is_some() {
            Some(self.b.ins().band_imm_s(word, raw::INT_TAG as i64))
        } else if constant.as_bool().is_some() {
            let opposite = raw::word(Value::TRUE) ^ raw::word(Value::FALSE) ^ expected;
            Some(self.b.ins().icmp_imm_s(IntCC::Equal, word, opposite as i64))
        } else if constant.as_atom().is_some_and(|atom| !atom.is_typed()) {
            Some(self.is_untyped_atom_word(word))
        } else {
            None
        };
        if let Some(differs) = differs {
            self.b.ins().brif(differs, no, &[], ask, &[]);
            self.start(ask);
        }
        let expected = self.word_of(b);
        self.call_branch(runtime::equal::helper(), &[word, expected], yes, no);
    }

    /// Whether a word is an atom that can be compared with all others.
    pub fn is_untyped_atom_word(&mut self, word: ir::Value) -> ir::Value {
        let mask = raw::TAG_MASK | u64::from(raw::ATOM_TYPED_BIT) << raw::TAG_SHIFT;
        let masked = self.b.ins().band_imm_s(word, mask as i64);
        self.b.ins().icmp_imm_s(IntCC::Equal, masked, raw::ATOM_TAG as i64)
    }

    fn ask_equal(&mut self, a: &Val, b: &Val, yes: Block, no: Block) {
        let (a, b) = (self.word_of(a), self.word_of(b));
        self.call_branch(runtime::equal::helper(), &[a, b], yes, no);
    }

    /// Compares values with different ids: they differ if both are integers or both are atoms without a type.
    // Six values: an id beside the value that it is of, for both sides, and the two ways on.
    fn differ_or_ask(
        &mut self,
        left: ir::Value,
        right: ir::Value,
        (a, b): (&Val, &Val),
        (yes, no): (Block, Block),
    ) {
        let (atoms, ask) = (self.block(), self.block());
        let both = self.b.ins().bxor(left, right);
        let top = self.b.ins().ushr_imm_s(both, 30);
        let alike = self.is_zero(top);
        let is_int = self.is_int_id(left);
        let ints = self.b.ins().band(alike, is_int);
        self.b.ins().brif(ints, no, &[], atoms, &[]);
        self.start(atoms);
        let is_left = self.is_untyped_atom(left);
        let is_right = self.is_untyped_atom(right);
        let are = self.b.ins().band(is_left, is_right);
        self.b.ins().brif(are, no, &[], ask, &[]);
        self.start(ask);
        self.ask_equal(a, b, yes, no);
    }

    fn is_untyped_atom(&mut self, id: ir::Value) -> ir::Value {
        let mask = self.iconst32(0b111 << raw::ID_PAYLOAD_BITS | raw::ATOM_TYPED_BIT);
        let masked = self.b.ins().band(id, mask);
        let atom = self.iconst32(raw::ID_ATOM << raw::ID_PAYLOAD_BITS);
        self.b.ins().icmp(IntCC::Equal, masked, atom)
    }

    /// Compares an id with a constant.
    // Six values: the id and the constant beside the values that they are of, and the two ways on.
    fn equal_constant(
        &mut self,
        id: ir::Value,
        constant: Value<'static>,
        (a, b): (&Val, &Val),
        (yes, no): (Block, Block),
    ) -> Emitted<()> {
        let Some(expected) = Self::const_id(constant) else {
            self.ask_equal(a, b, yes, no);
            return Ok(());
        };
        let other = self.block();
        let expected_value = self.iconst32(expected);
        let same = self.b.ins().icmp(IntCC::Equal, id, expected_value);
        self.b.ins().brif(same, yes, &[], other, &[]);
        self.start(other);
        self.unequal_constant(id, constant, (a, b), (yes, no))
    }

    /// Decides whether different ids mean different values.
    // Six values, as the function above passes them on.
    fn unequal_constant(
        &mut self,
        id: ir::Value,
        constant: Value<'static>,
        (a, b): (&Val, &Val),
        (yes, no): (Block, Block),
    ) -> Emitted<()> {
        let ask = self.block();
        let is_other = if constant.as_small().is_some() {
            self.is_int_id(id)
        } else if constant.as_bool().is_some() {
            self.is_class(id, raw::ID_BOOL)
        } else if constant.as_atom().is_some_and(|atom| !atom.is_typed()) {
            self.is_untyped_atom(id)
        } else if constant.as_sequence().is_some_and(|items| items.is_empty()) {
            let val = if matches!(a.repr, Repr::Id(_)) { a } else { b };
            let object = self.object_of(val);
            let byte = self.load8(object, 0);
            let kind = i64::from(raw::InternedKind::Sequence.byte());
            self.b.ins().icmp_imm_s(IntCC::Equal, byte, kind)
        } else if constant.as_normal_set().is_some_and(|items| items.is_empty()) {
            let val = if matches!(a.repr, Repr::Id(_)) { a } else { b };
            let object = self.object_of(val);
            let byte = self.load8(object, 0);
            self.b.ins().icmp_imm_s(IntCC::Equal, byte, i64::from(raw::InternedKind::Set.byte()))
        } else {
            self.ask_equal(a, b, yes, no);
            return Ok(());
        };
        self.b.ins().brif(is_other, no, &[], ask, &[]);
        self.start(ask);
        self.ask_equal(a, b, yes, no);
        Ok(())
    }
}
