//! `specline trace`: shows a trace that was kept, in another form if need be, and compares two.

pub mod args;
mod read;

use std::path::{Path, PathBuf};

use diag::{Code, Diagnostic, SourceMap};
use trace::diagram::{self, Diagram, Wishes};
use trace::{Style, Trace, itf, tlc_json};

use crate::args::CheckFormatArg;
use crate::check::cannot_write;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::trace::args::{
    TraceCommand, TraceDiffArgs, TraceFormatArg, TraceHtmlArgs, TraceJob, TraceSettingsArgs, TraceShowArgs,
};
use crate::{kept, outputs, project};
use read::read_meaning;

pub use read::file;

pub fn run(job: &TraceJob, console: &Console) -> Result<Ending, Stop> {
    match &job.command {
        TraceCommand::Show(args) => show(args, job, console),
        TraceCommand::Html(args) => html(args, job, console),
        TraceCommand::Diff(args) => diff(args, job, console),
    }
}

fn show(args: &TraceShowArgs, job: &TraceJob, console: &Console) -> Result<Ending, Stop> {
    let trace = read_meaning(&args.file, &args.model, job, console)?;
    let text = match args.format {
        TraceFormatArg::Text => trace::story(&trace, Style { full: args.full, ..style(console) }),
        TraceFormatArg::Tlc => trace::tlc(&trace),
        TraceFormatArg::TlcJson => tlc_json::write(&trace),
        TraceFormatArg::Itf => itf::write(&trace),
        TraceFormatArg::Json => format!("{}\n", trace::json(&trace, args.full)),
        TraceFormatArg::Mermaid => draw_lanes(&trace, args, diagram::mermaid, console)?,
        TraceFormatArg::Plantuml => draw_lanes(&trace, args, diagram::plantuml, console)?,
        TraceFormatArg::Shiviz => draw_lanes(&trace, args, diagram::shiviz, console)?,
    };
    console.write(Stream::Out, &text)?;
    Ok(Ending::Ok)
}

/// Returns a trace as lanes. If there are none, reports why, and stops with the ending for that.
fn draw_lanes(
    trace: &Trace,
    args: &TraceShowArgs,
    form: fn(&Trace, &Diagram) -> String,
    console: &Console,
) -> Result<String, Stop> {
    let wishes = wishes(&args.file, &args.settings, console)?;
    if let Some(diagram) = Diagram::new(trace, &wishes) {
        return Ok(form(trace, &diagram));
    }
    let headline = format!("no processes are known in `{}`, so there are no lanes", args.file.display());
    let help = "say what they are with `processes` in the table `[trace]` of `specline.toml`";
    let diagnostic = Diagnostic::without_place(Code::TraceWithoutProcesses, headline).help(help);
    Err(console.refuse(&SourceMap::new(), &diagnostic))
}

fn html(args: &TraceHtmlArgs, job: &TraceJob, console: &Console) -> Result<Ending, Stop> {
    let out = args.out.clone().unwrap_or_else(|| with_html_ending(&args.file));
    let written = [("--out", &out)];
    let mut read = args.model.model().map_or_else(Vec::new, |model| outputs::read(&model, &written));
    read.push(("the trace", args.file.clone()));
    if let Some(twice) = outputs::clash(&written, &read) {
        console.draw(Stream::Err, &SourceMap::new(), &twice)?;
        return Ok(Ending::BadUsage);
    }
    let trace = read_meaning(&args.file, &args.model, job, console)?;
    let wishes = wishes(&args.file, &args.settings, console)?;
    if let Err(error) = std::fs::write(&out, kept::page(&trace, &wishes)) {
        let diagnostic = cannot_write(&out, &error.to_string());
        console.draw(Stream::Err, &SourceMap::new(), &diagnostic)?;
        return Ok(Ending::Unreadable);
    }
    console.line(Stream::Out, &format!("{}", out.display()))?;
    Ok(Ending::Ok)
}

/// Returns the default path of a page: `run.html` for `run.itf.json`. It is never the trace itself.
pub fn with_html_ending(file: &Path) -> PathBuf {
    let stem = file.with_extension("");
    let stem =
        if stem.extension().is_some_and(|ending| ending == "itf") { stem.with_extension("") } else { stem };
    let page = stem.with_added_extension("html");
    if page == file { file.with_added_extension("html") } else { page }
}

/// Reads the settings on processes and messages. Errors in them are reported, and determine how the run ends.
fn wishes(file: &Path, settings: &TraceSettingsArgs, console: &Console) -> Result<Wishes, Stop> {
    let mut sources = SourceMap::new();
    let read = project::read(file, settings.settings.as_deref(), &mut sources);
    read.map(|project| project.trace.into()).map_err(|error| console.refuse(&sources, &error))
}

fn diff(args: &TraceDiffArgs, job: &TraceJob, console: &Console) -> Result<Ending, Stop> {
    let read = |file: &Path| read_meaning(file, &args.model, job, console);
    // Both are read before the first that is wrong ends the run, so that errors in both are reported.
    let (left, right) = (read(&args.first), read(&args.second));
    let (left, right) = (left?, right?);
    let differences = trace::compare(&left, &right, style(console));
    match (args.format, &differences) {
        (CheckFormatArg::Json, _) => console.line(Stream::Out, &trace::compare_json(&left, &right))?,
        (CheckFormatArg::Text, Some(differences)) => console.write(Stream::Out, differences)?,
        (CheckFormatArg::Text, None) => console.line(Stream::Out, "the traces are the same")?,
    }
    Ok(if differences.is_some() { Ending::Different } else { Ending::Ok })
}

fn style(console: &Console) -> Style {
    Style { colour: console.has_colour(Stream::Out), ..Style::default() }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::with_html_ending;

    #[test]
    fn a_page_stands_beside_its_trace() {
        let page = |file: &str| with_html_ending(Path::new(file));
        assert_eq!(page("a/run.itf.json"), Path::new("a/run.html"));
        assert_eq!(page("run.json"), Path::new("run.html"));
        assert_eq!(page("run"), Path::new("run.html"));
        assert_eq!(page("run.html"), Path::new("run.html.html"));
    }
}
