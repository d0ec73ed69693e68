//! Unknown names: suggests what may be meant, and where it is.

use std::sync::Arc;

use base::{FxIndexMap, Name, nearest};
use diag::{Code, Diagnostic, Span};
use syntax::ast;

use super::Resolver;
use crate::embedded;
use crate::load;
use crate::spec::{Entity, Module, ModuleId, ScopeEntry};

/// Number of neighbouring files that are searched, so that a message stays quick.
const MAX_NEIGHBOURS: usize = 64;
const MAX_NEIGHBOUR_BYTES: usize = 256 * 1024;
/// Number of unknown names for which suggestions are made. Each takes time for every name there is, and nobody reads on
/// after so many.
const MAX_SUGGESTIONS: usize = 100;
/// Length of the shortest name looked for in neighbouring files. Every neighbour has an `x`: shorter names say nothing
/// about where they come from.
const MIN_NEIGHBOUR_CHARS: usize = 3;
/// Modules that are suggested first when several have a name.
const FIRST_MODULES: &[&str] =
    &["Naturals", "Integers", "Reals", "Sequences", "FiniteSets", "Bags", "TLC", "TLCExt"];

/// Facts about modules that are not loaded, collected when first needed.
#[derive(Default)]
pub(super) struct Suggestions {
    n_made: usize,
    candidates: Option<Vec<CandidateModule>>,
}

/// A module that is not loaded and could be.
struct CandidateModule {
    module: String,
    /// The name of its text in messages.
    path: String,
    text: Arc<str>,
    embedded: bool,
    /// The names that it declares and defines. Only modules that mention the name in question are read.
    names: Option<FxIndexMap<Name, &'static str>>,
}

impl Resolver<'_> {
    /// Reports a name that means nothing here, once in a module.
    pub(super) fn report_unknown(&mut self, ident: ast::Ident) {
        let frame = self.frame_mut();
        if frame.incomplete || !frame.unknown.insert(ident.name) {
            return;
        }
        let text = match self.text(ident.name) {
            // The spelling at the place of use.
            "-." => "-",
            text => text,
        };
        let text = text.to_owned();
        let diagnostic = Diagnostic::new(Code::UnknownName, ident.span, format!("`{text}` is not defined"))
            .label("unknown name");
        let diagnostic = self.explain_unknown(ident, &text, diagnostic);
        self.report(diagnostic);
    }

    fn explain_unknown(&mut self, ident: ast::Ident, text: &str, diagnostic: Diagnostic) -> Diagnostic {
        let defining = self.frame().defining.iter().rev().find(|&&(name, _)| name == ident.name).copied();
        if let Some((_, n_params)) = defining {
            let blanks = vec!["_"; n_params].join(", ");
            let declared = if n_params == 0 { text.to_owned() } else { format!("{text}({blanks})") };
            let diagnostic = diagnostic
                .note(format!(
                    "`{text}` is being defined here: an operator that uses itself must be declared"
                ))
                .help(format!("write `RECURSIVE {declared}` before the definition"));
            return match self.unit_around(ident.span).filter(|_| self.frame().let_depth == 0) {
                Some(unit) => {
                    let title = format!("declare `RECURSIVE {declared}`");
                    diagnostic.fix(title, unit.start_point(), format!("RECURSIVE {declared}\n"))
                }
                None => diagnostic,
            };
        }
        if self.suggestions.n_made == MAX_SUGGESTIONS {
            return diagnostic;
        }
        self.suggestions.n_made += 1;
        if let Some(help) = translate_foreign(text) {
            let diagnostic = diagnostic.help(help);
            return match symbol_for_foreign(text) {
                Some(symbol) => diagnostic.fix(format!("write `{symbol}`"), ident.span, symbol),
                None => diagnostic,
            };
        }
        if let Some(later) = self.find_later_definition(ident) {
            return diagnostic
                .related(later, format!("`{text}` is defined only here"))
                .help("a name must be defined before it is used: move its definition up");
        }
        if let Some(module) = self.local_to(ident.name) {
            return diagnostic.note(format!("`{text}` is LOCAL to module `{module}`"));
        }
        self.tell_whereabouts(ident, text, diagnostic)
    }

    fn tell_whereabouts(&mut self, ident: ast::Ident, text: &str, diagnostic: Diagnostic) -> Diagnostic {
        if let Some((module, kind)) = self.find_in_spec(ident.name) {
            let diagnostic = diagnostic
                .help(format!("`{text}` is {kind} of module `{module}`, which this module does not EXTEND"));
            return self.offer_extends(&module, diagnostic);
        }
        if let Some((module, kind)) = self.find_on_disk(ident.name) {
            if let Some(file) = self.find_own_file(&module) {
                return diagnostic.help(format!(
                    "`{text}` is {kind} of the module `{module}` that comes with Specline; `{file}` is used in its place, and \
                     does not define it"
                ));
            }
            let help = format!("`{text}` is {kind} of module `{module}`: add `{module}` to EXTENDS");
            return self.offer_extends(&module, diagnostic.help(help));
        }
        if let Some(similar) = self.similar_name(text) {
            return diagnostic.suggest(ident.span, &similar);
        }
        match self.similar_elsewhere(text) {
            Some((similar, module)) => {
                diagnostic.help(format!("did you mean `{similar}` of module `{module}`?"))
            }
            None => diagnostic,
        }
    }

    /// Offers to add `module` to the EXTENDS of the module that is being resolved.
    fn offer_extends(&self, module: &str, diagnostic: Diagnostic) -> Diagnostic {
        let Some(tree) = self.current_tree() else { return diagnostic };
        let title = format!("add `{module}` to EXTENDS");
        match tree.extends.last() {
            Some(last) => diagnostic.fix(title, last.span.end_point(), format!(", {module}")),
            None => {
                let text = self.spec.sources.file(tree.name.span.source).text();
                let rest = text.get(tree.name.span.end as usize..).unwrap_or_default();
                let Some(n_bytes) = rest.find('\n') else { return diagnostic };
                let at = tree.name.span.end as usize + n_bytes;
                let place = Span::new(tree.name.span.source, at..at);
                diagnostic.fix(title, place, format!("\nEXTENDS {module}"))
            }
        }
    }

    /// The tree of the module that is being resolved.
    fn current_tree(&self) -> Option<&ast::Module> {
        let frame = self.frame();
        find_tree(&frame.file.as_ref()?.modules, self.spec.modules[frame.module].name_span)
    }

    /// The unit of the current module around a place.
    fn unit_around(&self, place: Span) -> Option<Span> {
        let units = self.current_tree()?.units.iter().map(|unit| unit.span);
        units.into_iter().find(|unit| unit.start <= place.start && place.end <= unit.end)
    }

    /// Finds the place further down where a module that is being resolved, this one or one around it, defines the name.
    fn find_later_definition(&self, used: ast::Ident) -> Option<Span> {
        self.visible_frames().find_map(|frame| {
            let file = frame.file.as_ref()?;
            let tree = find_tree(&file.modules, self.spec.modules[frame.module].name_span)?;
            let mut found = None;
            for unit in &tree.units {
                for_each_name(unit, &mut |ident, _| {
                    if ident.name == used.name && ident.span.start > used.span.start && found.is_none() {
                        found = Some(ident.span);
                    }
                });
            }
            found
        })
    }

    /// Returns the module that this one extends and to which `name` is LOCAL.
    fn local_to(&self, name: Name) -> Option<String> {
        let mut todo = self.spec.modules[self.frame().module].extends.clone();
        while let Some(next) = todo.pop() {
            let module = &self.spec.modules[next];
            if module.scope.get(&name).is_some_and(|entry| entry.local && self.is_home(next, *entry)) {
                return Some(self.text(module.name).to_owned());
            }
            todo.extend(module.extends.iter().copied());
        }
        None
    }

    /// Whether the module itself declares or defines it. A LOCAL INSTANCE brings definitions of others.
    fn is_home(&self, module: ModuleId, entry: ScopeEntry) -> bool {
        self.home_of(entry.entity) == Some(module)
    }

    /// Finds a module of this specification that has `name`, though it is not visible here.
    fn find_in_spec(&self, name: Name) -> Option<(String, &'static str)> {
        let has = |module: &Module| {
            let entry = module.scope.get(&name).filter(|entry| !entry.local)?;
            let kind = kind_of(*entry)?;
            let home = self.home_of(entry.entity).map_or(module.name, |home| self.spec.modules[home].name);
            Some((self.text(home).to_owned(), kind))
        };
        // A nested module cannot be extended from outside.
        self.spec.modules.iter().filter(|module| module.parent.is_none()).find_map(has)
    }

    /// Returns the module that declares or defines an entity.
    fn home_of(&self, entity: Entity) -> Option<ModuleId> {
        match entity {
            Entity::Const(id) => Some(self.spec.constants[id].module),
            Entity::Var(id) => Some(self.spec.variables[id].module),
            Entity::Def(id) => Some(self.spec.defs[id].module),
            Entity::Instance(id) => Some(self.spec.instances[id].within),
            Entity::Local(_) => None,
        }
    }

    /// Returns the user's file that is loaded under the name of an embedded module.
    fn find_own_file(&self, module: &str) -> Option<String> {
        let is_own =
            |known: &&Module| !known.embedded && known.parent.is_none() && self.text(known.name) == module;
        let own = self.spec.modules.iter().find(is_own)?;
        Some(self.spec.sources.file(own.span.source).name().to_owned())
    }

    /// Finds an embedded module, or a file beside the root, that has `name`.
    fn find_on_disk(&mut self, name: Name) -> Option<(String, &'static str)> {
        let spelling = self.text(name).to_owned();
        let is_telling = spelling.chars().count() >= MIN_NEIGHBOUR_CHARS;
        (0..self.candidates().len()).find_map(|index| {
            let candidate = &self.candidates()[index];
            if !(candidate.embedded || is_telling) || !candidate.text.contains(&spelling) {
                return None;
            }
            let kind = self.names_of(index).get(&name).copied()?;
            Some((self.candidates()[index].module.clone(), kind))
        })
    }

    fn candidates(&mut self) -> &mut Vec<CandidateModule> {
        let candidates = match self.suggestions.candidates.take() {
            Some(known) => known,
            None => self.find_candidates(),
        };
        self.suggestions.candidates.insert(candidates)
    }

    /// Lists the embedded modules, the most common first, then the files beside the root.
    fn find_candidates(&self) -> Vec<CandidateModule> {
        let mut modules: Vec<_> = embedded::MODULES.to_vec();
        let rank = |name| FIRST_MODULES.iter().position(|&first| first == name).unwrap_or(usize::MAX);
        modules.sort_by_key(|&(name, _)| rank(name));
        let mut candidates: Vec<CandidateModule> = modules
            .into_iter()
            .map(|(name, text)| {
                let path = format!("<embedded>/{name}.tla");
                CandidateModule {
                    module: name.to_owned(),
                    path,
                    text: text.into(),
                    embedded: true,
                    names: None,
                }
            })
            .collect();
        let Some(loader) = &self.loader else { return candidates };
        candidates.extend(loader.siblings().iter().take(MAX_NEIGHBOURS).filter_map(|path| {
            let text = loader.small_text(path, MAX_NEIGHBOUR_BYTES)?.into();
            let module = path.file_stem()?.to_string_lossy().into_owned();
            Some(CandidateModule {
                module,
                path: path.display().to_string(),
                text,
                embedded: false,
                names: None,
            })
        }));
        candidates
    }

    /// Returns the names that candidate number `index` declares and defines.
    fn names_of(&mut self, index: usize) -> &FxIndexMap<Name, &'static str> {
        let candidate = &mut self.candidates()[index];
        let names = match candidate.names.take() {
            Some(names) => names,
            None => {
                let (path, text, embedded) =
                    (candidate.path.clone(), Arc::clone(&candidate.text), candidate.embedded);
                let source = self.spec.sources.add(path, text);
                let (loaded, _) = load::parse(source, embedded, &self.spec.sources, &mut self.spec.names);
                match embedded || !self.needs_what_is_loading(&loaded.file) {
                    true => names_in(&loaded.file),
                    false => FxIndexMap::default(),
                }
            }
        };
        self.candidates()[index].names.insert(names)
    }

    /// Whether a module is one of those being loaded, or extends one. They cannot extend it.
    fn needs_what_is_loading(&self, file: &ast::File) -> bool {
        let Some(tree) = file.modules.first() else { return true };
        let mut names = std::iter::once(&tree.name).chain(&tree.extends);
        names.any(|ident| self.loading.iter().any(|&(loading, _)| loading == ident.name))
    }

    fn similar_name(&self, text: &str) -> Option<String> {
        let names = self.visible_names();
        nearest(text, names.iter().map(|&name| self.text(name))).map(str::to_owned)
    }

    /// Finds a similar name in a standard module that is not extended. There are too many other modules for a guess.
    fn similar_elsewhere(&mut self, text: &str) -> Option<(String, String)> {
        if text.chars().count() <= MIN_NEIGHBOUR_CHARS {
            return None;
        }
        let mut names: Vec<(Name, usize)> = Vec::new();
        for index in 0..FIRST_MODULES.len() {
            names.extend(self.names_of(index).keys().map(|&name| (name, index)));
        }
        let similar = nearest(text, names.iter().map(|&(name, _)| self.text(name)))?.to_owned();
        let &(_, index) = names.iter().find(|&&(name, _)| self.text(name) == similar)?;
        Some((similar, self.candidates()[index].module.clone()))
    }

    pub(super) fn similar_module(&self, text: &str) -> Option<String> {
        let files = self.loader.as_ref().map(load::Loader::siblings).unwrap_or_default();
        let stems: Vec<String> =
            files.iter().filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
        let embedded = embedded::MODULES.iter().map(|&(name, _)| name);
        nearest(text, stems.iter().map(String::as_str).chain(embedded)).map(str::to_owned)
    }

    /// Finds a constant or variable of `module` spelled like `text`.
    pub(super) fn similar_parameter(&self, module: ModuleId, text: &str) -> Option<String> {
        let entry = &self.spec.modules[module];
        let constants = entry.constants.iter().map(|&id| self.spec.constants[id].name);
        let variables = entry.variables.iter().map(|&id| self.spec.variables[id].name);
        let names: Vec<Name> = constants.chain(variables).collect();
        nearest(text, names.iter().map(|&name| self.text(name))).map(str::to_owned)
    }

    pub(super) fn report_no_member(&mut self, module: ModuleId, ident: ast::Ident) {
        let (text, module_name) =
            (self.text(ident.name).to_owned(), self.text(self.spec.modules[module].name).to_owned());
        let entry = self.spec.modules[module].scope.get(&ident.name).copied();
        let mut diagnostic = Diagnostic::new(
            Code::UnknownName,
            ident.span,
            format!("module `{module_name}` has no definition `{text}`"),
        );
        match entry {
            Some(entry) if entry.local => {
                diagnostic = diagnostic.note(format!("`{text}` is LOCAL to `{module_name}`"));
            }
            Some(_) => {
                diagnostic = diagnostic.note(format!("`{text}` is declared there, not defined"));
            }
            None if self.suggestions.n_made < MAX_SUGGESTIONS => {
                self.suggestions.n_made += 1;
                let names: Vec<Name> = self.spec.modules[module].scope.keys().copied().collect();
                if let Some(similar) = nearest(&text, names.iter().map(|&name| self.text(name))) {
                    diagnostic = diagnostic.suggest(ident.span, similar);
                }
            }
            None => {}
        }
        self.report(diagnostic);
    }
}

/// Returns what to write for an operator or a name of other languages.
fn translate_foreign(text: &str) -> Option<&'static str> {
    match text {
        "&&" | "&" | "and" => Some("write `/\\` for \"and\""),
        "||" | "|" | "or" => Some("write `\\/` for \"or\""),
        "not" => Some("write `~` for \"not\""),
        "//" => Some(
            "a comment starts with `\\*`; for the quotient of integers write `\\div`, of module `Integers`",
        ),
        "/" => Some("for the quotient of integers write `\\div`, of module `Integers`"),
        ":=" => Some("write `x' = e` for the next value of a variable, and `x = e` for its first"),
        "++" | "--" => Some("a step says what the next value is: `x' = x + 1`"),
        "**" => Some("write `^` for a power, of module `Naturals`"),
        "true" | "True" => Some("write `TRUE`"),
        "false" | "False" => Some("write `FALSE`"),
        "null" | "NULL" | "nil" | "None" | "undefined" => {
            Some("there is no null: declare it as a CONSTANT, and make it a model value in the configuration")
        }
        _ => None,
    }
}

/// Returns the one symbol that means what a name or an operator of other languages does.
fn symbol_for_foreign(text: &str) -> Option<&'static str> {
    match text {
        "&&" | "&" | "and" => Some("/\\"),
        "||" | "|" | "or" => Some("\\/"),
        "not" => Some("~"),
        "**" => Some("^"),
        "true" | "True" => Some("TRUE"),
        "false" | "False" => Some("FALSE"),
        _ => None,
    }
}

fn kind_of(entry: ScopeEntry) -> Option<&'static str> {
    match entry.entity {
        Entity::Const(_) => Some("a constant"),
        Entity::Var(_) => Some("a variable"),
        Entity::Def(_) => Some("an operator"),
        Entity::Instance(_) => Some("an instance"),
        Entity::Local(_) => None,
    }
}

/// Finds the module whose name is at `name_span`, among `modules` and those nested in them.
fn find_tree(modules: &[ast::Module], name_span: Span) -> Option<&ast::Module> {
    let mut todo: Vec<&ast::Module> = modules.iter().collect();
    while let Some(module) = todo.pop() {
        if module.name.span == name_span {
            return Some(module);
        }
        let nested = module.units.iter().filter_map(|unit| match &unit.kind {
            ast::UnitKind::Module(nested) => Some(nested),
            ast::UnitKind::Constants(_)
            | ast::UnitKind::Variables(_)
            | ast::UnitKind::Recursive(_)
            | ast::UnitKind::Operator { .. }
            | ast::UnitKind::Function { .. }
            | ast::UnitKind::Instance(_)
            | ast::UnitKind::NamedInstance { .. }
            | ast::UnitKind::Assume { .. }
            | ast::UnitKind::Theorem { .. }
            | ast::UnitKind::UseHide(_) => None,
        });
        todo.extend(nested);
    }
    None
}

/// Returns the names that the first module of a file exports.
fn names_in(file: &ast::File) -> FxIndexMap<Name, &'static str> {
    let mut names = FxIndexMap::default();
    let units = file.modules.first().map_or(&[][..], |tree| tree.units.as_slice());
    for unit in units.iter().filter(|unit| !unit.local) {
        for_each_name(unit, &mut |ident, kind| {
            names.entry(ident.name).or_insert(kind);
        });
    }
    names
}

/// Calls `visit` with every name that a unit declares or defines, and with its kind.
fn for_each_name(unit: &ast::Unit, visit: &mut impl FnMut(ast::Ident, &'static str)) {
    match &unit.kind {
        ast::UnitKind::Constants(decls) => decls.iter().for_each(|decl| visit(decl.name, "a constant")),
        ast::UnitKind::Variables(names) => names.iter().for_each(|&name| visit(name, "a variable")),
        ast::UnitKind::Operator { head, .. } => visit(head.name, "an operator"),
        ast::UnitKind::NamedInstance { head, .. } => visit(head.name, "an instance"),
        ast::UnitKind::Function { name, .. } => visit(*name, "a function"),
        ast::UnitKind::Theorem { name: Some(name), .. } => visit(*name, "a theorem"),
        ast::UnitKind::Assume { name: Some(name), .. } => visit(*name, "an assumption"),
        ast::UnitKind::Theorem { name: None, .. }
        | ast::UnitKind::Assume { name: None, .. }
        | ast::UnitKind::Recursive(_)
        | ast::UnitKind::Instance(_)
        | ast::UnitKind::UseHide(_)
        | ast::UnitKind::Module(_) => {}
    }
}
