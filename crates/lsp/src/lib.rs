//! The language server: what an editor shows of modules and configurations while they are written.
//!
//! `server` reads messages and keeps the open texts; each request is answered by a worker, from a [`snapshot::Snapshot`] of
//! the moment in which it was made. [`analysis`] is one module with everything that it needs, made by the same front end as
//! every other command, and used again until something that it read changes. A worker that panics answers with a message
//! that says so, and goes on.
//!
//! *Not here:* meaning. Nothing is resolved, formatted or translated here, and models are checked by the program itself,
//! started again (`checks`).

mod actions;
mod algorithm;
mod analysis;
mod checks;
mod completion;
mod configs;
mod diagnostics;
mod files;
mod folding;
mod formatting;
mod hover;
mod lenses;
mod library;
mod lines;
mod navigation;
mod rename;
mod server;
mod snapshot;
mod symbols;
mod tokens;
mod words;
mod worker;
mod workspace;

use std::path::PathBuf;

pub use server::{ServeError, serve};

/// The surroundings of a server.
#[derive(Clone, Debug)]
pub struct Host {
    /// The program that checks models: `specline` itself.
    pub program: PathBuf,
    pub version: String,
    /// A folder of this server alone, for traces, pages and the texts of embedded modules. It need not exist.
    pub temporary: PathBuf,
}
