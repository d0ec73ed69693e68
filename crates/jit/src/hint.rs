//! The likely form of values, guessed from states that were seen.
//!
//! A guess decides which code is made, never what it means: the code tests whether the guess is right, and gives up if
//! it is not.

use std::rc::Rc;

use base::FxHashSet;
use value::{Interner, Value, ValueId, View, raw};

/// Number of shapes beyond which records are left to the general operator.
const SHAPES_MAX: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Hint {
    /// Nothing was seen yet.
    Never,
    /// Different forms were seen.
    Unknown,
    Int,
    Bool,
    Atom,
    Sequence(Rc<Hint>),
    Set(Rc<Hint>),
    Function(Rc<FunctionHint>),
    /// Functions with different domains, `<<>>` among them: a bag of messages, for example.
    Map(Rc<MapHint>),
    Record(Rc<Vec<RecordHint>>),
}

/// A function whose domain differs from state to state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MapHint {
    /// The form of its arguments.
    pub keys: Hint,
    pub of: Hint,
}

impl MapHint {
    /// Forgets which domain a function has.
    fn of_function(function: &FunctionHint) -> MapHint {
        let key = |&key: &u32| of_value(Interner::shared().value(ValueId::from_bits(key)));
        let keys = match &function.keys {
            Keys::From(_) => Hint::Int,
            Keys::Ids(keys) => {
                let mut hint = None;
                keys.iter().for_each(|id| join_into(&mut hint, key(id)));
                hint.unwrap_or(Hint::Never)
            }
        };
        MapHint { keys, of: function.of.clone() }
    }

    fn joined(&self, other: &MapHint) -> Hint {
        let (keys, of) = (join(&self.keys, &other.keys), join(&self.of, &other.of));
        Hint::Map(Rc::new(MapHint { keys, of }))
    }
}

/// A function given by its graph, neither a sequence nor a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionHint {
    /// The id of its domain.
    pub domain: u32,
    pub len: u32,
    pub keys: Keys,
    pub of: Hint,
}

/// The elements of the domain of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Keys {
    /// Ids, in order.
    Ids(Vec<u32>),
    /// All integers from this one on.
    From(i64),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RecordHint {
    pub shape: value::Shape,
    pub fields: Vec<Hint>,
}

/// Returns the form of the variables in these states, each a vector of ids; `None` where nothing is known yet.
pub(crate) fn of_states<'a>(n_variables: usize, states: impl Iterator<Item = &'a [ValueId]>) -> Vec<Hint> {
    let mut hints: Vec<Option<Hint>> = vec![None; n_variables];
    // Most variables have few values.
    let mut seen: Vec<FxHashSet<ValueId>> = vec![FxHashSet::default(); n_variables];
    let interner = Interner::shared();
    for state in states {
        for ((hint, seen), &id) in hints.iter_mut().zip(&mut seen).zip(state) {
            if seen.insert(id) {
                join_into(hint, of_value(interner.value(id)));
            }
        }
    }
    hints.into_iter().map(|hint| hint.unwrap_or(Hint::Unknown)).collect()
}

/// Returns the form of a constant.
pub(crate) fn of_constant(value: Value<'_>) -> Hint {
    of_value(value).unwrap_or(Hint::Unknown)
}

fn join_into(hint: &mut Option<Hint>, other: Option<Hint>) {
    *hint = match (hint.take(), other) {
        (Some(a), Some(b)) => Some(join(&a, &b)),
        (a, b) => a.or(b),
    };
}

/// Returns the form of a value, or `None` if it says nothing about others: an empty set or sequence has no element.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other value is in a state")]
fn of_value(value: Value<'_>) -> Option<Hint> {
    if !raw::has_children_at_hand(value) {
        return Some(Hint::Unknown);
    }
    Some(match value.view() {
        View::Int(_) => Hint::Int,
        View::Bool(_) => Hint::Bool,
        View::String(_) | View::ModelValue(_) => Hint::Atom,
        View::Sequence(items) => Hint::Sequence(Rc::new(of_items(items))),
        View::Set { .. } => Hint::Set(Rc::new(of_items(value.as_normal_set()?))),
        View::Interval(..) => Hint::Set(Rc::new(Hint::Int)),
        View::Record(shape, items) => {
            let fields = items.iter().map(|item| of_value(item).unwrap_or(Hint::Unknown)).collect();
            Hint::Record(Rc::new(vec![RecordHint { shape, fields }]))
        }
        View::Function(domain, items) => {
            let id = raw::id(domain)?;
            let keys = match domain.as_interval() {
                Some((first, _)) => Keys::From(first),
                None => {
                    let ids = domain.as_normal_set()?.iter().map(|key| raw::id(key).map(ValueId::bits));
                    Keys::Ids(ids.collect::<Option<Vec<u32>>>()?)
                }
            };
            let of = of_items(items);
            let hint = FunctionHint { domain: id.bits(), len: items.len() as u32, keys, of };
            match raw::is_packed(value) {
                true => Hint::Map(Rc::new(MapHint::of_function(&hint))),
                false => Hint::Function(Rc::new(hint)),
            }
        }
        _ => Hint::Unknown,
    })
}

fn of_items(items: value::Items<'_>) -> Hint {
    let mut hint = None;
    for item in items {
        join_into(&mut hint, of_value(item));
    }
    // An empty value says nothing: the first element determines everything.
    hint.unwrap_or(Hint::Never)
}

/// Returns a hint that holds for both.
pub(crate) fn join(a: &Hint, b: &Hint) -> Hint {
    match (a, b) {
        (Hint::Never, other) | (other, Hint::Never) => other.clone(),
        (Hint::Int, Hint::Int) => Hint::Int,
        (Hint::Bool, Hint::Bool) => Hint::Bool,
        (Hint::Atom, Hint::Atom) => Hint::Atom,
        (Hint::Sequence(a), Hint::Sequence(b)) => Hint::Sequence(Rc::new(join(a, b))),
        (Hint::Set(a), Hint::Set(b)) => Hint::Set(Rc::new(join(a, b))),
        (Hint::Function(f), Hint::Function(g)) if f.domain == g.domain => {
            let of = join(&f.of, &g.of);
            Hint::Function(Rc::new(FunctionHint { of, ..FunctionHint::clone(f) }))
        }
        (Hint::Function(f), Hint::Function(g)) => MapHint::of_function(f).joined(&MapHint::of_function(g)),
        (Hint::Map(map), Hint::Function(f)) | (Hint::Function(f), Hint::Map(map)) => {
            map.joined(&MapHint::of_function(f))
        }
        (Hint::Map(a), Hint::Map(b)) => a.joined(b),
        (Hint::Sequence(of), Hint::Function(f)) | (Hint::Function(f), Hint::Sequence(of))
            if **of == Hint::Never =>
        {
            Hint::Map(Rc::new(MapHint::of_function(f)))
        }
        (Hint::Sequence(of), Hint::Map(map)) | (Hint::Map(map), Hint::Sequence(of))
            if **of == Hint::Never =>
        {
            Hint::Map(Rc::clone(map))
        }
        (Hint::Record(a), Hint::Record(b)) => join_records(a, b),
        (_, _) => Hint::Unknown,
    }
}

/// Returns the form of `f @@ g`, as far as those of f and g determine it.
pub(crate) fn of_override(first: &Hint, second: &Hint) -> Hint {
    match (first, second) {
        (Hint::Record(a), Hint::Record(b)) => override_records(a, b),
        (Hint::Function(f), Hint::Function(g)) if f.domain == g.domain => first.clone(),
        (Hint::Function(_) | Hint::Map(_), Hint::Function(_) | Hint::Map(_)) => join(first, second),
        (Hint::Sequence(of), other) | (other, Hint::Sequence(of)) if **of == Hint::Never => other.clone(),
        (Hint::Function(f), _) => {
            Hint::Map(Rc::new(MapHint { of: Hint::Unknown, ..MapHint::of_function(f) }))
        }
        (Hint::Map(map), _) => Hint::Map(Rc::new(MapHint { of: Hint::Unknown, ..MapHint::clone(map) })),
        (_, _) => Hint::Unknown,
    }
}

fn override_records(a: &[RecordHint], b: &[RecordHint]) -> Hint {
    let mut all: Vec<RecordHint> = Vec::new();
    for (first, second) in a.iter().flat_map(|first| b.iter().map(move |second| (first, second))) {
        let named = |record: &RecordHint| -> Vec<_> {
            record.shape.fields().iter().copied().zip(record.fields.iter().cloned()).collect()
        };
        let mut fields = named(first);
        fields.extend(named(second).into_iter().filter(|(name, _)| first.shape.position(*name).is_none()));
        let names: Vec<_> = fields.iter().map(|&(name, _)| name).collect();
        let Some(shape) = value::Shape::new(&names) else { return Hint::Unknown };
        fields.sort_by_key(|&(name, _)| shape.position(name));
        let fields = fields.into_iter().map(|(_, hint)| hint).collect();
        let Hint::Record(records) = join_records(&all, &[RecordHint { shape, fields }]) else {
            return Hint::Unknown;
        };
        all = records.to_vec();
    }
    Hint::Record(Rc::new(all))
}

/// Returns the form of `k :> v`. With a number as k it may be a sequence, with an atom a record: then nothing is known.
pub(crate) fn of_maps_to(key: Hint, of: Hint) -> Hint {
    match key {
        Hint::Sequence(_) | Hint::Set(_) | Hint::Function(_) | Hint::Map(_) | Hint::Record(_) => {
            Hint::Map(Rc::new(MapHint { keys: key, of }))
        }
        Hint::Never | Hint::Unknown | Hint::Int | Hint::Bool | Hint::Atom => Hint::Unknown,
    }
}

fn join_records(a: &[RecordHint], b: &[RecordHint]) -> Hint {
    let mut all = a.to_vec();
    for other in b {
        match all.iter_mut().find(|record| record.shape == other.shape) {
            Some(record) => {
                let fields = record.fields.iter().zip(&other.fields);
                record.fields = fields.map(|(a, b)| join(a, b)).collect();
            }
            None => all.push(other.clone()),
        }
    }
    if all.len() > SHAPES_MAX { Hint::Unknown } else { Hint::Record(Rc::new(all)) }
}
