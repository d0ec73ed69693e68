//! `specline eval`: the values of expressions.

pub mod args;
pub mod place;
pub mod tree;

use std::path::Path;

use ::eval::world::Machine;
use base::SystemClock;
use diag::{Diagnostics, SourceMap, render};
use explore::{Answer, Refused, RefusedKind, Session, Settings};
use sema::config::BoundConfig;
use sema::{DiskFiles, GeneratedRoot, LoadOptions, Loaded, Spec};
use setup::memory::{self, bytes};
use setup::read_model::{self, Read, worst};
use value::Atoms;

use self::args::{EvalArgs, EvalModelArgs, ValueFormatArg};
use crate::args::SandboxArgs;
use crate::console::{Console, Stream};
use crate::environment::{self, Environment};
use crate::exit::{Ending, Stop};
use crate::repl::{Repl, ReplKind, StepSource};
use crate::signals;

/// Modules whose definitions every expression can use. TLC's own prompt has these, too.
const MODULES: &[&str] =
    &["Integers", "Reals", "Sequences", "FiniteSets", "Bags", "TLC", "TLCExt", "Randomization"];

pub fn run(args: &EvalArgs, environment: &Environment, console: &Console) -> Result<Ending, Stop> {
    with_settings(args.model.sandbox, |settings, world| run_in(args, (settings, world), environment, console))
}

/// Calls `body` with the surroundings of evaluations.
pub fn with_settings(
    sandbox: SandboxArgs,
    body: impl FnOnce(&Settings<'_>, &Machine) -> Result<Ending, Stop>,
) -> Result<Ending, Stop> {
    let world = environment::world(sandbox.is_wanted())?;
    let interrupted = signals::watch()?;
    let clock = SystemClock::start();
    let settings = Settings {
        memory_bytes_max: bytes(memory::default_bytes()),
        seed: 0,
        interrupted: &interrupted,
        world: &world,
        clock: &clock,
    };
    body(&settings, &world)
}

fn run_in(
    args: &EvalArgs,
    (settings, world): (&Settings<'_>, &Machine),
    environment: &Environment,
    console: &Console,
) -> Result<Ending, Stop> {
    let LoadedModel { spec, config } = load(&args.model, console)?;
    // Evaluation recurses as deep as the expression does: give it room.
    base::on_deep_stack(model::STACK_BYTES, || {
        let atoms = Atoms::new();
        let states = spec.clone();
        let session = Session::new(spec, &config, atoms, settings);
        let mut repl = Repl::new(session, (ReplKind::Eval, args.model.input()), world, console);
        repl.format = args.format;
        if let Some(place) = &args.at {
            repl.load(place)?;
        }
        if let Some(expression) = &args.expression {
            return Ok(repl.evaluate(expression)?);
        }
        let source = StepSource { spec: &states, config: &config, atoms };
        let source = args.model.spec.is_some().then_some(source);
        repl.with_steps(source, settings, |repl, steps| match args.next {
            true => repl.show_next(steps),
            false => repl.read_lines(steps, environment),
        })
    })
}

/// A specification for expressions, and its configuration.
pub struct LoadedModel {
    pub spec: Spec,
    pub config: BoundConfig,
}

/// Loads what expressions can use. If that cannot be read, reports why.
pub fn load(args: &EvalModelArgs, console: &Console) -> Result<LoadedModel, Stop> {
    let standard = MODULES.iter().map(|&name| name.to_owned());
    let modules: Vec<String> = standard.chain(args.extends.iter().cloned()).collect();
    let Some(input) = args.input() else { return load_standard(args, modules, console) };
    let Read { spec, config, diagnostics } = read_model::read_knowing(&input, &[], &modules);
    draw(&spec.sources, &diagnostics, console)?;
    let Some(config) = config else { return Err(worst(&diagnostics).into()) };
    Ok(LoadedModel { spec, config })
}

/// Loads a module that has nothing but these modules.
fn load_standard(args: &EvalModelArgs, modules: Vec<String>, console: &Console) -> Result<LoadedModel, Stop> {
    let options = LoadOptions {
        library: args.sources.libraries.clone(),
        beside: modules.clone(),
        ..LoadOptions::default()
    };
    let text = "---- MODULE Expression ----\n====\n";
    let root = GeneratedRoot { origin: "eval", folder: Path::new("."), text };
    let Loaded { mut spec, diagnostics } = sema::load_generated(root, &options, &DiskFiles);
    draw(&spec.sources, &diagnostics, console)?;
    if diagnostics.has_errors() {
        return Err(worst(&diagnostics).into());
    }
    sema::know_modules(&mut spec, &modules);
    Ok(LoadedModel { spec, config: BoundConfig::default() })
}

fn draw(sources: &SourceMap, diagnostics: &Diagnostics, console: &Console) -> Result<(), Stop> {
    diagnostics.iter().try_for_each(|diagnostic| console.draw(Stream::Err, sources, diagnostic))?;
    Ok(())
}

/// Writes the value of an expression.
pub fn tell_answer(
    answer: &Answer,
    sources: &SourceMap,
    format: ValueFormatArg,
    console: &Console,
) -> std::io::Result<()> {
    answer.warnings.iter().try_for_each(|warning| console.draw(Stream::Err, sources, warning))?;
    if format == ValueFormatArg::Json {
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let printed = serde_json::Value::from(answer.printed.clone());
        let value = trace::itf::value_json(&answer.datum);
        let line = format!(
            r#"{{"kind":"value","text":{},"value":{value},"printed":{printed}}}"#,
            text(&answer.text)
        );
        return console.line(Stream::Out, &line);
    }
    for line in &answer.printed {
        console.line(Stream::Out, line)?;
    }
    match format {
        ValueFormatArg::Tree => console.line(Stream::Out, &tree::tree(&answer.datum)),
        ValueFormatArg::Text | ValueFormatArg::Json => console.line(Stream::Out, &answer.text),
    }
}

/// Writes why an expression has no value, and returns how that ends.
pub fn tell_refusal(
    refused: &Refused,
    sources: &SourceMap,
    format: ValueFormatArg,
    console: &Console,
) -> std::io::Result<Ending> {
    for line in refused.printed.iter().filter(|_| format != ValueFormatArg::Json) {
        console.line(Stream::Out, line)?;
    }
    for diagnostic in refused.diagnostics.iter() {
        match format {
            ValueFormatArg::Json => console.line(Stream::Out, &render::json(sources, diagnostic))?,
            ValueFormatArg::Text | ValueFormatArg::Tree => console.draw(Stream::Err, sources, diagnostic)?,
        }
    }
    Ok(match refused.kind {
        RefusedKind::Text => worst(&refused.diagnostics),
        RefusedKind::Interrupted => Ending::Interrupted,
        RefusedKind::NoValue => Ending::Undefined,
    })
}
