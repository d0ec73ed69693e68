//! Parses expressions: operands joined by prefix, infix and postfix operators.
//!
//! Precedences are ranges. Of two neighbours the one whose range is entirely above binds first. Ranges that overlap
//! conflict, unless it is one operator that associates to the left.

use diag::{Code, Diagnostic, Span};

use super::{Failed, Parse, Parser};
use crate::ast::{ExprId, ExprKind};
use crate::op::{Assoc, Fixity, OpSym};
use crate::token::{Flags, Keyword, Token, TokenKind};

/// An operator that waits for its right operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub op: OpSym,
    pub token: Token,
    /// The left operand. `None` for a prefix operator.
    pub lhs: Option<ExprId>,
}

/// The owner of the operand between two neighbouring operators.
pub(super) enum Order {
    /// The left operator.
    Left,
    /// The right operator.
    Right,
    Conflict,
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        self.with_depth(|parser| {
            let mark = parser.pending.len();
            let result = parser.operators(mark);
            parser.pending.truncate(mark);
            result
        })
    }

    /// Reads an expression. The operators that it leaves pending are above `mark`.
    fn operators(&mut self, mark: usize) -> Parse<ExprId> {
        loop {
            self.prefix_operators(mark)?;
            let operand = self.operand()?;
            let mut operand = self.postfixes(operand, mark)?;
            match self.peek() {
                TokenKind::Op(op) if op.info().fixity == Fixity::Infix => {
                    operand = self.reduce_for(op, operand, mark)?;
                    let token = self.bump();
                    self.pending.push(Pending { op, token, lhs: Some(operand) });
                }
                TokenKind::ColonColon => {
                    operand = self.label_body(operand, mark)?;
                    return self.reduce_all(operand, mark);
                }
                _ => return self.reduce_all(operand, mark),
            }
        }
    }

    /// Reads `~`, `-`, `[]`, `SUBSET`, ... before an operand.
    fn prefix_operators(&mut self, mark: usize) -> Parse<()> {
        loop {
            let op = match self.peek() {
                TokenKind::Op(OpSym::Minus) => OpSym::Neg,
                // `-.` in an expression is a name: `-.(x)`.
                TokenKind::Op(OpSym::Neg) => return Ok(()),
                TokenKind::Op(op) if op.info().fixity == Fixity::Prefix => op,
                _ => return Ok(()),
            };
            if self.token().flags.contains(Flags::DEFINITION) {
                return Ok(());
            }
            let token = self.bump();
            self.pending.push(Pending { op, token, lhs: None });
            if self.pending.len() - mark > super::DEPTH_MAX as usize {
                let span = self.span_of(token);
                return Err(self.too_deep(span));
            }
        }
    }

    /// Reads `'`, `^+`, `.field`, `[argument]` after an operand.
    fn postfixes(&mut self, mut operand: ExprId, mark: usize) -> Parse<ExprId> {
        loop {
            operand = match self.peek() {
                TokenKind::Op(op) if op.info().fixity == Fixity::Postfix => {
                    operand = self.reduce_for(op, operand, mark)?;
                    let token = self.bump();
                    let op_span = self.span_of(token);
                    let span = self.expr_span(operand).to(op_span);
                    self.alloc(ExprKind::Postfix { op, op_span, operand }, span)?
                }
                TokenKind::Dot => self.field(operand)?,
                TokenKind::LBracket => self.application(operand)?,
                _ => return Ok(operand),
            };
        }
    }

    /// Closes the pending operators that bind tighter than `op`, which comes next.
    fn reduce_for(&mut self, op: OpSym, mut operand: ExprId, mark: usize) -> Parse<ExprId> {
        while let Some(left) = self.pending[mark..].last().copied() {
            match order(left.op, op) {
                Order::Left => operand = self.reduce_last(operand)?,
                Order::Right => break,
                Order::Conflict => {
                    let right = self.token();
                    return Err(self.precedence_conflict(left, op, right));
                }
            }
        }
        Ok(operand)
    }

    fn reduce_all(&mut self, mut operand: ExprId, mark: usize) -> Parse<ExprId> {
        while self.pending.len() > mark {
            operand = self.reduce_last(operand)?;
        }
        Ok(operand)
    }

    /// Gives the last pending operator its right operand.
    fn reduce_last(&mut self, rhs: ExprId) -> Parse<ExprId> {
        let Some(Pending { op, token, lhs }) = self.pending.pop() else { return Ok(rhs) };
        let op_span = self.span_of(token);
        let Some(lhs) = lhs else {
            let span = op_span.to(self.expr_span(rhs));
            return self.alloc(ExprKind::Prefix { op, op_span, operand: rhs }, span);
        };
        let span = self.expr_span(lhs).to(self.expr_span(rhs));
        if op == OpSym::Times {
            return self.product(lhs, rhs, span);
        }
        self.alloc(ExprKind::Infix { op, op_span, lhs, rhs }, span)
    }

    /// Makes a product. `A \X B \X C` is one product of three; `(A \X B) \X C` is not.
    fn product(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> Parse<ExprId> {
        let height = self.height(lhs).max(self.height(rhs) + 1);
        if let ExprKind::Product(factors) = &mut self.file.exprs[lhs].kind {
            factors.push(rhs);
            self.file.exprs[lhs].span = span;
            self.heights[base::Id::index(lhs)] = height;
            return Ok(lhs);
        }
        self.alloc(ExprKind::Product(vec![lhs, rhs]), span)
    }

    /// Checks that a labelled expression means the same without its label.
    pub(super) fn check_label(&mut self, body: ExprId, mark: usize) -> Parse<()> {
        let (ExprKind::Infix { op, .. } | ExprKind::Postfix { op, .. }) = self.file.exprs[body].kind else {
            return Ok(());
        };
        match self.pending[mark..].last().copied() {
            Some(left) if left.op.info().high >= op.info().low => {
                let span = self.expr_span(body);
                Err(self.label_changes_parse(left, span))
            }
            _ => Ok(()),
        }
    }

    fn label_changes_parse(&mut self, left: Pending, body: Span) -> Failed {
        let op = self.text_of(left.token);
        let headline = format!("this label would change what `{op}` applies to");
        let diagnostic = Diagnostic::new(Code::PrecedenceConflict, body, headline)
            .label("the labelled expression")
            .related(self.span_of(left.token), format!("`{op}` binds tighter than it"))
            .help("put the labelled expression in parentheses");
        self.report(diagnostic)
    }

    /// Reads an operator symbol where an operator may be an argument, or else an expression.
    pub(super) fn operator_or_expression(&mut self) -> Parse<ExprId> {
        if self.next_is_keyword(Keyword::Lambda) {
            return self.lambda();
        }
        match self.bare_operator() {
            Some(op) => {
                let token = self.bump();
                let span = self.span_of(token);
                self.alloc(ExprKind::Operator(op), span)
            }
            None => self.expression(),
        }
    }

    /// Returns the next token as an operator that is passed on, not applied.
    fn bare_operator(&self) -> Option<OpSym> {
        let TokenKind::Op(op) = self.peek() else { return None };
        let after = self.tokens[(self.at + 1).min(self.tokens.len() - 1)];
        if !starts_operand(self.peek_at(1)) || after.flags.contains(Flags::DEFINITION) {
            return Some(op);
        }
        let is_bullet = self.token().flags.contains(Flags::BULLET);
        let takes_operand = match op.info().fixity {
            Fixity::Prefix => op != OpSym::Neg,
            Fixity::Infix => op == OpSym::Minus || is_bullet,
            Fixity::Postfix => false,
        };
        // Any other symbol in front is applied only in the form `+(a, b)`.
        (!takes_operand && self.peek_at(1) != TokenKind::LParen).then_some(op)
    }
}

/// Decides which of two neighbours gets the operand between them.
pub(super) fn order(left: OpSym, right: OpSym) -> Order {
    let (l, r) = (left.info(), right.info());
    let chains = left == right && l.assoc == Assoc::Left;
    if l.low > r.high || chains {
        Order::Left
    } else if l.high < r.low {
        Order::Right
    } else {
        Order::Conflict
    }
}

pub(super) fn starts_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Ident
            | TokenKind::Number
            | TokenKind::String
            | TokenKind::Step
            | TokenKind::Op(_)
            | TokenKind::At
            | TokenKind::LParen
            | TokenKind::LBracket
            | TokenKind::LBrace
            | TokenKind::LAngle
            | TokenKind::Keyword(
                Keyword::Case
                    | Keyword::Choose
                    | Keyword::Exists
                    | Keyword::Forall
                    | Keyword::If
                    | Keyword::Let
                    | Keyword::StrongFairness
                    | Keyword::TemporalExists
                    | Keyword::TemporalForall
                    | Keyword::WeakFairness
            )
    )
}
