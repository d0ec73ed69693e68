//! Lowers a resolved specification to an intermediate form and evaluates it.
//!
//! [`lower`] turns a spec and its configuration into a [`ir::Program`]; [`interp`] evaluates expressions and enumerates
//! initial states and successors; [`native`] has the standard operators. The search around them is a [`Run`], and the
//! outside is a [`World`].

pub mod interp;
pub mod ir;
mod ir_walk;
pub mod lower;
pub mod native;
mod owned;
pub mod print;
mod run;
pub mod sandbox;
pub mod temporal;
pub mod world;

pub use native::not_decidable;
pub use owned::Owned;
pub use run::{Fact, NoRun, Register, Request, Run};
pub use world::World;
