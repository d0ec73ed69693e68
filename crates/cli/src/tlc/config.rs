//! What is wrong with a configuration, with TLC's numbers; in TLC's words where they say as much as ours.

use std::io;

use diag::{Code as Own, Diagnostic, Diagnostics};
use sema::Spec;

use super::code::{self, Code};
use super::voice::Voice;
use super::words::sentence;

/// Every error of a configuration, or of what it names.
pub fn tell(voice: &Voice<'_>, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
    for error in diagnostics.iter().filter(|error| error.is_error()) {
        let (code, text) = words(spec, error);
        voice.error(code, &text)?;
    }
    Ok(())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all others have no number of TLC's")]
pub fn words(spec: &Spec, error: &Diagnostic) -> (Code, String) {
    let label = error.primary.as_ref();
    let name = label.map_or("", |label| spec.sources.text(label.span));
    let at = label.map(|label| {
        let position = spec.sources.position(label.span);
        format!("{}:{}:{}", spec.sources.file(label.span.source).name(), position.line, position.column)
    });
    let ours = || {
        let at = at.as_ref().map_or_else(String::new, |at| format!("\n{at}"));
        format!("{}. ({}){at}", sentence(&error.headline), error.code.id())
    };
    match error.code {
        Own::ConfigMissingConstant => (code::CONFIG_MISSING_CONSTANT, ours()),
        Own::ConfigConflict => {
            let text = "The configuration file cannot specify both INIT/NEXT and SPECIFICATION fields.";
            (code::CONFIG_SPEC_AND_INIT, text.to_owned())
        }
        Own::ConfigArity => (code::CONFIG_WRONG_ARITY, ours()),
        Own::ConfigUnknownName if !name.is_empty() => {
            let text =
                format!("The name {name} in the configuration file\nis not defined in the specification.");
            (code::CONFIG_NOT_DEFINED, text)
        }
        Own::ConfigMissing => (code::CONFIG_MISSING_INIT, ours()),
        Own::ConfigLevel => (code::CONFIG_HAS_VALUE, ours()),
        Own::ConfigWrongKind => (code::CONFIG_PROPERTY, ours()),
        Own::ConfigTemporal => (code::CANNOT_HANDLE_FORMULA, ours()),
        Own::TemporalTautology => {
            let text = "Temporal formula is a tautology (its negation is unsatisfiable).";
            (code::TAUTOLOGY, text.to_owned())
        }
        Own::ConfigSyntax => (code::CONFIG_SYNTAX, in_file(spec, error)),
        Own::ConfigRepeated => (code::CONFIG_TWICE, in_file(spec, error)),
        Own::ConfigValue => (code::CONFIG_SYNTAX, in_file(spec, error)),
        Own::CannotRead | Own::NotUtf8 => (code::CONFIG_READING, ours()),
        _ => (code::GENERAL, ours()),
    }
}

fn in_file(spec: &Spec, error: &Diagnostic) -> String {
    let line = error.primary.as_ref().map_or(1, |label| spec.sources.position(label.span).line);
    let sentence = sentence(&error.headline);
    format!("TLC found an error in the configuration file at line {line}\n{sentence}. ({})", error.code.id())
}
