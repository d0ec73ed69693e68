//! Parses definitions and instances: `F(x) == e`, `a + b == e`, `f[x \in S] == e`, `I == INSTANCE M WITH ...`.

use super::{Failed, Parse, Parser};
use crate::ast::{Bound, ExprId, Ident, Instance, OpDecl, OpHead, Substitution, UnitKind};
use crate::op::{Fixity, OpSym};
use crate::token::{Keyword, TokenKind};

/// The left side of `==`.
enum LeftSide {
    Operator(OpHead),
    Function { name: Ident, bounds: Vec<Bound> },
}

impl LeftSide {
    fn into_unit(self, body: ExprId) -> UnitKind {
        match self {
            LeftSide::Operator(head) => UnitKind::Operator { head, body },
            LeftSide::Function { name, bounds } => UnitKind::Function { name, bounds, body },
        }
    }
}

impl Parser<'_> {
    /// Reads a definition in a LET or in a proof. When its body fails, so does the surrounding form.
    pub(super) fn definition(&mut self) -> Parse<UnitKind> {
        let left = self.left_side()?;
        if self.next_is_keyword(Keyword::Instance) {
            return self.named_instance(left);
        }
        let body = self.expression()?;
        Ok(left.into_unit(body))
    }

    /// Reads a definition of a module. It is kept when its body fails, so that its name is known.
    pub(super) fn unit_definition(&mut self) -> Parse<UnitKind> {
        let left = self.left_side()?;
        if self.next_is_keyword(Keyword::Instance) {
            return self.named_instance(left);
        }
        let body = match self.expression() {
            Ok(body) => body,
            Err(Failed) => {
                self.gave_up = true;
                self.error_expr()
            }
        };
        Ok(left.into_unit(body))
    }

    fn named_instance(&mut self, left: LeftSide) -> Parse<UnitKind> {
        match left {
            LeftSide::Operator(head) => Ok(UnitKind::NamedInstance { head, instance: self.instance()? }),
            LeftSide::Function { .. } => Err(self.report_unexpected("an expression")),
        }
    }

    /// Reads everything up to and including `==`.
    fn left_side(&mut self) -> Parse<LeftSide> {
        let left = match (self.peek(), self.peek_at(1)) {
            (TokenKind::Ident, TokenKind::LBracket) => self.function_left()?,
            (TokenKind::Ident, TokenKind::Op(op)) => LeftSide::Operator(self.symbol_left(op)?),
            (TokenKind::Ident, _) => LeftSide::Operator(self.name_left()?),
            (TokenKind::Op(op), _) => {
                let token = self.bump();
                let params = vec![self.plain_param()?];
                LeftSide::Operator(OpHead { name: self.symbol(op, token), params })
            }
            _ => return Err(self.report_unexpected("a definition")),
        };
        self.expect(TokenKind::DefEq, "`==`")?;
        Ok(left)
    }

    fn function_left(&mut self) -> Parse<LeftSide> {
        let name = self.defined_name()?;
        let opener = self.bump();
        let bounds = self.comma_list(Self::bound)?;
        self.expect_closing(TokenKind::RBracket, opener)?;
        Ok(LeftSide::Function { name, bounds })
    }

    /// Reads `a + b`, `a^#`.
    fn symbol_left(&mut self, op: OpSym) -> Parse<OpHead> {
        let mut params = vec![OpDecl { name: self.defined_name()?, arity: 0 }];
        let token = self.bump();
        if op.info().fixity == Fixity::Infix {
            params.push(self.plain_param()?);
        }
        Ok(OpHead { name: self.symbol(op, token), params })
    }

    /// Reads `F`, `F(a, G(_), _+_)`.
    fn name_left(&mut self) -> Parse<OpHead> {
        let name = self.defined_name()?;
        let mut params = Vec::new();
        if self.next_is(TokenKind::LParen) {
            let opener = self.bump();
            params = self.comma_list(Self::declared_operator)?;
            self.expect_closing(TokenKind::RParen, opener)?;
        }
        Ok(OpHead { name, params })
    }

    fn plain_param(&mut self) -> Parse<OpDecl> {
        Ok(OpDecl { name: self.ident("a parameter name")?, arity: 0 })
    }

    /// Reads `INSTANCE M WITH a <- b, + <- Plus`.
    pub(super) fn instance(&mut self) -> Parse<Instance> {
        let first = self.bump();
        let module = self.module_name()?;
        let mut substitutions = Vec::new();
        if self.eat_keyword(Keyword::With).is_some() {
            substitutions.push(self.substitution()?);
            // A comma may also belong to the form around the instance.
            while self.next_is(TokenKind::Comma) && self.peek_at(2) == TokenKind::BackArrow {
                self.bump();
                substitutions.push(self.substitution()?);
            }
        }
        Ok(Instance { module, substitutions, span: self.span_from(first) })
    }

    fn substitution(&mut self) -> Parse<Substitution> {
        let target = match self.peek() {
            TokenKind::Op(op) => {
                let token = self.bump();
                self.symbol(op, token)
            }
            _ => self.ident("the name that is substituted")?,
        };
        self.expect(TokenKind::BackArrow, "`<-`")?;
        Ok(Substitution { target, value: self.operator_or_expression()? })
    }

    /// Reads the name of a module, which may be a reserved word.
    pub(super) fn module_name(&mut self) -> Parse<Ident> {
        if !self.next_is_field_name() {
            return Err(self.report_unexpected("a module name"));
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }
}
