//! Whole games analysed in the background, for the pages.

use fanorona_tournament::mutex::lock;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Json;
use axum::extract::{Path, State, WebSocketUpgrade};
use axum::response::Response;
use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Position, Side};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::engines::Engines;
use super::error::ApiError;
use super::stream::{Event, Streams};
use fanorona_pages::positions::{Replayed, rules_of};
use fanorona_runner::analysis::{Request, analyse};
use fanorona_tournament::analysis::chance::SCALE;
use fanorona_tournament::analysis::{GameAnalysis, Line, Mark, PlyAnalysis, SideAnalysis};
use fanorona_tournament::config::Limit;
use fanorona_tournament::text::short_score::short_score;

/// The most games that are analysed at once.
const MAX_JOBS: usize = 2;

/// The most finished analyses that are kept for pages that reconnect.
const MAX_KEPT: usize = 16;

/// The most nodes for each position.
const MAX_NODES: u64 = 10_000_000;

/// The analyses in progress and the latest finished ones.
#[derive(Debug, Default)]
pub(super) struct Analyses {
    jobs: Mutex<HashMap<u64, Arc<Job>>>,
    next: AtomicU64,
}

/// The analysis of a game.
#[derive(Debug)]
struct Job {
    /// The events so far, each with its name.
    events: Mutex<Vec<(&'static str, Value)>>,
    /// The number of events.
    count: watch::Sender<usize>,
    abort: Mutex<Option<AbortHandle>>,
}

impl Job {
    fn push(&self, name: &'static str, data: Value) {
        let mut events = lock(&self.events);
        events.push((name, data));
        self.count.send_replace(events.len());
    }

    fn is_over(&self) -> bool {
        lock(&self.events).last().is_some_and(|(name, _)| *name != "ply")
    }
}

impl Analyses {
    fn jobs(&self) -> MutexGuard<'_, HashMap<u64, Arc<Job>>> {
        lock(&self.jobs)
    }

    /// A place for another analysis.
    fn begin(&self) -> Result<(u64, Arc<Job>), ApiError> {
        let mut jobs = self.jobs();
        if jobs.values().filter(|job| !job.is_over()).count() >= MAX_JOBS {
            let why = format!("{MAX_JOBS} games are being analysed already");
            return Err(ApiError::busy(why).with_help("wait for one of them, or stop it"));
        }
        while jobs.len() >= MAX_KEPT {
            let oldest = jobs.iter().filter(|(_, job)| job.is_over()).map(|(id, _)| *id).min();
            let Some(oldest) = oldest else { break };
            jobs.remove(&oldest);
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let (count, _) = watch::channel(0);
        let job = Job { events: Mutex::default(), count, abort: Mutex::default() };
        let job = Arc::new(job);
        jobs.insert(id, job.clone());
        Ok((id, job))
    }

    fn job(&self, id: u64) -> Result<Arc<Job>, ApiError> {
        let why = "there is no such analysis any more";
        self.jobs().get(&id).cloned().ok_or_else(|| ApiError::missing(why))
    }
}

/// An analysis whose engine starts; it goes if that ends without one.
struct Starting<'a> {
    analyses: &'a Analyses,
    id: u64,
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        self.analyses.jobs().remove(&self.id);
    }
}

/// The body of `POST /api/analysis`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct AnalysisRequest {
    start: String,
    #[serde(default)]
    rules: String,
    moves: Vec<String>,
    /// The number of opening moves, which are not judged.
    #[serde(default)]
    book: usize,
    engine: String,
    #[serde(default = "nodes")]
    nodes: u64,
}

fn nodes() -> u64 {
    100_000
}

/// The id of an analysis.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Begun {
    id: String,
}

/// `POST /api/analysis`: begins to analyse a game.
pub(super) async fn begin(
    State(analyses): State<Arc<Analyses>>,
    State(engines): State<Arc<Engines>>,
    Json(request): Json<AnalysisRequest>,
) -> Result<Json<Begun>, ApiError> {
    let rules = rules_of(&request.rules)?;
    let start: Position = request.start.trim().parse().map_err(ApiError::invalid)?;
    let game = Replayed::new(start, rules, &request.moves)?.game;
    let nodes = request.nodes.clamp(1, MAX_NODES);
    // The place is taken before the engine starts, and given back if it does not, or if the page is
    // closed meanwhile.
    let (id, job) = analyses.begin()?;
    let starting = Starting { analyses: &analyses, id };
    let (mut engine, _) = engines.start(&request.engine, rules).await?;
    std::mem::forget(starting);
    let of = job.clone();
    let task = tokio::spawn(async move {
        let limit = Limit::Nodes(nodes);
        let book = request.book;
        let asked = Request { rules, start, moves: game.moves(), book, limit, lines: 1 };
        let done = analyse(&mut engine, &asked, |ply| of.push("ply", ply_view(ply))).await;
        engine.quit().await;
        match done {
            Ok(analysis) => of.push("done", summary(&analysis)),
            Err(why) => of.push("failed", json!({ "error": why.to_string() })),
        }
    });
    *lock(&job.abort) = Some(task.abort_handle());
    Ok(Json(Begun { id: id.to_string() }))
}

/// `GET /api/analysis/ID`: its events, from the first one on.
pub(super) async fn events(
    State(analyses): State<Arc<Analyses>>,
    State(streams): State<Streams>,
    Path(id): Path<u64>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let job = analyses.job(id)?;
    let mut count = job.count.subscribe();
    streams.start(upgrade, move |sender| async move {
        let mut sent = 0;
        loop {
            let new = lock(&job.events)[sent..].to_vec();
            sent += new.len();
            for (name, data) in new {
                if sender.send(Event::new(name, &data)).await.is_err() {
                    return;
                }
            }
            if job.is_over() && sent == lock(&job.events).len() {
                return;
            }
            tokio::select! {
                changed = count.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
        }
    })
}

/// `POST /api/analysis/ID/stop`.
pub(super) async fn stop(
    State(analyses): State<Arc<Analyses>>,
    Path(id): Path<u64>,
) -> Result<Json<Value>, ApiError> {
    let job = analyses.job(id)?;
    if let Some(task) = lock(&job.abort).take() {
        // The engine ends with its task.
        task.abort();
    }
    if !job.is_over() {
        job.push("failed", json!({ "error": "stopped" }));
    }
    Ok(Json(json!({})))
}

/// `GET /api/chance`: how pages turn scores into winning chances.
pub(super) async fn chance() -> Json<Value> {
    Json(json!({ "scale": SCALE }))
}

fn short(score: Option<Score>) -> String {
    score.map_or(String::new(), |score| short_score(&score.to_string()))
}

/// A judged move as a page shows it.
fn ply_view(ply: &PlyAnalysis) -> Value {
    let best: Vec<String> = ply.before.lines.first().map_or_else(
        || ply.before.best.iter().map(ToString::to_string).collect(),
        |line: &Line| line.moves.iter().map(ToString::to_string).collect(),
    );
    json!({
        "ply": ply.ply + 1,
        "score": short(ply.before.score),
        "best": best,
        "played": ply.played.to_string(),
        "after": short(ply.after),
        "chance": ply.before.chance,
        "loss": ply.loss,
        "mark": ply.mark.map_or("", Mark::suffix),
        "exact": ply.before.exact,
        "text": text(ply, best.first()),
    })
}

/// What is wrong with a marked move, in words.
fn text(ply: &PlyAnalysis, best: Option<&String>) -> String {
    let (Some(mark), Some(loss)) = (ply.mark, ply.loss) else { return String::new() };
    let word = mark.word();
    let word = format!("{}{}", word[..1].to_uppercase(), &word[1..]);
    let better = best.filter(|best| **best != ply.played.to_string());
    let better = better.map_or(String::new(), |best| format!("; {best} was better"));
    format!("{word}: it gives away {:.0} % of the winning chance{better}.", 100.0 * loss)
}

/// The whole game as a page shows it.
fn summary(analysis: &GameAnalysis) -> Value {
    let counts = |side: &SideAnalysis| {
        json!({
            "inaccuracy": side.inaccuracies, "mistake": side.mistakes, "blunder": side.blunders,
        })
    };
    let [w, b] = Side::BOTH.map(|side| analysis.side(side));
    json!({
        "accuracy": { "w": w.accuracy, "b": b.accuracy },
        "counts": { "w": counts(w), "b": counts(b) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_analyses_make_room_for_new_ones() {
        let analyses = Analyses::default();
        let (_, first) = analyses.begin().unwrap();
        let (second, job) = analyses.begin().unwrap();
        assert!(analyses.begin().is_err());
        first.push("done", json!({}));
        analyses.begin().unwrap().1.push("failed", json!({}));
        for _ in 0..2 * MAX_KEPT {
            analyses.begin().unwrap().1.push("done", json!({}));
        }
        assert!(analyses.jobs().len() <= MAX_KEPT);
        // The one in progress is still there.
        assert!(Arc::ptr_eq(&analyses.job(second).unwrap(), &job));
    }

    #[test]
    fn a_mistake_is_explained() {
        let mut ply = PlyAnalysis {
            ply: 0,
            side: Side::White,
            played: "e2e3A".parse().unwrap(),
            before: Default::default(),
            after: Some(Score::Cp(-20)),
            loss: Some(0.21),
            mark: Mark::of(0.21),
        };
        ply.before.best = Some("d2e3A".parse().unwrap());
        let view = ply_view(&ply);
        assert_eq!((&view["mark"], &view["after"]), (&json!("?"), &json!("-20")));
        assert_eq!(
            view["text"],
            "Mistake: it gives away 21 % of the winning chance; d2e3A was better."
        );
    }
}
