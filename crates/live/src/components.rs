//! Finds strongly connected components in which a behaviour can stay and do everything that it must.
//!
//! Components are found by Tarjan's algorithm, without recursion. For `<>[]p \/ []<>q` a component without a step `q`
//! is searched again without the steps that are not `p` (Emerson and Lei 1987), so that pairs never multiply.

use crate::graph::Graph;
use crate::marks::Marks;
use crate::product::{Product, ProductStep};
use crate::search::Stop;

const NODES_BETWEEN_LOOKS: u32 = 1 << 12;
const NONE: u32 = u32::MAX;

/// A component that is a counterexample.
pub(crate) struct Component {
    /// The node that is reached first.
    pub first: u32,
    /// The pairs whose steps that are not `p` are left out.
    pub without: Vec<usize>,
    /// The marks that a cycle must have, including promises of the automaton.
    pub needs: Marks,
    /// The marks that a cycle must have, without promises.
    pub own_needs: Marks,
    /// The region of its nodes.
    region: u32,
}

/// A part to search: nodes of one region, fewer steps than all.
struct SearchTask {
    nodes: Vec<u32>,
    region: u32,
    without: Vec<usize>,
}

pub(crate) struct Components<'p, 'g, G> {
    pub product: &'p mut Product<'g, G>,
    /// The current region of each node.
    regions: Vec<u32>,
    n_regions: u32,
    /// The order in which each node was visited, and the least that it leads back to.
    visited: Vec<u32>,
    lowest: Vec<u32>,
    steps: Vec<ProductStep>,
}

/// Components, each a slice of `nodes` up to its end.
#[derive(Default)]
struct FoundComponents {
    nodes: Vec<u32>,
    ends: Vec<usize>,
}

/// A node whose steps are being followed: the rest of them is on the stack of targets from `start` on.
struct VisitFrame {
    node: u32,
    start: usize,
}

impl<'p, 'g, G: Graph> Components<'p, 'g, G> {
    pub fn new(product: &'p mut Product<'g, G>) -> Self {
        let n_nodes = product.len();
        Components {
            product,
            regions: vec![0; n_nodes],
            n_regions: 1,
            visited: vec![NONE; n_nodes],
            lowest: vec![NONE; n_nodes],
            steps: Vec::new(),
        }
    }

    /// Returns the counterexample that is reached first, if there is one.
    pub fn nearest_counterexample(&mut self) -> Result<Option<Component>, Stop> {
        let all = (0..self.product.len() as u32).collect();
        let mut tasks = vec![SearchTask { nodes: all, region: 0, without: Vec::new() }];
        let mut best: Option<Component> = None;
        while let Some(task) = tasks.pop() {
            let found = self.find(&task)?;
            let first_region = self.give_regions(&found);
            let mut start = 0;
            for (&end, region) in found.ends.iter().zip(first_region..) {
                let nodes = &found.nodes[start..end];
                start = end;
                let first = nodes.iter().copied().min().unwrap_or(NONE);
                if best.as_ref().is_some_and(|best| best.first <= first) {
                    continue;
                }
                match self.judge(nodes, region, &task.without) {
                    Judgement::Unfair => {}
                    Judgement::Accepted(component) => best = Some(*component),
                    Judgement::Again(without) => {
                        tasks.push(SearchTask { nodes: nodes.to_vec(), region, without })
                    }
                }
            }
        }
        Ok(best)
    }

    fn give_regions(&mut self, found: &FoundComponents) -> u32 {
        let first = self.n_regions;
        let mut start = 0;
        for &end in &found.ends {
            for &node in &found.nodes[start..end] {
                self.regions[node as usize] = self.n_regions;
            }
            self.n_regions += 1;
            start = end;
        }
        first
    }

    fn judge(&mut self, nodes: &[u32], region: u32, without: &[usize]) -> Judgement {
        let mut all = Marks::default();
        let mut has_steps = false;
        for &node in nodes {
            self.load_inner(node, region, without);
            for &step in &self.steps {
                has_steps = true;
                self.product.add_marks(step, &mut all);
            }
        }
        let mut needs = self.product.needs();
        if !has_steps || !all.contains(&needs) {
            return Judgement::Unfair;
        }
        let mut own_needs = self.product.own_needs();
        let mut more = without.to_vec();
        for pair in (0..self.product.n_pairs()).filter(|pair| !without.contains(pair)) {
            if !all.has(self.product.bad_mark(pair)) {
                continue;
            }
            if all.has(self.product.good_mark(pair)) {
                needs.insert(self.product.good_mark(pair));
                own_needs.insert(self.product.good_mark(pair));
            } else {
                more.push(pair);
            }
        }
        if more.len() > without.len() {
            return Judgement::Again(more);
        }
        let first = nodes.iter().copied().min().unwrap_or(NONE);
        Judgement::Accepted(Box::new(Component { first, without: more, needs, own_needs, region }))
    }

    /// Loads the steps from `node` that stay in its region and are not left out.
    fn load_inner(&mut self, node: u32, region: u32, without: &[usize]) {
        let mut steps = std::mem::take(&mut self.steps);
        self.product.lasting_steps(node, &mut steps);
        let is_left_out = |step: &ProductStep| {
            let marks = self.product.own_marks(*step);
            without.iter().any(|&pair| marks.has(self.product.bad_mark(pair)))
        };
        steps.retain(|step| self.regions[step.to as usize] == region && !is_left_out(step));
        self.steps = steps;
    }

    /// Returns the steps inside a component.
    pub fn steps_inside(&mut self, component: &Component, node: u32) -> &[ProductStep] {
        self.load_inner(node, component.region, &component.without);
        &self.steps
    }

    fn find(&mut self, task: &SearchTask) -> Result<FoundComponents, Stop> {
        for &node in &task.nodes {
            self.visited[node as usize] = NONE;
        }
        let mut found = FoundComponents::default();
        let mut count = 0;
        for &root in &task.nodes {
            if self.visited[root as usize] == NONE {
                self.find_from(root, task, &mut count, &mut found)?;
            }
        }
        Ok(found)
    }

    fn find_from(
        &mut self,
        root: u32,
        task: &SearchTask,
        count: &mut u32,
        found: &mut FoundComponents,
    ) -> Result<(), Stop> {
        let (mut frames, mut targets, mut stack): (Vec<VisitFrame>, Vec<u32>, Vec<u32>) = Default::default();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                if count.is_multiple_of(NODES_BETWEEN_LOOKS) {
                    let n_words =
                        targets.capacity() + stack.capacity() + task.nodes.len() + found.nodes.capacity();
                    self.look(n_words * size_of::<u32>() + frames.capacity() * size_of::<VisitFrame>())?;
                }
                (self.visited[node as usize], self.lowest[node as usize]) = (*count, *count);
                *count += 1;
                stack.push(node);
                frames.push(VisitFrame { node, start: targets.len() });
                self.load_inner(node, task.region, &task.without);
                targets.extend(self.steps.iter().map(|step| step.to));
            }
            let Some(frame) = frames.last() else { return Ok(()) };
            let node = frame.node as usize;
            if targets.len() > frame.start {
                let to = targets.pop().expect("the frame has targets left");
                match self.visited[to as usize] {
                    NONE => enter = Some(to),
                    // A node of a finished component leads nowhere new.
                    _ if self.lowest[to as usize] == NONE => {}
                    order => self.lowest[node] = self.lowest[node].min(order),
                }
                continue;
            }
            frames.pop();
            if self.lowest[node] == self.visited[node] {
                self.close(node as u32, &mut stack, found);
            } else if let Some(above) = frames.last() {
                let above = above.node as usize;
                self.lowest[above] = self.lowest[above].min(self.lowest[node]);
            }
        }
    }

    /// Checks whether to continue, while `n_bytes` are held besides the memory for each node.
    fn look(&self, n_bytes: usize) -> Result<(), Stop> {
        let of_nodes = 3 * self.regions.len() * size_of::<u32>();
        match self.product.graph.is_over(self.product.bytes_used() + of_nodes + n_bytes) {
            true => Err(Stop::Over),
            false => Ok(()),
        }
    }

    /// Takes the component of `root` off the stack.
    fn close(&mut self, root: u32, stack: &mut Vec<u32>, found: &mut FoundComponents) {
        while let Some(node) = stack.pop() {
            self.lowest[node as usize] = NONE;
            found.nodes.push(node);
            if node == root {
                break;
            }
        }
        found.ends.push(found.nodes.len());
    }
}

/// The judgement of a component.
enum Judgement {
    /// Something that must happen cannot happen.
    Unfair,
    Accepted(Box<Component>),
    /// It must be searched again without the steps of these pairs that are not `p`.
    Again(Vec<usize>),
}
