//! Parses sets in braces: `{a, b}`, `{x \in S : p}`, `{e : x \in S}`.

use diag::Code;

use super::expression::{Order, order};
use super::{Failed, Parse, Parser};
use crate::ast::{Bound, ExprId, ExprKind, PathSegment, Pattern, SegmentKind};
use crate::op::OpSym;
use crate::token::{Token, TokenKind};

/// The start of a bracketed form that may bind a name or only test membership: `x \in S`, read so far.
pub(super) struct Membership {
    pub bound: Bound,
    pub first: Token,
    pub in_token: Token,
    /// The last token of the pattern.
    pub last: Token,
}

impl Parser<'_> {
    pub(super) fn braces(&mut self) -> Parse<ExprId> {
        let opener = self.bump();
        if self.eat(TokenKind::RBrace).is_some() {
            let span = self.span_from(opener);
            return self.alloc(ExprKind::SetEnum(Vec::new()), span);
        }
        if self.next_is_membership() {
            let membership = self.membership()?;
            if self.eat(TokenKind::Colon).is_some() {
                return self.filter(membership.bound, opener);
            }
            let first = self.as_expression(membership)?;
            return self.enumeration(first, opener);
        }
        let first = self.expression()?;
        if self.eat(TokenKind::Colon).is_some() {
            return self.set_map(first, opener);
        }
        self.enumeration(first, opener)
    }

    fn filter(&mut self, bound: Bound, opener: Token) -> Parse<ExprId> {
        let predicate = self.expression()?;
        self.expect_closing(TokenKind::RBrace, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::SetFilter { bound, predicate }, span)
    }

    fn set_map(&mut self, body: ExprId, opener: Token) -> Parse<ExprId> {
        let bounds = self.comma_list(Self::bound)?;
        self.expect_closing(TokenKind::RBrace, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::SetMap { body, bounds }, span)
    }

    fn enumeration(&mut self, first: ExprId, opener: Token) -> Parse<ExprId> {
        let mut items = vec![first];
        while self.eat(TokenKind::Comma).is_some() {
            items.push(self.expression()?);
        }
        if self.next_is(TokenKind::Colon) {
            return Err(self.filter_of_several());
        }
        self.expect_closing(TokenKind::RBrace, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::SetEnum(items), span)
    }

    /// Whether `x \in` or `<<x, y>> \in` comes next.
    pub(super) fn next_is_membership(&self) -> bool {
        let one_name = self.next_is(TokenKind::Ident) && self.peek_at(1) == TokenKind::Op(OpSym::In);
        one_name || self.next_is_tuple_bound()
    }

    /// Reads `x \in S`, when it is not known yet whether it binds `x`.
    pub(super) fn membership(&mut self) -> Parse<Membership> {
        let first = self.token();
        let pattern = match self.peek() {
            TokenKind::LAngle => Pattern::Tuple(self.name_tuple()?),
            _ => {
                let token = self.bump();
                Pattern::Names(vec![self.ident_of(token)])
            }
        };
        let last = self.tokens[self.at - 1];
        let in_token = self.bump();
        let set = self.expression()?;
        Ok(Membership { bound: Bound { pattern, set }, first, in_token, last })
    }

    /// Turns `x \in S` that binds nothing into an expression, which may continue after `S`.
    ///
    /// The supposed set may hold operators that bind less than `\in`, as in `{x \in S /\ p}`. The membership belongs
    /// around its leftmost part that binds more.
    pub(super) fn as_expression(&mut self, membership: Membership) -> Parse<ExprId> {
        let element = self.pattern_as_expression(&membership)?;
        let start = membership.first.start;
        let set = membership.bound.set;
        let mut parent = None;
        let mut part = set;
        while let ExprKind::Infix { op, op_span, lhs, .. } = self.file.exprs[part].kind {
            match order(OpSym::In, op) {
                Order::Right => break,
                Order::Left => {}
                Order::Conflict => return Err(self.membership_conflict(membership.in_token, op, op_span)),
            }
            self.file.exprs[part].span.start = start;
            self.heights[base::Id::index(part)] += 1;
            parent = Some(part);
            part = lhs;
        }
        let op_span = self.span_of(membership.in_token);
        let span = self.span_of(membership.first).to(self.expr_span(part));
        let inner = self.alloc(ExprKind::Infix { op: OpSym::In, op_span, lhs: element, rhs: part }, span)?;
        let Some(parent) = parent else { return Ok(inner) };
        if let ExprKind::Infix { lhs, .. } = &mut self.file.exprs[parent].kind {
            *lhs = inner;
        }
        Ok(set)
    }

    fn pattern_as_expression(&mut self, membership: &Membership) -> Parse<ExprId> {
        let (names, is_tuple) = match &membership.bound.pattern {
            Pattern::Names(names) => (names, false),
            Pattern::Tuple(names) => (names, true),
        };
        let mut items = Vec::with_capacity(names.len());
        for ident in names {
            let kind = SegmentKind::Name(ident.name);
            let segment = PathSegment { kind, args: None, span: ident.span };
            items.push(self.alloc(ExprKind::Path(vec![segment]), ident.span)?);
        }
        match (is_tuple, items.as_slice()) {
            (false, &[name]) => Ok(name),
            _ => {
                let span = self.span_of(membership.first).to(self.span_of(membership.last));
                self.alloc(ExprKind::Tuple(items), span)
            }
        }
    }

    fn filter_of_several(&mut self) -> Failed {
        let diagnostic = self
            .diagnostic_here(Code::UnexpectedToken, "a set filter binds one name or one tuple")
            .label("this `:` follows several elements")
            .help("write `{<<x, y>> \\in S \\X T : p}`");
        self.report_here(diagnostic)
    }
}
