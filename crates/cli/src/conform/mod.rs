//! `specline replay` and `specline conform`: behaviours of a specification carried out on real processes.

pub mod args;
mod facts;
mod json;
mod keep;
mod load;
mod page;
mod pages;
mod recheck;
pub mod replay;
mod report;
mod tell;
pub mod walks;
