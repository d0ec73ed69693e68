//! Parses declared symbols: `CONSTANT N, Op(_, _), _+_`, parameters, `NEW` symbols.

use super::{Parse, Parser};
use crate::ast::{Assumption, NewKind, OpDecl};
use crate::op::{Fixity, OpSym};
use crate::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// Reads `N`, `Op(_, _)`, `_+_`, `-._`, `_^#`.
    pub(super) fn declared_operator(&mut self) -> Parse<OpDecl> {
        match self.peek() {
            TokenKind::Op(op) if op.info().fixity == Fixity::Prefix => {
                let token = self.bump();
                self.placeholder()?;
                Ok(OpDecl { name: self.symbol(op, token), arity: 1 })
            }
            TokenKind::Underscore => self.declared_infix_or_postfix(),
            _ => self.declared_name(),
        }
    }

    fn declared_infix_or_postfix(&mut self) -> Parse<OpDecl> {
        self.bump();
        let TokenKind::Op(op) = self.peek() else {
            return Err(self.report_unexpected("an infix or postfix operator after `_`"));
        };
        let arity = match op.info().fixity {
            Fixity::Infix => 2,
            Fixity::Postfix => 1,
            Fixity::Prefix => return Err(self.report_unexpected("an infix or postfix operator after `_`")),
        };
        let token = self.bump();
        if arity == 2 {
            self.placeholder()?;
        }
        Ok(OpDecl { name: self.symbol(op, token), arity })
    }

    fn declared_name(&mut self) -> Parse<OpDecl> {
        let name = self.ident("a name")?;
        // Parentheses around something else belong to the next construct.
        if !self.next_is(TokenKind::LParen) || self.peek_at(1) != TokenKind::Underscore {
            return Ok(OpDecl { name, arity: 0 });
        }
        let opener = self.bump();
        let placeholders = self.comma_list(Self::placeholder)?;
        self.expect_closing(TokenKind::RParen, opener)?;
        Ok(OpDecl { name, arity: placeholders.len() as u32 })
    }

    fn placeholder(&mut self) -> Parse<()> {
        self.expect(TokenKind::Underscore, "`_`").map(|_| ())
    }

    /// Whether `NEW`, `CONSTANT`, `STATE`, ... comes next.
    pub(super) fn next_is_new(&self) -> bool {
        matches!(
            self.peek(),
            TokenKind::Keyword(
                Keyword::New
                    | Keyword::Constant
                    | Keyword::Variable
                    | Keyword::State
                    | Keyword::Action
                    | Keyword::Temporal
            )
        )
    }

    /// Reads `NEW CONSTANT c \in S`, `NEW x`, `STATE F(_)`.
    pub(super) fn new_symbol(&mut self) -> Parse<Assumption> {
        self.eat_keyword(Keyword::New);
        let kind = self.new_kind();
        let decl = match kind {
            NewKind::Variable => OpDecl { name: self.ident("a variable name")?, arity: 0 },
            NewKind::Constant | NewKind::State | NewKind::Action | NewKind::Temporal => {
                self.declared_operator()?
            }
        };
        let may_have_set = kind == NewKind::Constant && decl.arity == 0;
        let set = match self.peek() {
            TokenKind::Op(OpSym::In) if may_have_set => {
                self.bump();
                Some(self.expression()?)
            }
            _ => None,
        };
        Ok(Assumption::New { kind, decl, set })
    }

    /// Reads the kind of a new symbol. `NEW` alone declares a constant.
    fn new_kind(&mut self) -> NewKind {
        let kinds = [
            (Keyword::Constant, NewKind::Constant),
            (Keyword::Variable, NewKind::Variable),
            (Keyword::State, NewKind::State),
            (Keyword::Action, NewKind::Action),
            (Keyword::Temporal, NewKind::Temporal),
        ];
        for (keyword, kind) in kinds {
            if self.eat_keyword(keyword).is_some() {
                return kind;
            }
        }
        NewKind::Constant
    }
}
