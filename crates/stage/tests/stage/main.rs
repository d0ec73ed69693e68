//! Guest programs on the stage: real processes, nothing simulated.

mod clocks;
mod guests;
mod kit;
mod streams;
