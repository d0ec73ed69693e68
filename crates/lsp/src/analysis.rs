//! One module with everything that it needs, read and resolved, and the places of its names.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::{FxHashMap, FxIndexMap};
use diag::{Code, Diagnostic, Diagnostics, Severity, SourceId, Span};
use sema::config::ConfigInput;
use sema::spec::{Entity, LocalKind, NameTarget};
use sema::{LoadOptions, Loaded, Spec};
use syntax::cfg;

use crate::algorithm;
use crate::configs;
use crate::files::{Dependencies, EditorFiles};
use crate::snapshot::Snapshot;

/// A name in a text.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    pub start: u32,
    pub end: u32,
    pub target: NameTarget,
    /// The place of the name where it is defined or declared.
    pub site: Span,
}

impl Occurrence {
    pub fn is_definition(&self, source: SourceId) -> bool {
        self.site.source == source && (self.site.start, self.site.end) == (self.start, self.end)
    }
}

/// A definition or declaration, whichever module reads it: the name of its text, and where it is there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    pub file: String,
    pub start: u32,
    pub end: u32,
}

/// A configuration beside a module.
#[derive(Debug)]
pub struct ConfigText {
    pub source: SourceId,
    pub tree: cfg::Config,
}

/// The result of reading one module, and a configuration of it if there is one.
#[derive(Debug)]
pub struct Analysis {
    pub spec: Spec,
    pub diagnostics: Diagnostics,
    pub config: Option<ConfigText>,
    /// The names in each text, by place. Each place is there once.
    pub occurrences: FxHashMap<SourceId, Vec<Occurrence>>,
    dependencies: Dependencies,
}

/// A module to analyse, and the configuration with which.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Subject {
    pub root: PathBuf,
    pub config: Option<PathBuf>,
}

impl Subject {
    /// A module with the configuration of its own name, if there is one.
    pub fn of_module(root: &Path, snapshot: &Snapshot) -> Subject {
        let config = root.with_extension("cfg");
        let exists = snapshot.documents.contains_key(&config) || config.is_file();
        Subject { root: root.to_path_buf(), config: exists.then_some(config) }
    }
}

impl Analysis {
    pub fn new(subject: &Subject, snapshot: &Snapshot, replaced: &FxIndexMap<PathBuf, String>) -> Analysis {
        let files = EditorFiles::new(snapshot, replaced);
        let options = LoadOptions { library: snapshot.libraries.clone(), ..LoadOptions::default() };
        let Loaded { mut spec, mut diagnostics } = sema::load(&subject.root, &options, &files);
        let mut config = None;
        if let Some(path) = &subject.config
            && let Some(text) =
                sema::FileSystem::read(&files, path).ok().and_then(|bytes| String::from_utf8(bytes).ok())
        {
            let source = spec.sources.add(path.display().to_string(), text.as_str());
            let parsed = cfg::parse_config(source, &text, &mut spec.names);
            let is_broken = parsed.diagnostics.has_errors();
            diagnostics.extend(parsed.diagnostics);
            config = Some((ConfigText { source, tree: parsed.tree }, is_broken));
        }
        let is_whole = !diagnostics.iter().any(|found| found.is_error() && !is_about(&spec, found, subject));
        // A text that is only tried is not linted: errors and names are what counts there.
        if is_whole && !spec.modules.is_empty() && replaced.is_empty() {
            let input = match &config {
                Some((config, false)) => Some(ConfigInput { source: config.source, tree: &config.tree }),
                Some((_, true)) | None => None,
            };
            diagnostics.extend(sema::lint::lint(&spec, input));
        }
        let diagnostics = algorithm::review(&spec, diagnostics, (subject, &options, &files));
        let occurrences = collect_occurrences(&spec, config.as_ref().map(|(config, _)| config));
        let config = config.map(|(config, _)| config);
        let dependencies = files.into_seen();
        Analysis { spec, diagnostics, config, occurrences, dependencies }
    }

    /// Whether nothing that was read has changed.
    fn is_current(&self, snapshot: &Snapshot) -> bool {
        self.dependencies.iter().all(|(path, stamp)| snapshot.stamp_of(path) == *stamp)
    }

    /// Whether the file was read, or looked for.
    pub fn depends_on(&self, path: &Path) -> bool {
        self.dependencies.contains_key(path)
    }

    /// The text that was read from `path`, the first time.
    pub fn source_of(&self, path: &Path) -> Option<SourceId> {
        let name = path.display().to_string();
        self.spec.sources.ids().find(|&source| self.spec.sources.file(source).name() == name)
    }

    /// The name at a byte of a text: the one that it lies in, or that ends there.
    pub fn name_at(&self, source: SourceId, offset: usize) -> Option<Occurrence> {
        let names = self.occurrences.get(&source)?;
        let offset = u32::try_from(offset).ok()?;
        let after = names.partition_point(|name| name.start <= offset);
        let found = names[..after].iter().rev().take(2).find(|name| offset < name.end);
        found.or_else(|| names[..after].iter().rev().take(2).find(|name| offset == name.end)).copied()
    }

    pub fn site(&self, span: Span) -> Site {
        Site { file: self.spec.sources.file(span.source).name().to_owned(), start: span.start, end: span.end }
    }

    /// Every place of a name in the files that were read: source, place, and whether it is the definition.
    pub fn places_of(&self, site: &Site) -> Vec<(SourceId, Occurrence)> {
        let mut places = Vec::new();
        for source in self.spec.sources.ids() {
            let names = self.occurrences.get(&source).map_or(&[][..], Vec::as_slice);
            let same = names.iter().filter(|name| self.site(name.site) == *site);
            places.extend(same.map(|&name| (source, name)));
        }
        places
    }
}

/// Whether an error is about the configuration alone.
fn is_about(spec: &Spec, found: &Diagnostic, subject: &Subject) -> bool {
    let Some(config) = &subject.config else { return false };
    let place = found.primary.as_ref().map(|label| label.span.source);
    place.is_some_and(|source| Path::new(spec.sources.file(source).name()) == config)
}

/// Returns the place where a name gets its meaning.
pub fn site_of(spec: &Spec, target: NameTarget) -> Span {
    match target {
        NameTarget::Module(module) => spec.modules[module].name_span,
        NameTarget::Label(span) => span,
        NameTarget::Entity(Entity::Const(id)) => spec.constants[id].span,
        NameTarget::Entity(Entity::Var(id)) => spec.variables[id].span,
        NameTarget::Entity(Entity::Local(id)) => spec.locals[id].span,
        NameTarget::Entity(Entity::Def(id)) => spec.defs[id].name_span,
        NameTarget::Entity(Entity::Instance(id)) => {
            let instance = &spec.instances[id];
            let n_bytes = instance.name.map_or(0, |name| spec.names.text(name).len());
            Span { end: instance.span.start + n_bytes as u32, ..instance.span }
        }
    }
}

fn collect_occurrences(spec: &Spec, config: Option<&ConfigText>) -> FxHashMap<SourceId, Vec<Occurrence>> {
    let mut found: Vec<(Span, NameTarget)> = definitions(spec);
    found.extend(spec.uses.iter().map(|name| (name.span, name.target)));
    if let Some(config) = config {
        found.extend(configs::names(spec, &config.tree));
    }
    let mut by_source: FxHashMap<SourceId, Vec<Occurrence>> = FxHashMap::default();
    for (span, target) in found.into_iter().filter(|(span, _)| span.start < span.end) {
        let site = site_of(spec, target);
        let name = Occurrence { start: span.start, end: span.end, target, site };
        by_source.entry(span.source).or_default().push(name);
    }
    for source in spec.sources.ids() {
        if let Some(names) = by_source.get_mut(&source) {
            // A stable sort: of several meanings at one place, the first one found stays, which is no copy.
            names.sort_by_key(|name| (name.start, name.end));
            names.dedup_by_key(|name| (name.start, name.end));
        }
    }
    by_source
}

/// Returns the places where names are defined or declared.
fn definitions(spec: &Spec) -> Vec<(Span, NameTarget)> {
    let entity = |span: Span, entity: Entity| (span, NameTarget::Entity(entity));
    let mut found = Vec::new();
    found.extend(
        spec.modules.iter_enumerated().map(|(id, module)| (module.name_span, NameTarget::Module(id))),
    );
    found.extend(
        spec.constants.iter_enumerated().map(|(id, constant)| entity(constant.span, Entity::Const(id))),
    );
    found.extend(
        spec.variables.iter_enumerated().map(|(id, variable)| entity(variable.span, Entity::Var(id))),
    );
    for (id, def) in spec.defs.iter_enumerated().filter(|(_, def)| def.origin.is_none()) {
        if is_spelled(spec, def.name_span, def.name) {
            found.push(entity(def.name_span, Entity::Def(id)));
        }
    }
    for (id, local) in spec.locals.iter_enumerated() {
        if local.kind != LocalKind::At && is_spelled(spec, local.span, local.name) {
            found.push(entity(local.span, Entity::Local(id)));
        }
    }
    for (id, instance) in spec.instances.iter_enumerated().filter(|(_, instance)| instance.name.is_some()) {
        let target = NameTarget::Entity(Entity::Instance(id));
        let span = site_of(spec, target);
        if instance.name.is_some_and(|name| is_spelled(spec, span, name)) {
            found.push((span, target));
        }
    }
    found
}

/// Whether the name stands at the place. Symbols can be spelled in several ways, and are recognised by being none.
fn is_spelled(spec: &Spec, span: Span, name: base::Name) -> bool {
    let (text, name) = (spec.sources.file(span.source).text().get(span.range()), spec.names.text(name));
    let is_word = |text: &str| text.starts_with(|first: char| first.is_alphanumeric() || first == '_');
    match text {
        Some(text) if is_word(text) || is_word(name) => text == name,
        Some(text) => !text.is_empty(),
        None => false,
    }
}

/// Analyses that were made lately, to be used again while nothing that they read has changed.
#[derive(Debug, Default)]
pub struct Cache {
    /// The most recently used one comes last.
    analyses: Mutex<Vec<(Subject, Arc<Analysis>)>>,
}

/// Number of analyses that are kept.
const N_KEPT_MAX: usize = 24;

impl Cache {
    pub fn analysis(&self, subject: &Subject, snapshot: &Snapshot) -> Arc<Analysis> {
        if let Some(known) = self.known(subject, snapshot) {
            return known;
        }
        let made = Arc::new(Analysis::new(subject, snapshot, &FxIndexMap::default()));
        let mut analyses = self.lock();
        analyses.retain(|(known, _)| known != subject);
        analyses.push((subject.clone(), Arc::clone(&made)));
        if analyses.len() > N_KEPT_MAX {
            analyses.remove(0);
        }
        made
    }

    fn known(&self, subject: &Subject, snapshot: &Snapshot) -> Option<Arc<Analysis>> {
        let mut analyses = self.lock();
        let at = analyses.iter().position(|(known, _)| known == subject)?;
        let (key, analysis) = analyses.remove(at);
        if !analysis.is_current(snapshot) {
            return None;
        }
        analyses.push((key, Arc::clone(&analysis)));
        Some(analysis)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Subject, Arc<Analysis>)>> {
        // Whoever panicked with the lock left whole entries: each change is one call.
        self.analyses.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The severity with which an editor shows a message: an algorithm that cannot be translated is an error to its author.
pub fn severity(found: &Diagnostic) -> Severity {
    let is_untranslatable = matches!(
        found.code,
        Code::PcalSyntax
            | Code::PcalLabel
            | Code::PcalName
            | Code::PcalAssign
            | Code::PcalMarks
            | Code::PcalOption
    );
    if is_untranslatable { Severity::Error } else { found.severity }
}
