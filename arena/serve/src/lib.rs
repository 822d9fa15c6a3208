//! `arena serve`: a local web server that shows tournaments, live and finished, and on whose pages
//! people play, analyse and study.
//!
//! The journal stays the only source of truth: pages of a running tournament read what is on disk,
//! and only the boards of games in progress come from memory. The server runs on a thread of its
//! own, so that it never delays the clocks of games. Pages get JSON, events, and sections of
//! the report; their scripts decide nothing about the rules.

mod access;
mod assets;
mod blocking;
mod boards_socket;
mod connections;
mod directory;
mod engines;
mod error;
mod explorer;
mod form;
mod fragments;
mod games;
mod headline;
mod library;
mod next_games;
mod outbox;
mod page_response;
mod paths;
mod refusals;
mod reports;
mod runs;
mod sections;
mod server;
mod site;
mod socket;
mod stream;
mod summary;
mod view;
mod watch;

pub use access::Access;
pub use boards_socket::{BoardsSocket, follow_boards};
pub use engines::Engines;
pub use library::Library;
pub use reports::ReportError;
pub use server::{bind, serve};
pub use site::Site;
pub use watch::{Control, Running, Shown};
