//! Reading compositions: `FILE.toml@NAME` in the place of a module.

use std::path::{Path, PathBuf};

use compose::{Composed, Family, Loading, Outline};
use diag::{Code, Diagnostic, Diagnostics, SourceId, SourceMap};
use sema::config::{self, BoundConfig, ConfigInput, Define};
use sema::{DiskFiles, FileSystem as _, LoadOptions, Spec};
use syntax::cfg::{self, Config};

use crate::defines;
use crate::files::read_text;

/// Returns the file and the name if a path means a composition.
pub fn reference(path: &Path) -> Option<(PathBuf, String)> {
    compose::split_reference(path).filter(|_| !path.is_file())
}

/// Reads a composition file. Places of the diagnostics are in the sources beside them.
pub fn read_family(file: &Path) -> Result<Family, (SourceMap, Diagnostics)> {
    let mut sources = SourceMap::new();
    let source = match read_text(file, &mut sources) {
        Ok(source) => source,
        Err(error) => return Err((sources, [*error].into_iter().collect())),
    };
    let text = sources.file(source).text().clone();
    compose::read(file, &text).map_err(|errors| {
        let mut sources = SourceMap::new();
        let diagnostics = compose::report(file, &text, errors, &mut sources);
        (sources, diagnostics)
    })
}

/// Reads a composition as a specification.
pub fn read(file: &Path, name: &str, (options, given): (&LoadOptions, &[String])) -> Composed {
    let family = match read_family(file) {
        Ok(family) => family,
        Err((sources, diagnostics)) => return make_failed(sources, diagnostics),
    };
    match compose::choose(&family, name) {
        Ok(choice) => compose::assemble(&choice, Loading { options, files: &DiskFiles, given }),
        Err(errors) => {
            let mut sources = SourceMap::new();
            let diagnostics = compose::report(file, &family.text, errors, &mut sources);
            make_failed(sources, diagnostics)
        }
    }
}

fn make_failed(sources: SourceMap, diagnostics: Diagnostics) -> Composed {
    let mut spec = Spec::empty();
    spec.sources = sources;
    let source = spec.sources.add_text("", "");
    Composed { spec, diagnostics, config: String::new(), source, outline: Outline::default() }
}

/// Binds the configuration that a composition brings, with definitions of the command line in it.
pub fn bind(composed: &mut Composed, reference: &Path, given: &[String]) -> Result<BoundConfig, Diagnostics> {
    bind_defined(composed, reference, given).map(|(config, _)| config)
}

/// Binds the configuration that a composition brings; returns the definitions of the command line besides.
pub fn bind_defined(
    composed: &mut Composed,
    reference: &Path,
    given: &[String],
) -> Result<(BoundConfig, Vec<Define>), Diagnostics> {
    let text = composed.config.clone();
    let (source, tree) = parse_config(&mut composed.spec, reference, &text)?;
    let defines = defines::resolve(&mut composed.spec, given)?;
    let bound = config::bind_with(&composed.spec, ConfigInput { source, tree: &tree }, &defines);
    if bound.diagnostics.has_errors() { Err(bound.diagnostics) } else { Ok((bound.config, defines)) }
}

/// Returns the error if a file that was read has changed since.
pub fn find_changed(sources: &SourceMap) -> Option<Diagnostic> {
    let mut files = sources.ids().map(|id| sources.file(id)).filter(|file| file.is_file());
    let changed = |file: &&diag::SourceFile| {
        let bytes = DiskFiles.read(Path::new(file.name()));
        !bytes.is_ok_and(|bytes| bytes == file.text().as_bytes())
    };
    let file = files.find(changed)?;
    let headline = format!("`{}` changed while it was being used", file.name());
    Some(Diagnostic::without_place(Code::CompositionChanged, headline).help("run the command again"))
}

/// Reads the configuration that a composition brings.
pub fn parse_config(
    spec: &mut Spec,
    reference: &Path,
    text: &str,
) -> Result<(SourceId, Config), Diagnostics> {
    let source = spec.sources.add_text(format!("configuration of {}", reference.display()), text);
    let parsed = cfg::parse_config_in(source, text, 0..text.len(), &mut spec.names);
    if parsed.diagnostics.has_errors() { Err(parsed.diagnostics) } else { Ok((source, parsed.tree)) }
}
