//! Decodes the files of a log: byte order marks, UTF-16, and files that are not text at all.

use std::fmt;
use std::io::{self, BufRead, Cursor};

/// Something unusual about a file that does not prevent reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// It is UTF-8 that begins with a byte order mark.
    Marked,
    Utf16,
}

/// The reason why a file is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoText {
    /// The file is compressed: the program that did it, and the program that undoes it.
    Packed { by: &'static str, unpacked_by: &'static str },
    /// It begins like UTF-16, but is not valid.
    BrokenUtf16,
}

const UTF8_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const UTF16_MARKS: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];
/// The first bytes of compressed files.
const PACKERS: [(&[u8], &str, &str); 5] = [
    (&[0x1f, 0x8b], "gzip", "gunzip"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "zstd", "unzstd"),
    (&[0xfd, b'7', b'z', b'X', b'Z'], "xz", "unxz"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"PK\x03\x04", "zip", "unzip"),
];

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oddity::Marked => "begins with a byte order mark (BOM), which is left out",
            Oddity::Utf16 => "is UTF-16, and is read as such",
        })
    }
}

impl NoText {
    /// Describes the file in a sentence.
    pub fn what(self) -> String {
        match self {
            NoText::Packed { by, .. } => format!("is packed with {by}"),
            NoText::BrokenUtf16 => "begins as UTF-16 does, and is not".to_owned(),
        }
    }

    pub fn help(self) -> String {
        match self {
            NoText::Packed { unpacked_by, .. } => format!("unpack it first, with `{unpacked_by}`"),
            NoText::BrokenUtf16 => "see whether the file is damaged, or cut off".to_owned(),
        }
    }
}

/// Classifies a file by its first bytes.
fn look(head: &[u8]) -> Result<Option<Oddity>, NoText> {
    if let Some((_, by, unpacked_by)) = PACKERS.iter().find(|(first, ..)| head.starts_with(first)) {
        return Err(NoText::Packed { by, unpacked_by });
    }
    if head.starts_with(UTF8_MARK) {
        return Ok(Some(Oddity::Marked));
    }
    Ok(UTF16_MARKS.iter().any(|mark| head.starts_with(mark)).then_some(Oddity::Utf16))
}

/// Converts the bytes of a file to UTF-8, if its first bytes say how it is encoded.
pub fn decode(bytes: Vec<u8>) -> Result<(Vec<u8>, Option<Oddity>), NoText> {
    let oddity = look(&bytes)?;
    let text = match oddity {
        None => bytes,
        Some(Oddity::Marked) => bytes[UTF8_MARK.len()..].to_vec(),
        Some(Oddity::Utf16) => from_utf16(&bytes)?.into_bytes(),
    };
    Ok((text, oddity))
}

fn from_utf16(bytes: &[u8]) -> Result<String, NoText> {
    let (mark, text) = bytes.split_at(2);
    let is_little = mark == UTF16_MARKS[0];
    let units = text.chunks(2).map(|pair| match *pair {
        [first, second] if is_little => u16::from_le_bytes([first, second]),
        [first, second] => u16::from_be_bytes([first, second]),
        // A half of a surrogate pair, which is never valid by itself.
        _ => 0xd800,
    });
    char::decode_utf16(units).collect::<Result<String, _>>().map_err(|_| NoText::BrokenUtf16)
}

/// A file that is read line by line as UTF-8, decoded as its first bytes say.
pub(crate) struct DecodedInput<'i> {
    pub reader: Box<dyn BufRead + 'i>,
    pub oddity: Option<Oddity>,
}

pub(crate) fn open_decoded<'i>(
    mut reader: Box<dyn BufRead + 'i>,
) -> io::Result<Result<DecodedInput<'i>, NoText>> {
    let oddity = match look(reader.fill_buf()?) {
        Ok(oddity) => oddity,
        Err(no_text) => return Ok(Err(no_text)),
    };
    match oddity {
        None => {}
        Some(Oddity::Marked) => reader.consume(UTF8_MARK.len()),
        Some(Oddity::Utf16) => {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes)?;
            match from_utf16(&bytes) {
                Ok(text) => reader = Box::new(Cursor::new(text.into_bytes())),
                Err(no_text) => return Ok(Err(no_text)),
            }
        }
    }
    Ok(Ok(DecodedInput { reader, oddity }))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{NoText, Oddity, decode, open_decoded};

    fn read(bytes: &[u8]) -> Result<(String, Option<Oddity>), NoText> {
        let whole = decode(bytes.to_vec());
        let opened = open_decoded(Box::new(bytes)).expect("memory can be read").map(|mut opened| {
            let mut text = Vec::new();
            opened.reader.read_to_end(&mut text).expect("memory can be read");
            (text, opened.oddity)
        });
        assert_eq!(whole, opened, "a file is the same at once and line by line");
        whole.map(|(text, oddity)| (String::from_utf8(text).expect("it is UTF-8"), oddity))
    }

    #[test]
    fn a_mark_says_how_a_file_is_written() {
        assert_eq!(read(b"{}\n"), Ok(("{}\n".to_owned(), None)));
        assert_eq!(read(b"\xef\xbb\xbf{}"), Ok(("{}".to_owned(), Some(Oddity::Marked))));
        let utf16 = |units: &[u8]| read(units).map(|(text, oddity)| (text, oddity == Some(Oddity::Utf16)));
        assert_eq!(utf16(b"\xff\xfe{\0}\0"), Ok(("{}".to_owned(), true)));
        assert_eq!(utf16(b"\xfe\xff\0{\0}"), Ok(("{}".to_owned(), true)));
        assert_eq!(utf16(b"\xff\xfe{"), Err(NoText::BrokenUtf16));
        assert_eq!(read(b""), Ok((String::new(), None)));
    }

    #[test]
    fn packed_files_are_named() {
        let by = |bytes: &[u8]| match read(bytes) {
            Err(NoText::Packed { by, .. }) => by,
            Err(NoText::BrokenUtf16) | Ok(_) => "nothing",
        };
        assert_eq!(
            [by(b"\x1f\x8b\x08"), by(b"\x28\xb5\x2f\xfd"), by(b"PK\x03\x04")],
            ["gzip", "zstd", "zip"]
        );
    }
}
