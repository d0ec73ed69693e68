//! Scopes: the meaning of a name at this point of the text.

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, FxIndexMap, Name};
use diag::{Code, Diagnostic, Severity, Span};
use syntax::ast;

use super::Resolver;
use super::label::LabelScope;
use super::records::Suspects;
use crate::embedded;
use crate::spec::{
    DefId, Entity, ExprId, HiddenName, InstanceId, LocalId, LocalKind, ModuleId, NameTarget, NameUse,
    RetiredUse, ScopeEntry,
};

/// A module being resolved.
pub(crate) struct Frame {
    pub(super) module: ModuleId,
    /// The tree that it is resolved from. `None` when it is finished and was opened again.
    pub(super) file: Option<Rc<ast::File>>,
    /// The frame of the module that this one is nested in.
    pub(super) parent: Option<usize>,
    /// The module's own and imported names so far.
    pub(super) own: FxIndexMap<Name, ScopeEntry>,
    /// Nested modules that can be named here, imported ones included.
    pub(super) modules: FxHashMap<Name, ModuleId>,
    /// Parameters, bound names, LET definitions, proof steps.
    locals: FxHashMap<Name, Entity>,
    /// The previous contents of `locals` before each binding, newest last.
    undo: Vec<(Name, Option<Entity>)>,
    /// Whether an import failed. Unknown names may come from it and are not reported.
    pub(super) incomplete: bool,
    /// The place where each yielding name was first used: a definition that hides one must come before.
    library_uses: FxHashMap<Name, Span>,
    /// Unknown names, each reported once in a module.
    pub(super) unknown: FxHashSet<Name>,
    /// RECURSIVE declarations that wait for their definitions.
    pub(super) pending: Vec<Pending>,
    /// Number of LETs around this point.
    pub(super) let_depth: usize,
    /// The meanings of `@`, innermost last; `None` where an EXCEPT hides it.
    pub(super) at: Vec<LocalId>,
    /// In a proof: the right side of the previous step's relation, which `@` stands for.
    pub(super) step_at: Option<ExprId>,
    pub(super) labels: Vec<LabelScope>,
    /// Levels of the proofs being resolved, for `<*>a`.
    pub(super) proof_levels: Vec<u32>,
    /// Record constructors met so far.
    pub(super) suspects: Suspects,
    /// Names being defined, for the hint that recursion must be declared.
    pub(super) defining: Vec<(Name, usize)>,
}

/// A RECURSIVE declaration without its definition yet.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    pub(super) def: DefId,
    pub(super) let_depth: usize,
    pub(super) span: Span,
}

impl Frame {
    pub(super) fn new(module: ModuleId, parent: Option<usize>) -> Self {
        Frame {
            module,
            file: None,
            parent,
            own: FxIndexMap::default(),
            modules: FxHashMap::default(),
            locals: FxHashMap::default(),
            undo: Vec::new(),
            incomplete: false,
            library_uses: FxHashMap::default(),
            unknown: FxHashSet::default(),
            pending: Vec::new(),
            let_depth: 0,
            at: Vec::new(),
            step_at: None,
            labels: Vec::new(),
            proof_levels: Vec::new(),
            suspects: Suspects::new(),
            defining: Vec::new(),
        }
    }
}

impl Resolver<'_> {
    pub(super) fn frame(&self) -> &Frame {
        self.frames.last().expect("names are resolved inside a module")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("names are resolved inside a module")
    }

    /// Iterates over the frames in which names are looked up: this module's, then those it is nested in.
    pub(super) fn visible_frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(self.frames.last(), |frame| frame.parent.map(|parent| &self.frames[parent]))
    }

    pub(super) fn lookup(&self, name: Name) -> Option<Entity> {
        Some(self.lookup_entry(name)?.entity)
    }

    pub(super) fn lookup_entry(&self, name: Name) -> Option<ScopeEntry> {
        if let Some(&entity) = self.frame().locals.get(&name) {
            return Some(ScopeEntry { entity, local: true, yields: false });
        }
        self.visible_frames().find_map(|frame| frame.own.get(&name).copied())
    }

    /// Returns what `ident` means where it is used. In a definition of its own name a library's is not meant: recursion
    /// must be declared.
    pub(super) fn lookup_use(&mut self, ident: ast::Ident) -> Option<Entity> {
        let entity = self.lookup_any_use(ident)?;
        self.record_use(ident.span, NameTarget::Entity(entity));
        Some(entity)
    }

    /// Returns what `ident` means where it is used without being written.
    pub(super) fn lookup_implied_use(&mut self, ident: ast::Ident) -> Option<Entity> {
        let entity = self.lookup_any_use(ident)?;
        self.spec.implied.push(NameUse { span: ident.span, target: NameTarget::Entity(entity) });
        Some(entity)
    }

    fn lookup_any_use(&mut self, ident: ast::Ident) -> Option<Entity> {
        let entry = self.lookup_entry(ident.name)?;
        if entry.yields {
            let frame = self.frame_mut();
            if frame.defining.iter().any(|&(defining, _)| defining == ident.name) {
                return None;
            }
            frame.library_uses.entry(ident.name).or_insert(ident.span);
            self.record_retired(ident, entry.entity);
        }
        Some(entry.entity)
    }

    fn record_retired(&mut self, ident: ast::Ident, entity: Entity) {
        let Entity::Def(def) = entity else { return };
        let module = self.spec.modules[self.spec.defs[def].module].name;
        if embedded::successor(self.text(module), self.text(ident.name)).is_some() {
            self.spec.retired.push(RetiredUse { span: ident.span, def });
        }
    }

    /// Returns a nested module that can be named here.
    pub(super) fn lookup_module(&self, name: Name) -> Option<ModuleId> {
        self.visible_frames().find_map(|frame| frame.modules.get(&name).copied())
    }

    /// Returns every name that can be used here.
    pub(super) fn visible_names(&self) -> Vec<Name> {
        let mut names: Vec<Name> = self.frame().locals.keys().copied().collect();
        names.sort();
        names.extend(self.visible_frames().flat_map(|frame| frame.own.keys().copied()));
        names
    }

    /// Runs `body` and unbinds what it bound.
    pub(super) fn with_scope<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.scope_mark();
        let result = body(self);
        self.scope_release(mark);
        result
    }

    pub(super) fn scope_mark(&self) -> usize {
        self.frame().undo.len()
    }

    pub(super) fn scope_release(&mut self, mark: usize) {
        let frame = self.frame_mut();
        while frame.undo.len() > mark {
            let Some((name, before)) = frame.undo.pop() else { break };
            match before {
                Some(entity) => frame.locals.insert(name, entity),
                None => frame.locals.remove(&name),
            };
        }
    }

    /// Binds `name` until the scope ends, without checking whether it is taken.
    pub(super) fn bind(&mut self, name: Name, entity: Entity) {
        let frame = self.frame_mut();
        let before = frame.locals.insert(name, entity);
        frame.undo.push((name, before));
    }

    /// Binds a new local, and reports a name that is taken: TLA+ has no shadowing.
    pub(super) fn bind_local(&mut self, ident: ast::Ident, arity: u32, kind: LocalKind) -> LocalId {
        if !self.hide_in_scope(ident) {
            self.check_free(ident);
        }
        let local = self.new_local(ident, arity, kind);
        self.bind(ident.name, Entity::Local(local));
        local
    }

    /// Whether `ident` may be bound here because its present meaning yields. A bound name has a scope of its own, so it
    /// does not matter whether the library's was used before.
    fn hide_in_scope(&mut self, ident: ast::Ident) -> bool {
        let Some(entry) = self.lookup_entry(ident.name).filter(|entry| entry.yields) else { return false };
        self.record_hidden(ident, entry.entity);
        true
    }

    /// Returns the place where the library's `name` was used in the current module, if it was.
    pub(super) fn library_use(&self, name: Name) -> Option<Span> {
        self.frame().library_uses.get(&name).copied()
    }

    pub(super) fn record_hidden(&mut self, ident: ast::Ident, hidden: Entity) {
        let (name, module) = (ident.name, self.frame().module);
        let is_known = self.spec.hidden.iter().any(|known| known.name == name && known.module == module);
        if !is_known {
            self.spec.hidden.push(HiddenName { name, module, span: ident.span, hidden });
        }
    }

    /// Whether a definition can give `name` a meaning: it has none, or one that yields and was not used.
    pub(super) fn is_free(&self, name: Name) -> bool {
        match self.lookup_entry(name) {
            None => true,
            Some(entry) => entry.yields && self.library_use(name).is_none(),
        }
    }

    /// Reports `ident` if its name already means something here. Returns true when it is free, or hides a library's.
    pub(super) fn check_free(&mut self, ident: ast::Ident) -> bool {
        let Some(ScopeEntry { entity, yields, .. }) = self.lookup_entry(ident.name) else { return true };
        if yields && let Some(used) = self.library_use(ident.name) {
            self.report_used_before(ident, entity, used);
            return false;
        }
        if yields {
            self.record_hidden(ident, entity);
            return true;
        }
        let name = self.text(ident.name).to_owned();
        let mut diagnostic = Diagnostic::new(
            Code::Redefined,
            ident.span,
            format!("`{name}` is already {} here", self.entity_noun(entity)),
        )
        .label("a second meaning for this name")
        .help("TLA+ does not let a name be reused while it is visible: choose another name");
        if let Some(span) = self.entity_span(entity) {
            diagnostic = diagnostic.related(span, format!("`{name}` gets its first meaning here"));
        }
        self.report(diagnostic);
        false
    }

    /// Reports a library's name that is defined after it was used: one name would mean two things.
    fn report_used_before(&mut self, ident: ast::Ident, entity: Entity, used: Span) {
        let name = self.text(ident.name).to_owned();
        let headline = format!("`{name}` is used before it is defined, where it is a library's");
        let mut diagnostic = Diagnostic::new(Code::Redefined, ident.span, headline)
            .label("a second meaning for this name")
            .related(used, "this would be the library's")
            .help("choose another name, or move the definition before its first use");
        if let Some(span) = self.entity_span(entity) {
            diagnostic = diagnostic.related(span, "the library's definition");
        }
        self.report(diagnostic);
    }

    /// Makes `ident` a name of the current module.
    pub(super) fn declare(&mut self, ident: ast::Ident, entity: Entity, local: bool) {
        if self.check_free(ident) {
            self.frame_mut().own.insert(ident.name, ScopeEntry { entity, local, yields: false });
        }
    }

    /// Whether `ident` is free for a declaration or a fact. TLC: a repetition of the same is accepted with a warning,
    /// because SANY accepts it.
    pub(super) fn check_free_for(
        &mut self,
        ident: ast::Ident,
        is_same: impl FnOnce(&Self, Entity) -> bool,
    ) -> bool {
        let present = self.lookup_entry(ident.name).filter(|entry| !entry.yields).map(|entry| entry.entity);
        let Some(present) = present.filter(|&present| is_same(self, present)) else {
            return self.check_free(ident);
        };
        let headline = format!("`{}` is already {} here", self.text(ident.name), self.entity_noun(present));
        let mut diagnostic = Diagnostic::new(Code::Redefined, ident.span, headline)
            .label("this is passed over")
            .help("remove one of the two");
        diagnostic.severity = Severity::Warning;
        if let Some(span) = self.entity_span(present) {
            diagnostic = diagnostic.related(span, "the first one counts");
        }
        self.report(diagnostic);
        false
    }

    /// Returns the kind of an entity with its article: "a constant", "an operator", ...
    pub(super) fn entity_noun(&self, entity: Entity) -> &'static str {
        match entity {
            Entity::Const(_) => "a constant",
            Entity::Var(_) => "a variable",
            Entity::Def(_) => "defined",
            Entity::Instance(_) => "an INSTANCE",
            Entity::Local(local) => match self.spec.locals[local].kind {
                LocalKind::Param => "a parameter",
                LocalKind::Bound | LocalKind::TemporalBound | LocalKind::At => "bound",
                LocalKind::New(_) => "declared",
            },
        }
    }

    pub(super) fn entity_span(&self, entity: Entity) -> Option<Span> {
        Some(match entity {
            Entity::Const(id) => self.spec.constants[id].span,
            Entity::Var(id) => self.spec.variables[id].span,
            Entity::Def(id) => self.spec.defs[id].name_span,
            Entity::Instance(id) => self.instance_span(id),
            Entity::Local(id) => self.spec.locals[id].span,
        })
    }

    fn instance_span(&self, id: InstanceId) -> Span {
        self.spec.instances[id].span
    }
}

impl Resolver<'_> {
    /// Returns the names bound since `mark`, oldest first.
    pub(super) fn bound_since(&self, mark: usize) -> Vec<Name> {
        self.frame().undo[mark..].iter().map(|&(name, _)| name).collect()
    }

    /// Unbinds the names bound since `mark`, and returns them for [`Resolver::redeclare`].
    pub(super) fn take_declared(&mut self, mark: usize) -> Vec<(Name, Entity)> {
        let names = self.bound_since(mark);
        let declared = names.into_iter().filter_map(|name| Some((name, self.lookup(name)?))).collect();
        self.scope_release(mark);
        declared
    }

    pub(super) fn redeclare(&mut self, declared: &[(Name, Entity)]) {
        for &(name, entity) in declared {
            self.bind(name, entity);
        }
    }
}
