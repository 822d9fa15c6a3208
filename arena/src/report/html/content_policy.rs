//! What the page may do: run its own script and wear its own style, and nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A content-security policy that allows these two inline texts by their hashes, and of images only
/// those written into the page. Nothing can be loaded, sent, or run besides. (W3C, "Content Security
/// Policy Level 3", hash sources.)
pub(super) fn policy(script: &str, style: &str) -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; \
         form-action 'none'",
        source(script),
        source(style)
    )
}

/// The hash source of an inline text: SHA-256 of exactly what stands between the tags.
fn source(text: &str) -> String {
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
