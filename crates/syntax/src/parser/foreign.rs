//! Recognises words and signs of other languages where TLA+ has its own: each is reported with what to write.
//!
//! Forms that are still legal TLA+, such as `a && b` with an undefined operator, are left to name resolution.

use diag::{Code, Diagnostic, Span};

use super::{Failed, Parser};
use crate::op::{Fixity, OpSym};
use crate::token::{Flags, Keyword, Token, TokenKind};

/// Number of tokens that a search for a sign goes back on its line.
const LOOK_BACK_MAX: usize = 64;

/// Words for operators in other languages, and their TLA+ form.
const WORDS: &[(&str, &str)] = &[
    ("and", "write `/\\` for \"and\""),
    ("or", "write `\\/` for \"or\""),
    ("not", "write `~` for \"not\""),
    ("implies", "write `=>`"),
    ("iff", "write `<=>`"),
    ("xor", "write `#` between two Booleans"),
    ("mod", "write `%`, of module `Integers`"),
    ("div", "write `\\div`, of module `Integers`"),
    ("in", "write `\\in` for membership; reserved words, as in `LET x == e IN ...`, are in capitals"),
    ("notin", "write `\\notin`"),
    ("is", "write `=` to compare"),
    ("forall", "write `\\A x \\in S : p`"),
    ("exists", "write `\\E x \\in S : p`"),
    ("if", "write `IF p THEN a ELSE b`"),
    ("else", "write `IF p THEN a ELSE b`"),
    ("elif", "write `IF p THEN a ELSE IF q THEN b ELSE c`"),
    ("let", "write `LET x == e IN ...`"),
    ("lambda", "write `LAMBDA x : e`"),
    (
        "while",
        "a step is one action: repetition is several steps; in an expression, write a RECURSIVE operator",
    ),
    ("for", "write `\\A x \\in S : p`, `{e : x \\in S}` or `[x \\in S |-> e]`"),
    ("return", "a definition is its value: leave the word out"),
];

/// A sign or a word, with the message about it.
struct Foreign {
    span: Span,
    headline: String,
    help: String,
}

impl Parser<'_> {
    /// Reports a form of another language at the next token or right before it.
    pub(super) fn report_foreign(&mut self) -> Option<Failed> {
        let found = self
            .foreign_comment()
            .or_else(|| self.foreign_sign())
            .or_else(|| self.foreign_word(self.at))
            .or_else(|| self.foreign_word_before())?;
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, found.span, found.headline)
            .label("not written like this in TLA+")
            .help(found.help)
            .met(self.span_of(self.token()));
        Some(self.report_here(diagnostic))
    }

    fn foreign_at(&self, token: Token, headline: &str, help: impl Into<String>) -> Foreign {
        Foreign { span: self.span_of(token), headline: headline.to_owned(), help: help.into() }
    }

    /// Finds `x and y`.
    fn foreign_word(&self, index: usize) -> Option<Foreign> {
        let token = *self.tokens.get(index)?;
        if token.kind != TokenKind::Ident || token.flags.contains(Flags::DEFINITION) {
            return None;
        }
        let text = self.text_of(token);
        let help = match WORDS.iter().find(|(word, _)| *word == text) {
            Some((_, help)) => (*help).to_owned(),
            None => {
                let capitals = text.to_ascii_uppercase();
                let is_keyword =
                    text.bytes().all(|byte| byte.is_ascii_lowercase()) && Keyword::parse(&capitals).is_some();
                is_keyword.then(|| format!("reserved words are written in capitals: `{capitals}`"))?
            }
        };
        Some(self.foreign_at(token, &format!("`{text}` is no word of TLA+"), help))
    }

    /// Finds `not x`, `if (p) {`: the word was read as a name, and the next token does not continue it.
    fn foreign_word_before(&self) -> Option<Foreign> {
        let first = self.line_start();
        let is_call = |index: usize| {
            let after = self.tokens.get(index + 1).map(|token| token.kind);
            index + 1 == self.at || after == Some(TokenKind::LParen)
        };
        (first..self.at).rev().filter(|&index| is_call(index)).find_map(|index| self.foreign_word(index))
    }

    /// Returns the index of the first token on the line of the next one, within the search limit.
    fn line_start(&self) -> usize {
        let lowest = self.at.saturating_sub(LOOK_BACK_MAX);
        let starts = |&index: &usize| self.tokens[index].flags.contains(Flags::LINE_START);
        (lowest..=self.at).rev().find(starts).unwrap_or(lowest)
    }

    /// Finds `x == 1 // because`: the text after the sign was read as TLA+.
    fn foreign_comment(&self) -> Option<Foreign> {
        // If a line begins with the next token, the comment is on the line before.
        let end = self.at;
        let start = match self.token().flags.contains(Flags::LINE_START) && self.at > 0 {
            true => self.line_start_of(self.at - 1),
            false => self.line_start(),
        };
        let is_comment = |index: &usize| {
            let token = self.tokens[*index];
            let is_first = token.flags.contains(Flags::LINE_START);
            match token.kind {
                TokenKind::Op(OpSym::SlashSlash) => *index < end,
                TokenKind::Op(OpSym::Neq | OpSym::MinusMinus) => is_first && *index < end,
                TokenKind::Op(OpSym::Slash) => self
                    .tokens
                    .get(index + 1)
                    .is_some_and(|next| next.start == token.end && next.kind == TokenKind::Op(OpSym::Star)),
                _ => false,
            }
        };
        let token = self.tokens[(start..=end).find(is_comment)?];
        let text = self.text_of(token);
        let help = "a comment starts with `\\*`, or stands between `(*` and `*)`";
        Some(self.foreign_at(token, &format!("`{text}` starts no comment"), help))
    }

    fn line_start_of(&self, index: usize) -> usize {
        let lowest = index.saturating_sub(LOOK_BACK_MAX);
        let starts = |&index: &usize| self.tokens[index].flags.contains(Flags::LINE_START);
        (lowest..=index).rev().find(starts).unwrap_or(lowest)
    }

    /// Finds signs at the next token, and those before it that have no operand.
    fn foreign_sign(&self) -> Option<Foreign> {
        let token = self.token();
        let before = self.at.checked_sub(1).map(|index| self.tokens[index]);
        let next = self.tokens.get(self.at + 1).copied();
        let touches = |next: Token| next.start == token.end;
        let is_equals_next = next.is_some_and(|next| touches(next) && next.kind == TokenKind::Op(OpSym::Eq));
        let after_operand = before.is_some_and(ends_operand);
        match token.kind {
            TokenKind::Bang if after_operand && is_equals_next => {
                Some(self.foreign_pair(token, next?, "write `#` or `/=` for \"not equal\""))
            }
            TokenKind::Op(OpSym::Not) if after_operand && is_equals_next => {
                Some(self.foreign_pair(token, next?, "write `#` or `/=` for \"not equal\""))
            }
            TokenKind::Bang if !after_operand => {
                Some(self.foreign_at(token, "`!` is no operator of TLA+", "write `~` for \"not\""))
            }
            TokenKind::Op(OpSym::Diamond) if after_operand => {
                let help = "write `#` or `/=` for \"not equal\"; `<>F` says that F holds at some time";
                Some(self.foreign_at(token, "`<>` does not compare", help))
            }
            TokenKind::Op(OpSym::Prime) if !after_operand => Some(self.foreign_quote(token)),
            TokenKind::Arrow if after_operand => {
                let help = "an operator without a name is `LAMBDA x : e`, a function `[x \\in S |-> e]`";
                Some(self.foreign_at(token, "`->` makes no function here", help))
            }
            TokenKind::Op(OpSym::Eq) => self.foreign_update(before?, token),
            _ => self.foreign_increment(before?),
        }
    }

    fn foreign_pair(&self, one: Token, two: Token, help: &str) -> Foreign {
        let span = self.span_of(one).to(self.span_of(two));
        let headline = format!("there is no operator `{}`", &self.text[span.range()]);
        Foreign { span, headline, help: help.to_owned() }
    }

    /// Finds `x += 1`.
    fn foreign_update(&self, before: Token, equals: Token) -> Option<Foreign> {
        let is_arithmetic = matches!(
            before.kind,
            TokenKind::Op(OpSym::Plus | OpSym::Minus | OpSym::Star | OpSym::Slash | OpSym::Percent)
        );
        let help = "a step says what the next value is: `x' = x + 1`";
        (is_arithmetic && before.end == equals.start).then(|| self.foreign_pair(before, equals, help))
    }

    /// Finds `x++`.
    fn foreign_increment(&self, before: Token) -> Option<Foreign> {
        let is_it = matches!(before.kind, TokenKind::Op(OpSym::PlusPlus | OpSym::MinusMinus));
        let headline = format!("`{}` changes nothing", self.text_of(before));
        is_it.then(|| self.foreign_at(before, &headline, "a step says what the next value is: `x' = x + 1`"))
    }

    /// Makes the message about `'text'`.
    fn foreign_quote(&self, quote: Token) -> Foreign {
        let line = self.text[quote.end as usize..].lines().next().unwrap_or_default();
        let help = match line.split_once('\'') {
            Some((text, _)) => format!("strings stand between double quotation marks: `\"{text}\"`"),
            None => "strings stand between double quotation marks".to_owned(),
        };
        self.foreign_at(quote, "`'` starts no string", help)
    }
}

/// Whether a token may end an operand.
fn ends_operand(token: Token) -> bool {
    match token.kind {
        TokenKind::Ident
        | TokenKind::Number
        | TokenKind::String
        | TokenKind::RParen
        | TokenKind::RBracket
        | TokenKind::RBrace
        | TokenKind::RAngle
        | TokenKind::At => true,
        TokenKind::Op(op) => op.info().fixity == Fixity::Postfix,
        _ => false,
    }
}
