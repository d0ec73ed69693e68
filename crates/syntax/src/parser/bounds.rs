//! Parses forms that bind names: quantifiers, `CHOOSE`, and the bounds they share with functions and sets.

use super::{Parse, Parser};
use crate::ast::{Bound, ExprId, ExprKind, Ident, Pattern, Quantifier, UnboundedQuantifier};
use crate::op::OpSym;
use crate::token::TokenKind;

const IN: TokenKind = TokenKind::Op(OpSym::In);

impl Parser<'_> {
    /// Reads `\A x, y \in S, <<a, b>> \in T : p` or `\A x, y : p`.
    pub(super) fn quantifier(&mut self, kind: Quantifier) -> Parse<ExprId> {
        if self.names_end_with(TokenKind::Colon, 1) {
            return self.temporal_quantifier(match kind {
                Quantifier::Forall => UnboundedQuantifier::Forall,
                Quantifier::Exists => UnboundedQuantifier::Exists,
            });
        }
        let first = self.bump();
        let bounds = self.comma_list(Self::bound)?;
        self.expect(TokenKind::Colon, "`,` or `:`")?;
        let body = self.expression()?;
        let span = self.span_from(first);
        self.alloc(ExprKind::Quantified { kind, bounds, body }, span)
    }

    /// Reads `\AA x, y : F`.
    pub(super) fn temporal_quantifier(&mut self, kind: UnboundedQuantifier) -> Parse<ExprId> {
        let first = self.bump();
        let names = self.comma_list(|parser| parser.ident("a variable name"))?;
        self.expect(TokenKind::Colon, "`,` or `:`")?;
        let body = self.expression()?;
        let span = self.span_from(first);
        self.alloc(ExprKind::Unbounded { kind, names, body }, span)
    }

    /// Reads `CHOOSE x \in S : p`, `CHOOSE <<x, y>> \in S : p`, `CHOOSE x : p`.
    pub(super) fn choose(&mut self) -> Parse<ExprId> {
        let first = self.bump();
        let pattern = match self.peek() {
            TokenKind::LAngle => Pattern::Tuple(self.name_tuple()?),
            _ => Pattern::Names(vec![self.ident("the name of what is chosen")?]),
        };
        let set = match self.eat(IN) {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        self.expect(TokenKind::Colon, if set.is_some() { "`:`" } else { "`\\in` or `:`" })?;
        let body = self.expression()?;
        let span = self.span_from(first);
        self.alloc(ExprKind::Choose { pattern, set, body }, span)
    }

    /// Reads `x, y \in S` or `<<x, y>> \in S`.
    pub(super) fn bound(&mut self) -> Parse<Bound> {
        let pattern = match self.peek() {
            TokenKind::LAngle => Pattern::Tuple(self.name_tuple()?),
            _ => Pattern::Names(self.comma_list(|parser| parser.ident("a variable name"))?),
        };
        self.expect(IN, "`\\in`")?;
        Ok(Bound { pattern, set: self.expression()? })
    }

    /// Reads `<<x, y>>`.
    pub(super) fn name_tuple(&mut self) -> Parse<Vec<Ident>> {
        let opener = self.bump();
        let names = self.comma_list(|parser| parser.ident("a variable name"))?;
        self.expect_closing(TokenKind::RAngle, opener)?;
        Ok(names)
    }

    /// Whether names with commas between them come from `ahead` on, and then an `end`.
    pub(super) fn names_end_with(&self, end: TokenKind, ahead: usize) -> bool {
        self.after_names(ahead).is_some_and(|after| self.peek_at(after) == end)
    }

    /// Whether `x \in`, `x, y \in` or `<<x, y>> \in` comes next.
    pub(super) fn next_is_bound(&self) -> bool {
        self.names_end_with(IN, 0) || self.next_is_tuple_bound()
    }

    pub(super) fn next_is_tuple_bound(&self) -> bool {
        let after = self.next_is(TokenKind::LAngle).then(|| self.after_names(1)).flatten();
        after.is_some_and(|after| self.peek_at(after) == TokenKind::RAngle && self.peek_at(after + 1) == IN)
    }

    /// Returns how far ahead a list of names that starts at `ahead` ends.
    fn after_names(&self, mut ahead: usize) -> Option<usize> {
        while self.peek_at(ahead) == TokenKind::Ident {
            if self.peek_at(ahead + 1) != TokenKind::Comma {
                return Some(ahead + 1);
            }
            ahead += 2;
        }
        None
    }
}
