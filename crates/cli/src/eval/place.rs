//! A state of a trace file, with the exact values of its variables.

use std::path::Path;

use diag::{Code, Diagnostic, SourceMap};
use eval::world::Machine;
use setup::ModelInput;
use trace::Trace;
use trace::given::TraceFile;

use super::args::TracePlace;
use crate::args::CheckFormatArg;
use crate::console::Console;
use crate::exit::{Ending, Stop};
use crate::replayed::{self, Request};

/// Reads the trace of a place. Traces of other tools do not say exactly what each value is: they are run again, and the
/// specification says it.
pub fn read(
    place: &TracePlace,
    input: Option<&ModelInput>,
    world: &Machine,
    console: &Console,
) -> Result<Trace, Stop> {
    let path = &place.trace;
    let Some(file) = crate::trace::file(path, console)? else { return Err(Ending::Unreadable.into()) };
    let trace = match (file, input) {
        (TraceFile::Itf(trace), _) if is_ours(&trace) => *trace,
        (TraceFile::Itf(trace), None) => *trace,
        (file, Some(input)) => run_again(path, &file, (input, world), console)?,
        (TraceFile::Tlc(trace), None) => match trace.without_specification() {
            Ok(trace) => trace,
            Err((_, name)) => {
                let headline = format!("`{}` does not say what `{name}` is", path.display());
                let told = Diagnostic::without_place(Code::TraceUntyped, headline)
                    .help("name the specification with `-m SPEC`");
                return Err(console.refuse(&SourceMap::new(), &told));
            }
        },
    };
    if trace.states.len() < place.state {
        let headline =
            format!("`{}` has {} states, and no state {}", path.display(), trace.states.len(), place.state);
        let told = Diagnostic::without_place(Code::NoState, headline).help("states are counted from 1");
        return Err(console.refuse(&SourceMap::new(), &told));
    }
    Ok(trace)
}

fn is_ours(trace: &Trace) -> bool {
    trace.about.tool.as_ref().is_some_and(|tool| tool.starts_with("specline"))
}

fn run_again(
    path: &Path,
    file: &TraceFile,
    (input, world): (&ModelInput, &Machine),
    console: &Console,
) -> Result<Trace, Stop> {
    let request = Request {
        model: input,
        path,
        file,
        world,
        deadlock: None,
        expressions: &[],
        format: CheckFormatArg::Text,
        seed: 0,
    };
    let again = replayed::replay(&request, console)?;
    if again.retraced.broken.is_some() {
        replayed::tell_break(&request, &again, console)?;
        return Err(Ending::NoBehaviour.into());
    }
    Ok(again.retraced.trace)
}
