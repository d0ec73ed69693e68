//! Guest programs on the stage: real processes, nothing simulated.

mod clocks;
mod connecting;
mod datagrams;
mod guests;
mod kit;
mod streams;
