//! State graphs as data, as files for other tools, and as a page with a picture.
//!
//! A search makes a [`StateGraph`] of its states. The data, and so every form, says what was left out.

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
