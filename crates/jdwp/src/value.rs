//! Values of the machine.

use crate::ids::ObjectId;

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    Void,
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Object,
    Array,
    String,
    Thread,
    ThreadGroup,
    ClassLoader,
    ClassObject,
}

impl Tag {
    const ALL: [(u8, Tag); 16] = [
        (b'V', Tag::Void),
        (b'Z', Tag::Boolean),
        (b'B', Tag::Byte),
        (b'C', Tag::Char),
        (b'S', Tag::Short),
        (b'I', Tag::Int),
        (b'J', Tag::Long),
        (b'F', Tag::Float),
        (b'D', Tag::Double),
        (b'L', Tag::Object),
        (b'[', Tag::Array),
        (b's', Tag::String),
        (b't', Tag::Thread),
        (b'g', Tag::ThreadGroup),
        (b'l', Tag::ClassLoader),
        (b'c', Tag::ClassObject),
    ];

    pub(crate) fn of(byte: u8) -> Option<Tag> {
        Tag::ALL.iter().find(|(known, _)| *known == byte).map(|(_, tag)| *tag)
    }

    pub(crate) fn byte(self) -> u8 {
        Tag::ALL.iter().find(|(_, tag)| *tag == self).map_or(b'V', |(byte, _)| *byte)
    }
}

/// A value: a primitive one, or a reference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Void,
    Boolean(bool),
    Byte(i8),
    /// A unit of UTF-16.
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Object(Tag, ObjectId),
}

impl Value {
    /// Returns the text of a primitive value, as Java writes it but for floating-point numbers with an exponent; `null`
    /// for the null reference, and `None` for other references.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            Value::Void => "void".to_owned(),
            Value::Boolean(value) => value.to_string(),
            Value::Byte(value) => value.to_string(),
            Value::Char(unit) => String::from_utf16_lossy(&[*unit]),
            Value::Short(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Long(value) => value.to_string(),
            Value::Float(value) => format!("{value:?}"),
            Value::Double(value) => format!("{value:?}"),
            Value::Object(_, ObjectId::NULL) => "null".to_owned(),
            Value::Object(..) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Tag, Value};
    use crate::ids::ObjectId;

    #[test]
    fn primitive_values_have_texts() {
        let texts = [
            (Value::Int(-3), Some("-3")),
            (Value::Char(228), Some("ä")),
            (Value::Double(1.0), Some("1.0")),
            (Value::Object(Tag::Object, ObjectId::NULL), Some("null")),
            (Value::Object(Tag::Object, ObjectId(1)), None),
        ];
        for (value, text) in texts {
            assert_eq!(value.text().as_deref(), text);
        }
    }
}
