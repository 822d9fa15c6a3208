//! One game: asks the side to move, has the referee judge, keeps the clocks.
//!
//! While an engine thinks the arena's machine may stand still (see [`stall`]). Time lost to that,
//! however little, is charged to no engine, unless the engine's own processes have brought it about.
//! Once a second or more has been lost at one stretch on a clock, the game is void.

use std::fmt::Write;
use std::time::Duration;

use fanorona_protocol::messages::{BestMove, MAX_LINE};
use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset, Side};

use super::adjudication::{self, Adjudicator};
use super::clock::Clocks;
use super::referee::{Referee, Verdict};
use super::termination::Ending;
use crate::config::{Limit, ScoreRules};
use crate::engine::fault::Fault;
use crate::engine::stall::{self, Stall, StallMonitor};
use crate::engine::{Engine, Failure};

/// The longest `position` line in bytes: with limits switched off a game may outgrow what a line of
/// the protocol holds, and is then told from its present position on.
pub(crate) const LONGEST_POSITION: usize = MAX_LINE - 1024;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rules.
    pub rules: Ruleset,
    /// The position it begins with.
    pub start: Position,
    /// The moves played before anybody is asked; legal from the start.
    pub book: Vec<Move>,
    /// The limits of White and Black.
    pub limits: [Limit; 2],
    /// By how much a time limit may be overstepped.
    pub margin: Duration,
    /// When the game is called by the engines' scores.
    pub adjudication: ScoreRules,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its end.
    pub ending: Ending,
    /// Every move, those of the book included.
    pub moves: Vec<Move>,
    /// What each move after the book took.
    pub times: Vec<Duration>,
    /// The score its player reported with it, empty where none.
    pub scores: Vec<String>,
    /// What White and Black thought in all, the time of an answer that lost included.
    pub thought: [Duration; 2],
    /// Processor time White and Black used while the other was thinking.
    pub idle_cpu: [Duration; 2],
    /// How long White and Black took to get ready for the game, as whoever had them do so measured.
    pub ready: [Duration; 2],
    /// Where an engine was at fault, the last lines between it and the arena.
    pub transcript: Vec<String>,
    /// For people: what else has happened.
    pub notes: Vec<String>,
}

/// What an attempt to play a game comes to.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// The game has been played.
    Played(Box<Played>),
    /// It counts for nothing, by a fault of the arena's machine, as this says.
    Void(String),
}

/// An engine that plays no game, but knows the value of positions.
pub struct Oracle {
    /// Its name.
    pub name: String,
    /// The engine; `None` once it has failed.
    pub engine: Option<Engine>,
}

/// Plays a game between two engines that are ready for it, White first. Whatever an engine does is
/// part of the result. With an oracle it ends in the first position that has a value.
pub async fn play(
    game: &Game,
    engines: [&mut Engine; 2],
    mut oracle: Option<&mut Oracle>,
    stalls: &StallMonitor,
) -> Attempt {
    let mut referee = Referee::new(game.rules, game.start);
    let mut position = opening_line(&game.start);
    let mut over = referee.over();
    for mv in &game.book {
        if over.is_none() {
            append(&mut position, mv);
            over = match referee.judge(&BestMove::Move(*mv)) {
                Verdict::Continue => None,
                Verdict::Over(ending) => Some(ending),
            };
        }
    }
    let mut clocks = Clocks::new(game.limits);
    let mut processors = Processors::default();
    let mut adjudicator = Adjudicator::new(game.adjudication, referee.moves().len() as u32);
    let mut notes = Vec::new();
    let (mut times, mut scores, mut thought) = (Vec::new(), Vec::new(), [Duration::ZERO; 2]);
    let ending = loop {
        if let Some(ending) = over {
            break ending;
        }
        let side = referee.side_to_move();
        let allowance = clocks.allowance(side).map(|time| time + game.margin);
        let legal = || referee.legal_moves().iter().map(Move::to_string).collect();
        let engine = &mut *engines[side as usize];
        let used = engine.cpu_time();
        processors.begin(side, used);
        let watch = stalls.watch(used);
        let asked = engine.ask(&position, clocks.words(side), allowance, Some(&watch), legal).await;
        let used = processors.end(side, engine.cpu_time());
        let excess = asked.as_ref().is_err_and(|failure| failure.excess);
        if let Some(stall) = watch.lost()
            && !excess
            && (allowance.is_some() || asked.is_err())
        {
            let idle = engines[!side as usize].cpu_time();
            let others = processors.since_end(!side, idle);
            match blame(&stall, [used, others], stalls.processors()) {
                Blame::Nobody | Blame::Mover => {}
                Blame::Opponent => break hogging(!side, &stall),
                Blame::StallMonitor => {
                    let lost = stall.lost.as_millis();
                    let mv = referee.moves().len() + 1;
                    return Attempt::Void(format!(
                        "the arena's machine stood still for {lost} ms in turn {mv}"
                    ));
                }
            }
        }
        let answer = match asked {
            Ok(answer) => answer,
            Err(failure) => break by_failure(&failure, side),
        };
        thought[side as usize] += answer.time;
        clocks.spend(side, answer.time);
        let before = referee.moves().len();
        let verdict = referee.judge(&answer.best);
        if let Some(mv) = referee.moves().get(before) {
            append(&mut position, mv);
            if position.len() > LONGEST_POSITION {
                position = format!("position fen {}", referee.position());
            }
            times.push(answer.time);
            scores.push(answer.score.map_or(String::new(), |score| score.to_string()));
        }
        over = match verdict {
            Verdict::Over(ending) => Some(ending),
            Verdict::Continue => match &mut oracle {
                Some(oracle) => known(oracle, &position, referee.side_to_move(), &mut notes).await,
                None => None,
            },
        };
        over = over.or_else(|| adjudicator.hear(side, answer.score));
    };
    let (moves, idle_cpu) = (referee.moves().to_vec(), processors.idle);
    let of_offender = |side| engines[side as usize].transcript();
    let transcript = ending.offender.map_or_else(Vec::new, of_offender);
    let ready = [Duration::ZERO; 2];
    let played =
        Played { ending, moves, times, scores, thought, idle_cpu, ready, transcript, notes };
    Attempt::Played(Box::new(played))
}

/// The end of a game in a position an oracle knows, told by the side to move. An oracle that fails
/// is asked no more in this game, and nobody loses by it.
async fn known(
    oracle: &mut Oracle,
    position: &str,
    mover: Side,
    notes: &mut Vec<String>,
) -> Option<Ending> {
    match oracle.engine.as_mut()?.value(position).await {
        Ok(value) => adjudication::by_value(&oracle.name, value?, mover),
        Err(failure) => {
            notes.push(format!("the oracle {} has failed: {failure}", oracle.name));
            if let Some(engine) = oracle.engine.take() {
                engine.kill().await;
            }
            None
        }
    }
}

/// Processor time of both engines over a game.
#[derive(Clone, Copy, Default, Debug)]
struct Processors {
    /// What they had used when their present move began.
    begun: [Duration; 2],
    /// What they had used when their last move ended.
    ended: [Option<Duration>; 2],
    /// What they have used between their moves.
    idle: [Duration; 2],
}

impl Processors {
    fn begin(&mut self, side: Side, used: Duration) {
        self.idle[side as usize] += self.since_end(side, used);
        self.begun[side as usize] = used;
    }

    /// Gives what has been used since the move began.
    fn end(&mut self, side: Side, used: Duration) -> Duration {
        self.ended[side as usize] = Some(used);
        used.saturating_sub(self.begun[side as usize])
    }

    fn since_end(&self, side: Side, used: Duration) -> Duration {
        self.ended[side as usize].map_or(Duration::ZERO, |before| used.saturating_sub(before))
    }
}

/// To whom a stall is owed while somebody's time ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Blame {
    /// It was too short to matter.
    Nobody,
    /// The engine that was thinking: what it does next is judged as ever.
    Mover,
    /// The engine that had nothing to do.
    Opponent,
    /// The arena's machine.
    StallMonitor,
}

/// Judges a stall by what the mover and its opponent have used of the processors meanwhile.
fn blame(stall: &Stall, [mover, opponent]: [Duration; 2], processors: u32) -> Blame {
    if stall.longest < stall::LONG {
        Blame::Nobody
    } else if stall.is_owed_to(opponent, processors) {
        Blame::Opponent
    } else if stall.is_owed_to(mover, processors) {
        Blame::Mover
    } else {
        Blame::StallMonitor
    }
}

/// The game an engine loses that takes every processor on its opponent's time.
fn hogging(offender: Side, stall: &Stall) -> Ending {
    let lost = stall.lost.as_millis();
    let detail = format!(
        "used every processor on its opponent's time, until the arena itself stood still for \
         {lost} ms"
    );
    Ending::by_fault(Fault::Stall, offender, detail)
}

/// The game an engine's failure ends.
pub fn by_failure(failure: &Failure, offender: Side) -> Ending {
    Ending::by_fault(failure.fault, offender, failure.to_string())
}

/// The `position` line of a game's start: `startpos` for the standard one, so that a first engine
/// needs no FEN.
pub(crate) fn opening_line(start: &Position) -> String {
    let standard = Position::start(BoardSize::TSIVY);
    if start.to_string() == standard.to_string() {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    }
}

/// The `position` line of a game after some moves, without its end.
pub fn position_line(start: &Position, moves: &[Move]) -> String {
    let mut line = opening_line(start);
    moves.iter().for_each(|mv| append(&mut line, mv));
    line
}

/// Adds a move to a `position` line.
pub(crate) fn append(line: &mut String, mv: &Move) {
    // Neither `startpos` nor a FEN has the word in it.
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
    fn a_long_stall_is_the_hosts_unless_an_engine_took_the_processors() {
        let stall = |lost| Stall { lost: ms(lost), longest: ms(lost), starved: ms(lost) };
        assert_eq!(blame(&stall(900), [ms(0), ms(0)], 2), Blame::Nobody);
        assert_eq!(blame(&stall(2000), [ms(900), ms(0)], 2), Blame::StallMonitor);
        assert_eq!(blame(&stall(2000), [ms(3900), ms(0)], 2), Blame::Mover);
        assert_eq!(blame(&stall(2000), [ms(100), ms(3900)], 2), Blame::Opponent);
        let stopped = Stall { starved: ms(2), ..stall(2000) };
        assert_eq!(blame(&stopped, [ms(3900), ms(0)], 2), Blame::StallMonitor);
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
            Start::LeftRight.riatra(),
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
