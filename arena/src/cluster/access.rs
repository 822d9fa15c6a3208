//! The connection to the server: address, credentials and certificates.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions};
use serde::{Deserialize, Serialize};

use super::ClusterError;
use crate::text::input_file;

/// How to reach the server.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its address, like `nats://127.0.0.1:4222` or `tls://lab.example:4222`.
    pub url: String,
    /// The user and the password, if the server asks for them.
    pub credentials: Option<Credentials>,
    /// The certificate of the authority that signed the server's; `None` for those of the system.
    pub authority: Option<PathBuf>,
}

/// A user of the server. The file is TOML with these two keys.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The user; for a worker, its name.
    pub user: String,
    /// The password.
    pub password: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials {{ user: {:?}, .. }}", self.user)
    }
}

impl Credentials {
    /// Reads a file that only its owner may read.
    pub fn read(path: &Path) -> Result<Credentials, ClusterError> {
        let failed = |why: String| ClusterError::Credentials { path: path.to_owned(), why };
        let mode = fs::metadata(path).map_err(|why| failed(why.to_string()))?.mode();
        if mode & 0o077 != 0 {
            return Err(failed(format!(
                "other users may read this password (mode {:04o})",
                mode & 0o7777
            )));
        }
        let text = input_file::read_to_string(path).map_err(|why| failed(why.to_string()))?;
        // The message of the parser would quote the line with the password.
        toml::from_str(&text)
            .map_err(|_| failed("expected two lines: user = \"…\" and password = \"…\"".to_owned()))
    }
}

impl Access {
    /// Connects to the server. The connection is restored whenever it breaks.
    pub async fn connect(&self, name: &str) -> Result<Client, ClusterError> {
        if has_password(&self.url) {
            return Err(ClusterError::PasswordInUrl);
        }
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(Duration::from_secs(5))
            .request_timeout(Some(Duration::from_secs(5)))
            .ping_interval(Duration::from_secs(5))
            .subscription_capacity(1 << 16)
            .client_capacity(1 << 12)
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis((attempts as u64 * 100).min(1000))
            });
        if let Some(Credentials { user, password }) = &self.credentials {
            options = options
                .user_and_password(user.clone(), password.clone())
                // A user may read only the answers to its own requests.
                .custom_inbox_prefix(inbox(user));
        }
        if let Some(authority) = &self.authority {
            options = options.add_root_certificates(authority.clone()).require_tls(true);
        }
        options.connect(&self.url).await.map_err(|why| match why.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                ClusterError::Rejected { url: self.url.clone() }
            }
            _ => ClusterError::Unreachable { url: self.url.clone(), why: with_source(&why) },
        })
    }
}

/// Fails if the server cannot store messages.
pub async fn require_jetstream(client: &Client) -> Result<(), ClusterError> {
    let server = client.server_info();
    let failed = |why: String| ClusterError::NoJetStream {
        url: format!("{}:{}", server.host, server.port),
        why,
    };
    // The client cannot read this answer of a server of version 2.9.
    let answer = client.request("$JS.API.INFO", "".into()).await;
    let answer = answer.map_err(|why| failed(with_source(&why)))?;
    let answer: serde_json::Value =
        serde_json::from_slice(&answer.payload).map_err(|why| failed(why.to_string()))?;
    match answer.pointer("/error/description") {
        None => Ok(()),
        Some(why) => Err(failed(why.as_str().unwrap_or_default().to_owned())),
    }
}

/// The prefix of the subjects on which a user receives answers.
pub(super) fn inbox(user: &str) -> String {
    format!("_INBOX_{user}")
}

/// An error with the errors that caused it.
pub(super) fn with_source(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

fn has_password(url: &str) -> bool {
    let authority = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = authority.split('/').next().unwrap_or_default();
    authority.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_password_in_the_url_is_noticed() {
        assert!(has_password("nats://me:secret@host:4222"));
        assert!(!has_password("nats://host:4222"));
        assert!(!has_password("host"));
    }

    #[test]
    fn a_password_stays_secret() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lab1.toml");
        fs::write(&path, "user = \"lab1\"\npassword = \"hush\"\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let why = Credentials::read(&path).unwrap_err().to_string();
        assert!(why.contains("other users may read"), "{why}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let read = Credentials::read(&path).unwrap();
        assert_eq!((&*read.user, &*read.password), ("lab1", "hush"));
        assert!(!format!("{read:?}").contains("hush"));
        fs::write(&path, "user = \"lab1\"\npassword = hush\n").unwrap();
        let why = Credentials::read(&path).unwrap_err().to_string();
        assert!(!why.contains("hush"), "{why}");
    }
}
