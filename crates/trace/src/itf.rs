//! Traces as JSON in the Informal Trace Format, as Apalache and Quint write and read it. `docs/itf.md` is the contract.
//!
//! Data that ITF has no place for is in the `#meta` objects, as strings only: readers such as itf-rs accept no other
//! kind of value there.

mod decode;
mod encode;
mod error;
mod json;
mod meta;
mod read;
mod write;

pub use encode::value_json;
pub use error::{ItfError, ItfErrorKind, Position};
pub use read::read;
pub use write::{write, write_to};

pub(crate) use decode::{array, string, wrong_kind};
pub(crate) use error::Path;
pub(crate) use json::Json;
pub(crate) use meta::finding_word;
