//! The review of a game: a page asks an engine about every position, and here its moves are judged.

use fanorona_protocol::messages::{Score, Value, ValueResponse};
use fanorona_protocol::rules::{Game, Move, Position, Ruleset, Side};
use fanorona_report::statistics::phase::Phase;
use fanorona_tournament::analysis::chance::{SCALE, chance};
use fanorona_tournament::analysis::game::Choice;
use fanorona_tournament::analysis::{
    Flaw, Line, Mark, PlyAnalysis, PositionAnalysis, SideAnalysis,
};
use fanorona_tournament::text::short_score::{long_score, short_score};
use serde::{Deserialize, Serialize};

use super::positions::{GameRequest, Replayed};
use super::proven::winner;
use super::refusal::Refusal;

/// `/api/chance`: how pages turn scores into winning chances.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ChanceView {
    scale: f64,
}

pub(crate) fn scale() -> ChanceView {
    ChanceView { scale: SCALE }
}

/// An engine's judgement of a position, for its side to move.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct EngineJudgement {
    /// The score of its best line in short form; empty if there was none.
    score: String,
    /// The exact value in the words of the protocol; empty if it was not asked.
    value: String,
    /// Its move.
    best: String,
    /// Its best line.
    line: Vec<String>,
}

impl EngineJudgement {
    /// Computes the analysis of the last position of a game.
    fn of(&self, game: &Game) -> PositionAnalysis {
        if let Some(ending) = game.ending() {
            return PositionAnalysis::over(&ending, game.position().side_to_move());
        }
        let mut now = *game.position();
        let legal = self.line.iter().map_while(|word| {
            let mv: Move = word.parse().ok()?;
            now = now.play(game.rules(), &mv).ok()?;
            Some(mv)
        });
        let moves: Vec<Move> = legal.collect();
        let best = self.best.parse::<Move>().ok().or(moves.first().copied());
        let score = score_of(&self.score);
        let lines = score.map(|score| Line { score, chance: chance(score), moves });
        let lines = lines.into_iter().collect();
        let found = PositionAnalysis { best, lines, ..PositionAnalysis::default() };
        let found = match score {
            Some(score) => found.with_score(score, false),
            None => found,
        };
        let value = self.value.parse::<ValueResponse>().ok();
        let value = value.and_then(|ValueResponse(value)| value);
        found.with_value(value)
    }
}

/// A score from its short form.
fn score_of(short: &str) -> Option<Score> {
    let long = long_score(short);
    let (kind, number) = long.split_once(' ')?;
    Some(match kind {
        "cp" => Score::Cp(number.parse().ok()?),
        "win" => Score::Win(number.parse().ok()?),
        _ => Score::Loss(number.parse().ok()?),
    })
}

fn short(score: Option<Score>) -> String {
    score.map_or(String::new(), |score| short_score(&score.to_string()))
}

/// A move to judge: the last one of a game.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct JudgeRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// Whether the move belongs to the opening, which its player did not choose.
    #[serde(default)]
    book: bool,
    /// The position before the move.
    before: EngineJudgement,
    /// The position after it; nothing if the game is over there.
    #[serde(default)]
    after: EngineJudgement,
    /// The position after the engine's move, if it was asked about as well.
    #[serde(default)]
    other: Option<EngineJudgement>,
}

/// A judged move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JudgedView {
    ply: usize,
    side: Side,
    phase: &'static str,
    /// The score before the move, and the engine's line.
    score: String,
    best: Vec<String>,
    exact: bool,
    /// The winning chance before the move.
    chance: Option<f64>,
    played: String,
    /// The score after the move, for its player.
    after: String,
    loss: Option<f64>,
    mark: &'static str,
    flaw: Option<Flaw>,
    /// The engine's move, if the position after it has to be asked about before the move is judged.
    check: Option<String>,
}

/// `/api/judge`: the last move of a game, judged by what an engine said of the positions around it.
pub(crate) fn judge(request: &JudgeRequest) -> Result<JudgedView, Refusal> {
    let Replayed { mut game, .. } = request.game.replay()?;
    let after = request.after.of(&game);
    let undone = game.undo();
    let played = undone.ok_or_else(|| Refusal::invalid("the game has no move to judge"))?;
    let (position, rules) = (*game.position(), *game.rules());
    let before = request.before.of(&game);
    let choice = Choice::new(&position, &rules, &played, before.best);
    let has_choice = choice.has_choice && !request.book;
    let check = choice.to_check(&before, &after).filter(|_| has_choice);
    let other = match (&request.other, check) {
        (Some(heard), Some(best)) => {
            game.play(&best).map_err(Refusal::invalid)?;
            Some(heard.of(&game))
        }
        _ => None,
    };
    let check = check.filter(|best| request.other.is_none() && position.play(&rules, best).is_ok());
    let is_best = before.best.is_some() && choice.other.is_none();
    let ply = request.game.moves.len() - 1;
    let side = position.side_to_move();
    let mut judged = PlyAnalysis { ply, side, played, before, after: None, loss: None, mark: None };
    judged.judge(&after, has_choice, is_best, other.as_ref());
    Ok(view(&position, &rules, &judged, &after, check))
}

fn view(
    position: &Position,
    rules: &Ruleset,
    judged: &PlyAnalysis,
    after: &PositionAnalysis,
    check: Option<Move>,
) -> JudgedView {
    let before = &judged.before;
    let line = before.lines.first().map(|line| &*line.moves).filter(|line| !line.is_empty());
    let best = line.unwrap_or(before.best.as_slice());
    JudgedView {
        ply: judged.ply + 1,
        side: judged.side,
        phase: Phase::from_position(position).word(),
        score: short(before.score),
        best: best.iter().map(ToString::to_string).collect(),
        exact: before.exact,
        chance: before.chance,
        played: judged.played.to_string(),
        after: short(judged.after),
        loss: judged.loss,
        mark: judged.mark.map_or("", Mark::suffix),
        flaw: Flaw::of(position, rules, judged, after),
        check: check.map(|best| best.to_string()),
    }
}

/// The judged moves of a game.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AccuracyRequest {
    moves: Vec<MoveLoss>,
}

#[derive(Clone, Debug, Deserialize)]
struct MoveLoss {
    side: Side,
    phase: String,
    loss: Option<f64>,
}

/// The accuracy of both sides, in all and in each phase of the game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AccuracyView {
    all: SidesView,
    phases: Vec<PhaseView>,
}

#[derive(Clone, Debug, Serialize)]
struct PhaseView {
    phase: &'static str,
    #[serde(flatten)]
    sides: SidesView,
}

#[derive(Clone, Debug, Serialize)]
struct SidesView {
    w: SideAnalysis,
    b: SideAnalysis,
}

impl SidesView {
    fn of<'m>(moves: impl Iterator<Item = &'m MoveLoss> + Clone) -> SidesView {
        let [w, b] = Side::BOTH.map(|side| {
            let mut sum = SideAnalysis::default();
            let own = moves.clone().filter(|mv| mv.side == side);
            own.filter_map(|mv| mv.loss).for_each(|loss| sum.add(loss));
            sum
        });
        SidesView { w, b }
    }
}

/// `/api/accuracy`.
pub(crate) fn accuracy(request: &AccuracyRequest) -> AccuracyView {
    let phases = Phase::ALL.map(|phase| {
        let moves = request.moves.iter().filter(|mv| mv.phase == phase.word());
        PhaseView { phase: phase.word(), sides: SidesView::of(moves) }
    });
    AccuracyView { all: SidesView::of(request.moves.iter()), phases: phases.to_vec() }
}

/// A position whose moves are to be judged.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ValuesRequest {
    #[serde(flatten)]
    game: GameRequest,
    /// The values of the positions after the legal moves, in their order, as an engine answered.
    values: Vec<String>,
}

/// A legal move with its value.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ValueView {
    text: String,
    /// The value for the player of the move: `win`, `draw`, `loss`, or empty if it is not known.
    value: &'static str,
    /// Plies to the end, this move included; none in a draw, and where only the winner is known.
    plies: Option<u32>,
    /// The source of the value: the rules, a proof, or the engine that was asked.
    source: &'static str,
}

/// `/api/values`: every legal move with its exact value, the best first.
pub(crate) fn values(request: &ValuesRequest) -> Result<Vec<ValueView>, Refusal> {
    let Replayed { game, .. } = request.game.replay()?;
    let mut found = Vec::new();
    for (index, mv) in game.legal_moves().into_iter().enumerate() {
        let mut next = game.clone();
        next.play(&mv).map_err(Refusal::invalid)?;
        let said = request.values.get(index).and_then(|said| said.parse::<ValueResponse>().ok());
        let engine = said.and_then(|ValueResponse(value)| value);
        let mover = game.position().side_to_move();
        let over = next.ending().map(|ending| match ending.winner {
            None => Value::Draw,
            Some(winner) if winner == mover => Value::Loss(0),
            Some(_) => Value::Win(0),
        });
        let known = over.map(|value| (value, "rules")).or(engine.map(|value| (value, "engine")));
        let (value, plies, source) = match known {
            Some((Value::Win(plies), source)) => ("loss", Some(plies + 1), source),
            Some((Value::Loss(plies), source)) => ("win", Some(plies + 1), source),
            Some((Value::Draw, source)) => ("draw", None, source),
            None => match winner(next.position(), game.rules()) {
                Some(None) => ("draw", None, "proof"),
                Some(Some(side)) if side == mover => ("win", None, "proof"),
                Some(Some(_)) => ("loss", None, "proof"),
                None => ("", None, ""),
            },
        };
        found.push(ValueView { text: mv.to_string(), value, plies, source });
    }
    // Quick wins and slow losses first; what is not known stands between the draws and the losses.
    found.sort_by_key(|view| match (view.value, i64::from(view.plies.unwrap_or(0))) {
        ("win", plies) => (0, plies),
        ("draw", _) => (1, 0),
        ("", _) => (2, 0),
        (_, plies) => (3, -plies),
    });
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    /// White takes the last two stones within three plies.
    const WON: &str = "9/4bW3/4b4/5W3/9 w - 0 1";

    fn judged(request: Json) -> Json {
        let request: JudgeRequest = serde_json::from_value(request).unwrap();
        serde_json::to_value(judge(&request).unwrap()).unwrap()
    }

    fn won(played: &str, after: Json) -> Json {
        judged(json!({
            "start": { "fen": WON }, "moves": [played], "after": after,
            "before": { "score": "w3", "best": "f4g5W", "line": ["f4g5W"] },
        }))
    }

    #[test]
    fn a_win_that_is_given_away_is_a_blunder_and_says_so() {
        let seen = won("f4g4W", json!({ "score": "0", "value": "draw" }));
        assert_eq!(seen["check"], json!("f4g5W"), "{seen}");
        let seen = judged(json!({
            "start": { "fen": WON }, "moves": ["f4g4W"], "after": { "score": "0", "value": "draw" },
            "before": { "score": "w3", "best": "f4g5W", "line": ["f4g5W"] },
            "other": { "score": "l2" },
        }));
        assert_eq!((&seen["mark"], &seen["loss"]), (&json!("??"), &json!(0.5)));
        let flaw = json!({ "code": "misses-win", "plies": 3, "drawn": true, "best": "f4g5W" });
        assert_eq!((&seen["flaw"], &seen["phase"]), (&flaw, &json!("end")));
        assert_eq!((&seen["side"], &seen["ply"]), (&json!("w"), &json!(1)));
    }

    #[test]
    fn the_best_move_and_moves_of_the_opening_are_no_mistakes() {
        let seen = won("f4g5W", json!({ "score": "l2" }));
        assert_eq!((&seen["mark"], &seen["loss"]), (&json!(""), &json!(0.0)), "{seen}");
        let seen = judged(json!({
            "start": { "fen": WON }, "moves": ["f4g4W"], "book": true,
            "after": { "score": "0" }, "before": { "score": "w3", "best": "f4g5W" },
        }));
        let none = Json::Null;
        assert_eq!((&seen["loss"], &seen["check"], &seen["flaw"]), (&none, &none, &none));
    }

    #[test]
    fn accuracy_is_told_in_all_and_by_phase() {
        let moves = json!({ "moves": [
            { "side": "w", "phase": "opening", "loss": 0.0 },
            { "side": "b", "phase": "opening", "loss": null },
            { "side": "w", "phase": "end", "loss": 0.35 },
        ]});
        let seen = accuracy(&serde_json::from_value(moves).unwrap());
        assert_eq!((seen.all.w.judged, seen.all.w.blunders, seen.all.b.judged), (2, 1, 0));
        let [opening, middle, end] = &*seen.phases else { panic!("{seen:?}") };
        assert_eq!((opening.phase, opening.sides.w.accuracy), ("opening", Some(100.0)));
        assert_eq!((middle.sides.w.judged, end.sides.w.blunders), (0, 1));
    }

    #[test]
    fn every_legal_move_has_its_value_the_best_first() {
        let start = "9/9/bW1b5/9/9 w";
        // After b3c3A the stone at a3 is left, after b3c3W that at d3.
        let ask = |values: [&str; 2]| {
            let asked = json!({ "start": { "fen": start }, "values": values });
            values_of(&serde_json::from_value(asked).unwrap())
        };
        let known = ask(["win 4", "draw"]);
        let words: Vec<_> = known.iter().map(|it| (it.value, it.plies, it.source)).collect();
        assert_eq!(words, [("draw", None, "engine"), ("loss", Some(5), "engine")]);
        let open = ask(["loss 7", "unknown"]);
        assert_eq!((open[0].value, open[0].plies, open[1].value), ("win", Some(8), ""));
        // The last stone: the rules know the value.
        let asked = json!({ "start": { "fen": "9/9/1W1b5/9/9 w" }, "values": [] });
        let over = values_of(&serde_json::from_value(asked).unwrap());
        assert_eq!((&*over[0].text, over[0].value, over[0].plies), ("b3c3A", "win", Some(1)));
        assert_eq!(over[0].source, "rules");
        // Of the five first moves two are proven draws.
        let asked = json!({ "start": { "board": "tsivy" }, "values": [] });
        let first = values_of(&serde_json::from_value(asked).unwrap());
        let worth: Vec<_> = first.iter().map(|it| (it.value, it.source)).collect();
        assert_eq!(worth, [("draw", "proof"), ("draw", "proof"), ("", ""), ("", ""), ("", "")]);
    }

    fn values_of(request: &ValuesRequest) -> Vec<ValueView> {
        values(request).unwrap()
    }
}
