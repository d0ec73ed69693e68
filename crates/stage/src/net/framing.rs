//! Divides a stream of bytes into messages.

/// The way in which the bytes of a connection are divided into messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Framing {
    pub rule: Rule,
    /// Number of bytes before the first message from the node that dialled.
    pub preamble: usize,
    /// Number of bytes before the first message from the node that accepted.
    pub reply_preamble: usize,
}

/// A rule for dividing bytes into messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// No rule: all bytes sent between two moments of rest are one message.
    #[default]
    None,
    /// Each message ends with a line feed.
    Line,
    Length(Length),
    /// The message starts with its length as protocol buffers write it: seven bits in each byte, the lowest first.
    Varint,
}

/// A number that gives the length of its message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length {
    /// Number of bytes of the message before the number.
    pub offset: usize,
    /// Number of bytes of the number itself.
    pub width: usize,
    pub is_big_endian: bool,
    /// Added to the number to get how many bytes follow it: negative if the number counts itself or bytes before it.
    pub extra: i64,
}

impl Default for Length {
    /// Four bytes, the highest first, that count the bytes after them.
    fn default() -> Length {
        Length { offset: 0, width: 4, is_big_endian: true, extra: 0 }
    }
}

/// The message at the beginning of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// A message of this many bytes.
    Whole(usize),
    /// A part of a message, with the length of the whole if that is known already.
    Part(Option<u64>),
}

impl Rule {
    /// Finds the first message in `bytes`; without a rule there is none.
    pub fn first(self, bytes: &[u8]) -> First {
        let len = match self {
            Rule::None => None,
            Rule::Line => bytes.iter().position(|byte| *byte == b'\n').map(|at| at as u64 + 1),
            Rule::Length(length) => length.read(bytes),
            Rule::Varint => varint(bytes),
        };
        match len.map(usize::try_from) {
            Some(Ok(len)) if len <= bytes.len() => First::Whole(len),
            Some(_) | None => First::Part(len),
        }
    }
}

impl Length {
    /// Returns the whole length of the first message, or `None` while its number is incomplete.
    fn read(self, bytes: &[u8]) -> Option<u64> {
        let number = bytes.get(self.offset..)?.get(..self.width)?;
        let add = |length: u64, byte: &u8| length << 8 | u64::from(*byte);
        let number = match self.is_big_endian {
            true => number.iter().fold(0, add),
            false => number.iter().rev().fold(0, add),
        };
        // A message has at least its own number, whatever that says; otherwise dividing would never end.
        let before = (self.offset + self.width) as u64;
        Some(number.saturating_add_signed(self.extra).saturating_add(before))
    }
}

fn varint(bytes: &[u8]) -> Option<u64> {
    let n_bytes = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)? + 1;
    let add = |length: u64, byte: &u8| length << 7 | u64::from(byte & 0x7f);
    Some(bytes[..n_bytes].iter().rev().fold(0, add).saturating_add(n_bytes as u64))
}

#[cfg(test)]
mod tests {
    use super::{First, Length, Rule};

    #[track_caller]
    fn check(rule: Rule, bytes: &[u8], expected: First) {
        assert_eq!(rule.first(bytes), expected);
    }

    #[test]
    fn a_line_ends_with_its_feed() {
        check(Rule::Line, b"one\ntwo", First::Whole(4));
        check(Rule::Line, b"one", First::Part(None));
    }

    #[test]
    fn a_length_can_have_any_width_and_order() {
        let rule = |width, is_big_endian| Rule::Length(Length { width, is_big_endian, ..Length::default() });
        check(rule(4, true), b"\0\0\0\x02abc", First::Whole(6));
        check(rule(4, false), b"\x02\0\0\0abc", First::Whole(6));
        check(rule(2, true), b"\0\x03ab", First::Part(Some(5)));
        check(rule(8, true), b"\0\0\0\0", First::Part(None));
        check(rule(8, true), &[0xff; 20], First::Part(Some(u64::MAX)));
    }

    #[test]
    fn a_length_may_come_later_and_count_more_or_less() {
        // A byte for the kind, and a length that counts itself.
        let counts_itself = Rule::Length(Length { offset: 1, extra: -4, ..Length::default() });
        check(counts_itself, b"Q\0\0\0\x06abc", First::Whole(7));
        check(counts_itself, b"Q\0\0\0\x08abc", First::Part(Some(9)));
        // The number is less than possible, so the message ends with it.
        check(counts_itself, b"Q\0\0\0\x01abc", First::Whole(5));
        // Three bytes of length, then six that it does not count.
        let uncounted = Rule::Length(Length { width: 3, extra: 6, ..Length::default() });
        check(uncounted, b"\0\0\x02......abcd", First::Whole(11));
        check(uncounted, b"\0\0\x02......a", First::Part(Some(11)));
        check(uncounted, b"\0\0", First::Part(None));
    }

    #[test]
    fn a_varint_is_as_long_as_it_needs() {
        check(Rule::Varint, b"\x03abcd", First::Whole(4));
        let mut long = vec![0xac, 0x02];
        long.extend([b'x'; 300]);
        check(Rule::Varint, &long, First::Whole(302));
        check(Rule::Varint, &long[..301], First::Part(Some(302)));
        check(Rule::Varint, &[0xff; 3], First::Part(None));
    }

    #[test]
    fn without_a_rule_there_is_no_first_message() {
        check(Rule::None, b"anything", First::Part(None));
    }
}
