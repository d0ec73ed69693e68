//! The searches: every state that a specification can reach, and what it says about its properties.
//!
//! [`check`] answers with an [`Answer`]: a verdict or why there is none, counts, and a trace where there is
//! one to show. Breadth-first and depth-first search share one core: [`expand`] does what is done with one
//! state and its successors (contract 4.1), [`space`] is the set of states seen and how each was reached;
//! a strategy only chooses what is expanded next. The answer does not depend on the number of workers.
//!
//! [`checkpoint`] keeps what was found in a folder, so that a search can go on later.
//!
//! Not here: printing, the clock's owner. What can be watched goes to an [`Observer`].

mod aim;
mod alias;
mod answer;
mod bfs;
mod checkpoint;
mod choices;
mod code_shelf;
mod context;
mod credit;
mod crew;
mod dfs;
mod engine_report;
mod expand;
mod explain;
mod generated;
mod graph;
mod growth;
mod judges;
mod keep;
mod live;
mod observe;
mod options;
mod order;
mod periodic;
mod prepare;
mod rebuild;
mod run;
mod search;
mod settle;
mod space;
mod spill;
mod symmetry;
mod unreduced;

pub use aim::{Accepted, Aim, NearKind, NearStep, Reached, check_to};
pub use answer::{Answer, Counts, Kept, Memory};
pub use bfs::address_space_min;
pub use checkpoint::Checkpoints;
pub use choices::Choice;
pub use engine_report::{ActionEngine, EngineReport, PartEngine};
pub use graph::{GraphWish, no_graph, state_graph};
pub use growth::{Growth, Measure};
pub use observe::{Event, Observer, Progress, Silent};
pub use options::{Options, Search, Spill};
pub use prepare::check;
pub use rebuild::Room;
