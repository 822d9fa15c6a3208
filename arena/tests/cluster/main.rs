//! Tournaments on many machines, with a real NATS server on this one: three workers play what one
//! arena plays, to the byte, whatever is killed, cut, lost or forged on the way.
//!
//! The tests need `nats-server` on PATH, or its path in `NATS_SERVER`. They run one after the other:
//! each has several arenas with engines of their own. `CLUSTER_KILLS` sets how often something is
//! killed in each test of that kind.

mod clocks;
mod decisions;
mod dialogues;
mod equal;
mod faults;
mod impostor;
mod kills;
mod liar;
mod live;
mod namespaces;
mod network;
mod place;
mod security;
mod trust;
