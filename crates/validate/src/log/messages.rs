//! Orders events by messages: a message is received after it was sent.

use base::FxHashMap;
use diag::Code;

use super::lines::LineError;
use super::partial::Need;
use super::{Event, at_line, shorten};

/// The messages that an event sends and receives.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventMessages {
    pub sent: Vec<Vec<u8>>,
    pub received: Vec<Vec<u8>>,
}

/// The needs of events, derived from the messages that they receive.
#[derive(Debug)]
pub(crate) struct ByMessages {
    pub needs: Vec<Vec<Need>>,
    /// Numbers of events that receive a message which no event sends.
    pub unsent: Vec<u32>,
}

/// The position of an event: its stream, and its index there.
type StreamPosition = (u32, u32);

/// Derives the needs of events. A message is received after at least one event that sends it. If no message is received
/// twice, the n-th receive of a message comes after at least n sends.
pub(crate) fn by_messages(
    (events, names): (&[Event], &[String]),
    streams: &[Vec<u32>],
    exchanged: &[EventMessages],
    has_duplicates: bool,
) -> Result<ByMessages, LineError> {
    let sends = sends(streams, exchanged);
    // For each message: the stream that receives it, the last event that did, and how often.
    let mut received: FxHashMap<&[u8], (u32, u32, usize)> = FxHashMap::default();
    let mut found = ByMessages { needs: vec![Vec::new(); exchanged.len()], unsent: Vec::new() };
    for (stream, numbers) in streams.iter().enumerate() {
        for (index, &number) in numbers.iter().enumerate() {
            for message in &exchanged[number as usize].received {
                let Some(sent) = sends.get(message.as_slice()) else {
                    found.unsent.push(number);
                    continue;
                };
                let seen = received.entry(message).or_insert((stream as u32, number, 0));
                seen.2 += 1;
                let event = &events[number as usize];
                if !has_duplicates && seen.0 != stream as u32 {
                    return Err(refuse_second_receiver(event, &events[seen.1 as usize], names));
                }
                let n_sends = if has_duplicates { 1 } else { seen.2 };
                let n_sent: usize = sent.iter().map(|(_, places)| places.len()).sum();
                if n_sent < n_sends {
                    return Err(refuse_extra_receive(event, n_sent, names));
                }
                seen.1 = number;
                found.needs[number as usize].push(need(sent, (stream as u32, index as u32), n_sends));
            }
        }
    }
    Ok(found)
}

/// Returns for each message the events that send it, by stream.
fn sends<'e>(
    streams: &[Vec<u32>],
    exchanged: &'e [EventMessages],
) -> FxHashMap<&'e [u8], Vec<(u32, Vec<u32>)>> {
    let mut sends: FxHashMap<&[u8], Vec<(u32, Vec<u32>)>> = FxHashMap::default();
    for (stream, numbers) in streams.iter().enumerate() {
        for (index, &number) in numbers.iter().enumerate() {
            for message in &exchanged[number as usize].sent {
                let senders = sends.entry(message).or_default();
                match senders.last_mut() {
                    Some((last, places)) if *last == stream as u32 => places.push(index as u32),
                    Some(_) | None => senders.push((stream as u32, vec![index as u32])),
                }
            }
        }
    }
    sends
}

fn need(sent: &[(u32, Vec<u32>)], receiver: StreamPosition, n_sends: usize) -> Need {
    // An event may receive a message that it sends itself.
    let count = |stream: u32, index: u32| index + u32::from((stream, index) != receiver);
    if let [(stream, places)] = sent {
        return Need::one(*stream, count(*stream, places[n_sends - 1]));
    }
    let of = sent.iter().flat_map(|(stream, places)| {
        places.iter().take(n_sends).map(|&index| (*stream, count(*stream, index)))
    });
    Need { of: of.collect(), n_min: n_sends }
}

fn refuse(event: &Event, what: &str, names: &[String]) -> diag::Diagnostic {
    let place = (names[event.file as usize].as_str(), event.line);
    at_line(Code::LogOrder, place, what).note(format!("the line is {}", shorten(&event.text)))
}

fn refuse_second_receiver(event: &Event, other: &Event, names: &[String]) -> LineError {
    let what = "two nodes receive one message, and `duplicates = false` says that none is received twice";
    let place = format!("`{}`, line {}", names[other.file as usize], other.line);
    let told = refuse(event, what, names).note(format!("it is also received in {place}"));
    Box::new(told.help("make the receiver a part of `key`, or leave `duplicates` out"))
}

fn refuse_extra_receive(event: &Event, n_sent: usize, names: &[String]) -> LineError {
    let n_sent = diag::render::count(n_sent, "time");
    let what = format!(
        "the message is received once more than it was sent ({n_sent}), which `duplicates = false` excludes"
    );
    Box::new(refuse(event, &what, names).help("see whether a file is missing, or leave `duplicates` out"))
}
