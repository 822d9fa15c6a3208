//! Fetches the engines' files from the object store into a private directory, each by its digest.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use async_nats::jetstream::object_store::ObjectInfo;
use sha2::{Digest, Sha256};

use super::super::access::with_source;
use super::super::engine_set::{EngineFiles, FileDigest};
use super::super::messages::TournamentInfo;
use super::super::{ClusterError, names};
use super::Worker;
use fanorona_tournament::config::{self, EngineConfig, Places, ResolveError, Resolved};
use fanorona_tournament::record::storage::storage;

/// The engines' files on this machine.
pub struct Shipped {
    engines: Vec<EngineFiles>,
    /// The place here of each file of the coordinator.
    places: BTreeMap<String, PathBuf>,
    /// The directory of the config at the coordinator, and its image here.
    base: (PathBuf, PathBuf),
}

impl Worker {
    /// Fetches the engines of a tournament into a directory below `root`. A file that is on this
    /// machine under the same path with the same digest is used where it is.
    pub async fn fetch_engines(
        &self,
        info: &TournamentInfo,
        root: &Path,
    ) -> Result<Shipped, ClusterError> {
        let root = std::path::absolute(root).map_err(|why| storage("find", root, why))?;
        let dir = root.join("engines").join(&info.digest);
        let base = dir.join("base");
        create(&base)?;
        let failed = |what: String, why: &dyn std::error::Error| {
            ClusterError::server(what, with_source(why))
        };
        let mut places = BTreeMap::new();
        let mut store = None;
        for file in info.engines.engines.iter().flat_map(|engine| &engine.files) {
            let Some(expected) = &file.sha256 else { continue };
            let original = Path::new(&file.path);
            if digest(original).is_ok_and(|found| found == *expected) {
                places.insert(file.path.clone(), original.to_owned());
                continue;
            }
            let place = image(&dir, &base, info, file, expected);
            if !digest(&place).is_ok_and(|found| found == *expected) {
                let store = match &store {
                    Some(store) => store,
                    None => {
                        let found = self.context.get_object_store(names::ENGINES).await;
                        let found = found
                            .map_err(|why| failed("open the object store".to_owned(), &why))?;
                        store.insert(found)
                    }
                };
                let object = store.info(expected.as_str()).await;
                let object = object.map_err(|why| failed(format!("fetch {}", file.path), &why))?;
                create(place.parent().unwrap_or(&dir))?;
                self.fetch(&object, &place, expected).await?;
            }
            places.insert(file.path.clone(), place);
        }
        let engines = info.engines.engines.clone();
        Ok(Shipped { engines, places, base: (info.base.clone(), base) })
    }

    /// Fetches a file and checks its digest before it gets its name. Its parts are read one by one
    /// from the stream, which needs no permission to create a consumer.
    async fn fetch(
        &self,
        object: &ObjectInfo,
        place: &Path,
        expected: &str,
    ) -> Result<(), ClusterError> {
        let failed = |why: &dyn std::error::Error| {
            ClusterError::server("fetch an engine's file", with_source(why))
        };
        let stream = self.context.get_stream(format!("OBJ_{}", names::ENGINES)).await;
        let stream = stream.map_err(|why| failed(&why))?;
        let partial = place.with_extension("partial");
        let _ = fs::remove_file(&partial);
        let unwritten = |why| storage("write", &partial, why);
        let mut options = fs::OpenOptions::new();
        // An engine's program must be executable; its owner alone reads it.
        let opened = options.write(true).create_new(true).mode(0o500).open(&partial);
        let mut file = opened.map_err(unwritten)?;
        let mut hasher = Sha256::new();
        let subject = format!("$O.{}.C.{}", names::ENGINES, object.nuid);
        let mut next = None;
        for _ in 0..object.chunks {
            let part = stream.direct_get_next_for_subject(subject.as_str(), next).await;
            let part = part.map_err(|why| failed(&why))?;
            next = Some(part.sequence + 1);
            hasher.update(&part.payload);
            file.write_all(&part.payload).map_err(unwritten)?;
        }
        drop(file);
        if hex(hasher) != expected {
            let _ = fs::remove_file(&partial);
            let why =
                format!("the server sent another file than the one with the digest {expected}");
            return Err(ClusterError::Usage(why));
        }
        Ok(fs::rename(&partial, place).map_err(|why| storage("write", place, why))?)
    }
}

impl Shipped {
    /// Resolves the command of an engine here, like [`config::resolve`].
    pub fn resolve(
        &self,
        engine: &EngineConfig,
        places: &Places<'_>,
    ) -> Result<Resolved, ResolveError> {
        let (there, here) = &self.base;
        let files = self.engines.iter().find(|it| it.name == engine.name);
        let program = files.and_then(|it| self.places.get(&it.files.first()?.path));
        let Some(program) = program else { return config::resolve(engine, places) };
        let moved = |path: PathBuf| match self.places.get(&there.join(&path).display().to_string())
        {
            Some(place) => place.clone(),
            None => path,
        };
        let mut engine = engine.clone();
        engine.command = program.display().to_string();
        engine.files = engine.files.into_iter().map(moved).collect();
        let from = engine.dir.as_ref().map_or_else(|| there.clone(), |dir| there.join(dir));
        for arg in &mut engine.args {
            let place = [&from, there]
                .into_iter()
                .find_map(|base| self.places.get(&base.join(&*arg).display().to_string()));
            if let Some(place) = place.filter(|_| !arg.is_empty()) {
                *arg = place.display().to_string();
            }
        }
        if let Some(dir) = &engine.dir {
            // If it cannot be created, resolving says so.
            let _ = create(&here.join(dir));
        }
        config::resolve(&engine, &Places { base: here, ..*places })
    }
}

/// The place of a file below the private directory: under its own path if it is below the config's
/// directory, so that engines find it, else under its digest.
fn image(
    dir: &Path,
    base: &Path,
    info: &TournamentInfo,
    file: &FileDigest,
    digest: &str,
) -> PathBuf {
    let path = Path::new(&file.path);
    let is_plain = |path: &&Path| path.components().all(|it| matches!(it, Component::Normal(_)));
    match path.strip_prefix(&info.base).ok().filter(is_plain) {
        Some(relative) => base.join(relative),
        None => dir.join(digest).join(path.file_name().unwrap_or_default()),
    }
}

/// Creates a directory that only this user can enter.
fn create(dir: &Path) -> Result<(), ClusterError> {
    let created = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    Ok(created.map_err(|why| storage("create", dir, why))?)
}

fn digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut bytes = vec![0; 1 << 16];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(hex(hasher)),
            read => hasher.update(&bytes[..read]),
        }
    }
}

fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
