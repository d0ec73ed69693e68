//! `specline validate SPEC --map FILE`: a specification that knows nothing of logs, and a mapping that says what their events
//! stand for.

mod draft;
mod tell;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::SystemClock;
use check::Model;
use diag::{Code, Diagnostic, Diagnostics, Span};
use eval::ir::Program;
use eval::lower::{Lowered, lower};
use sema::Spec;
use validate::map::Map;
use validate::outcome::Outcome;
use validate::plan::{Plan, plan};
use validate::{LogInput, Options, Trouble, Validation};
use value::Atoms;

pub use draft::draft;

use self::tell::{Run, Telling};
use super::{draw, log, refused};
use crate::args::{CheckFormatArg, ValidateArgs};
use crate::check::{bytes, ending};
use crate::console::Console;
use crate::exit::Ending;
use crate::kept::Keeper;
use crate::model::{self, Read, worst};
use crate::settings::ValidateJob;
use crate::{memory, signals};

/// A specification with a mapping in it, ready to follow logs.
struct Mapped {
    spec: Spec,
    program: Program,
    map: Map,
    plan: Plan,
}

pub fn run(job: &ValidateJob, path: &Path, console: &Console) -> io::Result<Ending> {
    let args = &job.args;
    let runs = match runs(&args.logs) {
        Ok(runs) => runs,
        Err(error) => return refused(args, &error, console),
    };
    let model = args.model();
    let keeper = match Keeper::new(&args.kept, &model, None, console)? {
        Ok(keeper) => keeper,
        Err(ending) => return Ok(ending),
    };
    if runs.len() > 1 && !args.kept.files().is_empty() {
        return super::misused(
            "a trace can be kept of one run only; `--format json` has those of all",
            console,
        );
    }
    let mapped = match prepare(args, path, console)? {
        Ok(mapped) => mapped,
        Err(ending) => return Ok(ending),
    };
    let interrupted = signals::watched()?;
    let telling = Telling { args, mapped: &mapped, console, map_path: path };
    let mut endings = Vec::new();
    let (mut rule_uses, mut n_rejected) = (vec![0; mapped.plan.rules.len()], 0);
    for files in &runs {
        let followed = followed(job, &mapped, files, &interrupted);
        let run = Run { files, followed: &followed };
        telling.run(&run)?;
        if let Ok(validation) = &followed {
            let uses = rule_uses.iter_mut().zip(&validation.rule_uses);
            uses.for_each(|(all, uses): (&mut u64, &u64)| *all += uses);
            n_rejected += usize::from(matches!(validation.outcome, Outcome::Rejected(_)));
            if let Some(trace) = tell::trace_of(&validation.outcome) {
                keeper.keep_trace(trace, console)?;
            }
        }
        endings.push(ended(&followed));
    }
    if n_rejected == 0 && endings.iter().all(|ending| *ending == Ending::Ok) {
        telling.unused(&rule_uses)?;
    }
    let worst = endings.iter().copied().max().unwrap_or(Ending::Ok);
    telling.summary(&endings, worst)?;
    Ok(worst)
}

/// The files of each run: those that are named together, and those of each folder.
fn runs(paths: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, Box<Diagnostic>> {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| path.is_dir());
    let mut runs = Vec::new();
    if !files.is_empty() {
        runs.push(files.into_iter().cloned().collect());
    }
    for folder in folders {
        runs.push(log::listed(std::slice::from_ref(folder))?);
    }
    Ok(runs)
}

/// Reads the mapping and puts it into the specification; what is wrong is told.
fn prepare(args: &ValidateArgs, path: &Path, console: &Console) -> io::Result<Result<Mapped, Ending>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            let headline = format!("cannot read `{}`: {error}", path.display());
            return refused(args, &Diagnostic::without_place(Code::CannotRead, headline), console).map(Err);
        }
    };
    let map = Map::parse(&text);
    let constants = map.as_ref().map_or(&[][..], |map| &map.constants);
    let constants: Vec<String> =
        constants.iter().map(|(name, value)| format!("{}={}", name.text, value.text)).collect();
    let Read { mut spec, config, mut diagnostics } = model::read(&args.model(), &constants);
    let source = spec.sources.add(path.display().to_string(), text.as_str());
    let map = map.map_err(|errors| {
        for error in errors {
            let span = Span::new(source, error.place);
            let told = Diagnostic::new(Code::MapFile, span, error.message);
            diagnostics.push(match error.help {
                Some(help) => told.help(help),
                None => told,
            });
        }
    });
    let mut mapped = None;
    if let (Ok(map), Some(mut config)) = (map, config) {
        match plan(&mut spec, &mut config, &map, source) {
            Err(errors) => diagnostics.extend(errors),
            Ok(plan) => {
                let Lowered { program, diagnostics: further } = lower(&spec, &config, Atoms::new());
                diagnostics.extend(further);
                mapped = Some((program, map, plan));
            }
        }
    }
    told(args, &spec, &diagnostics, console)?;
    Ok(match mapped {
        Some((program, map, plan)) if !diagnostics.has_errors() => Ok(Mapped { spec, program, map, plan }),
        Some(_) | None => Err(worst(&diagnostics)),
    })
}

fn told(args: &ValidateArgs, spec: &Spec, diagnostics: &Diagnostics, console: &Console) -> io::Result<()> {
    diagnostics.iter().try_for_each(|error| draw(args, &spec.sources, error, console))
}

fn followed(
    job: &ValidateJob,
    mapped: &Mapped,
    files: &[PathBuf],
    interrupted: &Arc<AtomicBool>,
) -> Result<Validation, Trouble> {
    let clock = SystemClock::start();
    let world = eval::world::Machine { environment: job.variables.clone() };
    let args = &job.args;
    let options = Options {
        keeps_all: !args.kept.files().is_empty() || args.format == CheckFormatArg::Json,
        memory_bytes_max: bytes(args.memory.unwrap_or_else(memory::default_bytes)),
        time_max: args.time,
        interrupted,
        world: &world,
        clock: &clock,
    };
    let mut opened = Vec::new();
    for path in files {
        let file = File::open(path).map_err(|error| {
            let headline = format!("cannot read `{}`: {error}", path.display());
            Box::new(Diagnostic::without_place(Code::CannotRead, headline))
        })?;
        opened.push((path.display().to_string(), file));
    }
    let inputs = || {
        let input = |(name, file)| LogInput { name, reader: Box::new(BufReader::new(file)) };
        opened.into_iter().map(input).collect()
    };
    let model = Model { spec: &mapped.spec, program: &mapped.program };
    validate::follow_on_deep_stack(model, (&mapped.plan, &mapped.map), inputs, &options)
}

fn ended(followed: &Result<Validation, Trouble>) -> Ending {
    match followed {
        Err(Trouble::Told(error)) if error.code == Code::LogEmpty => Ending::Rejected,
        Err(Trouble::Told(error)) => Ending::of(error, false),
        Err(Trouble::Early(outcome)) => ending::of(outcome),
        Ok(validation) => match &validation.outcome {
            Outcome::Rejected(_) => Ending::Rejected,
            Outcome::Undecided(validate::outcome::Undecided::Interrupted) => Ending::Interrupted,
            Outcome::Undecided(_) => Ending::Limit,
            Outcome::Accepted(followed) => match followed.violations.first() {
                None => Ending::Ok,
                Some(violated) if violated.is_step => Ending::Property,
                Some(_) => Ending::Invariant,
            },
        },
    }
}
