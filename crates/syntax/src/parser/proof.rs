//! Parses proofs: steps, their levels, and the names that expressions use for them.
//!
//! A step `<n>` belongs to the proof whose level is n; a larger n starts a proof of the step before. `<+>` starts one a
//! level deeper, `<*>` continues at the current level, or starts one after `PROOF`.

use diag::{Code, Diagnostic, Span};

use super::{BLOCK_DEPTH_MAX, Failed, Parse, Parser};
use crate::ast::{ExprId, Ident, Proof, ProofKind, ProofStep, ProofStepKind, SegmentKind, Unit};
use crate::token::{Keyword, Token, TokenKind};

/// The open proofs, outermost first. The level of a proof is known from its first step on.
#[derive(Debug, Default)]
pub(super) struct Levels(Vec<Option<u32>>);

/// The parts of a step token: `<level>label` and dots.
pub(super) struct StepName<'a> {
    level: StepLevel,
    /// The label. Empty for a nameless step.
    label: &'a str,
    has_dots: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepLevel {
    Number(u32),
    /// `<*>`
    Same,
    /// `<+>`
    Deeper,
}

impl<'a> StepName<'a> {
    /// Splits a step token. Returns `None` when the level is out of range.
    fn parse(text: &'a str) -> Option<StepName<'a>> {
        let (level, rest) = text.strip_prefix('<')?.split_once('>')?;
        let level = match level {
            "*" => StepLevel::Same,
            "+" => StepLevel::Deeper,
            digits => StepLevel::Number(digits.parse().ok()?),
        };
        let label = rest.trim_end_matches('.');
        let has_dots = label.len() < rest.len();
        Some(StepName { level, label: if matches!(label, "*" | "-") { "" } else { label }, has_dots })
    }
}

impl Levels {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the level of the innermost proof that has one.
    fn current_level(&self) -> Option<u32> {
        self.0.iter().rev().take(2).find_map(|&level| level)
    }

    fn innermost_level(&self) -> Option<u32> {
        self.0.last().copied().flatten()
    }

    /// Gives a step that starts here its level. Returns `None` when it may not stand here.
    fn admit(&mut self, level: StepLevel) -> Option<u32> {
        let enclosing = self.0.len().checked_sub(2).and_then(|index| self.0[index]);
        let next = enclosing.map_or(0, |level| level.saturating_add(1));
        let innermost = self.0.last_mut()?;
        match (level, *innermost) {
            (StepLevel::Same, Some(current)) => Some(current),
            (StepLevel::Deeper, Some(_)) => None,
            (StepLevel::Same | StepLevel::Deeper, None) => Some(*innermost.insert(next)),
            (StepLevel::Number(number), Some(current)) => (number == current).then_some(current),
            (StepLevel::Number(number), None) => {
                *innermost = Some(number);
                (number >= next).then_some(number)
            }
        }
    }

    /// Whether a step of this level starts a proof of the step before it.
    fn starts_proof(&self, level: StepLevel) -> bool {
        match level {
            StepLevel::Same => self.0.is_empty(),
            StepLevel::Deeper => true,
            StepLevel::Number(number) => {
                self.0.is_empty() || self.innermost_level().is_some_and(|current| number > current)
            }
        }
    }
}

impl Parser<'_> {
    pub(super) fn opt_proof(&mut self) -> Parse<Option<Proof>> {
        if self.next_starts_proof() { Ok(Some(self.proof()?)) } else { Ok(None) }
    }

    fn next_starts_proof(&self) -> bool {
        match self.peek() {
            TokenKind::Keyword(Keyword::By | Keyword::Proof | Keyword::Obvious | Keyword::Omitted) => true,
            TokenKind::Step => StepName::parse(self.text_of(self.token()))
                .is_none_or(|step| self.proofs.starts_proof(step.level)),
            _ => false,
        }
    }

    fn proof(&mut self) -> Parse<Proof> {
        let first = self.token();
        if self.proofs.0.len() >= BLOCK_DEPTH_MAX {
            return Err(self.proof_too_deep(first));
        }
        self.proofs.0.push(None);
        self.eat_keyword(Keyword::Proof);
        let kind = match self.peek() {
            TokenKind::Keyword(Keyword::By) => ProofKind::By(self.use_hide()?),
            TokenKind::Keyword(Keyword::Obvious) => {
                self.bump();
                ProofKind::Obvious
            }
            TokenKind::Keyword(Keyword::Omitted) => {
                self.bump();
                ProofKind::Omitted
            }
            _ => ProofKind::Steps(base::with_stack(|| self.steps(first))?),
        };
        self.proofs.0.pop();
        Ok(Proof { kind, span: self.span_from(first) })
    }

    /// Reads steps up to the one with `QED`.
    fn steps(&mut self, first: Token) -> Parse<Vec<ProofStep>> {
        let mut steps = Vec::new();
        loop {
            if !self.next_is(TokenKind::Step) {
                return Err(self.missing_qed(first, steps.is_empty()));
            }
            let step = self.step(first)?;
            let is_last = matches!(step.kind, ProofStepKind::Qed);
            steps.push(step);
            if is_last {
                return Ok(steps);
            }
        }
    }

    fn step(&mut self, proof_start: Token) -> Parse<ProofStep> {
        let first = self.token();
        let Some(name) = StepName::parse(self.text_of(first)) else {
            return Err(self.step_level_too_large(first));
        };
        let Some(level) = self.proofs.admit(name.level) else {
            return Err(self.bad_step_level(first, proof_start));
        };
        self.bump();
        let explicit_level = matches!(name.level, StepLevel::Number(_));
        let ident = (!name.label.is_empty()).then(|| self.step_ident(first, level, &name));
        let kind = self.step_kind()?;
        let statement = self.last_span();
        let proof = self.opt_proof()?;
        let takes_proof = matches!(
            kind,
            ProofStepKind::Pick { .. }
                | ProofStepKind::PickUnbounded { .. }
                | ProofStepKind::Assert { .. }
                | ProofStepKind::Case(_)
                | ProofStepKind::Qed
        );
        if let Some(proof) = proof.as_ref().filter(|_| !takes_proof) {
            return Err(self.step_without_proof(proof.span, self.span_of(first).to(statement)));
        }
        Ok(ProofStep { level, explicit_level, name: ident, kind, proof, span: self.span_from(first) })
    }

    /// Returns the name of a step with its level written out and without its dots.
    fn step_ident(&mut self, token: Token, level: u32, name: &StepName<'_>) -> Ident {
        let dots = self.text_of(token).len() - self.text_of(token).trim_end_matches('.').len();
        let mut span = self.span_of(token);
        span.end -= dots as u32;
        Ident { name: self.names.intern(&format!("<{level}>{}", name.label)), span }
    }

    fn step_kind(&mut self) -> Parse<ProofStepKind> {
        if self.next_is_definition() {
            return self.define();
        }
        let TokenKind::Keyword(keyword) = self.peek() else { return self.assertion(false) };
        match keyword {
            Keyword::Use | Keyword::Hide => Ok(ProofStepKind::UseHide(self.use_hide()?)),
            Keyword::Instance => Ok(ProofStepKind::Instance(self.instance()?)),
            Keyword::Define => {
                self.bump();
                self.define()
            }
            Keyword::Have => {
                self.bump();
                Ok(ProofStepKind::Have(self.expression()?))
            }
            Keyword::Witness => {
                self.bump();
                Ok(ProofStepKind::Witness(self.comma_list(Self::expression)?))
            }
            Keyword::Take => self.take(),
            Keyword::Pick => self.pick(),
            Keyword::Case => {
                self.bump();
                Ok(ProofStepKind::Case(self.expression()?))
            }
            Keyword::Suffices => {
                self.bump();
                self.assertion(true)
            }
            Keyword::Qed => {
                self.bump();
                Ok(ProofStepKind::Qed)
            }
            _ => self.assertion(false),
        }
    }

    fn assertion(&mut self, suffices: bool) -> Parse<ProofStepKind> {
        Ok(ProofStepKind::Assert { suffices, statement: self.statement()? })
    }

    fn define(&mut self) -> Parse<ProofStepKind> {
        let mut units = Vec::new();
        while self.next_is_definition() {
            let first = self.token();
            let kind = self.definition()?;
            units.push(Unit { kind, span: self.span_from(first), local: false });
        }
        if units.is_empty() {
            return Err(self.report_unexpected("a definition"));
        }
        Ok(ProofStepKind::Define(units))
    }

    fn take(&mut self) -> Parse<ProofStepKind> {
        self.bump();
        if self.next_is_bound() || self.next_is(TokenKind::LAngle) {
            return Ok(ProofStepKind::Take(self.comma_list(Self::bound)?));
        }
        let names = self.comma_list(|parser| parser.ident("a variable name"))?;
        Ok(ProofStepKind::TakeUnbounded(names))
    }

    fn pick(&mut self) -> Parse<ProofStepKind> {
        self.bump();
        if self.names_end_with(TokenKind::Colon, 0) {
            let names = self.comma_list(|parser| parser.ident("a variable name"))?;
            self.bump();
            return Ok(ProofStepKind::PickUnbounded { names, body: self.expression()? });
        }
        let bounds = self.comma_list(Self::bound)?;
        self.expect(TokenKind::Colon, "`,` or `:`")?;
        Ok(ProofStepKind::Pick { bounds, body: self.expression()? })
    }

    /// Whether the next token is a step name that an expression may use.
    pub(super) fn next_is_step_reference(&self) -> bool {
        self.next_is(TokenKind::Step)
            && StepName::parse(self.text_of(self.token()))
                .is_some_and(|step| !step.label.is_empty() && !step.has_dots)
    }

    /// Reads `<1>a` in an expression.
    pub(super) fn step_reference(&mut self) -> Parse<ExprId> {
        if !self.next_is_step_reference() {
            return Err(self.report_unexpected("an expression"));
        }
        let token = self.token();
        let Some(step) = StepName::parse(self.text_of(token)) else {
            return Err(self.report_unexpected("an expression"));
        };
        let level = match (step.level, self.proofs.current_level()) {
            (StepLevel::Number(level), Some(_)) => level,
            (StepLevel::Same, Some(current)) => current,
            (StepLevel::Deeper, _) | (_, None) => return Err(self.bad_step_reference(token)),
        };
        let name = self.names.intern(&format!("<{level}>{}", step.label));
        self.bump();
        self.path_after(SegmentKind::Step(name), token)
    }
}

/// Messages about proofs.
impl Parser<'_> {
    fn missing_qed(&mut self, first: Token, is_empty: bool) -> Failed {
        let expected = if is_empty { "a proof" } else { "a proof step" };
        let headline = format!("expected {expected}, found {}", self.describe_next());
        let diagnostic = self
            .diagnostic_here(Code::UnbalancedProof, headline)
            .label("the proof is not finished")
            .related(self.span_of(first), "the proof starts here")
            .help("end the proof with a `QED` step of its level");
        self.report_here(diagnostic)
    }

    fn bad_step_level(&mut self, token: Token, proof_start: Token) -> Failed {
        let headline = format!("step `{}` is not at the level of its proof", self.text_of(token));
        let diagnostic = Diagnostic::new(Code::BadProofStep, self.span_of(token), headline)
            .label("another level")
            .related(self.span_of(proof_start), "the proof that this step would belong to")
            .help("end the inner proof with a `QED` step, or correct the level");
        self.report(diagnostic)
    }

    fn step_level_too_large(&mut self, token: Token) -> Failed {
        let headline = format!("the level of step `{}` is too large", self.text_of(token));
        self.report(
            Diagnostic::new(Code::BadNumber, self.span_of(token), headline).label("a level this large"),
        )
    }

    fn step_without_proof(&mut self, proof: Span, step: Span) -> Failed {
        let diagnostic = Diagnostic::new(Code::BadProofStep, proof, "this kind of step takes no proof")
            .label("a proof of it")
            .related(step, "the step asserts nothing that needs one")
            .help("remove the proof");
        self.report(diagnostic)
    }

    fn proof_too_deep(&mut self, token: Token) -> Failed {
        let headline = format!("proofs nest more than {BLOCK_DEPTH_MAX} levels deep");
        let span = self.span_of(token);
        self.report(Diagnostic::new(Code::TooDeep, span, headline).label("the limit is reached here"))
    }

    fn bad_step_reference(&mut self, token: Token) -> Failed {
        let text = self.text_of(token);
        let headline = match text.starts_with("<+>") {
            true => format!("`{text}` names no step that exists"),
            false => format!("step `{text}` is used outside its proof"),
        };
        let diagnostic = Diagnostic::new(Code::BadProofStep, self.span_of(token), headline);
        self.report(diagnostic.label("no such step in scope"))
    }
}
