//! The processor time that control groups allow this process.
//!
//! A container or service often has a quota: so much processor time per period, for all its
//! processes together. When it is used up they all stand still until the next period. The quota of
//! every group above the process's own applies too, so the smallest one counts. Version 1 of control
//! groups has it in `cpu.cfs_quota_us`, version 2 in `cpu.max`.

use std::fs;
use std::path::{Path, PathBuf};

use super::cgroup;
use crate::quota::Quota;

/// The smallest quota of this process; `None` if there is none.
pub fn of_this_process() -> Option<Quota> {
    let read = |path: &str| fs::read_to_string(path).ok();
    of(&read("/proc/self/mountinfo")?, &read("/proc/self/cgroup")?)
}

/// The smallest quota of a process with these `mountinfo` and `cgroup` files.
fn of(mounts: &str, groups: &str) -> Option<Quota> {
    let of_group = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let is_version_2 = controllers.is_empty();
        if !is_version_2 && !has_word(controllers, "cpu") {
            return None;
        }
        let wanted = |system: &str, options: &str| match is_version_2 {
            true => system == "cgroup2",
            false => system == "cgroup" && has_word(options, "cpu"),
        };
        let (point, dir) = cgroup::mounted(mounts, Path::new(path), wanted)?;
        let above = dir.ancestors().take_while(|group| group.starts_with(&point));
        above.filter_map(if is_version_2 { version_2 } else { version_1 }).min_by_key(percent)
    };
    groups.lines().filter_map(of_group).min_by_key(percent)
}

fn percent(quota: &Quota) -> u32 {
    quota.percent
}

fn has_word(list: &str, word: &str) -> bool {
    list.split(',').any(|found| found == word)
}

fn version_1(group: &Path) -> Option<Quota> {
    let number = |file: &str| fs::read_to_string(group.join(file)).ok()?.trim().parse().ok();
    // Without a quota the number is negative.
    quota(number("cpu.cfs_quota_us")?, number("cpu.cfs_period_us")?, group.join("cpu.cfs_quota_us"))
}

fn version_2(group: &Path) -> Option<Quota> {
    let file = group.join("cpu.max");
    let text = fs::read_to_string(&file).ok()?;
    // Without a quota the first word is `max`.
    let mut numbers = text.split_whitespace().map(str::parse);
    quota(numbers.next()?.ok()?, numbers.next()?.ok()?, file)
}

fn quota(time: i64, period: i64, file: PathBuf) -> Option<Quota> {
    let percent = time.checked_mul(100)?.checked_div(period)?;
    (time > 0 && period > 0)
        .then(|| Quota { percent: u32::try_from(percent).unwrap_or(u32::MAX).max(1), file })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of groups in ordinary directories, by files and their contents.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = dir.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        dir
    }

    fn found(dir: &Path, mount: &str, group: &str) -> Option<(u32, String)> {
        let quota = super::of(&mount.replace("DIR", dir.to_str().unwrap()), group)?;
        let file = quota.file.strip_prefix(dir).unwrap().display().to_string();
        Some((quota.percent, file))
    }

    #[test]
    fn the_smallest_quota_on_the_path_counts() {
        let dir = tree(&[
            ("cpu.max", "max 100000\n"),
            ("a/cpu.max", "50000 100000\n"),
            ("a/b/cpu.max", "150000 100000\n"),
            ("a/b/c/cpu.max", "max 100000\n"),
            ("d/cpu.max", "max 100000\n"),
        ]);
        let mount = "31 30 0:27 / DIR rw - cgroup2 cgroup2 rw\n";
        let of = |group| found(dir.path(), mount, group);
        assert_eq!(of("0::/a/b/c\n"), Some((50, "a/cpu.max".into())));
        assert_eq!(of("0::/a\n"), Some((50, "a/cpu.max".into())));
        assert_eq!(
            [of("0::/d\n"), of("0::/\n"), of("0::/gone\n"), of("")],
            [None, None, None, None]
        );
        // A container sees its own group as the root, or as it is called outside.
        let inside = mount.replace("0:27 /", "0:27 /a/b");
        let of = |group| found(&dir.path().join("a/b"), &inside, group);
        assert_eq!(of("0::/a/b\n"), Some((150, "cpu.max".into())));
        assert_eq!(of("0::/\n"), Some((150, "cpu.max".into())));
        assert_eq!(of("0::/../other\n"), Some((150, "cpu.max".into())));
    }

    #[test]
    fn both_versions_are_read() {
        let dir = tree(&[
            ("one/x/cpu.cfs_quota_us", "-1\n"),
            ("one/x/cpu.cfs_period_us", "100000\n"),
            ("one/cpu.cfs_quota_us", "25000\n"),
            ("one/cpu.cfs_period_us", "50000\n"),
            ("two/y/cpu.max", "2000 100000\n"),
        ]);
        let mounts = "32 31 0:29 / DIR/set rw - cgroup cgroup rw,cpuset\n\
                      33 31 0:29 / DIR/one rw shared:7 - cgroup cgroup rw,cpu,cpuacct\n\
                      34 31 0:38 / DIR/two rw - cgroup2 cgroup2 rw\n";
        let of = |groups| found(dir.path(), mounts, groups);
        let of_one = Some((50, "one/cpu.cfs_quota_us".to_owned()));
        assert_eq!(of("3:cpuset:/x\n2:cpu,cpuacct:/x\n"), of_one);
        assert_eq!(of("2:cpu,cpuacct:/x\n0::/y\n"), Some((2, "two/y/cpu.max".into())));
        assert_eq!(of("3:cpuset:/x\n"), None);
    }
}
