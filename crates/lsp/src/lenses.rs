//! Lenses: above a property, how the check of a model that has it ended, and a way to run it.

use std::path::{Path, PathBuf};

use lsp_types::{CodeLens, CodeLensParams, Command};
use sema::spec::NameTarget;
use syntax::cfg::Keyword;

use crate::analysis::{Analysis, Subject};
use crate::checks::{CHECK, ModelKey, Verdict};
use crate::configs;
use crate::snapshot::{Document, TextKind};
use crate::worker::{Context, Failure};

/// Number of configurations of a folder that are read for lenses.
const N_CONFIGS_MAX: usize = 24;

pub fn lenses(context: &Context, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>, Failure> {
    let document = context.document(&params.text_document.uri)?;
    let mut found = Vec::new();
    match document.kind {
        TextKind::Config => {
            let subject = context.subject_of(&document);
            subject.iter().for_each(|subject| of_model(context, subject, &document, &mut found));
        }
        TextKind::Module => {
            for subject in models_near(context, &document.path) {
                context.cancel.check()?;
                of_model(context, &subject, &document, &mut found);
            }
        }
        TextKind::Other => {}
    }
    Ok(Some(found))
}

/// The models in the folder of a module.
fn models_near(context: &Context, module: &Path) -> Vec<Subject> {
    let Some(folder) = module.parent() else { return Vec::new() };
    let configs = configs::files_in(folder, "cfg", &context.snapshot).into_iter().take(N_CONFIGS_MAX);
    let modules = configs::files_in(folder, "tla", &context.snapshot);
    let model = |config: PathBuf| {
        let root = configs::module_among(&config, &modules)?.clone();
        Some(Subject { root, config: Some(config) })
    };
    configs.filter_map(model).collect()
}

fn of_model(context: &Context, subject: &Subject, document: &Document, found: &mut Vec<CodeLens>) {
    let analysis = context.cache.analysis(subject, &context.snapshot);
    let (Some(config), Some(path)) = (&analysis.config, &subject.config) else { return };
    let Some(here) = analysis.source_of(&document.path) else { return };
    let key = ModelKey { module: subject.root.clone(), config: path.clone() };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let verdict = context.checks.verdict(&key, &context.snapshot);
    let is_own = document.path == subject.root || document.path == *path;
    if is_own {
        let start = first_place(&analysis, document, here);
        found.push(lens(document, start, title(verdict.as_ref(), None, &name), (context, &key)));
    }
    for keyword in [Keyword::Invariant, Keyword::Property] {
        for named in config.tree.names(keyword) {
            let spelling = analysis.spec.names.text(named.name);
            let place = match document.kind {
                TextKind::Config => Some(named.span.range()),
                TextKind::Module | TextKind::Other => definition_in(&analysis, spelling, here),
            };
            let Some(place) = place else { continue };
            let title = title(verdict.as_ref(), Some(spelling), &name);
            found.push(lens(document, place, title, (context, &key)));
        }
    }
}

/// The name of the module, or the start of a configuration.
fn first_place(analysis: &Analysis, document: &Document, here: diag::SourceId) -> std::ops::Range<usize> {
    let module = analysis.spec.modules.iter().find(|module| module.span.source == here);
    module.filter(|_| document.kind == TextKind::Module).map_or(0..0, |module| module.name_span.range())
}

/// The place in this text where a property is defined.
fn definition_in(analysis: &Analysis, name: &str, here: diag::SourceId) -> Option<std::ops::Range<usize>> {
    let entity = crate::hover::root_entity(&analysis.spec, name)?;
    let site = crate::analysis::site_of(&analysis.spec, NameTarget::Entity(entity));
    (site.source == here).then(|| site.range())
}

fn title(verdict: Option<&Verdict>, property: Option<&str>, config: &str) -> String {
    match verdict {
        None => format!("▶ check {config}"),
        Some(verdict) => format!("{} · check {config} again", verdict.words(property)),
    }
}

fn lens(
    document: &Document,
    place: std::ops::Range<usize>,
    title: String,
    (context, key): (&Context, &ModelKey),
) -> CodeLens {
    let url = |path: &Path| context.snapshot.url_of(path).map(|url| url.to_string());
    let arguments = serde_json::json!({ "module": url(&key.module), "config": url(&key.config) });
    CodeLens {
        range: document.range(place),
        command: Some(Command { title, command: CHECK.to_owned(), arguments: Some(vec![arguments]) }),
        data: None,
    }
}
