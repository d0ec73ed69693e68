//! Lowers what a configuration asks for, each part with a frame of its own.

use std::rc::Rc;

use diag::{Code, Diagnostic, Span};
use sema::config::{Named, Replacement, Rule};
use sema::level::Level;
use sema::spec::{Arg, Builtin, DefBody, DefId, ExprId, ExprKind, JunctionKind, Op, Quantifier, StepKind};

use super::Lowerer;
use super::env::{Binding, Env, Scope, Thunk};
use super::operands::Operands;
use super::temporal::{Entered, Obstacle};
use crate::ir::{ActionLeaf, ActionTree, Bound, IrId, IrKind, Root, StepProperty, VarIdx};
use crate::temporal::{TemporalRoot, TemporalTree};

/// A conjunct of a SPECIFICATION or PROPERTY, and the scope in which it is read.
struct RootPart<'s> {
    expr: ExprId,
    scope: Scope<'s>,
    def: Option<DefId>,
    /// The binders passed on the way to it, outermost first.
    around: Vec<EnclosingBinder<'s>>,
}

/// Something that binds names around a part.
#[derive(Clone)]
enum EnclosingBinder<'s> {
    /// `\A x \in S`
    Forall(Vec<Bound>),
    /// LET, or the parameters of a definition.
    Thunks(Vec<Rc<Thunk<'s>>>),
}

impl<'s> Lowerer<'s> {
    pub(super) fn roots(&mut self) {
        self.lower_assigned_values();
        self.preevaluate();
        self.behaviour();
        self.asked_roots();
    }

    /// Lowers everything except the behaviour, for a program whose behaviour has been lowered.
    pub(super) fn other_roots(&mut self) {
        self.lower_assigned_values();
        self.preevaluate();
        self.asked_roots();
    }

    /// Lowers constraints, symmetry, view and the other parts that decide which states are explored and how they are
    /// shown.
    pub(super) fn bounds_of_model(&mut self) {
        let config = self.config;
        self.program.constraints = self.named_roots(&config.constraints);
        self.program.action_constraints = self.named_roots(&config.action_constraints);
        self.program.symmetry = self.opt_root(config.symmetry);
        self.program.view = self.opt_root(config.view);
        self.program.alias = self.opt_root(config.alias);
        self.program.reward = self.opt_root(config.rl_reward);
        self.program.shown = self.named_roots(&config.shown);
        self.program.asked = self.named_roots(&config.asked);
    }

    fn asked_roots(&mut self) {
        let config = self.config;
        self.program.invariants = self.named_roots(&config.invariants);
        self.bounds_of_model();
        let program = &mut self.program;
        let named = program.invariants.iter().chain(&program.constraints).chain(&program.action_constraints);
        program.named_formulas = named.copied().collect();
        self.program.postconditions = self.named_roots(&config.postconditions);
        self.program.possible = self.named_roots(&config.possible);
        self.program.periodic = self.opt_root(config.periodic);
        for rule in &config.rules {
            let rule = self.rule(rule);
            self.program.rules.extend(rule);
        }
        for property in &config.properties {
            self.property(*property);
        }
        self.assumptions();
    }

    fn rule(&mut self, rule: &'s Rule) -> Option<(ActionLeaf, u16)> {
        let Named { name, def, .. } = rule.action;
        let body = self.def_body(def)?;
        let scope = self.fresh_scope();
        let expr = self.expr(&scope, body);
        let params = rule.params.iter().map(|&(name, value)| (name, self.expr(&scope, value))).collect();
        let span = self.spec.exprs[body].span;
        let leaf = ActionLeaf { def: Some(def), name, is_named: true, expr, span, params };
        Some((leaf, self.n_slots(scope.frame)))
    }

    /// Lowers the values of the configuration. TLC: all of them are normalised at once, used or not.
    fn lower_assigned_values(&mut self) {
        for assigned in &self.config.assignments {
            if let Replacement::Value(value) = &assigned.replacement {
                self.config_value(value);
            }
        }
    }

    /// Lowers constant definitions without parameters, in the order of their modules: TLC evaluates them at start-up
    /// (contract 1.7).
    fn preevaluate(&mut self) {
        let spec = self.spec;
        let root = &spec.modules[spec.root];
        let defs = root.scope.values().filter_map(|entry| match entry.entity {
            sema::spec::Entity::Def(def) => Some(def),
            sema::spec::Entity::Const(_)
            | sema::spec::Entity::Var(_)
            | sema::spec::Entity::Instance(_)
            | sema::spec::Entity::Local(_) => None,
        });
        for def in defs {
            let entry = &spec.defs[def];
            let plain = entry.params.is_empty() && !entry.recursive && entry.std.is_none();
            if !plain || spec.levels.defs[def] != Level::Constant || spec.modules[entry.module].embedded {
                continue;
            }
            if let DefBody::Expr(body) = entry.body
                && !self.config.replacements.defs.contains_key(&def)
                && let Some(global) = self.global_of(def, body)
            {
                self.program.preevaluated.push(global);
            }
        }
    }

    fn assumptions(&mut self) {
        let spec = self.spec;
        let mut modules = Vec::new();
        collect_extended(spec, spec.root, &mut modules);
        for module in modules {
            for assumption in &spec.modules[module].assumptions {
                let root = self.root(assumption.body, assumption.def, assumption.span);
                self.program.assumptions.push((assumption.kind, root));
            }
        }
    }

    fn fresh_scope(&mut self) -> Scope<'s> {
        Scope { frame: self.new_frame(None), primed: false, own: 0, is_bare: true, env: Env::default() }
    }

    pub(super) fn root(&mut self, expr: ExprId, def: Option<DefId>, span: Span) -> Root {
        let scope = self.fresh_scope();
        let lowered = self.expr(&scope, expr);
        self.finish_root(&scope, lowered, def, span)
    }

    fn finish_root(&mut self, scope: &Scope<'s>, lowered: IrId, def: Option<DefId>, span: Span) -> Root {
        let expr = self.fold(lowered);
        Root { expr, n_slots: self.n_slots(scope.frame), def, span }
    }

    fn part_root(&mut self, part: &RootPart<'s>) -> Root {
        let mut lowered = self.expr(&part.scope, part.expr);
        let span = self.spec.exprs[part.expr].span;
        for around in part.around.iter().rev() {
            lowered = match around {
                EnclosingBinder::Forall(bounds) => {
                    let (kind, bounds) = (Quantifier::Forall, bounds.clone());
                    self.node(part.scope.frame, IrKind::Quantified { kind, bounds, body: lowered }, span)
                }
                EnclosingBinder::Thunks(thunks) => self.bound_body(&part.scope, thunks, lowered),
            };
        }
        // TLC: a part has the name of the definition that it applies.
        let mut def = part.def;
        if let ExprKind::Apply { op: Op::Def(applied), .. } = self.spec.exprs[part.expr].kind
            && self.spec.defs[applied].std.is_none()
        {
            def = Some(applied);
        }
        self.finish_root(&part.scope, lowered, def, span)
    }

    fn named_root(&mut self, named: Named) -> Root {
        let scope = self.fresh_scope();
        let span = self.spec.defs[named.def].span;
        let lowered = self.apply_def(&scope, named.def, Operands::NONE, span);
        self.finish_root(&scope, lowered, Some(named.def), span)
    }

    fn named_roots(&mut self, named: &[Named]) -> Vec<Root> {
        named.iter().map(|&named| self.named_root(named)).collect()
    }

    fn opt_root(&mut self, named: Option<Named>) -> Option<Root> {
        named.map(|named| self.named_root(named))
    }

    fn def_body(&self, def: DefId) -> Option<ExprId> {
        match self.spec.defs[def].body {
            DefBody::Expr(expr) => Some(expr),
            DefBody::Native | DefBody::Missing => None,
        }
    }

    fn parts_of(&mut self, named: Named) -> Vec<RootPart<'s>> {
        let Some(body) = self.def_body(named.def) else { return Vec::new() };
        let scope = self.fresh_scope();
        let mut parts = Vec::new();
        self.split(RootPart { expr: body, scope, def: Some(named.def), around: Vec::new() }, &mut parts);
        parts
    }

    /// Lowers SPECIFICATION, or INIT and NEXT.
    pub(super) fn behaviour(&mut self) {
        let config = self.config;
        if let Some(named) = config.specification {
            for part in self.parts_of(named) {
                self.behaviour_part(named, part);
            }
            return;
        }
        if let Some(init) = config.init {
            let root = self.named_root(init);
            self.program.init.push(root);
        }
        if let Some(next) = config.next
            && let Some(body) = self.def_body(next.def)
        {
            let scope = self.fresh_scope();
            let part = RootPart { expr: body, scope, def: Some(next.def), around: Vec::new() };
            self.next(&part, body);
        }
    }

    /// Lowers the behaviour as properties: of initial states, and of steps.
    pub(super) fn reference(&mut self) {
        let config = self.config;
        if let Some(named) = config.specification {
            for part in self.parts_of(named) {
                if self.spec.levels.exprs[part.expr] <= Level::State {
                    let root = self.part_root(&part);
                    self.program.implied_inits.push(root);
                } else if let Some(action) = self.next_of(&part) {
                    let root = self.part_root(&RootPart { expr: action, ..part });
                    self.reference_step(root);
                }
            }
            return;
        }
        let init = config.init.map(|init| self.named_root(init));
        self.program.implied_inits.extend(init);
        if let Some(next) = config.next {
            let root = self.named_root(next);
            self.reference_step(root);
        }
    }

    /// Adds a property of steps: a step is one of `root`, or changes nothing.
    fn reference_step(&mut self, root: Root) {
        let frame = self.fresh_scope().frame;
        let span = root.span;
        let vars: Vec<VarIdx> = (0..self.program.variables.len()).map(|index| VarIdx(index as u16)).collect();
        let mut tuple = |read: fn(VarIdx) -> IrKind| {
            let items = vars.iter().map(|&var| self.node(frame, read(var), span)).collect();
            self.node(frame, IrKind::Tuple(items), span)
        };
        let (current, next) = (tuple(IrKind::Var), tuple(IrKind::Next));
        let unchanged = self.node(frame, IrKind::Unchanged { vars: Some(vars), current, next }, span);
        let step = IrKind::Step { kind: StepKind::Box, action: root.expr, unchanged };
        let expr = self.node(frame, step, span);
        self.program.step_properties.push(StepProperty { root: Root { expr, ..root } });
    }

    /// Returns `A` of a part `[][A]_v`.
    fn next_of(&self, part: &RootPart<'s>) -> Option<ExprId> {
        let inner = self.box_operand(part)?;
        if let ExprKind::Step { kind: StepKind::Box, action, .. } = self.spec.exprs[inner].kind {
            return Some(action);
        }
        None
    }

    fn behaviour_part(&mut self, named: Named, part: RootPart<'s>) {
        let spec = self.spec;
        if spec.levels.exprs[part.expr] <= Level::State {
            let root = self.part_root(&part);
            self.program.init.push(root);
        } else if let Some(action) = self.next_of(&part) {
            self.next(&part, action);
        } else if let Some(root) = self.temporal_root(named, &part) {
            self.program.fairness.push(root);
        }
    }

    fn next(&mut self, part: &RootPart<'s>, action: ExprId) {
        let def = if let ExprKind::Apply { op: Op::Def(next), .. } = &self.spec.exprs[action].kind {
            Some(*next)
        } else {
            part.def
        };
        let mut tree: ActionTree = self.action_tree(&part.scope, action, def);
        for around in part.around.iter().rev() {
            tree = match around {
                // TLC has no next-state relation here either.
                EnclosingBinder::Forall(_) => self.refused_tree(&part.scope, part.expr),
                EnclosingBinder::Thunks(thunks) => self.bound_tree(thunks, tree),
            };
        }
        self.program.next = Some((tree, self.n_slots(part.scope.frame)));
    }

    /// Returns `F` of `[]F`.
    fn box_operand(&self, part: &RootPart<'s>) -> Option<ExprId> {
        let ExprKind::Apply { op: Op::Builtin(Builtin::Box), args } = &self.spec.exprs[part.expr].kind else {
            return None;
        };
        args.first().and_then(Self::is_expr_arg)
    }

    /// Splits a formula into its conjuncts, looking through definitions, LETs and labels.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is a part")]
    fn split(&mut self, part: RootPart<'s>, parts: &mut Vec<RootPart<'s>>) {
        let spec = self.spec;
        let RootPart { expr, scope, def, around } = part;
        match &spec.exprs[expr].kind {
            ExprKind::Junction { kind: JunctionKind::And, items } => {
                for &item in items {
                    self.split(
                        RootPart { expr: item, scope: scope.clone(), def, around: around.clone() },
                        parts,
                    );
                }
            }
            ExprKind::Apply { op: Op::Builtin(Builtin::And), args } => {
                for item in args.iter().filter_map(Self::is_expr_arg) {
                    self.split(
                        RootPart { expr: item, scope: scope.clone(), def, around: around.clone() },
                        parts,
                    );
                }
            }
            ExprKind::Label { body, .. } => self.split(RootPart { expr: *body, scope, def, around }, parts),
            ExprKind::Local(local) if let Some(thunk) = self.temporal_thunk(&scope, *local) => {
                self.split(RootPart { expr: thunk.expr, scope: thunk.scope.clone(), def, around }, parts);
            }
            ExprKind::Let { defs, body } => {
                let (inner, thunks) = self.let_scope(&scope, defs);
                let around = around.into_iter().chain([EnclosingBinder::Thunks(thunks)]).collect();
                self.split(RootPart { expr: *body, scope: inner, def, around }, parts);
            }
            ExprKind::Apply { op: Op::Def(next), args }
                if (spec.levels.exprs[expr] > Level::State || self.may_pass_temporal(&scope, args))
                    && let Some(inner) = self.enter_def(&scope, *next, args) =>
            {
                let around = around.into_iter().chain([EnclosingBinder::Thunks(inner.thunks)]).collect();
                let def = inner.def.or(def);
                self.split(RootPart { expr: inner.body, scope: inner.scope, def, around }, parts);
            }
            ExprKind::Apply { op: Op::Param(local), args }
                if self.is_temporal(&scope, expr)
                    && let Some(inner) = self.enter_param(&scope, *local, args) =>
            {
                let around = around.into_iter().chain([EnclosingBinder::Thunks(inner.thunks)]).collect();
                let def = inner.def.or(def);
                self.split(RootPart { expr: inner.body, scope: inner.scope, def, around }, parts);
            }
            ExprKind::Quantified { kind: Quantifier::Forall, bounds: names, body }
                if spec.levels.exprs[expr] > Level::State =>
            {
                let (lowered, inner) = self.bounds(&scope, names);
                let around = around.into_iter().chain([EnclosingBinder::Forall(lowered)]).collect();
                self.split(RootPart { expr: *body, scope: inner, def, around }, parts);
            }
            _ => parts.push(RootPart { expr, scope, def, around }),
        }
    }

    /// Enters the body of a definition, of a module or of a LET, with its parameters bound to `args`. Returns `None` if
    /// it is recursive, replaced, or has no body.
    fn enter_def(&mut self, scope: &Scope<'s>, def: DefId, args: &'s [Arg]) -> Option<Entered<'s>> {
        let body = self.def_body(def)?;
        let entry = &self.spec.defs[def];
        if entry.recursive || self.config.replacements.defs.contains_key(&def) {
            return None;
        }
        let home = match scope.env.def(def).cloned() {
            Some(Binding::Thunk(thunk)) => {
                let scope = thunk.scope.clone();
                return Some(Entered { body: thunk.expr, scope, thunks: Vec::new(), def: Some(def) });
            }
            Some(Binding::Let(local)) => local.scope.borrow().clone()?,
            Some(Binding::Slot(_) | Binding::Op { .. } | Binding::OpSlot(_)) => return None,
            None => Scope { env: Env::default(), ..scope.clone() },
        };
        let (inner, thunks) = self.bind_args(scope, home, &entry.params, args);
        Some(Entered { body, scope: inner, thunks, def: Some(def) })
    }

    /// Splits a PROPERTY into its parts (contract 4.5). A part that is temporal beyond `[]` of a state predicate or of
    /// `[A]_v` is about whole behaviours.
    fn property(&mut self, named: Named) {
        for part in self.parts_of(named) {
            self.property_part(named, part);
        }
    }

    fn property_part(&mut self, named: Named, part: RootPart<'s>) {
        let spec = self.spec;
        if spec.levels.exprs[part.expr] <= Level::State {
            let root = self.part_root(&part);
            self.program.implied_inits.push(root);
            if self.has_a_name(&part) {
                self.program.named_formulas.push(root);
            }
            return;
        }
        if let Some(inner) = self.box_operand(&part) {
            if matches!(spec.exprs[inner].kind, ExprKind::Step { kind: StepKind::Box, .. }) {
                let part = RootPart { expr: inner, ..part };
                let root = self.part_root(&part);
                self.program.step_properties.push(StepProperty { root });
                return;
            }
            if spec.levels.exprs[inner] <= Level::State {
                let part = RootPart { expr: inner, ..part };
                let root = self.part_root(&part);
                self.program.invariants.push(root);
                return;
            }
        }
        if let Some(root) = self.temporal_root(named, &part) {
            self.program.temporal.push(root);
        }
    }

    /// Whether a part is TRUE, FALSE or the name of a definition: TLC knows the value of those that are constants.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else has a name")]
    fn has_a_name(&self, part: &RootPart<'s>) -> bool {
        let (mut expr, mut scope) = (part.expr, &part.scope);
        loop {
            expr = self.follow_identity(expr);
            if let ExprKind::Local(local) = self.spec.exprs[expr].kind
                && let Some(Binding::Thunk(thunk)) = scope.env.local(local)
            {
                (expr, scope) = (thunk.expr, &thunk.scope);
            } else {
                break;
            }
        }
        match &self.spec.exprs[expr].kind {
            ExprKind::Bool(_) => true,
            ExprKind::Apply { op: Op::Def(def), args } => args.is_empty() && scope.env.def(*def).is_none(),
            _ => part.def.is_some_and(|def| self.def_body(def) == Some(expr)) && part.around.is_empty(),
        }
    }

    /// Returns the argument of an operator whose body is just that parameter.
    fn follow_identity(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Apply { op: Op::Def(def), args } = &self.spec.exprs[expr].kind
            && let Some(body) = self.def_body(*def)
            && let ExprKind::Local(local) = self.spec.exprs[body].kind
            && let Some(index) = self.spec.defs[*def].params.iter().position(|&param| param == local)
            && let Some(arg) = args.get(index).and_then(Self::is_expr_arg)
        {
            expr = arg;
        }
        expr
    }

    /// Lowers a temporal part. Returns `None` when it cannot be checked, which has then been reported.
    fn temporal_root(&mut self, named: Named, part: &RootPart<'s>) -> Option<TemporalRoot> {
        let tree = self.temporal_part(part);
        let span = self.spec.exprs[part.expr].span;
        match tree {
            Ok(tree) => {
                let n_slots = self.n_slots(part.scope.frame);
                Some(TemporalRoot { tree, n_slots, def: part.def, name: named.name, span })
            }
            Err(obstacle) => {
                self.refuse_temporal(named, &obstacle);
                None
            }
        }
    }

    fn temporal_part(&mut self, part: &RootPart<'s>) -> Result<TemporalTree, Obstacle> {
        let mut tree = self.temporal(&part.scope, part.expr)?;
        for around in part.around.iter().rev() {
            tree = match around {
                EnclosingBinder::Forall(bounds) => {
                    self.quantified_temporal(Quantifier::Forall, bounds.clone(), tree)?
                }
                EnclosingBinder::Thunks(thunks) => self.bound_temporal(thunks, tree),
            };
        }
        Ok(tree)
    }

    fn refuse_temporal(&mut self, named: Named, obstacle: &Obstacle) {
        let name = self.spec.names.text(named.name).to_owned();
        let headline = format!("`{name}` has a temporal part that cannot be checked");
        let diagnostic =
            Diagnostic::new(Code::ConfigTemporal, named.span, headline).related(obstacle.span, obstacle.what);
        self.diagnostics.push(diagnostic);
    }
}

/// Collects `root` and the modules that it extends, dependencies first.
fn collect_extended(spec: &sema::Spec, root: sema::spec::ModuleId, modules: &mut Vec<sema::spec::ModuleId>) {
    if modules.contains(&root) {
        return;
    }
    for &module in &spec.modules[root].extends {
        collect_extended(spec, module, modules);
    }
    modules.push(root);
}
