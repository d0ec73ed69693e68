//! Messages for mistakes that have a likely cause: `==` for `=`, an operator that does not exist, habits from other
//! languages.

use diag::{Code, Diagnostic, Span};

use super::{Failed, Parser};
use crate::lexer::{Mode, backslash_words};
use crate::op::OpSym;
use crate::token::{Flags, Keyword, Token, TokenKind};

/// Number of tokens that a guess examines along a line.
const GUESS_TOKENS_MAX: usize = 64;

impl Parser<'_> {
    /// Reports a likely cause for the error at the next token, if there is one.
    pub(super) fn guess(&mut self) -> Option<Failed> {
        self.unknown_backslash_word()
            .or_else(|| self.reserved_word_defined())
            .or_else(|| self.definition_in_expression())
            .or_else(|| self.report_foreign())
    }

    /// Reports `\foo`, which is read as `\` or another symbol, and a name, but was meant as one word.
    fn unknown_backslash_word(&mut self) -> Option<Failed> {
        let word =
            self.backslash_word_at(self.at).or_else(|| self.backslash_word_at(self.at.checked_sub(2)?))?;
        let text = &self.text[word.range()];
        let headline = format!("there is no operator `{text}`");
        let diagnostic = Diagnostic::new(Code::NotAnOperator, word, headline).label("unknown operator");
        let diagnostic = match base::nearest(text, backslash_words()) {
            Some(near) => diagnostic.suggest(word, near),
            None => diagnostic.help("for the difference of two sets, put spaces around the `\\`"),
        };
        Some(self.report_here(diagnostic))
    }

    /// Returns the place of a symbol that starts with a backslash and the name right after it.
    fn backslash_word_at(&self, index: usize) -> Option<Span> {
        let (symbol, name) = (*self.tokens.get(index)?, *self.tokens.get(index + 1)?);
        let is_word = matches!(symbol.kind, TokenKind::Op(_) | TokenKind::Keyword(_))
            && self.text_of(symbol).starts_with('\\')
            && self.text_of(symbol) != "\\/"
            && name.kind == TokenKind::Ident
            && symbol.end == name.start;
        is_word.then(|| self.span_of(symbol).to(self.span_of(name)))
    }

    /// Reports `IF == 1`.
    fn reserved_word_defined(&mut self) -> Option<Failed> {
        let is_word = self.next_is_field_name() && self.token().kind != TokenKind::Ident;
        let is_defined = is_word && self.peek_at(1) == TokenKind::DefEq;
        is_defined.then(|| self.reserved_word("the name of a definition"))
    }

    /// Reports `==` where `=` is meant.
    fn definition_in_expression(&mut self) -> Option<Failed> {
        let token = self.token();
        let may_define = self.mode == Mode::File && token.flags.contains(Flags::LINE_START);
        let defines_here = token.flags.contains(Flags::DEFINITION) && !may_define;
        if token.kind != TokenKind::DefEq && !defines_here {
            return None;
        }
        let def_eq = self.line_from_here().find(|next| next.kind == TokenKind::DefEq)?;
        let span = self.span_of(def_eq);
        let help = match self.mode {
            Mode::File => "write `=` to compare, or start the definition on a line of its own",
            Mode::Expression => "write `=` to compare",
        };
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, "`==` stands inside an expression")
            .label("this defines a name")
            .help(help);
        Some(self.report_here(diagnostic))
    }

    /// Iterates over the tokens from the next one to the end of its line, within the limit of a guess.
    fn line_from_here(&self) -> impl Iterator<Item = Token> {
        let rest = &self.tokens[self.at..];
        let same_line =
            |&(index, token): &(usize, &Token)| index == 0 || !token.flags.contains(Flags::LINE_START);
        rest.iter().enumerate().take(GUESS_TOKENS_MAX).take_while(same_line).map(|(_, &token)| token)
    }

    /// Reports that the next token starts no unit and continues nothing before it.
    pub(super) fn not_a_unit(&mut self) -> Failed {
        if let Some(failed) = self.guess() {
            return failed;
        }
        let token = self.token();
        if token.kind == TokenKind::Step {
            return self.step_without_theorem();
        }
        if token.flags.contains(Flags::LINE_START) {
            let headline = format!("expected a definition or declaration, found {}", self.describe_next());
            let diagnostic = self.diagnostic_here(Code::UnexpectedToken, headline);
            let diagnostic = diagnostic.label("no definition or declaration starts here");
            let diagnostic = self.with_unit_help(diagnostic);
            return self.report_here(diagnostic);
        }
        let headline = format!("expected an operator or the next definition, found {}", self.describe_next());
        let diagnostic = self.diagnostic_here(Code::UnexpectedToken, headline);
        let diagnostic = diagnostic.label("this does not go on with what is before it");
        self.report_here(diagnostic)
    }

    /// Reports a step where no proof is open: usually the one before already had its `QED`.
    fn step_without_theorem(&mut self) -> Failed {
        let headline = format!("step `{}` belongs to no proof", self.text_of(self.token()));
        let diagnostic = self
            .diagnostic_here(Code::UnbalancedProof, headline)
            .label("no proof is open here")
            .help("a proof ends with its first `QED`; remove the one too many");
        self.report_here(diagnostic)
    }

    fn with_unit_help(&self, diagnostic: Diagnostic) -> Diagnostic {
        let token = self.token();
        match token.kind {
            TokenKind::Ident | TokenKind::Op(OpSym::Minus) => {
                if self.next_is_lower_case_keyword() {
                    diagnostic.help("reserved words are written in capitals")
                } else if self.line_defines() {
                    diagnostic
                        .help("a definition is written `Name == e`, `Name(x) == e` or `f[x \\in S] == e`")
                } else {
                    diagnostic
                }
            }
            TokenKind::Op(OpSym::SlashSlash) => diagnostic.help("a comment starts with `\\*`"),
            _ => diagnostic,
        }
    }

    /// Whether this line looks like a definition, or like one of another language.
    pub(super) fn line_defines(&self) -> bool {
        self.line_from_here()
            .any(|token| matches!(token.kind, TokenKind::DefEq | TokenKind::Op(OpSym::Eq | OpSym::Assign)))
    }

    fn next_is_lower_case_keyword(&self) -> bool {
        Keyword::parse(&self.text_of(self.token()).to_ascii_uppercase()).is_some()
    }

    /// Reports `x != y`, which reads as the operator `=` of an instance `x`.
    pub(super) fn not_equal(&mut self, bang: Token) -> Failed {
        let span = self.span_of(bang).to(self.span_of(self.token()));
        let diagnostic = Diagnostic::new(Code::NotAnOperator, span, "there is no operator `!=`")
            .label("unknown operator")
            .help("write `#` or `/=` for \"not equal\"");
        self.report(diagnostic)
    }

    /// Reports `VARIABLES x y`.
    pub(super) fn missing_comma(&mut self) -> Failed {
        let headline = format!("expected `,` between names, found {}", self.describe_next());
        let before = self.last_span().end_point();
        let diagnostic = self
            .diagnostic_here(Code::UnexpectedToken, headline)
            .label("another name")
            .related(before, "the comma is missing here")
            .help("separate the names with commas");
        self.report_here(diagnostic)
    }
}
