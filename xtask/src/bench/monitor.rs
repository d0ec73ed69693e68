//! Measures monitors: messages checked per CPU second, states and pending messages, and memory.
//!
//! Three members of a real etcd work at full load for some seconds, with nobody watching; then a monitor reads what was
//! recorded of each. The first half is checked as well: twice the time for twice the messages means that the cost is linear.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::Value;
use test_kit::{EtcdMode, EtcdWatch};

use super::measure::{self, Usage};
use crate::{program, run, soak};

/// Number of clients, each of which asks again as soon as it has an answer.
const N_CLIENTS: usize = 8;

#[derive(Debug, Serialize)]
pub struct MonitorFigures {
    n_runs: u32,
    seconds: u64,
    members: Vec<MemberFigures>,
}

/// The messages of a member, and the cost of checking them.
#[derive(Debug, Serialize)]
struct MemberFigures {
    node: String,
    /// Messages that the member sent and received per second.
    produced_per_second: f64,
    half: CheckedRun,
    whole: CheckedRun,
}

/// A recording that was checked, with the least CPU time of the runs.
#[derive(Debug, Serialize)]
struct CheckedRun {
    n_messages: usize,
    messages_per_cpu_second: f64,
    explored_per_message: f64,
    states_mean: f64,
    states_max: u64,
    pending_mean: f64,
    pending_max: u64,
    undecided: u64,
    usage: Usage,
}

/// Runs the members for some seconds, then the monitors.
pub fn measure(profile: &str, seconds: u64, (n_runs, seconds_max): (u32, u64)) -> Result<MonitorFigures> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let watch = EtcdWatch {
        specline: program::build(profile)?,
        etcd: soak::etcd::find_etcd()?,
        spec: run::root().join("specs/etcd"),
        folder: folder.path().to_owned(),
        n_members: 3,
        n_clients: N_CLIENTS,
        duration: Duration::from_secs(seconds),
        think: Duration::ZERO,
        mode: EtcdMode::Recorded,
        seed: 1,
    };
    watch.run();
    let mut members = Vec::new();
    for at in 0..watch.n_members {
        let recording = watch.recording(at);
        let text = std::fs::read_to_string(&recording).context("the tap recorded nothing")?;
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let checked = |n_messages: usize| -> Result<CheckedRun> {
            let part = folder.path().join("part.ndjson");
            std::fs::write(&part, lines[..n_messages].concat()).context("cannot write a part")?;
            let runs = (0..n_runs).map(|_| check(&watch, at, &part, seconds_max));
            let runs = runs.collect::<Result<Vec<CheckedRun>>>()?;
            let least = runs.into_iter().min_by(|a, b| a.usage.cpu_seconds.total_cmp(&b.usage.cpu_seconds));
            least.context("there is one run at least")
        };
        members.push(MemberFigures {
            node: format!("n{}", at + 1),
            produced_per_second: lines.len() as f64 / seconds as f64,
            half: checked(lines.len() / 2)?,
            whole: checked(lines.len())?,
        });
    }
    Ok(MonitorFigures { n_runs, seconds, members })
}

fn check(watch: &EtcdWatch, at: usize, input: &Path, seconds_max: u64) -> Result<CheckedRun> {
    let ended = measure::run(&watch.monitor_command(at, input), seconds_max)?;
    let last = ended.output.lines().last().unwrap_or_default();
    let counts: Value = serde_json::from_str(last).context("the monitor told no counts")?;
    ensure!(counts["alarms"] == 0, "the monitor raised an alarm: {}", ended.output);
    let count = |name: &str| counts[name].as_u64().unwrap_or_default();
    let mean = |name: &str| counts[name].as_f64().unwrap_or_default();
    let n_messages = count("in") + count("out");
    ensure!(n_messages > 0, "there were no messages: {}", ended.output);
    Ok(CheckedRun {
        n_messages: n_messages as usize,
        messages_per_cpu_second: n_messages as f64 / ended.usage.cpu_seconds,
        explored_per_message: count("explored") as f64 / n_messages as f64,
        states_mean: mean("states_mean"),
        states_max: count("states_max"),
        pending_mean: mean("pending_mean"),
        pending_max: count("pending_max"),
        undecided: count("undecided"),
        usage: ended.usage,
    })
}

impl MonitorFigures {
    pub fn lines(&self) -> Vec<String> {
        let line = |checked: &CheckedRun| {
            format!(
                "  {:8} messages  {:7.2} s CPU  {:8.0} messages/s  {:6.2} looked at for each  {:5.2} states ({} at most)  \
                 {:5.2} pending ({} at most)  {:6.1} MiB peak  undecided: {}",
                checked.n_messages,
                checked.usage.cpu_seconds,
                checked.messages_per_cpu_second,
                checked.explored_per_message,
                checked.states_mean,
                checked.states_max,
                checked.pending_mean,
                checked.pending_max,
                checked.usage.peak_bytes as f64 / f64::from(1 << 20),
                checked.undecided,
            )
        };
        let title = format!(
            "three members of etcd at full load for {} s, and a monitor each afterwards, the least of {} runs:",
            self.seconds, self.n_runs
        );
        let mut lines = vec![title];
        for member in &self.members {
            lines.push(format!("{}: {:.0} messages a second", member.node, member.produced_per_second));
            lines.extend([line(&member.half), line(&member.whole)]);
        }
        lines
    }
}
