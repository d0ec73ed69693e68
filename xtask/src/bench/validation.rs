//! Measures the validation of a log: events per CPU second, and memory.
//!
//! The log is one of `examples/raft`: three nodes run for some seconds, the leader sends heartbeats all the time, and a
//! client puts something now and then. The first half of the log is validated as well: twice the time for twice the
//! events means that the cost is linear.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use base::{Clock, SystemClock};
use serde::Serialize;
use serde_json::Value;

use super::measure::{self, Usage};
use crate::{program, run};

const NAMES: [&str; 3] = ["n1", "n2", "n3"];
const HEARTBEAT_MS: &str = "2";
/// The election time-out, which is long so that one leader stays on a busy machine.
const ELECTION_MS: &str = "1000";
const BETWEEN_PUTS: Duration = Duration::from_millis(200);
const ANSWER_LIMIT: Duration = Duration::from_secs(2);

#[derive(Debug, Serialize)]
pub struct ValidationFigures {
    n_runs: u32,
    half: ValidationRun,
    whole: ValidationRun,
}

/// A validated log, with the least CPU time of the runs.
#[derive(Debug, Serialize)]
struct ValidationRun {
    n_events: usize,
    events_per_cpu_second: f64,
    usage: Usage,
}

/// Runs the nodes for some seconds, then validates their logs.
pub fn measure(profile: &str, seconds: u64, (n_runs, seconds_max): (u32, u64)) -> Result<ValidationFigures> {
    let node = program::build_package("raft", profile)?;
    let specline = program::build(profile)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    run_nodes(&node, folder.path(), Duration::from_secs(seconds))?;
    let lines = merge_logs(folder.path())?;
    let validated = |n_events: usize| -> Result<ValidationRun> {
        let log = folder.path().join(format!("{n_events}.ndjson"));
        std::fs::write(&log, lines[..n_events].concat()).context("cannot write the log")?;
        let usages = (0..n_runs).map(|_| validate(&specline, &log, seconds_max));
        let usages = usages.collect::<Result<Vec<Usage>>>()?;
        let least = usages.into_iter().min_by(|a, b| a.cpu_seconds.total_cmp(&b.cpu_seconds));
        let usage = least.context("there is one run at least")?;
        Ok(ValidationRun { n_events, events_per_cpu_second: n_events as f64 / usage.cpu_seconds, usage })
    };
    Ok(ValidationFigures { n_runs, half: validated(lines.len() / 2)?, whole: validated(lines.len())? })
}

fn validate(specline: &Path, log: &Path, seconds_max: u64) -> Result<Usage> {
    let mut command = Command::new(specline);
    command.arg("validate").arg("--spec").arg(run::root().join("examples/raft/RaftTrace.tla"));
    command.arg("--log").arg(log);
    let ended = measure::run(&command, seconds_max)?;
    ensure!(ended.exit == 0, "the log was not accepted: {}{}", ended.output, ended.errors);
    Ok(ended.usage)
}

/// A process that is ended when this is dropped.
struct Node(Child);

impl Drop for Node {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn run_nodes(program: &Path, folder: &Path, time: Duration) -> Result<()> {
    let addresses = free_addresses()?;
    let members = NAMES.iter().zip(&addresses).map(|(name, address)| format!("{name}={address}"));
    let cluster = members.collect::<Vec<_>>().join(",");
    let start = |name: &&str| {
        let mut command = Command::new(program);
        command.args(["--node", name, "--cluster", &cluster, "--heartbeat-ms", HEARTBEAT_MS]);
        command.args(["--election-ms", ELECTION_MS, "--data"]).arg(folder.join(name));
        command.arg("--log").arg(log_of(folder, name)).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Node).context("cannot start a node")
    };
    let _nodes = NAMES.iter().map(start).collect::<Result<Vec<Node>>>()?;
    put_regularly(&addresses, time);
    Ok(())
}

fn log_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.ndjson"))
}

fn free_addresses() -> Result<Vec<SocketAddr>> {
    let listeners = NAMES.map(|_| TcpListener::bind("127.0.0.1:0"));
    let address = |listener: std::io::Result<TcpListener>| listener?.local_addr();
    listeners.into_iter().map(|listener| address(listener).context("there is a free port")).collect()
}

/// Acts as a client of the cluster until the time is over.
fn put_regularly(addresses: &[SocketAddr], time: Duration) {
    // Nobody sends; receiving fails when the interval is over.
    let (_sender, never) = mpsc::channel::<()>();
    let clock = SystemClock::start();
    let mut n_put = 0;
    while clock.elapsed() < time {
        // A node that is not the leader says so, and nothing happens.
        for &address in addresses {
            let is_put =
                ask(address, &format!("put k{} v{n_put}\n", n_put % 20)).is_ok_and(|it| it == "ok\n");
            n_put += usize::from(is_put);
        }
        let _ = never.recv_timeout(BETWEEN_PUTS);
    }
}

fn ask(address: SocketAddr, line: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, ANSWER_LIMIT)?;
    stream.set_read_timeout(Some(ANSWER_LIMIT))?;
    stream.write_all(line.as_bytes())?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer)?;
    Ok(answer)
}

/// Returns the lines of all nodes in an order that explains them. The last line of a node may be cut off.
fn merge_logs(folder: &Path) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for name in NAMES {
        let text = std::fs::read_to_string(log_of(folder, name)).context("a node wrote no log")?;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let event: Value = serde_json::from_str(line).context("a line of a node is no JSON")?;
            let clock = event["clock"].as_u64().context("a line has no clock")?;
            lines.push((clock, name, line.to_owned()));
        }
    }
    lines.sort_by_key(|&(clock, name, _)| (clock, name));
    ensure!(lines.len() > 1, "the nodes did nothing");
    Ok(lines.into_iter().map(|(_, _, line)| line).collect())
}

impl ValidationFigures {
    pub fn lines(&self) -> Vec<String> {
        let line = |validated: &ValidationRun| {
            let ValidationRun { n_events, events_per_cpu_second, usage } = validated;
            let bytes = usage.peak_bytes as f64;
            format!(
                "  {n_events:9} events  {:8.2} s CPU  {events_per_cpu_second:9.0} events/s  {:7.1} MiB peak  {:6.0} B an event",
                usage.cpu_seconds,
                bytes / f64::from(1 << 20),
                bytes / *n_events as f64,
            )
        };
        let title = format!("a log of examples/raft by RaftTrace.tla, the least of {} runs:", self.n_runs);
        vec![title, line(&self.half), line(&self.whole)]
    }
}
