//! Finds a cycle through a component that does everything that must be done again and again.

use base::FxHashMap;
use std::collections::VecDeque;

use crate::components::{Component, Components};
use crate::graph::Graph;
use crate::marks::Marks;
use crate::product::ProductStep;

/// A path through a component.
type StepPath = Vec<ProductStep>;

/// The goal of a search for a path.
enum Goal<'m> {
    /// A step that counts for one of these.
    Any(&'m Marks),
    /// A step to this node.
    Node(u32),
}

/// Returns the steps of a cycle from the first node of `component` back to it.
pub(crate) fn cycle<G: Graph>(components: &mut Components<'_, '_, G>, component: &Component) -> StepPath {
    let mut open = component.needs.clone();
    let mut path = StepPath::new();
    let mut at = component.first;
    while !open.is_empty() {
        let more = shortest_path(components, component, at, &Goal::Any(&open));
        let mut done = Marks::default();
        more.iter().for_each(|&step| components.product.add_marks(step, &mut done));
        open.remove(&done);
        at = more.last().map_or(at, |step| step.to);
        path.extend(more);
    }
    if at != component.first || path.is_empty() {
        path.extend(shortest_path(components, component, at, &Goal::Node(component.first)));
    }
    path
}

/// Returns a shortest path with at least one step, breadth-first.
fn shortest_path<G: Graph>(
    components: &mut Components<'_, '_, G>,
    component: &Component,
    from: u32,
    goal: &Goal<'_>,
) -> StepPath {
    let mut reached: FxHashMap<u32, (u32, ProductStep)> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    let mut steps = Vec::new();
    while let Some(node) = queue.pop_front() {
        steps.clear();
        steps.extend_from_slice(components.steps_inside(component, node));
        for &step in &steps {
            let is_it = match goal {
                Goal::Node(wanted) => step.to == *wanted,
                Goal::Any(wanted) => {
                    let mut marks = Marks::default();
                    components.product.add_marks(step, &mut marks);
                    marks.meets(wanted)
                }
            };
            if is_it {
                return path_back(&reached, from, node, step);
            }
            if step.to != from && !reached.contains_key(&step.to) {
                reached.insert(step.to, (node, step));
                queue.push_back(step.to);
            }
        }
    }
    unreachable!("a component is strongly connected, and has a step for each of its marks")
}

fn path_back(
    reached: &FxHashMap<u32, (u32, ProductStep)>,
    from: u32,
    mut node: u32,
    last: ProductStep,
) -> StepPath {
    let mut path = vec![last];
    while node != from {
        let (before, step) = reached[&node];
        path.push(step);
        node = before;
    }
    path.reverse();
    path
}
