//! All states that nodes can reach within bounds, whatever messages arrive when: each state of a node is brought together
//! with each message that any node can send to it. That is more than a run of the system can show.

use std::rc::Rc;

use base::FxIndexSet;
use eval::interp::Evaluated;
use model::QuietRun;
use value::{Ground, Interner, Value, ValueId};

use super::epoch::Epoch;
use super::sim::{Pending, Received, Sim};
use super::steps::TakenStep;
use super::{CannotStart, EPOCH_BYTES, Monitor, Setting};
use crate::network::Sent;
use crate::slice::EventKind;

/// Why not all states could be looked at.
#[derive(Debug)]
pub enum NoClosure {
    Start(CannotStart),
    /// More states or messages than the limit.
    TooLarge(usize),
    Why(String),
}

/// Bits, one for each message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    pub fn set(&mut self, at: usize) {
        if self.0.len() <= at / 64 {
            self.0.resize(at / 64 + 1, 0);
        }
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Returns the first place that is set in both.
    pub fn first_common(&self, other: &Bits) -> Option<usize> {
        let at = self.0.iter().zip(&other.0).position(|(one, two)| one & two != 0)?;
        Some(at * 64 + (self.0[at] & other.0[at]).trailing_zeros() as usize)
    }

    /// Returns the first place that is set here and not there.
    pub fn first_missing(&self, other: &Bits) -> Option<usize> {
        let there = |at: usize| other.0.get(at).copied().unwrap_or(0);
        let at = (0..self.0.len()).find(|&at| self.0[at] & !there(at) != 0)?;
        Some(at * 64 + (self.0[at] & !there(at)).trailing_zeros() as usize)
    }

    pub fn has(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Keeps those places that are set in the other, too.
    pub fn keep(&mut self, other: &Bits) {
        self.0.iter_mut().zip(other.0.iter().chain(std::iter::repeat(&0))).for_each(|(one, two)| *one &= two);
    }

    pub fn add(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(one, two)| *one |= two);
    }
}

/// The cause of a step of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    Own,
    Restart,
    /// A message of the inbox, by its number.
    Message(u32),
}

/// A step of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub kind: MoveKind,
    /// The number of the messages that it sends among all that are sent together; 0 for nothing.
    pub sends: u32,
    pub next: u32,
    /// Whether the message is gone after it.
    pub is_consumed: bool,
}

impl Move {
    /// Whether it sends nothing.
    pub fn is_silent(&self) -> bool {
        self.sends == 0
    }
}

/// The states of one node and what it can do in them, within bounds.
#[derive(Default)]
pub struct NodeGraph {
    pub name: String,
    /// The node as a value.
    pub node: Option<ValueId>,
    pub states: FxIndexSet<Box<[ValueId]>>,
    /// The messages that it may receive, each with its sender if the network says that.
    pub inbox: FxIndexSet<(ValueId, Option<ValueId>)>,
    pub outbox: FxIndexSet<ValueId>,
    /// For each state: the states after one step, and after a restart.
    pub steps: Vec<Vec<u32>>,
    pub restarts: Vec<Vec<u32>>,
    /// For each state: the received messages that have an effect there, and the messages that can leave from it.
    pub useful: Vec<Bits>,
    pub sends: Vec<Bits>,
    /// For each state: all steps, those without effect as well.
    pub moves: Vec<Vec<Move>>,
    /// Messages that are sent together, each with its receiver; the first is none.
    batches: FxIndexSet<Vec<(ValueId, Option<ValueId>)>>,
    /// For each state: how many messages of the inbox were brought together with it.
    n_done: Vec<usize>,
    has_own: Vec<bool>,
}

impl NodeGraph {
    fn add(&mut self, state: Box<[ValueId]>) -> u32 {
        let (at, is_new) = self.states.insert_full(state);
        if is_new {
            self.steps.push(Vec::new());
            self.restarts.push(Vec::new());
            self.useful.push(Bits::default());
            self.sends.push(Bits::default());
            self.moves.push(Vec::new());
            self.n_done.push(0);
            self.has_own.push(false);
        }
        at as u32
    }

    fn is_done(&self, at: usize) -> bool {
        self.has_own[at] && self.n_done[at] == self.inbox.len()
    }
}

/// The states of all nodes.
pub struct Closure {
    pub nodes: Vec<NodeGraph>,
}

impl Closure {
    pub fn n_states(&self) -> usize {
        self.nodes.iter().map(|node| node.states.len()).sum()
    }

    pub fn n_messages(&self) -> usize {
        self.nodes.iter().map(|node| node.inbox.len()).sum()
    }
}

/// Finds all states, if there are at most so many pairs of a state and a message.
pub fn close<'a>(setting: Setting<'a>, n_pairs_max: usize) -> Result<Closure, NoClosure> {
    let names = super::node_names(setting).map_err(NoClosure::Start)?;
    let mut monitors: Vec<Monitor<'a>> = Vec::new();
    for name in &names {
        monitors.push(Monitor::for_node(setting, name).map_err(NoClosure::Start)?);
    }
    let nodes = names.iter().map(|name| NodeGraph { name: name.clone(), ..NodeGraph::default() });
    let mut closer = Closer { nodes: nodes.collect(), n_pairs: 0, n_pairs_max };
    for (at, monitor) in monitors.iter_mut().enumerate() {
        closer.begin(at, monitor)?;
    }
    loop {
        let mut is_done = true;
        for (at, monitor) in monitors.iter_mut().enumerate() {
            is_done &= closer.go_on(at, monitor)?;
        }
        if is_done {
            return Ok(Closure { nodes: closer.nodes });
        }
    }
}

struct Closer {
    nodes: Vec<NodeGraph>,
    n_pairs: usize,
    n_pairs_max: usize,
}

fn intern(value: Value<'_>) -> Result<ValueId, NoClosure> {
    let full = || NoClosure::Why("there is no room for more values".to_owned());
    let ground = Ground::opt(value).ok_or_else(full)?;
    Interner::shared().intern(ground).map_err(|_| full())
}

fn intern_all(values: &[Value<'_>]) -> Result<Box<[ValueId]>, NoClosure> {
    values.iter().map(|&value| intern(value)).collect()
}

fn told<T>(result: Evaluated<T>, monitor: &Monitor<'_>) -> Result<T, NoClosure> {
    result.map_err(|fault| {
        let told = model::fault_diagnostic(monitor.setting.model, &fault);
        NoClosure::Why(format!("an expression has no value: {}", told.headline))
    })
}

impl Closer {
    /// Adds the states in which a node begins, and the messages that are for it then.
    fn begin(&mut self, at: usize, monitor: &mut Monitor<'_>) -> Result<(), NoClosure> {
        let region = monitor.setting.run.region();
        monitor.reset();
        let first = monitor.first_messages.clone();
        let mut epoch = Epoch::open(monitor, &region);
        self.nodes[at].node = Some(intern(epoch.network.node)?);
        for sim in epoch.sims.clone() {
            let state = intern_all(&sim.values)?;
            self.nodes[at].add(state);
        }
        for bytes in &first {
            let (value, from) = epoch.read_first(bytes);
            let is_own = match epoch.monitor.setting.slice.to {
                Some(to) => {
                    let to = epoch.ask(to, value).map(intern);
                    told(to, epoch.monitor)?? == self.nodes[at].node.unwrap_or(intern(value)?)
                }
                None => true,
            };
            if is_own {
                let from = from.map(intern).transpose()?;
                self.nodes[at].inbox.insert((intern(value)?, from));
            }
        }
        Ok(())
    }

    /// Takes the steps of a node that were not taken yet; returns whether there were none.
    fn go_on(&mut self, at: usize, monitor: &mut Monitor<'_>) -> Result<bool, NoClosure> {
        let mut is_done = true;
        let mut next = 0;
        while next < self.nodes[at].states.len() {
            let region = monitor.setting.run.region();
            let mut epoch = Epoch::open(monitor, &region);
            while next < self.nodes[at].states.len() && region.bytes_used() < EPOCH_BYTES {
                if !self.nodes[at].is_done(next) {
                    is_done = false;
                    self.expand((at, next), &mut epoch)?;
                }
                next += 1;
            }
        }
        Ok(is_done)
    }

    fn expand<'r>(
        &mut self,
        (at, state): (usize, usize),
        epoch: &mut Epoch<'_, '_, 'r>,
    ) -> Result<(), NoClosure> {
        if epoch.monitor.setting.run.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(NoClosure::Why("it was interrupted".to_owned()));
        }
        let interner = Interner::shared();
        let values: Rc<[Value<'r>]> =
            self.nodes[at].states[state].iter().map(|&id| interner.value(id)).collect();
        if !self.nodes[at].has_own[state] {
            self.nodes[at].has_own[state] = true;
            for kind in [EventKind::Own, EventKind::Restart] {
                let mut all = Vec::new();
                let sim = Sim::new(values.clone(), Rc::from([]));
                let taken = epoch.take_actions(&sim, (kind, Value::TRUE), None, &mut all);
                told(taken, epoch.monitor)?;
                self.follow((at, state), (kind, None), (epoch, &values), all)?;
            }
        }
        let first = self.nodes[at].n_done[state];
        let n_messages = self.nodes[at].inbox.len();
        self.n_pairs += n_messages - first;
        if self.n_pairs > self.n_pairs_max {
            return Err(NoClosure::TooLarge(self.n_pairs_max));
        }
        self.nodes[at].n_done[state] = n_messages;
        for message in first..n_messages {
            let (value, from) = self.nodes[at].inbox[message];
            let received = Received {
                value: interner.value(value),
                from: from.map(|id| interner.value(id)),
                connection: 0,
                number: 0,
            };
            epoch.messages.clear();
            epoch.messages.push(received);
            let sim = Sim::new(values.clone(), Rc::from([Pending::Message(0)]));
            let mut all = Vec::new();
            let kind = (EventKind::Receive, received.value);
            let taken = epoch.take_actions(&sim, kind, Some((0, &received)), &mut all);
            told(taken, epoch.monitor)?;
            self.follow((at, state), (EventKind::Receive, Some(message)), (epoch, &values), all)?;
        }
        Ok(())
    }

    /// Keeps what steps lead to, and what they send.
    // Seven values: the state that is left, the event, and the tables that the step is written into.
    fn follow<'r>(
        &mut self,
        (at, state): (usize, usize),
        (kind, message): (EventKind, Option<usize>),
        (epoch, values): (&mut Epoch<'_, '_, 'r>, &Rc<[Value<'r>]>),
        all: Vec<TakenStep<'r>>,
    ) -> Result<(), NoClosure> {
        for step in all {
            let next = intern_all(&step.sim.values)?;
            let is_changed = self.nodes[at].states.get_index_of(&next) != Some(state);
            let next = self.nodes[at].add(next);
            let to_itself = step.sim.pending.iter().filter_map(|pending| match pending {
                Pending::Message(number) if *number > 0 || message.is_none() => Some(*number),
                Pending::Message(_) | Pending::Repeated(_) | Pending::Restart => None,
            });
            let to_itself: Vec<u32> = to_itself.collect();
            let kind_of_move = match (kind, message) {
                (EventKind::Restart, _) => MoveKind::Restart,
                (_, Some(message)) => MoveKind::Message(message as u32),
                (_, None) => MoveKind::Own,
            };
            let is_consumed = message.is_some() && !step.sim.pending.contains(&Pending::Message(0));
            let made_of = (&*epoch, step.sent.as_slice(), to_itself.as_slice());
            self.add_move((at, state), (kind_of_move, next, is_consumed), made_of)?;
            if let Some(message) = message
                && (is_changed || !step.sent.is_empty() || !to_itself.is_empty())
            {
                self.nodes[at].useful[state].set(message);
            }
            let list = match kind {
                EventKind::Restart => &mut self.nodes[at].restarts[state],
                EventKind::Own | EventKind::Receive => &mut self.nodes[at].steps[state],
            };
            if is_changed && !list.contains(&next) {
                list.push(next);
            }
            let node = self.nodes[at].node;
            for number in to_itself {
                let value = intern(epoch.messages[number as usize].value)?;
                self.nodes[at].inbox.insert((value, node));
            }
            for sent in &step.sent {
                self.send((at, state), (sent.value, sent.to))?;
            }
        }
        debug_assert!(values.len() == epoch.monitor.setting.slice.variables.len(), "one value for each");
        Ok(())
    }

    fn add_move<'r>(
        &mut self,
        (at, state): (usize, usize),
        (kind, next, is_consumed): (MoveKind, u32, bool),
        (epoch, sent, to_itself): (&Epoch<'_, '_, 'r>, &[Sent<'r>], &[u32]),
    ) -> Result<(), NoClosure> {
        let node = &mut self.nodes[at];
        let mut batch = Vec::with_capacity(sent.len() + to_itself.len());
        for one in sent {
            batch.push((intern(one.value)?, one.to.map(intern).transpose()?));
        }
        for &number in to_itself {
            batch.push((intern(epoch.messages[number as usize].value)?, node.node));
        }
        batch.sort_unstable();
        if node.batches.is_empty() {
            node.batches.insert(Vec::new());
        }
        let sends = node.batches.insert_full(batch).0 as u32;
        let made = Move { kind, sends, next, is_consumed };
        if !node.moves[state].contains(&made) {
            node.moves[state].push(made);
        }
        Ok(())
    }

    /// Adds a message to what a state sends, and to what its receiver may receive.
    fn send(
        &mut self,
        (at, state): (usize, usize),
        (value, to): (Value<'_>, Option<Value<'_>>),
    ) -> Result<(), NoClosure> {
        let (value, from) = (intern(value)?, self.nodes[at].node);
        let number = self.nodes[at].outbox.insert_full(value).0;
        self.nodes[at].sends[state].set(number);
        let to = to.map(intern).transpose()?;
        for node in &mut self.nodes {
            if to.is_none() || node.node == to {
                node.inbox.insert((value, from));
            }
        }
        Ok(())
    }
}

impl<'r> Epoch<'_, '_, 'r> {
    /// Reads a message that is under way in the beginning.
    fn read_first(&mut self, bytes: &[u8]) -> (Value<'r>, Option<Value<'r>>) {
        let mut rest = bytes;
        let region = self.machine.region();
        let mut read = || value::decode(region, &mut rest).expect("these bytes were written here");
        let value = read();
        let from = read();
        (value, (!from.is_same(Value::TRUE)).then_some(from))
    }
}
