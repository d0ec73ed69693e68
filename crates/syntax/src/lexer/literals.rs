//! Reads literals and other tokens with inner structure: strings, numerals with a base, proof step names. Also words
//! the messages about characters that are not tokens.

use diag::{Code, Diagnostic, Span};

use super::{Lexer, count};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// Reads `"..."`, which ends with its line at the latest. Escapes are checked here and resolved by the parser.
    pub(super) fn string(&mut self) {
        let (start, column) = (self.at, self.column);
        self.skip(1);
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.skip(1);
                    break;
                }
                Some(b'\\') => self.escape(),
                None | Some(b'\n' | b'\r') => {
                    self.unterminated_string(start);
                    break;
                }
                Some(_) => self.skip_char(),
            }
        }
        self.push(TokenKind::String, start, column);
    }

    fn escape(&mut self) {
        let start = self.at;
        self.skip(1);
        match self.byte() {
            // `\*` starts a comment elsewhere; in a string it is these two characters.
            Some(b'n' | b't' | b'r' | b'f' | b'\\' | b'"' | b'*') => self.skip(1),
            None | Some(b'\n' | b'\r') => {}
            Some(_) => {
                self.skip_char();
                let span = self.span(start, self.at);
                let escaped = self.text[start..self.at].chars().nth(1).unwrap_or_default();
                let headline = match escaped.is_control() {
                    true => format!("a backslash before U+{:04X} is not an escape", u32::from(escaped)),
                    false => format!("`\\{escaped}` is not an escape sequence"),
                };
                let diagnostic =
                    Diagnostic::new(Code::BadEscape, span, headline).label("unknown escape").help(
                        r#"strings know `\"`, `\\`, `\n`, `\t`, `\r` and `\f`; write `\\` for a backslash"#,
                    );
                self.report(diagnostic);
            }
        }
    }

    fn unterminated_string(&mut self, start: usize) {
        let span = self.span(start, self.at);
        let diagnostic = Diagnostic::new(Code::UnterminatedString, span, "this string is never closed")
            .label("a string ends on the line where it starts")
            .help("add the closing `\"`");
        self.report(diagnostic);
    }
}

/// Returns the length of a numeral such as `\b101`, `\o17`, `\hFF`, or 0 if there is none. `\o` alone is an operator.
pub(super) fn based_number(text: &str) -> usize {
    let is_digit: fn(u8) -> bool = match text.as_bytes() {
        [b'\\', b'b' | b'B', ..] => |byte| matches!(byte, b'0' | b'1'),
        [b'\\', b'o' | b'O', ..] => |byte| matches!(byte, b'0'..=b'7'),
        [b'\\', b'h' | b'H', ..] => |byte| byte.is_ascii_hexdigit(),
        _ => return 0,
    };
    match count(&text[2..], is_digit) {
        0 => 0,
        n_digits => 2 + n_digits,
    }
}

/// Returns the length of `<1>`, `<1>a`, `<*>a..`, `<1>*`, `<+>-`, or 0 if there is none.
pub(super) fn step(text: &str) -> usize {
    let n_level = match text.as_bytes() {
        [b'<', b'*' | b'+', ..] => 1,
        _ => count(&text[1..], |byte| byte.is_ascii_digit()),
    };
    let n_head = 1 + n_level + 1;
    if n_level == 0 || text.as_bytes().get(n_head - 1) != Some(&b'>') {
        return 0;
    }
    let rest = &text[n_head..];
    let n_label = match rest.as_bytes().first() {
        Some(b'*' | b'-') => 1,
        _ => count(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_'),
    };
    n_head + n_label + count(&rest[n_label..], |byte| byte == b'.')
}

/// Makes the message about characters that start no token.
pub(super) fn stray_message(text: &str, span: Span) -> Diagnostic {
    let n_chars = text.chars().count();
    let first = text.chars().next().unwrap_or_default();
    let shown = match first {
        _ if first.is_control() || first.is_whitespace() => format!("U+{:04X}", u32::from(first)),
        '`' => "the backquote".to_owned(),
        _ => format!("`{first}`"),
    };
    let headline = match n_chars {
        1 => format!("{shown} has no meaning in TLA+"),
        2 => format!("{shown} and 1 more character have no meaning in TLA+"),
        _ => format!("{shown} and {} more characters have no meaning in TLA+", n_chars - 1),
    };
    let diagnostic = Diagnostic::new(Code::StrayCharacter, span, headline).label("not part of the language");
    match stray_help(first) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

fn stray_help(stray: char) -> Option<&'static str> {
    match stray {
        ';' => Some("definitions need no separator; remove the `;`"),
        '?' => Some("for a choice between values, write `IF p THEN a ELSE b`"),
        '`' | '\u{2018}' => Some("TLA+ has no quoted names; remove the quotation mark"),
        '\u{2019}' => Some("for prime, write the ASCII apostrophe `'`"),
        '\u{201C}' | '\u{201D}' => Some("strings stand between ASCII quotation marks, `\"`"),
        '\u{A0}' => Some("this is a no-break space; replace it with a space"),
        '\u{2013}' | '\u{2014}' | '\u{2212}' => Some("for minus, write the ASCII `-`"),
        _ => None,
    }
}
