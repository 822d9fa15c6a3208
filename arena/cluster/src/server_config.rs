//! A config for `nats-server`: JetStream, and one user for the coordinator and for each worker, with
//! the permissions that it needs and no others.

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use super::access::inbox;
use super::messages::MAX_MESSAGE;
use super::names;

/// The user of the coordinator.
pub const COORDINATOR: &str = "coordinator";

/// The settings from which a server config is made.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address that the server listens on.
    pub listen: SocketAddr,
    /// The directory for stored messages.
    pub store: PathBuf,
    /// The certificate and the key of the server, if it uses TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The public key of the coordinator.
    pub coordinator: String,
    /// The workers with their public keys.
    pub workers: Vec<(String, String)>,
}

impl ServerConfig {
    /// The text of the config file. Versions from 2.9 on read it.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let listen = quoted(&self.listen.to_string());
        let store = quoted(&self.store.display().to_string());
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "# A NATS server for tournaments of the arena, written by `arena cluster config`.\n\
             # Start it with: nats-server -c FILE. It holds public keys; the secret ones are\n\
             # in the files of credentials beside it.\n\
             listen: {listen}\n\
             max_payload: {MAX_MESSAGE}\n\
             jetstream {{\n    \
                 store_dir: {store}\n    \
                 # Losing stored messages costs replays, never a finished game, so they need not be\n    \
                 # synced to disk one by one. From version 2.10 on this would do so:\n    \
                 # sync_interval: always\n\
             }}\n"
        );
        if let Some((certificate, key)) = &self.tls {
            let [certificate, key] =
                [certificate, key].map(|path| quoted(&path.display().to_string()));
            let _ = write!(
                out,
                "tls {{\n    cert_file: {certificate}\n    key_file: {key}\n    timeout: 5\n}}\n"
            );
        }
        let key = quoted(&self.coordinator);
        let _ = write!(
            out,
            "authorization {{\n    users = [\n        # {COORDINATOR}\n        {{ nkey: {key} }}\n"
        );
        for (user, key) in &self.workers {
            let list = |subjects: &[String]| {
                let subjects: Vec<_> = subjects.iter().map(|subject| quoted(subject)).collect();
                subjects.join(", ")
            };
            let (publish, subscribe) = (list(&may_publish(user)), list(&may_subscribe(user)));
            let key = quoted(key);
            let _ = write!(
                out,
                "        # {user}\n        {{\n            nkey: {key}\n            \
                 permissions {{\n                publish: {{ allow: [{publish}] }}\n                \
                 subscribe: {{ allow: [{subscribe}] }}\n            }}\n        }}\n"
            );
        }
        out.push_str("    ]\n}\n");
        out
    }
}

/// Returns the subjects that a worker may publish to: its own games and signs of life, requests for
/// jobs and their acknowledgements, and requests that read tournaments and engines. It can create,
/// change and delete nothing.
fn may_publish(worker: &str) -> Vec<String> {
    let (jobs, bucket, engines) = (names::JOBS, names::TOURNAMENT, names::ENGINES);
    let mut subjects = vec![
        format!("results.*.{worker}.>"),
        format!("live.*.{worker}.>"),
        names::hello(worker),
        format!("$JS.ACK.{jobs}.>"),
        format!("$JS.API.CONSUMER.MSG.NEXT.{jobs}.*"),
        format!("$JS.API.CONSUMER.INFO.{jobs}.*"),
    ];
    for stream in [format!("KV_{bucket}"), format!("OBJ_{engines}")] {
        subjects.push(format!("$JS.API.STREAM.INFO.{stream}"));
        subjects.push(format!("$JS.API.DIRECT.GET.{stream}"));
        subjects.push(format!("$JS.API.DIRECT.GET.{stream}.>"));
    }
    subjects
}

/// Returns the subjects that a worker may read: the answers to its own requests, and the requests
/// of the coordinator to all.
fn may_subscribe(worker: &str) -> Vec<String> {
    vec![format!("{}.>", inbox(worker)), "ctl.>".to_owned()]
}

/// A text in the server's config format. Everything quoted here is plain: addresses, paths, subjects
/// and public keys.
fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|letter| match letter {
            '"' | '\\' => vec!['\\', letter],
            letter => vec![letter],
        })
        .collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_speaks_only_for_itself() {
        for subject in may_publish("lab1") {
            let own = subject.contains("lab1");
            let reads =
                ["MSG.NEXT", "INFO", "DIRECT.GET"].iter().any(|word| subject.contains(word));
            assert!(own || reads || subject == "$JS.ACK.JOBS.>", "{subject}");
        }
        assert_eq!(may_subscribe("lab1"), ["_INBOX_lab1.>", "ctl.>"]);
    }

    #[test]
    fn paths_are_quoted() {
        assert_eq!(quoted("C:\\a \"b\""), "\"C:\\\\a \\\"b\\\"\"");
    }
}
