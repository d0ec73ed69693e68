//! Code for nodes that bind names: loops over sets, which are unrolled if the set is a small constant.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, InstBuilder, types};
use eval::ir::{Bound, CallArg, IrId, IrKind, Pattern};
use sema::std_ops::StdOp;
use value::{Constant, Value, raw};

use crate::emit::{Emitted, Emitter, Repr, Unsupported, Val};
use crate::hint::Hint;
use crate::pieces::joined_hint;
use crate::runtime;

/// Number of elements up to which a loop is unrolled.
const LAID_OUT_MAX: usize = 16;

/// The most nodes in all copies of the body of a loop that is unrolled.
const COPIED_MAX: usize = 300;

/// The source of the elements of a set.
#[derive(Clone)]
pub(crate) enum Source {
    Constants(Vec<Constant>),
    /// Integers from the first to the last.
    Range(ir::Value, ir::Value),
    /// Two integers in order, which may be the same: only where that makes no difference.
    Pair(ir::Value, ir::Value),
    /// The slots of an interned set.
    Slots {
        object: ir::Value,
        len: ir::Value,
        hint: Hint,
    },
    /// A row of words.
    Words {
        first: ir::Value,
        len: ir::Value,
        hint: Hint,
    },
    /// A row of ids of constants, each in 64 bits.
    Ids {
        first: ir::Value,
        len: ir::Value,
        hint: Hint,
    },
}

impl Source {
    /// Returns the elements if they are constants that are laid out.
    pub fn constants(self) -> Option<Vec<Constant>> {
        match self {
            Source::Constants(constants) => Some(constants),
            Source::Range(..)
            | Source::Pair(..)
            | Source::Slots { .. }
            | Source::Words { .. }
            | Source::Ids { .. } => None,
        }
    }

    /// Returns the guess at the form of the elements, if there is one.
    fn hint(&self) -> Option<Hint> {
        match self {
            Source::Slots { hint, .. } | Source::Ids { hint, .. } | Source::Words { hint, .. } => {
                (*hint != Hint::Unknown).then(|| hint.clone())
            }
            Source::Constants(_) | Source::Range(..) | Source::Pair(..) => None,
        }
    }

    /// Returns the same source with a guess at the form of listed elements.
    pub fn with_hint(self, hint: Hint) -> Source {
        match self {
            Source::Words { first, len, .. } => Source::Words { first, len, hint },
            Source::Constants(_)
            | Source::Range(..)
            | Source::Pair(..)
            | Source::Slots { .. }
            | Source::Ids { .. } => self,
        }
    }
}

/// Whether the elements of a set are written out, so that TLC makes a subset at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listing {
    Sure,
    Perhaps,
    Lazy,
}

/// The name or names that take elements of a source.
#[derive(Clone)]
pub(crate) struct BoundName<'a> {
    names: Names<'a>,
    pub source: Source,
}

#[derive(Clone, Copy)]
pub(crate) enum Names<'a> {
    One(u16),
    Tuple(&'a [u16]),
}

/// The code for each way to bind names. It leaves the current block open, or jumps to the block given.
pub(crate) type Body<'b, 'e, 'p, 'r> = &'b mut dyn FnMut(&mut Emitter<'e, 'p, 'r>, Block) -> Emitted<()>;

impl<'e, 'p, 'r> Emitter<'e, 'p, 'r> {
    /// Returns the source for a formula that may be tested with the same element twice.
    fn source_to_ask(&mut self, set: IrId) -> Emitted<Source> {
        let Some((a, b)) = self.two_elements(set) else { return self.source(set) };
        let a = self.value(a)?;
        let b = self.value(b)?;
        if a.hint != Hint::Int && b.hint != Hint::Int {
            return self.source(set);
        }
        let (a, b) = (self.int_of(&a), self.int_of(&b));
        Ok(Source::Pair(self.b.ins().smin(a, b), self.b.ins().smax(a, b)))
    }

    /// Returns the elements of `{a, b}`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is such a set")]
    fn two_elements(&self, set: IrId) -> Option<(IrId, IrId)> {
        match &self.program.irs[set].kind {
            IrKind::SetEnum(items) => match items.as_slice() {
                &[a, b] => Some((a, b)),
                _ => None,
            },
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, expr: body, .. } => self.two_elements(*body),
            _ => None,
        }
    }

    pub fn source(&mut self, set: IrId) -> Emitted<Source> {
        if let IrKind::Native { op: StdOp::Interval, args } = &self.program.irs[set].kind
            && let &[CallArg::Expr(first), CallArg::Expr(last)] = args.as_slice()
        {
            let (first, last) = self.two_ints(first, last)?;
            return Ok(Source::Range(first, last));
        }
        if let Some(val) = self.lazy_filter(set)? {
            return self.source_of(&val);
        }
        let val = self.value(set)?;
        self.source_of(&val)
    }

    /// Makes code for `{x \in SUBSET S : p}` and its like, which the interpreter lists once for each S. Returns `None` for
    /// any other node.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node stands for such a set")]
    fn lazy_filter(&mut self, set: IrId) -> Emitted<Option<Val>> {
        let program = self.program;
        match &program.irs[set].kind {
            IrKind::Enter { body, .. } => self.lazy_filter(*body),
            IrKind::Bind { memos, body } if self.is_lazy_filter(*body) => {
                self.empty_memos(memos);
                self.lazy_filter(*body)
            }
            IrKind::Lazy { up, memo: None, expr } => {
                self.in_frame_up(*up, |emitter| emitter.lazy_filter(*expr))
            }
            IrKind::SetFilter { bound, .. } if matches!(self.listing(bound.set), Listing::Lazy) => {
                self.interpret_listed(set).map(Some)
            }
            _ => Ok(None),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node stands for such a set")]
    fn is_lazy_filter(&mut self, set: IrId) -> bool {
        match &self.program.irs[set].kind {
            IrKind::Enter { body, .. }
            | IrKind::Bind { body, .. }
            | IrKind::Lazy { up: 0, memo: None, expr: body } => {
                let body = *body;
                self.is_lazy_filter(body)
            }
            IrKind::SetFilter { bound, .. } => {
                let base = bound.set;
                matches!(self.listing(base), Listing::Lazy)
            }
            _ => false,
        }
    }

    pub fn source_of(&mut self, val: &Val) -> Emitted<Source> {
        if let Some(value) = val.as_const() {
            return self.constant_source(value);
        }
        if let Hint::Set(of) = &val.hint
            && **of != Hint::Int
            && !val.is_made
        {
            let hint = Hint::clone(of);
            let object = self.object_of(val);
            self.guard_kind(object, raw::InternedKind::Set);
            let len = self.len(object);
            return Ok(Source::Slots { object, len, hint });
        }
        let hint = match &val.hint {
            Hint::Set(of) => Hint::clone(of),
            Hint::Never
            | Hint::Unknown
            | Hint::Int
            | Hint::Bool
            | Hint::Atom
            | Hint::Sequence(_)
            | Hint::Function(_)
            | Hint::Map(_)
            | Hint::Record(_) => Hint::Unknown,
        };
        let set = self.word_of(val);
        Ok(self.words_of(runtime::elements::helper(), set).with_hint(hint))
    }

    /// Returns the elements of a set as a helper lists them.
    pub fn words_of(&mut self, helper: runtime::Helper, set: ir::Value) -> Source {
        let list = self.call_word(helper, &[set]);
        let list = self.word_of(&list);
        let len = self.load_word(list, 0);
        let first = self.b.ins().iadd_imm_s(list, size_of::<u64>() as i64);
        Source::Words { first, len, hint: Hint::Unknown }
    }

    fn constant_source(&mut self, set: Value<'static>) -> Emitted<Source> {
        if let Some((first, last)) = set.as_interval()
            && last - first >= LAID_OUT_MAX as i64
        {
            let (first, last) = (self.iconst(first), self.iconst(last));
            return Ok(Source::Range(first, last));
        }
        let mut constants = Vec::new();
        let Ok(mut elements) = value::ops::elements_normal(self.machine, set) else {
            let set = self.iconst(raw::word(set) as i64);
            return Ok(self.words_of(runtime::elements::helper(), set));
        };
        while let Ok(Some(element)) = elements.next(self.machine) {
            constants.push(self.machine.constant(element).map_err(|_| Unsupported("an element"))?);
            if constants.len() > 4096 {
                let set = self.iconst(raw::word(set) as i64);
                return Ok(self.words_of(runtime::elements::helper(), set));
            }
        }
        if constants.len() <= LAID_OUT_MAX {
            return Ok(Source::Constants(constants));
        }
        Ok(self.table(constants.iter().map(|constant| raw::word(constant.get())).collect()))
    }

    /// Returns an upper bound on the number of elements, in 64 bits.
    pub fn source_len(&mut self, source: &Source) -> ir::Value {
        match source {
            Source::Constants(constants) => self.iconst(constants.len() as i64),
            Source::Pair(..) => self.iconst(2),
            Source::Range(first, last) => {
                let n = self.b.ins().isub(*last, *first);
                let n = self.b.ins().iadd_imm_s(n, 1);
                let zero = self.iconst(0);
                self.b.ins().smax(n, zero)
            }
            Source::Slots { len, .. } | Source::Words { len, .. } | Source::Ids { len, .. } => *len,
        }
    }

    /// Runs `body` for each element, in order. Continues in a block after all of them.
    pub fn for_each(
        &mut self,
        source: &Source,
        body: &mut dyn FnMut(&mut Self, Val, Block) -> Emitted<()>,
    ) -> Emitted<()> {
        let saved = self.env.clone();
        if let Source::Constants(constants) = source {
            for &constant in constants {
                let on = self.block();
                body(self, Val::constant(constant), on)?;
                self.jump(on);
                self.start(on);
                self.forget_to(saved.clone());
            }
            return Ok(());
        }
        if let Source::Pair(less, more) = source {
            for int in [*less, *more] {
                let on = self.block();
                body(self, Val::int(int), on)?;
                self.jump(on);
                self.start(on);
                self.forget_to(saved.clone());
            }
            return Ok(());
        }
        let (head, inside, on, after) = (self.block(), self.block(), self.block(), self.block());
        let index = self.b.append_block_param(head, types::I64);
        let first = match source {
            Source::Range(first, _) => *first,
            Source::Constants(_)
            | Source::Pair(..)
            | Source::Slots { .. }
            | Source::Words { .. }
            | Source::Ids { .. } => self.iconst(0),
        };
        self.b.ins().jump(head, &[first.into()]);
        self.start(head);
        let goes_on = match source {
            Source::Range(_, last) => self.b.ins().icmp(IntCC::SignedLessThanOrEqual, index, *last),
            Source::Slots { len, .. } | Source::Words { len, .. } | Source::Ids { len, .. } => {
                self.b.ins().icmp(IntCC::UnsignedLessThan, index, *len)
            }
            Source::Constants(_) | Source::Pair(..) => return Err(Unsupported("these are laid out")),
        };
        self.b.ins().brif(goes_on, inside, &[], after, &[]);
        self.start(inside);
        let element = self.element(source, index);
        body(self, element, on)?;
        self.jump(on);
        self.start(on);
        let next = self.b.ins().iadd_imm_s(index, 1);
        self.b.ins().jump(head, &[next.into()]);
        self.start(after);
        self.forget_to(saved);
        Ok(())
    }

    fn element(&mut self, source: &Source, index: ir::Value) -> Val {
        match source {
            Source::Slots { object, hint, .. } => {
                let id = self.slot_at(*object, index, 0);
                Val::of_state(id, hint.clone())
            }
            Source::Words { first, hint, .. } => {
                let offset = self.b.ins().ishl_imm_s(index, 3);
                let place = self.b.ins().iadd(*first, offset);
                Val::word(self.load_word(place, 0)).with_hint(hint.clone())
            }
            Source::Ids { first, hint, .. } => {
                let offset = self.b.ins().ishl_imm_s(index, 3);
                let place = self.b.ins().iadd(*first, offset);
                let id = self.load32(place, 0);
                Val::of_state(id, hint.clone())
            }
            Source::Range(..) | Source::Pair(..) | Source::Constants(_) => Val::int(index),
        }
    }

    /// Turns constants into a row of ids if one copy of the body for each of them would be too much code.
    fn compact(&mut self, source: Source, n_copies: usize, body: IrId) -> Source {
        let Source::Constants(constants) = &source else { return source };
        let n_copies = n_copies * constants.len();
        if n_copies <= 1 || self.size(&[body], COPIED_MAX) * n_copies <= COPIED_MAX {
            return source;
        }
        let ids: Option<Box<[u64]>> =
            constants.iter().map(|constant| Self::const_id(constant.get()).map(u64::from)).collect();
        let hint = joined_hint(constants);
        let Some(ids) = ids else { return source };
        let (first, len) = self.table_of(ids);
        Source::Ids { first, len, hint }
    }

    /// Turns constants of names into rows, beginning with the last name, until the copies of the body are few enough.
    pub fn compact_names(&mut self, names: &mut [BoundName<'_>], body: IrId) {
        for index in 0..names.len() {
            let len_of = |name: &BoundName<'_>| match &name.source {
                Source::Constants(constants) => constants.len().max(1),
                Source::Range(..)
                | Source::Pair(..)
                | Source::Slots { .. }
                | Source::Words { .. }
                | Source::Ids { .. } => 1,
            };
            let n_others = names.iter().enumerate().filter(|&(other, _)| other != index);
            let n_others: usize = n_others.map(|(_, name)| len_of(name)).product();
            let source = names[index].source.clone();
            names[index].source = self.compact(source, n_others, body);
        }
    }

    pub fn names<'a>(&mut self, bounds: &'a [Bound], to_ask: bool) -> Emitted<Vec<BoundName<'a>>> {
        let mut names = Vec::new();
        for bound in bounds {
            let source = if to_ask { self.source_to_ask(bound.set)? } else { self.source(bound.set)? };
            match &bound.pattern {
                Pattern::Names(slots) => names.extend(
                    slots.iter().map(|&slot| BoundName { names: Names::One(slot), source: source.clone() }),
                ),
                Pattern::Tuple(slots) => names.push(BoundName { names: Names::Tuple(slots), source }),
            }
        }
        Ok(names)
    }

    /// Runs `body` for each way to bind the names; the first varies fastest. The sets are evaluated before. `node` is what
    /// code is made for.
    pub fn for_each_binding(
        &mut self,
        bounds: &[Bound],
        node: IrId,
        body: Body<'_, 'e, 'p, 'r>,
    ) -> Emitted<()> {
        let mut names = self.names(bounds, false)?;
        self.compact_names(&mut names, node);
        self.nest(&names, body)
    }

    /// Binds names to parameters that take the elements of constant sets. Returns whether all of them are constant.
    pub fn bind_params(&mut self, bounds: &[Bound]) -> Emitted<bool> {
        let mut all = Vec::new();
        // The first name varies fastest.
        for bound in bounds.iter().rev() {
            let Pattern::Names(slots) = &bound.pattern else { return Ok(false) };
            let Some(set) = self.constant_of(bound.set) else { return Ok(false) };
            let Some(values) = self.constant_source(set)?.constants() else { return Ok(false) };
            if !Self::are_params(&values) {
                return Ok(false);
            }
            all.extend(slots.iter().rev().map(|&slot| (slot, values.clone())));
        }
        let Some(choices) = &self.choices else { return Ok(false) };
        let n_instances =
            choices.n_instances() * all.iter().map(|(_, values)| values.len()).product::<usize>();
        if n_instances > LAID_OUT_MAX * LAID_OUT_MAX {
            return Ok(false);
        }
        for (slot, values) in all {
            self.bind_param(slot, values);
        }
        Ok(true)
    }

    /// Binds a name to a parameter that takes these values.
    pub fn bind_param(&mut self, slot: u16, values: Vec<Constant>) {
        let hint = joined_hint(&values);
        let Some(choices) = &mut self.choices else { return };
        let param = choices.param(values);
        let val = self.param(param, hint);
        self.bind(slot, val);
    }

    pub fn nest(&mut self, names: &[BoundName<'_>], body: Body<'_, 'e, 'p, 'r>) -> Emitted<()> {
        let Some((last, outer)) = names.split_last() else {
            let after = self.block();
            body(self, after)?;
            self.jump(after);
            self.start(after);
            return Ok(());
        };
        self.for_each(&last.source, &mut |emitter, element, on| {
            emitter.bind_names(last.names, element)?;
            if outer.is_empty() { body(emitter, on) } else { emitter.nest(outer, body) }
        })
    }

    fn bind_names(&mut self, names: Names<'_>, element: Val) -> Emitted<()> {
        let slots = match names {
            Names::One(slot) => {
                self.bind(slot, element);
                return Ok(());
            }
            Names::Tuple(slots) => slots,
        };
        self.bind_tuple(slots, &element)
    }

    fn bind_tuple(&mut self, slots: &[u16], element: &Val) -> Emitted<()> {
        if let Some(items) = element.as_const().and_then(Value::as_sequence) {
            if items.len() != slots.len() {
                self.give_up();
            }
            for (&slot, item) in slots.iter().zip(items) {
                let constant = self.machine.constant(item).map_err(|_| Unsupported("a part of a tuple"))?;
                self.bind(slot, Val::constant(constant));
            }
            return Ok(());
        }
        let tuple = self.word_of(element);
        for (index, &slot) in slots.iter().enumerate() {
            let (index, width) = (self.iconst(index as i64), self.iconst(slots.len() as i64));
            let part = self.call_word(runtime::tuple_part::helper(), &[tuple, index, width]);
            self.bind(slot, part);
        }
        Ok(())
    }

    /// Binds the names of one bound to an element.
    fn bind_bound(&mut self, bound: &Bound, element: Val) -> Emitted<()> {
        match &bound.pattern {
            Pattern::Names(slots) => {
                for &slot in slots {
                    self.bind(slot, element.clone());
                }
                Ok(())
            }
            Pattern::Tuple(slots) => self.bind_tuple(slots, &element),
        }
    }

    /// Makes code for quantifiers. `\E` ends early at yes when its body holds, `\A` at no when it does not.
    pub fn quantifier(
        &mut self,
        bounds: &[Bound],
        body: IrId,
        (yes, no): (Block, Block),
        is_exists: bool,
    ) -> Emitted<()> {
        let mut names = self.names(bounds, true)?;
        self.compact_names(&mut names, body);
        let saved = self.env.clone();
        self.nest(&names, &mut |emitter, on| {
            let end = emitter.block();
            match is_exists {
                true => emitter.branch(body, yes, end)?,
                false => emitter.branch(body, end, no)?,
            }
            emitter.start(end);
            let _ = on;
            Ok(())
        })?;
        self.jump(if is_exists { no } else { yes });
        self.forget_to(saved);
        Ok(())
    }

    /// Returns the values of the names for each instance of bounds over constant sets, in the order in which TLC takes
    /// those of `\A` in an action: the first, and then from the last to the second.
    pub fn constant_instances(&mut self, bounds: &[Bound], n_max: usize) -> Emitted<Vec<Vec<(u16, Val)>>> {
        let unknown = Unsupported("an action for all elements of a set that is not constant, or large");
        let mut instances: Vec<Vec<(u16, Val)>> = vec![Vec::new()];
        for name in self.names(bounds, false)? {
            let (Names::One(slot), Source::Constants(constants)) = (name.names, name.source) else {
                return Err(unknown);
            };
            if instances.len() * constants.len() > n_max {
                return Err(unknown);
            }
            // The first name varies fastest.
            let with = |constant: &Constant, before: &Vec<(u16, Val)>| {
                let mut all = before.clone();
                all.push((slot, Val::constant(*constant)));
                all
            };
            let before = std::mem::take(&mut instances);
            instances = constants.iter().flat_map(|c| before.iter().map(move |b| with(c, b))).collect();
        }
        if let Some((_, others)) = instances.split_first_mut() {
            others.reverse();
        }
        Ok(instances)
    }

    /// Makes code for `\A` in an action, whose body is only tested: continues if it holds, and goes to `no` otherwise.
    /// TLC takes the first instance first and then goes from the last to the second.
    pub fn all_in_action(&mut self, bounds: &[Bound], body: IrId, no: Block) -> Emitted<()> {
        let mut names = self.names(bounds, false)?;
        for name in &mut names {
            self.make_indexed(&mut name.source);
        }
        let mut total = self.iconst(1);
        for name in &names {
            let len = self.source_len(&name.source);
            total = self.b.ins().imul(total, len);
        }
        let all = Source::Range(self.iconst(0), self.b.ins().iadd_imm_s(total, -1));
        self.for_each(&all, &mut |emitter, index, _| {
            let index = emitter.int_of(&index);
            let mirrored = emitter.b.ins().isub(total, index);
            let place = emitter.b.ins().select(index, mirrored, index);
            emitter.bind_place(&names, place)?;
            emitter.assume(body, no)
        })
    }

    /// Turns constants into a row of words.
    fn make_indexed(&mut self, source: &mut Source) {
        let Source::Constants(constants) = source else { return };
        let words = constants.iter().map(|constant| raw::word(constant.get()));
        *source = self.table(words.collect());
    }

    fn table(&mut self, words: Box<[u64]>) -> Source {
        let (first, len) = self.table_of(words);
        Source::Words { first, len, hint: Hint::Unknown }
    }

    /// Keeps words for the code. Returns their address and their number.
    fn table_of(&mut self, words: Box<[u64]>) -> (ir::Value, ir::Value) {
        let first = self.iconst(words.as_ptr() as i64);
        let len = self.iconst(words.len() as i64);
        self.tables.push(words);
        (first, len)
    }

    /// Binds names to the elements of an instance; the first name varies fastest.
    fn bind_place(&mut self, names: &[BoundName<'_>], place: ir::Value) -> Emitted<()> {
        let mut place = place;
        for (index, name) in names.iter().enumerate() {
            let mut own = place;
            if index + 1 < names.len() {
                let len = self.source_len(&name.source);
                own = self.b.ins().urem(place, len);
                place = self.b.ins().udiv(place, len);
            }
            if let Source::Range(first, _) = name.source {
                own = self.b.ins().iadd(own, first);
            }
            let element = self.element(&name.source, own);
            self.bind_names(name.names, element)?;
        }
        Ok(())
    }

    pub fn choose(&mut self, bound: &Bound, body: IrId) -> Emitted<Val> {
        let source = self.source_to_ask(bound.set)?;
        let source = self.compact(source, 1, body);
        let found = self.block();
        let result = self.b.append_block_param(found, types::I64);
        let hint = match &source {
            Source::Slots { hint, .. } | Source::Ids { hint, .. } | Source::Words { hint, .. } => {
                hint.clone()
            }
            Source::Range(..) | Source::Pair(..) => Hint::Int,
            Source::Constants(_) => Hint::Unknown,
        };
        self.for_each(&source, &mut |emitter, element, on| {
            emitter.bind_bound(bound, element.clone())?;
            let yes = emitter.block();
            emitter.branch(body, yes, on)?;
            emitter.start(yes);
            let word = emitter.word_of(&element);
            emitter.b.ins().jump(found, &[word.into()]);
            let dead = emitter.block();
            emitter.start(dead);
            Ok(())
        })?;
        self.give_up();
        let zero = self.iconst(0);
        self.b.ins().jump(found, &[zero.into()]);
        self.start(found);
        Ok(Val { repr: Repr::Word(result), hint, is_made: true })
    }

    /// Makes code for `{x \in S : p}` of a set that is written out.
    pub fn set_filter(&mut self, bound: &Bound, predicate: IrId, id: IrId) -> Emitted<Val> {
        let source = match self.listing(bound.set) {
            Listing::Lazy => return self.interpret(id),
            Listing::Sure => self.source(bound.set)?,
            Listing::Perhaps => {
                let set = self.value(bound.set)?;
                let word = self.word_of(&set);
                let is_eager = self.call(runtime::is_eager::helper(), &[word]);
                self.guard(is_eager);
                self.source_of(&set)?
            }
        };
        let source = self.compact(source, 1, predicate);
        let room = self.source_len(&source);
        let first = self.call_word(runtime::room::helper(), &[room]);
        let first = self.word_of(&first);
        let n = self.counter();
        self.for_each(&source, &mut |emitter, element, on| {
            emitter.bind_bound(bound, element.clone())?;
            emitter.assume(predicate, on)?;
            let word = emitter.word_of(&element);
            emitter.push(word, first, n);
            Ok(())
        })?;
        let n = self.b.use_var(n);
        let hint = source.hint();
        let set = self.call_word(runtime::normal_set::helper(), &[first, n]);
        Ok(set.with_hint(hint.map_or(Hint::Unknown, |of| Hint::Set(Rc::new(of)))))
    }

    /// Makes code for the number of elements of a set that satisfy a predicate.
    pub fn count(&mut self, bound: &Bound, predicate: IrId) -> Emitted<Val> {
        let source = self.source(bound.set)?;
        let source = self.compact(source, 1, predicate);
        let n = self.counter();
        self.for_each(&source, &mut |emitter, element, on| {
            emitter.bind_bound(bound, element)?;
            emitter.assume(predicate, on)?;
            emitter.count_up(n);
            Ok(())
        })?;
        let n = self.b.use_var(n);
        Ok(Val::int(n))
    }

    /// Makes code for `{e : x \in S}`.
    pub fn set_map(&mut self, body: IrId, bounds: &[Bound]) -> Emitted<Val> {
        let mut names = self.names(bounds, false)?;
        self.compact_names(&mut names, body);
        let mut room = self.iconst(1);
        for name in &names {
            let len = self.source_len(&name.source);
            room = self.b.ins().imul(room, len);
        }
        let first = self.call_word(runtime::room::helper(), &[room]);
        let first = self.word_of(&first);
        let n = self.counter();
        self.nest(&names, &mut |emitter, _| {
            let word = emitter.word(body)?;
            emitter.push(word, first, n);
            Ok(())
        })?;
        let n = self.b.use_var(n);
        Ok(self.call_word(runtime::set::helper(), &[first, n]))
    }

    pub fn counter(&mut self) -> cranelift_frontend::Variable {
        let n = self.b.declare_var(types::I64);
        let zero = self.iconst(0);
        self.b.def_var(n, zero);
        n
    }

    pub fn count_up(&mut self, n: cranelift_frontend::Variable) -> ir::Value {
        let before = self.b.use_var(n);
        let after = self.b.ins().iadd_imm_s(before, 1);
        self.b.def_var(n, after);
        before
    }

    pub fn push(&mut self, word: ir::Value, first: ir::Value, n: cranelift_frontend::Variable) {
        let index = self.count_up(n);
        let offset = self.b.ins().ishl_imm_s(index, 3);
        let place = self.b.ins().iadd(first, offset);
        self.store_word(word, place, 0);
    }

    /// Tells whether the elements of a set are at hand: then sets made from it are made at once.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of every other node that is seen when it runs")]
    fn listing(&mut self, set: IrId) -> Listing {
        let surely = |is| if is { Listing::Sure } else { Listing::Lazy };
        match &self.program.irs[set].kind {
            IrKind::Const(constant) => surely(value::ops::is_eager(constant.get())),
            IrKind::Global(global) => {
                let set = self.machine.global_constant(*global);
                surely(set.is_ok_and(|set| value::ops::is_eager(set.get())))
            }
            IrKind::Var(_) | IrKind::SetEnum(_) => Listing::Sure,
            IrKind::Native { op: StdOp::Interval, .. } => Listing::Sure,
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, expr: body, .. } => self.listing(*body),
            IrKind::FnApply { function: of, .. } | IrKind::Field { record: of, .. } | IrKind::Domain(of)
                if self.is_of_state(*of) =>
            {
                Listing::Sure
            }
            IrKind::SetFilter { bound, .. } => self.listing(bound.set),
            IrKind::If { then, otherwise, .. } => match [self.listing(*then), self.listing(*otherwise)] {
                [one, other] if one == other => one,
                [_, _] => Listing::Perhaps,
            },
            IrKind::PowerSet(_) | IrKind::FunctionSet { .. } | IrKind::RecordSet { .. } => Listing::Lazy,
            IrKind::Product(_) | IrKind::Call { .. } | IrKind::CallParam { .. } => Listing::Lazy,
            _ => Listing::Perhaps,
        }
    }

    /// Whether a node gives a part of the current state, where everything is explicit.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node is surely one")]
    pub fn is_of_state(&self, id: IrId) -> bool {
        match &self.program.irs[id].kind {
            IrKind::Var(_) => true,
            IrKind::FnApply { function: of, .. } | IrKind::Field { record: of, .. } => self.is_of_state(*of),
            IrKind::Enter { body, .. } | IrKind::Lazy { up: 0, expr: body, .. } => self.is_of_state(*body),
            _ => false,
        }
    }
}
