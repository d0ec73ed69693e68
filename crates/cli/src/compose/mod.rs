//! `specline compose`: compositions of modules at several grains.

pub mod args;
mod emit;
mod list;
mod target;
mod tell;

use std::path::PathBuf;

use compose::{Choice, Composed, Family, Loading};
use diag::{Diagnostics, SourceMap};
use sema::{DiskFiles, LoadOptions};
use setup::composition;
use setup::read_model::worst;

use crate::commands::Run;
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
        let family = command.family()?;
        match name {
            None => list::run(&command, &family),
            Some(name) => {
                if !self.target.is_empty() {
                    return target::run(&command, &family, (&name, &self.target));
                }
                let choice = command.choose(&family, &name)?;
                let composed = command.compose(&choice)?;
                list::show(&command, &choice, &composed)?;
                match &self.emit {
                    Some(folder) => emit::write(&command, &choice, (&composed, folder)),
                    None => Ok(Ending::Ok),
                }
            }
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
