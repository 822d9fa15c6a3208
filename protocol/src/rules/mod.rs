//! The rules of Fanorona.
