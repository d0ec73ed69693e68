//! Characters that others wrote, made safe to print: a terminal must not obey them.

/// What is printed in place of `c`; itself if it is harmless. Always one column for what is replaced.
pub fn visible(c: char) -> char {
    match c {
        // The control pictures stand in the order of the characters that they show.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '␡',
        _ if c.is_control() || redirects_writing(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// Line and paragraph separators, and the marks that reverse or isolate text: what is seen would not be
/// what is there.
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
