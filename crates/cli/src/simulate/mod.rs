//! `specline simulate`: a specification and its configuration in, random walks, what they found out.

pub mod args;
mod json;
mod text;

use std::io;
use std::path::Path;

use base::SystemClock;
use diag::{Code, Diagnostic, Diagnostics, SourceMap};
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use model::{Model, Tally, Verdict};
use sema::config::{BoundConfig, Named};
use sema::{ExprText, Spec, define_state};
use setup::memory::{self, bytes};
use setup::read_model::{self, Read, worst};
use setup::{expressions, threads, with_files};
use simulate::{Mode, Observer, Options, Walks, simulate};
use value::Atoms;

use crate::args::CheckFormatArg;
use crate::check::{cannot_write, ending_after};
use crate::console::{Console, Stream};
use crate::environment::RunSetting;
use crate::exit::{Ending, Stop};
use crate::kept::{Keeper, with_origin};
use crate::project::{self, SimulateTable, is_weight};
use crate::simulate::args::{ModeArg, SimulateArgs, SimulateJob};
use crate::{coverage, hints, outputs, signals};

/// TLC's default depth of a walk.
const DEPTH: u32 = 100;

/// Writes the answer in one format.
trait Report: Observer {
    fn diagnostics(&self, spec: &Spec, diagnostics: &Diagnostics) -> io::Result<()>;
    fn answer(&self, spec: &Spec, answer: &simulate::Answer, told: Remarks<'_>) -> io::Result<()>;
    /// The first failure to write, if there was one.
    fn finish(&self) -> io::Result<()>;
}

/// Remarks besides the answer.
#[derive(Clone, Copy)]
struct Remarks<'a> {
    /// Number of violations of each property, if walks go on after one.
    tallies: &'a [Tally],
    /// Lints that may explain the answer.
    hints: &'a [Diagnostic],
}

/// Options of walks, from the command line and the settings file.
#[derive(Debug)]
pub struct Wishes {
    pub depth: u32,
    pub mode: Mode,
    view: Option<String>,
    pub weights: Vec<(String, f64)>,
}

pub fn run(job: &SimulateJob, console: &Console) -> Result<Ending, Stop> {
    if let Some(trouble) = unwritable_outputs(&job.args).or_else(|| threads::refuse(job.n_workers)) {
        console.draw(Stream::Err, &SourceMap::new(), &trouble)?;
        return Ok(Ending::Unreadable);
    }
    let mut written = job.args.kept.files();
    written.extend(job.args.coverage.files());
    if outputs::clashing(&written, &job.model, None, console)? {
        return Ok(Ending::BadUsage);
    }
    let keeper = Keeper::new(&job.args.kept, &job.model, job.args.settings.as_deref(), console)?;
    let files = coverage::Files::new(&job.args.coverage, &job.model, console)?;
    let mut sources = SourceMap::new();
    let wishes =
        project::read(&job.model.spec, job.args.settings.as_deref(), &mut sources).and_then(|project| {
            let args = &job.args;
            let given = GivenWishes {
                mode: args.mode,
                view: args.view.as_ref(),
                weights: &args.weights,
                depth: args.depth,
                own_depth: None,
            };
            wishes(given, project.simulate)
        });
    let wishes = wishes.map_err(|error| console.refuse(&sources, &error))?;
    let interrupted = signals::watch()?;
    let report: Box<dyn Report> = match job.args.format {
        CheckFormatArg::Text => Box::new(text::TextReport::new(console, job, interrupted.clone())),
        CheckFormatArg::Json => Box::new(json::JsonReport::new(console, job, interrupted.clone())),
    };
    let Read { mut spec, config, mut diagnostics } = read_model::read(&job.model, &[]);
    let config = config.and_then(|config| with_view(&mut spec, config, &wishes, &mut diagnostics));
    let wanted = &job.args.kept.trace_expr;
    let config = config.and_then(|config| expressions::with(&mut spec, config, wanted, &mut diagnostics));
    let Some(config) = config else {
        report.diagnostics(&spec, &diagnostics)?;
        return Ok(worst(&diagnostics));
    };
    let Lowered { program, diagnostics: lowered } = lower(&spec, &config, Atoms::new());
    diagnostics.extend(lowered);
    diagnostics.extend(warn_not_walked(&spec, &program));
    let model = Model { spec: &spec, program: &program };
    diagnostics.extend(unknown_actions(model, &wishes.weights));
    report.diagnostics(&spec, &diagnostics)?;
    if diagnostics.has_errors() {
        return Ok(worst(&diagnostics));
    }
    let clock = SystemClock::start();
    let options = options(
        job,
        &config,
        wishes,
        RunSetting { interrupted: &interrupted, clock: &clock, world: &job.world },
    );
    let mut answer = simulate(model, &options, &*report);
    let tallies = with_passed(&mut answer);
    let ending = coverage::RunEnding::of_walks(&answer.outcome);
    let is_counted = files.take(&spec, &mut answer.coverage, ending, console)?;
    let hints = hints::of(&spec, &config, &answer.outcome);
    let beside = Remarks { tallies: &tallies, hints: &hints };
    let written = report.answer(&spec, &answer, beside).and_then(|()| report.finish());
    keeper.keep(&answer.outcome, console)?;
    let ending = ending_after(written, &answer.outcome, console)?;
    Ok(with_files(ending, is_counted))
}

/// The answer is the first violation; what ended the walks after it is a diagnostic beside it, as of a search. How often
/// each property was violated.
fn with_passed(answer: &mut simulate::Answer) -> Vec<Tally> {
    let Some(passed) = answer.passed.take() else { return Vec::new() };
    answer.warnings.extend(crate::check::json::finding_diagnostic(&answer.outcome).cloned());
    answer.outcome = Ok(Verdict::Violated(passed.first));
    (answer.walk, answer.shortened) = (Some(passed.walk), passed.shortened);
    passed.tallies
}

fn options<'a>(
    job: &SimulateJob,
    config: &BoundConfig,
    wishes: Wishes,
    RunSetting { interrupted, clock, world }: RunSetting<'a>,
) -> Options<'a> {
    let args = &job.args;
    Options {
        mode: wishes.mode,
        walks: args.walk.map_or(Walks::First(args.walks), Walks::Only),
        depth: wishes.depth,
        n_workers: job.n_workers,
        engine: crate::check::engine(args.engine),
        check_deadlock: args.deadlock.wish().or(config.check_deadlock).unwrap_or(true),
        weights: wishes.weights,
        seed: args.seed,
        time_max: args.time,
        memory_bytes_max: bytes(args.memory.unwrap_or_else(memory::default_bytes)),
        minimises: args.minimise.is_on(),
        violations_max: args.go_on.map_or(Some(1), |n| (n > 0).then_some(n)),
        checks_properties: true,
        estimates_states: false,
        counts_flow: false,
        counts_evaluations: args.coverage.is_wanted(),
        tells_walks: args.dump.is_some(),
        interrupted,
        world,
        clock,
    }
}

/// Options of walks as the command line has them.
pub struct GivenWishes<'a> {
    pub mode: Option<ModeArg>,
    pub view: Option<&'a String>,
    pub weights: &'a [String],
    pub depth: Option<u32>,
    /// The depth without any option, if it is not TLC's.
    pub own_depth: Option<u32>,
}

/// Combines the command line with the settings file. For the depth, the command line takes precedence over a default that
/// is not TLC's, and that over the file.
pub fn wishes(given: GivenWishes<'_>, table: SimulateTable) -> Result<Wishes, Box<Diagnostic>> {
    let GivenWishes { mode, view, weights: weights_given, depth, own_depth } = given;
    let mut weights: Vec<(String, f64)> = table.weights.into_iter().collect();
    for text in weights_given {
        weights.push(weight(text)?);
    }
    let mode = mode.or(table.mode.map(|name| name.0)).unwrap_or(ModeArg::Uniform);
    Ok(Wishes {
        depth: depth.or(own_depth).or(table.depth).unwrap_or(DEPTH),
        mode: match mode {
            ModeArg::Uniform => Mode::Uniform,
            ModeArg::Successors => Mode::Successors,
            ModeArg::Learned => Mode::Learned,
            ModeArg::Coverage => Mode::Coverage,
        },
        view: view.cloned().or(table.view),
        weights,
    })
}

/// Reads the weight of an action: `Timeout=0.1`.
fn weight(text: &str) -> Result<(String, f64), Box<Diagnostic>> {
    let parsed = text.split_once('=').and_then(|(name, weight)| {
        let weight: f64 = weight.trim().parse().ok().filter(|weight| is_weight(*weight))?;
        Some((name.trim().to_owned(), weight))
    });
    parsed.ok_or_else(|| {
        let headline = format!("`--weight {text}` is not an action, `=` and a number of at least 0");
        Box::new(Diagnostic::without_place(Code::ProjectFile, headline))
    })
}

/// The configuration with the view of the command line or the file, if there is one.
fn with_view(
    spec: &mut Spec,
    mut config: BoundConfig,
    wishes: &Wishes,
    diagnostics: &mut Diagnostics,
) -> Option<BoundConfig> {
    if let Some(text) = &wishes.view {
        let module = spec.root;
        match define_state(spec, "view", ExprText { origin: "--view", text, module, params: &[] }) {
            Ok(def) => {
                let (name, span) = (spec.defs[def].name, spec.defs[def].span);
                config.view = Some(Named { name, span, def });
            }
            Err(errors) => diagnostics.extend(errors),
        }
    }
    (!diagnostics.has_errors()).then_some(config)
}

/// Returns an error for each weight of an action that does not exist.
pub fn unknown_actions(model: Model<'_>, weights: &[(String, f64)]) -> Diagnostics {
    let leaves = model.program.next.as_ref().map_or_else(Vec::new, |(tree, _)| tree.leaves());
    let of_steps: Vec<String> = leaves.iter().flat_map(|leaf| model::step_names(model, leaf)).collect();
    let own = leaves.iter().map(|leaf| model.spec.names.text(leaf.name));
    let names: Vec<&str> = of_steps.iter().map(String::as_str).chain(own).collect();
    let mut diagnostics = Diagnostics::new();
    for (name, _) in weights.iter().filter(|(name, _)| !names.contains(&name.as_str())) {
        let headline = format!("a weight is given to `{name}`, and there is no such action");
        let diagnostic = Diagnostic::without_place(Code::UnknownAction, headline);
        diagnostics.push(match base::nearest(name, names.iter().copied()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic,
        });
    }
    diagnostics
}

/// Checks before the walks that the files can be written after them; returns the error if not.
fn unwritable_outputs(args: &SimulateArgs) -> Option<Diagnostic> {
    args.dump.as_deref().and_then(|folder| {
        let made = std::fs::create_dir_all(folder);
        made.err().map(|error| cannot_write(folder, &error.to_string()))
    })
}

/// Writes a walk to the folder of `--dump`.
fn dump(job: &SimulateJob, folder: &Path, (number, trace): (u64, &trace::Trace)) -> io::Result<()> {
    let text = trace::itf::write(&with_origin(&job.model, trace));
    std::fs::write(folder.join(format!("walk-{number}.itf.json")), text)
}

/// TLC: properties of initial states are not looked at.
fn warn_not_walked(spec: &Spec, program: &Program) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for root in &program.implied_inits {
        let name = model::root_name(spec, root);
        let headline = format!("`{name}` is about initial states alone: random walks do not look at it");
        diagnostics.push(Diagnostic::new(Code::TemporalNotWalked, root.span, headline));
    }
    diagnostics
}
