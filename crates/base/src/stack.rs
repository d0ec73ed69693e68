//! Recursion over trees that users write: deep input needs a deep stack, on any thread; threads with deep stacks.

use std::io;
use std::thread::{self, Scope, ScopedJoinHandle};

/// Size of the stack that is enough for the frames between two calls of [`with_stack`], in debug builds too.
const RED_ZONE_BYTES: usize = 256 * 1024;
/// Size of the segment that is added when the red zone is reached.
const SEGMENT_BYTES: usize = 4 * 1024 * 1024;

/// Runs `body` with at least the red zone of stack left, on a fresh segment if necessary.
///
/// Every recursive walk over a tree calls this once for each level. Trees have a bounded depth (the parser refuses
/// deeper ones), so the memory is bounded too.
#[inline]
pub fn with_stack<R>(body: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE_BYTES, SEGMENT_BYTES, body)
}

/// Runs `body` on a thread of its own with a stack of `stack_bytes`, and waits for it. A panic there
/// continues in the caller.
///
/// For evaluation, which recurses as deep as the specification does.
pub fn on_deep_stack<R: Send>(stack_bytes: usize, body: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| join(spawn_deep(scope, stack_bytes, body)))
}

/// Starts a thread with a stack of `stack_bytes` in `scope`. Panics if the system has no more threads.
pub fn spawn_deep<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    stack_bytes: usize,
    body: impl FnOnce() -> R + Send + 'scope,
) -> ScopedJoinHandle<'scope, R> {
    try_spawn_deep(scope, stack_bytes, body).expect("a thread can be started")
}

/// Starts a thread with a stack of `stack_bytes` in `scope`, if the system has one more.
pub fn try_spawn_deep<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    stack_bytes: usize,
    body: impl FnOnce() -> R + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, R>> {
    thread::Builder::new().stack_size(stack_bytes).spawn_scoped(scope, body)
}

/// Waits for a thread. A panic there continues in the caller.
pub fn join<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
