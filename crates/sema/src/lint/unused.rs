//! Definitions, variables and constants that nothing uses (SL0601, SL0602, SL0603).
//!
//! A module may exist for others to extend or instantiate, and a definition without parameters may exist for a
//! configuration to name. Such definitions are not reported: see [`UnusedLint::is_entry`].

use base::{FxHashSet, Name};
use diag::{Code, Diagnostic, Diagnostics, Span};

use super::is_own;
use super::read::{Mode, Reading};
use crate::config::{BoundConfig, Formula, Replacement, Replacements, Target};
use crate::level::Level;
use crate::spec::{
    Arg, Builtin, ConstId, DefBody, DefId, DefKind, ExprId, ExprKind, ModuleId, Op, OpArg, Spec, VarId,
};
use crate::spec_walk::ProofPart;
use crate::unfold::Env;

pub(super) fn lint(spec: &Spec, config: Option<&BoundConfig>, replacements: &Replacements) -> Diagnostics {
    let mut lint = UnusedLint { spec, config, replacements, used: FxHashSet::default(), todo: Vec::new() };
    lint.follow_roots();
    let mut diagnostics = Diagnostics::new();
    lint.report_definitions(&mut diagnostics);
    // A module without a behaviour may declare variables and constants for the modules that extend it.
    if config.is_some() || lint.has_behaviour(spec.root) {
        report_variables(spec, &mut diagnostics);
        report_constants(spec, config, &mut diagnostics);
    }
    diagnostics
}

struct UnusedLint<'s> {
    spec: &'s Spec,
    config: Option<&'s BoundConfig>,
    replacements: &'s Replacements,
    /// Definitions reached; for a copy made by INSTANCE, the original as well.
    used: FxHashSet<DefId>,
    todo: Vec<ExprId>,
}

impl UnusedLint<'_> {
    fn follow_roots(&mut self) {
        let spec = self.spec;
        if let Some(config) = self.config {
            config.named_definitions().for_each(|named| self.reach(named.def));
            config.assignments.iter().for_each(|assigned| {
                self.reach_target(&assigned.target);
                self.reach_replacement(&assigned.replacement);
            });
        }
        for module in spec.modules.ids().filter(|&module| is_own(spec, module)) {
            self.follow_facts(module);
        }
        for instance in spec.instances.iter() {
            instance.substitutions.iter().for_each(|substitution| self.reach_arg(&substitution.value));
        }
        for id in spec.defs.ids() {
            if self.is_entry(id) {
                self.reach(id);
            }
        }
        self.follow();
    }

    /// Follows assumptions, theorems and proofs, which count as used.
    fn follow_facts(&mut self, module: ModuleId) {
        let module = &self.spec.modules[module];
        for assumption in &module.assumptions {
            self.todo.push(assumption.body);
        }
        for theorem in &module.theorems {
            self.todo.push(theorem.statement);
            if let Some(proof) = &theorem.proof {
                proof.for_each_part(&mut |part| match part {
                    ProofPart::Expr(expr) => self.todo.push(expr),
                    ProofPart::Def(def) => self.reach(def),
                    ProofPart::Instance(_) | ProofPart::Local(_) => {}
                });
            }
        }
    }

    fn follow(&mut self) {
        let spec = self.spec;
        while let Some(root) = self.todo.pop() {
            let mut reached = Vec::new();
            spec.walk(root, |expr| {
                if let ExprKind::Apply { op, args } = &spec.exprs[expr].kind {
                    reached.extend(op_def(*op));
                    reached.extend(args.iter().filter_map(arg_op).filter_map(op_def));
                }
                true
            });
            reached.into_iter().for_each(|def| self.reach(def));
        }
    }

    fn reach(&mut self, def: DefId) {
        let mut next = Some(def);
        while let Some(def) = next.filter(|&def| self.used.insert(def)) {
            if let DefBody::Expr(body) = self.spec.defs[def].body {
                self.todo.push(body);
            }
            next = self.spec.defs[def].origin.map(|origin| origin.def);
        }
    }

    fn reach_arg(&mut self, arg: &Arg) {
        self.todo.extend(arg.expr());
        if let Some(def) = arg_op(arg).and_then(op_def) {
            self.reach(def);
        }
    }

    fn reach_target(&mut self, target: &Target) {
        match target {
            Target::Const(_) => {}
            Target::Def { path: _, replaced: defs } | Target::InModule(defs) => {
                defs.iter().for_each(|&def| self.reach(def))
            }
        }
    }

    fn reach_replacement(&mut self, replacement: &Replacement) {
        match replacement {
            Replacement::Def(def) => self.reach(*def),
            Replacement::Const(_) | Replacement::Value(_) | Replacement::Table(_) => {}
        }
    }

    /// Whether something outside may be meant to use it.
    ///
    /// A module without a next-state relation is a library: everything in it that is not LOCAL counts. In a module with
    /// a next-state relation, it is everything that a configuration can name, except actions that assign variables and
    /// are not called after `Next`. Those exist to be part of that relation.
    fn is_entry(&self, id: DefId) -> bool {
        let def = &self.spec.defs[id];
        match def.kind {
            DefKind::Operator | DefKind::Function => {
                let nameable = def.params.is_empty() && !self.is_step(id);
                !def.local && (nameable || !self.has_behaviour(def.module))
            }
            DefKind::Let => false,
            DefKind::Assumption | DefKind::Theorem | DefKind::ProofStep | DefKind::Subexpression => true,
        }
    }

    /// Whether it is an action that determines the next value of some variable.
    fn is_step(&self, id: DefId) -> bool {
        let DefBody::Expr(expr) = self.spec.defs[id].body else { return false };
        if self.spec.levels.defs[id] != Level::Action
            || self.spec.names.text(self.spec.defs[id].name).contains("Next")
        {
            return false;
        }
        let mut reading = Reading::new(self.spec, self.replacements, Mode::Next);
        let root = reading.formula(&Formula { expr, env: Env::new(), def: Some(id) });
        !reading.effects[root].may.is_empty()
    }

    /// Whether the module describes the behaviour of a system.
    fn has_behaviour(&self, module: ModuleId) -> bool {
        let spec = self.spec;
        let named = self.config.into_iter().flat_map(|config| [config.specification, config.next]);
        let by_config = named.flatten().any(|named| spec.defs[named.def].module == module);
        let conventional = ["Next", "Spec"].map(|name| spec.names.get(name));
        let is_conventional = |def: &DefId| conventional.contains(&Some(spec.defs[*def].name));
        by_config || spec.modules[module].defs.iter().any(is_conventional)
    }

    fn report_definitions(&self, diagnostics: &mut Diagnostics) {
        let spec = self.spec;
        let lets = unused_lets(spec);
        for (id, def) in spec.defs.iter_enumerated() {
            let is_unused = match def.kind {
                DefKind::Operator | DefKind::Function => def.origin.is_none() && !self.used.contains(&id),
                DefKind::Let => lets.contains(&id),
                DefKind::Assumption | DefKind::Theorem | DefKind::ProofStep | DefKind::Subexpression => false,
            };
            if is_unused && is_own(spec, def.module) && !is_deliberate(spec, def.name) {
                diagnostics.push(self.unused_definition(id));
            }
        }
    }

    fn unused_definition(&self, id: DefId) -> Diagnostic {
        let def = &self.spec.defs[id];
        let name = self.spec.names.text(def.name);
        let is_action = def.kind != DefKind::Let && self.spec.levels.defs[id] == Level::Action;
        let headline = match is_action {
            true => format!("the action `{name}` is part of nothing"),
            false => format!("`{name}` is never used"),
        };
        let diagnostic = Diagnostic::new(Code::UnusedDefinition, def.name_span, headline);
        match is_action {
            true => diagnostic.help("make it part of the next-state relation, or remove it"),
            false => diagnostic.help("remove it"),
        }
    }
}

/// Returns the LET definitions that are mentioned nowhere. Definitions in a proof are for its reader.
///
/// INSTANCE copies LETs together with the expression around them, so places are compared: the first of several copies
/// stands for all.
fn unused_lets(spec: &Spec) -> FxHashSet<DefId> {
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    for expr in spec.exprs.iter() {
        if let ExprKind::Apply { op, args } = &expr.kind {
            let mentioned = op_def(*op).into_iter().chain(args.iter().filter_map(arg_op).filter_map(op_def));
            seen.extend(mentioned.map(|def| spec.defs[def].name_span));
        }
    }
    let lets = spec.exprs.iter().flat_map(|expr| expr.kind.let_defs().iter().copied());
    lets.filter(|&def| seen.insert(spec.defs[def].name_span)).collect()
}

/// Whether the name itself says that it is unused: `_unused`.
fn is_deliberate(spec: &Spec, name: Name) -> bool {
    spec.names.text(name).starts_with('_')
}

fn op_def(op: Op) -> Option<DefId> {
    match op {
        Op::Def(def) => Some(def),
        Op::Const(_) | Op::Param(_) | Op::Builtin(_) => None,
    }
}

fn arg_op(arg: &Arg) -> Option<Op> {
    match arg {
        Arg::Op(OpArg::Ref(op, _)) => Some(*op),
        Arg::Op(OpArg::Lambda(_)) | Arg::Expr(_) => None,
    }
}

fn report_variables(spec: &Spec, diagnostics: &mut Diagnostics) {
    let used = used_variables(spec);
    for &id in &spec.modules[spec.root].variables {
        let variable = &spec.variables[id];
        if is_own(spec, variable.module) && !used.contains(&id) {
            let headline = format!("the variable `{}` is never used", spec.names.text(variable.name));
            let diagnostic = Diagnostic::new(Code::UnusedVariable, variable.span, headline)
                .note("standing in a tuple of variables or under UNCHANGED is not a use")
                .help("remove it");
            diagnostics.push(diagnostic);
        }
    }
}

/// Returns the variables that stand anywhere except in tuples that are subscripts, definitions or operands of
/// UNCHANGED.
fn used_variables(spec: &Spec) -> FxHashSet<VarId> {
    let mut used = FxHashSet::default();
    let mut mention = |expr: ExprId| {
        spec.walk(expr, |inner| {
            if let ExprKind::Var(var) = spec.exprs[inner].kind {
                used.insert(var);
            }
            // Anything below another expression is visited on its own.
            matches!(spec.exprs[inner].kind, ExprKind::Tuple(_))
        });
    };
    for expr in spec.exprs.iter() {
        let is_list = matches!(
            expr.kind,
            ExprKind::Tuple(_) | ExprKind::Apply { op: Op::Builtin(Builtin::Unchanged), args: _ }
        );
        if let ExprKind::Step { action, .. } | ExprKind::Fairness { action, .. } = expr.kind {
            mention(action);
        } else if !is_list {
            expr.kind.for_each_child(&mut mention);
        }
    }
    for instance in spec.instances.iter() {
        instance
            .substitutions
            .iter()
            .filter_map(|substitution| substitution.value.expr())
            .for_each(&mut mention);
    }
    used
}

fn report_constants(spec: &Spec, config: Option<&BoundConfig>, diagnostics: &mut Diagnostics) {
    let used = used_constants(spec, config);
    let model_values = config.map(|config| model_values(spec, config)).unwrap_or_default();
    for &id in &spec.modules[spec.root].constants {
        let constant = &spec.constants[id];
        let is_used = used.contains(&id) || model_values.contains(&constant.name);
        if is_own(spec, constant.module) && !is_used {
            let headline = format!("the constant `{}` is never used", spec.names.text(constant.name));
            diagnostics
                .push(Diagnostic::new(Code::UnusedConstant, constant.span, headline).help("remove it"));
        }
    }
}

fn used_constants(spec: &Spec, config: Option<&BoundConfig>) -> FxHashSet<ConstId> {
    let mut used = FxHashSet::default();
    let mut of_op = |op: Op| match op {
        Op::Const(constant) => {
            used.insert(constant);
        }
        Op::Def(_) | Op::Param(_) | Op::Builtin(_) => {}
    };
    for expr in spec.exprs.iter() {
        if let ExprKind::Const(constant) = expr.kind {
            of_op(Op::Const(constant));
        }
        if let ExprKind::Apply { op, args } = &expr.kind {
            of_op(*op);
            args.iter().filter_map(arg_op).for_each(&mut of_op);
        }
    }
    for instance in spec.instances.iter() {
        instance
            .substitutions
            .iter()
            .filter_map(|substitution| arg_op(&substitution.value))
            .for_each(&mut of_op);
    }
    for assigned in config.into_iter().flat_map(|config| &config.assignments) {
        if let Replacement::Const(constant) = assigned.replacement {
            of_op(Op::Const(constant));
        }
    }
    used
}

/// Returns the model values that are assigned to something else. A constant that is declared to be one of them is used
/// by that.
fn model_values(spec: &Spec, config: &BoundConfig) -> FxHashSet<Name> {
    let mut found = FxHashSet::default();
    for assigned in &config.assignments {
        let own = match &assigned.target {
            Target::Const(constant) => Some(spec.constants[*constant].name),
            Target::Def { .. } | Target::InModule(_) => None,
        };
        found.extend(assigned.replacement.model_values().into_iter().filter(|&name| Some(name) != own));
    }
    found
}
