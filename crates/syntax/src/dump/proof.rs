//! Writes proofs as events.

use super::Dumper;
use super::events::Shown;
use crate::ast::{ExprId, Fact, Proof, ProofKind, ProofStep, ProofStepKind, UseHide, UseKind};

impl<'a> Dumper<'a> {
    pub(super) fn opt_proof(&mut self, proof: Option<&'a Proof>) {
        if let Some(proof) = proof {
            self.events.key("proof");
            base::with_stack(|| self.proof(proof));
        }
    }

    fn proof(&mut self, proof: &'a Proof) {
        self.events.open("proof", proof.span);
        match &proof.kind {
            ProofKind::Obvious => self.events.word("method", "OBVIOUS"),
            ProofKind::Omitted => self.events.word("method", "OMITTED"),
            ProofKind::By(list) => self.use_hide(list),
            ProofKind::Steps(steps) => {
                self.events.list("steps");
                steps.iter().for_each(|step| self.step(step));
                self.events.close();
            }
        }
        self.events.close();
    }

    fn step(&mut self, step: &'a ProofStep) {
        self.events.open("step", step.span);
        self.events.key("level");
        self.events.atom(Shown::Number(step.level));
        if let Some(name) = step.name {
            self.key_ident("name", name);
        }
        self.step_kind(step);
        self.opt_proof(step.proof.as_ref());
        self.events.close();
    }

    fn step_kind(&mut self, step: &'a ProofStep) {
        match &step.kind {
            ProofStepKind::Define(units) => self.units("define", units),
            ProofStepKind::Instance(instance) => {
                self.events.key("statement");
                self.events.open("instance", instance.span);
                self.instance(instance);
                self.events.close();
            }
            ProofStepKind::UseHide(list) => self.use_hide(list),
            ProofStepKind::Have(expr) => self.statement("have", &[*expr]),
            ProofStepKind::Witness(exprs) => self.statement("witness", exprs),
            ProofStepKind::Take(bounds) => {
                self.events.group("take");
                bounds.iter().for_each(|bound| self.bound(bound));
                self.events.close();
            }
            ProofStepKind::TakeUnbounded(names) => {
                self.events.group("take");
                names.iter().for_each(|&name| self.ident(name));
                self.events.close();
            }
            ProofStepKind::Pick { bounds, body } => {
                self.events.group("pick");
                bounds.iter().for_each(|bound| self.bound(bound));
                self.events.close();
                self.key_expr("body", *body);
            }
            ProofStepKind::PickUnbounded { names, body } => {
                self.events.group("pick");
                names.iter().for_each(|&name| self.ident(name));
                self.events.close();
                self.key_expr("body", *body);
            }
            ProofStepKind::Assert { suffices: true, statement } => self.statement("suffices", &[*statement]),
            ProofStepKind::Assert { suffices: false, statement } => self.key_expr("assert", *statement),
            ProofStepKind::Case(expr) => self.statement("case", &[*expr]),
            ProofStepKind::Qed => self.events.word("statement", "QED"),
        }
    }

    fn statement(&mut self, word: &'static str, exprs: &[ExprId]) {
        self.events.group(word);
        exprs.iter().for_each(|&expr| self.expr(expr));
        self.events.close();
    }

    pub(super) fn use_hide(&mut self, list: &'a UseHide) {
        let word = match list.kind {
            UseKind::By => "BY",
            UseKind::Use => "USE",
            UseKind::Hide => "HIDE",
        };
        self.events.word("method", word);
        if list.only {
            self.events.word("only", "ONLY");
        }
        for (key, facts) in [("facts", &list.facts), ("defs", &list.defs)] {
            if !facts.is_empty() {
                self.events.group(key);
                facts.iter().for_each(|fact| self.fact(fact));
                self.events.close();
            }
        }
    }

    fn fact(&mut self, fact: &'a Fact) {
        match fact {
            Fact::Expr(expr) => self.expr(*expr),
            Fact::Module(module) => {
                self.events.open_as("module-fact", "MODULE", module.span);
                self.key_ident("module", *module);
                self.events.close();
            }
        }
    }
}
