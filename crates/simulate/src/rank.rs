//! Ranks bounds by how much they are worth exploring: SandTable's Algorithm 1.
//!
//! Each bound gets the same number of walks and steps. The results are sorted: by default branch coverage, the greatest
//! first, then the diversity of events, the greatest first, then depth, the least first.

use std::cmp::Ordering;

use crate::answer::Answer;
use crate::estimate::Estimate;

/// The result of the walks of one bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Number of branches of the next-state relation that were taken, and, below, of all branches.
    pub n_taken: usize,
    pub n_branches: usize,
    /// Average number of different actions of a walk.
    pub diversity: f64,
    /// Average number of steps of a walk.
    pub depth: f64,
    pub states: Option<Estimate>,
}

impl Measure {
    pub fn of(answer: &Answer) -> Measure {
        let statistics = &answer.statistics;
        Measure {
            n_taken: answer.coverage.as_ref().map_or(0, model::Coverage::n_taken),
            n_branches: answer.coverage.as_ref().map_or(0, |coverage| coverage.branches.len()),
            diversity: statistics.diversity,
            depth: statistics.n_steps as f64 / statistics.n_walks.max(1) as f64,
            states: statistics.estimate,
        }
    }

    /// Returns the share of branches that were taken.
    pub fn coverage(&self) -> f64 {
        self.n_taken as f64 / self.n_branches.max(1) as f64
    }

    fn value(&self, criterion: Criterion) -> f64 {
        match criterion {
            Criterion::Coverage => self.coverage(),
            Criterion::Diversity => self.diversity,
            Criterion::Depth => self.depth,
            Criterion::States => self.states.map_or(0.0, Estimate::number),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    Coverage,
    Diversity,
    Depth,
    States,
}

/// A criterion, and whether the greatest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub criterion: Criterion,
    pub is_descending: bool,
}

impl Order {
    /// The order in the paper: coverage down, diversity down, depth up.
    pub const DEFAULT: [Order; 3] =
        [Order::of(Criterion::Coverage), Order::of(Criterion::Diversity), Order::of(Criterion::Depth)];

    /// Returns the default direction of a criterion: high coverage and diversity come first, and small depth and few
    /// states.
    pub const fn of(criterion: Criterion) -> Order {
        let is_descending = match criterion {
            Criterion::Coverage | Criterion::Diversity => true,
            Criterion::Depth | Criterion::States => false,
        };
        Order { criterion, is_descending }
    }
}

/// Returns the indices of the measures, the best first; equal ones stay in the given order.
pub fn rank(measures: &[Measure], orders: &[Order]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..measures.len()).collect();
    indices.sort_by(|&one, &other| compare(&measures[one], &measures[other], orders));
    indices
}

fn compare(one: &Measure, other: &Measure, orders: &[Order]) -> Ordering {
    for order in orders {
        let (a, b) = (one.value(order.criterion), other.value(order.criterion));
        let ordering = if order.is_descending { b.total_cmp(&a) } else { a.total_cmp(&b) };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::{Criterion, Measure, Order, rank};

    fn measure(n_taken: usize, diversity: f64, depth: f64) -> Measure {
        Measure { n_taken, n_branches: 10, diversity, depth, states: None }
    }

    #[test]
    fn coverage_counts_first_then_diversity_then_what_is_shallow() {
        let measures =
            [measure(8, 9.0, 3.0), measure(9, 2.0, 9.0), measure(9, 3.0, 9.0), measure(9, 3.0, 5.0)];
        assert_eq!(rank(&measures, &Order::DEFAULT), [3, 2, 1, 0]);
    }

    #[test]
    fn another_order_can_be_asked_for() {
        let measures = [measure(8, 9.0, 3.0), measure(9, 2.0, 9.0)];
        assert_eq!(rank(&measures, &[Order::of(Criterion::Depth)]), [0, 1]);
        let deepest = Order { is_descending: true, ..Order::of(Criterion::Depth) };
        assert_eq!(rank(&measures, &[deepest]), [1, 0]);
    }

    #[test]
    fn equal_ones_stay_in_order() {
        let measures = [measure(1, 1.0, 1.0), measure(1, 1.0, 1.0)];
        assert_eq!(rank(&measures, &Order::DEFAULT), [0, 1]);
    }
}
