//! Writes the effective config, with every default explicit. `arena resume` reads it again.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use toml::Value;

use fanorona_protocol::rules::{Ruleset, VelaStarter, VelaStarved};

use super::format::Format;
use super::limit::Written;
use super::race::RaceRules;
use super::read::plain;
use super::tournament::{Adjudication, EngineConfig, Log, OpeningSource, Tournament};
use super::tuning::{Method, Parameter, StepSizes, Tuning};
use super::{DrawRule, IdentityBy, ResignRule, ScoreRules};

impl Tournament {
    /// The tournament as a config for the directory `dir`, a canonical path. Read from there by
    /// [`parse`](super::parse), it is the same tournament. Commands and paths stay as written.
    /// `base`, the directory they are resolved from, is relative to `dir` if possible, so that
    /// configs and results can move together.
    pub fn to_toml(&self, dir: &Path) -> String {
        let mut out = String::new();
        self.write(&mut out, dir).expect("a string takes every text");
        out
    }

    fn write(&self, out: &mut String, dir: &Path) -> std::fmt::Result {
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
        writeln!(out, "name = {}", quoted(&self.name))?;
        if let Some(title) = &self.title {
            writeln!(out, "title = {}", quoted(title))?;
        }
        writeln!(out, "base = {}", quoted(&path(&relative(&self.base, dir))))?;
        writeln!(out, "seed = {}", self.seed)?;
        writeln!(out, "format = {}", quoted(self.format.word()))?;
        match self.format {
            Format::Swiss { stages } => writeln!(out, "stages = {stages}")?,
            Format::Knockout { tiebreaks } => writeln!(out, "tiebreaks = {tiebreaks}")?,
            Format::RoundRobin | Format::Gauntlet | Format::Match => {}
            Format::Race { .. } | Format::Tune { .. } => {}
        }
        writeln!(out, "kinds = {}", list(&kinds))?;
        writeln!(out, "board = {}", quoted(&self.board.to_string()))?;
        writeln!(out, "rounds = {}", self.rounds)?;
        match self.concurrency {
            Some(games) => writeln!(out, "concurrency = {games}")?,
            None => writeln!(out, "# concurrency: as many games at once as there are cores")?,
        }
        writeln!(out, "limit = {}", quoted(&self.limit.to_string()))?;
        for (key, time) in [
            ("margin", self.margin),
            ("stall", self.stall),
            ("start_timeout", self.start_timeout),
            ("quit_timeout", self.quit_timeout),
            ("finish_timeout", self.finish_timeout),
            ("storage_timeout", self.storage_timeout),
            ("shortage_timeout", self.shortage_timeout),
        ] {
            writeln!(out, "{key} = {}", quoted(&Written(time).to_string()))?;
        }
        writeln!(out, "memory = {}", quoted(&self.memory.to_string()))?;
        writeln!(out, "cpus = {}", quoted(&self.cpus.to_string()))?;
        writeln!(out, "sandbox = {}", quoted(self.sandbox.word()))?;
        writeln!(out, "sandbox_network = {}", self.sandbox_network)?;
        writeln!(out, "suspend = {}", quoted(self.suspend.word()))?;
        if self.identity != IdentityBy::default() {
            writeln!(out, "identity = {}", quoted(self.identity.word()))?;
        }
        writeln!(out, "max_processes = {}", self.max_processes)?;
        writeln!(out, "max_files = {}", self.max_files)?;
        writeln!(out, "disk = {}", quoted(&self.disk.to_string()))?;
        writeln!(out, "oversubscribe = {}", self.oversubscribe)?;
        writeln!(out, "skip_broken = {}", self.skip_broken)?;
        if self.log != Log::default() {
            writeln!(out, "log = {}", quoted(self.log.word()))?;
        }
        openings(out, &self.openings)?;
        rules(out, &self.rules)?;
        writeln!(out, "\n[session]\nsets = {}", self.session.sets)?;
        writeln!(out, "vela_attempts = {}", self.session.vela_attempts)?;
        writeln!(out, "replays = {}", self.session.replays)?;
        adjudication(out, &self.adjudication)?;
        if let Some(sprt) = &self.sprt {
            let sprt = sprt.options();
            // Debug formatting keeps the decimal point, so that the value is read back as a float.
            writeln!(out, "\n[sprt]\nelo0 = {:?}\nelo1 = {:?}", sprt.elo0, sprt.elo1)?;
            writeln!(out, "alpha = {:?}\nbeta = {:?}", sprt.alpha, sprt.beta)?;
            writeln!(out, "model = {}", quoted(&sprt.model.to_string()))?;
        }
        if let Some(RaceRules { best, error, within, batch, stages }) = &self.race {
            writeln!(out, "\n[race]\nbest = {best}\nerror = {error:?}\nwithin = {within:?}")?;
            writeln!(out, "batch = {batch}\nstages = {stages}")?;
        }
        if let Some(of) = &self.tuning {
            tuning(out, of)?;
        }
        let tuned = self.tuned_engine();
        let engines = if tuned.is_some() { &[] } else { &self.engines[..] };
        engines.iter().chain(&tuned).try_for_each(|config| engine(out, "[[engine]]", config))
    }
}

fn tuning(out: &mut String, tuning: &Tuning) -> std::fmt::Result {
    let Tuning { iterations, method, parameters } = tuning;
    writeln!(out, "\n[tune]\niterations = {iterations}")?;
    match method {
        Method::Spsa(StepSizes { stability, alpha, gamma }) => {
            writeln!(out, "A = {stability:?}\nalpha = {alpha:?}\ngamma = {gamma:?}")?;
        }
        Method::GaussianProcess => writeln!(out, "method = \"gaussian-process\"")?,
    }
    writeln!(out, "\n[tune.parameters]")?;
    for Parameter { name, number, start, min, max, c_end, r_end } in parameters {
        let number: &str = number.into();
        let (name, number) = (basic(name), quoted(number));
        write!(
            out,
            "{name} = {{ type = {number}, start = {start:?}, min = {min:?}, max = {max:?}"
        )?;
        if let Method::Spsa(_) = method {
            write!(out, ", c_end = {c_end:?}, r_end = {r_end:?}")?;
        }
        writeln!(out, " }}")?;
    }
    Ok(())
}

fn openings(out: &mut String, source: &OpeningSource) -> std::fmt::Result {
    writeln!(out, "\n[openings]")?;
    match source {
        OpeningSource::Start => writeln!(out, "source = \"start\""),
        OpeningSource::Named => writeln!(out, "source = \"named\""),
        OpeningSource::Random { plies } => writeln!(out, "source = \"random\"\nplies = {plies}"),
        OpeningSource::File { path: file, order } => {
            writeln!(out, "source = \"file\"\npath = {}", quoted(&path(file)))?;
            writeln!(out, "order = {}", quoted(order.word()))
        }
    }
}

fn rules(out: &mut String, rules: &Ruleset) -> std::fmt::Result {
    let starved = match rules.vela_starved {
        VelaStarved::CreditorLoses => "creditor-loses",
        VelaStarved::DebtorLoses => "debtor-loses",
        VelaStarved::Paika => "paika",
    };
    let starter = match rules.vela_starter {
        VelaStarter::Debtor => "debtor",
        VelaStarter::Creditor => "creditor",
    };
    writeln!(out, "\n[rules]")?;
    for (name, value) in Ruleset::WORDS.into_iter().zip([
        rules.forced_continuation.to_string(),
        rules.single_first_capture.to_string(),
        rules.blocked_is_draw.to_string(),
        quoted(starved),
        rules.vela_must_offer.to_string(),
        quoted(starter),
        rules.repetition.to_string(),
        rules.quiet.to_string(),
        rules.max_plies.to_string(),
    ]) {
        writeln!(out, "{name} = {value}")?;
    }
    Ok(())
}

fn adjudication(out: &mut String, adjudication: &Adjudication) -> std::fmt::Result {
    let Adjudication { scores: ScoreRules { draw, resign }, oracle } = adjudication;
    writeln!(out, "\n[adjudication]")?;
    match draw {
        Some(DrawRule { moves, score, after }) => {
            writeln!(out, "draw = {{ moves = {moves}, score = {score}, after = {after} }}")?;
        }
        None => writeln!(out, "draw = false")?,
    }
    match resign {
        Some(ResignRule { moves, score }) => {
            writeln!(out, "resign = {{ moves = {moves}, score = {score} }}")?;
        }
        None => writeln!(out, "resign = false")?,
    }
    oracle.iter().try_for_each(|oracle| engine(out, "[adjudication.oracle]", oracle))
}

fn engine(out: &mut String, table_name: &str, engine: &EngineConfig) -> std::fmt::Result {
    let args: Vec<&str> = engine.args.iter().map(String::as_str).collect();
    let inherit: Vec<&str> = engine.inherit_env.iter().map(String::as_str).collect();
    writeln!(out, "\n{table_name}\nname = {}", quoted(&engine.name))?;
    if let Some(family) = &engine.family {
        writeln!(out, "family = {}", quoted(family))?;
    }
    if !engine.only.is_empty() {
        let only: Vec<&str> = engine.only.iter().map(String::as_str).collect();
        writeln!(out, "only = {}", list(&only))?;
    }
    if engine.joined > 0 {
        writeln!(out, "joined = {}", engine.joined)?;
    }
    writeln!(out, "command = {}", quoted(&engine.command))?;
    writeln!(out, "args = {}", list(&args))?;
    if let Some(dir) = &engine.dir {
        writeln!(out, "dir = {}", quoted(&path(dir)))?;
    }
    writeln!(out, "env = {}", table(&engine.env))?;
    writeln!(out, "inherit_env = {}", list(&inherit))?;
    let writable: Vec<String> = engine.writable.iter().map(|dir| path(dir)).collect();
    let writable: Vec<&str> = writable.iter().map(String::as_str).collect();
    writeln!(out, "writable = {}", list(&writable))?;
    if !engine.files.is_empty() {
        let files: Vec<String> = engine.files.iter().map(|file| path(file)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        writeln!(out, "files = {}", list(&files))?;
    }
    if let Some(memory) = engine.memory {
        writeln!(out, "memory = {}", quoted(&memory.to_string()))?;
    }
    if let Some(cpus) = &engine.cpus {
        writeln!(out, "cpus = {}", quoted(&cpus.to_string()))?;
    }
    if let Some(sandbox) = engine.sandbox {
        writeln!(out, "sandbox = {}", quoted(sandbox.word()))?;
    }
    if let Some(network) = engine.sandbox_network {
        writeln!(out, "sandbox_network = {network}")?;
    }
    if let Some(suspend) = engine.suspend {
        writeln!(out, "suspend = {}", quoted(suspend.word()))?;
    }
    if let Some(identity) = engine.identity {
        writeln!(out, "identity = {}", quoted(identity.word()))?;
    }
    if let Some(processes) = engine.max_processes {
        writeln!(out, "max_processes = {processes}")?;
    }
    if let Some(files) = engine.max_files {
        writeln!(out, "max_files = {files}")?;
    }
    if let Some(disk) = engine.disk {
        writeln!(out, "disk = {}", quoted(&disk.to_string()))?;
    }
    writeln!(out, "options = {}", table(&engine.options))?;
    if let Some(limit) = engine.limit {
        writeln!(out, "limit = {}", quoted(&limit.to_string()))?;
    }
    writeln!(out, "legal_moves = {}", engine.legal_moves)?;
    writeln!(out, "dialect = {}", quoted(engine.dialect.handshake()))
}

/// A text as a TOML string.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn list(texts: &[&str]) -> String {
    Value::from(texts.to_vec()).to_string()
}

/// An inline table in the given order, which for options is the order they are sent in.
fn table(pairs: &[(String, String)]) -> String {
    let pairs: Vec<String> =
        pairs.iter().map(|(key, value)| format!("{} = {}", basic(key), quoted(value))).collect();
    if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")) }
}

/// A quoted key. TOML keys have no multi-line strings.
fn basic(key: &str) -> String {
    let mut text = String::from('"');
    for letter in key.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            letter if letter.is_control() => text += &format!("\\u{:04X}", letter as u32),
            letter => text.push(letter),
        }
    }
    text + "\""
}

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The path of a directory relative to another. It stays as it is if the two share only the root,
/// or if one of them is relative.
fn relative(target: &Path, from: &Path) -> PathBuf {
    let from = &plain(from);
    let shared = target.components().zip(from.components()).take_while(|(a, b)| a == b).count();
    if !(target.is_absolute() && from.is_absolute()) || shared < 2 {
        return target.to_owned();
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(target.components().skip(shared)).collect();
    if seen.as_os_str().is_empty() { ".".into() } else { seen }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_made_relative_to_another() {
        for (target, from, seen) in [
            ("/a/configs", "/a/results/x", "../../configs"),
            ("/a/configs", "/a/configs", "."),
            ("/a", "/a/results", ".."),
            ("/a/configs", "/a/configs/../results", "../configs"),
            ("/a/b", "/c/d", "/a/b"),
            ("configs", "results/x", "configs"),
        ] {
            assert_eq!(relative(Path::new(target), Path::new(from)), Path::new(seen));
        }
    }
}
