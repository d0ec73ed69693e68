//! Makes functions. Functions with the same graph have the same form, whatever their origin.

use std::cell::RefCell;
use std::cmp::Ordering;

use base::FxHashMap;

use super::normal::{search, search_items};
use super::tree;
use super::{compare, explicit_function, normalize};
use crate::mem::{FunctionKind, Object};
use crate::{Atom, Closure, Host, Items, OpResult, Region, Shape, Value, ValueVec};

/// Number of keys that can be compared in the time of one lookup.
const FEW: usize = 16;

/// The form of functions on one domain.
#[derive(Clone, Copy)]
pub(super) enum FunctionForm<'r> {
    Sequence,
    Record(Shape),
    Function(Value<'r>),
}

impl<'r> FunctionForm<'r> {
    /// Returns the form for a domain that is a set `{...}` in normal form or an interval.
    ///
    /// In normal order, only model values come before strings and integers, so the first element determines the kind of
    /// all the others.
    pub(super) fn of(domain: Value<'r>) -> FunctionForm<'r> {
        if let Some((first, _)) = domain.as_interval() {
            return if first == 1 { FunctionForm::Sequence } else { FunctionForm::Function(domain) };
        }
        let items = domain.as_normal_set().expect("a domain is a set in normal form");
        if items.is_empty() {
            return FunctionForm::Sequence;
        }
        let (first, last) = (items.get(0), items.get(items.len() - 1));
        if first.as_small() == Some(1) && last.as_small() == Some(items.len() as i64) {
            return FunctionForm::Sequence;
        }
        match first.as_string() {
            // A shape lives forever, and a growing domain would make one for each size.
            Some(_) if !tree::is_large(items.len()) => FunctionForm::Record(Shape::of_items(items)),
            Some(_) | None => FunctionForm::Function(domain),
        }
    }

    /// Makes the function with these values, as many as the domain has elements.
    pub(super) fn build(self, values: ValueVec<'r>) -> Value<'r> {
        match self {
            FunctionForm::Sequence => values.into_sequence(),
            FunctionForm::Record(shape) => values.into_record(shape),
            FunctionForm::Function(domain) => values.into_function(domain),
        }
    }
}

/// Makes the function that maps the elements of `domain`, in normal order, to `values`. Panics if there are not as
/// many; `domain` is a set `{...}` in normal form or an interval.
pub fn function<'r>(domain: Value<'r>, values: ValueVec<'r>) -> Value<'r> {
    let n_keys = match domain.as_interval() {
        Some((first, last)) => last - first + 1,
        None => domain.as_normal_set().expect("a domain is a set in normal form").len() as i64,
    };
    assert!(n_keys == values.len() as i64, "{n_keys} keys, {} values", values.len());
    FunctionForm::of(domain).build(values)
}

/// Makes the function with these keys and values. Of equal keys the first wins.
pub fn function_from_pairs<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    pairs: &[(Value<'r>, Value<'r>)],
) -> OpResult<Value<'r>> {
    let keys: Vec<Value<'r>> = pairs.iter().map(|&(key, _)| key).collect();
    let domain = host.region().set(&keys);
    normalize(host, domain)?;
    let items = domain.as_normal_set().expect("just put into normal form");
    let mut values: Vec<Option<Value<'r>>> = vec![None; items.len()];
    for &(key, value) in pairs {
        let place = search_items(host, key, items)?;
        let place = place.expect("the domain has all keys");
        values[place].get_or_insert(value);
    }
    let mut vec = ValueVec::with_capacity(host.region(), items.len());
    vec.extend(values.into_iter().map(|value| value.expect("each key has a value")));
    Ok(function(domain, vec))
}

/// Returns the function `f`, given by its graph, with another value for the key at `place`.
pub fn with_value<'r>(region: &'r Region, f: Value<'r>, place: usize, value: Value<'r>) -> Value<'r> {
    let in_tree = tree::with_value(region, f, place, value);
    in_tree.unwrap_or_else(|| ValueVec::replace_value(region, f, place, value))
}

/// Returns the function `f`, given by its graph, with another key, whose position is `place`.
pub fn with_key<'r>(
    region: &'r Region,
    f: Value<'r>,
    place: usize,
    (key, value): (Value<'r>, Value<'r>),
) -> Value<'r> {
    tree::with_key(region, f, place, (key, value)).unwrap_or_else(|| {
        let f = Graph::new(f);
        let joined = |item_at: &dyn Fn(usize) -> Value<'r>, item: Value<'r>| {
            let mut vec = ValueVec::with_capacity(region, f.len() + 1);
            vec.extend((0..place).map(item_at).chain([item]).chain((place..f.len()).map(item_at)));
            vec
        };
        let keys = joined(&|index| f.key(index), key);
        function(keys.into_normal_set(), joined(&|index| f.value(index), value))
    })
}

/// Returns the function `f`, given by its graph, without the key at `place`.
pub fn without_key<'r>(region: &'r Region, f: Value<'r>, place: usize) -> Value<'r> {
    tree::without_key(region, f, place).unwrap_or_else(|| {
        let f = Graph::new(f);
        let places = || (0..f.len()).filter(|&index| index != place);
        let mut keys = ValueVec::with_capacity(region, f.len());
        keys.extend(places().map(|index| f.key(index)));
        let mut values = ValueVec::with_capacity(region, f.len());
        values.extend(places().map(|index| f.value(index)));
        function(keys.into_normal_set(), values)
    })
}

/// Makes a record, with the values in the order of the shape's fields.
pub fn record<'r, H: Host<'r> + ?Sized>(host: &mut H, shape: Shape, values: &[Value<'r>]) -> Value<'r> {
    host.region().record(shape, values)
}

/// Makes `[x \in domain |-> closure]`, which is evaluated when it is applied.
pub fn lazy_function<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    domain: Value<'r>,
    closure: Closure<'r>,
) -> Value<'r> {
    host.region().lazy_function(domain, closure, None)
}

/// Computes `key :> value`.
pub fn pair<'r, H: Host<'r> + ?Sized>(host: &mut H, key: Value<'r>, value: Value<'r>) -> OpResult<Value<'r>> {
    let domain = host.region().set(&[key]);
    Ok(function(domain, ValueVec::from_slice(host.region(), &[value])))
}

/// Computes `f @@ g`: f wins.
pub fn merge<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>, g: Value<'r>) -> OpResult<Value<'r>> {
    if let (Some(left), Some(right)) = (f.as_record(), g.as_record()) {
        return Ok(merge_records(host.region(), left, right));
    }
    let (f, g) = (graph(host, f)?, graph(host, g)?);
    if let Some(merged) = merge_few(host, f, g) {
        return Ok(merged);
    }
    let mut keys = ValueVec::with_capacity(host.region(), f.len() + g.len());
    let mut values = ValueVec::with_capacity(host.region(), f.len() + g.len());
    let (mut i, mut j) = (0, 0);
    while i < f.len() && j < g.len() {
        let ordering = compare(host, f.key(i), g.key(j))?;
        let (source, place) = if ordering.is_le() { (f, i) } else { (g, j) };
        keys.push(source.key(place));
        values.push(source.value(place));
        i += usize::from(ordering != Ordering::Greater);
        j += usize::from(ordering != Ordering::Less);
    }
    for (source, from) in [(f, i), (g, j)] {
        keys.extend((from..source.len()).map(|place| source.key(place)));
        values.extend((from..source.len()).map(|place| source.value(place)));
    }
    Ok(function(keys.into_normal_set(), values))
}

/// The form of `f @@ g` for records: its fields, and for each the place of its value among those of `f`, followed by those
/// of `g`.
struct MergePlan {
    shape: Shape,
    places: Vec<usize>,
}

impl MergePlan {
    fn new(f: Shape, g: Shape) -> MergePlan {
        let of_g = g.fields().iter().enumerate().filter(|&(_, &field)| f.position(field).is_none());
        let mut fields: Vec<(Atom, usize)> = f.fields().iter().copied().zip(0..).collect();
        fields.extend(of_g.map(|(place, &field)| (field, f.len() + place)));
        fields.sort_by(|(left, _), (right, _)| left.rank_cmp(*right));
        let names: Vec<Atom> = fields.iter().map(|&(field, _)| field).collect();
        let places = fields.into_iter().map(|(_, place)| place).collect();
        MergePlan { shape: Shape::of_sorted(&names), places }
    }
}

/// Limit on the pairs of shapes that a thread remembers. Most specifications have a few.
const PLANS_MAX: usize = 1024;

/// Computes `f @@ g` for records.
fn merge_records<'r>(
    region: &'r Region,
    (f, of_f): (Shape, Items<'r>),
    (g, of_g): (Shape, Items<'r>),
) -> Value<'r> {
    thread_local! {
        static PLANS: RefCell<FxHashMap<(Shape, Shape), MergePlan>> = RefCell::default();
    }
    PLANS.with_borrow_mut(|plans| {
        if plans.len() > PLANS_MAX {
            plans.clear();
        }
        let plan = plans.entry((f, g)).or_insert_with(|| MergePlan::new(f, g));
        let mut values = ValueVec::with_capacity(region, plan.places.len());
        for &place in &plan.places {
            values.push(match place.checked_sub(f.len()) {
                None => of_f.get(place),
                Some(place) => of_g.get(place),
            });
        }
        values.into_record(plan.shape)
    })
}

/// Computes `f @@ g` where one of them is large and the other is not. Returns `None` where they must be merged key by
/// key.
fn merge_few<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Graph<'r>, g: Graph<'r>) -> Option<Value<'r>> {
    let f_is_large = f.len() >= g.len();
    let (large, few) = if f_is_large { (f, g) } else { (g, f) };
    if !tree::is_large(large.len()) || few.len() > large.len() / FEW {
        return None;
    }
    let mut all = large.0;
    for index in 0..few.len() {
        let (key, value) = (few.key(index), few.value(index));
        let graph = Graph::new(all);
        let place = match graph.keys() {
            Some(keys) => search_items(host, key, keys).ok()?,
            None => search(graph.len(), |place| compare(host, key, graph.key(place))).ok()?,
        };
        all = match place {
            // The value of `f` stays.
            Ok(_) if f_is_large => all,
            Ok(place) => tree::with_value(host.region(), all, place, value)?,
            Err(place) => tree::with_key(host.region(), all, place, (key, value))?,
        };
    }
    Some(all)
}

/// A function given by its graph, with keys and values by index.
#[derive(Clone, Copy)]
pub(super) struct Graph<'r>(Value<'r>);

fn graph<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>) -> OpResult<Graph<'r>> {
    if !f.is_function() {
        return Err(super::wrong_kind("@@", "a function", f));
    }
    explicit_function(host, f).map(Graph)
}

impl<'r> Graph<'r> {
    /// Makes the graph of `f`, which is not lazy.
    pub(super) fn new(f: Value<'r>) -> Graph<'r> {
        Graph(f)
    }

    pub(super) fn object(self) -> Object<'r> {
        self.0.object().expect("a graph is an object")
    }

    pub(super) fn len(self) -> usize {
        self.object().len()
    }

    pub(super) fn value(self, index: usize) -> Value<'r> {
        self.object().items().get(index)
    }

    /// Returns the keys, if they are written out.
    fn keys(self) -> Option<Items<'r>> {
        let object = self.object();
        (object.kind().function_kind() == Some(FunctionKind::Graph))
            .then(|| object.domain().as_normal_set())?
    }

    pub(super) fn key(self, index: usize) -> Value<'r> {
        let object = self.object();
        match object.kind().function_kind() {
            Some(FunctionKind::Sequence) => Value::from_int(index as i64 + 1),
            Some(FunctionKind::Record) => Value::atom(object.shape().fields()[index]),
            Some(FunctionKind::Graph) => match object.domain().as_interval() {
                Some((first, _)) => Value::from_int(first + index as i64),
                None => object.domain().as_normal_set().expect("a domain is a set in normal form").get(index),
            },
            Some(FunctionKind::Lazy) | None => unreachable!("{:?} is no graph", self.0),
        }
    }
}
