//! Code that the integration tests of all crates share: cases that are files, expectations beside them, diagnostics as
//! stable plain text, mutations of texts.
//!
//! It is a dev-dependency only: nothing here is shipped, and an error in a case is a panic.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod cases;
mod expect;
mod guests;
mod mutate;
mod plain;

pub use browser::Browser;
pub use cases::{files, files_here, folders};
pub use expect::Expectations;
pub use guests::{bare_guest, c_guest, c_library, guests, java_guest, rust_guest};
pub use mutate::{Rng, mutate};
pub use plain::{place, plain};
