//! Events of which it is only known what comes before what: those of one node in the order of its file, and across nodes by
//! vector clocks or messages.

use std::rc::Rc;

use base::{FxHashMap, FxIndexMap};
use diag::{Code, Diagnostic};

use super::course::Position;
use super::lines::LineError;
use super::{Event, Json, at_line, shown};

/// What an event needs: of a stream so many events before it.
type Needs = Vec<(u32, u32)>;

pub(crate) struct Partial {
    /// In an order that they can have happened in.
    events: Vec<Rc<Event>>,
    /// For each stream the numbers of its events.
    streams: Vec<Vec<u32>>,
    /// For each event how many events of other streams come before it.
    needs: Vec<Needs>,
}

/// Which message an event sends or receives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchanged {
    pub sent: Vec<Vec<u8>>,
    pub received: Vec<Vec<u8>>,
}

/// The events of each node, or of each file where nodes have no names.
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
    /// Orders events by what each needs of the other streams.
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
        Ok(Partial { events, streams, needs })
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

    pub fn next(&self, position: &Position) -> Vec<(usize, Position)> {
        let mut all = Vec::new();
        for (stream, numbers) in self.streams.iter().enumerate() {
            let Some(&number) = numbers.get(position[stream] as usize) else { continue };
            if is_ready(&self.needs[number as usize], position) {
                let mut after = position.to_vec();
                after[stream] += 1;
                all.push((number as usize, Rc::from(after)));
            }
        }
        // What happened first in the order that was found is tried first.
        all.sort_by_key(|(number, _)| *number);
        all
    }
}

fn is_ready(needs: &[(u32, u32)], position: &[u32]) -> bool {
    needs.iter().all(|&(stream, count)| position[stream as usize] >= count)
}

/// An order of all events, or that there is none.
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
            // One of each in turn, so that no node is far ahead.
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

/// Each event that could be next waits for another one.
fn cycle(
    events: &[Event],
    streams: &[Vec<u32>],
    (needs, position): (&[Needs], &[u32]),
    names: &[String],
) -> LineError {
    let mut waiting = Vec::new();
    for (stream, numbers) in streams.iter().enumerate() {
        let Some(&number) = numbers.get(position[stream] as usize) else { continue };
        let unmet = needs[number as usize].iter().find(|(other, count)| position[*other as usize] < *count);
        let Some(&(other, count)) = unmet else { continue };
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

/// What each event needs by its vector clock: of every other node as many events as the clock counts.
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
            let count = entries.iter().find(|(name, _)| name == node).map_or(0, |(_, count)| *count);
            if let Some((before, line)) = last
                && count < before
            {
                return Err(set_back(event, (node, line), names));
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
            if event.node.as_deref() != Some(node.as_str()) {
                let n_before = streams[stream].partition_point(|&other| own[other as usize] <= count);
                wanted.push((stream as u32, n_before as u32));
            }
        }
        needs.push(wanted);
    }
    Ok(needs)
}

fn set_back(event: &Event, (node, line): (&str, u32), names: &[String]) -> LineError {
    let place = (names[event.file as usize].as_str(), event.line);
    let what = format!("the event is out of order: the clock of `{node}` is less than in line {line}");
    let told = at_line(Code::LogOrder, place, &what).note(format!("the line is {}", shown(&event.text)));
    Box::new(told.help("a node writes its events in the order of its own clock: sort the file by it"))
}

fn read_clock(
    event: &Event,
    (clock, names): (&[String], &[String]),
) -> Result<Vec<(String, i64)>, LineError> {
    let refused = |what: String| {
        let place = (names[event.file as usize].as_str(), event.line);
        Box::new(at_line(Code::LogField, place, &what).note(format!("the line is {}", shown(&event.text))))
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

/// What each event needs by the messages that it receives: the first that sends it. Where no message is received twice,
/// the n-th that receives one comes after the n-th that sends it, or later if some were lost.
pub(crate) fn by_messages(streams: &[Vec<u32>], exchanged: &[Exchanged], has_duplicates: bool) -> Vec<Needs> {
    let mut sends: FxHashMap<&[u8], Vec<(u32, u32)>> = FxHashMap::default();
    for (stream, numbers) in streams.iter().enumerate() {
        for (index, &number) in numbers.iter().enumerate() {
            for message in &exchanged[number as usize].sent {
                sends.entry(message).or_default().push((stream as u32, index as u32 + 1));
            }
        }
    }
    let mut n_received: FxHashMap<(&[u8], u32), usize> = FxHashMap::default();
    let mut needs = vec![Vec::new(); exchanged.len()];
    for (stream, numbers) in streams.iter().enumerate() {
        for &number in numbers {
            for message in &exchanged[number as usize].received {
                let seen = n_received.entry((message, stream as u32)).or_insert(0);
                let senders = sends.get(message.as_slice()).map_or(&[][..], Vec::as_slice);
                // Of several senders it is not known which one it comes from.
                let is_one = senders.windows(2).all(|pair| pair[0].0 == pair[1].0);
                if is_one && let Some(last) = senders.len().checked_sub(1) {
                    let (sender, count) = senders[if has_duplicates { 0 } else { (*seen).min(last) }];
                    if sender as usize != stream {
                        needs[number as usize].push((sender, count));
                    }
                }
                *seen += 1;
            }
        }
    }
    needs
}
