//! Functions that generated code calls: operators on values, as plain functions on words.
//!
//! Generated code has a context, words and ids; it never follows a pointer to anything but an interned object. Anything
//! that takes more than a few instructions is done here. No word is 0, so 0 means that there is no value: the caller
//! gives up, and the interpreter does everything again from the start.
#![expect(unsafe_code, reason = "takes words and the context back from generated code")]

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU32, Ordering};

use eval::interp::{Machine, NodeForCode};
use sema::std_ops::StdOp;
use value::ops::{self, Excepted};
use value::{Ground, Interner, OpResult, Value, ValueId, ValueVec, raw};

use crate::cache::{Cached, Caches, OPERANDS_MAX, Question, READ_MAX, ResultCache};

/// The data that a piece of generated code works on. The code knows its layout.
#[repr(C)]
pub(crate) struct Context {
    /// The ids of the variables.
    pub ids: *const u32,
    /// The address from which the ids of objects count.
    pub window: u64,
    /// The place of the next successor, and the end of the room.
    pub out: *mut u64,
    pub out_end: *mut u64,
    /// The rows in which results are kept for the current state: see [`crate::memo::Memos::addresses`].
    pub rows: *const usize,
    /// Number of calls under way of functions that apply themselves.
    pub depth: i64,
    /// A machine whose current state consists of those variables.
    machine: *mut (),
    /// The panic of a function that the code called.
    panic: Option<Box<dyn Any + Send>>,
    /// The memory that `out` points into.
    buffer: *mut Vec<u64>,
    caches: *mut Caches,
}

pub(crate) const IDS: i32 = std::mem::offset_of!(Context, ids) as i32;
pub(crate) const WINDOW: i32 = std::mem::offset_of!(Context, window) as i32;
pub(crate) const OUT: i32 = std::mem::offset_of!(Context, out) as i32;
pub(crate) const ROWS: i32 = std::mem::offset_of!(Context, rows) as i32;
pub(crate) const DEPTH: i32 = std::mem::offset_of!(Context, depth) as i32;
pub(crate) const OUT_END: i32 = std::mem::offset_of!(Context, out_end) as i32;

impl Context {
    pub fn new(
        machine: &mut Machine<'_, '_>,
        ids: *const u32,
        window: u64,
        (buffer, caches): (&mut Vec<u64>, &mut Caches),
    ) -> Context {
        let range = buffer.as_mut_ptr_range();
        let machine = std::ptr::from_mut(machine).cast::<()>();
        let rows = std::ptr::null();
        Context {
            ids,
            window,
            out: range.start,
            out_end: range.end,
            rows,
            depth: 0,
            machine,
            panic: None,
            buffer,
            caches,
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
        // SAFETY: the context and its buffer are made together and the buffer outlives it.
        self.out = unsafe { (*self.buffer).as_mut_ptr() };
        self.depth = 0;
    }

    /// Returns the words that were written.
    pub fn written_words(&self) -> &[u64] {
        // SAFETY: the context and its buffer are made together and the buffer outlives it; generated code writes
        // through `out` only while it runs, which it does not while this is borrowed.
        unsafe { &(&(*self.buffer))[..self.n_written()] }
    }

    /// Returns the id of a value that was written, if it can be made explicit and there is room for it.
    #[inline]
    pub fn id_of_written(&mut self, place: usize) -> Option<ValueId> {
        let value = value(self.written_words()[place]);
        raw::id(value).or_else(|| {
            let ground = with_machine(self, |machine| Ground::new(machine, value)).ok()?;
            Interner::shared().intern(ground).ok()
        })
    }

    /// Returns the number of words written.
    fn n_written(&self) -> usize {
        // SAFETY: the context and its buffer are made together and the buffer outlives it.
        let start = unsafe { (*self.buffer).as_ptr() };
        (self.out as usize - start as usize) / size_of::<u64>()
    }
}

/// Lends the machine. The lifetimes are made up: every result becomes a word again before this returns.
///
/// Only for contexts that were given to generated code, while it runs.
fn with_machine<R>(context: *mut Context, body: impl FnOnce(&mut Machine<'static, 'static>) -> R) -> R {
    // SAFETY: generated code passes the context that it was given, which is alive and borrowed by nobody else.
    let machine = unsafe { (*context).machine };
    // SAFETY: `Context::new` took it from a mutable reference that is not used while generated code runs.
    let machine = unsafe { &mut *machine.cast::<Machine<'static, 'static>>() };
    body(machine)
}

fn value(word: u64) -> Value<'static> {
    // SAFETY: generated code makes words by the rules of `raw`, or was given them by these functions; all live as
    // long as the region of the machine, which outlives the run of the code.
    unsafe { raw::value(word) }
}

fn values<'a>(first: *const u64, n: u64) -> &'a [Value<'static>] {
    // SAFETY: generated code passes the address of so many words that it has written; a value has the
    // representation of its word.
    unsafe { std::slice::from_raw_parts(first.cast::<Value<'static>>(), n as usize) }
}

fn words<'a>(first: *const u64, n: u64) -> &'a [u64] {
    // SAFETY: generated code passes the address of so many words that it has written.
    unsafe { std::slice::from_raw_parts(first, n as usize) }
}

fn word(result: OpResult<Value<'_>>) -> u64 {
    result.map_or(0, raw::word)
}

/// The answer of a test that the interpreter has to make.
const UNDECIDED: u64 = 2;

/// Returns 0 or 1 for a truth, and [`UNDECIDED`] when there is none.
fn truth(result: OpResult<bool>) -> u64 {
    result.map_or(UNDECIDED, u64::from)
}

/// Limit on the elements of a set that is listed. A larger one is left to the interpreter, which need not list it.
const LISTED_MAX: usize = 1 << 16;

fn list_elements(machine: &mut Machine<'static, 'static>, elements: OpResult<ops::Elements<'static>>) -> u64 {
    let Ok(mut elements) = elements else { return 0 };
    let mut found = vec![0];
    loop {
        match elements.next(machine) {
            Ok(Some(element)) if found.len() <= LISTED_MAX => found.push(raw::word(element)),
            Ok(None) => break,
            Ok(Some(_)) | Err(_) => return 0,
        }
    }
    found[0] = found.len() as u64 - 1;
    raw::keep_words(machine.region(), &found)
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
    context: *mut Context,
    op: u64,
    operands: &[u64],
    compute: impl FnOnce(&mut Machine<'static, 'static>) -> u64,
) -> u64 {
    if operands.len() > OPERANDS_MAX || !operands.iter().copied().all(is_lasting) {
        return with_machine(context, compute);
    }
    // SAFETY: generated code passes the context that it was given, which is alive.
    let caches = unsafe { (*context).caches };
    let question = Question::new(op, operands);
    // SAFETY: the caches are alive as long as the context, and nobody else refers to them while generated code runs.
    let asked = unsafe { &(*caches).operators }.find(&question);
    if let Cached::Result(result) = asked {
        return result;
    }
    let result = lasting_if(with_machine(context, compute), asked);
    // SAFETY: as above; the computation, which had the context, has ended.
    keep_result(unsafe { &mut (*caches).operators }, &question, result);
    result
}

/// Whether a word means the same value forever. Objects in regions come and go.
fn is_lasting(word: u64) -> bool {
    word & raw::TAG_MASK != 0
}

/// Returns the word of the same value among those of states, if it is one of them. A value that is asked for the second
/// time becomes one, so that what is computed with it can be kept, too.
fn lasting_if(result: u64, asked: Cached) -> u64 {
    if asked == Cached::Asked { lasting_word(result) } else { interned_word(result) }
}

fn keep_result<const N: usize>(cache: &mut ResultCache<N>, question: &Question<N>, result: u64) {
    match result {
        0 => {}
        _ if is_lasting(result) => cache.keep(question, result),
        _ => cache.note(question),
    }
}

/// Returns the word of the same value among those of states, if it is one of them.
fn interned_word(result: u64) -> u64 {
    if result & raw::TAG_MASK != 0 || result == 0 {
        return result;
    }
    let Some(ground) = Ground::opt(value(result)) else { return result };
    match Interner::shared().find(ground) {
        Some(id) => raw::word(Interner::shared().value(id)),
        None => result,
    }
}

/// Returns the word of the same value after it was made one of those of states, if it can be.
fn lasting_word(result: u64) -> u64 {
    if result & raw::TAG_MASK != 0 || result == 0 {
        return result;
    }
    let Some(ground) = Ground::opt(value(result)) else { return result };
    match Interner::shared().intern(ground) {
        Ok(id) => raw::word(Interner::shared().value(id)),
        Err(_) => result,
    }
}

/// Truths are kept as numbers with a tag; see [`compute_truth`].
const TRUTH_SHIFT: u32 = 3;

/// Computes a truth with the cache.
#[inline(always)]
fn compute_truth(
    context: *mut Context,
    op: Op,
    (left, right): (u64, u64),
    compute: impl FnOnce(&mut Machine<'static, 'static>) -> OpResult<bool>,
) -> u64 {
    let kept = compute_cached(context, op.with(0), &[left, right], |machine| {
        truth(compute(machine)) << TRUTH_SHIFT | raw::INT_TAG
    });
    kept >> TRUTH_SHIFT
}

/// Runs the body of a helper. A panic must not go through generated code, which would end the process without a word: it
/// is kept in the context, and goes on when the code has returned. Until then the result is 0, which is no word.
#[inline(always)]
fn contain_panic(context: *mut Context, body: impl FnOnce() -> u64) -> u64 {
    match std::panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(panic) => {
            // SAFETY: generated code passes the context that it was given, which is alive; the body, which may have
            // referred to it, has ended.
            unsafe { (*context).panic = Some(panic) };
            0
        }
    }
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
                extern "C" fn run($context: *mut Context $(, $arg: $ty)*) -> u64 {
                    contain_panic($context, || $body)
                }
                pub(crate) fn helper() -> super::Helper {
                    type Run = extern "C" fn(*mut Context $(, $ty)*) -> u64;
                    let n_args = [$(stringify!($arg)),*].len();
                    super::Helper { address: run as Run as usize, n_args }
                }
            }
        )*
    };
}

helpers! {
    /// Computes `f[a]`.
    fn apply(context, f: u64, arg: u64) -> u64 {
        compute_cached(context, Op::Apply.with(0), &[f, arg], |machine| {
            word(ops::apply(machine, value(f), value(arg)))
        })
    }

    /// Computes `r.field`, the field as a word.
    fn field(context, record: u64, field: u64) -> u64 {
        let Some(field) = value(field).as_atom() else { return 0 };
        with_machine(context, |machine| word(ops::field(machine, value(record), field)))
    }

    fn equal(context, left: u64, right: u64) -> u64 {
        compute_truth(context, Op::Equal, (left, right), |machine| ops::equal(machine, value(left), value(right)))
    }

    fn member(context, element: u64, set: u64) -> u64 {
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

    fn is_subset(context, left: u64, right: u64) -> u64 {
        compute_truth(context, Op::IsSubset, (left, right), |machine| {
            ops::is_subset(machine, value(left), value(right))
        })
    }

    fn cup(context, left: u64, right: u64) -> u64 {
        compute_cached(context, Op::Cup.with(0), &[left, right], |machine| {
            word(ops::cup(machine, value(left), value(right)))
        })
    }

    fn cap(context, left: u64, right: u64) -> u64 {
        compute_cached(context, Op::Cap.with(0), &[left, right], |machine| {
            word(ops::cap(machine, value(left), value(right)))
        })
    }

    fn difference(context, left: u64, right: u64) -> u64 {
        compute_cached(context, Op::Difference.with(0), &[left, right], |machine| {
            word(ops::difference(machine, value(left), value(right)))
        })
    }

    fn powerset(context, set: u64) -> u64 {
        with_machine(context, |machine| raw::word(ops::powerset(machine, value(set))))
    }

    fn union(context, set: u64) -> u64 {
        compute_cached(context, Op::Union.with(0), &[set], |machine| word(ops::union(machine, value(set))))
    }

    fn domain(context, f: u64) -> u64 {
        compute_cached(context, Op::Domain.with(0), &[f], |machine| word(ops::domain(machine, value(f))))
    }

    /// Applies a standard operator, by its number among all, to its arguments.
    fn native(context, op: u64, first: *const u64, n: u64) -> u64 {
        let Some(&native) = StdOp::ALL.get(op as usize) else { return 0 };
        compute_cached(context, Op::Native.with(op), words(first, n), |machine| {
            machine.apply_native(native, values(first, n)).map_or(0, raw::word)
        })
    }

    fn tuple(context, first: *const u64, n: u64) -> u64 {
        compute_cached(context, Op::Tuple.with(n), words(first, n), |machine| {
            raw::word(machine.region().sequence(values(first, n)))
        })
    }

    fn set(context, first: *const u64, n: u64) -> u64 {
        compute_cached(context, Op::Set.with(n), words(first, n), |machine| {
            raw::word(machine.region().set(values(first, n)))
        })
    }

    /// Makes the set of elements that are distinct and in normal order.
    fn normal_set(context, first: *const u64, n: u64) -> u64 {
        with_machine(context, |machine| {
            raw::word(ValueVec::from_slice(machine.region(), values(first, n)).into_normal_set())
        })
    }

    fn record(context, shape: u64, first: *const u64, n: u64) -> u64 {
        compute_cached(context, Op::Record.with(shape), words(first, n), |machine| {
            let shape = raw::shape(shape as u32);
            raw::word(machine.region().record(shape, values(first, n)))
        })
    }

    /// Makes the function on a set in normal form.
    fn function(context, domain: u64, first: *const u64, n: u64) -> u64 {
        let mut operands = [0; OPERANDS_MAX + 1];
        let n_operands = (n as usize + 1).min(operands.len());
        operands[0] = domain;
        operands[1..n_operands].copy_from_slice(&words(first, n)[..n_operands - 1]);
        compute_cached(context, Op::Function.with(n), &operands[..n_operands], |machine| {
            let values = ValueVec::from_slice(machine.region(), values(first, n));
            raw::word(ops::function(value(domain), values))
        })
    }

    /// Returns a set as the domain of a function that is given by its values: an interval, or a set in normal form.
    fn explicit_domain(context, set: u64) -> u64 {
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
    fn items(context, sequence: u64) -> u64 {
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
        with_machine(context, |machine| raw::word(machine.region().sequence(values(first, n))))
    }

    /// Computes `[f EXCEPT ![path] = new]`. Returns 0 also if the path leads outside the domain: the interpreter warns.
    fn except(context, f: u64, path: *const u64, n: u64, new: u64) -> u64 {
        let mut operands = [0; OPERANDS_MAX + 1];
        let n_operands = (n as usize + 2).min(operands.len());
        (operands[0], operands[1]) = (f, new);
        operands[2..n_operands].copy_from_slice(&words(path, n)[..n_operands - 2]);
        compute_cached(context, Op::Except.with(n), &operands[..n_operands], |machine| {
            match ops::except(machine, value(f), values(path, n), |_, _| Ok(value(new))) {
                Ok(Excepted::Changed(changed)) => raw::word(changed),
                Ok(Excepted::OutsideDomain) | Err(_) => 0,
            }
        })
    }

    /// Keeps the id of a value, if states can hold it, at an address, with its bits inverted, so that it is not 0.
    /// Returns the same value.
    fn keep(context, address: *const AtomicU32, word: u64) -> u64 {
        let _ = context;
        let word = interned_word(word);
        if let Some(id) = raw::id(value(word)) {
            // SAFETY: generated code passes the address of a cell of a row of the current state: an atomic in a table
            // that the worker holds until it turns to another state.
            let cell = unsafe { &*address };
            cell.store(!id.bits(), Ordering::Release);
        }
        word
    }

    /// Evaluates a node in the interpreter, which has a number of its own: with `n_given` values for what it names, after
    /// which come the ids of the variables of the current state that it reads.
    fn interpret(context, node: *const NodeForCode, number: u64, first: *const u64, n_given: u64, n: u64) -> u64 {
        // SAFETY: generated code passes the address of a node that its module keeps, and that nobody changes.
        let node = unsafe { &*node };
        let compute = |machine: &mut Machine<'static, 'static>| {
            machine.eval_for_code(node, values(first, n_given)).map_or(0, raw::word)
        };
        let read = words(first, n);
        if n as usize > READ_MAX || !read[..n_given as usize].iter().copied().all(is_lasting) {
            return with_machine(context, compute);
        }
        let question = Question::new(number, read);
        // SAFETY: generated code passes the context that it was given, which is alive.
        let caches = unsafe { (*context).caches };
        // SAFETY: the caches are alive as long as the context, and nobody else refers to them while generated code runs.
        let asked = unsafe { &(*caches).nodes }.find(&question);
        if let Cached::Result(result) = asked {
            return result;
        }
        let result = lasting_if(with_machine(context, compute), asked);
        // SAFETY: as above; the interpreter, which had the context, has ended.
        keep_result(unsafe { &mut (*caches).nodes }, &question, result);
        result
    }

    /// Lists the elements of a set in normal order, as words after their number.
    fn elements(context, set: u64) -> u64 {
        with_machine(context, |machine| {
            let elements = ops::elements_normal(machine, value(set));
            list_elements(machine, elements)
        })
    }

    /// Lists the elements of a set in its own order, which is that of `x' \\in S`.
    fn own_elements(context, set: u64) -> u64 {
        with_machine(context, |machine| {
            let elements = ops::elements(machine, value(set));
            list_elements(machine, elements)
        })
    }

    /// Whether sets made from a set are made at once.
    fn is_eager(context, set: u64) -> u64 {
        let _ = context;
        u64::from(ops::is_eager(value(set)))
    }

    /// Reserves room for words.
    fn room(context, n: u64) -> u64 {
        with_machine(context, |machine| raw::room_for_words(machine.region(), n as usize))
    }

    /// Returns part of a tuple that must have this width.
    fn tuple_part(context, tuple: u64, index: u64, width: u64) -> u64 {
        let _ = context;
        match value(tuple).as_sequence() {
            Some(items) if items.len() as u64 == width => raw::word(items.get(index as usize)),
            Some(_) | None => 0,
        }
    }

    /// Makes room for `n` more words of successors.
    fn grow(context, n: u64) -> u64 {
        // SAFETY: as in `with_machine`.
        let context = unsafe { &mut *context };
        let n_written = context.n_written();
        // SAFETY: the buffer is alive and nobody else refers to it while generated code runs.
        let buffer = unsafe { &mut *context.buffer };
        buffer.resize((buffer.len() * 2).max(n_written + n as usize + 1), 0);
        let range = buffer.as_mut_ptr_range();
        (context.out, context.out_end) = (range.start.wrapping_add(n_written), range.end);
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_waits_until_the_code_has_returned() {
        let mut context = Context {
            ids: std::ptr::null(),
            window: 0,
            out: std::ptr::null_mut(),
            out_end: std::ptr::null_mut(),
            rows: std::ptr::null(),
            depth: 0,
            machine: std::ptr::null_mut(),
            panic: None,
            buffer: std::ptr::null_mut(),
            caches: std::ptr::null_mut(),
        };
        let result = contain_panic(&raw mut context, || panic!("a bug"));
        assert_eq!(result, 0);
        let resumed = std::panic::catch_unwind(AssertUnwindSafe(|| context.resume_panic()));
        let panic = resumed.expect_err("the panic goes on");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a bug"));
        context.resume_panic();
    }
}
