//! Messages for text that is not TLA+. Each function reports one error and returns [`Failed`].
//!
//! Messages that guess what was meant are in `guesses`; those about one construct are beside it.

use diag::{Code, Diagnostic, Span};

use super::expression::Pending;
use super::{Failed, Parser};
use crate::ast::Ident;
use crate::lexer::Mode;
use crate::op::{Fixity, OpSym};
use crate::token::{Flags, Token, TokenKind};

impl Parser<'_> {
    /// Describes the next token for a message.
    pub(super) fn describe_next(&self) -> String {
        let token = self.token();
        let text = self.text_of(token);
        match token.kind {
            TokenKind::Eof => self.end_of_text().to_owned(),
            TokenKind::ModuleEnd => "the end of the module".to_owned(),
            TokenKind::ModuleStart => "the start of a module".to_owned(),
            TokenKind::Separator => "a separator line".to_owned(),
            TokenKind::String => "a string".to_owned(),
            TokenKind::Ident if self.starts_definition(token) => format!("the definition of `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    fn end_of_text(&self) -> &'static str {
        match self.mode {
            Mode::File => "the end of the file",
            Mode::Expression => "the end of the expression",
        }
    }

    /// Whether `token` looks like the start of a definition to a reader too: it is first on its line.
    fn starts_definition(&self, token: Token) -> bool {
        token.flags.contains(Flags::DEFINITION) && token.flags.contains(Flags::LINE_START)
    }

    /// Reports an error at the next token, unless the lexer has already reported it.
    pub(super) fn report_here(&mut self, diagnostic: Diagnostic) -> Failed {
        match self.token().kind {
            TokenKind::Error => return Failed,
            TokenKind::Eof => self.reported_end = true,
            _ => {}
        }
        self.report(diagnostic)
    }

    pub(super) fn diagnostic_here(&self, code: Code, headline: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.span_of(self.token()), headline)
    }

    /// Reports that the next token does not fit the grammar.
    pub(super) fn report_unexpected(&mut self, expected: &str) -> Failed {
        if let Some(failed) = self.guess() {
            return failed;
        }
        let open = self.open_bracket().filter(|_| self.at_unit_end());
        let diagnostic = match open {
            Some(opener) => self
                .unclosed_diagnostic(opener, &format!("expected {expected}, found {}", self.describe_next())),
            None => self.unexpected_diagnostic(expected),
        };
        self.report_here(diagnostic)
    }

    /// Makes the message that a bracket is not closed, at its opening; `noticed` describes the error at the next token.
    fn unclosed_diagnostic(&self, opener: Token, noticed: &str) -> Diagnostic {
        let opening = self.text_of(opener);
        let here = self.span_of(self.token());
        let closing = closing_of(opener.kind);
        Diagnostic::new(
            Code::UnclosedDelimiter,
            self.span_of(opener),
            format!("this `{opening}` is never closed"),
        )
        .label(format!("the `{closing}` that belongs to it is missing"))
        .related(here, noticed)
        .met(here)
    }

    fn unexpected_diagnostic(&self, expected: &str) -> Diagnostic {
        let headline = format!("expected {expected}, found {}", self.describe_next());
        let diagnostic =
            self.diagnostic_here(Code::UnexpectedToken, headline).label(format!("expected {expected}"));
        if let Some(comma) = self.trailing_comma() {
            return diagnostic.related(self.span_of(comma), "after this comma").help("remove the comma");
        }
        match self.tokens[self.at.saturating_sub(1)] {
            before if matches!(before.kind, TokenKind::Op(_)) && before.start < self.token().start => {
                let text = format!("after this `{}`", self.text_of(before));
                diagnostic.related(self.span_of(before), text)
            }
            _ => diagnostic,
        }
    }

    /// Returns the comma right before a closing bracket, if the parser is at one.
    fn trailing_comma(&self) -> Option<Token> {
        let is_closing = matches!(
            self.token().kind,
            TokenKind::RParen
                | TokenKind::RBracket
                | TokenKind::RBracketSub
                | TokenKind::RBrace
                | TokenKind::RAngle
                | TokenKind::RAngleSub
        );
        let before = self.tokens[self.at.checked_sub(1)?];
        (is_closing && before.kind == TokenKind::Comma).then_some(before)
    }

    /// Reports that the next token does not fit, in a form that `opener` began.
    pub(super) fn report_unexpected_in(
        &mut self,
        wanted: TokenKind,
        expected: &str,
        opener: Token,
    ) -> Failed {
        if let Some(failed) = self.out_of_item(wanted).or_else(|| self.guess()) {
            return failed;
        }
        let opened = format!("`{}` starts here", self.text_of(opener));
        let diagnostic = self.unexpected_diagnostic(expected).related(self.span_of(opener), opened);
        self.report_here(diagnostic)
    }

    /// Reports `[1, 2]`, a list in other languages.
    pub(super) fn list_in_square_brackets(&mut self, opener: Token) -> Failed {
        let diagnostic = self
            .unexpected_diagnostic("`->`, `EXCEPT`, `]_` or `|->`")
            .related(self.span_of(opener), "`[` starts here")
            .help("a sequence is `<<a, b>>`, a set `{a, b}`, a record `[f |-> a, g |-> b]`");
        self.report_here(diagnostic)
    }

    /// Reports `[x \in S -> T]`, a mixture of a function and a set of functions.
    pub(super) fn arrow_after_bound(&mut self, opener: Token) -> Failed {
        self.after_bound(opener, "a function is `[x \\in S |-> e]`, and the set of all functions `[S -> T]`")
    }

    /// Reports `]_` after `[x \in S`.
    pub(super) fn subscript_after_bound(&mut self, opener: Token) -> Failed {
        self.after_bound(opener, "an action that begins with a membership has parentheses: `[(x \\in S)]_v`")
    }

    fn after_bound(&mut self, opener: Token, help: &str) -> Failed {
        let opened = format!("`{}` starts here", self.text_of(opener));
        let diagnostic =
            self.unexpected_diagnostic("`,` or `|->`").related(self.span_of(opener), opened).help(help);
        self.report_here(diagnostic)
    }

    /// Reports that `opener` should be closed here.
    pub(super) fn report_unclosed(&mut self, opener: Token, closing: TokenKind) -> Failed {
        if let Some(failed) = self.out_of_item(closing).or_else(|| self.guess()) {
            return failed;
        }
        let wanted = closing_of(opener.kind);
        let headline = format!("expected `{wanted}`, found {}", self.describe_next());
        let opening = self.text_of(opener);
        let diagnostic = match self.closes_later(closing) {
            // The bracket is fine, but something inside it is not.
            true => self
                .diagnostic_here(Code::UnclosedDelimiter, headline)
                .label(format!("expected `{wanted}` or the rest of an expression"))
                .related(self.span_of(opener), format!("`{opening}` starts here")),
            false => self.unclosed_diagnostic(opener, &headline),
        };
        self.report_here(diagnostic)
    }

    /// Reports that the expected token is there, but not right of the bullet to whose item it would belong.
    fn out_of_item(&mut self, wanted: TokenKind) -> Option<Failed> {
        let bullet = *self.bullets.last()?;
        let token = self.token();
        if self.peek() != TokenKind::ItemEnd || token.kind != wanted {
            return None;
        }
        let (text, mark) = (self.text_of(token), self.text_of(bullet));
        let headline = format!("`{text}` is not to the right of the `{mark}` whose item it belongs to");
        let diagnostic = self
            .diagnostic_here(Code::JunctionAlignment, headline)
            .label(format!("in column {}", token.column))
            .related(self.span_of(bullet), format!("the item starts in column {}", bullet.column))
            .help(format!("move the `{text}` to the right of column {}", bullet.column));
        Some(self.report_here(diagnostic))
    }

    /// Reports a reserved word where a name is declared.
    pub(super) fn reserved_word(&mut self, expected: &str) -> Failed {
        let word = self.text_of(self.token());
        let headline = format!("`{word}` is a reserved word");
        let diagnostic = self
            .diagnostic_here(Code::ReservedWord, headline)
            .label(format!("expected {expected}"))
            .help("choose another name");
        self.report_here(diagnostic)
    }

    pub(super) fn precedence_conflict(&mut self, left: Pending, op: OpSym, right: Token) -> Failed {
        if let Some(failed) = self.report_misaligned(op, right) {
            return failed;
        }
        let (l, r) = (self.text_of(left.token), self.text_of(right));
        let headline = if left.op == op {
            format!("`{r}` does not chain")
        } else {
            format!("`{l}` and `{r}` have no order of precedence")
        };
        let diagnostic = Diagnostic::new(Code::PrecedenceConflict, self.span_of(right), headline)
            .label(precedence(op))
            .related(self.span_of(left.token), precedence(left.op))
            .help(self.foreign_junction(left.token, right).unwrap_or("add parentheses"));
        self.report_here(diagnostic)
    }

    /// Returns what to write for an operator between two tokens that means "and" or "or" in other languages. There it
    /// binds less than comparisons, here it binds more.
    fn foreign_junction(&self, left: Token, right: Token) -> Option<&'static str> {
        let before = self.tokens[..self.at].iter().rev().skip_while(|token| token.start >= right.start);
        before.take_while(|token| token.start > left.start).find_map(|token| match token.kind {
            TokenKind::Op(OpSym::AmpAmp | OpSym::Amp) => Some("write `/\\` for \"and\", or add parentheses"),
            TokenKind::Op(OpSym::BarBar | OpSym::Bar) => Some("write `\\/` for \"or\", or add parentheses"),
            _ => None,
        })
    }

    /// Reports a bullet that conflicts because it is not in the column of its list.
    fn report_misaligned(&mut self, op: OpSym, right: Token) -> Option<Failed> {
        let at_line_start = right.flags.contains(Flags::BULLET) && right.flags.contains(Flags::LINE_START);
        let list = self.bullets.iter().rev().copied().find(|bullet| bullet.kind == TokenKind::Op(op));
        let bullet = list.filter(|_| at_line_start)?;
        let text = self.text_of(right);
        let headline = format!("this `{text}` is not in the column of its list");
        let diagnostic = Diagnostic::new(Code::JunctionAlignment, self.span_of(right), headline)
            .label(format!("in column {}", right.column))
            .related(self.span_of(bullet), format!("the list is in column {}", bullet.column))
            .help(format!("move it to column {}, or add parentheses", bullet.column));
        Some(self.report_here(diagnostic))
    }

    pub(super) fn membership_conflict(&mut self, in_token: Token, op: OpSym, op_span: Span) -> Failed {
        let headline = format!("`\\in` and `{}` have no order of precedence", op.canonical());
        let diagnostic = Diagnostic::new(Code::PrecedenceConflict, op_span, headline)
            .label(precedence(op))
            .related(self.span_of(in_token), precedence(OpSym::In))
            .help("add parentheses");
        self.report(diagnostic)
    }

    /// Reports that the text ends before the module does.
    pub(super) fn missing_module_end(&mut self, name: Ident) {
        if std::mem::replace(&mut self.reported_end, true) {
            return;
        }
        let headline = format!("module `{}` has no end", self.names.text(name.name));
        let diagnostic = self
            .diagnostic_here(Code::MissingModuleEnd, headline)
            .label("expected `====` before the end of the file")
            .related(name.span, "the module starts here")
            .help("end the module with a line of `====`");
        self.report(diagnostic);
    }
}

/// Returns the spelling that closes a bracket.
fn closing_of(opener: TokenKind) -> &'static str {
    match opener {
        TokenKind::LParen => ")",
        TokenKind::LBracket => "]",
        TokenKind::LBrace => "}",
        _ => ">>",
    }
}

/// Describes the precedence of an operator.
fn precedence(op: OpSym) -> String {
    let info = op.info();
    let fixity = match info.fixity {
        Fixity::Prefix => "prefix",
        Fixity::Infix => "infix",
        Fixity::Postfix => "postfix",
    };
    let name = if op == OpSym::Neg { "-" } else { op.canonical() };
    if info.low == info.high {
        format!("{fixity} `{name}` has precedence {}", info.low)
    } else {
        format!("{fixity} `{name}` has precedence {}-{}", info.low, info.high)
    }
}
