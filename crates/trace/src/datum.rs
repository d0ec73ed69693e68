//! A TLA+ value as an owned tree, with equality by meaning.
//!
//! Not here: TLC's normal order. Elements, fields and pairs are in the order in which the producer gave them, which is
//! also the order in which they are shown; equality ignores it.

mod parts;
pub(crate) mod text;

use base::with_stack;
use num_bigint::BigInt;

pub use parts::Parts;

/// A TLA+ value.
///
/// Invariant, kept by the producer: elements of a set, names of fields and arguments of a function are
/// pairwise different, and no value is deeper than [`Datum::DEPTH_MAX`]. Order is the producer's own, the normal
/// order of TLC for values of our engine.
///
/// A function may be given in any of its forms: equality is by meaning, and the text forms print a function
/// on `1..n` as a tuple and one on names as a record, as TLC does.
#[derive(Clone, Debug)]
pub enum Datum {
    Bool(bool),
    Int(BigInt),
    Str(String),
    /// A model value, by its name.
    Model(String),
    /// A tuple or a sequence.
    Seq(Parts<Datum>),
    Record(Parts<(String, Datum)>),
    /// A function as pairs of an argument and its value.
    Function(Parts<(Datum, Datum)>),
    Set(Parts<Datum>),
    /// A value without a finite or reasonable tree, by its text: `Nat`, `[Nat -> BOOLEAN]`, `1..10000000`, or one that
    /// is too deep.
    Opaque(String),
}

impl Datum {
    /// The greatest depth of a value: a scalar is 1 deep, a set one more than its deepest element. A part that is
    /// deeper becomes [`Datum::Opaque`], so that no walk over a value goes deeper.
    pub const DEPTH_MAX: usize = 1000;

    pub fn int(value: impl Into<BigInt>) -> Self {
        Datum::Int(value.into())
    }

    pub fn string(text: impl Into<String>) -> Self {
        Datum::Str(text.into())
    }

    pub fn model(name: impl Into<String>) -> Self {
        Datum::Model(name.into())
    }

    /// Creates a tuple or a sequence of these items.
    pub fn seq(items: impl Into<Parts<Datum>>) -> Self {
        Datum::Seq(items.into())
    }

    /// Creates a set of these elements, which must differ from one another.
    pub fn set(elements: impl Into<Parts<Datum>>) -> Self {
        Datum::Set(elements.into())
    }

    /// Creates a function from pairs of an argument and its value.
    pub fn function(pairs: impl Into<Parts<(Datum, Datum)>>) -> Self {
        Datum::Function(pairs.into())
    }

    /// Creates a record from names and values.
    pub fn record<N: Into<String>>(fields: impl IntoIterator<Item = (N, Datum)>) -> Self {
        Datum::Record(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

/// Equality by meaning: a set has no order, and a function is its graph, in any form.
impl PartialEq for Datum {
    fn eq(&self, other: &Datum) -> bool {
        with_stack(|| is_same(self, other))
    }
}

impl Eq for Datum {}

/// Compares in order as long as that decides, and sorts only if it does not.
fn is_same(left: &Datum, right: &Datum) -> bool {
    match left {
        Datum::Bool(value) => matches!(right, Datum::Bool(other) if value == other),
        Datum::Int(value) => matches!(right, Datum::Int(other) if value == other),
        Datum::Str(text) => matches!(right, Datum::Str(other) if text == other),
        Datum::Model(name) => matches!(right, Datum::Model(other) if name == other),
        Datum::Opaque(text) => matches!(right, Datum::Opaque(other) if text == other),
        Datum::Set(lefts) => matches!(right, Datum::Set(rights) if lefts.len() == rights.len()
            && (lefts == rights || SortKey::of(left) == SortKey::of(right))),
        Datum::Seq(_) | Datum::Record(_) | Datum::Function(_) => is_same_function(left, right),
    }
}

/// Compares two values of which `left` is a function.
fn is_same_function(left: &Datum, right: &Datum) -> bool {
    match (left, right) {
        (Datum::Seq(lefts), Datum::Seq(rights)) => lefts == rights,
        (Datum::Record(lefts), Datum::Record(rights)) => {
            lefts.is_shared_with(rights) || is_same_graph(left, lefts, right, rights)
        }
        (Datum::Function(lefts), Datum::Function(rights)) => {
            lefts.is_shared_with(rights) || is_same_graph(left, lefts, right, rights)
        }
        _ => left.function_len() == right.function_len() && SortKey::of(left) == SortKey::of(right),
    }
}

/// Compares two functions of the same form by their pairs.
fn is_same_graph<A: PartialEq>(
    left: &Datum,
    lefts: &[(A, Datum)],
    right: &Datum,
    rights: &[(A, Datum)],
) -> bool {
    if lefts.len() != rights.len() {
        return false;
    }
    let mut pairs = lefts.iter().zip(rights);
    if pairs.clone().all(|((left, _), (right, _))| left == right) {
        return pairs.all(|((_, left), (_, right))| left == right);
    }
    SortKey::of(left) == SortKey::of(right)
}

impl Datum {
    /// Returns the address of the parts of a value, which other values may share.
    pub(crate) fn address(&self) -> Option<usize> {
        match self {
            Datum::Seq(parts) | Datum::Set(parts) if !parts.is_empty() => Some(parts.as_ptr().addr()),
            Datum::Record(fields) if !fields.is_empty() => Some(fields.as_ptr().addr()),
            Datum::Function(pairs) if !pairs.is_empty() => Some(pairs.as_ptr().addr()),
            Datum::Seq(_) | Datum::Set(_) | Datum::Record(_) | Datum::Function(_) => None,
            Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) | Datum::Opaque(_) => None,
        }
    }

    /// Returns the number of arguments of a function in any form.
    fn function_len(&self) -> Option<usize> {
        match self {
            Datum::Seq(items) => Some(items.len()),
            Datum::Record(fields) => Some(fields.len()),
            Datum::Function(pairs) => Some(pairs.len()),
            Datum::Bool(_) | Datum::Int(_) | Datum::Str(_) | Datum::Model(_) => None,
            Datum::Set(_) | Datum::Opaque(_) => None,
        }
    }
}

/// A value in one form for each meaning, for sorting and lookup. The order has no meaning.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum SortKey<'a> {
    Bool(bool),
    Int(i64),
    BigInt(&'a BigInt),
    Str(&'a str),
    Model(&'a str),
    /// Sorted.
    Graph(Vec<(SortKey<'a>, SortKey<'a>)>),
    /// Sorted.
    Set(Vec<SortKey<'a>>),
    Opaque(&'a str),
}

impl<'a> SortKey<'a> {
    pub(crate) fn of(datum: &'a Datum) -> Self {
        with_stack(|| match datum {
            Datum::Bool(value) => SortKey::Bool(*value),
            Datum::Int(value) => i64::try_from(value).map_or(SortKey::BigInt(value), SortKey::Int),
            Datum::Str(text) => SortKey::Str(text),
            Datum::Model(name) => SortKey::Model(name),
            Datum::Opaque(text) => SortKey::Opaque(text),
            Datum::Seq(items) => SortKey::graph((1..).map(SortKey::Int).zip(items)),
            Datum::Record(fields) => {
                SortKey::graph(fields.iter().map(|(name, value)| (SortKey::Str(name), value)))
            }
            Datum::Function(pairs) => {
                SortKey::graph(pairs.iter().map(|(arg, value)| (SortKey::of(arg), value)))
            }
            Datum::Set(elements) => {
                let mut keys: Vec<SortKey<'a>> = elements.iter().map(SortKey::of).collect();
                keys.sort();
                SortKey::Set(keys)
            }
        })
    }

    fn graph(pairs: impl Iterator<Item = (SortKey<'a>, &'a Datum)>) -> Self {
        let mut keys: Vec<_> = pairs.map(|(arg, value)| (arg, SortKey::of(value))).collect();
        keys.sort();
        SortKey::Graph(keys)
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::Datum;

    fn int(value: i64) -> Datum {
        Datum::int(value)
    }

    #[test]
    fn a_function_is_its_graph_whatever_its_form() {
        let tuple = Datum::seq(vec![int(5), int(6)]);
        let pairs = Datum::function(vec![(int(2), int(6)), (int(1), int(5))]);
        assert_eq!(tuple, pairs);
        let record = Datum::record([("a", int(1)), ("b", int(2))]);
        let turned = Datum::record([("b", int(2)), ("a", int(1))]);
        let graph = Datum::function(vec![(Datum::string("b"), int(2)), (Datum::string("a"), int(1))]);
        assert!(record == turned && record == graph && tuple != record);
        assert_eq!(Datum::seq(vec![]), Datum::record::<String>([]));
        assert_ne!(Datum::seq(vec![]), Datum::set(vec![]));
    }

    #[test]
    fn sets_have_no_order() {
        let inner = |items: [i64; 2]| Datum::set(items.map(int).to_vec());
        let left = Datum::set(vec![inner([1, 2]), inner([3, 4])]);
        let right = Datum::set(vec![inner([4, 3]), inner([2, 1])]);
        assert_eq!(left, right);
        assert_ne!(left, Datum::set(vec![inner([4, 3]), inner([2, 5])]));
    }

    #[test]
    fn kinds_are_kept_apart() {
        let big: BigInt = BigInt::from(u64::MAX) * 2;
        let all = [
            Datum::Bool(true),
            int(1),
            Datum::Int(big),
            Datum::string("a"),
            Datum::model("a"),
            Datum::Opaque("a".to_owned()),
            Datum::set(vec![]),
            Datum::seq(vec![]),
        ];
        for (at, left) in all.iter().enumerate() {
            for (other, right) in all.iter().enumerate() {
                assert_eq!(left == right, at == other, "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn deep_values_are_compared() {
        let deep = || (1..Datum::DEPTH_MAX).fold(int(1), |inner, _| Datum::set(vec![inner, int(0)]));
        assert_eq!(deep(), deep());
    }
}
