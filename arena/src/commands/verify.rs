//! Checks the games of a journal beyond their checksums: everything that follows from the rules, the
//! config and the other fields of a game.

use fanorona_protocol::rules::Side;

use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::ids::EngineId;
use fanorona_tournament::pairing::openings::{GameKind, Openings};
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::{self, GameRecord};

/// The verifier, with the data that the games of a tournament have to agree with.
pub(super) struct Verifier<'t> {
    tournament: &'t Tournament,
    /// The schedule with its openings, where they are known.
    schedule: Option<(&'t Progress, Openings)>,
}

impl<'t> Verifier<'t> {
    /// Checks games by the rules and the names of the engines.
    pub(super) fn new(tournament: &'t Tournament) -> Verifier<'t> {
        Verifier { tournament, schedule: None }
    }

    /// The same, and checks who had to play whom from which opening.
    pub(super) fn with_schedule(
        tournament: &'t Tournament,
        progress: &'t Progress,
        openings: Openings,
    ) -> Verifier<'t> {
        Verifier { tournament, schedule: Some((progress, openings)) }
    }

    /// Checks a game, and says what is wrong.
    pub(super) fn check(&self, game: &GameRecord) -> Result<(), String> {
        record::verify(game, &self.tournament.rules).map_err(|why| why.to_string())?;
        for name in [&game.white, &game.black] {
            if !self.tournament.names().any(|known| known == name) {
                return Err(format!("the tournament has no engine `{name}`"));
            }
        }
        match &self.schedule {
            Some((progress, openings)) => self.scheduled(game, progress, openings),
            None => Ok(()),
        }
    }

    fn scheduled(
        &self,
        game: &GameRecord,
        progress: &Progress,
        openings: &Openings,
    ) -> Result<(), String> {
        let Some(pairing) = progress.schedule().get(game.id.pairing) else {
            return Err("the schedule has no such game".to_owned());
        };
        let kind = match game.kind {
            Kind::Vela => GameKind::Vela,
            _ => GameKind::Riatra,
        };
        let opening = match game.id.of_session {
            Some(number) => openings.of_session_game(&pairing, number.get(), kind),
            None => openings.of_pairing(&pairing),
        };
        let is_of_session = pairing.kind == Kind::Session;
        if is_of_session != game.id.of_session.is_some()
            || (!is_of_session && pairing.kind != game.kind)
        {
            return Err(format!("the schedule has a {} here", pairing.kind));
        }
        let pair = (!is_of_session).then_some(pairing.pair.0);
        if game.pair != pair {
            return Err("it belongs to another pair".to_owned());
        }
        let name = |engine: EngineId| &self.tournament.engines[engine.0].name;
        let [first, second] = [pairing.first, pairing.second].map(name);
        let (white, black) = (&game.white, &game.black);
        let colours =
            [Side::White, Side::Black].map(|side| name(pairing.player(&opening.start, side)));
        let is_right = match is_of_session {
            true => (white, black) == (first, second) || (white, black) == (second, first),
            false => [white, black] == colours,
        };
        if !is_right {
            return Err(format!("{} had White and {} Black", colours[0], colours[1]));
        }
        let book: Vec<String> = opening.book.iter().map(ToString::to_string).collect();
        let played = game.moves.split_ascii_whitespace().take(book.len());
        if game.start != opening.start.to_string()
            || game.book as usize != book.len()
            || !played.eq(book.iter().map(String::as_str))
        {
            return Err("its opening is not that of the schedule".to_owned());
        }
        Ok(())
    }
}
