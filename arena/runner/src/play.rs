//! Plays one game: asks the side to move, lets the referee judge, and keeps the clocks.
//!
//! While an engine thinks, the arena's machine may stall (see [`stall`]). Time lost to a stall is
//! not charged to an engine, unless its own processes caused the stall. If a second or more is lost
//! at once during a move, the game is void. Under a time limit an engine is suspended while its
//! opponent thinks, unless it ponders or the config says otherwise.

use std::fmt::Write;
use std::future::pending;
use std::time::Duration;

use fanorona_protocol::messages::{BestMove, MAX_LINE};
use fanorona_protocol::rules::{self, BoardSize, Move, Position, Ruleset, Side};

use super::live::LiveGame;
use fanorona_engine::stall::{self, Stall, StallMonitor};
use fanorona_engine::{Engine, Failure, MoveReply};
use fanorona_tournament::config::{Limit, ScoreRules};
use fanorona_tournament::game::adjudication::{self, Adjudicator};
use fanorona_tournament::game::clock::Clocks;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::referee::{self, Ruling};
use fanorona_tournament::game::search_note::SearchNote;
use fanorona_tournament::game::termination::Ending;

/// The maximum length of a `position` line in bytes. Without limits a game can exceed the maximum
/// line length of the protocol; its later positions are then sent as FEN.
pub const MAX_POSITION: usize = MAX_LINE - 1024;

/// The parameters of a game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rules by which moves are legal and the game ends.
    pub rules: Ruleset,
    /// The start position.
    pub start: Position,
    /// The opening moves, played before the engines move; legal from the start.
    pub book: Vec<Move>,
    /// The limits of White and Black.
    pub limits: [Limit; 2],
    /// The time by which a limit can be exceeded.
    pub margin: Duration,
    /// The adjudication by scores.
    pub adjudication: ScoreRules,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The result, the reason for it, and whose fault it was.
    pub ending: Ending,
    /// Every move, including the opening.
    pub moves: Vec<Move>,
    /// The time of each move after the opening.
    pub times: Vec<Duration>,
    /// The score the player reported for each of them, empty if none.
    pub scores: Vec<String>,
    /// The player's report on its search for each of them.
    pub searches: Vec<SearchNote>,
    /// The number of principal variations with illegal moves that White and Black reported.
    pub illegal_lines: [u32; 2],
    /// The total thinking times of White and Black, including that of an answer that lost.
    pub thought: [Duration; 2],
    /// The processor time White and Black used while the other was thinking, other than to ponder.
    pub idle_cpu: [Duration; 2],
    /// If an engine was at fault, the last lines between it and the arena.
    pub transcript: Vec<String>,
    /// Remarks about other events.
    pub notes: Vec<String>,
}

/// The result of an attempt to play a game.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// The game has been played.
    Played(Box<Played>),
    /// The game is void because the arena's machine was at fault, for this reason.
    Void(String),
}

/// An engine that does not play, but knows the values of positions.
pub struct GameOracle {
    /// The name that stands in the record of a game that it adjudicated.
    pub name: String,
    /// The engine; `None` once it has failed.
    pub engine: Option<Engine>,
}

/// Plays a game between two engines that are ready for it, White first. Faults of the engines are
/// part of the result. With an oracle, the game ends in the first position with a known value.
/// Spectators follow the game in `live`.
pub async fn play(
    game: &Game,
    engines: [&mut Engine; 2],
    mut oracle: Option<&mut GameOracle>,
    stalls: &StallMonitor,
    live: Option<&LiveGame>,
) -> Attempt {
    let (board, position, mut over) = after_opening(game, live);
    let mut adjudicator = Adjudicator::new(game.adjudication, board.moves().len() as u32);
    let mut playing = Playing {
        game,
        engines,
        stalls,
        live,
        board,
        position,
        clocks: Clocks::new(game.limits),
        processors: Processors::default(),
        answers: Answers::default(),
    };
    let mut notes = Vec::new();
    let ending = loop {
        if let Some(ending) = over {
            break Ok(ending);
        }
        let side = playing.board.position().side_to_move();
        let answer = match playing.ask(side).await {
            MoveOutcome::Answer(answer) => answer,
            MoveOutcome::Over(ending) => break Ok(ending),
            MoveOutcome::Void(why) => break Err(why),
        };
        over = match (playing.judge(side, &answer), &mut oracle) {
            (Ruling::Over(ending), _) => Some(ending),
            (Ruling::Continue, Some(oracle)) => {
                let mover = playing.board.position().side_to_move();
                oracle_ending(oracle, &playing.position, mover, &mut notes).await
            }
            (Ruling::Continue, None) => None,
        };
        over = over.or_else(|| adjudicator.add(side, answer.score));
        if let (None, Some(reply)) = (&over, answer.reply) {
            playing.ponder(side, reply);
        }
    };
    for engine in &mut playing.engines {
        engine.stop_pondering().await;
    }
    match ending {
        Ok(ending) => Attempt::Played(Box::new(playing.played(ending, notes))),
        Err(why) => Attempt::Void(why),
    }
}

/// A game in progress.
struct Playing<'g, 'e> {
    game: &'g Game,
    engines: [&'e mut Engine; 2],
    stalls: &'g StallMonitor,
    live: Option<&'g LiveGame>,
    board: rules::Game,
    /// The `position` line of the current position.
    position: String,
    clocks: Clocks,
    processors: Processors,
    answers: Answers,
}

/// The outcome of asking an engine for a move.
enum MoveOutcome {
    Answer(MoveReply),
    /// An engine is at fault.
    Over(Ending),
    /// The arena's machine is at fault, for this reason.
    Void(String),
}

impl Playing<'_, '_> {
    /// Asks the side to move, and finds out whose fault a stall is.
    async fn ask(&mut self, side: Side) -> MoveOutcome {
        let Playing { game, engines, stalls, live, board, clocks, processors, .. } = self;
        let allowance = clocks.allowance(side, game.margin);
        let legal = || legal_words(board);
        let [white, black] = engines;
        let (engine, opponent) = match side {
            Side::White => (white, black),
            Side::Black => (black, white),
        };
        opponent.rest();
        let used = engine.cpu_time();
        processors.begin(side, used);
        let watch = stalls.watch(used);
        if let Some(live) = live {
            live.thinks(side, clocks.left());
        }
        let heard = |line: &str| {
            if let Some(live) = live {
                live.heard(side, line);
            }
        };
        let (position, words) = (&self.position, clocks.words(side));
        let asking = async {
            match engine.expects(board.moves().last()) {
                true => engine.ponder_hit(allowance, Some(&watch), heard).await,
                false => {
                    engine.ask_heard(position, words, allowance, Some(&watch), legal, heard).await
                }
            }
        };
        let resting = async {
            opponent.rested().await;
            opponent.go_on().await;
            pending().await
        };
        let asked = tokio::select! {
            biased;
            asked = asking => asked,
            never = resting => never,
        };
        let used = processors.end(side, engine.cpu_time());
        let excess = asked.as_ref().is_err_and(|failure| failure.excess);
        if let Some(stall) = watch.lost()
            && !excess
            && (allowance.is_some() || asked.is_err())
        {
            let idle = opponent.cpu_time();
            let others = processors.since_end(!side, idle);
            match blame(&stall, [used, others], stalls.processors()) {
                StallCause::Negligible | StallCause::Mover => {}
                StallCause::Opponent => return MoveOutcome::Over(by_hogging(!side, &stall)),
                StallCause::Machine => {
                    let (lost, mv) = (stall.lost.as_millis(), board.moves().len() + 1);
                    return MoveOutcome::Void(format!(
                        "the arena's machine stalled for {lost} ms during move {mv}"
                    ));
                }
            }
        }
        match asked {
            Ok(answer) => MoveOutcome::Answer(answer),
            Err(failure) => MoveOutcome::Over(by_failure(&failure, side)),
        }
    }

    /// Lets the engine of a side that has just moved search in its opponent's time, in the position
    /// after the reply that it expects, if it ponders and the game goes on there.
    fn ponder(&mut self, side: Side, reply: Move) {
        let engine = &mut self.engines[side as usize];
        let mut expected = self.board.clone();
        let goes_on = expected.play(&reply).is_ok() && referee::ending(&expected).is_none();
        if !engine.ponders() || !goes_on {
            return;
        }
        let mut position = self.position.clone();
        append(&mut position, &reply);
        if position.len() > MAX_POSITION {
            position = format!("position fen {}", expected.position());
        }
        engine.ponder(reply, &position, self.clocks.words(side), || legal_words(&expected));
        if let Some(live) = self.live {
            live.ponders(side, reply);
        }
    }

    /// Judges the answer of a side, and keeps it.
    fn judge(&mut self, side: Side, answer: &MoveReply) -> Ruling {
        self.answers.thought[side as usize] += answer.time;
        self.clocks.spend(side, answer.time);
        let moves_before = self.board.moves().len();
        let before = *self.board.position();
        let ruling = referee::judge(&mut self.board, &answer.best);
        if let Some(mv) = self.board.moves().get(moves_before) {
            append(&mut self.position, mv);
            if self.position.len() > MAX_POSITION {
                self.position = format!("position fen {}", self.board.position());
            }
            let score = self.answers.add(side, answer, &before, &self.game.rules);
            if let Some(live) = self.live {
                live.moved(&before, *mv);
                live.scored(&score);
            }
        }
        ruling
    }

    /// The finished game.
    fn played(self, ending: Ending, notes: Vec<String>) -> Played {
        let of_offender = |side| self.engines[side as usize].transcript();
        let transcript = ending.offender.map_or_else(Vec::new, of_offender);
        let Answers { times, scores, searches, illegal_lines, thought } = self.answers;
        Played {
            ending,
            moves: self.board.moves().to_vec(),
            times,
            scores,
            searches,
            illegal_lines,
            thought,
            // An engine that ponders does so by the config.
            idle_cpu: Side::BOTH.map(|side| match self.engines[side as usize].ponders() {
                true => Duration::ZERO,
                false => self.processors.idle[side as usize],
            }),
            transcript,
            notes,
        }
    }
}

/// The parts of the engines' answers that are kept.
#[derive(Default)]
struct Answers {
    times: Vec<Duration>,
    scores: Vec<String>,
    searches: Vec<SearchNote>,
    illegal_lines: [u32; 2],
    thought: [Duration; 2],
}

impl Answers {
    /// Adds the answer of a side that was a move. Returns its score as text.
    fn add(
        &mut self,
        side: Side,
        answer: &MoveReply,
        before: &Position,
        rules: &Ruleset,
    ) -> String {
        self.times.push(answer.time);
        let score = answer.score.map_or(String::new(), |score| score.to_string());
        self.scores.push(score.clone());
        let (search, is_legal) = answer.info.as_deref().map_or_else(
            || (SearchNote::default(), true),
            |info| SearchNote::new(info, before, rules),
        );
        self.searches.push(search);
        self.illegal_lines[side as usize] += u32::from(!is_legal);
        score
    }
}

/// Plays the opening. Returns the game on the board, the `position` line, and the end if that is in the
/// opening.
fn after_opening(game: &Game, live: Option<&LiveGame>) -> (rules::Game, String, Option<Ending>) {
    let mut board = rules::Game::new(game.rules, game.start);
    let mut position = opening_line(&game.start);
    let mut over = referee::ending(&board);
    for mv in &game.book {
        if over.is_none() {
            append(&mut position, mv);
            if let Some(live) = live {
                live.moved(board.position(), *mv);
            }
            over = match referee::judge(&mut board, &BestMove::Move(*mv)) {
                Ruling::Continue => None,
                Ruling::Over(ending) => Some(ending),
            };
        }
    }
    (board, position, over)
}

/// The end of a game in a position whose value the oracle knows. An oracle that fails is not asked
/// again in this game, which continues.
async fn oracle_ending(
    oracle: &mut GameOracle,
    position: &str,
    mover: Side,
    notes: &mut Vec<String>,
) -> Option<Ending> {
    let engine = oracle.engine.as_mut()?;
    let value = engine.value(position).await;
    engine.rest();
    match value {
        Ok(value) => Some(adjudication::by_value(&oracle.name, value?, mover)),
        Err(failure) => {
            notes.push(format!("the oracle {} failed: {failure}", oracle.name));
            if let Some(engine) = oracle.engine.take() {
                engine.kill().await;
            }
            None
        }
    }
}

/// The processor times of both engines during a game.
#[derive(Clone, Copy, Default, Debug)]
struct Processors {
    /// The times at the beginning of their current move.
    begun: [Duration; 2],
    /// The times at the end of their last move.
    ended: [Option<Duration>; 2],
    /// The times used between their moves.
    idle: [Duration; 2],
}

impl Processors {
    fn begin(&mut self, side: Side, used: Duration) {
        self.idle[side as usize] += self.since_end(side, used);
        self.begun[side as usize] = used;
    }

    /// Returns the time used since the move began.
    fn end(&mut self, side: Side, used: Duration) -> Duration {
        self.ended[side as usize] = Some(used);
        used.saturating_sub(self.begun[side as usize])
    }

    fn since_end(&self, side: Side, used: Duration) -> Duration {
        self.ended[side as usize].map_or(Duration::ZERO, |before| used.saturating_sub(before))
    }
}

/// The cause of a stall during an engine's thinking time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StallCause {
    /// The stall was too short to matter.
    Negligible,
    /// The engine that was thinking; its answer is judged as usual.
    Mover,
    /// The engine that should have been idle.
    Opponent,
    /// The arena's machine.
    Machine,
}

/// Finds the cause of a stall from the processor time that the mover and its opponent used during
/// it.
fn blame(stall: &Stall, [mover, opponent]: [Duration; 2], processors: u32) -> StallCause {
    if stall.longest < stall::LONG {
        StallCause::Negligible
    } else if stall.is_caused_by(opponent, processors) {
        StallCause::Opponent
    } else if stall.is_caused_by(mover, processors) {
        StallCause::Mover
    } else {
        StallCause::Machine
    }
}

/// The legal moves of a game as words.
fn legal_words(board: &rules::Game) -> Vec<String> {
    board.legal_moves().iter().map(Move::to_string).collect()
}

/// The end of a game in which an engine used every processor on its opponent's time.
fn by_hogging(offender: Side, stall: &Stall) -> Ending {
    let lost = stall.lost.as_millis();
    let detail = format!(
        "used every processor on its opponent's time, so that the arena itself stalled for \
         {lost} ms"
    );
    Ending::by_fault(Fault::Stall, offender, detail)
}

/// The end of a game by an engine's failure.
pub fn by_failure(failure: &Failure, offender: Side) -> Ending {
    Ending::by_fault(failure.fault, offender, failure.to_string())
}

/// The `position` line of a start position: `startpos` for the standard one, so that simple engines
/// do not need FEN.
pub(crate) fn opening_line(start: &Position) -> String {
    let standard = Position::start(BoardSize::TSIVY);
    if start.to_string() == standard.to_string() {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    }
}

/// The `position` line of a game after some moves, without a newline.
pub fn position_line(start: &Position, moves: &[Move]) -> String {
    let mut line = opening_line(start);
    moves.iter().for_each(|mv| append(&mut line, mv));
    line
}

/// Adds a move to a `position` line.
pub(crate) fn append(line: &mut String, mv: &Move) {
    // Neither `startpos` nor a FEN contains the word.
    if !line.contains(" moves ") {
        line.push_str(" moves");
    }
    // Writing to a string cannot fail.
    let _ = write!(line, " {mv}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Start, VelaStarter};

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn a_long_stall_is_the_machines_unless_an_engine_caused_it() {
        let stall = |lost| Stall { lost: ms(lost), longest: ms(lost), starved: ms(lost) };
        assert_eq!(blame(&stall(900), [ms(0), ms(0)], 2), StallCause::Negligible);
        assert_eq!(blame(&stall(2000), [ms(900), ms(0)], 2), StallCause::Machine);
        assert_eq!(blame(&stall(2000), [ms(3900), ms(0)], 2), StallCause::Mover);
        assert_eq!(blame(&stall(2000), [ms(100), ms(3900)], 2), StallCause::Opponent);
        let stopped = Stall { starved: ms(2), ..stall(2000) };
        assert_eq!(blame(&stopped, [ms(3900), ms(0)], 2), StallCause::Machine);
    }

    #[test]
    fn processor_time_between_moves_is_counted() {
        let mut processors = Processors::default();
        processors.begin(Side::White, ms(100));
        assert_eq!(processors.end(Side::White, ms(130)), ms(30));
        assert_eq!(processors.since_end(Side::White, ms(170)), ms(40));
        processors.begin(Side::White, ms(180));
        assert_eq!(processors.end(Side::White, ms(190)), ms(10));
        assert_eq!(processors.idle, [ms(50), ms(0)]);
    }

    #[test]
    fn only_the_standard_start_is_startpos() {
        assert_eq!(opening_line(&Start::TSIVY.riatra()), "position startpos");
        for start in [
            Start::TSIVY.vela(VelaStarter::Debtor),
            Start::LeftRight(BoardSize::TSIVY).riatra(),
            Start::Usual(BoardSize::DIMY).riatra(),
        ] {
            assert_eq!(opening_line(&start), format!("position fen {start}"));
        }
        let mut late = Start::TSIVY.riatra().to_string();
        late = late.replace("0 1", "5 9");
        assert!(opening_line(&late.parse().unwrap()).ends_with("5 9"));
    }

    #[test]
    fn moves_are_appended_as_words() {
        let mut line = "position startpos".to_owned();
        append(&mut line, &"e2e3A".parse().unwrap());
        append(&mut line, &"e5e4".parse().unwrap());
        assert_eq!(line, "position startpos moves e2e3A e5e4");
    }
}
