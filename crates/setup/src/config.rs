//! Finding and reading the configuration of a module.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, Diagnostics, SourceId};
use sema::Spec;
use syntax::cfg::{self, Config};
use syntax::decode;

use crate::composition;
use crate::files::read_text_by;

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
    let bytes = std::fs::read(module).unwrap_or_default();
    let text = decode::module_text(bytes).unwrap_or_default();
    is_module(module) && cfg::find_section(&text, &stem(module)).is_some()
}

/// Reads a `.cfg` file, or the CONFIG section of a `.tla` file.
pub fn read_config(spec: &mut Spec, path: &Path) -> Result<(SourceId, Config), Diagnostics> {
    let decode = if is_module(path) { decode::module_text } else { decode::config_text };
    let source = read_text_by(path, &mut spec.sources, decode).map_err(|diagnostic| only(*diagnostic))?;
    let text = spec.sources.file(source).text().clone();
    let range = if is_module(path) { section(spec, path, &text)? } else { 0..text.len() };
    let parsed = cfg::parse_config_in(source, &text, range, &mut spec.names);
    if parsed.diagnostics.has_errors() { Err(parsed.diagnostics) } else { Ok((source, parsed.tree)) }
}

/// Reads a configuration once more, as a syntax tree. Errors are ignored, since they were reported before.
pub fn config_again(spec: &mut Spec, path: &Path) -> Option<Config> {
    let name = path.display().to_string();
    let source = spec.sources.ids().find(|&source| spec.sources.file(source).name() == name)?;
    let text = spec.sources.file(source).text().clone();
    let range = if is_module(path) { section(spec, path, &text).ok()? } else { 0..text.len() };
    let parsed = cfg::parse_config_in(source, &text, range, &mut spec.names);
    (!parsed.diagnostics.has_errors()).then_some(parsed.tree)
}

fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tla")
}

fn stem(path: &Path) -> Cow<'_, str> {
    path.file_stem().unwrap_or_default().to_string_lossy()
}

/// Returns the part of the text with the configuration.
///
/// TLC: `-config M.tla` means the section `---- CONFIG M ----` of that file, and nothing is configured where there is
/// none. That is right for a module without variables, which only has assumptions, and else a mistake.
fn section(spec: &Spec, path: &Path, text: &str) -> Result<Range<usize>, Diagnostics> {
    let name = stem(path);
    if let Some(range) = cfg::find_section(text, &name) {
        return Ok(range);
    }
    if spec.variables.is_empty() {
        return Ok(text.len()..text.len());
    }
    let headline = format!("`{}` has no section `---- CONFIG {name} ----`", path.display());
    let help = match cfg::section_names(text).first() {
        Some(other) => format!("it has one for `{other}`: give it the name of the file, `{name}`"),
        None => {
            "add it below the module, and end it with `====`; or name a file that ends with `.cfg`".to_owned()
        }
    };
    Err(only(Diagnostic::without_place(Code::ConfigMissing, headline).help(help)))
}

fn only(diagnostic: Diagnostic) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    diagnostics
}
