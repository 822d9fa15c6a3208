//! Unpacks archives that strangers have made: only files and directories, only below the target, and
//! only up to a size, a number and a depth. Directories that are only named by what is in them count
//! like all others.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;

use super::left_out::is_left_out;
use fanorona_tournament::text::safe_text;

/// The kinds of archives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Zip,
    Tar,
    TarGz,
}

impl Kind {
    /// The kind of an archive by its name.
    pub(super) fn from_path(path: &Path) -> Option<Kind> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        match () {
            () if name.ends_with(".zip") => Some(Kind::Zip),
            () if name.ends_with(".tar") => Some(Kind::Tar),
            () if name.ends_with(".tar.gz") || name.ends_with(".tgz") => Some(Kind::TarGz),
            () => None,
        }
    }
}

/// The deepest place of a file, in directories.
const DEEPEST: usize = 20;

/// The longest path in an archive, in bytes.
const LONGEST_PATH: usize = 1000;

/// The longest header of a tar archive that extends others, such as one with a long name, in bytes.
const LONGEST_HEADER: u64 = 64 << 10;

/// An amount of data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    /// Bytes.
    bytes: u64,
    /// Files and directories.
    files: u32,
}

impl Amount {
    /// The most that a whole submission may have: weights and tables fit, a bomb does not.
    pub(super) const SUBMISSION: Amount = Amount { bytes: 200 << 20, files: 5_000 };

    fn too_many_files(self) -> io::Error {
        other(format!("more than {} files and directories", self.files))
    }

    fn too_many_bytes(self) -> io::Error {
        other(format!("more than {} MiB", self.bytes >> 20))
    }
}

/// The amount that may be written, and what is left of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    most: Amount,
    left: Amount,
}

impl Allowance {
    pub(super) fn new(most: Amount) -> Allowance {
        Allowance { most, left: most }
    }

    /// Takes one file or directory.
    pub(super) fn take_file(&mut self) -> io::Result<()> {
        let left = self.left.files.checked_sub(1);
        self.left.files = left.ok_or_else(|| self.most.too_many_files())?;
        Ok(())
    }

    /// Copies everything, if it fits.
    pub(super) fn copy(&mut self, from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
        let copied = io::copy(&mut from.take(self.left.bytes + 1), to)?;
        let left = self.left.bytes.checked_sub(copied);
        self.left.bytes = left.ok_or_else(|| self.most.too_many_bytes())?;
        Ok(())
    }
}

/// Refuses a place that is too deep.
pub(super) fn check_depth(path: &Path, directories: usize) -> io::Result<()> {
    match directories > DEEPEST {
        true => Err(other(format!(
            "`{}` is more than {DEEPEST} directories deep",
            shortened(&path.display().to_string())
        ))),
        false => Ok(()),
    }
}

/// The beginning of a long text.
fn shortened(text: &str) -> Cow<'_, str> {
    match safe_text::prefix(text, 100) {
        all if all == text => Cow::Borrowed(all),
        begin => Cow::Owned(format!("{begin}…")),
    }
}

/// An error about the content.
pub(super) fn other(why: String) -> io::Error {
    io::Error::other(why)
}

/// Creates a file that may be executed if the original may.
pub(super) fn create(path: &Path, executable: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if executable { 0o755 } else { 0o644 });
    // Elsewhere the ending of a name tells it.
    #[cfg(not(unix))]
    let _ = executable;
    options.open(path)
}

/// Unpacks an archive with a submission into an empty directory.
pub(super) fn unpack(archive: &Path, kind: Kind, target: &Path) -> io::Result<()> {
    unpack_at_most(Amount::SUBMISSION, archive, kind, target)
}

fn unpack_at_most(most: Amount, archive: &Path, kind: Kind, target: &Path) -> io::Result<()> {
    let file = File::open(archive)?;
    if file.metadata()?.len() > most.bytes {
        return Err(most.too_many_bytes());
    }
    let mut out = Unpacked::new(target, most);
    match kind {
        Kind::Zip => unzip(file, &mut out),
        Kind::Tar => {
            check_headers(&file, most)?;
            (&file).rewind()?;
            untar(whole(&file, most), &mut out)
        }
        Kind::TarGz => {
            check_headers(GzDecoder::new(&file), most)?;
            (&file).rewind()?;
            untar(whole(GzDecoder::new(&file), most), &mut out)
        }
    }
}

fn unzip(file: File, out: &mut Unpacked<'_>) -> io::Result<()> {
    let mut archive = zip::ZipArchive::new(file).map_err(io::Error::other)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(io::Error::other)?;
        let name = entry.name().map_err(io::Error::other)?.into_owned();
        if is_left_out(Path::new(&name)) {
            continue;
        }
        let mode = entry.unix_mode().unwrap_or(0);
        if entry.is_symlink() {
            let name = shortened(&name);
            return Err(other(format!("`{name}` is a link: files and directories are allowed")));
        }
        if entry.is_dir() {
            out.directory(Path::new(&name))?;
        } else {
            out.file(Path::new(&name), mode & 0o111 != 0, &mut entry)?;
        }
    }
    Ok(())
}

/// The bytes that are read of a tar archive at most: headers and names are in its stream, too.
fn whole(reader: impl Read, most: Amount) -> impl Read {
    reader.take(most.bytes + (u64::from(most.files) << 12))
}

/// Refuses a tar archive with too many headers, or with long ones, which would be read into memory.
fn check_headers(reader: impl Read, most: Amount) -> io::Result<()> {
    let mut archive = tar::Archive::new(whole(reader, most));
    // A file may have a header for its name and one for its attributes.
    let mut left = 3 * most.files;
    for entry in archive.entries()?.raw(true) {
        let entry = entry?;
        let kind = entry.header().entry_type();
        let is_extension = kind.is_gnu_longname()
            || kind.is_gnu_longlink()
            || kind.is_pax_local_extensions()
            || kind.is_pax_global_extensions();
        if is_extension && entry.size() > LONGEST_HEADER {
            return Err(other(format!("a header of more than {} KiB", LONGEST_HEADER >> 10)));
        }
        left = left.checked_sub(1).ok_or_else(|| most.too_many_files())?;
    }
    Ok(())
}

fn untar(reader: impl Read, out: &mut Unpacked<'_>) -> io::Result<()> {
    let mut archive = tar::Archive::new(reader);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.into_owned();
        let kind = entry.header().entry_type();
        if kind == tar::EntryType::XGlobalHeader || is_left_out(&name) {
            continue;
        }
        if !kind.is_file() && !kind.is_dir() {
            let name = name.display().to_string();
            return Err(other(format!(
                "`{}` is a link or a device: files and directories are allowed",
                shortened(&name)
            )));
        }
        let mode = entry.header().mode()?;
        if kind.is_dir() {
            out.directory(&name)?;
        } else {
            out.file(&name, mode & 0o111 != 0, &mut entry)?;
        }
    }
    Ok(())
}

/// The files that come out of an archive.
struct Unpacked<'t> {
    target: &'t Path,
    allowance: Allowance,
    /// The directories that have been made.
    made: HashSet<PathBuf>,
}

impl Unpacked<'_> {
    fn new(target: &Path, most: Amount) -> Unpacked<'_> {
        Unpacked { target, allowance: Allowance::new(most), made: HashSet::new() }
    }

    /// Makes a directory and those above it.
    fn directory(&mut self, name: &Path) -> io::Result<()> {
        let path = below(name)?;
        self.make(&path)
    }

    /// Writes a file, and makes the directories above it.
    fn file(&mut self, name: &Path, executable: bool, from: &mut impl Read) -> io::Result<()> {
        let path = below(name)?;
        // An entry that names the target itself has nothing to say.
        if path.as_os_str().is_empty() {
            return Ok(());
        }
        self.make(path.parent().unwrap_or(Path::new("")))?;
        self.allowance.take_file()?;
        self.allowance.copy(from, &mut create(&self.target.join(path), executable)?)
    }

    /// Makes a directory below the target and those above it, each once; every one counts.
    fn make(&mut self, path: &Path) -> io::Result<()> {
        let mut above: Vec<&Path> = path.ancestors().collect();
        // The last one is the target.
        above.pop();
        for dir in above.into_iter().rev() {
            if !self.made.contains(dir) {
                self.allowance.take_file()?;
                fs::create_dir(self.target.join(dir))?;
                self.made.insert(dir.to_owned());
            }
        }
        Ok(())
    }
}

/// The place of an entry, relative to the target. An entry that leads elsewhere is an error, and
/// so is one that is too long or too deep.
fn below(name: &Path) -> io::Result<PathBuf> {
    let shown = || shortened(&name.to_string_lossy()).into_owned();
    if name.as_os_str().len() > LONGEST_PATH {
        return Err(other(format!("`{}`: a path of more than {LONGEST_PATH} bytes", shown())));
    }
    let mut path = PathBuf::new();
    for part in name.components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err(other(format!("`{}` leads out of the archive", shown()))),
        }
    }
    check_depth(name, path.components().count().saturating_sub(1))?;
    Ok(path)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A tar archive with these files.
    pub(in super::super) fn tar_of(files: &[(&str, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, text) in files {
            let mut header = tar::Header::new_ustar();
            header.set_size(text.len() as u64);
            header.set_mode(0o755);
            // `set_path` refuses what a hostile archive has.
            header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, text) in files {
            let options = zip::write::SimpleFileOptions::default().unix_permissions(0o755);
            writer.start_file(*name, options).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn unpacked(bytes: &[u8], kind: Kind) -> (tempfile::TempDir, io::Result<()>) {
        unpacked_by(unpack, bytes, kind)
    }

    /// The same where this many files and directories are the most.
    fn unpacked_at_most(
        files: u32,
        bytes: &[u8],
        kind: Kind,
    ) -> (tempfile::TempDir, io::Result<()>) {
        let most = Amount { files, ..Amount::SUBMISSION };
        let unpack =
            |archive: &Path, kind, target: &Path| unpack_at_most(most, archive, kind, target);
        unpacked_by(unpack, bytes, kind)
    }

    fn unpacked_by(
        unpack: impl Fn(&Path, Kind, &Path) -> io::Result<()>,
        bytes: &[u8],
        kind: Kind,
    ) -> (tempfile::TempDir, io::Result<()>) {
        let dir = tempfile::tempdir().unwrap();
        let (archive, target) = (dir.path().join("archive"), dir.path().join("target"));
        fs::write(&archive, bytes).unwrap();
        fs::create_dir(&target).unwrap();
        let done = unpack(&archive, kind, &target);
        (dir, done)
    }

    #[test]
    fn what_is_no_part_of_a_bot_stays_inside() {
        let files = [
            ("bot.py", "one"),
            ("__pycache__/bot.pyc", "two"),
            ("lib/node_modules/x/y.js", "three"),
            ("lib/.DS_Store", "four"),
        ];
        for (bytes, kind) in [(tar_of(&files), Kind::Tar), (zip_of(&files), Kind::Zip)] {
            let (dir, done) = unpacked(&bytes, kind);
            done.unwrap();
            let out: Vec<_> = fs::read_dir(dir.path().join("target")).unwrap().collect();
            assert_eq!(out.len(), 1, "{out:?}");
        }
    }

    #[test]
    fn files_come_out_as_they_went_in() {
        use std::os::unix::fs::PermissionsExt;
        let files = [("./bot.py", "one"), ("lib/deep/x.py", "two")];
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&tar_of(&files)).unwrap();
        let all = [
            (zip_of(&files), Kind::Zip),
            (tar_of(&files), Kind::Tar),
            (gz.finish().unwrap(), Kind::TarGz),
        ];
        for (bytes, kind) in all {
            let (dir, done) = unpacked(&bytes, kind);
            done.unwrap_or_else(|why| panic!("{kind:?}: {why}"));
            let target = dir.path().join("target");
            for (name, text) in files {
                assert_eq!(fs::read_to_string(target.join(name)).unwrap(), text, "{kind:?}");
                let mode = fs::metadata(target.join(name)).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o755, "{kind:?}");
            }
        }
    }

    #[test]
    fn nothing_leaves_the_target() {
        for name in ["../bot.py", "/etc/bot.py", "a/../../bot.py"] {
            for (bytes, kind) in
                [(tar_of(&[(name, "")]), Kind::Tar), (zip_of(&[(name, "")]), Kind::Zip)]
            {
                let (dir, done) = unpacked(&bytes, kind);
                assert!(done.unwrap_err().to_string().contains("leads out"), "{name} {kind:?}");
                assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
            }
        }
        let mut builder = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        builder.append_link(&mut header, "bot.py", "/etc/passwd").unwrap();
        let (_, done) = unpacked(&builder.into_inner().unwrap(), Kind::Tar);
        assert!(done.unwrap_err().to_string().contains("is a link"));
        let (_, done) = unpacked(b"no archive", Kind::Zip);
        done.unwrap_err();
    }

    fn gz_of(bytes: &[u8]) -> Vec<u8> {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(bytes).unwrap();
        gz.finish().unwrap()
    }

    /// The number of files and directories in a directory, itself not counted.
    fn counted(dir: &Path) -> usize {
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| 1 + if path.is_dir() { counted(&path) } else { 0 }).sum()
    }

    /// A tar archive with names of any length.
    fn long_tar_of(names: &[String]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for name in names {
            let mut header = tar::Header::new_gnu();
            header.set_size(0);
            header.set_mode(0o644);
            builder.append_data(&mut header, name, &b""[..]).unwrap();
        }
        builder.into_inner().unwrap()
    }

    /// Small archives that name very many directories, or very deep ones.
    #[test]
    fn every_directory_counts_and_none_is_deep() {
        let wide = |depth: usize, count: usize| -> Vec<String> {
            let parts = |index| (0..depth).map(move |part| format!("{index}-{part}"));
            (0..count).map(|index| parts(index).collect::<Vec<_>>().join("/") + "/x").collect()
        };
        let all = |names: &[String]| {
            let pairs: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "")).collect();
            let (zip, tar) = (zip_of(&pairs), long_tar_of(names));
            [(zip, Kind::Zip), (gz_of(&tar), Kind::TarGz), (tar, Kind::Tar)]
        };
        // Each of these files has twenty directories of its own.
        for (bytes, kind) in all(&wide(20, 10)) {
            let (dir, done) = unpacked_at_most(209, &bytes, kind);
            let why = done.unwrap_err().to_string();
            assert!(why.contains("more than 209 files and directories"), "{kind:?}: {why}");
            assert!(counted(&dir.path().join("target")) <= 209, "{kind:?}");
            let (dir, done) = unpacked_at_most(210, &bytes, kind);
            done.unwrap_or_else(|why| panic!("{kind:?}: {why}"));
            assert_eq!(counted(&dir.path().join("target")), 10 * 21, "{kind:?}");
        }
        for (names, part) in [
            (wide(21, 1), "more than 20 directories deep"),
            (
                vec!["x".repeat(200) + "/" + &"y/".repeat(450) + "z"],
                "a path of more than 1000 bytes",
            ),
        ] {
            for (bytes, kind) in all(&names) {
                let (dir, done) = unpacked(&bytes, kind);
                let why = done.unwrap_err().to_string();
                assert!(why.contains(part) && why.len() < 300, "{kind:?}: {why}");
                assert_eq!(counted(&dir.path().join("target")), 0, "{kind:?}");
            }
        }
        // A name of megabytes is not read, and headers without files come to an end.
        let (_, done) = unpacked(&gz_of(&long_tar_of(&["n".repeat(1 << 20)])), Kind::TarGz);
        assert!(done.unwrap_err().to_string().contains("a header of more than"));
        let mut builder = tar::Builder::new(Vec::new());
        for _ in 0..20_000 {
            let mut header = tar::Header::new_ustar();
            header.set_entry_type(tar::EntryType::XGlobalHeader);
            header.set_size(0);
            header.set_cksum();
            builder.append(&header, &b""[..]).unwrap();
        }
        let (_, done) = unpacked(&gz_of(&builder.into_inner().unwrap()), Kind::TarGz);
        assert!(done.unwrap_err().to_string().contains("more than 5000 files"));
    }

    /// The same directory may be named again, by itself and by what is in it.
    #[test]
    fn a_directory_that_is_named_twice_is_made_once() {
        let mut builder = tar::Builder::new(Vec::new());
        for name in ["a/", "a/b/x", "./a/b/", "a/", "a/c/y"] {
            let mut header = tar::Header::new_gnu();
            header.set_size(0);
            header.set_mode(0o755);
            if name.ends_with('/') {
                header.set_entry_type(tar::EntryType::Directory);
            }
            builder.append_data(&mut header, name, &b""[..]).unwrap();
        }
        let (dir, done) = unpacked(&builder.into_inner().unwrap(), Kind::Tar);
        done.unwrap();
        assert_eq!(counted(&dir.path().join("target")), 5);
    }

    #[test]
    fn a_bomb_is_no_submission() {
        let mut allowance = Allowance::new(Amount { bytes: 10, files: 1 });
        let mut out = Vec::new();
        allowance.copy(&mut &[0; 4][..], &mut out).unwrap();
        assert!(allowance.copy(&mut io::repeat(0), &mut out).is_err());
        assert_eq!(out.len(), 4 + 7);
        allowance.take_file().unwrap();
        allowance.take_file().unwrap_err();
    }
}
