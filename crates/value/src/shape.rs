//! Shapes: the field names of a record, in normal order, as one number. Equal field sets have equal shapes.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use base::{FxBuildHasher, FxHashMap};

use crate::segments::Segments;
use crate::{Atom, Constant, Items, Value};

/// The sorted field names of a record. Compare it with a cached one to know a field's position at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape(u32);

impl Shape {
    /// Returns the shape with these fields, in any order. Returns `None` when one occurs twice or is not a string.
    pub fn new(fields: &[Atom]) -> Option<Shape> {
        let mut sorted: Vec<Atom> = fields.to_vec();
        sorted.sort_by(|left, right| left.rank_cmp(*right));
        let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        (distinct && sorted.iter().all(|atom| atom.is_string())).then(|| Shape::intern(&sorted))
    }

    /// Returns the shape with these fields, which are strings in normal order without repetition.
    pub(crate) fn of_sorted(fields: &[Atom]) -> Shape {
        debug_assert!(fields.windows(2).all(|pair| pair[0].rank_cmp(pair[1]).is_lt()));
        Shape::intern(fields)
    }

    /// Returns the shape of records whose domain has these elements: strings in normal order, as in a set.
    pub(crate) fn of_items(strings: Items<'_>) -> Shape {
        thread_local! {
            /// The shapes last used by this thread, by first field: most functions on strings have one of a few
            /// domains.
            static RECENT: RefCell<[Option<Shape>; N_RECENT]> = const { RefCell::new([None; N_RECENT]) };
        }
        let field = |value: Value<'_>| value.as_string().expect("the domain of a record has strings only");
        let is_for = |shape: &Shape| {
            let fields = shape.fields();
            fields.len() == strings.len()
                && fields.iter().zip(strings).all(|(other, string)| *other == field(string))
        };
        let slot = (field(strings.get(0)).bits() >> 3) as usize % N_RECENT;
        RECENT.with_borrow_mut(|recent| match recent[slot].filter(is_for) {
            Some(shape) => shape,
            None => {
                let fields: Vec<Atom> = strings.iter().map(field).collect();
                *recent[slot].insert(Shape::of_sorted(&fields))
            }
        })
    }

    #[inline]
    pub fn fields(self) -> &'static [Atom] {
        self.entry().fields
    }

    /// Returns `DOMAIN r` for records of this shape.
    pub fn domain(self) -> Value<'static> {
        let entry = self.entry();
        entry.domain.get_or_init(|| Constant::strings(entry.fields)).get()
    }

    #[expect(clippy::len_without_is_empty, reason = "a record has fields: the empty function is `<<>>`")]
    #[inline]
    pub fn len(self) -> usize {
        self.fields().len()
    }

    /// Returns the position of the value of this field among the values.
    #[inline]
    pub fn position(self, field: Atom) -> Option<usize> {
        self.fields().iter().position(|&other| other == field)
    }

    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Makes a shape of bits that came from [`Shape::bits`].
    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Shape {
        Shape(bits)
    }

    /// Returns the shape with this number, if there is one.
    pub(crate) fn of_number(number: u64) -> Option<Shape> {
        let number = u32::try_from(number).ok()?;
        TABLE.entries.get(number as usize).map(|_| Shape(number))
    }

    #[inline]
    fn entry(self) -> &'static ShapeEntry {
        TABLE.entries.get(self.0 as usize).expect("a shape's number comes from `intern`")
    }

    fn intern(fields: &[Atom]) -> Shape {
        let mut by_fields = TABLE.by_fields.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&shape) = by_fields.get(fields) {
            return shape;
        }
        let fields: &'static [Atom] = Box::leak(fields.into());
        let shape = Shape(u32::try_from(by_fields.len()).expect("fewer than 2^32 shapes"));
        TABLE.entries.set(by_fields.len(), ShapeEntry { fields, domain: OnceLock::new() });
        by_fields.insert(fields, shape);
        shape
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fields()).finish()
    }
}

const N_RECENT: usize = 8;

struct ShapeEntry {
    fields: &'static [Atom],
    /// The set of the fields, made when first needed.
    domain: OnceLock<Constant>,
}

/// All shapes of the process.
struct ShapeTable {
    entries: Segments<ShapeEntry, 1024>,
    by_fields: Mutex<FxHashMap<&'static [Atom], Shape>>,
}

static TABLE: ShapeTable =
    ShapeTable { entries: Segments::new(), by_fields: Mutex::new(FxHashMap::with_hasher(FxBuildHasher)) };

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
