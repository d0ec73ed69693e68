//! `specline validate`: a log and a trace specification in; whether a behaviour explains the log, and if not, how far it can be
//! explained and what stands in the way.

mod log;
mod tell;

use std::io;

use base::SystemClock;
use check::{Aim, Answer, Engine, Model, Observer, Options, Reached, Search};
use diag::{Diagnostic, Diagnostics, SourceMap, render};
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use sema::config::{BoundConfig, Named};
use sema::{ExprText, Spec, define_state};
use validate::{LogSequence, Means, Reads, Verdict};
use value::Atoms;

use self::log::Log;
use self::tell::Told;
use crate::args::{CheckFormatArg, ModelArgs, ValidateArgs};
use crate::check::text::TextReport;
use crate::check::{bytes, ending};
use crate::console::{Console, Stream};
use crate::exit::Ending;
use crate::kept::Keeper;
use crate::memory;
use crate::model::{self, Read, worst};
use crate::settings::ValidateJob;
use crate::{expressions, signals};

pub fn run(job: &ValidateJob, console: &Console) -> io::Result<Ending> {
    let (args, model) = (&job.args, job.args.model());
    let keeper = match Keeper::new(&args.kept, &model, None, console)? {
        Ok(keeper) => keeper,
        Err(ending) => return Ok(ending),
    };
    let log = match Log::read(&args.log) {
        Ok(log) => log,
        Err(error) => return refused(args, &error, console),
    };
    let prepared = match Prepared::new(args, &model, console)? {
        Ok(prepared) => prepared,
        Err(ending) => return Ok(ending),
    };
    let variables = match log::variables(args, &prepared.reads, &job.variables) {
        Ok(variables) => variables,
        Err(error) => return refused(args, &error, console),
    };
    let (answer, reached) = prepared.search(job, variables, console)?;
    let means = Means {
        has_accept: args.accept.is_some(),
        has_postcondition: !prepared.program.postconditions.is_empty(),
        has_exit: prepared.reads.has_exit,
    };
    let verdict = match (reached.length, answer.outcome.is_ok()) {
        // Whatever the search says of it.
        (Some(0), true) => Verdict::Rejected,
        _ => validate::judge(&answer, &reached, means),
    };
    let told = Told { args, log: &log, spec: &prepared.spec, answer: &answer, reached: &reached, verdict };
    told.write(console)?;
    match &reached.trace {
        Some(trace) if verdict != Verdict::Other => keeper.keep_trace(trace, console)?,
        Some(_) | None => keeper.keep(&answer.outcome, console)?,
    }
    Ok(match verdict {
        Verdict::Accepted(_) => Ending::Ok,
        Verdict::Rejected => Ending::Rejected,
        Verdict::Other => ending::of(&answer.outcome),
        Verdict::NoAcceptance => Ending::ConfigError,
    })
}

/// Tells why there is no search.
fn refused(args: &ValidateArgs, error: &Diagnostic, console: &Console) -> io::Result<Ending> {
    draw(args, &SourceMap::new(), error, console)?;
    Ok(if error.code == diag::Code::LogEmpty { Ending::Rejected } else { Ending::of(error, false) })
}

/// In the form that was asked for.
fn draw(
    args: &ValidateArgs,
    sources: &SourceMap,
    diagnostic: &Diagnostic,
    console: &Console,
) -> io::Result<()> {
    match args.format {
        CheckFormatArg::Text => console.draw(Stream::Err, sources, diagnostic),
        CheckFormatArg::Json => console.line(Stream::Out, &render::json(sources, diagnostic)),
    }
}

/// A trace specification that is ready to run.
struct Prepared {
    spec: Spec,
    program: Program,
    reads: Reads,
    check_deadlock: bool,
    aim: Aim,
}

impl Prepared {
    fn new(
        args: &ValidateArgs,
        model: &ModelArgs,
        console: &Console,
    ) -> io::Result<Result<Prepared, Ending>> {
        let Read { mut spec, config, mut diagnostics } = model::read(model, &[]);
        let shown = &args.kept.trace_expr;
        let reads = validate::reads(&spec);
        let config = config
            .and_then(|config| expressions::with(&mut spec, config, shown, &mut diagnostics))
            .and_then(|config| asking(&mut spec, config, (args, &reads), &mut diagnostics));
        let lowered = config.map(|config| (lower(&spec, &config, Atoms::new()), config));
        let Some((Lowered { program, diagnostics: further }, config)) = lowered else {
            diagnostics.iter().try_for_each(|error| draw(args, &spec.sources, error, console))?;
            return Ok(Err(worst(&diagnostics)));
        };
        diagnostics.extend(further);
        diagnostics.iter().try_for_each(|error| draw(args, &spec.sources, error, console))?;
        if diagnostics.has_errors() {
            return Ok(Err(worst(&diagnostics)));
        }
        let aim = aim(&spec, &program, args, &reads);
        let check_deadlock = config.check_deadlock.unwrap_or(true);
        Ok(Ok(Prepared { spec, program, reads, check_deadlock, aim }))
    }

    fn search(
        &self,
        job: &ValidateJob,
        variables: Vec<(String, String)>,
        console: &Console,
    ) -> io::Result<(Answer, Reached)> {
        let interrupted = signals::watched()?;
        let (clock, world) = (SystemClock::start(), eval::world::Machine { environment: variables });
        let options = Options {
            search: Search::DepthFirst,
            engine: Engine::Auto,
            n_workers: 1,
            check_deadlock: self.check_deadlock,
            depth_max: None,
            states_max: None,
            time_max: job.args.time,
            memory_bytes_max: bytes(job.args.memory.unwrap_or_else(memory::default_bytes)),
            spill: None,
            violations_max: Some(1),
            seed: 0,
            counts_evaluations: false,
            checkpoints: None,
            interrupted: &interrupted,
            world: &world,
            clock: &clock,
        };
        let report = TextReport::observer(console, job.is_terminal, interrupted.clone());
        let observer: &dyn Observer = match job.args.format {
            CheckFormatArg::Text => &report,
            CheckFormatArg::Json => &check::Silent,
        };
        let model = Model { spec: &self.spec, program: &self.program };
        Ok(check::check_to(model, &options, &self.aim, observer))
    }
}

/// The configuration with what is asked on the way: the formula that accepts, and how many events there are.
fn asking(
    spec: &mut Spec,
    mut config: BoundConfig,
    (args, reads): (&ValidateArgs, &Reads),
    diagnostics: &mut Diagnostics,
) -> Option<BoundConfig> {
    let length = reads.sequence.as_ref().map(length_text);
    let wanted = args.accept.as_ref().map(|text| ("--accept", text.clone()));
    for (name, text) in wanted.into_iter().chain(length.map(|text| ("length", text))) {
        let module = spec.root;
        let text = ExprText { origin: name, text: &text, module, params: &[] };
        match define_state(spec, name, text) {
            Ok(def) => {
                let (name, span) = (spec.defs[def].name, spec.defs[def].span);
                config.asked.push(Named { name, span, def });
            }
            // Whether `Len` is what it is called in this module was a guess.
            Err(_) if name == "length" => {}
            Err(errors) => diagnostics.extend(errors),
        }
    }
    (!diagnostics.has_errors()).then_some(config)
}

fn length_text(sequence: &LogSequence) -> String {
    format!("Len({})", sequence.name)
}

/// What was asked, as the program has it: the formula first, if there is one.
fn aim(spec: &Spec, program: &Program, args: &ValidateArgs, reads: &Reads) -> Aim {
    let mut asked = program.asked.iter().copied();
    let accept = args.accept.as_ref().and_then(|_| asked.next());
    let length = asked.next();
    let is_cursor = |name: &str| reads.sequence.as_ref().is_some_and(|sequence| sequence.variable == name);
    let cursor = program.variables.iter().position(|&name| is_cursor(spec.names.text(name)));
    let kept = &args.kept;
    let is_kept = kept.trace.is_some() || kept.trace_tlc.is_some() || kept.trace_html.is_some();
    let keeps_accepting = is_kept || args.format == CheckFormatArg::Json;
    Aim { accept, cursor, length, keeps_accepting }
}
