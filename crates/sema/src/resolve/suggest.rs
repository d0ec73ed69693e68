//! Unknown names: what may be meant, and where it is.

use base::{FxIndexMap, Name, nearest};
use diag::{Code, Diagnostic};
use syntax::ast;

use super::Resolver;
use crate::embedded;
use crate::load;
use crate::spec::{Entity, ModuleId, ScopeEntry};

/// Neighbouring files are only looked into up to this many, so that a message stays quick.
const MAX_NEIGHBOURS: usize = 64;

/// Names that modules define which are not loaded: name to (module, kind).
pub(super) struct Elsewhere {
    names: FxIndexMap<Name, Vec<(String, &'static str)>>,
}

impl Resolver<'_> {
    /// Reports a name that means nothing here, once a module.
    pub(super) fn report_unknown(&mut self, ident: ast::Ident) {
        let frame = self.frame_mut();
        if frame.incomplete || !frame.unknown.insert(ident.name) {
            return;
        }
        let text = self.text(ident.name).to_owned();
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
            return diagnostic
                .note(format!(
                    "`{text}` is being defined here: an operator that uses itself must be declared"
                ))
                .help(format!("write `RECURSIVE {declared}` before the definition"));
        }
        if let Some((module, kind)) = self.elsewhere_in_spec(ident.name) {
            return diagnostic
                .help(format!("`{text}` is {kind} of module `{module}`, which this module does not EXTEND"));
        }
        if let Some((module, kind)) = self.elsewhere_on_disk(ident.name) {
            return diagnostic
                .help(format!("`{text}` is {kind} of module `{module}`: add `{module}` to EXTENDS"));
        }
        match self.similar_name(text) {
            Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
            None => diagnostic,
        }
    }

    /// A module of this specification that has `name`, though it is not visible here.
    fn elsewhere_in_spec(&self, name: Name) -> Option<(String, &'static str)> {
        self.spec.modules.iter().find_map(|module| {
            let entry = module.scope.get(&name).filter(|entry| !entry.local)?;
            let kind = self.kind_of(*entry)?;
            let home = self.home_of(entry.entity).unwrap_or(module.name);
            Some((self.text(home).to_owned(), kind))
        })
    }

    fn kind_of(&self, entry: ScopeEntry) -> Option<&'static str> {
        match entry.entity {
            Entity::Const(_) => Some("a constant"),
            Entity::Var(_) => Some("a variable"),
            Entity::Def(_) => Some("an operator"),
            Entity::Instance(_) => Some("an instance"),
            Entity::Local(_) => None,
        }
    }

    /// The module that declares or defines an entity.
    fn home_of(&self, entity: Entity) -> Option<Name> {
        let module = match entity {
            Entity::Const(id) => self.spec.constants[id].module,
            Entity::Var(id) => self.spec.variables[id].module,
            Entity::Def(id) => self.spec.defs[id].module,
            Entity::Instance(id) => self.spec.instances[id].within,
            Entity::Local(_) => return None,
        };
        Some(self.spec.modules[module].name)
    }

    /// An embedded module, or a file beside the root, that has `name`.
    fn elsewhere_on_disk(&mut self, name: Name) -> Option<(String, &'static str)> {
        if self.elsewhere.is_none() {
            self.elsewhere = Some(self.index_elsewhere());
        }
        self.elsewhere.as_ref()?.names.get(&name)?.first().cloned()
    }

    fn index_elsewhere(&mut self) -> Elsewhere {
        let mut elsewhere = Elsewhere { names: FxIndexMap::default() };
        for &(name, text) in embedded::MODULES {
            let source = self.spec.sources.add(format!("<embedded>/{name}.tla"), text);
            let (loaded, _) = load::parse(source, true, &self.spec.sources, &mut self.spec.names);
            elsewhere.index(&loaded.file, name);
        }
        let neighbours = self.loader.as_ref().map(load::Loader::siblings).unwrap_or_default();
        for path in neighbours.iter().take(MAX_NEIGHBOURS) {
            let Some(loader) = &self.loader else { break };
            let Ok(source) = loader.read(path, &mut self.spec.sources) else { continue };
            let (loaded, _) = load::parse(source, false, &self.spec.sources, &mut self.spec.names);
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            elsewhere.index(&loaded.file, &stem);
        }
        elsewhere
    }

    fn similar_name(&self, text: &str) -> Option<String> {
        let names = self.visible_names();
        nearest(text, names.iter().map(|&name| self.text(name))).map(str::to_owned)
    }

    pub(super) fn similar_module(&self, text: &str) -> Option<String> {
        let files = self.loader.as_ref().map(load::Loader::siblings).unwrap_or_default();
        let stems: Vec<String> =
            files.iter().filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
        let embedded = embedded::MODULES.iter().map(|&(name, _)| name);
        nearest(text, stems.iter().map(String::as_str).chain(embedded)).map(str::to_owned)
    }

    /// A constant or variable of `module` spelled like `text`.
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
            None => {
                let names: Vec<Name> = self.spec.modules[module].scope.keys().copied().collect();
                if let Some(similar) = nearest(&text, names.iter().map(|&name| self.text(name))) {
                    diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
                }
            }
        }
        self.report(diagnostic);
    }
}

impl Elsewhere {
    fn index(&mut self, file: &ast::File, module: &str) {
        let Some(tree) = file.modules.first() else { return };
        for unit in tree.units.iter().filter(|unit| !unit.local) {
            let mut add = |name: Name, kind| {
                self.names.entry(name).or_default().push((module.to_owned(), kind));
            };
            match &unit.kind {
                ast::UnitKind::Constants(decls) => {
                    decls.iter().for_each(|decl| add(decl.name.name, "a constant"));
                }
                ast::UnitKind::Variables(names) => names.iter().for_each(|name| add(name.name, "a variable")),
                ast::UnitKind::Operator { head, .. } => add(head.name.name, "an operator"),
                ast::UnitKind::NamedInstance { head, .. } => add(head.name.name, "an instance"),
                ast::UnitKind::Function { name, .. } => add(name.name, "a function"),
                ast::UnitKind::Theorem { name: Some(name), .. } => add(name.name, "a theorem"),
                ast::UnitKind::Assume { name: Some(name), .. } => add(name.name, "an assumption"),
                ast::UnitKind::Theorem { name: None, .. }
                | ast::UnitKind::Assume { name: None, .. }
                | ast::UnitKind::Recursive(_)
                | ast::UnitKind::Instance(_)
                | ast::UnitKind::UseHide(_)
                | ast::UnitKind::Module(_) => {}
            }
        }
    }
}
