//! How many slots one coordinator carries: instant games on loopback.
//!
//! ```text
//! cargo build --release --features fanorona-arena/cluster
//! cargo run --release -p fanorona-arena --features cluster --example cluster_soak -- [SLOTS] [GAMES]
//! ```
//!
//! It starts `nats-server` (or `NATS_SERVER`) and a real `arena run --cluster`. The workers are not
//! real: each slot is a task in this process that takes a job, plays random legal moves without any
//! engine, and sends the games. So the coordinator and the server are what is measured. It prints
//! games per second, the processor time of both per game, and their memory.

use std::error::Error;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, Context};
use fanorona_cluster::messages::{self, Hello, Job, Results, TournamentInfo, VERSION};
use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{Game, Move, Ruleset};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::referee::{self, Ruling};
use fanorona_tournament::record::GameRecord;
use futures_util::StreamExt;

type Failure = Box<dyn Error + Send + Sync>;

/// Games end after this many moves, so that they are short.
const PLIES: u32 = 40;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let slots: usize = args.next().map_or(Ok(500), |text| text.parse())?;
    let games: u64 = args.next().map_or(Ok(20_000), |text| text.parse())?;
    let dir = tempfile::tempdir()?;
    let programs = std::env::current_exe()?;
    let programs = programs.parent().and_then(Path::parent).ok_or("no directory")?.to_owned();
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let url = format!("nats://127.0.0.1:{port}");
    let server = std::env::var_os("NATS_SERVER").unwrap_or("nats-server".into());
    let server = Command::new(server)
        .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
        .arg(dir.path().join("store"))
        .stderr(Stdio::null())
        .spawn()?;
    let server = Watched(server);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let config = format!(
        "name = \"soak\"\nformat = \"match\"\nkinds = [\"riatra\"]\nrounds = {}\nlimit = \
         \"nodes=1\"\nsandbox = \"none\"\n[rules]\nmax-plies = {PLIES}\n[[engine]]\nname = \
         \"a\"\ncommand = \"bot-random\"\n[[engine]]\nname = \"b\"\ncommand = \"bot-greedy\"\n",
        games.div_ceil(2)
    );
    fs::write(dir.path().join("soak.toml"), config)?;
    let coordinator = Command::new(programs.join("arena"))
        .args(["run", "soak.toml", "--out", "out", "--cluster", &url])
        .current_dir(dir.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut coordinator = Watched(coordinator);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(soak(&url, slots, games, &server, &coordinator))?;
    coordinator.0.wait()?;
    Ok(())
}

/// A process that is killed at the end.
struct Watched(Child);

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Watched {
    /// The processor time that it has used.
    fn processor_time(&self) -> Duration {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap_or_default();
        let fields: Vec<&str> =
            text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        // After the name: user time is field 14, system time field 15 (proc(5)), in hundredths.
        let ticks: u64 =
            fields.iter().skip(11).take(2).filter_map(|text| text.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// The most memory that it has had, in MiB.
    fn memory(&self) -> f64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        kilobytes.unwrap_or_default() / 1024.0
    }
}

async fn soak(
    url: &str,
    slots: usize,
    games: u64,
    server: &Watched,
    coordinator: &Watched,
) -> Result<(), Failure> {
    let client = async_nats::connect(url).await?;
    let context = jetstream::new(client.clone());
    let info = loop {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let Ok(bucket) = context.get_key_value("TOURNAMENT").await else { continue };
        let Ok(Some(running)) = bucket.get("running").await else { continue };
        let Some(id) = messages::read::<Vec<String>>(&running)?.pop() else { continue };
        if let Some(info) = bucket.get(format!("{id}.info")).await? {
            break messages::read::<TournamentInfo>(&info)?;
        }
    };
    let info = Arc::new(info);
    let played = Arc::new(AtomicU64::new(0));
    let hello = Hello {
        version: VERSION,
        tournament: info.id.clone(),
        computer: "soak".to_owned(),
        arena: String::new(),
        instance: 0,
        slots,
        playing: Vec::new(),
        leaving: false,
        refused: Vec::new(),
        time_factor: None,
        undelivered: 0,
    };
    let greeting = client.clone();
    tokio::spawn(async move {
        loop {
            let _ = greeting.publish("hello.soak", messages::write(&hello).into()).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    });
    let (mut tasks, begin) = (tokio::task::JoinSet::new(), Instant::now());
    let before = [coordinator.processor_time(), server.processor_time()];
    // Connections are shared, as by the slots of a real worker.
    for _ in 0..slots.div_ceil(50) {
        let context = jetstream::new(async_nats::connect(url).await?);
        for _ in 0..slots.min(50) {
            tasks.spawn(slot(context.clone(), info.clone(), played.clone()));
        }
    }
    let all = games.div_ceil(2) * 2;
    while played.load(Ordering::Relaxed) < all {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let time = begin.elapsed();
    let after = [coordinator.processor_time(), server.processor_time()];
    let per_game = |index: usize| (after[index] - before[index]).as_secs_f64() * 1e3 / all as f64;
    println!(
        "{slots} slots, {all} games in {:.1} s: {:.0} games/s; per game {:.3} ms of the \
         coordinator's processor, {:.3} ms of the server's; memory {:.0} MiB and {:.0} MiB",
        time.as_secs_f64(),
        all as f64 / time.as_secs_f64(),
        per_game(0),
        per_game(1),
        coordinator.memory(),
        server.memory(),
    );
    tasks.shutdown().await;
    Ok(())
}

/// A slot: takes jobs and sends games, as fast as it can.
async fn slot(context: Context, info: Arc<TournamentInfo>, played: Arc<AtomicU64>) {
    let name = format!("{}_{}", info.id, info.digest);
    let consumer = context.get_consumer_from_stream(name, "JOBS").await;
    let Ok(consumer): Result<PullConsumer, _> = consumer else { return };
    loop {
        let batch = consumer.batch().max_messages(1).expires(Duration::from_secs(2));
        let Ok(mut batch) = batch.messages().await else { continue };
        let Some(Ok(message)) = batch.next().await else { continue };
        let Ok(job) = messages::read::<Job>(&message.payload) else { continue };
        for pairing in &job.pairings {
            let Some(game) = play(&job, pairing) else { continue };
            let id = game.id.to_string();
            let results = Results {
                version: VERSION,
                config: info.checksum.clone(),
                digest: info.digest.clone(),
                games: vec![game],
                void: None,
            };
            let subject = format!("results.{}.soak.{id}", info.id);
            let publish = PublishMessage::build()
                .payload(messages::write(&results).into())
                .message_id(format!("{}/{id}", info.id));
            if let Ok(sent) = context.send_publish(subject, publish).await {
                let _ = sent.await;
            }
            played.fetch_add(1, Ordering::Relaxed);
        }
        let _ = message.ack().await;
    }
}

/// A game of random legal moves.
fn play(job: &Job, pairing: &messages::JobPairing) -> Option<GameRecord> {
    let (missing, opening) = pairing.read(2)?;
    let opening = opening?;
    let mut rules = Ruleset::default();
    rules.max_plies = PLIES;
    let mut game = Game::new(rules, opening.start);
    let mut seed = pairing.id ^ job.epoch;
    let mut next = opening.book.iter().copied();
    let ending = loop {
        let mv = next.next().unwrap_or_else(|| {
            // Knuth's MMIX constants.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let legal = game.legal_moves();
            legal[(seed >> 33) as usize % legal.len()]
        });
        if let Ruling::Over(ending) = referee::judge(&mut game, &BestMove::Move(mv)) {
            break ending;
        }
    };
    let id = missing.pairing.game(None);
    let names = ["a", "b"];
    let moves: Vec<String> = game.moves().iter().map(Move::to_string).collect();
    let after = moves.len() - opening.book.len();
    let record = GameRecord::new(id, &opening.start, ending.result, ending.reason);
    Some(GameRecord {
        pair: Some(missing.pairing.pair.0),
        kind: Kind::Riatra,
        white: names[missing.pairing.first.0].to_owned(),
        black: names[missing.pairing.second.0].to_owned(),
        moves: moves.join(" "),
        book: opening.book.len() as u32,
        times: vec![0; after],
        scores: vec![String::new(); after],
        detail: ending.detail,
        ..record
    })
}
