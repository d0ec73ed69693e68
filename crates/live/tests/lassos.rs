//! Tests random small graphs and formulas: every result is a counterexample by the meaning of the formulas, and where
//! there is none no short behaviour is one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use live::{ClassId, Formula, Graph, LabelId, Lasso, Plan, Stop, search};

const N_ATOMS: u32 = 2;
/// Limit on the nodes of behaviours that are tried one by one.
const LEN_MAX: usize = 6;

/// A small graph. Classes and labels are sets of atoms, as bits.
#[derive(Debug)]
struct Small {
    classes: Vec<u32>,
    stutter: Vec<u32>,
    steps: Vec<Vec<(u32, u32)>>,
    bytes_max: usize,
}

impl Graph for Small {
    fn n_nodes(&self) -> u32 {
        self.classes.len() as u32
    }
    fn initial(&self) -> &[u32] {
        &[0]
    }
    fn class(&self, node: u32) -> ClassId {
        ClassId(self.classes[node as usize])
    }
    fn stutter(&self, node: u32) -> Option<LabelId> {
        Some(LabelId(self.stutter[node as usize]))
    }
    fn steps(&self, node: u32, steps: &mut Vec<(u32, LabelId)>) {
        steps.extend(self.steps[node as usize].iter().map(|&(to, label)| (to, LabelId(label))));
    }
    fn class_has(&self, class: ClassId, atom: u32) -> bool {
        class.0 >> atom & 1 == 1
    }
    fn label_has(&self, label: LabelId, atom: u32) -> bool {
        label.0 >> atom & 1 == 1
    }
    fn is_over(&self, n_bytes: usize) -> bool {
        n_bytes > self.bytes_max
    }
}

/// An infinite behaviour with the labels of its steps, by position.
struct Behaviour {
    nodes: Vec<u32>,
    labels: Vec<u32>,
    back_to: usize,
}

impl Behaviour {
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.nodes.len() { at + 1 } else { self.back_to }
    }

    /// Returns the positions that come after `at`, and `at`.
    fn from(&self, at: usize) -> Vec<usize> {
        (at.min(self.back_to)..self.nodes.len())
            .filter(|&later| later >= at || later >= self.back_to)
            .collect()
    }

    fn satisfies(&self, graph: &Small, formula: &Formula, at: usize) -> bool {
        match formula {
            Formula::Bool(value) => *value,
            Formula::State(atom) => graph.classes[self.nodes[at] as usize] >> atom & 1 == 1,
            Formula::Action(atom) => self.labels[at] >> atom & 1 == 1,
            Formula::Not(inner) => !self.satisfies(graph, inner, at),
            Formula::And(items) => items.iter().all(|item| self.satisfies(graph, item, at)),
            Formula::Or(items) => items.iter().any(|item| self.satisfies(graph, item, at)),
            Formula::Always(inner) => self.from(at).into_iter().all(|at| self.satisfies(graph, inner, at)),
            Formula::Eventually(inner) => {
                self.from(at).into_iter().any(|at| self.satisfies(graph, inner, at))
            }
        }
    }

    fn is_counterexample(&self, graph: &Small, fairness: &[Formula], property: &Formula) -> bool {
        fairness.iter().all(|fair| self.satisfies(graph, fair, 0)) && !self.satisfies(graph, property, 0)
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % n
    }

    fn graph(&mut self) -> Small {
        let n_nodes = 1 + self.below(4);
        let n_sets = 1 << N_ATOMS;
        let classes = (0..n_nodes).map(|_| self.below(n_sets)).collect();
        // Usually false on a step that changes nothing, like `<<A>>_v`.
        let stutter = (0..n_nodes).map(|_| if self.below(6) == 0 { self.below(n_sets) } else { 0 }).collect();
        let steps = (0..n_nodes).map(|node| {
            let targets: Vec<u32> = (0..n_nodes).filter(|&to| to != node && self.below(2) == 0).collect();
            targets.into_iter().map(|to| (to, self.below(n_sets))).collect()
        });
        let steps = steps.collect();
        Small { classes, stutter, steps, bytes_max: usize::MAX }
    }

    fn literal(&mut self) -> Formula {
        let atom = Formula::State(self.below(N_ATOMS));
        if self.below(2) == 0 { atom } else { Formula::not(atom) }
    }

    /// Makes a formula without actions.
    fn formula(&mut self, depth: u32) -> Formula {
        if depth == 0 {
            return self.literal();
        }
        match self.below(6) {
            0 => Formula::And(vec![self.formula(depth - 1), self.formula(depth - 1)]),
            1 => Formula::Or(vec![self.formula(depth - 1), self.formula(depth - 1)]),
            2 => Formula::always(self.formula(depth - 1)),
            3 => Formula::eventually(self.formula(depth - 1)),
            4 => Formula::not(self.formula(depth - 1)),
            _ => self.literal(),
        }
    }

    fn fairness(&mut self) -> Formula {
        let (enabled, step) = (self.literal(), Formula::Action(self.below(N_ATOMS)));
        match self.below(4) {
            0 => Formula::weakly_fair(enabled, step),
            1 | 2 => Formula::strongly_fair(enabled, step),
            _ => Formula::always(Formula::eventually(Formula::Or(vec![enabled, step]))),
        }
    }

    fn property(&mut self) -> Formula {
        match self.below(5) {
            0 => self.fairness(),
            1 => {
                let both = Formula::Or(vec![self.literal(), Formula::Action(self.below(N_ATOMS))]);
                Formula::eventually(Formula::always(both))
            }
            _ => self.formula(4),
        }
    }
}

/// Returns the behaviour that a lasso stands for, or `None` if a step of it is not a step of the graph.
fn behaviour(graph: &Small, lasso: &Lasso) -> Option<Behaviour> {
    let back_to = lasso.back_to.unwrap_or(lasso.nodes.len() - 1);
    let mut behaviour = Behaviour { nodes: lasso.nodes.clone(), labels: Vec::new(), back_to };
    for at in 0..lasso.nodes.len() {
        let (from, to) = (lasso.nodes[at], lasso.nodes[behaviour.next(at)]);
        let steps = &graph.steps[from as usize];
        let label = match from == to {
            true => graph.stutter[from as usize],
            false => steps.iter().find(|step| step.0 == to)?.1,
        };
        behaviour.labels.push(label);
    }
    Some(behaviour)
}

/// Whether a behaviour of at most `LEN_MAX` nodes is a counterexample.
fn has_short(graph: &Small, fairness: &[Formula], property: &Formula) -> bool {
    let mut walks = vec![vec![0]];
    while let Some(nodes) = walks.pop() {
        for back_to in 0..nodes.len() {
            let lasso = Lasso { nodes: nodes.clone(), labels: Vec::new(), back_to: Some(back_to) };
            let found = behaviour(graph, &lasso);
            if found.is_some_and(|found| found.is_counterexample(graph, fairness, property)) {
                return true;
            }
        }
        if nodes.len() < LEN_MAX {
            let last = *nodes.last().unwrap();
            let targets = graph.steps[last as usize].iter().map(|step| step.0).chain([last]);
            walks.extend(targets.map(|to| [nodes.as_slice(), &[to]].concat()));
        }
    }
    false
}

#[test]
fn what_is_found_is_a_counterexample_and_what_is_not_is_none() {
    let (mut n_found, mut n_none) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random(seed * 7919 + 1);
        let graph = random.graph();
        let fairness: Vec<Formula> = (0..random.below(4)).map(|_| random.fairness()).collect();
        let property = random.property();
        let plan = Plan::new(&fairness, &property).unwrap();
        let what = || format!("seed {seed}: {graph:?}\nfairness {fairness:?}\nproperty {property:?}");
        match search(&graph, &plan).unwrap() {
            Some(lasso) => {
                n_found += 1;
                let found = behaviour(&graph, &lasso);
                let is_one = found.is_some_and(|found| found.is_counterexample(&graph, &fairness, &property));
                assert!(is_one, "{lasso:?} is no counterexample\n{}", what());
            }
            None => {
                n_none += 1;
                assert!(!has_short(&graph, &fairness, &property), "there is one\n{}", what());
            }
        }
    }
    assert!(n_found > 500 && n_none > 500, "{n_found} found, {n_none} not");
}

#[test]
fn a_search_that_would_hold_too_much_ends() {
    let n_nodes = 20_000;
    let ring = |bytes_max| Small {
        classes: vec![0; n_nodes],
        stutter: vec![0; n_nodes],
        steps: (1..=n_nodes).map(|next| vec![((next % n_nodes) as u32, 0)]).collect(),
        bytes_max,
    };
    let atom = Formula::Eventually(Box::new(Formula::State(0)));
    let plan = Plan::new(&[], &Formula::Always(Box::new(atom))).unwrap();
    assert!(search(&ring(usize::MAX), &plan).unwrap().is_some());
    // There is room for the nodes of the product, and not for the memory that the search of components needs.
    for bytes_max in [0, 20 * n_nodes] {
        assert_eq!(search(&ring(bytes_max), &plan).unwrap_err(), Stop::Over);
    }
}
