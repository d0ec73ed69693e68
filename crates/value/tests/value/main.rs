//! Tests of values and their operators through the public interface, with one file for each area.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod arithmetic;
mod bytes;
mod compare;
mod functions;
mod intern;
mod large;
mod laws;
mod lazy;
mod long;
mod mixed_keys;
mod print;
mod sequences;
mod sets;
mod store;
mod text;
