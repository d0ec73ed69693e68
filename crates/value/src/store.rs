//! The exact visited set: states are vectors of value ids, one for each variable.
//!
//! The ids of a state are folded pairwise into a tree ([`Plan`]), whose nodes are pairs that are stored once
//! ([`Pairs`]): a state costs its root, and the nodes below it that no state had before. Two different states are never
//! confused.

use std::fmt;
use std::sync::PoisonError;

use base::Id;

use crate::pairs::{NumberCursor, Pairs, Sought};
use crate::plan::Plan;
use crate::sync::{IS_SMALL, RwLock, RwLockReadGuard};
use crate::{Full, ValueId};

base::define_id! {
    /// The number of a stored state. Numbers depend on the timing of workers, so nothing may depend on them.
    StateId
}

/// Numbers of states at which plans are made: the first, and the second if the first turns out to be wasteful.
const PLANNED_LENS: [usize; 2] = if IS_SMALL { [8, 32] } else { [1 << 12, 1 << 17] };
/// A plan is wasteful if there is more than one inner node for this many states.
const STATES_PER_NODE: usize = 16;

/// A set of states that only grows. Any number of threads may use it at once, each through a [`Seat`].
pub struct StateStore {
    n_variables: usize,
    tree: RwLock<Tree>,
}

struct Tree {
    plan: Plan,
    n_plans: usize,
    /// Whether states are found by their values.
    is_searched: bool,
    roots: Pairs,
    inner: Pairs,
}

/// One worker's access to a store. It remembers the state that was loaded last: for states that follow from it, only
/// changed variables are folded again.
pub struct Seat<'s> {
    tree: RwLockReadGuard<'s, Tree>,
    roots: NumberCursor,
    inner: NumberCursor,
    /// The nodes of the loaded state, and (in `known_root`) its root.
    known: Vec<u32>,
    known_root: Option<u32>,
    nodes: Vec<u32>,
    /// Whether `nodes` is the same as `known`.
    is_as_known: bool,
    /// Whether `nodes` are those of the state that was folded last.
    is_whole: bool,
}

/// Number of bytes that a store takes, by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreBytes {
    /// The pairs that states consist of.
    pub pairs: usize,
    /// The tables in which pairs are found.
    pub tables: usize,
}

impl StoreBytes {
    pub fn total(self) -> usize {
        self.pairs + self.tables
    }
}

impl StateStore {
    pub fn new(n_variables: usize) -> StateStore {
        StateStore { n_variables, tree: RwLock::new(Tree::new(Plan::balanced(n_variables), 0, true)) }
    }

    /// Makes a store for states that are found by their numbers alone: see [`Seat::append`]. It has no table of them.
    pub fn unsearched(n_variables: usize) -> StateStore {
        StateStore { n_variables, tree: RwLock::new(Tree::new(Plan::balanced(n_variables), 0, false)) }
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    pub fn seat(&self) -> Seat<'_> {
        let n_nodes = (2 * self.n_variables).saturating_sub(2).max(self.n_variables);
        Seat {
            tree: self.read(),
            roots: NumberCursor::default(),
            inner: NumberCursor::default(),
            known: vec![0; n_nodes],
            known_root: None,
            nodes: vec![0; n_nodes],
            is_as_known: false,
            is_whole: false,
        }
    }

    /// Returns the state with these values, if it is stored.
    pub fn find(&self, state: &[ValueId]) -> Option<StateId> {
        assert_eq!(state.len(), self.n_variables);
        let tree = self.read();
        let mut nodes: Vec<u32> = state.iter().map(|id| id.bits()).collect();
        for &(left, right) in &tree.plan.inner {
            nodes.push(tree.inner.find(nodes[left], nodes[right])?);
        }
        let (left, right) = root_children(&tree.plan, &nodes);
        tree.roots.find(left, right).map(state_id)
    }

    /// Returns the state with these values, and whether it is new.
    pub fn insert(&self, state: &[ValueId]) -> Result<(StateId, bool), Full> {
        self.seat().insert(state, |_| {})
    }

    /// Writes the values of a stored state into `state`, one for each variable.
    pub fn get(&self, id: StateId, state: &mut [ValueId]) {
        self.seat().load(id, state);
    }

    /// Returns the number of states. One that is at most a little greater, where they are not searched.
    pub fn len(&self) -> usize {
        self.read().n_states()
    }

    /// Whether a number below the end belongs to a state.
    pub fn has(&self, id: StateId) -> bool {
        self.read().roots.get(number(id)).is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a number above those of all states. A few lesser ones may be unused.
    pub fn end(&self) -> StateId {
        state_id(self.read().roots.end())
    }

    pub fn bytes(&self) -> StoreBytes {
        let tree = self.read();
        StoreBytes {
            pairs: tree.roots.row_bytes() + tree.inner.row_bytes(),
            tables: tree.roots.table().bytes_used() + tree.inner.table().bytes_used(),
        }
    }

    /// Returns how often a worker had to wait for another one.
    pub fn n_waits(&self) -> usize {
        let tree = self.read();
        tree.roots.table().n_waits() + tree.inner.table().n_waits()
    }

    /// Folds the states by a better plan, once there are enough of them to choose one; they keep their numbers. Returns
    /// a number above those of all states. Panics if there is a seat.
    pub fn replan_if_due(&self) -> Result<StateId, Full> {
        let mut tree = self.tree.try_write().expect("nobody has a seat");
        if tree.is_plan_due() {
            *tree = tree.replan(self.n_variables)?;
        }
        Ok(state_id(tree.roots.end()))
    }

    fn read(&self) -> RwLockReadGuard<'_, Tree> {
        self.tree.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tree {
    fn new(plan: Plan, n_plans: usize, is_searched: bool) -> Tree {
        let pairs = || Pairs::new().expect("address space for a table of states");
        Tree { plan, n_plans, is_searched, roots: pairs(), inner: pairs() }
    }

    /// Returns the number of states; of those that are not searched, one that is at most a little greater.
    fn n_states(&self) -> usize {
        if self.is_searched { self.roots.len() } else { self.roots.end() as usize - 1 }
    }

    fn is_plan_due(&mut self) -> bool {
        let Some(&planned_len) = PLANNED_LENS.get(self.n_plans) else { return false };
        // The table counts slowly; there are no more states than numbers.
        if self.plan.inner.is_empty() || (self.roots.end() as usize) < planned_len {
            return false;
        }
        let is_wasteful = self.inner.len() * STATES_PER_NODE > self.n_states();
        let is_due = self.n_plans == 0 || is_wasteful;
        self.n_plans += usize::from(!is_due);
        is_due
    }

    /// Makes a tree with the same states by a plan that suits them.
    fn replan(&self, n_variables: usize) -> Result<Tree, Full> {
        let plan = Plan::of_sample(&self.sample(n_variables));
        let new = Tree::new(plan, self.n_plans + 1, self.is_searched);
        let mut cursor = NumberCursor::default();
        let mut nodes = Vec::new();
        for number in 1..self.roots.end() {
            if self.roots.get(number).is_none() {
                continue;
            }
            self.unfold(number, n_variables, &mut nodes);
            nodes.truncate(n_variables);
            for &(left, right) in &new.plan.inner {
                let (node, _) =
                    new.inner.insert(Sought::new(nodes[left], nodes[right]), &mut cursor, |_| {})?;
                nodes.push(node);
            }
            let root = root_of(&new.plan, &nodes);
            match self.is_searched {
                true => new.roots.insert_at(root, number)?,
                false => new.roots.append_at(root, number)?,
            }
        }
        new.inner.give_back(&mut cursor);
        Ok(new)
    }

    /// Returns some of the states, variable by variable.
    fn sample(&self, n_variables: usize) -> Vec<Vec<u32>> {
        let end = self.roots.end() as usize;
        let step = (end / Plan::sample_len(n_variables)).max(1);
        let mut columns = vec![Vec::new(); n_variables];
        let mut nodes = Vec::new();
        for number in (1..end as u32).step_by(step) {
            if self.roots.get(number).is_some() {
                self.unfold(number, n_variables, &mut nodes);
                columns.iter_mut().zip(&nodes).for_each(|(column, &value)| column.push(value));
            }
        }
        columns
    }

    /// Writes the nodes below a root.
    fn unfold(&self, root: u32, n_variables: usize, nodes: &mut Vec<u32>) {
        nodes.resize(n_variables + self.plan.inner.len(), 0);
        let pair = self.roots.get(root).expect("a state is asked for that was stored");
        for (child, node) in [self.plan.root.0, self.plan.root.1].into_iter().zip([pair.0, pair.1]) {
            if let Some(child) = child {
                nodes[child] = node;
            }
        }
        for (index, &(left, right)) in self.plan.inner.iter().enumerate().rev() {
            let pair = self.inner.get(nodes[n_variables + index]).expect("a node has what is below it");
            (nodes[left], nodes[right]) = pair;
        }
    }
}

/// A state that is about to be looked up, for the seat that folded it.
#[derive(Clone, Copy, Debug)]
pub enum Folded {
    /// A stored state, by its root.
    Known(u32),
    /// The parts of its root.
    Root(Root),
}

/// The parts of the root of a state.
#[derive(Clone, Copy, Debug)]
pub struct Root(Sought);

impl Folded {
    /// Makes a folded state of a stored one.
    #[inline]
    pub fn stored(id: StateId) -> Folded {
        Folded::Known(number(id))
    }
}

impl Seat<'_> {
    /// Writes the values of a stored state into `state`, one for each variable, and remembers it.
    pub fn load(&mut self, id: StateId, state: &mut [ValueId]) {
        let root = number(id);
        self.tree.unfold(root, state.len(), &mut self.known);
        self.known_root = Some(root);
        self.is_as_known = false;
        self.is_whole = false;
        for (value, &bits) in state.iter_mut().zip(&self.known) {
            *value = ValueId::from_bits(bits);
        }
    }

    /// Writes the nodes of a stored state without remembering it.
    pub fn peek(&self, id: StateId, nodes: &mut Vec<u32>) {
        let n_variables = self.known.len() - self.tree.plan.inner.len();
        self.tree.unfold(number(id), n_variables, nodes);
        nodes.truncate(n_variables);
    }

    /// Returns the state with these values, and whether it is new. Calls `begin` with a new one before anyone can find
    /// it.
    #[inline]
    pub fn insert(
        &mut self,
        state: &[ValueId],
        begin: impl FnOnce(StateId),
    ) -> Result<(StateId, bool), Full> {
        let folded = self.fold(state)?;
        self.insert_folded(folded, begin)
    }

    /// Folds a state, except its root. To look up several states, fold all of them and [`Seat::prefetch`] each, then
    /// [`Seat::prefetch_row`], then insert them: the data comes from memory meanwhile.
    #[inline]
    pub fn fold(&mut self, state: &[ValueId]) -> Result<Folded, Full> {
        let tree = &*self.tree;
        self.is_as_known = false;
        match (&tree.plan.above, self.known_root) {
            (Some(above), Some(known_root)) => {
                let nodes = (&*self.known, &mut *self.nodes);
                if !fold_changes(tree, (above, state), nodes, &mut self.inner)? {
                    return Ok(Folded::Known(known_root));
                }
            }
            // The last state that was folded is often much the same.
            (Some(above), None) if self.is_whole => {
                self.is_whole = false;
                fold_on(tree, (above, state), &mut self.nodes, &mut self.inner)?;
                self.is_whole = true;
            }
            (None, _) | (_, None) => {
                fold_all(tree, state, &mut self.nodes, &mut self.inner)?;
                self.is_whole = self.known_root.is_none();
            }
        }
        Ok(Folded::Root(Root(root_of(&tree.plan, &self.nodes))))
    }

    /// Folds a state that differs from the one loaded last at most by these values of variables, except its root.
    #[inline]
    pub fn fold_step(
        &mut self,
        given: impl Iterator<Item = (usize, ValueId)> + Clone,
    ) -> Result<Folded, Full> {
        let known_root = self.known_root.expect("a state was loaded");
        if !self.is_as_known {
            self.nodes.copy_from_slice(&self.known);
        }
        self.is_as_known = false;
        let Seat { tree, inner, known, nodes, .. } = self;
        let tree = &**tree;
        let Some(above) = &tree.plan.above else {
            given.for_each(|(variable, id)| nodes[variable] = id.bits());
            fold_inner(tree, nodes, inner)?;
            return Ok(Folded::Root(Root(root_of(&tree.plan, nodes))));
        };
        let mut changed = 0;
        for (variable, id) in given.clone() {
            if nodes[variable] != id.bits() {
                nodes[variable] = id.bits();
                changed |= above[variable];
            }
        }
        if changed == 0 {
            self.is_as_known = true;
            return Ok(Folded::Known(known_root));
        }
        let n_variables = above.len();
        fold_above(tree, (changed, n_variables), nodes, inner)?;
        let root = Root(root_of(&tree.plan, nodes));
        given.for_each(|(variable, _)| nodes[variable] = known[variable]);
        each_inner(changed, |index| nodes[n_variables + index] = known[n_variables + index]);
        self.is_as_known = true;
        Ok(Folded::Root(root))
    }

    #[inline]
    pub fn insert_folded(
        &mut self,
        folded: Folded,
        begin: impl FnOnce(StateId),
    ) -> Result<(StateId, bool), Full> {
        let root = match folded {
            Folded::Known(root) => return Ok((state_id(root), false)),
            Folded::Root(Root(root)) => root,
        };
        let begin = |number| begin(state_id(number));
        let (number, is_new) = self.tree.roots.insert(root, &mut self.roots, begin)?;
        Ok((state_id(number), is_new))
    }

    /// Adds a state to a store in which states are not searched, whether it is there or not.
    pub fn append(&mut self, state: &[ValueId]) -> Result<StateId, Full> {
        assert!(!self.tree.is_searched, "a state that can be searched is in the table");
        let root = match self.fold(state)? {
            Folded::Root(Root(root)) => root,
            Folded::Known(_) => root_of(&self.tree.plan, &self.nodes),
        };
        self.tree.roots.append(root, &mut self.roots).map(state_id)
    }

    #[inline]
    pub fn prefetch(&self, folded: Folded) {
        if let Folded::Root(Root(root)) = folded {
            self.tree.roots.prefetch(root);
        }
    }

    /// Returns the state that it may be, if it is there.
    #[inline]
    pub fn prefetch_row(&self, folded: Folded) -> Option<StateId> {
        match folded {
            Folded::Root(Root(root)) => self.tree.roots.prefetch_row(root).map(state_id),
            Folded::Known(root) => Some(state_id(root)),
        }
    }

    /// Whether it is this state.
    #[inline]
    pub fn is_at(&self, folded: Folded, id: StateId) -> bool {
        match folded {
            Folded::Root(Root(root)) => self.tree.roots.is_at(root, number(id)),
            Folded::Known(root) => root == number(id),
        }
    }
}

/// Makes `nodes` those of a state.
fn fold_all(
    tree: &Tree,
    state: &[ValueId],
    nodes: &mut [u32],
    cursor: &mut NumberCursor,
) -> Result<(), Full> {
    for (node, id) in nodes.iter_mut().zip(state) {
        *node = id.bits();
    }
    fold_inner(tree, nodes, cursor)
}

/// Makes the inner nodes those of a state whose variables are in `nodes`.
fn fold_inner(tree: &Tree, nodes: &mut [u32], cursor: &mut NumberCursor) -> Result<(), Full> {
    let n_variables = nodes.len() - tree.plan.inner.len();
    for (index, &(left, right)) in tree.plan.inner.iter().enumerate() {
        let (node, _) = tree.inner.insert(Sought::new(nodes[left], nodes[right]), cursor, |_| {})?;
        nodes[n_variables + index] = node;
    }
    Ok(())
}

/// Makes those inner nodes that have a bit the ones of a state whose variables are in `nodes`.
#[inline(always)]
fn fold_above(
    tree: &Tree,
    (changed, n_variables): (u64, usize),
    nodes: &mut [u32],
    cursor: &mut NumberCursor,
) -> Result<(), Full> {
    let mut is_full = false;
    each_inner(changed, |index| {
        let (left, right) = tree.plan.inner[index];
        match tree.inner.insert(Sought::new(nodes[left], nodes[right]), cursor, |_| {}) {
            Ok((node, _)) => nodes[n_variables + index] = node,
            Err(Full) => is_full = true,
        }
    });
    if is_full { Err(Full) } else { Ok(()) }
}

#[inline(always)]
fn each_inner(changed: u64, mut each: impl FnMut(usize)) {
    let mut left = changed & !Plan::ROOT;
    while left != 0 {
        each(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

/// Makes the nodes those of a state that is mostly the same as the one whose nodes are `known`. Returns whether
/// anything differs.
#[inline(always)]
// Six values: two rows of the parent and two of the state, which are borrowed apart.
fn fold_changes(
    tree: &Tree,
    (above, state): (&[u64], &[ValueId]),
    (known, nodes): (&[u32], &mut [u32]),
    cursor: &mut NumberCursor,
) -> Result<bool, Full> {
    nodes.copy_from_slice(known);
    fold_on(tree, (above, state), nodes, cursor)
}

/// Makes the nodes of a state those of another one. Returns whether anything differs.
#[inline(always)]
fn fold_on(
    tree: &Tree,
    (above, state): (&[u64], &[ValueId]),
    nodes: &mut [u32],
    cursor: &mut NumberCursor,
) -> Result<bool, Full> {
    let mut changed = 0;
    for ((node, id), above) in nodes.iter_mut().zip(state).zip(above) {
        if *node != id.bits() {
            *node = id.bits();
            changed |= above;
        }
    }
    fold_above(tree, (changed, state.len()), nodes, cursor)?;
    Ok(changed != 0)
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.tree.roots.give_back(&mut self.roots);
        self.tree.inner.give_back(&mut self.inner);
    }
}

impl fmt::Debug for StateStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateStore({} states of {} variables)", self.len(), self.n_variables)
    }
}

#[inline]
fn root_children(plan: &Plan, nodes: &[u32]) -> (u32, u32) {
    let node = |child: Option<usize>| child.map_or(0, |child| nodes[child]);
    (node(plan.root.0), node(plan.root.1))
}

#[inline]
fn root_of(plan: &Plan, nodes: &[u32]) -> Sought {
    let (left, right) = root_children(plan, nodes);
    Sought::new(left, right)
}

/// Returns the id of a state. States are numbered from 0, pairs from 1.
#[inline]
fn state_id(number: u32) -> StateId {
    StateId::from_index(number as usize - 1)
}

#[inline]
fn number(id: StateId) -> u32 {
    id.index() as u32 + 1
}
