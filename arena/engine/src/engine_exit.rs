//! The end of an engine, as it reaches those who wait for it.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use super::supervisor_message::SupervisorMessage;

/// The first message about an engine's end, when it is there. Its channel is closed when no process of
/// the engine is left.
pub(crate) type FirstMessage = Option<SupervisorMessage>;

/// The state of an engine's exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EngineExit {
    /// It ended, and how.
    Ended(SupervisorMessage),
    /// It was ended with its supervisor, or by the arena, after it had started.
    SupervisorKilled,
    /// It is still running.
    Running,
}

impl EngineExit {
    /// Waits until an engine exits, up to `max_wait`.
    pub(crate) async fn within(
        max_wait: Duration,
        message: &mut watch::Receiver<FirstMessage>,
    ) -> EngineExit {
        match timeout(max_wait, message.wait_for(Option::is_some)).await {
            Ok(Ok(message)) => message.clone().map_or(EngineExit::Running, EngineExit::Ended),
            Ok(Err(_)) => EngineExit::SupervisorKilled,
            Err(_) => EngineExit::Running,
        }
    }
}
