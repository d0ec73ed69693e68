//! Splits configuration text into tokens. They are those of TLA+, so that everything TLC would read is recognised, if
//! only to say that it cannot stand there.
//!
//! TLC: a lexical error ends the file silently, and the text after it is not checked (contract 1.1). Here it is an
//! error. The token it leaves behind is [`TokenKind::Bad`], which no further message mentions.

use std::ops::Range;
use std::sync::LazyLock;

use diag::{Code, Diagnostic, SourceId, Span};

use super::{Keyword, MAX_ERRORS};
use crate::op::OpSym;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    Keyword(Keyword),
    /// A word: letters, digits and `_`, at least one of them a letter.
    Word,
    /// A number of decimal digits.
    Number,
    /// A string, with its quotes, and with escapes as written.
    String,
    /// An operator, or else punctuation or a numeral that is not decimal.
    Symbol(Option<OpSym>),
    /// A token that has been reported already.
    Bad,
    /// The end after the last token, once.
    End,
}

/// A token. Offsets count from the start of the whole text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

pub(super) struct Lexed {
    /// Invariant: the last one, and no other, is `End`.
    pub tokens: Vec<Token>,
    pub errors: Vec<Diagnostic>,
}

/// Marks that are not operators. Those of the operators come from [`OpSym`].
const PUNCTUATION: &[&str] = &[
    ",", ":", "::", "∷", ".", "==", "≜", "(", ")", "[", "]", "{", "}", "<<", "⟨", ">>", "⟩", "!", "->", "→",
    "<-", "←", "|->", "↦", "@", "\\A", "\\E", "\\AA", "\\EE", "∀", "∃",
];

/// A spelling and the operator that it is, if it is one.
type Symbol = (&'static str, Option<OpSym>);

/// Every symbol by its first byte, longest first.
static SYMBOLS: LazyLock<Vec<Vec<Symbol>>> = LazyLock::new(|| {
    let spelled = |op: OpSym| op.spellings().iter().map(move |spelling| (*spelling, Some(op)));
    let operators = OpSym::ALL.iter().copied().flat_map(spelled);
    let mut by_first = vec![Vec::new(); 256];
    for symbol in operators.chain(PUNCTUATION.iter().map(|spelling| (*spelling, None))) {
        let first = symbol.0.as_bytes()[0];
        if !is_word_byte(first) {
            by_first[usize::from(first)].push(symbol);
        }
    }
    for symbols in &mut by_first {
        symbols.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
    }
    by_first
});

pub(super) fn lex(source: SourceId, text: &str, range: Range<usize>) -> Lexed {
    let text = &text[..range.end];
    let mut lexer = Lexer { source, text, at: range.start, tokens: Vec::new(), errors: Vec::new() };
    if lexer.rest().starts_with('\u{feff}') {
        lexer.at += '\u{feff}'.len_utf8();
    }
    while lexer.at < text.len() && lexer.errors.len() < MAX_ERRORS {
        lexer.step();
    }
    lexer.push(TokenKind::End, lexer.at);
    Lexed { tokens: lexer.tokens, errors: lexer.errors }
}

struct Lexer<'t> {
    source: SourceId,
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    errors: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Reads one token, one comment or some white space. It always moves on.
    fn step(&mut self) {
        let rest = self.rest();
        match rest.as_bytes()[0] {
            b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
            b'"' => self.string(),
            b'(' if rest.starts_with("(*") => self.block_comment(),
            b'\\' if rest.starts_with("\\*") => self.line_comment(),
            byte if is_word_byte(byte) => self.word(),
            _ => self.symbol(),
        }
    }

    /// Adds the token that ends at the current position.
    fn push(&mut self, kind: TokenKind, start: usize) {
        let Span { start, end, .. } = Span::new(self.source, start..self.at);
        self.tokens.push(Token { kind, start, end });
    }

    fn error(&mut self, range: Range<usize>, headline: impl Into<String>, help: impl Into<String>) {
        let span = Span::new(self.source, range);
        self.errors.push(Diagnostic::new(Code::ConfigSyntax, span, headline).help(help));
    }

    fn word(&mut self) {
        let start = self.at;
        self.at += self.rest().bytes().take_while(|&byte| is_word_byte(byte)).count();
        let word = &self.text[start..self.at];
        let kind = if word.bytes().all(|byte| byte.is_ascii_digit()) {
            TokenKind::Number
        } else if !word.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            TokenKind::Symbol(None)
        } else {
            Keyword::parse(word).map_or(TokenKind::Word, TokenKind::Keyword)
        };
        self.push(kind, start);
    }

    fn line_comment(&mut self) {
        self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0_usize;
        while self.at < self.text.len() {
            let rest = self.rest();
            if rest.starts_with("(*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*)") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.at += next_mark(&rest.as_bytes()[1..]) + 1;
            }
        }
        self.error(start..start + 2, "this comment is not closed", "close it with `*)`");
    }

    fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            let bytes = self.rest().as_bytes();
            match bytes.first() {
                Some(b'"') => break self.at += 1,
                Some(b'\\') if matches!(bytes.get(1), Some(b'n' | b't' | b'r' | b'f' | b'\\' | b'"')) => {
                    self.at += 2;
                }
                Some(b'\\') => {
                    let help = "in strings `\\` stands before `\"`, `\\`, `t`, `n`, `f` or `r`";
                    self.error(self.at..self.at + 1, "this `\\` starts no known escape", help);
                    self.at += 1;
                }
                None | Some(b'\n' | b'\r') => {
                    self.error(start..self.at, "this string is not closed", "close it with `\"`");
                    return self.push(TokenKind::Bad, start);
                }
                Some(_) => self.at += self.rest().chars().next().map_or(1, char::len_utf8),
            }
        }
        self.push(TokenKind::String, start);
    }

    fn symbol(&mut self) {
        let start = self.at;
        match symbol(self.rest()) {
            Some((len, op)) => {
                self.at += len;
                self.push(TokenKind::Symbol(op), start);
            }
            None => self.stray(),
        }
    }

    /// Reports characters that TLA+ does not have. Neighbours make one message.
    fn stray(&mut self) {
        let start = self.at;
        let first = self.rest().chars().next().unwrap_or('\u{fffd}');
        while self.rest().chars().next().is_some_and(|next| is_stray(next, self.rest())) {
            self.at += self.rest().chars().next().map_or(1, char::len_utf8);
        }
        let shown = if first.is_control() || first.is_whitespace() || first == '`' {
            format!("U+{:04X}", u32::from(first))
        } else {
            format!("`{first}`")
        };
        let help = if first == ';' {
            "leave it out: a statement ends where the next keyword stands"
        } else {
            "names are made of `A` to `Z`, `a` to `z`, digits and `_`; a comment starts with `\\*`"
        };
        self.error(start..self.at, format!("the character {shown} cannot stand in a configuration"), help);
        let start = if first.is_alphabetic() { self.widen_to_word(start) } else { start };
        self.push(TokenKind::Bad, start);
    }

    /// Widens the range to the whole word: a foreign letter spoils the word around it, whose parts are not names.
    /// Returns the start of the word.
    fn widen_to_word(&mut self, start: usize) -> usize {
        self.at += self.rest().bytes().take_while(|&byte| is_word_byte(byte)).count();
        let before = self.tokens.pop_if(|token| token.end as usize == start && token.kind == TokenKind::Word);
        before.map_or(start, |token| token.start as usize)
    }
}

/// Whether `next`, the first character of `rest`, starts no token and is not white space.
fn is_stray(next: char, rest: &str) -> bool {
    let is_space = matches!(next, ' ' | '\t' | '\n' | '\r');
    let in_word = u8::try_from(next).is_ok_and(is_word_byte);
    !is_space && !in_word && next != '"' && symbol(rest).is_none()
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the number of bytes before the next `(` or `*`. Both are ASCII, so that the position is a character
/// boundary.
fn next_mark(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == b'(' || byte == b'*').unwrap_or(bytes.len())
}

/// Returns the length of the longest symbol that `rest` starts with, and its operator if it is one.
fn symbol(rest: &str) -> Option<(usize, Option<OpSym>)> {
    let first = *rest.as_bytes().first()?;
    if matches!(first, b'-' | b'=') {
        let run = rest.bytes().take_while(|&byte| byte == first).count();
        if run >= 4 {
            return Some((run, None));
        }
    }
    if let Some(len) = based_numeral_len(rest) {
        return Some((len, None));
    }
    let symbols = &SYMBOLS[usize::from(first)];
    let longest = symbols.iter().find(|(spelling, _)| rest.starts_with(*spelling));
    longest.map(|(spelling, op)| (spelling.len(), *op))
}

/// Returns the length of a numeral such as `\b101`, `\o17`, `\hFF`.
pub(super) fn based_numeral_len(rest: &str) -> Option<usize> {
    let radix = match rest.as_bytes() {
        [b'\\', b'b' | b'B', ..] => 2,
        [b'\\', b'o' | b'O', ..] => 8,
        [b'\\', b'h' | b'H', ..] => 16,
        _ => return None,
    };
    let n_digits = rest[2..].chars().take_while(|digit| digit.is_digit(radix)).count();
    (n_digits > 0).then_some(2 + n_digits)
}
