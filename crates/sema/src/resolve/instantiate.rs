//! Carries out INSTANCE: makes definitions anew with the substitutions in place.

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, FxIndexSet};

use super::Resolver;
use super::clone::{CloneContext, Reference};
use crate::spec::{
    Arg, Def, DefBody, DefId, ExprId, ExprKind, Instance, InstanceId, ModuleId, Op, OpArg, Origin, Spec,
    SubstTarget, Substitution,
};

/// A definition made by an INSTANCE.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instantiated {
    pub(super) def: DefId,
    /// Whether the parameters of the INSTANCE come before its own. A definition in which nothing is substituted is
    /// shared and takes none.
    pub(super) takes_params: bool,
}

/// The replacements that an INSTANCE makes.
pub(super) struct Replacement {
    targets: Rc<FxHashMap<SubstTarget, Arg>>,
    /// The symbols that are replaced by something other than themselves.
    replaced: Rc<FxHashSet<SubstTarget>>,
}

/// The definitions that one definition leads to.
struct ReachedDefs {
    defs: FxIndexSet<DefId>,
    /// The users of each definition, among the definitions reached.
    users: FxHashMap<DefId, Vec<DefId>>,
    /// The definitions that mention something replaced, or use one that is known to.
    touched: Vec<DefId>,
}

impl Resolver<'_> {
    /// Instantiates `def` through the instances on a path, outermost first in `passed`.
    pub(super) fn instantiate_through(
        &mut self,
        passed: Vec<(InstanceId, Vec<Arg>)>,
        def: DefId,
    ) -> (DefId, Vec<Arg>) {
        let mut def = def;
        let mut prefix: Vec<Arg> = Vec::new();
        for (instance, mut args) in passed.into_iter().rev() {
            let made = self.instantiate_symbol(instance, def);
            def = made.def;
            if made.takes_params {
                args.append(&mut prefix);
                prefix = args;
            }
        }
        (def, prefix)
    }

    /// Returns `def` of the instantiated module in the form that `instance` gives to other definitions of that module.
    /// It is made when first needed. A definition in which nothing is substituted is shared.
    pub(super) fn instantiate(&mut self, instance: InstanceId, def: DefId) -> Instantiated {
        let origin = Origin { def, instance, is_symbol: false };
        if let Some(&made) = self.instantiated.get(&origin) {
            return made;
        }
        if !self.is_touched(instance, def) {
            let shared = Instantiated { def, takes_params: false };
            self.instantiated.insert(origin, shared);
            return shared;
        }
        let context = self.instance_context(instance);
        self.make(origin, context)
    }

    /// Returns `I!Op` for the `Op` of the instantiated module, or the `Op` that an INSTANCE without a name imports.
    ///
    /// TLC: it is a symbol of its own, even when nothing is substituted in it, and a configuration replaces the one or
    /// the other.
    pub(super) fn instantiate_symbol(&mut self, instance: InstanceId, def: DefId) -> Instantiated {
        let origin = Origin { def, instance, is_symbol: true };
        if let Some(&made) = self.instantiated.get(&origin) {
            return made;
        }
        let context = match self.is_touched(instance, def) {
            true => self.instance_context(instance),
            false => CloneContext { instance: Some(instance), ..CloneContext::default() },
        };
        self.make(origin, context)
    }

    /// Whether an INSTANCE without a name makes a symbol of its own for `def`. TLC: one without parameters is the same
    /// for everyone.
    pub(super) fn brings_symbol(&self, instance: InstanceId, def: DefId) -> bool {
        let is_free = |module: ModuleId| {
            let module = &self.spec.modules[module];
            module.constants.is_empty() && module.variables.is_empty()
        };
        let instance = &self.spec.instances[instance];
        let source = self.spec.defs[self.source_of(def)].module;
        instance.local || !(is_free(instance.module) || is_free(source))
    }

    fn make(&mut self, origin: Origin, mut context: CloneContext) -> Instantiated {
        let Origin { def, instance, is_symbol: _ } = origin;
        let original = self.spec.defs[def].clone();
        let mut params = context.instance_params.clone();
        params.extend(original.params.iter().map(|&param| self.fresh_binder(&mut context, param)));
        let clone =
            self.spec.defs.push(Def { params, body: DefBody::Missing, origin: Some(origin), ..original });
        let takes_params = !context.instance_params.is_empty();
        let made = Instantiated { def: clone, takes_params };
        self.instantiated.insert(origin, made);
        // Definitions made by an INSTANCE inside a LET belong to that LET.
        if let Some(&index) = self.let_of_instance.get(&instance)
            && let Some(clones) = self.let_clones.get_mut(index)
        {
            clones.push(clone);
        }
        self.spec.defs[clone].body = match original.body {
            DefBody::Expr(body) => DefBody::Expr(self.clone_expr(&mut context, body)),
            body @ (DefBody::Native | DefBody::Missing) => body,
        };
        made
    }

    fn instance_context(&mut self, instance: InstanceId) -> CloneContext {
        let params = self.spec.instances[instance].params.clone();
        let targets = Rc::clone(&self.replacement(instance).targets);
        let mut context = CloneContext { instance: Some(instance), targets, ..CloneContext::default() };
        context.instance_params =
            params.iter().map(|&param| self.fresh_binder(&mut context, param)).collect();
        context
    }

    /// Returns the replacements of an INSTANCE, made when first needed.
    fn replacement(&mut self, instance: InstanceId) -> &Replacement {
        let spec = &self.spec;
        self.replacements.entry(instance).or_insert_with(|| {
            let items = &spec.instances[instance].substitutions;
            let targets = items.iter().map(|item| (item.target, item.value.clone())).collect();
            let replaced = items.iter().filter(|item| !is_identity(spec, item)).map(|item| item.target);
            Replacement { targets: Rc::new(targets), replaced: Rc::new(replaced.collect()) }
        })
    }

    /// Whether `def` refers, directly or not, to something that `instance` replaces.
    fn is_touched(&mut self, instance: InstanceId, def: DefId) -> bool {
        let replaced = Rc::clone(&self.replacement(instance).replaced);
        if replaced.is_empty() {
            return false;
        }
        if let Some(&known) = self.touched.get(&(instance, def)) {
            return known;
        }
        let ReachedDefs { defs, users, touched } = self.reach(instance, def, &replaced);
        // A definition that uses a touched one is touched.
        let mut todo = touched;
        let mut found: FxHashSet<DefId> = todo.iter().copied().collect();
        while let Some(next) = todo.pop() {
            for &user in users.get(&next).into_iter().flatten() {
                if found.insert(user) {
                    todo.push(user);
                }
            }
        }
        self.touched.extend(defs.iter().map(|&def| ((instance, def), found.contains(&def))));
        found.contains(&def)
    }

    /// Collects the definitions that `def` leads to, except those for which it is already known whether `instance`
    /// touches them.
    fn reach(&self, instance: InstanceId, def: DefId, replaced: &FxHashSet<SubstTarget>) -> ReachedDefs {
        let mut defs: FxIndexSet<DefId> = FxIndexSet::from_iter([def]);
        let mut users: FxHashMap<DefId, Vec<DefId>> = FxHashMap::default();
        let mut touched = Vec::new();
        let mut index = 0;
        while let Some(&next) = defs.get_index(index) {
            index += 1;
            let DefBody::Expr(body) = self.spec.defs[next].body else { continue };
            let mut direct = false;
            self.visit_references(body, &mut |reference| match reference {
                Reference::Def(used) => match self.touched.get(&(instance, used)) {
                    Some(&known) => direct |= known,
                    None => {
                        defs.insert(used);
                        users.entry(used).or_default().push(next);
                    }
                },
                Reference::Target(target) => direct |= replaced.contains(&target),
            });
            if direct {
                touched.push(next);
            }
        }
        ReachedDefs { defs, users, touched }
    }

    /// Returns the definition that `def` was originally made from.
    pub(super) fn source_of(&self, def: DefId) -> DefId {
        let mut source = def;
        while let Some(origin) = self.spec.defs[source].origin {
            source = origin.def;
        }
        source
    }

    /// Returns a named instance of the instantiated module as `outer` gives it.
    pub(super) fn compose(&mut self, outer: InstanceId, inner: InstanceId) -> InstanceId {
        let mut context = self.instance_context(outer);
        let entry = &self.spec.instances[inner];
        let (name, module, local, span) = (entry.name, entry.module, entry.local, entry.span);
        let params = entry.params.clone();
        let substitutions = entry.substitutions.clone();
        let params = params.iter().map(|&param| self.fresh_binder(&mut context, param)).collect();
        let substitutions = substitutions
            .into_iter()
            .map(|item| Substitution { value: self.clone_arg(&mut context, &item.value), ..item })
            .collect();
        let within = self.frame().module;
        let composed = Instance { name, params, module, within, substitutions, local, span };
        let id = self.spec.instances.push(composed);
        if self.frame().let_depth == 0 && !self.in_proof() {
            self.spec.modules[within].instances.push(id);
        }
        id
    }

    /// Returns an expression that stands for a constant, at the place where the constant stood.
    pub(super) fn substitute(&mut self, context: &CloneContext, value: ExprId) -> ExprId {
        if context.instance_params.is_empty() {
            // Nothing is copied, but each reader of the definition reads the value again.
            let n_nodes = self.tree_size(value);
            return if self.may_copy(context, value, n_nodes) {
                value
            } else {
                self.error_expr(self.spec.exprs[value].span)
            };
        }
        let mut inner = CloneContext { locals: context.params_only(self), ..CloneContext::default() };
        self.clone_expr(&mut inner, value)
    }
}

/// Whether a substitution is `x <- x` with both the same declaration, as with EXTENDS and INSTANCE of one module.
fn is_identity(spec: &Spec, item: &Substitution) -> bool {
    match (&item.value, item.target) {
        (&Arg::Expr(value), target) => match (&spec.exprs[value].kind, target) {
            (&ExprKind::Const(value), SubstTarget::Const(target)) => value == target,
            (&ExprKind::Var(value), SubstTarget::Var(target)) => value == target,
            _ => false,
        },
        (&Arg::Op(OpArg::Ref(Op::Const(value), _)), SubstTarget::Const(target)) => value == target,
        (Arg::Op(_), _) => false,
    }
}
