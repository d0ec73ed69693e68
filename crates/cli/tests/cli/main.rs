//! The real program in a folder of its own: standard output, standard error and exit code as snapshots.
//!
//! `UPDATE_EXPECT=1 cargo test -p cli` rewrites `tests/cli/snapshots/`; people review them.

mod answers;
mod audit;
mod check;
mod checkpoint;
mod ci;
mod conform;
mod coverage;
mod demo;
mod endings;
mod explain;
mod graph;
mod lint;
mod liveness;
mod load;
mod load_verdicts;
mod page;
mod pages;
mod parse;
mod raft;
mod raft_staged;
mod rank;
mod readme;
mod robust;
mod sandbox;
mod simulate;
mod spill;
mod stage;
mod stage_ends;
mod suite;
mod tlc;
mod tlc_options;
mod tlc_others;
mod tlc_syntax;
mod tlc_walks;
mod trace;
mod usage;
mod validate;
mod validate_live;
mod validate_many;
mod validate_map;
mod validate_map_commuting;
mod validate_map_held;
mod validate_map_order;
mod why_page;
