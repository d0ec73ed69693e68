//! `--dump`: the graph of what a search has found, as a file; and `specline graph`, which draws a small one.

use std::io;
use std::path::{Path, PathBuf};

use check::{Answer, GraphWish, Options, no_graph, state_graph};
use clap::{Args, ValueEnum};
use diag::{Code, Diagnostic, SourceMap};
use model::Model;
use report::graph::{
    Filter, STATES_DRAWN_MAX, STEPS_DRAWN_MAX, StateGraph, TooLarge, dot, graphml, html, to_json,
};
use setup::ModelInput;
use setup::files::read_text;
use setup::words::{counted, grouped};

use crate::check::cannot_write;
use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};
use crate::kept::unwritable;
use crate::outputs;
use crate::trace::with_html_ending;

#[derive(Args, Debug)]
pub struct GraphArgs {
    /// A graph as `check --dump graph.json` writes it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// File for the page. Default: FILE with the ending `.html`
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Options for the graph of a search: its file, its format, and which states and steps it shows.
#[derive(Args, Debug)]
pub struct DumpArgs {
    /// Write the graph of all states that were found to this file
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,

    /// The form of the graph. Default: by the ending of FILE: `.dot` or `.gv`, `.json`, `.graphml`
    #[arg(long, value_enum, value_name = "FORMAT", requires = "dump")]
    pub dump_format: Option<DumpFormatArg>,

    /// Write at most the first N states
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "dump", value_parser = clap::value_parser!(u32).range(1..))]
    pub dump_max: u32,

    /// Show only these variables; several are separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "dump")]
    pub dump_variables: Vec<String>,

    /// Write only steps of these actions, and the states at their ends; several are separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "dump")]
    pub dump_actions: Vec<String>,

    /// Write only states up to this level; an initial state has level 1
    #[arg(long, value_name = "LEVEL", requires = "dump", value_parser = clap::value_parser!(u32).range(1..))]
    pub dump_depth: Option<u32>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpFormatArg {
    /// For Graphviz
    Dot,
    /// For programs, and for `specline graph`: docs/graphs.md
    Json,
    /// For graph tools
    Graphml,
}

impl Run for GraphArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        Ok(draw(&self, console)?)
    }
}

/// Writes the graph of a search where it is to be kept.
pub struct Dumper<'a> {
    args: &'a DumpArgs,
    model: &'a ModelInput,
    /// The file and its format.
    target: Option<(&'a PathBuf, DumpFormatArg)>,
}

impl<'a> Dumper<'a> {
    /// Checks before a long run that every output file can be written; reports it and stops if one cannot.
    pub fn new(args: &'a DumpArgs, model: &'a ModelInput, console: &Console) -> Result<Dumper<'a>, Stop> {
        let trouble = args.dump.as_ref().and_then(|path| unwritable(path).or_else(|| formless(args, path)));
        if let Some(trouble) = trouble {
            return Err(console.refuse(&SourceMap::new(), &trouble));
        }
        let target = args.dump.as_ref().and_then(|path| Some((path, form(args, path)?)));
        Ok(Dumper { args, model, target })
    }

    /// Returns why there can be no such graph of a model. This is known before the search.
    pub fn refusal(&self, model: Model<'_>, options: &Options<'_>) -> Option<Box<Diagnostic>> {
        self.target?;
        self.unknown_name(model).or_else(|| no_graph(model, options))
    }

    /// Returns an error if the options name a variable or an action that does not exist.
    fn unknown_name(&self, model: Model<'_>) -> Option<Box<Diagnostic>> {
        let text = |name| model.spec.names.text(name);
        let variables: Vec<&str> = model.program.variables.iter().map(|&name| text(name)).collect();
        let definitions: Vec<&str> = model.spec.defs.iter().map(|def| text(def.name)).collect();
        let unknown = |names: &[String], known: &[&str], what: &str| {
            let name = names.iter().find(|name| !known.contains(&name.as_str()))?;
            let headline =
                format!("`--dump-{what}` names `{name}`, and there is no such {}", &what[..what.len() - 1]);
            let diagnostic = Diagnostic::without_place(Code::UnknownAction, headline);
            Some(Box::new(match base::nearest(name, known.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic,
            }))
        };
        unknown(&self.args.dump_variables, &variables, "variables")
            .or_else(|| unknown(&self.args.dump_actions, &definitions, "actions"))
    }

    /// Writes the graph, and returns whether it could. A failure is reported, and does not change the answer.
    pub fn write(
        &self,
        model: Model<'_>,
        options: &Options<'_>,
        answer: &Answer,
        console: &Console,
    ) -> io::Result<bool> {
        let Some((path, form)) = self.target else { return Ok(true) };
        let marks_violations = !matches!(answer.outcome, Ok(model::Verdict::Holds));
        let states_max = self.args.dump_max as usize;
        let wish = GraphWish { states_max, marks_violations, keeps_outside: false };
        let graph = match state_graph(model, options, (wish, answer.counts)) {
            Ok(graph) => graph,
            Err(error) => return console.draw(Stream::Err, &model.spec.sources, &error).map(|()| false),
        };
        let graph = self.filter().apply(StateGraph { spec: self.model.spec.display().to_string(), ..graph });
        let text = match form {
            DumpFormatArg::Dot => dot(&graph),
            DumpFormatArg::Json => to_json(&graph),
            DumpFormatArg::Graphml => graphml(&graph),
        };
        if let Err(error) = std::fs::write(path, text) {
            let trouble = cannot_write(path, &error.to_string());
            return console.draw(Stream::Err, &SourceMap::new(), &trouble).map(|()| false);
        }
        let is_shown =
            |name: &base::Name| self.args.dump_variables.contains(&model.spec.names.text(*name).to_owned());
        let shows_all = self.args.dump_variables.is_empty() || model.program.variables.iter().all(is_shown);
        match warn_incomplete(path, &graph, shows_all) {
            Some(warning) => console.draw(Stream::Err, &SourceMap::new(), &warning).map(|()| true),
            None => Ok(true),
        }
    }

    fn filter(&self) -> Filter {
        Filter {
            variables: self.args.dump_variables.clone(),
            actions: self.args.dump_actions.clone(),
            level_max: self.args.dump_depth,
        }
    }
}

/// Warns about a graph that does not have everything.
fn warn_incomplete(path: &Path, graph: &StateGraph, shows_all: bool) -> Option<Diagnostic> {
    let lacks = match (graph.is_complete, shows_all) {
        (true, true) => return None,
        (true, false) => "does not show every variable",
        (false, _) => "is not complete",
    };
    let n_states = counted(graph.states.len() as u64, "state");
    let n_steps = counted(graph.steps.len() as u64, "step");
    let headline = format!("the graph in `{}` {lacks}: {n_states}, {n_steps}", path.display());
    let warning = Diagnostic::without_place(Code::GraphCut, headline);
    Some(graph.notes.iter().fold(warning, |warning, note| warning.note(note.clone())))
}

fn form(args: &DumpArgs, path: &Path) -> Option<DumpFormatArg> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    args.dump_format.or(match ending {
        Some("dot" | "gv") => Some(DumpFormatArg::Dot),
        Some("json") => Some(DumpFormatArg::Json),
        Some("graphml") => Some(DumpFormatArg::Graphml),
        Some(_) | None => None,
    })
}

fn formless(args: &DumpArgs, path: &Path) -> Option<Diagnostic> {
    let reason = "its ending is none of `.dot`, `.gv`, `.json` and `.graphml`";
    let help = "say `--dump-format dot`, `json` or `graphml`";
    form(args, path).is_none().then(|| cannot_write(path, reason).help(help))
}

/// Runs `specline graph`: draws the graph of a file as a page.
fn draw(args: &GraphArgs, console: &Console) -> io::Result<Ending> {
    let mut sources = SourceMap::new();
    let page = read(&args.file, &mut sources)
        .and_then(|graph| html(&graph).map_err(|too_large| Box::new(refusal(&args.file, too_large))));
    let page = match page {
        Ok(page) => page,
        Err(error) => {
            console.draw(Stream::Err, &sources, &error)?;
            return Ok(Ending::of(&error, false));
        }
    };
    let out = args.out.clone().unwrap_or_else(|| with_html_ending(&args.file));
    if let Some(over) = outputs::clash(&[("--out", &out)], &[("the graph", &args.file)]) {
        console.draw(Stream::Err, &SourceMap::new(), &over)?;
        return Ok(Ending::BadUsage);
    }
    if let Err(error) = std::fs::write(&out, page) {
        console.draw(Stream::Err, &SourceMap::new(), &cannot_write(&out, &error.to_string()))?;
        return Ok(Ending::Unreadable);
    }
    console.line(Stream::Out, &out.display().to_string())?;
    Ok(Ending::Ok)
}

fn read(path: &Path, sources: &mut SourceMap) -> Result<StateGraph, Box<Diagnostic>> {
    let source = read_text(path, sources)?;
    report::graph::read(sources.file(source).text()).map_err(|error| {
        let headline = format!("`{}` is no state graph: {}", path.display(), error.message);
        let help = "`specline check --dump graph.json` writes one";
        Box::new(Diagnostic::without_place(Code::GraphFile, headline).help(help))
    })
}

fn refusal(path: &Path, TooLarge { n_states, n_steps }: TooLarge) -> Diagnostic {
    let headline = format!(
        "the graph in `{}` is too large to draw: {} and {}, {STATES_DRAWN_MAX} and {} at most",
        path.display(),
        counted(n_states as u64, "state"),
        counted(n_steps as u64, "step"),
        grouped(STEPS_DRAWN_MAX as u64),
    );
    let help = "write a part of it, with `--dump-depth`, `--dump-max` or `--dump-actions`; or use Graphviz";
    Diagnostic::without_place(Code::GraphTooLarge, headline).help(help)
}
