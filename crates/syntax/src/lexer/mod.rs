//! Splits text into tokens, in one pass, with columns counted on the way.
//!
//! Outside modules everything is prose until `---- MODULE`. Comments are skipped. Afterwards `definitions` marks the
//! starts of definitions. The lexer does not know the grammar.

mod definitions;
mod literals;
mod symbols;

use diag::{Code, Diagnostic, SourceId, Span};

use crate::token::{Flags, Keyword, Token, TokenKind};

pub(crate) use definitions::mark_definitions;
pub(crate) use symbols::backslash_words;

/// The next multiple of this many columns is where a tab leads.
const TAB_COLUMNS: u32 = 8;

/// Number of errors after which the rest of a text is skipped: it is hardly TLA+.
pub(crate) const N_ERRORS_MAX: usize = 100;

/// The kind of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// A file with modules in prose.
    File,
    /// One expression without a module around it.
    Expression,
}

/// Tokens, the last one `Eof`, with the errors in the characters.
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
}

pub(crate) fn lex(source: SourceId, text: &str, mode: Mode) -> Lexed {
    let mut lexer = Lexer::new(source, text);
    if mode == Mode::Expression {
        lexer.module_text();
    }
    while mode == Mode::File && lexer.find_module() {
        lexer.module_text();
    }
    lexer.finish()
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a str,
    /// The byte to read next.
    at: usize,
    /// The column of that byte, counted from 1. A line of tabs can have more columns than a text has bytes; the number
    /// stops at its maximum.
    column: u32,
    /// Whether a token was made on this line.
    line_has_token: bool,
    /// Number of open modules.
    n_open_modules: u32,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn new(source: SourceId, text: &'a str) -> Self {
        Lexer {
            source,
            text,
            at: 0,
            column: 1,
            line_has_token: false,
            n_open_modules: 0,
            tokens: Vec::with_capacity(text.len() / 5),
            diagnostics: Vec::new(),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start..end)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < N_ERRORS_MAX {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Skips `n_bytes` bytes that hold no line end and no tab.
    fn skip(&mut self, n_bytes: usize) {
        let passed = &self.text.as_bytes()[self.at..self.at + n_bytes];
        // Continuation bytes are not characters of their own.
        let n_chars = passed.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.column = self.column.saturating_add(n_chars as u32);
        self.at += n_bytes;
    }

    /// Skips the character at `self.at`, whatever it is.
    fn skip_char(&mut self) {
        let Some(byte) = self.byte() else { return };
        self.at += 1;
        match byte {
            b'\n' => self.new_line(),
            b'\r' => {
                if self.byte() == Some(b'\n') {
                    self.at += 1;
                }
                self.new_line();
            }
            b'\t' => {
                let stop = (self.column - 1) / TAB_COLUMNS * TAB_COLUMNS;
                self.column = stop.saturating_add(TAB_COLUMNS + 1);
            }
            _ => {
                while self.byte().is_some_and(|byte| byte & 0xC0 == 0x80) {
                    self.at += 1;
                }
                self.column = self.column.saturating_add(1);
            }
        }
    }

    fn new_line(&mut self) {
        self.column = 1;
        self.line_has_token = false;
    }

    /// Makes a token of the next `n_bytes` bytes.
    fn token(&mut self, kind: TokenKind, n_bytes: usize) {
        let (start, column) = (self.at, self.column);
        self.skip(n_bytes);
        self.push(kind, start, column);
    }

    /// Makes a token of the text between `start` and here.
    fn push(&mut self, kind: TokenKind, start: usize, column: u32) {
        let span = self.span(start, self.at);
        let mut flags = Flags::default();
        if !self.line_has_token {
            flags.insert(Flags::LINE_START);
        }
        if matches!(&self.text[start..self.at], "/\\" | "\\/" | "∧" | "∨") {
            flags.insert(Flags::BULLET);
        }
        self.line_has_token = true;
        self.tokens.push(Token { kind, flags, start: span.start, end: span.end, column });
    }

    /// Skips prose up to `---- MODULE`, which becomes a token. Returns false at the end of the text.
    ///
    /// After the first module the prose may mention modules. There only a whole header starts one, at the start of a
    /// line, as in TLC.
    fn find_module(&mut self) -> bool {
        while let Some(byte) = self.byte() {
            if byte == b'-' {
                let is_first = self.tokens.is_empty();
                match module_start(self.rest()) {
                    Some(n_bytes) if is_first || self.starts_line() && is_header(&self.rest()[n_bytes..]) => {
                        self.open_module(n_bytes);
                        return true;
                    }
                    Some(_) | None => {}
                }
                // All of the dashes are taken, or a long line of them would be read again and again.
                let n_dashes = count(self.rest(), |byte| byte == b'-');
                self.skip(n_dashes);
            } else {
                self.skip_char();
            }
        }
        false
    }

    /// Whether nothing is before this on its line.
    fn starts_line(&self) -> bool {
        self.text[..self.at].ends_with(['\n', '\r'])
    }

    fn open_module(&mut self, n_bytes: usize) {
        self.n_open_modules += 1;
        self.token(TokenKind::ModuleStart, n_bytes);
    }

    /// Reads tokens up to the end of the open module, or of the text.
    fn module_text(&mut self) {
        while let Some(byte) = self.byte() {
            self.next_token(byte);
            let ended = matches!(self.tokens.last(), Some(token) if token.kind == TokenKind::ModuleEnd);
            if ended && self.n_open_modules == 0 {
                return;
            }
        }
    }

    fn next_token(&mut self, byte: u8) {
        match byte {
            b' ' => {
                self.at += 1;
                self.column = self.column.saturating_add(1);
            }
            b'\t' | b'\n' | b'\r' => self.skip_char(),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => self.word(),
            b'"' => self.string(),
            b'(' if self.rest().starts_with("(*") => self.block_comment(),
            b'\\' if self.rest().starts_with("\\*") => self.line_comment(),
            b'\\' if literals::based_number(self.rest()) > 0 => {
                self.token(TokenKind::Number, literals::based_number(self.rest()));
            }
            b'<' if literals::step(self.rest()) > 0 => {
                self.token(TokenKind::Step, literals::step(self.rest()));
            }
            b'-' if self.rest().starts_with("----") => match module_start(self.rest()) {
                Some(n_bytes) => self.open_module(n_bytes),
                None => self.token(TokenKind::Separator, count(self.rest(), |byte| byte == b'-')),
            },
            // `M!!!(a, b)` names the operator `!!` of `M`.
            b'!' if self.rest().starts_with("!!!") => self.token(TokenKind::Bang, 1),
            b'=' if self.rest().starts_with("====") => {
                self.n_open_modules = self.n_open_modules.saturating_sub(1);
                self.token(TokenKind::ModuleEnd, count(self.rest(), |byte| byte == b'='));
            }
            _ => match symbols::longest_symbol(self.rest()) {
                Some((spelling, kind)) => self.token(kind, spelling.len()),
                None => self.stray(),
            },
        }
    }

    /// Reads an identifier, a keyword, a number, or `_`.
    fn word(&mut self) {
        let rest = self.rest();
        if let Some(fairness @ ("WF_" | "SF_")) = rest.get(..3) {
            let keyword = Keyword::parse(fairness).expect("both are in the table");
            return self.token(TokenKind::Keyword(keyword), fairness.len());
        }
        let n_bytes = count(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = &rest[..n_bytes];
        if !word.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            return match count(word, |byte| byte.is_ascii_digit()) {
                0 => self.token(TokenKind::Underscore, 1),
                n_digits => self.token(TokenKind::Number, n_digits),
            };
        }
        let kind = match (Keyword::parse(word), symbols::word_operator(word)) {
            (Some(keyword), _) => TokenKind::Keyword(keyword),
            (None, Some(op)) => TokenKind::Op(op),
            (None, None) => TokenKind::Ident,
        };
        self.token(kind, n_bytes);
    }

    fn line_comment(&mut self) {
        while self.byte().is_some_and(|byte| byte != b'\n' && byte != b'\r') {
            self.skip_char();
        }
    }

    /// Reads `(* ... (* ... *) ... *)`.
    fn block_comment(&mut self) {
        let start = self.at;
        let mut n_open = 0_usize;
        while let Some(byte) = self.byte() {
            let next = self.text.as_bytes().get(self.at + 1).copied();
            match (byte, next) {
                (b'(', Some(b'*')) => {
                    n_open += 1;
                    self.skip(2);
                }
                (b'*', Some(b')')) => {
                    n_open -= 1;
                    self.skip(2);
                    if n_open == 0 {
                        return;
                    }
                }
                _ => self.skip_char(),
            }
        }
        let opening = self.span(start, start + 2);
        let diagnostic = Diagnostic::new(Code::UnterminatedComment, opening, "this comment is never closed")
            .label("the comment starts here")
            .help("add `*)` where the comment ends; comments nest, so each `(*` needs its own");
        self.report(diagnostic);
    }

    /// Reads characters that belong to no token, up to the next that may.
    fn stray(&mut self) {
        let (start, column) = (self.at, self.column);
        self.skip_char();
        while self.byte().is_some_and(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
            || self
                .rest()
                .chars()
                .next()
                .is_some_and(|next| !next.is_ascii() && symbols::longest_symbol(self.rest()).is_none())
        {
            self.skip_char();
        }
        let text = &self.text[start..self.at];
        let diagnostic = literals::stray_message(text, self.span(start, self.at));
        self.report(diagnostic);
        self.push(TokenKind::Error, start, column);
    }

    fn finish(mut self) -> Lexed {
        let end = self.span(self.text.len(), self.text.len()).end;
        // No junction list extends past the end, so its column is right of all others.
        let eof = Token { kind: TokenKind::Eof, flags: Flags::LINE_START, start: end, end, column: u32::MAX };
        self.tokens.push(eof);
        debug_assert!(self.tokens.is_sorted_by(|one, next| one.end <= next.start), "tokens follow the text");
        Lexed { tokens: self.tokens, diagnostics: self.diagnostics }
    }
}

/// Returns the number of bytes at the start of `text` that satisfy `wanted`.
fn count(text: &str, wanted: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|&byte| wanted(byte)).count()
}

/// Returns the length of `---- MODULE` at the start of `text`: four dashes or more, any number of spaces.
fn module_start(text: &str) -> Option<usize> {
    let n_dashes = count(text, |byte| byte == b'-');
    let n_spaces = count(&text[n_dashes..], |byte| byte == b' ');
    let word = "MODULE";
    let found = n_dashes >= 4 && text[n_dashes + n_spaces..].starts_with(word);
    found.then_some(n_dashes + n_spaces + word.len())
}

/// Whether `text`, which follows `---- MODULE`, continues like a header: a name and dashes.
fn is_header(text: &str) -> bool {
    let name = text.trim_start_matches(' ');
    let n_name = count(name, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    n_name > 0 && name[n_name..].trim_start_matches(' ').starts_with("----")
}
