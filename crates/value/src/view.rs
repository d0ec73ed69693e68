//! A view of a value for code that must handle every kind: printing, JSON, comparison, tests.

use num_bigint::{BigInt, BigUint, Sign};

use crate::mem::{Object, ObjectKind};
use crate::ops::is_large;
use crate::{Atom, Closure, Items, Shape, Value};

/// A value, one level deep. Lazy sets show their operands, whether or not they were evaluated before.
#[derive(Clone, Debug)]
pub enum View<'r> {
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// A larger integer.
    BigInt(BigInt),
    String(Atom),
    ModelValue(Atom),
    /// A function with domain `1..n`, including the empty function.
    Sequence(Items<'r>),
    /// A function on strings, with the values in the order of the shape's fields.
    Record(Shape, Items<'r>),
    /// Any other function: a set in normal form, and the values in its order.
    Function(Value<'r>, Items<'r>),
    /// `[x \in domain |-> closure]`. `overrides` has keys and values in turn, later ones win.
    LazyFunction {
        domain: Value<'r>,
        closure: Closure<'r>,
        overrides: Items<'r>,
    },
    /// `{e1, ..., en}`. Only in normal form are the elements sorted and distinct.
    Set {
        elements: Items<'r>,
        is_normal: bool,
    },
    Interval(i64, i64),
    Powerset(Value<'r>),
    /// The subsets with this number of elements.
    KSubsets(Value<'r>, usize),
    FunctionSet(Value<'r>, Value<'r>),
    RecordSet(Shape, Items<'r>),
    Product(Items<'r>),
    Filter(Value<'r>, Closure<'r>),
    Cup(Value<'r>, Value<'r>),
    Cap(Value<'r>, Value<'r>),
    Difference(Value<'r>, Value<'r>),
    Union(Value<'r>),
    Naturals,
    Integers,
    Reals,
    Strings,
    /// `Seq(S)`
    Sequences(Value<'r>),
    Anything,
}

impl<'r> Value<'r> {
    /// Returns the view of a value. For the common kinds the `as_` functions are quicker.
    pub fn view(self) -> View<'r> {
        if let Some(int) = self.as_small() {
            return View::Int(int);
        }
        if let Some(atom) = self.as_atom() {
            return if atom.is_string() { View::String(atom) } else { View::ModelValue(atom) };
        }
        match self.object() {
            Some(object) => view_object(object),
            None => view_special(self),
        }
    }

    /// Returns the elements, if it is a sequence given by its elements.
    #[inline]
    pub fn as_sequence(self) -> Option<Items<'r>> {
        let object = self.object()?;
        (object.kind() == ObjectKind::Sequence).then(|| object.items_of(ObjectKind::Sequence))
    }

    /// Returns shape and values, if it is a record.
    #[inline]
    pub fn as_record(self) -> Option<(Shape, Items<'r>)> {
        let object = self.object()?;
        match object.kind() == ObjectKind::Record {
            true => Some((object.shape(), object.items_of(ObjectKind::Record))),
            false => as_large_record(object),
        }
    }

    /// Returns domain and values, if it is a function that is neither a sequence nor a record, or a large record.
    #[inline]
    pub fn as_function(self) -> Option<(Value<'r>, Items<'r>)> {
        let object = self.object()?;
        (object.kind() == ObjectKind::Function)
            .then(|| (object.domain(), object.items_of(ObjectKind::Function)))
    }

    /// Returns the elements, if it is a set `{e1, ..., en}` in normal form.
    #[inline]
    pub fn as_normal_set(self) -> Option<Items<'r>> {
        let object = self.object()?;
        (object.kind() == ObjectKind::Set && object.is_normal()).then(|| object.items_of(ObjectKind::Set))
    }

    /// Returns first and last, if it is a non-empty set `a..b`.
    #[inline]
    pub fn as_interval(self) -> Option<(i64, i64)> {
        let object = self.object()?;
        (object.kind() == ObjectKind::Interval).then(|| object.bounds())
    }

    /// Returns the integer of any size, if it is one.
    pub fn as_big_int(self) -> Option<BigInt> {
        if let Some(int) = self.as_small() {
            return Some(BigInt::from(int));
        }
        let object = self.object().filter(|object| object.kind() == ObjectKind::BigInt)?;
        let sign = if object.is_negative() { Sign::Minus } else { Sign::Plus };
        Some(BigInt::from_biguint(sign, BigUint::from_slice(object.digits())))
    }

    /// Returns the integer, if it is one of 64 bits.
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        match self.as_small() {
            Some(int) => Some(int),
            None => self.as_big_int().and_then(|int| i64::try_from(int).ok()),
        }
    }
}

/// Returns shape and values of a record with so many fields that it is stored as a function on strings. Whether it has
/// a shape is determined here, which costs a look at each field.
#[inline]
fn as_large_record<'r>(object: Object<'r>) -> Option<(Shape, Items<'r>)> {
    if object.kind() != ObjectKind::Function || !is_large(object.len()) {
        return None;
    }
    as_record_on_strings(object)
}

#[cold]
#[inline(never)]
fn as_record_on_strings<'r>(object: Object<'r>) -> Option<(Shape, Items<'r>)> {
    let keys = object.domain().as_normal_set()?;
    // In normal order, only model values come before strings.
    keys.get(0).as_string()?;
    Some((Shape::of_items(keys), object.items_of(ObjectKind::Function)))
}

fn view_special<'r>(value: Value<'r>) -> View<'r> {
    match value.as_bool() {
        Some(value) => View::Bool(value),
        None if value.is_same(Value::NAT) => View::Naturals,
        None if value.is_same(Value::INT) => View::Integers,
        None if value.is_same(Value::REAL) => View::Reals,
        None if value.is_same(Value::STRING) => View::Strings,
        None => View::Anything,
    }
}

fn view_object<'r>(object: Object<'r>) -> View<'r> {
    let items = object.items();
    match object.kind() {
        ObjectKind::Sequence => View::Sequence(items),
        ObjectKind::Record => View::Record(object.shape(), items),
        ObjectKind::Function => match as_large_record(object) {
            Some((shape, values)) => View::Record(shape, values),
            None => View::Function(object.domain(), items),
        },
        ObjectKind::Set => View::Set { elements: items, is_normal: object.is_normal() },
        ObjectKind::Interval => View::Interval(object.bounds().0, object.bounds().1),
        ObjectKind::BigInt => view_big_int(object),
        ObjectKind::LazyFunction => View::LazyFunction {
            domain: items.get(0),
            closure: closure(object),
            overrides: object.overrides().and_then(Value::as_sequence).unwrap_or(Items::EMPTY),
        },
        ObjectKind::Powerset => View::Powerset(items.get(0)),
        ObjectKind::KSubsets => {
            let size = items.get(1).as_small().and_then(|size| usize::try_from(size).ok());
            View::KSubsets(items.get(0), size.expect("`k_subsets` takes a natural number"))
        }
        ObjectKind::FunctionSet => View::FunctionSet(items.get(0), items.get(1)),
        ObjectKind::RecordSet => View::RecordSet(object.shape(), items),
        ObjectKind::Product => View::Product(items),
        ObjectKind::Filter => View::Filter(items.get(0), closure(object)),
        ObjectKind::Cup => View::Cup(items.get(0), items.get(1)),
        ObjectKind::Cap => View::Cap(items.get(0), items.get(1)),
        ObjectKind::Difference => View::Difference(items.get(0), items.get(1)),
        ObjectKind::Union => View::Union(items.get(0)),
        ObjectKind::Sequences => View::Sequences(items.get(0)),
    }
}

fn view_big_int<'r>(object: Object<'r>) -> View<'r> {
    let sign = if object.is_negative() { Sign::Minus } else { Sign::Plus };
    let int = BigInt::from_biguint(sign, BigUint::from_slice(object.digits()));
    match i64::try_from(&int) {
        Ok(int) => View::Int(int),
        Err(_) => View::BigInt(int),
    }
}

/// Returns the closure of a filter or a lazy function: the first child is the set.
pub(crate) fn closure<'r>(object: Object<'r>) -> Closure<'r> {
    let (code, flags) = object.code();
    let items = object.items();
    Closure { code, flags, captured: items.slice(1, items.len() - 1) }
}
