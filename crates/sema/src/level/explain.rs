//! The messages: which level is too high, and which sub-expression made it so.

use diag::{Code, Diagnostic, Label};

use super::Level;
use super::apply::Call;
use super::checker::Checker;
use super::culprit::HOPS_MAX;
use super::facts::{Need, NonConstant};
use super::rules::{self, ExprPart};
use crate::spec::{
    Arg, Builtin, DefId, ExprId, InstanceId, LocalId, ModuleId, Op, OpArg, StepKind, SubstTarget,
};

/// Messages about parts of expressions.
impl Checker<'_> {
    pub fn too_high(&self, part: ExprPart) -> Diagnostic {
        let level = self.level(part.expr);
        let headline = format!(
            "{} may be at most of {} level, but this is of {level} level",
            part.place.describe(),
            part.max
        );
        let diagnostic = self.blame(part.place.code(), part.expr, headline);
        match part.place {
            rules::PartRole::Operand(Builtin::Prime | Builtin::Unchanged) if level == Level::Action => {
                diagnostic.help("an expression speaks of this state and the next one: prime it once")
            }
            rules::PartRole::Operand(_)
            | rules::PartRole::Named(_)
            | rules::PartRole::Bound
            | rules::PartRole::NewSet
            | rules::PartRole::Any => diagnostic,
        }
    }

    pub fn at_too_high(&self, local: LocalId, level: Level) -> Diagnostic {
        let limit = self.facts().params[local].limit;
        let headline = format!("`@` may be at most of {} level here, but is of {level} level", limit.max);
        let diagnostic = Diagnostic::new(Code::LevelExceeded, self.spec.locals[local].span, headline);
        self.add_cause(diagnostic, local)
    }

    pub fn sees_stuttering(&self, wanted: StepKind, operand: ExprId) -> Diagnostic {
        let (symbol, form, remedy) = match wanted {
            StepKind::Box => {
                ("[]", "[A]_v", "write `[][A]_v`, with this as `A` and all variables in the tuple `v`")
            }
            StepKind::Angle => {
                ("<>", "<<A>>_v", "write `<><<A>>_v`, with this as `A` and all variables in the tuple `v`")
            }
        };
        let headline = format!("`{symbol}` of an action that is not of the form `{form}`");
        self.blame(Code::StutterSensitive, operand, headline)
            .note("a temporal formula must not tell whether steps that change nothing are added or left out")
            .help(remedy)
    }

    pub fn action_operand(&self, op: Builtin, operand: ExprId) -> Diagnostic {
        let symbol = rules::builtin(op).symbol;
        let headline =
            format!("an operand of `{symbol}` is a state predicate or a temporal formula, not an action");
        self.blame(Code::TemporalOperandLevel, operand, headline)
            .help("write `<><<A>>_v` or `[][A]_v` for the action `A`")
    }

    pub fn mixed_levels(&self, op: Builtin, action: ExprId, temporal: ExprId) -> Diagnostic {
        let symbol = rules::builtin(op).symbol;
        let headline = format!("`{symbol}` joins an action and a temporal formula");
        let mut diagnostic = self.blame(Code::MixedLevels, action, headline);
        diagnostic
            .secondary
            .insert(0, Label { span: self.span(temporal), text: "this is of temporal level".to_owned() });
        diagnostic.help(
            "write `[][A]_v` for an action `A` that holds of every step, `<><<A>>_v` for one that happens",
        )
    }

    pub fn action_bound(&self, set: ExprId) -> Diagnostic {
        let headline = "the set of a quantified temporal formula may be at most of state level";
        self.blame(Code::QuantifierBoundLevel, set, headline)
    }

    pub fn assumption_too_high(&self, body: ExprId) -> Diagnostic {
        let headline = format!("an assumption must be constant, but this is of {} level", self.level(body));
        self.blame(Code::AssumptionLevel, body, headline)
            .help("say about variables in the initial predicate or in an invariant what holds of them")
    }

    pub fn step_too_high(&self, what: &str, expr: ExprId) -> Diagnostic {
        let headline = format!("{what} must be constant, but this is of {} level", self.level(expr));
        self.blame(Code::ProofStepLevel, expr, headline)
    }
}

/// Messages about applications and recursion.
impl Checker<'_> {
    pub fn argument_too_high(&self, call: &Call<'_>, index: usize) -> Diagnostic {
        let param = call.params[index];
        let max = self.facts().params[param].limit.max;
        let level = self.arg_level(call, index);
        let headline = format!(
            "argument {} of `{}` may be at most of {max} level, but this is of {level} level",
            index + 1,
            self.def_name(call.def),
        );
        let diagnostic = self.blame_arg(Code::LevelExceeded, &call.args[index], level, headline);
        self.add_cause(diagnostic, param)
    }

    pub fn operator_too_narrow(&self, call: &Call<'_>, index: usize, slot: usize, need: Need) -> Diagnostic {
        let param = self.text(self.spec.locals[call.params[index]].name);
        let passed = self.arg_text(&call.args[index]);
        let headline = format!("{passed} cannot be passed to `{}` as its `{param}`", self.def_name(call.def));
        let label = format!(
            "argument {} of `{param}` is of {} level, which {passed} does not take",
            slot + 1,
            need.level
        );
        let diagnostic =
            Diagnostic::new(Code::OperatorArgumentLevel, self.arg_span(&call.args[index]), headline)
                .label(label);
        self.add_need(diagnostic, param, need)
    }

    pub fn passed_on_too_high(&self, call: &Call<'_>, op_idx: usize, index: usize, max: Level) -> Diagnostic {
        let level = self.arg_level(call, index);
        let passed = self.arg_text(&call.args[op_idx]);
        let headline = format!(
            "`{}` passes this on to {passed}, which takes at most {max} level, but it is of {level} level",
            self.def_name(call.def),
        );
        self.blame_arg(Code::OperatorArgumentLevel, &call.args[index], level, headline)
            .related(self.arg_span(&call.args[op_idx]), "passed on to this")
    }

    pub fn primes_parameter(&self, id: DefId, param: LocalId) -> Diagnostic {
        let name = self.text(self.spec.locals[param].name);
        let headline =
            format!("`{}` is recursive, so it cannot prime its parameter `{name}`", self.def_name(id));
        let diagnostic = Diagnostic::new(Code::RecursivePrimes, self.spec.locals[param].span, headline)
            .note("a parameter of a recursive operator must be usable at action level in every call");
        self.add_cause(diagnostic, param).help("pass the primed expression as an argument instead")
    }
}

/// Messages about instances.
impl Checker<'_> {
    pub fn substitution_too_high(
        &self,
        id: InstanceId,
        index: usize,
        level: Level,
        max: Level,
    ) -> Diagnostic {
        let substitution = &self.spec.instances[id].substitutions[index];
        let headline = format!(
            "what is substituted for {} may be at most of {max} level, but this is of {level} level",
            self.target(id, index),
        );
        let mut diagnostic = self.blame_substitution(Code::SubstitutionLevel, id, index, headline);
        if let Arg::Expr(expr) = substitution.value {
            diagnostic.secondary.extend(self.culprit(expr, level));
        }
        match substitution.target {
            SubstTarget::Const(_) => self.add_why_non_constant(diagnostic, self.spec.instances[id].module),
            SubstTarget::Var(_) => diagnostic,
        }
    }

    pub fn substitute_too_narrow(&self, id: InstanceId, index: usize, need: Need, max: Level) -> Diagnostic {
        let target = self.target(id, index);
        let headline = format!(
            "{target} is applied to an argument of {} level, but what is substituted takes at most {max} level",
            need.level,
        );
        let diagnostic = self.blame_substitution(Code::SubstitutionLevel, id, index, headline);
        self.add_need(diagnostic, &target, need)
    }

    pub fn substituted_argument_too_high(
        &self,
        id: InstanceId,
        op_idx: usize,
        index: usize,
        max: Level,
    ) -> Diagnostic {
        let instance = &self.spec.instances[id];
        let headline = format!(
            "{} is passed to {}, for which an operator is substituted that takes at most {max} level",
            self.target(id, index),
            self.target(id, op_idx),
        );
        self.blame_substitution(Code::SubstitutionLevel, id, index, headline)
            .related(instance.substitutions[op_idx].span, format!("takes at most {max} level"))
    }

    pub fn not_leibniz(&self, id: InstanceId, index: usize, slot: usize) -> Diagnostic {
        let value = &self.spec.instances[id].substitutions[index].value;
        let headline =
            format!("{} cannot be substituted for {}", self.arg_text(value), self.target(id, index));
        let note = format!(
            "an operator constant gives equal results for equal arguments; here argument {} is used in the next \
             state or in all of them, where it may differ",
            slot + 1,
        );
        let diagnostic = self.blame_substitution(Code::NonLeibniz, id, index, headline).note(note);
        let param = match value {
            Arg::Op(OpArg::Ref(Op::Def(def), _)) => self.spec.defs[*def].params.get(slot),
            Arg::Op(OpArg::Lambda(lambda)) => lambda.params.get(slot),
            Arg::Op(OpArg::Ref(Op::Const(_) | Op::Param(_) | Op::Builtin(_), _)) | Arg::Expr(_) => None,
        };
        match param {
            Some(&param) => self.add_cause(diagnostic, param),
            None => diagnostic,
        }
    }

    fn blame_substitution(&self, code: Code, id: InstanceId, index: usize, headline: String) -> Diagnostic {
        let substitution = &self.spec.instances[id].substitutions[index];
        let diagnostic = Diagnostic::new(code, substitution.span, headline);
        if substitution.implicit {
            let target = self.target_name(substitution.target);
            diagnostic.note(format!("without `WITH`, `{target}` of this module is substituted"))
        } else {
            diagnostic
        }
    }

    /// Describes the target of a substitution: "the constant `c` of `M`".
    fn target(&self, id: InstanceId, index: usize) -> String {
        let instance = &self.spec.instances[id];
        let target = instance.substitutions[index].target;
        let kind = match target {
            SubstTarget::Const(_) => "constant",
            SubstTarget::Var(_) => "variable",
        };
        let module = self.text(self.spec.modules[instance.module].name);
        format!("the {kind} `{}` of `{module}`", self.target_name(target))
    }

    fn target_name(&self, target: SubstTarget) -> &str {
        match target {
            SubstTarget::Const(constant) => self.text(self.spec.constants[constant].name),
            SubstTarget::Var(variable) => self.text(self.spec.variables[variable].name),
        }
    }

    fn add_why_non_constant(&self, diagnostic: Diagnostic, mut module: ModuleId) -> Diagnostic {
        for _ in 0..HOPS_MAX {
            let name = self.text(self.spec.modules[module].name);
            let (span, text) = match self.facts().modules[module].non_constant {
                None => return diagnostic,
                Some(NonConstant::Extends(extended)) => {
                    module = extended;
                    continue;
                }
                Some(NonConstant::Variable(variable)) => {
                    (self.spec.variables[variable].span, "this variable".to_owned())
                }
                Some(NonConstant::Def(def)) => {
                    let text = format!("this, of {} level", self.levels.defs[def]);
                    (self.spec.defs[def].name_span, text)
                }
                Some(NonConstant::Theorem(statement)) => {
                    (self.span(statement), format!("this, of {} level", self.level(statement)))
                }
                Some(NonConstant::Instance(instance)) => {
                    (self.spec.instances[instance].span, "this instance".to_owned())
                }
            };
            return diagnostic
                .related(span, format!("`{name}` is not a constant module because of {text}"))
                .note("only a constant module can be instantiated with what is not constant");
        }
        diagnostic
    }
}
