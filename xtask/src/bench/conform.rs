//! Measures random walks carried out on real programs (`specline conform`), beside the figures that SandTable's authors
//! report for theirs.
//!
//! Every walk is carried out twice: with nodes that are started when they are needed, and with nodes that were
//! started while the walk before was carried out.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::Value;

use crate::{program, run};

/// Number of events of a walk, as in the paper.
const DEPTH: u64 = 40;
/// The time limit for provisioning, and for all the walks of a program.
const RUN_LIMIT: Duration = Duration::from_secs(900);

/// A program, with bounds for its specification so that walks are long and do not run into an exception.
struct Target {
    name: &'static str,
    system: &'static str,
    spec: &'static str,
    constants: &'static [&'static str],
    /// Seconds for a trace, as published in the paper.
    published_s: f64,
}

const TARGETS: &[Target] = &[
    Target {
        name: "PySyncObj 0.3.11, two nodes",
        system: "systems/pysyncobj",
        spec: "specs/pysyncobj/PySyncObj.tla",
        constants: &[
            "Repairs={}",
            "MaxElections=12",
            "MaxRequests=12",
            "MaxHeartbeats=12",
            "MaxCuts=4",
            "MaxLinkCuts=4",
            "MaxUnderWay=12",
        ],
        published_s: 1.8,
    },
    // With a second election, a leader may get an answer that raises a KeyError, and the walk would end there; the same
    // would happen if the only vote were lost.
    Target {
        name: "RaftOS 0.2.6, two nodes",
        system: "systems/raftos",
        spec: "specs/raftos/RaftOS.tla",
        constants: &[
            "Repairs={}",
            "MaxElections=1",
            "MaxGiveUps=0",
            "MaxRequests=12",
            "MaxHeartbeats=30",
            "MaxLosses=0",
            "MaxCopies=12",
            "MaxUnderWay=20",
        ],
        published_s: 4.8,
    },
];

#[derive(Debug, Serialize)]
pub struct ConformFigures {
    n_walks: u64,
    programs: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    /// Average number of events; the other means are by the wall clock.
    events: f64,
    steps_s: f64,
    /// Seconds when nodes are started as they are needed.
    start_s: f64,
    /// Seconds for a walk and everything around it, when nodes were started ahead.
    ahead_s: f64,
    published_s: f64,
}

/// Provisions the programs in a folder of its own, and carries out `n_walks` walks on each.
pub fn measure(profile: &str, n_walks: u64) -> Result<ConformFigures> {
    let specline = program::build(profile)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let bench = Bench { specline, folder, n_walks };
    let programs = TARGETS.iter().map(|target| bench.row(target)).collect::<Result<_>>()?;
    Ok(ConformFigures { n_walks, programs })
}

struct Bench {
    specline: PathBuf,
    folder: tempfile::TempDir,
    n_walks: u64,
}

impl Bench {
    fn row(&self, target: &Target) -> Result<Row> {
        eprintln!("{} ...", target.name);
        self.run(&["stage", "provision", target.system])?;
        let (cold, ahead) = (self.walks(target, "off")?, self.walks(target, "on")?);
        let figure = |told: &Value, name: &str| {
            told[name].as_f64().with_context(|| format!("the program does not tell `{name}`"))
        };
        let n_walks = self.n_walks as f64;
        Ok(Row {
            name: target.name,
            events: figure(&cold, "steps")? / n_walks,
            steps_s: figure(&cold, "walk_s")?,
            start_s: figure(&cold, "start_s")?,
            ahead_s: figure(&ahead, "elapsed_ms")? / 1000.0 / n_walks,
            published_s: target.published_s,
        })
    }

    /// Runs the walks and returns the result; fails if one was not carried out to its end.
    fn walks(&self, target: &Target, ahead: &str) -> Result<Value> {
        let (n_walks, depth) = (self.n_walks.to_string(), DEPTH.to_string());
        let mut words = vec!["conform", target.spec, "--system", target.system, "--traces", &n_walks];
        words.extend(["--depth", &depth, "--ahead", ahead, "--format", "json"]);
        words.extend(target.constants.iter().flat_map(|constant| ["-D", constant]));
        let output = self.run(&words)?;
        serde_json::from_str(output.trim()).context("the program wrote no JSON")
    }

    fn run(&self, words: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.specline);
        command.args(words).current_dir(run::root()).env("XDG_CACHE_HOME", self.folder.path());
        let ended = run::run_within(RUN_LIMIT, &mut command)?.context("a run did not end in time")?;
        ensure!(
            ended.exit == 0,
            "`specline {}` ended with {}: {}{}",
            words.join(" "),
            ended.exit,
            ended.output,
            ended.errors
        );
        Ok(ended.output)
    }
}

impl ConformFigures {
    pub fn lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("walks on real programs, by the wall clock, the mean of {}:", self.n_walks)];
        for row in &self.programs {
            let Row { name, events, steps_s, start_s, ahead_s, published_s } = row;
            lines.push(format!("{name}: {events:.1} events a walk"));
            lines.push(format!("  {steps_s:8.3} s  without the start of the nodes"));
            lines.push(format!("  {:8.3} s  with it", steps_s + start_s));
            lines.push(format!("  {ahead_s:8.3} s  with it, the next nodes started meanwhile"));
            lines.push(format!("  {published_s:8.1} s  SandTable, as published"));
        }
        lines
    }
}
