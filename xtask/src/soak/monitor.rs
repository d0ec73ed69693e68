//! `cargo xtask soak --monitor N`: so many traces of nodes, made from behaviours of specifications, must raise no alarm in
//! the monitors that are derived from these; and of changed ones, which do is told.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use base::{Clock, SystemClock};
use serde_json::Value;

use crate::{program, run};

/// The specifications with a mapping: module, configuration, mapping, and the number of steps of a behaviour.
const SUBJECTS: [(&str, &str, &str, u32); 1] =
    [("examples/raft/Raft.tla", "examples/raft/RaftMonitor.cfg", "examples/raft/monitor.toml", 60)];
/// Number of behaviours in one run of the program.
const WALKS: u64 = 2_000;

pub fn run(n_traces: u64, first_seed: u64, profile: &str) -> Result<bool> {
    let specline = program::build(profile)?;
    for subject in &SUBJECTS {
        let clock = SystemClock::start();
        let mut counts = Counts::default();
        let mut seed = first_seed;
        while counts.n_traces < n_traces {
            let answer = test(&specline, subject, seed)
                .with_context(|| format!("repeat it with `cargo xtask soak --monitor 1 --seed {seed}`"))?;
            counts.add(&answer);
            // Behaviours and changes are numbered from the seed on.
            seed += WALKS;
        }
        let (n_traces, n_events) = (counts.n_traces, counts.n_events);
        let seconds = clock.elapsed().as_secs();
        println!("{}: {n_traces} traces with {n_events} events in {seconds} s: no false alarm", subject.0);
        for (change, n_tried, n_caught) in counts.mutants {
            println!("    {change}: {n_caught} of {n_tried} caught");
        }
    }
    Ok(true)
}

#[derive(Default)]
struct Counts {
    n_traces: u64,
    n_events: u64,
    mutants: Vec<(String, u64, u64)>,
}

impl Counts {
    fn add(&mut self, answer: &Value) {
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        self.n_traces += number(&answer["traces"]);
        self.n_events += number(&answer["events"]);
        for mutant in answer["mutants"].as_array().into_iter().flatten() {
            let change = mutant["change"].as_str().unwrap_or_default();
            let (n_tried, n_caught) = (number(&mutant["tried"]), number(&mutant["caught"]));
            match self.mutants.iter_mut().find(|(known, ..)| known == change) {
                Some(known) => (known.1, known.2) = (known.1 + n_tried, known.2 + n_caught),
                None => self.mutants.push((change.to_owned(), n_tried, n_caught)),
            }
        }
    }
}

fn test(
    specline: &Path,
    (spec, config, mapping, depth): &(&str, &str, &str, u32),
    seed: u64,
) -> Result<Value> {
    let output = Command::new(specline)
        .args(["monitor", "test", spec, "--config", config, "--map", mapping, "--format", "json"])
        .args(["--walks", &WALKS.to_string(), "--depth", &depth.to_string(), "--seed", &seed.to_string()])
        .current_dir(run::root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run the program")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "it ends with {}: {text}", output.status);
    let answer: Value = serde_json::from_str(&text).context("its answer is no JSON")?;
    ensure!(answer["false_alarms"] == 0 && answer["undecided"] == 0, "there are alarms: {answer}");
    ensure!(answer["traces"].as_u64() > Some(0), "there are no traces: {answer}");
    Ok(answer)
}
