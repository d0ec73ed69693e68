//! Starts, asks, kills and restarts nodes; whatever was started ends with the cluster.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a cluster may take to answer: an election lasts a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long one node may.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// An address at which nobody listens.
const NOWHERE: &str = "127.0.0.1:1";

pub const NAMES: [&str; 3] = ["n1", "n2", "n3"];

/// How long a node waits for a leader before it stands for election.
#[derive(Debug, Clone, Copy)]
pub enum Patience {
    Short,
    /// Longer than any test.
    Endless,
}

pub struct Cluster {
    folder: PathBuf,
    options: Vec<String>,
    nodes: Vec<Node>,
}

struct Node {
    name: &'static str,
    address: String,
    process: Option<Child>,
}

impl Cluster {
    /// Three nodes, none of which runs. What they write stays until the next run.
    pub fn new(name: &str, options: &[&str]) -> Cluster {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("raft").join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).unwrap();
        }
        std::fs::create_dir_all(&folder).unwrap();
        // All are bound at the same time, so that they differ.
        let bound = NAMES.map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let nodes = NAMES.iter().zip(&bound).map(|(name, listener)| Node {
            name,
            address: listener.local_addr().unwrap().to_string(),
            process: None,
        });
        let nodes = nodes.collect();
        drop(bound);
        Cluster { folder, options: options.iter().map(ToString::to_string).collect(), nodes }
    }

    /// Starts a node, for the first time or again.
    pub fn run(&mut self, name: &str, patience: Patience) {
        self.run_apart(name, patience, "nobody");
    }

    /// Starts a node that cannot reach that other one.
    pub fn run_apart(&mut self, name: &str, patience: Patience, other: &str) {
        let place = |node: &Node| match node.name == other {
            true => format!("{}={NOWHERE}", node.name),
            false => format!("{}={}", node.name, node.address),
        };
        let members: Vec<String> = self.nodes.iter().map(place).collect();
        let election_ms = match patience {
            Patience::Short => "150",
            Patience::Endless => "600000",
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_raft-node"));
        command.args(["--node", name, "--cluster", &members.join(",")]);
        command.args(["--election-ms", election_ms, "--heartbeat-ms", "30"]);
        command.arg("--data").arg(self.folder.join(name)).arg("--log").arg(self.log(name));
        command.args(&self.options).stdin(Stdio::null());
        let node = self.node_mut(name);
        assert!(node.process.is_none(), "{name} runs already");
        node.process = Some(command.spawn().unwrap());
    }

    /// Kills all that run.
    pub fn stop(&mut self) {
        for process in self.nodes.iter_mut().filter_map(|node| node.process.take()) {
            end(process);
        }
    }

    pub fn kill(&mut self, name: &str) {
        end(self.node_mut(name).process.take().expect("it runs"));
    }

    /// Asks one after the other until the leader has answered.
    #[track_caller]
    pub fn ask(&self, line: &str) -> String {
        let is_final = |answer: &String| {
            !answer.starts_with("redirect ") && !["no leader", "lost", "unknown"].contains(&answer.as_str())
        };
        self.until(line, |cluster| cluster.answers(line).map(|(_, answer)| answer).find(is_final))
    }

    /// Who leads now: the one of the latest term, should there be two.
    #[track_caller]
    pub fn leader(&self) -> String {
        self.until("a leader", |cluster| {
            let status = cluster.answers("status");
            let leaders = status
                .filter_map(|(name, answer)| Some((name, serde_json::from_str::<Value>(&answer).ok()?)))
                .filter(|(_, status)| status["role"] == "leader");
            let latest = leaders.max_by_key(|(_, status)| status["term"].as_u64());
            latest.map(|(name, _)| name.to_owned())
        })
    }

    #[track_caller]
    pub fn await_leader(&self, name: &str) {
        self.until(name, |cluster| (cluster.leader() == name).then_some(()));
    }

    /// Sends a line to a node, and waits until it is in its log; the answer may never come.
    #[track_caller]
    pub fn tell(&self, name: &str, line: &str) {
        let node = self.nodes.iter().find(|node| node.name == name).expect("one of the three");
        let mut stream = TcpStream::connect(&node.address).unwrap();
        stream.write_all(format!("{line}\n").as_bytes()).unwrap();
        self.await_event(name, "client-request", |event| event["value"] == line);
    }

    /// Waits until a node has logged such an event.
    #[track_caller]
    pub fn await_event(&self, name: &str, kind: &str, is_it: impl Fn(&Value) -> bool) {
        self.await_step(name, kind, |_, event| is_it(event));
    }

    /// Waits for an event for which `is_it` holds together with the one before it.
    #[track_caller]
    pub fn await_step(&self, name: &str, kind: &str, is_it: impl Fn(&Value, &Value) -> bool) {
        self.until(kind, |cluster| cluster.find_step(name, kind, &is_it));
    }

    /// The first event of this kind of which that is true, seen beside the one before it.
    pub fn find_step(&self, name: &str, kind: &str, is_it: impl Fn(&Value, &Value) -> bool) -> Option<Value> {
        let events = self.events(name);
        let mut pairs = std::iter::once(&Value::Null).chain(&events).zip(&events);
        let found = pairs.find(|(before, event)| event["event"] == kind && is_it(before, event));
        found.map(|(_, event)| event.clone())
    }

    /// The events of a node, in its order; none if it has not started yet.
    #[track_caller]
    pub fn events(&self, name: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.log(name)).unwrap_or_default();
        // A line that is being written is none yet.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// Leaves so many lines in a node's log, and a piece of the next.
    pub fn tear_log(&self, name: &str, n_lines: usize) {
        let text = std::fs::read_to_string(self.log(name)).unwrap();
        let n_bytes: usize = text.split_inclusive('\n').take(n_lines).map(str::len).sum();
        std::fs::write(self.log(name), &text[..n_bytes + 10]).unwrap();
    }

    fn answers(&self, line: &str) -> impl Iterator<Item = (&'static str, String)> {
        let running = self.nodes.iter().filter(|node| node.process.is_some());
        running.filter_map(move |node| Some((node.name, ask(&node.address, line).ok()?)))
    }

    #[track_caller]
    #[expect(clippy::disallowed_methods, reason = "real nodes take real time, and none of them tells when")]
    fn until<T>(&self, what: &str, look: impl Fn(&Cluster) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            assert!(start.elapsed() < PATIENCE, "`{what}`: no answer; see {}", self.folder.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn log(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.ndjson"))
    }

    fn node_mut(&mut self, name: &str) -> &mut Node {
        self.nodes.iter_mut().find(|node| node.name == name).expect("one of the three")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

fn end(mut process: Child) {
    // One that has ended by itself needs no end.
    drop(process.kill());
    drop(process.wait());
}

fn ask(address: &str, line: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    stream.write_all(format!("{line}\n").as_bytes())?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer)?;
    match answer.strip_suffix('\n') {
        Some(whole) => Ok(whole.to_owned()),
        None => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}
