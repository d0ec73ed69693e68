//! Expressions of an algorithm as expressions of an action: variables that have a next value are primed, and those that are
//! functions on processes get the process as their subscript.

use super::Generator;
use super::changed::Changed;
use crate::expr::{Expr, Token, TokenKind};

/// `self`.
pub fn self_expr() -> Expr {
    Expr::new(vec![vec![Token::new("self", 0, TokenKind::Identifier)]])
}

/// `[this]`.
pub fn subscript(this: &Expr) -> Expr {
    let mut expr = this.clone();
    expr.normalize();
    let mut lines = expr.lines;
    lines.iter_mut().flatten().for_each(|token| token.column += 1);
    if let Some(first) = lines.first_mut() {
        first.insert(0, Token::new("[", 0, TokenKind::BuiltIn));
    }
    let mut bracketed = Expr::new(lines);
    bracketed.push_behind("]", TokenKind::BuiltIn, 0);
    bracketed
}

impl Generator<'_> {
    /// Whether a variable is a function on processes.
    pub(super) fn is_subscripted(&self, name: &str) -> bool {
        self.subscripted.iter().any(|variable| variable == name)
    }

    /// The expression in an action that has given `changed` next values; `subscript` is `[process]` where there are processes.
    pub(super) fn in_action(&self, expr: &Expr, subscript: Option<&Expr>, changed: &Changed<'_>) -> Expr {
        let mut expr = expr.clone();
        expr.normalize();
        let mut substitutions: Vec<(String, Expr)> = Vec::new();
        for token in expr.tokens() {
            let is_identifier = token.kind == TokenKind::Identifier;
            let is_primed = is_identifier && changed.is_changed(&token.text);
            let has_subscript = subscript.is_some()
                && (token.kind == TokenKind::Added
                    || (self.has_processes() && is_identifier && self.is_subscripted(&token.text)));
            if !(is_primed || has_subscript) || substitutions.iter().any(|(name, _)| *name == token.text) {
                continue;
            }
            let mut by = Expr::new(vec![vec![Token { column: 0, ..token.clone() }]]);
            if is_primed {
                by.push_behind("'", TokenKind::BuiltIn, 0);
            }
            if let (true, Some(subscript)) = (has_subscript, subscript) {
                let front = by;
                by = subscript.clone();
                by.normalize();
                by.prepend(&front, 0);
            }
            substitutions.push((token.text.clone(), by));
        }
        if !substitutions.is_empty() {
            expr.substitute(&substitutions, false);
        }
        expr
    }
}
