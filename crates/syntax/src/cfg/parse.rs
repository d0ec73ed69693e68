//! Parses statements: keywords, the names after them, and the checks across statements.
//!
//! After an error reading continues at the next keyword, or earlier if the text shows a place, so that every
//! independent error of a file is reported.

use base::Names;
use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};

use super::keyword::StatementForm;
use super::lex::{Lexed, Token, TokenKind};
use super::tree::{Body, Config, DeadlockFlag, Statement};
use super::{Keyword, MAX_ERRORS};
use crate::Parsed;
use crate::ast::Ident;
use crate::op::OpSym;

pub(super) fn parse(source: SourceId, text: &str, lexed: Lexed, names: &mut Names) -> Parsed<Config> {
    let Lexed { tokens, errors } = lexed;
    assert!(tokens.last().is_some_and(|last| last.kind == TokenKind::End), "the text ends");
    let mut parser = Parser { source, text, tokens, at: 0, names, errors };
    let mut tree = Config::default();
    while parser.peek().kind != TokenKind::End && parser.errors.len() < MAX_ERRORS {
        tree.statements.extend(parser.statement());
    }
    if parser.errors.len() >= MAX_ERRORS {
        parser.give_up();
    }
    parser.errors.extend(find_repeated(&tree));
    parser.errors.extend(find_conflict(&tree));
    Parsed { tree, diagnostics: sort_by_place(parser.errors) }
}

pub(super) struct Parser<'t> {
    source: SourceId,
    pub text: &'t str,
    /// Invariant: the last token is `End`, and `at` never goes past it.
    pub tokens: Vec<Token>,
    pub at: usize,
    pub names: &'t mut Names,
    pub errors: Vec<Diagnostic>,
}

/// Moving over tokens.
impl<'t> Parser<'t> {
    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// Returns the token with this index, or `End` beyond the last.
    pub fn peek_at(&self, index: usize) -> Token {
        self.tokens[index.min(self.tokens.len() - 1)]
    }

    pub fn bump(&mut self) -> Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub fn token_text(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    pub fn is_symbol(&self, token: Token, spellings: &[&str]) -> bool {
        matches!(token.kind, TokenKind::Symbol(_)) && spellings.contains(&self.token_text(token))
    }

    /// Takes the next token if it is one of these symbols.
    pub fn eat_symbol(&mut self, spellings: &[&str]) -> Option<Token> {
        let token = self.peek();
        self.is_symbol(token, spellings).then(|| self.bump())
    }

    pub fn span(&self, token: Token) -> Span {
        Span::new(self.source, token.start as usize..token.end as usize)
    }

    /// Returns the place from token `first` to the last one that was taken.
    pub fn span_since(&self, first: usize) -> Span {
        let last = self.at.saturating_sub(1).max(first);
        self.span(self.tokens[first]).to(self.span(self.tokens[last]))
    }

    /// Whether token `index` is the first of its line, or the end.
    pub fn starts_line(&self, index: usize) -> bool {
        if self.peek_at(index).kind == TokenKind::End {
            return true;
        }
        let before = index.checked_sub(1).map_or(0, |previous| self.tokens[previous].end as usize);
        let gap = &self.text[before..self.tokens[index].start as usize];
        index == 0 || gap.contains(['\n', '\r'])
    }

    /// Whether a statement ends before this token.
    pub fn ends_statement(token: Token) -> bool {
        matches!(token.kind, TokenKind::Keyword(_) | TokenKind::End)
    }

    /// Returns the spelling that names the operator, if the token is an operator symbol.
    pub fn operator(token: Token) -> Option<&'static str> {
        match token.kind {
            TokenKind::Symbol(op) => op.map(OpSym::canonical),
            TokenKind::Keyword(_)
            | TokenKind::Word
            | TokenKind::Number
            | TokenKind::String
            | TokenKind::Bad
            | TokenKind::End => None,
        }
    }

    pub fn ident(&mut self, token: Token) -> Ident {
        let spelling = Self::operator(token).unwrap_or(self.token_text(token));
        Ident { name: self.names.intern(spelling), span: self.span(token) }
    }

    /// Reports an error, up to the limit. The loop over statements then says that the limit was reached.
    pub fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(diagnostic);
        }
    }

    /// Describes a token for "found ..." in messages.
    pub fn describe(&self, token: Token) -> String {
        let text = shorten(self.token_text(token));
        match token.kind {
            TokenKind::End => "the end of the configuration".to_owned(),
            TokenKind::Keyword(_) => format!("the keyword `{text}`"),
            TokenKind::Word
            | TokenKind::Number
            | TokenKind::String
            | TokenKind::Symbol(_)
            | TokenKind::Bad => format!("`{text}`"),
        }
    }

    fn give_up(&mut self) {
        let place = self.span(self.peek());
        let headline = format!("{MAX_ERRORS} errors were found; the rest of this file was not read");
        let help = "check that this is a configuration file";
        self.errors.push(Diagnostic::new(Code::ConfigSyntax, place, headline).help(help));
    }
}

/// Reading statements.
impl Parser<'_> {
    fn statement(&mut self) -> Option<Statement> {
        let token = self.bump();
        let TokenKind::Keyword(keyword) = token.kind else {
            self.not_a_statement(token);
            return None;
        };
        self.sign_after(token);
        let body = match keyword.shape() {
            StatementForm::OneName => self.one_name(token).map(|name| Body::Names(vec![name])),
            StatementForm::Names => Some(Body::Names(self.name_list(token))),
            StatementForm::Assignments => Some(Body::Assignments(self.assignments())),
            StatementForm::Flag => self.flag(token).map(Body::Flag),
        };
        body.map(|body| Statement { keyword, keyword_span: self.span(token), body })
    }

    /// Reports `INVARIANT: Inv` and the like, and reads on behind the sign.
    fn sign_after(&mut self, keyword: Token) {
        if let Some(sign) = self.eat_symbol(&[":", "=", "==", ":=", "::=", "<-", "->", "-"]) {
            let headline =
                format!("nothing stands between `{}` and what follows it", self.token_text(keyword));
            let help = format!("leave out the `{}`", self.token_text(sign));
            self.error(Diagnostic::new(Code::ConfigSyntax, self.span(sign), headline).help(help));
        }
    }

    /// Reports text where a keyword should be.
    fn not_a_statement(&mut self, token: Token) {
        if token.kind != TokenKind::Bad {
            let text = self.token_text(token);
            let found = self.describe(token);
            let mut diagnostic = match token.kind {
                TokenKind::Word => {
                    let headline = format!("unknown keyword {found}");
                    Diagnostic::new(Code::ConfigSyntax, self.span(token), headline)
                }
                TokenKind::Keyword(_)
                | TokenKind::Number
                | TokenKind::String
                | TokenKind::Symbol(_)
                | TokenKind::Bad
                | TokenKind::End => {
                    let headline = format!("expected a keyword, found {found}");
                    Diagnostic::new(Code::ConfigSyntax, self.span(token), headline)
                }
            };
            diagnostic = match Keyword::closest(text) {
                Some(meant) => diagnostic.suggest(self.span(token), meant),
                None if starts_foreign_comment(text) => diagnostic.help("a comment starts with `\\*`"),
                None => diagnostic.note(format!("the keywords are {}", keyword_list())),
            };
            self.error(diagnostic);
        }
        while !Self::ends_statement(self.peek()) && !self.looks_like_keyword() {
            self.bump();
        }
    }

    /// Whether the next token is the first word of its line and nearly a keyword: a second slip, worth a message of its
    /// own.
    fn looks_like_keyword(&self) -> bool {
        let token = self.peek();
        let is_word = token.kind == TokenKind::Word && self.starts_line(self.at);
        is_word && Keyword::closest(self.token_text(token)).is_some()
    }

    fn one_name(&mut self, keyword: Token) -> Option<Ident> {
        let token = self.peek();
        let next = self.peek_at(self.at + 1);
        let stands_alone = !matches!(next.kind, TokenKind::Symbol(_)) || self.starts_line(self.at + 1);
        match token.kind {
            TokenKind::Word if stands_alone => {
                self.bump();
                Some(self.ident(token))
            }
            TokenKind::Keyword(_) | TokenKind::End => {
                let headline = format!("`{}` needs a name after it", self.token_text(keyword));
                let found = format!("found {}", self.describe(token));
                let diagnostic = Diagnostic::new(Code::ConfigSyntax, self.span(keyword), headline);
                self.error(diagnostic.related(self.span(token), found));
                None
            }
            TokenKind::Bad => {
                self.skip_line();
                None
            }
            TokenKind::Word | TokenKind::Number | TokenKind::String | TokenKind::Symbol(_) => {
                self.expression_for_name(keyword, self.at);
                None
            }
        }
    }

    fn name_list(&mut self, keyword: Token) -> Vec<Ident> {
        let mut list: Vec<Ident> = Vec::new();
        while !Self::ends_statement(self.peek()) && self.errors.len() < MAX_ERRORS {
            let token = self.peek();
            if token.kind == TokenKind::Word {
                self.bump();
                list.push(self.ident(token));
            } else if token.kind == TokenKind::Bad {
                self.bump();
            } else if self.is_symbol(token, &[","]) {
                self.comma("names");
            } else {
                // If it is on the same line, the supposed name is the start of an expression.
                let continues = !self.starts_line(self.at) && list.pop().is_some();
                self.expression_for_name(keyword, self.at - usize::from(continues));
            }
        }
        list
    }

    /// Reports an expression where a name must be. It is assumed to end with its line.
    fn expression_for_name(&mut self, keyword: Token, first: usize) {
        self.skip_line();
        let span = self.span_since(first);
        let headline = format!("after `{}` stand names, not expressions", self.token_text(keyword));
        let expression = shorten(&self.text[span.range()]);
        let help = if starts_foreign_comment(&expression) {
            "a comment starts with `\\*`".to_owned()
        } else {
            format!("define it in the module, `Name == {expression}`, and write `Name` here")
        };
        self.error(Diagnostic::new(Code::ConfigSyntax, span, headline).help(help));
    }

    /// Takes one token and the rest of its line.
    fn skip_line(&mut self) {
        self.bump();
        while !Self::ends_statement(self.peek()) && !self.starts_line(self.at) {
            self.bump();
        }
    }

    /// Reads a comma after a list item; `what` was listed.
    pub fn comma(&mut self, what: &str) {
        let token = self.bump();
        let headline = format!("{what} are not separated by commas");
        let help = "remove the comma; white space is enough";
        self.error(Diagnostic::new(Code::ConfigSyntax, self.span(token), headline).help(help));
    }

    fn flag(&mut self, keyword: Token) -> Option<DeadlockFlag> {
        let token = self.peek();
        let value = match self.token_text(token) {
            "TRUE" => Some(true),
            "FALSE" => Some(false),
            _ => None,
        };
        if let Some(value) = value {
            self.bump();
            return Some(DeadlockFlag { value, span: self.span(token) });
        }
        let keyword_text = self.token_text(keyword);
        let found = self.describe(token);
        let headline = format!("`{keyword_text}` needs `TRUE` or `FALSE` after it, found {found}");
        if token.kind != TokenKind::Bad {
            let diagnostic = Diagnostic::new(Code::ConfigSyntax, self.span(token), headline);
            let meant = self.token_text(token).to_uppercase();
            self.error(if meant == "TRUE" || meant == "FALSE" {
                diagnostic.help(format!("write `{meant}`"))
            } else {
                diagnostic
            });
        }
        while !Self::ends_statement(self.peek()) && !self.looks_like_keyword() {
            self.bump();
        }
        None
    }
}

/// Whether a comment of another language starts here.
fn starts_foreign_comment(text: &str) -> bool {
    text == "--" || ["-- ", "#", "//", "/*", "%"].iter().any(|start| text.starts_with(start))
}

/// Reports keywords that may occur only once and occur again.
fn find_repeated(tree: &Config) -> Vec<Diagnostic> {
    let mut first: Vec<&Statement> = Vec::new();
    let mut errors = Vec::new();
    for statement in &tree.statements {
        let once = matches!(statement.keyword.shape(), StatementForm::OneName | StatementForm::Flag);
        let before = first.iter().find(|before| before.keyword == statement.keyword);
        match before {
            Some(before) if once => {
                let headline = format!("`{}` stands more than once", statement.keyword.text());
                let diagnostic = Diagnostic::new(Code::ConfigRepeated, statement.keyword_span, headline);
                errors
                    .push(diagnostic.related(before.keyword_span, "first here").help("keep one of the two"));
            }
            Some(_) => {}
            None => first.push(statement),
        }
    }
    errors
}

/// Reports `SPECIFICATION` together with `INIT` or `NEXT`, which contradict each other.
fn find_conflict(tree: &Config) -> Option<Diagnostic> {
    let find = |keyword| tree.statements.iter().find(move |statement| statement.keyword == keyword);
    let specification = find(Keyword::Specification)?;
    let mut others = [Keyword::Init, Keyword::Next].into_iter().filter_map(find);
    let first = others.next()?;
    let headline = format!("`SPECIFICATION` and `{}` exclude each other", first.keyword.text());
    let mut diagnostic = Diagnostic::new(Code::ConfigConflict, first.keyword_span, headline)
        .related(specification.keyword_span, "the behaviours are given here already");
    if let Some(second) = others.next() {
        diagnostic = diagnostic.related(second.keyword_span, "and here");
    }
    Some(diagnostic.help("keep `SPECIFICATION`, or `INIT` and `NEXT`"))
}

/// Sorts errors by place, because lexical errors were found before the others.
fn sort_by_place(mut errors: Vec<Diagnostic>) -> Diagnostics {
    errors.sort_by_key(|error| error.primary.as_ref().map(|label| label.span));
    let mut diagnostics = Diagnostics::new();
    for error in errors {
        diagnostics.push(error);
    }
    diagnostics
}

fn keyword_list() -> String {
    let listed: Vec<String> = Keyword::ALL.iter().map(|keyword| format!("`{}`", keyword.text())).collect();
    listed.join(", ")
}

/// Shortens text for a message: one line, and not a long one.
pub(super) fn shorten(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
