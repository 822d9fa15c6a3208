//! Input and output at a terminal: drawing, replay, move prompt, keys and printing.

pub mod move_prompt;
pub(crate) mod outlet;
pub(crate) mod output;
pub(crate) mod patience;
pub mod replay;
pub(crate) mod screen;
pub(crate) mod stdout;
pub(crate) mod work;
