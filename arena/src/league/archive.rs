//! Unpacks archives that strangers have made: only files and directories, only below the target, and
//! only up to a size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;

/// The kinds of archives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Zip,
    Tar,
    TarGz,
}

impl Kind {
    /// The kind of an archive by its name.
    pub(super) fn of(path: &Path) -> Option<Kind> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        match () {
            () if name.ends_with(".zip") => Some(Kind::Zip),
            () if name.ends_with(".tar") => Some(Kind::Tar),
            () if name.ends_with(".tar.gz") || name.ends_with(".tgz") => Some(Kind::TarGz),
            () => None,
        }
    }
}

/// What may still be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// Bytes.
    pub(super) bytes: u64,
    /// Files and directories.
    pub(super) files: u32,
}

impl Allowance {
    /// For a whole submission: weights and tables fit, a bomb does not.
    pub(super) const SUBMISSION: Allowance = Allowance { bytes: 200 << 20, files: 5_000 };

    /// Takes one file or directory.
    pub(super) fn take_file(&mut self) -> io::Result<()> {
        let too_many = || other(format!("more than {} files", Allowance::SUBMISSION.files));
        self.files = self.files.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }

    /// Copies everything, if it fits.
    pub(super) fn copy(&mut self, from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
        let copied = io::copy(&mut from.take(self.bytes + 1), to)?;
        let too_much = || other(format!("more than {} MiB", Allowance::SUBMISSION.bytes >> 20));
        self.bytes = self.bytes.checked_sub(copied).ok_or_else(too_much)?;
        Ok(())
    }
}

/// An error about the content.
pub(super) fn other(why: String) -> io::Error {
    io::Error::other(why)
}

/// Creates a file that may be executed if the original may.
pub(super) fn create(path: &Path, executable: bool) -> io::Result<File> {
    let mode = if executable { 0o755 } else { 0o644 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Unpacks an archive into an empty directory.
pub(super) fn unpack(archive: &Path, kind: Kind, target: &Path) -> io::Result<()> {
    let file = File::open(archive)?;
    match kind {
        Kind::Zip => unzip(file, target),
        Kind::Tar => untar(file, target),
        Kind::TarGz => untar(GzDecoder::new(file), target),
    }
}

fn unzip(file: File, target: &Path) -> io::Result<()> {
    let mut archive = zip::ZipArchive::new(file).map_err(io::Error::other)?;
    let mut allowance = Allowance::SUBMISSION;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(io::Error::other)?;
        let name = entry.name().map_err(io::Error::other)?.into_owned();
        let mode = entry.unix_mode().unwrap_or(0);
        if entry.is_symlink() {
            return Err(other(format!("`{name}` is a link: files and directories are allowed")));
        }
        let Some(path) = below(target, Path::new(&name))? else { continue };
        allowance.take_file()?;
        if entry.is_dir() {
            fs::create_dir_all(&path)?;
            continue;
        }
        parents(&path)?;
        allowance.copy(&mut entry, &mut create(&path, mode & 0o111 != 0)?)?;
    }
    Ok(())
}

fn untar(reader: impl Read, target: &Path) -> io::Result<()> {
    // Headers and names also come out of the compressed stream.
    let whole = Allowance::SUBMISSION.bytes + (u64::from(Allowance::SUBMISSION.files) << 12);
    let mut archive = tar::Archive::new(reader.take(whole));
    let mut allowance = Allowance::SUBMISSION;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.into_owned();
        let kind = entry.header().entry_type();
        if kind == tar::EntryType::XGlobalHeader {
            continue;
        }
        if !kind.is_file() && !kind.is_dir() {
            let name = name.display();
            return Err(other(format!(
                "`{name}` is a link or a device: files and directories are allowed"
            )));
        }
        let mode = entry.header().mode()?;
        let Some(path) = below(target, &name)? else { continue };
        allowance.take_file()?;
        if kind.is_dir() {
            fs::create_dir_all(&path)?;
            continue;
        }
        parents(&path)?;
        allowance.copy(&mut entry, &mut create(&path, mode & 0o111 != 0)?)?;
    }
    Ok(())
}

fn parents(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// The place of an entry below the target; `None` for the target itself. An entry that leads
/// elsewhere is an error.
fn below(target: &Path, name: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = target.to_owned();
    for part in name.components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err(other(format!("`{}` leads out of the archive", name.display()))),
        }
    }
    Ok((path != target).then_some(path))
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
        let dir = tempfile::tempdir().unwrap();
        let (archive, target) = (dir.path().join("archive"), dir.path().join("target"));
        fs::write(&archive, bytes).unwrap();
        fs::create_dir(&target).unwrap();
        let done = unpack(&archive, kind, &target);
        (dir, done)
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

    #[test]
    fn a_bomb_is_no_submission() {
        let mut allowance = Allowance { bytes: 10, files: 1 };
        let mut out = Vec::new();
        allowance.copy(&mut &[0; 4][..], &mut out).unwrap();
        assert!(allowance.copy(&mut io::repeat(0), &mut out).is_err());
        assert_eq!(out.len(), 4 + 7);
        allowance.take_file().unwrap();
        allowance.take_file().unwrap_err();
    }
}
