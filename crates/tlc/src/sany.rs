//! Output of TLC's parser: the files it reads, the modules it understands, and their errors.

use std::io;
use std::path::Path;

use diag::{Code, Diagnostic, Diagnostics, Severity, SourceId, Span, World};
use sema::Spec;

use super::voice::Voice;
use super::words::sentence;
use super::{code, parse_error, place};

/// Writes all output of the parser, from its start to its end. Only tools get the frames around the lines.
pub fn tell(voice: &Voice<'_>, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
    if voice.is_tool {
        voice.say(code::SANY_START, "Starting SANY...")?;
    }
    let of_spec = |diagnostic: &&Diagnostic| is_parsers(diagnostic);
    let (syntax, semantics): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        diagnostics.iter().filter(of_spec).partition(|diagnostic| is_syntax(diagnostic));
    let fatal = syntax.iter().find_map(|error| error.primary.as_ref()).map(|label| label.span);
    for file in files(spec, fatal.map(|span| span.source)) {
        voice.line(&format!("Parsing file {file}"))?;
    }
    if let Some(error) = syntax.first() {
        syntax_error(voice, spec, error)?;
    }
    match fatal {
        Some(span) => fatal_error(voice, spec, span)?,
        None => modules(voice, spec, &semantics)?,
    }
    if voice.is_tool { voice.say(code::SANY_END, "SANY finished.") } else { Ok(()) }
}

/// Whether it is about a module, and not about the configuration or the machine.
pub fn is_parsers(diagnostic: &Diagnostic) -> bool {
    diagnostic.code.world() == World::Spec
}

/// Returns SANY's numbers of a warning. A name from two modules has two numbers: one for `EXTENDS`, one for
/// `INSTANCE`.
fn numbers(diagnostic: &Diagnostic) -> &'static [code::Code] {
    if diagnostic.severity != Severity::Warning {
        &[]
    } else if diagnostic.code == Code::FieldNameClash {
        &[code::FIELD_NAME_CLASH]
    } else if diagnostic.code == Code::ImportAmbiguity {
        &[code::EXTENDED_AMBIGUITY, code::INSTANCED_AMBIGUITY]
    } else {
        &[]
    }
}

/// Removes the warnings that the options suppress, and turns those that the options name into errors.
pub fn promote(voice: &Voice<'_>, diagnostics: Diagnostics) -> Diagnostics {
    let mut judged = Diagnostics::new();
    for mut diagnostic in diagnostics {
        let numbers = numbers(&diagnostic);
        if numbers.iter().any(|&number| voice.is_suppressed(number)) {
            continue;
        }
        if numbers.iter().any(|&number| voice.is_error(number)) {
            diagnostic.severity = Severity::Error;
        }
        judged.push(diagnostic);
    }
    judged
}

/// Returns the full path of every module that was read, up to the one with a syntax error.
fn files(spec: &Spec, last: Option<SourceId>) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    // Others were read only to suggest names.
    let is_used = |source: &SourceId| {
        base::Id::index(*source) == 0 || spec.modules.iter().any(|module| module.span.source == *source)
    };
    let sources = spec.sources.ids().filter(is_used).chain(last);
    for source in sources.filter(|source| last.is_none_or(|last| *source <= last)) {
        let name = spec.sources.file(source).name();
        let path =
            std::path::absolute(name).map_or_else(|_| name.to_owned(), |path| path.display().to_string());
        let path = if name.starts_with('<') { name.to_owned() } else { path };
        if !files.contains(&path) {
            files.push(path);
        }
    }
    files
}

/// Whether it is an error with which the parser makes no tree.
fn is_syntax(diagnostic: &Diagnostic) -> bool {
    let id = diagnostic.code.id();
    diagnostic.is_error() && (id.starts_with("SL01") || id.starts_with("SL00"))
}

/// Writes the first syntax error, as TLC looks for no other. Our own message comes where tools do not read.
fn syntax_error(voice: &Voice<'_>, spec: &Spec, error: &Diagnostic) -> io::Result<()> {
    let ours = format!("{} ({})", sentence(&error.headline), error.code.id());
    let Some(lines) = parse_error::lines(spec, error) else {
        return voice.line(&format!("***Parse Error***\n{ours}\n"));
    };
    voice.line(&lines)?;
    let is_lexical = !lines.starts_with("***");
    if !is_lexical {
        voice.line("Residual stack trace follows:")?;
    }
    match is_lexical && voice.is_tool {
        true => Ok(()),
        false => voice.line(&format!("{ours}\n")),
    }
}

fn fatal_error(voice: &Voice<'_>, spec: &Spec, span: Span) -> io::Result<()> {
    let module = place::stem(spec.sources.file(span.source).name());
    let cause = format!("In module {module}\n\nCould not parse module {module} from file {module}.tla");
    voice.line(&format!("\nFatal errors while parsing TLA+ spec in file {module}\n\n{cause}"))?;
    voice.line(&format!("*** Errors: 1\n\n{cause}\n\n\n"))
}

/// Reports errors in a text that is in no module: an invariant of the command line.
pub fn elsewhere(voice: &Voice<'_>, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()> {
    let modules = |span: Span| spec.modules.iter().any(|module| module.span.source == span.source);
    let is_there = |diagnostic: &&Diagnostic| {
        let span = diagnostic.primary.as_ref().map(|label| label.span);
        is_parsers(diagnostic) && !is_syntax(diagnostic) && span.is_some_and(|span| !modules(span))
    };
    for error in diagnostics.iter().filter(is_there) {
        let (_, text) = super::config::words(spec, error);
        voice.trouble(&text)?;
    }
    Ok(())
}

/// Writes the modules, each after those that it needs, with its errors and warnings.
fn modules(voice: &Voice<'_>, spec: &Spec, semantics: &[&Diagnostic]) -> io::Result<()> {
    let of_module = |name: &str, severity: Severity| -> Vec<&Diagnostic> {
        let is_there = |diagnostic: &&&Diagnostic| {
            let module = diagnostic.primary.as_ref().map(|label| place::module(spec, label.span));
            diagnostic.severity == severity && module.as_deref() == Some(name)
        };
        semantics.iter().filter(is_there).copied().collect()
    };
    for name in in_order(spec) {
        voice.line(&format!("Semantic processing of module {name}"))?;
        let errors = of_module(&name, Severity::Error);
        if !errors.is_empty() {
            voice.line("Semantic errors:\n")?;
            block(voice, spec, "Errors", &errors)?;
        }
        let warnings = of_module(&name, Severity::Warning);
        if !warnings.is_empty() {
            block(voice, spec, "Warnings", &warnings)?;
        }
    }
    Ok(())
}

/// The modules, those that others need first.
fn in_order(spec: &Spec) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let root = spec.modules.iter().enumerate().filter(|(_, module)| module.parent.is_none());
    let (mut last, mut first): (Vec<_>, Vec<_>) =
        root.partition(|(index, _)| base::Id::index(spec.root) == *index);
    first.sort_by_key(|(_, module)| module.extends.len());
    first.append(&mut last);
    names.extend(first.into_iter().map(|(_, module)| spec.names.text(module.name).to_owned()));
    names
}

fn block(voice: &Voice<'_>, spec: &Spec, title: &str, diagnostics: &[&Diagnostic]) -> io::Result<()> {
    voice.line(&format!("*** {title}: {}\n", diagnostics.len()))?;
    for diagnostic in diagnostics {
        let (span, text) = words(spec, diagnostic);
        let place = span.map_or_else(String::new, |span| place::of(spec, span));
        voice.line(&format!("{place}\n\n{text}\n\n"))?;
    }
    Ok(())
}

/// Returns the place and the message: TLC's words for the most frequent errors, ours for the others.
#[expect(clippy::wildcard_enum_match_arm, reason = "all others are told in our words")]
fn words(spec: &Spec, diagnostic: &Diagnostic) -> (Option<Span>, String) {
    let span = diagnostic.primary.as_ref().map(|label| label.span);
    let name = span.map_or("", |span| spec.sources.text(span));
    let arity = || {
        let def = spec.defs.iter().find(|def| spec.names.text(def.name) == name && def.origin.is_none())?;
        Some(format!("The operator {name} requires {} arguments.", def.params.len()))
    };
    match diagnostic.code {
        Code::UnknownName => (span, format!("Unknown operator: `{name}'.")),
        Code::WrongArity if arity().is_some() => {
            (span.map(|span| arguments(spec, span)), arity().unwrap_or_default())
        }
        _ => (span, format!("{} ({})", sentence(&diagnostic.headline), diagnostic.code.id())),
    }
}

/// Returns the place of the arguments after a name. TLC reports a wrong number of arguments there.
fn arguments(spec: &Spec, name: Span) -> Span {
    let text = spec.sources.file(name.source).text();
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().skip(name.end as usize) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Span { end: at as u32 + 1, start: name.end, ..name },
            b')' => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    name
}

/// Whether a path leads to a file at all.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}
