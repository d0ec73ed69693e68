//! Parses literals and names that stand for values: numbers, strings, `TRUE`, `BOOLEAN`, `@`.

use super::{Parse, Parser};
use crate::ast::{BuiltinSet, ExprId, ExprKind};
use crate::token::TokenKind;

/// Whether the language defines a name, which no module may define.
pub(super) fn is_builtin_name(name: &str) -> bool {
    matches!(name, "TRUE" | "FALSE" | "BOOLEAN" | "STRING")
}

impl Parser<'_> {
    pub(super) fn next_is_builtin_name(&self) -> bool {
        is_builtin_name(self.text_of(self.token()))
    }

    pub(super) fn name_or_builtin(&mut self) -> Parse<ExprId> {
        let kind = match self.text_of(self.token()) {
            "TRUE" => ExprKind::Bool(true),
            "FALSE" => ExprKind::Bool(false),
            "BOOLEAN" => ExprKind::BuiltinSet(BuiltinSet::Boolean),
            "STRING" => ExprKind::BuiltinSet(BuiltinSet::String),
            _ => return self.path(),
        };
        let token = self.bump();
        let span = self.span_of(token);
        self.alloc(kind, span)
    }

    pub(super) fn at_sign(&mut self) -> Parse<ExprId> {
        let token = self.bump();
        let span = self.span_of(token);
        self.alloc(ExprKind::At, span)
    }

    /// Reads `42`, `\hFF`, `1.5`.
    pub(super) fn number(&mut self) -> Parse<ExprId> {
        let whole = self.bump();
        if self.next_is(TokenKind::Dot) && self.peek_at(1) == TokenKind::Number {
            self.bump();
            let fraction = self.bump();
            let name = self.names.intern(&format!("{}.{}", self.text_of(whole), self.text_of(fraction)));
            let span = self.span_from(whole);
            return self.alloc(ExprKind::Decimal(name), span);
        }
        let name = self.name_of(whole);
        let span = self.span_of(whole);
        self.alloc(ExprKind::Number(name), span)
    }

    /// Reads `.5`, kept as `0.5`.
    pub(super) fn fraction(&mut self) -> Parse<ExprId> {
        let dot = self.bump();
        let digits = self.bump();
        let name = self.names.intern(&format!("0.{}", self.text_of(digits)));
        let span = self.span_from(dot);
        self.alloc(ExprKind::Decimal(name), span)
    }

    pub(super) fn string(&mut self) -> Parse<ExprId> {
        let token = self.bump();
        let name = self.names.intern(&resolve_escapes(self.text_of(token)));
        let span = self.span_of(token);
        self.alloc(ExprKind::String(name), span)
    }
}

/// Returns the characters of a string literal. The lexer has reported bad escapes and missing quotes, so these are
/// taken as they are.
fn resolve_escapes(literal: &str) -> String {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut chars = inner.chars();
    let mut value = String::with_capacity(inner.len());
    while let Some(next) = chars.next() {
        match next {
            '\\' => push_escaped(&mut value, chars.next()),
            other => value.push(other),
        }
    }
    value
}

fn push_escaped(value: &mut String, escaped: Option<char>) {
    match escaped {
        Some('n') => value.push('\n'),
        Some('t') => value.push('\t'),
        Some('r') => value.push('\r'),
        Some('f') => value.push('\u{C}'),
        Some('*') => value.push_str("\\*"),
        other => value.extend(other),
    }
}
