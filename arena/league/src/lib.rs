//! A league: a standing competition between bots that come, improve and go.
//!
//! A league is a directory with `league.toml`, the settings of its games ([`settings`]);
//! `members.json`, every version of every bot ([`members`]); `bots`, copies of the files that were
//! handed in ([`submission`]); and `tournaments`, one results directory for each time that the bots
//! have played. Their journals are the only truth about games: [`played`] reads them, [`roster`]
//! tells which versions play and why others do not, [`next`] decides who has to meet whom, and
//! [`table`] holds the ratings over all of them. [`advice`] reads from a bot's games what would make
//! it stronger.

pub mod advice;
mod archive;
pub mod error;
mod left_out;
pub mod members;
pub mod next;
pub mod pages;
pub mod played;
pub mod roster;
pub mod settings;
pub mod submission;
pub mod table;

pub use error::LeagueError;
pub use members::{Members, Refusal, Version};
pub use played::Played;
pub use roster::{Status, status_of};
pub use table::{BotRecord, Table};
