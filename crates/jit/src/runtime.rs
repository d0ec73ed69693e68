//! Functions that generated code calls: operators on values, as plain functions on words.
//!
//! Generated code has a context, words and ids; it never follows a pointer to anything but an interned object. Anything
//! that takes more than a few instructions is done here. No word is 0, so 0 means that there is no value: the caller
//! gives up, and the interpreter does everything again from the start.
#![expect(unsafe_code, reason = "takes words and the context back from generated code")]

mod listing;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::marker::PhantomData;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU32, Ordering};

use eval::interp::{Machine, NodeForCode};
use sema::std_ops::StdOp;
use value::ops::{self, Excepted};
use value::{Ground, Interner, OpResult, Value, ValueId, ValueVec, raw};

use crate::cache::{Cached, Caches, OPERANDS_MAX, Question, READ_MAX, ResultCache};

use listing::{LISTED_MAX, list_elements, list_items};

/// The data that a piece of generated code works on. The code knows its layout.
///
/// Invariant: `machine`, `buffer` and `caches` come from mutable references that are borrowed for `'c`, and `out` points
/// into the buffer. [`Context::new`] and generated code alone write them.
#[repr(C)]
pub(crate) struct Context<'c> {
    /// The ids of the variables.
    pub ids: *const u32,
    /// The address from which the ids of objects count.
    pub window: u64,
    /// The place of the next successor, and the end of the room.
    pub out: *mut u64,
    pub out_end: *mut u64,
    /// The rows in which results are kept for the current state: see [`crate::memo::Memos::addresses`].
    pub rows: *const usize,
    /// The ids of the parameters of the code.
    pub params: *const u32,
    /// Number of calls under way of functions that apply themselves.
    pub depth: i64,
    /// The node at which the code gave up, counted from 1, if it notes that.
    pub gave_up_at: u64,
    /// A machine whose current state consists of those variables.
    machine: *mut (),
    /// The panic of a function that the code called.
    panic: Option<Box<dyn Any + Send>>,
    /// The memory that `out` points into.
    buffer: *mut Vec<u64>,
    caches: *mut Caches,
    lent: PhantomData<&'c mut ()>,
}

pub(crate) const IDS: i32 = std::mem::offset_of!(Context<'static>, ids) as i32;
pub(crate) const WINDOW: i32 = std::mem::offset_of!(Context<'static>, window) as i32;
pub(crate) const OUT: i32 = std::mem::offset_of!(Context<'static>, out) as i32;
pub(crate) const ROWS: i32 = std::mem::offset_of!(Context<'static>, rows) as i32;
pub(crate) const PARAMS: i32 = std::mem::offset_of!(Context<'static>, params) as i32;
pub(crate) const DEPTH: i32 = std::mem::offset_of!(Context<'static>, depth) as i32;
pub(crate) const GAVE_UP_AT: i32 = std::mem::offset_of!(Context<'static>, gave_up_at) as i32;
pub(crate) const OUT_END: i32 = std::mem::offset_of!(Context<'static>, out_end) as i32;

impl<'c> Context<'c> {
    /// Makes the context for the state with these ids. Successors are written to `buffer`.
    pub fn new(
        machine: &'c mut Machine<'_, '_>,
        ids: &'c [ValueId],
        buffer: &'c mut Vec<u64>,
        caches: &'c mut Caches,
    ) -> Context<'c> {
        let range = buffer.as_mut_ptr_range();
        let machine = std::ptr::from_mut(machine).cast::<()>();
        let rows = std::ptr::null();
        Context {
            ids: raw::id_bits(ids),
            window: raw::window(Interner::shared()),
            out: range.start,
            out_end: range.end,
            rows,
            params: std::ptr::null(),
            depth: 0,
            gave_up_at: 0,
            machine,
            panic: None,
            buffer,
            caches,
            lent: PhantomData,
        }
    }

    /// Lets the panic of a function that the code called go on. To be called when code has returned.
    #[inline]
    pub fn resume_panic(&mut self) {
        if let Some(panic) = self.panic.take() {
            std::panic::resume_unwind(panic);
        }
    }

    /// Forgets the successors that were written.
    pub fn rewind(&mut self) {
        // SAFETY: the buffer is borrowed for as long as the context lives.
        self.out = unsafe { (*self.buffer).as_mut_ptr() };
        self.depth = 0;
        self.gave_up_at = 0;
    }

    /// Returns the words that were written.
    pub fn written_words(&self) -> &[u64] {
        // SAFETY: the buffer is borrowed for as long as the context lives; generated code writes through `out` only
        // while it runs, which it does not while this is borrowed.
        unsafe { &(&(*self.buffer))[..self.n_written()] }
    }

    /// Returns the id of a value that was written, if it can be made explicit and there is room for it.
    #[inline]
    pub fn id_of_written(&mut self, place: usize) -> Option<ValueId> {
        let value = value(Word(self.written_words()[place]));
        raw::id(value).or_else(|| {
            with_machine(self, |machine| {
                let ground = Ground::new(machine, value).ok()?;
                Interner::shared().intern(ground).ok()
            })
        })
    }

    /// Whether a state can hold a value that was written.
    #[inline]
    pub fn can_store_written(&mut self, place: usize) -> bool {
        let value = value(Word(self.written_words()[place]));
        raw::id(value).is_some() || with_machine(self, |machine| Ground::new(machine, value).is_ok())
    }

    fn caches(&mut self) -> &mut Caches {
        // SAFETY: the caches are borrowed mutably for as long as the context lives, and the context is here.
        unsafe { &mut *self.caches }
    }

    /// Returns the number of words written.
    fn n_written(&self) -> usize {
        // SAFETY: the buffer is borrowed for as long as the context lives.
        let start = unsafe { (*self.buffer).as_ptr() };
        (self.out as usize - start as usize) / size_of::<u64>()
    }
}

/// Lends the machine, with lifetimes that are made up: every result becomes a word or an id before this returns.
fn with_machine<R>(context: &mut Context<'_>, body: impl FnOnce(&mut Machine<'static, 'static>) -> R) -> R {
    // SAFETY: `Context::new` took it from a mutable reference that is borrowed for as long as the context lives, and
    // the context is borrowed mutably here, so nobody else uses it.
    let machine = unsafe { &mut *context.machine.cast::<Machine<'static, 'static>>() };
    body(machine)
}

/// The word of a value, on its way from or to generated code; or 0, which is no word.
///
/// Invariant: the word follows the rules of [`raw`], and its value lives as long as the region of the machine, which
/// outlives the run of the code. Generated code makes words by those rules, or was given them by the functions here.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
struct Word(u64);

impl Word {
    const NONE: Word = Word(0);

    fn of(value: Value<'_>) -> Word {
        Word(raw::word(value))
    }

    fn of_result(result: OpResult<Value<'_>>) -> Word {
        result.map_or(Word::NONE, Word::of)
    }

    /// Whether the word means the same value forever. Objects in regions come and go.
    fn is_lasting(self) -> bool {
        self.0 & raw::TAG_MASK != 0
    }
}

fn value(word: Word) -> Value<'static> {
    debug_assert!(word != Word::NONE, "generated code tests for 0 before it uses a word");
    // SAFETY: this is the invariant of `Word`. The lifetime is made up: see `with_machine`.
    unsafe { raw::value(word.0) }
}

/// Words that generated code has written one after the other.
#[derive(Clone, Copy)]
struct Words<'w>(&'w [u64]);

impl<'w> Words<'w> {
    /// Takes the words from generated code.
    ///
    /// # Safety
    /// `first` is the address of `n` words that stay as they are for `'w`. Each is the word of a value that lives as
    /// long, or, for those that are only compared, any number.
    unsafe fn new(first: *const u64, n: u64) -> Words<'w> {
        // SAFETY: the caller promises it.
        Words(unsafe { std::slice::from_raw_parts(first, n as usize) })
    }

    /// Returns the first `n` words as values.
    fn values(self, n: u64) -> &'w [Value<'static>] {
        let words = &self.0[..n as usize];
        // SAFETY: a value has the representation of its word, and these are words of values that live long enough.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<Value<'static>>(), words.len()) }
    }
}

/// The answer of a test that the interpreter has to make.
const UNDECIDED: u64 = 2;

/// Returns 0 or 1 for a truth, and [`UNDECIDED`] when there is none.
fn truth(result: OpResult<bool>) -> u64 {
    result.map_or(UNDECIDED, u64::from)
}

/// Number of elements up to which searching a set is faster than a lookup in the cache.
const FEW: u32 = 32;

/// The operators in keys of caches, besides the standard ones, which have their own numbers.
#[derive(Clone, Copy)]
enum Op {
    Apply,
    Equal,
    Member,
    IsSubset,
    Cup,
    Cap,
    Difference,
    Union,
    Domain,
    Tuple,
    Set,
    Except,
    Record,
    Native,
    Function,
}

impl Op {
    /// Combines the operator with a number that belongs to it: a shape, the length of a path.
    fn with(self, detail: u64) -> u64 {
        self as u64 | detail << 8
    }
}

/// Returns the result of `compute` for these operands, or the one that it gave before.
///
/// Only for results that depend on the values of the operands alone.
#[inline(always)]
fn compute_cached(
    context: &mut Context<'_>,
    op: u64,
    operands: &[u64],
    compute: impl FnOnce(&mut Machine<'static, 'static>) -> Word,
) -> u64 {
    if operands.len() > OPERANDS_MAX || !operands.iter().all(|&operand| Word(operand).is_lasting()) {
        return with_machine(context, compute).0;
    }
    let question = Question::new(op, operands);
    let asked = context.caches().operators.find(&question);
    if let Cached::Result(result) = asked {
        return result;
    }
    let result = lasting_if(with_machine(context, compute), asked);
    keep_result(&mut context.caches().operators, &question, result);
    result.0
}

/// Returns the word of the same value among those of states, if it is one of them. A value that is asked for the second
/// time becomes one, so that what is computed with it can be kept, too.
fn lasting_if(result: Word, asked: Cached) -> Word {
    if asked == Cached::Asked { lasting_word(result) } else { interned_word(result) }
}

fn keep_result<const N: usize>(cache: &mut ResultCache<N>, question: &Question<N>, result: Word) {
    match result {
        Word::NONE => {}
        _ if result.is_lasting() => cache.keep(question, result.0),
        _ => cache.note(question),
    }
}

/// Returns the word of the same value among those of states, if it is one of them.
fn interned_word(result: Word) -> Word {
    if result.is_lasting() || result == Word::NONE {
        return result;
    }
    let Some(ground) = Ground::opt(value(result)) else { return result };
    match Interner::shared().find(ground) {
        Some(id) => Word::of(Interner::shared().value(id)),
        None => result,
    }
}

/// Returns the word of the same value after it was made one of those of states, if it can be.
fn lasting_word(result: Word) -> Word {
    if result.is_lasting() || result == Word::NONE {
        return result;
    }
    let Some(ground) = Ground::opt(value(result)) else { return result };
    match Interner::shared().intern(ground) {
        Ok(id) => Word::of(Interner::shared().value(id)),
        Err(_) => result,
    }
}

/// Returns the word of the same value after it was made explicit and one of those of states, if it can be. A set is left
/// as it is: it may be one that nobody wants to list.
fn explicit_word(context: &mut Context<'_>, word: Word) -> Word {
    let lasting = lasting_word(word);
    if lasting.is_lasting() || value(lasting).is_set() {
        return lasting;
    }
    with_machine(context, |machine| {
        let Ok(ground) = Ground::new(machine, value(lasting)) else { return lasting };
        let id = Interner::shared().intern(ground);
        id.map_or(lasting, |id| Word::of(Interner::shared().value(id)))
    })
}

/// Truths are kept as numbers with a tag; see [`compute_truth`].
const TRUTH_SHIFT: u32 = 3;

/// Computes a truth with the cache.
#[inline(always)]
fn compute_truth(
    context: &mut Context<'_>,
    op: Op,
    (left, right): (Word, Word),
    compute: impl FnOnce(&mut Machine<'static, 'static>) -> OpResult<bool>,
) -> u64 {
    let kept = compute_cached(context, op.with(0), &[left.0, right.0], |machine| {
        Word(truth(compute(machine)) << TRUTH_SHIFT | raw::INT_TAG)
    });
    kept >> TRUTH_SHIFT
}

/// Runs the body of a helper. A panic must not go through generated code, which would end the process without a word: it
/// is kept in the context, and goes on when the code has returned. Until then the result is 0, which is no word.
#[inline(always)]
fn contain_panic<'c>(context: &mut Context<'c>, body: impl FnOnce(&mut Context<'c>) -> u64) -> u64 {
    match std::panic::catch_unwind(AssertUnwindSafe(|| body(context))) {
        Ok(result) => result,
        Err(panic) => {
            context.panic = Some(panic);
            0
        }
    }
}

/// Returns the value of a node that the interpreter evaluates, or the one that it gave before for the same names and
/// variables.
#[inline(always)]
fn interpret_node(
    context: &mut Context<'_>,
    number: u64,
    (read, n_given): (Words<'_>, u64),
    compute: impl FnOnce(&mut Machine<'static, 'static>) -> Word,
) -> u64 {
    let are_lasting = || read.0[..n_given as usize].iter().all(|&word| Word(word).is_lasting());
    if read.0.len() > READ_MAX || !are_lasting() {
        return with_machine(context, compute).0;
    }
    let question = Question::new(number, read.0);
    let asked = context.caches().nodes.find(&question);
    if let Cached::Result(result) = asked {
        return result;
    }
    let result = lasting_if(with_machine(context, compute), asked);
    keep_result(&mut context.caches().nodes, &question, result);
    result.0
}

/// A function that generated code calls: its address, and the number of words it takes after the context.
#[derive(Clone, Copy)]
pub(crate) struct Helper {
    pub address: usize,
    pub n_args: usize,
}

macro_rules! helpers {
    ($($(#[$doc:meta])* fn $name:ident($context:ident $(, $arg:ident: $ty:ty)*) -> u64 $body:block)*) => {
        $(
            $(#[$doc])*
            pub(crate) mod $name {
                use super::*;

                /// Takes what generated code passes.
                ///
                /// # Safety
                /// `context` is the one that the running code was given, and nobody else uses it during the call;
                /// words are those of values that live that long, and addresses are what the body says of them.
                unsafe extern "C" fn run($context: *mut Context<'_> $(, $arg: $ty)*) -> u64 {
                    // SAFETY: the caller promises it.
                    let context = unsafe { &mut *$context };
                    contain_panic(context, |$context| $body)
                }

                pub(crate) fn helper() -> super::Helper {
                    type Run = unsafe extern "C" fn(*mut Context<'_> $(, $ty)*) -> u64;
                    let n_args = <[&str]>::len(&[$(stringify!($arg)),*]);
                    super::Helper { address: run as Run as usize, n_args }
                }
            }
        )*
    };
}

/// The function of a definition that many places share.
type SharedCode = unsafe extern "C" fn(*mut Context<'_>, *const u64) -> u64;

/// A function that applies itself: it is given the words that it reads, after the number of the application from outside,
/// and its argument.
type RecursiveCode = unsafe extern "C" fn(*mut Context<'_>, *const u64, Word) -> u64;

helpers! {
    /// Computes `f[a]`.
    fn apply(context, f: Word, arg: Word) -> u64 {
        // PERF: quicker than a look into the cache, which is large.
        if f.is_lasting()
            && let Some(found) = ops::select_same(value(f), value(arg))
        {
            return raw::word(found);
        }
        compute_cached(context, Op::Apply.with(0), &[f.0, arg.0], |machine| {
            Word::of_result(ops::apply(machine, value(f), value(arg)))
        })
    }

    /// Computes `r.field`, the field as a word.
    fn field(context, record: Word, field: Word) -> u64 {
        let Some(field) = value(field).as_atom() else { return 0 };
        with_machine(context, |machine| Word::of_result(ops::field(machine, value(record), field)).0)
    }

    fn equal(context, left: Word, right: Word) -> u64 {
        compute_truth(context, Op::Equal, (left, right), |machine| ops::equal(machine, value(left), value(right)))
    }

    fn member(context, element: Word, set: Word) -> u64 {
        if ops::depends_on_origin(value(element), value(set)) {
            return UNDECIDED;
        }
        let ids = raw::id(value(element)).zip(raw::id(value(set)));
        let listed = ids.and_then(|(element, set)| Interner::shared().is_listed(element, set, FEW));
        match listed {
            Some(true) => return 1,
            // Only the operator knows whether the test is allowed at all, and it is quick.
            Some(false) => {
                return with_machine(context, |machine| {
                    truth(ops::member(machine, value(element), value(set)))
                });
            }
            None => {}
        }
        compute_truth(context, Op::Member, (element, set), |machine| {
            ops::member(machine, value(element), value(set))
        })
    }

    fn is_subset(context, left: Word, right: Word) -> u64 {
        compute_truth(context, Op::IsSubset, (left, right), |machine| {
            ops::is_subset(machine, value(left), value(right))
        })
    }

    fn cup(context, left: Word, right: Word) -> u64 {
        compute_cached(context, Op::Cup.with(0), &[left.0, right.0], |machine| {
            Word::of_result(ops::cup(machine, value(left), value(right)))
        })
    }

    fn cap(context, left: Word, right: Word) -> u64 {
        compute_cached(context, Op::Cap.with(0), &[left.0, right.0], |machine| {
            Word::of_result(ops::cap(machine, value(left), value(right)))
        })
    }

    fn difference(context, left: Word, right: Word) -> u64 {
        compute_cached(context, Op::Difference.with(0), &[left.0, right.0], |machine| {
            Word::of_result(ops::difference(machine, value(left), value(right)))
        })
    }

    fn powerset(context, set: Word) -> u64 {
        with_machine(context, |machine| raw::word(ops::powerset(machine, value(set))))
    }

    fn union(context, set: Word) -> u64 {
        compute_cached(context, Op::Union.with(0), &[set.0], |machine| Word::of_result(ops::union(machine, value(set))))
    }

    fn domain(context, f: Word) -> u64 {
        compute_cached(context, Op::Domain.with(0), &[f.0], |machine| Word::of_result(ops::domain(machine, value(f))))
    }

    /// Computes `DOMAIN f` as a value of states. Returns 0 also if it cannot become one.
    fn lasting_domain(context, f: Word) -> u64 {
        let domain = compute_cached(context, Op::Domain.with(0), &[f.0], |machine| {
            lasting_word(Word::of_result(ops::domain(machine, value(f))))
        });
        if Word(domain).is_lasting() { domain } else { 0 }
    }

    /// Applies a standard operator, by its number among all, to its arguments.
    fn native(context, op: u64, first: *const u64, n: u64) -> u64 {
        let Some(&native) = StdOp::ALL.get(op as usize) else { return 0 };
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let given = unsafe { Words::new(first, n) };
        compute_cached(context, Op::Native.with(op), given.0, |machine| {
            machine.apply_native(native, given.values(n)).map_or(Word::NONE, Word::of)
        })
    }

    fn tuple(context, first: *const u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let given = unsafe { Words::new(first, n) };
        compute_cached(context, Op::Tuple.with(n), given.0, |machine| {
            Word::of(machine.region().sequence(given.values(n)))
        })
    }

    fn set(context, first: *const u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let given = unsafe { Words::new(first, n) };
        compute_cached(context, Op::Set.with(n), given.0, |machine| {
            Word::of(machine.region().set(given.values(n)))
        })
    }

    /// Makes the set of elements that are distinct and in normal order.
    fn normal_set(context, first: *const u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let given = unsafe { Words::new(first, n) };
        with_machine(context, |machine| {
            raw::word(ValueVec::from_slice(machine.region(), given.values(n)).into_normal_set())
        })
    }

    fn record(context, shape: u64, first: *const u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let given = unsafe { Words::new(first, n) };
        compute_cached(context, Op::Record.with(shape), given.0, |machine| {
            let shape = raw::shape(shape as u32);
            Word::of(machine.region().record(shape, given.values(n)))
        })
    }

    /// Makes the function on a set in normal form.
    fn function(context, domain: Word, first: *const u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let given = unsafe { Words::new(first, n) };
        let mut operands = [0; OPERANDS_MAX + 1];
        let n_operands = (n as usize + 1).min(operands.len());
        operands[0] = domain.0;
        operands[1..n_operands].copy_from_slice(&given.0[..n_operands - 1]);
        compute_cached(context, Op::Function.with(n), &operands[..n_operands], |machine| {
            let values = ValueVec::from_slice(machine.region(), given.values(n));
            Word::of(ops::function(value(domain), values))
        })
    }

    /// Returns a set as the domain of a function that is given by its values: an interval, or a set in normal form.
    fn explicit_domain(context, set: Word) -> u64 {
        let set = value(set);
        if set.as_interval().is_some() || set.as_normal_set().is_some() {
            return raw::word(set);
        }
        with_machine(context, |machine| {
            let explicit = ops::explicit_set(machine, set).ok();
            explicit.filter(|set| set.as_normal_set().is_some()).map_or(0, raw::word)
        })
    }

    /// Lists the elements of a sequence, as words after their number.
    fn items(context, sequence: Word) -> u64 {
        with_machine(context, |machine| {
            let Ok(Some(items)) = ops::as_sequence(machine, value(sequence)) else { return 0 };
            let mut found = Vec::with_capacity(items.len() + 1);
            found.push(items.len() as u64);
            found.extend(items.iter().map(raw::word));
            raw::keep_words(machine.region(), &found)
        })
    }

    /// Makes a sequence of words that were listed.
    fn listed_sequence(context, first: *const u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let given = unsafe { Words::new(first, n) };
        with_machine(context, |machine| raw::word(machine.region().sequence(given.values(n))))
    }

    /// Computes `[f EXCEPT ![path] = new]`. Returns 0 also if the path leads outside the domain: the interpreter warns.
    fn except(context, f: Word, path: *const u64, n: u64, new: Word) -> u64 {
        // SAFETY: generated code passes the address of `n` words of values that it has written.
        let path = unsafe { Words::new(path, n) };
        let mut operands = [0; OPERANDS_MAX + 1];
        let n_operands = (n as usize + 2).min(operands.len());
        (operands[0], operands[1]) = (f.0, new.0);
        operands[2..n_operands].copy_from_slice(&path.0[..n_operands - 2]);
        compute_cached(context, Op::Except.with(n), &operands[..n_operands], |machine| {
            match ops::except(machine, value(f), path.values(n), |_, _| Ok(value(new))) {
                Ok(Excepted::Changed(changed)) => Word::of(changed),
                Ok(Excepted::OutsideDomain) | Err(_) => Word::NONE,
            }
        })
    }

    /// Keeps the id of a value of the next state, if states can hold it, at an address, with its bits inverted, so that it
    /// is not 0. Returns the same value.
    fn keep(context, address: *const AtomicU32, word: Word) -> u64 {
        let _ = context;
        let word = lasting_word(word);
        if let Some(id) = raw::id(value(word)) {
            // SAFETY: generated code passes the address of a cell of a row of the current state: an atomic in a table
            // that the worker holds until it turns to another state.
            let cell = unsafe { &*address };
            cell.store(!id.bits(), Ordering::Release);
        }
        word.0
    }

    /// Evaluates a node in the interpreter, which has a number of its own: with `n_given` values for what it names, after
    /// which come the ids of the variables of the current state that it reads.
    // Six values: generated code passes words, not structs.
    fn interpret(context, node: *const NodeForCode, number: u64, first: *const u64, n_given: u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of a node that its module keeps, and that nobody changes.
        let node = unsafe { &*node };
        // SAFETY: generated code passes the address of `n` words that it has written, `n_given` of them of values.
        let read = unsafe { Words::new(first, n) };
        interpret_node(context, number, (read, n_given), |machine| {
            machine.eval_for_code(node, read.values(n_given)).map_or(Word::NONE, Word::of)
        })
    }

    /// Runs the function of a definition that many places share, which has a number of its own, unless it gave a result
    /// for the same values before: `n_given` words of these, after which come the ids of the variables of the current
    /// state that it reads.
    // Six values: generated code passes words, not structs.
    fn recall(context, code: SharedCode, number: u64, first: *mut u64, n_given: u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of `n` words that it has written and does not use again, `n_given` of
        // them of values.
        let read = unsafe { std::slice::from_raw_parts_mut(first, n as usize) };
        let mut are_lasting = true;
        for word in &mut read[..n_given as usize] {
            let lasting = explicit_word(context, Word(*word));
            are_lasting &= lasting.is_lasting();
            *word = lasting.0;
        }
        if !are_lasting {
            // SAFETY: generated code passes a function of its own module, which takes the context and the words.
            return unsafe { code(context, first) };
        }
        let question = Question::new(number, read);
        if let Cached::Result(result) = context.caches().nodes.find(&question) {
            return result;
        }
        // SAFETY: generated code passes a function of its own module, which takes the context and the words.
        let result = Word(unsafe { code(context, first) });
        let result = if result == Word::NONE { result } else { explicit_word(context, result) };
        if result != Word::NONE && result.is_lasting() {
            context.caches().nodes.keep(&question, result.0);
        }
        result.0
    }

    /// Returns a number for the application of a function that applies itself, which no other application has.
    fn begin_application(context) -> u64 {
        context.caches().n_applications += 1;
        context.caches().n_applications
    }

    /// Applies a function that applies itself, unless it gave a result for this argument within the same application from
    /// outside.
    fn apply_recursive(context, code: RecursiveCode, words: *const u64, arg: Word) -> u64 {
        // SAFETY: generated code passes the address of words that it has written, the first of which is the number.
        let number = unsafe { *words };
        let question = Question::new(number, &[arg.0]);
        // An argument in a region stays where it is as long as the application takes.
        if let Cached::Result(result) = context.caches().applications.find(&question) {
            return result;
        }
        // SAFETY: generated code passes a function of its own module, which takes the context, these words and a word.
        let result = unsafe { code(context, words, arg) };
        if result != 0 {
            context.caches().applications.keep(&question, result);
        }
        result
    }

    /// Evaluates a node in the interpreter as [`interpret`] does, whose value is a set that is about to be listed.
    // Six values: generated code passes words, not structs.
    fn interpret_listed(context, node: *const NodeForCode, number: u64, first: *const u64, n_given: u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of a node that its module keeps, and that nobody changes.
        let node = unsafe { &*node };
        // SAFETY: generated code passes the address of `n` words that it has written, `n_given` of them of values.
        let read = unsafe { Words::new(first, n) };
        interpret_node(context, number, (read, n_given), |machine| {
            let Ok(set) = machine.eval_for_code(node, read.values(n_given)) else { return Word::NONE };
            let Ok(ground) = Ground::new(machine, set) else { return Word::of(set) };
            let id = Interner::shared().intern(ground);
            id.map_or(Word::of(set), |id| Word::of(Interner::shared().value(id)))
        })
    }

    /// Lists the elements of a set in normal order, as words after their number.
    fn elements(context, set: Word) -> u64 {
        if let Some(items) = value(set).as_normal_set().filter(|items| items.len() <= LISTED_MAX) {
            return list_items(context, items);
        }
        list_elements(context, |machine| ops::elements_normal(machine, value(set)))
    }

    /// Lists the elements of a set in its own order, which is that of `x' \\in S`.
    fn own_elements(context, set: Word) -> u64 {
        if let Some(items) = value(set).as_normal_set().filter(|items| items.len() <= LISTED_MAX) {
            return list_items(context, items);
        }
        list_elements(context, |machine| ops::elements(machine, value(set)))
    }

    /// Whether sets made from a set are made at once.
    fn is_eager(context, set: Word) -> u64 {
        let _ = context;
        u64::from(ops::is_eager(value(set)))
    }

    /// Reserves room for words.
    fn room(context, n: u64) -> u64 {
        with_machine(context, |machine| raw::room_for_words(machine.region(), n as usize))
    }

    /// Returns part of a tuple that must have this width.
    fn tuple_part(context, tuple: Word, index: u64, width: u64) -> u64 {
        let _ = context;
        match value(tuple).as_sequence() {
            Some(items) if items.len() as u64 == width => raw::word(items.get(index as usize)),
            Some(_) | None => 0,
        }
    }

    /// Panics, as a helper with a bug does.
    #[cfg(test)]
    fn broken(context) -> u64 {
        let _ = context;
        panic!("a bug")
    }

    /// Makes room for `n` more words of successors.
    fn grow(context, n: u64) -> u64 {
        let n_written = context.n_written();
        // SAFETY: the buffer is borrowed mutably for as long as the context lives, and the context is here.
        let buffer = unsafe { &mut *context.buffer };
        buffer.resize((buffer.len() * 2).max(n_written + n as usize + 1), 0);
        let range = buffer.as_mut_ptr_range();
        (context.out, context.out_end) = (range.start.wrapping_add(n_written), range.end);
        1
    }
}

#[cfg(test)]
impl Context<'_> {
    /// Makes a context for code that reads nothing of it.
    pub fn empty() -> Context<'static> {
        Context {
            ids: std::ptr::null(),
            window: 0,
            out: std::ptr::null_mut(),
            out_end: std::ptr::null_mut(),
            rows: std::ptr::null(),
            params: std::ptr::null(),
            depth: 0,
            gave_up_at: 0,
            machine: std::ptr::null_mut(),
            panic: None,
            buffer: std::ptr::null_mut(),
            caches: std::ptr::null_mut(),
            lent: PhantomData,
        }
    }
}
