//! The traditional contest of several games as a state machine: riatra, vela, afa-bela.
//!
//! A riatra decides a set. Its loser owes a vela, and plays velas as the debtor until winning one.
//! That win lifts the debt (*afa-bela*), and the next game is a riatra again. A debtor who fails
//! too often has *licked the lakabe* and loses the session.

use core::fmt;

use super::outcome::Ending;
use super::ruleset::VelaStarter;
use super::side::Side;

/// One of the two players of a session, independent of the side they play in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The player who has White in the first riatra.
    First,
    /// The other player.
    Second,
}

impl core::ops::Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// The limits of a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SessionRules {
    /// The number of sets, usually 3 or 5. The session is the best of them.
    pub sets: u32,
    /// The number of velas a debtor may play for one debt, at least 1.
    pub vela_attempts: u32,
    /// The number of times that a drawn riatra is replayed before each player gets half a set.
    pub replays: u32,
}

impl Default for SessionRules {
    fn default() -> SessionRules {
        SessionRules { sets: 3, vela_attempts: 2, replays: 2 }
    }
}

/// The next game of a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NextGame {
    /// The player who has White and moves first.
    pub white: Player,
    /// The player who owes the vela; `None` for a riatra.
    pub debtor: Option<Player>,
}

impl NextGame {
    /// Returns the player of a side.
    pub fn player(&self, side: Side) -> Player {
        match side {
            Side::White => self.white,
            Side::Black => !self.white,
        }
    }

    /// Returns the player who has won if the game ended this way; `None` for a draw.
    pub fn winner(&self, ending: &Ending) -> Option<Player> {
        ending.winner.map(|side| self.player(side))
    }
}

/// The state of a session between two games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Stage {
    Riatra {
        /// The number of drawn riatras of this set so far.
        draws: u32,
    },
    Vela {
        debtor: Player,
        /// The number of velas for this debt that the debtor did not win.
        failed: u32,
    },
    Over {
        winner: Option<Player>,
    },
}

/// A session, in progress or over.
///
/// ```
/// use fanorona_protocol::rules::{Player, Session, SessionRules, VelaStarter};
/// let mut session = Session::new(SessionRules::default(), VelaStarter::Debtor);
/// assert_eq!(session.next_game().unwrap().white, Player::First);
/// session.record(Some(Player::First)); // a riatra won
/// assert_eq!(session.next_game().unwrap().debtor, Some(Player::Second));
/// session.record(Some(Player::Second)); // afa-bela
/// session.record(Some(Player::First)); // a second riatra won: two sets of three
/// assert_eq!(session.winner(), Some(Player::First));
/// assert_eq!((session.score().to_string().as_str(), session.velas()), ("2-0", 1));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Session {
    rules: SessionRules,
    starter: VelaStarter,
    score: SetScore,
    velas: u32,
    stage: Stage,
}

/// The sets won by each player, counted in halves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SetScore {
    halves: [u32; 2],
}

impl SetScore {
    /// Returns the half sets of a player.
    pub fn halves(&self, player: Player) -> u32 {
        self.halves[player as usize]
    }

    /// Returns the number of sets decided so far.
    fn counted(&self) -> u32 {
        (self.halves[0] + self.halves[1]) / 2
    }
}

impl fmt::Display for SetScore {
    /// Writes the score from the first player's view, like `2-1` or `1.5-1.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.halves.map(|halves| f64::from(halves) / 2.0);
        write!(f, "{first}-{second}")
    }
}

impl Session {
    /// Creates a session that has not begun. The `starter` has White in each vela.
    pub fn new(rules: SessionRules, starter: VelaStarter) -> Session {
        let stage = Stage::Riatra { draws: 0 };
        Session { rules, starter, score: SetScore::default(), velas: 0, stage }
    }

    /// Returns the next game, or `None` if the session is over.
    pub fn next_game(&self) -> Option<NextGame> {
        match self.stage {
            Stage::Riatra { draws } => {
                // Colours alternate from set to set, and with every replay.
                let swapped = (self.score.counted() + draws) % 2 == 1;
                let white = if swapped { Player::Second } else { Player::First };
                Some(NextGame { white, debtor: None })
            }
            Stage::Vela { debtor, .. } => {
                let white = match self.starter {
                    VelaStarter::Debtor => debtor,
                    VelaStarter::Creditor => !debtor,
                };
                Some(NextGame { white, debtor: Some(debtor) })
            }
            Stage::Over { .. } => None,
        }
    }

    /// Records the result of the game that [`Session::next_game`] returned: its winner, or `None`
    /// for a draw. A session that is over ignores further results.
    pub fn record(&mut self, winner: Option<Player>) {
        self.stage = match (self.stage, winner) {
            (Stage::Over { .. }, _) => return,
            (Stage::Riatra { .. }, Some(winner)) => {
                self.score.halves[winner as usize] += 2;
                self.decided().unwrap_or(Stage::Vela { debtor: !winner, failed: 0 })
            }
            (Stage::Riatra { draws }, None) if draws < self.rules.replays => {
                Stage::Riatra { draws: draws + 1 }
            }
            (Stage::Riatra { .. }, None) => {
                self.score.halves = self.score.halves.map(|halves| halves + 1);
                self.decided().unwrap_or(Stage::Riatra { draws: 0 })
            }
            (Stage::Vela { debtor, failed }, winner) => {
                self.velas += 1;
                if winner == Some(debtor) {
                    Stage::Riatra { draws: 0 }
                } else if failed + 1 >= self.rules.vela_attempts {
                    Stage::Over { winner: Some(!debtor) }
                } else {
                    Stage::Vela { debtor, failed: failed + 1 }
                }
            }
        };
    }

    /// Returns the end of the session if the sets decide it.
    fn decided(&self) -> Option<Stage> {
        let [first, second] = self.score.halves;
        let lead = match first.cmp(&second) {
            core::cmp::Ordering::Greater => Some(Player::First),
            core::cmp::Ordering::Less => Some(Player::Second),
            core::cmp::Ordering::Equal => None,
        };
        // A player with more than half of all sets has more than `sets` halves.
        let won = first.max(second) > self.rules.sets;
        (won || self.score.counted() >= self.rules.sets).then_some(Stage::Over { winner: lead })
    }

    /// Whether the session is over.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over { .. })
    }

    /// Returns the winner; `None` while the session is in progress and if it is a draw.
    pub fn winner(&self) -> Option<Player> {
        match self.stage {
            Stage::Over { winner } => winner,
            _ => None,
        }
    }

    /// Returns the sets won so far.
    pub fn score(&self) -> SetScore {
        self.score
    }

    /// Returns the number of velas played so far.
    pub fn velas(&self) -> u32 {
        self.velas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: Option<Player> = Some(Player::First);
    const S: Option<Player> = Some(Player::Second);
    const D: Option<Player> = None;

    /// Plays games with these results and lists the games: `r1` is a riatra with White for the
    /// first player, `v2` a vela owed by the second player.
    fn play(rules: SessionRules, results: &[Option<Player>]) -> (String, Session) {
        let mut session = Session::new(rules, VelaStarter::Debtor);
        let mut games = Vec::new();
        for &winner in results {
            let game = session.next_game().expect("the session goes on");
            games.push(match game.debtor {
                None => format!("r{}", game.white as u8 + 1),
                Some(debtor) => format!("v{}", debtor as u8 + 1),
            });
            session.record(winner);
        }
        (games.join(" "), session)
    }

    fn result(session: &Session) -> (bool, Option<Player>, String) {
        (session.is_over(), session.winner(), session.score().to_string())
    }

    #[test]
    fn lifted_debts_lead_to_the_last_set() {
        let (games, session) = play(SessionRules::default(), &[F, S, S, F, F]);
        assert_eq!(games, "r1 v2 r2 v1 r1");
        assert_eq!(result(&session), (true, F, "2-1".into()));
        assert_eq!(session.velas(), 2);
    }

    #[test]
    fn licking_the_lakabe_loses_even_with_more_sets() {
        let rules = SessionRules { sets: 5, vela_attempts: 2, replays: 0 };
        let (games, session) = play(rules, &[F, S, S, F, D, S, D, S]);
        assert_eq!(games, "r1 v2 r2 v1 r1 r2 v1 v1");
        assert_eq!(result(&session), (true, S, "1.5-2.5".into()));
        let (_, session) = play(rules, &[F, F, D]);
        assert_eq!(result(&session), (true, F, "1-0".into()));
        // The first player has more sets, but owes the vela and fails twice.
        let (games, session) = play(rules, &[F, S, F, S, S, S, D]);
        assert_eq!(games, "r1 v2 r2 v2 r1 v1 v1");
        assert_eq!(result(&session), (true, S, "2-1".into()));
    }

    #[test]
    fn drawn_riatras_are_replayed_with_swapped_colours_then_shared() {
        let (games, session) = play(SessionRules::default(), &[D, D, D, D]);
        assert_eq!(games, "r1 r2 r1 r2");
        assert_eq!(result(&session), (false, None, "0.5-0.5".into()));
        let (games, session) = play(SessionRules::default(), &[D; 9]);
        assert_eq!(games, "r1 r2 r1 r2 r1 r2 r1 r2 r1");
        assert_eq!(result(&session), (true, None, "1.5-1.5".into()));
    }

    #[test]
    fn the_last_set_needs_no_vela() {
        let rules = SessionRules { replays: 0, ..SessionRules::default() };
        let (games, session) = play(rules, &[D, D, S]);
        assert_eq!(games, "r1 r2 r1");
        assert_eq!(result(&session), (true, S, "1-2".into()));
    }

    #[test]
    fn each_debt_has_its_own_attempts() {
        let rules = SessionRules { sets: 5, vela_attempts: 2, replays: 0 };
        let (games, session) = play(rules, &[F, D, S, F, D, S, F]);
        assert_eq!(games, "r1 v2 v2 r2 v2 v2 r1");
        assert_eq!(result(&session), (true, F, "3-0".into()));
    }

    #[test]
    fn the_creditor_may_have_white_in_velas() {
        let mut session = Session::new(SessionRules::default(), VelaStarter::Creditor);
        session.record(F);
        let vela = session.next_game().unwrap();
        assert_eq!((vela.white, vela.debtor), (Player::First, Some(Player::Second)));
    }
}
