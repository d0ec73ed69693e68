//! Makes one specification of the grains of a composition.
//!
//! A root module that extends every file is loaded as any other. Then, in the resolved specification: operators that a
//! grain provides get their meaning, `Init`, `Next`, `vars` and `Spec` are made of the expressions in the composition
//! file, and each action leaves unchanged what it does not mention. Every place stays where it was written.

use std::path::PathBuf;

use base::{FxIndexMap, Name};
use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};
use sema::spec::{
    Arg, Builtin, Def, DefBody, DefId, DefKind, Entity, Expr, ExprId, ExprKind, JunctionKind, LocalId,
    ModuleId, Op, ScopeEntry, StepKind, VarId,
};
use sema::{ExprText, FileSystem, GeneratedRoot, LoadOptions, Loaded, Spec, resolve_expr, resolve_within};

use crate::asked::{self, LeftOut};
use crate::choose::{Choice, ChosenModule};
use crate::config;
use crate::family::Text;
use crate::{frame, provide};

/// A specification made of grains.
#[derive(Debug)]
pub struct Composed {
    /// Complete when there are no errors.
    pub spec: Spec,
    pub diagnostics: Diagnostics,
    /// The configuration, as a `.cfg` would say it.
    pub config: String,
    /// The text of the composition file among the sources.
    pub source: SourceId,
    pub outline: Outline,
}

/// The parts of the composed specification.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The name of the module that it is.
    pub module: String,
    /// Module and grain of each part: `leases.atomic`.
    pub parts: Vec<PartOutline>,
    pub invariants: Vec<String>,
    pub properties: Vec<String>,
    pub left_out: Vec<LeftOut>,
    /// The operators that got their meaning from a grain, with what they mean.
    pub provided: Vec<(DefId, DefId)>,
    pub init: Vec<ExprId>,
    pub fairness: Vec<ExprId>,
}

/// One module of a composition, in the specification.
#[derive(Clone, Debug)]
pub struct PartOutline {
    pub module: String,
    pub grain: String,
    /// The TLA+ module.
    pub tla: ModuleId,
    pub owns: Vec<VarId>,
    pub actions: Vec<ActionOutline>,
}

/// An action of a composition.
#[derive(Clone, Debug)]
pub struct ActionOutline {
    /// The disjunct of the next-state relation.
    pub expr: ExprId,
    pub def: DefId,
    /// The body in the text, before anything was added.
    pub written: ExprId,
    /// The variables that the composition leaves unchanged.
    pub unchanged: Vec<VarId>,
}

/// Options for finding files.
#[derive(Clone, Copy)]
pub struct Loading<'a> {
    pub options: &'a LoadOptions,
    pub files: &'a dyn FileSystem,
    /// Constants whose values are given elsewhere.
    pub given: &'a [String],
}

/// Makes the specification of a choice of grains.
pub fn assemble(choice: &Choice<'_>, loading: Loading<'_>) -> Composed {
    let mut assembler = match Assembler::load(choice, loading) {
        Ok(assembler) => assembler,
        Err(composed) => return *composed,
    };
    assembler.run(loading.given);
    assembler.finish()
}

pub(crate) struct Assembler<'f> {
    pub(crate) choice: &'f Choice<'f>,
    pub(crate) spec: Spec,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) source: SourceId,
    pub(crate) outline: Outline,
    /// The owner of each variable: the part, and the place that says so.
    pub(crate) owners: FxIndexMap<VarId, (usize, Span)>,
    pub(crate) config: String,
}

impl<'f> Assembler<'f> {
    fn load(choice: &'f Choice<'f>, loading: Loading<'_>) -> Result<Assembler<'f>, Box<Composed>> {
        let family = choice.family;
        let files = Files::of(choice);
        let missing = files.missing(choice, loading.files);
        let root = files.root_name(&choice.composition.name.text);
        let text = format!(
            "---- MODULE {root} ----\nEXTENDS {}\n====\n",
            files.names.iter().map(|file| file.stem.as_str()).collect::<Vec<_>>().join(", ")
        );
        let mut library = files.folders(choice);
        library.extend(loading.options.library.iter().cloned());
        let options = LoadOptions { library, ..loading.options.clone() };
        let origin = format!("{}@{}", family.path.display(), choice.composition.name.text);
        let generated = GeneratedRoot { origin: &origin, folder: family.folder(), text: &text };
        let loaded = match missing.is_empty() && !files.names.is_empty() {
            true => sema::load_generated(generated, &options, loading.files),
            false => Loaded { spec: Spec::empty(), diagnostics: Diagnostics::new() },
        };
        let Loaded { mut spec, diagnostics } = loaded;
        let source = spec.sources.add(family.path.display().to_string(), family.text.as_str());
        let mut assembler = Assembler {
            choice,
            spec,
            diagnostics,
            source,
            outline: Outline { module: root, ..Outline::default() },
            owners: FxIndexMap::default(),
            config: String::new(),
        };
        for (text, path) in &missing {
            let headline = format!("there is no file `{}`", path.display());
            assembler.refuse(Code::CompositionFile, text, headline);
        }
        if files.names.is_empty() {
            let name = &choice.composition.name;
            assembler.refuse(Code::CompositionFile, name, "this composition has no grain at all");
        }
        assembler.check_imports();
        if assembler.diagnostics.has_errors() {
            return Err(Box::new(assembler.finish()));
        }
        assembler.find_parts(&files);
        match assembler.diagnostics.has_errors() {
            true => Err(Box::new(assembler.finish())),
            false => Ok(assembler),
        }
    }

    fn run(&mut self, given: &[String]) {
        self.check_reserved();
        self.find_owners();
        self.check_interfaces();
        if self.diagnostics.has_errors() {
            return;
        }
        self.keep_owned();
        self.define_vars();
        self.resolve_actions();
        if self.diagnostics.has_errors() {
            return;
        }
        frame::check_knowledge(self);
        provide::apply(self);
        if self.diagnostics.has_errors() {
            return;
        }
        frame::add_unchanged(self);
        self.define_behaviour();
        if self.diagnostics.has_errors() {
            return;
        }
        self.diagnostics.extend(sema::level::check(&mut self.spec));
        asked::choose(self);
        config::write(self, given);
    }

    fn finish(self) -> Composed {
        debug_assert!(
            self.diagnostics.has_errors()
                || self.spec.modules[self.spec.root]
                    .variables
                    .iter()
                    .all(|var| self.owners.contains_key(var)),
            "each variable of a composition has an owner"
        );
        let Assembler { spec, diagnostics, source, outline, config, .. } = self;
        Composed { spec, diagnostics, config, source, outline }
    }

    pub(crate) fn span(&self, text: &Text) -> Span {
        Span::new(self.source, text.place.clone())
    }

    pub(crate) fn refuse(&mut self, code: Code, text: &Text, headline: impl Into<String>) {
        let span = self.span(text);
        self.diagnostics.push(Diagnostic::new(code, span, headline));
    }

    pub(crate) fn part(&self, index: usize) -> ChosenModule<'f> {
        self.choice.parts[index]
    }

    pub(crate) fn var_name(&self, var: VarId) -> &str {
        self.spec.names.text(self.spec.variables[var].name)
    }

    pub(crate) fn def_name(&self, def: DefId) -> &str {
        self.spec.names.text(self.spec.defs[def].name)
    }

    /// Returns what a name stands for at the end of the root module.
    pub(crate) fn entity(&self, name: &str) -> Option<Entity> {
        let name = self.spec.names.get(name)?;
        self.spec.modules[self.spec.root].scope.get(&name).map(|entry| entry.entity)
    }

    /// Reports names that two files define as errors, since either could be meant.
    fn check_imports(&mut self) {
        let root = self.spec.sources.ids().next();
        let taken = std::mem::take(&mut self.diagnostics);
        for mut diagnostic in taken {
            let is_import = matches!(diagnostic.code, Code::ImportAmbiguity | Code::ImportConflict);
            let is_of_root = diagnostic.primary.as_ref().map(|label| label.span.source) == root;
            if is_import && is_of_root && diagnostic.secondary.len() >= 2 {
                let name = diagnostic.headline.split('`').nth(1).unwrap_or_default().to_owned();
                let mut places = std::mem::take(&mut diagnostic.secondary).into_iter();
                let (first, second) = (places.next(), places.next());
                if let (Some(first), Some(second)) = (first, second) {
                    let headline = format!("`{name}` has a meaning in two files of the composition");
                    let help = "rename one; what both need belongs into a module that both extend";
                    diagnostic = Diagnostic::new(Code::CompositionName, second.span, headline)
                        .label("here")
                        .related(first.span, "and here")
                        .help(help);
                }
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn find_parts(&mut self, files: &Files) {
        for part in &self.choice.parts {
            let carrier = self.choice.carrier(*part);
            let Some(file) = &carrier.grain.file else { continue };
            let path = self.choice.family.path_of(file);
            let stem = files.stem_of(&path);
            let name = self.spec.names.get(&stem);
            let found =
                self.spec.modules.iter_enumerated().find(|(_, module)| {
                    Some(module.name) == name && module.parent.is_none() && !module.embedded
                });
            let Some((tla, module)) = found else {
                let headline = format!("`{}` has no module `{stem}`", path.display());
                self.refuse(Code::CompositionFile, file, headline);
                continue;
            };
            let read = self.spec.sources.file(module.span.source).name().to_owned();
            if std::path::Path::new(&read) != path {
                let headline =
                    format!("module `{stem}` was found in `{read}`, and `{}` is meant", path.display());
                self.refuse(Code::CompositionFile, file, headline);
            }
            self.outline.parts.push(PartOutline {
                module: part.module.name.text.clone(),
                grain: part.grain.name.text.clone(),
                tla,
                owns: Vec::new(),
                actions: Vec::new(),
            });
        }
    }

    fn check_reserved(&mut self) {
        for name in ["Init", "Next", "Spec", "vars"] {
            let span = match self.entity(name) {
                Some(Entity::Def(def)) => self.spec.defs[def].name_span,
                Some(Entity::Var(var)) => self.spec.variables[var].span,
                Some(Entity::Const(constant)) => self.spec.constants[constant].span,
                Some(Entity::Instance(instance)) => self.spec.instances[instance].span,
                Some(Entity::Local(_)) | None => continue,
            };
            let headline = format!("`{name}` is defined by the composition, and here too");
            let place = self.span(&self.choice.composition.name);
            self.diagnostics.push(
                Diagnostic::new(Code::CompositionName, span, headline)
                    .related(place, "the composition that has this file")
                    .help("give it a name of its module: `ElectionInit`, `electionVars`"),
            );
        }
    }

    fn find_owners(&mut self) {
        for index in 0..self.outline.parts.len() {
            let part = self.part(index);
            if part.grain.merged.is_some() {
                continue;
            }
            let owned: Vec<(VarId, Span)> = match &part.grain.owns {
                Some(names) => names.iter().filter_map(|name| self.find_variable(part, name)).collect(),
                None => self.declared_in(index),
            };
            for (var, span) in owned {
                match self.owners.get(&var) {
                    Some(&(other, first)) => self.report_two_owners(var, (index, span), (other, first)),
                    None => drop(self.owners.insert(var, (index, span))),
                }
            }
        }
        for (&var, &(index, _)) in &self.owners {
            self.outline.parts[index].owns.push(var);
        }
    }

    fn report_two_owners(&mut self, var: VarId, second: (usize, Span), first: (usize, Span)) {
        let headline = format!("`{}` has two owners", self.var_name(var));
        let (one, two) = (self.part(first.0).title(), self.part(second.0).title());
        self.diagnostics.push(
            Diagnostic::new(Code::CompositionVariable, second.1, headline)
                .label(format!("`{two}` owns it"))
                .related(first.1, format!("`{one}` owns it"))
                .help("let one of them own it, and the other name it under `shares`"),
        );
    }

    /// Returns the variables that the file of a part declares itself.
    fn declared_in(&self, index: usize) -> Vec<(VarId, Span)> {
        let tla = self.outline.parts[index].tla;
        let own = self.spec.variables.iter_enumerated().filter(|(_, variable)| variable.module == tla);
        own.map(|(id, variable)| (id, variable.span)).collect()
    }

    fn find_variable(&mut self, part: ChosenModule<'f>, name: &Text) -> Option<(VarId, Span)> {
        if let Some(Entity::Var(var)) = self.entity(&name.text) {
            return Some((var, self.span(name)));
        }
        let headline = format!("no file of the composition declares a variable `{}`", name.text);
        let scope = &self.spec.modules[self.spec.root].variables;
        let names = scope.iter().map(|&var| self.var_name(var));
        let near = base::nearest(&name.text, names).map(str::to_owned);
        let mut wrong = Diagnostic::new(Code::CompositionVariable, self.span(name), headline)
            .label(format!("`{}` speaks of it", part.title()));
        if let Some(near) = near {
            wrong = wrong.help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(wrong);
        None
    }

    /// Checks that what a grain shares or reads has an owner.
    fn check_interfaces(&mut self) {
        for index in 0..self.outline.parts.len() {
            let part = self.part(index);
            for name in part.grain.shares.iter().chain(&part.grain.reads) {
                let Some((var, span)) = self.find_variable(part, name) else { continue };
                if self.owners.contains_key(&var) {
                    continue;
                }
                let headline = format!(
                    "`{}` needs the variable `{}`, and no grain of composition `{}` owns it",
                    part.title(),
                    name.text,
                    self.choice.composition.name.text
                );
                let declared = self.spec.variables[var].span;
                self.diagnostics.push(
                    Diagnostic::new(Code::CompositionVariable, span, headline)
                        .related(declared, "declared here")
                        .help("add it to the `owns` of a grain, or choose a grain that owns it"),
                );
            }
        }
    }

    /// Removes variables without an owner from the states.
    fn keep_owned(&mut self) {
        let root = self.spec.root;
        let owners = &self.owners;
        self.spec.modules[root].variables.retain(|var| owners.contains_key(var));
    }

    fn define_vars(&mut self) {
        let span = self.span(&self.choice.composition.name);
        let variables = self.spec.modules[self.spec.root].variables.clone();
        let items = variables.into_iter().map(|var| self.add(ExprKind::Var(var), span)).collect();
        let tuple = self.add(ExprKind::Tuple(items), span);
        self.define("vars", tuple, span);
    }

    fn resolve_actions(&mut self) {
        let mut listed: FxIndexMap<DefId, Span> = FxIndexMap::default();
        for index in 0..self.outline.parts.len() {
            for text in &self.part(index).grain.actions {
                let Some(expr) = self.resolve(text) else { continue };
                let Some(def) = self.action_of(expr, text) else { continue };
                let span = self.span(text);
                if let Some(&first) = listed.get(&def) {
                    let headline = format!("the action `{}` is listed twice", self.def_name(def));
                    self.diagnostics.push(
                        Diagnostic::new(Code::CompositionAction, span, headline)
                            .related(first, "listed here first")
                            .related(self.spec.defs[def].name_span, "defined here"),
                    );
                    continue;
                }
                listed.insert(def, span);
                let DefBody::Expr(written) = self.spec.defs[def].body else { continue };
                let action = ActionOutline { expr, def, written, unchanged: Vec::new() };
                self.outline.parts[index].actions.push(action);
            }
        }
        if listed.is_empty() && !self.diagnostics.has_errors() {
            let name = &self.choice.composition.name;
            self.refuse(Code::CompositionAction, name, "this composition has no action");
        }
    }

    /// Returns the operator that an action applies, below quantifiers.
    fn action_of(&mut self, expr: ExprId, text: &Text) -> Option<DefId> {
        let mut inner = expr;
        while let ExprKind::Quantified { kind: sema::spec::Quantifier::Exists, body, .. } =
            &self.spec.exprs[inner].kind
        {
            inner = *body;
        }
        let applied = self.spec.exprs[inner].kind.applied_def();
        let is_plain = |&def: &DefId| {
            let def = &self.spec.defs[def];
            let own = !self.spec.modules[def.module].embedded && def.origin.is_none() && !def.recursive;
            own && def.kind == DefKind::Operator && matches!(def.body, DefBody::Expr(_))
        };
        let found = applied.filter(is_plain);
        if found.is_none() {
            let span = self.span(text);
            let headline = "an action is an operator of the grain, perhaps below `\\E x \\in S :`";
            let help = "give the expression a name in the grain's file, and list that";
            self.diagnostics.push(Diagnostic::new(Code::CompositionAction, span, headline).help(help));
        }
        found
    }

    /// Resolves a text of the composition file as if it stood at the end of the root module.
    pub(crate) fn resolve(&mut self, text: &Text) -> Option<ExprId> {
        let module = self.spec.root;
        let resolved = match text.is_verbatim {
            true => resolve_within(&mut self.spec, Span::new(self.source, text.place.clone()), module),
            false => {
                let origin = self.choice.family.path.display().to_string();
                let text = ExprText { origin: &origin, text: &text.text, module, params: &[] };
                resolve_expr(&mut self.spec, text)
            }
        };
        match resolved {
            Ok(resolved) => Some(resolved.expr),
            Err(errors) => {
                self.diagnostics.extend(errors);
                None
            }
        }
    }

    pub(crate) fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.spec.exprs.push(Expr { kind, span })
    }

    pub(crate) fn apply(&mut self, op: Op, args: Vec<ExprId>, span: Span) -> ExprId {
        let args = args.into_iter().map(Arg::Expr).collect();
        self.add(ExprKind::Apply { op, args }, span)
    }

    pub(crate) fn make_unchanged(&mut self, vars: &[VarId], span: Span) -> ExprId {
        let items: Vec<ExprId> = vars.iter().map(|&var| self.add(ExprKind::Var(var), span)).collect();
        let tuple = self.add(ExprKind::Tuple(items), span);
        self.apply(Op::Builtin(Builtin::Unchanged), vec![tuple], span)
    }

    /// Defines a name at the end of the root module.
    pub(crate) fn define(&mut self, name: &str, body: ExprId, span: Span) -> DefId {
        let (root, name): (ModuleId, Name) = (self.spec.root, self.spec.names.intern(name));
        let def = self.spec.defs.push(Def {
            name,
            name_span: span,
            span,
            module: root,
            kind: DefKind::Operator,
            params: Vec::<LocalId>::new(),
            body: DefBody::Expr(body),
            local: false,
            recursive: false,
            std: None,
            origin: None,
        });
        let module = &mut self.spec.modules[root];
        module.defs.push(def);
        module.scope.insert(name, ScopeEntry { entity: Entity::Def(def), local: false, yields: false });
        def
    }

    /// Makes `Init`, `Next` and `Spec`.
    fn define_behaviour(&mut self) {
        let span = self.span(&self.choice.composition.name);
        let init = self.init_texts().into_iter().filter_map(|text| self.resolve(text)).collect::<Vec<_>>();
        self.outline.init.clone_from(&init);
        let init = self.add(ExprKind::Junction { kind: JunctionKind::And, items: init }, span);
        let init = self.define("Init", init, span);
        let actions =
            self.outline.parts.iter().flat_map(|part| part.actions.iter().map(|action| action.expr));
        let actions = actions.collect();
        let next = self.add(ExprKind::Junction { kind: JunctionKind::Or, items: actions }, span);
        let next = self.define("Next", next, span);
        let fairness: Vec<&'f Text> =
            self.choice.parts.iter().flat_map(|part| part.grain.fairness.iter()).collect();
        let fairness: Vec<ExprId> = fairness.into_iter().filter_map(|text| self.resolve(text)).collect();
        self.outline.fairness.clone_from(&fairness);
        let Some(Entity::Def(vars)) = self.entity("vars") else { return };
        let (init, action) =
            (self.apply(Op::Def(init), vec![], span), self.apply(Op::Def(next), vec![], span));
        let subscript = self.apply(Op::Def(vars), vec![], span);
        let step = self.add(ExprKind::Step { kind: StepKind::Box, action, subscript }, span);
        let always = self.apply(Op::Builtin(Builtin::Box), vec![step], span);
        let items = [init, always].into_iter().chain(fairness).collect();
        let spec = self.add(ExprKind::Junction { kind: JunctionKind::And, items }, span);
        self.define("Spec", spec, span);
    }

    /// Returns the conditions on initial states, in the order of the modules.
    fn init_texts(&self) -> Vec<&'f Text> {
        let composition = self.choice.composition;
        let of_part = |part: &ChosenModule<'f>| {
            let start = composition.start.as_ref();
            let named =
                start.and_then(|start| part.grain.starts.iter().find(|(name, _)| name.text == start.text));
            named.map(|(_, text)| text).or(part.grain.init.as_ref())
        };
        self.choice.parts.iter().filter_map(of_part).chain(&composition.init).collect()
    }
}

/// The files that a root module extends.
pub(crate) struct Files {
    names: Vec<GrainFile>,
}

struct GrainFile {
    stem: String,
    path: PathBuf,
    text: Text,
}

impl Files {
    fn of(choice: &Choice<'_>) -> Files {
        let mut files = Files { names: Vec::new() };
        let grains = choice.parts.iter().filter_map(|part| part.grain.file.as_ref());
        let asked = asked::candidates(choice).map(|asked| &asked.file);
        for text in grains.chain(&choice.composition.extends).chain(asked) {
            let path = choice.family.path_of(text);
            if files.names.iter().all(|known| known.path != path) {
                files.names.push(GrainFile { stem: files.stem_of(&path), path, text: text.clone() });
            }
        }
        files
    }

    fn stem_of(&self, path: &std::path::Path) -> String {
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn missing(&self, _: &Choice<'_>, files: &dyn FileSystem) -> Vec<(Text, PathBuf)> {
        let is_missing = |file: &&GrainFile| !files.exists(&file.path);
        self.names.iter().filter(is_missing).map(|file| (file.text.clone(), file.path.clone())).collect()
    }

    /// Returns the folders of the files, each once; that of the composition file is searched in any case.
    fn folders(&self, choice: &Choice<'_>) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = Vec::new();
        for file in &self.names {
            let folder = file.path.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
            if folder != choice.family.folder() && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    /// Returns a name of TLA+ for the composition that no file has.
    fn root_name(&self, name: &str) -> String {
        let mut root: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !root.contains(|c: char| c.is_ascii_alphabetic()) {
            root.insert_str(0, "Composition_");
        }
        while self.names.iter().any(|file| file.stem == root) {
            root.push('_');
        }
        root
    }
}
