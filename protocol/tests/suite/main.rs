//! The tests of the package from outside, in one program because linking each takes long.

#[path = "../sources/modules.rs"]
mod modules;
#[path = "../naive/mod.rs"]
mod naive;
#[path = "../sources/mod.rs"]
mod sources;

mod arrows;
mod data;
mod examples;
mod laws;
