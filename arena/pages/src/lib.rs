//! The pages on which people play, analyse, study and watch: their HTML, styles and scripts, and the
//! answers to what they ask about rules, games and puzzles.
//!
//! Nothing here needs a server, a file or a runtime. `fanorona-serve` serves the pages and adds what
//! does: engines and tournaments.

mod answer;
mod assets;
pub mod body;
mod choices;
mod collection;
mod engine_view;
pub mod explorer;
pub mod files;
mod first;
mod first_answers;
pub mod game_files;
mod messages;
mod modules;
pub mod positions;
mod proven;
mod puzzles;
mod refusal;
mod review;
mod session;
pub mod shell;
mod skill;
mod style;
mod workspace;

pub use answer::{ADDRESSES, Answer, Lists, answer, ask};
pub use assets::{Asset, asset};
pub use collection::{Collection, Games};
pub use engine_view::{EngineView, OptionView};
pub use messages::texts;
pub use puzzles::Puzzles;
pub use refusal::{Refusal, RefusalCode, RefusalKind};
pub use workspace::workspace;
