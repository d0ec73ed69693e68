//! `specline monitor`: a running process checked against its specification, from its messages.

pub mod args;
mod conditions;
mod hook;
mod load;
mod metrics;
mod page;
mod solver;
mod source;
mod tell;
pub mod test;
pub mod watch;
