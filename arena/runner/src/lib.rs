//! Plays a tournament. The main loop, [`run`], gets the pairings of the schedule played, here or
//! elsewhere, and records every finished game. It makes all decisions about what is played and when the
//! tournament ends.
//!
//! A [`session`] is a tournament in its results directory; [`session::play`] plays one from the
//! beginning to the end. A [`Venue`] is where the games are played: this machine or a cluster.
//! [`mod@play`] plays one game, [`live`] shows games in progress, [`capacity`] says how many fit on this
//! machine, [`oracle`] asks for exact values and [`analysis`] for judgements.

pub mod analysis;
pub mod capacity;
pub mod live;
pub mod oracle;
pub mod play;

mod event;
mod game_attempt;
mod introduction;
mod journal_writer;
mod local_venue;
mod main_loop;
mod missing;
mod pairing_task;
mod plan;
mod planning;
mod play_again;
mod pool;
mod preparation;
pub mod session;
mod shortage;
mod venue;

pub use event::{Event, Finish, RunError, Stop};
pub use introduction::Introduction;
pub use local_venue::LocalVenue;
pub use main_loop::{Snapshot, run};
pub use missing::Missing;
pub use pairing_task::{PairingGames, draw_opening};
pub use plan::Plan;
pub use planning::{PlanError, Role};
pub use play_again::{SingleGame, play_again};
pub use pool::{Pool, Started};
pub use preparation::{PrepareError, Prepared};
pub use session::{Closed, PlayError, Session, SessionError, Stored};
pub use venue::{GameSink, JobFuture, Venue};
