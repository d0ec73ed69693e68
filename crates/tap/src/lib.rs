//! Where a monitor's messages come from: bytes between processes, as messages.
//!
//! | part | job |
//! | --- | --- |
//! | `relay` | stands between processes, and passes bytes on |
//! | `capture` | packets that somebody else recorded, and the streams in them |
//! | `hub` | connections with their decoders; says which node has received and sent what |
//! | `settings` | which addresses are whose, and what is spoken there |
//! | `source` | the events of a tap, one line each |
//! | `etcd`, `zookeeper`, `own` | decoders: from bytes of a connection to messages |
//!
//! Nothing here knows TLA+, prints, or changes a byte on its way. Bytes are not trusted: a decoder reads them, says what it cannot read, and runs nothing.

pub mod buffer;
pub mod capture;
pub mod decode;
pub mod etcd;
pub mod event;
pub mod http;
pub mod hub;
pub mod names;
pub mod own;
pub mod protobuf;
pub mod relay;
pub mod settings;
pub mod source;
pub mod zookeeper;
