//! Finds events of different streams that commute, and which of the events that can come next are enough to try.
//!
//! A set of next events is enough if nothing that can happen before all of them interferes with them: then a behaviour
//! that explains the rest can equally begin with one of them. Such a set is built stream by stream. If a later event of
//! another stream, which needs none of the events in the set, touches something that one of them touches, that stream
//! is added. If the next event of a stream has to wait, the streams that it waits for are added.

use base::FxIndexMap;

use super::partial::Need;

/// One thing that an event touches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Print {
    pub variable: usize,
    /// The path into the variable.
    pub path: Vec<PathStep>,
    pub kind: crate::plan::TouchKind,
}

/// An argument, field or element; `None` for any.
pub(crate) type PathStep = Option<Box<[u8]>>;

/// Everything that an event touches; `None` if that may be everything.
pub(crate) type Prints = Option<Vec<Print>>;

/// The most kinds of prints; if there are more, paths are cut short.
const KINDS_MAX: usize = 256;
/// The most entries for which clocks are kept; if there are more, no order is left out.
const CLOCKS_MAX: usize = 50_000_000;

pub(crate) struct Commuting {
    /// For each event, the kind of its prints.
    kind_of: Vec<u32>,
    /// For each pair of kinds, whether one interferes with the other.
    hinders: Vec<bool>,
    n_kinds: usize,
    /// For each stream, the kinds of its events, each with their positions.
    by_stream: Vec<Vec<(u32, Vec<u32>)>>,
    /// For each event, how many events of each stream are before it in any order.
    clocks: Vec<u32>,
    n_streams: usize,
}

/// Whether two touches do not interfere.
fn is_apart(one: &Print, other: &Print) -> bool {
    use crate::plan::TouchKind::{Grow, Read};
    let is_harmless = matches!((one.kind, other.kind), (Read, Read) | (Grow, Grow));
    let differs = |(one, other): (&PathStep, &PathStep)| match (one, other) {
        (Some(one), Some(other)) => one != other,
        (None, _) | (_, None) => false,
    };
    is_harmless || one.variable != other.variable || one.path.iter().zip(&other.path).any(differs)
}

fn is_independent(one: &Prints, other: &Prints) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.iter().all(|one| other.iter().all(|other| is_apart(one, other))),
        (None, _) | (_, None) => false,
    }
}

impl Commuting {
    /// Creates the table; `None` if there are too many events to keep it.
    pub fn new(prints: Vec<Prints>, streams: &[Vec<u32>], needs: &[Vec<Need>]) -> Option<Commuting> {
        let n_streams = streams.len();
        if prints.len().saturating_mul(n_streams) > CLOCKS_MAX {
            return None;
        }
        let (kinds, kind_of) = kinds(prints);
        let n_kinds = kinds.len();
        let mut hinders = vec![false; n_kinds * n_kinds];
        for (index, hinders) in hinders.iter_mut().enumerate() {
            *hinders = !is_independent(&kinds[index / n_kinds], &kinds[index % n_kinds]);
        }
        let by_stream = streams.iter().map(|numbers| by_kind(numbers, &kind_of)).collect();
        let clocks = clocks(streams, needs);
        Some(Commuting { kind_of, hinders, n_kinds, by_stream, clocks, n_streams })
    }

    /// Whether two events commute wherever both can happen.
    pub fn commute(&self, one: usize, other: usize) -> bool {
        !self.hinders[self.kind_of[one] as usize * self.n_kinds + self.kind_of[other] as usize]
    }

    fn clock(&self, number: u32) -> &[u32] {
        &self.clocks[number as usize * self.n_streams..][..self.n_streams]
    }

    /// Returns the streams whose next events are enough: the smallest set that is found.
    pub fn find_enough(&self, (streams, needs): (&[Vec<u32>], &[Vec<Need>]), position: &[u32]) -> Vec<bool> {
        let at = Cut { streams, needs, position };
        let mut best: Option<(usize, Vec<bool>)> = None;
        for stream in (0..self.n_streams).filter(|&stream| at.is_ready(stream)) {
            let chosen = self.collect_required(&at, stream);
            let n_ready = (0..self.n_streams).filter(|&other| chosen[other] && at.is_ready(other)).count();
            if best.as_ref().is_none_or(|(least, _)| n_ready < *least) {
                best = Some((n_ready, chosen));
            }
            if n_ready == 1 {
                break;
            }
        }
        best.map_or_else(|| vec![true; self.n_streams], |(_, chosen)| chosen)
    }

    /// Returns the streams that have to be taken together with one.
    fn collect_required(&self, at: &Cut<'_>, first: usize) -> Vec<bool> {
        let mut chosen = vec![false; self.n_streams];
        chosen[first] = true;
        let mut todo = vec![first];
        while let Some(stream) = todo.pop() {
            let Some(number) = at.next(stream) else { continue };
            let unmet = at.needs[number as usize].iter().find(|need| !need.is_met(at.position));
            let wanted: Vec<usize> = match unmet {
                // Only these events can make it possible.
                Some(need) => {
                    let unmet = need.of.iter().filter(|(of, count)| at.position[*of as usize] < *count);
                    unmet.map(|(of, _)| *of as usize).collect()
                }
                None => {
                    let others = (0..self.n_streams).filter(|&other| !chosen[other]);
                    others.filter(|&other| self.is_hindered(at, (number, &chosen), other)).collect()
                }
            };
            for other in wanted {
                if !std::mem::replace(&mut chosen[other], true) {
                    todo.push(other);
                }
            }
        }
        chosen
    }

    /// Whether a stream has an event that interferes with this one and can come before all that are chosen.
    fn is_hindered(&self, at: &Cut<'_>, (number, chosen): (u32, &[bool]), other: usize) -> bool {
        let first = at.position[other];
        let is_before = |later: u32| {
            let clock = self.clock(at.streams[other][later as usize]);
            (0..self.n_streams).all(|stream| !chosen[stream] || clock[stream] <= at.position[stream])
        };
        let row = self.kind_of[number as usize] as usize * self.n_kinds;
        self.by_stream[other].iter().any(|(kind, positions)| {
            self.hinders[row + *kind as usize]
                && positions
                    .get(positions.partition_point(|&later| later < first))
                    .is_some_and(|&later| is_before(later))
        })
    }
}

/// The positions of all streams.
struct Cut<'a> {
    streams: &'a [Vec<u32>],
    needs: &'a [Vec<Need>],
    position: &'a [u32],
}

impl Cut<'_> {
    fn next(&self, stream: usize) -> Option<u32> {
        self.streams[stream].get(self.position[stream] as usize).copied()
    }

    fn is_ready(&self, stream: usize) -> bool {
        let needs = self.next(stream).map(|number| &self.needs[number as usize]);
        needs.is_some_and(|needs| needs.iter().all(|need| need.is_met(self.position)))
    }
}

/// Returns the different prints, and which of them each event has. If there are too many, paths are cut short until
/// there are few enough.
fn kinds(mut prints: Vec<Prints>) -> (Vec<Prints>, Vec<u32>) {
    let n_steps = prints.iter().flatten().flatten().map(|print| print.path.len()).max().unwrap_or(0);
    for len_max in (0..=n_steps).rev() {
        for print in prints.iter_mut().flatten().flatten() {
            print.path.truncate(len_max);
        }
        let mut found: FxIndexMap<&Prints, ()> = FxIndexMap::default();
        let mut kind_of = Vec::with_capacity(prints.len());
        for print in &prints {
            let index = found.entry(print).index();
            found.insert(print, ());
            kind_of.push(index as u32);
        }
        if found.len() <= KINDS_MAX || len_max == 0 {
            return (found.into_keys().cloned().collect(), kind_of);
        }
    }
    (Vec::new(), Vec::new())
}

fn by_kind(numbers: &[u32], kind_of: &[u32]) -> Vec<(u32, Vec<u32>)> {
    let mut found: FxIndexMap<u32, Vec<u32>> = FxIndexMap::default();
    for (position, &number) in numbers.iter().enumerate() {
        found.entry(kind_of[number as usize]).or_default().push(position as u32);
    }
    found.into_iter().collect()
}

/// Computes for each event how many events of each stream must have happened before it. Events are numbered in an order
/// in which they can happen.
fn clocks(streams: &[Vec<u32>], needs: &[Vec<Need>]) -> Vec<u32> {
    let n_streams = streams.len();
    let mut place = vec![(0usize, 0usize); needs.len()];
    for (stream, numbers) in streams.iter().enumerate() {
        for (position, &number) in numbers.iter().enumerate() {
            place[number as usize] = (stream, position);
        }
    }
    let mut clocks = vec![0u32; needs.len() * n_streams];
    for number in 0..needs.len() {
        let (stream, position) = place[number];
        let mut own = vec![0u32; n_streams];
        if let Some(before) = position.checked_sub(1) {
            let before = streams[stream][before] as usize;
            own.copy_from_slice(&clocks[before * n_streams..][..n_streams]);
        }
        for need in &needs[number] {
            join(&mut own, need, (streams, &clocks));
        }
        own[stream] = position as u32;
        clocks[number * n_streams..][..n_streams].copy_from_slice(&own);
    }
    clocks
}

/// Adds to a clock the events that come before any of those that can meet a need, whichever they are.
fn join(own: &mut [u32], need: &Need, (streams, clocks): (&[Vec<u32>], &[u32])) {
    let n_streams = own.len();
    for (stream, least) in own.iter_mut().enumerate() {
        let known = need.of.iter().map(|&(of, count)| {
            let number = count.checked_sub(1).and_then(|last| streams[of as usize].get(last as usize));
            match number {
                Some(_) if of as usize == stream => count,
                Some(&number) => clocks[number as usize * n_streams + stream],
                None => 0,
            }
        });
        let mut known: Vec<u32> = known.collect();
        known.sort_unstable();
        // The greatest of any `n_min` of them is at least this.
        let needed = need.n_min.checked_sub(1).and_then(|last| known.get(last));
        *least = (*least).max(needed.copied().unwrap_or(0));
    }
}
