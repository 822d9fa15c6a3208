//! Records of games. The journal on disk is the only source of truth; a game is written to it
//! before its result is reported.

pub mod atomic_file;
mod comparison;
pub mod dialogues;
pub mod effective_config;
pub mod example;
mod fingerprint;
mod game_record;
mod game_row;
mod game_values;
mod index;
mod journal;
mod journal_builder;
mod journal_error;
mod journal_line;
mod lock;
mod move_row;
pub mod own_file;
mod reader;
mod replay;
mod rows;
mod salvage;
pub mod storage;
pub mod table_writer;
mod tail;

pub use comparison::RepeatedGame;
pub use fingerprint::{Fingerprint, GameIdentity};
pub use game_record::{GameRecord, SecondOpinion, VoidRecord, both_names};
pub use game_row::GameRow;
pub use game_row::parsed;
pub use game_values::{GameValues, ParseValuesError};
pub use index::{Index, IndexError, Summary};
pub use journal::{Contents, Journal};
pub use journal_builder::JournalBuilder;
pub use journal_error::JournalError;
pub use journal_line::{Broken, Header, NewEntry};
pub use lock::Lock;
pub use move_row::{MoveRow, move_rows};
pub use reader::Reader;
pub use replay::{ReplayError, replay, verify};
pub use rows::Rows;
pub use salvage::{Loss, Salvage};
pub use storage::StorageError;
pub use tail::Tail;
