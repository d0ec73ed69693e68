//! Recursion over trees that users write: deep input needs a deep stack, on any thread.

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
