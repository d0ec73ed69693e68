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

const NAMES: [&str; 3] = ["n1", "n2", "n3"];

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
    pub fn start(name: &str, options: &[&str]) -> Cluster {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
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
        let options = options.iter().map(ToString::to_string).collect();
        let mut cluster = Cluster { folder, options, nodes };
        NAMES.iter().for_each(|name| cluster.restart(name));
        cluster
    }

    pub fn names(&self) -> [&'static str; 3] {
        NAMES
    }

    pub fn restart(&mut self, name: &str) {
        let members: Vec<String> =
            self.nodes.iter().map(|node| format!("{}={}", node.name, node.address)).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_raft-node"));
        command.args(["--node", name, "--cluster", &members.join(",")]);
        command.arg("--data").arg(self.folder.join(name)).arg("--log").arg(self.log(name));
        command.args(&self.options).stdin(Stdio::null());
        self.node_mut(name).process = Some(command.spawn().unwrap());
    }

    pub fn kill(&mut self, name: &str) {
        let mut process = self.node_mut(name).process.take().expect("it runs");
        process.kill().unwrap();
        process.wait().unwrap();
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

    /// The events of a node, in its order.
    #[track_caller]
    pub fn events(&self, name: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.log(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
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
        for process in self.nodes.iter_mut().filter_map(|node| node.process.as_mut()) {
            // One that has ended by itself needs no end.
            drop(process.kill());
            drop(process.wait());
        }
        if !std::thread::panicking() {
            drop(std::fs::remove_dir_all(&self.folder));
        }
    }
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
