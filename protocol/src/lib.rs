#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod messages;
pub mod rules;
#[cfg(feature = "serde")]
mod text_serde;
