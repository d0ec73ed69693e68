//! Taps from outside: bytes in, events out.

mod capture;
mod etcd;
mod hostile;
mod relay;
mod wire;
mod zookeeper;
