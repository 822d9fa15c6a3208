//! Dialogues of engines stay on one machine.

use crate::place::{CONFIG, Place};

/// It is said before any server is asked.
#[test]
fn a_coordinator_does_not_promise_dialogues() {
    let place = Place::new();
    let config = place.write("cup.toml", &format!("log = \"all\"\n{CONFIG}"));
    let config = config.to_str().unwrap();
    let mut coordinator = place.coordinator("nats://127.0.0.1:1", config, "many", &[]);
    assert_eq!(coordinator.wait(), Some(2), "{}", coordinator.output());
    assert!(coordinator.output().contains("log = \"all\""), "{}", coordinator.output());
    assert!(!place.path("many").exists());
}
