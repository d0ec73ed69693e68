//! Results of a run in the forms that people and other tools read: pages for a browser, coverage, state graphs, findings.
//!
//! Each part takes data, and makes text of it. Nothing here knows TLA+, opens a file or decides anything.

pub mod coverage;
pub mod findings;
pub mod graph;
pub mod page;
