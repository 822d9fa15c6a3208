//! `arena cluster config`: sets up the server between a coordinator and its workers.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clap::Args;
use nkeys::KeyPair;

use super::super::error::CliError;
use super::super::exit::Exit;
use crate::terminal::output::print_line;
use fanorona_cluster::access::CredentialsFile;
use fanorona_cluster::is_worker_name;
use fanorona_cluster::server_config::{COORDINATOR, ServerConfig};
use fanorona_tournament::record::storage::storage;

pub(super) const HELP: &str = "\
Examples:
  arena cluster config --workers 12 --out cluster
  arena cluster config --workers ada,grace --listen 10.0.0.5:4222 --tls-cert cert.pem --tls-key key.pem

Writes nats.conf for `nats-server -c`, and one file of credentials for the coordinator and for each \
worker: the secret key that it logs in with and signs its messages with, and the public keys of those \
whom it believes. Copy each worker its own file; none of them may administer the server. The server listens on \
this machine only unless --listen says otherwise.";

#[derive(Args, Debug)]
pub(super) struct ConfigArgs {
    /// The address that the server listens on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4222")]
    listen: SocketAddr,
    /// The number of workers (named worker1, worker2, …), or their names separated by commas
    #[arg(long, value_name = "N|NAMES", default_value = "4")]
    workers: String,
    /// The directory for the files
    #[arg(long, value_name = "DIR", default_value = "cluster")]
    out: PathBuf,
    /// The server's certificate (PEM), for TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

pub(super) fn config(args: &ConfigArgs) -> Result<Exit, CliError> {
    let names = names(&args.workers)?;
    fs::create_dir_all(&args.out).map_err(|why| storage("create", &args.out, why))?;
    let out = fs::canonicalize(&args.out).map_err(|why| storage("find", &args.out, why))?;
    let absolute = |path: &PathBuf| {
        fs::canonicalize(path).map_err(|why| CliError::from(storage("find", path, why)))
    };
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some((absolute(certificate)?, absolute(key)?)),
        _ => None,
    };
    let keys: BTreeMap<&str, KeyPair> =
        names.iter().map(|name| (&**name, KeyPair::new_user())).collect();
    let own = KeyPair::new_user();
    let public = |name: &String| (name.clone(), keys[&**name].public_key());
    let (coordinator, workers) = (own.public_key(), names.iter().map(public).collect());
    let (listen, store) = (args.listen, out.join("jetstream"));
    let config = ServerConfig { listen, store, tls, coordinator, workers };
    write_new(&out.join("nats.conf"), &config.text())?;
    let of_coordinator = CredentialsFile {
        user: COORDINATOR.to_owned(),
        seed: seed(&own),
        coordinator: None,
        workers: config.workers.iter().cloned().collect(),
    };
    let of_worker = |(name, key): (&&str, &KeyPair)| CredentialsFile {
        user: (*name).to_owned(),
        seed: seed(key),
        coordinator: Some(config.coordinator.clone()),
        workers: BTreeMap::new(),
    };
    for file in keys.iter().map(of_worker).chain([of_coordinator]) {
        let text = toml::to_string(&file).expect("texts are TOML");
        write_new(&out.join(format!("{}.toml", file.user)), &text)?;
    }
    let scheme = if config.tls.is_some() { "tls" } else { "nats" };
    let (dir, url) = (args.out.display(), format!("{scheme}://{listen}"));
    let first = &names[0];
    print_line(format_args!("start the server: nats-server -c {dir}/nats.conf"));
    print_line(format_args!(
        "begin a tournament: arena run CONFIG --cluster {url} --credentials \
         {dir}/{COORDINATOR}.toml"
    ));
    print_line(format_args!(
        "on each worker's machine, with its own file: arena cluster work {url} --credentials {first}.toml"
    ));
    if !listen.ip().is_loopback() && config.tls.is_none() {
        print_line(
            "warning: without TLS (--tls-cert, --tls-key) others on the network can read all \
             games and engines",
        );
    }
    Ok(Exit::Done)
}

/// The names of the workers: as written, or numbered.
fn names(text: &str) -> Result<Vec<String>, CliError> {
    let refused = |why: String| {
        let help = "give a number from 1 to 4096, or names of letters, digits, - and _";
        Err(CliError::with_help(Exit::Usage, why, help))
    };
    let names: Vec<String> = match text.parse::<u32>() {
        Ok(count @ 1..=4096) => (1..=count).map(|number| format!("worker{number}")).collect(),
        _ if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            return refused(format!("`{text}` cannot be the number of workers"));
        }
        _ => text.split(',').map(|name| name.trim().to_owned()).collect(),
    };
    let wrong = |name: &&String| !is_worker_name(name) || *name == COORDINATOR;
    if let Some(wrong) = names.iter().find(wrong) {
        return refused(format!("`{wrong}` cannot be the name of a worker"));
    }
    let mut sorted = names.clone();
    sorted.sort();
    if let Some([name, _]) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let why = format!("the worker `{name}` occurs twice");
        return Err(CliError::with_help(Exit::Usage, why, "give every worker its own name"));
    }
    Ok(names)
}

/// The seed of a key pair, from the system's random numbers.
fn seed(key: &KeyPair) -> String {
    key.seed().expect("a new key pair has its seed")
}

/// Writes a new file that only this user can read. Existing files are kept: workers may be using
/// their keys.
fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|why| match why.kind() {
        std::io::ErrorKind::AlreadyExists => CliError::with_help(
            Exit::Usage,
            format!("{} exists already", path.display()),
            "name another directory with --out, or remove the old files",
        ),
        _ => storage("write", path, why).into(),
    })
}
