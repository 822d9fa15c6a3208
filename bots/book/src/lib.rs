//! Opening books: which positions near the start of a game are worth a deep search, and what the
//! searches say.
//!
//! A book grows by *drop-out expansion* (Thomas R. Lincke, *Strategies for the Automatic
//! Construction of Opening Books*, 2000): of all moves not yet examined it takes the one that a
//! player is most likely to meet, and searches the position after it.
//!
//! Read the modules in this order: one search (`search`), positions that need none ([`exact`]), the
//! file that keeps every result ([`journal`]), the positions and their values (`graph`), the choice
//! of what to examine next (`frontier`), and the growth of a book ([`build`]). The book itself and its file are
//! [`fanorona_bots::book`], because the engines read them.

pub mod build;
pub mod exact;
mod frontier;
mod graph;
pub mod journal;
mod search;
