//! Temporal properties of finite graphs: is there an infinite behaviour that is fair and violates a property?
//!
//! A behaviour that violates a property satisfies the fairness of the specification and the property's negation.
//! [`Plan`] splits that formula as TLC does (contract 4.7), into alternatives of `<>[]p`, `[]<>p` and the rest; for the
//! rest there is an automaton ([`tableau`]). [`search`] looks for a component of the product of graph and automaton in
//! which everything that must happen again and again can happen, and returns a [`Lasso`].
//!
//! Not here: states, values and evaluation. A graph has numbers for nodes, and tells which atoms hold where.

mod components;
mod cycle;
mod formula;
mod graph;
mod marks;
mod plan;
mod product;
mod search;
mod tableau;

pub use formula::Formula;
pub use graph::{ClassId, Graph, LabelId};
pub use plan::{Plan, Refusal};
pub use search::{Lasso, Stop, search};
