//! Parses statements of theorems and proof steps, and the facts that `BY`, `USE` and `HIDE` list.

use super::{Parse, Parser};
use crate::ast::{Assumption, ExprId, ExprKind, Fact, UseHide, UseKind};
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    /// Reads an expression or an ASSUME/PROVE.
    pub(super) fn statement(&mut self) -> Parse<ExprId> {
        match self.peek() {
            TokenKind::Keyword(Keyword::Assume | Keyword::BoxAssume) => self.assume_prove(),
            _ => self.expression(),
        }
    }

    /// Reads `ASSUME a, NEW b PROVE c`.
    fn assume_prove(&mut self) -> Parse<ExprId> {
        self.with_depth(|parser| {
            let first = parser.bump();
            let assumptions = parser.comma_list(Self::one_assumption)?;
            parser.expect_prove(first)?;
            let goal = parser.expression()?;
            let span = parser.span_from(first);
            parser.alloc(ExprKind::AssumeProve { assumptions, goal }, span)
        })
    }

    /// Takes `PROVE` for `ASSUME`, and `[]PROVE` for `[]ASSUME`.
    fn expect_prove(&mut self, assume: Token) -> Parse<()> {
        let (keyword, expected) = match assume.kind {
            TokenKind::Keyword(Keyword::BoxAssume) => (Keyword::BoxProve, "`,` or `[]PROVE`"),
            _ => (Keyword::Prove, "`,` or `PROVE`"),
        };
        self.expect_keyword_of(keyword, expected, assume).map(|_| ())
    }

    fn one_assumption(&mut self) -> Parse<Assumption> {
        if self.next_is_new() {
            return self.new_symbol();
        }
        Ok(Assumption::Fact(self.labelled_statement()?))
    }

    /// Reads a statement inside an ASSUME/PROVE. Only there may a nested one have a label.
    fn labelled_statement(&mut self) -> Parse<ExprId> {
        let is_label = self.next_is(TokenKind::Ident)
            && self.peek_at(1) == TokenKind::ColonColon
            && matches!(self.peek_at(2), TokenKind::Keyword(Keyword::Assume | Keyword::BoxAssume));
        if !is_label {
            return self.statement();
        }
        let first = self.token();
        let name = self.ident("a label")?;
        self.bump();
        let body = self.with_depth(|parser| parser.labelled_statement())?;
        let span = self.span_from(first);
        self.alloc(ExprKind::Label { name, params: Vec::new(), body }, span)
    }

    /// Reads `BY ...`, `USE ...`, `HIDE ...`.
    pub(super) fn use_hide(&mut self) -> Parse<UseHide> {
        let first = self.bump();
        let kind = match first.kind {
            TokenKind::Keyword(Keyword::Use) => UseKind::Use,
            TokenKind::Keyword(Keyword::Hide) => UseKind::Hide,
            _ => UseKind::By,
        };
        let only = kind != UseKind::Hide && self.eat_keyword(Keyword::Only).is_some();
        let facts = if self.next_is_fact() { self.comma_list(Self::fact)? } else { Vec::new() };
        let defs = match self.eat_keyword(Keyword::Def) {
            Some(_) => self.comma_list(Self::definition_fact)?,
            None => Vec::new(),
        };
        if facts.is_empty() && defs.is_empty() {
            return Err(self.report_unexpected("a fact, `MODULE` or `DEF`"));
        }
        Ok(UseHide { kind, only, facts, defs })
    }

    fn next_is_fact(&self) -> bool {
        match self.peek() {
            TokenKind::Keyword(Keyword::Module) => true,
            // `<1>a` is a fact, `<1>a.` and `<1>` start the next step.
            TokenKind::Step => self.next_is_step_reference(),
            kind => super::expression::starts_operand(kind) && !self.next_is_definition(),
        }
    }

    fn fact(&mut self) -> Parse<Fact> {
        match self.eat_keyword(Keyword::Module) {
            Some(_) => Ok(Fact::Module(self.module_name()?)),
            None => Ok(Fact::Expr(self.expression()?)),
        }
    }

    fn definition_fact(&mut self) -> Parse<Fact> {
        match self.eat_keyword(Keyword::Module) {
            Some(_) => Ok(Fact::Module(self.module_name()?)),
            None => Ok(Fact::Expr(self.operator_or_expression()?)),
        }
    }
}
