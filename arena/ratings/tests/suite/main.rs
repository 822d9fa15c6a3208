//! The tests of the package from outside, in one program because linking each takes long.

#[path = "../../../../protocol/tests/sources/modules.rs"]
#[allow(dead_code, reason = "this package has no rooms")]
mod modules;
#[path = "../../../../protocol/tests/sources/mod.rs"]
mod sources;

mod arrows;
mod fit;
mod fit_check;
mod matches;
