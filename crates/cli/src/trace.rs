//! `specline trace`: shows a trace that was kept, in another form if need be, and compares two.

use std::io;
use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, SourceMap, Span};
use trace::diagram::{self, Diagram, Wishes};
use trace::itf::{self, ItfError, ItfErrorKind, Position};
use trace::{Style, Trace};

use crate::args::{TraceCommand, TraceFormatArg, TraceHtmlArgs, TraceSettingsArgs, TraceShowArgs};
use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::files::read_text;
use crate::{kept, project};

pub fn run(command: &TraceCommand, console: &Console) -> io::Result<Ending> {
    match command {
        TraceCommand::Show(args) => show(args, console),
        TraceCommand::Html(args) => html(args, console),
        TraceCommand::Diff(args) => diff(&args.first, &args.second, console),
    }
}

fn show(args: &TraceShowArgs, console: &Console) -> io::Result<Ending> {
    let Some(trace) = read(&args.file, console)? else { return Ok(Ending::Unreadable) };
    let text = match args.format {
        TraceFormatArg::Text => Ok(trace::story(&trace, Style { full: args.full, ..style(console) })),
        TraceFormatArg::Tlc => Ok(trace::tlc(&trace)),
        TraceFormatArg::Itf => Ok(itf::write(&trace)),
        TraceFormatArg::Json => Ok(format!("{}\n", trace::json(&trace, args.full))),
        TraceFormatArg::Mermaid => drawn(&trace, args, diagram::mermaid, console)?,
        TraceFormatArg::Plantuml => drawn(&trace, args, diagram::plantuml, console)?,
        TraceFormatArg::Shiviz => drawn(&trace, args, diagram::shiviz, console)?,
    };
    match text {
        Ok(text) => {
            console.write(Stream::Out, &text)?;
            Ok(Ending::Ok)
        }
        Err(ending) => Ok(ending),
    }
}

/// A trace as lanes. Why there are none is told, and how the run ends then.
fn drawn(
    trace: &Trace,
    args: &TraceShowArgs,
    form: fn(&Trace, &Diagram) -> String,
    console: &Console,
) -> io::Result<Result<String, Ending>> {
    let wishes = match wishes(&args.file, &args.settings, console)? {
        Ok(wishes) => wishes,
        Err(ending) => return Ok(Err(ending)),
    };
    if let Some(diagram) = Diagram::new(trace, &wishes) {
        return Ok(Ok(form(trace, &diagram)));
    }
    let headline = format!("no processes are known in `{}`, so there are no lanes", args.file.display());
    let help = "say what they are with `processes` in the table `[trace]` of `specline.toml`";
    let diagnostic = Diagnostic::without_place(Code::TraceWithoutProcesses, headline).help(help);
    console.draw(Stream::Err, &SourceMap::new(), &diagnostic)?;
    Ok(Err(Ending::of(&diagnostic, false)))
}

fn html(args: &TraceHtmlArgs, console: &Console) -> io::Result<Ending> {
    let Some(trace) = read(&args.file, console)? else { return Ok(Ending::Unreadable) };
    let wishes = match wishes(&args.file, &args.settings, console)? {
        Ok(wishes) => wishes,
        Err(ending) => return Ok(ending),
    };
    let out = args.out.clone().unwrap_or_else(|| with_html_ending(&args.file));
    if let Err(error) = std::fs::write(&out, kept::page(&trace, &wishes)) {
        let diagnostic = cannot_write(&out, &error.to_string());
        console.draw(Stream::Err, &SourceMap::new(), &diagnostic)?;
        return Ok(Ending::Unreadable);
    }
    console.line(Stream::Out, &format!("{}", out.display()))?;
    Ok(Ending::Ok)
}

/// `run.itf.json` becomes `run.html`, and never the trace itself.
pub fn with_html_ending(file: &Path) -> PathBuf {
    let stem = file.with_extension("");
    let stem =
        if stem.extension().is_some_and(|ending| ending == "itf") { stem.with_extension("") } else { stem };
    let page = stem.with_added_extension("html");
    if page == file { file.with_added_extension("html") } else { page }
}

/// What the settings say about processes and messages. What is wrong with them is told, and how the run ends then.
fn wishes(
    file: &Path,
    settings: &TraceSettingsArgs,
    console: &Console,
) -> io::Result<Result<Wishes, Ending>> {
    let mut sources = SourceMap::new();
    match project::read(file, settings.settings.as_deref(), &mut sources) {
        Ok(project) => Ok(Ok(project.trace.into())),
        Err(error) => {
            console.draw(Stream::Err, &sources, &error)?;
            Ok(Err(Ending::of(&error, false)))
        }
    }
}

fn diff(first: &Path, second: &Path, console: &Console) -> io::Result<Ending> {
    let (left, right) = (read(first, console)?, read(second, console)?);
    let (Some(left), Some(right)) = (left, right) else { return Ok(Ending::Unreadable) };
    match trace::compare(&left, &right, style(console)) {
        Some(differences) => {
            console.write(Stream::Out, &differences)?;
            Ok(Ending::Different)
        }
        None => {
            console.line(Stream::Out, "the traces are the same")?;
            Ok(Ending::Ok)
        }
    }
}

fn style(console: &Console) -> Style {
    Style { colour: console.has_colour(Stream::Out), ..Style::default() }
}

/// The trace in the file `path`; `None` when there is none, which is then said.
fn read(path: &Path, console: &Console) -> io::Result<Option<Trace>> {
    let mut sources = SourceMap::new();
    let read = read_text(path, &mut sources).and_then(|source| {
        let file = sources.file(source);
        itf::read(file.text()).map_err(|error| {
            let place = error.position.map(|position| {
                let at = offset(file.text(), position);
                Span::new(source, at..at)
            });
            Box::new(diagnostic(file.name(), &error, place))
        })
    });
    match read {
        Ok(trace) => Ok(Some(trace)),
        Err(error) => {
            console.draw(Stream::Err, &sources, &error)?;
            Ok(None)
        }
    }
}

/// The byte at `position`, or the last one before it that starts a character.
fn offset(text: &str, position: Position) -> usize {
    let before = text.split_inclusive('\n').take(position.line.saturating_sub(1));
    let line_start: usize = before.map(str::len).sum();
    let mut at = (line_start + position.column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn diagnostic(file: &str, error: &ItfError, place: Option<Span>) -> Diagnostic {
    let code = match error.kind {
        ItfErrorKind::Truncated | ItfErrorKind::NotJson => Code::TraceSyntax,
        ItfErrorKind::NotItf => Code::TraceShape,
    };
    let diagnostic = match place {
        Some(span) => Diagnostic::new(code, span, error.message.clone()),
        None if error.path.is_empty() => {
            Diagnostic::without_place(code, format!("`{file}` is no trace: {}", error.message))
        }
        None => {
            let headline = format!("`{file}` is no trace: at `{}`, {}", error.path, error.message);
            Diagnostic::without_place(code, headline)
        }
    };
    diagnostic.help(error.help.clone())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Position, offset, with_html_ending};

    #[test]
    fn a_page_stands_beside_its_trace() {
        let page = |file: &str| with_html_ending(Path::new(file));
        assert_eq!(page("a/run.itf.json"), Path::new("a/run.html"));
        assert_eq!(page("run.json"), Path::new("run.html"));
        assert_eq!(page("run"), Path::new("run.html"));
        assert_eq!(page("run.html"), Path::new("run.html.html"));
    }

    #[test]
    fn positions_lead_to_a_character() {
        let text = "ab\né€\n";
        let at = |line, column| offset(text, Position { line, column });
        assert_eq!([at(1, 1), at(1, 2), at(2, 1), at(2, 3), at(2, 4)], [0, 1, 3, 5, 5]);
        assert_eq!([at(1, 0), at(9, 9), at(2, 99)], [0, text.len(), text.len()]);
    }
}
