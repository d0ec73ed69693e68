//! Parses assignments to constants, and the few values that a configuration can write.

use diag::{Code, Diagnostic};

use super::MAX_ERRORS;
use super::lex::{Token, TokenKind};
use super::parse::{Parser, shorten};
use super::tree::{Args, Assignment, Path, RightSide, Value, ValueKind};
use crate::ast::Ident;

/// Limit on sets within sets. Deeper ones are refused, so that no walk over a value needs a deep stack.
const MAX_SET_DEPTH: usize = 256;

pub(super) const ARROW: &[&str] = &["<-", "←"];
/// Symbols that people write for `=`.
pub(super) const NEAR_EQUALS: &[&str] = &["==", ":=", "≜", "≔"];

/// The context of a value, which decides where a wrong one ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueContext {
    /// A value alone after `=`.
    Alone,
    /// An element of a set.
    Element,
    /// An argument in a line of a table.
    Argument,
}

/// Reading assignments.
impl Parser<'_> {
    pub fn assignments(&mut self) -> Vec<Assignment> {
        let mut list = Vec::new();
        while !Self::ends_statement(self.peek()) && self.errors.len() < MAX_ERRORS {
            if self.is_symbol(self.peek(), &[","]) {
                self.comma("assignments");
            } else if self.peek().kind == TokenKind::Bad {
                self.bump();
                self.skip_to_assignment();
            } else {
                list.extend(self.assignment());
            }
        }
        list
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let first = self.at;
        let lhs = self.path()?;
        let right = if self.eat_symbol(ARROW).is_some() {
            self.definition(&lhs)
        } else {
            let args = match self.is_symbol(self.peek(), &["("]) {
                true => Some(self.args(&lhs)?),
                false => None,
            };
            self.equals(&lhs, args.as_ref())?;
            self.assigned_value(&lhs, args)
        };
        let span = self.span_since(first);
        right.map(|right| Assignment { lhs, right, span })
    }

    /// Reads `A!B!c`, or an operator symbol.
    fn path(&mut self) -> Option<Path> {
        let token = self.bump();
        if !self.is_name(token) {
            let headline = format!("expected the name of a constant, found {}", self.describe(token));
            self.error(Diagnostic::new(Code::ConfigSyntax, self.span(token), headline));
            self.skip_to_assignment();
            return None;
        }
        let mut segments = vec![self.ident(token)];
        while let Some(bang) = self.eat_symbol(&["!"]) {
            let token = self.peek();
            if !self.is_name(token) {
                let headline = format!("expected a name after `!`, found {}", self.describe(token));
                self.error(Diagnostic::new(Code::ConfigSyntax, self.span(bang), headline));
                self.skip_to_assignment();
                return None;
            }
            self.bump();
            segments.push(self.ident(token));
        }
        Some(Path { segments })
    }

    /// Whether a token is a word, or an operator symbol other than the one that assigns.
    pub fn is_name(&self, token: Token) -> bool {
        token.kind == TokenKind::Word || Self::operator(token).is_some() && !self.is_symbol(token, &["="])
    }

    /// Takes `=`. Something similar is reported and accepted in its place.
    fn equals(&mut self, lhs: &Path, args: Option<&Args>) -> Option<()> {
        if self.eat_symbol(&["="]).is_some() {
            return Some(());
        }
        let token = self.peek();
        let near = self.is_symbol(token, NEAR_EQUALS);
        let on_its_line = !Self::ends_statement(token) && !self.starts_line(self.at);
        if near {
            self.bump();
        }
        let found = self.describe(token);
        if token.kind != TokenKind::Bad {
            let name = shorten(&self.text[lhs.span().range()]);
            let (left, symbols) = match args {
                Some(args) => (shorten(&self.text[lhs.span().to(args.span).range()]), "`=`"),
                None => (name.clone(), "`=` or `<-`"),
            };
            let headline = format!("expected {symbols} after `{left}`, found {found}");
            let place = if on_its_line { self.span(token) } else { lhs.span() };
            let help = format!("write `{left} = value`, or `{name} <- Definition`");
            self.error(Diagnostic::new(Code::ConfigSyntax, place, headline).help(help));
        }
        if near {
            return Some(());
        }
        // A word on a line of its own is the next name without a value, not the rest of this one.
        while !Self::ends_statement(self.peek()) && !self.starts_assignment(self.at) {
            if self.peek().kind == TokenKind::Word && self.starts_line(self.at) {
                break;
            }
            self.bump();
        }
        None
    }

    /// Reads `(1, "a")`.
    fn args(&mut self, lhs: &Path) -> Option<Args> {
        let first = self.at;
        let open = self.bump();
        let mut values = Vec::new();
        loop {
            values.extend(self.listed_value(lhs, 0, ValueContext::Argument));
            if self.eat_symbol(&[","]).is_none() {
                break;
            }
        }
        self.close(open, ")")?;
        Some(Args { values, span: self.span_since(first) })
    }

    /// Reads the text after `=`: `value` or `[Module] value`.
    fn assigned_value(&mut self, lhs: &Path, args: Option<Args>) -> Option<RightSide> {
        let module = self.opt_module();
        let first = self.at;
        if self.next_assignment_starts() {
            self.report_missing(lhs, "a value");
            return None;
        }
        let value = self.value(lhs, 0, ValueContext::Alone)?;
        let next = self.peek();
        let goes_on = matches!(next.kind, TokenKind::Symbol(_) | TokenKind::Number | TokenKind::String);
        if goes_on && !self.is_symbol(next, &[","]) && !self.starts_assignment(self.at) {
            self.expression_for_value(lhs, first, ValueContext::Alone);
            return None;
        }
        Some(RightSide::Value { args, module, value })
    }

    /// Reads the text after `<-`: `name` or `[Module] name`.
    fn definition(&mut self, lhs: &Path) -> Option<RightSide> {
        let module = self.opt_module();
        let first = self.at;
        let token = self.peek();
        let builtin = self.builtin(token);
        let is_name = token.kind == TokenKind::Word || Self::operator(token).is_some();
        if Self::ends_statement(token) || self.next_assignment_starts() {
            self.report_missing(lhs, "the name of a definition");
            return None;
        }
        if token.kind == TokenKind::Bad {
            self.skip_to_assignment();
            return None;
        }
        if is_name {
            self.bump();
            let next = self.peek();
            let goes_on = matches!(next.kind, TokenKind::Symbol(_) | TokenKind::Number | TokenKind::String);
            if !goes_on || self.is_symbol(next, &[","]) || self.starts_assignment(self.at) {
                return Some(match builtin {
                    Some(value) => RightSide::Value { args: None, module, value },
                    None => RightSide::Definition { module, name: self.ident(token) },
                });
            }
        }
        self.expression_for_definition(lhs, first);
        None
    }

    /// The value of a word of the language that stands where a definition is named. TLC: these count as definitions.
    fn builtin(&self, token: Token) -> Option<Value> {
        let span = self.span(token);
        let boolean = |value: bool| Value { kind: ValueKind::Bool(value), span };
        match self.token_text(token) {
            "TRUE" => Some(boolean(true)),
            "FALSE" => Some(boolean(false)),
            "BOOLEAN" => Some(Value { kind: ValueKind::Set(vec![boolean(false), boolean(true)]), span }),
            _ => None,
        }
    }

    /// Reads `[Module]`.
    fn opt_module(&mut self) -> Option<Ident> {
        let (name, close) = (self.peek_at(self.at + 1), self.peek_at(self.at + 2));
        let is_module = self.is_symbol(self.peek(), &["["])
            && name.kind == TokenKind::Word
            && self.is_symbol(close, &["]"]);
        if !is_module {
            return None;
        }
        self.at += 3;
        Some(self.ident(name))
    }
}

/// Reading values.
impl Parser<'_> {
    pub fn value(&mut self, lhs: &Path, depth: usize, place: ValueContext) -> Option<Value> {
        let token = self.peek();
        let text = self.token_text(token);
        let kind = match token.kind {
            TokenKind::Word if text == "TRUE" => ValueKind::Bool(true),
            TokenKind::Word if text == "FALSE" => ValueKind::Bool(false),
            TokenKind::Word => ValueKind::ModelValue(self.names.intern(text)),
            TokenKind::Number => ValueKind::Int(self.names.intern(text)),
            TokenKind::String => ValueKind::String(self.names.intern(&unescape(text))),
            TokenKind::Symbol(_) if text == "{" => return self.set(lhs, depth),
            TokenKind::Symbol(_) => {
                self.expression_for_value(lhs, self.at, place);
                return None;
            }
            TokenKind::Keyword(_) | TokenKind::End => {
                self.report_missing(lhs, "a value");
                return None;
            }
            TokenKind::Bad => {
                self.skip_wrong_value(place);
                return None;
            }
        };
        self.bump();
        Some(Value { kind, span: self.span(token) })
    }

    fn set(&mut self, lhs: &Path, depth: usize) -> Option<Value> {
        let first = self.at;
        let open = self.bump();
        if depth >= MAX_SET_DEPTH {
            let headline = format!("sets are nested more than {MAX_SET_DEPTH} deep");
            self.error(Diagnostic::new(Code::ConfigValue, self.span(open), headline));
            self.skip_to_keyword();
            return None;
        }
        let mut elements = Vec::new();
        if !self.is_symbol(self.peek(), &["}"]) {
            loop {
                elements.extend(self.listed_value(lhs, depth + 1, ValueContext::Element));
                if self.eat_symbol(&[","]).is_none() {
                    break;
                }
            }
        }
        self.close(open, "}")?;
        Some(Value { kind: ValueKind::Set(elements), span: self.span_since(first) })
    }

    /// Reads a value in a list. A wrong one is reported, and the list continues after it.
    fn listed_value(&mut self, lhs: &Path, depth: usize, place: ValueContext) -> Option<Value> {
        let first = self.at;
        if self.is_symbol(self.peek(), &[",", "}", ")"]) {
            let headline = format!("expected a value, found {}", self.describe(self.peek()));
            let span = self.span(self.peek());
            let help = match self.is_symbol(self.tokens[first - 1], &[","]) {
                true => "remove the comma, or write the value that is missing",
                false => "write the value that is missing",
            };
            self.error(Diagnostic::new(Code::ConfigSyntax, span, headline).help(help));
            return None;
        }
        let value = self.value(lhs, depth, place)?;
        let next = self.peek();
        let goes_on = matches!(next.kind, TokenKind::Symbol(_)) && !self.is_symbol(next, &[",", "}", ")"]);
        if goes_on && !self.next_assignment_starts() {
            self.expression_for_value(lhs, first, place);
            return None;
        }
        Some(value)
    }

    /// Takes the bracket that closes `open`, or reports its absence and gives up the assignment.
    fn close(&mut self, open: Token, bracket: &str) -> Option<()> {
        if self.eat_symbol(&[bracket]).is_some() {
            return Some(());
        }
        let token = self.peek();
        // After an error inside, a missing bracket is not worth a message.
        if token.kind != TokenKind::Bad && !self.has_reported_since(open) {
            let found = self.describe(token);
            let headline = format!("expected `,` or `{bracket}`, found {found}");
            let diagnostic = Diagnostic::new(Code::ConfigSyntax, self.span(token), headline);
            self.error(diagnostic.related(self.span(open), "opened here"));
        }
        self.skip_to_assignment();
        None
    }

    fn has_reported_since(&self, open: Token) -> bool {
        let last = self.errors.last().and_then(|error| error.primary.as_ref());
        last.is_some_and(|label| label.span.start >= open.start)
    }
}

/// Returns the characters of a string token. Escapes have their TLA+ meaning; TLC keeps them as written.
fn unescape(token: &str) -> String {
    let inner = token.strip_prefix('"').unwrap_or(token);
    let mut chars = inner.strip_suffix('"').unwrap_or(inner).chars();
    let mut text = String::with_capacity(inner.len());
    while let Some(next) = chars.next() {
        if next != '\\' {
            text.push(next);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('f') => text.push('\u{c}'),
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}
