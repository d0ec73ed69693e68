//! The wire format of protobuf: numbered fields. Their meaning is elsewhere.

/// A field's value, as far as the wire format tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    Varint(u64),
    Fixed64(u64),
    Bytes(&'a [u8]),
    Fixed32(u32),
}

/// Bytes that are no protobuf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoProtobuf(pub &'static str);

/// The fields of a message, in the order in which they were written.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub fn new(bytes: &'a [u8]) -> Fields<'a> {
        Fields { rest: bytes }
    }

    fn varint(&mut self) -> Result<u64, NoProtobuf> {
        let mut value = 0_u64;
        for shift in (0..70).step_by(7) {
            let (&byte, rest) = self.rest.split_first().ok_or(NoProtobuf("it ends within a number"))?;
            self.rest = rest;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(NoProtobuf("a number has more than 64 bits"))
    }

    fn bytes(&mut self, n: usize) -> Result<&'a [u8], NoProtobuf> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(NoProtobuf("it ends within a field"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn field(&mut self) -> Result<(u64, Field<'a>), NoProtobuf> {
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => Field::Varint(self.varint()?),
            1 => {
                let bytes = self.bytes(8)?;
                Field::Fixed64(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
            }
            2 => {
                let n = self.varint()?;
                Field::Bytes(self.bytes(usize::try_from(n).unwrap_or(usize::MAX))?)
            }
            5 => {
                let bytes = self.bytes(4)?;
                Field::Fixed32(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
            }
            _ => return Err(NoProtobuf("a field has a type that does not exist")),
        };
        match tag >> 3 {
            0 => Err(NoProtobuf("a field has the number 0")),
            number => Ok((number, value)),
        }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Field<'a>), NoProtobuf>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Fields, NoProtobuf};

    fn all(bytes: &[u8]) -> Result<Vec<(u64, Field<'_>)>, NoProtobuf> {
        Fields::new(bytes).collect()
    }

    #[test]
    fn fields_are_read() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 2, b'a', b'b', 0x1d, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0, 0, 0, 0];
        let fields = [
            (1, Field::Varint(150)),
            (2, Field::Bytes(b"ab")),
            (3, Field::Fixed32(1)),
            (4, Field::Fixed64(2)),
        ];
        assert_eq!(all(&bytes).unwrap(), fields);
        let most = [8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(all(&most).unwrap(), [(1, Field::Varint(u64::MAX))]);
    }

    #[test]
    fn other_bytes_are_refused() {
        let long = [8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2];
        for bytes in [&[8][..], &[8, 0x80], &[0x12, 3, 1], &[0x0b], &[0], &[0, 0], &long, &[0x12, 0xff, 0x7f]]
        {
            assert!(all(bytes).is_err(), "{bytes:?}");
        }
    }
}
