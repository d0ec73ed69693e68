//! SYMMETRY: states that differ by a permutation of model values are one (contract 4.4).
//!
//! States are compared by the representatives of their orbits. Where the permutations are all those of some
//! disjoint sets, as nearly always, few of them are tried ([`canonical`]); where they are not, or a VIEW must be evaluated
//! on each permuted state ([`seen`]), all of them are ([`all`]).

mod all;
mod canonical;
mod group;
mod part;
mod permute;
mod places;
mod profile;
mod recent;
mod seen;

use std::sync::{Arc, Mutex, PoisonError};

use eval::interp::{At, Evaluated, Fault, FaultKind, Machine};
use eval::ir::Root;
use value::{Atom, OpResult, Value, ops};

use all::Permutations;
use canonical::Canon;
pub(crate) use canonical::Memo;
use group::{Graph, Product};
pub(crate) use part::OrbitPart;
use places::Places;

pub(crate) struct Symmetry {
    group: Group,
    /// The memories of workers, lent from level to level.
    memos: Mutex<Vec<Memo>>,
    /// Where orbits are stored. It is replaced by a larger one as states are found.
    places: Mutex<Arc<Places>>,
    /// A permuted state has the permuted VIEW; true where there is none.
    view_commutes: bool,
}

/// A group of permutations.
enum Group {
    /// All permutations of each of some disjoint sets, and their products.
    Product(Product),
    All(Permutations),
}

impl Symmetry {
    /// Evaluates the SYMMETRY definition and closes it under composition. Its outermost operator has `n_operands`.
    /// States are compared by `view`, if there is one.
    pub fn new(
        machine: &mut Machine<'_, '_>,
        root: Root,
        view: Option<Root>,
        n_operands: usize,
    ) -> Evaluated<Symmetry> {
        let set = machine.eval_root(root)?;
        let mut graphs = Vec::new();
        let mut elements = ops::elements_normal(machine, set).at(root.span)?;
        while let Some(element) = elements.next(machine).at(root.span)? {
            match graph(machine, element).at(root.span)? {
                Some(graph) => graphs.push(graph),
                None => return Err(not_model_values(machine, element, root)),
            }
        }
        // TLC: takes these for permutations of sets with one element, and a set that is written out with them.
        if n_operands >= graphs.len() {
            graphs.clear();
        }
        let view_commutes = view.is_none_or(|view| seen::commutes(machine, view, &graphs));
        let group = match Product::of(&graphs).filter(|_| view_commutes) {
            Some(product) => Group::Product(product),
            None => Group::All(Permutations::generated_by(&graphs)),
        };
        Ok(Symmetry { group, memos: Mutex::default(), places: Mutex::default(), view_commutes })
    }

    pub fn is_trivial(&self) -> bool {
        match &self.group {
            Group::Product(product) => product.is_trivial(),
            Group::All(permutations) => permutations.is_trivial(),
        }
    }

    /// Makes the representative of its orbit of a state, whose values are explicit.
    pub fn settle<'r>(
        &self,
        machine: &mut Machine<'_, 'r>,
        memo: &mut Memo,
        parts: &mut [OrbitPart<'r>],
    ) -> OpResult<()> {
        match &self.group {
            Group::Product(product) => Canon { product, memo, parts }.settle(machine),
            Group::All(permutations) => {
                let values: Vec<Value<'r>> = parts.iter().map(|part| part.value()).collect();
                let least = permutations.least(machine, &values)?;
                parts.iter_mut().zip(least).for_each(|(part, value)| *part = OrbitPart::find(value));
                Ok(())
            }
        }
    }

    /// Lends a worker the memory that it keeps from state to state, when so many states were found.
    pub fn borrow_memo(&self, n_states: usize) -> Memo {
        let places = {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(larger) = places.grown(n_states) {
                *places = Arc::new(larger);
            }
            Arc::clone(&places)
        };
        let known = self.memos.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(mut memo) = known else { return Memo::new(places) };
        memo.places = places;
        memo
    }

    pub fn return_memo(&self, memo: Memo) {
        self.memos.lock().unwrap_or_else(PoisonError::into_inner).push(memo);
    }
}

fn not_model_values<'r>(machine: &mut Machine<'_, 'r>, element: Value<'r>, root: Root) -> Box<Fault> {
    let value = machine.show(element);
    let expected = "permutations of model values";
    Fault::new(FaultKind::NotApplicable { op: "SYMMETRY", expected, value }, root.span)
}

/// The pairs of a function on model values.
fn graph<'r>(machine: &mut Machine<'_, 'r>, function: Value<'r>) -> OpResult<Option<Graph>> {
    let domain = ops::domain(machine, function)?;
    let mut pairs: Vec<(Atom, Atom)> = Vec::new();
    let mut elements = ops::elements_normal(machine, domain)?;
    while let Some(from) = elements.next(machine)? {
        let to = ops::apply(machine, function, from)?;
        let (Some(from), Some(to)) = (from.as_model_value(), to.as_model_value()) else { return Ok(None) };
        pairs.push((from, to));
    }
    Ok(Some(pairs))
}
