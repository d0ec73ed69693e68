//! Theorems, ASSUME/PROVE and proofs: resolves names and checks forms. Nothing is proved.

use std::rc::Rc;

use diag::{Code, Diagnostic, Span};
use syntax::ast;

use super::Resolver;
use super::subexpr::{StepParts, Want};
use crate::spec::{
    Arg, AssumeItem, Def, DefBody, DefId, DefKind, Entity, ExprId, ExprKind, LocalKind, NameTarget, Op,
    Proof, ProofKind, ProofStep, ProofStepKind, Quantifier,
};

type File = Rc<ast::File>;

impl Resolver<'_> {
    /// Resolves the statement of a theorem or step. Names that an ASSUME/PROVE declares stay bound.
    pub(super) fn statement(&mut self, file: &File, id: ast::ExprId) -> ExprId {
        if let ast::ExprKind::AssumeProve { assumptions, goal } = &file.exprs[id].kind {
            self.assume_prove(file, assumptions, *goal, file.exprs[id].span)
        } else {
            self.expr(file, id)
        }
    }

    fn assume_prove(
        &mut self,
        file: &File,
        assumptions: &[ast::Assumption],
        goal: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let assumptions = assumptions.iter().map(|item| self.assumption(file, item)).collect();
        let goal = self.expr(file, goal);
        self.add(ExprKind::AssumeProve { assumptions, goal }, span)
    }

    fn assumption(&mut self, file: &File, item: &ast::Assumption) -> AssumeItem {
        match item {
            ast::Assumption::Fact(id) => AssumeItem::Fact(self.fact_assumption(file, *id)),
            ast::Assumption::New { kind, decl, set } => {
                let set = set.map(|set| self.expr(file, set));
                let local = self.bind_local(decl.name, decl.arity, LocalKind::New(*kind));
                AssumeItem::New { local, set }
            }
        }
    }

    /// Resolves an expression, or a nested ASSUME/PROVE, which may have a label.
    fn fact_assumption(&mut self, file: &File, id: ast::ExprId) -> ExprId {
        let ast::Expr { kind, span } = &file.exprs[id];
        base::with_stack(|| {
            if let ast::ExprKind::AssumeProve { assumptions, goal } = kind {
                self.nested_assume_prove(file, assumptions, *goal, *span)
            } else if let ast::ExprKind::Label { name, params, body } = kind {
                self.label(*span, (*name, params), |this| this.fact_assumption(file, *body))
            } else {
                self.expr(file, id)
            }
        })
    }

    fn nested_assume_prove(
        &mut self,
        file: &File,
        assumptions: &[ast::Assumption],
        goal: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let declares = assumptions.iter().any(|item| matches!(item, ast::Assumption::New { .. }));
        self.with_scope(|this| {
            if declares {
                let why = "a label cannot stand in a nested ASSUME/PROVE that declares a name with NEW";
                this.without_labels(why, |this| this.assume_prove(file, assumptions, goal, span))
            } else {
                this.assume_prove(file, assumptions, goal, span)
            }
        })
    }

    pub(super) fn proof(&mut self, file: &File, proof: &ast::Proof) -> Proof {
        base::with_stack(|| self.proof_here(file, proof))
    }

    fn proof_here(&mut self, file: &File, proof: &ast::Proof) -> Proof {
        let kind = match &proof.kind {
            ast::ProofKind::Obvious | ast::ProofKind::Omitted => ProofKind::Leaf { facts: Vec::new() },
            ast::ProofKind::By(facts) => ProofKind::Leaf { facts: self.use_hide(file, facts) },
            ast::ProofKind::Steps(steps) => ProofKind::Steps(self.steps(file, steps)),
        };
        Proof { kind, span: proof.span }
    }

    fn steps(&mut self, file: &File, steps: &[ast::ProofStep]) -> Vec<ProofStep> {
        let level = steps.first().map_or(0, |step| step.level);
        self.frame_mut().proof_levels.push(level);
        let outer_at = self.frame_mut().step_at.take();
        let steps = self.with_scope(|this| steps.iter().map(|step| this.step_of_proof(file, step)).collect());
        self.frame_mut().step_at = outer_at;
        self.frame_mut().proof_levels.pop();
        steps
    }

    fn step_of_proof(&mut self, file: &File, step: &ast::ProofStep) -> ProofStep {
        if let Some(name) = step.name
            && !step.explicit_level
        {
            let headline = "a step whose level is `<*>` or `<+>` cannot have a name";
            let help = "write the level as a number";
            self.report(Diagnostic::new(Code::StepName, name.span, headline).help(help));
        }
        let (kind, proof) = match &step.kind {
            ast::ProofStepKind::Assert { suffices, statement } => {
                self.assert_step(file, step, *suffices, *statement)
            }
            ast::ProofStepKind::Pick { bounds, body } => self.pick_step(file, step, |this| {
                let bounds = this.bounds(file, bounds);
                ProofStepKind::Pick { bounds, body: this.expr(file, *body) }
            }),
            ast::ProofStepKind::PickUnbounded { names, body } => self.pick_step(file, step, |this| {
                this.bind_all(names, LocalKind::Bound);
                ProofStepKind::Pick { bounds: Vec::new(), body: this.expr(file, *body) }
            }),
            ast::ProofStepKind::Define(_)
            | ast::ProofStepKind::Instance(_)
            | ast::ProofStepKind::UseHide(_)
            | ast::ProofStepKind::Have(_)
            | ast::ProofStepKind::Witness(_)
            | ast::ProofStepKind::Take(_)
            | ast::ProofStepKind::TakeUnbounded(_)
            | ast::ProofStepKind::Case(_)
            | ast::ProofStepKind::Qed => self.plain_step(file, step),
        };
        ProofStep { kind, span: step.span, proof }
    }

    /// Resolves an assertion. Names that its ASSUME declares are known in its proof, or after it when it is a SUFFICES.
    fn assert_step(
        &mut self,
        file: &File,
        step: &ast::ProofStep,
        suffices: bool,
        statement: ast::ExprId,
    ) -> (ProofStepKind, Option<Proof>) {
        let mark = self.scope_mark();
        let tree = statement;
        let statement = self.definition_body(|this| this.statement(file, statement));
        let declared = self.take_declared(mark);
        let def = self.name_step(step, Some(statement));
        if let Some(def) = def
            && suffices
        {
            self.step_parts.insert(def, StepParts { formula: statement, after_keyword: true });
        }
        let inner = self.scope_mark();
        if !suffices {
            self.redeclare(&declared);
        }
        let proof = step.proof.as_ref().map(|proof| self.proof(file, proof));
        self.scope_release(inner);
        if suffices {
            self.redeclare(&declared);
        }
        self.frame_mut().step_at = self.right_side(file, tree, statement);
        (ProofStepKind::Assert { suffices, statement }, proof)
    }

    /// Returns what `@` stands for in the next step: the right side of an infix relation.
    fn right_side(&self, file: &File, tree: ast::ExprId, statement: ExprId) -> Option<ExprId> {
        let ast::ExprKind::Infix { .. } = file.exprs[tree].kind else { return None };
        let ExprKind::Apply { args, .. } = &self.spec.exprs[statement].kind else { return None };
        args.last().and_then(Arg::expr)
    }

    /// Resolves PICK: its names are known in its formula and after the step, but not in its proof.
    fn pick_step(
        &mut self,
        file: &File,
        step: &ast::ProofStep,
        body: impl FnOnce(&mut Self) -> ProofStepKind,
    ) -> (ProofStepKind, Option<Proof>) {
        let mark = self.scope_mark();
        let kind = self.definition_body(body);
        let declared = self.take_declared(mark);
        let def = self.name_step(step, None);
        self.step_formula(def, &kind, step.span);
        let proof = step.proof.as_ref().map(|proof| self.proof(file, proof));
        self.redeclare(&declared);
        self.frame_mut().step_at = None;
        (kind, proof)
    }

    fn plain_step(&mut self, file: &File, step: &ast::ProofStep) -> (ProofStepKind, Option<Proof>) {
        let kind = self.definition_body(|this| this.plain_step_kind(file, &step.kind));
        let def = self.name_step(step, None);
        self.step_formula(def, &kind, step.span);
        let proof = step.proof.as_ref().map(|proof| self.proof(file, proof));
        self.frame_mut().step_at = None;
        (kind, proof)
    }

    fn plain_step_kind(&mut self, file: &File, kind: &ast::ProofStepKind) -> ProofStepKind {
        match kind {
            ast::ProofStepKind::Define(units) => {
                ProofStepKind::Define(units.iter().filter_map(|unit| self.let_unit(file, unit)).collect())
            }
            ast::ProofStepKind::Instance(instance) => {
                ProofStepKind::Instance(self.unnamed_instance(file, instance, false))
            }
            ast::ProofStepKind::UseHide(facts) => {
                ProofStepKind::UseHide { facts: self.use_hide(file, facts) }
            }
            ast::ProofStepKind::Have(expr) => ProofStepKind::Have(self.expr(file, *expr)),
            ast::ProofStepKind::Witness(exprs) => ProofStepKind::Witness(self.exprs(file, exprs)),
            ast::ProofStepKind::Take(bounds) => ProofStepKind::Take(self.bounds(file, bounds)),
            ast::ProofStepKind::TakeUnbounded(names) => {
                self.bind_all(names, LocalKind::Bound);
                ProofStepKind::Take(Vec::new())
            }
            ast::ProofStepKind::Case(expr) => ProofStepKind::Case(self.expr(file, *expr)),
            ast::ProofStepKind::Qed
            | ast::ProofStepKind::Assert { .. }
            | ast::ProofStepKind::Pick { .. }
            | ast::ProofStepKind::PickUnbounded { .. } => ProofStepKind::Qed,
        }
    }

    /// Makes the name of a step known. Only an assertion can be used as an expression.
    fn name_step(&mut self, step: &ast::ProofStep, statement: Option<ExprId>) -> Option<DefId> {
        let name = step.name?;
        if !self.check_free_for(name, |this, present| this.is_fact_entity(present)) {
            return None;
        }
        let def = self.spec.defs.push(Def {
            name: name.name,
            name_span: name.span,
            span: step.span,
            module: self.frame().module,
            kind: DefKind::ProofStep,
            params: Vec::new(),
            body: statement.map_or(DefBody::Missing, DefBody::Expr),
            local: true,
            recursive: false,
            std: None,
            origin: None,
        });
        self.bind(name.name, Entity::Def(def));
        Some(def)
    }

    /// Keeps what can be selected from a step that is not itself an expression.
    fn step_formula(&mut self, def: Option<DefId>, kind: &ProofStepKind, span: Span) {
        let Some(def) = def else { return };
        let parts = match kind {
            ProofStepKind::Have(formula) | ProofStepKind::Case(formula) => {
                StepParts { formula: *formula, after_keyword: true }
            }
            ProofStepKind::Pick { bounds, body } if !bounds.is_empty() => {
                let kind = Quantifier::Exists;
                let quantified = ExprKind::Quantified { kind, bounds: bounds.clone(), body: *body };
                StepParts { formula: self.add(quantified, span), after_keyword: false }
            }
            ProofStepKind::Pick { .. }
            | ProofStepKind::Define(_)
            | ProofStepKind::Instance(_)
            | ProofStepKind::UseHide { .. }
            | ProofStepKind::Witness(_)
            | ProofStepKind::Take(_)
            | ProofStepKind::Assert { .. }
            | ProofStepKind::Qed => return,
        };
        self.step_parts.insert(def, parts);
    }

    /// Resolves BY, USE and HIDE, and returns the facts that are expressions.
    pub(super) fn use_hide(&mut self, file: &File, tree: &ast::UseHide) -> Vec<ExprId> {
        let facts = tree.facts.iter().filter_map(|fact| self.fact(file, tree.kind, fact)).collect();
        for def in &tree.defs {
            self.used_definition(file, def);
        }
        facts
    }

    fn fact(&mut self, file: &File, kind: ast::UseKind, fact: &ast::Fact) -> Option<ExprId> {
        let id = match fact {
            ast::Fact::Module(name) => {
                self.known_module(*name);
                return None;
            }
            ast::Fact::Expr(id) => *id,
        };
        let span = file.exprs[id].span;
        let ast::ExprKind::Path(segments) = &file.exprs[id].kind else {
            if kind == ast::UseKind::Hide {
                self.report_bad_fact(span);
            }
            return Some(self.expr(file, id));
        };
        let found = self.follow(file, segments)?;
        let is_last = found.index + 1 == segments.len();
        match found.entity {
            Entity::Instance(_) if is_last => None,
            Entity::Def(def) if is_last && self.is_bare_fact(def, &segments[found.index]) => {
                self.fact_expr(def, span)
            }
            Entity::Def(def) if !is_last => {
                let (part, args) =
                    self.subexpression(file, (def, found.prefix, Want::Fact), &segments[found.index..])?;
                self.part_fact(part, args, span)
            }
            Entity::Def(_) | Entity::Const(_) | Entity::Var(_) | Entity::Local(_) | Entity::Instance(_) => {
                if kind == ast::UseKind::Hide {
                    self.report_bad_fact(span);
                    return None;
                }
                Some(self.expr(file, id))
            }
        }
    }

    /// Whether a theorem, assumption or proof step is named without selectors or arguments.
    fn is_bare_fact(&self, def: DefId, segment: &ast::PathSegment) -> bool {
        self.spec.defs[def].kind.is_fact() && segment.args.is_none() && self.spec.defs[def].params.is_empty()
    }

    fn fact_expr(&mut self, def: DefId, span: Span) -> Option<ExprId> {
        match self.spec.defs[def].body {
            DefBody::Expr(body) if !self.is_assume_prove(body) => {
                Some(self.apply(Op::Def(def), Vec::new(), span))
            }
            DefBody::Expr(_) | DefBody::Missing | DefBody::Native => None,
        }
    }

    fn part_fact(&mut self, part: DefId, args: Vec<Arg>, span: Span) -> Option<ExprId> {
        match self.spec.defs[part].body {
            DefBody::Expr(body) if !self.is_assume_prove(body) => Some(self.apply(Op::Def(part), args, span)),
            DefBody::Expr(_) | DefBody::Missing | DefBody::Native => None,
        }
    }

    fn report_bad_fact(&mut self, span: Span) {
        let headline = "only theorems, assumptions and proof steps can be hidden";
        let help = "to hide a definition write `HIDE DEF name`";
        self.report(Diagnostic::new(Code::BadFact, span, headline).help(help));
    }

    fn used_definition(&mut self, file: &File, def: &ast::Fact) {
        match def {
            ast::Fact::Module(name) => self.known_module(*name),
            ast::Fact::Expr(id) => {
                let ast::Expr { kind, span } = &file.exprs[*id];
                if let ast::ExprKind::Path(segments) = kind {
                    self.used_path(segments, *span);
                } else if let ast::ExprKind::Operator(op) = kind {
                    let name = self.spec.names.intern(op.canonical());
                    match self.lookup(name) {
                        _ if super::define::builtin(*op).is_some() => {}
                        Some(entity) => self.record_use(*span, NameTarget::Entity(entity)),
                        None => self.report_unknown(ast::Ident { name, span: *span }),
                    }
                } else if !matches!(kind, ast::ExprKind::Error) {
                    self.report_not_definition(*span);
                }
            }
        }
    }

    fn used_path(&mut self, segments: &[ast::PathSegment], span: Span) {
        let Some(found) = self.follow_names(segments) else { return };
        match found {
            Entity::Def(_) | Entity::Instance(_) => {}
            Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => self.report_not_definition(span),
        }
    }

    fn report_not_definition(&mut self, span: Span) {
        self.error(Code::BadFact, span, "only definitions can be listed after DEF");
    }

    /// Follows a path that names a definition. Instances on the way are given without their arguments.
    fn follow_names(&mut self, segments: &[ast::PathSegment]) -> Option<Entity> {
        let (first, rest) = segments.split_first()?;
        let name = self.segment_name(first)?;
        let ident = ast::Ident { name, span: self.name_span(first) };
        let Some(mut entity) = self.lookup_use(ident) else {
            self.report_unknown(ident);
            return None;
        };
        for segment in rest {
            match entity {
                Entity::Instance(instance) => entity = self.member(instance, segment)?,
                Entity::Def(_) | Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => return Some(entity),
            }
        }
        Some(entity)
    }

    /// Resolves `MODULE M` in a BY: the module must be known here.
    fn known_module(&mut self, name: ast::Ident) {
        let current = self.frame().module;
        let is_current = self.spec.modules[current].name == name.name;
        let known = self.lookup_module(name.name).or(is_current.then_some(current));
        match known.or_else(|| self.external.get(&name.name).copied()) {
            Some(module) => self.record_use(name.span, NameTarget::Module(module)),
            None => {
                let headline = format!("module `{}` is not used in this specification", self.text(name.name));
                self.error(Code::ModuleNotFound, name.span, headline);
            }
        }
    }
}
