//! SYMMETRY: states that differ by a permutation of model values are one (contract 4.4).

use std::cmp::Ordering;

use base::{FxHashMap, FxIndexSet, with_stack};
use eval::interp::{At, Evaluated, Fault, FaultKind, Machine};
use eval::ir::Root;
use value::{Atom, OpResult, Value, ValueVec, View, ops};

/// A group of permutations, the identity left out.
pub(crate) struct Symmetry {
    permutations: Vec<FxHashMap<Atom, Atom>>,
}

/// The permutations of `moved`, each as the images of `moved` in that order.
type Images = Vec<Atom>;

impl Symmetry {
    /// Evaluates the SYMMETRY definition and closes it under composition.
    pub fn new(machine: &mut Machine<'_, '_>, root: Root) -> Evaluated<Symmetry> {
        let set = machine.eval_root(root)?;
        let mut functions = Vec::new();
        let mut elements = ops::elements_normal(machine, set).at(root.span)?;
        while let Some(element) = elements.next(machine).at(root.span)? {
            match graph(machine, element).at(root.span)? {
                Some(pairs) => functions.push(pairs),
                None => return Err(not_model_values(machine, element, root)),
            }
        }
        Ok(Symmetry { permutations: close(&functions) })
    }

    pub fn is_trivial(&self) -> bool {
        self.permutations.is_empty()
    }

    /// The least of the permuted states: variable by variable, in normal order.
    pub fn least<'r>(&self, machine: &mut Machine<'_, 'r>, values: &[Value<'r>]) -> OpResult<Vec<Value<'r>>> {
        let mut least = values.to_vec();
        let mut candidate = Vec::with_capacity(values.len());
        for permutation in &self.permutations {
            candidate.clear();
            let mut order = Ordering::Equal;
            for (index, &value) in values.iter().enumerate() {
                let permuted = permute(machine, permutation, value)?;
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
}

fn not_model_values<'r>(machine: &mut Machine<'_, 'r>, element: Value<'r>, root: Root) -> Box<Fault> {
    let value = machine.printed(element);
    let expected = "permutations of model values";
    Fault::new(FaultKind::NotApplicable { op: "SYMMETRY", expected, value }, root.span)
}

/// The pairs of a function on model values.
fn graph<'r>(machine: &mut Machine<'_, 'r>, function: Value<'r>) -> OpResult<Option<Vec<(Atom, Atom)>>> {
    let domain = ops::domain(machine, function)?;
    let mut pairs = Vec::new();
    let mut elements = ops::elements_normal(machine, domain)?;
    while let Some(from) = elements.next(machine)? {
        let to = ops::apply(machine, function, from)?;
        let (Some(from), Some(to)) = (from.as_model_value(), to.as_model_value()) else { return Ok(None) };
        pairs.push((from, to));
    }
    Ok(Some(pairs))
}

/// Every composition of the given permutations but the identity.
fn close(functions: &[Vec<(Atom, Atom)>]) -> Vec<FxHashMap<Atom, Atom>> {
    let moved: FxIndexSet<Atom> = functions.iter().flatten().map(|&(from, _)| from).collect();
    let images = |function: &Vec<(Atom, Atom)>| -> Images {
        let image =
            |&atom: &Atom| function.iter().find(|(from, _)| *from == atom).map_or(atom, |&(_, to)| to);
        moved.iter().map(image).collect()
    };
    let generators: Vec<Images> = functions.iter().map(images).collect();
    let identity: Images = moved.iter().copied().collect();
    let mut group: FxIndexSet<Images> = FxIndexSet::default();
    group.insert(identity);
    let mut at = 0;
    while at < group.len() {
        for generator in &generators {
            let composed: Images = group[at]
                .iter()
                .map(|atom| moved.get_index_of(atom).map_or(*atom, |index| generator[index]))
                .collect();
            group.insert(composed);
        }
        at += 1;
    }
    let pairs = |images: &Images| {
        let pairs = moved.iter().copied().zip(images.iter().copied());
        pairs.filter(|(from, to)| from != to).collect()
    };
    group.iter().skip(1).map(pairs).collect()
}

fn permute<'r>(
    machine: &mut Machine<'_, 'r>,
    permutation: &FxHashMap<Atom, Atom>,
    value: Value<'r>,
) -> OpResult<Value<'r>> {
    if let Some(atom) = value.as_atom() {
        return Ok(permutation.get(&atom).map_or(value, |&to| Value::atom(to)));
    }
    if value.as_small().is_some() || value.as_bool().is_some() {
        return Ok(value);
    }
    with_stack(|| permute_object(machine, permutation, value))
}

fn permute_object<'r>(
    machine: &mut Machine<'_, 'r>,
    permutation: &FxHashMap<Atom, Atom>,
    value: Value<'r>,
) -> OpResult<Value<'r>> {
    let items = match value.view() {
        View::Sequence(items) | View::Record(_, items) | View::Function(_, items) => items,
        View::Set { elements, .. } => elements,
        View::Bool(_)
        | View::Int(_)
        | View::BigInt(_)
        | View::String(_)
        | View::ModelValue(_)
        | View::Interval(..)
        | View::LazyFunction { .. }
        | View::Powerset(_)
        | View::KSubsets(..)
        | View::FunctionSet(..)
        | View::RecordSet(..)
        | View::Product(_)
        | View::Filter(..)
        | View::Cup(..)
        | View::Cap(..)
        | View::Difference(..)
        | View::Union(_)
        | View::Naturals
        | View::Integers
        | View::Reals
        | View::Strings
        | View::Sequences(_)
        | View::Anything => return Ok(value),
    };
    let mut permuted = ValueVec::with_capacity(machine.region(), items.len());
    for item in items {
        let item = permute(machine, permutation, item)?;
        permuted.push(item);
    }
    if let Some((domain, _)) = value.as_function() {
        return permute_function(machine, permutation, domain, permuted);
    }
    let made = match value.as_record() {
        Some((shape, _)) => permuted.into_record(shape),
        None if value.is_set() => permuted.into_set(),
        None => permuted.into_sequence(),
    };
    ops::force(machine, made)
}

fn permute_function<'r>(
    machine: &mut Machine<'_, 'r>,
    permutation: &FxHashMap<Atom, Atom>,
    domain: Value<'r>,
    values: ValueVec<'r>,
) -> OpResult<Value<'r>> {
    let mut pairs = Vec::with_capacity(values.len());
    let mut elements = ops::elements_normal(machine, domain)?;
    let mut index = 0;
    while let Some(key) = elements.next(machine)? {
        let key = permute(machine, permutation, key)?;
        pairs.push((key, values.as_slice()[index]));
        index += 1;
    }
    let function = ops::function_from_pairs(machine, &pairs)?;
    ops::force(machine, function)
}
