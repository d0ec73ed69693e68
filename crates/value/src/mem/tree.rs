//! Large sets and functions: their elements or values are in a tree, so that one with another element shares almost all
//! of it.
//!
//! ```text
//! set, function   header with `VIEW`; prefix; root; height
//! node            a sequence: a child, how many values there are up to its end, the next child, ...
//! leaf            a sequence of values
//! ```
//! Nodes and leaves are sequences like others, in a region or interned: nothing outside this crate sees a difference.
//! All values in a tree are ground. `ops/tree.rs` defines its shape.

use super::items::Items;
use super::object::{GROUND, NORMAL, ObjectKind, RegionHeader, VIEW};
use super::region::Region;
use super::word::Value;

/// Values in a tree.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'r> {
    pub(crate) root: Value<'r>,
    /// Number of levels of nodes above the leaves: one at least.
    pub(crate) height: u8,
    pub(crate) len: u32,
}

/// A node or leaf below another node, and its number of values.
#[derive(Clone, Copy)]
pub(crate) struct Child<'r> {
    pub(crate) node: Value<'r>,
    pub(crate) len: u32,
}

/// A part of a tree: its values are those from `start` up to `end`.
#[derive(Clone, Copy)]
struct TreePart<'r> {
    node: Value<'r>,
    start: usize,
    end: usize,
}

pub(crate) fn parts_of(node: Value<'_>) -> Items<'_> {
    node.as_sequence().expect("nodes and leaves are sequences")
}

fn end_of(children: Items<'_>, place: usize) -> usize {
    let end = children.get(2 * place + 1).as_small();
    end.and_then(|end| usize::try_from(end).ok()).expect("a node says where its children end")
}

impl<'r> TreePart<'r> {
    /// Returns the values of a leaf from the one with this number on.
    fn values_from(self, index: usize) -> Items<'r> {
        parts_of(self.node).slice(index - self.start, self.end - index)
    }

    /// Returns the child that contains the value with this number.
    fn child_at(self, index: usize) -> TreePart<'r> {
        let children = parts_of(self.node);
        let (mut low, mut high) = (0, children.len() / 2);
        while low < high {
            let middle = low.midpoint(high);
            if self.start + end_of(children, middle) <= index {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let start = if low == 0 { 0 } else { end_of(children, low - 1) };
        let end = end_of(children, low);
        TreePart { node: children.get(2 * low), start: self.start + start, end: self.start + end }
    }
}

impl<'r> Tree<'r> {
    fn all(self) -> TreePart<'r> {
        TreePart { node: self.root, start: 0, end: self.len as usize }
    }

    /// Returns the leaf that has the value with this number, and the number of its first. Panics outside.
    pub(super) fn leaf_at(self, index: usize) -> (Items<'r>, usize) {
        let leaf = (0..self.height).fold(self.all(), |part, _| part.child_at(index));
        (parts_of(leaf.node), leaf.start)
    }

    /// Returns how many values, from `from` on, are surely equal in both. Parts that both share are not searched.
    pub(super) fn n_same(self, other: Tree<'_>, from: usize) -> usize {
        let end = self.len.min(other.len) as usize;
        let mut index = from;
        while index < end {
            let n_more = self.n_same_at(other, index);
            if n_more == 0 {
                break;
            }
            index += n_more;
        }
        index.min(end) - from
    }

    fn n_same_at(self, other: Tree<'_>, index: usize) -> usize {
        let (mut left, mut right) = ((self.all(), self.height), (other.all(), other.height));
        loop {
            if left.0.node.is_same(right.0.node) && left.0.start == right.0.start {
                return left.0.end - index;
            }
            let (height, other_height) = (left.1, right.1);
            if height == 0 && other_height == 0 {
                break;
            }
            if height >= other_height {
                left = (left.0.child_at(index), height - 1);
            }
            if other_height >= height {
                right = (right.0.child_at(index), other_height - 1);
            }
        }
        left.0.values_from(index).n_same(right.0.values_from(index), 0)
    }
}

/// Access to values one after the other, usually near each other, as in a binary search.
pub(crate) struct TreeCursor<'r> {
    items: Items<'r>,
    /// The parts from the root of a tree towards the leaf that contained the last value.
    path: Vec<TreePart<'r>>,
}

impl<'r> TreeCursor<'r> {
    pub(crate) fn new(items: Items<'r>) -> TreeCursor<'r> {
        TreeCursor { items, path: items.as_tree().map(Tree::all).into_iter().collect() }
    }

    pub(crate) fn get(&mut self, index: usize) -> Value<'r> {
        let Some(tree) = self.items.as_tree() else { return self.items.get(index) };
        while self.path.len() > 1
            && self.path.last().is_some_and(|part| !(part.start..part.end).contains(&index))
        {
            self.path.pop();
        }
        let mut part = *self.path.last().expect("the root stays");
        while self.path.len() <= usize::from(tree.height) {
            part = part.child_at(index);
            self.path.push(part);
        }
        parts_of(part.node).get(index - part.start)
    }
}

impl Region {
    /// Makes a set of the values of a tree, or a function that has them on `domain`. They are ground, and those of a
    /// set distinct and in normal order; `domain` is ground, is not that of a sequence or record, and has as many
    /// elements.
    pub(crate) fn in_tree<'r>(&'r self, tree: Tree<'r>, domain: Option<Value<'r>>) -> Value<'r> {
        debug_assert!(domain.is_none_or(|domain| domain.is_ground()) && tree.root.is_ground());
        let kind = if domain.is_some() { ObjectKind::Function } else { ObjectKind::Set };
        let header = RegionHeader::new(kind, NORMAL | GROUND | VIEW, tree.len);
        let (root, height) = (tree.root.word(), Value::from_int(i64::from(tree.height)).word());
        match domain {
            Some(domain) => self.object(header, &[domain.word(), root, height]),
            None => self.object(header, &[root, height]),
        }
    }
}
