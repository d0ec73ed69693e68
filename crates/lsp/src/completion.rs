//! Completion: names that can stand at a place, words of the language, and what other modules have.

use std::ops::Range;

use base::{FxIndexMap, FxIndexSet};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionList, CompletionParams,
    CompletionResponse, InsertTextFormat, Position, TextEdit,
};
use sema::Spec;
use sema::spec::{DefId, Entity, ModuleId, NameTarget};
use syntax::cfg::Keyword as ConfigKeyword;
use syntax::op::OpSym;

use crate::algorithm::is_word_char;
use crate::analysis::Analysis;
use crate::hover::describe;
use crate::library::{self, LibraryEntry, documentation, markdown};
use crate::snapshot::{Document, TextKind};
use crate::words::WORDS;
use crate::worker::{Context, Failure};

/// Modules whose definitions are offered where they are not extended.
const OFFERED: &[&str] = &[
    "Naturals",
    "Integers",
    "Sequences",
    "FiniteSets",
    "TLC",
    "Bags",
    "FiniteSetsExt",
    "SequencesExt",
    "Functions",
];

pub fn complete(context: &Context, params: CompletionParams) -> Result<Option<CompletionResponse>, Failure> {
    let place = params.text_document_position;
    let document = context.document(&place.text_document.uri)?;
    let offset = document.offset(place.position);
    let analysis = context.analysis_of(&document);
    let completer = Completer { context, document: &document, analysis: analysis.as_deref(), offset };
    let items = match document.kind {
        TextKind::Module => completer.in_module(),
        TextKind::Config => completer.in_config(),
        TextKind::Other => Vec::new(),
    };
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: false, items })))
}

struct Completer<'a> {
    context: &'a Context,
    document: &'a Document,
    analysis: Option<&'a Analysis>,
    offset: usize,
}

impl Completer<'_> {
    fn in_module(&self) -> Vec<CompletionItem> {
        let before = &self.document.text[..self.offset];
        let prefix_start = before.trim_end_matches(is_word_char).len();
        let head = &before[..prefix_start];
        if let Some(instance) = head.strip_suffix('!') {
            return self.members(instance);
        }
        if head.ends_with('\\') {
            return self.symbols(prefix_start - 1..self.offset);
        }
        if head.ends_with('.') && !head.ends_with("..") {
            return self.fields();
        }
        let line = head.rsplit('\n').next().unwrap_or_default();
        let last_word = line.trim_end().rsplit(|char: char| !is_word_char(char)).next().unwrap_or_default();
        if line.trim_start().starts_with("EXTENDS") || last_word == "INSTANCE" {
            return self.modules();
        }
        let mut items = self.names();
        let known: FxIndexSet<String> = items.iter().map(|item| item.label.clone()).collect();
        items.extend(self.keywords());
        items.extend(self.other_modules(&known));
        items
    }

    fn item(&self, label: &str, kind: CompletionItemKind) -> CompletionItem {
        CompletionItem { label: label.to_owned(), kind: Some(kind), ..CompletionItem::default() }
    }

    /// An item for what a name of the specification stands for.
    fn entity_item(&self, spec: &Spec, name: &str, entity: Entity) -> CompletionItem {
        let (kind, params) = match entity {
            Entity::Const(_) => (CompletionItemKind::CONSTANT, Vec::new()),
            Entity::Var(_) => (CompletionItemKind::VARIABLE, Vec::new()),
            Entity::Local(_) => (CompletionItemKind::VALUE, Vec::new()),
            Entity::Instance(_) => (CompletionItemKind::MODULE, Vec::new()),
            Entity::Def(id) => (CompletionItemKind::FUNCTION, params_of(spec, id)),
        };
        let text = describe(spec, NameTarget::Entity(entity));
        let item = CompletionItem { documentation: Some(documentation(text)), ..self.item(name, kind) };
        self.with_params(item, &params)
    }

    /// Adds what an operator takes: shown behind its name, and filled in by those editors that can.
    fn with_params(&self, mut item: CompletionItem, params: &[String]) -> CompletionItem {
        let is_word = item.label.chars().all(is_word_char);
        if params.is_empty() || !is_word {
            return item;
        }
        let abilities = self.context.snapshot.abilities;
        if abilities.label_details {
            let detail = Some(format!("({})", params.join(", ")));
            item.label_details = Some(CompletionItemLabelDetails { detail, description: None });
        }
        if abilities.snippets {
            let stop = |(index, param): (usize, &String)| format!("${{{}:{}}}", index + 1, param);
            let stops: Vec<String> = params.iter().enumerate().map(stop).collect();
            item.insert_text = Some(format!("{}({})", item.label, stops.join(", ")));
            item.insert_text_format = Some(InsertTextFormat::SNIPPET);
        }
        item
    }

    /// The names of the module around the place, and those bound in its definition.
    fn names(&self) -> Vec<CompletionItem> {
        let Some(analysis) = self.analysis else { return Vec::new() };
        let spec = &analysis.spec;
        let mut found: FxIndexMap<String, Entity> = FxIndexMap::default();
        for (name, entity) in self.locals(analysis) {
            found.entry(name).or_insert(entity);
        }
        let mut module = self.module_around(analysis);
        while let Some(id) = module {
            for (name, entry) in &spec.modules[id].scope {
                found.entry(spec.names.text(*name).to_owned()).or_insert(entry.entity);
            }
            module = spec.modules[id].parent;
        }
        let is_word = |name: &str| name.chars().all(is_word_char);
        let named = found.iter().filter(|(name, _)| is_word(name));
        named.map(|(name, &entity)| self.entity_item(spec, name, entity)).collect()
    }

    fn module_around(&self, analysis: &Analysis) -> Option<ModuleId> {
        let (spec, source) = (&analysis.spec, analysis.source_of(&self.document.path)?);
        let here = spec.modules.ids().filter(|&id| spec.modules[id].span.source == source);
        let here: Vec<ModuleId> = here.collect();
        let is_around = |id: &&ModuleId| spec.modules[**id].span.range().contains(&self.offset);
        let around = here.iter().filter(is_around).min_by_key(|id| spec.modules[**id].span.range().len());
        around.or(here.first()).copied()
    }

    /// Names bound between the start of the definition around the place and the place itself.
    fn locals(&self, analysis: &Analysis) -> Vec<(String, Entity)> {
        let Some(source) = analysis.source_of(&self.document.path) else { return Vec::new() };
        let spec = &analysis.spec;
        let names = analysis.occurrences.get(&source).map_or(&[][..], Vec::as_slice);
        let before =
            names.iter().filter(|name| (name.start as usize) < self.offset && name.is_definition(source));
        let is_top = |def: DefId| spec.modules[spec.defs[def].module].defs.contains(&def);
        let unit = before.clone().filter(|name| match name.target {
            NameTarget::Entity(Entity::Def(def)) => is_top(def),
            NameTarget::Entity(_) | NameTarget::Module(_) | NameTarget::Label(_) => false,
        });
        let start = unit.map(|name| name.start).max().unwrap_or(0);
        let bound = before.filter_map(|name| match name.target {
            NameTarget::Entity(entity @ Entity::Local(id)) if name.start > start => {
                Some((spec.names.text(spec.locals[id].name).to_owned(), entity))
            }
            NameTarget::Entity(entity @ Entity::Def(id)) if name.start > start && !is_top(id) => {
                Some((spec.names.text(spec.defs[id].name).to_owned(), entity))
            }
            NameTarget::Entity(_) | NameTarget::Module(_) | NameTarget::Label(_) => None,
        });
        bound.collect()
    }

    /// The definitions behind `I!`.
    fn members(&self, before: &str) -> Vec<CompletionItem> {
        let Some(analysis) = self.analysis else { return Vec::new() };
        let spec = &analysis.spec;
        let name = before.trim_end_matches(')');
        // The arguments of an instance with parameters.
        let name = if name.len() < before.len() {
            name.rsplit_once('(').map_or(name, |(name, _)| name)
        } else {
            name
        };
        let name = name.rsplit(|char| !is_word_char(char)).next().unwrap_or_default();
        let instance = spec
            .instances
            .iter()
            .find(|known| known.name.is_some_and(|known| spec.names.text(known) == name));
        let Some(instance) = instance else { return Vec::new() };
        let members = spec.modules[instance.module].scope.iter().filter(|(_, entry)| !entry.local);
        let items = members.filter_map(|(name, entry)| match entry.entity {
            Entity::Def(_) | Entity::Instance(_) => {
                Some(self.entity_item(spec, spec.names.text(*name), entry.entity))
            }
            Entity::Const(_) | Entity::Var(_) | Entity::Local(_) => None,
        });
        items.collect()
    }

    /// Operators and words that begin with a backslash.
    fn symbols(&self, range: Range<usize>) -> Vec<CompletionItem> {
        let range = self.document.range(range);
        let operators = OpSym::ALL.iter().flat_map(|op| op.spellings().iter().copied());
        let words = WORDS.iter().flat_map(|word| word.spellings.iter().copied());
        let spellings: FxIndexSet<&str> = operators
            .chain(words)
            .filter(|spelling| spelling.starts_with('\\') && spelling.len() > 1)
            .collect();
        let item = |spelling: &str| {
            let word = crate::words::find(spelling);
            let text = word.map(|word| documentation(markdown(word.form, "", word.meaning)));
            CompletionItem {
                text_edit: Some(TextEdit { range, new_text: spelling.to_owned() }.into()),
                filter_text: Some(spelling.to_owned()),
                documentation: text,
                ..self.item(spelling, CompletionItemKind::OPERATOR)
            }
        };
        spellings.into_iter().map(item).collect()
    }

    /// The names of fields that records of the specification have.
    fn fields(&self) -> Vec<CompletionItem> {
        let parsed = crate::symbols::parse(&self.document.text);
        let mut fields: FxIndexSet<&str> = FxIndexSet::default();
        for expr in parsed.file.exprs.iter() {
            if let syntax::ast::ExprKind::Record(pairs) | syntax::ast::ExprKind::RecordSet(pairs) = &expr.kind
            {
                fields.extend(pairs.iter().map(|(field, _)| parsed.names.text(field.name)));
            }
        }
        fields.into_iter().map(|field| self.item(field, CompletionItemKind::FIELD)).collect()
    }

    fn modules(&self) -> Vec<CompletionItem> {
        let library =
            library::modules().iter().filter(|(name, _)| !name.starts_with('_')).map(|(name, module)| {
                let text = markdown(&format!("MODULE {name}"), "comes with Specline", &module.comment);
                CompletionItem {
                    documentation: Some(documentation(text)),
                    ..self.item(name, CompletionItemKind::MODULE)
                }
            });
        let folder = self.document.path.parent();
        let beside = folder.map(|folder| crate::configs::files_in(folder, "tla", &self.context.snapshot));
        let own = beside.into_iter().flatten().filter(|path| *path != self.document.path);
        let own = own.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        own.map(|name| self.item(&name, CompletionItemKind::MODULE)).chain(library).collect()
    }

    fn keywords(&self) -> Vec<CompletionItem> {
        let spellings =
            WORDS.iter().flat_map(|word| word.spellings.iter().map(move |spelling| (word, *spelling)));
        let words =
            spellings.filter(|(_, spelling)| spelling.starts_with(|char: char| char.is_ascii_uppercase()));
        let item = |(word, spelling): (&crate::words::Word, &str)| CompletionItem {
            documentation: Some(documentation(markdown(word.form, "", word.meaning))),
            ..self.item(spelling, CompletionItemKind::KEYWORD)
        };
        words.map(item).collect()
    }

    /// Definitions of standard modules that are not extended; choosing one extends its module.
    fn other_modules(&self, known: &FxIndexSet<String>) -> Vec<CompletionItem> {
        let Some((place, before)) = self.extends_place() else { return Vec::new() };
        let mut items = Vec::new();
        for &module in OFFERED {
            let Some(library) = library::modules().get(module) else { continue };
            let entries = library.entries.iter().filter(|entry| !known.contains(&entry.name));
            for entry in entries.filter(|entry| entry.name.chars().all(is_word_char)) {
                items.push(self.library_item((module, entry), (place, &before)));
            }
        }
        items
    }

    fn library_item(
        &self,
        (module, entry): (&str, &LibraryEntry),
        (place, before): (Position, &str),
    ) -> CompletionItem {
        let edit =
            TextEdit { range: lsp_types::Range::new(place, place), new_text: format!("{before}{module}") };
        let item = CompletionItem {
            detail: Some(format!("EXTENDS {module}")),
            // Behind what is known already.
            sort_text: Some(format!("~{}", entry.name)),
            additional_text_edits: Some(vec![edit]),
            data: Some(serde_json::json!({ "module": module, "name": entry.name })),
            ..self.item(&entry.name, CompletionItemKind::FUNCTION)
        };
        self.with_params(item, &entry.params)
    }

    /// The place at which a module is added to EXTENDS, and what comes before its name.
    fn extends_place(&self) -> Option<(Position, String)> {
        let parsed = crate::symbols::parse(&self.document.text);
        let module = parsed.file.modules.first()?;
        let (at, before) = match module.extends.last() {
            Some(last) => (last.span.range().end, ", ".to_owned()),
            None => {
                let name_end = module.name.span.range().end;
                let n_bytes = self.document.text[name_end..].find('\n')?;
                (name_end + n_bytes, "\nEXTENDS ".to_owned())
            }
        };
        Some((self.document.range(at..at).start, before))
    }

    /// Keywords of configurations, and names of the module.
    fn in_config(&self) -> Vec<CompletionItem> {
        let keywords = ConfigKeyword::ALL.iter().flat_map(|keyword| keyword.spellings());
        let mut items: Vec<CompletionItem> =
            keywords.map(|keyword| self.item(keyword, CompletionItemKind::KEYWORD)).collect();
        items.extend(["TRUE", "FALSE"].map(|word| self.item(word, CompletionItemKind::KEYWORD)));
        let Some(analysis) = self.analysis else { return items };
        let spec = &analysis.spec;
        let Some(root) = spec.modules.iter().next() else { return items };
        let own = root.scope.iter().filter(|(_, entry)| match entry.entity {
            Entity::Const(_) => true,
            Entity::Def(id) => !spec.modules[spec.defs[id].module].embedded,
            Entity::Var(_) | Entity::Instance(_) | Entity::Local(_) => false,
        });
        items.extend(own.map(|(name, entry)| CompletionItem {
            insert_text: None,
            insert_text_format: None,
            ..self.entity_item(spec, spec.names.text(*name), entry.entity)
        }));
        items
    }
}

fn params_of(spec: &Spec, def: DefId) -> Vec<String> {
    let params = spec.defs[def].params.iter();
    params.map(|&param| spec.names.text(spec.locals[param].name).to_owned()).collect()
}
