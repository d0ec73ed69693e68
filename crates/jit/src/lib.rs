//! Machine code for the actions and formulas of a specification.
//!
//! A search asks for code once it has seen some states: they show what variables look like ([`hint`]), and the code is
//! made for that. If it meets anything else, or something without a value, it gives up, and the interpreter does the
//! same again from the start. So code has no errors of its own to report, and it only needs to handle what it does
//! well. It does everything in the same order as the interpreter.
//!
//! ```text
//! program + examples -> actions, formulas -> values, functions, binders -> emit -> Cranelift -> code
//!                                                                          runtime: functions for code
//! run: a state's successors, by code or by earlier results of the same code (memo)
//! ```

mod actions;
mod binders;
mod cache;
mod code;
mod emit;
mod forge;
mod formulas;
mod functions;
mod hint;
mod keeping;
mod memo;
mod run;
mod runtime;
mod split;
mod values;

pub use code::{Compiled, Sources};
pub use forge::Forge;
pub use run::{FoundSuccessors, NotRun, Scratch, Successor};
