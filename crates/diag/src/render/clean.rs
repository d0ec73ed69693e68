//! Makes foreign text safe to print: no control characters, no reversed writing, no flood.
//!
//! A spec, a file name or a message that quotes them may hold escape sequences; a terminal must not obey them.

/// Marks the place of something that the text renderer fills in afterwards. Cleaned text never holds it.
pub(super) const PLACEHOLDER: char = '\u{E000}';

/// The mark where text was cut.
pub(super) const ELLIPSIS: char = '…';

/// Length beyond which a headline, label or note is cut in the middle: an identifier may be a megabyte long.
const MESSAGE_CHARS_MAX: usize = 600;
/// Length of the end of a cut message that stays.
const MESSAGE_CHARS_TAIL: usize = 150;

/// Returns the character to print in place of `c`: itself if it is harmless. A replacement is always one column wide.
pub(super) fn visible(c: char) -> char {
    if c == PLACEHOLDER { char::REPLACEMENT_CHARACTER } else { base::visible(c) }
}

/// Makes `text` fit for a line of a terminal: a headline, a label, a file's name.
pub fn line(text: &str) -> String {
    shorten(text).chars().map(visible).collect()
}

/// Makes a text fit for a terminal, all of it and with its lines: the output of a specification, which programs read.
pub fn whole(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { visible(c) }).collect()
}

/// Makes a text of several lines fit for a terminal: a note, a help.
pub(super) fn paragraph(text: &str) -> String {
    shorten(text).chars().map(|c| if c == '\n' { c } else { visible(c) }).collect()
}

/// Cuts the middle out of a text that would flood the terminal.
fn shorten(text: &str) -> String {
    if text.chars().nth(MESSAGE_CHARS_MAX).is_none() {
        return text.to_owned();
    }
    let head = text.chars().take(MESSAGE_CHARS_MAX - MESSAGE_CHARS_TAIL);
    let tail_at = text.char_indices().rev().nth(MESSAGE_CHARS_TAIL - 1).map_or(0, |(at, _)| at);
    head.chain([ELLIPSIS]).chain(text[tail_at..].chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{MESSAGE_CHARS_MAX, line, paragraph, visible, whole};

    #[test]
    fn escape_sequences_become_pictures() {
        assert_eq!(line("a\x1b[31mb\x07\r\n\tc\u{9b}\u{202e}"), "a␛[31mb␇␍␊␉c��");
    }

    #[test]
    fn paragraphs_keep_their_lines() {
        assert_eq!(paragraph("one\ntwo\x1b"), "one\ntwo␛");
    }

    #[test]
    fn a_whole_text_keeps_its_lines_and_its_length() {
        let long = "x".repeat(MESSAGE_CHARS_MAX + 1);
        assert_eq!(whole(&format!("{long}\n\x1b{long}")), format!("{long}\n␛{long}"));
    }

    #[test]
    fn no_control_character_survives() {
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            assert!(!visible(c).is_control(), "{c:?}");
        }
    }

    #[test]
    fn long_messages_lose_their_middle() {
        let long = format!("unknown name `{}`", "é".repeat(100_000));
        let short = line(&long);
        assert_eq!(short.chars().count(), MESSAGE_CHARS_MAX + 1);
        assert!(short.starts_with("unknown name `é") && short.contains('…') && short.ends_with("é`"));
    }
}
