//! Modules as a whole: assumptions, theorems, the steps of proofs, and whether a module is constant.

use super::Level;
use super::checker::{Checker, Ctx};
use super::facts::{Limit, NonConstant};
use super::rules::{ExprPart, PartRole};
use crate::spec::{
    Assumption, Bound, DefId, DefKind, ExprId, InstanceId, ModuleId, Proof, ProofKind, ProofStep,
    ProofStepKind, Theorem,
};

/// The kind of goal around a proof step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Temporal,
    Other,
}

impl Goal {
    fn of(level: Level) -> Goal {
        if level == Level::Temporal { Goal::Temporal } else { Goal::Other }
    }
}

impl Checker<'_> {
    /// Reads the parts of a module that belong to none of its definitions.
    pub fn module(&mut self, id: ModuleId) {
        let module = &self.spec.modules[id];
        self.enter(id);
        module.assumptions.iter().for_each(|assumption| self.assumption(assumption));
        module.theorems.iter().for_each(|theorem| self.theorem(theorem));
        module.extends.iter().for_each(|&extended| self.levels.facts.inherit(id, extended));
        self.levels.facts.modules[id].non_constant = self.non_constant(id);
    }

    fn assumption(&mut self, assumption: &Assumption) {
        let body = assumption.body;
        self.expr(body, &Ctx::top());
        if self.is_sound(body) && self.level(body) != Level::Constant {
            self.report(body, |checker| checker.assumption_too_high(body));
        }
    }

    fn theorem(&mut self, theorem: &Theorem) {
        self.expr(theorem.statement, &Ctx::top());
        let goal = Goal::of(self.level(theorem.statement));
        theorem.proof.iter().for_each(|proof| self.proof(proof, goal));
    }

    fn proof(&mut self, proof: &Proof, goal: Goal) {
        base::with_stack(|| match &proof.kind {
            ProofKind::Leaf { facts } => self.each(facts),
            ProofKind::Steps(steps) => steps.iter().for_each(|step| {
                let inner = self.step(step, goal);
                step.proof.iter().for_each(|proof| self.proof(proof, inner));
            }),
        });
    }

    fn each(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|&expr| self.expr(expr, &Ctx::top()));
    }

    /// Reads a step, and returns the goal of its own proof.
    fn step(&mut self, step: &ProofStep, goal: Goal) -> Goal {
        match &step.kind {
            // Definitions and instances have already been read.
            ProofStepKind::Define(_) | ProofStepKind::Instance(_) | ProofStepKind::Qed => {}
            ProofStepKind::UseHide { facts } => self.each(facts),
            ProofStepKind::Have(expr) => {
                self.each(&[*expr]);
                self.check_step("`HAVE` for a temporal goal", *expr, goal);
            }
            ProofStepKind::Witness(exprs) => exprs.iter().for_each(|&expr| {
                self.read_value(expr, PartRole::Named("what `WITNESS` gives"));
                self.check_step("`WITNESS` for a temporal goal", expr, goal);
            }),
            ProofStepKind::Take(bounds) => {
                self.bounds(bounds);
                bounds.iter().for_each(|bound| {
                    self.check_step("the set of a `TAKE` for a temporal goal", bound.set, goal)
                });
            }
            ProofStepKind::Pick { bounds, body } => return self.pick(bounds, *body),
            ProofStepKind::Assert { statement, suffices: _ } => {
                self.each(&[*statement]);
                return Goal::of(self.level(*statement));
            }
            ProofStepKind::Case(expr) => {
                self.each(&[*expr]);
                self.check_step("`CASE` for a temporal goal", *expr, goal);
                if self.level(*expr) == Level::Temporal {
                    return Goal::Temporal;
                }
            }
        }
        goal
    }

    fn pick(&mut self, bounds: &[Bound], body: ExprId) -> Goal {
        self.bounds(bounds);
        self.each(&[body]);
        let sets = bounds.iter().map(|bound| self.level(bound.set));
        let goal = Goal::of(sets.fold(self.level(body), Level::max));
        bounds
            .iter()
            .for_each(|bound| self.check_step("the set of a `PICK` of a temporal formula", bound.set, goal));
        goal
    }

    fn bounds(&mut self, bounds: &[Bound]) {
        bounds.iter().for_each(|bound| self.read_value(bound.set, PartRole::Bound));
    }

    /// Reads an expression that must have a value.
    fn read_value(&mut self, expr: ExprId, place: PartRole) {
        self.expr(expr, &Ctx::top().part(Limit { max: Level::Action, cause: None }, true));
        if self.is_sound(expr) && self.level(expr) == Level::Temporal {
            self.report(expr, |checker| {
                checker.too_high(ExprPart { expr, max: Level::Action, counts: true, place })
            });
        }
    }

    /// Checks a step against its goal: a statement about one moment helps a temporal goal only if it holds at all
    /// moments.
    fn check_step(&mut self, what: &'static str, expr: ExprId, goal: Goal) {
        if goal == Goal::Temporal && self.is_sound(expr) && self.level(expr) != Level::Constant {
            self.report(expr, |checker| checker.step_too_high(what, expr));
        }
    }

    /// Checks that a recursive operator does not prime its parameters, because it might prime them again.
    pub fn check_recursive_params(&mut self, id: DefId) {
        let def = &self.spec.defs[id];
        let is_operator = def.recursive && def.kind != DefKind::Function;
        if !is_operator || self.is_copy(id) || !self.facts().defs[id].sound {
            return;
        }
        for &param in &def.params {
            if self.facts().params[param].limit.max < Level::Action {
                self.levels.facts.defs[id].sound = false;
                self.report_at_large(self.primes_parameter(id, param));
            }
        }
    }

    /// Returns the reason why the module is not a constant module. What is substituted for its constants must then be
    /// constant, because its definitions may prime them.
    fn non_constant(&self, id: ModuleId) -> Option<NonConstant> {
        let module = &self.spec.modules[id];
        let non_constant = |id: ModuleId| self.facts().modules[id].non_constant.is_some();
        let is_high = |level: Level| level != Level::Constant;
        let variable = module.variables.first().map(|&variable| NonConstant::Variable(variable));
        let def = || module.defs.iter().find(|&&def| is_high(self.levels.defs[def]));
        let theorem = || module.theorems.iter().find(|theorem| is_high(self.level(theorem.statement)));
        let extended = || module.extends.iter().find(|&&extended| non_constant(extended));
        let instance = || module.instances.iter().find(|&&id| self.is_instance_non_constant(id));
        variable
            .or_else(|| def().map(|&def| NonConstant::Def(def)))
            .or_else(|| theorem().map(|theorem| NonConstant::Theorem(theorem.statement)))
            .or_else(|| extended().map(|&extended| NonConstant::Extends(extended)))
            .or_else(|| instance().map(|&instance| NonConstant::Instance(instance)))
    }

    fn is_instance_non_constant(&self, id: InstanceId) -> bool {
        let instance = &self.spec.instances[id];
        let is_high = |expr: ExprId| self.level(expr) != Level::Constant;
        self.facts().modules[instance.module].non_constant.is_some()
            || instance.substitutions.iter().filter_map(|item| item.value.expr()).any(is_high)
    }
}
