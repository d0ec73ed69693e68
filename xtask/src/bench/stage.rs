//! Measures the stage: the cost of an event besides the work of the nodes, and the time until three nodes come to rest.
//!
//! The cost of an event is the time of a script of many events, less that of a script which only starts the nodes,
//! divided by their number. The nodes do next to nothing, so that the cost is the stage's own: moving a clock or
//! delivering a message, waking the node, seeing it at rest, and recording what happened.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use base::{Clock, SystemClock};
use serde::Serialize;

use crate::{program, run};

const N_EVENTS: usize = 1000;
/// The time limit of one run.
const RUN_LIMIT: Duration = Duration::from_secs(300);

/// A node that sleeps a second, again and again.
const SLEEPER: &str = r#"
[start]
command = ["python3", "-c", "import time\nwhile True: time.sleep(1)"]
[[node]]
name = "n1"
address = "127.0.0.1:17381"
"#;

/// Two nodes that send each other what they are sent.
const ECHO: &str = r#"
[start]
command = ["python3", "-c", """
import socket, sys
if sys.argv[1] == 'a':
    conn = socket.create_server(('127.0.0.1', 17382)).accept()[0]
else:
    conn = socket.create_connection(('127.0.0.1', 17382))
    conn.send(b'x')
while data := conn.recv(100): conn.send(data)
""", "{name}"]
[[node]]
name = "a"
address = "127.0.0.1:17382"
[[node]]
name = "b"
address = "127.0.0.1:17383"
"#;

#[derive(Debug, Serialize)]
pub struct StageFigures {
    n_runs: u32,
    /// The time for moving a clock, the least of the runs, by the wall clock.
    tick_ms: f64,
    deliver_ms: f64,
    /// The time for starting three nodes, from nothing to rest, including the stage itself.
    start_of_three_ms: f64,
    /// The time for an event of a script with three nodes that do real work: disks, elections, crashes.
    raft_event_ms: f64,
    /// The time for an event of that script if syncing does not wait for a disk, and without the events that start a
    /// node: the rest is the cost of the stage itself and of the nodes' computation.
    raft_event_in_memory_ms: Option<f64>,
}

/// A folder whose files are in memory.
const MEMORY: &str = "/dev/shm";

struct Bench {
    specline: PathBuf,
    search_path: String,
    /// The folder of scripts and systems.
    folder: tempfile::TempDir,
    n_runs: u32,
}

/// Returns the lines of a script that are events.
fn events(script: &str) -> impl Iterator<Item = &str> {
    script.lines().filter(|line| !line.starts_with('#'))
}

pub fn measure(profile: &str, n_runs: u32) -> Result<StageFigures> {
    let node = program::build_package("raft", profile)?;
    let programs = node.parent().context("programs are in a folder")?;
    let search_path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let bench = Bench { specline: program::build(profile)?, search_path, folder, n_runs };
    let (sleeper, echo) = (bench.system("sleeper", SLEEPER)?, bench.system("echo", ECHO)?);
    let raft = run::root().join("examples/raft");
    let nothing = bench.least(&raft, "")?;
    let forty = std::fs::read_to_string(raft.join("scripts/forty.txt")).context("the script is there")?;
    let n_forty = events(&forty).count() - 1;
    let raft_start = bench.least(&raft, START)?;
    let in_memory = bench.in_memory(&raft, &forty)?;
    Ok(StageFigures {
        n_runs,
        tick_ms: bench.per_event(&sleeper, "tick n1\n", N_EVENTS)?,
        deliver_ms: bench.per_event(&echo, "deliver b a\ndeliver a b\n", N_EVENTS)?,
        start_of_three_ms: raft_start - nothing,
        raft_event_ms: (bench.least(&raft, &forty)? - raft_start) / n_forty as f64,
        raft_event_in_memory_ms: in_memory,
    })
}

const START: &str = "start all\n";

impl Bench {
    fn system(&self, name: &str, text: &str) -> Result<PathBuf> {
        let folder = self.folder.path().join(name);
        std::fs::create_dir_all(&folder).context("folders can be made")?;
        std::fs::write(folder.join("system.toml"), text).context("files can be written")?;
        Ok(folder)
    }

    /// Returns the milliseconds for each of `n_events` events, which are `events` repeated.
    fn per_event(&self, system: &Path, events: &str, n_events: usize) -> Result<f64> {
        let script = format!("{START}{}", events.repeat(n_events / events.lines().count()));
        Ok((self.least(system, &script)? - self.least(system, START)?) / n_events as f64)
    }

    /// Returns the milliseconds for each event of a script, with the nodes' files in memory. The cost of crashing and
    /// restarting nodes is measured by a script which does nothing else, and subtracted.
    fn in_memory(&self, system: &Path, script: &str) -> Result<Option<f64>> {
        let Ok(files) = tempfile::tempdir_in(MEMORY) else { return Ok(None) };
        let starts: Vec<&str> = events(script).filter(|line| line.starts_with("start ")).collect();
        let again = |line: &&str| format!("crash {0}\nstart {0}\n", line.trim_start_matches("start "));
        let only_starts = format!("{START}{}", starts.iter().skip(1).map(again).collect::<String>());
        let n_others = events(script).count() - (2 * starts.len() - 1);
        let whole = self.least_in(files.path(), system, script)?;
        Ok(Some((whole - self.least_in(files.path(), system, &only_starts)?) / n_others as f64))
    }

    /// Returns the milliseconds of the fastest of several runs.
    fn least(&self, system: &Path, script: &str) -> Result<f64> {
        self.least_in(self.folder.path(), system, script)
    }

    fn least_in(&self, files: &Path, system: &Path, script: &str) -> Result<f64> {
        let times =
            (0..self.n_runs).map(|_| self.once(files, system, script)).collect::<Result<Vec<f64>>>()?;
        Ok(times.into_iter().fold(f64::INFINITY, f64::min))
    }

    fn once(&self, files: &Path, system: &Path, script: &str) -> Result<f64> {
        let file = self.folder.path().join("script.txt");
        std::fs::write(&file, script).context("files can be written")?;
        let mut command = Command::new(&self.specline);
        command.arg("stage").arg(system).arg("--script").arg(&file).current_dir(self.folder.path());
        command.env("PATH", &self.search_path).env("TMPDIR", files);
        let clock = SystemClock::start();
        let ended = run::run_within(RUN_LIMIT, &mut command)?.context("a run did not end in time")?;
        ensure!(ended.exit == 0, "a run failed: {}", ended.errors);
        Ok(clock.elapsed().as_secs_f64() * 1000.0)
    }
}

impl StageFigures {
    pub fn lines(&self) -> Vec<String> {
        let in_memory = match self.raft_event_in_memory_ms {
            Some(ms) => format!("{ms:8.3} ms"),
            None => "not measured".to_owned(),
        };
        vec![
            format!("the stage, by the wall clock, the least of {} runs:", self.n_runs),
            format!("  {:8.3} ms  an event that moves a clock", self.tick_ms),
            format!("  {:8.3} ms  an event that delivers a message", self.deliver_ms),
            format!("  {:8.3} ms  an event of the Raft, its work included", self.raft_event_ms),
            format!("  {in_memory}  the same with files in memory, starts apart"),
            format!("  {:8.1} ms  three nodes of the Raft, from their start to rest", self.start_of_three_ms),
        ]
    }
}
