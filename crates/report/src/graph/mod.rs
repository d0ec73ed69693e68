//! State graphs as data, as files for other tools, and as a page with a picture.
//!
//! Whoever explores makes a [`StateGraph`] of it. What was left out is part of the data, and stands in every form.

mod dot;
mod filter;
mod graphml;
mod html;
mod layout;
mod model;

pub use dot::dot;
pub use filter::Filter;
pub use graphml::graphml;
pub use html::{STATES_DRAWN_MAX, STEPS_DRAWN_MAX, TooLarge, html};
pub use model::{ReadError, State, StateGraph, Step, Value, read, to_json};
