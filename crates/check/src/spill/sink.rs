//! Where states are read from disk, and where what follows from them goes.

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use value::{Damaged, Encoder, Ground, Region, Value, decode, ops};

use super::candidates::{Candidates, Origin};
use super::filter::Filter;
use super::hash::hash;
use super::runs::Record;
use crate::space::OrderKey;

/// One worker's way from states to bytes. What fails is kept, and ends the search.
pub(crate) struct Sink<'a> {
    encoder: Encoder,
    filter: &'a Filter,
    candidates: Candidates<'a>,
    /// The bytes of the state that is expanded, and where those of each variable end.
    parent: Vec<u8>,
    ends: Vec<usize>,
    state: Vec<u8>,
    key: Vec<u8>,
    extra: Vec<u8>,
    failure: Option<io::Error>,
    checks_at_once: bool,
    /// Set when something failed.
    is_over: &'a AtomicBool,
}

/// A found state: the one it follows from, itself, and what it is compared by if that is something else.
pub(crate) struct FoundState<'m, 'r> {
    pub parent: &'m [Option<Value<'r>>],
    pub state: &'m [Option<Value<'r>>],
    pub key: Option<&'m [Value<'r>]>,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        filter: &'a Filter,
        candidates: Candidates<'a>,
        checks_at_once: bool,
        is_over: &'a AtomicBool,
    ) -> Sink<'a> {
        Sink {
            encoder: Encoder::new(),
            filter,
            candidates,
            parent: Vec::new(),
            ends: Vec::new(),
            state: Vec::new(),
            key: Vec::new(),
            extra: Vec::new(),
            failure: None,
            checks_at_once,
            is_over,
        }
    }

    /// Reads the state that is to be expanded.
    pub(super) fn load<'r>(&mut self, region: &'r Region, bytes: &[u8]) -> io::Result<Vec<Value<'r>>> {
        self.parent.clear();
        self.parent.extend(bytes);
        self.ends.clear();
        let mut values = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            values.push(decode(region, &mut rest).map_err(report_damage)?);
            self.ends.push(bytes.len() - rest.len());
        }
        Ok(values)
    }

    /// Takes a state that was found. Whether it is to be checked at once: when it is surely not known yet, and
    /// checking it twice would not be seen. All others are checked when it is known that they are new.
    pub fn visit(&mut self, found: FoundState<'_, '_>, key: OrderKey) -> bool {
        self.encode_state(&found);
        self.extra.clear();
        if let Some(values) = found.key {
            self.key.clear();
            for &value in values {
                self.encoder.encode(ground(value), &mut self.key);
            }
        }
        let compared = if found.key.is_some() { &self.key } else { &self.state };
        let number = hash(compared);
        let is_surely_new = !self.filter.may_have(number);
        let is_checked = is_surely_new && self.checks_at_once;
        Origin { key, is_surely_new, is_checked }.push_to(&mut self.extra);
        if found.key.is_some() {
            self.extra.extend(&self.state);
        }
        let inserted = self.candidates.insert(Record { number, key: compared, extra: &self.extra });
        let is_first = inserted.unwrap_or_else(|error| {
            self.fail(error);
            false
        });
        is_first && is_checked
    }

    /// Encodes a state. Values that did not change take the bytes of the parent.
    fn encode_state(&mut self, found: &FoundState<'_, '_>) {
        self.state.clear();
        let mut start = 0;
        for (index, value) in found.state.iter().flatten().enumerate() {
            let end = self.ends[index];
            let is_same = found.parent[index].is_some_and(|before| before.is_same(*value));
            if is_same {
                self.state.extend(&self.parent[start..end]);
            } else {
                self.encoder.encode(ground(*value), &mut self.state);
            }
            start = end;
        }
    }

    fn fail(&mut self, error: io::Error) {
        self.failure.get_or_insert(error);
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Everything that was found is on disk then.
    pub(super) fn finish(mut self) -> io::Result<()> {
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.candidates.flush(),
        }
    }
}

/// The values of a state.
pub(super) fn read_values<'r>(region: &'r Region, bytes: &[u8]) -> io::Result<Vec<Value<'r>>> {
    let (mut rest, mut values) = (bytes, Vec::new());
    while !rest.is_empty() {
        values.push(decode(region, &mut rest).map_err(report_damage)?);
    }
    Ok(values)
}

fn report_damage(damaged: Damaged) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, damaged)
}

fn ground(value: Value<'_>) -> Ground<'_> {
    Ground::opt(value).expect("the values of a found state are explicit")
}

/// The state that is being expanded, if it was read from disk.
#[derive(Default)]
pub(crate) struct Reading {
    number: Cell<Option<u32>>,
    bytes: RefCell<Vec<u8>>,
}

impl Reading {
    pub fn set(&self, number: u32, bytes: &[u8]) {
        self.number.set(Some(number));
        let mut kept = self.bytes.borrow_mut();
        kept.clear();
        kept.extend(bytes);
    }

    pub fn clear(&self) {
        self.number.set(None);
    }

    pub fn number(&self) -> Option<u32> {
        self.number.get()
    }

    /// The hashes of its values.
    pub fn hashes(&self) -> Option<Vec<u64>> {
        self.number.get()?;
        let region = Region::new();
        let bytes = self.bytes.borrow();
        let (mut rest, mut hashes) = (bytes.as_slice(), Vec::new());
        while !rest.is_empty() {
            let value = decode(&region, &mut rest).ok()?;
            hashes.push(ops::hash(Ground::opt(value)?));
        }
        Some(hashes)
    }
}
