//! The names on the server: streams, buckets, subjects and consumers. Everything that a worker may
//! publish to carries its own name, so that the server can tell workers apart by their credentials. That
//! a message arrives on a worker's subject does not prove that it sent it: see [`signature`](super::signature).

/// The stream of the jobs.
pub(super) const JOBS: &str = "JOBS";

/// The stream of the finished games.
pub(super) const RESULTS: &str = "RESULTS";

/// The bucket with what workers need to know about each tournament.
pub(super) const TOURNAMENT: &str = "TOURNAMENT";

/// The bucket with the files of engines.
pub(super) const ENGINES: &str = "ENGINES";

/// The key with the list of running tournaments.
pub(super) const RUNNING: &str = "running";

/// The longest name of a worker.
pub(super) const MAX_WORKER: usize = 48;

/// Whether a text can be the name of a worker: it becomes part of subjects and file names.
pub fn is_worker_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=MAX_WORKER).contains(&text.len()) && text.bytes().all(plain)
}

/// The subject of a job: a pair, or a session with its pairing.
pub(super) fn job(tournament: &str, digest: &str, job: &str) -> String {
    format!("jobs.{tournament}.{digest}.{job}")
}

/// All jobs of a tournament.
pub(super) fn all_jobs(tournament: &str) -> String {
    format!("jobs.{tournament}.>")
}

/// All jobs of a tournament for one set of engines.
pub(super) fn jobs_for(tournament: &str, digest: &str) -> String {
    format!("jobs.{tournament}.{digest}.>")
}

/// The subject of a worker's games. Game numbers have a dot in sessions, which would split the
/// subject.
pub(super) fn result(tournament: &str, worker: &str, game: &str) -> String {
    format!("results.{tournament}.{worker}.{}", game.replace('.', "-"))
}

/// All results of a tournament.
pub(super) fn all_results(tournament: &str) -> String {
    format!("results.{tournament}.>")
}

/// The worker that published a result.
pub(super) fn worker_of_result(subject: &str) -> Option<&str> {
    subject.split('.').nth(2)
}

/// The subject of a game in progress.
pub(super) fn live(tournament: &str, worker: &str, game: &str) -> String {
    format!("live.{tournament}.{worker}.{}", game.replace('.', "-"))
}

/// The worker that published a game in progress.
pub(super) fn worker_of_live(subject: &str) -> Option<&str> {
    subject.split('.').nth(2)
}

/// All games in progress of a tournament.
pub(super) fn all_live(tournament: &str) -> String {
    format!("live.{tournament}.>")
}

/// The subject of a coordinator's requests to all workers.
pub(super) fn control(tournament: &str) -> String {
    format!("ctl.{tournament}")
}

/// The subject of the coordinator's requests to one worker to play games again.
pub(super) fn again(tournament: &str, worker: &str) -> String {
    format!("ctl.{tournament}.{worker}")
}

/// The subject of a worker's signs of life.
pub(super) fn hello(worker: &str) -> String {
    format!("hello.{worker}")
}

/// The subject of an entry in the bucket.
pub(super) fn entry(key: &str) -> String {
    format!("$KV.{TOURNAMENT}.{key}")
}

/// The consumer that hands jobs to workers with one set of engines.
pub(super) fn job_consumer(tournament: &str, digest: &str) -> String {
    format!("{tournament}_{digest}")
}

/// The consumer of a tournament's coordinator.
pub(super) fn result_consumer(tournament: &str) -> String {
    format!("{tournament}_results")
}

/// The key of what workers need to know about a tournament.
pub(super) fn info(tournament: &str) -> String {
    format!("{tournament}.info")
}

/// The key of the coordinator's lease.
pub(super) fn lease(tournament: &str) -> String {
    format!("{tournament}.lease")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_names_its_worker() {
        let subject = result("cup-1", "lab_7", "12.3");
        assert_eq!(subject, "results.cup-1.lab_7.12-3");
        assert_eq!(worker_of_result(&subject), Some("lab_7"));
        assert_eq!(worker_of_result("results.cup-1"), None);
    }

    #[test]
    fn a_worker_has_a_plain_name() {
        assert!(["lab1", "a-b_C9"].iter().all(|name| is_worker_name(name)));
        let long = "x".repeat(MAX_WORKER + 1);
        assert!(!["", "a.b", "a b", "*", ">", "é", &long].iter().any(|name| is_worker_name(name)));
    }
}
