//! The entry points of this crate: load a specification from a file or a text, resolve one more expression.

use std::path::Path;

use diag::{Code, Diagnostic, Diagnostics, SourceId, Span};

use crate::level;
use crate::load::{FileSystem, LoadOptions, Loader};
use crate::resolve::Resolver;
use crate::spec::{Def, DefBody, DefKind, ExprKind, Spec};

/// The result of loading a specification.
#[derive(Debug)]
pub struct Loaded {
    /// Complete when there are no errors. Otherwise it holds what could be resolved (perhaps no module at
    /// all), and the sources that the diagnostics point into.
    pub spec: Spec,
    pub diagnostics: Diagnostics,
}

impl Loaded {
    pub fn is_ok(&self) -> bool {
        !self.diagnostics.has_errors()
    }
}

/// Loads the module in the file `path`, with everything that it needs.
pub fn load(path: &Path, options: &LoadOptions, files: &dyn FileSystem) -> Loaded {
    let loader = Loader::new(files, path, options);
    let mut spec = Spec::empty();
    match loader.read(path, &mut spec.sources) {
        Ok(source) => load_source(spec, source, (path, options), loader),
        Err(diagnostic) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(*diagnostic);
            Loaded { spec, diagnostics }
        }
    }
}

/// Loads the module in `text`, as if it were read from `path`.
pub fn load_text(path: &Path, text: &str, options: &LoadOptions, files: &dyn FileSystem) -> Loaded {
    let loader = Loader::new(files, path, options);
    let mut spec = Spec::empty();
    let source = spec.sources.add(path.display().to_string(), text);
    load_source(spec, source, (path, options), loader)
}

/// A root module that no file has.
#[derive(Clone, Copy, Debug)]
pub struct GeneratedRoot<'a> {
    /// Its name in messages.
    pub origin: &'a str,
    /// The folder in which the modules that it needs are looked for.
    pub folder: &'a Path,
    pub text: &'a str,
}

/// Loads a root module that no file has, with everything that it needs.
pub fn load_generated(root: GeneratedRoot<'_>, options: &LoadOptions, files: &dyn FileSystem) -> Loaded {
    let inside = root.folder.join("root");
    let loader = Loader::new(files, &inside, options);
    let mut spec = Spec::empty();
    let source = spec.sources.add_text(root.origin, root.text);
    load_root(spec, source, Root { path: &inside, stem: None, options }, loader)
}

/// A root module and what its name must be.
struct Root<'a> {
    path: &'a Path,
    stem: Option<String>,
    options: &'a LoadOptions,
}

fn load_source(
    spec: Spec,
    source: SourceId,
    (path, options): (&Path, &LoadOptions),
    loader: Loader<'_>,
) -> Loaded {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    load_root(spec, source, Root { path, stem, options }, loader)
}

fn load_root(spec: Spec, source: SourceId, asked: Root<'_>, loader: Loader<'_>) -> Loaded {
    let mut resolver = Resolver::new(spec, Some(loader));
    let tree = resolver.parse_root(source);
    let root = resolver.root(tree, asked.stem.as_deref());
    if root.is_some() {
        asked.options.beside.iter().for_each(|name| resolver.resolve_beside(name, source));
    }
    let Resolver { mut spec, mut diagnostics, .. } = resolver;
    match root {
        Some(root) => {
            spec.root = root;
            diagnostics.extend(level::check(&mut spec));
        }
        None if !diagnostics.has_errors() => {
            let headline = format!("there is no module in `{}`", asked.path.display());
            let help = "a module starts with `---- MODULE Name ----` and ends with `====`";
            let place = Span::new(source, 0..0);
            diagnostics.push(Diagnostic::new(Code::NoModule, place, headline).help(help));
        }
        None => {}
    }
    // Steps of proofs may state nothing.
    let is_defined = |def: &Def| def.body != DefBody::Missing || def.kind == DefKind::ProofStep;
    debug_assert!(
        diagnostics.has_errors() || spec.defs.iter().all(is_defined),
        "every operator of a specification without errors is defined"
    );
    debug_assert!(
        diagnostics.has_errors() || !spec.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Error)),
        "every name of a specification without errors is bound"
    );
    Loaded { spec, diagnostics }
}
