//! Runs our own program on a case, and reads its answer.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::run;

/// The time limit of a run.
const RUN_MAX: Duration = Duration::from_secs(20);

pub struct Specline {
    program: PathBuf,
    /// The value of `--engine`.
    engine: String,
}

/// The result of one run.
#[derive(Clone, Debug)]
pub struct Answer {
    pub exit: i32,
    /// The counts: generated, distinct, depth.
    pub counts: Option<[u64; 3]>,
    pub property: Option<String>,
    /// Number of states of the trace.
    pub n_trace: Option<u64>,
    /// The trace itself, in our own form.
    pub trace: Option<serde_json::Value>,
    /// The output of the specification.
    pub output: Vec<String>,
    /// The first complaint of the program, for display.
    pub headline: Option<String>,
}

impl Specline {
    /// Takes a program that is built already.
    pub fn at(program: &Path, engine: &str) -> Result<Specline> {
        let program =
            program.canonicalize().with_context(|| format!("no program `{}`", program.display()))?;
        Ok(Specline { program, engine: engine.to_owned() })
    }

    /// Builds the program with a profile that is optimised but quick to build.
    pub fn build(engine: &str) -> Result<Specline> {
        println!("building specline");
        let args = ["build", "--quiet", "--profile", "quick", "-p", "cli", "--message-format", "json"];
        let messages = run::read("cargo", &args)?;
        let program = messages.lines().rev().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let name = message.get("target")?.get("name")?.as_str()?;
            let program = message.get("executable")?.as_str()?;
            (name == "specline").then(|| PathBuf::from(program))
        });
        let program = program.context("cargo did not say where `specline` is")?;
        Ok(Specline { program, engine: engine.to_owned() })
    }

    /// Checks a module with a configuration; `None` if it takes too long.
    pub fn check(&self, folder: &Path, module: &str, config: &str, flags: &[&str]) -> Result<Option<Answer>> {
        let mut command = Command::new(&self.program);
        command.args(["check", module, "-c", config, "--format", "json", "--engine", &self.engine]);
        command.args(flags).current_dir(folder);
        let Some(ended) = run::run_within(RUN_MAX, &mut command)? else { return Ok(None) };
        if ended.output.is_empty() {
            bail!("specline said nothing: {}", ended.errors.trim());
        }
        Ok(Some(read(ended.exit, &ended.output)))
    }
}

impl Specline {
    /// Returns the states of a trace, as TLC would print them.
    pub fn states(&self, folder: &Path, trace: &serde_json::Value) -> Result<Vec<String>> {
        let file = folder.join("trace.itf.json");
        std::fs::write(&file, trace.to_string()).context("cannot write a trace")?;
        let mut command = Command::new(&self.program);
        command.args(["trace", "show", "--format", "tlc"]).arg(&file);
        let Some(ended) = run::run_within(RUN_MAX, &mut command)? else {
            bail!("a trace takes long to show")
        };
        let mut states: Vec<String> = Vec::new();
        for line in ended.output.lines() {
            // A single state is preceded by what is wrong with it, and has no number.
            if line.starts_with("State ") || (states.is_empty() && line.ends_with(':')) {
                states.retain(|state| !state.is_empty());
                states.push(String::new());
            } else if let Some(state) = states.last_mut() {
                state.push_str(line);
                state.push('\n');
            }
        }
        Ok(states)
    }
}

fn read(exit: i32, output: &str) -> Answer {
    let mut answer = Answer {
        exit,
        counts: None,
        property: None,
        n_trace: None,
        trace: None,
        output: Vec::new(),
        headline: None,
    };
    for event in output.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()) {
        let text = |key: &str| event.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        match text("kind").as_deref() {
            Some("printed") => {
                answer.output.extend(text("text").iter().flat_map(|text| text.lines()).map(str::to_owned))
            }
            Some("diagnostic") if text("severity").as_deref() == Some("error") => {
                answer.headline = answer.headline.or_else(|| text("headline"));
            }
            Some("answer") => {
                answer.counts = event.get("counts").and_then(counts);
                answer.property = text("property");
                let states = event.get("trace").and_then(|trace| trace.get("states"));
                answer.trace = event.get("trace").filter(|trace| !trace.is_null()).cloned();
                answer.n_trace =
                    states.and_then(|states| states.as_array()).map(|states| states.len() as u64);
            }
            Some(_) | None => {}
        }
    }
    answer
}

fn counts(counts: &serde_json::Value) -> Option<[u64; 3]> {
    let count = |key| counts.get(key).and_then(serde_json::Value::as_u64);
    Some([count("generated")?, count("distinct")?, count("depth")?])
}
