//! Parses names: applied, through instances, into subexpressions; and the symbols and step names that can stand in
//! their place.

use diag::{Code, Diagnostic, Span};

use super::{Failed, Parse, Parser};
use crate::ast::{ExprId, ExprKind, Ident, PathSegment, SegmentKind};
use crate::op::OpSym;
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    /// Reads `x`, `F(a, b)`, `I(1)!J!Op(2)`, `Op!lab!1!<<`.
    pub(super) fn path(&mut self) -> Parse<ExprId> {
        let token = self.bump();
        let name = self.name_of(token);
        self.path_after(SegmentKind::Name(name), token)
    }

    /// Reads `+(a, b)`, `-.(x)`.
    pub(super) fn symbol_path(&mut self, op: OpSym) -> Parse<ExprId> {
        let token = self.bump();
        let name = self.symbol(op, token).name;
        self.path_after(SegmentKind::Name(name), token)
    }

    /// Reads the rest of a path whose first name is `first`.
    pub(super) fn path_after(&mut self, first: SegmentKind, token: Token) -> Parse<ExprId> {
        let segments = self.segments(first, token)?;
        let span = self.span_from(token);
        self.alloc(ExprKind::Path(segments), span)
    }

    fn segments(&mut self, first: SegmentKind, token: Token) -> Parse<Vec<PathSegment>> {
        let mut segments = vec![self.segment(first, token)?];
        while let Some(bang) = self.eat(TokenKind::Bang) {
            segments.push(self.selector(bang)?);
        }
        Ok(segments)
    }

    /// Reads the segment that `first` starts, with its arguments if there are any.
    fn segment(&mut self, kind: SegmentKind, first: Token) -> Parse<PathSegment> {
        let args = if self.next_is(TokenKind::LParen) { Some(self.arguments()?) } else { None };
        Ok(PathSegment { kind, args, span: self.span_from(first) })
    }

    /// Reads `(a, +, LAMBDA x : x)`.
    fn arguments(&mut self) -> Parse<Vec<ExprId>> {
        let opener = self.bump();
        let args = self.comma_list(Self::operator_or_expression)?;
        self.expect_closing(TokenKind::RParen, opener)?;
        Ok(args)
    }

    /// Whether a minus that was taken for a prefix is right before `opener`.
    pub(super) fn minus_before(&self, opener: Token) -> bool {
        let before = self.pending.last().filter(|pending| pending.op == OpSym::Neg);
        let index = self.tokens[..self.at].partition_point(|token| token.start < opener.start);
        before.is_some_and(|minus| index > 0 && self.tokens[index - 1].start == minus.token.start)
    }

    /// Reads the rest of `-(a, b)`, of which `-(a` is read and `-` waits for an operand that will not come.
    pub(super) fn minus_call(&mut self, first: ExprId, opener: Token) -> Parse<ExprId> {
        let mut args = vec![first];
        while self.eat(TokenKind::Comma).is_some() {
            args.push(self.operator_or_expression()?);
        }
        self.expect_closing(TokenKind::RParen, opener)?;
        let token = self.pending.pop().map_or(opener, |minus| minus.token);
        let (name, span) = (self.symbol(OpSym::Minus, token).name, self.span_from(token));
        let segment = PathSegment { kind: SegmentKind::Name(name), args: Some(args), span };
        self.alloc(ExprKind::Path(vec![segment]), span)
    }

    /// Reads the text after a `!`.
    fn selector(&mut self, bang: Token) -> Parse<PathSegment> {
        let token = self.token();
        let is_call = self.peek_at(1) == TokenKind::LParen;
        if token.kind == TokenKind::Op(OpSym::Eq) && token.start == bang.end && !is_call {
            return Err(self.not_equal(bang));
        }
        let kind = match self.peek() {
            TokenKind::Ident if self.next_is_definition() => return self.structural_selector(),
            TokenKind::Ident => SegmentKind::Name(self.name_of(token)),
            TokenKind::Op(op) => SegmentKind::Name(self.symbol(op, token).name),
            TokenKind::LParen => {
                let args = Some(self.arguments()?);
                return Ok(PathSegment { kind: SegmentKind::Arguments, args, span: self.span_from(token) });
            }
            _ => return self.structural_selector(),
        };
        self.bump();
        self.segment(kind, token)
    }

    /// Reads `!3`, `!<<`, `!>>`, `!:`, `!@`.
    fn structural_selector(&mut self) -> Parse<PathSegment> {
        let token = self.token();
        let kind = match self.peek() {
            TokenKind::LAngle => SegmentKind::First,
            TokenKind::RAngle => SegmentKind::Last,
            TokenKind::Colon => SegmentKind::Body,
            TokenKind::At => SegmentKind::At,
            TokenKind::Number => match self.text_of(token).parse() {
                Ok(number) => SegmentKind::Number(number),
                Err(_) => return Err(self.bad_selector_number()),
            },
            _ => {
                return Err(self.report_unexpected("a name, a number, `<<`, `>>`, `:` or `@`"));
            }
        };
        self.bump();
        Ok(PathSegment { kind, args: None, span: self.span_of(token) })
    }

    /// Reads a path after `]_` or `>>_`, without selectors.
    pub(super) fn subscript_path(&mut self) -> Parse<ExprId> {
        let token = self.bump();
        let segments = self.plain_segments(token)?;
        let span = self.span_from(token);
        self.alloc(ExprKind::Path(segments), span)
    }

    fn plain_segments(&mut self, first: Token) -> Parse<Vec<PathSegment>> {
        let name = self.name_of(first);
        let mut segments = vec![self.segment(SegmentKind::Name(name), first)?];
        while self.eat(TokenKind::Bang).is_some() {
            let token = self.expect(TokenKind::Ident, "a name after `!`")?;
            let name = self.name_of(token);
            segments.push(self.segment(SegmentKind::Name(name), token)?);
        }
        Ok(segments)
    }

    /// Reads the subscript and the action of `WF_v(A)`, `WF_f(x)(A)`, `WF_I!v(A)`: the last parentheses belong to the
    /// action.
    pub(super) fn fairness_path(&mut self, fairness: Token) -> Parse<(ExprId, ExprId)> {
        let token = self.bump();
        let mut segments = self.plain_segments(token)?;
        if self.next_is(TokenKind::LParen) {
            let span = self.span_from(token);
            let subscript = self.alloc(ExprKind::Path(segments), span)?;
            return Ok((subscript, self.fairness_action(fairness)?));
        }
        let args = segments.last_mut().and_then(|last| last.args.take());
        let Some(&[action]) = args.as_deref() else {
            return Err(self.fairness_without_action(fairness));
        };
        if matches!(self.file.exprs[action].kind, ExprKind::Operator(_) | ExprKind::Lambda { .. }) {
            return Err(self.fairness_without_action(fairness));
        }
        let span = self.cut_arguments(&mut segments, token);
        Ok((self.alloc(ExprKind::Path(segments), span)?, action))
    }

    /// Ends the last segment at its name, after its arguments have been removed.
    fn cut_arguments(&self, segments: &mut [PathSegment], first: Token) -> Span {
        let mut span = self.span_of(first);
        if let Some(last) = segments.last_mut() {
            if let SegmentKind::Name(name) = last.kind {
                last.span.end = last.span.start + self.names.text(name).len() as u32;
            }
            span = span.to(last.span);
        }
        span
    }

    /// Reads `(A)` after the subscript of `WF_` or `SF_`.
    pub(super) fn fairness_action(&mut self, fairness: Token) -> Parse<ExprId> {
        if !self.next_is(TokenKind::LParen) {
            return Err(self.fairness_without_action(fairness));
        }
        let opener = self.bump();
        let action = self.expression()?;
        self.expect_closing(TokenKind::RParen, opener)?;
        Ok(action)
    }

    /// Reads `.name` after a record. A field may have a reserved word as its name.
    pub(super) fn field(&mut self, record: ExprId) -> Parse<ExprId> {
        self.bump();
        let field = self.field_name()?;
        let span = self.expr_span(record).to(field.span);
        self.alloc(ExprKind::Field { record, field }, span)
    }

    pub(super) fn field_name(&mut self) -> Parse<Ident> {
        if !self.next_is_field_name() {
            return Err(self.report_unexpected("a field name"));
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }

    pub(super) fn next_is_field_name(&self) -> bool {
        match self.peek() {
            TokenKind::Ident => true,
            TokenKind::Keyword(_) | TokenKind::Op(_) => {
                self.text_of(self.token()).starts_with(|first: char| first.is_ascii_alphabetic())
            }
            _ => false,
        }
    }

    /// Returns `expr` as a label: `lab`, `lab(x, y)`.
    pub(super) fn opt_label(&self, expr: ExprId) -> Option<(Ident, Vec<Ident>)> {
        let (name, args) = self.plain_name(expr)?;
        let params = args.iter().map(|&arg| match self.plain_name(arg)? {
            (name, []) => Some(name),
            _ => None,
        });
        Some((name, params.collect::<Option<_>>()?))
    }

    /// Returns `expr` as one name and its arguments.
    fn plain_name(&self, expr: ExprId) -> Option<(Ident, &[ExprId])> {
        let ExprKind::Path(segments) = &self.file.exprs[expr].kind else { return None };
        let [PathSegment { kind: SegmentKind::Name(name), args, span }] = segments.as_slice() else {
            return None;
        };
        let length = self.names.text(*name).len() as u32;
        let span = Span { end: span.end.min(span.start + length), ..*span };
        Some((Ident { name: *name, span }, args.as_deref().unwrap_or_default()))
    }

    /// Takes a keyword of a form that `opener` began.
    pub(super) fn expect_keyword_of(
        &mut self,
        keyword: Keyword,
        expected: &str,
        opener: Token,
    ) -> Parse<Token> {
        match self.eat_keyword(keyword) {
            Some(token) => Ok(token),
            None => Err(self.report_unexpected_in(TokenKind::Keyword(keyword), expected, opener)),
        }
    }
}

/// Messages about paths.
impl Parser<'_> {
    fn bad_selector_number(&mut self) -> Failed {
        let diagnostic = self
            .diagnostic_here(Code::BadNumber, "this number selects no part of an expression")
            .label("expected a small decimal number");
        self.report_here(diagnostic)
    }

    fn fairness_without_action(&mut self, fairness: Token) -> Failed {
        let text = self.text_of(fairness);
        let headline = format!("`{text}` needs one action in parentheses");
        let span = self.span_from(fairness);
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, headline)
            .label("no single action here")
            .help(format!("write `{text}vars(Action)`"));
        self.report_here(diagnostic)
    }
}
