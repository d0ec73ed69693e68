//! Where one message ends and the next begins, in a stream of bytes.

/// A rule for telling messages apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    /// None: what was sent between two moments of rest is one message.
    None,
    /// Each message ends with a line feed.
    Line,
    /// A number of so many bytes that says how many follow; jute records are of this kind, four bytes big-endian.
    Length { width: usize, is_big_endian: bool },
    /// As protocol buffers delimit messages: seven bits of the length in each byte, the lowest first.
    Varint,
}

/// The longest message that a rule may find; more is no message of the protocol that the rule is for.
const FRAME_BYTES_MAX: u64 = 1 << 30;

impl Framing {
    /// The length of the first message in `bytes`, or `None` while it is not all there.
    pub fn first(self, bytes: &[u8]) -> Option<usize> {
        let len = match self {
            Framing::None => None,
            Framing::Line => bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1),
            Framing::Length { width, is_big_endian } => {
                let prefix = bytes.get(..width)?;
                let add = |length: u64, byte: &u8| length << 8 | u64::from(*byte);
                let length = match is_big_endian {
                    true => prefix.iter().fold(0, add),
                    false => prefix.iter().rev().fold(0, add),
                };
                whole(length, width)
            }
            Framing::Varint => {
                let n_bytes = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)? + 1;
                let add = |length: u64, byte: &u8| length << 7 | u64::from(byte & 0x7f);
                whole(bytes[..n_bytes].iter().rev().fold(0, add), n_bytes)
            }
        };
        len.filter(|len| *len <= bytes.len())
    }
}

fn whole(length: u64, prefix: usize) -> Option<usize> {
    let length = usize::try_from(length.min(FRAME_BYTES_MAX)).ok()?;
    length.checked_add(prefix)
}

#[cfg(test)]
mod tests {
    use super::Framing;

    #[track_caller]
    fn check(framing: Framing, bytes: &[u8], expected: Option<usize>) {
        assert_eq!(framing.first(bytes), expected);
    }

    #[test]
    fn a_line_ends_with_its_feed() {
        check(Framing::Line, b"one\ntwo", Some(4));
        check(Framing::Line, b"one", None);
    }

    #[test]
    fn a_length_can_have_any_width_and_order() {
        check(Framing::Length { width: 4, is_big_endian: true }, b"\0\0\0\x02abc", Some(6));
        check(Framing::Length { width: 4, is_big_endian: false }, b"\x02\0\0\0abc", Some(6));
        check(Framing::Length { width: 2, is_big_endian: true }, b"\0\x03ab", None);
        check(Framing::Length { width: 8, is_big_endian: true }, b"\0\0\0\0", None);
        check(Framing::Length { width: 8, is_big_endian: true }, &[0xff; 20], None);
    }

    #[test]
    fn a_varint_is_as_long_as_it_needs() {
        check(Framing::Varint, b"\x03abcd", Some(4));
        let mut long = vec![0xac, 0x02];
        long.extend([b'x'; 300]);
        check(Framing::Varint, &long, Some(302));
        check(Framing::Varint, &long[..301], None);
        check(Framing::Varint, &[0xff; 3], None);
    }

    #[test]
    fn without_a_rule_there_is_no_first_message() {
        check(Framing::None, b"anything", None);
    }
}
