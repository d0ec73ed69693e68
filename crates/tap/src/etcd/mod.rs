//! etcd 3.4 and 3.5: the traffic between members, and the gateway for clients that speak JSON.

pub mod client;
pub mod peer;
pub mod raftpb;
pub mod stream;
