//! The shape of the tree by which the values of a state are folded into pairs.
//!
//! A node is shared by all states that agree on everything below it, so the tree decides how many nodes there are
//! besides the roots. Values that change together, and seldom, belong together, far from the root; values that change
//! with every step belong near it. Nothing visible depends on the tree.

use base::FxHashSet;

/// Limit on the work for a plan: comparisons of one value of one state with another.
const N_LOOKS_MAX: usize = 1 << 18;

/// A binary tree over the variables. Nodes are numbered: first the variables, then the nodes above them, children
/// before parents. The root has no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The children of the nodes that are neither variables nor the root.
    pub(crate) inner: Box<[(usize, usize)]>,
    /// The children of the root; `None` where there are not so many.
    pub(crate) root: (Option<usize>, Option<usize>),
    /// The nodes above each variable: a bit for each inner node, and [`Plan::ROOT`]. `None` when there are too many
    /// nodes for that.
    pub(crate) above: Option<Box<[u64]>>,
}

impl Plan {
    /// The bit of the root in `above`.
    pub(crate) const ROOT: u64 = 1 << 63;

    /// Makes a plan for states about which nothing is known.
    pub(crate) fn balanced(n_variables: usize) -> Plan {
        let mut joins = Vec::new();
        let mut nodes: Vec<usize> = (0..n_variables).collect();
        while nodes.len() > 1 {
            let mut above = Vec::with_capacity(nodes.len().div_ceil(2));
            for pair in nodes.chunks(2) {
                match *pair {
                    [left, right] => {
                        joins.push((left, right));
                        above.push(n_variables + joins.len() - 1);
                    }
                    _ => above.extend(pair),
                }
            }
            nodes = above;
        }
        Plan::of(n_variables, joins)
    }

    /// Makes a plan for states such as these, given variable by variable.
    pub(crate) fn of_sample(columns: &[Vec<u32>]) -> Plan {
        let n_variables = columns.len();
        let mut tops: Vec<Top> = columns.iter().enumerate().map(Top::variable).collect();
        let mut joins = Vec::new();
        let mut counts: Vec<Vec<usize>> = Vec::new();
        for (index, top) in tops.iter().enumerate() {
            // The other half of the matrix is known.
            let known = counts.iter().map(|row| row[index]);
            let counted = tops[index..].iter().map(|other| n_pairs(top, other));
            let row = known.chain(counted).collect();
            counts.push(row);
        }
        while tops.len() > 1 {
            let (left, right) = find_fewest(&counts);
            joins.push((tops[left].node, tops[right].node));
            let joined = Top::join(&tops[left], &tops[right], n_variables + joins.len() - 1);
            // `right` is the later one, so removing it moves nothing before it.
            tops.remove(right);
            counts.remove(right);
            for row in &mut counts {
                row.remove(right);
            }
            tops[left] = joined;
            let row: Vec<usize> = tops.iter().map(|other| n_pairs(&tops[left], other)).collect();
            row.iter().zip(&mut counts).for_each(|(&count, other)| other[left] = count);
            counts[left] = row;
        }
        Plan::of(n_variables, joins)
    }

    /// Returns the number of states in a sample for `n_variables`.
    pub(crate) fn sample_len(n_variables: usize) -> usize {
        (N_LOOKS_MAX / (n_variables * n_variables).max(1)).clamp(64, 2048)
    }

    fn of(n_variables: usize, mut joins: Vec<(usize, usize)>) -> Plan {
        let root = match joins.pop() {
            Some((left, right)) => (Some(left), Some(right)),
            None => ((n_variables > 0).then_some(0), None),
        };
        let above = (joins.len() < 64).then(|| above(n_variables, &joins));
        Plan { inner: joins.into(), root, above }
    }
}

fn above(n_variables: usize, joins: &[(usize, usize)]) -> Box<[u64]> {
    let mut above = vec![Plan::ROOT; n_variables + joins.len()];
    // Parents come last, and know everything above them.
    for (index, &(left, right)) in joins.iter().enumerate().rev() {
        let bits = above[n_variables + index] | 1 << index;
        above[left] = bits;
        above[right] = bits;
    }
    above.truncate(n_variables);
    above.into()
}

/// The root of a part of the unfinished tree, with its number in each state of the sample.
struct Top {
    node: usize,
    column: Vec<u32>,
}

impl Top {
    fn variable((node, column): (usize, &Vec<u32>)) -> Top {
        Top { node, column: column.clone() }
    }

    fn join(left: &Top, right: &Top, node: usize) -> Top {
        let mut numbers = base::FxHashMap::default();
        let column = left.column.iter().zip(&right.column).map(|pair| {
            let next = numbers.len() as u32;
            *numbers.entry(pair).or_insert(next)
        });
        Top { node, column: column.collect() }
    }
}

/// Returns the number of pairs that two parts make. A part cannot be joined with itself.
fn n_pairs(left: &Top, right: &Top) -> usize {
    if left.node == right.node {
        return usize::MAX;
    }
    left.column.iter().zip(&right.column).collect::<FxHashSet<_>>().len()
}

/// Returns the two parts that make the fewest pairs, the first of several.
fn find_fewest(counts: &[Vec<usize>]) -> (usize, usize) {
    let pairs = (0..counts.len()).flat_map(|left| (left + 1..counts.len()).map(move |right| (left, right)));
    pairs.min_by_key(|&(left, right)| counts[left][right]).expect("there are two to be joined")
}

#[cfg(test)]
mod tests {
    use super::Plan;

    #[test]
    fn small_plans_have_no_inner_nodes() {
        assert_eq!(Plan::balanced(0).root, (None, None));
        assert_eq!(Plan::balanced(1).root, (Some(0), None));
        assert_eq!(Plan::balanced(2).root, (Some(0), Some(1)));
        assert!(Plan::balanced(2).inner.is_empty() && Plan::of_sample(&[vec![1, 2]]).inner.is_empty());
    }

    #[test]
    fn every_node_but_the_root_has_one_parent() {
        for n_variables in 2..20 {
            let columns: Vec<Vec<u32>> = (0..n_variables as u32).map(|n| vec![n % 3, n % 2, 1]).collect();
            for plan in [Plan::balanced(n_variables), Plan::of_sample(&columns)] {
                let root = plan.root.0.into_iter().chain(plan.root.1);
                let mut children: Vec<usize> =
                    plan.inner.iter().flat_map(|&(left, right)| [left, right]).chain(root).collect();
                children.sort_unstable();
                assert!(children.into_iter().eq(0..2 * n_variables - 2));
                let comes_before =
                    |(index, &(left, right)): (usize, &(usize, usize))| left.max(right) < n_variables + index;
                assert!(plan.inner.iter().enumerate().all(comes_before));
                let above = plan.above.expect("few nodes");
                let is_above = |node: usize, child: usize| {
                    child == node || child < n_variables && above[child] >> (node - n_variables) & 1 != 0
                };
                for (index, &(left, right)) in plan.inner.iter().enumerate() {
                    let node = n_variables + index;
                    assert!([left, right].iter().all(|&child| child >= n_variables || is_above(node, child)));
                }
            }
        }
    }

    #[test]
    fn what_changes_with_every_step_is_at_the_root() {
        let steps = 0..100u32;
        let columns = [
            steps.clone().collect(),
            steps.clone().map(|step| step / 50).collect(),
            steps.clone().map(|step| step / 60).collect(),
            steps.map(|step| step / 40).collect(),
        ];
        assert_eq!(Plan::of_sample(&columns).root.0, Some(0));
    }
}
