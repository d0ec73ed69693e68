//! `specline replay` and `specline conform`: behaviours of a specification carried out on real processes.

mod json;
mod keep;
mod load;
mod page;
pub mod replay;
mod session;
mod tell;
pub mod walks;
