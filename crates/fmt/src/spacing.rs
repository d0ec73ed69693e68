//! The number of spaces between two neighbours on a line.

use syntax::op::{Fixity, OpSym};
use syntax::token::{Keyword, TokenKind};

use crate::pieces::{Piece, PieceKind};

/// Two neighbours on a line, and the token before them.
#[derive(Clone, Copy)]
pub struct Neighbours<'a> {
    pub text: &'a str,
    pub before: Option<TokenKind>,
    pub left: &'a Piece,
    pub right: &'a Piece,
}

/// Spaces before a comment that ends its line.
const N_BEFORE_COMMENT: usize = 2;

/// Returns the number of spaces between the two.
pub fn spaces(neighbours: Neighbours<'_>) -> usize {
    let Neighbours { left, right, .. } = neighbours;
    match (left.kind, right.kind) {
        (_, PieceKind::LineComment) => N_BEFORE_COMMENT,
        (PieceKind::Token(left), PieceKind::Token(right)) => between(neighbours, left, right),
        (_, _) => 1,
    }
}

/// Whether an expression can end with this token.
#[expect(clippy::wildcard_enum_match_arm, reason = "no expression ends with the other tokens")]
pub fn ends_operand(kind: TokenKind) -> bool {
    use TokenKind::{At, Ident, Number, RAngle, RBrace, RBracket, RParen, String};
    match kind {
        Ident | Number | String | RParen | RBracket | RBrace | RAngle | At => true,
        TokenKind::Op(op) => op.info().fixity == Fixity::Postfix,
        _ => false,
    }
}

/// Whether an operand begins with this token in a way that nothing can run into.
fn begins_plainly(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Ident | TokenKind::Number | TokenKind::LParen)
}

fn between(neighbours: Neighbours<'_>, left: TokenKind, right: TokenKind) -> usize {
    use TokenKind as T;
    let as_written = neighbours.right.gap.min(1);
    match (left, right) {
        (_, T::Comma) => 0,
        (T::Comma, _) => 1,
        (T::LParen, T::Underscore) | (T::Underscore, T::RParen) => 0,
        (T::Underscore, _) | (_, T::Underscore) => as_written,
        // `(+)` would be another token.
        (T::Op(op), T::RParen | T::RBracket | T::RBrace | T::RAngle)
            if op.info().fixity != Fixity::Postfix =>
        {
            as_written
        }
        (_, T::RParen | T::RBracket | T::RBrace | T::RAngle | T::RBracketSub | T::RAngleSub) => 0,
        (T::LParen | T::LBracket | T::LBrace | T::LAngle, T::Op(op)) => match op.info().fixity {
            Fixity::Prefix if is_word(op) => 0,
            Fixity::Prefix | Fixity::Infix | Fixity::Postfix => as_written,
        },
        (T::LParen | T::LBracket | T::LBrace | T::LAngle, _) => 0,
        (T::RBracketSub | T::RAngleSub | T::Keyword(Keyword::WeakFairness | Keyword::StrongFairness), _) => 0,
        (T::Bang, T::Bang) => as_written,
        (T::Bang, _) => 0,
        (T::Keyword(_), T::Bang) => 1,
        (_, T::Bang) => 0,
        (T::Number, T::Dot) | (T::Dot, T::Number) => as_written,
        (T::Dot, _) | (_, T::Dot) => 0,
        (_, T::Op(op)) if op.info().fixity == Fixity::Postfix => 0,
        (T::Ident, T::LParen) => 0,
        (T::RParen | T::RAngle, T::LParen) => as_written,
        (_, T::LBracket) if ends_operand(left) => 0,
        (T::Op(op), _) => behind_operator(neighbours, op, right),
        (_, T::Op(op)) if is_tight(op) && ends_operand(left) => 0,
        _ => 1,
    }
}

/// Whether an operator is a word, such as `ENABLED`.
fn is_word(op: OpSym) -> bool {
    op.canonical().starts_with(char::is_alphabetic)
}

/// Whether an infix operator has no spaces around it.
fn is_tight(op: OpSym) -> bool {
    matches!(op, OpSym::DotDot | OpSym::Caret)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most tokens cannot run into an operator")]
fn behind_operator(neighbours: Neighbours<'_>, op: OpSym, right: TokenKind) -> usize {
    let as_written = neighbours.right.gap.min(1);
    let text = &neighbours.text[neighbours.left.range.clone()];
    let is_behind_operand = neighbours.before.is_some_and(ends_operand);
    if neighbours.before == Some(TokenKind::Bang) {
        // `M!+(a, b)`
        return if right == TokenKind::LParen { 0 } else { 1 };
    }
    match op.info().fixity {
        Fixity::Postfix => 1,
        // `[]` between the arms of CASE.
        Fixity::Prefix if op == OpSym::Box && is_behind_operand => 1,
        Fixity::Prefix if text.contains(char::is_alphabetic) || op == OpSym::Neg => 1,
        Fixity::Prefix => match right {
            TokenKind::Keyword(_) => 1,
            TokenKind::Op(next) if next.info().fixity == Fixity::Prefix => 0,
            TokenKind::Op(_) => as_written,
            _ => 0,
        },
        Fixity::Infix if op == OpSym::Minus && !is_behind_operand => {
            if begins_plainly(right) {
                0
            } else {
                as_written
            }
        }
        Fixity::Infix if is_tight(op) && is_behind_operand => match right {
            TokenKind::Op(OpSym::Minus) => 0,
            right => usize::from(!begins_plainly(right)),
        },
        Fixity::Infix => 1,
    }
}
