//! Writes proofs as events.

use super::Dumper;
use crate::spec::{ExprId, Proof, ProofKind, ProofStep, ProofStepKind};

impl<'a> Dumper<'a> {
    pub(super) fn proof(&mut self, proof: &'a Proof) {
        base::with_stack(|| match &proof.kind {
            ProofKind::Leaf { facts } => {
                self.events.open("by", proof.span);
                self.exprs("facts", facts);
                self.events.close();
            }
            ProofKind::Steps(steps) => {
                self.events.open("proof", proof.span);
                self.events.list("steps");
                steps.iter().for_each(|step| self.step(step));
                self.events.close();
                self.events.close();
            }
        });
    }

    fn step(&mut self, step: &'a ProofStep) {
        let name = self.step_name(step.span);
        let word = step_kind_word(&step.kind);
        let head = name.map_or_else(|| word.to_owned(), |name| format!("{word} {name}"));
        self.events.open_as(word, head, step.span);
        if let Some(name) = name {
            self.events.push_hidden_word("name", name);
        }
        self.step_parts(&step.kind);
        if let Some(proof) = &step.proof {
            self.events.key("proof");
            self.proof(proof);
        }
        self.events.close();
    }

    fn step_parts(&mut self, kind: &'a ProofStepKind) {
        match kind {
            ProofStepKind::Define(defs) => self.let_defs(defs),
            ProofStepKind::Instance(None) | ProofStepKind::Qed => {}
            ProofStepKind::Instance(Some(instance)) => {
                self.events.key("instance");
                self.instance(*instance, false);
            }
            ProofStepKind::UseHide { facts: exprs } | ProofStepKind::Witness(exprs) => {
                self.exprs("exprs", exprs);
            }
            ProofStepKind::Have(expr)
            | ProofStepKind::Case(expr)
            | ProofStepKind::Assert { statement: expr, suffices: _ } => self.statement(*expr),
            ProofStepKind::Take(bounds) => self.bounds(bounds),
            ProofStepKind::Pick { bounds, body } => {
                self.bounds(bounds);
                self.statement(*body);
            }
        }
    }

    fn statement(&mut self, expr: ExprId) {
        self.key_expr("statement", expr);
    }
}

fn step_kind_word(kind: &ProofStepKind) -> &'static str {
    match kind {
        ProofStepKind::Define(_) => "define",
        ProofStepKind::Instance(_) => "instance-step",
        ProofStepKind::UseHide { .. } => "use",
        ProofStepKind::Have(_) => "have",
        ProofStepKind::Witness(_) => "witness",
        ProofStepKind::Take(_) => "take",
        ProofStepKind::Pick { .. } => "pick",
        ProofStepKind::Assert { suffices: false, .. } => "assert",
        ProofStepKind::Assert { suffices: true, .. } => "suffices",
        ProofStepKind::Case(_) => "case-step",
        ProofStepKind::Qed => "qed",
    }
}
