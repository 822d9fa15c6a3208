//! The connection to the server: address, credentials and certificates.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions};
use nkeys::{KeyPair, KeyPairType};
use serde::{Deserialize, Serialize};

use super::ClusterError;
use fanorona_tournament::text::input_file;

/// The access to the server: its address, its user and its certificate authority.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its address, like `nats://127.0.0.1:4222` or `tls://lab.example:4222`.
    pub url: String,
    /// The user, if the server asks for one.
    pub credentials: Option<Credentials>,
    /// The certificate of the authority that signed the server's; `None` for those of the system.
    pub authority: Option<PathBuf>,
}

/// A user of the server with its key pair, and the public keys of those whose messages it believes.
#[derive(Clone)]
pub struct Credentials {
    /// The user; for a worker, its name.
    pub user: String,
    /// The key that it logs in with and signs its messages with.
    pub key: KeyPair,
    /// For a worker: the public key of the coordinator.
    pub coordinator: Option<KeyPair>,
    /// For a coordinator: the public keys of the workers.
    pub workers: BTreeMap<String, KeyPair>,
}

/// A file of credentials, in TOML. Keys are those of NATS: a seed begins with `SU`, a public key with
/// `U`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CredentialsFile {
    /// The user.
    pub user: String,
    /// The seed of its key pair, which is secret.
    pub seed: String,
    /// The public key of the coordinator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinator: Option<String>,
    /// The public keys of the workers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub workers: BTreeMap<String, String>,
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
                "other users may read this secret key (mode {:04o})",
                mode & 0o7777
            )));
        }
        let text = input_file::read_to_string(path).map_err(|why| failed(why.to_string()))?;
        // The message of the parser would quote the line with the seed.
        let file: CredentialsFile = toml::from_str(&text).map_err(|_| {
            failed("expected user = \"…\", seed = \"SU…\", and public keys".to_owned())
        })?;
        let is_user = |key: &KeyPair| key.key_pair_type() == KeyPairType::User;
        let key = KeyPair::from_seed(&file.seed).ok().filter(is_user);
        let key = key.ok_or_else(|| failed("`seed` is not the seed of a user's key".to_owned()))?;
        let public = |of: &str, text: &str| {
            let key = KeyPair::from_public_key(text).ok().filter(is_user);
            key.ok_or_else(|| failed(format!("the key of `{of}` is not the public key of a user")))
        };
        let coordinator = file.coordinator.as_deref().map(|text| public("coordinator", text));
        let workers =
            file.workers.iter().map(|(name, text)| Ok((name.clone(), public(name, text)?)));
        Ok(Credentials {
            key,
            coordinator: coordinator.transpose()?,
            workers: workers.collect::<Result<_, ClusterError>>()?,
            user: file.user,
        })
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
        if let Some(Credentials { user, key, .. }) = &self.credentials {
            options = options
                .nkey(key.seed().expect("credentials have a seed"))
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
    fn a_seed_stays_secret() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lab1.toml");
        let (key, coordinator) = (KeyPair::new_user(), KeyPair::new_user());
        let seed = key.seed().unwrap();
        let text = format!("seed = \"{seed}\"\ncoordinator = \"{}\"\n", coordinator.public_key());
        fs::write(&path, format!("user = \"lab1\"\n{text}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let why = Credentials::read(&path).unwrap_err().to_string();
        assert!(why.contains("other users may read"), "{why}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let read = Credentials::read(&path).unwrap();
        assert_eq!((&*read.user, read.key.public_key()), ("lab1", key.public_key()));
        assert_eq!(read.coordinator.as_ref().unwrap().public_key(), coordinator.public_key());
        assert!(!format!("{read:?}").contains(&seed));
        for (wrong, expected) in [
            (format!("user = lab1\n{text}"), "expected user"),
            (format!("user = \"lab1\"\n{}", text.replace("SU", "SX")), "`seed` is not"),
            (format!("user = \"lab1\"\n{}", text.replace("\"U", "\"V")), "`coordinator` is not"),
            ("user = \"lab1\"\npassword = \"hush\"\n".to_owned(), "expected user"),
        ] {
            fs::write(&path, &wrong).unwrap();
            let why = Credentials::read(&path).unwrap_err().to_string();
            assert!(why.contains(expected) && !why.contains(&seed[2..]), "{why}");
            assert!(!why.contains("hush"), "{why}");
        }
    }
}
