//! Events in a partial order: those of one node in the order of its file, and across nodes by vector clocks or
//! messages.

use std::rc::Rc;

use base::{FxHashMap, FxIndexMap};
use diag::{Code, Diagnostic};

use super::commuting::{Commuting, Prints};
use super::course::{Choices, Position};
use super::lines::LineError;
use super::{Event, Json, at_line, shorten};
use crate::search::room::event_bytes;

/// A condition for an event to happen.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    /// Streams with numbers of events: this many events of that stream.
    pub of: Vec<(u32, u32)>,
    /// The number of entries in `of` that must have happened before.
    pub n_min: usize,
}

impl Need {
    /// Creates the need for `count` events of one stream.
    pub fn one(stream: u32, count: u32) -> Need {
        Need { of: vec![(stream, count)], n_min: 1 }
    }

    pub fn is_met(&self, position: &[u32]) -> bool {
        let met = self.of.iter().filter(|&&(stream, count)| position[stream as usize] >= count);
        met.take(self.n_min).count() == self.n_min
    }
}

type Needs = Vec<Need>;

pub(crate) struct Partial {
    /// The events in an order in which they can have happened.
    events: Vec<Rc<Event>>,
    /// For each stream, the numbers of its events.
    streams: Vec<Vec<u32>>,
    /// For each event, the events of other streams that come before it.
    needs: Vec<Needs>,
    /// The events that commute, if that is known.
    commuting: Option<Commuting>,
    /// The approximate memory that all this takes.
    n_bytes: usize,
}

/// Returns the events of each node, or of each file if nodes have no names.
pub(crate) fn streams(events: &[Event]) -> Vec<Vec<u32>> {
    let mut by_node: FxIndexMap<(Option<&str>, u32), Vec<u32>> = FxIndexMap::default();
    for (number, event) in events.iter().enumerate() {
        let node = event.node.as_deref();
        let file = if node.is_some() { 0 } else { event.file };
        by_node.entry((node, file)).or_default().push(number as u32);
    }
    by_node.into_values().collect()
}

impl Partial {
    /// Orders events by their needs.
    pub fn new(
        events: Vec<Event>,
        streams: Vec<Vec<u32>>,
        needs: Vec<Needs>,
        names: &[String],
    ) -> Result<Partial, LineError> {
        let order = linear(&events, &streams, &needs, names)?;
        let mut place = vec![0u32; events.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        let streams =
            streams.iter().map(|stream| stream.iter().map(|&old| place[old as usize]).collect()).collect();
        let mut slots: Vec<Option<(Event, Needs)>> = events.into_iter().zip(needs).map(Some).collect();
        let sorted = order.iter().filter_map(|&old| slots[old as usize].take());
        let sorted = sorted.map(|(event, needs)| (Rc::new(event), needs));
        let (events, needs) = sorted.unzip();
        let needs: Vec<Needs> = needs;
        let events: Vec<Rc<Event>> = events;
        let n_needs: usize = needs.iter().flatten().map(|need| need.of.len()).sum();
        let n_bytes = events.iter().map(|event| event_bytes(event)).sum::<usize>() + 16 * n_needs;
        Ok(Partial { events, streams, needs, commuting: None, n_bytes })
    }

    pub fn start(&self) -> Position {
        vec![0; self.streams.len()].into()
    }

    pub fn n_events(&self) -> usize {
        self.events.len()
    }

    pub fn event(&self, number: usize) -> Option<Rc<Event>> {
        self.events.get(number).cloned()
    }

    /// Returns the events in the order of their numbers.
    pub fn events(&self) -> &[Rc<Event>] {
        &self.events
    }

    /// Takes note of what each event touches.
    pub fn learn(&mut self, prints: Vec<Prints>) {
        self.commuting = Commuting::new(prints, &self.streams, &self.needs);
        if self.commuting.is_some() {
            self.n_bytes += 4 * self.events.len() * self.streams.len();
        }
    }

    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    pub fn commute(&self, one: usize, other: usize) -> bool {
        self.commuting.as_ref().is_some_and(|commuting| commuting.commute(one, other))
    }

    pub fn next(&self, position: &Position) -> Choices {
        let mut all = Vec::new();
        for (stream, numbers) in self.streams.iter().enumerate() {
            let Some(&number) = numbers.get(position[stream] as usize) else { continue };
            if is_ready(&self.needs[number as usize], position) {
                let mut after = position.to_vec();
                after[stream] += 1;
                all.push((stream, (number as usize, Rc::from(after))));
            }
        }
        let enough = match &self.commuting {
            Some(commuting) if all.len() > 1 => commuting.find_enough((&self.streams, &self.needs), position),
            Some(_) | None => vec![true; self.streams.len()],
        };
        // The events that are enough come first, then the others in the order that was found.
        all.sort_by_key(|(stream, (number, _))| (!enough[*stream], *number));
        let n_enough = all.iter().filter(|(stream, _)| enough[*stream]).count();
        Choices { events: all.into_iter().map(|(_, choice)| choice).collect(), n_enough }
    }
}

fn is_ready(needs: &[Need], position: &[u32]) -> bool {
    needs.iter().all(|need| need.is_met(position))
}

/// Returns a total order of the events, or an error if there is none.
fn linear(
    events: &[Event],
    streams: &[Vec<u32>],
    needs: &[Needs],
    names: &[String],
) -> Result<Vec<u32>, LineError> {
    let mut position = vec![0u32; streams.len()];
    let mut order = Vec::with_capacity(events.len());
    while order.len() < events.len() {
        let n_before = order.len();
        for (stream, numbers) in streams.iter().enumerate() {
            // One event of each stream is taken in turn, so that no node is far ahead.
            if let Some(&number) = numbers.get(position[stream] as usize)
                && is_ready(&needs[number as usize], &position)
            {
                position[stream] += 1;
                order.push(number);
            }
        }
        if order.len() == n_before {
            return Err(cycle(events, streams, (needs, &position), names));
        }
    }
    Ok(order)
}

/// Describes a cycle: each event that could be next waits for another one.
fn cycle(
    events: &[Event],
    streams: &[Vec<u32>],
    (needs, position): (&[Needs], &[u32]),
    names: &[String],
) -> LineError {
    let mut waiting = Vec::new();
    for (stream, numbers) in streams.iter().enumerate() {
        let Some(&number) = numbers.get(position[stream] as usize) else { continue };
        let unmet = needs[number as usize].iter().filter(|need| !need.is_met(position));
        let mut wanted = unmet.flat_map(|need| &need.of);
        let Some(&(other, count)) = wanted.find(|(other, count)| position[*other as usize] < *count) else {
            continue;
        };
        let Some(&wanted) = streams[other as usize].get(count as usize - 1) else { continue };
        waiting.push((&events[number as usize], &events[wanted as usize]));
    }
    let at = |event: &Event| format!("`{}`, line {}", names[event.file as usize], event.line);
    let Some((first, _)) = waiting.first() else {
        return Box::new(Diagnostic::without_place(Code::LogOrder, "the events of the logs have no order"));
    };
    let place = (names[first.file as usize].as_str(), first.line);
    let mut told =
        at_line(Code::LogOrder, place, "the events of the logs have no order: each waits for another");
    for (event, wanted) in waiting {
        told = told.note(format!("{} comes after {}", at(event), at(wanted)));
    }
    Box::new(told.help("see whether a node's clock was set back, or a file is of another run"))
}

/// Derives the needs of events from their vector clocks. An event needs, of every other node, the events whose own
/// count is less than this event's clock says for that node, and the first event whose count is equal. Further events
/// with an equal count may be later ones that do not increment the clock.
pub(crate) fn by_clock(
    events: &[Event],
    streams: &[Vec<u32>],
    (clock, names): (&[String], &[String]),
) -> Result<Vec<Needs>, LineError> {
    let stream_of: FxHashMap<&str, usize> = streams
        .iter()
        .enumerate()
        .filter_map(|(stream, numbers)| Some((events[*numbers.first()? as usize].node.as_deref()?, stream)))
        .collect();
    let mut own = vec![0i64; events.len()];
    for event in events {
        read_clock(event, (clock, names))?;
    }
    for numbers in streams {
        let mut last: Option<(i64, u32)> = None;
        for &number in numbers {
            let event = &events[number as usize];
            let entries = read_clock(event, (clock, names))?;
            let node = event.node.as_deref().unwrap_or_default();
            let Some(&(_, count)) = entries.iter().find(|(name, _)| name == node) else {
                return Err(refuse_missing_count(event, node, names));
            };
            if let Some((before, line)) = last
                && count < before
            {
                return Err(refuse_lower_count(event, (node, line), names));
            }
            last = Some((count, event.line));
            own[number as usize] = count;
        }
    }
    let mut needs = Vec::with_capacity(events.len());
    for event in events {
        let mut wanted = Vec::new();
        for (node, count) in read_clock(event, (clock, names))? {
            let Some(&stream) = stream_of.get(node.as_str()) else { continue };
            if event.node.as_deref() != Some(node.as_str()) && count > 0 {
                let n_less = streams[stream].partition_point(|&other| own[other as usize] < count);
                let is_told = streams[stream].get(n_less).is_some_and(|&other| own[other as usize] == count);
                wanted.push(Need::one(stream as u32, n_less as u32 + u32::from(is_told)));
            }
        }
        needs.push(wanted);
    }
    Ok(needs)
}

fn refuse_missing_count(event: &Event, node: &str, names: &[String]) -> LineError {
    let place = (names[event.file as usize].as_str(), event.line);
    let what = format!("the vector clock has no entry for `{node}`, which logged this");
    let told = at_line(Code::LogField, place, &what).note(format!("the line is {}", shorten(&event.text)));
    Box::new(told.help("let a node count its own events, beginning with 1"))
}

fn refuse_lower_count(event: &Event, (node, line): (&str, u32), names: &[String]) -> LineError {
    let place = (names[event.file as usize].as_str(), event.line);
    let what = format!("the event is out of order: the clock of `{node}` is less than in line {line}");
    let told = at_line(Code::LogOrder, place, &what).note(format!("the line is {}", shorten(&event.text)));
    Box::new(told.help("a node writes its events in the order of its own clock: sort the file by it"))
}

fn read_clock(
    event: &Event,
    (clock, names): (&[String], &[String]),
) -> Result<Vec<(String, i64)>, LineError> {
    let refused = |what: String| {
        let place = (names[event.file as usize].as_str(), event.line);
        Box::new(at_line(Code::LogField, place, &what).note(format!("the line is {}", shorten(&event.text))))
    };
    let Some(Json::Object(members)) = event.tree.at(clock) else {
        return Err(refused(format!(
            "there is no vector clock `{}`, an object of nodes and counts",
            clock.join(".")
        )));
    };
    let mut entries = Vec::new();
    for (node, count) in members {
        match count {
            Json::Int(count) => entries.push((node.to_string(), *count)),
            Json::Null
            | Json::Bool(_)
            | Json::Big(_)
            | Json::Other(_)
            | Json::Text(_)
            | Json::Array(_)
            | Json::Object(_) => {
                return Err(refused(format!("the vector clock has no number for `{node}`")));
            }
        }
    }
    Ok(entries)
}
