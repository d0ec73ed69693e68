//! Where an expression ends: at a word or symbol of PlusCal, or at a comma or closing bracket that is not its own.

use diag::Code;

use super::Parser;
use crate::expr::{Expr, Token, TokenKind};
use crate::lex::Lexeme;
use crate::problem::Problem;

/// Words and symbols that end every expression.
const DELIMITERS: &[&str] = &[
    ";",
    "do",
    "then",
    ":=",
    "\u{2254}",
    "begin",
    "variable",
    "variables",
    "||",
    "\u{2016}",
    "end",
    "else",
    "elsif",
    "if",
    "either",
    "or",
    "while",
    "with",
    "call",
    "return",
    "goto",
    "print",
    "assert",
    "skip",
    "procedure",
    "define",
    "process",
    "fair",
];

const OPENING: &[&str] = &["(", "[", "{", "<<", "\u{27e8}"];
const CLOSING: &[&str] = &[")", "]", "}", ">>", "\u{27e9}", ">>_", "]_"];
const QUANTIFIERS: &[&str] = &["\\A", "\\E", "\u{2200}", "\u{2203}"];

/// Brackets and quantifiers that are open where an expression is being read.
#[derive(Default)]
struct Open {
    brackets: Vec<Lexeme>,
    /// A quantifier outside all brackets whose colon has not come.
    quantifier: Option<Lexeme>,
    /// The token before, for names of fields that look like words of PlusCal.
    before: String,
}

impl Open {
    fn is_end(&self, token: &Lexeme) -> bool {
        let is_field = token.kind == TokenKind::Identifier && [".", "[", ","].contains(&self.before.as_str());
        let is_delimiter = DELIMITERS.iter().any(|word| token.is(word)) && !is_field;
        let closes = token.is(")") || token.is("}") || (token.is(",") && self.quantifier.is_none());
        is_delimiter || (closes && self.brackets.is_empty())
    }

    /// Notes a token of the expression.
    fn take(&mut self, token: &Lexeme) -> Result<(), Problem> {
        if OPENING.iter().any(|bracket| token.is(bracket)) {
            self.brackets.push(token.clone());
        }
        if CLOSING.iter().any(|bracket| token.is(bracket)) && self.brackets.pop().is_none() {
            let headline = format!("`{}` closes nothing", token.text);
            return Err(Problem::new(Code::PcalSyntax, token.at, headline).wide(token.text.chars().count()));
        }
        if self.brackets.is_empty() {
            if QUANTIFIERS.iter().any(|quantifier| token.is(quantifier)) {
                self.quantifier = Some(token.clone());
            }
            if token.is(":") {
                self.quantifier = None;
            }
        }
        self.before = if token.kind == TokenKind::String { String::new() } else { token.text.clone() };
        Ok(())
    }

    /// Complains about what is still open at the `end`.
    fn check_closed(&self, end: &Lexeme) -> Result<(), Problem> {
        let width = end.text.chars().count();
        if let Some(bracket) = self.brackets.last() {
            let headline = format!("`{}` is not closed", bracket.text);
            return Err(Problem::new(Code::PcalSyntax, bracket.at, headline)
                .wide(bracket.text.chars().count())
                .related(end.at, width, "the expression ends here"));
        }
        if let Some(quantifier) = &self.quantifier {
            let headline = format!("`{}` without a `:`", quantifier.text);
            return Err(Problem::new(Code::PcalSyntax, quantifier.at, headline)
                .wide(quantifier.text.chars().count())
                .related(end.at, width, "the expression ends here"));
        }
        Ok(())
    }
}

impl Parser<'_> {
    /// Reads an expression, which may be empty; the token that ends it is next.
    pub(super) fn expression(&mut self) -> Result<Expr, Problem> {
        let mut open = Open::default();
        let mut lines: Vec<Vec<Token>> = vec![Vec::new()];
        let mut line = self.lexer.at.line;
        loop {
            let token = self.peek()?;
            if open.is_end(&token) {
                open.check_closed(&token)?;
                return Ok(Expr::new(lines));
            }
            open.take(&token)?;
            self.advance()?;
            for _ in line..token.at.line {
                lines.push(Vec::new());
            }
            line = token.at.line;
            let column = isize::try_from(token.at.column).expect("the text is in memory");
            lines.last_mut().expect("there is a line").push(Token::new(token.text, column, token.kind));
        }
    }

    /// Reads an expression that may not be empty.
    pub(super) fn some_expression(&mut self, what: &str) -> Result<Expr, Problem> {
        let expr = self.expression()?;
        if expr.is_empty() {
            return Err(self.unexpected(what)?);
        }
        Ok(expr)
    }
}
