//! Jute, the serialisation of ZooKeeper: values one after the other, without tags.

use crate::buffer::{Cursor, Ends};

/// The longest text or buffer. ZooKeeper's own limit for a packet is 1 MB (`jute.maxbuffer`).
const BYTES_MAX: usize = 64 << 20;
/// The most elements of a vector.
const ELEMENTS_MAX: usize = 1 << 20;

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Not {
    /// The bytes end within it.
    Yet,
    AtAll(&'static str),
}

impl From<Ends> for Not {
    fn from(_: Ends) -> Not {
        Not::Yet
    }
}

/// Reads a length; -1 stands for nothing at all.
fn length(cursor: &mut Cursor<'_>, max: usize) -> Result<Option<usize>, Not> {
    match cursor.i32()? {
        -1 => Ok(None),
        n => match usize::try_from(n) {
            Ok(n) if n <= max => Ok(Some(n)),
            Ok(_) => Err(Not::AtAll("a length is too large")),
            Err(_) => Err(Not::AtAll("a length is negative")),
        },
    }
}

pub fn buffer<'a>(cursor: &mut Cursor<'a>) -> Result<Option<&'a [u8]>, Not> {
    match length(cursor, BYTES_MAX)? {
        None => Ok(None),
        Some(n) => Ok(Some(cursor.bytes(n)?)),
    }
}

pub fn text(cursor: &mut Cursor<'_>) -> Result<Option<String>, Not> {
    let bytes = buffer(cursor)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
}

pub fn boolean(cursor: &mut Cursor<'_>) -> Result<bool, Not> {
    match cursor.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Not::AtAll("a truth value is neither")),
    }
}

pub fn vector<'a, T>(
    cursor: &mut Cursor<'a>,
    mut element: impl FnMut(&mut Cursor<'a>) -> Result<T, Not>,
) -> Result<Vec<T>, Not> {
    let n = length(cursor, ELEMENTS_MAX)?.unwrap_or(0);
    (0..n).map(|_| element(cursor)).collect()
}
