//! Random walks through the states of a specification.
//!
//! [`simulate`] returns an [`Answer`]: what the first walk that found something shows, or that none did, and statistics
//! of the walks. A walk is a function of the seed and its number: the answer does not depend on the number of workers,
//! and each walk can be made again alone. [`walk`] makes one, [`rounds`] shares them among workers, [`guide`] chooses
//! steps, [`minimise`] shortens a violating walk.
//!
//! Not here: evaluation, the meaning of properties, the texts of findings (`model`), printing.

mod answer;
mod board;
mod commute;
mod compiled;
mod context;
mod dice;
mod distinct;
mod endless;
mod estimate;
mod expand;
mod findings;
mod flow;
mod follow;
mod guide;
mod hash;
mod initial;
mod learned;
mod minimise;
mod options;
mod path;
mod periodic;
mod rank;
mod rare;
mod rounds;
mod run;
mod simulate;
mod statistics;
mod walk;

pub use answer::{Answer, Passed, Shortened};
pub use distinct::DistinctCount;
pub use estimate::Estimate;
pub use flow::Flow;
pub use options::{Event, Mode, Observer, Options, Progress, Walks};
pub use rank::{Criterion, Measure, Order, rank};
pub use simulate::simulate;
pub use statistics::{ActionCount, Statistics};
