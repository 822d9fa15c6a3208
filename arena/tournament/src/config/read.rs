//! Turns the text of a config into a [`Tournament`], or into a list of all its errors.

use std::num::NonZeroU32;
use std::path::{Component, Path, PathBuf};

use toml::de::{DeTable, DeValue};

use fanorona_protocol::rules::{Ruleset, SessionRules, Start};

use super::adjudication::adjudication;
use super::confinement::Suspend;
use super::duration::duration;
use super::error::{ConfigError, ConfigErrors, Problem};
use super::format::{Format, swiss_stages};
use super::limit::{EXAMPLES, Limit};
use super::table::{Errors, Table};
use super::tournament::{EngineConfig, Overrides, Tournament};
use super::tuning::Tuning;
use super::{candidates, engine, openings, race, sprt, tuning};
use crate::text::safe_text;
use fanorona_ratings::kind::Kind;

/// Upper limits of rounds, concurrent games, stages and tiebreaks. Larger numbers are most likely
/// typing errors.
const MAX_CONCURRENCY: u32 = 1024;
const MAX_STAGES: u32 = 1000;
const MAX_TIEBREAKS: u32 = 100;
/// The maximum length of a tournament's name.
const MAX_NAME: usize = 100;

/// Parses the text of a config. `source_name` is the name of its file: errors show it, and it is
/// the default name of the tournament. `dir` is the file's directory.
pub fn parse(
    source_name: &str,
    text: &str,
    dir: &Path,
    overrides: &Overrides,
) -> Result<Tournament, ConfigErrors> {
    let failed = |errors| Err(ConfigErrors::new(source_name, text, errors));
    let document = match DeTable::parse(text) {
        Ok(document) => document,
        Err(error) => return failed(vec![ConfigError::from_syntax(&error)]),
    };
    let errors = Errors::default();
    let empty = DeTable::new();
    let top = Table::new("", None, document.get_ref(), &errors);
    let tournament = tournament(top, &empty, source_name, dir, overrides, &errors);
    match errors.into_inner() {
        errors if errors.is_empty() => Ok(tournament),
        errors => failed(errors),
    }
}

/// Parses a file of further engines for a tournament: `[[engine]]` tables and nothing else.
pub(crate) fn parse_engines(
    source_name: &str,
    text: &str,
    others: &[EngineConfig],
) -> Result<Vec<EngineConfig>, ConfigErrors> {
    let failed = |errors| Err(ConfigErrors::new(source_name, text, errors));
    let document = match DeTable::parse(text) {
        Ok(document) => document,
        Err(error) => return failed(vec![ConfigError::from_syntax(&error)]),
    };
    let errors = Errors::default();
    let mut top = Table::new("", None, document.get_ref(), &errors);
    let engines = engine::engines(&mut top, others, &errors);
    top.finish();
    match errors.into_inner() {
        errors if errors.is_empty() => Ok(engines),
        errors => failed(errors),
    }
}

/// Reads every table. A wrong value is replaced by a default, so that the rest of the text is
/// checked too.
fn tournament<'c>(
    mut top: Table<'c>,
    empty: &'c DeTable<'c>,
    source_name: &str,
    dir: &Path,
    overrides: &Overrides,
    errors: &'c Errors,
) -> Tournament {
    let mut it = Tournament::new(stem(source_name), "", Vec::new());
    let expected = "a string that is a valid directory name, like \"quick\"";
    if let Some(name) = top.parsed("name", expected, tournament_name) {
        it.name = name;
    }
    it.title = top.parsed("title", "a string, like \"Spring cup 2026\"", title);
    let base = top.string("base", "a string, the directory relative paths are resolved from");
    it.base = plain(&dir.join(base.unwrap_or_default()));
    if let Some(seed) = top.integer("seed", 0..=i64::MAX as u64) {
        it.seed = seed;
    }
    let format = top.word("format", &Format::ALL, Format::word);
    if let Some(kinds) = kinds(&mut top) {
        it.kinds = kinds;
    }
    if let Some(board) = top.parsed("board", "a string, like \"tsivy\"", str::parse::<Start>) {
        it.board = board;
    }
    if let Some(rounds) = top.small("rounds", 1..=Tournament::MAX_ROUNDS).and_then(NonZeroU32::new)
    {
        it.rounds = rounds;
    }
    it.concurrency = top.small("concurrency", 1..=MAX_CONCURRENCY).and_then(NonZeroU32::new);
    if let Some(limit) = top.parsed("limit", EXAMPLES, str::parse::<Limit>) {
        it.limit = limit;
    }
    durations(&mut top, &mut it);
    machine(&mut top, &mut it);
    let mut openings_table = top.table("openings", empty);
    it.openings = openings::source(&mut openings_table);
    it.rules = rules(top.table("rules", empty));
    it.session = session(top.table("session", empty));
    let sprt_there = top.has("sprt");
    let mut sprt_table = top.table("sprt", empty);
    it.sprt = sprt_there.then(|| sprt::sprt(&mut sprt_table)).flatten();
    let race_there = top.has("race");
    let race_table = top.table("race", empty);
    let candidates_there = top.has("candidates");
    let candidates_table = top.table("candidates", empty);
    let tune_there = top.has("tune");
    let mut tune_table = top.table("tune", empty);
    it.tuning = tune_there.then(|| tuning::tuning(&mut tune_table, errors)).flatten();
    it.adjudication = adjudication(top.table("adjudication", empty), empty, errors);
    it.engines = engine::engines(&mut top, &[], errors);
    it.format = stages(&mut top, format, it.engines.len());
    race_rules(&top, race_table, race_there, format, &mut it);
    candidate_rules(&top, candidates_table, candidates_there, format, &mut it);
    tune(&top, &mut it, tune_there);

    check_field(&top, &it);
    check_pondering(&top, &it);
    openings::check(&openings_table, &it);
    if sprt_there && it.format != Format::Match {
        let help = match it.format {
            Format::Candidates => "remove [sprt]: the bounds stand in [candidates]",
            _ => "set format = \"match\", or remove [sprt]",
        };
        top.conflict("sprt", "[sprt] requires a match of two engines", help);
    }
    openings_table.finish();
    sprt_table.finish();
    tune_table.finish();
    top.finish();

    replace(&mut it, overrides, errors);
    it
}

/// Reads the keys about the machine and the protection of engines from each other.
fn machine(top: &mut Table<'_>, it: &mut Tournament) {
    it.oversubscribe = top.boolean("oversubscribe").unwrap_or(it.oversubscribe);
    it.skip_broken = top.boolean("skip_broken").unwrap_or(it.skip_broken);
    it.log = top.choice("log").unwrap_or(it.log);
    it.memory = top.parsed("memory", engine::MEMORY, str::parse).unwrap_or(it.memory);
    if let Some(cpus) = top.parsed("cpus", engine::CPUS, str::parse) {
        it.cpus = cpus;
    }
    it.sandbox = top.choice("sandbox").unwrap_or(it.sandbox);
    it.sandbox_network = top.boolean("sandbox_network").unwrap_or(it.sandbox_network);
    it.suspend = top.choice("suspend").unwrap_or(it.suspend);
    it.ponder = top.boolean("ponder").unwrap_or(it.ponder);
    it.identity = top.choice("identity").unwrap_or(it.identity);
    it.max_processes = top.small("max_processes", engine::PROCESSES).unwrap_or(it.max_processes);
    it.max_files = top.small("max_files", engine::FILES).unwrap_or(it.max_files);
    it.disk = top.parsed("disk", engine::MEMORY, str::parse).unwrap_or(it.disk);
}

/// Reads the table `[race]`, which belongs to one format. `is_there` says whether it is written, and
/// `format` is the written one.
fn race_rules(
    top: &Table<'_>,
    mut table: Table<'_>,
    is_there: bool,
    format: Option<Format>,
    it: &mut Tournament,
) {
    let rules = race::race(&mut table, it.engines.len());
    it.race = (format == Some(Format::Race { stages: NonZeroU32::MIN })).then_some(rules);
    if is_there && it.race.is_none() {
        let help = "set format = \"race\", or remove [race]";
        top.conflict("race", "[race] requires format = \"race\"", help);
    }
    if let Some(race) = &it.race {
        it.format = Format::Race { stages: race.stages };
        if race.best.get() as usize >= it.engines.len() && it.engines.len() > 1 {
            let what = format!("{} engines have no best {}", it.engines.len(), race.best);
            table.conflict("best", what, "set `best` to fewer than the engines");
        }
    }
    table.finish();
}

/// Reads the table `[candidates]`, which belongs to one format. `is_there` says whether it is written,
/// and `format` is the written one.
fn candidate_rules(
    top: &Table<'_>,
    mut table: Table<'_>,
    is_there: bool,
    format: Option<Format>,
    it: &mut Tournament,
) {
    match (format == Some(Format::Candidates), is_there) {
        (true, true) => {
            let engines: Vec<&str> = it.names().collect();
            it.candidates = candidates::candidates(&mut table, &engines);
            table.finish();
        }
        (true, false) => {
            let help = "add [candidates] with base, elo0 and elo1";
            top.conflict("format", "format = \"candidates\" requires the table [candidates]", help);
        }
        (false, true) => {
            let help = "set format = \"candidates\", or remove [candidates]";
            top.conflict("candidates", "[candidates] requires format = \"candidates\"", help);
        }
        (false, false) => {}
    }
}

/// Reads the timeouts and the margin.
fn durations(top: &mut Table<'_>, it: &mut Tournament) {
    for (key, time, may_be_nothing) in [
        ("margin", &mut it.margin, true),
        ("stall", &mut it.stall, false),
        ("start_timeout", &mut it.start_timeout, false),
        ("quit_timeout", &mut it.quit_timeout, false),
        ("finish_timeout", &mut it.finish_timeout, true),
        ("storage_timeout", &mut it.storage_timeout, true),
        ("shortage_timeout", &mut it.shortage_timeout, true),
    ] {
        match top.parsed(key, "a string, like \"50ms\" or \"60s\"", duration) {
            Some(zero) if zero.is_zero() && !may_be_nothing => {
                top.refuse(key, "the duration must be longer than zero, like \"10s\"");
            }
            Some(written) => *time = written,
            None => {}
        }
    }
}

/// Replaces values by those of the command line, in the same bounds: the results directory keeps them in
/// its config.
fn replace(it: &mut Tournament, overrides: &Overrides, errors: &Errors) {
    let too_large = |option: &str, given: u64, max: u64| {
        let reason = format!("{given} is too large: the maximum is {max}");
        errors.add(None, Problem::Refused { key: option.into(), reason });
    };
    for (option, given, max) in [
        ("--rounds", overrides.rounds, Tournament::MAX_ROUNDS),
        ("--concurrency", overrides.concurrency, MAX_CONCURRENCY),
        ("--iterations", overrides.iterations, Tuning::MAX_ITERATIONS),
    ] {
        if let Some(given) = given.filter(|given| given.get() > max) {
            too_large(option, given.get().into(), max.into());
        }
    }
    it.rounds = overrides.rounds.unwrap_or(it.rounds);
    it.limit = overrides.limit.unwrap_or(it.limit);
    it.concurrency = overrides.concurrency.or(it.concurrency);
    it.seed = overrides.seed.unwrap_or(it.seed);
    if let (Some(iterations), Some(tuning)) = (overrides.iterations, &mut it.tuning) {
        tuning.iterations = iterations;
        it.format = Format::Tune { iterations };
        if let Some(reason) = tuning.too_long() {
            errors.add(None, Problem::Refused { key: "--iterations".into(), reason });
        }
    }
    if it.seed > i64::MAX as u64 {
        too_large("--seed", it.seed, i64::MAX as u64);
    }
}

/// The default name of a tournament: the name of its file.
fn stem(source_name: &str) -> String {
    let stem = Path::new(source_name).file_stem().map(|stem| stem.to_string_lossy());
    let letters = stem.iter().flat_map(|stem| stem.chars());
    let name: String = letters.map(|c| if is_name_letter(c) { c } else { '-' }).collect();
    let name: String = name.trim_start_matches('.').chars().take(MAX_NAME).collect();
    if name.is_empty() { "tournament".to_owned() } else { name }
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-_.+".contains(letter)
}

fn tournament_name(name: &str) -> Result<String, String> {
    let good = (1..=MAX_NAME).contains(&name.len())
        && name.chars().all(is_name_letter)
        && !name.starts_with('.');
    good.then(|| name.to_owned()).ok_or_else(|| {
        format!(
            "{name:?} is not a valid directory name: use 1 to {MAX_NAME} letters a-z, \
             digits and -_.+, without a dot at the beginning"
        )
    })
}

/// The title, one line of text.
fn title(title: &str) -> Result<String, String> {
    let length = title.chars().count();
    if title.trim().is_empty() {
        Err("the title is empty: remove it to show the name".to_owned())
    } else if length > Tournament::MAX_TITLE {
        let most = Tournament::MAX_TITLE;
        Err(format!("the title has {length} characters; the maximum is {most}"))
    } else if title.contains(safe_text::is_unsafe) {
        Err("a title must be one line without control or invisible characters".to_owned())
    } else {
        Ok(title.to_owned())
    }
}

/// Removes `.` and `..` from a path where that is possible without reading the disk. The result is
/// correct for canonical paths joined with a relative path.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            Component::ParentDir if plain.has_root() => {}
            component => plain.push(component),
        }
    }
    plain
}

/// Adds the parameters of the formats `swiss` and `knockout`.
fn stages(top: &mut Table, written: Option<Format>, engines: usize) -> Format {
    let stages = top.small("stages", 1..=MAX_STAGES).and_then(NonZeroU32::new);
    let tiebreaks = top.small("tiebreaks", 0..=MAX_TIEBREAKS);
    // After a wrong word, any format may be meant.
    let is_known = written.is_some() || !top.has("format");
    let format = written.unwrap_or_default();
    for (key, owner) in [("stages", "swiss"), ("tiebreaks", "knockout")] {
        if key == "stages" && format.word() == "race" && top.has(key) {
            top.conflict(key, "the `stages` of a race are in [race]", "move it to [race]");
        } else if is_known && top.has(key) && format.word() != owner {
            let help = format!("set format = {owner:?}, or remove `{key}`");
            top.conflict(key, format!("`{key}` requires format = {owner:?}"), help);
        }
    }
    match format {
        Format::Swiss { .. } => {
            let most = u32::try_from(engines).unwrap_or(u32::MAX).saturating_sub(1).max(1);
            if let Some(stages) = stages.filter(|stages| stages.get() > most && engines > 1) {
                let what = format!(
                    "{engines} engines do not have enough different opponents for {stages} stages"
                );
                top.conflict("stages", what, format!("set stages to {most} at most"));
            }
            Format::Swiss { stages: stages.unwrap_or_else(|| swiss_stages(engines)) }
        }
        Format::Knockout { tiebreaks: default } => {
            Format::Knockout { tiebreaks: tiebreaks.unwrap_or(default) }
        }
        other => other,
    }
}

fn kinds(top: &mut Table) -> Option<Vec<Kind>> {
    let expected = "an array of \"riatra\", \"vela\" and \"session\"";
    let elements = top.array("kinds", expected)?;
    let mut kinds = Vec::new();
    for element in elements {
        let Some(kind) = top.word_of("kinds", element, Kind::ALL, Kind::name) else { continue };
        if kinds.contains(&kind) {
            top.refuse("kinds", format!("{kind} is listed twice: list each kind once"));
        } else {
            kinds.push(kind);
        }
    }
    if elements.is_empty() {
        top.refuse("kinds", "the list is empty: name at least one kind");
    }
    Some(kinds)
}

fn rules(mut table: Table) -> Ruleset {
    let mut rules = Ruleset::default();
    for name in Ruleset::WORDS {
        let Some(value) = table.take(name) else { continue };
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(on) => on.to_string(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            _ => {
                table.wrong_type(name, value, "true, false, a whole number or a word");
                continue;
            }
        };
        // The ruleset is parsed as words, so a space would end the value.
        if text.is_empty() || text.contains(char::is_whitespace) {
            table.refuse(name, format!("{text:?} is not a valid value of a rule"));
        } else if let Err(error) = rules.set(&format!("{name}={text}")) {
            table.refuse(name, error);
        }
    }
    table.finish();
    rules
}

fn session(mut table: Table) -> SessionRules {
    let mut rules = SessionRules::default();
    match table.small("sets", 0..=u32::MAX) {
        Some(sets @ (3 | 5)) => rules.sets = sets,
        Some(other) => table.refuse("sets", format!("a session is best of 3 or 5, not {other}")),
        None => {}
    }
    if let Some(attempts) = table.small("vela_attempts", 1..=100) {
        rules.vela_attempts = attempts;
    }
    if let Some(replays) = table.small("replays", 0..=100) {
        rules.replays = replays;
    }
    table.finish();
    rules
}

/// Checks that a tuning has its table and one engine, and gives that engine its two roles.
fn tune(top: &Table, it: &mut Tournament, is_there: bool) {
    let is_tuning = matches!(it.format, Format::Tune { .. });
    match (is_tuning, is_there, &it.tuning) {
        (true, false, _) => {
            let help = "add [tune] with iterations and parameters";
            top.conflict("format", "format = \"tune\" requires the table [tune]", help);
        }
        (false, true, _) => {
            let help = "set format = \"tune\", or remove [tune]";
            top.conflict("tune", "[tune] requires format = \"tune\"", help);
        }
        (true, true, Some(tuning)) => {
            it.format = Format::Tune { iterations: tuning.iterations };
        }
        _ => {}
    }
    if !is_tuning {
        return;
    }
    let [engine] = &it.engines[..] else {
        if it.engines.len() > 1 {
            let what = "a tuning is of one engine, which plays itself";
            top.conflict("engine", what, "keep one [[engine]] table");
        }
        return;
    };
    for parameter in it.tuning.iter().flat_map(|tuning| &tuning.parameters) {
        if engine.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(&parameter.name)) {
            let what = format!("the option {} is set and tuned", parameter.name);
            top.conflict("engine", what, "remove it from `options`: `start` is its first value");
        }
    }
    let role = |sign| EngineConfig { name: format!("{}{sign}", engine.name), ..engine.clone() };
    it.engines = Tournament::SIGNS.map(role).to_vec();
}

/// Checks that the number of engines fits the format. An empty list is already reported.
fn check_field(top: &Table, it: &Tournament) {
    let count = it.engines.len();
    if it.format == Format::Match && count > 2 {
        let what = format!("a match is between two engines, but there are {count}");
        let help = "keep two [[engine]] tables, or set format = \"round-robin\" or \"gauntlet\"";
        top.conflict("engine", what, help);
    } else if count == 1 {
        top.conflict("engine", "a tournament needs at least two engines", "add another [[engine]]");
    } else if it.engines.iter().any(|engine| engine.joined > 0) && !may_be_joined(it) {
        let what = "engines can join a round-robin or a gauntlet, after those above them";
        top.conflict("engine", what, "remove `joined`, or order the engines by it from 0");
    } else if it.engines.iter().any(|engine| !engine.only.is_empty()) {
        if it.format != Format::RoundRobin {
            let help = "remove `only`, or set format = \"round-robin\"";
            top.conflict("engine", "`only` requires a round-robin", help);
        } else if let Some(alone) = it.engines.iter().find(|engine| {
            !it.engines.iter().any(|other| engine.meets(other) && engine.name != other.name)
        }) {
            let what = format!("{:?} meets no other engine", alone.name);
            top.conflict("engine", what, "change `only`");
        }
    }
}

/// Engines ponder while a clock of their own will run, and none that ponders is suspended.
fn check_pondering(top: &Table, it: &Tournament) {
    let key = if it.ponder { "ponder" } else { "engine" };
    let pondering = || it.engines.iter().filter(|engine| it.ponders(engine));
    if let Some(engine) = pondering().find(|engine| !it.limit_of(engine).is_timed()) {
        let (name, limit) = (&engine.name, it.limit_of(engine));
        let what =
            format!("{name:?} has the limit {limit}, and an engine ponders under time limits");
        top.conflict(key, what, "set `ponder = false` for it, or a limit like \"100ms\"");
    } else if let Some(engine) = pondering().find(|engine| it.suspend_of(engine) == Suspend::Always)
    {
        let what =
            format!("{:?} ponders, and suspend = \"always\" stops it meanwhile", engine.name);
        top.conflict(key, what, "set `ponder = false`, or suspend = \"auto\"");
    }
}

/// Whether engines are in the order in which they joined, and the format allows for it.
fn may_be_joined(it: &Tournament) -> bool {
    matches!(it.format, Format::RoundRobin | Format::Gauntlet)
        && it.engines.is_sorted_by_key(|engine| engine.joined)
        && it.engines[0].joined == 0
}
