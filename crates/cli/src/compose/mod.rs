//! `specline compose`: compositions of modules at several grains.

mod advise;
pub mod args;
mod emit;
mod levels;
mod list;
mod target;
mod tell;

use std::path::PathBuf;

use clap::CommandFactory;
use clap::error::ErrorKind;
use compose::{Choice, Composed, Family, Loading};
use diag::{Diagnostics, SourceMap};
use sema::{DiskFiles, LoadOptions};
use setup::composition;
use setup::read_model::worst;

use crate::commands::{Cli, Run};
use crate::compose::args::ComposeArgs;
use crate::console::{Console, Stream};
use crate::environment::Environment;
use crate::exit::{Ending, Stop};

impl Run for ComposeArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        let (file, name) = match (composition::reference(&self.file), &self.name) {
            (Some((file, name)), None) => (file, Some(name)),
            (_, name) => (self.file.clone(), name.clone()),
        };
        let command = Command { args: &self, file, console };
        command.check_options(name.is_some())?;
        let family = command.family()?;
        let targets = command.targets(&family)?;
        match (name, self.advise) {
            (_, true) => advise::run(&command, &family, &targets),
            (None, false) if targets.is_empty() => list::run(&command, &family),
            (None, false) => {
                let text = format!("targets: {}", targets.join(", "));
                command.console.line(Stream::Out, &text)?;
                Ok(Ending::Ok)
            }
            (Some(name), false) if targets.is_empty() => command.show(&family, &name),
            (Some(name), false) => target::run(&command, &family, (&name, &targets)),
        }
    }
}

/// A run of `specline compose`.
pub struct Command<'a> {
    pub args: &'a ComposeArgs,
    /// The composition file.
    pub file: PathBuf,
    pub console: &'a Console,
}

impl Command<'_> {
    /// Refuses options that would have no effect.
    fn check_options(&self, has_name: bool) -> Result<(), Stop> {
        let args = self.args;
        let has_targets = !args.target.is_empty() || !args.changed.is_empty();
        let headline = match (has_name, has_targets) {
            (false, _) if args.emit.is_some() => "--emit needs the NAME of a composition",
            (false, _) if args.against.is_some() => "--against needs the NAME of a composition",
            (_, false) if args.against.is_some() => "--against needs a --target",
            (_, false) if args.html.is_some() => "--html needs a --target",
            (_, false) if args.text_only => "--text-only needs a --target",
            (false, true) if !args.advise && args.changed.is_empty() => {
                "--target needs the NAME of a composition, or --advise"
            }
            _ => return Ok(()),
        };
        Err(Cli::command().error(ErrorKind::MissingRequiredArgument, headline).into())
    }

    /// Returns the target modules: those that are named, and those that stand for files of a change.
    fn targets(&self, family: &Family) -> Result<Vec<String>, Stop> {
        let mut targets = self.args.target.clone();
        let changed = compose::change::modules_of(family, &self.args.changed);
        targets.extend(changed.modules.into_iter().filter(|module| !self.args.target.contains(module)));
        for file in &changed.unknown {
            let text = format!("no module stands for `{}`", file.display());
            self.console.line(Stream::Err, &text)?;
        }
        let is_asked = !self.args.changed.is_empty() || self.args.advise;
        if targets.is_empty() && is_asked {
            let headline = match self.args.changed.is_empty() {
                true => "--advise needs a --target, or files of a change with --changed",
                false => "no module stands for the files of the change: there is nothing to check",
            };
            return match self.args.changed.is_empty() {
                true => Err(Cli::command().error(ErrorKind::MissingRequiredArgument, headline).into()),
                false => {
                    self.console.line(Stream::Out, headline)?;
                    Err(Ending::Ok.into())
                }
            };
        }
        Ok(targets)
    }

    /// Shows a composition, and writes it if that is asked for.
    fn show(&self, family: &Family, name: &str) -> Result<Ending, Stop> {
        let choice = self.choose(family, name)?;
        let mut composed = self.compose(&choice)?;
        list::show(self, &choice, &composed)?;
        match &self.args.emit {
            Some(folder) => emit::write(self, &choice, (&mut composed, folder)),
            None => Ok(Ending::Ok),
        }
    }

    fn family(&self) -> Result<Family, Stop> {
        composition::read_family(&self.file).map_err(|(sources, errors)| self.refuse(&sources, &errors))
    }

    fn choose<'f>(&self, family: &'f Family, name: &str) -> Result<Choice<'f>, Stop> {
        compose::choose(family, name).map_err(|errors| {
            let mut sources = SourceMap::new();
            let diagnostics = compose::report(&self.file, &family.text, errors, &mut sources);
            self.refuse(&sources, &diagnostics)
        })
    }

    /// Makes the specification of a choice; reports what is wrong with it.
    fn compose(&self, choice: &Choice<'_>) -> Result<Composed, Stop> {
        let composed = self.assemble(choice);
        for diagnostic in composed.diagnostics.iter() {
            self.console.draw(Stream::Err, &composed.spec.sources, diagnostic)?;
        }
        match composed.diagnostics.has_errors() {
            true => Err(worst(&composed.diagnostics).into()),
            false => Ok(composed),
        }
    }

    /// Makes the specification of a choice.
    fn assemble(&self, choice: &Choice<'_>) -> Composed {
        let options = LoadOptions { library: self.args.sources.libraries.clone(), ..LoadOptions::default() };
        let names = self.args.sources.defines.iter().filter_map(|define| define.split_once('='));
        let given: Vec<String> = names.map(|(name, _)| name.trim().to_owned()).collect();
        compose::assemble(choice, Loading { options: &options, files: &DiskFiles, given: &given })
    }

    /// Draws errors; returns the stop that ends the command.
    fn refuse(&self, sources: &SourceMap, diagnostics: &Diagnostics) -> Stop {
        for diagnostic in diagnostics.iter() {
            if let Err(error) = self.console.draw(Stream::Err, sources, diagnostic) {
                return error.into();
            }
        }
        worst(diagnostics).into()
    }
}
