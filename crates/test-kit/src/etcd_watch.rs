//! A cluster of etcd under load and in trouble, with one monitor for each member.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use base::{Clock, SystemClock};
use serde_json::Value;

use crate::etcd::EtcdCluster;
use crate::mutate::Rng;

/// How long members may take until one leads.
const ELECTION_LIMIT: Duration = Duration::from_secs(60);
/// How long the monitors may take to judge what is left, after the members have ended.
const REST_LIMIT: Duration = Duration::from_secs(300);

/// The kinds of troubles.
const TROUBLES: [Trouble; 5] =
    [Trouble::Kill, Trouble::Pause, Trouble::Cut, Trouble::Transfer, Trouble::CutLeader];

#[derive(Clone, Copy, Debug)]
enum Trouble {
    Kill,
    Pause,
    Cut,
    Transfer,
    CutLeader,
}

/// A run of a cluster with its monitors.
#[derive(Clone, Debug)]
pub struct EtcdWatch {
    /// The programs of Specline and of etcd, and the folder with `Etcd.tla`.
    pub specline: PathBuf,
    pub etcd: PathBuf,
    pub spec: PathBuf,
    /// A folder for the data of members, for recordings and for what the monitors say.
    pub folder: PathBuf,
    pub n_members: usize,
    pub n_clients: usize,
    pub duration: Duration,
    /// The time between two requests of a client.
    pub think: Duration,
    pub mode: EtcdMode,
    pub seed: u64,
}

/// A way to use a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EtcdMode {
    /// Monitors watch it, and it has troubles.
    Watched,
    /// It is left alone, and recorded: see [`EtcdWatch::recording`].
    Recorded,
}

/// The result of a monitor.
#[derive(Clone, Debug)]
pub struct Watched {
    pub node: String,
    pub code: Option<i32>,
    /// Its lines: alarms, what could not be decided, and the counts at the end.
    pub lines: Vec<Value>,
    /// The memory that it had, in bytes, from time to time.
    pub memory: Vec<u64>,
}

impl Watched {
    /// Returns a count of the last line.
    pub fn count(&self, name: &str) -> u64 {
        self.lines.last().and_then(|line| line[name].as_u64()).unwrap_or_default()
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct EtcdRun {
    pub monitors: Vec<Watched>,
    /// Requests of clients that were answered.
    pub n_answers: usize,
    pub troubles: Vec<String>,
    /// The notes of the tap.
    pub notes: String,
}

/// Waits: nobody sends an event for what other processes do.
fn wait(duration: Duration) {
    let (_sender, receiver) = std::sync::mpsc::channel::<()>();
    let _ = receiver.recv_timeout(duration);
}

impl EtcdWatch {
    /// Runs the cluster; panics if the processes do not do what they should.
    pub fn run(&self) -> EtcdRun {
        let mut cluster = EtcdCluster::new(&self.etcd, &self.folder, self.n_members);
        std::fs::create_dir_all(self.folder.join("pipes")).unwrap();
        let watched = if self.mode == EtcdMode::Watched { 0..self.n_members } else { 0..0 };
        let mut monitors: Vec<Monitoring> = watched.map(|at| self.monitor(at)).collect();
        let mut tap = self.tap(&cluster);
        (0..self.n_members).for_each(|at| cluster.start(at));
        let clock = SystemClock::start();
        while cluster.leader().is_none() {
            assert!(clock.elapsed() < ELECTION_LIMIT, "nobody is elected");
            wait(Duration::from_millis(100));
        }
        let (n_answers, troubles) = self.trouble(&mut cluster, &mut monitors);
        (0..self.n_members).for_each(|at| cluster.kill(at));
        // What they sent last is on its way through the relays.
        wait(Duration::from_millis(500));
        let notes = tap.stop();
        let monitors = monitors.into_iter().map(Monitoring::finish).collect();
        EtcdRun { monitors, n_answers, troubles, notes }
    }

    /// Returns the file with what the tap saw of a member, if nobody watched it.
    pub fn recording(&self, at: usize) -> PathBuf {
        self.folder.join("pipes").join(format!("{}.ndjson", EtcdCluster::name(at)))
    }

    /// Starts the monitor of a member, which reads a named pipe.
    fn monitor(&self, at: usize) -> Monitoring {
        let node = EtcdCluster::name(at);
        let pipe = self.recording(at);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success(), "there is a mkfifo");
        let out = std::fs::File::create(self.folder.join(format!("{node}.told"))).unwrap();
        let mut command = self.monitor_command(at, &pipe);
        command.arg("--record").arg(self.folder.join(format!("{node}.ndjson")));
        let child = command.stdin(Stdio::null()).stdout(out).spawn().expect("the monitor starts");
        Monitoring { node, child: Process(child), folder: self.folder.clone(), memory: Vec::new() }
    }

    /// Returns the monitor of a member, with what it reads.
    pub fn monitor_command(&self, at: usize, input: &Path) -> Command {
        let nodes: Vec<String> =
            (0..self.n_members).map(|at| format!("{:?}", EtcdCluster::name(at))).collect();
        let nodes = format!("{{{}}}", nodes.join(", "));
        let spec = |name: &str| self.spec.join(name);
        let mut command = Command::new(&self.specline);
        command.arg("monitor").arg(spec("Etcd.tla")).arg("-c").arg(spec("Monitor.cfg"));
        command.arg("--map").arg(spec("monitor.toml")).args(["--format", "json"]);
        for name in ["Server", "Standing", "Crashing", "Reading"] {
            command.arg("-D").arg(format!("{name}={nodes}"));
        }
        // A new cluster begins with an entry for each member.
        command.arg("-D").arg(format!("FirstIndex={}", self.n_members));
        command.args(["--node", &EtcdCluster::name(at)]).arg("--input").arg(input);
        command
    }

    fn tap(&self, cluster: &EtcdCluster) -> Tap {
        let mut command = Command::new(&self.specline);
        command.args(["tap", "--into"]).arg(self.folder.join("pipes")).args(cluster.relays());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the tap starts");
        let mut errors = BufReader::new(child.stderr.take().expect("it was asked for"));
        for _ in 0..2 * self.n_members {
            let mut line = String::new();
            errors.read_line(&mut line).unwrap();
            assert!(line.starts_with("tap: listening"), "{line}");
        }
        // Somebody has to read what it says, or it waits.
        let notes =
            std::thread::spawn(move || errors.lines().map_while(Result::ok).collect::<Vec<_>>().join("\n"));
        Tap { child: Process(child), notes: Some(notes) }
    }

    /// Lets clients work, and makes trouble; returns how many answers they had, and what was done.
    fn trouble(&self, cluster: &mut EtcdCluster, monitors: &mut [Monitoring]) -> (usize, Vec<String>) {
        let (is_over, n_answers) = (AtomicBool::new(false), AtomicUsize::new(0));
        let cell = std::sync::RwLock::new(cluster);
        let mut rng = Rng::new(self.seed);
        let mut done = Vec::new();
        std::thread::scope(|scope| {
            for client in 0..self.n_clients {
                let (cell, is_over, n_answers) = (&cell, &is_over, &n_answers);
                scope.spawn(move || {
                    let mut number = client * 7919;
                    while !is_over.load(Ordering::Relaxed) {
                        let n = cell.read().unwrap().load(number, 1);
                        n_answers.fetch_add(n, Ordering::Relaxed);
                        number += 1;
                        wait(self.think);
                    }
                });
            }
            let clock = SystemClock::start();
            while clock.elapsed() < self.duration {
                if self.mode == EtcdMode::Recorded {
                    wait(Duration::from_millis(100));
                    continue;
                }
                wait(Duration::from_millis(2_000 + rng.below(3_000) as u64));
                let at = rng.below(self.n_members);
                let trouble = rng.pick(&TROUBLES);
                done.push(format!("{trouble:?} {}", EtcdCluster::name(at)));
                let during = Duration::from_millis(200 + rng.below(4_000) as u64);
                make(trouble, at, &cell, during);
                monitors.iter_mut().for_each(Monitoring::measure);
            }
            is_over.store(true, Ordering::Relaxed);
        });
        (n_answers.into_inner(), done)
    }
}

/// Makes trouble, and ends it.
fn make(trouble: Trouble, at: usize, cell: &std::sync::RwLock<&mut EtcdCluster>, during: Duration) {
    let cluster = || cell.read().unwrap();
    match trouble {
        Trouble::Kill => {
            cell.write().unwrap().kill(at);
            wait(during);
            cell.write().unwrap().start(at);
        }
        Trouble::Pause => {
            cluster().pause(at, true);
            wait(during);
            cluster().pause(at, false);
        }
        Trouble::Cut | Trouble::CutLeader => {
            let leader = || cluster().leader().map_or(at, |(leader, _)| leader);
            let at = if matches!(trouble, Trouble::Cut) { at } else { leader() };
            cluster().cut(at, true);
            wait(during);
            cluster().cut(at, false);
        }
        Trouble::Transfer => drop(cluster().transfer()),
    }
}

/// A process that ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Tap {
    child: Process,
    notes: Option<std::thread::JoinHandle<String>>,
}

impl Tap {
    /// Asks it to end; returns what it said.
    fn stop(&mut self) -> String {
        let status = Command::new("kill").arg("-TERM").arg(self.child.0.id().to_string()).status();
        assert!(status.unwrap().success(), "the tap is there");
        self.child.0.wait().unwrap();
        self.notes.take().map(|notes| notes.join().unwrap()).unwrap_or_default()
    }
}

struct Monitoring {
    node: String,
    child: Process,
    folder: PathBuf,
    memory: Vec<u64>,
}

impl Monitoring {
    /// Notes how much memory it has.
    fn measure(&mut self) {
        self.memory.extend(resident_bytes(self.child.0.id()));
    }

    /// Waits for the end of what it reads.
    fn finish(mut self) -> Watched {
        let clock = SystemClock::start();
        let status = loop {
            if let Some(status) = self.child.0.try_wait().unwrap() {
                break status;
            }
            assert!(clock.elapsed() < REST_LIMIT, "the monitor of {} takes too long", self.node);
            wait(Duration::from_millis(50));
        };
        let text = std::fs::read_to_string(self.folder.join(format!("{}.told", self.node))).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        Watched {
            node: self.node.clone(),
            code: status.code(),
            lines,
            memory: std::mem::take(&mut self.memory),
        }
    }
}

/// Returns the memory of a process, as Linux counts it.
fn resident_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
