//! A worker that plays nothing: it takes jobs with its own key and sends games that it has made up.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, Context};
use fanorona_cluster::access::Credentials;
use fanorona_cluster::messages::{self, Job, JobPairing, Results, TournamentInfo, VERSION};
use fanorona_cluster::signature::{self, Seal};
use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{Game, Move, Ruleset, Side};
use fanorona_tournament::game::referee::{self, Ruling};
use fanorona_tournament::record::GameRecord;
use futures_util::StreamExt;

use crate::security::connect;

/// A client with a worker's credentials.
pub(crate) struct Liar {
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) seal: Seal,
    pub(crate) name: String,
    pub(crate) info: TournamentInfo,
}

impl Liar {
    /// Connects, and waits for a tournament.
    pub(crate) async fn join(listen: &str, file: &Path) -> Liar {
        let credentials = Credentials::read(file).unwrap();
        let client = connect(listen, file).await;
        let context = jetstream::new(client.clone());
        let entry = |value: &[u8]| signature::open(None, "", value).unwrap().1.to_vec();
        let info = loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let Ok(bucket) = context.get_key_value("TOURNAMENT").await else { continue };
            let Ok(Some(running)) = bucket.get("running").await else { continue };
            let Ok(ids) = messages::read::<Vec<String>>(&entry(&running)) else { continue };
            let Some(id) = ids.first() else { continue };
            if let Ok(Some(info)) = bucket.get(format!("{id}.info")).await {
                break messages::read::<TournamentInfo>(&entry(&info)).unwrap();
            }
        };
        Liar {
            client,
            context,
            seal: Seal::new(Some(credentials.key)),
            name: credentials.user,
            info,
        }
    }

    /// Takes jobs and sends what `lie` makes of each of their pairings. Pairings of which it makes
    /// nothing are left to others. It ends after this many games.
    pub(crate) async fn work(&self, games: usize, lie: impl Fn(&JobPairing) -> Option<GameRecord>) {
        let name = format!("{}_{}", self.info.id, self.info.digest);
        let consumer = self.context.get_consumer_from_stream(name, "JOBS").await;
        let consumer: PullConsumer = consumer.unwrap();
        let mut sent = 0;
        while sent < games {
            let batch = consumer.batch().max_messages(1).expires(Duration::from_secs(2));
            let Ok(mut batch) = batch.messages().await else { return };
            let Some(Ok(message)) = batch.next().await else { continue };
            let (_, job) = signature::open(None, "", &message.payload).unwrap();
            let job: Job = messages::read(job).unwrap();
            let lies: Vec<_> = job.pairings.iter().filter_map(&lie).collect();
            if lies.len() != job.pairings.len() {
                let _ = message.ack_with(jetstream::AckKind::Nak(None)).await;
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
            sent += lies.len();
            // Under clocks the games of a job come together.
            let together = if self.info.reference_speed.is_some() { lies.len() } else { 1 };
            for lies in lies.chunks(together) {
                self.send(lies.to_vec()).await;
            }
            let _ = message.ack().await;
        }
        let _ = self.client.flush().await;
    }

    /// Signs and sends games.
    pub(crate) async fn send(&self, games: Vec<GameRecord>) {
        let game = games[0].id.to_string().replace('.', "-");
        let subject = format!("results.{}.{}.{game}", self.info.id, self.name);
        let results = Results {
            version: VERSION,
            config: self.info.checksum.clone(),
            digest: self.info.digest.clone(),
            games,
            void: None,
        };
        let message = self.seal.seal(&subject, self.info.session, messages::write(&results));
        self.store(subject, message).await;
    }

    /// Publishes a message to the stream of results and waits until it is stored.
    pub(crate) async fn store(&self, subject: String, message: Vec<u8>) {
        let message = PublishMessage::build().payload(message.into());
        if let Ok(sent) = self.context.send_publish(subject, message).await {
            let _ = sent.await;
        }
    }
}

/// Runs a liar on a thread of its own.
pub(crate) fn begin<F: Future<Output = ()>>(
    listen: &str,
    file: PathBuf,
    lies: impl FnOnce(Liar) -> F + Send + 'static,
) -> JoinHandle<()> {
    let listen = listen.to_owned();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { lies(Liar::join(&listen, &file).await).await });
    })
}

/// A game that has only begun, in these names of the engines; `None` for a session.
fn begun(pairing: &JobPairing, names: &[&str], reason: &str) -> Option<GameRecord> {
    let (missing, opening) = pairing.read(names.len())?;
    let opening = opening?;
    let colour = |side| names[missing.pairing.player(&opening.start, side).0].to_owned();
    let moves: Vec<String> = opening.book.iter().map(ToString::to_string).collect();
    let (id, start) = (missing.pairing.game(None), &opening.start);
    let record = GameRecord::new(id, start, "1-0".parse().unwrap(), reason.parse().unwrap());
    Some(GameRecord {
        pair: Some(missing.pairing.pair.0),
        white: colour(Side::White),
        black: colour(Side::Black),
        book: moves.len() as u32,
        moves: moves.join(" "),
        ..record
    })
}

/// A game that `offender` has lost by a stall, if it plays in it.
pub(crate) fn stalled(pairing: &JobPairing, names: &[&str], offender: &str) -> Option<GameRecord> {
    let game = begun(pairing, names, "stall")?;
    let (result, letter) = match offender {
        name if name == game.white => ("0-1", 'w'),
        name if name == game.black => ("1-0", 'b'),
        _ => return None,
    };
    Some(GameRecord { result: result.parse().unwrap(), offender: Some(letter), ..game })
}

/// A game of the first legal moves, which no engine has played.
pub(crate) fn invented(pairing: &JobPairing, names: &[&str]) -> Option<GameRecord> {
    let game = begun(pairing, names, "stall")?;
    let (_, opening) = pairing.read(names.len())?;
    let opening = opening?;
    let mut played = Game::new(Ruleset::default(), opening.start);
    let mut book = opening.book.iter().copied();
    let ending = loop {
        let mv = book.next().unwrap_or_else(|| played.legal_moves()[0]);
        if let Ruling::Over(ending) = referee::judge(&mut played, &BestMove::Move(mv)) {
            break ending;
        }
    };
    let moves: Vec<String> = played.moves().iter().map(Move::to_string).collect();
    let after = moves.len() - opening.book.len();
    Some(GameRecord {
        result: ending.result,
        reason: ending.reason,
        detail: ending.detail,
        moves: moves.join(" "),
        times: vec![0; after],
        scores: vec![String::new(); after],
        ..game
    })
}
