//! Carries out lines on a stage and records each of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base::FxIndexMap;
use serde::Serialize;
use serde_json::Value;
use wire::Outcome;

use super::save::History;
use super::{FileStep, HELP, Line, Which};
use crate::net::{Answer, Held, MessageId, Payload, Rule};
use crate::node::{DoorKind, NodeId, NodeState, Stream};
use crate::stage::{ClientId, Settings, Stage};
use crate::sys::Exit;
use crate::system::{Layout, Observation, Request, System, Template, log_of};
use crate::{FileCall, Folder, Helper, Loss, Point, Trap, TrapAction, Trouble, Uncontrolled};

/// The effect of an event, and the state of the system after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Record {
    /// The line.
    pub event: String,
    /// The line that was played, parsed; `None` before the first event.
    pub step: Option<Line>,
    /// The answer or observation, or what was lost.
    pub answer: Vec<String>,
    /// The nodes' clocks, counted from the beginning of the run.
    pub clocks: BTreeMap<String, Moment>,
    pub nodes: BTreeMap<String, String>,
    pub held: Vec<HeldRecord>,
    /// The nodes' standard output since the last event.
    pub output: BTreeMap<String, String>,
    /// The nodes' standard error since the last event.
    pub errors: BTreeMap<String, String>,
    /// Calls since the last event that are not under control, or were refused for that reason.
    pub uncontrolled: Vec<String>,
    /// The lines that the nodes have added to their logs since the last event. A line that is not JSON is a string.
    pub log: BTreeMap<String, Vec<Value>>,
}

/// A time on a clock, in two parts because TLC's numbers have 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Moment {
    pub s: u64,
    pub ns: u64,
}

impl Moment {
    fn new(ns: u64) -> Moment {
        Moment { s: ns / 1_000_000_000, ns: ns % 1_000_000_000 }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HeldRecord {
    pub from: String,
    pub to: String,
    pub number: u64,
    /// `frame`, `bytes` if no rule divides the stream, `datagram`, `part`, `rest` or `end`.
    pub kind: &'static str,
    /// For a part, the length of the whole, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// The content; bytes that are not printable ASCII are escaped.
    pub bytes: String,
}

/// Carries out lines on a stage.
pub struct Player {
    pub stage: Stage,
    system: System,
    nodes_folder: PathBuf,
    python: PathBuf,
    start_ns: u64,
    /// Number of bytes of each node's streams that were reported.
    n_written: FxIndexMap<(NodeId, bool), u64>,
    /// Number of endings of nodes that were reported.
    n_endings: u64,
    /// Number of bytes of each node's log that were read.
    n_logged: FxIndexMap<NodeId, u64>,
    /// Number of times that each uncontrolled call was reported.
    n_uncontrolled: Vec<u64>,
    last_answer: String,
    /// Clients that were not answered yet, with what they asked for.
    waiting: Vec<WaitingClient>,
    /// Commands that stay, by observation and node.
    helpers: FxIndexMap<(String, NodeId), Helper>,
    history: History,
}

/// The reason why a line fails.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Stage(#[from] Trouble),
    #[error("the system has no {kind} `{name}`")]
    Unknown { kind: &'static str, name: String },
    #[error("expected `{expected}`, and there was `{seen}`")]
    NotExpected { expected: String, seen: String },
    #[error("`{node}` {how} while it was to start")]
    Died { node: String, how: String },
    #[error("what happened cannot be kept: {0}")]
    NotKept(std::io::Error),
    #[error("nothing of `{node}` can be seen as `{name}`: {reason}")]
    Unseen { name: String, node: String, reason: String },
}

/// A client that waits for the rest of its answer.
struct WaitingClient {
    client: ClientId,
    /// Its request, for people.
    asked: String,
    answer: Answer,
}

/// Returns an answer as text: where a rule tells messages apart it is the last one, with escapes.
fn readable(answer: &Answer, bytes: &[u8]) -> Vec<u8> {
    if answer.rule == Rule::None {
        return bytes.to_vec();
    }
    let last = answer.split(bytes).into_iter().nth(answer.n_messages - 1);
    last.map(|message| message.escape_ascii().to_string().into_bytes()).unwrap_or_default()
}

impl Player {
    /// Sets up a stage for a described system without starting anything.
    pub fn open(system: System, mut settings: Settings, python: PathBuf) -> Result<Player, Trouble> {
        let what = "the folders of the nodes cannot be made";
        let folder = Folder::create_in(&settings.base_folder).map_err(Trouble::system(what))?;
        let nodes_folder = folder.path().join("nodes");
        let layout = Layout { nodes: &nodes_folder, python: &python };
        let specs = system.specs(&layout).map_err(Trouble::system(what))?;
        settings.seed = system.seed.unwrap_or(settings.seed);
        settings.idle_limit = system.idle_limit.unwrap_or(settings.idle_limit);
        settings.framing.clone_from(&system.framing);
        settings.unsafe_stream = system.unsafe_stream;
        let start_ns = settings.start_ns;
        let history_path = folder.path().join("history.ndjson");
        let stage = Stage::open_in(folder, settings, specs)?;
        let first = start_record(&stage);
        let history = History::begin(history_path, first).map_err(Trouble::system(what))?;
        Ok(Player {
            stage,
            system,
            nodes_folder,
            python,
            start_ns,
            n_written: FxIndexMap::default(),
            n_endings: 0,
            n_logged: FxIndexMap::default(),
            n_uncontrolled: Vec::new(),
            last_answer: String::new(),
            waiting: Vec::new(),
            helpers: FxIndexMap::default(),
            history,
        })
    }

    /// Carries out a line. There is a record even if the line failed half-way.
    pub fn play(&mut self, line: &Line, text: &str) -> (Record, Result<(), PlayError>) {
        let played = self.carry_out(line).and_then(|answer| Ok([answer, self.collect_answers()?].concat()));
        let notes = self.stage.take_notes().into_iter();
        let notes = notes.map(|(id, note)| format!("{} {note}", self.stage.name(id)));
        let answer = played.as_ref().cloned().unwrap_or_default().into_iter().chain(notes);
        let answer = [answer.collect(), self.take_new_endings()].concat();
        let (log, read) = self.take_new_log();
        let uncontrolled = self.take_new_uncontrolled();
        let record = Record { log, uncontrolled, ..self.record(line, text, answer) };
        let kept = read.and_then(|()| self.history.add(&record)).map_err(PlayError::NotKept);
        (record, played.and(kept))
    }

    /// Observes a node without recording it.
    pub fn look(&mut self, name: &str, node: &str) -> Result<String, PlayError> {
        self.observe(name, node).map(|lines| lines.join("\n"))
    }

    fn carry_out(&mut self, line: &Line) -> Result<Vec<String>, PlayError> {
        match line {
            Line::Start { nodes } => self.start(nodes),
            Line::Crash { node, loses: false } => {
                let lost = self.stage.crash(self.stage.node_named(node)?)?;
                Ok(self.describe_lost(&lost))
            }
            Line::Crash { node, loses: true } => {
                let (lost, files) = self.stage.crash_and_lose(self.stage.node_named(node)?)?;
                let files = files.iter().map(|file| format!("lost part of {file}"));
                Ok(self.describe_lost(&lost).into_iter().chain(files).collect())
            }
            Line::Lose { node } => {
                let files = self.stage.lose(self.stage.node_named(node)?)?;
                Ok(files.iter().map(|file| format!("lost part of {file}")).collect())
            }
            Line::LosePart { node, kept, names } => {
                let kept = kept.iter().map(|kept| (kept.file.clone(), kept.n_changes)).collect();
                let loss = Loss { kept, names: *names };
                let files = self.stage.lose_part(self.stage.node_named(node)?, &loss)?;
                Ok(files.iter().map(|file| format!("lost part of {file}")).collect())
            }
            Line::Unsynced { node } => Ok(self.stage.list_unsynced(self.stage.node_named(node)?)?),
            Line::At { node, action, call, file, is_after } => {
                let (action, is_after, file) = (*action, *is_after, file.clone());
                let (point, thread, is_always) = (None, None, false);
                let trap = Trap { call: file_call(*call), file, action, is_after, point, thread, is_always };
                self.stage.arm(self.stage.node_named(node)?, trap);
                Ok(Vec::new())
            }
            Line::AtPoint { node, action, point, is_always } => {
                self.arm_point(node, (*action, *is_always), point)
            }
            Line::Release { node, point } => self.release(node, point.as_deref()),
            Line::Step { node, from, to } => self.step(node, from, to),
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
                Ok(self.describe_lost(&[dropped]))
            }
            Line::Duplicate { from, to, number } => {
                self.stage.duplicate(self.message(from, to, *number)?)?;
                Ok(Vec::new())
            }
            Line::Cut { one, other } => self.cut(one, other.as_deref()),
            Line::Heal { one, other } => self.heal(one, other.as_deref()),
            Line::Break { one, other } => {
                self.stage.break_next(self.stage.node_named(one)?, self.stage.node_named(other)?);
                Ok(Vec::new())
            }
            Line::Accept { node, port } => self.decide(node, *port, Outcome::Accepted),
            Line::Refuse { node, port } => self.decide(node, *port, Outcome::Refused),
            Line::TimeOut { node, port } => self.decide(node, *port, Outcome::TimedOut),
            Line::Client { name, node, arguments } => self.client(name, node, arguments),
            Line::Observe { name, node } => self.observe(name, node),
            Line::Expect { text } => self.expect(text),
            Line::Save { path } => self.history.save(path).map(|_| Vec::new()).map_err(PlayError::NotKept),
            Line::Held => Ok(self.stage.held_messages().iter().map(|held| self.show(held)).collect()),
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
        ids.iter().try_for_each(|id| self.stage.start(*id))?;
        let died = self.stage.ended_nodes().into_iter().map(|(_, id)| id).find(|id| {
            let is_death = self.stage.state(*id) != NodeState::Ended(Exit::Code(0));
            is_death && ids.contains(id)
        });
        match died {
            None => Ok(Vec::new()),
            Some(id) => {
                let (node, how) = (self.stage.name(id).to_owned(), describe_state(self.stage.state(id)));
                Err(PlayError::Died { node, how })
            }
        }
    }

    fn point(&self, name: &str) -> Result<Point, PlayError> {
        let found = self.system.points.iter().find(|point| point.name == name);
        found.cloned().ok_or_else(|| PlayError::Unknown { kind: "point", name: name.to_owned() })
    }

    fn arm_point(
        &mut self,
        node: &str,
        (action, is_always): (TrapAction, bool),
        point: &str,
    ) -> Result<Vec<String>, PlayError> {
        let (id, point) = (self.stage.node_named(node)?, self.point(point)?);
        match is_always {
            true => self.stage.hold_always(id, &point)?,
            false => self.stage.arm_point(id, &point, action)?,
        }
        Ok(Vec::new())
    }

    fn release(&mut self, node: &str, point: Option<&str>) -> Result<Vec<String>, PlayError> {
        let id = self.stage.node_named(node)?;
        match point {
            Some(point) => self.stage.release_point(id, &self.point(point)?.name)?,
            None => self.stage.release(id)?,
        }
        Ok(Vec::new())
    }

    fn step(&mut self, node: &str, from: &str, to: &str) -> Result<Vec<String>, PlayError> {
        let (from, to) = (self.point(from)?, self.point(to)?);
        self.stage.step_point(self.stage.node_named(node)?, &from.name, &to)?;
        Ok(Vec::new())
    }

    /// Fails if points in the code are armed to which no thread has come: for the end of a script.
    pub fn check_points(&self) -> Result<(), PlayError> {
        let unreached = self.stage.unreached_points();
        match unreached.first() {
            None => Ok(()),
            Some((id, point, why)) => {
                let (node, point, why) = (self.stage.name(*id).to_owned(), point.clone(), why.clone());
                Err(PlayError::Stage(Trouble::NobodyAt { node, point, why }))
            }
        }
    }

    /// Returns lines about the nodes that have ended by themselves since the last event.
    fn take_new_endings(&mut self) -> Vec<String> {
        let ended = self.stage.ended_nodes();
        let fresh = ended.iter().filter(|(number, _)| *number > self.n_endings);
        let lines = fresh
            .map(|(_, id)| format!("{} {}", self.stage.name(*id), describe_state(self.stage.state(*id))));
        let lines = lines.collect();
        self.n_endings = ended.last().map_or(self.n_endings, |(number, _)| *number);
        lines
    }

    /// Returns what nodes have written to one of their streams since the last event.
    fn take_new_output(&mut self, stream: Stream) -> BTreeMap<String, String> {
        let mut output = BTreeMap::new();
        for id in self.stage.nodes().collect::<Vec<_>>() {
            let seen = self.n_written.entry((id, stream == Stream::Errors)).or_default();
            let (fresh, end) = self.stage.read_written_since(id, stream, *seen);
            *seen = end;
            if !fresh.is_empty() {
                output.insert(self.stage.name(id).to_owned(), lossy(&fresh));
            }
        }
        output
    }

    fn message(&self, from: &str, to: &str, number: u64) -> Result<MessageId, Trouble> {
        Ok(MessageId { from: self.stage.node_named(from)?, to: self.stage.node_named(to)?, number })
    }

    fn deliver(&mut self, from: &str, to: &str, which: Which) -> Result<Vec<String>, PlayError> {
        let (from_id, to_id) = (self.stage.node_named(from)?, self.stage.node_named(to)?);
        let is_between = |held: &Held| held.id.from == from_id && held.id.to == to_id;
        let between: Vec<Held> = self.stage.held_messages().into_iter().filter(is_between).collect();
        let whole: Vec<MessageId> =
            between.iter().filter(|held| held.is_whole()).map(|held| held.id).collect();
        let none = match between.is_empty() {
            true => Trouble::NoSuchMessage,
            false => Trouble::NotWhole { from: from.to_owned(), to: to.to_owned() },
        };
        let wanted = match which {
            Which::Next => whole.first().map(|id| vec![*id]).ok_or(none)?,
            Which::Number(number) => vec![self.message(from, to, number)?],
            Which::All => whole,
        };
        wanted.into_iter().try_for_each(|id| self.stage.deliver(id))?;
        Ok(Vec::new())
    }

    /// Returns the pairs that a line means: two nodes, or one and every other.
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
        Ok(self.describe_lost(&lost))
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
        let bytes = self.fill(id, &request, arguments);
        let client = self.stage.ask(id, request.port, bytes.as_bytes())?;
        if !self.stage.is_answered(client, &request.answer) {
            let asked = format!("{name} {node} {}", arguments.join(" ")).trim_end().to_owned();
            self.waiting.push(WaitingClient { client, asked, answer: request.answer });
            return Ok(Vec::new());
        }
        let answer = self.stage.hang_up(client)?;
        Ok(self.record_answer(&readable(&request.answer, &answer)))
    }

    /// Returns the answers to clients that had to wait: what they asked for, and what the node answered.
    fn collect_answers(&mut self) -> Result<Vec<String>, PlayError> {
        let mut lines = Vec::new();
        let next = |player: &Player| {
            let stage = &player.stage;
            player.waiting.iter().position(|waiting| stage.is_answered(waiting.client, &waiting.answer))
        };
        while let Some(at) = next(self) {
            let WaitingClient { client, asked, answer } = self.waiting.remove(at);
            let answered = self.stage.hang_up(client)?;
            let told = self.record_answer(&readable(&answer, &answered));
            let told = if told.is_empty() { vec!["no answer".to_owned()] } else { told };
            lines.extend(told.iter().map(|line| format!("client {asked}: {line}")));
        }
        Ok(lines)
    }

    /// Returns the text of a request to a node, with its placeholders filled in.
    fn fill(&self, id: NodeId, request: &Request, arguments: &[String]) -> String {
        let layout = Layout { nodes: &self.nodes_folder, python: &self.python };
        let folder = self.nodes_folder.join(self.stage.name(id));
        let mut values = self.system.values(base::Id::index(id), &folder, &layout);
        values.arguments = arguments.to_vec();
        request.text.fill(&values)
    }

    fn observe(&mut self, name: &str, node: &str) -> Result<Vec<String>, PlayError> {
        let seen = self.see(name, node)?;
        let Some(words) = self.system.readers.get(name) else {
            return Ok(self.record_answer(seen.as_bytes()));
        };
        let id = self.stage.node_named(node)?;
        let words = self.words(words, id);
        let unread =
            |reason: String| PlayError::Unseen { name: name.to_owned(), node: node.to_owned(), reason };
        let read = match self.stays(name) {
            true => self.ask_helper((name, id), &words, &seen),
            false => run(&words, &self.nodes_folder.join(node), Some(&seen)),
        };
        let read = read.map_err(unread)?;
        Ok(self.record_answer(read.as_bytes()))
    }

    fn stays(&self, observation: &str) -> bool {
        self.system.staying.iter().any(|name| name == observation)
    }

    /// Asks the command of an observation that stays beside the stage, and starts it before it is first asked.
    fn ask_helper(
        &mut self,
        (name, id): (&str, NodeId),
        words: &[String],
        seen: &str,
    ) -> Result<String, String> {
        let question = serde_json::to_string(seen).map_err(|error| error.to_string())?;
        let key = (name.to_owned(), id);
        if !self.helpers.contains_key(&key) {
            let folder = self.nodes_folder.join(self.stage.name(id));
            let helper = Helper::start(&format!("the command of `{name}`"), words, Some(&folder))?;
            self.helpers.insert(key.clone(), helper);
        }
        let answer = self.helpers.get_mut(&key).map(|helper| helper.ask(&question));
        answer.unwrap_or_else(|| Err("it was not started".to_owned())).inspect_err(|_| {
            self.helpers.shift_remove(&key);
        })
    }

    /// Returns the words of a command with the places of a node.
    fn words(&self, words: &[Template], id: NodeId) -> Vec<String> {
        let folder = self.nodes_folder.join(self.stage.name(id));
        let layout = Layout { nodes: &self.nodes_folder, python: &self.python };
        let values = self.system.values(base::Id::index(id), &folder, &layout);
        words.iter().flat_map(|word| word.fill_words(&values)).collect()
    }

    /// Looks at a node, and returns what is seen as it is.
    fn see(&mut self, name: &str, node: &str) -> Result<String, PlayError> {
        let id = self.stage.node_named(node)?;
        let unseen =
            |reason: String| PlayError::Unseen { name: name.to_owned(), node: node.to_owned(), reason };
        let Some(observation) = self.system.observations.get(name) else {
            return Err(PlayError::Unknown { kind: "observation", name: name.to_owned() });
        };
        let seen = match observation {
            Observation::Call(request) => {
                let (bytes, port) = (self.fill(id, request, &[]), request.port);
                lossy(&self.stage.call(id, port, bytes.as_bytes())?)
            }
            Observation::Http { path, port } => {
                let request = format!("GET {path} HTTP/1.0\r\n\r\n");
                let answer = lossy(&self.stage.call(id, *port, request.as_bytes())?);
                answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
            }
            Observation::Log { regex, stream } => {
                let log = match stream {
                    Stream::Output => self.stage.output(id),
                    Stream::Errors => self.stage.errors(id),
                };
                let log = lossy(&log.unwrap_or_default());
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
                let words = self.words(words, id);
                let answer = match self.stays(name) {
                    true => self.ask_helper((name, id), &words, ""),
                    false => run(&words, &self.nodes_folder.join(node), None),
                };
                answer.map_err(unseen)?
            }
            Observation::Java { view, path } => {
                let (view, path) = (view.clone(), path.clone());
                self.stage.look_at(id, &view, &path)?
            }
        };
        Ok(seen)
    }

    fn record_answer(&mut self, answer: &[u8]) -> Vec<String> {
        self.last_answer = lossy(answer).trim_end().to_owned();
        self.last_answer.lines().map(str::to_owned).collect()
    }

    fn expect(&self, text: &str) -> Result<Vec<String>, PlayError> {
        if self.last_answer == text {
            return Ok(Vec::new());
        }
        Err(PlayError::NotExpected { expected: text.to_owned(), seen: self.last_answer.clone() })
    }

    fn describe_lost(&self, lost: &[Held]) -> Vec<String> {
        lost.iter().map(|held| format!("lost {}", self.show(held))).collect()
    }

    fn show(&self, held: &Held) -> String {
        let (from, to) = (self.stage.name(held.id.from), self.stage.name(held.id.to));
        match held.payload {
            Payload::Part { .. } => format!("{from} {to} - {}", held.payload),
            Payload::Frame(_)
            | Payload::Bytes(_)
            | Payload::Datagram(_)
            | Payload::Rest(_)
            | Payload::End => {
                format!("{from} {to} {} {}", held.id.number, held.payload)
            }
        }
    }

    fn show_nodes(&self) -> Vec<String> {
        let line = |id: NodeId| {
            let now_ms = (self.stage.now_ns(id) - self.start_ns) / 1_000_000;
            let next = self
                .stage
                .next_deadline_ns(id)
                .map(|at| at.saturating_sub(self.stage.now_ns(id)) / 1_000_000);
            let waits = next.map_or(String::new(), |next| format!(", next deadline in {next} ms"));
            let held = self.stage.held_points(id).into_iter();
            let held: String = held.map(|(point, thread)| format!(", {thread} held at {point}")).collect();
            let state = describe_state(self.stage.state(id));
            let door = match (self.stage.state(id), self.stage.door(id)) {
                (NodeState::Running, DoorKind::Syscalls) => " behind system calls",
                (_, DoorKind::Library | DoorKind::Syscalls) => "",
            };
            format!("{} {state}{door}, at {now_ms} ms{waits}{held}", self.stage.name(id))
        };
        self.stage.nodes().map(line).collect()
    }

    fn record(&mut self, line: &Line, text: &str, answer: Vec<String>) -> Record {
        let ids: Vec<NodeId> = self.stage.nodes().collect();
        let name = |id: &NodeId| self.stage.name(*id).to_owned();
        let clocks =
            ids.iter().map(|id| (name(id), Moment::new(self.stage.now_ns(*id) - self.start_ns))).collect();
        let nodes = ids.iter().map(|id| (name(id), describe_state(self.stage.state(*id)))).collect();
        let held = self.stage.held_messages().iter().map(|held| self.held_record(held)).collect();
        let (output, errors) = (self.take_new_output(Stream::Output), self.take_new_output(Stream::Errors));
        let (event, step) = (text.trim().to_owned(), Some(line.clone()));
        Record {
            event,
            step,
            answer,
            clocks,
            nodes,
            held,
            output,
            errors,
            uncontrolled: Vec::new(),
            log: BTreeMap::new(),
        }
    }

    /// Returns lines about the calls since the last event that the stage does not control.
    fn take_new_uncontrolled(&mut self) -> Vec<String> {
        let all = self.stage.uncontrolled();
        self.n_uncontrolled.resize(all.len(), 0);
        let line = |(call, n_told): (&Uncontrolled, &u64)| {
            let verdict = if call.is_refused { "was refused" } else { "is not controlled in" };
            let times = match call.n_times - n_told {
                0 => return None,
                1 => String::new(),
                n => format!(" ({n} times)"),
            };
            Some(format!("{} {verdict} `{}`: {}{times}", self.stage.name(call.node), call.call, call.detail))
        };
        let fresh = all.iter().zip(&self.n_uncontrolled).filter_map(line).collect();
        self.n_uncontrolled = all.iter().map(|call| call.n_times).collect();
        fresh
    }

    /// Returns the whole lines that nodes have added to their logs.
    fn take_new_log(&mut self) -> (BTreeMap<String, Vec<Value>>, std::io::Result<()>) {
        let mut log = BTreeMap::new();
        for id in self.stage.nodes().collect::<Vec<_>>() {
            let name = self.stage.name(id).to_owned();
            let seen = self.n_logged.entry(id).or_default();
            match read_lines(&log_of(&self.nodes_folder, &name), seen) {
                Ok(lines) if lines.is_empty() => {}
                Ok(lines) => drop(log.insert(name, lines)),
                Err(error) => return (log, Err(error)),
            }
        }
        (log, Ok(()))
    }

    fn held_record(&self, held: &Held) -> HeldRecord {
        let (kind, bytes) = match &held.payload {
            Payload::Frame(bytes) => ("frame", bytes.as_slice()),
            Payload::Bytes(bytes) => ("bytes", bytes.as_slice()),
            Payload::Datagram(bytes) => ("datagram", bytes.as_slice()),
            Payload::Part { bytes, .. } => ("part", bytes.as_slice()),
            Payload::Rest(bytes) => ("rest", bytes.as_slice()),
            Payload::End => ("end", [].as_slice()),
        };
        let of = match &held.payload {
            Payload::Part { of, .. } => *of,
            Payload::Frame(_) | Payload::Bytes(_) | Payload::Datagram(_) | Payload::Rest(_) => None,
            Payload::End => None,
        };
        HeldRecord {
            from: self.stage.name(held.id.from).to_owned(),
            to: self.stage.name(held.id.to).to_owned(),
            number: held.id.number,
            kind,
            of,
            bytes: bytes.escape_ascii().to_string(),
        }
    }
}

fn file_call(step: FileStep) -> FileCall {
    match step {
        FileStep::Write => FileCall::Write,
        FileStep::Fsync => FileCall::Sync,
        FileStep::Rename => FileCall::Rename,
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the record of the state before the first event.
fn start_record(stage: &Stage) -> Record {
    let name = |id: NodeId| stage.name(id).to_owned();
    Record {
        event: String::new(),
        step: None,
        answer: Vec::new(),
        clocks: stage.nodes().map(|id| (name(id), Moment::new(0))).collect(),
        nodes: stage.nodes().map(|id| (name(id), describe_state(NodeState::NotStarted))).collect(),
        held: Vec::new(),
        output: BTreeMap::new(),
        errors: BTreeMap::new(),
        uncontrolled: Vec::new(),
        log: BTreeMap::new(),
    }
}

/// The most that a node may add to its log in one event.
const LOG_BYTES_MAX: u64 = 64 << 20;

/// Reads the whole lines of a file after its first `seen` bytes, and adds their length to `seen`. Empty if there is no
/// file.
fn read_lines(path: &Path, seen: &mut u64) -> std::io::Result<Vec<Value>> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?,
    };
    let end = file.metadata()?.len();
    if end.saturating_sub(*seen) > LOG_BYTES_MAX {
        return Err(std::io::Error::other(format!("{} has grown too much in one event", path.display())));
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(*seen))?;
    file.take(LOG_BYTES_MAX).read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    *seen += whole as u64;
    let text = lossy(&bytes[..whole]);
    Ok(text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| line.into())).collect())
}

fn describe_state(state: NodeState) -> String {
    match state {
        NodeState::NotStarted => "not started".to_owned(),
        NodeState::Running => "running".to_owned(),
        NodeState::Ended(Exit::Code(code)) => format!("ended with exit code {code}"),
        NodeState::Ended(Exit::Signal(signal)) => format!("ended by signal {signal}"),
        NodeState::Crashed => "crashed".to_owned(),
    }
}

/// Runs a command outside the stage, with what it is given on its standard input, and returns what it prints.
fn run(words: &[String], folder: &Path, given: Option<&str>) -> Result<String, String> {
    let (program, args) = words.split_first().ok_or("the command is empty")?;
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if given.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
    let input = child.stdin.take();
    let output = std::thread::scope(|scope| {
        if let (Some(given), Some(mut input)) = (given, input) {
            // It may write before it has read all. One that does not read what it is given says so by how it ends.
            scope.spawn(move || input.write_all(given.as_bytes()));
        }
        child.wait_with_output().map_err(|error| error.to_string())
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("`{program}` failed: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
