//! A value on the way to a representative: what is known of interned ones is found by their ids.

use value::{Ground, Interner, Value, ValueId};

#[derive(Clone, Copy)]
pub(crate) enum OrbitPart<'r> {
    Known(ValueId),
    /// Not interned: most such values are never met again, and interning them would keep them for ever.
    New(Value<'r>),
}

impl<'r> OrbitPart<'r> {
    /// A part of a value: known if it is an interned object, or needs none.
    pub fn of(value: Value<'r>) -> OrbitPart<'r> {
        Interner::shared().id_of(value).map_or(OrbitPart::New(value), OrbitPart::Known)
    }

    /// A value that may have been met elsewhere.
    pub fn find(value: Value<'r>) -> OrbitPart<'r> {
        let id = Ground::opt(value).and_then(|ground| Interner::shared().find(ground));
        id.map_or(OrbitPart::New(value), OrbitPart::Known)
    }

    pub fn value(self) -> Value<'r> {
        match self {
            OrbitPart::Known(id) => Interner::shared().value(id),
            OrbitPart::New(value) => value,
        }
    }

    pub fn id(self) -> Option<ValueId> {
        match self {
            OrbitPart::Known(id) => Some(id),
            OrbitPart::New(_) => None,
        }
    }
}
