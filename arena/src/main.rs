//! The `arena` program.
fn main() {}
