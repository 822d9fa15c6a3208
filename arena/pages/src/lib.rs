//! The pages on which people play, analyse, study and watch: their HTML, styles and scripts, and the
//! answers to what they ask about rules, games and puzzles.
//!
//! Nothing here needs a server, a file or a runtime. `fanorona-serve` serves the pages and adds what
//! does: engines, tournaments, analysis.

mod answer;
mod assets;
mod choices;
pub mod game_files;
mod messages;
pub mod positions;
mod puzzles;
mod refusal;
mod session;
pub mod shell;
pub mod skill;

pub use answer::{ADDRESSES, Answer, answer};
pub use assets::{ASSETS, Asset, asset};
pub use refusal::{Refusal, RefusalKind};
