//! Finds where definitions start.
//!
//! The left side of `==` has no keyword before it, and nothing separates it from the expression before it. One pass
//! over the tokens looks back from each `==`, so that the parser recognises a definition at its first token, in good
//! text and in bad.
#![expect(clippy::wildcard_enum_match_arm, reason = "most tokens have no part in a left side")]

use crate::op::{Fixity, OpSym};
use crate::token::{Flags, Token, TokenKind};

/// Sets [`Flags::DEFINITION`] on the first token of every left side.
pub(crate) fn mark_definitions(tokens: &mut [Token]) {
    // The openers of `(` and `[` that are still open, and the opener of the last closed one.
    let mut open = Vec::new();
    let mut closed = None;
    for at in 0..tokens.len() {
        match tokens[at].kind {
            TokenKind::LParen | TokenKind::LBracket => open.push(at),
            TokenKind::RParen | TokenKind::RBracket => closed = open.pop(),
            TokenKind::DefEq => {
                if let Some(start) = left_side(tokens, at, closed) {
                    tokens[start].flags.insert(Flags::DEFINITION);
                }
                // An unclosed bracket of an earlier definition must not hide this one's.
                open.clear();
            }
            _ => {}
        }
    }
}

/// Returns the first token of the left side of the `==` at `def_eq`; `opener` belongs to the last bracket closed.
fn left_side(tokens: &[Token], def_eq: usize, opener: Option<usize>) -> Option<usize> {
    let kind = |back: usize| Some(tokens[def_eq.checked_sub(back)?].kind);
    let is_name = |back: usize| kind(back) == Some(TokenKind::Ident);
    // In `a == x /\`, a line end, `b == y`, the operator belongs to the first definition.
    let is_new_line = |back: usize| {
        let (name, start) = (tokens[def_eq - 1], tokens[def_eq - back]);
        name.flags.contains(Flags::LINE_START) && name.column <= start.column
    };
    match kind(1)? {
        TokenKind::RParen | TokenKind::RBracket => {
            let name = opener?.checked_sub(1)?;
            (tokens[name].kind == TokenKind::Ident).then_some(name)
        }
        TokenKind::Ident => Some(match kind(2) {
            Some(TokenKind::Op(op)) if op.info().fixity == Fixity::Infix && is_name(3) && !is_new_line(3) => {
                def_eq - 3
            }
            // In `op <- ~  x == e`, the symbol belongs to the substitution.
            Some(TokenKind::Op(op))
                if is_prefix(op) && kind(3) != Some(TokenKind::BackArrow) && !is_new_line(2) =>
            {
                def_eq - 2
            }
            _ => def_eq - 1,
        }),
        TokenKind::Op(op) if op.info().fixity == Fixity::Postfix && is_name(2) => Some(def_eq - 2),
        _ => None,
    }
}

fn is_prefix(op: OpSym) -> bool {
    op.info().fixity == Fixity::Prefix
}
