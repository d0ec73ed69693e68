//! Pages for a browser: each is one file that needs nothing but itself, and asks no network.
//!
//! `frame` is what all of them share: the frame, the style, a few functions of the script, and the one way in which data
//! gets into a page.

mod frame;

pub use frame::{Page, escape};
