//! Looking ahead, and the tokens that must or may follow.

use diag::Code;

use super::Parser;
use crate::expr::TokenKind;
use crate::lex::{Lexeme, Lexer};
use crate::problem::Problem;
use crate::source::Spot;

/// Words and braces before which a semicolon may be missing.
const NO_SEMICOLON_BEFORE: &[&str] = &[
    "end",
    "begin",
    "else",
    "elsif",
    "or",
    "do",
    "macro",
    "procedure",
    "process",
    "fair",
    "define",
    "}",
    "{",
];

/// Words that begin a statement, before which a semicolon may not be missing.
const STATEMENTS: &[&str] =
    &["if", "either", "while", "with", "call", "return", "goto", "print", "assert", "skip", "when", "await"];

impl Parser<'_> {
    /// The next token; it is an error if there is none.
    pub(super) fn peek(&self) -> Result<Lexeme, Problem> {
        let mut ahead = Lexer { ..self.lexer_here() };
        ahead.next_lexeme()?.ok_or_else(|| self.premature_end())
    }

    fn lexer_here(&self) -> Lexer<'_> {
        Lexer { text: self.lexer.text, at: self.lexer.at }
    }

    fn premature_end(&self) -> Problem {
        if let Some(at) = self.unclosed {
            return Problem::new(Code::PcalSyntax, at, "the comment is not closed").wide(2).help("add `*)`");
        }
        let headline = "the comment ends before the algorithm does";
        let at = Spot { column: self.end.column.saturating_sub(1), ..self.end };
        Problem::new(Code::PcalSyntax, at, headline)
            .label("the last token")
            .help("look for an `end` or `}` that is missing, or a comment that ends too early")
    }

    /// Takes the next token.
    pub(super) fn advance(&mut self) -> Result<Lexeme, Problem> {
        let token = self.lexer.next_lexeme()?.ok_or_else(|| self.premature_end())?;
        self.end = token.end;
        Ok(token)
    }

    /// Whether the next token is the word or symbol `text`.
    pub(super) fn next_is(&self, text: &str) -> Result<bool, Problem> {
        Ok(self.peek()?.is(text))
    }

    pub(super) fn next_is_one_of(&self, texts: &[&str]) -> Result<bool, Problem> {
        let token = self.peek()?;
        Ok(texts.iter().any(|text| token.is(text)))
    }

    /// The character behind the next `n` tokens and the space after them.
    pub(super) fn char_behind(&self, n: usize) -> Result<Option<char>, Problem> {
        let mut ahead = self.lexer_here();
        for _ in 0..n {
            ahead.next_lexeme()?;
        }
        Ok(ahead.text.char_at(ahead.text.skip_spaces(ahead.at)))
    }

    /// Whether a label is next: a name and a colon that is not that of `:=`.
    pub(super) fn is_label_next(&self) -> Result<bool, Problem> {
        const NO_LABELS: &[&str] = &["else", "elsif", "or", "end"];
        if self.next_is_one_of(NO_LABELS)? || self.next_is_one_of(STATEMENTS)? {
            return Ok(false);
        }
        let mut ahead = self.lexer_here();
        ahead.next_lexeme()?;
        let colon = ahead.text.skip_spaces(ahead.at);
        Ok(ahead.text.starts_with(colon, ":") && !ahead.text.starts_with(colon, ":="))
    }

    /// Takes the word or symbol `text`.
    pub(super) fn expect(&mut self, text: &str) -> Result<(), Problem> {
        match self.next_is(text)? {
            true => self.advance().map(|_| ()),
            false => Err(self.unexpected(&format!("`{text}`"))?),
        }
    }

    /// The problem that something else stands where `expected` should.
    pub(super) fn unexpected(&self, expected: &str) -> Result<Problem, Problem> {
        let token = self.peek()?;
        let headline = format!("expected {expected}, found `{}`", token.text);
        Ok(Problem::new(Code::PcalSyntax, token.at, headline).wide(token.end.column - token.at.column))
    }

    /// Takes a name.
    pub(super) fn identifier(&mut self, what: &str) -> Result<Lexeme, Problem> {
        match self.peek()?.kind {
            TokenKind::Identifier => self.advance(),
            TokenKind::BuiltIn | TokenKind::Number | TokenKind::String | TokenKind::Added => {
                Err(self.unexpected(what)?)
            }
        }
    }

    /// Takes a semicolon, which may be missing before the end of a block.
    pub(super) fn semicolon(&mut self) -> Result<(), Problem> {
        let next = self.peek()?;
        if NO_SEMICOLON_BEFORE.iter().any(|word| next.is(word)) {
            return Ok(());
        }
        if STATEMENTS.iter().any(|word| next.is(word)) {
            let at = self.end;
            return Err(Problem::new(Code::PcalSyntax, at, "a `;` is missing")
                .related(next.at, next.text.len(), "before this statement")
                .help("add `;`"));
        }
        match self.next_is(":=")? {
            true => Err(self
                .unexpected("`;`")?
                .help("is there a `;` missing at the end of the statement before?")),
            false => self.expect(";"),
        }
    }

    pub(super) fn optional_semicolon(&mut self) -> Result<(), Problem> {
        if self.next_is(";")? {
            self.advance()?;
        }
        Ok(())
    }

    pub(super) fn comma_or_semicolon(&mut self) -> Result<(), Problem> {
        match self.next_is(",")? {
            true => self.expect(","),
            false => self.semicolon(),
        }
    }

    /// Where the last token began, which was `word`.
    pub(super) fn last_start(&self, word: &str) -> Spot {
        Spot { column: self.end.column - word.len(), ..self.end }
    }
}
