//! The restrictions of the sandbox that a machine enforces.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The restrictions that a machine enforces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Enforced {
    /// Writes only in the allowed directories.
    pub files: Enforcement,
    /// No TCP connections, nor protocols built on TCP.
    pub tcp: Enforcement,
    /// No other sockets except Unix sockets and queries about network interfaces.
    pub other_sockets: Enforcement,
    /// No device files.
    pub devices: Enforcement,
    /// No capabilities, namespaces or mounts, even if root runs the arena.
    pub administration: Enforcement,
    /// No view of the environment and the descriptors of processes outside the sandbox.
    pub other_processes: Enforcement,
    /// No signals to processes outside the sandbox.
    pub signals: Enforcement,
    /// No abstract Unix sockets outside the sandbox.
    pub abstract_sockets: Enforcement,
    /// No changes to limits, priorities and processors of other processes.
    pub limits: Enforcement,
    /// No process survives if arena and supervisor are killed at once, because of a PID namespace.
    pub namespace: Enforcement,
}

/// Whether a restriction is enforced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Enforcement {
    /// It is enforced.
    #[serde(rename = "enforced")]
    Enforced,
    /// The kernel does not support it.
    #[default]
    #[serde(rename = "not enforced here")]
    NotHere,
}

impl Enforced {
    /// The forbidden operations, each with the word of the probing process and its description.
    pub fn parts(&mut self) -> [(&'static str, &'static str, &mut Enforcement); 10] {
        [
            ("files", "writes outside their directories", &mut self.files),
            ("tcp", "TCP", &mut self.tcp),
            ("other-sockets", "UDP and other networks", &mut self.other_sockets),
            ("devices", "device files", &mut self.devices),
            ("administration", "rights of root", &mut self.administration),
            ("other-processes", "insight into other processes", &mut self.other_processes),
            ("signals", "signals to other processes", &mut self.signals),
            ("abstract-sockets", "abstract sockets of other processes", &mut self.abstract_sockets),
            ("limits", "limits and priorities of other processes", &mut self.limits),
            ("namespace", "survival of a killed arena", &mut self.namespace),
        ]
    }
}

impl Enforced {
    /// Returns the number of restrictions that hold here, and the number of all.
    pub fn counts(mut self) -> (usize, usize) {
        let parts = self.parts();
        let held = parts.iter().filter(|(_, _, part)| **part == Enforcement::Enforced);
        (held.count(), parts.len())
    }
}

impl fmt::Display for Enforced {
    /// One line with the enforced restrictions and the others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        let parts = copy.parts();
        let list = |wanted| {
            let parts = parts.iter().filter(|(_, _, enforcement)| **enforcement == wanted);
            parts.map(|&(_, name, _)| name).collect::<Vec<_>>().join(", ")
        };
        let (here, not) = (list(Enforcement::Enforced), list(Enforcement::NotHere));
        let here = if here.is_empty() { "nothing" } else { &here };
        write!(f, "engines are denied {here}")?;
        if not.is_empty() { Ok(()) } else { write!(f, "; not enforced here: {not}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_restrictions_are_listed() {
        let mut enforced = Enforced { files: Enforcement::Enforced, ..Enforced::default() };
        assert_eq!(
            enforced.to_string(),
            "engines are denied writes outside their directories; not enforced here: TCP, UDP and other \
             networks, device files, rights of root, insight into other processes, signals to other \
             processes, abstract sockets of other processes, limits and priorities of other \
             processes, survival of a killed arena"
        );
        enforced.parts().into_iter().for_each(|(_, _, part)| *part = Enforcement::Enforced);
        assert!(!enforced.to_string().contains("not enforced"), "{enforced}");
        assert!(Enforced::default().to_string().contains("denied nothing;"));
        let text = serde_json::to_string(&Enforced::default()).unwrap();
        assert!(text.contains("\"tcp\":\"not enforced here\""), "{text}");
        assert_eq!(serde_json::from_str::<Enforced>(&text).unwrap(), Enforced::default());
    }
}
