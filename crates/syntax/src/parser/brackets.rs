//! Parses square and angle brackets: functions, records, `EXCEPT`, application, actions, tuples.

use super::{Failed, Parse, Parser};
use crate::ast::{ExceptStep, ExceptUpdate, ExprId, ExprKind, Ident, StepKind};
use crate::op::OpSym;
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    /// Reads a form that starts with `[` where an operand is expected.
    pub(super) fn brackets(&mut self) -> Parse<ExprId> {
        let opener = self.bump();
        if self.next_is_field_name() && self.peek_at(1) == TokenKind::MapsTo {
            return self.record(opener);
        }
        if self.next_is(TokenKind::Ident) && self.peek_at(1) == TokenKind::Colon {
            return self.record_set(opener);
        }
        if self.next_is_bound() {
            let bounds = self.comma_list(Self::bound)?;
            return self.function(bounds, opener);
        }
        let first = self.expression()?;
        self.after_first(first, opener)
    }

    fn function(&mut self, bounds: Vec<crate::ast::Bound>, opener: Token) -> Parse<ExprId> {
        if self.next_is(TokenKind::Arrow) {
            return Err(self.arrow_after_bound(opener));
        }
        // TLC: a form that begins like a function is none of these.
        if self.next_is(TokenKind::RBracketSub) {
            return Err(self.subscript_after_bound(opener));
        }
        self.expect(TokenKind::MapsTo, "`,` or `|->`")?;
        let body = self.expression()?;
        self.expect_closing(TokenKind::RBracket, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::Function { bounds, body }, span)
    }

    /// Reads what may follow an expression after `[`.
    fn after_first(&mut self, first: ExprId, opener: Token) -> Parse<ExprId> {
        match self.peek() {
            TokenKind::Arrow => {
                self.bump();
                let range = self.expression()?;
                self.expect_closing(TokenKind::RBracket, opener)?;
                let span = self.span_from(opener);
                self.alloc(ExprKind::FunctionSet { domain: first, range }, span)
            }
            TokenKind::Keyword(Keyword::Except) => self.except(first, opener),
            TokenKind::RBracketSub => self.step_action(StepKind::Box, first, opener),
            _ => Err(self.bad_bracket(opener)),
        }
    }

    /// Reads `[A]_v` and `<<A>>_v` from `]_` or `>>_` on.
    fn step_action(&mut self, kind: StepKind, action: ExprId, opener: Token) -> Parse<ExprId> {
        self.bump();
        let subscript = self.subscript()?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::Step { kind, action, subscript }, span)
    }

    /// Reads `[a |-> 1, b |-> 2]`.
    fn record(&mut self, opener: Token) -> Parse<ExprId> {
        let fields = self.comma_list(|parser| parser.field_pair(TokenKind::MapsTo, "`|->`"))?;
        self.expect_closing(TokenKind::RBracket, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::Record(fields), span)
    }

    /// Reads `[a : S, b : T]`.
    fn record_set(&mut self, opener: Token) -> Parse<ExprId> {
        let fields = self.comma_list(|parser| parser.field_pair(TokenKind::Colon, "`:`"))?;
        self.expect_closing(TokenKind::RBracket, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::RecordSet(fields), span)
    }

    fn field_pair(&mut self, between: TokenKind, expected: &str) -> Parse<(Ident, ExprId)> {
        let field = self.field_name()?;
        self.expect(between, expected)?;
        Ok((field, self.expression()?))
    }

    /// Reads `[f EXCEPT ![a].b = e, !.c = d]`.
    fn except(&mut self, base: ExprId, opener: Token) -> Parse<ExprId> {
        self.bump();
        let updates = self.comma_list(Self::except_update)?;
        self.expect_closing(TokenKind::RBracket, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::Except { base, updates }, span)
    }

    fn except_update(&mut self) -> Parse<ExceptUpdate> {
        let first = self.expect(TokenKind::Bang, "`!`")?;
        let mut path = vec![self.except_step()?];
        while self.next_is(TokenKind::Dot) || self.next_is(TokenKind::LBracket) {
            path.push(self.except_step()?);
        }
        self.expect(TokenKind::Op(OpSym::Eq), "`=`, `.` or `[`")?;
        let value = self.expression()?;
        Ok(ExceptUpdate { path, value, span: self.span_from(first) })
    }

    fn except_step(&mut self) -> Parse<ExceptStep> {
        if self.eat(TokenKind::Dot).is_some() {
            return Ok(ExceptStep::Field(self.field_name()?));
        }
        let opener = self.expect(TokenKind::LBracket, "`.` or `[` after `!`")?;
        let indices = self.comma_list(Self::expression)?;
        self.expect_closing(TokenKind::RBracket, opener)?;
        Ok(ExceptStep::Index(indices))
    }

    /// Reads `[a, b]` after a function.
    pub(super) fn application(&mut self, function: ExprId) -> Parse<ExprId> {
        let opener = self.bump();
        let args = self.comma_list(Self::expression)?;
        self.expect_closing(TokenKind::RBracket, opener)?;
        let span = self.expr_span(function).to(self.last_span());
        self.alloc(ExprKind::FnApply { function, args }, span)
    }

    /// Reads `<<a, b>>` or `<<A>>_v`.
    pub(super) fn angles(&mut self) -> Parse<ExprId> {
        let opener = self.bump();
        let mut items = Vec::new();
        if !self.next_is(TokenKind::RAngle) {
            items = self.comma_list(Self::expression)?;
        }
        if let (TokenKind::RAngleSub, &[action]) = (self.peek(), items.as_slice()) {
            return self.step_action(StepKind::Angle, action, opener);
        }
        self.expect_closing(TokenKind::RAngle, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::Tuple(items), span)
    }

    fn bad_bracket(&mut self, opener: Token) -> Failed {
        if matches!(self.peek(), TokenKind::Comma | TokenKind::RBracket) {
            return self.list_in_square_brackets(opener);
        }
        self.report_unexpected_in(TokenKind::RBracketSub, "`->`, `EXCEPT`, `]_` or `|->`", opener)
    }
}
