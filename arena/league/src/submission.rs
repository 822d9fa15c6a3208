//! A submission: a directory, an archive or a single script, which is copied into the league, and
//! the start of the copy.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::archive::{self, Allowance, Amount, Kind};
use super::error::LeagueError;
use super::left_out::is_left_out;
use fanorona_tournament::config::{command_line, is_program};
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::text::input_file;

/// The file of a submission that says how to start it.
pub(crate) const MANIFEST: &str = "bot.toml";

/// The command that starts the copy of a submission, relative to its directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The program; a path begins with `./`.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Whether it receives the legal moves.
    pub legal_moves: bool,
    /// The options it is sent.
    pub options: BTreeMap<String, String>,
    /// Its author; empty if not given.
    pub author: String,
}

/// The keys of [`MANIFEST`]. Limits are not among them: the league sets them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    command: String,
    legal_moves: Option<bool>,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
    #[serde(default)]
    author: String,
}

/// Whether a text names a submission rather than a command: an existing directory, archive or
/// script.
pub fn is_submission(text: &str) -> bool {
    let path = Path::new(text);
    path.is_dir()
        || (path.is_file() && (Kind::from_path(path).is_some() || interpreter(path).is_some()))
}

/// Copies a submission into a new directory.
pub fn copy(from: &Path, to: &Path) -> Result<(), LeagueError> {
    let wrong = |why: io::Error| match why.kind() {
        // The league's disk, not what was handed in.
        ErrorKind::StorageFull
        | ErrorKind::QuotaExceeded
        | ErrorKind::FileTooLarge
        | ErrorKind::ReadOnlyFilesystem => LeagueError::Storage(storage("write", to, why)),
        _ => LeagueError::Submission { path: from.to_owned(), why: why.to_string() },
    };
    fs::create_dir_all(to).map_err(|why| storage("create", to, why))?;
    let mut allowance = Allowance::new(Amount::SUBMISSION);
    match Kind::from_path(from) {
        _ if from.is_dir() => copy_directory(from, to, 0, &mut allowance).map_err(wrong)?,
        Some(kind) => {
            archive::unpack(from, kind, to).map_err(wrong)?;
            lift(to).map_err(wrong)?;
        }
        None => {
            let name = from.file_name().unwrap_or("bot.py".as_ref());
            copy_file(from, &to.join(name), &mut allowance).map_err(wrong)?;
        }
    }
    Ok(())
}

/// Copies what is in a directory, which is itself this many directories deep.
fn copy_directory(
    from: &Path,
    to: &Path,
    depth: usize,
    allowance: &mut Allowance,
) -> io::Result<()> {
    archive::check_depth(from, depth)?;
    for entry in sorted(from)? {
        let name = entry.file_name().unwrap_or_default();
        let kind = fs::symlink_metadata(&entry)?.file_type();
        if is_left_out(name.as_ref()) {
            continue;
        }
        let target = to.join(name);
        if kind.is_dir() {
            allowance.take_file()?;
            fs::create_dir(&target)?;
            copy_directory(&entry, &target, depth + 1, allowance)?;
        } else if kind.is_file() {
            copy_file(&entry, &target, allowance)?;
        } else {
            let what = "is a link or a device: files and directories are allowed";
            return Err(archive::other(format!("`{}` {what}", entry.display())));
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path, allowance: &mut Allowance) -> io::Result<()> {
    allowance.take_file()?;
    let mut file = File::open(from)?;
    let executable = is_program(from);
    allowance.copy(&mut file, &mut archive::create(to, executable)?)
}

/// Moves everything up if an archive has only one directory, as archives of a directory do.
fn lift(dir: &Path) -> io::Result<()> {
    let [only] = &sorted(dir)?[..] else { return Ok(()) };
    if !only.is_dir() {
        return Ok(());
    }
    // The directory may contain something of its own name.
    let aside = dir.with_extension("unpacked");
    fs::rename(only, &aside)?;
    for entry in sorted(&aside)? {
        fs::rename(&entry, dir.join(entry.file_name().unwrap_or_default()))?;
    }
    fs::remove_dir(&aside)
}

/// The entries of a directory in the order of their names.
fn sorted(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    Ok(entries)
}

/// The program that runs a script.
fn interpreter(script: &Path) -> Option<&'static str> {
    match script.extension()?.to_str()? {
        "py" => Some("python3"),
        "js" | "mjs" => Some("node"),
        _ => None,
    }
}

/// Finds the command that starts a copy: that of its `bot.toml`; or else an executable `bot`, or
/// the script `bot`, `main` or the only one.
pub fn start(dir: &Path) -> Result<Start, LeagueError> {
    let wrong = |path: PathBuf, why: String| LeagueError::Submission { path, why };
    let manifest = dir.join(MANIFEST);
    if manifest.is_file() {
        let text = input_file::read_to_string(&manifest);
        let text = text.map_err(|why| wrong(manifest.clone(), why.to_string()))?;
        return declared(&text).map_err(|why| wrong(manifest, why));
    }
    let plain = |command: String, args: Vec<String>| Start {
        command,
        args,
        legal_moves: true,
        options: BTreeMap::new(),
        author: String::new(),
    };
    let bot = dir.join("bot");
    if bot.is_file() {
        return match is_program(&bot) {
            false => Err(wrong(
                bot,
                "it is not executable: `chmod +x bot`, then pack it again".to_owned(),
            )),
            true => Ok(plain("./bot".to_owned(), Vec::new())),
        };
    }
    let entries = sorted(dir).map_err(|why| storage("read", dir, why))?;
    let scripts: Vec<&PathBuf> =
        entries.iter().filter(|it| it.is_file() && interpreter(it).is_some()).collect();
    let named = |stem: &str| scripts.iter().find(|it| it.file_stem().is_some_and(|it| it == stem));
    let only = || scripts.first().filter(|_| scripts.len() == 1);
    let Some(script) = named("bot").or_else(|| named("main")).or_else(only) else {
        let why = "nothing to start: put an executable `bot`, a script `bot.py`, `main.py` or `bot.js`, \
                   or a file `bot.toml` with command = \"…\" at the top";
        return Err(wrong(dir.to_owned(), why.to_owned()));
    };
    let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(plain(interpreter(script).unwrap_or("python3").to_owned(), vec![name]))
}

/// Reads a `bot.toml`.
fn declared(text: &str) -> Result<Start, String> {
    let manifest: Manifest = toml::from_str(text).map_err(|why| why.message().to_owned())?;
    let engine = command_line(&manifest.command).map_err(|why| why.to_string())?;
    let option = |(name, value): (String, toml::Value)| match value {
        toml::Value::String(text) => Ok((name, text)),
        toml::Value::Integer(_) | toml::Value::Boolean(_) => Ok((name, value.to_string())),
        _ => Err(format!("the option {name} is not a text, a whole number, true or false")),
    };
    Ok(Start {
        command: engine.command,
        args: engine.args,
        legal_moves: manifest.legal_moves.unwrap_or(true),
        options: manifest.options.into_iter().map(option).collect::<Result<_, _>>()?,
        author: manifest.author,
    })
}

/// The digest of files with their names, or of whole directories without what is
/// not part of a bot, in hexadecimal.
pub fn digest(paths: &[PathBuf]) -> Result<String, LeagueError> {
    let mut hasher = Sha256::new();
    for path in paths {
        // The copy of a directory has another name.
        let name = path.file_name().filter(|_| !path.is_dir()).unwrap_or_default();
        let added = add(&mut hasher, path, name.as_ref());
        added.map_err(|why| storage("read", path, why))?;
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn add(hasher: &mut Sha256, path: &Path, name: &Path) -> io::Result<()> {
    if path.is_dir() {
        for entry in sorted(path)? {
            let inner = entry.file_name().unwrap_or_default();
            if !is_left_out(inner.as_ref()) {
                add(hasher, &entry, &name.join(inner))?;
            }
        }
        return Ok(());
    }
    let mut file = BufReader::new(File::open(path)?);
    let length = file.get_ref().metadata()?.len();
    let executable = is_program(path);
    hasher.update(format!("{}\0{length}\0{executable}\0", name.display()));
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            count => hasher.update(&buffer[..count]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn started(files: &[(&str, &str)]) -> Result<String, String> {
        let dir = place(files);
        let start = start(dir.path()).map_err(|why| why.to_string())?;
        Ok([vec![start.command], start.args].concat().join(" "))
    }

    #[test]
    fn a_submission_is_started_by_convention() {
        for (files, command) in [
            (&["bot.py", "a.py", "main.py"][..], "python3 bot.py"),
            (&["main.py", "a.py"], "python3 main.py"),
            (&["a.py", "lib/b.py", "x.txt"], "python3 a.py"),
            (&["bot.js", "a.py"], "node bot.js"),
        ] {
            let files: Vec<_> = files.iter().map(|&name| (name, "")).collect();
            assert_eq!(started(&files).as_deref(), Ok(command));
        }
        for files in [&["a.py", "b.py"][..], &[], &["readme.txt"]] {
            let files: Vec<_> = files.iter().map(|&name| (name, "")).collect();
            assert!(started(&files).unwrap_err().contains("nothing to start"));
        }
        assert!(started(&[("bot", "")]).unwrap_err().contains("chmod +x"));
    }

    #[test]
    fn a_manifest_says_how_a_submission_is_started() {
        let text = "command = \"java -jar 'my bot.jar'\"\nlegal_moves = false\nauthor = \"Ada\"\n\
                    options = { Depth = 3, Book = false, Style = \"wild\" }";
        let dir = place(&[(MANIFEST, text), ("bot.py", "")]);
        let start = start(dir.path()).unwrap();
        assert_eq!(
            (start.command.as_str(), &start.args[..]),
            ("java", &["-jar".into(), "my bot.jar".to_owned()][..])
        );
        assert_eq!((start.legal_moves, start.author.as_str()), (false, "Ada"));
        assert_eq!(start.options["Book"], "false");
        for (text, part) in [
            ("command = \"\"", "empty"),
            ("command = \"x\"\nmemory = \"8GB\"", "memory"),
            ("legal_moves = true", "command"),
            ("command = \"x\"\noptions = { A = 1.5 }", "option A"),
        ] {
            let why = started(&[(MANIFEST, text)]).unwrap_err();
            assert!(why.contains(part) && why.contains(MANIFEST), "{why}");
        }
    }

    #[test]
    fn a_copy_has_the_same_digest_and_nothing_else() {
        let dir = place(&[("in/bot.py", "x"), ("in/lib/a.py", "y"), ("in/.git/config", "z")]);
        let (from, to) = (dir.path().join("in"), dir.path().join("out"));
        copy(&from, &to).unwrap();
        assert!(!to.join(".git").exists());
        let files = |dir: &Path| digest(&[dir.to_owned()]).unwrap();
        let before = files(&to);
        assert_eq!(files(&from), before);
        // Python has run it.
        fs::create_dir(to.join("lib/__pycache__")).unwrap();
        fs::write(to.join("lib/__pycache__/a.pyc"), "x").unwrap();
        assert_eq!(files(&to), before);
        fs::write(from.join("lib/a.py"), "z").unwrap();
        assert_ne!(files(&from), before);
        std::os::unix::fs::symlink("/etc/passwd", from.join("link")).unwrap();
        let why = copy(&from, &dir.path().join("again")).unwrap_err().to_string();
        assert!(why.contains("is a link"), "{why}");
    }

    #[test]
    fn an_archive_of_a_directory_is_its_content() {
        let dir = place(&[]);
        let archive = dir.path().join("ada.tar");
        let files = [("ada/bot.py", "x"), ("ada/ada/y.py", "y")];
        fs::write(&archive, super::super::archive::tests::tar_of(&files)).unwrap();
        let to = dir.path().join("out");
        copy(&archive, &to).unwrap();
        assert!(to.join("bot.py").is_file() && to.join("ada/y.py").is_file());
        // What is no part of the bot does not keep its directory from being the only one.
        let more = [("__MACOSX/ada/._bot.py", "z"), ("ada/node_modules/x/y.js", "z")];
        let files = [&files[..], &more].concat();
        fs::write(&archive, super::super::archive::tests::tar_of(&files)).unwrap();
        let again = dir.path().join("again");
        copy(&archive, &again).unwrap();
        assert!(again.join("bot.py").is_file() && !again.join("node_modules").exists());
        assert!(is_submission(archive.to_str().unwrap()) && is_submission(to.to_str().unwrap()));
        assert!(!is_submission("bot-greedy") && !is_submission("python3 bot.py"));
    }
}
