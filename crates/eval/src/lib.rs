//! A resolved specification made to run: lowered to an intermediate form, and evaluated.
//!
//! [`lower`] turns a spec and its configuration into a [`ir::Program`]; [`interp`] evaluates expressions
//! and enumerates initial states and successors; [`native`] has the standard operators.

pub mod interp;
pub mod ir;
mod ir_walk;
pub mod lower;
pub mod native;
