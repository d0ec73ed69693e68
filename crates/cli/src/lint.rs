//! `specline lint`: what is legal but probably not meant, in specifications and their configurations.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory};
use compose::Composed;
use diag::Diagnostics;
use sema::config::ConfigInput;
use sema::{LoadOptions, Loaded, Spec};
use setup::composition;
use setup::config::{config_of, read_config};

use crate::args::InputArgs;
use crate::commands::{Cli, Run};
use crate::console::Console;
use crate::environment::Environment;
use crate::exit::{Ending, Stop};
use crate::parse;
use crate::verdicts::{Contents, Input, Reporter};

#[derive(Args, Debug)]
pub struct LintArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// The configuration; without it FILE's own name with `.cfg`, if there is such a file
    #[arg(short, long, value_name = "CONFIG")]
    pub config: Option<PathBuf>,
}

impl Run for LintArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let input = Input::from(self.input);
        if self.config.is_some() && input.files.len() > 1 {
            let reason = "--config goes with one FILE, and several were given";
            return Err(Cli::command().error(ErrorKind::ArgumentConflict, reason).into());
        }
        lint_files(&input, self.config.as_deref(), console)
    }
}

/// Lints each file; the configuration is that of the one file, and without it each file's own is looked for.
fn lint_files(input: &Input, config: Option<&Path>, console: &Console) -> Result<Ending, Stop> {
    let mut reporter = Reporter::new(console, input, false)?;
    for path in &input.files {
        let Linted { spec, diagnostics } = match (composition::reference(path), config) {
            (Some(reference), None) => lint_composition(path, reference, input),
            (Some(_), Some(_)) | (None, _) => lint_module(path, config, input),
        };
        reporter.file(path, &spec.sources, diagnostics, Contents::of(&spec));
    }
    Ok(reporter.finish()?)
}

/// A specification, and what is wrong with it.
struct Linted {
    spec: Spec,
    diagnostics: Diagnostics,
}

fn lint_module(path: &Path, config: Option<&Path>, input: &Input) -> Linted {
    let Loaded { mut spec, mut diagnostics } = parse::load(path, input);
    if !diagnostics.has_errors() {
        diagnostics.extend(lint(&mut spec, config_of(path, config)));
    }
    Linted { spec, diagnostics }
}

/// Lints a composition with the configuration that it brings.
fn lint_composition(path: &Path, (file, name): (PathBuf, String), input: &Input) -> Linted {
    let options = LoadOptions { library: input.libraries.clone(), ..LoadOptions::default() };
    let Composed { mut spec, mut diagnostics, config, .. } = composition::read(&file, &name, (&options, &[]));
    if !diagnostics.has_errors() {
        let linted = match composition::parse_config(&mut spec, path, &config) {
            Ok((source, tree)) => sema::lint::lint(&spec, Some(ConfigInput { source, tree: &tree })),
            Err(errors) => errors,
        };
        diagnostics.extend(linted);
    }
    Linted { spec, diagnostics }
}

/// Lints a specification without errors. A configuration that cannot be read is reported in place of the
/// lints: which definitions are used depends on it.
fn lint(spec: &mut Spec, config: Option<PathBuf>) -> Diagnostics {
    let Some(path) = config else { return sema::lint::lint(spec, None) };
    match read_config(spec, &path) {
        Ok((source, tree)) => sema::lint::lint(spec, Some(ConfigInput { source, tree: &tree })),
        Err(diagnostics) => diagnostics,
    }
}
