//! Every permutation is tried, and the least state, or the least VIEW, is the representative.

use std::cmp::Ordering;

use base::{FxHashMap, FxIndexSet};
use eval::interp::{At, Evaluated, Machine};
use eval::ir::Root;
use value::{Atom, OpResult, Value, ops};

use super::group::Graph;
use super::permute::permute;
use super::seen::view_of;

/// A group of permutations, the identity left out.
pub(super) struct Permutations(Vec<FxHashMap<Atom, Atom>>);

/// The permutations of `moved`, each as the images of `moved` in that order.
type Images = Vec<Atom>;

impl Permutations {
    /// Every composition of the given functions but the identity.
    pub fn generated_by(graphs: &[Graph]) -> Permutations {
        let moved: FxIndexSet<Atom> = graphs.iter().flatten().map(|&(from, _)| from).collect();
        let images = |graph: &Graph| -> Images {
            let image =
                |&atom: &Atom| graph.iter().find(|(from, _)| *from == atom).map_or(atom, |&(_, to)| to);
            moved.iter().map(image).collect()
        };
        let generators: Vec<Images> = graphs.iter().map(images).collect();
        let mut group: FxIndexSet<Images> = FxIndexSet::default();
        group.insert(moved.iter().copied().collect());
        let mut at = 0;
        while at < group.len() {
            for generator in &generators {
                let image = |atom: &Atom| moved.get_index_of(atom).map_or(*atom, |index| generator[index]);
                let composed: Images = group[at].iter().map(image).collect();
                group.insert(composed);
            }
            at += 1;
        }
        let pairs = |images: &Images| {
            let pairs = moved.iter().copied().zip(images.iter().copied());
            pairs.filter(|(from, to)| from != to).collect()
        };
        Permutations(group.iter().skip(1).map(pairs).collect())
    }

    pub fn is_trivial(&self) -> bool {
        self.0.is_empty()
    }

    /// The least of the permuted states: variable by variable, in normal order.
    pub fn least<'r>(&self, machine: &mut Machine<'_, 'r>, values: &[Value<'r>]) -> OpResult<Vec<Value<'r>>> {
        let mut least = values.to_vec();
        let mut candidate = Vec::with_capacity(values.len());
        for permutation in &self.0 {
            let image = |atom: Atom| permutation.get(&atom).copied();
            candidate.clear();
            let mut order = Ordering::Equal;
            for (index, &value) in values.iter().enumerate() {
                let permuted = permute(machine, &image, value)?;
                if order == Ordering::Equal {
                    order = ops::compare(machine, permuted, least[index])?;
                    if order == Ordering::Greater {
                        break;
                    }
                }
                candidate.push(permuted);
            }
            if order == Ordering::Less {
                least.copy_from_slice(&candidate);
            }
        }
        Ok(least)
    }

    /// The least value that `view` has in a permuted state, in normal order.
    pub fn least_view<'r>(
        &self,
        machine: &mut Machine<'_, 'r>,
        view: Root,
        values: &[Value<'r>],
    ) -> Evaluated<Value<'r>> {
        let mut least = view_of(machine, view, values)?;
        let mut permuted = Vec::with_capacity(values.len());
        for permutation in &self.0 {
            let image = |atom: Atom| permutation.get(&atom).copied();
            permuted.clear();
            for &value in values {
                permuted.push(permute(machine, &image, value).at(view.span)?);
            }
            let seen = view_of(machine, view, &permuted)?;
            if ops::compare(machine, seen, least).at(view.span)?.is_lt() {
                least = seen;
            }
        }
        Ok(least)
    }
}
