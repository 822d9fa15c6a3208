//! The page's content security policy: only its own script and style are allowed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A content security policy that allows these two inline texts by their hashes, and only images
/// embedded in the page. Nothing else can be loaded, sent or run. (W3C, "Content Security Policy
/// Level 3", hash sources.)
pub(super) fn policy(script: &str, style: &str) -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; \
         form-action 'none'",
        source(script),
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
