//! What to say when the text is not TLA+. Each function reports one error and returns [`Failed`].

use diag::{Code, Diagnostic, Span};

use super::expression::Pending;
use super::{BLOCK_DEPTH_MAX, Failed, Parser};
use crate::ast::{ExprId, Ident};
use crate::op::{Fixity, OpSym};
use crate::token::{Flags, Token, TokenKind};

/// How a closing delimiter is written.
fn spelling(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::RParen => ")",
        TokenKind::RBracket => "]",
        TokenKind::RBrace => "}",
        TokenKind::RAngle => ">>",
        _ => "the closing delimiter",
    }
}

impl Parser<'_> {
    /// What a message calls the next token.
    fn found(&self) -> String {
        let token = self.token();
        let text = self.text_of(token);
        if token.flags.contains(Flags::DEFINITION) && token.flags.contains(Flags::LINE_START) {
            return format!("the definition of `{text}`");
        }
        match token.kind {
            TokenKind::Eof => "the end of the file".to_owned(),
            TokenKind::ModuleEnd => "the end of the module".to_owned(),
            TokenKind::ModuleStart => "the start of a module".to_owned(),
            TokenKind::Separator => "a separator line".to_owned(),
            TokenKind::String => "a string".to_owned(),
            _ => format!("`{text}`"),
        }
    }

    /// Reports, unless the lexer has spoken of this place already.
    fn report_here(&mut self, diagnostic: Diagnostic) -> Failed {
        match self.token().kind {
            TokenKind::Error => Failed,
            TokenKind::Eof => {
                self.reported_end = true;
                self.report(diagnostic)
            }
            _ => self.report(diagnostic),
        }
    }

    fn here(&self, code: Code, headline: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.span_of(self.token()), headline)
    }

    /// The next token is not what the grammar wants.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        let headline = format!("expected {expected}, found {}", self.found());
        let diagnostic = self.here(Code::UnexpectedToken, headline).label(format!("expected {expected}"));
        self.report_here(diagnostic)
    }

    /// The same, in a form that `opener` began.
    pub(super) fn unexpected_in(&mut self, expected: &str, opener: Token) -> Failed {
        let headline = format!("expected {expected}, found {}", self.found());
        let opened = format!("`{}` starts here", self.text_of(opener));
        let diagnostic = self
            .here(Code::UnexpectedToken, headline)
            .label(format!("expected {expected}"))
            .related(self.span_of(opener), opened);
        self.report_here(diagnostic)
    }

    pub(super) fn unclosed(&mut self, opener: Token, closing: TokenKind) -> Failed {
        let closing = spelling(closing);
        let opening = self.text_of(opener);
        let headline = format!("expected `{closing}`, found {}", self.found());
        let diagnostic = self
            .here(Code::UnclosedDelimiter, headline)
            .label(format!("expected `{closing}` or the rest of an expression"))
            .related(self.span_of(opener), format!("this `{opening}` is not closed"));
        self.report_here(diagnostic)
    }

    pub(super) fn reserved_word(&mut self) -> Failed {
        let word = self.text_of(self.token());
        let diagnostic = self
            .here(Code::ReservedWord, format!("`{word}` is a reserved word"))
            .label("a name is needed here");
        self.report_here(diagnostic)
    }

    pub(super) fn precedence_conflict(&mut self, left: Pending, op: OpSym, right: Token) -> Failed {
        let (l, r) = (self.text_of(left.token), self.text_of(right));
        let headline = if left.op == op {
            format!("`{l}` does not chain")
        } else {
            format!("`{l}` and `{r}` have no order of precedence")
        };
        let diagnostic = Diagnostic::new(Code::PrecedenceConflict, self.span_of(right), headline)
            .label(describe(op))
            .related(self.span_of(left.token), describe(left.op))
            .help("add parentheses");
        self.report_here(diagnostic)
    }

    pub(super) fn membership_conflict(&mut self, in_token: Token, op: OpSym, op_span: Span) -> Failed {
        let headline = format!("`\\in` and `{}` have no order of precedence", op.canonical());
        let diagnostic = Diagnostic::new(Code::PrecedenceConflict, op_span, headline)
            .label(describe(op))
            .related(self.span_of(in_token), describe(OpSym::In))
            .help("add parentheses");
        self.report(diagnostic)
    }

    pub(super) fn bad_selector_number(&mut self) -> Failed {
        let diagnostic = self
            .here(Code::BadNumber, "this number selects no part of an expression")
            .label("expected a small decimal number");
        self.report_here(diagnostic)
    }

    pub(super) fn fairness_without_action(&mut self, fairness: Token) -> Failed {
        let text = self.text_of(fairness);
        let span = self.span_from(fairness);
        let headline = format!("`{text}` needs one action in parentheses");
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, headline)
            .label("no single action here")
            .help(format!("write `{text}vars(Action)`"));
        self.report_here(diagnostic)
    }

    pub(super) fn not_a_label(&mut self, expr: ExprId) -> Failed {
        let span = self.expr_span(expr);
        let colons = self.span_of(self.token());
        let diagnostic = Diagnostic::new(Code::UnexpectedToken, span, "this is not a label")
            .label("expected a name, or a name with bound names in parentheses")
            .related(colons, "`::` follows a label");
        self.report(diagnostic)
    }

    pub(super) fn label_changes_parse(&mut self, left: Pending, body: Span) -> Failed {
        let op = self.text_of(left.token);
        let headline = format!("this label would change what `{op}` applies to");
        let diagnostic = Diagnostic::new(Code::PrecedenceConflict, body, headline)
            .label("the labelled expression")
            .related(self.span_of(left.token), format!("`{op}` binds tighter than it"))
            .help("put the labelled expression in parentheses");
        self.report(diagnostic)
    }

    pub(super) fn filter_of_several(&mut self) -> Failed {
        let diagnostic = self
            .here(Code::UnexpectedToken, "a set filter binds one name or one tuple")
            .label("this `:` follows several elements")
            .help("write `{<<x, y>> \\in S \\X T : p}`");
        self.report_here(diagnostic)
    }

    pub(super) fn bad_bracket(&mut self, opener: Token) -> Failed {
        let expected = "`->`, `EXCEPT`, `]_` or `|->`";
        let headline = format!("expected {expected}, found {}", self.found());
        let diagnostic = self
            .here(Code::UnexpectedToken, headline)
            .label(format!("expected {expected}"))
            .related(self.span_of(opener), "the `[` that this belongs to");
        self.report_here(diagnostic)
    }

    pub(super) fn bad_local(&mut self) -> Failed {
        let headline = format!("expected a definition or `INSTANCE` after `LOCAL`, found {}", self.found());
        let diagnostic = self
            .here(Code::UnexpectedToken, headline)
            .label("this cannot be local")
            .help("remove `LOCAL`: only definitions and `INSTANCE` can be local");
        self.report_here(diagnostic)
    }

    pub(super) fn not_a_unit(&mut self) -> Failed {
        let headline = format!("expected a definition or declaration, found {}", self.found());
        let diagnostic =
            self.here(Code::UnexpectedToken, headline).label("no definition or declaration starts here");
        self.report_here(diagnostic)
    }

    pub(super) fn missing_module_end(&mut self, name: Ident) {
        if self.reported_end {
            return;
        }
        self.reported_end = true;
        let headline = format!("module `{}` has no end", self.names.text(name.name));
        let diagnostic = self
            .here(Code::MissingModuleEnd, headline)
            .label("expected `====` before the end of the file")
            .related(name.span, "the module starts here")
            .help("end the module with a line of `====`");
        self.report(diagnostic);
    }

    pub(super) fn missing_qed(&mut self, first: Token, is_empty: bool) -> Failed {
        let expected = if is_empty { "a proof" } else { "a proof step" };
        let headline = format!("expected {expected}, found {}", self.found());
        let diagnostic = self
            .here(Code::UnbalancedProof, headline)
            .label("the proof is not finished")
            .related(self.span_of(first), "the proof starts here")
            .help("end the proof with a `QED` step of its level");
        self.report_here(diagnostic)
    }

    pub(super) fn bad_step_level(&mut self, token: Token, proof_start: Token) -> Failed {
        let headline = format!("step `{}` is not at the level of its proof", self.text_of(token));
        let diagnostic = Diagnostic::new(Code::BadProofStep, self.span_of(token), headline)
            .label("another level")
            .related(self.span_of(proof_start), "the proof that this step would belong to")
            .help("end the inner proof with a `QED` step, or correct the level");
        self.report(diagnostic)
    }

    pub(super) fn step_without_proof(&mut self, proof: Span, step: Span) -> Failed {
        let diagnostic = Diagnostic::new(Code::BadProofStep, proof, "this kind of step takes no proof")
            .label("a proof of it")
            .related(step, "the step asserts nothing that needs one")
            .help("remove the proof");
        self.report(diagnostic)
    }

    pub(super) fn proof_too_deep(&mut self, token: Token) -> Failed {
        let headline = format!("proofs nest more than {BLOCK_DEPTH_MAX} levels deep");
        let span = self.span_of(token);
        self.report(Diagnostic::new(Code::TooDeep, span, headline).label("the limit is reached here"))
    }

    pub(super) fn bad_step_reference(&mut self, token: Token) -> Failed {
        let text = self.text_of(token);
        let headline = match text.starts_with("<+>") {
            true => format!("`{text}` names no step that exists"),
            false => format!("step `{text}` is used outside its proof"),
        };
        let diagnostic =
            Diagnostic::new(Code::BadProofStep, self.span_of(token), headline).label("no such step in scope");
        self.report(diagnostic)
    }
}

/// An operator with what decides its place among others.
fn describe(op: OpSym) -> String {
    let info = op.info();
    let fixity = match info.fixity {
        Fixity::Prefix => "prefix",
        Fixity::Infix => "infix",
        Fixity::Postfix => "postfix",
    };
    let name = if op == OpSym::Neg { "-" } else { op.canonical() };
    if info.low == info.high {
        format!("{fixity} `{name}` has precedence {}", info.low)
    } else {
        format!("{fixity} `{name}` has precedence {}-{}", info.low, info.high)
    }
}
