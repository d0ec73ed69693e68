//! Continues after an error: finds the next unit of the module.

use super::Parser;
use crate::lexer::N_ERRORS_MAX;
use crate::token::{Flags, Keyword, Token, TokenKind};

impl Parser<'_> {
    /// Skips the rest of a unit that failed; `first` is its first token.
    pub(super) fn recover(&mut self, first: Token) {
        let mut n_open_lets = std::mem::take(&mut self.n_open_lets);
        self.bullets.clear();
        self.pending.clear();
        self.proofs.clear();
        self.depth = 0;
        if self.diagnostics.len() >= N_ERRORS_MAX {
            self.at = self.tokens.len() - 1;
            return;
        }
        if self.token().start == first.start {
            self.bump();
        }
        while !self.at_unit_start(first, n_open_lets) {
            match self.bump().kind {
                TokenKind::Keyword(Keyword::Let) => n_open_lets += 1,
                TokenKind::Keyword(Keyword::In) => n_open_lets = n_open_lets.saturating_sub(1),
                TokenKind::Eof => return,
                _ => {}
            }
        }
    }

    /// Whether a unit starts at the next token, as far as that can be known inside one that failed.
    fn at_unit_start(&self, first: Token, n_open_lets: u32) -> bool {
        let token = self.token();
        if matches!(
            token.kind,
            TokenKind::ModuleStart | TokenKind::Separator | TokenKind::ModuleEnd | TokenKind::Eof
        ) {
            return true;
        }
        if !token.flags.contains(Flags::LINE_START) {
            return false;
        }
        let outdented = token.column <= first.column;
        let is_theorem = first.kind == TokenKind::Keyword(Keyword::Theorem);
        // Proofs and LETs hold definitions too.
        let in_unit = (n_open_lets > 0 || is_theorem) && !outdented;
        match token.kind {
            TokenKind::Keyword(Keyword::Theorem | Keyword::Axiom | Keyword::Assumption | Keyword::Local) => {
                true
            }
            TokenKind::Keyword(Keyword::Recursive) => !in_unit,
            // These also stand inside theorems and proofs.
            TokenKind::Keyword(
                Keyword::Variable
                | Keyword::Constant
                | Keyword::Assume
                | Keyword::Instance
                | Keyword::Use
                | Keyword::Hide,
            ) => outdented,
            _ if token.flags.contains(Flags::DEFINITION) => !in_unit,
            // A definition with a mistake in its left side has no mark.
            TokenKind::Ident => outdented && self.line_defines(),
            _ => false,
        }
    }

    /// Skips a module whose header failed.
    pub(super) fn skip_module(&mut self) {
        let mut n_open = 1_usize;
        while n_open > 0 {
            match self.bump().kind {
                TokenKind::ModuleStart => n_open += 1,
                TokenKind::ModuleEnd => n_open -= 1,
                TokenKind::Eof => return,
                _ => {}
            }
        }
    }
}
