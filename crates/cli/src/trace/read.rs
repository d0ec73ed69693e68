//! Reads a trace in any format, with the help of its specification if the format leaves values ambiguous.

use std::io;
use std::path::Path;

use diag::{Code, Diagnostic, SourceMap, Span};
use setup::files::read_text;
use trace::Trace;
use trace::given::{self, TraceFile};
use trace::itf::{ItfError, ItfErrorKind, Position};
use trace::tlc_json::TlcTrace;

use crate::args::CheckFormatArg;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::kept::with_origin;
use crate::replayed::{self, Request};
use crate::trace::args::{TraceJob, TraceModelArgs};

/// The trace in the file `path`; `None` when there is none, which is then said.
pub fn file(path: &Path, console: &Console) -> io::Result<Option<TraceFile>> {
    let mut sources = SourceMap::new();
    let read = read_text(path, &mut sources).and_then(|source| {
        let file = sources.file(source);
        given::read(file.text()).map_err(|error| {
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

/// Reads the trace in the file `path` with its values. If it cannot be read, reports why, and stops with the ending for that.
pub(super) fn read_meaning(
    path: &Path,
    args: &TraceModelArgs,
    job: &TraceJob,
    console: &Console,
) -> Result<Trace, Stop> {
    match (file(path, console)?, args.model()) {
        (None, _) => Err(Ending::Unreadable.into()),
        (Some(TraceFile::Itf(trace)), _) if args.expr.is_empty() => Ok(*trace),
        (Some(TraceFile::Itf(trace)), None) => Ok(*trace),
        (Some(TraceFile::Tlc(trace)), None) => without_specification(path, &trace, console),
        (Some(file), Some(model)) => {
            let world = setup::world::machine(job.variables.clone(), args.sandbox.is_kept())?;
            let request = Request {
                model: &model,
                path,
                file: &file,
                world: &world,
                deadlock: None,
                expressions: &args.expr,
                format: CheckFormatArg::Text,
                seed: 0,
            };
            replay_trace(&request, console)
        }
    }
}

/// The trace as the specification has it, with what it says of itself.
fn replay_trace(request: &Request<'_>, console: &Console) -> Result<Trace, Stop> {
    let again = replayed::replay(request, console)?;
    if again.retraced.broken.is_some() {
        replayed::tell_break(request, &again, console)?;
        return Err(Ending::NoBehaviour.into());
    }
    if again.retraced.cut == Some(retrace::Cut::Behaviour) {
        let path = request.path.display();
        let line = format!("`{path}` can mean more behaviours of the specification than were looked at");
        console.line(Stream::Err, &line)?;
        return Err(Ending::Limit.into());
    }
    let trace = again.retraced.trace;
    Ok(match request.file {
        TraceFile::Tlc(_) => with_origin(request.model, &trace),
        TraceFile::Itf(given) => {
            let (finding, failure, about) =
                (given.finding.clone(), given.failure.clone(), given.about.clone());
            Trace { finding, failure, about, ..trace }
        }
    })
}

fn without_specification(path: &Path, trace: &TlcTrace, console: &Console) -> Result<Trace, Stop> {
    let (state, name) = match trace.without_specification() {
        Ok(trace) => return Ok(trace),
        Err(ambiguous) => ambiguous,
    };
    let headline = format!(
        "`{}` does not say what `{name}` is in state {state}: TLC's JSON has one form for several values",
        path.display()
    );
    let diagnostic = Diagnostic::without_place(Code::TraceUntyped, headline)
        .note("a set and a sequence are both arrays, a record and a function objects, a model value is a string")
        .help("name the specification that the trace is of with `--spec SPEC`, and `--config` if need be");
    Err(console.refuse(&SourceMap::new(), &diagnostic))
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
    use super::{Position, offset};

    #[test]
    fn positions_lead_to_a_character() {
        let text = "ab\né€\n";
        let at = |line, column| offset(text, Position { line, column });
        assert_eq!([at(1, 1), at(1, 2), at(2, 1), at(2, 3), at(2, 4)], [0, 1, 3, 5, 5]);
        assert_eq!([at(1, 0), at(9, 9), at(2, 99)], [0, text.len(), text.len()]);
    }
}
