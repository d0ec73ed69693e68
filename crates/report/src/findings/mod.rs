//! Findings of a run in the formats of machines: SARIF, annotations of GitHub, JUnit.
//!
//! A [`Finding`] has a place in a specification, a [`Case`] passed or did not. Nothing is decided here.

mod finding;
pub mod github;
pub mod junit;
pub mod sarif;

pub use finding::{Finding, FindingPlace, Level, Point};
pub use junit::{Case, Outcome};
