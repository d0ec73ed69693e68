//! Simulation states: what the process may be in, and what it has received and may not have handled.

use std::rc::Rc;

use base::FxHashMap;
use eval::interp::Machine;
use value::{Encoder, Ground, Region, Value, decode};

use super::hash::hash_values;
use crate::network::{Sent, are_equal};

/// Number of steps that led to a state and are kept with it.
pub const HISTORY_LEN_MAX: usize = 20;

/// The most states of a set that are compared one by one.
const SMALL_LEN_MAX: usize = 4;

/// Something that the process may still have to handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pending {
    /// A message, by its number among those received.
    Message(u32),
    /// A message that came so often that it counts as often as one likes.
    Repeated(u32),
    /// The process is started again; what comes before is lost.
    Restart,
}

/// A step that explains what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastStep {
    /// The number of the action in the slice; `None` if a message was handled and nothing came of it.
    pub action: Option<u32>,
    /// The event of the message that was received or sent.
    pub received: Option<u64>,
    pub sent: Option<u64>,
}

/// The steps that led to a state, the last one first.
pub struct Past {
    pub step: PastStep,
    before: Option<Rc<Past>>,
}

impl Drop for Past {
    /// Drops long histories one by one.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(past) = before {
            before = Rc::try_unwrap(past).ok().and_then(|mut past| past.before.take());
        }
    }
}

/// A state of the process, with what it has received and may not have handled.
#[derive(Clone)]
pub struct Sim<'r> {
    /// The values of the specification's variables. The network is empty.
    pub values: Rc<[Value<'r>]>,
    pub pending: Rc<[Pending]>,
    /// Messages that the process sent and that were not seen yet.
    pub owed: Rc<[Sent<'r>]>,
    /// Silent steps that it may take besides those that `limits.silent` allows: it did not take them before.
    pub n_spare: u32,
    pub past: Option<Rc<Past>>,
}

impl Pending {
    /// Returns the number of the message.
    pub fn message(self) -> Option<u32> {
        match self {
            Pending::Message(number) | Pending::Repeated(number) => Some(number),
            Pending::Restart => None,
        }
    }
}

impl<'r> Sim<'r> {
    pub fn new(values: Rc<[Value<'r>]>, pending: Rc<[Pending]>) -> Sim<'r> {
        Sim { values, pending, owed: Rc::from([]), n_spare: 0, past: None }
    }

    pub fn has_restart(&self) -> bool {
        self.pending.contains(&Pending::Restart)
    }

    pub fn n_restarts(&self) -> usize {
        self.pending.iter().filter(|pending| **pending == Pending::Restart).count()
    }

    pub fn with_step(mut self, step: PastStep) -> Sim<'r> {
        self.past = Some(Rc::new(Past { step, before: self.past.take() }));
        self
    }

    /// Returns the last steps, oldest first.
    pub fn history(&self) -> Vec<PastStep> {
        let mut steps = Vec::new();
        let mut past = self.past.as_ref();
        while let Some(link) = past.filter(|_| steps.len() < HISTORY_LEN_MAX) {
            steps.push(link.step);
            past = link.before.as_ref();
        }
        steps.reverse();
        steps
    }

    /// Returns a hash of the values and of what is owed.
    pub fn hash_without_pending(&self) -> u64 {
        let owed = self.owed.iter().map(|sent| sent.value);
        hash_values(self.values.iter().copied().chain(owed))
    }

    fn hash(&self) -> u64 {
        let mut hash = self.hash_without_pending();
        for pending in self.pending.iter() {
            let part = match pending {
                Pending::Message(number) => u64::from(*number) + 1,
                Pending::Repeated(number) => !u64::from(*number),
                Pending::Restart => 0,
            };
            hash = (hash.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        hash
    }

    fn is_same(&self, machine: &mut Machine<'_, 'r>, other: &Sim<'r>) -> bool {
        self.pending == other.pending && self.is_same_without_pending(machine, other)
    }

    /// Whether two states differ at most in what they may still handle.
    pub fn is_same_without_pending(&self, machine: &mut Machine<'_, 'r>, other: &Sim<'r>) -> bool {
        self.owed.len() == other.owed.len()
            && have_equal_values(machine, &self.values, &other.values)
            && self.owed.iter().zip(other.owed.iter()).all(|(one, two)| {
                one.is_pure == two.is_pure
                    && are_equal(machine, one.value, two.value)
                    && has_receiver_of(machine, one, two)
            })
    }
}

/// Whether two messages have the same receiver.
pub fn has_receiver_of<'r>(machine: &mut Machine<'_, 'r>, one: &Sent<'r>, two: &Sent<'r>) -> bool {
    match (one.to, two.to) {
        (Some(one), Some(two)) => are_equal(machine, one, two),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether two states have the same values.
pub fn have_equal_values<'r>(machine: &mut Machine<'_, 'r>, one: &[Value<'r>], two: &[Value<'r>]) -> bool {
    one.iter().zip(two).all(|(&left, &right)| are_equal(machine, left, right))
}

/// A set of simulation states, in the order in which they were added.
#[derive(Default)]
pub struct SimSet<'r> {
    pub sims: Vec<Sim<'r>>,
    /// The places of the first states by their hashes.
    by_hash: FxHashMap<u64, Vec<u32>>,
    n_hashed: usize,
}

impl<'r> SimSet<'r> {
    /// Makes a set of one state, to which nothing is added.
    pub fn of_one(sim: Sim<'r>) -> SimSet<'r> {
        SimSet { sims: vec![sim], ..SimSet::default() }
    }

    /// Adds a state; returns whether it is new.
    pub fn add(&mut self, machine: &mut Machine<'_, 'r>, sim: Sim<'r>) -> bool {
        self.place(machine, &sim).is_new
    }

    /// Returns the place of a state, which is added if it is not there.
    pub fn place(&mut self, machine: &mut Machine<'_, 'r>, sim: &Sim<'r>) -> SimPlace {
        if let Some(at) = self.find(machine, sim) {
            return SimPlace { at, is_new: false };
        }
        let at = self.sims.len();
        self.sims.push(sim.clone());
        if at >= SMALL_LEN_MAX {
            self.note_hashes();
        }
        SimPlace { at, is_new: true }
    }

    /// Notes the hashes of states that have none yet: most sets are so small that it is quicker to compare.
    fn note_hashes(&mut self) {
        for at in self.n_hashed..self.sims.len() {
            self.by_hash.entry(self.sims[at].hash()).or_default().push(at as u32);
        }
        self.n_hashed = self.sims.len();
    }

    /// Returns the place of a state.
    pub fn find(&self, machine: &mut Machine<'_, 'r>, sim: &Sim<'r>) -> Option<usize> {
        let rest = (self.n_hashed..self.sims.len()).find(|&at| self.sims[at].is_same(machine, sim));
        if rest.is_some() || self.n_hashed == 0 {
            return rest;
        }
        let known = self.by_hash.get(&sim.hash())?;
        known.iter().map(|&at| at as usize).find(|&at| self.sims[at].is_same(machine, sim))
    }
}

/// Where a state is in a set, and whether it was added just now.
#[derive(Clone, Copy, Debug)]
pub struct SimPlace {
    pub at: usize,
    pub is_new: bool,
}

/// A message that the process received.
#[derive(Clone, Copy)]
pub struct Received<'r> {
    pub value: Value<'r>,
    pub from: Option<Value<'r>>,
    pub connection: u32,
    /// The number of its event.
    pub number: u64,
}

/// Simulation states and messages as bytes, between two regions.
#[derive(Clone, Default)]
pub struct Packed {
    sims: Vec<PackedSim>,
    messages: Vec<PackedMessage>,
}

#[derive(Clone)]
struct PackedSim {
    values: Vec<u8>,
    pending: Vec<Pending>,
    owed: Vec<u8>,
    n_owed: usize,
    n_spare: u32,
    history: Vec<PastStep>,
}

#[derive(Clone)]
struct PackedMessage {
    bytes: Vec<u8>,
    has_from: bool,
    connection: u32,
    number: u64,
}

fn encode(encoder: &mut Encoder, value: Value<'_>, bytes: &mut Vec<u8>) {
    let ground = Ground::opt(value).expect("states and messages are explicit");
    encoder.encode(ground, bytes);
}

impl Packed {
    /// Packs states, and of the messages those that a state still needs.
    pub fn pack(encoder: &mut Encoder, sims: &[Sim<'_>], messages: &[Received<'_>]) -> Packed {
        let mut packed = Packed::default();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for sim in sims {
            let mut pending = Vec::with_capacity(sim.pending.len());
            for &entry in sim.pending.iter() {
                pending.push(match entry {
                    Pending::Restart => Pending::Restart,
                    Pending::Message(number) | Pending::Repeated(number) => {
                        let next = numbers.len() as u32;
                        let known = *numbers.entry(number).or_insert(next);
                        if known == next && packed.messages.len() == next as usize {
                            packed.messages.push(pack_message(encoder, &messages[number as usize]));
                        }
                        match entry {
                            Pending::Repeated(_) => Pending::Repeated(known),
                            Pending::Message(_) | Pending::Restart => Pending::Message(known),
                        }
                    }
                });
            }
            let (mut values, mut owed) = (Vec::new(), Vec::new());
            sim.values.iter().for_each(|&value| encode(encoder, value, &mut values));
            for sent in sim.owed.iter() {
                encode(encoder, sent.value, &mut owed);
                encode(encoder, sent.to.unwrap_or(Value::FALSE), &mut owed);
                encode(encoder, Value::bool(sent.is_pure), &mut owed);
            }
            let (n_owed, n_spare) = (sim.owed.len(), sim.n_spare);
            packed.sims.push(PackedSim { values, pending, owed, n_owed, n_spare, history: sim.history() });
        }
        packed
    }

    /// Makes the states and messages again.
    pub fn unpack<'r>(&self, region: &'r Region, n_values: usize) -> (Vec<Sim<'r>>, Vec<Received<'r>>) {
        let read = |bytes: &mut &[u8]| decode(region, bytes).expect("these bytes were written here");
        let messages = self.messages.iter().map(|message| {
            let mut bytes: &[u8] = &message.bytes;
            let value = read(&mut bytes);
            let from = message.has_from.then(|| read(&mut bytes));
            Received { value, from, connection: message.connection, number: message.number }
        });
        let sims = self.sims.iter().map(|sim| {
            let mut bytes: &[u8] = &sim.values;
            let values = (0..n_values).map(|_| read(&mut bytes)).collect();
            let mut bytes: &[u8] = &sim.owed;
            let owed = (0..sim.n_owed).map(|_| {
                let (value, to) = (read(&mut bytes), read(&mut bytes));
                let is_pure = read(&mut bytes).is_same(Value::TRUE);
                Sent { value, to: (!to.is_same(Value::FALSE)).then_some(to), is_pure }
            });
            let owed = owed.collect();
            let pending = sim.pending.as_slice().into();
            let made = Sim { values, pending, owed, n_spare: sim.n_spare, past: None };
            sim.history.iter().fold(made, |sim, &step| sim.with_step(step))
        });
        (sims.collect(), messages.collect())
    }
}

fn pack_message(encoder: &mut Encoder, message: &Received<'_>) -> PackedMessage {
    let mut bytes = Vec::new();
    encode(encoder, message.value, &mut bytes);
    if let Some(from) = message.from {
        encode(encoder, from, &mut bytes);
    }
    let has_from = message.from.is_some();
    PackedMessage { bytes, has_from, connection: message.connection, number: message.number }
}
