//! Makes foreign characters safe to print: a terminal must not obey them.

/// Returns the character to print in place of `c`: itself if it is harmless. A replacement is always one column wide.
pub fn visible(c: char) -> char {
    match c {
        // The control pictures have the order of the characters that they show.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '␡',
        _ if c.is_control() || redirects_writing(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// Whether a character is a line or paragraph separator, or a mark that reverses or isolates text: a reader would see
/// something else than what is there.
fn redirects_writing(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn no_control_character_survives() {
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            assert!(!visible(c).is_control(), "{c:?}");
        }
        assert_eq!("a\x1b\u{202e}é".chars().map(visible).collect::<String>(), "a␛\u{fffd}é");
    }
}
