//! The page's content security policy: only its own script and style are allowed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A content security policy that allows these two inline texts by their hashes, and only images
/// embedded in the page. Nothing else can be loaded, sent or run. (W3C, "Content Security Policy
/// Level 3", hash sources.)
pub(super) fn policy(script: &str, style: &str) -> String {
    policy_with(&source(script), style, "data:", "")
}

/// The same with engines: modules of WebAssembly may run, and what the script makes itself may be a
/// worker or an image.
pub(super) fn policy_with_engines(script: &str, style: &str) -> String {
    let script = source(script) + " 'wasm-unsafe-eval'";
    policy_with(&script, style, "data: blob:", " worker-src blob:;")
}

fn policy_with(scripts: &str, style: &str, images: &str, more: &str) -> String {
    format!(
        "default-src 'none'; script-src {scripts}; style-src {}; img-src {images};{more} base-uri \
         'none'; form-action 'none'",
        source(style)
    )
}

/// The hash source of an inline text: SHA-256 of the exact text between the tags.
pub fn source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_the_hash_of_the_text() {
        // `printf abc | openssl dgst -sha256 -binary | base64`
        assert_eq!(source("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
    }
}
