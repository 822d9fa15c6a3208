//! Engines for Fanorona.
