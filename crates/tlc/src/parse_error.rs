//! Syntax errors in the words of TLC's parser: the token that it met, its place, the token before it, and
//! what the parser expected if the tokens around show it.
//!
//! TLC: it finds definitions among the tokens before it parses, by the tokens before each `==`. So a
//! definition can begin earlier than a reader expects: in `x = Next == ...` it begins at `x`, like a
//! definition of the operator `=`.

use base::Names;
use diag::{Code, Diagnostic, Span};
use sema::Spec;
use syntax::op::{Fixity, OpSym};

use super::place;

/// Returns the lines between the name of the parsed file and the stack of the parser's rules.
pub fn lines(spec: &Spec, error: &Diagnostic) -> Option<String> {
    let span = error.met.or(error.primary.as_ref().map(|label| label.span))?;
    let text: &str = spec.sources.file(span.source).text();
    if error.code == Code::StrayCharacter || error.code == Code::UnterminatedString {
        return Some(lexical(text, span, error.code));
    }
    let words = match conflict(spec, error, span) {
        Some(words) => words,
        None => Met::new(text, error, span).words(),
    };
    Some(format!("***Parse Error***\n{words}\n"))
}

/// Returns the message about a character that belongs to no token.
fn lexical(text: &str, span: Span, code: Code) -> String {
    let start = span.start as usize;
    let read = if code == Code::UnterminatedString {
        text[start..].lines().next().unwrap_or_default()
    } else if text[start..].starts_with('?') {
        // The only operator of which one character is none.
        "?"
    } else {
        ""
    };
    let at = start + read.len();
    let (line, column) = position(text, at);
    let read = escape(read);
    match text[at..].chars().next() {
        Some(met) => {
            let number = met as u32;
            let met = escape(met.encode_utf8(&mut [0; 4]));
            format!(
                "Lexical error at line {line}, column {column}.  Encountered: \"{met}\" ({number}), after : \"{read}\""
            )
        }
        None => {
            format!("Lexical error at line {line}, column {column}.  Encountered: <EOF> after : \"{read}\"")
        }
    }
}

/// Returns the message about two operators of which neither binds tighter.
fn conflict(spec: &Spec, error: &Diagnostic, span: Span) -> Option<String> {
    let first = error.secondary.first().filter(|_| error.code == Code::PrecedenceConflict)?.span;
    let name = |span: Span| canonical(spec.sources.text(span)).to_owned();
    let (one, other, place) = (name(first), name(span), place::of(spec, first));
    Some(format!("  Precedence conflict between ops {one} in block {place} and {other}."))
}

/// Returns TLC's spelling of an operator.
fn canonical(spelling: &str) -> &str {
    match spelling {
        "~" | "\\neg" => "\\lnot",
        "/\\" => "\\land",
        "\\/" => "\\lor",
        "<=>" => "\\equiv",
        "#" => "/=",
        "<=" | "=<" => "\\leq",
        ">=" => "\\geq",
        "\\X" => "\\times",
        "\\cap" => "\\intersect",
        "\\cup" => "\\union",
        "\\circ" => "\\o",
        "(+)" => "\\oplus",
        "(-)" => "\\ominus",
        "(.)" => "\\odot",
        "(/)" => "\\oslash",
        "(\\X)" => "\\otimes",
        _ => spelling,
    }
}

const MODULE_BODY: &str = "==== or more Module body";

/// The token that TLC's parser cannot use.
struct Met<'a> {
    text: &'a str,
    tokens: Vec<Span>,
    /// Index of the token; the number of tokens for the end of the file.
    at: usize,
    begins_definition: bool,
    expecting: Option<&'static str>,
}

impl<'a> Met<'a> {
    fn new(text: &'a str, error: &Diagnostic, span: Span) -> Self {
        let tokens = syntax::tokens(span.source, text);
        let is_end = error.code == Code::MissingModuleEnd;
        let at = tokens.iter().position(|token| token.start >= span.start && !is_end);
        let at = at.unwrap_or(tokens.len());
        let mut met = Met { text, tokens, at, begins_definition: false, expecting: None };
        met.find(error.code);
        met
    }

    fn token(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |span| &self.text[span.range()])
    }

    fn find(&mut self, code: Code) {
        if code == Code::NotAnOperator {
            // TLC: a difference of sets, `\` and a name, and what follows is too much.
            (self.at, self.expecting) = (self.at + 2, Some(MODULE_BODY));
            return;
        }
        if self.is_second_operator() {
            (self.at, self.expecting) = (self.at + 1, Some(MODULE_BODY));
            return;
        }
        if let Some(start) = self.definition_start() {
            (self.at, self.begins_definition) = (start, true);
        }
        self.expecting = self.expect_after();
    }

    /// Whether the token is a second infix operator, as in `1 + * 2`. TLC accepts the operator and rejects
    /// the token after it.
    fn is_second_operator(&self) -> bool {
        let is_infix = |index: usize| is_fixed(self.token(index), Fixity::Infix);
        let is_bullet = matches!(self.token(self.at), "/\\" | "\\/");
        self.at > 0 && is_infix(self.at) && is_infix(self.at - 1) && !is_bullet
    }

    /// Returns the first token of the definition, if the token is its name or its `==`.
    fn definition_start(&self) -> Option<usize> {
        let sign = if self.token(self.at) == "==" { self.at } else { self.sign_after(self.at)? };
        let last = sign.checked_sub(1)?;
        let name = match self.token(last) {
            ")" => self.opening(last, "(", ")")?.checked_sub(1)?,
            "]" => self.opening(last, "[", "]")?.checked_sub(1)?,
            operator if is_fixed(operator, Fixity::Postfix) => last.checked_sub(1)?,
            _ => last,
        };
        if !is_name(self.token(name)) {
            return None;
        }
        let is_operator = name == last && name >= 2 && is_fixed(self.token(name - 1), Fixity::Infix);
        if is_operator && is_name(self.token(name - 2)) { Some(name - 2) } else { Some(name) }
    }

    /// Returns the `==` of the definition, if the token is its name.
    fn sign_after(&self, name: usize) -> Option<usize> {
        if !is_name(self.token(name)) {
            return None;
        }
        let after = match self.token(name + 1) {
            "(" => self.closing(name + 1, "(", ")")? + 1,
            "[" => self.closing(name + 1, "[", "]")? + 1,
            _ => name + 1,
        };
        (self.token(after) == "==").then_some(after)
    }

    fn closing(&self, open: usize, opening: &str, closing: &str) -> Option<usize> {
        let mut depth = 0_usize;
        (open..self.tokens.len()).find(|&index| {
            depth += usize::from(self.token(index) == opening);
            depth -= usize::from(self.token(index) == closing);
            depth == 0
        })
    }

    fn opening(&self, close: usize, opening: &str, closing: &str) -> Option<usize> {
        let mut depth = 0_usize;
        (0..=close).rev().find(|&index| {
            depth += usize::from(self.token(index) == closing);
            depth -= usize::from(self.token(index) == opening);
            depth == 0
        })
    }

    /// Returns what TLC's parser says it expected, where the token before determines that.
    fn expect_after(&self) -> Option<&'static str> {
        match self.at.checked_sub(1).map_or("", |before| self.token(before)) {
            "==" => Some("Expression or Instance"),
            "<-" => Some("Expression or Op. Symbol"),
            "CONSTANT" | "CONSTANTS" | "VARIABLE" | "VARIABLES" => self.declaration_kind(),
            "," if self.declaration_kind().is_some() => self.declaration_kind(),
            _ if self.is_after_update() => Some("= or ,"),
            "(" | "," if self.is_among_parameters() => Some("Identifier Declaration, prefix op or _"),
            _ => self.is_whole_before(self.at).then_some(MODULE_BODY),
        }
    }

    /// Returns the kind of declaration that a name is in, if it is in a list of names.
    fn declaration_kind(&self) -> Option<&'static str> {
        let is_keyword = |token: &str| token.starts_with("CONSTANT") || token.starts_with("VARIABLE");
        let is_listed = |token: &&str| (*token == "," || is_name(token)) && !is_keyword(token);
        let mut before = (0..self.at).rev().map(|index| self.token(index)).skip_while(is_listed);
        match before.next()? {
            "CONSTANT" | "CONSTANTS" => Some("Identifier, _ or prefix op"),
            "VARIABLE" | "VARIABLES" => Some("Identifier"),
            _ => None,
        }
    }

    /// Whether the token follows `![i].a`, a path of an `EXCEPT`.
    fn is_after_update(&self) -> bool {
        let mut at = self.at;
        loop {
            let before = |n: usize| at.checked_sub(n).map_or("", |index| self.token(index));
            at = match (before(2), before(1)) {
                (".", name) if is_name(name) => at - 2,
                (_, "]") => self.opening(at - 1, "[", "]").unwrap_or_default(),
                (_, last) => return last == "!" && at < self.at,
            };
        }
    }

    /// Whether the token is between the parameters of a definition.
    fn is_among_parameters(&self) -> bool {
        let open = (0..self.at).rev().find(|&index| self.token(index) == "(").unwrap_or_default();
        let is_list = (open + 1..self.at).all(|index| self.token(index) == "," || is_name(self.token(index)));
        open > 0 && is_list && self.is_whole_before(open - 1)
    }

    /// Whether the module could end here.
    fn is_whole_before(&self, at: usize) -> bool {
        let end = self.tokens.get(at).map_or(self.text.len(), |span| span.start as usize);
        let Some(first) = self.tokens.first() else { return false };
        let text = format!("{}\n====\n", &self.text[..end]);
        !syntax::parse_file(first.source, &text, &mut Names::new()).diagnostics.has_errors()
    }

    fn words(&self) -> String {
        let (met, at) = match self.tokens.get(self.at) {
            _ if self.begins_definition => ("Beginning of definition", self.tokens[self.at].start as usize),
            Some(span) => (self.token(self.at), span.start as usize),
            // TLC: where the last character is.
            None => ("<EOF>", self.text.char_indices().next_back().map_or(0, |(at, _)| at)),
        };
        let (line, column) = position(self.text, at);
        let before = self.at.checked_sub(1).map_or("", |before| self.token(before));
        let before = escape(before);
        let wanted = self.expecting.map_or_else(String::new, |it| format!("Was expecting \"{it}\"\n"));
        format!("{wanted}Encountered \"{met}\" at line {line}, column {column} and token \"{before}\" ")
    }
}

fn is_fixed(text: &str, fixity: Fixity) -> bool {
    let is_it = |op: &&OpSym| op.info().fixity == fixity && op.spellings().contains(&text);
    OpSym::ALL.iter().any(|op| is_it(&op))
}

fn is_name(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_word && text.chars().any(char::is_alphabetic)
}

/// Returns line and column as TLC counts them: a tab ends at the next multiple of eight, and its column is
/// its end.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.matches('\n').count() + 1;
    let column =
        before[start..].chars().fold(0, |column, c| if c == '\t' { column / 8 * 8 + 8 } else { column + 1 });
    (line, if text[at..].starts_with('\t') { column / 8 * 8 + 8 } else { column + 1 })
}

/// Escapes characters as Java does in a string.
fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '"' | '\\' | '\'' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => out.push_str(&format!("\\u{:04x}", c as u32)),
        }
        out
    })
}
