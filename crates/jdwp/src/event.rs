//! Events: what the machine tells by itself, and what it is asked to tell.

use crate::error::Error;
use crate::ids::{ClassId, Location, RequestId, ThreadId, TypeTag};
use crate::packet::{Content, Parts};
use crate::value::Value;

/// The threads that stand still when an event is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspend {
    Nothing,
    /// The thread to which the event happened.
    Thread,
    All,
}

impl Suspend {
    pub(crate) fn byte(self) -> u8 {
        match self {
            Suspend::Nothing => 0,
            Suspend::Thread => 1,
            Suspend::All => 2,
        }
    }

    fn of(byte: u8) -> Option<Suspend> {
        [Suspend::Nothing, Suspend::Thread, Suspend::All].into_iter().find(|policy| policy.byte() == byte)
    }
}

/// The kinds of events that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    Breakpoint,
    ClassPrepare,
    MethodEntry,
    /// Tells the value that is returned as well.
    MethodExit,
    ThreadStart,
    ThreadDeath,
}

impl EventKind {
    pub(crate) fn byte(self) -> u8 {
        match self {
            EventKind::Breakpoint => BREAKPOINT,
            EventKind::ClassPrepare => CLASS_PREPARE,
            EventKind::MethodEntry => METHOD_ENTRY,
            EventKind::MethodExit => METHOD_EXIT_WITH_VALUE,
            EventKind::ThreadStart => THREAD_START,
            EventKind::ThreadDeath => THREAD_DEATH,
        }
    }
}

const BREAKPOINT: u8 = 2;
const THREAD_START: u8 = 6;
const THREAD_DEATH: u8 = 7;
const CLASS_PREPARE: u8 = 8;
const METHOD_ENTRY: u8 = 40;
const METHOD_EXIT_WITH_VALUE: u8 = 42;
const VM_START: u8 = 90;
const VM_DEATH: u8 = 99;

/// A restriction of the events that are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Filter {
    /// Only the Nth one is told, and the request ends then.
    Count(u32),
    Thread(ThreadId),
    Class(ClassId),
    /// The name of the class, with dots; `*` may stand at its beginning or end.
    ClassName(String),
    Location(Location),
}

impl Filter {
    pub(crate) fn write(&self, content: Content) -> Content {
        match self {
            Filter::Count(n) => content.u8(1).u32(*n),
            Filter::Thread(thread) => content.u8(3).thread(*thread),
            Filter::Class(class) => content.u8(4).class(*class),
            Filter::ClassName(pattern) => content.u8(5).text(pattern),
            Filter::Location(location) => content.u8(7).location(*location),
        }
    }
}

/// Something that happened in the machine.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The machine is ready to run the program.
    VmStart {
        thread: ThreadId,
    },
    VmDeath,
    Breakpoint {
        request: RequestId,
        thread: ThreadId,
        location: Location,
    },
    MethodEntry {
        request: RequestId,
        thread: ThreadId,
        location: Location,
    },
    MethodExit {
        request: RequestId,
        thread: ThreadId,
        location: Location,
        value: Value,
    },
    ThreadStart {
        request: RequestId,
        thread: ThreadId,
    },
    ThreadDeath {
        request: RequestId,
        thread: ThreadId,
    },
    ClassPrepare {
        request: RequestId,
        thread: ThreadId,
        tag: TypeTag,
        class: ClassId,
        signature: String,
    },
}

impl Event {
    /// Returns the thread to which it happened.
    pub fn thread(&self) -> Option<ThreadId> {
        match self {
            Event::VmDeath => None,
            Event::VmStart { thread }
            | Event::Breakpoint { thread, .. }
            | Event::MethodEntry { thread, .. }
            | Event::MethodExit { thread, .. }
            | Event::ThreadStart { thread, .. }
            | Event::ThreadDeath { thread, .. }
            | Event::ClassPrepare { thread, .. } => Some(*thread),
        }
    }
}

/// Events that happened at the same place and time, told together.
#[derive(Clone, PartialEq, Debug)]
pub struct EventSet {
    pub suspend: Suspend,
    pub events: Vec<Event>,
}

impl EventSet {
    pub(crate) fn read(mut parts: Parts<'_>) -> Result<EventSet, Error> {
        let byte = parts.u8()?;
        let suspend =
            Suspend::of(byte).ok_or(Error::Unknown { what: "policy of suspending", number: byte.into() })?;
        let events = parts.list(read_event)?;
        parts.finish()?;
        Ok(EventSet { suspend, events })
    }
}

fn read_event(parts: &mut Parts<'_>) -> Result<Event, Error> {
    let kind = parts.u8()?;
    let request = RequestId(parts.u32()?);
    Ok(match kind {
        VM_START => Event::VmStart { thread: parts.thread()? },
        VM_DEATH => Event::VmDeath,
        BREAKPOINT => Event::Breakpoint { request, thread: parts.thread()?, location: parts.location()? },
        METHOD_ENTRY => Event::MethodEntry { request, thread: parts.thread()?, location: parts.location()? },
        METHOD_EXIT_WITH_VALUE => Event::MethodExit {
            request,
            thread: parts.thread()?,
            location: parts.location()?,
            value: parts.value()?,
        },
        THREAD_START => Event::ThreadStart { request, thread: parts.thread()? },
        THREAD_DEATH => Event::ThreadDeath { request, thread: parts.thread()? },
        CLASS_PREPARE => {
            let (thread, tag, class, signature) =
                (parts.thread()?, parts.type_tag()?, parts.class()?, parts.text()?);
            // The status of the class.
            parts.u32()?;
            Event::ClassPrepare { request, thread, tag, class, signature }
        }
        other => return Err(Error::Unknown { what: "kind of event", number: other.into() }),
    })
}
