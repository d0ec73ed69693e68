//! The position of a search: states, how they were reached, and what is still to be tried from there.

use std::collections::VecDeque;
use std::rc::Rc;

use value::{Encoder, Ground, Region, Value, decode};

use super::room::node_bytes;
use crate::log::{Choices, Event, Position};

/// Number of states before the present one that are kept however large they are.
const PAST_LEN_MIN: usize = 3;

/// A state, as values in the current region or as bytes.
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

    fn pack(&self, encoder: &mut Encoder) -> State<'static> {
        State::Bytes(self.bytes(encoder))
    }
}

/// A state that is to be tried.
#[derive(Clone)]
pub(super) struct Node<'r> {
    pub state: State<'r>,
    pub position: Position,
    /// Number of times that each silent action was taken: first since the last event, then in all.
    pub used: Rc<[u32]>,
    /// The action that led to it; `None` for an initial state.
    pub action: Option<u32>,
    /// The event that the step explains, and its number.
    pub event: Option<(usize, Rc<Event>)>,
    /// Events that lead nowhere from here, because they were tried before others that commute with them.
    pub asleep: Asleep,
}

/// Numbers of events.
pub(super) type Asleep = Option<Rc<[u32]>>;

impl Node<'_> {
    /// Returns the number of explained events.
    pub fn n_explained(&self) -> usize {
        self.position.iter().map(|&count| count as usize).sum()
    }

    pub fn pack(&self, encoder: &mut Encoder) -> Node<'static> {
        Node {
            state: self.state.pack(encoder),
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
    /// Nodes that were found and not yet tried; the next one is at the end.
    pub pending: Vec<Node<'r>>,
    /// The events that can come next; `None` until they are needed.
    pub choices: Option<Choices>,
    /// Number of choices, and then of silent actions, that were taken.
    pub n_taken: usize,
    /// Whether nothing else can be tried from here.
    pub is_closed: bool,
}

impl<'r> Frame<'r> {
    pub fn new(node: Node<'r>) -> Frame<'r> {
        Frame { node, pending: Vec::new(), choices: None, n_taken: 0, is_closed: false }
    }

    fn pack(&self, encoder: &mut Encoder) -> Frame<'static> {
        Frame {
            node: self.node.pack(encoder),
            pending: self.pending.iter().map(|node| node.pack(encoder)).collect(),
            choices: self.choices.clone(),
            n_taken: self.n_taken,
            is_closed: self.is_closed,
        }
    }
}

/// The state of a search, in one region or between two.
#[derive(Default)]
pub(super) struct Stack<'r> {
    pub frames: VecDeque<Frame<'r>>,
    /// Number of frames that are not closed.
    pub n_open: usize,
    /// Initial states that were not tried; the next one is at the end.
    pub initial: Vec<Node<'r>>,
    /// The nodes before the frames, as far as they are kept.
    pub past: VecDeque<Node<'r>>,
    /// Number of earlier states that are not kept.
    pub n_forgotten: usize,
}

impl Stack<'_> {
    /// Returns the same stack as bytes, with at most `past_bytes_max` of what came before the frames.
    pub fn pack(&self, encoder: &mut Encoder, past_bytes_max: usize) -> Stack<'static> {
        let past = pack_last(self.past.iter().rev(), encoder, past_bytes_max);
        Stack {
            frames: self.frames.iter().map(|frame| frame.pack(encoder)).collect(),
            n_open: self.n_open,
            initial: self.initial.iter().map(|node| node.pack(encoder)).collect(),
            n_forgotten: self.n_forgotten + self.past.len() - past.len(),
            past,
        }
    }
}

/// Converts the last nodes of a behaviour, which are given in reverse order, to bytes: as many as there is room for,
/// and always a few. Nodes that are left out are not encoded: if states grow with the log, encoding all of them would
/// take the square of its length.
pub(super) fn pack_last<'n, 'r: 'n>(
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
        let node = node.pack(encoder);
        n_bytes += node_bytes(&node);
        packed.push_front(node);
    }
    packed
}
