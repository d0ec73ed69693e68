//! Tests of functions that generated code calls.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Caches, Context, RecursiveCode, Word, apply_recursive, begin_application, raw, value};

type ApplyRecursive = unsafe extern "C" fn(*mut Context<'_>, RecursiveCode, *const u64, Word) -> u64;
type BeginApplication = unsafe extern "C" fn(*mut Context<'_>) -> u64;

static N_CALLS: AtomicU64 = AtomicU64::new(0);

fn apply_helper() -> ApplyRecursive {
    // SAFETY: the helper with this address has this signature.
    unsafe {
        std::mem::transmute::<*const (), ApplyRecursive>(apply_recursive::helper().address as *const ())
    }
}

fn begin_helper() -> BeginApplication {
    // SAFETY: the helper with this address has this signature.
    unsafe {
        std::mem::transmute::<*const (), BeginApplication>(begin_application::helper().address as *const ())
    }
}

fn int(n: i64) -> Word {
    Word::of(::value::Value::small(i32::try_from(n).expect("a small number")))
}

/// Stands for the code of `F[n \in 0..20] == IF n = 0 THEN 1 ELSE F[n - 1] + F[n - 1]`.
unsafe extern "C" fn power_of_two(context: *mut Context<'_>, words: *const u64, arg: Word) -> u64 {
    N_CALLS.fetch_add(1, Ordering::Relaxed);
    let n = value(arg).as_small().expect("an integer");
    if n == 0 {
        return int(1).0;
    }
    // SAFETY: all of this comes from the caller.
    let of_less = || unsafe { apply_helper()(context, power_of_two, words, int(n - 1)) };
    let [a, b] = [of_less(), of_less()].map(|word| value(Word(word)).as_small().expect("an integer"));
    int(a + b).0
}

#[test]
fn a_function_that_applies_itself_is_evaluated_once_for_each_argument() {
    let mut caches = Caches::default();
    let mut context = Context { caches: std::ptr::from_mut(&mut caches), ..Context::empty() };
    let context = std::ptr::from_mut(&mut context);
    for n_applications in 1..=2 {
        // SAFETY: the context lives, and nobody else uses it.
        let number = unsafe { begin_helper()(context) };
        assert_eq!(number, n_applications);
        // SAFETY: the words begin with the number, and the function takes what it is given.
        let result = unsafe { apply_helper()(context, power_of_two, [number].as_ptr(), int(20)) };
        assert_eq!(result, raw::word(::value::Value::small(1 << 20)));
        // What the function reads may have changed since the application before.
        assert_eq!(N_CALLS.load(Ordering::Relaxed), 21 * n_applications);
    }
}
