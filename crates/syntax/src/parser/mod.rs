//! Parses tokens to a tree: recursive descent, with operator precedence in `expression`.
//!
//! There is one function for each production. A production that cannot continue reports the reason and returns
//! [`Failed`]. The surrounding unit is given up, and reading continues at the next one, so that a mistake is reported
//! once. Names are not resolved here.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a production names the tokens that it takes; every other token, new ones too, is one error"
)]

mod bounds;
mod braces;
mod brackets;
mod declarations;
mod definitions;
mod expression;
mod facts;
mod foreign;
mod guesses;
mod junction;
mod messages;
mod modules;
mod open_brackets;
mod operand;
mod path;
mod proof;
mod recovery;
mod scalars;

use base::{Name, Names};
use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};

use crate::ast::{Expr, ExprId, ExprKind, File, Ident};
use crate::lexer::{Lexed, Mode, N_ERRORS_MAX, lex, mark_definitions};
use crate::op::OpSym;
use crate::token::{Flags, Keyword, Token, TokenKind};
use crate::walk::for_each_child;

/// Limit on the nesting of expressions. Later passes walk trees recursively; this bounds their stacks.
const DEPTH_MAX: u32 = 10_000;
/// Limit on the nesting of modules and proofs. They own their parts, so dropping them recurses without help.
const BLOCK_DEPTH_MAX: usize = 200;
/// The error of a production that gave up. The reason is among the diagnostics.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

struct Parser<'a> {
    source: SourceId,
    text: &'a str,
    names: &'a mut Names,
    /// The tokens, the last of which is `Eof`.
    tokens: Vec<Token>,
    /// Index of the next token, never past the last.
    at: usize,
    file: File,
    /// The height of each expression of `file`, in step with it.
    heights: Vec<u32>,
    /// Number of open expressions.
    depth: u32,
    /// The bullets of the open junction lists, outermost first.
    bullets: Vec<Token>,
    /// Operators that wait for their right operand; `expression` owns those above its mark.
    pending: Vec<expression::Pending>,
    /// Number of LETs that are open before their IN.
    n_open_lets: u32,
    proofs: proof::Levels,
    n_open_modules: usize,
    n_modules_met: usize,
    /// Whether the current unit has failed, so that its rest is skipped.
    gave_up: bool,
    /// Whether an error was reported at the end of the text, so that a second message about its early end is not
    /// needed.
    reported_end: bool,
    mode: Mode,
    diagnostics: Vec<Diagnostic>,
}

/// Reads all modules of `text`.
pub(crate) fn parse_file(source: SourceId, text: &str, names: &mut Names) -> (File, Diagnostics) {
    let mut parser = Parser::new(source, text, names, Mode::File);
    parser.all_modules();
    parser.finish()
}

/// Reads all of `text` as one expression.
pub(crate) fn parse_expr(source: SourceId, text: &str, names: &mut Names) -> (File, ExprId, Diagnostics) {
    let mut parser = Parser::new(source, text, names, Mode::Expression);
    let parsed = parser.lone_expression();
    let expr = parsed.unwrap_or_else(|Failed| parser.error_expr());
    let (file, diagnostics) = parser.finish();
    (file, expr, diagnostics)
}

impl<'a> Parser<'a> {
    fn new(source: SourceId, text: &'a str, names: &'a mut Names, mode: Mode) -> Self {
        let Lexed { mut tokens, diagnostics } = lex(source, text, mode);
        assert!(tokens.last().is_some_and(|last| last.kind == TokenKind::Eof), "the text ends");
        // TLC: a string that is spelled like an identifier has the identifier's rank (contract 3.6).
        for token in tokens.iter().filter(|token| token.kind == TokenKind::Ident) {
            names.intern(&text[token.start as usize..token.end as usize]);
        }
        mark_definitions(&mut tokens);
        let reported_end = diagnostics.iter().any(|found| found.code == Code::UnterminatedComment);
        Parser {
            source,
            text,
            names,
            tokens,
            at: 0,
            file: File { modules: Vec::new(), exprs: base::IdVec::new() },
            heights: Vec::new(),
            depth: 0,
            bullets: Vec::new(),
            pending: Vec::new(),
            n_open_lets: 0,
            proofs: proof::Levels::default(),
            n_open_modules: 0,
            n_modules_met: 0,
            gave_up: false,
            reported_end,
            mode,
            diagnostics,
        }
    }

    /// Returns the tree, and the errors in the order of the text.
    fn finish(mut self) -> (File, Diagnostics) {
        self.diagnostics.sort_by_key(|found| found.primary.as_ref().map(|label| label.span.start));
        let n_found = self.diagnostics.len();
        let mut diagnostics = Diagnostics::new();
        for (index, found) in self.diagnostics.into_iter().enumerate().take(N_ERRORS_MAX) {
            let is_cut = index + 1 == N_ERRORS_MAX && n_found >= N_ERRORS_MAX;
            diagnostics.push(if is_cut {
                found.note("more errors may follow; reading stopped here")
            } else {
                found
            });
        }
        (self.file, diagnostics)
    }

    fn lone_expression(&mut self) -> Parse<ExprId> {
        let expr = self.expression()?;
        match self.peek() {
            TokenKind::Eof => Ok(expr),
            _ => Err(self.report_unexpected("an operator or the end of the expression")),
        }
    }

    // Looking at and taking tokens.

    /// Returns the next token, whatever its column.
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    /// Returns the kind of the next token, as far as the innermost junction list extends.
    fn peek(&self) -> TokenKind {
        self.peek_at(0)
    }

    /// Returns the kind of the token `ahead` tokens after the next one.
    fn peek_at(&self, ahead: usize) -> TokenKind {
        let last = self.tokens.len() - 1;
        let token = self.tokens[(self.at + ahead).min(last)];
        match self.bullets.last() {
            Some(bullet) if token.column <= bullet.column => TokenKind::ItemEnd,
            _ => token.kind,
        }
    }

    fn next_is(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    fn next_is_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == TokenKind::Keyword(keyword)
    }

    /// Whether the next token starts the left side of a definition.
    fn next_is_definition(&self) -> bool {
        self.peek() != TokenKind::ItemEnd && self.token().flags.contains(Flags::DEFINITION)
    }

    /// Takes the next token. The end of the text can be taken any number of times.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// Takes the next token if it is a `kind`.
    fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        self.next_is(kind).then(|| self.bump())
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> Option<Token> {
        self.eat(TokenKind::Keyword(keyword))
    }

    /// Takes a `kind`; `expected` names it in the message when there is none.
    fn expect(&mut self, kind: TokenKind, expected: &str) -> Parse<Token> {
        match self.eat(kind) {
            Some(token) => Ok(token),
            None => Err(self.report_unexpected(expected)),
        }
    }

    /// Takes the `kind` that closes the form that `opener` opened.
    fn expect_closing(&mut self, kind: TokenKind, opener: Token) -> Parse<Token> {
        match self.eat(kind) {
            Some(token) => Ok(token),
            None => Err(self.report_unclosed(opener, kind)),
        }
    }

    // Places and names.

    fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn span_of(&self, token: Token) -> Span {
        Span { source: self.source, start: token.start, end: token.end }
    }

    /// Returns the place of the token taken last.
    fn last_span(&self) -> Span {
        self.span_of(self.tokens[self.at.saturating_sub(1)])
    }

    /// Returns the place from the start of `first` to the end of the token taken last.
    fn span_from(&self, first: Token) -> Span {
        self.span_of(first).to(self.last_span())
    }

    fn name_of(&mut self, token: Token) -> Name {
        self.names.intern(self.text_of(token))
    }

    fn ident_of(&mut self, token: Token) -> Ident {
        Ident { name: self.name_of(token), span: self.span_of(token) }
    }

    fn symbol(&mut self, op: OpSym, token: Token) -> Ident {
        Ident { name: self.names.intern(op.canonical()), span: self.span_of(token) }
    }

    /// Reads a name that is declared or bound here; `expected` describes it in the message.
    fn ident(&mut self, expected: &str) -> Parse<Ident> {
        let is_reserved = match self.peek() {
            // The name of the next definition is not the one that is missing here.
            TokenKind::Ident if self.next_is_definition() => return Err(self.report_unexpected(expected)),
            TokenKind::Ident => scalars::is_builtin_name(self.text_of(self.token())),
            _ if self.next_is_field_name() => true,
            _ => return Err(self.report_unexpected(expected)),
        };
        if is_reserved {
            return Err(self.reserved_word(expected));
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }

    /// Reads the first name of a left side.
    fn defined_name(&mut self) -> Parse<Ident> {
        if scalars::is_builtin_name(self.text_of(self.token())) {
            return Err(self.reserved_word("the name of a definition"));
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }

    /// Reads `one, two, three`: at least one, each read by `item`.
    fn comma_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(TokenKind::Comma).is_some() {
            items.push(item(self)?);
        }
        Ok(items)
    }

    // Building the tree.

    /// Adds a node whose parts exist already.
    fn alloc(&mut self, kind: ExprKind, span: Span) -> Parse<ExprId> {
        let mut height = 0;
        for_each_child(&kind, &mut |child| height = height.max(self.height(child)));
        if height >= DEPTH_MAX {
            return Err(self.too_deep(span));
        }
        Ok(self.push_expr(kind, span, height + 1))
    }

    fn push_expr(&mut self, kind: ExprKind, span: Span, height: u32) -> ExprId {
        self.heights.push(height);
        self.file.exprs.push(Expr { kind, span })
    }

    fn height(&self, expr: ExprId) -> u32 {
        self.heights[base::Id::index(expr)]
    }

    fn expr_span(&self, expr: ExprId) -> Span {
        self.file.exprs[expr].span
    }

    /// Makes a node for text that could not be read, up to here.
    fn error_expr(&mut self) -> ExprId {
        let span = self.span_of(self.token()).start_point();
        self.push_expr(ExprKind::Error, span, 1)
    }

    /// Goes one level down. Refused when that is too deep.
    fn with_depth<T>(&mut self, body: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEPTH_MAX {
            let span = self.span_of(self.token());
            return Err(self.too_deep(span));
        }
        self.depth += 1;
        let result = base::with_stack(|| body(self));
        self.depth -= 1;
        result
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        self.diagnostics.push(diagnostic);
        Failed
    }

    fn too_deep(&mut self, span: Span) -> Failed {
        let headline = format!("this nests more than {DEPTH_MAX} levels deep");
        self.report(
            Diagnostic::new(Code::TooDeep, span, headline)
                .label("the limit is reached here")
                .help("give inner parts a definition of their own"),
        )
    }
}
