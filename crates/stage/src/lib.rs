//! Runs real, unmodified processes whose time, network and faults are under control.
//!
//! A [`Stage`] starts nodes with the library of `crates/interpose` loaded into them, waits until none of them can do
//! anything by itself any more, and only then carries out the next event: it delivers a message, moves a clock, or
//! kills a process. `sys` has all uses of the operating system that the standard library does not offer.
//!
//! Nothing here knows TLA+, prints, or reads the environment.

mod alarms;
mod code;
mod control;
mod disk;
mod door;
mod elf;
mod folder;
mod helper;
mod idle;
mod images;
mod library;
mod mark;
mod net;
mod node;
mod points;
#[allow(dead_code, reason = "some of it only the library needs")]
#[path = "../../interpose/src/program.rs"]
mod program;
pub mod script;
mod sockets;
mod stage;
mod strays;
mod sys;
pub mod system;
#[cfg(test)]
#[path = "../../interpose/src/table.rs"]
mod table;
mod traps;
mod trouble;
mod turns;

pub use control::Uncontrolled;
pub use disk::Loss;
pub use folder::Folder;
pub use helper::Helper;
pub use images::Images;
pub use library::Library;
pub use net::{Answer, Field, Framing, Held, Length, MessageId, Payload, Preamble, Records, Rule, Run};
pub use node::{DoorKind, NodeId, NodeSpec, NodeState, Stream, ThreadReport};
pub use points::{At, CallPlace, CodePlace, Condition, Path, Place, Point, ThreadPattern, View};
pub use stage::{ClientId, Settings, Stage};
pub use sys::Exit;
pub use traps::{Trap, TrapAction};
pub use trouble::Trouble;
pub use wire::{FileCall, Outcome};
