//! Checks who has sent a message. One that its supposed sender has not signed, or that nobody can read, is
//! dropped and noted once; it is never held against the worker whose subject it came by.

use super::super::signature::{Flaw, Stamp};
use super::{Shared, lock};
use fanorona_tournament::text::safe_text;

/// The maximum number of messages that are noted, so that a flood of them does not fill the terminal.
const MAX_NOTED: usize = 40;

impl Shared {
    /// The content of a message that this worker has signed. Otherwise this is noted.
    pub(super) fn open<'m>(
        &self,
        worker: &str,
        subject: &str,
        message: &'m [u8],
    ) -> Option<&'m [u8]> {
        self.open_stamped(worker, subject, message).map(|(_, content)| content)
    }

    /// The same for messages that count only once.
    pub(super) fn open_new<'m>(
        &self,
        worker: &str,
        subject: &str,
        message: &'m [u8],
    ) -> Option<&'m [u8]> {
        let (stamp, content) = self.open_stamped(worker, subject, message)?;
        // Signs of life and live states go by different subscriptions, which overtake each other.
        let kind = subject.split('.').next().unwrap_or_default();
        let sender = format!("{worker} {kind}");
        let is_new = self.senders.repetitions.is_new(&sender, self.seal.instance(), stamp);
        is_new.then_some(content)
    }

    fn open_stamped<'m>(
        &self,
        worker: &str,
        subject: &str,
        message: &'m [u8],
    ) -> Option<(Option<Stamp>, &'m [u8])> {
        let flaw = match self.senders.open(worker, subject, message) {
            Ok(opened) => return Some(opened),
            Err(flaw) => flaw,
        };
        let what = match flaw {
            Flaw::Unsigned => "it is not signed",
            Flaw::Forged => "its signature is not that worker's for this subject",
            Flaw::TooLarge => "it is too large",
            Flaw::Stranger => {
                self.drop_message("", subject, "no worker of that name is known");
                return None;
            }
        };
        self.drop_message(worker, subject, what);
        None
    }

    /// Notes a message that does not count, the first time for each worker and fault.
    pub(super) fn drop_message(&self, worker: &str, subject: &str, what: &str) {
        let kind = subject.split('.').next().unwrap_or_default();
        // What cannot be read differs each time.
        let fault = what.split(':').next().unwrap_or_default();
        let known = {
            let mut noted = lock(&self.senders.noted);
            let is_new = noted.len() <= MAX_NOTED
                && noted.insert((worker.to_owned(), format!("{kind} {fault}")));
            if !is_new {
                return;
            }
            noted.len()
        };
        if known > MAX_NOTED {
            return self.warn("further messages that do not count are dropped without a note");
        }
        let subject: String = safe_text::line(subject).chars().take(120).collect();
        let what: String = safe_text::line(what).chars().take(300).collect();
        self.warn(format!(
            "a message on {subject} is dropped: {what}; it is not held against that worker, because \
             others can have caused it"
        ));
    }
}
