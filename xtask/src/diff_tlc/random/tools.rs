//! Runs the two tools, each on a module in a folder of its own.

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::module::{self, NAME};
use super::term::Text;
use crate::diff_tlc::case;
use crate::diff_tlc::specline::{Answer, Specline};
use crate::diff_tlc::tlc::Run;
use crate::diff_tlc::warm::{Ending, WarmTlc};

pub struct Tools {
    pub warm: WarmTlc,
    pub specline: Specline,
}

/// The process of TLC that answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Heat {
    /// The process that stays, which is fast.
    Warm,
    /// A new process, whose answer counts.
    Cold,
}

/// A module in its folder.
pub struct ModulePlace {
    folder: TempDir,
}

impl ModulePlace {
    pub fn new(body: &Text) -> Result<ModulePlace> {
        let folder = tempfile::tempdir().context("cannot make a folder to run in")?;
        module::write(folder.path(), NAME, &module::complete(NAME, "", body))?;
        Ok(ModulePlace { folder })
    }

    /// Checks the module with our own program.
    pub fn check(&self, specline: &Specline, flags: &[&str]) -> Result<Option<Answer>> {
        specline.check(self.folder.path(), &format!("{NAME}.tla"), &format!("{NAME}.cfg"), flags)
    }
}

impl Tools {
    pub fn tlc(&mut self, place: &ModulePlace, heat: Heat) -> Result<Ending> {
        let (folder, module, config) = (place.folder.path(), format!("{NAME}.tla"), format!("{NAME}.cfg"));
        match heat {
            Heat::Warm => self.warm.run(folder, &module, &config),
            Heat::Cold => {
                let run: Run = self.warm.cold().run_in(folder, &module, &config, &case::Run::default())?;
                Ok(Ending::Ended(run))
            }
        }
    }

    /// Returns the states of an answer's trace, as TLC would print them.
    pub fn states(&self, place: &ModulePlace, answer: &Answer) -> Result<Vec<String>> {
        match &answer.trace {
            Some(trace) => self.specline.states(place.folder.path(), trace),
            None => Ok(Vec::new()),
        }
    }

    pub fn specline(&self, place: &ModulePlace, flags: &[&str]) -> Result<Option<Answer>> {
        place.check(&self.specline, flags)
    }
}
