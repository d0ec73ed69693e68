//! Shapes: the field names of a record, in normal order, as one number. Equal field sets have equal shapes.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use base::FxHashMap;

use crate::Atom;

/// The sorted field names of a record. Compare it with a cached one to know a field's position at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape(u32);

impl Shape {
    /// The shape with these fields, in any order. `None` when one occurs twice or is not a string.
    pub fn new(fields: &[Atom]) -> Option<Shape> {
        let mut sorted: Vec<Atom> = fields.to_vec();
        sorted.sort_by(|left, right| left.rank_cmp(*right));
        let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        (distinct && sorted.iter().all(|atom| atom.is_string())).then(|| Shape::intern(&sorted))
    }

    /// The shape with these fields, which are strings in normal order without repetition.
    pub(crate) fn of_sorted(fields: &[Atom]) -> Shape {
        debug_assert!(fields.windows(2).all(|pair| pair[0].rank_cmp(pair[1]).is_lt()));
        Shape::intern(fields)
    }

    pub fn fields(self) -> &'static [Atom] {
        table().get(self.0 as usize)
    }

    #[expect(clippy::len_without_is_empty, reason = "a record has fields: the empty function is `<<>>`")]
    pub fn len(self) -> usize {
        self.fields().len()
    }

    /// Where the value of this field stands among the values.
    #[inline]
    pub fn position(self, field: Atom) -> Option<usize> {
        self.fields().iter().position(|&other| other == field)
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Only for bits that came from [`Shape::bits`].
    pub(crate) fn from_bits(bits: u32) -> Shape {
        Shape(bits)
    }

    fn intern(fields: &[Atom]) -> Shape {
        let mut by_fields = table().by_fields.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&shape) = by_fields.get(fields) {
            return shape;
        }
        let fields: &'static [Atom] = Box::leak(fields.into());
        let shape = Shape(u32::try_from(by_fields.len()).expect("fewer than 2^32 shapes"));
        table().set(by_fields.len(), fields);
        by_fields.insert(fields, shape);
        shape
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fields()).finish()
    }
}

const FIRST_SEGMENT: usize = 64;
const N_SEGMENTS: usize = 26;

/// Segment `n` holds `FIRST_SEGMENT << n` shapes and never moves, so that reading needs no lock.
struct Table {
    segments: [OnceLock<Box<[OnceLock<&'static [Atom]>]>>; N_SEGMENTS],
    by_fields: Mutex<FxHashMap<&'static [Atom], Shape>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table {
        segments: [const { OnceLock::new() }; N_SEGMENTS],
        by_fields: Mutex::new(FxHashMap::default()),
    })
}

impl Table {
    fn place(index: usize) -> (usize, usize) {
        let segment = (index / FIRST_SEGMENT + 1).ilog2() as usize;
        (segment, index - (FIRST_SEGMENT << segment) + FIRST_SEGMENT)
    }

    fn get(&self, index: usize) -> &'static [Atom] {
        let (segment, offset) = Self::place(index);
        let fields = self.segments[segment].get().and_then(|fields| fields[offset].get());
        fields.expect("a shape's number comes from `intern`")
    }

    fn set(&self, index: usize, fields: &'static [Atom]) {
        let (segment, offset) = Self::place(index);
        let make = || (0..FIRST_SEGMENT << segment).map(|_| OnceLock::new()).collect();
        let is_free = self.segments[segment].get_or_init(make)[offset].set(fields).is_ok();
        debug_assert!(is_free, "shapes are numbered one after the other");
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;
    use crate::Atoms;

    #[test]
    fn field_order_does_not_matter() {
        let atoms = Atoms::new();
        let (b, a) = (atoms.declare("b"), atoms.declare("a"));
        let shape = Shape::new(&[a, b]).unwrap();
        assert_eq!(Shape::new(&[b, a]), Some(shape));
        assert_eq!(shape.fields(), [b, a], "normal order is order of occurrence");
        assert_eq!((shape.position(a), shape.position(atoms.declare("c"))), (Some(1), None));
        assert_eq!(Shape::new(&[a, a]), None);
        assert_eq!(Shape::new(&[a.as_model_value()]), None);
    }
}
