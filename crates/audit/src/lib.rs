//! Could this check have failed? A specification is changed in one place after another, and each change is checked.
//!
//! [`mutants`] finds the places: parts of initial states and steps, never parts of properties. [`audit`] checks the
//! specification as it is, then each mutant, and returns a [`Report`]: which property caught it, or that none did and
//! how its behaviours differ. Properties keep their meaning, also if they use a definition that was changed
//! (`eval::lower::lower_changed`).
//!
//! Not here: searching, walking, the texts of findings; printing.

mod alone;
mod antecedents;
mod apply;
mod audit;
mod base_run;
mod budget;
mod class;
mod implied;
mod judge;
mod mutant;
mod options;
mod reach;
mod report;
mod sites;
mod texts;
mod touched;

pub use audit::audit;
pub use class::Class;
pub use mutant::{Mutant, mutants};
pub use options::{Event, Observer, Options, Subject};
pub use report::{
    Base, Difference, Direction, Doubt, Judged, Refusal, Report, Survival, Tallied, Verdict, Why,
};
