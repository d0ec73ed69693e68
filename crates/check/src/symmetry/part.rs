//! A value on the way to a representative: what is known of interned ones is found by their ids.

use value::{Ground, Interner, Value, ValueId};

#[derive(Clone, Copy)]
pub(crate) enum Part<'r> {
    Known(ValueId),
    /// Not interned: most such values are never met again, and interning them would keep them for ever.
    New(Value<'r>),
}

impl<'r> Part<'r> {
    /// A part of a value: known if it is an interned object, or needs none.
    pub fn of(value: Value<'r>) -> Part<'r> {
        Interner::shared().id_of(value).map_or(Part::New(value), Part::Known)
    }

    /// A value that may have been met elsewhere.
    pub fn met(value: Value<'r>) -> Part<'r> {
        let id = Ground::opt(value).and_then(|ground| Interner::shared().find(ground));
        id.map_or(Part::New(value), Part::Known)
    }

    pub fn value(self) -> Value<'r> {
        match self {
            Part::Known(id) => Interner::shared().value(id),
            Part::New(value) => value,
        }
    }

    pub fn id(self) -> Option<ValueId> {
        match self {
            Part::Known(id) => Some(id),
            Part::New(_) => None,
        }
    }
}
