//! A client of the Java Debug Wire Protocol: the interface through which a debugger sees and stops threads of a Java
//! virtual machine. Every JDK has the other side (`-agentlib:jdwp`).
//!
//! A [`Session`] keeps what is known about one machine. It does no input or output: whoever uses it lends it a [`Link`]
//! for each talk, so that a caller that must do other work while the machine prepares its answer can do that in
//! [`Link::receive`]. Bytes that come without a question are handed over with [`Session::feed`].
//!
//! Nothing that the machine sends is trusted: lengths and counts are checked against the bytes that are there, and
//! what cannot be read is an [`Error`].

mod bytecode;
mod commands;
mod error;
mod event;
mod ids;
mod link;
mod packet;
mod session;
mod signature;
mod value;

pub use bytecode::{ReturnsError, find_returns};
pub use commands::{Field, FrameInfo, Line, Method, MethodLines, Variable, Version, Vm};
pub use error::{Error, ErrorCode};
pub use event::{Event, EventKind, EventSet, Filter, Suspend};
pub use ids::{ClassId, FieldId, FrameId, Location, MethodId, ObjectId, RequestId, ThreadId, TypeTag};
pub use link::{Link, SocketLink};
pub use session::Session;
pub use signature::{Arguments, SignatureError, class_signature, readable_type};
pub use value::{Tag, Value};
