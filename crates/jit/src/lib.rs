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

mod account;
mod actions;
mod binders;
mod cache;
mod calls;
mod code;
mod decode;
mod emit;
mod env;
mod equality;
mod facts;
mod folds;
mod forge;
mod formula_code;
mod formulas;
mod functions;
mod guarded;
mod hint;
mod interpreted;
mod keeping;
mod maker;
mod memo;
mod once;
mod outline;
mod pieces;
mod records;
mod recursion;
mod run;
mod runtime;
mod shared;
mod split;
mod stops;
mod values;
mod ways;

pub use account::{Account, ActionRuns, PartAccount, Refusal};
pub use code::{Compiled, Effort, Sources};
pub use forge::Forge;
pub use run::{FoundSuccessors, NotRun, Scratch, Successor, SuccessorUse};
