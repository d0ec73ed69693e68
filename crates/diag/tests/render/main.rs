//! Tests of drawn diagnostics, one snapshot for each case: as text, in one line, and as JSON.
//!
//! `UPDATE_EXPECT=1 cargo test -p diag` rewrites `tests/render/snapshots/`; people review them.

mod cases;
mod snapshot;
mod total;
