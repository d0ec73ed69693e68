//! Values as traces hold them.

use base::FxHashMap;
use eval::Owned;
use eval::interp::{Machine, SavedValue};
use trace::{Datum, Parts};
use value::{Interner, Value, ValueId, View, ops};

use crate::ground::{Side, values_of};

/// A value as traces hold it.
pub fn datum(value: Value<'_>) -> Datum {
    Data::default().datum(value)
}

/// Makes data of the values of many states. What several states have is made once, and shared by them: a long behaviour takes
/// as much memory as its steps change.
#[derive(Debug, Default)]
pub struct Data {
    known: FxHashMap<ValueId, Made>,
    /// Size in bytes; a shared part counts once.
    n_bytes: usize,
}

#[derive(Clone, Debug)]
struct Made {
    datum: Datum,
    /// Number of its levels, or [`CUT`].
    height: usize,
    /// Approximate number of bytes that it takes by itself.
    size: usize,
}

/// The height of what was cut off because it lies too deep: it cannot stand anywhere else.
const CUT: usize = usize::MAX / 2;

impl Data {
    /// A value as traces hold it.
    pub fn datum(&mut self, value: Value<'_>) -> Datum {
        self.at_depth(value, 1).datum
    }

    /// A value as traces hold it, and about how many bytes it takes where nothing is shared, as in a text.
    pub fn datum_and_size(&mut self, value: Value<'_>) -> (Datum, usize) {
        let made = self.at_depth(value, 1);
        (made.datum, made.size)
    }

    /// How many bytes all data take that were made so far, about.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// A value inside others: no deeper than [`Datum::DEPTH_MAX`], the rest as text.
    fn at_depth(&mut self, value: Value<'_>, depth: usize) -> Made {
        let id = Interner::shared().id_of(value).filter(|id| id.is_object());
        let known = id.and_then(|id| self.known.get(&id));
        if let Some(known) = known.filter(|known| depth + known.height <= Datum::DEPTH_MAX + 1) {
            return known.clone();
        }
        if depth >= Datum::DEPTH_MAX && !is_scalar(value) {
            let text = value::print_raw(value);
            return Made { height: CUT, size: text.len(), datum: Datum::Opaque(text) };
        }
        let mut level = Level { data: self, depth: depth + 1, height: 0, size: 0 };
        let datum = base::with_stack(|| level.datum(value));
        let (height, size) = (level.height + 1, level.size.saturating_add(PART_BYTES));
        let made = Made { datum, height, size };
        if let Some(id) = id.filter(|_| height < CUT) {
            self.known.insert(id, made.clone());
        }
        made
    }
}

/// One level of a value while it is made.
struct Level<'d> {
    data: &'d mut Data,
    /// The depth of the parts.
    depth: usize,
    /// The height of the highest part so far.
    height: usize,
    /// The size of all parts so far.
    size: usize,
}

impl Level<'_> {
    fn datum(&mut self, value: Value<'_>) -> Datum {
        match value.view() {
            View::Bool(value) => Datum::Bool(value),
            View::Int(value) => Datum::int(value),
            View::BigInt(value) => Datum::Int(value),
            View::String(atom) => Datum::string(self.text(atom.text())),
            View::ModelValue(atom) => Datum::model(self.text(atom.text())),
            View::Sequence(items) => Datum::Seq(self.all(items.iter(), Self::part)),
            View::Set { elements, .. } => Datum::Set(self.all(elements.iter(), Self::part)),
            View::Record(shape, items) => {
                let fields = shape.fields().iter().zip(items.iter());
                Datum::Record(
                    self.all(fields, |level, (name, item)| (level.text(name.text()), level.part(item))),
                )
            }
            View::Function(domain, items) => self.function(value, domain, items.iter()),
            View::Interval(first, last) if last - first < INTERVAL_LEN_MAX => {
                Datum::Set(self.all(first..=last, |_, number| Datum::int(number)))
            }
            View::Interval(..)
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
            | View::Anything => Datum::Opaque(self.text(&value::print_raw(value))),
        }
    }

    fn function<'r>(
        &mut self,
        function: Value<'r>,
        domain: Value<'r>,
        items: impl Iterator<Item = Value<'r>>,
    ) -> Datum {
        match (domain.as_interval(), domain.as_normal_set()) {
            (Some((first, last)), _) => Datum::Function(
                self.all((first..=last).zip(items), |level, (key, item)| (Datum::int(key), level.part(item))),
            ),
            (None, Some(keys)) => Datum::Function(
                self.all(keys.iter().zip(items), |level, (key, item)| (level.part(key), level.part(item))),
            ),
            (None, None) => Datum::Opaque(self.text(&value::print_raw(function))),
        }
    }

    fn text(&mut self, text: &str) -> String {
        self.size = self.size.saturating_add(text.len());
        self.data.n_bytes += text.len();
        text.to_owned()
    }

    fn part(&mut self, value: Value<'_>) -> Datum {
        let made = self.data.at_depth(value, self.depth);
        self.height = self.height.max(made.height);
        self.size = self.size.saturating_add(made.size);
        made.datum
    }

    fn all<S, T>(
        &mut self,
        items: impl Iterator<Item = S>,
        mut part: impl FnMut(&mut Self, S) -> T,
    ) -> Parts<T> {
        let parts: Parts<T> = items.map(|item| part(self, item)).collect();
        self.data.n_bytes += PARTS_BYTES + parts.len() * size_of::<T>();
        parts
    }
}

/// About what a part takes in a text besides its own parts.
const PART_BYTES: usize = 8;
/// About what parts take besides themselves, with the entry that makes them known.
const PARTS_BYTES: usize = 96;

fn is_scalar(value: Value<'_>) -> bool {
    matches!(
        value.view(),
        View::Bool(_) | View::Int(_) | View::BigInt(_) | View::String(_) | View::ModelValue(_)
    )
}

/// A longer interval is shown by its bounds.
const INTERVAL_LEN_MAX: i64 = 1_000;

/// A value that was kept for a message.
pub fn saved_datum(told: &SavedValue) -> Datum {
    match told {
        SavedValue::Value(value) => convert_owned(value, 1),
        SavedValue::Printed(text) => Datum::Opaque(text.clone()),
    }
}

/// Converts an owned value, no deeper than a datum may be.
fn convert_owned(value: &Owned, depth: usize) -> Datum {
    if depth >= Datum::DEPTH_MAX {
        return Datum::Opaque("...".to_owned());
    }
    base::with_stack(|| owned_level(value, depth + 1))
}

/// `depth` is that of the parts.
fn owned_level(value: &Owned, depth: usize) -> Datum {
    let all = |items: &[Owned]| items.iter().map(|item| convert_owned(item, depth)).collect();
    match value {
        Owned::Bool(value) => Datum::Bool(*value),
        Owned::Int(value) => Datum::int(*value),
        Owned::BigInt(value) => Datum::Int(value.clone()),
        Owned::Atom(atom) if atom.is_string() => Datum::string(atom.text()),
        Owned::Atom(atom) => Datum::model(atom.text()),
        Owned::Text(text) => Datum::string(text.as_str()),
        Owned::Set(items) => Datum::Set(all(items)),
        Owned::Interval(first, last) if last - first < INTERVAL_LEN_MAX => {
            Datum::Set((*first..=*last).map(Datum::int).collect())
        }
        Owned::Interval(first, last) => Datum::Opaque(format!("{first}..{last}")),
        Owned::Sequence(items) => Datum::Seq(all(items)),
        Owned::Function(pairs) => Datum::Function(
            pairs
                .iter()
                .map(|(key, value)| (convert_owned(key, depth), convert_owned(value, depth)))
                .collect(),
        ),
    }
}

/// The values of a state of the machine, as traces hold them.
pub fn state_data(machine: &mut Machine<'_, '_>, side: Side) -> Vec<Option<Datum>> {
    let values = values_of(machine, side).to_vec().into_iter();
    values.map(|value| value.map(|value| datum(ops::force(machine, value).unwrap_or(value)))).collect()
}
