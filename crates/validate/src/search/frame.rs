//! Where a search stands: states, how they were come to, and what is still to be tried from there.

use std::collections::VecDeque;
use std::rc::Rc;

use value::{Encoder, Ground, Region, Value, decode};

use super::room::node_bytes;
use crate::log::{Choices, Event, Position};

/// So many states before the present one are kept however large they are.
const PAST_LEN_MIN: usize = 3;

/// A state, in the region at hand or as bytes.
#[derive(Clone)]
pub(super) enum State<'r> {
    Values(Rc<[Value<'r>]>),
    Bytes(Rc<[u8]>),
}

impl<'r> State<'r> {
    pub fn values(&self, region: &'r Region, n_values: usize) -> Rc<[Value<'r>]> {
        match self {
            State::Values(values) => values.clone(),
            State::Bytes(bytes) => {
                let mut rest: &[u8] = bytes;
                let read =
                    (0..n_values).map(|_| decode(region, &mut rest).expect("these bytes were written here"));
                read.collect()
            }
        }
    }

    pub fn bytes(&self, encoder: &mut Encoder) -> Rc<[u8]> {
        match self {
            State::Bytes(bytes) => bytes.clone(),
            State::Values(values) => {
                let mut bytes = Vec::new();
                for &value in values.iter() {
                    let ground = Ground::opt(value).expect("states are explicit");
                    encoder.encode(ground, &mut bytes);
                }
                bytes.into()
            }
        }
    }

    fn packed(&self, encoder: &mut Encoder) -> State<'static> {
        State::Bytes(self.bytes(encoder))
    }
}

/// A state that is to be tried.
#[derive(Clone)]
pub(super) struct Node<'r> {
    pub state: State<'r>,
    pub position: Position,
    /// How often each silent action was taken: since the last event, then in all.
    pub used: Rc<[u32]>,
    /// By which of the actions it was come to; nothing for an initial state.
    pub action: Option<u32>,
    /// The event that the step explains, and its number.
    pub event: Option<(usize, Rc<Event>)>,
    /// Events that lead nowhere from here: they were tried before others that commute with them.
    pub asleep: Asleep,
}

/// Numbers of events.
pub(super) type Asleep = Option<Rc<[u32]>>;

impl Node<'_> {
    /// How many events are explained.
    pub fn n_explained(&self) -> usize {
        self.position.iter().map(|&count| count as usize).sum()
    }

    pub fn packed(&self, encoder: &mut Encoder) -> Node<'static> {
        Node {
            state: self.state.packed(encoder),
            position: self.position.clone(),
            used: self.used.clone(),
            action: self.action,
            event: self.event.clone(),
            asleep: self.asleep.clone(),
        }
    }
}

/// A state that is being tried.
pub(super) struct Frame<'r> {
    pub node: Node<'r>,
    /// Found and not yet tried, the first at the end.
    pub pending: Vec<Node<'r>>,
    /// The events that can come next; nothing before they were asked for.
    pub choices: Option<Choices>,
    /// How many of the choices, and then of the silent actions, were taken.
    pub n_taken: usize,
    /// Nothing else can be tried from here.
    pub is_closed: bool,
}

impl<'r> Frame<'r> {
    pub fn new(node: Node<'r>) -> Frame<'r> {
        Frame { node, pending: Vec::new(), choices: None, n_taken: 0, is_closed: false }
    }

    fn packed(&self, encoder: &mut Encoder) -> Frame<'static> {
        Frame {
            node: self.node.packed(encoder),
            pending: self.pending.iter().map(|node| node.packed(encoder)).collect(),
            choices: self.choices.clone(),
            n_taken: self.n_taken,
            is_closed: self.is_closed,
        }
    }
}

/// A search between two regions, or in one.
#[derive(Default)]
pub(super) struct Stack<'r> {
    pub frames: VecDeque<Frame<'r>>,
    /// How many of them are not closed.
    pub n_open: usize,
    /// Initial states that were not tried, the first at the end.
    pub initial: Vec<Node<'r>>,
    /// What came before the frames, as far as it is kept.
    pub past: VecDeque<Node<'r>>,
    /// How many states before that are not.
    pub n_forgotten: usize,
}

impl Stack<'_> {
    /// The same as bytes; of what came before the frames no more than `past_bytes_max`.
    pub fn packed(&self, encoder: &mut Encoder, past_bytes_max: usize) -> Stack<'static> {
        let past = packed_last(self.past.iter().rev(), encoder, past_bytes_max);
        Stack {
            frames: self.frames.iter().map(|frame| frame.packed(encoder)).collect(),
            n_open: self.n_open,
            initial: self.initial.iter().map(|node| node.packed(encoder)).collect(),
            n_forgotten: self.n_forgotten + self.past.len() - past.len(),
            past,
        }
    }
}

/// The last nodes of a behaviour, which come here last first: as many as there is room for, a few in any case. Those that are left out cost nothing:
/// where states grow with the log, all of them would take its square.
pub(super) fn packed_last<'n, 'r: 'n>(
    nodes: impl Iterator<Item = &'n Node<'r>>,
    encoder: &mut Encoder,
    bytes_max: usize,
) -> VecDeque<Node<'static>> {
    let mut packed = VecDeque::new();
    let mut n_bytes = 0;
    for node in nodes {
        if n_bytes > bytes_max && packed.len() >= PAST_LEN_MIN {
            break;
        }
        let node = node.packed(encoder);
        n_bytes += node_bytes(&node);
        packed.push_front(node);
    }
    packed
}
