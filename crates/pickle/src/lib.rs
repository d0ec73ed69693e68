//! The bytes of TLC's binary values: `-dumpTrace tlc`, `-loadTrace tlc` and the binary form of IOUtils.
//!
//! A value is a byte for its kind followed by its parts, numbers with the high byte first. A value may refer back to one
//! that began before it, by its number. What a value is made of belongs to the crates that have values: here are
//! only the bytes, in both directions. Compression is `base::gzip`.

/// The kinds of values, by TLC's numbers. Those that TLC has besides never reach a file that we read or write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    Bool = 0,
    Int = 1,
    String = 3,
    Record = 4,
    Set = 5,
    Tuple = 7,
    Function = 9,
    Model = 21,
    Interval = 23,
    /// An earlier value, by its number.
    Reference = 26,
}

impl Kind {
    /// Returns the kind with this number.
    pub fn of(byte: u8) -> Option<Kind> {
        const ALL: [Kind; 10] = [
            Kind::Bool,
            Kind::Int,
            Kind::String,
            Kind::Record,
            Kind::Set,
            Kind::Tuple,
            Kind::Function,
            Kind::Model,
            Kind::Interval,
            Kind::Reference,
        ];
        ALL.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// Whether the parts of a value are written in the order in which TLC keeps them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartOrder {
    Normal,
    Any,
}

/// The form in which the arguments of a function are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// They are an interval, and only its bounds are written.
    Interval(i32, i32),
    /// Each precedes its value, in any order.
    Written,
}

const ON_INTERVAL: u8 = 0;
const NOT_NORMAL: u8 = 2;

/// A value has more parts than TLC's numbers reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyParts(pub usize);

/// Writes values. The parts of a value come after its `begin`. TLC's references are never written, which TLC accepts.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn bool(&mut self, value: bool) {
        self.bytes.extend([Kind::Bool as u8, u8::from(value)]);
    }

    pub fn int(&mut self, value: i32) {
        self.bytes.push(Kind::Int as u8);
        self.number(value);
    }

    /// Writes a string, of which TLC keeps the low byte of each UTF-16 unit. The first two numbers are indices into tables
    /// of TLC's, which it ignores when it reads.
    pub fn string(&mut self, text: &str) -> Result<(), TooManyParts> {
        self.bytes.push(Kind::String as u8);
        self.number(0);
        self.number(-1);
        let units: Vec<u8> = text.encode_utf16().map(|unit| unit as u8).collect();
        self.number(to_number(units.len())?);
        self.bytes.extend(units);
        Ok(())
    }

    /// Writes a model value, by its number in the configuration.
    pub fn model(&mut self, number: i16) {
        self.bytes.push(Kind::Model as u8);
        self.bytes.extend(number.to_be_bytes());
    }

    pub fn interval(&mut self, first: i32, last: i32) {
        self.bytes.push(Kind::Interval as u8);
        self.number(first);
        self.number(last);
    }

    pub fn begin_tuple(&mut self, len: usize) -> Result<(), TooManyParts> {
        self.bytes.push(Kind::Tuple as u8);
        self.len(len)
    }

    /// Begins a set, whose elements may be in any order.
    pub fn begin_set(&mut self, len: usize) -> Result<(), TooManyParts> {
        self.bytes.push(Kind::Set as u8);
        self.signed_len(len, PartOrder::Any)
    }

    /// Begins a record. Each name, as a string, precedes its value.
    pub fn begin_record(&mut self, len: usize, order: PartOrder) -> Result<(), TooManyParts> {
        self.bytes.push(Kind::Record as u8);
        self.signed_len(len, order)
    }

    pub fn begin_function(&mut self, len: usize, arguments: Arguments) -> Result<(), TooManyParts> {
        self.bytes.push(Kind::Function as u8);
        self.len(len)?;
        match arguments {
            Arguments::Interval(first, last) => {
                self.bytes.push(ON_INTERVAL);
                self.number(first);
                self.number(last);
            }
            Arguments::Written => self.bytes.push(NOT_NORMAL),
        }
        Ok(())
    }

    fn number(&mut self, number: i32) {
        self.bytes.extend(number.to_be_bytes());
    }

    /// Writes a length in two bytes, or its negative in four.
    fn len(&mut self, len: usize) -> Result<(), TooManyParts> {
        match i16::try_from(len) {
            Ok(short) => self.bytes.extend(short.to_be_bytes()),
            Err(_) => self.number(-to_number(len)?),
        }
        Ok(())
    }

    /// Writes a length whose sign says whether the parts are in TLC's order.
    fn signed_len(&mut self, len: usize, order: PartOrder) -> Result<(), TooManyParts> {
        let len = to_number(len)?;
        self.number(if order == PartOrder::Normal { len } else { -len });
        Ok(())
    }
}

fn to_number(n: usize) -> Result<i32, TooManyParts> {
    i32::try_from(n).map_err(|_| TooManyParts(n))
}

/// Reads what [`Writer`] and TLC write. Everything returns `None` where the bytes end too early.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes }
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    /// Reads a truth after its kind.
    pub fn bool(&mut self) -> Option<bool> {
        self.byte().map(|byte| byte != 0)
    }

    /// Reads an integer after its kind.
    pub fn int(&mut self) -> Option<i32> {
        self.take().map(i32::from_be_bytes)
    }

    /// Reads the characters of a string after its kind, a byte for each: see [`text`].
    pub fn string(&mut self) -> Option<&'b [u8]> {
        self.int()?;
        self.int()?;
        let len = usize::try_from(self.int()?).ok()?;
        let (characters, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(characters)
    }

    /// Reads the number of a model value after its kind.
    pub fn model(&mut self) -> Option<i16> {
        self.take().map(i16::from_be_bytes)
    }

    /// Reads the bounds of an interval after its kind.
    pub fn interval(&mut self) -> Option<(i32, i32)> {
        Some((self.int()?, self.int()?))
    }

    /// Reads the length of a tuple or a function, or the number of an earlier value, after its kind.
    pub fn length(&mut self) -> Option<usize> {
        let (&short, _) = self.bytes.split_first_chunk::<2>()?;
        let number = match i16::from_be_bytes(short) {
            short if short < 0 => self.int()?,
            _ => i32::from(i16::from_be_bytes(self.take()?)),
        };
        Some(number.unsigned_abs() as usize)
    }

    /// Reads the length of a set or a record after its kind.
    pub fn signed_len(&mut self) -> Option<usize> {
        self.int().map(|len| len.unsigned_abs() as usize)
    }

    /// Reads the form of a function's arguments after its length.
    pub fn arguments(&mut self) -> Option<Arguments> {
        match self.byte()? {
            ON_INTERVAL => self.interval().map(|(first, last)| Arguments::Interval(first, last)),
            _ => Some(Arguments::Written),
        }
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*taken)
    }
}

/// Returns the text of the characters of a string.
pub fn text(characters: &[u8]) -> String {
    characters.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_bytes_or_four() {
        for (len, bytes) in
            [(3, &[7, 0, 3][..]), (0x7fff, &[7, 0x7f, 0xff]), (0x8000, &[7, 0xff, 0xff, 0x80, 0])]
        {
            let mut writer = Writer::default();
            writer.begin_tuple(len).expect("it is short enough");
            let written = writer.into_bytes();
            assert_eq!(written, bytes);
            let mut reader = Reader::new(&written);
            assert_eq!(reader.byte().and_then(Kind::of), Some(Kind::Tuple));
            assert_eq!(reader.length(), Some(len));
            assert_eq!(reader.byte(), None);
        }
    }

    #[test]
    fn what_ends_too_early_is_nothing() {
        let mut writer = Writer::default();
        writer.string("abc").expect("it is short enough");
        let bytes = writer.into_bytes();
        assert_eq!(Reader::new(&bytes[1..]).string().map(text).as_deref(), Some("abc"));
        for end in 1..bytes.len() {
            assert_eq!(Reader::new(&bytes[1..end]).string(), None);
        }
    }

    #[test]
    fn arguments_are_an_interval_or_written() {
        for arguments in [Arguments::Interval(-1, 1), Arguments::Written] {
            let mut writer = Writer::default();
            writer.begin_function(3, arguments).expect("it is short enough");
            let bytes = writer.into_bytes();
            let mut reader = Reader::new(&bytes[1..]);
            assert_eq!((reader.length(), reader.arguments()), (Some(3), Some(arguments)));
        }
    }
}
