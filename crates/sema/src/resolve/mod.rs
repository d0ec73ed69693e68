//! Resolves names in one pass over the modules, in the order in which they depend on each other.
//!
//! A module is resolved when it is first needed, its EXTENDS before its units, its units in textual order, because TLA+
//! requires names to be defined before use. An error is reported and becomes [`ExprKind::Error`] in the tree, so that
//! one mistake does not hide the next.

mod argument;
mod clone;
mod define;
mod expr;
mod instance;
mod instantiate;
mod label;
mod module;
mod parts;
mod path;
mod proof;
mod records;
mod scope;
mod subexpr;
mod suggest;

use std::rc::Rc;

use base::{FxHashMap, FxHashSet, Name};
use diag::{Code, Diagnostic, Diagnostics, Span};
use syntax::ast;

use crate::door::{ExprText, ResolvedText};
use crate::load::Loader;
use crate::spec::{
    Arg, Builtin, DefId, Expr, ExprId, ExprKind, InstanceId, Local, LocalId, LocalKind, ModuleId, NameTarget,
    NameUse, Op, Origin, Spec,
};
pub(crate) use scope::Frame;

/// The state of a resolution.
// Over 20 fields: the parts of the `Spec` that is being made, and the tables for it.
pub(crate) struct Resolver<'a> {
    pub(crate) spec: Spec,
    pub(crate) diagnostics: Diagnostics,
    loader: Option<Loader<'a>>,
    /// Modules that have a file of their own, or are embedded.
    pub(crate) external: FxHashMap<Name, ModuleId>,
    /// Top-level modules of the root file after the first.
    root_file: Option<RootFile>,
    /// External modules being resolved, outermost first, with the place that asked for each.
    loading: Vec<(Name, Span)>,
    /// External modules that could not be loaded. Each is reported once.
    failed: FxHashMap<Name, ()>,
    /// One frame for each module being resolved; the last is the current one.
    frames: Vec<Frame>,
    /// Definitions made by INSTANCE, by instance and original.
    instantiated: FxHashMap<Origin, instantiate::Instantiated>,
    replacements: FxHashMap<InstanceId, instantiate::Replacement>,
    /// Whether a definition refers, directly or not, to something that an INSTANCE replaces.
    touched: FxHashMap<(InstanceId, DefId), bool>,
    /// Number of expressions that were copied or stand in one more place.
    n_copied: u64,
    tree_sizes: FxHashMap<ExprId, u64>,
    /// The definitions that instances make inside each LET being resolved.
    let_clones: Vec<Vec<DefId>>,
    /// The entry of `let_clones` that an instance belongs to. Top-level instances are absent.
    let_of_instance: FxHashMap<InstanceId, usize>,
    /// The language's own operators by their canonical spellings.
    builtins: FxHashMap<Name, Builtin>,
    suggestions: suggest::Suggestions,
    /// Field lists of records whose author evidently knows that a field name is a string.
    understood_records: FxHashSet<Vec<Name>>,
    /// Definitions that contain no constant, variable or bound name.
    literal_defs: FxHashSet<DefId>,
    /// The nested modules that can be named for each finished module.
    nested_modules: module::NestedModules,
    /// Formulas of proof steps, for names such as `<1>2!1`.
    step_parts: FxHashMap<DefId, subexpr::StepParts>,
}

/// The root file, kept for the modules that it holds besides the first.
struct RootFile {
    file: Rc<ast::File>,
    modules: FxHashMap<Name, usize>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(mut spec: Spec, loader: Option<Loader<'a>>) -> Self {
        let builtins = define::builtin_names(&mut spec.names);
        Resolver {
            spec,
            diagnostics: Diagnostics::new(),
            loader,
            external: FxHashMap::default(),
            root_file: None,
            loading: Vec::new(),
            failed: FxHashMap::default(),
            frames: Vec::new(),
            instantiated: FxHashMap::default(),
            replacements: FxHashMap::default(),
            touched: FxHashMap::default(),
            n_copied: 0,
            tree_sizes: FxHashMap::default(),
            let_clones: Vec::new(),
            let_of_instance: FxHashMap::default(),
            builtins,
            suggestions: suggest::Suggestions::default(),
            understood_records: FxHashSet::default(),
            literal_defs: FxHashSet::default(),
            nested_modules: FxHashMap::default(),
            step_parts: FxHashMap::default(),
        }
    }

    /// Makes a resolver that continues with a finished specification.
    pub(crate) fn resume(spec: Spec) -> Self {
        let mut resolver = Resolver::new(spec, None);
        for (id, module) in resolver.spec.modules.iter_enumerated() {
            if module.parent.is_none() {
                resolver.external.insert(module.name, id);
            }
        }
        for (id, def) in resolver.spec.defs.iter_enumerated() {
            if let Some(origin) = def.origin {
                let takes_params = def.params.len() > resolver.spec.defs[origin.def].params.len();
                let made = instantiate::Instantiated { def: id, takes_params };
                resolver.instantiated.insert(origin, made);
            }
        }
        resolver
    }

    /// Resolves an expression as if it stood at the end of its module.
    pub(crate) fn lone_expr(&mut self, tree: syntax::LoneExpr, text: ExprText<'_>) -> ResolvedText {
        self.reopen(text.module);
        let file = Rc::new(tree.file);
        let span = file.exprs[tree.root].span;
        let params: Vec<LocalId> = text
            .params
            .iter()
            .map(|name| {
                let ident = ast::Ident { name: self.spec.names.intern(name), span };
                self.bind_local(ident, 0, LocalKind::Param)
            })
            .collect();
        let expr = self.definition_body(|this| this.expr(&file, tree.root));
        self.frames.clear();
        ResolvedText { expr, params }
    }

    /// Makes the scope of a finished module, and of those around it, current again.
    fn reopen(&mut self, module: ModuleId) {
        let entry = &self.spec.modules[module];
        let (parent, own, nested) = (entry.parent, entry.scope.clone(), entry.nested.clone());
        let parent = parent.map(|parent| {
            self.reopen(parent);
            self.frames.len() - 1
        });
        let mut frame = Frame::new(module, parent);
        frame.own = own;
        frame.modules = nested.iter().map(|&id| (self.spec.modules[id].name, id)).collect();
        self.frames.push(frame);
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn error(&mut self, code: Code, span: Span, headline: impl Into<String>) {
        self.report(Diagnostic::new(code, span, headline));
    }

    /// Notes what a name in the text stands for.
    fn record_use(&mut self, span: Span, target: NameTarget) {
        self.spec.uses.push(NameUse { span, target });
    }

    fn text(&self, name: Name) -> &str {
        self.spec.names.text(name)
    }

    fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.spec.exprs.push(Expr { kind, span })
    }

    fn error_expr(&mut self, span: Span) -> ExprId {
        self.add(ExprKind::Error, span)
    }

    fn new_local(&mut self, ident: ast::Ident, arity: u32, kind: LocalKind) -> LocalId {
        self.spec.locals.push(Local { name: ident.name, span: ident.span, arity, kind })
    }

    fn apply(&mut self, op: Op, args: Vec<Arg>, span: Span) -> ExprId {
        self.add(ExprKind::Apply { op, args }, span)
    }
}
