//! Credentials: a worker may do what a worker needs, and nothing else.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use async_nats::jetstream;
use async_nats::{Client, ConnectOptions};

use crate::place::{CONFIG, Place, Server, free_port, until};

/// A server with the config of `arena cluster config` for two workers.
pub(crate) fn server(place: &Place, more: &[&str]) -> (Server, String) {
    let port = free_port();
    let listen = format!("127.0.0.1:{port}");
    let args = ["cluster", "config", "--workers", "ada,grace", "--listen", &listen];
    let (code, output) = place.arena(&[&args[..], more].concat());
    assert_eq!(code, Some(0), "{output}");
    for file in ["nats.conf", "coordinator.toml", "ada.toml", "grace.toml"] {
        let mode = fs::metadata(place.path("cluster").join(file)).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let (config, store) = (place.path("cluster/nats.conf"), place.path("cluster/jetstream"));
    let server = place.server_with(&config, port, &store);
    (server, listen)
}

/// The secret of a file of credentials.
fn seed(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let table: toml::Table = text.parse().unwrap();
    table["seed"].as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs nats-server"]
fn workers_play_with_their_credentials() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let (server, _) = server(&place, &[]);
    let url = server.url();
    let credentials = |name: &str| format!("cluster/{name}.toml");
    let coordinator = ["--credentials", "cluster/coordinator.toml", "--ship"];
    let mut coordinator = place.coordinator(&url, &config, "many", &coordinator);
    // One worker has to fetch its engines.
    let bare = place.copy_of_arena("bare", &[]);
    let _ada = place.worker(&url, "ada", &["--credentials", &credentials("ada")]);
    let _grace = place.worker_of(&bare, &url, "grace", &["--credentials", &credentials("grace")]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let logs = ["many.log", "ada.log", "grace.log", "server.log"]
        .map(|log| fs::read_to_string(place.path(log)).unwrap_or_default());
    for name in ["coordinator", "ada", "grace"] {
        let secret = seed(&place.path(&credentials(name)));
        assert!(logs.iter().all(|log| !log.contains(&secret)), "a log holds a secret key");
    }
    assert!(!logs[3].contains("Permissions Violation"), "{}", logs[3]);
}

#[test]
#[ignore = "needs nats-server"]
fn wrong_credentials_are_refused() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    let (server, _) = server(&place, &[]);
    let url = server.url();
    let text = fs::read_to_string(place.path("cluster/ada.toml")).unwrap();
    // A key pair that the server does not know.
    let unknown = nkeys::KeyPair::new_user().seed().unwrap();
    let text = text.replace(&seed(&place.path("cluster/ada.toml")), &unknown);
    let wrong = place.write("wrong.toml", &text);
    let refused = |more: &[&str]| {
        let mut worker = place.worker(&url, "ada", more);
        assert_eq!(worker.wait(), Some(2), "{}", worker.output());
        worker.output()
    };
    let wrong = wrong.to_str().unwrap();
    let output = refused(&["--credentials", wrong]);
    assert!(output.contains("other users may read this secret key"), "{output}");
    Command::new("chmod").args(["600", wrong]).status().unwrap();
    for more in [&["--credentials", wrong][..], &[]] {
        let output = refused(more);
        assert!(output.contains("rejects these credentials"), "{output}");
    }
    let mut coordinator = place.coordinator(&url, &config, "many", &[]);
    assert_eq!(coordinator.wait(), Some(2), "{}", coordinator.output());
    assert!(coordinator.output().contains("rejects these credentials"));
    let with_password = url.replace("nats://", "nats://ada:guess@");
    // Files for the other role.
    let of_ada = ["--credentials", "cluster/ada.toml"];
    let mut coordinator = place.coordinator(&url, &config, "many", &of_ada);
    assert_eq!(coordinator.wait(), Some(2), "{}", coordinator.output());
    assert!(coordinator.output().contains("do not name the keys of any workers"));
    let output = refused(&["--credentials", "cluster/coordinator.toml"]);
    assert!(output.contains("do not name the key of a coordinator"), "{output}");
    let mut worker = place.worker(&with_password, "ada2", &[]);
    assert_eq!(worker.wait(), Some(2));
    assert!(worker.output().contains("contains a password"), "{}", worker.output());
}

#[test]
#[ignore = "needs nats-server"]
fn the_command_that_resumes_has_the_options_of_the_cluster() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    let (server, _) = server(&place, &[]);
    let url = server.url();
    let options = ["--credentials", "cluster/coordinator.toml", "--recheck", "5%", "--ship"];
    let mut coordinator = place.coordinator(&url, &config, "many", &options);
    coordinator.until_printed("no worker");
    coordinator.interrupt();
    assert_eq!(coordinator.wait(), Some(130), "{}", coordinator.output());
    let resume = format!(
        "stopped; resume with: arena resume many --cluster {url} --credentials \
         cluster/coordinator.toml --redeliver 3s --recheck 5 --ship\n"
    );
    assert!(coordinator.output().ends_with(&resume), "{}", coordinator.output());
}

#[test]
#[ignore = "needs nats-server"]
fn a_wrong_number_of_workers_is_not_a_name() {
    let place = Place::new();
    for number in ["0", "5000", "99999999999"] {
        let (code, output) = place.arena(&["cluster", "config", "--workers", number]);
        assert_eq!(code, Some(2), "{output}");
        let why = format!("`{number}` cannot be the number of workers");
        assert!(output.contains(&why) && output.contains("from 1 to 4096"), "{output}");
    }
    assert!(!place.path("cluster").exists());
}

/// Connects with the credentials in a file.
pub(crate) async fn connect(listen: &str, file: &Path) -> Client {
    let user = file.file_stem().unwrap().to_str().unwrap().to_owned();
    ConnectOptions::with_nkey(seed(file))
        .custom_inbox_prefix(format!("_INBOX_{user}"))
        .connect(listen.to_owned())
        .await
        .unwrap()
}

/// Whether a request to the server's API is answered at all.
async fn is_answered(client: &Client, subject: &str, payload: &str) -> bool {
    let payload = payload.to_owned();
    let request = client.request(subject.to_owned(), payload.into());
    tokio::time::timeout(Duration::from_millis(700), request).await.is_ok_and(|it| it.is_ok())
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_administers_nothing() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    let (server, listen) = server(&place, &[]);
    let coordinator = ["--credentials", "cluster/coordinator.toml"];
    let coordinator = place.coordinator(&server.url(), &config, "many", &coordinator);
    coordinator.until_printed("no worker");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ada = connect(&listen, &place.path("cluster/ada.toml")).await;
        let boss = connect(&listen, &place.path("cluster/coordinator.toml")).await;
        // What a worker needs works.
        for subject in ["$JS.API.STREAM.INFO.KV_TOURNAMENT"] {
            assert!(is_answered(&ada, subject, "").await, "{subject}");
        }
        for subject in [
            "$JS.API.INFO",
            "$JS.API.STREAM.NAMES",
            "$JS.API.STREAM.CREATE.MINE",
            "$JS.API.STREAM.UPDATE.JOBS",
            "$JS.API.STREAM.DELETE.JOBS",
            "$JS.API.STREAM.PURGE.JOBS",
            "$JS.API.STREAM.PURGE.RESULTS",
            "$JS.API.STREAM.MSG.DELETE.JOBS",
            "$JS.API.STREAM.MSG.GET.RESULTS",
            "$JS.API.CONSUMER.CREATE.JOBS",
            "$JS.API.CONSUMER.CREATE.RESULTS.spy",
            "$JS.API.CONSUMER.DELETE.JOBS.any",
            "$JS.API.CONSUMER.MSG.NEXT.RESULTS.any",
            "jobs.cup.digest.1",
            "results.cup.grace.1",
            "$KV.TOURNAMENT.running",
        ] {
            assert!(!is_answered(&ada, subject, "{}").await, "{subject}");
        }
        // Games in another worker's name do not arrive, nor do orders.
        let mut heard = boss.subscribe(">").await.unwrap();
        boss.flush().await.unwrap();
        for subject in ["results.cup.grace.1", "hello.grace", "live.cup.grace.1", "ctl.cup", "x"] {
            ada.publish(subject, "forged".into()).await.unwrap();
        }
        ada.flush().await.unwrap();
        // Version 2.15 can drop a message that it reads together with forbidden ones.
        tokio::time::sleep(Duration::from_millis(500)).await;
        ada.publish("live.cup.ada.1", "mine".into()).await.unwrap();
        ada.flush().await.unwrap();
        use futures_util::StreamExt;
        let mut arrived = Vec::new();
        let mut seen = Vec::new();
        // The last message comes last, so after it the others would have come.
        let begin = std::time::Instant::now();
        while !arrived.contains(&"live.cup.ada.1".to_owned())
            && begin.elapsed() < Duration::from_secs(20)
        {
            let Ok(Some(message)) =
                tokio::time::timeout(Duration::from_secs(1), heard.next()).await
            else {
                continue;
            };
            seen.push(message.subject.to_string());
            if [&b"forged"[..], b"mine"].contains(&&message.payload[..]) {
                arrived.push(message.subject.to_string());
            }
        }
        assert_eq!(arrived, ["live.cup.ada.1"], "{seen:?}");
        // Nor can it listen to others.
        let mut spy = ada.subscribe("results.>").await.unwrap();
        ada.flush().await.unwrap();
        boss.publish("results.cup.grace.7", "secret".into()).await.unwrap();
        boss.flush().await.unwrap();
        let overheard = tokio::time::timeout(Duration::from_secs(1), spy.next()).await;
        assert!(!matches!(overheard, Ok(Some(_))), "{overheard:?}");
        let streams = jetstream::new(boss);
        assert!(streams.get_stream("JOBS").await.is_ok());
    });
}

#[test]
#[ignore = "needs nats-server and openssl"]
fn tls_protects_the_connection() {
    let place = Place::new();
    let config = place.write("cup.toml", &CONFIG.replace("rounds = 4", "rounds = 1"));
    let config = config.display().to_string();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=arena"])
        .args(["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let (server, listen) = server(&place, &tls);
    until("the server listens", || TcpStream::connect(("127.0.0.1", server.port)).is_ok());
    let url = format!("tls://{listen}");
    let of_coordinator = ["--credentials", "cluster/coordinator.toml", "--tls-ca", "cert.pem"];
    let mut coordinator = place.coordinator(&url, &config, "many", &of_coordinator);
    let of_ada = ["--credentials", "cluster/ada.toml", "--tls-ca", "cert.pem"];
    // Without the authority's certificate the server is not trusted.
    let mut careless = place.worker(&url, "careless", &of_ada[..2]);
    assert_eq!(careless.wait(), Some(2), "{}", careless.output());
    assert!(careless.output().contains("certificate"), "{}", careless.output());
    let _ada = place.worker(&url, "ada", &of_ada);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
}
