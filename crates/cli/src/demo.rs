//! `specline demo`: a small specification is read, checked, and changed in several wrong ways, and Specline's
//! messages are shown each time. Then its last part finds a mistake in a real program.
//!
//! The demo uses the same code as the commands, and compares the results with its own text. If they differ,
//! it ends as a bug of ours.

mod python;
mod real;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use diag::{Code, Diagnostics};
use sema::config::ConfigInput;
use sema::{FileSystem, LoadOptions, Loaded, Spec};
use syntax::cfg;

use crate::commands::Run;
use crate::console::{Console, Stream};
use crate::environment::{Environment, StagePlace};
use crate::exit::{Ending, Stop};
use crate::verdicts::Contents;
use real::Played;

const NAME: &str = "Lease.tla";
const MODULE: &str = include_str!("../../../specs/demo/Lease.tla");
const CONFIG: &str = include_str!("../../../specs/demo/Lease.cfg");

/// A change to the module, and the messages that it must cause.
struct Scene {
    title: &'static str,
    /// The text to replace, and its replacement.
    change: Option<(&'static str, &'static str)>,
    expected: &'static [Code],
    moral: &'static str,
}

const SCENES: &[Scene] = &[
    Scene {
        title: "1. A specification: a server lends a lease to one client at a time",
        change: None,
        expected: &[],
        moral: "Its modules were found, every name resolved, arities and levels checked, and the\n\
                configuration bound to it. Nothing was found that is wrong or looks wrong.",
    },
    Scene {
        title: "2. The same with two slips: a letter is missing, and a prime is doubled",
        change: Some((
            "AtMostOneHolder == Cardinality(holders) <= 1",
            "AtMostOneHolder == Cardinalty(holders) <= 1 /\\ holders'' = {}",
        )),
        expected: &[Code::UnknownName, Code::LevelExceeded],
        moral: "Both are reported in one run. `specline explain SL0301` has the long form.",
    },
    Scene {
        title: "3. The same with one line forgotten: `Renew` no longer says what becomes of `holders`",
        change: Some(("  /\\ UNCHANGED holders\n", "")),
        expected: &[Code::UnassignedVariable],
        moral: "This is legal TLA+, and a checker would stop in the middle of a run. `specline lint`\n\
                finds it without running anything.",
    },
];

/// A change to the module that is checked, and how the check must end.
struct Check {
    title: &'static str,
    change: Option<(&'static str, &'static str)>,
    expected: Ending,
    moral: &'static str,
}

const CHECKS: &[Check] = &[
    Check {
        title: "4. The first one checked: every state that can be reached, and its invariants in each",
        change: None,
        expected: Ending::Ok,
        moral: "The counts are those of TLC for the same specification.",
    },
    Check {
        title: "5. The same with a guard forgotten: the server lends the lease without looking",
        change: Some(("  /\\ holders = {}\n  /\\ holders' = {c}\n", "  /\\ holders' = holders \\cup {c}\n")),
        expected: Ending::Invariant,
        moral: "The shortest behaviour that breaks the invariant: which action with which parameters, and\n\
                what it changed.",
    },
];

#[derive(Args, Debug)]
pub struct DemoArgs {}

impl Run for DemoArgs {
    fn run(self, _: &Environment, console: &Console) -> Result<Ending, Stop> {
        Ok(play_all(&StagePlace::read(), console)?)
    }
}

fn play_all(place: &StagePlace, console: &Console) -> io::Result<Ending> {
    let mut all_as_told = true;
    console.line(Stream::Out, INTRODUCTION)?;
    for scene in SCENES {
        all_as_told &= play(scene, console)?;
    }
    for scene in CHECKS {
        all_as_told &= play_check(scene, console)?;
    }
    let ending = match real::play(place, console)? {
        Played::AsTold if all_as_told => Ending::Ok,
        Played::LeftOut if all_as_told => Ending::StageFailed,
        Played::AsTold | Played::LeftOut | Played::Otherwise => {
            console.line(Stream::Out, "This did not go as told: that is a bug in specline.")?;
            return Ok(Ending::Bug);
        }
    };
    console.line(Stream::Out, EPILOGUE)?;
    Ok(ending)
}

const INTRODUCTION: &str = "\
Specline reads TLA+ specifications, says what is wrong with them, checks them, and looks for what it
finds in the program.\n";

const EPILOGUE: &str = "\
On your own files:

    specline parse Spec.tla     is it a well-formed specification?
    specline lint Spec.tla      does it say what was probably not meant?
    specline check Spec.tla     do its invariants hold, in every state that can be reached?
    specline replay TRACE --system NAME     is what a trace shows in the program?
    specline explain SL0604     what does this message mean?";

/// Shows a scene's title and change; the changed module, or `None` if there is nothing to change.
fn announce(title: &str, change: Option<(&str, &str)>, console: &Console) -> io::Result<Option<String>> {
    console.line(Stream::Out, &format!("{title}\n"))?;
    let Some((before, after)) = change else { return Ok(Some(MODULE.to_owned())) };
    console.line(Stream::Out, &format!("{}{}", quote('-', before), quote('+', after)))?;
    Ok(MODULE.contains(before).then(|| MODULE.replacen(before, after, 1)))
}

/// Checks the module as one scene, and returns whether it ended as the demo says.
fn play_check(scene: &Check, console: &Console) -> io::Result<bool> {
    let Some(module) = announce(scene.title, scene.change, console)? else { return Ok(false) };
    let options = LoadOptions::default();
    let Loaded { mut spec, diagnostics } = sema::load_text(Path::new(NAME), &module, &options, &NoFiles);
    if diagnostics.has_errors() {
        return Ok(false);
    }
    let source = spec.sources.add("Lease.cfg", CONFIG);
    let parsed = cfg::parse_config(source, CONFIG, &mut spec.names);
    let bound = sema::config::bind(&spec, ConfigInput { source, tree: &parsed.tree });
    let ending = crate::check::demonstrate(&spec, &bound.config, console)?;
    console.line(Stream::Out, &format!("\n{}\n", scene.moral))?;
    Ok(ending == scene.expected)
}

/// Shows one scene, and returns whether the messages are those that the demo expects.
fn play(scene: &Scene, console: &Console) -> io::Result<bool> {
    let Some(module) = announce(scene.title, scene.change, console)? else { return Ok(false) };
    let (spec, diagnostics) = lint(&module);
    for diagnostic in diagnostics.iter() {
        console.draw(Stream::Out, &spec.sources, diagnostic)?;
    }
    let verdict = Contents::of(&spec).verdict(&diagnostics);
    console.line(Stream::Out, &format!("{NAME}: {verdict}\n\n{}\n", scene.moral))?;
    let found: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    Ok(found == scene.expected)
}

fn quote(sign: char, lines: &str) -> String {
    lines.lines().map(|line| format!("    {sign} {line}\n")).collect()
}

/// Lints a text as `specline lint` lints a file.
fn lint(module: &str) -> (Spec, Diagnostics) {
    let options = LoadOptions::default();
    let Loaded { mut spec, mut diagnostics } = sema::load_text(Path::new(NAME), module, &options, &NoFiles);
    if !diagnostics.has_errors() {
        let source = spec.sources.add("Lease.cfg", CONFIG);
        let parsed = cfg::parse_config(source, CONFIG, &mut spec.names);
        diagnostics.extend(parsed.diagnostics);
        diagnostics.extend(sema::lint::lint(&spec, Some(ConfigInput { source, tree: &parsed.tree })));
    }
    (spec, diagnostics)
}

/// The demo must look the same in every folder.
struct NoFiles;

impl FileSystem for NoFiles {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }

    fn modules_in(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}
