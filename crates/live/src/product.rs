//! The product of a graph and an automaton, with its nodes numbered in the order of their distance from the beginning.

use base::FxHashMap;

use crate::graph::{ClassId, Graph, LabelId};
use crate::marks::Marks;
use crate::plan::{Alternative, Refusal};
use crate::search::Stop;
use crate::tableau::{Automaton, automaton};

/// Number of pairs of node and automaton state up to which each pair has a place in a table.
const DENSE_MAX: u64 = 1 << 28;
/// Number of nodes visited between two checks whether to end.
const NODES_BETWEEN_LOOKS: usize = 1 << 12;
const NONE: u32 = u32::MAX;

/// The product. Its nodes are numbers; see [`Product::node`].
pub(crate) struct Product<'g, G> {
    pub graph: &'g G,
    alternative: &'g Alternative,
    automaton: Automaton,
    numbers: PairNumbers,
    /// The node of the graph and the state of the automaton, by number.
    pairs: Vec<(u32, u32)>,
    /// The node from which it was first reached, by number.
    parents: Vec<u32>,
    kinds: FxHashMap<(ClassId, LabelId), u32>,
    kinds_seen: Vec<StepKind>,
    /// The covers that are possible for an automaton state and a class.
    possible: FxHashMap<(u32, ClassId), Vec<u32>>,
    steps: Vec<(u32, LabelId)>,
}

/// The marks of a step of the graph.
struct StepKind {
    /// Whether all `<>[]p` allow it.
    may_last: bool,
    marks: Marks,
}

/// A step of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductStep {
    pub to: u32,
    pub label: LabelId,
    /// Whether nothing happens.
    pub is_stutter: bool,
    kind: u32,
    /// The automaton's state and the number of its cover.
    cover: (u32, u32),
}

enum PairNumbers {
    Dense { n_states: usize, numbers: Vec<u32> },
    Sparse(FxHashMap<(u32, u32), u32>),
}

impl PairNumbers {
    fn bytes_used(&self) -> usize {
        match self {
            PairNumbers::Dense { numbers, .. } => numbers.capacity() * size_of::<u32>(),
            PairNumbers::Sparse(numbers) => numbers.capacity() * size_of::<((u32, u32), u32)>(),
        }
    }

    fn get(&self, (node, state): (u32, u32)) -> u32 {
        match self {
            PairNumbers::Dense { n_states, numbers } => numbers[node as usize * n_states + state as usize],
            PairNumbers::Sparse(numbers) => numbers.get(&(node, state)).copied().unwrap_or(NONE),
        }
    }

    fn set(&mut self, (node, state): (u32, u32), number: u32) {
        match self {
            PairNumbers::Dense { n_states, numbers } => {
                numbers[node as usize * *n_states + state as usize] = number;
            }
            PairNumbers::Sparse(numbers) => {
                numbers.insert((node, state), number);
            }
        }
    }
}

impl<'g, G: Graph> Product<'g, G> {
    /// Explores everything that can be reached.
    pub fn new(graph: &'g G, alternative: &'g Alternative) -> Result<Self, Stop> {
        let automaton = automaton(&alternative.rest)?;
        let n_states = automaton.covers.len();
        let n_pairs = u64::from(graph.n_nodes()) * n_states as u64;
        let numbers = match n_pairs <= DENSE_MAX || n_states == 1 {
            true => PairNumbers::Dense { n_states, numbers: vec![NONE; n_pairs as usize] },
            false => PairNumbers::Sparse(FxHashMap::default()),
        };
        let mut product = Product {
            graph,
            alternative,
            automaton,
            numbers,
            pairs: Vec::new(),
            parents: Vec::new(),
            kinds: FxHashMap::default(),
            kinds_seen: Vec::new(),
            possible: FxHashMap::default(),
            steps: Vec::new(),
        };
        product.explore()?;
        Ok(product)
    }

    fn explore(&mut self) -> Result<(), Stop> {
        let graph = self.graph;
        for &node in graph.initial() {
            self.number((node, 0), NONE)?;
        }
        let mut at = 0;
        let mut found = Vec::new();
        while at < self.pairs.len() {
            if at.is_multiple_of(NODES_BETWEEN_LOOKS) && graph.is_over(self.bytes_used()) {
                return Err(Stop::Over);
            }
            self.targets(at as u32, &mut found);
            for &pair in &found {
                self.number(pair, at as u32)?;
            }
            at += 1;
        }
        Ok(())
    }

    fn number(&mut self, pair: (u32, u32), parent: u32) -> Result<(), Stop> {
        if self.numbers.get(pair) != NONE {
            return Ok(());
        }
        let number = u32::try_from(self.pairs.len()).ok().filter(|&number| number != NONE);
        let number = number.ok_or(Stop::Refused(Refusal::TooLarge))?;
        self.numbers.set(pair, number);
        self.pairs.push(pair);
        self.parents.push(parent);
        Ok(())
    }

    fn targets(&mut self, number: u32, found: &mut Vec<(u32, u32)>) {
        found.clear();
        let (node, state) = self.pairs[number as usize];
        self.load_steps(node);
        let class = self.graph.class(node);
        self.make_possible(state, class);
        for &cover in &self.possible[&(state, class)] {
            let next = self.automaton.covers[state as usize][cover as usize].next;
            found.extend(self.steps.iter().map(|&(to, _)| (to, next)));
        }
    }

    /// Loads the steps of the graph from `node`, the one that changes nothing first.
    fn load_steps(&mut self, node: u32) {
        self.steps.clear();
        self.steps.extend(self.graph.stutter(node).map(|label| (node, label)));
        self.graph.steps(node, &mut self.steps);
    }

    fn make_possible(&mut self, state: u32, class: ClassId) {
        let (graph, automaton) = (self.graph, &self.automaton);
        self.possible.entry((state, class)).or_insert_with(|| {
            let holds = |atom| graph.class_has(class, atom);
            let covers = automaton.covers[state as usize].iter().zip(0..);
            let possible =
                covers.filter(|(cover, _)| cover.now.iter().all(|now| now.holds(&holds, &|_| false)));
            possible.map(|(_, index)| index).collect()
        });
    }

    /// Returns the memory of its nodes, approximately.
    pub fn bytes_used(&self) -> usize {
        let nodes =
            self.pairs.capacity() * size_of::<(u32, u32)>() + self.parents.capacity() * size_of::<u32>();
        nodes + self.numbers.bytes_used()
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the node of the graph.
    pub fn node(&self, number: u32) -> u32 {
        self.pairs[number as usize].0
    }

    pub fn parent(&self, number: u32) -> Option<u32> {
        Some(self.parents[number as usize]).filter(|&parent| parent != NONE)
    }

    /// Collects the steps that a behaviour may take again and again.
    pub fn lasting_steps(&mut self, number: u32, found: &mut Vec<ProductStep>) {
        found.clear();
        let (node, state) = self.pairs[number as usize];
        self.load_steps(node);
        let class = self.graph.class(node);
        self.make_possible(state, class);
        let there = self.graph.class_there(node);
        let steps = std::mem::take(&mut self.steps);
        let n_stutters = usize::from(self.graph.stutter(node).is_some());
        for (index, &(to, label)) in steps.iter().enumerate() {
            let kind = self.kind(there, label);
            if !self.kinds_seen[kind as usize].may_last {
                continue;
            }
            for &cover in &self.possible[&(state, class)] {
                let next = self.automaton.covers[state as usize][cover as usize].next;
                let to = self.numbers.get((to, next));
                debug_assert_ne!(to, NONE, "all that can be reached has a number");
                let is_stutter = index < n_stutters;
                found.push(ProductStep { to, label, is_stutter, kind, cover: (state, cover) });
            }
        }
        self.steps = steps;
    }

    fn kind(&mut self, class: ClassId, label: LabelId) -> u32 {
        if let Some(&kind) = self.kinds.get(&(class, label)) {
            return kind;
        }
        let graph = self.graph;
        let state = |atom| graph.class_has(class, atom);
        let action = |atom| graph.label_has(label, atom);
        let Alternative { finally, again, pairs, .. } = self.alternative;
        let mut marks = Marks::default();
        for (index, formula) in again.iter().enumerate() {
            if formula.holds(&state, &action) {
                marks.insert(index);
            }
        }
        for (index, (lasting, repeated)) in pairs.iter().enumerate() {
            if repeated.holds(&state, &action) {
                marks.insert(self.good_mark(index));
            }
            if !lasting.holds(&state, &action) {
                marks.insert(self.bad_mark(index));
            }
        }
        let may_last = finally.iter().all(|formula| formula.holds(&state, &action));
        let kind = self.kinds_seen.len() as u32;
        self.kinds_seen.push(StepKind { may_last, marks });
        self.kinds.insert((class, label), kind);
        kind
    }

    pub fn n_pairs(&self) -> usize {
        self.alternative.pairs.len()
    }

    /// Returns the mark of a step that is `q` of `<>[]p \/ []<>q`.
    pub fn good_mark(&self, pair: usize) -> usize {
        self.alternative.again.len() + pair
    }

    /// Returns the mark of a step that is not `p`.
    pub fn bad_mark(&self, pair: usize) -> usize {
        self.alternative.again.len() + self.n_pairs() + pair
    }

    /// Returns the marks of a step by itself, whatever the automaton does.
    pub fn own_marks(&self, step: ProductStep) -> &Marks {
        &self.kinds_seen[step.kind as usize].marks
    }

    /// Adds the marks of a step.
    pub fn add_marks(&self, step: ProductStep, marks: &mut Marks) {
        marks.add(self.own_marks(step));
        let (state, cover) = step.cover;
        let put_off = &self.automaton.covers[state as usize][cover as usize].put_off;
        for promise in 0..self.automaton.n_promises {
            if put_off.binary_search(&(promise as u32)).is_err() {
                marks.insert(self.promise(promise));
            }
        }
    }

    fn promise(&self, promise: usize) -> usize {
        self.alternative.again.len() + 2 * self.n_pairs() + promise
    }

    /// Returns the marks that must occur again and again in any case, without the promises.
    pub fn own_needs(&self) -> Marks {
        let mut needs = Marks::default();
        (0..self.alternative.again.len()).for_each(|index| needs.insert(index));
        needs
    }

    /// Returns the marks that must occur again and again, with the promises.
    pub fn needs(&self) -> Marks {
        let mut needs = self.own_needs();
        (0..self.automaton.n_promises).for_each(|promise| needs.insert(self.promise(promise)));
        needs
    }
}
