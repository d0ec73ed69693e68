//! Code that the integration tests of all crates share: cases that are files, expectations beside them, diagnostics as
//! stable plain text, mutations of texts.
//!
//! It is a dev-dependency only: nothing here is shipped, and an error in a case is a panic.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod cases;
mod editor;
mod editor_visit;
mod etcd;
mod etcd_watch;
mod expect;
mod guests;
mod mutate;
mod plain;

pub use browser::Browser;
pub use cases::{files, files_here, folders};
pub use editor::{Editor, address};
pub use editor_visit::{Thoroughness, Visit, visit};
pub use etcd::EtcdCluster;
pub use etcd_watch::{EtcdMode, EtcdRun, EtcdWatch, Watched};
pub use expect::Expectations;
pub use guests::{
    bare_guest, c_guest, c_library, go_guest, guests, java_guest, musl_guest, rust_guest, static_guest,
    static_rust_guest,
};
pub use mutate::{Rng, mutate};
pub use plain::{place, plain};
