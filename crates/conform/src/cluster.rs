//! The nodes of a system on a stage, as a mapping looks at them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::{FxHashMap, FxHashSet};
use regex::Regex;
use stage::script::{self, Line, PlayError, Player, Record, Which};
use stage::system::System;
use stage::{Exit, Held, NodeState, Payload, Settings};
use trace::Datum;

use crate::ask::{Asker, Frame};
use crate::decode::Decoder;
use crate::json::Names;
use crate::outcome::{Divergence, Ending, Obstacle, Replayed, Row};
use crate::plan::{HELD, MESSAGE, NET, Plan, UP};

/// How often messages that are none of the protocol are delivered after one event.
const GREETINGS_MAX: usize = 1000;

/// The parts that clusters are made of.
#[derive(Clone)]
pub struct Making {
    pub system: System,
    pub settings: Settings,
    /// The Python environment of the system.
    pub python: PathBuf,
    pub names: Names,
}

impl Making {
    /// A fresh cluster on which these events have happened. What is no message of the protocol waits. The error has what
    /// was done until then.
    pub fn begin(&self, lines: &[String]) -> Result<Cluster, Box<Replayed>> {
        let failed = |ending: Ending, row: Row| Box::new(Replayed { ending, rows: vec![row] });
        let mut cluster = self.open().map_err(|ending| failed(ending, Row::default()))?;
        for text in lines {
            let played = match script::parse(text) {
                Ok(Some(line)) => cluster.play_alone(&line, text).and_then(|()| cluster.check_alive()),
                Ok(None) => Ok(()),
                Err(wrong) => Err(could_not(text, &wrong.message)),
            };
            played.map_err(|ending| failed(ending, cluster.take_row()))?;
        }
        Ok(cluster)
    }

    fn open(&self) -> Result<Cluster, Ending> {
        let player = Player::open(self.system.clone(), self.settings.clone(), self.python.clone());
        let player = player.map_err(|trouble| could_not("start", &trouble.to_string()))?;
        Ok(Cluster { player, names: self.names.clone(), looked: FxHashMap::default(), row: Row::default() })
    }

    /// The names of the nodes, in the order of the description.
    fn nodes(&self) -> Vec<String> {
        self.system.nodes.iter().map(|node| node.name.clone()).collect()
    }

    /// The words of a command with the places of this system.
    pub fn words(&self, words: &[String]) -> Vec<String> {
        let (system, python) = (self.system.folder(), self.python.join("bin/python"));
        let fill = |word: &String| {
            word.replace("{system}", &system.display().to_string())
                .replace("{python}", &python.display().to_string())
        };
        words.iter().map(fill).collect()
    }
}

fn could_not(event: &str, why: &str) -> Ending {
    Ending::CouldNot(Obstacle::Impossible { event: event.to_owned(), why: why.to_owned() })
}

/// A message of the protocol that is held.
pub struct Message {
    pub from: String,
    pub to: String,
    number: u64,
    conn: Option<usize>,
    /// The value in the specification.
    pub value: Datum,
}

/// Nodes on a stage.
pub struct Cluster {
    player: Player,
    names: Names,
    /// Observations of nodes, by node and observation, each with the number of rests after which it was made.
    looked: FxHashMap<(String, String), (u64, Datum)>,
    /// The events of this step.
    pub row: Row,
}

/// Everything that reading messages takes.
pub struct MessageReader<'r, 'a> {
    pub asker: &'r Asker<'a>,
    pub plan: &'r Plan,
    pub decoder: &'r mut Decoder,
}

impl Cluster {
    /// Carries out an event, and delivers what is no message of the protocol.
    pub fn play(
        &mut self,
        line: &Line,
        text: &str,
        reader: &mut MessageReader<'_, '_>,
    ) -> Result<(), Ending> {
        self.play_alone(line, text)?;
        self.greet(reader)
    }

    /// Delivers what is no message of the protocol, and sees how the nodes are.
    pub fn greet(&mut self, reader: &mut MessageReader<'_, '_>) -> Result<(), Ending> {
        self.check_nodes(reader.plan)?;
        for _ in 0..GREETINGS_MAX {
            let Some(id) = self.next_greeting(reader)? else { return Ok(()) };
            let (from, to) =
                (self.player.stage.name(id.0).to_owned(), self.player.stage.name(id.1).to_owned());
            let text = format!("deliver {from} {to} {}", id.2);
            self.play_alone(&Line::Deliver { from, to, which: Which::Number(id.2) }, &text)?;
            self.check_nodes(reader.plan)?;
        }
        Err(could_not("deliver", "nodes send each other more and more that is no message of the protocol"))
    }

    /// Plays a line of a script.
    pub fn play_text(&mut self, text: &str, reader: &mut MessageReader<'_, '_>) -> Result<(), Ending> {
        match script::parse(text) {
            Ok(Some(line)) => self.play(&line, text, reader),
            Ok(None) => Ok(()),
            Err(wrong) => Err(could_not(text, &wrong.message)),
        }
    }

    fn play_alone(&mut self, line: &Line, text: &str) -> Result<(), Ending> {
        self.row.events.push(text.to_owned());
        let (record, played) = self.player.play(line, text);
        self.keep(record);
        let Err(error) = played else { return Ok(()) };
        // That a node has ended says more than that it can be told nothing.
        self.check_alive()?;
        Err(could_not(text, &describe_error(&error)))
    }

    fn keep(&mut self, record: Record) {
        self.row.uncontrolled.extend(record.uncontrolled);
        for (node, text) in record.output.into_iter().chain(record.errors) {
            self.row.output.entry(node).or_default().push_str(&text);
        }
        for (node, lines) in record.log.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            let text =
                |line: serde_json::Value| line.as_str().map_or_else(|| line.to_string(), str::to_owned);
            self.row.log.entry(node).or_default().extend(lines.into_iter().map(text));
        }
    }

    /// Whether a node has ended by itself: of several the first, which may be why the others did.
    fn check_alive(&self) -> Result<(), Ending> {
        for (_, id) in self.player.stage.ended_nodes() {
            if let NodeState::Ended(exit) = self.player.stage.state(id) {
                let node = self.player.stage.name(id).to_owned();
                let how = match exit {
                    Exit::Code(code) => format!("ended with exit code {code}"),
                    Exit::Signal(signal) => format!("ended by signal {signal}"),
                };
                return Err(Ending::CouldNot(Obstacle::Died { node, how }));
            }
        }
        Ok(())
    }

    /// Whether a node has ended by itself, or has written that something is wrong.
    fn check_nodes(&self, plan: &Plan) -> Result<(), Ending> {
        self.check_alive()?;
        for id in self.player.stage.nodes().collect::<Vec<_>>() {
            let node = self.player.stage.name(id).to_owned();
            let written = self.row.output.get(&node).map(String::as_str).unwrap_or_default();
            if let Some(line) = alarm_in(written, &plan.alarms).map(str::to_owned) {
                return Err(Ending::Diverged(Divergence::Alarm { node, line }));
            }
        }
        Ok(())
    }

    /// Messages that can be delivered now: the first of each direction of a connection, and all datagrams.
    fn first_ones(held: Vec<Held>) -> Vec<Held> {
        let mut begun = FxHashSet::default();
        let mut is_first = |held: &Held| match held.conn {
            Some(conn) => begun.insert((conn, held.id.from, held.id.to)),
            None => true,
        };
        held.into_iter().filter(|held| is_first(held)).collect()
    }

    fn next_greeting(
        &mut self,
        reader: &mut MessageReader<'_, '_>,
    ) -> Result<Option<(stage::NodeId, stage::NodeId, u64)>, Ending> {
        for held in Self::first_ones(self.player.stage.held_messages()) {
            if held.is_whole() && read(&held.payload, &self.names, reader)?.is_none() {
                return Ok(Some((held.id.from, held.id.to, held.id.number)));
            }
        }
        Ok(None)
    }

    /// Messages of the protocol that are under way, in the order in which they were sent.
    pub fn messages(&mut self, reader: &mut MessageReader<'_, '_>) -> Result<Vec<Message>, Ending> {
        let mut all = Vec::new();
        for Held { id, conn, payload } in self.player.stage.held_messages() {
            if let Some(value) = read(&payload, &self.names, reader)? {
                let name = |id| self.player.stage.name(id).to_owned();
                all.push(Message { from: name(id.from), to: name(id.to), number: id.number, conn, value });
            }
        }
        Ok(all)
    }

    /// Messages of the protocol that can be delivered now: a connection keeps its order.
    pub fn next_messages(&mut self, reader: &mut MessageReader<'_, '_>) -> Result<Vec<Message>, Ending> {
        let mut begun = FxHashSet::default();
        let mut all = self.messages(reader)?;
        all.retain(|held| {
            held.conn.is_none_or(|conn| begun.insert((conn, held.from.clone(), held.to.clone())))
        });
        Ok(all)
    }

    /// The message from one node to another that says this, or what is there in its place.
    pub fn find(
        &mut self,
        (from, to): (&str, &str),
        wanted: &Datum,
        reader: &mut MessageReader<'_, '_>,
    ) -> Result<u64, Ending> {
        let all = self.next_messages(reader)?.into_iter();
        let first: Vec<Message> = all.filter(|held| held.from == from && held.to == to).collect();
        if let Some(found) = first.iter().find(|held| held.value == *wanted) {
            return Ok(found.number);
        }
        Err(Ending::Diverged(Divergence::Message {
            from: from.to_owned(),
            to: to.to_owned(),
            wanted: wanted.clone(),
            held: first.into_iter().next().map(|held| held.value),
        }))
    }

    /// Delivers one message of the protocol.
    pub fn deliver(&mut self, message: &Message, reader: &mut MessageReader<'_, '_>) -> Result<(), Ending> {
        let Message { from, to, number, .. } = message;
        let text = format!("deliver {from} {to} {number}");
        let line = Line::Deliver { from: from.clone(), to: to.clone(), which: Which::Number(*number) };
        self.play(&line, &text, reader)
    }

    /// Returns what can be seen of the program: these observations, which nodes run, where their threads are held, and the
    /// messages under way.
    pub fn look(
        &mut self,
        observations: &[String],
        reader: &mut MessageReader<'_, '_>,
    ) -> Result<Datum, Ending> {
        let ids: Vec<stage::NodeId> = self.player.stage.nodes().collect();
        let names: Vec<String> = ids.iter().map(|id| self.player.stage.name(*id).to_owned()).collect();
        let is_up = |id: &stage::NodeId| self.player.stage.state(*id) == NodeState::Running;
        let up: Vec<bool> = ids.iter().map(is_up).collect();
        let node = |names: &Names, name: &String| names.text(name);
        let of_nodes = names.iter().zip(&up).map(|(name, up)| (node(&self.names, name), Datum::Bool(*up)));
        let mut fields = vec![(UP.to_owned(), Datum::Function(of_nodes.collect()))];
        let held = ids.iter().zip(&names).zip(&up).filter(|(_, up)| **up);
        let held = held.map(|((id, name), _)| (node(&self.names, name), self.points_of(*id)));
        fields.push((HELD.to_owned(), Datum::function(held.collect::<Vec<_>>())));
        for observation in observations {
            let mut seen = Vec::new();
            for ((id, name), _) in ids.iter().zip(&names).zip(&up).filter(|(_, up)| **up) {
                seen.push((node(&self.names, name), self.look_at(*id, name, observation)?));
            }
            fields.push((observation.clone(), Datum::function(seen)));
        }
        let messages = self.messages(reader)?;
        self.row.held =
            messages.iter().map(|held| format!("{} -> {}: {}", held.from, held.to, held.value)).collect();
        fields.push((NET.to_owned(), net(&names, &messages, &self.names)));
        Ok(Datum::record(fields))
    }

    /// Returns the names of the points at which threads of a node are held.
    fn points_of(&self, id: stage::NodeId) -> Datum {
        let mut points: Vec<String> =
            self.player.stage.held_points(id).into_iter().map(|(point, _)| point).collect();
        points.sort_unstable();
        points.dedup();
        Datum::set(points.into_iter().map(Datum::Str).collect::<Vec<_>>())
    }

    fn look_at(&mut self, id: stage::NodeId, name: &str, observation: &str) -> Result<Datum, Ending> {
        let key = (name.to_owned(), observation.to_owned());
        if let Some((n_rests, seen)) = self.looked.get(&key)
            && *n_rests == self.player.stage.n_rests(id)
        {
            return Ok(seen.clone());
        }
        let unseen = |error: PlayError| Ending::CouldNot(Obstacle::Unseen(error.to_string()));
        let text = self.player.look(observation, name).map_err(unseen)?;
        let seen = match serde_json::from_str(&text) {
            Ok(json) => self.names.datum(&json),
            Err(_) => self.names.text(&text),
        };
        self.looked.insert(key, (self.player.stage.n_rests(id), seen.clone()));
        Ok(seen)
    }

    /// Returns the row of a step that is over, and begins the next one.
    pub fn take_row(&mut self) -> Row {
        std::mem::take(&mut self.row)
    }
}

/// `net[i][j]`: what is under way from i to j.
fn net(nodes: &[String], messages: &[Message], names: &Names) -> Datum {
    let between = |from: &String, to: &String| {
        let all = messages.iter().filter(|held| held.from == *from && held.to == *to);
        Datum::Seq(all.map(|held| held.value.clone()).collect())
    };
    let row =
        |from: &String| Datum::Function(nodes.iter().map(|to| (names.text(to), between(from, to))).collect());
    Datum::Function(nodes.iter().map(|from| (names.text(from), row(from))).collect())
}

/// A message as the specification has it; nothing if it is none of the protocol.
fn read(
    payload: &Payload,
    names: &Names,
    reader: &mut MessageReader<'_, '_>,
) -> Result<Option<Datum>, Ending> {
    let bytes = match payload {
        Payload::Frame(bytes) | Payload::Bytes(bytes) | Payload::Datagram(bytes) => bytes,
        Payload::Part { .. } | Payload::Rest(_) | Payload::End => return Ok(None),
    };
    let unread = |why: String| Ending::CouldNot(Obstacle::Unseen(why));
    let json = reader.decoder.read(bytes).map_err(unread)?;
    if !json.is_object() {
        return Ok(None);
    }
    if let Some(known) = reader.decoder.values.get(bytes) {
        return Ok(known.clone());
    }
    let value = value_of(&json, names, reader)?;
    reader.decoder.values.insert(bytes.clone(), value.clone());
    Ok(value)
}

fn value_of(
    json: &serde_json::Value,
    names: &Names,
    reader: &MessageReader<'_, '_>,
) -> Result<Option<Datum>, Ending> {
    let frame = Frame::default().with(MESSAGE, names.datum(json));
    if let Some(only) = reader.plan.only
        && !reader.asker.is_true(only, &frame).map_err(Ending::undefined)?
    {
        return Ok(None);
    }
    match reader.plan.value {
        Some(value) => reader.asker.ask(value, &frame).map(Some).map_err(Ending::undefined),
        None => Ok(frame.get(MESSAGE).cloned()),
    }
}

/// The line that an alarm is told by: of the first pattern that matches one. What says most comes first in a mapping, the exception before
/// the words above it, which are the same for all.
fn alarm_in<'a>(written: &'a str, alarms: &[Regex]) -> Option<&'a str> {
    alarms.iter().find_map(|alarm| written.lines().find(|line| alarm.is_match(line)))
}

/// Describes an error of an event, with the activity of the threads of a node that never rests.
fn describe_error(error: &PlayError) -> String {
    let PlayError::Stage(stage::Trouble::NeverIdle { threads, .. }) = error else { return error.to_string() };
    let thread = |thread: &stage::ThreadReport| {
        let call = thread.call.map_or("nothing that is under control", |call| call.name());
        format!("; thread `{}` ({}): {call}", thread.name, thread.state)
    };
    format!("{error}{}", threads.iter().map(thread).collect::<String>())
}

/// The nodes of a description that a specification has, by what it calls them: `set` has them, or is a function from them to
/// the names of the description.
pub fn nodes_of(making: &Making, set: &Datum) -> Result<Vec<(String, Datum)>, String> {
    let called = |element: &Datum| crate::json::word(element, &Names::default());
    let elements: Vec<(Datum, Option<String>)> = match set {
        Datum::Set(elements) => elements.iter().map(|element| (element.clone(), called(element))).collect(),
        Datum::Function(pairs) => {
            pairs.iter().map(|(element, name)| (element.clone(), called(name))).collect()
        }
        // A function on 1..N.
        Datum::Seq(names) => {
            (1..).zip(names).map(|(number, name)| (Datum::int(number), called(name))).collect()
        }
        Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => {
            return Err(format!("the nodes of the mapping are no set: {set}"));
        }
        Datum::Record(_) | Datum::Opaque(_) => {
            return Err(format!("the nodes of the mapping are no set: {set}"));
        }
    };
    let known = making.nodes();
    let mut named: BTreeMap<usize, (String, Datum)> = BTreeMap::new();
    for (element, name) in elements {
        let at = name.as_ref().and_then(|name| known.iter().position(|known| known == name));
        let (Some(name), Some(at)) = (name, at) else {
            return Err(format!(
                "the specification has a node {element}, and the system has none of that name: it has {}",
                known.join(", ")
            ));
        };
        if let Some((_, other)) = named.insert(at, (name.clone(), element.clone())) {
            return Err(format!("the mapping calls both {other} and {element} `{name}`"));
        }
    }
    Ok(named.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_is_told_by_the_line_of_the_first_pattern_that_has_one() {
        let patterns =
            |all: &[&str]| all.iter().map(|one| Regex::new(one).expect(one)).collect::<Vec<Regex>>();
        let written =
            "ERROR in callback\nTraceback (most recent call last):\n  File \"a.py\"\nKeyError: 'id'\nERROR\n";
        let alarm = |all: &[&str]| alarm_in(written, &patterns(all));
        assert_eq!(alarm(&[r"^\w+Error\b", "^Traceback", "^ERROR"]), Some("KeyError: 'id'"));
        assert_eq!(alarm(&["^IndexError", "^ERROR"]), Some("ERROR in callback"));
        assert_eq!(alarm(&["^IndexError"]), None);
        assert_eq!(alarm(&[]), None);
    }
}
