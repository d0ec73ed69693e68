//! The steps of a search as they are found: for each state that was expanded, where its steps lead.
//!
//! A record is the number of the state, the derived fair actions that are enabled in it (see [`super::derived`]), how many
//! steps it has, and for each how far its target is from the one before and whose steps it is. Targets are places; steps
//! that change nothing and repetitions are left out.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use eval::interp::{Evaluated, Machine};
use model::temporal::bits::Cache;
use model::{Side, intern_made};
use value::ValueId;

use super::Liveness;
use super::asked::Successors;
use crate::run::Board;
use crate::space::{Handle, StateSlot};

/// A worker hands its records on when it has so many bytes of them.
const CHUNK_BYTES: usize = 1 << 18;

/// The records of all workers.
#[derive(Default)]
pub(super) struct StepLog {
    chunks: Mutex<Vec<Vec<u8>>>,
    n_steps: AtomicU64,
}

impl StepLog {
    fn push(&self, chunk: Vec<u8>, n_steps: u64) {
        self.n_steps.fetch_add(n_steps, Ordering::Relaxed);
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        // Depth-first search hands on one state at a time.
        match chunks.last_mut() {
            Some(last) if last.len() + chunk.len() <= CHUNK_BYTES => last.extend_from_slice(&chunk),
            Some(_) | None => chunks.push(chunk),
        }
    }

    /// All records; none are left.
    pub fn take(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut *self.chunks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn n_steps(&self) -> u64 {
        self.n_steps.load(Ordering::Relaxed)
    }
}

/// One worker's records.
pub(crate) struct Recorder<'a> {
    board: &'a Board<'a>,
    liveness: &'a Liveness,
    bits: Cache<'a>,
    labels: Cache<'a>,
    bytes: Vec<u8>,
    n_steps: u64,
    source: u32,
    /// Targets of the state that is being expanded, with derived fair actions as bits, or with labels where these are
    /// known at once.
    steps: Vec<(u32, u64)>,
    /// The derived fair actions that are enabled.
    enabled: u64,
    coded: Vec<(u32, u32)>,
    /// The successors, where predicates ask about the run.
    successors: Successors,
    is_open: bool,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(board: &'a Board<'a>, liveness: &'a Liveness) -> Recorder<'a> {
        Recorder {
            board,
            liveness,
            bits: liveness.bits.cache(),
            labels: liveness.labels.cache(),
            bytes: Vec::new(),
            n_steps: 0,
            source: 0,
            steps: Vec::new(),
            enabled: 0,
            coded: Vec::new(),
            successors: Successors::default(),
            is_open: false,
        }
    }

    pub fn begin(&mut self, source: Handle) {
        self.source = source.0;
        self.steps.clear();
        self.successors.clear();
        self.enabled = 0;
        self.is_open = true;
    }

    /// Whether a state is being expanded.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The machine's step, which leads to `target`: the actions that it is are evaluated at once.
    pub fn push_labelled(&mut self, target: StateSlot, machine: &mut Machine<'_, '_>) -> Evaluated<()> {
        let label = self.liveness.label(&mut self.labels, machine)?;
        self.steps.push((target.0, u64::from(label)));
        if self.liveness.asks()
            && let Some(values) = intern_made(machine, Side::Next)
        {
            self.successors.push(target, &values);
        }
        Ok(())
    }

    /// A successor by `action`; `target` is its place if it is in the model.
    pub fn push_generated(
        &mut self,
        action: usize,
        target: Option<StateSlot>,
        [before, after]: [&[ValueId]; 2],
    ) {
        let bits = self.liveness.derived.bits(action, before, after);
        self.enabled |= bits;
        if let Some(target) = target.filter(|target| target.0 != self.source) {
            self.steps.push((target.0, bits));
            if self.liveness.asks() {
                self.successors.push(target, after);
            }
        }
    }

    /// All steps of the state are known.
    pub fn end(&mut self) {
        self.is_open = false;
        self.code_steps();
        self.n_steps += self.coded.len() as u64;
        let n_before = self.bytes.len();
        let enabled = self.bits.number_of_word(self.enabled);
        put(&mut self.bytes, self.source);
        put(&mut self.bytes, enabled);
        put(&mut self.bytes, self.coded.len() as u32);
        put_steps(&mut self.bytes, self.source, &self.coded);
        self.board.step_bytes.fetch_add(self.bytes.len() - n_before, Ordering::Relaxed);
        if self.bytes.len() >= CHUNK_BYTES {
            self.hand_on();
        }
    }

    /// Evaluates what asks about the run, once all steps of the state are known; `own` are its values.
    pub fn ask(&mut self, machine: &mut Machine<'_, '_>, own: &[ValueId]) {
        if self.liveness.asks() {
            self.liveness.ask(machine, Handle(self.source), (own, &self.successors));
        }
    }

    /// One step to each target: it is a step of every action that generates it.
    fn code_steps(&mut self) {
        self.steps.sort_unstable();
        self.coded.clear();
        if self.liveness.labels_at_once {
            self.steps.dedup();
            self.coded.extend(self.steps.iter().map(|&(target, label)| (target, label as u32)));
            return;
        }
        self.steps.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 |= next.1;
            }
            is_same
        });
        for &(target, bits) in &self.steps {
            self.coded.push((target, self.bits.number_of_word(bits)));
        }
    }

    fn hand_on(&mut self) {
        self.liveness.log.push(std::mem::take(&mut self.bytes), std::mem::take(&mut self.n_steps));
    }
}

impl Drop for Recorder<'_> {
    fn drop(&mut self) {
        if !self.bytes.is_empty() {
            self.hand_on();
        }
    }
}

/// Writes steps in order, each by how far it is from the one before: mostly a byte or two, and one for the label.
pub(super) fn put_steps(bytes: &mut Vec<u8>, source: u32, steps: &[(u32, u32)]) {
    let mut before = source;
    for &(target, label) in steps {
        put_signed(bytes, i64::from(target) - i64::from(before));
        put(bytes, label);
        before = target;
    }
}

/// Seven bits a byte, the lowest first; the top bit says that there are more.
pub(super) fn put(bytes: &mut Vec<u8>, number: u32) {
    put_wide(bytes, u64::from(number));
}

fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put_wide(bytes, (number << 1 ^ number >> 63) as u64);
}

fn put_wide(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Bytes of a log that are still to be read.
pub(super) struct StepReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> StepReader<'b> {
    pub fn new(bytes: &'b [u8], at: usize) -> Self {
        StepReader { bytes, at }
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn wide(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes[self.at];
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return number;
            }
            shift += 7;
        }
    }

    pub fn number(&mut self) -> u32 {
        self.wide() as u32
    }

    /// `n_steps` steps as [`put_steps`] writes them.
    pub fn steps(&mut self, source: u32, n_steps: u32, mut visit: impl FnMut(u32, u32)) {
        let mut before = i64::from(source);
        for _ in 0..n_steps {
            let coded = self.wide();
            before += (coded >> 1) as i64 ^ -((coded & 1) as i64);
            let label = self.number();
            visit(before as u32, label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StepReader, put, put_steps};

    #[test]
    fn steps_are_read_as_they_were_written() {
        let steps = [(0, 3), (7, 0), (7, 200), (u32::MAX - 1, 1), (5, u32::MAX)];
        let mut bytes = Vec::new();
        put(&mut bytes, 300);
        put_steps(&mut bytes, 300, &steps);
        let mut reader = StepReader::new(&bytes, 0);
        assert_eq!(reader.number(), 300);
        let mut read = Vec::new();
        reader.steps(300, steps.len() as u32, |target, label| read.push((target, label)));
        assert_eq!(read, steps);
        assert!(reader.is_at_end());
    }
}
