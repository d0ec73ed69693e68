//! Equality and the normal order. Both refuse what TLC refuses (contract 3.6).
//!
//! Equality and order agree on what is equal, but not on what is refused: equality of sets looks at sizes first, order
//! of model values at types. So each is written out; they share only the way in which a value is taken apart.
//!
//! LIMIT: TLC refuses a record on the left of a function that is not a record, even of another size, but not a function
//! on strings there, unless the sizes are the same. Here these are one value, which is refused.

use std::cmp::Ordering;

use base::with_stack;

use super::force::{self, Explicit};
use super::function::Graph;
use super::{is_empty, not_comparable};
use crate::mem::{FunctionKind, Object, ObjectKind};
use crate::print::print_raw;
use crate::view::View;
use crate::{Atom, Host, Items, Kind, OpError, OpResult, Shape, Value};

/// Computes `left = right`.
#[inline]
pub fn equal<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<bool> {
    if left.is_inline_int() && right.is_inline_int() {
        return Ok(left.is_same(right));
    }
    if let (Some(left), Some(right)) = (left.as_atom(), right.as_atom())
        && left.is_like(right)
    {
        return Ok(left == right);
    }
    equal_slowly(host, left, right)
}

#[inline(never)]
fn equal_slowly<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Value<'r>, right: Value<'r>) -> OpResult<bool> {
    if left.is_same(right) && left.is_ground() {
        return Ok(true);
    }
    match (left.object(), right.object()) {
        (Some(left_object), Some(right_object)) => {
            equal_objects(host, (left, left_object), (right, right_object))
        }
        (_, _) => equal_unlike(left, right),
    }
}

/// Compares two values in the normal order.
#[inline]
pub fn compare<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Ordering> {
    if left.is_same(right) && left.is_ground() {
        return Ok(Ordering::Equal);
    }
    match (left.object(), right.object()) {
        (None, None) => compare_words(left, right),
        (Some(left_object), Some(right_object)) => {
            compare_objects(host, (left, left_object), (right, right_object))
        }
        (Some(_), None) | (None, Some(_)) => compare_unlike(left, right),
    }
}

#[inline]
fn compare_words(left: Value<'_>, right: Value<'_>) -> OpResult<Ordering> {
    if let (Some(left), Some(right)) = (left.as_small(), right.as_small()) {
        return Ok(left.cmp(&right));
    }
    match (left.as_atom(), right.as_atom()) {
        (Some(left), Some(right)) if left.is_like(right) => Ok(left.rank_cmp(right)),
        _ => compare_unlike(left, right),
    }
}

/// Kinds that can be compared with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Boolean,
    Integer,
    String,
    ModelValue,
    Function,
    Set,
    /// `Nat`, `Int`, `STRING`, `Seq(S)`, ...: compared only with each other.
    Named,
}

fn class(value: Value<'_>) -> Class {
    match value.kind() {
        Kind::Boolean => Class::Boolean,
        Kind::Integer => Class::Integer,
        Kind::String => Class::String,
        Kind::ModelValue => Class::ModelValue,
        Kind::Sequence | Kind::Record | Kind::Function | Kind::LazyFunction => Class::Function,
        Kind::Set | Kind::Interval | Kind::Powerset | Kind::KSubsets | Kind::FunctionSet => Class::Set,
        Kind::RecordSet | Kind::Product | Kind::Filter | Kind::Cup | Kind::Cap => Class::Set,
        Kind::Difference | Kind::Union => Class::Set,
        Kind::Naturals | Kind::Integers | Kind::Reals | Kind::Strings | Kind::Sequences | Kind::Anything => {
            Class::Named
        }
    }
}

/// Whether two values, of which at most one is an object, are equal.
#[inline(never)]
fn equal_unlike(left: Value<'_>, right: Value<'_>) -> OpResult<bool> {
    match (class(left), class(right)) {
        (Class::ModelValue, _) | (_, Class::ModelValue) => equal_model_values(left, right),
        (Class::Boolean, Class::Boolean) => Ok(left.is_same(right)),
        (Class::Integer, Class::Integer) => Ok(left.as_big_int() == right.as_big_int()),
        (Class::Named, Class::Named) => Ok(compare_names(left, right)?.is_eq()),
        _ => Err(not_comparable(left, right)),
    }
}

/// Compares two values of which at most one is an object.
#[inline(never)]
fn compare_unlike(left: Value<'_>, right: Value<'_>) -> OpResult<Ordering> {
    match (class(left), class(right)) {
        (Class::ModelValue, _) | (_, Class::ModelValue) => compare_model_values(left, right),
        (Class::Boolean, Class::Boolean) => Ok(left.as_bool().cmp(&right.as_bool())),
        (Class::Integer, Class::Integer) => Ok(left.as_big_int().cmp(&right.as_big_int())),
        (Class::Named, Class::Named) => compare_names(left, right),
        _ => Err(not_comparable(left, right)),
    }
}

/// A value together with the object that it points to.
type Pointed<'r> = (Value<'r>, Object<'r>);

fn equal_objects<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Pointed<'r>,
    right: Pointed<'r>,
) -> OpResult<bool> {
    match alike(left.1, right.1) {
        Alike::Items(items, others) if items.are_same(others) && left.1.is_ground() => Ok(true),
        Alike::Items(items, others) => Ok(items.len() == others.len() && equal_items(host, items, others)?),
        Alike::Shapes(..) => Ok(false),
        Alike::No => equal_other_objects(host, left, right),
    }
}

/// Two objects of the kinds that are compared most often.
enum Alike<'r> {
    /// The values of two sequences, or of two records of one shape.
    Items(Items<'r>, Items<'r>),
    /// Two records of different shapes.
    Shapes(Shape, Shape),
    No,
}

#[inline]
fn alike<'r>(left: Object<'r>, right: Object<'r>) -> Alike<'r> {
    let kind = left.kind();
    if kind != right.kind() {
        return Alike::No;
    }
    if kind == ObjectKind::Record {
        let (shape, other) = (left.shape(), right.shape());
        if shape != other {
            return Alike::Shapes(shape, other);
        }
        return Alike::Items(left.items_of(ObjectKind::Record), right.items_of(ObjectKind::Record));
    }
    if kind == ObjectKind::Sequence {
        return Alike::Items(left.items_of(ObjectKind::Sequence), right.items_of(ObjectKind::Sequence));
    }
    Alike::No
}

/// Compares shapes. TLC: by the number of fields, then by their names; different shapes differ in one of the two.
fn compare_shapes(left: Shape, right: Shape) -> Ordering {
    let (left, right) = (left.fields(), right.fields());
    if left.len() != right.len() {
        return left.len().cmp(&right.len());
    }
    let pairs = left.iter().zip(right);
    pairs
        .map(|(left, right)| left.rank_cmp(*right))
        .find(|ordering| ordering.is_ne())
        .unwrap_or(Ordering::Equal)
}

#[inline(never)]
fn equal_other_objects<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Pointed<'r>,
    right: Pointed<'r>,
) -> OpResult<bool> {
    match (class(left.0), class(right.0)) {
        (Class::Function, Class::Function) => equal_functions(host, left.0, right.0),
        (Class::Set, Class::Set) => equal_sets(host, left, right),
        (Class::Named, Class::Named) => equal(host, left.1.items().get(0), right.1.items().get(0)),
        (Class::Integer, Class::Integer) => Ok(left.0.as_big_int() == right.0.as_big_int()),
        _ => Err(not_comparable(left.0, right.0)),
    }
}

fn compare_objects<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Pointed<'r>,
    right: Pointed<'r>,
) -> OpResult<Ordering> {
    match alike(left.1, right.1) {
        Alike::Items(items, others) if items.are_same(others) && left.1.is_ground() => Ok(Ordering::Equal),
        Alike::Items(items, others) if items.len() == others.len() => compare_items(host, items, others),
        Alike::Items(items, others) => Ok(items.len().cmp(&others.len())),
        Alike::Shapes(shape, other) => Ok(compare_shapes(shape, other)),
        Alike::No => compare_other_objects(host, left, right),
    }
}

#[inline(never)]
fn compare_other_objects<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Pointed<'r>,
    right: Pointed<'r>,
) -> OpResult<Ordering> {
    match (class(left.0), class(right.0)) {
        (Class::Function, Class::Function) => compare_functions(host, left.0, right.0),
        (Class::Set, Class::Set) => compare_sets(host, left.0, right.0),
        (Class::Named, Class::Named) => compare(host, left.1.items().get(0), right.1.items().get(0)),
        (Class::Integer, Class::Integer) => Ok(left.0.as_big_int().cmp(&right.0.as_big_int())),
        _ => Err(not_comparable(left.0, right.0)),
    }
}

/// Whether two values are equal of which one is a model value. TLC: an untyped model value equals only itself and can
/// be compared with anything; a typed one refuses values that are not model values, and those of another type (contract
/// 1.5).
///
/// TLC: `Nat` and similar sets, on the left, can be compared with typed ones too.
fn equal_model_values(left: Value<'_>, right: Value<'_>) -> OpResult<bool> {
    if class(left) == Class::Named {
        return Ok(false);
    }
    check_model_types(left, right)?;
    Ok(left.is_same(right))
}

/// Compares two values of which one is a model value. TLC: model values come before everything else.
fn compare_model_values(left: Value<'_>, right: Value<'_>) -> OpResult<Ordering> {
    if class(left) == Class::Named {
        return Ok(Ordering::Greater);
    }
    check_model_types(left, right)?;
    Ok(match (left.as_model_value(), right.as_model_value()) {
        (Some(left), Some(right)) => left.rank_cmp(right),
        (Some(_), None) => Ordering::Less,
        (None, _) => Ordering::Greater,
    })
}

fn check_model_types(left: Value<'_>, right: Value<'_>) -> OpResult<()> {
    let types = (left.as_model_value().map(Atom::model_type), right.as_model_value().map(Atom::model_type));
    match types {
        (Some(None), _) | (_, Some(None)) => Ok(()),
        (Some(left_type), Some(right_type)) if left_type == right_type => Ok(()),
        (Some(_), Some(_)) => Err(different_model_types(left, right)),
        (Some(_), None) => Err(wrong_model_type(left, right)),
        (None, _) => Err(wrong_model_type(right, left)),
    }
}

#[cold]
fn different_model_types(left: Value<'_>, right: Value<'_>) -> Box<OpError> {
    Box::new(OpError::DifferentModelTypes { left: print_raw(left), right: print_raw(right) })
}

#[cold]
fn wrong_model_type(model: Value<'_>, other: Value<'_>) -> Box<OpError> {
    Box::new(OpError::WrongModelType { model: print_raw(model), other: print_raw(other) })
}

/// Compares infinite sets. TLC: `Nat` is before `Int`; all other pairs of infinite sets are refused. (`Seq(S)` and
/// `Seq(T)`, which are objects, compare as S and T.)
fn compare_names(left: Value<'_>, right: Value<'_>) -> OpResult<Ordering> {
    match (left.kind(), right.kind()) {
        (Kind::Naturals, Kind::Integers) => Ok(Ordering::Less),
        (Kind::Integers, Kind::Naturals) => Ok(Ordering::Greater),
        (left_kind, right_kind) if left_kind == right_kind && left_kind != Kind::Anything => {
            Ok(Ordering::Equal)
        }
        _ => Err(not_comparable(left, right)),
    }
}

/// Returns the graphs of two functions that are about to be compared.
///
/// TLC: a record on the left can be compared only with records; the empty function is one.
fn graphs<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<(Graph<'r>, Graph<'r>)> {
    let graphs = (graph(host, left)?, graph(host, right)?);
    let is_record = |graph: &Graph<'r>| graph.object().kind() == ObjectKind::Record;
    if is_record(&graphs.0) && !is_record(&graphs.1) && graphs.1.len() > 0 {
        return Err(record_with_function(left, right));
    }
    Ok(graphs)
}

#[cold]
fn record_with_function(record: Value<'_>, function: Value<'_>) -> Box<OpError> {
    Box::new(OpError::RecordWithFunction { record: print_raw(record), function: print_raw(function) })
}

fn graph<'r, H: Host<'r> + ?Sized>(host: &mut H, f: Value<'r>) -> OpResult<Graph<'r>> {
    force::explicit_function(host, f).map(Graph::new)
}

fn have_same_domain_object(left: Object<'_>, right: Object<'_>) -> bool {
    left.kind() == right.kind()
        && match left.kind().function_kind() {
            Some(FunctionKind::Sequence) => true,
            Some(FunctionKind::Record) => left.shape() == right.shape(),
            Some(FunctionKind::Graph) => left.domain().is_same(right.domain()),
            Some(FunctionKind::Lazy) | None => false,
        }
}

/// Whether two functions are equal. TLC: by size, then by domain, then by values; the first difference decides.
fn equal_functions<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<bool> {
    let (left, right) = graphs(host, left, right)?;
    if left.len() != right.len() {
        return Ok(false);
    }
    if !have_same_domain_object(left.object(), right.object()) {
        for index in 0..left.len() {
            if !equal(host, left.key(index), right.key(index))? {
                return Ok(false);
            }
        }
    }
    equal_items(host, left.object().items(), right.object().items())
}

fn compare_functions<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Ordering> {
    let (left, right) = graphs(host, left, right)?;
    if left.len() != right.len() {
        return Ok(left.len().cmp(&right.len()));
    }
    if !have_same_domain_object(left.object(), right.object()) {
        for index in 0..left.len() {
            let ordering = compare(host, left.key(index), right.key(index))?;
            if ordering.is_ne() {
                return Ok(ordering);
            }
        }
    }
    compare_items(host, left.object().items(), right.object().items())
}

/// Whether two sequences with these elements are equal.
pub fn equal_sequences<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Items<'r>,
    right: Items<'r>,
) -> OpResult<bool> {
    Ok(left.len() == right.len() && equal_items(host, left, right)?)
}

fn equal_items<'r, H: Host<'r> + ?Sized>(host: &mut H, left: Items<'r>, right: Items<'r>) -> OpResult<bool> {
    host.count_work()?;
    let mut index = left.n_same(right, 0);
    while index < left.len() {
        let (left_item, right_item) = (left.get(index), right.get(index));
        let is_equal = match left_item.is_object() && right_item.is_object() {
            true => with_stack(|| equal(host, left_item, right_item))?,
            false => equal(host, left_item, right_item)?,
        };
        if !is_equal {
            return Ok(false);
        }
        index += 1;
        index += left.n_same(right, index);
    }
    Ok(true)
}

fn compare_items<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Items<'r>,
    right: Items<'r>,
) -> OpResult<Ordering> {
    host.count_work()?;
    let mut index = left.n_same(right, 0);
    while index < left.len() {
        let (left_item, right_item) = (left.get(index), right.get(index));
        let ordering = match left_item.is_object() && right_item.is_object() {
            true => with_stack(|| compare(host, left_item, right_item))?,
            false => compare(host, left_item, right_item)?,
        };
        if ordering.is_ne() {
            return Ok(ordering);
        }
        index += 1;
        index += left.n_same(right, index);
    }
    Ok(Ordering::Equal)
}

fn equal_sets<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    (left, left_object): Pointed<'r>,
    (right, right_object): Pointed<'r>,
) -> OpResult<bool> {
    if left_object.kind() == right_object.kind()
        && let Some(answer) = equal_operands(host, left_object, right_object)?
    {
        return Ok(answer);
    }
    let (left, right) = (force::explicit_elements(host, left)?, force::explicit_elements(host, right)?);
    if left.len() != right.len() {
        return Ok(false);
    }
    match (left, right) {
        (Explicit::Interval(first, _), Explicit::Interval(other, _)) => Ok(first == other),
        (Explicit::Items(left), Explicit::Items(right)) => equal_items(host, left, right),
        (Explicit::Interval(first, _), Explicit::Items(items))
        | (Explicit::Items(items), Explicit::Interval(first, _)) => {
            for (int, element) in (first..).zip(items) {
                if !equal(host, host.region().int(int), element)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// Whether two sets of one kind are equal: lazy ones are if their operands are. `None` if that does not decide it.
fn equal_operands<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Object<'r>,
    right: Object<'r>,
) -> OpResult<Option<bool>> {
    let (items, others) = (left.items(), right.items());
    match left.kind() {
        ObjectKind::Interval => Ok(Some(left.bounds() == right.bounds())),
        ObjectKind::Powerset => equal(host, items.get(0), others.get(0)).map(Some),
        ObjectKind::FunctionSet => equal_function_sets(host, items, others).map(Some),
        ObjectKind::RecordSet | ObjectKind::Product => {
            let (empty, other_empty) = (has_empty(host, items)?, has_empty(host, others)?);
            if empty || other_empty {
                return Ok(Some(empty && other_empty));
            }
            let same_shape = left.kind() == ObjectKind::Product || left.shape() == right.shape();
            Ok(Some(same_shape && left.len() == right.len() && equal_items(host, items, others)?))
        }
        ObjectKind::KSubsets | ObjectKind::Filter | ObjectKind::Cup | ObjectKind::Cap => Ok(None),
        ObjectKind::Difference | ObjectKind::Union | ObjectKind::Sequences => Ok(None),
        ObjectKind::Sequence | ObjectKind::Record | ObjectKind::Function | ObjectKind::Set => Ok(None),
        ObjectKind::BigInt | ObjectKind::LazyFunction => Ok(None),
    }
}

fn has_empty<'r, H: Host<'r> + ?Sized>(host: &mut H, sets: Items<'r>) -> OpResult<bool> {
    for set in sets {
        if is_empty(host, set)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether two sets of functions are equal. On the empty domain there is one function, whatever the range; into the
/// empty range there is none.
fn equal_function_sets<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Items<'r>,
    right: Items<'r>,
) -> OpResult<bool> {
    for operand in 0..2 {
        let (empty, other_empty) = (is_empty(host, left.get(operand))?, is_empty(host, right.get(operand))?);
        if empty || other_empty {
            return Ok(empty && other_empty);
        }
    }
    equal_items(host, left, right)
}

/// Compares sets. TLC: by number of elements, then element by element in normal order.
fn compare_sets<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    left: Value<'r>,
    right: Value<'r>,
) -> OpResult<Ordering> {
    if let (View::Powerset(base), View::Powerset(other)) = (left.view(), right.view()) {
        return compare(host, base, other);
    }
    let (left, right) = (force::explicit_elements(host, left)?, force::explicit_elements(host, right)?);
    if left.len() != right.len() {
        return Ok(left.len().cmp(&right.len()));
    }
    match (left, right) {
        (Explicit::Interval(first, _), Explicit::Interval(other, _)) => Ok(first.cmp(&other)),
        (Explicit::Items(left), Explicit::Items(right)) => compare_items(host, left, right),
        (Explicit::Interval(first, _), Explicit::Items(items)) => {
            compare_with_ints(host, items, first).map(Ordering::reverse)
        }
        (Explicit::Items(items), Explicit::Interval(first, _)) => compare_with_ints(host, items, first),
    }
}

fn compare_with_ints<'r, H: Host<'r> + ?Sized>(
    host: &mut H,
    items: Items<'r>,
    first: i64,
) -> OpResult<Ordering> {
    for (int, element) in (first..).zip(items) {
        let ordering = compare(host, element, host.region().int(int))?;
        if ordering.is_ne() {
            return Ok(ordering);
        }
    }
    Ok(Ordering::Equal)
}
