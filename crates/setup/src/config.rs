//! Finding and reading the configuration of a module.

use std::ops::Range;
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, Diagnostics, SourceId};
use sema::Spec;
use syntax::cfg::{self, Config};

use crate::composition;
use crate::files::read_text;

/// The configuration that was given, or the one beside the module if there is such a file, or a section of the module.
pub fn config_of(module: &Path, given: Option<&Path>) -> Option<PathBuf> {
    match given {
        // TLC: the extension may be left out.
        Some(given) if given.extension().is_none() => Some(given.with_extension("cfg")),
        Some(given) => Some(given.to_path_buf()),
        // A composition brings its own.
        None if composition::reference(module).is_some() => None,
        None => {
            let beside = Some(module.with_extension("cfg")).filter(|beside| beside.is_file());
            beside.or_else(|| has_section(module).then(|| module.to_path_buf()))
        }
    }
}

/// Whether a module has its configuration in it, as specifications have that explore a trace.
fn has_section(module: &Path) -> bool {
    let text = std::fs::read_to_string(module).unwrap_or_default();
    is_module(module) && section(module, &text).is_ok()
}

/// Reads a `.cfg` file, or the CONFIG section of a `.tla` file.
pub fn read_config(spec: &mut Spec, path: &Path) -> Result<(SourceId, Config), Diagnostics> {
    let source = read_text(path, &mut spec.sources).map_err(|diagnostic| only(*diagnostic))?;
    let text = spec.sources.file(source).text().clone();
    let range = if is_module(path) { section(path, &text)? } else { 0..text.len() };
    let parsed = cfg::parse_config_in(source, &text, range, &mut spec.names);
    if parsed.diagnostics.has_errors() { Err(parsed.diagnostics) } else { Ok((source, parsed.tree)) }
}

/// A configuration that was read before, as it is written.
pub fn config_again(spec: &mut Spec, path: &Path) -> Option<Config> {
    let name = path.display().to_string();
    let source = spec.sources.ids().find(|&source| spec.sources.file(source).name() == name)?;
    let text = spec.sources.file(source).text().clone();
    let range = if is_module(path) { section(path, &text).ok()? } else { 0..text.len() };
    let parsed = cfg::parse_config_in(source, &text, range, &mut spec.names);
    (!parsed.diagnostics.has_errors()).then_some(parsed.tree)
}

fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tla")
}

/// TLC: `-config M.tla` means the section `---- CONFIG M ----` of that file.
fn section(path: &Path, text: &str) -> Result<Range<usize>, Diagnostics> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    cfg::find_section(text, &name).ok_or_else(|| {
        let headline = format!("`{}` has no section `---- CONFIG {name} ----`", path.display());
        only(Diagnostic::without_place(Code::ConfigSyntax, headline))
    })
}

fn only(diagnostic: Diagnostic) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    diagnostics
}
