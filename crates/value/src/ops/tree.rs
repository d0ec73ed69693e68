//! Large sets and functions that change by one element: a few nodes are copied instead of everything.
//!
//! The shape of a tree follows from its elements alone (for a function: from its keys). So equal sets have equal trees,
//! whatever was added and removed before, and a tree that is interned again finds all nodes that it shares with others.
//! An element has a level, which is 0 for most: a leaf ends behind an element of level 1 or above, and a node on the
//! n-th level of nodes behind one of level n + 1 or above. There are as few levels of nodes as lead to one root, but at
//! least one.
//!
//! Invariant: [`is_large`] holds for the length of a set or function in a tree.

use super::function::FunctionForm;
use super::hash::mix;
use crate::mem::{Child, ObjectKind, Tree, parts_of};
use crate::view::View;
use crate::{Items, Region, Value, ValueVec};

/// Number of elements up to which they are stored side by side. Generated code reads only those, and few states of a
/// checked model have more.
const FLAT_MAX: usize = 512;
/// Limit on the length: lengths are stored in ids, which hold small integers only.
const LEN_END: usize = 1 << 29;

/// One in `1 << LEVEL_BITS` elements of a level also reaches the next one.
const LEVEL_BITS: u32 = 4;
const LEVEL_MAX: u8 = 7;

/// Number of parts of a value that determine its level. For a value with more than `N_ENDS` parts, those at its ends
/// count.
const N_LOOKS: u32 = 32;
const N_ENDS: usize = 4;

/// Whether this number of explicit elements is kept in a tree.
pub(crate) fn is_large(len: usize) -> bool {
    len > FLAT_MAX && len < LEN_END
}

/// Returns the level of a ground value: which leaves and nodes end with it.
pub(crate) fn level(value: Value<'_>) -> u8 {
    let sketch = sketch(0x51_7c_c1_b7_27_22_0a_95, value, &mut N_LOOKS.clone());
    // The higher bits of a product depend on all of its factors.
    ((sketch.leading_zeros() / LEVEL_BITS) as u8).min(LEVEL_MAX)
}

/// Returns a sketch. Equal values have equal sketches; others may have equal ones too.
fn sketch(state: u64, value: Value<'_>, n_looks: &mut u32) -> u64 {
    let Some(n_left) = n_looks.checked_sub(1) else { return state };
    *n_looks = n_left;
    if let Some(int) = value.as_small() {
        return mix(mix(state, 1), int as u64);
    }
    if let Some(atom) = value.as_atom() {
        return mix(mix(state, 2), atom.bits().into());
    }
    // It is not read as a record, because a record is made of all its keys.
    if let Some((domain, items)) = value.as_function() {
        let state = sketch(mix(state, 8), domain, n_looks);
        return sketch_of_ends(state, items.len(), |index| items.get(index), n_looks);
    }
    match value.view() {
        View::Bool(is_true) => mix(state, 3 + u64::from(is_true)),
        View::Int(int) => mix(mix(state, 1), int as u64),
        View::BigInt(int) => int.iter_u64_digits().fold(mix(state, 5), mix),
        View::Sequence(items) => {
            sketch_of_ends(mix(state, 6), items.len(), |index| items.get(index), n_looks)
        }
        View::Record(shape, items) => {
            let state = mix(mix(state, 7), shape.bits().into());
            sketch_of_ends(state, items.len(), |index| items.get(index), n_looks)
        }
        View::Set { elements, .. } => {
            sketch_of_ends(mix(state, 9), elements.len(), |index| elements.get(index), n_looks)
        }
        View::Interval(first, last) => {
            let len = (last - first + 1) as usize;
            sketch_of_ends(mix(state, 9), len, |index| Value::from_int(first + index as i64), n_looks)
        }
        View::LazyFunction { .. } | View::Powerset(_) | View::KSubsets(..) | View::FunctionSet(..) => {
            not_ground(value)
        }
        View::RecordSet(..) | View::Product(_) | View::Filter(..) | View::Cup(..) | View::Cap(..) => {
            not_ground(value)
        }
        View::Difference(..) | View::Union(_) | View::Naturals | View::Integers | View::Reals => {
            not_ground(value)
        }
        View::Strings | View::Sequences(_) | View::Anything => not_ground(value),
        View::String(_) | View::ModelValue(_) | View::Function(..) => unreachable!("{value:?} is told above"),
    }
}

/// Sketches the ends of a long value: a value that grows along a behaviour differs at its end, a sorted one also at its
/// beginning.
fn sketch_of_ends<'r>(
    state: u64,
    len: usize,
    value_at: impl Fn(usize) -> Value<'r>,
    n_looks: &mut u32,
) -> u64 {
    let state = mix(state, len as u64);
    let (n_first, last_start) = if len <= 2 * N_ENDS { (len, len) } else { (N_ENDS, len - N_ENDS) };
    // The parts are read from the end, so that those skipped at the limit are nearer to the beginning.
    let indices = (0..n_first).chain(last_start..len).rev();
    indices.fold(state, |state, index| sketch(state, value_at(index), n_looks))
}

fn not_ground(value: Value<'_>) -> ! {
    unreachable!("{value:?} is not explicit")
}

/// Builds the root over these elements, and returns its height; `make` makes a leaf or a node of its parts.
pub(crate) fn build<N: Copy, E>(
    elements: &[N],
    level_at: impl Fn(usize) -> u8,
    number: impl Fn(u32) -> N,
    mut make: impl FnMut(&[N]) -> Result<N, E>,
) -> Result<(N, u8), E> {
    // Children on the current level: where they end, by the elements, and the nodes.
    let mut children: Vec<(u32, N)> = Vec::new();
    let mut start = 0;
    for index in 0..elements.len() {
        if index + 1 == elements.len() || level_at(index) > 0 {
            children.push((index as u32 + 1, make(&elements[start..=index])?));
            start = index + 1;
        }
    }
    let mut height = 0;
    while height == 0 || children.len() > 1 {
        height += 1;
        let mut nodes = Vec::new();
        let (mut parts, mut start) = (Vec::new(), 0);
        for (place, &(end, node)) in children.iter().enumerate() {
            parts.extend([node, number(end - start)]);
            if place + 1 == children.len() || level_at(end as usize - 1) > height {
                nodes.push((end, make(&parts)?));
                parts.clear();
                start = end;
            }
        }
        children = nodes;
    }
    Ok((children[0].1, height))
}

/// Returns a set with one more element, at `place`. Returns `None` where a copy is as good: the set is not large, or
/// has elements that are not explicit.
pub(super) fn with_element<'r>(
    region: &'r Region,
    set: Value<'r>,
    place: usize,
    element: Value<'r>,
) -> Option<Value<'r>> {
    let tree = tree_of_set(region, set, 1)?;
    element
        .is_ground()
        .then(|| region.in_tree(insert_into(region, tree, place, element, levels(tree, element)), None))
}

/// Returns a set without the element at `place`. Returns `None` where a copy is as good, as for [`with_element`].
pub(super) fn without_element<'r>(region: &'r Region, set: Value<'r>, place: usize) -> Option<Value<'r>> {
    let len = set.as_normal_set()?.len();
    let tree = if is_large(len - 1) { tree_of_set(region, set, 0)? } else { return None };
    let level = level(Items::tree(tree).get(place));
    Some(region.in_tree(remove_from(region, tree, place, level), None))
}

/// Returns a function with another value at `place`. Returns `None` where a copy is as good, as for [`with_element`].
pub(super) fn with_value<'r>(
    region: &'r Region,
    f: Value<'r>,
    place: usize,
    value: Value<'r>,
) -> Option<Value<'r>> {
    let (domain, tree) = tree_of_function(region, f, 0).filter(|_| value.is_ground())?;
    let root = replace_at(region, tree.root, tree.height, place, value);
    Some(copy_counts(f, &[value], region.in_tree(Tree { root, ..tree }, Some(domain))))
}

/// Returns a function with one more key, at `place`. Returns `None` where a copy is as good, as for [`with_element`],
/// and where it would be a sequence or a record.
pub(super) fn with_key<'r>(
    region: &'r Region,
    f: Value<'r>,
    place: usize,
    (key, value): (Value<'r>, Value<'r>),
) -> Option<Value<'r>> {
    let (domain, tree) = tree_of_function(region, f, 1)?;
    if !key.is_ground() || !value.is_ground() {
        return None;
    }
    let last = match domain.as_interval() {
        Some((_, last)) => Value::from_int(last),
        None => domain.as_normal_set().and_then(Items::last)?,
    };
    let domain = match (domain.as_interval(), key.as_small()) {
        (Some((first, last)), Some(key)) if key == last + 1 => region.interval(first, key),
        (Some((first, last)), Some(key)) if key == first - 1 => region.interval(key, last),
        (Some((first, last)), _) => with_element(region, write_interval(region, first, last), place, key)?,
        (None, _) => with_element(region, domain, place, key)?,
    };
    is_graph(domain).then(|| {
        let levels = Levels { of_new: level(key), of_last: level(last) };
        copy_counts(
            f,
            &[value],
            region.in_tree(insert_into(region, tree, place, value, levels), Some(domain)),
        )
    })
}

/// Returns a function without the key at `place`. Returns `None` where a copy is as good, as for [`with_element`].
pub(super) fn without_key<'r>(region: &'r Region, f: Value<'r>, place: usize) -> Option<Value<'r>> {
    let (domain, tree) = tree_of_function(region, f, 0)?;
    if !is_large(tree.len as usize - 1) {
        return None;
    }
    let level = KeyLevels::of(domain).at(place);
    let domain = match domain.as_interval() {
        Some((first, last)) if place == 0 => region.interval(first + 1, last),
        Some((first, last)) if place + 1 == tree.len as usize => region.interval(first, last - 1),
        Some((first, last)) => without_element(region, write_interval(region, first, last), place)?,
        None => without_element(region, domain, place)?,
    };
    is_graph(domain)
        .then(|| copy_counts(f, &[], region.in_tree(remove_from(region, tree, place, level), Some(domain))))
}

/// Passes the known facts about the values of `f` on to `changed`, which has these in addition.
fn copy_counts<'r>(f: Value<'r>, more: &[Value<'r>], changed: Value<'r>) -> Value<'r> {
    let counts = f.object().is_some_and(|object| object.has_counts());
    if counts && more.iter().all(|value| value.as_small().is_some_and(|int| int > 0)) {
        note_counts(changed);
    }
    changed
}

/// Whether the values of a function are all positive integers. For a large one this is known at once if it was noted.
pub fn are_counts(f: Value<'_>) -> bool {
    let Some(object) = f.object().filter(|object| object.kind() == ObjectKind::Function) else {
        return false;
    };
    object.has_counts()
        || object.items().iter().all(|value| match value.as_small() {
            Some(int) => int > 0,
            None => value.as_big_int().is_some_and(|int| int.sign() == num_bigint::Sign::Plus),
        })
}

/// Remembers that [`are_counts`] holds for a function, if it is large: it is not examined again, nor are those that
/// differ from it by a positive integer.
pub fn note_counts(f: Value<'_>) {
    if let Some(object) = f.object().filter(|object| object.kind() == ObjectKind::Function) {
        debug_assert!(are_counts(f));
        object.set_has_counts();
    }
}

fn write_interval(region: &Region, first: i64, last: i64) -> Value<'_> {
    let mut integers = ValueVec::with_capacity(region, (last - first + 1) as usize);
    integers.extend((first..=last).map(Value::from_int));
    integers.into_normal_set()
}

/// Whether a function on this domain is neither a sequence nor a record.
fn is_graph(domain: Value<'_>) -> bool {
    matches!(FunctionForm::of(domain), FunctionForm::Function(_))
}

/// Returns the tree of a set that is explicit, and large with `n_more` elements. Builds it if it has none.
fn tree_of_set<'r>(region: &'r Region, set: Value<'r>, n_more: usize) -> Option<Tree<'r>> {
    let object = set.object().filter(|object| object.kind() == ObjectKind::Set && object.is_ground())?;
    if !is_large(object.len() + n_more) {
        return None;
    }
    let items = object.items();
    Some(items.as_tree().unwrap_or_else(|| plant(region, items, |index| level(items.get(index)))))
}

/// Returns the domain and the tree of a function that is explicit, and large with `n_more` keys. Builds it if it has
/// none.
fn tree_of_function<'r>(region: &'r Region, f: Value<'r>, n_more: usize) -> Option<(Value<'r>, Tree<'r>)> {
    let object = f.object().filter(|object| object.kind() == ObjectKind::Function && object.is_ground())?;
    if !is_large(object.len() + n_more) {
        return None;
    }
    let items = object.items();
    let levels = KeyLevels::of(object.domain());
    let tree = items.as_tree().unwrap_or_else(|| plant(region, items, |index| levels.at(index)));
    Some((object.domain(), tree))
}

/// The levels of the keys of a function.
pub(crate) enum KeyLevels<'r> {
    Interval(i64),
    Set(Items<'r>),
}

impl<'r> KeyLevels<'r> {
    /// Returns the levels of the keys of an explicit domain.
    pub(crate) fn of(domain: Value<'r>) -> KeyLevels<'r> {
        match domain.as_interval() {
            Some((first, _)) => KeyLevels::Interval(first),
            None => KeyLevels::Set(domain.as_normal_set().expect("a domain is a set in normal form")),
        }
    }

    pub(crate) fn at(&self, index: usize) -> u8 {
        match self {
            KeyLevels::Interval(first) => level(Value::from_int(first + index as i64)),
            KeyLevels::Set(keys) => level(keys.get(index)),
        }
    }
}

fn plant<'r>(region: &'r Region, items: Items<'r>, level_at: impl Fn(usize) -> u8) -> Tree<'r> {
    let values: Vec<Value<'r>> = items.iter().collect();
    let make = |parts: &[Value<'r>]| Ok::<_, std::convert::Infallible>(region.sequence(parts));
    let number = |len: u32| Value::from_int(len.into());
    let Ok((root, height)) = build(&values, level_at, number, make);
    Tree { root, height, len: values.len() as u32 }
}

/// The level of the added element, or of its key, and that of the last one before.
#[derive(Clone, Copy)]
struct Levels {
    of_new: u8,
    of_last: u8,
}

fn levels<'r>(tree: Tree<'r>, element: Value<'r>) -> Levels {
    let last = Items::tree(tree).last().expect("a tree is not empty");
    Levels { of_new: level(element), of_last: level(last) }
}

fn insert_into<'r>(
    region: &'r Region,
    tree: Tree<'r>,
    place: usize,
    value: Value<'r>,
    levels: Levels,
) -> Tree<'r> {
    let old = Child { node: tree.root, len: tree.len };
    let (first, second) = match place == tree.len as usize && levels.of_last > tree.height {
        true => (old, Some(chain(region, value, tree.height))),
        false => insert(region, old, tree.height, place, (value, levels)),
    };
    let len = tree.len + 1;
    match second {
        Some(second) => Tree { root: node_of(region, &[first, second]), height: tree.height + 1, len },
        None => Tree { root: first.node, height: tree.height, len },
    }
}

/// Makes a leaf of one value, and nodes above it.
fn chain<'r>(region: &'r Region, value: Value<'r>, height: u8) -> Child<'r> {
    let leaf = region.sequence(&[value]);
    let node = (0..height).fold(leaf, |node, _| node_of(region, &[Child { node, len: 1 }]));
    Child { node, len: 1 }
}

/// Returns a node or leaf with one more value, or two of them where it ends behind that.
// Six values: a struct for the two that stay the same would be taken apart at each level.
fn insert<'r>(
    region: &'r Region,
    child: Child<'r>,
    height: u8,
    place: usize,
    (value, levels): (Value<'r>, Levels),
) -> (Child<'r>, Option<Child<'r>>) {
    if height == 0 {
        let mut values: Vec<Value<'r>> = parts_of(child.node).iter().collect();
        values.insert(place, value);
        let ends = levels.of_new > 0 && place + 1 < values.len();
        let second = ends.then(|| leaf_of(region, &values[place + 1..]));
        let first = if ends { &values[..=place] } else { &values[..] };
        return (leaf_of(region, first), second);
    }
    let mut children = children_of(child.node);
    let at_end = place == child.len as usize;
    if at_end && levels.of_last >= height {
        children.push(chain(region, value, height - 1));
        return (Child { node: node_of(region, &children), len: child.len + 1 }, None);
    }
    let (index, start) = if at_end { last_child(&children) } else { child_at(&children, place) };
    let (first, second) = insert(region, children[index], height - 1, place - start, (value, levels));
    children[index] = first;
    let mut behind = Vec::new();
    if let Some(second) = second {
        if levels.of_new > height {
            behind.push(second);
            behind.extend(children.drain(index + 1..));
        } else {
            children.insert(index + 1, second);
        }
    }
    let first = with_children(region, &children);
    (first, (!behind.is_empty()).then(|| with_children(region, &behind)))
}

fn remove_from<'r>(region: &'r Region, tree: Tree<'r>, place: usize, level: u8) -> Tree<'r> {
    let old = Child { node: tree.root, len: tree.len };
    let left = remove(region, old, tree.height, place, level).expect("more than one value");
    let (mut root, mut height) = (left.node, tree.height);
    while height > 1 && parts_of(root).len() == 2 {
        root = parts_of(root).get(0);
        height -= 1;
    }
    Tree { root, height, len: left.len }
}

/// Returns a node or leaf without a value, or nothing if that was the only one.
fn remove<'r>(
    region: &'r Region,
    child: Child<'r>,
    height: u8,
    place: usize,
    level: u8,
) -> Option<Child<'r>> {
    if height == 0 {
        let mut values: Vec<Value<'r>> = parts_of(child.node).iter().collect();
        values.remove(place);
        return (!values.is_empty()).then(|| leaf_of(region, &values));
    }
    let mut children = children_of(child.node);
    let (index, start) = child_at(&children, place);
    // A part that ended behind the value continues with the next one.
    if level >= height && index + 1 < children.len() {
        let next = children.remove(index + 1);
        children[index] = join(region, children[index], next, height - 1);
    } else {
        match remove(region, children[index], height - 1, place - start, level) {
            Some(left) => children[index] = left,
            None => drop(children.remove(index)),
        }
    }
    (!children.is_empty()).then(|| with_children(region, &children))
}

/// Joins the values of both, without the last of the first.
fn join<'r>(region: &'r Region, first: Child<'r>, second: Child<'r>, height: u8) -> Child<'r> {
    if height == 0 {
        let mut values: Vec<Value<'r>> = parts_of(first.node).iter().collect();
        values.pop();
        values.extend(parts_of(second.node));
        return leaf_of(region, &values);
    }
    let (mut children, behind) = (children_of(first.node), children_of(second.node));
    let last = children.pop().expect("a node has children");
    children.push(join(region, last, behind[0], height - 1));
    children.extend(&behind[1..]);
    with_children(region, &children)
}

fn replace_at<'r>(
    region: &'r Region,
    node: Value<'r>,
    height: u8,
    place: usize,
    value: Value<'r>,
) -> Value<'r> {
    let mut parts: Vec<Value<'r>> = parts_of(node).iter().collect();
    if height == 0 {
        parts[place] = value;
        return region.sequence(&parts);
    }
    let (index, start) = child_at(&children_of(node), place);
    parts[2 * index] = replace_at(region, parts[2 * index], height - 1, place - start, value);
    region.sequence(&parts)
}

fn children_of(node: Value<'_>) -> Vec<Child<'_>> {
    let mut parts = parts_of(node).iter();
    let mut children = Vec::with_capacity(parts.len() / 2);
    let mut start = 0;
    while let (Some(node), Some(end)) = (parts.next(), parts.next()) {
        let end = end.as_small().expect("a node says where its children end") as u32;
        children.push(Child { node, len: end - start });
        start = end;
    }
    children
}

fn child_at(children: &[Child<'_>], place: usize) -> (usize, usize) {
    let mut start = 0;
    for (index, child) in children.iter().enumerate() {
        if place < start + child.len as usize {
            return (index, start);
        }
        start += child.len as usize;
    }
    unreachable!("value {place} of {start}")
}

fn last_child(children: &[Child<'_>]) -> (usize, usize) {
    let before = &children[..children.len() - 1];
    (before.len(), before.iter().map(|child| child.len as usize).sum())
}

fn leaf_of<'r>(region: &'r Region, values: &[Value<'r>]) -> Child<'r> {
    Child { node: region.sequence(values), len: values.len() as u32 }
}

fn with_children<'r>(region: &'r Region, children: &[Child<'r>]) -> Child<'r> {
    let len = children.iter().map(|child| child.len).sum();
    Child { node: node_of(region, children), len }
}

fn node_of<'r>(region: &'r Region, children: &[Child<'r>]) -> Value<'r> {
    let mut parts = ValueVec::with_capacity(region, 2 * children.len());
    let mut end = 0;
    for child in children {
        end += i64::from(child.len);
        parts.push(child.node);
        parts.push(Value::from_int(end));
    }
    parts.into_sequence()
}
