//! Modules: finds them, and resolves EXTENDS and their units in order.

use std::hash::Hash;
use std::rc::Rc;

use base::{FxHashMap, FxHashSet, FxIndexMap, Name};
use diag::{Code, Diagnostic, Span};
use syntax::ast;

use super::define::count;
use super::scope::Frame;
use super::{Resolver, RootFile};
use crate::embedded;
use crate::load::{self, LoadError, LoadedFile};
use crate::spec::{
    Assumption, Constant, DefKind, Entity, Module, ModuleId, NameTarget, ScopeEntry, Theorem, Variable,
};

/// A module's tree and its origin.
struct ModuleTree {
    file: Rc<ast::File>,
    /// Its index among the top-level modules of the file.
    index: usize,
    embedded: bool,
}

impl Resolver<'_> {
    /// Resolves the first module of the root file, which must be called `stem`.
    pub(crate) fn root(&mut self, loaded: LoadedFile, stem: Option<&str>) -> Option<ModuleId> {
        let file = Rc::new(loaded.file);
        let name = file.modules.first()?.name;
        if let Some(stem) = stem
            && self.text(name.name) != stem
        {
            self.report_name_mismatch(name, stem);
        }
        let mut modules = FxHashMap::default();
        for (index, module) in file.modules.iter().enumerate().skip(1) {
            // TLC: of several modules with the same name, the first is read.
            modules.entry(module.name.name).or_insert(index);
        }
        self.root_file = Some(RootFile { file: Rc::clone(&file), modules });
        Some(self.external_module(name, &ModuleTree { file, index: 0, embedded: loaded.embedded }))
    }

    /// Resolves a module that nothing in the root names. A message about it points to the end of the root's file.
    pub(crate) fn resolve_beside(&mut self, name: &str, root: diag::SourceId) {
        let end = self.spec.sources.file(root).text().len();
        let name = ast::Ident { name: self.spec.names.intern(name), span: Span::new(root, end..end) };
        self.find_module(name);
    }

    fn report_name_mismatch(&mut self, name: ast::Ident, stem: &str) {
        let module = self.text(name.name).to_owned();
        let headline = format!("module `{module}` is in a file called `{stem}.tla`");
        let diagnostic = Diagnostic::new(Code::ModuleNameMismatch, name.span, headline)
            .label(format!("`{stem}` expected"))
            .help(format!("rename the file to `{module}.tla`, or the module to `{stem}`"))
            .fix(format!("rename the module to `{stem}`"), name.span, stem);
        self.report(diagnostic);
    }

    /// Finds the module called `name` as seen from here: nested, in the root file, in a file, or embedded.
    pub(super) fn find_module(&mut self, name: ast::Ident) -> Option<ModuleId> {
        let module = self.find_module_here(name)?;
        self.record_use(name.span, NameTarget::Module(module));
        Some(module)
    }

    fn find_module_here(&mut self, name: ast::Ident) -> Option<ModuleId> {
        if let Some(module) = self.lookup_module(name.name) {
            return Some(module);
        }
        if let Some(position) = self.loading.iter().position(|&(loading, _)| loading == name.name) {
            self.report_cycle(name, position);
            return None;
        }
        if let Some(&module) = self.external.get(&name.name) {
            return Some(module);
        }
        if self.failed.contains_key(&name.name) {
            return None;
        }
        match self.module_tree(name) {
            Some(tree) => Some(self.external_module(name, &tree)),
            None => {
                self.failed.insert(name.name, ());
                None
            }
        }
    }

    fn module_tree(&mut self, name: ast::Ident) -> Option<ModuleTree> {
        if let Some(root) = &self.root_file
            && let Some(&index) = root.modules.get(&name.name)
        {
            return Some(ModuleTree { file: Rc::clone(&root.file), index, embedded: false });
        }
        let text = self.text(name.name).to_owned();
        let Some(loader) = &self.loader else {
            let headline = format!("there is no module `{text}` in this specification");
            self.error(Code::ModuleNotFound, name.span, headline);
            return None;
        };
        match loader.load(&text, &mut self.spec.sources, &mut self.spec.names) {
            Ok((loaded, diagnostics)) => {
                self.diagnostics.extend(diagnostics);
                self.first_module(loaded, name, &text)
            }
            Err(error) => {
                self.report_load_error(name, error);
                None
            }
        }
    }

    fn first_module(&mut self, loaded: LoadedFile, asked: ast::Ident, text: &str) -> Option<ModuleTree> {
        let found = loaded.file.modules.first()?.name;
        if found.name != asked.name {
            self.report_name_mismatch(found, text);
        }
        Some(ModuleTree { file: Rc::new(loaded.file), index: 0, embedded: loaded.embedded })
    }

    fn report_load_error(&mut self, name: ast::Ident, error: LoadError) {
        let module = self.text(name.name).to_owned();
        match error {
            LoadError::NotFound { tried } => {
                let mut diagnostic = Diagnostic::new(
                    Code::ModuleNotFound,
                    name.span,
                    format!("there is no module `{module}`"),
                )
                .label("not found");
                if let Some(similar) = self.similar_module(&module) {
                    diagnostic = diagnostic.suggest(name.span, &similar);
                }
                for path in &tried {
                    diagnostic = diagnostic.note(format!("looked for `{}`", path.display()));
                }
                let nearby = self.loader.as_ref().and_then(|loader| loader.folder_nearby(&module));
                let help = match nearby {
                    Some(folder) => {
                        let folder = folder.display();
                        format!("it is in `{folder}`: say `--library {folder}`")
                    }
                    None => {
                        "put its file beside the root module, or name its folder with `--library`".to_owned()
                    }
                };
                self.report(diagnostic.help(help));
            }
            LoadError::Unreadable(diagnostic) => {
                self.report(diagnostic.related(name.span, format!("module `{module}` is needed here")));
            }
        }
    }

    fn report_cycle(&mut self, name: ast::Ident, position: usize) {
        let chain: Vec<(Name, Span)> = self.loading[position..].to_vec();
        let mut names: Vec<String> = chain.iter().map(|&(module, _)| self.text(module).to_owned()).collect();
        names.push(self.text(name.name).to_owned());
        let headline = format!("modules depend on each other in a circle: {}", names.join(" -> "));
        let mut diagnostic = Diagnostic::new(Code::ModuleCycle, name.span, headline)
            .label(format!("`{}` is needed again here", self.text(name.name)));
        for &(module, span) in &chain[1..] {
            diagnostic = diagnostic.related(span, format!("`{}` is needed here", self.text(module)));
        }
        self.report(diagnostic.help("move what both need into a third module"));
    }

    /// Resolves a module that is not nested in another.
    fn external_module(&mut self, asked: ast::Ident, tree: &ModuleTree) -> ModuleId {
        self.loading.push((asked.name, asked.span));
        let module = self.resolve_module(&tree.file, &tree.file.modules[tree.index], None, tree.embedded);
        self.loading.pop();
        self.external.insert(asked.name, module);
        module
    }

    fn resolve_module(
        &mut self,
        file: &Rc<ast::File>,
        tree: &ast::Module,
        parent: Option<usize>,
        embedded: bool,
    ) -> ModuleId {
        let id = self.spec.modules.push(Module {
            name: tree.name.name,
            name_span: tree.name.span,
            span: tree.span,
            parent: parent.map(|index| self.frames[index].module),
            embedded,
            extends: Vec::new(),
            constants: Vec::new(),
            variables: Vec::new(),
            defs: Vec::new(),
            assumptions: Vec::new(),
            theorems: Vec::new(),
            instances: Vec::new(),
            nested: Vec::new(),
            scope: FxIndexMap::default(),
        });
        let mut frame = Frame::new(id, parent);
        frame.file = Some(Rc::clone(file));
        self.frames.push(frame);
        for &name in &tree.extends {
            self.extend(name);
        }
        for unit in &tree.units {
            base::with_stack(|| self.unit(file, unit));
        }
        self.report_pending(0);
        self.report_record_fields();
        let frame = self.frames.pop().expect("pushed above");
        self.spec.modules[id].scope = frame.own;
        self.nested_modules.insert(id, frame.modules);
        id
    }

    fn extend(&mut self, name: ast::Ident) {
        let Some(module) = self.find_module(name) else {
            self.frame_mut().incomplete = true;
            return;
        };
        let current = self.frame().module;
        if self.spec.modules[current].extends.contains(&module) {
            return;
        }
        self.spec.modules[current].extends.push(module);
        let (constants, variables) =
            (self.spec.modules[module].constants.clone(), self.spec.modules[module].variables.clone());
        extend_new(&mut self.spec.modules[current].constants, constants);
        extend_new(&mut self.spec.modules[current].variables, variables);
        let nested = self.nested_modules.get(&module).cloned().unwrap_or_default();
        self.frame_mut().modules.extend(nested);
        let entries: Vec<(Name, ScopeEntry)> =
            self.spec.modules[module].scope.iter().map(|(&name, &entry)| (name, entry)).collect();
        for (imported, entry) in entries.into_iter().filter(|(_, entry)| !entry.local) {
            let yields = self.import_yields(module, entry);
            self.import(imported, ScopeEntry { yields, ..entry }, Via::Extends, name.span);
        }
    }

    /// Whether a name imported from `module` yields to definitions of the current module.
    pub(super) fn import_yields(&self, module: ModuleId, entry: ScopeEntry) -> bool {
        let from = &self.spec.modules[module];
        match from.embedded {
            _ if self.spec.modules[self.frame().module].embedded => false,
            true => embedded::changes_exports(self.text(from.name)),
            false => entry.yields,
        }
    }

    /// Imports a name from an extended or instantiated module. The first meaning stays.
    pub(super) fn import(&mut self, name: Name, entry: ScopeEntry, via: Via, span: Span) {
        let entity = entry.entity;
        let found = match via {
            // A name that a module gets by EXTENDS hides one of the modules around it.
            Via::Extends => self.frame().own.get(&name).copied(),
            Via::Instance => self.lookup_entry(name),
        };
        let Some(ScopeEntry { entity: present, yields, .. }) = found else {
            self.import_unchecked(name, entry);
            return;
        };
        if self.same_source(present, entity) {
            if let Some(own) = self.frame_mut().own.get_mut(&name) {
                own.yields &= entry.yields;
            }
            return;
        }
        let ident = ast::Ident { name, span };
        if !yields && entry.yields {
            self.record_hidden(ident, entity);
            return;
        }
        if yields && !entry.yields && self.library_use(name).is_none() {
            self.record_hidden(ident, present);
            self.import_unchecked(name, entry);
            return;
        }
        self.report_import((name, span), via, present, entity);
    }

    /// Reports that a name is imported with a second meaning.
    fn report_import(&mut self, (name, span): (Name, Span), via: Via, present: Entity, entity: Entity) {
        let text = self.text(name).to_owned();
        let alike = match via {
            Via::Extends => self.import_class(present) == self.import_class(entity),
            Via::Instance => self.what_is(present) == self.what_is(entity),
        };
        let (code, headline) = if alike {
            (Code::ImportAmbiguity, format!("`{text}` is imported twice with different meanings"))
        } else {
            let (first, second) = (self.what_is(present), self.what_is(entity));
            (Code::ImportConflict, format!("`{text}` is imported as {second}, and is already {first}"))
        };
        let mut diagnostic = Diagnostic::new(code, span, headline).label("this import brings another one");
        if let Some(first) = self.import_span(present) {
            diagnostic = diagnostic.related(first, "this one is used");
        }
        if let Some(second) = self.import_span(entity).filter(|&second| second != span) {
            let text = if alike { "this one is ignored" } else { "and this is the other" };
            diagnostic = diagnostic.related(second, text);
        }
        self.report(diagnostic.help("rename one, or import one of the modules with a named INSTANCE"));
    }

    /// Returns the place that a name's meaning comes from. For a definition made by an INSTANCE, this is the INSTANCE.
    fn import_span(&self, entity: Entity) -> Option<Span> {
        if let Entity::Def(def) = entity
            && let Some(origin) = self.spec.defs[def].origin
        {
            return Some(self.spec.instances[origin.instance].span);
        }
        self.entity_span(entity)
    }

    /// Returns the class of an import. Of two in one class, the second is ignored; two of different classes are a
    /// conflict.
    fn import_class(&self, entity: Entity) -> ImportClass {
        match entity {
            Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => ImportClass::Declaration,
            Entity::Def(def) if self.spec.defs[def].kind.is_fact() => ImportClass::Fact,
            Entity::Def(_) | Entity::Instance(_) => ImportClass::Definition,
        }
    }

    /// Describes an entity: "a constant", "an operator of 2 arguments".
    fn what_is(&self, entity: Entity) -> String {
        let what = match entity {
            Entity::Const(_) => "a constant",
            Entity::Var(_) => "a variable",
            Entity::Def(def) if self.spec.defs[def].kind.is_fact() => "a theorem or assumption",
            Entity::Def(_) => "an operator",
            Entity::Instance(_) => "an INSTANCE",
            Entity::Local(_) => "a name bound here",
        };
        match self.param_arities(entity).len() {
            0 if what == "an operator" => "an operator without arguments".to_owned(),
            0 => what.to_owned(),
            n_params => format!("{what} of {}", count(n_params, "argument")),
        }
    }

    fn import_unchecked(&mut self, name: Name, entry: ScopeEntry) {
        if self.frame().let_depth > 0 || !self.frame().proof_levels.is_empty() {
            self.bind(name, entry.entity);
        } else {
            self.frame_mut().own.insert(name, entry);
        }
    }

    /// Whether two imports are the same thing: the same entity, or definitions made from the same one of a module in
    /// which there is nothing to substitute.
    fn same_source(&self, a: Entity, b: Entity) -> bool {
        match (a, b) {
            (Entity::Def(a), Entity::Def(b)) if a != b => {
                let source = self.source_of(a);
                let module = &self.spec.modules[self.spec.defs[source].module];
                source == self.source_of(b) && module.constants.is_empty() && module.variables.is_empty()
            }
            (a, b) => a == b,
        }
    }

    fn unit(&mut self, file: &Rc<ast::File>, unit: &ast::Unit) {
        let module = self.frame().module;
        match &unit.kind {
            ast::UnitKind::Constants(decls) => self.constants(decls, unit.span),
            ast::UnitKind::Variables(names) => self.variables(names, unit.span),
            ast::UnitKind::Recursive(decls) => self.recursive(decls),
            ast::UnitKind::Operator { head, body } => {
                self.operator(file, unit, head, *body);
            }
            ast::UnitKind::Function { name, bounds, body } => {
                self.function(file, unit, (*name, bounds, *body));
            }
            ast::UnitKind::Instance(instance) => {
                if let Some(id) = self.unnamed_instance(file, instance, unit.local) {
                    self.spec.modules[module].instances.push(id);
                }
            }
            ast::UnitKind::NamedInstance { head, instance } => {
                if let Some(id) = self.named_instance(file, unit, head, instance) {
                    self.spec.modules[module].instances.push(id);
                }
            }
            ast::UnitKind::Assume { kind, name, body } => self.assume(file, unit, (*kind, *name, *body)),
            ast::UnitKind::Theorem { name, body, proof } => {
                self.theorem(file, unit, (*name, *body, proof.as_ref()));
            }
            ast::UnitKind::UseHide(facts) => {
                self.not_in_recursive_section(unit.span, "USE or HIDE");
                self.use_hide(file, facts);
            }
            ast::UnitKind::Module(tree) => self.nested_module(file, tree),
        }
    }

    fn constants(&mut self, decls: &[ast::OpDecl], span: Span) {
        self.not_in_recursive_section(span, "a CONSTANT declaration");
        let module = self.frame().module;
        for decl in decls {
            if self.is_builtin_name(decl.name) {
                continue;
            }
            let free = self.check_free_for(decl.name, |this, present| match present {
                Entity::Const(id) => this.spec.constants[id].arity == decl.arity,
                Entity::Var(_) | Entity::Def(_) | Entity::Instance(_) | Entity::Local(_) => false,
            });
            let constant = Constant { name: decl.name.name, span: decl.name.span, arity: decl.arity, module };
            let id = self.spec.constants.push(constant);
            if free {
                self.spec.modules[module].constants.push(id);
                self.declare(decl.name, Entity::Const(id), false);
            }
        }
    }

    fn variables(&mut self, names: &[ast::Ident], span: Span) {
        self.not_in_recursive_section(span, "a VARIABLE declaration");
        let module = self.frame().module;
        for &name in names {
            let free = self.check_free_for(name, |_, present| matches!(present, Entity::Var(_)));
            let id = self.spec.variables.push(Variable { name: name.name, span: name.span, module });
            if free {
                self.spec.modules[module].variables.push(id);
                self.declare(name, Entity::Var(id), false);
            }
        }
    }

    fn nested_module(&mut self, file: &Rc<ast::File>, tree: &ast::Module) {
        self.not_in_recursive_section(tree.name.span, "a nested module");
        let name = tree.name;
        let current = self.frame().module;
        let taken = self.lookup_module(name.name).or_else(|| self.extended_module(current, name.name));
        if let Some(first) = taken {
            let headline = format!("there is already a module `{}` here", self.text(name.name));
            let diagnostic = Diagnostic::new(Code::ModuleRedefined, name.span, headline)
                .label("a second module of this name")
                .related(self.spec.modules[first].name_span, "the first one")
                .help("give the nested module another name");
            self.report(diagnostic);
        }
        let embedded = self.spec.modules[current].embedded;
        let parent = self.frames.len() - 1;
        let id = self.resolve_module(file, tree, Some(parent), embedded);
        self.spec.modules[current].nested.push(id);
        self.frame_mut().modules.insert(name.name, id);
    }

    /// Returns the module called `name` among those that `module` extends, directly or indirectly.
    fn extended_module(&self, module: ModuleId, name: Name) -> Option<ModuleId> {
        let mut todo = self.spec.modules[module].extends.clone();
        while let Some(next) = todo.pop() {
            if self.spec.modules[next].name == name {
                return Some(next);
            }
            todo.extend(self.spec.modules[next].extends.iter().copied());
        }
        None
    }

    fn assume(
        &mut self,
        file: &Rc<ast::File>,
        unit: &ast::Unit,
        (kind, name, body): (ast::AssumeKind, Option<ast::Ident>, ast::ExprId),
    ) {
        self.not_in_recursive_section(unit.span, "an assumption");
        let body = self.labelled_body(name, |this| this.expr(file, body));
        let def = name.map(|name| self.fact_def(name, unit.span, DefKind::Assumption, body));
        let module = self.frame().module;
        self.spec.modules[module].assumptions.push(Assumption { kind, def, body, span: unit.span });
    }

    fn theorem(
        &mut self,
        file: &Rc<ast::File>,
        unit: &ast::Unit,
        (name, body, proof): (Option<ast::Ident>, ast::ExprId, Option<&ast::Proof>),
    ) {
        self.not_in_recursive_section(unit.span, "a theorem");
        let mark = self.scope_mark();
        let statement = self.labelled_body(name, |this| this.statement(file, body));
        let declared = self.take_declared(mark);
        let def = name.map(|name| self.fact_def(name, unit.span, DefKind::Theorem, statement));
        self.redeclare(&declared);
        let proof = proof.map(|proof| self.proof(file, proof));
        self.scope_release(mark);
        let module = self.frame().module;
        self.spec.modules[module].theorems.push(Theorem { def, statement, proof, span: unit.span });
    }

    /// Parses a root that is already loaded, and resolves nothing. For tests and embedders that bring a text of their
    /// own.
    pub(crate) fn parse_root(&mut self, source: diag::SourceId) -> LoadedFile {
        let (loaded, diagnostics) = load::parse(source, false, &self.spec.sources, &mut self.spec.names);
        self.diagnostics.extend(diagnostics);
        loaded
    }
}

/// The way in which a name enters a module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Via {
    Extends,
    /// INSTANCE without a name.
    Instance,
}

#[derive(PartialEq, Eq)]
enum ImportClass {
    Declaration,
    Definition,
    Fact,
}

/// Nested modules by name, kept after a module is resolved: EXTENDS passes them on.
pub(super) type NestedModules = FxHashMap<ModuleId, FxHashMap<Name, ModuleId>>;

/// Appends the items of `more` that are not in `items` yet.
fn extend_new<T: Copy + Eq + Hash>(items: &mut Vec<T>, more: Vec<T>) {
    let known: FxHashSet<T> = items.iter().copied().collect();
    items.extend(more.into_iter().filter(|item| !known.contains(item)));
}
