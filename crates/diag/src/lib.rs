//! Errors and their places as data: spans, the source map, diagnostics and the table of `SL` codes.
//!
//! Drawing is separate: `render` for people and for machines. Nothing here knows what a module or a configuration is.

mod code;
mod diagnostic;
pub mod render;
mod source;

pub use code::{Code, Severity, World};
pub use diagnostic::{Diagnostic, Diagnostics, Fix, Label};
pub use source::{Position, SourceFile, SourceId, SourceMap, Span};
