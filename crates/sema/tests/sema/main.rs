//! Tests of how modules are resolved, as files beside their expectations.
//!
//! `cases` holds the folders of small specifications; `door` and `library` test single expressions and the embedded
//! modules; `robust` states what holds for every text. `UPDATE_EXPECT=1 cargo test -p sema --test sema` rewrites the
//! expectations.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod door;
mod dump;
mod library;
mod robust;
