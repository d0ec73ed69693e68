//! `INSTANCE`: collects the substitutions. `instantiate` carries them out.

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, Name};
use diag::{Code, Diagnostic, Span};
use syntax::ast;

use super::Resolver;
use super::argument::ExpectedOperator;
use super::define::count;
use super::module::Via;
use crate::spec::{
    Arg, Entity, ExprKind, Instance, InstanceId, LocalId, ModuleId, NameTarget, Op, OpArg, ScopeEntry,
    SubstTarget, Substitution,
};

type File = Rc<ast::File>;

impl Resolver<'_> {
    /// Resolves `INSTANCE M WITH ...`. Its definitions become names of the current scope.
    pub(super) fn unnamed_instance(
        &mut self,
        file: &File,
        tree: &ast::Instance,
        local: bool,
    ) -> Option<InstanceId> {
        let id = self.instance(file, tree, (None, Vec::new(), local))?;
        let module = self.spec.instances[id].module;
        let scope = &self.spec.modules[module].scope;
        let members: Vec<(Name, ScopeEntry)> =
            scope.iter().filter(|(_, entry)| !entry.local).map(|(&name, &entry)| (name, entry)).collect();
        for (name, member) in members {
            let entity = match member.entity {
                Entity::Def(def) if self.brings_symbol(id, def) => {
                    Entity::Def(self.instantiate_symbol(id, def).def)
                }
                Entity::Def(def) => Entity::Def(self.instantiate(id, def).def),
                Entity::Instance(inner) => Entity::Instance(self.compose(id, inner)),
                Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => continue,
            };
            let yields = self.import_yields(module, member);
            self.import(name, ScopeEntry { entity, local, yields }, Via::Instance, tree.span);
        }
        Some(id)
    }

    /// Resolves `I(x) == INSTANCE M WITH ...`.
    pub(super) fn named_instance(
        &mut self,
        file: &File,
        unit: &ast::Unit,
        head: &ast::OpHead,
        tree: &ast::Instance,
    ) -> Option<InstanceId> {
        if self.is_builtin_name(head.name) {
            return None;
        }
        let free = self.check_free_for(head.name, |this, present| match present {
            Entity::Instance(id) => this.spec.instances[id].params.len() == head.params.len(),
            Entity::Const(_) | Entity::Var(_) | Entity::Def(_) | Entity::Local(_) => false,
        });
        let id = self.with_scope(|this| {
            let params = this.params(&head.params);
            this.instance(file, tree, (Some(head.name), params, unit.local))
        })?;
        if free {
            let entity = Entity::Instance(id);
            if self.frame().let_depth > 0 || self.in_proof() {
                self.bind(head.name.name, entity);
            } else {
                self.declare(head.name, entity, unit.local);
            }
        }
        Some(id)
    }

    fn instance(
        &mut self,
        file: &File,
        tree: &ast::Instance,
        (name, params, local): (Option<ast::Ident>, Vec<LocalId>, bool),
    ) -> Option<InstanceId> {
        let Some(module) = self.find_module(tree.module) else {
            self.frame_mut().incomplete = true;
            // The substitutions may have errors of their own, but without the module their arity is unknown.
            return None;
        };
        let mut substitutions = self.explicit_substitutions(file, tree, module);
        self.implicit_substitutions(tree, module, &mut substitutions);
        let id = self.spec.instances.push(Instance {
            name: name.map(|name| name.name),
            params,
            module,
            within: self.frame().module,
            substitutions,
            local,
            span: name.map_or(tree.span, |name| name.span.to(tree.span)),
        });
        if self.frame().let_depth > 0 {
            self.let_of_instance.insert(id, self.let_clones.len() - 1);
        }
        Some(id)
    }

    fn explicit_substitutions(
        &mut self,
        file: &File,
        tree: &ast::Instance,
        module: ModuleId,
    ) -> Vec<Substitution> {
        let mut substitutions: Vec<Substitution> = Vec::new();
        let mut done: FxHashMap<SubstTarget, Span> = FxHashMap::default();
        for item in &tree.substitutions {
            let Some((target, arity)) = self.substitution_target(item.target, module) else {
                self.survey_exprs(file, &[item.value]);
                continue;
            };
            let span = item.target.span.to(file.exprs[item.value].span);
            if let Some(&first) = done.get(&target) {
                let headline = format!("`{}` is substituted twice", self.text(item.target.name));
                let diagnostic = Diagnostic::new(Code::RepeatedSubstitution, item.target.span, headline)
                    .related(first, "first substituted here");
                self.report(diagnostic);
                self.survey_exprs(file, &[item.value]);
                continue;
            }
            done.insert(target, span);
            let value = self.substitution_value(file, item, arity);
            substitutions.push(Substitution { target, value, span, implicit: false });
        }
        substitutions
    }

    /// Returns the constant or variable of `module` that a `WITH` clause names, and its arity.
    fn substitution_target(&mut self, target: ast::Ident, module: ModuleId) -> Option<(SubstTarget, u32)> {
        let entity = self.spec.modules[module].scope.get(&target.name).map(|entry| entry.entity);
        match entity {
            Some(Entity::Const(id)) => {
                self.record_use(target.span, NameTarget::Entity(Entity::Const(id)));
                return Some((SubstTarget::Const(id), self.spec.constants[id].arity));
            }
            Some(Entity::Var(id)) => {
                self.record_use(target.span, NameTarget::Entity(Entity::Var(id)));
                return Some((SubstTarget::Var(id), 0));
            }
            Some(Entity::Def(_) | Entity::Instance(_) | Entity::Local(_)) | None => {}
        }
        let name = self.text(target.name).to_owned();
        let module_name = self.text(self.spec.modules[module].name).to_owned();
        let headline = format!("`{name}` is not a constant or variable of module `{module_name}`");
        let mut diagnostic = Diagnostic::new(Code::IllegalSubstitution, target.span, headline);
        if let Some(span) = entity.and_then(|entity| self.entity_span(entity)) {
            diagnostic = diagnostic.related(span, format!("`{name}` is a definition there"));
        }
        if let Some(similar) = self.similar_parameter(module, &name) {
            diagnostic = diagnostic.suggest(target.span, &similar);
        }
        self.report(diagnostic);
        None
    }

    fn substitution_value(&mut self, file: &File, item: &ast::Substitution, arity: u32) -> Arg {
        let span = file.exprs[item.value].span;
        if arity == 0 {
            return Arg::Expr(self.expr(file, item.value));
        }
        let wanted = ExpectedOperator { by: item.target, substituted: true, arity: arity as usize };
        match self.operator_argument(file, wanted, item.value) {
            Some(op) => Arg::Op(op),
            None => Arg::Expr(self.error_expr(span)),
        }
    }

    /// Adds the implicit substitutions: a symbol without an explicit one stands for the symbol of the same name here.
    fn implicit_substitutions(
        &mut self,
        tree: &ast::Instance,
        module: ModuleId,
        substitutions: &mut Vec<Substitution>,
    ) {
        let entry = &self.spec.modules[module];
        let constants = entry.constants.iter().map(|&id| SubstTarget::Const(id));
        let targets: Vec<SubstTarget> =
            constants.chain(entry.variables.iter().map(|&id| SubstTarget::Var(id))).collect();
        let done: FxHashSet<SubstTarget> = substitutions.iter().map(|item| item.target).collect();
        for target in targets.into_iter().filter(|target| !done.contains(target)) {
            let (name, arity, declared) = self.target_facts(target);
            let value = match self.lookup_implied_use(ast::Ident { name, span: tree.span }) {
                Some(entity) => self.implicit_value((name, entity), arity, tree),
                None => {
                    self.report_missing_substitution(tree, (name, declared));
                    None
                }
            };
            let value = match value {
                Some(value) => value,
                None => Arg::Expr(self.error_expr(tree.span)),
            };
            substitutions.push(Substitution { target, value, span: tree.span, implicit: true });
        }
    }

    /// Returns name, arity and place of a constant or variable.
    fn target_facts(&self, target: SubstTarget) -> (Name, usize, Span) {
        match target {
            SubstTarget::Const(id) => {
                let constant = &self.spec.constants[id];
                (constant.name, constant.arity as usize, constant.span)
            }
            SubstTarget::Var(id) => (self.spec.variables[id].name, 0, self.spec.variables[id].span),
        }
    }

    fn report_missing_substitution(&mut self, tree: &ast::Instance, (name, declared): (Name, Span)) {
        if self.frame().incomplete {
            return;
        }
        let name = self.text(name).to_owned();
        let module = self.text(tree.module.name).to_owned();
        let headline = format!("nothing is substituted for `{name}` of module `{module}`");
        let diagnostic = Diagnostic::new(Code::MissingSubstitution, tree.span, headline)
            .label(format!("no `{name}` is known here"))
            .related(declared, format!("`{name}` is declared here"))
            .help(format!("add `WITH {name} <- ...`, or declare `{name}` before the INSTANCE"));
        self.report(diagnostic);
    }

    /// Returns what `name` stands for here, to replace a constant or variable of the same name.
    fn implicit_value(
        &mut self,
        (name, entity): (Name, Entity),
        arity: usize,
        tree: &ast::Instance,
    ) -> Option<Arg> {
        let span = tree.span;
        let arities = self.param_arities(entity);
        let fits = arities.len() == arity && arities.iter().all(|&arity| arity == 0);
        let op = match entity {
            Entity::Def(def) if fits => Op::Def(def),
            Entity::Const(constant) if fits => Op::Const(constant),
            Entity::Local(local) if fits => Op::Param(local),
            Entity::Var(variable) if fits => return Some(Arg::Expr(self.add(ExprKind::Var(variable), span))),
            Entity::Instance(_) | Entity::Def(_) | Entity::Const(_) | Entity::Local(_) | Entity::Var(_) => {
                self.report_implicit_misfit((name, entity), arity, tree);
                return None;
            }
        };
        if arity > 0 {
            return Some(Arg::Op(OpArg::Ref(op, span)));
        }
        Some(Arg::Expr(match op {
            Op::Const(constant) => self.add(ExprKind::Const(constant), span),
            Op::Param(local) => self.add(ExprKind::Local(local), span),
            Op::Def(_) | Op::Builtin(_) => self.apply(op, Vec::new(), span),
        }))
    }

    fn report_implicit_misfit(&mut self, (name, entity): (Name, Entity), arity: usize, tree: &ast::Instance) {
        let (name, module) = (self.text(name).to_owned(), self.text(tree.module.name).to_owned());
        let wanted = match arity {
            0 => "an expression".to_owned(),
            _ => format!("an operator of {}", count(arity, "argument")),
        };
        let headline =
            format!("`{name}` of module `{module}` stands for the `{name}` here, which is not {wanted}");
        let mut diagnostic = Diagnostic::new(Code::SubstitutionArity, tree.span, headline);
        if let Some(place) = self.entity_span(entity) {
            diagnostic = diagnostic.related(place, format!("this `{name}`"));
        }
        self.report(diagnostic.help(format!("substitute it explicitly: `WITH {name} <- ...`")));
    }
}
