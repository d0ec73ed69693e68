//! Real nodes on loopback: what they do, and what they log.

mod mistakes;
mod nodes;
mod survival;
