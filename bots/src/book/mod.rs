//! The opening book: values of positions near the start of a game, found beforehand by deep
//! searches.
//!
//! The package `fanorona-book` builds books. This module has what an engine needs to use one: the
//! identity of a position, whatever its colours and its symmetry ([`PositionId`]), the book and its
//! file ([`Book`]), and the options that select it ([`BookOption`]).

mod file;
mod option;
mod position_id;
pub mod value;

pub use file::{Book, BookEntry, BookMove};
pub use option::BookOption;
pub use position_id::{PositionId, children};
