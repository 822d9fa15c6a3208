//! Writes the pages of a league: the leaderboard, a page for every bot, and the tournaments' reports
//! beside them, so that the directory can be shared as it is.

mod html;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::Side;

use crate::advice::advice;
use crate::next::FinishedPairs;
use crate::pages::html::{BotPage, IndexPage, Opponent, Row, VersionLine, report_of};
use crate::table::{Table, fault_of, game_number};
use crate::{LeagueError, Members, Played, Status, Version, roster, status_of};
use fanorona_ratings::{Rating, Scope};
use fanorona_report::html::FILE;
use fanorona_report::statistics::verdict::{Verdict, of_two};
use fanorona_tournament::config::Tournament;
use fanorona_tournament::record::Reader;
use fanorona_tournament::record::own_file;
use fanorona_tournament::record::storage::{storage, write_file};

/// The directory of a league with its pages.
pub const DIR: &str = "page";

/// The data from which all pages are written.
struct League<'l> {
    settings: &'l Tournament,
    members: &'l Members,
    played: &'l [Played],
    table: &'l Table,
    /// The ratings over all games, by engine.
    ratings: BTreeMap<&'l str, &'l Rating>,
    /// The versions by the names of their engines.
    versions: BTreeMap<String, &'l Version>,
    /// The playing versions that have games, the strongest first.
    ranked: Vec<&'l Version>,
}

/// Writes all pages; returns the path of the leaderboard.
pub fn write(
    league: &Path,
    settings: &Tournament,
    members: &Members,
    played: &[Played],
) -> Result<PathBuf, LeagueError> {
    let table = Table::read(played)?;
    let fit = table.standings.all();
    let versions: BTreeMap<String, &Version> =
        members.versions.iter().map(|it| (it.engine_name(), it)).collect();
    let plays = |version: &Version| status_of(version, members, played) == Status::Plays;
    let with_games = fit.engines.iter().filter(|it| it.games > 0);
    let ranked = with_games
        .filter_map(|it| versions.get(&it.engine).copied())
        .filter(|it| plays(it))
        .collect();
    let ratings = fit.engines.iter().map(|it| (&*it.engine, it)).collect();
    let all = League { settings, members, played, table: &table, ratings, versions, ranked };
    let dir = league.join(DIR);
    let bots = dir.join("bots");
    fs::create_dir_all(&bots).map_err(|why| storage("create", &bots, why))?;
    for it in played {
        let report = it.dir.join(FILE);
        // It is missing while the first games are played.
        if let Ok(page) = own_file::read(&report) {
            write_file(&dir.join(report_of(it.number)), &page)?;
        }
    }
    for bot in members.bots() {
        let page = all.bot_page(bot)?.html();
        write_file(&bots.join(format!("{bot}.html")), page.as_bytes())?;
    }
    let index = dir.join("index.html");
    write_file(&index, all.index_page().html().as_bytes())?;
    Ok(index)
}

impl<'l> League<'l> {
    fn index_page(&self) -> IndexPage<'_> {
        let fit = self.table.standings.all();
        let row = |(index, version): (usize, &&'l Version)| {
            let next = self.ranked.get(index + 1);
            let name = version.engine_name();
            let last = self.played.last();
            Some(Row {
                bot: &version.bot,
                version: version.version,
                author: &version.author,
                rating: self.ratings.get(&*name)?,
                los: next.and_then(|next| {
                    self.table.standings.superiority(fit, &name, &next.engine_name())
                }),
                faults: self.table.standings.faults(&name, Scope::All),
                history: self.history(&version.bot),
                note: last
                    .and_then(|last| roster::not_started(last, &name))
                    .map(|why| format!("did not start in the last tournament: {why}"))
                    .or_else(|| self.table.errors_of(&name)),
            })
        };
        let first_two = || {
            let [first, second] = self.ranked.first_chunk()?;
            let rating = |it: &Version| self.ratings.get(&*it.engine_name()).copied();
            let verdict = of_two(&self.table.standings, fit, rating(first)?, rating(second)?)?;
            let [ahead, behind] = [first, second].map(|it| it.bot.clone());
            Some(Verdict { ahead, behind, ..verdict })
        };
        let rows: Vec<Row> = self.ranked.iter().enumerate().filter_map(row).collect();
        let (mut waiting, mut out) = (Vec::new(), Vec::new());
        for bot in self.members.bots() {
            let status = |version: &Version| status_of(version, self.members, self.played);
            let of_bot: Vec<&Version> = self.members.of(bot).collect();
            let playing = of_bot.iter().find(|it| status(it) == Status::Plays);
            match playing {
                Some(playing) if !self.ranked.contains(playing) => {
                    waiting.push((bot, playing.version))
                }
                _ => {}
            }
            // A version that is refused although an older one plays on is worth a line, too.
            let latest = of_bot.last().expect("a bot has a version");
            if let Some(why) = status(latest).reason() {
                out.push((bot, latest.version, why));
            }
        }
        let active = roster::active(self.members, self.played);
        let engines: Vec<_> = active.iter().map(|it| it.engine()).collect();
        IndexPage {
            settings: self.settings,
            verdict: first_two(),
            rows,
            waiting,
            out,
            tournaments: &self.table.tournaments,
            notes: self.table.standings.notes(),
            missing: FinishedPairs::new(self.played).missing(&engines, self.settings),
        }
    }

    /// The ratings of a bot after each tournament, of the latest version that had one.
    fn history(&self, bot: &str) -> Vec<Option<f64>> {
        let mut history = vec![None; self.table.tournaments.len()];
        for version in self.members.of(bot) {
            for (known, elo) in history.iter_mut().zip(self.table.history(&version.engine_name())) {
                // An engine keeps its rating after its last game: a later version replaces it.
                *known = elo.or(*known);
            }
        }
        history
    }

    fn bot_page(&self, bot: &'l str) -> Result<BotPage<'l>, LeagueError> {
        let mut page = BotPage::new(self.settings, bot);
        let of_bot: Vec<&'l Version> = self.members.of(bot).rev().collect();
        for version in &of_bot {
            let status = status_of(version, self.members, self.played);
            page.versions.push(VersionLine {
                version: version.version,
                added: &version.added,
                author: &version.author,
                status: status.reason().unwrap_or_else(|| "plays".to_owned()),
                details: version.refused.as_ref().map_or("", |it| &it.details),
                rating: self.rating(version),
            });
        }
        let place = self.ranked.iter().position(|it| it.bot == bot);
        page.place = place.map(|place| (place + 1, self.ranked.len()));
        page.history = self.history(bot);
        if let Some((version, rating)) = of_bot.iter().find_map(|it| Some((*it, self.rating(it)?)))
        {
            page.shown = Some((version.version, rating));
            let limit = version.limit.unwrap_or(self.settings.limit);
            let record = self.table.records.get(&version.engine_name());
            page.advice = record.map_or(Vec::new(), |record| advice(record, limit));
            page.opponents = self.opponents(rating);
        }
        self.add_games(&mut page, bot)?;
        Ok(page)
    }

    /// The rating of a version; `None` without games.
    fn rating(&self, version: &Version) -> Option<&'l Rating> {
        self.ratings.get(&*version.engine_name()).copied().filter(|it| it.games > 0)
    }

    fn opponents(&self, rating: &Rating) -> Vec<Opponent<'l>> {
        let fit = self.table.standings.all();
        let met = fit.engines.iter().filter_map(|other| {
            let tally = self.table.standings.score(Scope::All, rating, other)?;
            let version = self.versions.get(&other.engine)?;
            Some(Opponent { bot: &version.bot, version: version.version, rating: other, tally })
        });
        met.collect()
    }

    /// Adds the games of all versions, those of the latest tournament first: a page has no room for
    /// all of them.
    fn add_games(&self, page: &mut BotPage<'_>, bot: &str) -> Result<(), LeagueError> {
        let names: Vec<String> = self.members.of(bot).map(Version::engine_name).collect();
        for it in self.played.iter().rev() {
            let is_own = |place: usize| {
                it.tournament.engines.get(place).is_some_and(|engine| names.contains(&engine.name))
            };
            let mut journal = Reader::open(&it.dir)?;
            page.begin(it.number, &it.tournament);
            for summary in it.index.games().iter().filter(|game| it.progress.counts(game)) {
                let sides = Side::BOTH.into_iter();
                let own: Vec<Side> = sides.filter(|&side| is_own(summary.player(side).0)).collect();
                if own.is_empty() {
                    continue;
                }
                let game = journal.game(summary.offset)?;
                let is_at_fault = own.iter().any(|&side| fault_of(&game, side).is_some());
                page.add(game_number(it.number, &game), &game, &own, is_at_fault);
            }
        }
        Ok(())
    }
}
