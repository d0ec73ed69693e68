//! Coverage of a specification: counts of actions, branches and expressions together with the texts that they are
//! about, and the forms in which people and other tools read them.
//!
//! A run that counts makes a [`Report`]. A report is written and read as JSON; all other forms are made from
//! it.

mod cobertura;
mod html;
mod lcov;
mod lines;
mod report;
mod texts;

pub use cobertura::cobertura;
pub use html::{About, html};
pub use lcov::lcov;
pub use report::{Action, Bounds, Branch, BranchKind, Expression, Point, Report, Source, TextPlace};
pub use texts::{Texts, shorten};
