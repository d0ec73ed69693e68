//! Parses junction lists: `/\` or `\/` as bullets in one column.

use super::{Parse, Parser};
use crate::ast::{ExprId, ExprKind, JunctionKind};
use crate::op::OpSym;
use crate::token::{Flags, TokenKind};

impl Parser<'_> {
    /// Reads a junction list. Every token of an item is right of the bullets; the list ends at a token that is not and
    /// is no bullet.
    pub(super) fn junction(&mut self, op: OpSym) -> Parse<ExprId> {
        let kind = if op == OpSym::And { JunctionKind::And } else { JunctionKind::Or };
        let first = self.token();
        let mut items = Vec::new();
        self.bullets.push(first);
        loop {
            self.bump();
            items.push(self.expression()?);
            let next = self.token();
            let is_bullet = next.kind == TokenKind::Op(op) && next.flags.contains(Flags::BULLET);
            if !is_bullet || next.column != first.column {
                break;
            }
        }
        self.bullets.pop();
        let span = self.span_from(first);
        self.alloc(ExprKind::Junction { kind, items }, span)
    }
}
