//! Collects values one by one in a region; the vector becomes the object, without a copy.
#![expect(unsafe_code, reason = "writes the words of an object before it is complete")]

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Range;

use super::items::Items;
use super::object::{FunctionKind, GROUND, HEADER_WORDS, NORMAL, ObjectKind, RegionHeader};
use super::region::Region;
use super::word::Value;
use crate::Shape;
use crate::ops::is_large;

/// Room for the largest prefix of an object that a vector can become: a shape or a domain.
const RESERVED: usize = HEADER_WORDS + 1;
const FIRST_CAPACITY: usize = 8;

/// A growing list of values in a region.
///
/// Invariant: `RESERVED + capacity` words at `start` belong to this vector; the first `len` of those after
/// `RESERVED` are value words that live for `'r`.
pub struct ValueVec<'r> {
    region: &'r Region,
    start: usize,
    len: usize,
    capacity: usize,
    life: PhantomData<Value<'r>>,
}

impl<'r> ValueVec<'r> {
    pub fn new(region: &'r Region) -> ValueVec<'r> {
        ValueVec::with_capacity(region, FIRST_CAPACITY)
    }

    #[inline]
    pub fn with_capacity(region: &'r Region, capacity: usize) -> ValueVec<'r> {
        let start = region.alloc_words(RESERVED + capacity);
        ValueVec { region, start, len: 0, capacity, life: PhantomData }
    }

    pub fn from_slice(region: &'r Region, values: &[Value<'r>]) -> ValueVec<'r> {
        let vec = ValueVec::with_capacity(region, values.len());
        // SAFETY: `Value` has the representation of its word, there is room for all, and the memory is fresh.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr().cast::<u64>(), vec.words(), values.len()) };
        ValueVec { len: values.len(), ..vec }
    }

    pub fn from_items(region: &'r Region, items: Items<'r>) -> ValueVec<'r> {
        let mut vec = ValueVec::with_capacity(region, items.len());
        vec.extend_items(items);
        vec
    }

    /// Returns the function `f`, given by its graph, with another value at `index`.
    pub(crate) fn replace_value(
        region: &'r Region,
        f: Value<'r>,
        index: usize,
        value: Value<'r>,
    ) -> Value<'r> {
        let object = f.object().expect("a function is an object");
        let kind = object.kind();
        let prefix = match kind.function_kind() {
            Some(FunctionKind::Sequence) => None,
            Some(FunctionKind::Record) => Some(u64::from(object.shape().bits())),
            Some(FunctionKind::Graph) => Some(object.domain().word()),
            Some(FunctionKind::Lazy) | None => unreachable!("{f:?} is no graph"),
        };
        let mut vec = ValueVec::from_items(region, object.items());
        vec.as_mut_slice()[index] = value;
        let ground = match object.is_ground() {
            true => value.is_ground(),
            false => {
                vec.ground_flag() == GROUND
                    && prefix.is_none_or(|_| kind != ObjectKind::Function || object.domain().is_ground())
            }
        };
        vec.finish(kind, NORMAL | if ground { GROUND } else { 0 }, prefix)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn push(&mut self, value: Value<'r>) {
        if self.len == self.capacity {
            self.grow();
        }
        // SAFETY: `len < capacity`, and these words belong to this vector.
        unsafe { self.words().wrapping_add(self.len).write(value.word()) };
        self.len += 1;
    }

    pub fn extend(&mut self, values: impl IntoIterator<Item = Value<'r>>) {
        values.into_iter().for_each(|value| self.push(value));
    }

    /// Appends all items at once.
    pub fn extend_items(&mut self, items: Items<'r>) {
        while self.capacity - self.len < items.len() {
            self.grow();
        }
        match items.as_words() {
            Some(words) => {
                // SAFETY: there is room for `items.len()` words behind the first `len`. The source is another
                // object: this vector is not complete, so no `Items` can point into it.
                unsafe {
                    std::ptr::copy_nonoverlapping(words, self.words().wrapping_add(self.len), items.len())
                };
                self.len += items.len();
            }
            None => {
                let first = self.words().wrapping_add(self.len);
                let mut index = 0;
                let written = items.try_each(|item| {
                    // SAFETY: there is room for `items.len()` words behind the first `len`.
                    unsafe { first.wrapping_add(index).write(item.word()) };
                    index += 1;
                    Ok::<(), std::convert::Infallible>(())
                });
                let Ok(()) = written;
                self.len += items.len();
            }
        }
    }

    /// Appends a range of the items.
    pub fn extend_range(&mut self, items: Items<'r>, range: Range<usize>) {
        match items.as_tree() {
            Some(_) => self.extend(range.map(|index| items.get(index))),
            None => self.extend_items(items.slice(range.start, range.len())),
        }
    }

    pub fn as_slice(&self) -> &[Value<'r>] {
        // SAFETY: the first `len` words are value words, and `Value` has the representation of its word.
        unsafe { std::slice::from_raw_parts(self.words().cast::<Value<'r>>(), self.len) }
    }

    pub fn as_mut_slice(&mut self) -> &mut [Value<'r>] {
        // SAFETY: the first `len` words are value words, `Value` has the representation of its word, and the vector is
        // borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.words().cast::<Value<'r>>(), self.len) }
    }

    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Makes `<<e1, ..., en>>`.
    pub fn into_sequence(self) -> Value<'r> {
        if self.len == 0 {
            return self.drop_for(Value::empty_sequence());
        }
        let ground = self.ground_flag();
        self.finish(ObjectKind::Sequence, NORMAL | ground, None)
    }

    /// Makes `{e1, ..., en}`: in normal form at once if that cannot be refused, as for integers or strings.
    pub fn into_set(mut self) -> Value<'r> {
        if self.normalize_easily() {
            return self.into_normal_set();
        }
        self.finish(ObjectKind::Set, 0, None)
    }

    /// Makes a set whose elements are known to be distinct and in normal order, for example some of another set's.
    pub fn into_normal_set(self) -> Value<'r> {
        if self.len == 0 {
            return self.drop_for(Value::empty_set());
        }
        let ground = self.ground_flag();
        self.finish(ObjectKind::Set, NORMAL | ground, None)
    }

    /// Makes a record with one value for each field of the shape, in its order. Panics if there are more or fewer.
    pub fn into_record(self, shape: Shape) -> Value<'r> {
        assert_eq!(self.len, shape.len(), "one value for each field of {shape:?}");
        if self.len == 0 {
            return self.drop_for(Value::empty_sequence());
        }
        if is_large(self.len) {
            return self.into_function(shape.domain());
        }
        let ground = self.ground_flag();
        self.finish(ObjectKind::Record, NORMAL | ground, Some(u64::from(shape.bits())))
    }

    /// Makes a function that is neither a sequence nor a record, or a large record. `domain` is a set in normal form
    /// with as many elements as there are values, in the same order.
    pub(crate) fn into_function(self, domain: Value<'r>) -> Value<'r> {
        debug_assert!(self.len > 0);
        let ground = if domain.is_ground() { self.ground_flag() } else { 0 };
        self.finish(ObjectKind::Function, NORMAL | ground, Some(domain.word()))
    }

    fn ground_flag(&self) -> u8 {
        if self.as_slice().iter().all(|value| value.is_ground()) { GROUND } else { 0 }
    }

    /// Sorts and removes duplicates when all elements are integers in words, strings, booleans, or model values of one
    /// type.
    fn normalize_easily(&mut self) -> bool {
        let len = match self.as_mut_slice() {
            [] | [_] => return true,
            values if values.iter().all(|value| value.is_inline_int()) => {
                sort(values, |left, right| (left.word() as i64).cmp(&(right.word() as i64)))
            }
            values if are_comparable_atoms(values) => {
                sort(values, |left, right| match (left.as_atom(), right.as_atom()) {
                    (Some(left), Some(right)) => left.rank_cmp(right),
                    (_, _) => unreachable!("all are atoms"),
                })
            }
            values if values.iter().all(|value| value.as_bool().is_some()) => {
                sort(values, |left, right| left.word().cmp(&right.word()))
            }
            _ => return false,
        };
        self.len = len;
        true
    }

    fn words(&self) -> *mut u64 {
        std::ptr::with_exposed_provenance_mut::<u64>(self.start).wrapping_add(RESERVED)
    }

    fn end(&self) -> usize {
        self.start + (RESERVED + self.capacity) * size_of::<u64>()
    }

    #[cold]
    fn grow(&mut self) {
        let more = self.capacity.max(FIRST_CAPACITY);
        if self.region.extend(self.end(), more) {
            self.capacity += more;
            return;
        }
        let start = self.region.alloc_words(RESERVED + self.capacity + more);
        let from = self.words();
        self.start = start;
        self.capacity += more;
        // SAFETY: both places have room for `len` words, and the new one is fresh, so they do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(from, self.words(), self.len) };
    }

    /// Gives the memory back, because the object is not needed, and returns `value`.
    fn drop_for(self, value: Value<'r>) -> Value<'r> {
        self.region.give_back(self.start, self.end());
        value
    }

    /// Writes header and prefix in front of the words.
    fn finish(self, kind: ObjectKind, flags: u8, prefix: Option<u64>) -> Value<'r> {
        let len = u32::try_from(self.len).expect("an object has fewer than 2^32 children");
        let header = RegionHeader::new(kind, flags | self.region.birth_flags(), len);
        let used = self.start + (RESERVED + self.len) * size_of::<u64>();
        self.region.give_back(used, self.end());
        let n_before = HEADER_WORDS + usize::from(prefix.is_some());
        let place = self.words().wrapping_sub(n_before);
        // SAFETY: `RESERVED` words before the values belong to this vector.
        unsafe { place.cast::<RegionHeader>().write(header) };
        if let Some(word) = prefix {
            // SAFETY: the prefix is the last of the reserved words.
            unsafe { self.words().wrapping_sub(1).write(word) };
        }
        Value::from_object(place.expose_provenance())
    }
}

fn are_comparable_atoms(values: &[Value<'_>]) -> bool {
    let Some(first) = values[0].as_atom() else { return false };
    let like_first = |value: &Value<'_>| {
        value.as_atom().is_some_and(|atom| {
            atom.is_string() == first.is_string()
                && (atom.is_string() || atom.model_type() == first.model_type())
        })
    };
    values.iter().all(like_first)
}

/// Sorts and removes duplicates, and returns the number of values that are left.
fn sort<'r>(values: &mut [Value<'r>], compare: impl Fn(Value<'r>, Value<'r>) -> Ordering) -> usize {
    if !values.is_sorted_by(|left, right| compare(*left, *right).is_lt()) {
        values.sort_unstable_by(|left, right| compare(*left, *right));
    } else {
        return values.len();
    }
    let mut len = 1;
    for index in 1..values.len() {
        if !values[index].is_same(values[len - 1]) {
            values[len] = values[index];
            len += 1;
        }
    }
    len
}
