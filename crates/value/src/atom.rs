//! Atoms: strings and model values, by spelling, with their rank in the normal order.
//!
//! There is one table for the process, which only grows. So an [`Atom`] is a plain number, and any worker can read its
//! spelling without a lock. An [`Atoms`] is the view of one specification: which spellings it has, and in which order
//! they first occurred.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use base::FxHashMap;

use crate::segments::Segments;

/// A string or a model value. The same spelling as a string and as a model value are two atoms.
///
/// `Ord` is not implemented: atoms are ranked by [`Atom::rank_cmp`], which is not the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(u32);

/// Bit 0: whether it is a model value. Bit 1: whether it was made while running. Bit 2: whether its spelling gives a
/// model value a type. The rest: the index in the table.
const MODEL_BIT: u32 = 1;
const RUN_TIME_BIT: u32 = 2;
pub(crate) const TYPED_BIT: u32 = 4;
const INDEX_SHIFT: u32 = 3;
/// Number of bits of an atom, which must fit beside the other tags of a `ValueId`.
pub(crate) const ATOM_BITS: u32 = 29;
const INDEX_MAX: usize = (1 << (ATOM_BITS - INDEX_SHIFT)) - 1;

impl Atom {
    #[inline]
    pub fn is_string(self) -> bool {
        self.0 & MODEL_BIT == 0
    }

    /// Whether it can be compared only with atoms of its own type: comparing it with others is an error.
    #[inline]
    pub fn is_typed(self) -> bool {
        self.0 & TYPED_BIT != 0
    }

    #[inline]
    pub fn is_model_value(self) -> bool {
        self.0 & MODEL_BIT != 0
    }

    /// Returns the model value with the spelling of this atom.
    pub fn as_model_value(self) -> Atom {
        Atom(self.0 | MODEL_BIT)
    }

    /// Returns the string with the spelling of this atom.
    pub fn as_string(self) -> Atom {
        Atom(self.0 & !MODEL_BIT)
    }

    pub fn text(self) -> &'static str {
        self.entry().text
    }

    /// Returns the type of a typed model value: `A_x` has type `A`, `A_` and `x` have none. Strings have no type.
    #[inline]
    pub fn model_type(self) -> Option<char> {
        if self.0 & (MODEL_BIT | TYPED_BIT) == MODEL_BIT | TYPED_BIT { self.entry().letter } else { None }
    }

    /// Whether both are strings, or both model values without a type: comparing them cannot be refused.
    #[inline]
    pub(crate) fn is_like(self, other: Atom) -> bool {
        let typed_model = |atom: Atom| atom.0 & (MODEL_BIT | TYPED_BIT) == MODEL_BIT | TYPED_BIT;
        (self.0 ^ other.0) & MODEL_BIT == 0 && !typed_model(self) && !typed_model(other)
    }

    /// Returns the table of the specification that this atom belongs to.
    pub fn atoms(self) -> &'static Atoms {
        self.entry().atoms
    }

    /// Whether it may stand before `|->` or after a dot. Records with other field names print as functions.
    pub fn is_identifier(self) -> bool {
        self.entry().is_identifier
    }

    /// Compares positions in the normal order among atoms of the same sort. Spellings of the specification come first,
    /// by first occurrence. Spellings made while running follow, by content, whichever worker made them first.
    #[inline]
    pub fn rank_cmp(self, other: Atom) -> Ordering {
        if (self.0 | other.0) & RUN_TIME_BIT == 0 {
            return (self.0 >> INDEX_SHIFT).cmp(&(other.0 >> INDEX_SHIFT));
        }
        self.rank_cmp_slow(other)
    }

    #[cold]
    fn rank_cmp_slow(self, other: Atom) -> Ordering {
        let run_time = |atom: Atom| atom.0 & RUN_TIME_BIT != 0;
        run_time(self).cmp(&run_time(other)).then_with(|| self.text().cmp(other.text()))
    }

    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Makes an atom of bits that came from [`Atom::bits`].
    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Atom {
        Atom(bits)
    }

    /// Returns the number of its spelling, whether as a string or as a model value.
    pub(crate) fn index(self) -> u32 {
        self.0 >> INDEX_SHIFT
    }

    /// Returns the atom of this spelling, if there is one.
    pub(crate) fn of_index(index: u64, is_model_value: bool) -> Option<Atom> {
        let entry = TABLE.entries.get(usize::try_from(index).ok().filter(|&index| index <= INDEX_MAX)?)?;
        let typed = if entry.letter.is_some() { TYPED_BIT } else { 0 };
        Some(Atom((index as u32) << INDEX_SHIFT | typed | entry.birth_bit | u32::from(is_model_value)))
    }

    fn entry(self) -> &'static AtomEntry {
        TABLE.entries.get((self.0 >> INDEX_SHIFT) as usize).expect("an atom's number comes from `push`")
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_string() { write!(f, "{:?}", self.text()) } else { f.write_str(self.text()) }
    }
}

struct AtomEntry {
    text: &'static str,
    letter: Option<char>,
    is_identifier: bool,
    /// Either `RUN_TIME_BIT` or 0.
    birth_bit: u32,
    atoms: &'static Atoms,
}

/// The spellings of one specification. Lives forever; a process makes one for each specification that it loads.
///
/// All spellings of the text are declared before anything is evaluated: a spelling that is first met while running
/// keeps the rank of one made while running.
#[derive(Default)]
pub struct Atoms {
    by_text: Mutex<FxHashMap<&'static str, Atom>>,
}

impl Atoms {
    pub fn new() -> &'static Atoms {
        Box::leak(Box::default())
    }

    /// Returns the string of this spelling, ranked after all that were declared before. Its model value has the same
    /// rank.
    pub fn declare(&'static self, text: &str) -> Atom {
        self.get_or_add(text, 0)
    }

    /// Returns the string of this spelling. It counts as made while running unless the specification has it.
    pub fn string(&'static self, text: &str) -> Atom {
        self.get_or_add(text, RUN_TIME_BIT)
    }

    fn get_or_add(&'static self, text: &str, bit: u32) -> Atom {
        let mut by_text = self.by_text.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&atom) = by_text.get(text) {
            return atom;
        }
        let text: &'static str = Box::leak(text.into());
        let index = TABLE.push(AtomEntry {
            text,
            letter: type_letter(text),
            is_identifier: is_identifier(text),
            birth_bit: bit,
            atoms: self,
        });
        let typed = if type_letter(text).is_some() { TYPED_BIT } else { 0 };
        let atom = Atom((index as u32) << INDEX_SHIFT | typed | bit);
        by_text.insert(text, atom);
        atom
    }
}

impl fmt::Debug for Atoms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Atoms")
    }
}

/// Returns the type of a name. TLC: a name longer than two characters with `_` in second place has its first character
/// as type (contract 1.5).
fn type_letter(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next()?;
    (chars.next() == Some('_') && chars.next().is_some()).then_some(first)
}

/// Whether a text is an identifier of TLA+: letters, digits and `_`, with at least one letter.
fn is_identifier(text: &str) -> bool {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// All atoms of the process.
struct AtomTable {
    entries: Segments<AtomEntry, 1024>,
    len: Mutex<usize>,
}

static TABLE: AtomTable = AtomTable { entries: Segments::new(), len: Mutex::new(0) };

impl AtomTable {
    fn push(&self, entry: AtomEntry) -> usize {
        let mut len = self.len.lock().unwrap_or_else(PoisonError::into_inner);
        let index = *len;
        assert!(index <= INDEX_MAX, "more than {INDEX_MAX} strings");
        self.entries.set(index, entry);
        *len += 1;
        index
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::Atoms;

    #[test]
    fn declared_atoms_rank_by_first_occurrence_and_the_rest_by_content() {
        let atoms = Atoms::new();
        let (z, a) = (atoms.declare("z"), atoms.declare("a"));
        let (y, b) = (atoms.string("y"), atoms.string("b"));
        let ranked = [z, a, b, y];
        for (i, left) in ranked.iter().enumerate() {
            for (j, right) in ranked.iter().enumerate() {
                assert_eq!(left.rank_cmp(*right), i.cmp(&j), "{left:?} {right:?}");
            }
        }
        assert_eq!(atoms.string("z"), z);
        assert_eq!(atoms.declare("y"), y, "too late to be ranked by occurrence");
    }

    #[test]
    fn a_string_and_a_model_value_of_one_spelling_differ_and_share_a_rank() {
        let atoms = Atoms::new();
        let string = atoms.declare("a_b");
        let model = string.as_model_value();
        assert!(string != model && model.as_string() == string);
        assert_eq!(string.rank_cmp(model), Ordering::Equal);
        assert_eq!((string.model_type(), model.model_type()), (None, Some('a')));
    }

    #[test]
    fn type_letters_need_something_after_the_underscore() {
        for (text, letter) in [("A_x", Some('A')), ("A_", None), ("_A", None), ("AB_x", None), ("", None)] {
            assert_eq!(Atoms::new().declare(text).as_model_value().model_type(), letter, "{text}");
        }
    }
}
