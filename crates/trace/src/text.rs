//! Traces for people: [`story`] shows what each step changed, [`tlc`] lists states as TLC does.
//!
//! Texts that others wrote (names, strings, messages) are made printable; nothing is written anywhere.

mod change;
mod compare;
mod finding;
mod page;
mod step;
mod story;
mod tlc;

pub use compare::{compare, state_changes};
pub use finding::headline;
pub use page::Style;
pub use step::{step_text, tlc_step};
pub use story::{failure_text, state_text, story};
pub use tlc::{tlc, tlc_header, tlc_state};

pub(crate) use change::path_text;
pub(crate) use compare::{ending, n_back, n_same, reorder};
