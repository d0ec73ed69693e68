//! Assignments that cannot be read: the messages, and where reading continues.

use diag::{Code, Diagnostic};

use super::lex::{Token, TokenKind, based_numeral_len};
use super::parse::{Parser, shorten};
use super::tree::Path;
use super::value::{ARROW, NEAR_EQUALS, ValueContext};

impl Parser<'_> {
    /// Reports that nothing, or a keyword, is where something must be.
    pub fn report_missing(&mut self, lhs: &Path, what: &str) {
        let token = self.peek();
        let name = shorten(&self.text[lhs.span().range()]);
        if matches!(token.kind, TokenKind::Keyword(_)) && !self.starts_line(self.at) {
            let headline = format!("{} cannot be {what}", self.describe(token));
            let diagnostic = Diagnostic::new(Code::ConfigValue, self.span(token), headline);
            self.error(diagnostic.help("choose another name; keywords end the list of assignments"));
            // With something after it on its line it is the next statement.
            if self.starts_line(self.at + 1) {
                self.bump();
            }
            return;
        }
        let headline = format!("`{name}` needs {what} after `{}`", self.token_text(self.tokens[self.at - 1]));
        let found = format!("found {}", self.describe(token));
        let diagnostic = Diagnostic::new(Code::ConfigSyntax, lhs.span(), headline);
        self.error(diagnostic.related(self.span(token), found));
    }

    /// Reports an expression where a value must be. It starts at token `first`.
    pub fn expression_for_value(&mut self, lhs: &Path, first: usize, place: ValueContext) {
        let what = self.expression_kind(first);
        self.skip_wrong_value(place);
        let span = self.span_since(first);
        let expression = shorten(&self.text[span.range()]);
        let diagnostic =
            Diagnostic::new(Code::ConfigValue, span, format!("a configuration cannot hold {what}")).note(
                "values here are decimal integers, strings, `TRUE`, `FALSE`, model values and sets of these",
            );
        let left = &self.text[lhs.span().range()];
        let diagnostic = match place {
            ValueContext::Element => diagnostic.help(advice(left, "{...}")),
            ValueContext::Argument => diagnostic.help(advice(left, "...")),
            ValueContext::Alone if based_numeral_len(&expression).is_some() => {
                diagnostic.help("write it in decimal")
            }
            ValueContext::Alone => diagnostic.help(advice(left, &expression)),
        };
        self.error(diagnostic);
    }

    /// Reports a value or an expression where the name of a definition must be.
    pub fn expression_for_definition(&mut self, lhs: &Path, first: usize) {
        self.at = first;
        let n_errors = self.errors.len();
        let is_value = self.value(lhs, 0, ValueContext::Alone).is_some();
        self.errors.truncate(n_errors);
        let next = self.peek();
        let ends =
            Self::ends_statement(next) || self.is_symbol(next, &[","]) || self.starts_assignment(self.at);
        let is_value = is_value && ends;
        if !is_value {
            self.at = first;
            self.bump();
            self.skip_wrong_value(ValueContext::Alone);
        }
        let span = self.span_since(first);
        let expression = shorten(&self.text[span.range()]);
        let left = &self.text[lhs.span().range()];
        let diagnostic = Diagnostic::new(Code::ConfigValue, span, "`<-` takes the name of a definition");
        self.error(match is_value {
            true => diagnostic.help(format!("write `{} = {expression}`", shorten(left))),
            false => diagnostic.help(advice(left, &expression)),
        });
    }

    /// Describes the expression that starts at token `first` for a message.
    fn expression_kind(&self, first: usize) -> &'static str {
        let (start, second) = (self.tokens[first], self.peek_at(first + 1));
        match (self.token_text(start), self.token_text(second)) {
            ("-", _) if second.kind == TokenKind::Number => "a negative integer",
            ("<<" | "⟨", _) => "a tuple",
            ("[", _) => "a record or a function",
            (_, ".." | "‥") => "a range",
            (text, _) if based_numeral_len(text).is_some() => "a numeral that is not decimal",
            _ => "an expression",
        }
    }

    pub fn skip_wrong_value(&mut self, place: ValueContext) {
        let mut depth = 0_usize;
        while !Self::ends_statement(self.peek()) {
            let listed_end = self.is_symbol(self.peek(), &[",", "}", ")"]) && place != ValueContext::Alone;
            let next_one = self.starts_assignment(self.at) && (depth == 0 || self.starts_line(self.at));
            if depth == 0 && listed_end || next_one {
                return;
            }
            let token = self.bump();
            if self.is_symbol(token, &["{", "(", "[", "<<"]) {
                depth += 1;
            } else if self.is_symbol(token, &["}", ")", "]", ">>"]) {
                depth = depth.saturating_sub(1);
            }
        }
    }

    pub fn skip_to_assignment(&mut self) {
        while !Self::ends_statement(self.peek()) && !self.starts_assignment(self.at) {
            self.bump();
        }
    }

    pub fn skip_to_keyword(&mut self) {
        while !Self::ends_statement(self.peek()) {
            self.bump();
        }
    }

    /// Whether the next token starts an assignment on a line of its own, so that this one is complete.
    pub fn next_assignment_starts(&self) -> bool {
        self.starts_line(self.at) && self.starts_assignment(self.at)
    }

    /// Whether an assignment seems to start at this token: a name and then `=`, `<-` or a table's arguments.
    pub fn starts_assignment(&self, index: usize) -> bool {
        let token = self.tokens[index];
        // The end of a path is not the start of one. This also keeps the scan from being repeated.
        let inside_path = index > 0 && self.is_symbol(self.tokens[index - 1], &["!"]);
        if !self.is_name(token) || inside_path {
            return false;
        }
        let mut next = index + 1;
        while self.is_symbol(self.peek_at(next), &["!"]) && self.peek_at(next + 1).kind == TokenKind::Word {
            next += 2;
        }
        let after = self.peek_at(next);
        let assigns = |token| self.is_symbol(token, &["="]) || self.is_symbol(token, NEAR_EQUALS);
        if self.is_symbol(after, &["("]) {
            return self.after_args(next + 1).is_some_and(|index| assigns(self.peek_at(index)));
        }
        assigns(after) || self.is_symbol(after, ARROW)
    }

    /// Returns the index after the `)` of arguments that start at `index`. Values have no parentheses in them.
    fn after_args(&self, index: usize) -> Option<usize> {
        let rest = self.tokens[index.min(self.tokens.len())..].iter();
        let end = rest.take_while(|token| !Self::ends_statement(**token));
        let paren = |(_, token): &(usize, &Token)| self.is_symbol(**token, &["(", ")"]);
        let (offset, token) = end.enumerate().find(paren)?;
        self.is_symbol(*token, &[")"]).then_some(index + offset + 1)
    }
}

/// Advises how to give a constant a value that a configuration cannot write.
fn advice(lhs: &str, expression: &str) -> String {
    let is_name = lhs.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = if is_name { lhs } else { "Const" };
    let lhs = shorten(lhs);
    format!("define it in the module, `{name}Value == {expression}`, and write `{lhs} <- {name}Value`")
}
