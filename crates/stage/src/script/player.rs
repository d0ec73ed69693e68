//! Lines carried out on a stage, with a record of each.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use base::FxIndexMap;
use serde::Serialize;
use wire::Outcome;

use super::{HELP, Line, Which};
use crate::net::{Held, MessageId, Payload};
use crate::node::{NodeId, NodeState};
use crate::stage::{Settings, Stage};
use crate::sys::Exit;
use crate::system::{Layout, Observation, Request, System};
use crate::{Folder, Trouble};

/// What an event did, and how things stand after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Record {
    /// The line.
    pub event: String,
    /// What was answered or seen, or what was lost.
    pub answer: Vec<String>,
    /// The nodes' clocks, in nanoseconds since they were first started.
    pub clocks: BTreeMap<String, u64>,
    pub nodes: BTreeMap<String, String>,
    pub held: Vec<HeldRecord>,
    /// What the nodes have written since the last event.
    pub output: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HeldRecord {
    pub from: String,
    pub to: String,
    pub number: u64,
    /// `frame`, `datagram` or `end`.
    pub kind: &'static str,
    /// Bytes that are no printable ASCII are escaped.
    pub bytes: String,
}

/// Carries out lines.
pub struct Player {
    pub stage: Stage,
    system: System,
    nodes_folder: PathBuf,
    python: PathBuf,
    start_ns: u64,
    n_written: FxIndexMap<NodeId, u64>,
    last_answer: String,
}

/// What goes wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Stage(#[from] Trouble),
    #[error("the system has no {kind} `{name}`")]
    Unknown { kind: &'static str, name: String },
    #[error("expected `{expected}`, and there was `{seen}`")]
    NotExpected { expected: String, seen: String },
    #[error("nothing of `{node}` can be seen as `{name}`: {reason}")]
    Unseen { name: String, node: String, reason: String },
}

impl Player {
    /// Sets up a stage for a described system; nothing is started yet.
    pub fn open(system: System, mut settings: Settings, python: PathBuf) -> Result<Player, Trouble> {
        let what = "the folders of the nodes cannot be made";
        let folder = Folder::create_in(&settings.base_folder).map_err(Trouble::system(what))?;
        let nodes_folder = folder.path().join("nodes");
        let layout = Layout { nodes: &nodes_folder, python: &python };
        let specs = system.specs(&layout).map_err(Trouble::system(what))?;
        settings.seed = system.seed.unwrap_or(settings.seed);
        settings.idle_limit = system.idle_limit.unwrap_or(settings.idle_limit);
        settings.framing.clone_from(&system.framing);
        let start_ns = settings.start_ns;
        let stage = Stage::open_in(folder, settings, specs)?;
        let (n_written, last_answer) = (FxIndexMap::default(), String::new());
        Ok(Player { stage, system, nodes_folder, python, start_ns, n_written, last_answer })
    }

    /// Carries out a line; the record is there also for one that failed half-way.
    pub fn play(&mut self, line: &Line, text: &str) -> (Record, Result<(), PlayError>) {
        let played = self.carry_out(line);
        let answer = played.as_ref().cloned().unwrap_or_default();
        (self.record(text, answer), played.map(|_| ()))
    }

    fn carry_out(&mut self, line: &Line) -> Result<Vec<String>, PlayError> {
        match line {
            Line::Start { nodes } => self.start(nodes),
            Line::Crash { node, loses: false } => {
                let lost = self.stage.crash(self.stage.node_named(node)?)?;
                Ok(self.lost(&lost))
            }
            Line::Crash { node, loses: true } => {
                let (lost, files) = self.stage.crash_and_lose(self.stage.node_named(node)?)?;
                let files = files.iter().map(|file| format!("lost part of {file}"));
                Ok(self.lost(&lost).into_iter().chain(files).collect())
            }
            Line::Tick { node, n_times } => {
                let id = self.stage.node_named(node)?;
                (0..*n_times).try_for_each(|_| self.stage.tick(id).map(|_| ()))?;
                Ok(Vec::new())
            }
            Line::Advance { node, length } => {
                self.stage.advance(self.stage.node_named(node)?, *length)?;
                Ok(Vec::new())
            }
            Line::Deliver { from, to, which } => self.deliver(from, to, *which),
            Line::Drop { from, to, number } => {
                let dropped = self.stage.drop(self.message(from, to, *number)?)?;
                Ok(self.lost(&[dropped]))
            }
            Line::Duplicate { from, to, number } => {
                self.stage.duplicate(self.message(from, to, *number)?)?;
                Ok(Vec::new())
            }
            Line::Cut { one, other } => self.cut(one, other.as_deref()),
            Line::Heal { one, other } => self.heal(one, other.as_deref()),
            Line::Accept { node, port } => self.decide(node, *port, Outcome::Accepted),
            Line::Refuse { node, port } => self.decide(node, *port, Outcome::Refused),
            Line::TimeOut { node, port } => self.decide(node, *port, Outcome::TimedOut),
            Line::Client { name, node, arguments } => self.client(name, node, arguments),
            Line::Observe { name, node } => self.observe(name, node),
            Line::Expect { text } => self.expect(text),
            Line::Held => Ok(self.stage.held().iter().map(|held| self.show(held)).collect()),
            Line::Nodes => Ok(self.show_nodes()),
            Line::Help => Ok(HELP.lines().map(str::to_owned).collect()),
            Line::Quit => Ok(Vec::new()),
        }
    }

    fn start(&mut self, nodes: &[String]) -> Result<Vec<String>, PlayError> {
        let ids: Vec<NodeId> = match nodes {
            [all] if all == "all" => self.stage.nodes().collect(),
            _ => nodes.iter().map(|name| self.stage.node_named(name)).collect::<Result<_, _>>()?,
        };
        ids.into_iter().try_for_each(|id| self.stage.start(id))?;
        Ok(Vec::new())
    }

    fn message(&self, from: &str, to: &str, number: u64) -> Result<MessageId, Trouble> {
        Ok(MessageId { from: self.stage.node_named(from)?, to: self.stage.node_named(to)?, number })
    }

    fn deliver(&mut self, from: &str, to: &str, which: Which) -> Result<Vec<String>, PlayError> {
        let (from_id, to_id) = (self.stage.node_named(from)?, self.stage.node_named(to)?);
        let between: Vec<MessageId> = self
            .stage
            .held()
            .iter()
            .map(|held| held.id)
            .filter(|id| id.from == from_id && id.to == to_id)
            .collect();
        let wanted = match which {
            Which::Next => between.first().map(|id| vec![*id]).ok_or(Trouble::NoSuchMessage)?,
            Which::Number(number) => vec![self.message(from, to, number)?],
            Which::All => between,
        };
        wanted.into_iter().try_for_each(|id| self.stage.deliver(id))?;
        Ok(Vec::new())
    }

    /// The pairs that are meant: two nodes, or one and every other.
    fn pairs(&self, one: &str, other: Option<&str>) -> Result<Vec<(NodeId, NodeId)>, Trouble> {
        let one = self.stage.node_named(one)?;
        match other {
            Some(other) => Ok(vec![(one, self.stage.node_named(other)?)]),
            None => Ok(self.stage.nodes().filter(|other| *other != one).map(|other| (one, other)).collect()),
        }
    }

    fn cut(&mut self, one: &str, other: Option<&str>) -> Result<Vec<String>, PlayError> {
        let mut lost = Vec::new();
        for (one, other) in self.pairs(one, other)? {
            lost.extend(self.stage.cut(one, other)?);
        }
        Ok(self.lost(&lost))
    }

    fn heal(&mut self, one: &str, other: Option<&str>) -> Result<Vec<String>, PlayError> {
        for (one, other) in self.pairs(one, other)? {
            self.stage.heal(one, other)?;
        }
        Ok(Vec::new())
    }

    fn decide(&mut self, node: &str, port: u16, outcome: Outcome) -> Result<Vec<String>, PlayError> {
        self.stage.decide(self.stage.node_named(node)?, port, outcome)?;
        Ok(Vec::new())
    }

    fn client(&mut self, name: &str, node: &str, arguments: &[String]) -> Result<Vec<String>, PlayError> {
        let id = self.stage.node_named(node)?;
        let unknown = || PlayError::Unknown { kind: "client request", name: name.to_owned() };
        let request = self.system.clients.get(name).cloned().ok_or_else(unknown)?;
        let answer = self.request(id, &request, arguments)?;
        Ok(self.answered(answer))
    }

    fn request(&mut self, id: NodeId, request: &Request, arguments: &[String]) -> Result<String, Trouble> {
        let layout = Layout { nodes: &self.nodes_folder, python: &self.python };
        let folder = self.nodes_folder.join(self.stage.name(id));
        let index = base::Id::index(id);
        let mut values = self.system.values(index, &folder, &layout);
        values.arguments = arguments.to_vec();
        let bytes = request.text.fill(&values);
        let answer = self.stage.call(id, request.port, bytes.as_bytes())?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    fn observe(&mut self, name: &str, node: &str) -> Result<Vec<String>, PlayError> {
        let id = self.stage.node_named(node)?;
        let unseen =
            |reason: String| PlayError::Unseen { name: name.to_owned(), node: node.to_owned(), reason };
        let Some(observation) = self.system.observations.get(name) else {
            return Err(PlayError::Unknown { kind: "observation", name: name.to_owned() });
        };
        let seen = match observation {
            Observation::Call(request) => {
                let request = request.clone();
                self.request(id, &request, &[])?
            }
            Observation::Http { path, port } => {
                let request = format!("GET {path} HTTP/1.0\r\n\r\n");
                let answer = self.stage.call(id, *port, request.as_bytes())?;
                let answer = String::from_utf8_lossy(&answer).into_owned();
                answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
            }
            Observation::Log(regex) => {
                let log = String::from_utf8_lossy(&self.stage.output(id).unwrap_or_default()).into_owned();
                let last = regex.captures_iter(&log).last();
                let found =
                    last.and_then(|found| found.get(1).or(found.get(0)).map(|part| part.as_str().to_owned()));
                found.ok_or_else(|| unseen("its log has no such line".to_owned()))?
            }
            Observation::File(path) => {
                let path = self.nodes_folder.join(node).join(path);
                std::fs::read_to_string(&path).map_err(|error| unseen(error.to_string()))?
            }
            Observation::Command(words) => {
                let folder = self.nodes_folder.join(node);
                let layout = Layout { nodes: &self.nodes_folder, python: &self.python };
                let values = self.system.values(base::Id::index(id), &folder, &layout);
                let words: Vec<String> = words.iter().flat_map(|word| word.fill_words(&values)).collect();
                run(&words, &folder).map_err(unseen)?
            }
        };
        Ok(self.answered(seen))
    }

    fn answered(&mut self, answer: String) -> Vec<String> {
        self.last_answer = answer.trim_end().to_owned();
        self.last_answer.lines().map(str::to_owned).collect()
    }

    fn expect(&self, text: &str) -> Result<Vec<String>, PlayError> {
        if self.last_answer == text {
            return Ok(Vec::new());
        }
        Err(PlayError::NotExpected { expected: text.to_owned(), seen: self.last_answer.clone() })
    }

    fn lost(&self, lost: &[Held]) -> Vec<String> {
        lost.iter().map(|held| format!("lost {}", self.show(held))).collect()
    }

    fn show(&self, held: &Held) -> String {
        let (from, to) = (self.stage.name(held.id.from), self.stage.name(held.id.to));
        format!("{from} {to} {} {}", held.id.number, held.payload)
    }

    fn show_nodes(&self) -> Vec<String> {
        let line = |id: NodeId| {
            let now_ms = (self.stage.now_ns(id) - self.start_ns) / 1_000_000;
            let next = self
                .stage
                .next_deadline_ns(id)
                .map(|at| at.saturating_sub(self.stage.now_ns(id)) / 1_000_000);
            let waits = next.map_or(String::new(), |next| format!(", next deadline in {next} ms"));
            format!("{} {}, at {now_ms} ms{waits}", self.stage.name(id), state(self.stage.state(id)))
        };
        self.stage.nodes().map(line).collect()
    }

    fn record(&mut self, text: &str, answer: Vec<String>) -> Record {
        let ids: Vec<NodeId> = self.stage.nodes().collect();
        let name = |id: &NodeId| self.stage.name(*id).to_owned();
        let clocks = ids.iter().map(|id| (name(id), self.stage.now_ns(*id) - self.start_ns)).collect();
        let nodes = ids.iter().map(|id| (name(id), state(self.stage.state(*id)))).collect();
        let held = self.stage.held().iter().map(|held| self.held_record(held)).collect();
        let mut output = BTreeMap::new();
        for id in ids {
            let (fresh, end) = self.stage.output_since(id, self.n_written.get(&id).copied().unwrap_or(0));
            self.n_written.insert(id, end);
            if !fresh.is_empty() {
                output.insert(self.stage.name(id).to_owned(), String::from_utf8_lossy(&fresh).into_owned());
            }
        }
        Record { event: text.trim().to_owned(), answer, clocks, nodes, held, output }
    }

    fn held_record(&self, held: &Held) -> HeldRecord {
        let (kind, bytes) = match &held.payload {
            Payload::Bytes(bytes) => ("frame", bytes.as_slice()),
            Payload::Datagram(bytes) => ("datagram", bytes.as_slice()),
            Payload::End => ("end", [].as_slice()),
        };
        HeldRecord {
            from: self.stage.name(held.id.from).to_owned(),
            to: self.stage.name(held.id.to).to_owned(),
            number: held.id.number,
            kind,
            bytes: bytes.escape_ascii().to_string(),
        }
    }
}

fn state(state: NodeState) -> String {
    match state {
        NodeState::NotStarted => "not started".to_owned(),
        NodeState::Running => "running".to_owned(),
        NodeState::Ended(Exit::Code(code)) => format!("ended with exit code {code}"),
        NodeState::Ended(Exit::Signal(signal)) => format!("ended by signal {signal}"),
        NodeState::Crashed => "crashed".to_owned(),
    }
}

/// What a command prints that runs outside the stage.
fn run(words: &[String], folder: &std::path::Path) -> Result<String, String> {
    let (program, args) = words.split_first().ok_or("the command is empty")?;
    let output =
        Command::new(program).args(args).current_dir(folder).output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("`{program}` failed: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
