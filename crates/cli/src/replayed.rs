//! A trace run again against its specification: for `check --load`, and for traces whose form says less than they mean.

use std::io;
use std::path::Path;

use base::SystemClock;
use diag::{Code, Diagnostic, Diagnostics, SourceMap, render};
use eval::lower::{Lowered, lower};
use model::Model;
use retrace::{Break, BreakKind, Near, Options, Retraced, retrace};
use sema::Spec;
use setup::memory::{self, bytes};
use setup::read_model::{self, Read, worst};
use setup::{ModelInput, ending_of, expressions};
use trace::Style;
use trace::given::{Given, TraceFile};
use value::Atoms;

use crate::args::CheckFormatArg;
use crate::check::json;
use crate::check::text::Teller;
use crate::console::{Console, Stream};
use crate::exit::{Ending, Stop};
use crate::signals;

/// A trace to run again, with the options for it.
pub struct Request<'a> {
    pub model: &'a ModelInput,
    /// The trace.
    pub path: &'a Path,
    pub file: &'a TraceFile,
    /// The environment, for specifications that ask for it.
    pub world: &'a eval::world::Machine,
    /// Whether a state without successors is an error; without it the configuration says.
    pub deadlock: Option<bool>,
    /// Expressions to evaluate in each state.
    pub expressions: &'a [String],
    pub format: CheckFormatArg,
    /// The seed of random operators.
    pub seed: u64,
}

impl Request<'_> {
    /// Writes a diagnostic in the format that was asked for.
    fn draw(&self, sources: &SourceMap, diagnostic: &Diagnostic, console: &Console) -> io::Result<()> {
        match self.format {
            CheckFormatArg::Text => console.draw(Stream::Err, sources, diagnostic),
            CheckFormatArg::Json => console.line(Stream::Out, &render::json(sources, diagnostic)),
        }
    }
}

/// A trace that was run again.
pub struct Again {
    pub spec: Spec,
    pub retraced: Retraced,
}

/// Runs it. If it cannot be run, reports why, and stops with the ending for that.
pub fn replay(request: &Request<'_>, console: &Console) -> Result<Again, Stop> {
    let draw = |spec: &Spec, diagnostics: &Diagnostics| {
        diagnostics.iter().try_for_each(|diagnostic| request.draw(&spec.sources, diagnostic, console))
    };
    let Read { mut spec, config, mut diagnostics } = read_model::read(request.model, &[]);
    let config =
        config.and_then(|config| expressions::with(&mut spec, config, request.expressions, &mut diagnostics));
    let Some(config) = config else {
        draw(&spec, &diagnostics)?;
        return Err(worst(&diagnostics).into());
    };
    let Lowered { program, diagnostics: lowered } = lower(&spec, &config, Atoms::new());
    diagnostics.extend(lowered);
    draw(&spec, &diagnostics)?;
    if diagnostics.has_errors() {
        return Err(worst(&diagnostics).into());
    }
    let given = Given::from(request.file);
    let names: Vec<&str> = program.variables.iter().map(|&name| spec.names.text(name)).collect();
    if let Some(foreign) = foreign(request.path, &given, &names).filter(|_| program.alias.is_none()) {
        request.draw(&SourceMap::new(), &foreign, console)?;
        return Err(Ending::of(&foreign, false).into());
    }
    let interrupted = signals::watch()?;
    let clock = SystemClock::start();
    let options = Options {
        check_deadlock: request.deadlock.or(config.check_deadlock).unwrap_or(true),
        memory_bytes_max: bytes(memory::default_bytes()),
        seed: request.seed,
        finding: setup::finding_of(request.file),
        interrupted: &interrupted,
        world: request.world,
        clock: &clock,
    };
    match retrace(Model { spec: &spec, program: &program }, &options, &given) {
        Ok(retraced) => Ok(Again { spec, retraced }),
        Err(early) => {
            let outcome = early.outcome();
            match request.format {
                CheckFormatArg::Text => {
                    Teller { console, width: Style::default().width }.finding(&spec, &outcome)?;
                }
                CheckFormatArg::Json => {
                    if let Some(told) = json::finding_diagnostic(&outcome) {
                        request.draw(&spec.sources, told, console)?;
                    }
                    let (word, _) = json::verdict(&outcome);
                    let answer = serde_json::json!({ "kind": "answer", "verdict": word });
                    console.line(Stream::Out, &answer.to_string())?;
                }
            }
            Err(ending_of(&outcome).into())
        }
    }
}

/// A trace that has nothing of this specification.
pub fn foreign(path: &Path, given: &Given, names: &[&str]) -> Option<Diagnostic> {
    let path = path.display();
    if names.iter().any(|name| given.variables.iter().any(|known| known == name)) {
        return None;
    }
    let headline = format!("`{path}` has none of the variables of the specification");
    let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let given: Vec<&str> = given.variables.iter().map(String::as_str).collect();
    let has = if given.is_empty() { "no variables".to_owned() } else { list(&given) };
    let diagnostic = Diagnostic::without_place(Code::TraceForeign, headline)
        .note(format!("the trace has {has}, the specification has {}", list(names)))
        .help("a trace that was shown by an ALIAS needs the configuration with that ALIAS");
    Some(diagnostic)
}

/// Says why a trace is no behaviour.
pub fn tell_break(request: &Request<'_>, again: &Again, console: &Console) -> io::Result<()> {
    let Some(broken) = &again.retraced.broken else { return Ok(()) };
    let diagnostic = break_diagnostic(request, broken);
    console.draw(Stream::Out, &SourceMap::new(), &diagnostic)?;
    let style = Style { colour: console.has_colour(Stream::Out), ..Style::default() };
    if let Some((step, failure)) = &broken.conjunct {
        let heading = format!("What keeps it from being {}", trace::step_text(step));
        console.write(Stream::Out, &format!("{}\n", trace::failure_text(failure, &heading, style)))?;
    }
    if let Some(error) = &broken.error {
        console.draw(Stream::Out, &again.spec.sources, error)?;
    }
    let n_told = broken.nearest.len();
    let state = state_of_break(broken);
    let at = match broken.kind {
        BreakKind::Initial | BreakKind::Step => format!("in the place of state {state}"),
        BreakKind::Back => format!("after state {state}"),
    };
    if broken.n_possible == 0 {
        return console.line(Stream::Out, &format!("No state can be {at}."));
    }
    let which = if n_told < broken.n_possible {
        format!("the nearest {n_told} of {}", broken.n_possible)
    } else {
        "all there are".to_owned()
    };
    let heading = format!("What can be {at}, {which} (in the trace -> by the specification):");
    console.line(Stream::Out, &heading)?;
    for near in &broken.nearest {
        let text = trace::state_changes(
            &again.retraced.trace.variables,
            &as_far_as_told(broken, near),
            &near.state,
            style,
        );
        let head = if near.state.step.is_none() { "  an initial state\n" } else { "" };
        console.write(Stream::Out, &format!("{head}{text}"))?;
    }
    Ok(())
}

/// The state that cannot be, from 1.
fn state_of_break(broken: &Break) -> usize {
    broken.state + 1
}

/// The state of the trace, with the values of another one where it says nothing, or says the same in a form of its own.
pub fn as_far_as_told(broken: &Break, near: &Near) -> trace::State {
    let value = |(index, wanted): (usize, &Option<trace::Datum>)| match wanted {
        Some(wanted) if near.differs.contains(&index) => Some(wanted.clone()),
        Some(_) | None => near.state.values.get(index).cloned().flatten(),
    };
    trace::State { step: None, values: broken.wanted.values.iter().enumerate().map(value).collect() }
}

pub fn break_diagnostic(request: &Request<'_>, broken: &Break) -> Diagnostic {
    break_diagnostic_of((request.path, &request.model.spec), broken)
}

/// Describes where a trace, given by its path, is no behaviour of a specification.
pub fn break_diagnostic_of((path, spec): (&Path, &Path), broken: &Break) -> Diagnostic {
    let spec = spec.display();
    let state = state_of_break(broken);
    let what = match broken.kind {
        BreakKind::Initial => "state 1 is no initial state".to_owned(),
        BreakKind::Step => format!("no step leads from state {} to state {state}", state - 1),
        BreakKind::Back => format!("no step leads from state {state} back to where the trace goes on"),
    };
    let headline = format!("`{}` is no behaviour of `{spec}`: {what}", path.display());
    let diagnostic = Diagnostic::without_place(Code::TraceNoBehaviour, headline);
    match &broken.action {
        None => diagnostic,
        Some(action) if broken.is_action_known => {
            diagnostic.note(format!("the trace calls this step `{action}`"))
        }
        Some(action) => {
            diagnostic.note(format!("the trace calls this step `{action}`, and there is no such action"))
        }
    }
}
