//! ZooKeeper 3.5 to 3.9: the port of the quorum, that of elections, and that of clients.

pub mod client;
pub mod election;
pub mod jute;
pub mod quorum;

use serde_json::{Value, json};

/// Returns a zxid as its epoch and its counter.
fn zxid(zxid: i64) -> Value {
    json!([zxid >> 32, zxid & 0xffff_ffff])
}
