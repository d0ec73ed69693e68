//! Decodes the bytes of modules and configurations.
//!
//! TLC: bytes that are not UTF-8 become U+FFFD, wherever they are. Old specifications have names of authors in other
//! encodings in their comments, where that changes nothing. Anywhere else a guess could change a value, so it is refused.

use base::Id;
use diag::SourceId;

use crate::{cfg, lexer};

/// Size of the largest file in which bad bytes are accepted: each may become three, and offsets are 32-bit.
const LENIENT_BYTES_MAX: usize = 1 << 30;

/// A file whose bytes are not UTF-8 where that matters.
#[derive(Debug)]
pub struct NotUtf8 {
    /// The text before the first byte that is not UTF-8.
    pub good: String,
}

/// Returns the text of a module. Bytes in comments and outside of modules that are not UTF-8 become U+FFFD; with such
/// bytes elsewhere there is no text.
pub fn module_text(bytes: Vec<u8>) -> Result<String, NotUtf8> {
    decode(bytes, |text| {
        let tokens = lexer::lex(SourceId::from_index(0), text, lexer::Mode::File).tokens;
        tokens.iter().map(|token| (token.start, token.end)).collect()
    })
}

/// Returns the text of a configuration. Bytes in comments that are not UTF-8 become U+FFFD; with such bytes elsewhere
/// there is no text.
pub fn config_text(bytes: Vec<u8>) -> Result<String, NotUtf8> {
    decode(bytes, |text| cfg::places_of_tokens(SourceId::from_index(0), text))
}

/// A bad byte is in a comment if the tokens are the same with a blank and with letters in its place, and none of them is
/// around it. A file without any token is no text at all: the last token is always the end.
fn decode(bytes: Vec<u8>, places: impl Fn(&str) -> Vec<(u32, u32)>) -> Result<String, NotUtf8> {
    let (bytes, n_good) = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => {
            let n_good = error.utf8_error().valid_up_to();
            (error.into_bytes(), n_good)
        }
    };
    let refused = || Err(NotUtf8 { good: String::from_utf8_lossy(&bytes[..n_good]).into_owned() });
    if bytes.len() > LENIENT_BYTES_MAX {
        return refused();
    }
    let with = |instead: &str| {
        bytes.utf8_chunks().fold(String::with_capacity(bytes.len()), |mut text, chunk| {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                text.push_str(instead);
            }
            text
        })
    };
    let mut bad = Vec::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            bad.push(at);
            at += char::REPLACEMENT_CHARACTER.len_utf8();
        }
    }
    let blanks = places(&with("   "));
    let letters = places(&with("xxx"));
    let is_inside = |at: usize| {
        let next = blanks.partition_point(|&(_, end)| end as usize <= at);
        blanks.get(next).is_some_and(|&(start, _)| start as usize <= at)
    };
    let is_empty = blanks.len() <= 1;
    if is_empty || blanks != letters || bad.iter().copied().any(is_inside) {
        return refused();
    }
    Ok(with("\u{fffd}"))
}
