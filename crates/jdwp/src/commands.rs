//! The commands, with their arguments and answers as values.

use crate::error::Error;
use crate::event::{EventKind, Filter, Suspend};
use crate::ids::{ClassId, FieldId, FrameId, Location, MethodId, ObjectId, RequestId, ThreadId, TypeTag};
use crate::link::Link;
use crate::packet::{Content, Parts};
use crate::session::Session;
use crate::value::{Tag, Value};

/// The commands to a machine, for as long as its link is lent.
pub struct Vm<'s> {
    pub(crate) session: &'s mut Session,
    pub(crate) link: &'s mut dyn Link,
}

/// A description of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    pub description: String,
    pub version: String,
    pub name: String,
}

/// A method of a class, as declared there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    pub id: MethodId,
    pub name: String,
    pub signature: String,
    pub flags: u32,
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.flags & STATIC != 0
    }

    /// Whether it has code of its own: it is neither native nor abstract.
    pub fn has_code(&self) -> bool {
        self.flags & (NATIVE | ABSTRACT) == 0
    }
}

/// A field of a class, as declared there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub id: FieldId,
    pub name: String,
    pub signature: String,
    pub flags: u32,
}

impl Field {
    pub fn is_static(&self) -> bool {
        self.flags & STATIC != 0
    }
}

const STATIC: u32 = 0x0008;
const NATIVE: u32 = 0x0100;
const ABSTRACT: u32 = 0x0400;

/// A line of the source, and where its code begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    pub index: u64,
    pub number: u32,
}

/// The lines of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodLines {
    /// The first and the last position of its code.
    pub first: u64,
    pub last: u64,
    pub lines: Vec<Line>,
}

/// A local variable of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Where in the code it exists: from here, for so many positions.
    pub index: u64,
    pub len: u32,
    pub name: String,
    pub signature: String,
    pub slot: u32,
}

impl Variable {
    /// Whether it has a value at this position.
    pub fn exists_at(&self, index: u64) -> bool {
        (self.index..=self.index.saturating_add(u64::from(self.len))).contains(&index)
    }
}

/// A frame of a thread's stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameInfo {
    pub id: FrameId,
    pub location: Location,
}

impl Vm<'_> {
    fn content(&self) -> Content {
        Content::new(self.session.sizes)
    }

    /// Carries out a command, and reads its whole answer.
    fn ask<T>(
        &mut self,
        (name, number): (&'static str, (u8, u8)),
        content: Content,
        read: impl FnOnce(&mut Parts<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let answer = self.session.ask(self.link, name, number, &content.bytes)?;
        let mut parts = Parts::new(&answer, self.session.sizes);
        let result = read(&mut parts)?;
        parts.finish()?;
        Ok(result)
    }

    pub fn version(&mut self) -> Result<Version, Error> {
        self.ask(("VirtualMachine.Version", (1, 1)), self.content(), |parts| {
            let description = parts.text()?;
            // The version of the protocol, in two numbers.
            parts.u64()?;
            Ok(Version { description, version: parts.text()?, name: parts.text()? })
        })
    }

    /// Returns the classes with this signature; more than one if several loaders have loaded it.
    pub fn classes_by_signature(&mut self, signature: &str) -> Result<Vec<(TypeTag, ClassId)>, Error> {
        let content = self.content().text(signature);
        self.ask(("VirtualMachine.ClassesBySignature", (1, 2)), content, |parts| {
            parts.list(|parts| {
                let found = (parts.type_tag()?, parts.class()?);
                // Its status.
                parts.u32()?;
                Ok(found)
            })
        })
    }

    pub fn all_threads(&mut self) -> Result<Vec<ThreadId>, Error> {
        self.ask(("VirtualMachine.AllThreads", (1, 4)), self.content(), |parts| parts.list(Parts::thread))
    }

    /// Ends the talk: requests for events are forgotten, and what is suspended goes on.
    pub fn dispose(&mut self) -> Result<(), Error> {
        self.ask(("VirtualMachine.Dispose", (1, 6)), self.content(), |_| Ok(()))
    }

    pub fn suspend_all(&mut self) -> Result<(), Error> {
        self.ask(("VirtualMachine.Suspend", (1, 8)), self.content(), |_| Ok(()))
    }

    pub fn resume_all(&mut self) -> Result<(), Error> {
        self.ask(("VirtualMachine.Resume", (1, 9)), self.content(), |_| Ok(()))
    }

    pub fn signature(&mut self, class: ClassId) -> Result<String, Error> {
        self.ask(("ReferenceType.Signature", (2, 1)), self.content().class(class), |parts| parts.text())
    }

    /// Returns the fields that a class declares itself.
    pub fn fields(&mut self, class: ClassId) -> Result<Vec<Field>, Error> {
        self.ask(("ReferenceType.Fields", (2, 4)), self.content().class(class), |parts| {
            parts.list(|parts| {
                let (id, name, signature, flags) =
                    (parts.field()?, parts.text()?, parts.text()?, parts.u32()?);
                Ok(Field { id, name, signature, flags })
            })
        })
    }

    /// Returns the methods that a class declares itself.
    pub fn methods(&mut self, class: ClassId) -> Result<Vec<Method>, Error> {
        self.ask(("ReferenceType.Methods", (2, 5)), self.content().class(class), |parts| {
            parts.list(|parts| {
                let (id, name, signature, flags) =
                    (parts.method()?, parts.text()?, parts.text()?, parts.u32()?);
                Ok(Method { id, name, signature, flags })
            })
        })
    }

    pub fn static_value(&mut self, class: ClassId, field: FieldId) -> Result<Value, Error> {
        let content = self.content().class(class).u32(1).field(field);
        self.ask(("ReferenceType.GetValues", (2, 6)), content, one_value)
    }

    /// Returns at most `max` of the objects of a class, without those of its subclasses. The machine stops for it.
    pub fn instances(&mut self, class: ClassId, max: u32) -> Result<Vec<(Tag, ObjectId)>, Error> {
        let content = self.content().class(class).u32(max);
        self.ask(("ReferenceType.Instances", (2, 16)), content, |parts| {
            parts.list(|parts| Ok((parts.tag()?, parts.object()?)))
        })
    }

    /// Returns the class that a class extends; `None` for `Object` and interfaces.
    pub fn superclass(&mut self, class: ClassId) -> Result<Option<ClassId>, Error> {
        let found =
            self.ask(("ClassType.Superclass", (3, 1)), self.content().class(class), |parts| parts.class())?;
        Ok(Some(found).filter(|class| class.0 != 0))
    }

    pub fn line_table(&mut self, class: ClassId, method: MethodId) -> Result<MethodLines, Error> {
        let content = self.content().class(class).method(method);
        self.ask(("Method.LineTable", (6, 1)), content, |parts| {
            let (first, last) = (parts.u64()?, parts.u64()?);
            let lines = parts.list(|parts| Ok(Line { index: parts.u64()?, number: parts.u32()? }))?;
            Ok(MethodLines { first, last, lines })
        })
    }

    /// Returns the local variables, if the class was compiled with them.
    pub fn variable_table(&mut self, class: ClassId, method: MethodId) -> Result<Vec<Variable>, Error> {
        let content = self.content().class(class).method(method);
        self.ask(("Method.VariableTable", (6, 2)), content, |parts| {
            // The number of variables that the arguments take.
            parts.u32()?;
            parts.list(|parts| {
                let (index, name, signature) = (parts.u64()?, parts.text()?, parts.text()?);
                Ok(Variable { index, name, signature, len: parts.u32()?, slot: parts.u32()? })
            })
        })
    }

    /// Returns the code of a method.
    pub fn bytecodes(&mut self, class: ClassId, method: MethodId) -> Result<Vec<u8>, Error> {
        let content = self.content().class(class).method(method);
        self.ask(("Method.Bytecodes", (6, 3)), content, |parts| parts.list(Parts::u8))
    }

    pub fn class_of(&mut self, object: ObjectId) -> Result<(TypeTag, ClassId), Error> {
        let content = self.content().object(object);
        self.ask(("ObjectReference.ReferenceType", (9, 1)), content, |parts| {
            Ok((parts.type_tag()?, parts.class()?))
        })
    }

    pub fn field_value(&mut self, object: ObjectId, field: FieldId) -> Result<Value, Error> {
        let content = self.content().object(object).u32(1).field(field);
        self.ask(("ObjectReference.GetValues", (9, 2)), content, one_value)
    }

    /// Lets a thread that an event has suspended call a method without arguments, while no other thread is resumed for
    /// it. Returns the value, or the exception that was thrown.
    pub fn invoke(
        &mut self,
        object: ObjectId,
        thread: ThreadId,
        class: ClassId,
        method: MethodId,
    ) -> Result<Result<Value, ObjectId>, Error> {
        const SINGLE_THREADED: u32 = 1;
        let content = self.content().object(object).thread(thread).class(class).method(method);
        let content = content.u32(0).u32(SINGLE_THREADED);
        self.ask(("ObjectReference.InvokeMethod", (9, 6)), content, |parts| {
            let value = parts.value()?;
            parts.tag()?;
            Ok(match parts.object()? {
                ObjectId::NULL => Ok(value),
                exception => Err(exception),
            })
        })
    }

    pub fn string(&mut self, object: ObjectId) -> Result<String, Error> {
        self.ask(("StringReference.Value", (10, 1)), self.content().object(object), |parts| parts.text())
    }

    pub fn thread_name(&mut self, thread: ThreadId) -> Result<String, Error> {
        self.ask(("ThreadReference.Name", (11, 1)), self.content().thread(thread), |parts| parts.text())
    }

    pub fn resume(&mut self, thread: ThreadId) -> Result<(), Error> {
        self.ask(("ThreadReference.Resume", (11, 3)), self.content().thread(thread), |_| Ok(()))
    }

    /// Returns the innermost frames of a suspended thread, at most `n`.
    pub fn frames(&mut self, thread: ThreadId, n: u32) -> Result<Vec<FrameInfo>, Error> {
        let count = self.content().thread(thread);
        let n_frames = self.ask(("ThreadReference.FrameCount", (11, 7)), count, |parts| parts.u32())?;
        let content = self.content().thread(thread).u32(0).u32(n.min(n_frames));
        self.ask(("ThreadReference.Frames", (11, 6)), content, |parts| {
            parts.list(|parts| Ok(FrameInfo { id: parts.frame()?, location: parts.location()? }))
        })
    }

    pub fn array_len(&mut self, array: ObjectId) -> Result<u32, Error> {
        self.ask(("ArrayReference.Length", (13, 1)), self.content().object(array), |parts| parts.u32())
    }

    /// Returns an element of an array.
    pub fn array_element(&mut self, array: ObjectId, index: u32) -> Result<Value, Error> {
        let content = self.content().object(array).u32(index).u32(1);
        self.ask(("ArrayReference.GetValues", (13, 2)), content, |parts| {
            let tag = parts.tag()?;
            let is_primitive = !matches!(tag, Tag::Object | Tag::Array | Tag::String | Tag::Thread)
                && !matches!(tag, Tag::ThreadGroup | Tag::ClassLoader | Tag::ClassObject);
            let values =
                parts.list(|parts| if is_primitive { parts.untagged(tag) } else { parts.value() })?;
            values.first().copied().ok_or(Error::Truncated)
        })
    }

    /// Asks for events of a kind.
    pub fn request(
        &mut self,
        kind: EventKind,
        suspend: Suspend,
        filters: &[Filter],
    ) -> Result<RequestId, Error> {
        let content = self.content().u8(kind.byte()).u8(suspend.byte()).len(filters.len());
        let content = filters.iter().fold(content, |content, filter| filter.write(content));
        self.ask(("EventRequest.Set", (15, 1)), content, |parts| parts.u32().map(RequestId))
    }

    /// Withdraws a request for events. Those that have happened already may still be told.
    pub fn clear(&mut self, kind: EventKind, request: RequestId) -> Result<(), Error> {
        let content = self.content().u8(kind.byte()).u32(request.0);
        self.ask(("EventRequest.Clear", (15, 2)), content, |_| Ok(()))
    }

    /// Returns a local variable of a frame. `letter` is the first of its signature.
    pub fn local(&mut self, thread: ThreadId, frame: FrameId, slot: u32, letter: u8) -> Result<Value, Error> {
        let tag = Tag::of(letter).ok_or(Error::Unknown { what: "kind of value", number: letter.into() })?;
        let content = self.content().thread(thread).frame(frame).u32(1).u32(slot).u8(tag.byte());
        self.ask(("StackFrame.GetValues", (16, 1)), content, one_value)
    }

    /// Returns `this` of a frame; `null` in a static method.
    pub fn this_object(&mut self, thread: ThreadId, frame: FrameId) -> Result<Value, Error> {
        let content = self.content().thread(thread).frame(frame);
        self.ask(("StackFrame.ThisObject", (16, 3)), content, |parts| parts.value())
    }
}

/// Reads a list of values that must have one.
fn one_value(parts: &mut Parts<'_>) -> Result<Value, Error> {
    parts.list(Parts::value)?.first().copied().ok_or(Error::Truncated)
}
