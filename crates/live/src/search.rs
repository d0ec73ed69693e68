//! Searches a graph by a plan for a behaviour that violates the property.

use crate::components::{Component, Components};
use crate::cycle::cycle;
use crate::graph::{Graph, LabelId};
use crate::marks::Marks;
use crate::plan::{Plan, Refusal};
use crate::product::{Product, ProductStep};

/// An infinite behaviour: some states, then a part of them again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The nodes, from an initial one on. Where nodes stand for several states, one may follow itself by a step that
    /// changes something.
    pub nodes: Vec<u32>,
    /// The label of the step taken at each node of the cycle; none where nothing happens any more.
    pub labels: Vec<LabelId>,
    /// The index of the node that comes after the last; `None` if the last node lasts forever.
    pub back_to: Option<usize>,
}

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Refused(Refusal),
    /// [`Graph::is_over`] returned true.
    Over,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

/// Returns a behaviour of `graph` that `plan` describes: of those that go the first possible way of the plan, one that
/// comes soonest to where it can stay.
pub fn search<G: Graph>(graph: &G, plan: &Plan) -> Result<Option<Lasso>, Stop> {
    for alternative in &plan.alternatives {
        let mut product = Product::new(graph, alternative)?;
        let mut components = Components::new(&mut product);
        if let Some(component) = components.nearest_counterexample()? {
            let steps = cycle(&mut components, &component);
            let lasso = lasso(&product, &component, &steps);
            let is_closed = lasso.back_to.is_none_or(|back_to| back_to < lasso.nodes.len());
            assert!(is_closed && !lasso.nodes.is_empty(), "a lasso leads back to one of its nodes");
            return Ok(Some(lasso));
        }
    }
    Ok(None)
}

fn lasso<G: Graph>(product: &Product<'_, G>, component: &Component, steps: &[ProductStep]) -> Lasso {
    let mut nodes = vec![product.node(component.first)];
    let mut at = component.first;
    while let Some(parent) = product.parent(at) {
        nodes.push(product.node(parent));
        at = parent;
    }
    nodes.reverse();
    nodes.dedup();
    let steps = remove_stuttering(product, component, steps);
    let Some((_, inner)) = steps.split_last() else {
        return Lasso { nodes, labels: Vec::new(), back_to: None };
    };
    let back_to = Some(nodes.len() - 1);
    nodes.extend(inner.iter().map(|step| product.node(step.to)));
    Lasso { nodes, labels: steps.iter().map(|step| step.label).collect(), back_to }
}

/// Removes the steps of a cycle that change nothing, unless one of them must happen again and again: then all remain.
/// Nothing is left of a cycle in which nothing happens.
fn remove_stuttering<G: Graph>(
    product: &Product<'_, G>,
    component: &Component,
    steps: &[ProductStep],
) -> Vec<ProductStep> {
    let left: Vec<ProductStep> = steps.iter().copied().filter(|step| !step.is_stutter).collect();
    let mut marks = Marks::default();
    left.iter().for_each(|&step| marks.add(product.own_marks(step)));
    let is_enough = left.is_empty() || marks.contains(&component.own_needs);
    if is_enough { left } else { steps.to_vec() }
}
