//! The size of the stack.

fn main() {
    // Searches recurse once for every ply.
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
    println!("cargo::rerun-if-changed=build.rs");
}
