//! Runs TLC on the same models: one worker, one thread for garbage collection.

use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::measure::{self, Measurement, Usage};
use super::models::{Counts, Model};
use super::simulation::{DEPTH, Simulated};
use crate::diff_tlc::{messages, outcome, tlc};
use crate::run;

/// The garbage collector. TLC itself recommends the parallel one, but then the CPU time includes several threads.
const COLLECTOR: &str = "-XX:+UseSerialGC";

/// Switches action composition on, which some specifications use. TLC refuses it otherwise.
const COMPOSITION: &str = "-Dtlc2.tool.impl.Tool.cdot=true";

/// The text before the number of states when TLC has simulated.
const GENERATED: &str = "The number of states generated:";

const TRIVIAL: &str = "---- MODULE Trivial ----\nVARIABLE x\nInit == x = 0\nNext == x' = x\n====\n";
const TRIVIAL_CONFIG: &str = "INIT Init\nNEXT Next\n";

pub struct Tlc {
    tlc: tlc::Tlc,
    seconds_max: u64,
}

impl Tlc {
    pub fn from_environment(seconds_max: u64) -> Result<Tlc> {
        Ok(Tlc { tlc: tlc::Tlc::from_environment()?, seconds_max })
    }

    /// Searches all states; fails if the counts are not the recorded ones.
    pub fn run(&self, model: &Model) -> Result<Usage> {
        let (_, found, usage) = self.search(model)?;
        if found != model.expected {
            bail!("TLC counts {found:?}, and recorded {:?} once", model.expected);
        }
        Ok(usage)
    }

    /// Searches and returns the exit code, the counts and what was used. After a violation, the depth is the number of
    /// states of the trace.
    pub fn search(&self, model: &Model) -> Result<(i32, Counts, Usage)> {
        let (place, name) = furnish_folder(model)?;
        let ended = self.run_in(&place, &name, &[])?;
        Ok((ended.exit, counts(&ended)?, ended.usage))
    }

    /// Returns the cost of starting TLC: the CPU time of a search with one state.
    pub fn start(&self) -> Result<f64> {
        let place = folder()?;
        std::fs::write(place.path().join("Trivial.tla"), TRIVIAL).context("cannot write a module")?;
        std::fs::write(place.path().join("case.cfg"), TRIVIAL_CONFIG)
            .context("cannot write a configuration")?;
        let ended = self.run_in(&place, "Trivial.tla", &[])?;
        counts(&ended)?;
        Ok(ended.usage.cpu_seconds)
    }

    /// Makes `n_walks` walks.
    pub fn simulate(&self, model: &Model, n_walks: u64) -> Result<Simulated> {
        let (place, name) = furnish_folder(model)?;
        let (walks, depth) = (format!("num={n_walks}"), DEPTH.to_string());
        let ended = self.run_in(&place, &name, &["-simulate", &walks, "-depth", &depth])?;
        let generated =
            ended.output.lines().find_map(|line| line.strip_prefix(GENERATED)?.trim().parse().ok());
        let generated = generated.context("TLC does not say how many states it generated")?;
        Ok(Simulated { generated, usage: ended.usage })
    }

    fn run_in(&self, place: &TempDir, module: &str, further: &[&str]) -> Result<Measurement> {
        let mut command = Command::new("java");
        command
            .args([COLLECTOR, COMPOSITION, "-cp", self.tlc.classpath(), "tlc2.TLC"])
            .args(tlc::Tlc::OPTIONS);
        command.args(further);
        command.args(["-metadir", "states", "-config", "case.cfg", module]).current_dir(place.path());
        measure::run(&command, self.seconds_max)
    }
}

/// Makes a folder with the module and its configuration; returns it with the name of the module.
fn furnish_folder(model: &Model) -> Result<(TempDir, String)> {
    let place = folder()?;
    let module = model.case.module();
    run::copy_files(module.parent().context("a module lies in a folder")?, place.path())?;
    std::fs::copy(model.case.config(), place.path().join("case.cfg"))
        .context("cannot copy the configuration")?;
    let name = module.file_name().context("a module has a name")?.to_string_lossy().into_owned();
    Ok((place, name))
}

fn folder() -> Result<TempDir> {
    tempfile::tempdir().context("cannot make a folder to run TLC in")
}

fn counts(ended: &Measurement) -> Result<Counts> {
    let run = tlc::Run { exit: ended.exit, messages: messages::parse(&ended.output) };
    if run.messages.is_empty() {
        bail!("TLC did not start: {}", ended.errors.trim());
    }
    Counts::of(&outcome::read(&run)?).context("TLC tells no counts")
}
