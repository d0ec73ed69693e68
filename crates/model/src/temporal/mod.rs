//! Temporal properties of a model: their formulas, their meaning on one behaviour, and on one walk.

pub mod bits;
mod blame;
mod build;
mod formula;
mod judge;
mod meaning;
mod property;
mod walk;

pub use build::{ASKED_MAX, Builder, Fair, refusal};
pub use formula::LeadsTo;
pub use judge::{Judged, judge};
pub use meaning::{Endless, Word};
pub use property::{
    Remarks, TemporalProperty, describe_violation, no_counterexample, refuse, stops_anywhere, violated_names,
};
pub use walk::{WalkLasso, WalkLiveness, WalkStop, WalkedStates, undefined_verdict};
