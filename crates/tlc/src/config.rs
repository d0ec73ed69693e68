//! Errors of a configuration, with TLC's numbers; in TLC's words where they say as much as ours.

use std::io;

use diag::{Code as Own, Diagnostic, Diagnostics, Span};
use sema::Spec;

use super::code::{self, Code};
use super::voice::Voice;
use super::words::sentence;

/// Reports every error of a configuration, or of the definitions that it names.
pub fn tell(voice: &Voice<'_>, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
    for error in diagnostics.iter().filter(|error| error.is_error()) {
        let (code, text) = words(spec, error);
        // TLC: the file is read by a part of its own, which fails.
        match code {
            code::CONFIG_SYNTAX | code::CONFIG_TWICE => voice.trouble(&voice.frame(code, &text))?,
            _ => voice.error(code, &text)?,
        }
    }
    Ok(())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all others have no number of TLC's")]
pub fn words(spec: &Spec, error: &Diagnostic) -> (Code, String) {
    let span = error.primary.as_ref().map(|label| label.span);
    let name = span.map_or("", |span| spec.sources.text(span));
    match error.code {
        Own::ConfigMissingConstant if is_word(name) => (
            code::CONFIG_MISSING_CONSTANT,
            format!("The constant parameter {name} is not assigned a value by the configuration file."),
        ),
        Own::ConfigUnknownName if is_word(name) => describe_unknown(spec, span, name),
        Own::ConfigMissingConstant => (code::CONFIG_MISSING_CONSTANT, ours(spec, error)),
        Own::ConfigArity => (code::CONFIG_WRONG_ARITY, ours(spec, error)),
        Own::ConfigMissing => (code::CONFIG_MISSING_INIT, ours(spec, error)),
        Own::ConfigLevel => (code::CONFIG_HAS_VALUE, ours(spec, error)),
        Own::ConfigWrongKind => (code::CONFIG_PROPERTY, ours(spec, error)),
        Own::ConfigTemporal => (code::CANNOT_HANDLE_FORMULA, ours(spec, error)),
        Own::TemporalTautology => {
            let text = "Temporal formula is a tautology (its negation is unsatisfiable).";
            (code::TAUTOLOGY, text.to_owned())
        }
        Own::ConfigSyntax | Own::ConfigValue => (code::CONFIG_SYNTAX, in_file(spec, error)),
        Own::ConfigRepeated => (code::CONFIG_TWICE, in_file(spec, error)),
        Own::CannotRead | Own::NotUtf8 => (code::CONFIG_READING, ours(spec, error)),
        _ => (code::GENERAL, ours(spec, error)),
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns our headline, its code and its place.
fn ours(spec: &Spec, error: &Diagnostic) -> String {
    let at = error.primary.as_ref().map_or_else(String::new, |label| {
        let position = spec.sources.position(label.span);
        format!("\n{}:{}:{}", spec.sources.file(label.span.source).name(), position.line, position.column)
    });
    format!("{}. ({}){at}", sentence(&error.headline), error.code.id())
}

/// Describes an unknown name. TLC: the message says which statement names it.
fn describe_unknown(spec: &Spec, span: Option<Span>, name: &str) -> (Code, String) {
    let before = span.map_or("", |span| &spec.sources.file(span.source).text()[..span.start as usize]);
    let what = match before.split_whitespace().rev().find_map(wanted_as) {
        Some("constant") | None => {
            let text = format!(
                "In the configuration file, the identifier {name} does not appear in the specification."
            );
            return (code::CONFIG_UNKNOWN_NAME, text);
        }
        Some(what) => what,
    };
    let text = format!(
        "The {what} {name} specified in the configuration file\nis not defined in the specification."
    );
    (code::CONFIG_NOT_DEFINED, text)
}

/// Returns the kind of name that a keyword is followed by.
fn wanted_as(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "INIT" => "initial predicate",
        "NEXT" => "next state action",
        "SPECIFICATION" => "name",
        "INVARIANT" | "INVARIANTS" => "invariant",
        "PROPERTY" | "PROPERTIES" => "property",
        "CONSTRAINT" | "CONSTRAINTS" => "constraint",
        "ACTION_CONSTRAINT" | "ACTION_CONSTRAINTS" => "action constraint",
        "SYMMETRY" => "symmetry function",
        "VIEW" => "view function",
        "ALIAS" => "alias",
        "POSTCONDITION" | "POSTCONDITIONS" => "post condition",
        "CONSTANT" | "CONSTANTS" => "constant",
        _ => return None,
    })
}

fn in_file(spec: &Spec, error: &Diagnostic) -> String {
    let line = error.primary.as_ref().map_or(1, |label| spec.sources.position(label.span).line);
    let sentence = sentence(&error.headline);
    format!("TLC found an error in the configuration file at line {line}\n{sentence}. ({})", error.code.id())
}
