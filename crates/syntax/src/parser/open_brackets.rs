//! Finds brackets that are never closed by counting tokens. The place where parsing stops says little about where one
//! is missing.

use super::Parser;
use crate::token::{Flags, Keyword, Token, TokenKind};

/// Number of tokens that are examined.
const LOOK_MAX: usize = 4_000;

impl Parser<'_> {
    /// Whether the form around the next token is closed later in its unit, by a token of the kind `closing`.
    pub(super) fn closes_later(&self, closing: TokenKind) -> bool {
        let mut n_open = 0_usize;
        for token in self.tokens[self.at..].iter().take(LOOK_MAX) {
            if self.ends_unit(*token) {
                return false;
            }
            match bracket(token.kind) {
                Some(Bracket::Opening) => n_open += 1,
                Some(Bracket::Closing) if n_open > 0 => n_open -= 1,
                Some(Bracket::Closing) => return token.kind == closing,
                None => {}
            }
        }
        false
    }

    /// Returns the innermost bracket of this unit that is open before the next token.
    pub(super) fn open_bracket(&self) -> Option<Token> {
        let mut n_closed = 0_usize;
        for token in self.tokens[..self.at].iter().rev().take(LOOK_MAX) {
            match bracket(token.kind) {
                Some(Bracket::Closing) => n_closed += 1,
                Some(Bracket::Opening) if n_closed > 0 => n_closed -= 1,
                Some(Bracket::Opening) => return Some(*token),
                None => {}
            }
            if token.flags.contains(Flags::LINE_START) && token.flags.contains(Flags::DEFINITION) {
                return None;
            }
        }
        None
    }

    /// Whether the next token begins something else, so that open brackets stay open.
    pub(super) fn at_unit_end(&self) -> bool {
        self.ends_unit(self.token())
    }

    fn ends_unit(&self, token: Token) -> bool {
        let starts_line = token.flags.contains(Flags::LINE_START);
        match token.kind {
            TokenKind::Eof | TokenKind::ModuleEnd | TokenKind::ModuleStart | TokenKind::Separator => true,
            TokenKind::Keyword(
                Keyword::Theorem
                | Keyword::Axiom
                | Keyword::Assumption
                | Keyword::Local
                | Keyword::Variable
                | Keyword::Constant,
            ) => starts_line,
            _ => starts_line && token.flags.contains(Flags::DEFINITION) && self.n_open_lets == 0,
        }
    }
}

enum Bracket {
    Opening,
    Closing,
}

fn bracket(kind: TokenKind) -> Option<Bracket> {
    match kind {
        TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace | TokenKind::LAngle => {
            Some(Bracket::Opening)
        }
        TokenKind::RParen
        | TokenKind::RBracket
        | TokenKind::RBracketSub
        | TokenKind::RBrace
        | TokenKind::RAngle
        | TokenKind::RAngleSub => Some(Bracket::Closing),
        _ => None,
    }
}
