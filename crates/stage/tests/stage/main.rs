//! Guest programs on the stage: real processes, nothing simulated.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod clocks;
mod connecting;
mod datagrams;
mod determinism;
mod disks;
mod guests;
mod kit;
mod points;
mod streams;
mod syscalls;
mod turns;
