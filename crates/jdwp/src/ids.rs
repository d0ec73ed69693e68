//! Names that the machine gives to what it has. Their sizes differ from machine to machine; eight bytes hold each.

macro_rules! define_ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u64);
    )*};
}

define_ids! {
    /// A class, an interface or a type of arrays.
    ClassId
    /// A method of a class.
    MethodId
    /// A field of a class.
    FieldId
    /// An object; zero is `null`.
    ObjectId
    /// A frame of the stack of a suspended thread, until that goes on.
    FrameId
}

impl ObjectId {
    pub const NULL: ObjectId = ObjectId(0);
}

/// A thread, which is an object too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub ObjectId);

/// A request for events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(pub u32);

/// The kind of a type that is no primitive one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeTag {
    Class,
    Interface,
    Array,
}

impl TypeTag {
    pub(crate) fn of(byte: u8) -> Option<TypeTag> {
        Some(match byte {
            1 => TypeTag::Class,
            2 => TypeTag::Interface,
            3 => TypeTag::Array,
            _ => return None,
        })
    }

    pub(crate) fn byte(self) -> u8 {
        match self {
            TypeTag::Class => 1,
            TypeTag::Interface => 2,
            TypeTag::Array => 3,
        }
    }
}

/// A place in the code of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    pub tag: TypeTag,
    pub class: ClassId,
    pub method: MethodId,
    /// The position of the instruction.
    pub index: u64,
}
