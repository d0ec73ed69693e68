//! Divides a stream of bytes into messages.

use super::http;

/// The way in which the bytes of a connection are divided into messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Framing {
    pub rule: Rule,
    /// The bytes before the first message from the node that dialled.
    pub preamble: Preamble,
    /// The bytes before the first message from the node that accepted.
    pub reply_preamble: Preamble,
}

/// Bytes before the first message of a side, which are a message of their own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Preamble {
    #[default]
    None,
    /// So many bytes.
    Bytes(usize),
    /// A record of these fields.
    Record(Vec<Field>),
}

impl Preamble {
    /// Finds the preamble at the beginning of `bytes`; `None` if there is none to be found.
    pub fn first(&self, bytes: &[u8]) -> Option<First> {
        match self {
            Preamble::None | Preamble::Bytes(0) => None,
            Preamble::Bytes(n) if *n <= bytes.len() => Some(First::Whole(*n)),
            Preamble::Bytes(n) => Some(First::Part(Some(*n as u64))),
            Preamble::Record(fields) => Some(measure(fields, bytes)),
        }
    }
}

/// One field of a record without a length of its own. All numbers have their highest byte first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Field {
    /// So many bytes, at least one.
    Fixed(usize),
    /// A number of four bytes, and so many bytes; none if it is negative.
    Counted,
    /// A number of four bytes, and so many records of these fields; none if it is negative.
    Vector(Vec<Field>),
}

/// Records whose lengths follow from what is in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Records {
    pub fields: Vec<Field>,
    pub run: Option<Run>,
}

/// Bytes without a length that follow some records: a file in the stream, say. They are a message of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first number of the records that such bytes follow.
    pub after: u64,
    /// The bytes with which they end.
    pub end: Vec<u8>,
}

impl Records {
    /// Whether a run of bytes follows this record.
    fn starts_run(&self, record: &[u8]) -> bool {
        let number = |width: &Field| match width {
            Field::Fixed(n) => Some(record.get(..*n)?.iter().fold(0, |n, byte| n << 8 | u64::from(*byte))),
            Field::Counted | Field::Vector(_) => None,
        };
        let first = self.fields.first().and_then(number);
        self.run.as_ref().is_some_and(|run| first == Some(run.after))
    }
}

/// Finds a record of these fields at the beginning of `bytes`.
fn measure(fields: &[Field], bytes: &[u8]) -> First {
    let mut at = 0;
    if skip(fields, bytes, &mut at).is_some() { First::Whole(at) } else { First::Part(None) }
}

/// Moves `at` behind a record; `None` if it is not all there.
fn skip(fields: &[Field], bytes: &[u8], at: &mut usize) -> Option<()> {
    for field in fields {
        match field {
            Field::Fixed(n) => *at = at.checked_add(*n)?,
            Field::Counted => {
                let n = count(bytes, at)?;
                *at = at.checked_add(n)?;
            }
            Field::Vector(fields) => {
                for _ in 0..count(bytes, at)? {
                    skip(fields, bytes, at)?;
                }
            }
        }
        if *at > bytes.len() {
            return None;
        }
    }
    Some(())
}

fn count(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let number = bytes.get(*at..)?.first_chunk::<4>()?;
    *at += number.len();
    Some(usize::try_from(i32::from_be_bytes(*number)).unwrap_or(0))
}

/// A rule for dividing bytes into messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// No rule: all bytes sent between two moments of rest are one message.
    #[default]
    None,
    /// Each message ends with a line feed.
    Line,
    Length(Length),
    /// The message starts with its length as protocol buffers write it: seven bits in each byte, the lowest first.
    Varint,
    Records(Records),
    /// Requests and responses of HTTP/1.1. Each chunk of a body that comes in chunks is a message, or several with these
    /// lengths, if its content consists of such.
    Http(Option<Length>),
}

/// The answer that a client waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub rule: Rule,
    pub n_messages: usize,
}

impl Default for Answer {
    /// Whatever comes between two moments of rest.
    fn default() -> Answer {
        Answer { rule: Rule::None, n_messages: 1 }
    }
}

impl Answer {
    /// Returns the messages in some bytes; without a rule, all of them are one.
    pub fn split<'b>(&self, bytes: &'b [u8]) -> Vec<&'b [u8]> {
        if self.rule == Rule::None {
            return if bytes.is_empty() { Vec::new() } else { vec![bytes] };
        }
        let (mut rest, mut messages) = (bytes, Vec::new());
        while let (false, First::Whole(len)) = (rest.is_empty(), self.rule.first(rest, false)) {
            let (message, after) = rest.split_at(len);
            messages.push(message);
            rest = after;
        }
        messages
    }
}

/// A number that gives the length of its message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Length {
    /// Number of bytes of the message before the number.
    pub offset: usize,
    /// Number of bytes of the number itself.
    pub width: usize,
    pub is_big_endian: bool,
    /// Added to the number to get how many bytes follow it: negative if the number counts itself or bytes before it.
    pub extra: i64,
    /// The bytes that follow messages of some kinds.
    pub bodies: Vec<Body>,
}

/// Bytes after a message that its length does not count: numbers in the message say how many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The messages that have it: the number in the bytes before their length.
    pub kind: u64,
    /// Where the first of the numbers is, from the beginning of the message; negative from its end.
    pub at: i64,
    /// Number of bytes from the beginning of one number to that of the next, up to the end of the message; 0 if there is
    /// one number.
    pub every: usize,
    /// Number of bytes of a number.
    pub width: usize,
}

impl Body {
    /// Returns how many bytes follow this message, of which the first `before` are its kind and its length.
    fn len(&self, message: &[u8], before: usize, is_big_endian: bool) -> u64 {
        let first = match usize::try_from(self.at) {
            Ok(at) => at,
            Err(_) => message.len().saturating_sub(self.at.unsigned_abs() as usize).max(before),
        };
        let numbers = message.get(first..).unwrap_or_default().chunks(self.every.max(self.width));
        let numbers = numbers.filter_map(|bytes| Some(number(bytes.get(..self.width)?, is_big_endian)));
        numbers.take(if self.every == 0 { 1 } else { usize::MAX }).fold(0, u64::saturating_add)
    }
}

fn number(bytes: &[u8], is_big_endian: bool) -> u64 {
    let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    if is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
}

impl Default for Length {
    /// Four bytes, the highest first, that count the bytes after them.
    fn default() -> Length {
        Length { offset: 0, width: 4, is_big_endian: true, extra: 0, bodies: Vec::new() }
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
    /// Finds the first message in `bytes`; without a rule there is none. `in_run` says whether a run of bytes goes on
    /// there: bytes without a length, or chunks.
    pub fn first(&self, bytes: &[u8], in_run: bool) -> First {
        let len = match self {
            Rule::Records(records) => {
                return match records.run.as_ref().filter(|_| in_run) {
                    Some(run) => end_of_run(&run.end, bytes),
                    None => measure(&records.fields, bytes),
                };
            }
            Rule::Http(_) if in_run => return http::first_chunk(bytes),
            Rule::Http(_) => return http::first_message(bytes),
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

    /// Whether a run of bytes goes on after this message. `in_run` says whether it was in one itself.
    pub fn has_run_after(&self, message: &[u8], in_run: bool) -> bool {
        match self {
            Rule::Records(records) => !in_run && records.starts_run(message),
            Rule::Http(_) if in_run => !http::is_last_chunk(message),
            Rule::Http(_) => http::starts_chunks(message),
            Rule::None | Rule::Line | Rule::Length(_) | Rule::Varint => false,
        }
    }
}

impl Rule {
    /// Divides a message of a run into the messages that it consists of, where it is a chunk with several.
    pub fn divide(&self, message: Vec<u8>, in_run: bool) -> Vec<Vec<u8>> {
        match self {
            Rule::Http(Some(length)) if in_run => http::divide_chunk(message, length),
            Rule::Http(_) | Rule::None | Rule::Line | Rule::Length(_) | Rule::Varint | Rule::Records(_) => {
                vec![message]
            }
        }
    }
}

fn end_of_run(end: &[u8], bytes: &[u8]) -> First {
    let found = bytes.windows(end.len().max(1)).position(|window| window == end);
    found.map_or(First::Part(None), |at| First::Whole(at + end.len()))
}

impl Length {
    /// Returns the whole length of the first message, or `None` while it cannot be known.
    pub(super) fn read(&self, bytes: &[u8]) -> Option<u64> {
        let counted = number(bytes.get(self.offset..)?.get(..self.width)?, self.is_big_endian);
        // A message has at least its own number, whatever that says; otherwise dividing would never end.
        let before = (self.offset + self.width) as u64;
        let len = counted.saturating_add_signed(self.extra).saturating_add(before);
        let kind = || number(&bytes[..self.offset], self.is_big_endian);
        let Some(body) = self.bodies.iter().find(|body| body.kind == kind()) else { return Some(len) };
        let message = bytes.get(..usize::try_from(len).ok()?)?;
        Some(len.saturating_add(body.len(message, self.offset + self.width, self.is_big_endian)))
    }
}

fn varint(bytes: &[u8]) -> Option<u64> {
    let n_bytes = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)? + 1;
    let add = |length: u64, byte: &u8| length << 7 | u64::from(byte & 0x7f);
    Some(bytes[..n_bytes].iter().rev().fold(0, add).saturating_add(n_bytes as u64))
}

#[cfg(test)]
mod tests {
    use super::{Body, Field, First, Length, Preamble, Records, Rule, Run};

    #[track_caller]
    fn check(rule: Rule, bytes: &[u8], expected: First) {
        assert_eq!(rule.first(bytes, false), expected);
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
        check(counts_itself.clone(), b"Q\0\0\0\x06abc", First::Whole(7));
        check(counts_itself.clone(), b"Q\0\0\0\x08abc", First::Part(Some(9)));
        // The number is less than possible, so the message ends with it.
        check(counts_itself.clone(), b"Q\0\0\0\x01abc", First::Whole(5));
        // Three bytes of length, then six that it does not count.
        let uncounted = Rule::Length(Length { width: 3, extra: 6, ..Length::default() });
        check(uncounted.clone(), b"\0\0\x02......abcd", First::Whole(11));
        check(uncounted.clone(), b"\0\0\x02......a", First::Part(Some(11)));
        check(uncounted.clone(), b"\0\0", First::Part(None));
    }

    #[test]
    fn a_body_is_as_long_as_numbers_in_the_message_say() {
        // A byte for the kind, a length, and then: a count, and for each item a byte and its length; or a length at the end.
        let bodies =
            vec![Body { kind: 1, at: 4, every: 2, width: 1 }, Body { kind: 2, at: -2, every: 0, width: 2 }];
        let length = Length { offset: 1, width: 1, is_big_endian: false, bodies, ..Length::default() };
        let rule = Rule::Length(length);
        check(rule.clone(), b"\x01\x05\x02a\x02b\x03xxyyy...", First::Whole(12));
        check(rule.clone(), b"\x01\x05\x02a\x02b\x03xxyy", First::Part(Some(12)));
        check(rule.clone(), b"\x01\x05\x02a", First::Part(None));
        check(rule.clone(), b"\x01\x01\x00...", First::Whole(3));
        check(rule.clone(), b"\x02\x03a\x02\x00xx...", First::Whole(7));
        check(rule.clone(), b"\x02\x00...", First::Whole(2));
        check(rule, b"\x03\x03abc...", First::Whole(5));
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

    /// A number, a buffer that may be null, and a vector of pairs of texts, as ZooKeeper's packets have them.
    fn packets() -> Records {
        let pair = Field::Vector(vec![Field::Counted, Field::Counted]);
        let run = Some(Run { after: 15, end: b"the end".to_vec() });
        Records { fields: vec![Field::Fixed(4), Field::Counted, pair], run }
    }

    #[test]
    fn a_record_is_as_long_as_what_it_says() {
        let whole = b"\0\0\0\x02\0\0\0\x03abc\0\0\0\x01\0\0\0\x01x\0\0\0\x02yz";
        let mut two = whole.to_vec();
        two.extend(whole);
        check(Rule::Records(packets()), &two, First::Whole(whole.len()));
        for len in 0..whole.len() {
            check(Rule::Records(packets()), &whole[..len], First::Part(None));
        }
        let null = b"\0\0\0\x02\xff\xff\xff\xff\xff\xff\xff\xff...";
        check(Rule::Records(packets()), null, First::Whole(12));
        // A vector that claims more than there will ever be costs no more than the bytes that are there.
        let endless = b"\0\0\0\x02\0\0\0\0\x7f\xff\xff\xff\0\0\0\0";
        check(Rule::Records(packets()), endless, First::Part(None));
    }

    #[test]
    fn a_run_of_bytes_ends_with_its_mark() {
        let rule = Rule::Records(packets());
        assert!(rule.has_run_after(b"\0\0\0\x0f\xff\xff\xff\xff\xff\xff\xff\xff", false));
        assert!(!rule.has_run_after(b"\0\0\0\x02\xff\xff\xff\xff\xff\xff\xff\xff", false));
        assert_eq!(rule.first(b"tree the end\0\0", true), First::Whole(12));
        assert_eq!(rule.first(b"tree the e", true), First::Part(None));
    }

    #[test]
    fn a_preamble_is_a_number_of_bytes_or_a_record() {
        assert_eq!(Preamble::None.first(b"abc"), None);
        assert_eq!(Preamble::Bytes(2).first(b"abc"), Some(First::Whole(2)));
        assert_eq!(Preamble::Bytes(5).first(b"abc"), Some(First::Part(Some(5))));
        let record = Preamble::Record(vec![Field::Fixed(2), Field::Counted]);
        assert_eq!(record.first(b"ab\0\0\0\x01cd"), Some(First::Whole(7)));
    }

    #[test]
    fn without_a_rule_there_is_no_first_message() {
        check(Rule::None, b"anything", First::Part(None));
    }
}
