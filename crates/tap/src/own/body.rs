//! The content of a message: JSON, MessagePack, protobuf, or what a command says.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::{Value, json};

use super::command::Running;
use crate::decode::base64;

/// The deepest nesting of MessagePack.
const DEPTH_MAX: usize = 128;

/// How to read a message.
#[derive(Clone, Debug)]
pub enum Body {
    Json,
    MessagePack,
    Protobuf(MessageDescriptor),
    /// A command that is asked for each message. All connections share it.
    Command(Arc<Mutex<Running>>),
}

impl Body {
    /// Reads a type of messages from a file as `protoc --descriptor_set_out --include_imports` writes it.
    pub fn protobuf(path: &Path, message: &str) -> Result<Body, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let pool = DescriptorPool::decode(bytes.as_slice())
            .map_err(|error| format!("{} is no file of descriptors: {error}", path.display()))?;
        match pool.get_message_by_name(message) {
            Some(descriptor) => Ok(Body::Protobuf(descriptor)),
            None => Err(format!("{} has no message `{message}`", path.display())),
        }
    }

    pub fn command(words: Vec<String>) -> Body {
        Body::Command(Arc::new(Mutex::new(Running::new(words))))
    }

    pub fn read(&self, bytes: &[u8]) -> Result<Value, String> {
        match self {
            Body::Json => serde_json::from_slice(bytes).map_err(|error| format!("this is no JSON: {error}")),
            Body::MessagePack => {
                let mut rest = bytes;
                let value = rmpv::decode::read_value_with_max_depth(&mut rest, DEPTH_MAX)
                    .map_err(|error| format!("this is no MessagePack: {error}"))?;
                match rest {
                    [] => Ok(message_pack(value)),
                    _ => Err("there is something after the value of MessagePack".to_owned()),
                }
            }
            Body::Protobuf(descriptor) => {
                let message = DynamicMessage::decode(descriptor.clone(), bytes).map_err(|error| {
                    format!("this is no `{}` of protobuf: {error}", descriptor.full_name())
                })?;
                serde_json::to_value(&message).map_err(|error| format!("it has no form in JSON: {error}"))
            }
            Body::Command(command) => command.lock().unwrap_or_else(PoisonError::into_inner).ask(bytes),
        }
    }
}

/// Returns the value in JSON. Keys of maps become texts, bytes base64.
fn message_pack(value: rmpv::Value) -> Value {
    match value {
        rmpv::Value::Nil => Value::Null,
        rmpv::Value::Boolean(value) => json!(value),
        rmpv::Value::Integer(value) => match (value.as_i64(), value.as_u64()) {
            (Some(value), _) => json!(value),
            (None, value) => json!(value),
        },
        rmpv::Value::F32(value) => json!(value),
        rmpv::Value::F64(value) => json!(value),
        rmpv::Value::String(text) => json!(String::from_utf8_lossy(text.as_bytes())),
        rmpv::Value::Binary(bytes) => json!(base64(&bytes)),
        rmpv::Value::Array(values) => values.into_iter().map(message_pack).collect(),
        rmpv::Value::Map(fields) => {
            let key = |key: rmpv::Value| match message_pack(key) {
                Value::String(text) => text,
                other @ (Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::Array(_)
                | Value::Object(_)) => other.to_string(),
            };
            let fields = fields.into_iter().map(|(name, value)| (key(name), message_pack(value)));
            Value::Object(fields.collect())
        }
        rmpv::Value::Ext(kind, bytes) => json!({ "ext": kind, "data": base64(&bytes) }),
    }
}
