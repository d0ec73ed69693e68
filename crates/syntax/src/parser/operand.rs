//! Parses operands, which stand between operators. Each form that starts with a word of its own is here; the bracketed
//! forms have files of their own.

use diag::{Code, Diagnostic};

use super::{Failed, Parse, Parser};
use crate::ast::{ExprId, ExprKind, Fairness, Ident, Quantifier, UnboundedQuantifier, Unit, UnitKind};
use crate::op::{Fixity, OpSym};
use crate::token::{Flags, Keyword, TokenKind};

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Parse<ExprId> {
        if self.next_is_definition() {
            return Err(self.report_unexpected("an expression"));
        }
        match self.peek() {
            TokenKind::Ident => self.name_or_builtin(),
            TokenKind::Step => self.step_reference(),
            TokenKind::Number => self.number(),
            TokenKind::Dot if self.peek_at(1) == TokenKind::Number => self.fraction(),
            TokenKind::String => self.string(),
            TokenKind::At => self.at_sign(),
            TokenKind::LParen => self.parentheses(),
            TokenKind::LBrace => self.braces(),
            TokenKind::LBracket => self.brackets(),
            TokenKind::LAngle => self.angles(),
            TokenKind::Op(op) => self.operator_operand(op),
            TokenKind::Keyword(keyword) => self.keyword_operand(keyword),
            _ => Err(self.report_unexpected("an expression")),
        }
    }

    fn keyword_operand(&mut self, keyword: Keyword) -> Parse<ExprId> {
        match keyword {
            Keyword::Forall => self.quantifier(Quantifier::Forall),
            Keyword::Exists => self.quantifier(Quantifier::Exists),
            Keyword::TemporalForall => self.temporal_quantifier(UnboundedQuantifier::TemporalForall),
            Keyword::TemporalExists => self.temporal_quantifier(UnboundedQuantifier::TemporalExists),
            Keyword::Choose => self.choose(),
            Keyword::If => self.conditional(),
            Keyword::Case => self.case(),
            Keyword::Let => self.let_in(),
            Keyword::WeakFairness => self.fairness(Fairness::Weak),
            Keyword::StrongFairness => self.fairness(Fairness::Strong),
            _ => Err(self.report_unexpected("an expression")),
        }
    }

    /// Reads a symbol where an operand should be: a junction list, or the form `+(a, b)`.
    fn operator_operand(&mut self, op: OpSym) -> Parse<ExprId> {
        if self.token().flags.contains(Flags::BULLET) {
            return self.junction(op);
        }
        let can_be_called = op.info().fixity != Fixity::Prefix || op == OpSym::Neg;
        if can_be_called && matches!(self.peek_at(1), TokenKind::LParen | TokenKind::Bang) {
            return self.symbol_path(op);
        }
        Err(self.report_unexpected("an expression"))
    }

    /// Reads `(e)`.
    pub(super) fn parentheses(&mut self) -> Parse<ExprId> {
        let opener = self.bump();
        let inner = self.expression()?;
        if self.next_is(TokenKind::Comma) && self.minus_before(opener) {
            return self.minus_call(inner, opener);
        }
        self.expect_closing(TokenKind::RParen, opener)?;
        let span = self.span_from(opener);
        self.alloc(ExprKind::Paren(inner), span)
    }

    /// Reads `LAMBDA x, y : e`.
    pub(super) fn lambda(&mut self) -> Parse<ExprId> {
        let first = self.bump();
        let params = self.comma_list(|parser| parser.ident("a parameter name"))?;
        self.expect(TokenKind::Colon, "`,` or `:`")?;
        let body = self.expression()?;
        let span = self.span_from(first);
        self.alloc(ExprKind::Lambda { params, body }, span)
    }

    /// Reads `IF p THEN a ELSE b`.
    fn conditional(&mut self) -> Parse<ExprId> {
        let first = self.bump();
        let condition = self.expression()?;
        self.expect_keyword_of(Keyword::Then, "`THEN`", first)?;
        let then = self.expression()?;
        self.expect_keyword_of(Keyword::Else, "`ELSE`", first)?;
        let otherwise = self.expression()?;
        let span = self.span_from(first);
        self.alloc(ExprKind::If { condition, then, otherwise }, span)
    }

    /// Reads `CASE p -> a [] q -> b [] OTHER -> c`.
    fn case(&mut self) -> Parse<ExprId> {
        let first = self.bump();
        let mut arms = vec![self.case_arm()?];
        let mut other = None;
        while self.eat(TokenKind::Op(OpSym::Box)).is_some() {
            if self.eat_keyword(Keyword::Other).is_some() {
                self.expect(TokenKind::Arrow, "`->`")?;
                other = Some(self.expression()?);
                break;
            }
            arms.push(self.case_arm()?);
        }
        let span = self.span_from(first);
        self.alloc(ExprKind::Case { arms, other }, span)
    }

    fn case_arm(&mut self) -> Parse<(ExprId, ExprId)> {
        let guard = self.expression()?;
        self.expect(TokenKind::Arrow, "`->`")?;
        Ok((guard, self.expression()?))
    }

    /// Reads `LET defs IN e`.
    fn let_in(&mut self) -> Parse<ExprId> {
        let first = self.bump();
        self.n_open_lets += 1;
        let mut units = vec![self.let_unit("a definition")?];
        while !self.next_is_keyword(Keyword::In) {
            units.push(self.let_unit("a definition or `IN`")?);
        }
        self.bump();
        self.n_open_lets -= 1;
        let body = self.expression()?;
        let span = self.span_from(first);
        self.alloc(ExprKind::Let { units, body }, span)
    }

    fn let_unit(&mut self, expected: &str) -> Parse<Unit> {
        let first = self.token();
        let kind = if self.next_is_keyword(Keyword::Recursive) {
            self.bump();
            UnitKind::Recursive(self.comma_list(Self::declared_operator)?)
        } else if self.next_is_definition() {
            self.definition()?
        } else {
            return Err(self.report_unexpected(expected));
        };
        Ok(Unit { kind, span: self.span_from(first), local: false })
    }

    /// Reads `WF_v(A)`, `SF_v(A)`.
    fn fairness(&mut self, kind: Fairness) -> Parse<ExprId> {
        let first = self.bump();
        let (subscript, action) = if self.next_is(TokenKind::Ident) && !self.next_is_builtin_name() {
            self.fairness_path(first)?
        } else {
            let subscript = self.subscript()?;
            (subscript, self.fairness_action(first)?)
        };
        let span = self.span_from(first);
        self.alloc(ExprKind::Fairness { kind, subscript, action }, span)
    }

    /// Reads `v`, `(e)`, `<<a, b>>`, `{...}` or `[...]` after `]_`, `>>_`, `WF_`, `SF_`.
    pub(super) fn subscript(&mut self) -> Parse<ExprId> {
        match self.peek() {
            TokenKind::Ident if self.next_is_builtin_name() => self.name_or_builtin(),
            TokenKind::Ident => self.subscript_path(),
            _ => self.bracketed_subscript(),
        }
    }

    fn bracketed_subscript(&mut self) -> Parse<ExprId> {
        self.with_depth(|parser| match parser.peek() {
            TokenKind::LParen => parser.parentheses(),
            TokenKind::LBrace => parser.braces(),
            TokenKind::LBracket => parser.brackets(),
            TokenKind::LAngle => parser.angles(),
            _ => {
                Err(parser
                    .report_unexpected("the variables that this is about, such as `vars` or `<<x, y>>`"))
            }
        })
    }

    /// Reads `name :: body` after the name, or the call, that is the label.
    pub(super) fn label_body(&mut self, label: ExprId, mark: usize) -> Parse<ExprId> {
        let (name, params) = self.label_parts(label)?;
        self.bump();
        let body = self.expression()?;
        self.check_label(body, mark)?;
        let span = self.expr_span(label).to(self.expr_span(body));
        self.alloc(ExprKind::Label { name, params, body }, span)
    }

    /// Returns the name and the parameters of `lab` or `lab(x, y)`.
    fn label_parts(&mut self, label: ExprId) -> Parse<(Ident, Vec<Ident>)> {
        match self.opt_label(label) {
            Some(parts) => Ok(parts),
            None => Err(self.not_a_label(label)),
        }
    }

    fn not_a_label(&mut self, expr: ExprId) -> Failed {
        let colons = self.span_of(self.token());
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, self.expr_span(expr), "this is not a label")
            .label("expected a name, or a name with bound names in parentheses")
            .related(colons, "`::` follows a label");
        self.report(diagnostic)
    }
}
