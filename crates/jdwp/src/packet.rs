//! Packets: how a stream of bytes is cut into commands and answers, and how their parts are read and written.

use crate::error::{Error, ErrorCode};
use crate::ids::{ClassId, FieldId, FrameId, Location, MethodId, ObjectId, ThreadId, TypeTag};
use crate::value::{Tag, Value};

/// The number of bytes before the content of a packet: length, number, flags, and either a command or an error.
const HEADER_BYTES: usize = 11;
/// The bit of the flags that tells an answer from a command.
const ANSWER: u8 = 0x80;
/// The most bytes of a packet that are read. Lists of all classes or threads have a few hundred thousand.
pub(crate) const PACKET_BYTES_MAX: u32 = 64 << 20;

/// A packet from the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Packet {
    /// The answer to the command with this number.
    Answer { id: u32, error: ErrorCode, content: Vec<u8> },
    /// A command of the machine, by its set and its number there.
    Command { set: u8, command: u8, content: Vec<u8> },
}

/// Returns the bytes of a command.
pub(crate) fn command(id: u32, (set, command): (u8, u8), content: &[u8]) -> Vec<u8> {
    let len = u32::try_from(HEADER_BYTES + content.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(HEADER_BYTES + content.len());
    bytes.extend_from_slice(&len.to_be_bytes());
    bytes.extend_from_slice(&id.to_be_bytes());
    bytes.extend_from_slice(&[0, set, command]);
    bytes.extend_from_slice(content);
    bytes
}

/// Bytes that have come and are not a whole packet yet.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    bytes: Vec<u8>,
}

impl Splitter {
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Takes the next whole packet.
    pub fn next(&mut self) -> Result<Option<Packet>, Error> {
        let Some(len) = self.bytes.first_chunk::<4>().map(|len| u32::from_be_bytes(*len)) else {
            return Ok(None);
        };
        if len > PACKET_BYTES_MAX {
            return Err(Error::TooLong { n: len.into(), max: PACKET_BYTES_MAX.into() });
        }
        let len = len as usize;
        if len < HEADER_BYTES {
            return Err(Error::Truncated);
        }
        if self.bytes.len() < len {
            return Ok(None);
        }
        let rest = self.bytes.split_off(len);
        let packet = std::mem::replace(&mut self.bytes, rest);
        let mut parts = Parts::new(&packet[4..], Sizes::default());
        let (id, flags) = (parts.u32()?, parts.u8()?);
        let packet = if flags & ANSWER != 0 {
            let error = ErrorCode(parts.u16()?);
            Packet::Answer { id, error, content: parts.rest().to_vec() }
        } else {
            let (set, command) = (parts.u8()?, parts.u8()?);
            Packet::Command { set, command, content: parts.rest().to_vec() }
        };
        Ok(Some(packet))
    }
}

/// The number of bytes of each kind of name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sizes {
    pub field: u8,
    pub method: u8,
    pub object: u8,
    pub class: u8,
    pub frame: u8,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { field: 8, method: 8, object: 8, class: 8, frame: 8 }
    }
}

impl Sizes {
    pub fn read(content: &[u8]) -> Result<Sizes, Error> {
        let mut parts = Parts::new(content, Sizes::default());
        let mut size = || match parts.u32()? {
            n @ 1..=8 => Ok(n as u8),
            n => Err(Error::Unknown { what: "size of names", number: n.into() }),
        };
        let sizes =
            Sizes { field: size()?, method: size()?, object: size()?, class: size()?, frame: size()? };
        parts.finish()?;
        Ok(sizes)
    }
}

/// The parts of a packet that are not read yet.
pub(crate) struct Parts<'b> {
    bytes: &'b [u8],
    sizes: Sizes,
}

impl<'b> Parts<'b> {
    pub fn new(bytes: &'b [u8], sizes: Sizes) -> Parts<'b> {
        Parts { bytes, sizes }
    }

    fn take(&mut self, n: usize) -> Result<&'b [u8], Error> {
        let (taken, rest) = self.bytes.split_at_checked(n).ok_or(Error::Truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>().ok_or(Error::Truncated)?;
        self.bytes = rest;
        Ok(*taken)
    }

    pub fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.bytes)
    }

    pub fn finish(self) -> Result<(), Error> {
        match self.bytes.len() {
            0 => Ok(()),
            n => Err(Error::Leftover { n }),
        }
    }

    pub fn u8(&mut self) -> Result<u8, Error> {
        self.array().map(u8::from_be_bytes)
    }

    pub fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_be_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_be_bytes)
    }

    pub fn i64(&mut self) -> Result<i64, Error> {
        self.array().map(i64::from_be_bytes)
    }

    fn name(&mut self, size: u8) -> Result<u64, Error> {
        let bytes = self.take(usize::from(size))?;
        Ok(bytes.iter().fold(0, |name, byte| name << 8 | u64::from(*byte)))
    }

    pub fn object(&mut self) -> Result<ObjectId, Error> {
        self.name(self.sizes.object).map(ObjectId)
    }

    pub fn thread(&mut self) -> Result<ThreadId, Error> {
        self.object().map(ThreadId)
    }

    pub fn class(&mut self) -> Result<ClassId, Error> {
        self.name(self.sizes.class).map(ClassId)
    }

    pub fn method(&mut self) -> Result<MethodId, Error> {
        self.name(self.sizes.method).map(MethodId)
    }

    pub fn field(&mut self) -> Result<FieldId, Error> {
        self.name(self.sizes.field).map(FieldId)
    }

    pub fn frame(&mut self) -> Result<FrameId, Error> {
        self.name(self.sizes.frame).map(FrameId)
    }

    pub fn type_tag(&mut self) -> Result<TypeTag, Error> {
        let byte = self.u8()?;
        TypeTag::of(byte).ok_or(Error::Unknown { what: "kind of type", number: byte.into() })
    }

    pub fn location(&mut self) -> Result<Location, Error> {
        Ok(Location {
            tag: self.type_tag()?,
            class: self.class()?,
            method: self.method()?,
            index: self.u64()?,
        })
    }

    /// Reads a text. It is UTF-8 but for letters beyond 16 bits, which are shown as the replacement character.
    pub fn text(&mut self) -> Result<String, Error> {
        let len = self.u32()?;
        let bytes = self.take(usize::try_from(len).map_err(|_| Error::Truncated)?)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    pub fn tag(&mut self) -> Result<Tag, Error> {
        let byte = self.u8()?;
        Tag::of(byte).ok_or(Error::Unknown { what: "kind of value", number: byte.into() })
    }

    /// Reads a value after its tag.
    pub fn value(&mut self) -> Result<Value, Error> {
        let tag = self.tag()?;
        self.untagged(tag)
    }

    pub fn untagged(&mut self, tag: Tag) -> Result<Value, Error> {
        Ok(match tag {
            Tag::Void => Value::Void,
            Tag::Boolean => Value::Boolean(self.u8()? != 0),
            Tag::Byte => Value::Byte(i8::from_be_bytes(self.array()?)),
            Tag::Char => Value::Char(self.u16()?),
            Tag::Short => Value::Short(i16::from_be_bytes(self.array()?)),
            Tag::Int => Value::Int(self.i32()?),
            Tag::Long => Value::Long(self.i64()?),
            Tag::Float => Value::Float(f32::from_be_bytes(self.array()?)),
            Tag::Double => Value::Double(f64::from_be_bytes(self.array()?)),
            Tag::Object
            | Tag::Array
            | Tag::String
            | Tag::Thread
            | Tag::ThreadGroup
            | Tag::ClassLoader
            | Tag::ClassObject => Value::Object(tag, self.object()?),
        })
    }

    /// Reads a number of things and then each of them. A number that the bytes cannot have is noticed when they end.
    pub fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Parts<'b>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let n = self.u32()?;
        let mut all = Vec::new();
        for _ in 0..n {
            let before = self.bytes.len();
            all.push(one(self)?);
            if self.bytes.len() == before {
                return Err(Error::Truncated);
            }
        }
        Ok(all)
    }
}

/// The content of a packet that is written.
pub(crate) struct Content {
    pub bytes: Vec<u8>,
    sizes: Sizes,
}

impl Content {
    pub fn new(sizes: Sizes) -> Content {
        Content { bytes: Vec::new(), sizes }
    }

    pub fn u8(mut self, byte: u8) -> Content {
        self.bytes.push(byte);
        self
    }

    pub fn u32(mut self, number: u32) -> Content {
        self.bytes.extend_from_slice(&number.to_be_bytes());
        self
    }

    pub fn len(self, n: usize) -> Content {
        self.u32(u32::try_from(n).unwrap_or(u32::MAX))
    }

    pub fn u64(mut self, number: u64) -> Content {
        self.bytes.extend_from_slice(&number.to_be_bytes());
        self
    }

    fn name(mut self, name: u64, size: u8) -> Content {
        let bytes = name.to_be_bytes();
        self.bytes.extend_from_slice(&bytes[bytes.len() - usize::from(size)..]);
        self
    }

    pub fn object(self, object: ObjectId) -> Content {
        let size = self.sizes.object;
        self.name(object.0, size)
    }

    pub fn thread(self, thread: ThreadId) -> Content {
        self.object(thread.0)
    }

    pub fn class(self, class: ClassId) -> Content {
        let size = self.sizes.class;
        self.name(class.0, size)
    }

    pub fn method(self, method: MethodId) -> Content {
        let size = self.sizes.method;
        self.name(method.0, size)
    }

    pub fn field(self, field: FieldId) -> Content {
        let size = self.sizes.field;
        self.name(field.0, size)
    }

    pub fn frame(self, frame: FrameId) -> Content {
        let size = self.sizes.frame;
        self.name(frame.0, size)
    }

    pub fn location(self, location: Location) -> Content {
        self.u8(location.tag.byte()).class(location.class).method(location.method).u64(location.index)
    }

    pub fn text(self, text: &str) -> Content {
        let mut content = self.len(text.len());
        content.bytes.extend_from_slice(text.as_bytes());
        content
    }
}

#[cfg(test)]
mod tests {
    use super::{Content, PACKET_BYTES_MAX, Packet, Parts, Sizes, Splitter, command};
    use crate::error::{Error, ErrorCode};
    use crate::ids::{ClassId, Location, MethodId, ObjectId, TypeTag};
    use crate::value::{Tag, Value};

    #[test]
    fn a_stream_is_cut_into_packets_wherever_it_was_torn() {
        let mut bytes = command(7, (1, 2), b"abc");
        // The same bytes as an answer with an error.
        let mut answer = command(8, (0, 13), b"");
        answer[8] = 0x80;
        bytes.extend(&answer);
        for cut in 0..bytes.len() {
            let mut splitter = Splitter::default();
            let mut packets = Vec::new();
            for part in [&bytes[..cut], &bytes[cut..]] {
                splitter.push(part);
                while let Some(packet) = splitter.next().unwrap() {
                    packets.push(packet);
                }
            }
            let expected = [
                Packet::Command { set: 1, command: 2, content: b"abc".to_vec() },
                Packet::Answer { id: 8, error: ErrorCode(13), content: Vec::new() },
            ];
            assert_eq!(packets, expected, "cut after {cut} bytes");
        }
    }

    #[test]
    fn lengths_that_no_packet_has_are_errors() {
        for (len, is_long) in [(0_u32, false), (10, false), (PACKET_BYTES_MAX + 1, true), (u32::MAX, true)] {
            let mut splitter = Splitter::default();
            splitter.push(&len.to_be_bytes());
            match splitter.next() {
                Err(Error::TooLong { .. }) => assert!(is_long, "{len}"),
                Err(Error::Truncated) => assert!(!is_long, "{len}"),
                other => panic!("{len}: {other:?}"),
            }
        }
    }

    #[test]
    fn names_have_the_sizes_that_the_machine_says() {
        let sizes = Sizes { object: 4, class: 5, method: 3, ..Sizes::default() };
        let location = Location {
            tag: TypeTag::Class,
            class: ClassId(0x0001_0203_0405),
            method: MethodId(9),
            index: 77,
        };
        let content = Content::new(sizes).location(location).object(ObjectId(3)).text("äh").u32(1);
        assert_eq!(content.bytes.len(), 1 + 5 + 3 + 8 + 4 + (4 + 3) + 4);
        let mut parts = Parts::new(&content.bytes, sizes);
        assert_eq!(parts.location().unwrap(), location);
        assert_eq!(parts.object().unwrap(), ObjectId(3));
        assert_eq!(parts.text().unwrap(), "äh");
        assert!(matches!(parts.finish(), Err(Error::Leftover { n: 4 })));
    }

    #[test]
    fn sizes_beyond_eight_bytes_and_counts_beyond_the_bytes_are_errors() {
        let sizes = |numbers: [u32; 5]| {
            Sizes::read(&numbers.iter().flat_map(|n| n.to_be_bytes()).collect::<Vec<u8>>())
        };
        assert_eq!(sizes([8; 5]).unwrap(), Sizes::default());
        assert!(sizes([8, 8, 9, 8, 8]).is_err());
        assert!(sizes([8, 8, 0, 8, 8]).is_err());
        let bytes = [0xff, 0xff, 0xff, 0xff, 1, 2];
        let mut parts = Parts::new(&bytes, Sizes::default());
        assert!(matches!(parts.list(Parts::u8), Err(Error::Truncated)));
        // A list of nothing would otherwise have four thousand million elements.
        let mut parts = Parts::new(&bytes, Sizes::default());
        assert!(matches!(parts.list(|_| Ok(())), Err(Error::Truncated)));
        let mut parts = Parts::new(&bytes, Sizes::default());
        assert!(matches!(parts.text(), Err(Error::Truncated)));
    }

    #[test]
    fn values_of_every_kind_are_read() {
        let bytes = [
            b'Z', 1, b'B', 0xff, b'C', 0, 65, b'S', 0xff, 0xfe, b'I', 0, 0, 1, 0, b'V', b's', 0, 0, 0, 0, 0,
            0, 0, 9,
        ];
        let mut parts = Parts::new(&bytes, Sizes::default());
        let expected = [
            Value::Boolean(true),
            Value::Byte(-1),
            Value::Char(65),
            Value::Short(-2),
            Value::Int(256),
            Value::Void,
            Value::Object(Tag::String, ObjectId(9)),
        ];
        for value in expected {
            assert_eq!(parts.value().unwrap(), value);
        }
        parts.finish().unwrap();
        let mut parts = Parts::new(b"Q", Sizes::default());
        assert!(matches!(parts.value(), Err(Error::Unknown { number: 81, .. })));
    }
}
