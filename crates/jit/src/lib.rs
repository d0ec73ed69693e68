//! Machine code for the actions and formulas of a specification.
//!
//! A search asks for code once it has seen some states: they tell what variables look like ([`hint`]), and the code
//! is made for that. Whatever it meets that it was not made for, and whatever has no value, makes it give up, and
//! the interpreter does the same again from the start: so code has no errors of its own to tell and is never asked
//! for more than what it does well. What it does it does as the interpreter would, in the same order.
//!
//! ```text
//! program + examples -> actions, formulas -> values, functions, binders -> emit -> Cranelift -> code
//!                                                                          runtime: what code calls
//! run: a state's successors, by code or by what the same code gave before (memo)
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
pub use run::{Found, Ran, Scratch, Successor};
