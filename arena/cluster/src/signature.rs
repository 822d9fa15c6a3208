//! Signatures of messages. A NATS server checks the subject that a client publishes to, but not the
//! subject to which it asks for a reply. A client that may send any request can therefore make the
//! server publish on another client's subject, so a subject alone does not tell who sent a message. Every message that
//! counts is signed by its sender and bound to its subject.
//!
//! A signed message is a line with the signature and the stamp, and then the message:
//!
//! ```text
//! signed <signature> <session> <instance> <count>
//! {"version":…
//! ```
//!
//! Without keys, as with a server on loopback that has no users, messages travel as they are and
//! everyone is believed.

use fanorona_tournament::mutex::lock;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use nkeys::KeyPair;

use super::messages::MAX_MESSAGE;

/// The first word of a signed message.
const SIGNED: &str = "signed";

/// The longest first line: a signature and three numbers.
const MAX_LINE: usize = 200;

/// The most processes of one sender that are remembered. A sender that has more repeats only itself.
const MAX_INSTANCES: usize = 1024;

/// A number that no other process has drawn.
pub fn unique() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// The stamp that tells a message from its repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// The session of the coordinator that the sender knew.
    pub session: u64,
    /// The process of the sender.
    pub instance: u64,
    /// The number of the message among those of the process.
    pub count: u64,
}

/// Why a message does not count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Flaw {
    /// It has no signature.
    Unsigned,
    /// Its signature is not that of this sender for this message on this subject.
    Forged,
    /// It is larger than any message may be.
    TooLarge,
    /// Its sender is not known.
    Stranger,
}

/// Signs the messages of this process.
#[derive(Debug)]
pub struct Seal {
    key: Option<KeyPair>,
    instance: u64,
    count: AtomicU64,
}

impl Seal {
    /// A seal with this key; without one, messages are not signed.
    pub fn new(key: Option<KeyPair>) -> Seal {
        Seal { key, instance: unique(), count: AtomicU64::new(0) }
    }

    /// The number of this process.
    pub fn instance(&self) -> u64 {
        self.instance
    }

    /// The key, which also opens what it has sealed.
    pub fn key(&self) -> Option<&KeyPair> {
        self.key.as_ref()
    }

    /// Signs a message for a subject. Every call gives it another stamp.
    pub fn seal(&self, subject: &str, session: u64, message: Vec<u8>) -> Vec<u8> {
        let Some(key) = &self.key else { return message };
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let stamp = Stamp { session, instance: self.instance, count };
        let signature = key.sign(&text(subject, stamp, &message)).expect("the key has its seed");
        let Stamp { session, instance, count } = stamp;
        let signature = BASE64.encode(signature);
        let line = format!("{SIGNED} {signature} {session} {instance} {count}\n");
        [line.into_bytes(), message].concat()
    }
}

/// Checks that a message on a subject was signed by `signer`, and returns the stamp and the message
/// itself. If nobody is known who could have signed it, every message passes.
///
/// # Errors
/// Returns why the message does not count.
pub fn open<'m>(
    signer: Option<&KeyPair>,
    subject: &str,
    message: &'m [u8],
) -> Result<(Option<Stamp>, &'m [u8]), Flaw> {
    if message.len() > MAX_MESSAGE {
        return Err(Flaw::TooLarge);
    }
    let Some((signature, stamp, inner)) = parts(message) else {
        return if signer.is_none() { Ok((None, message)) } else { Err(Flaw::Unsigned) };
    };
    let Some(signer) = signer else { return Ok((None, inner)) };
    let signed = text(subject, stamp, inner);
    signer.verify(&signed, &signature).map_err(|_| Flaw::Forged)?;
    Ok((Some(stamp), inner))
}

/// The signature of a message as text; `None` if it has none. Nobody can guess it.
pub(crate) fn signature_of(message: &[u8]) -> Option<&str> {
    parts(message)?;
    std::str::from_utf8(message.split(|&byte| byte == b' ').nth(1)?).ok()
}

/// Splits a signed message into signature, stamp and message.
fn parts(message: &[u8]) -> Option<(Vec<u8>, Stamp, &[u8])> {
    let end = message.iter().take(MAX_LINE).position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&message[..end]).ok()?;
    let words: Vec<&str> = line.split(' ').collect();
    let [SIGNED, signature, session, instance, count] = words[..] else { return None };
    let [session, instance, count] = [session, instance, count].map(|word| word.parse().ok());
    let stamp = Stamp { session: session?, instance: instance?, count: count? };
    Some((BASE64.decode(signature).ok()?, stamp, &message[end + 1..]))
}

/// Returns the text that is signed.
fn text(subject: &str, stamp: Stamp, message: &[u8]) -> Vec<u8> {
    let Stamp { session, instance, count } = stamp;
    let line = format!("fanorona-arena {subject} {session} {instance} {count}\n");
    [line.as_bytes(), message].concat()
}

/// Recognises messages that come again.
#[derive(Debug, Default)]
pub struct Repetitions {
    /// The last count of each process of each sender.
    last: Mutex<HashMap<String, HashMap<u64, u64>>>,
}

impl Repetitions {
    /// Whether a message of this sender is new in a session. Those without a stamp always are.
    pub fn is_new(&self, sender: &str, session: u64, stamp: Option<Stamp>) -> bool {
        let Some(stamp) = stamp else { return true };
        if stamp.session != session {
            return false;
        }
        // The state is plain data that every writer leaves complete.
        let mut last = lock(&self.last);
        let instances = last.entry(sender.to_owned()).or_default();
        if instances.get(&stamp.instance).is_some_and(|&last| stamp.count <= last) {
            return false;
        }
        if instances.len() >= MAX_INSTANCES {
            instances.clear();
        }
        instances.insert(stamp.instance, stamp.count);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_counts_on_its_subject_and_from_its_sender_alone() {
        let (ada, grace) = (KeyPair::new_user(), KeyPair::new_user());
        let seal = Seal::new(Some(ada.clone()));
        let sealed = seal.seal("results.cup.ada.1", 7, b"{\"a\":1}\n".to_vec());
        let (stamp, message) = open(Some(&ada), "results.cup.ada.1", &sealed).unwrap();
        assert_eq!(message, b"{\"a\":1}\n");
        let expected = Stamp { session: 7, instance: seal.instance(), count: 0 };
        assert_eq!(stamp, Some(expected));
        let forged = |signer, subject, message: &[u8]| open(Some(signer), subject, message).err();
        for subject in ["results.cup.ada.2", "results.other.ada.1", "results.cup.grace.1"] {
            assert_eq!(forged(&ada, subject, &sealed), Some(Flaw::Forged), "{subject}");
        }
        assert_eq!(forged(&grace, "results.cup.ada.1", &sealed), Some(Flaw::Forged));
        // Any other byte of stamp or message.
        for at in [sealed.len() - 2, sealed.iter().position(|&byte| byte == b'\n').unwrap() - 1] {
            let mut other = sealed.clone();
            other[at] ^= 1;
            assert!(forged(&ada, "results.cup.ada.1", &other).is_some(), "{at}");
        }
        for unsigned in [&b"{\"a\":1}"[..], b"", b"signed", b"signed x 1 2 3\n{}", &[0xff; 300]] {
            let flaw = forged(&ada, "results.cup.ada.1", unsigned);
            assert!(matches!(flaw, Some(Flaw::Unsigned | Flaw::Forged)), "{unsigned:?}: {flaw:?}");
        }
        let large = vec![b' '; MAX_MESSAGE + 1];
        assert_eq!(forged(&ada, "results.cup.ada.1", &large), Some(Flaw::TooLarge));
    }

    #[test]
    fn without_keys_everyone_is_believed() {
        let plain = Seal::new(None).seal("hello.ada", 7, b"{}".to_vec());
        assert_eq!(open(None, "hello.ada", &plain), Ok((None, &b"{}"[..])));
        let signed = Seal::new(Some(KeyPair::new_user())).seal("hello.ada", 7, b"{}".to_vec());
        assert_eq!(open(None, "hello.ada", &signed), Ok((None, &b"{}"[..])));
        assert_eq!(signature_of(&plain), None);
        assert_eq!(signature_of(&signed).map(str::len), Some(86));
    }

    #[test]
    fn a_message_that_comes_again_is_not_new() {
        let repetitions = Repetitions::default();
        let is_new = |session, instance, count| {
            repetitions.is_new("ada", 7, Some(Stamp { session, instance, count }))
        };
        assert!(is_new(7, 1, 0) && is_new(7, 1, 3));
        assert!(!is_new(7, 1, 3) && !is_new(7, 1, 2));
        // Of another process or sender, but not of another session.
        assert!(is_new(7, 2, 0) && !is_new(6, 1, 9));
        let stamp = Stamp { session: 7, instance: 1, count: 0 };
        assert!(repetitions.is_new("grace", 7, Some(stamp)));
        assert!(repetitions.is_new("ada", 7, None));
    }
}
