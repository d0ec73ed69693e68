//! Behaviours as data: the result of a search, a simulation, a replay or a log.
//!
//! - [`Trace`] is a finite behaviour with the action and the parameters of each step, and what it shows ([`Finding`]).
//! - [`Datum`] is a TLA+ value as an owned tree, which remains when the engine is gone.
//!
//! Not here: how values are computed or compared in TLC's order, how a behaviour is found, files, terminals.

mod datum;
pub mod diagram;
mod diff;
pub mod given;
pub mod html;
pub mod itf;
mod json;
mod model;
mod text;
pub mod tlc_forms;
pub mod tlc_json;

pub use datum::{Datum, Parts};
pub use diff::{Change, ChangeKind, PathStep, VariableChange, diff, diff_states};
pub use html::{Program, ProgramDifference, ProgramRow, TracePage, html};
pub use json::{compare_json, json};
pub use model::{About, Binding, Ending, Failure, Finding, Place, Point, State, Step, Trace};
pub use text::{
    Style, compare, failure_text, headline, state_changes, state_text, step_text, story, tlc, tlc_header,
    tlc_state, tlc_step,
};
