//! A tournament from the form of the first page: its config, and the file that it becomes.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::engines::Engines;
use super::error::ApiError;
use super::library::Library;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::{Model, Sprt, SprtOptions};
use fanorona_tournament::config::{
    self, EngineConfig, Format, Limit, Overrides, Tournament, swiss_stages,
};

/// The most names of engines in the name of a tournament, and the most characters of each.
const NAMES: usize = 3;
const LONGEST: usize = 20;

/// The probability that a test is wrong, either way.
const RISK: f64 = 0.05;

/// The form.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Form {
    /// Names of engines that pages may start.
    engines: Vec<String>,
    #[serde(flatten)]
    format: FormFormat,
    kinds: Vec<Kind>,
    /// Games of two engines that meet; in a test the most games.
    games: u32,
    limit: String,
}

/// The formats of the form, with what each needs.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case")]
enum FormFormat {
    RoundRobin,
    Gauntlet,
    Swiss {
        /// The usual number of stages if missing.
        stages: Option<NonZeroU32>,
    },
    Knockout {
        tiebreaks: u32,
    },
    /// A sequential test between two bounds in Elo.
    Sprt {
        elo0: f64,
        elo1: f64,
    },
}

impl FormFormat {
    /// Sets the format of a tournament, unless its engines are too few or too many for it.
    fn set(self, tournament: &mut Tournament) -> Result<(), ApiError> {
        let engines = tournament.engines.len();
        tournament.format = match self {
            FormFormat::RoundRobin => Format::RoundRobin,
            FormFormat::Gauntlet => Format::Gauntlet,
            FormFormat::Swiss { stages } => {
                let stages = stages.unwrap_or_else(|| swiss_stages(engines));
                if stages.get() as usize >= engines {
                    let why =
                        format!("{engines} engines cannot meet new opponents in {stages} stages");
                    let help = "choose fewer stages, or more engines";
                    return Err(ApiError::invalid(why).with_help(help).said("form-stages"));
                }
                Format::Swiss { stages }
            }
            FormFormat::Knockout { tiebreaks } => Format::Knockout { tiebreaks },
            FormFormat::Sprt { .. } if engines != 2 => {
                let why = "a sequential test compares two engines";
                return Err(ApiError::invalid(why).with_help("tick two").said("form-two"));
            }
            FormFormat::Sprt { elo0, elo1 } => {
                let model = Model::default();
                let options = SprtOptions { elo0, elo1, alpha: RISK, beta: RISK, model };
                let sprt = Sprt::new(options).map_err(|why| {
                    let help = "the second bound must be above the first";
                    ApiError::invalid(why).with_help(help).said("form-bounds")
                })?;
                tournament.sprt = Some(sprt);
                Format::Match
            }
        };
        Ok(())
    }
}

/// The text of a config.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ConfigText {
    text: String,
}

impl Form {
    /// The tournament, whose engines are among those that pages may start.
    fn tournament(&self, engines: &Engines, base: &Path) -> Result<Tournament, ApiError> {
        let chosen = self.engines.iter().map(|name| engines.config(name).cloned());
        let chosen: Vec<EngineConfig> = chosen.collect::<Result<_, _>>()?;
        if chosen.len() < 2 || self.kinds.is_empty() {
            let help = "tick at least two engines, and a kind of games";
            return Err(ApiError::invalid("a tournament needs engines and games")
                .with_help(help)
                .said("no-engines"));
        }
        let mut tournament = Tournament::new(name_of(&self.engines), base, chosen);
        self.format.set(&mut tournament)?;
        let asked_for = |kind: &Kind| self.kinds.contains(kind);
        tournament.kinds = Kind::ALL.iter().copied().filter(asked_for).collect();
        tournament.limit = self.limit.parse::<Limit>().map_err(ApiError::invalid)?;
        // A round is a pair of games of each kind.
        let in_a_round = 2 * tournament.kinds.len() as u32;
        tournament.rounds =
            NonZeroU32::new(self.games.div_ceil(in_a_round)).unwrap_or(NonZeroU32::MIN);
        Ok(tournament)
    }

    /// Writes the config into a directory, under a free name, and returns its path.
    pub(super) fn write(&self, engines: &Engines, base: &Path) -> Result<PathBuf, ApiError> {
        let mut tournament = self.tournament(engines, base)?;
        let name = tournament.name.clone();
        for number in 1.. {
            if number > 1 {
                tournament.name = format!("{name}-{number}");
            }
            let text = checked(&tournament)?;
            let path = base.join(format!("{}.toml", tournament.name));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    file.write_all(text.as_bytes()).map_err(|why| cannot_write(&path, &why))?;
                    return Ok(path);
                }
                Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
                Err(why) => return Err(cannot_write(&path, &why)),
            }
        }
        unreachable!("numbers do not come to an end")
    }
}

fn cannot_write(path: &Path, why: &std::io::Error) -> ApiError {
    ApiError::failed(format!("cannot write {}: {why}", path.display()))
}

/// The text of a tournament's config, if the config reader takes it.
fn checked(tournament: &Tournament) -> Result<String, ApiError> {
    let text = tournament.to_short_toml();
    let read = config::parse("the form", &text, &tournament.base, &Overrides::default());
    read.map_err(ApiError::invalid)?;
    Ok(text)
}

/// A name for a tournament of these engines, usable for a file.
fn name_of(engines: &[String]) -> String {
    let plain = |name: &String| -> String {
        let name = name.strip_prefix("bot-").unwrap_or(name);
        name.chars().filter(char::is_ascii_alphanumeric).take(LONGEST).collect()
    };
    let names: Vec<String> = engines.iter().map(plain).filter(|name| !name.is_empty()).collect();
    match names.len() {
        0 => "tournament".to_owned(),
        1..=NAMES => names.join("-"),
        all => format!("{}-and-{}-more", names[..NAMES - 1].join("-"), all + 1 - NAMES),
    }
}

/// `POST /api/config`: the config of a form.
pub(super) async fn config(
    State(library): State<Arc<Library>>,
    State(engines): State<Arc<Engines>>,
    Json(form): Json<Form>,
) -> Result<Json<ConfigText>, ApiError> {
    let tournament = form.tournament(&engines, library.base())?;
    Ok(Json(ConfigText { text: checked(&tournament)? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_of_the_engines() {
        let named =
            |names: &[&str]| name_of(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(named(&["bot-alphabeta", "my bot/../x"]), "alphabeta-mybotx");
        assert_eq!(named(&["a", "b", "c", "d", "e"]), "a-b-and-3-more");
        assert_eq!(named(&["…", "…"]), "tournament");
    }
}
