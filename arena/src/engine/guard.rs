//! Ends the engines of an arena that has died without ending them itself.
//!
//! A killed arena kills nobody, and an engine need not notice that nobody speaks to it any more. So
//! a second process of the same program is told of every process group that begins and ends; when
//! its input ends, which the death of the arena cannot but bring about, it kills those that are
//! left.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The process that keeps watch.
#[derive(Debug)]
pub struct Guard {
    process: Child,
    /// Taken when there is nobody left to watch.
    input: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts the process: `command` has to call [`stand`].
    pub fn start(mut command: Command) -> io::Result<Guard> {
        let mut process = command
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // What stops the arena at its terminal must not stop the guard.
            .process_group(0)
            .spawn()?;
        let input = Mutex::new(process.stdin.take());
        Ok(Guard { process, input })
    }

    /// Has a process group watched for as long as the ward lives.
    pub(super) fn watch(guard: &Arc<Guard>, group: Pid) -> Ward {
        guard.tell('+', group);
        Ward { guard: guard.clone(), group }
    }

    fn tell(&self, sign: char, group: Pid) {
        let input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut input) = input.as_ref() {
            // A guard that has been killed is missed only if the arena is as well.
            let _ = input.write_all(format!("{sign}{group}\n").as_bytes());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.input.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // It goes at the end of its input.
        let _ = self.process.wait();
    }
}

/// A process group that is being watched.
#[derive(Debug)]
pub(super) struct Ward {
    guard: Arc<Guard>,
    group: Pid,
}

impl Drop for Ward {
    fn drop(&mut self) {
        self.guard.tell('-', self.group);
    }
}

/// Keeps watch until the input ends, then kills every group that is left.
pub fn stand(input: impl BufRead) {
    for group in left(input) {
        // It may have gone by itself.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// The groups that have begun and not ended when the input does.
fn left(input: impl BufRead) -> BTreeSet<i32> {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let told = line.split_at_checked(1);
        match told.and_then(|(sign, group)| Some((sign, group.parse::<i32>().ok()?))) {
            // Smaller numbers would mean more than a group.
            Some(("+", group @ 2..)) => drop(groups.insert(group)),
            Some(("-", group)) => drop(groups.remove(&group)),
            _ => {}
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_have_not_ended_are_left() {
        let left = |text: &str| left(text.as_bytes()).into_iter().collect::<Vec<_>>();
        assert_eq!(left("+10\n+11\n-10\n+12\n+10\n-12\n"), [10, 11]);
        assert_eq!(left("+1\n+0\n++5\n+-7\nfive\n\n+20\n"), [5, 20]);
        assert!(left("").is_empty());
    }
}
