//! Only `benches/instructions.rs` matters; Cargo wants a library.
