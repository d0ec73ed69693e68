//! Values for a page: each distinct part occurs once, as a node that refers to its parts by number. So a thousand
//! states with values of ten thousand elements, of which each step changes a few, stay small, and two values are equal
//! if their numbers are.

use base::{FxHashMap, with_stack};
use serde::{Serialize, Serializer};

use crate::Datum;

/// A value, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// A scalar as its text.
    Text(Box<str>),
    Parts(Kind, Box<[u32]>),
}

/// The kind of a value; the scripts of pages know it by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Seq = 0,
    Set = 1,
    /// Names and values in turn.
    Record = 2,
    /// Arguments and values in turn.
    Function = 3,
    /// Some of the parts of a long value, in order.
    Chunk = 4,
}

/// The distinct parts of all values that were added.
#[derive(Debug, Default)]
pub struct Nodes {
    nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
}

/// The most parts of a value before it is cut into chunks.
const PARTS_MAX: usize = 128;
const CHUNK_MIN: usize = 16;
/// The mask that decides where chunks end; on average a chunk has twice as many parts.
const CHUNK_MASK: u32 = 0x1f;

impl Nodes {
    /// Adds a value and returns its number. Equal values in the same order have the same number.
    pub fn add(&mut self, value: &Datum) -> u32 {
        with_stack(|| match value {
            Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => {
                self.text(value.to_string())
            }
            Datum::Seq(items) => self.items(Kind::Seq, items),
            Datum::Set(items) => self.items(Kind::Set, items),
            Datum::Record(fields) => {
                let mut parts = Vec::with_capacity(2 * fields.len());
                for (name, value) in fields {
                    parts.push(self.text(name.clone()));
                    parts.push(self.add(value));
                }
                self.parts(Kind::Record, parts)
            }
            Datum::Function(pairs) => {
                let mut parts = Vec::with_capacity(2 * pairs.len());
                for (argument, value) in pairs {
                    parts.push(self.add(argument));
                    parts.push(self.add(value));
                }
                self.parts(Kind::Function, parts)
            }
        })
    }

    fn items(&mut self, kind: Kind, items: &[Datum]) -> u32 {
        let parts = items.iter().map(|item| self.add(item)).collect();
        self.parts(kind, parts)
    }

    fn text(&mut self, text: String) -> u32 {
        self.node(Node::Text(text.into()))
    }

    fn parts(&mut self, kind: Kind, parts: Vec<u32>) -> u32 {
        // A name or an argument stays together with its value.
        let step = if matches!(kind, Kind::Record | Kind::Function) { 2 } else { 1 };
        let parts = if parts.len() > PARTS_MAX { self.chunks(&parts, step) } else { parts };
        self.node(Node::Parts(kind, parts.into()))
    }

    /// Cuts parts into chunks at positions that depend on the parts themselves, so that an insertion or removal changes
    /// one chunk, and not all that follow.
    fn chunks(&mut self, parts: &[u32], step: usize) -> Vec<u32> {
        let mut chunks = Vec::new();
        let mut start = 0;
        for index in (step - 1..parts.len()).step_by(step) {
            let n = index + 1 - start;
            // The multiplication spreads numbers that are close together.
            let is_edge = (parts[index + 1 - step].wrapping_mul(0x9e37_79b9) >> 16) & CHUNK_MASK == 0;
            if (n >= CHUNK_MIN && is_edge) || n >= PARTS_MAX {
                chunks.push(self.node(Node::Parts(Kind::Chunk, parts[start..=index].into())));
                start = index + 1;
            }
        }
        if start < parts.len() {
            chunks.push(self.node(Node::Parts(Kind::Chunk, parts[start..].into())));
        }
        chunks
    }

    fn node(&mut self, node: Node) -> u32 {
        if let Some(&number) = self.known.get(&node) {
            return number;
        }
        let number = u32::try_from(self.nodes.len()).expect("a page has fewer parts than that");
        self.nodes.push(node.clone());
        self.known.insert(node, number);
        number
    }
}

/// Serialises as a list: texts are scalars, lists begin with their kind.
impl Serialize for Nodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.nodes.iter().map(Shown))
    }
}

struct Shown<'n>(&'n Node);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Node::Text(text) => serializer.serialize_str(text),
            Node::Parts(kind, parts) => {
                serializer.collect_seq(std::iter::once(*kind as u32).chain(parts.iter().copied()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Nodes;
    use crate::Datum;

    #[test]
    fn what_is_the_same_is_there_once() {
        let mut nodes = Nodes::default();
        let entry = |term: i64| Datum::record([("term", Datum::int(term))]);
        let first = nodes.add(&Datum::seq(vec![entry(1), entry(2)]));
        let again = nodes.add(&Datum::seq(vec![entry(1), entry(2)]));
        assert_eq!(first, again);
        assert_ne!(first, nodes.add(&Datum::set(vec![entry(1), entry(2)])));
        let shown = serde_json::to_string(&nodes).expect("it is JSON");
        assert_eq!(shown, "[\"term\",\"1\",[2,0,1],\"2\",[2,0,3],[0,2,4],[1,2,4]]");
    }

    #[test]
    fn a_long_value_that_changes_a_little_adds_a_little() {
        let mut nodes = Nodes::default();
        let mut items: Vec<Datum> = (0..10_000).map(Datum::int).collect();
        nodes.add(&Datum::set(items.clone()));
        let n_before = nodes.nodes.len();
        for at in [0, 5000, 9000] {
            items.insert(at, Datum::int(-1 - i64::from(at as u32)));
            nodes.add(&Datum::set(items.clone()));
        }
        assert!(nodes.nodes.len() < n_before + 30, "{}", nodes.nodes.len() - n_before);
    }
}
