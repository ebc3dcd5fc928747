//! Measuring: clocks, child processes, interleaved runs, records and their statistics.

pub mod built;
pub mod child;
pub mod clock;
pub mod document;
pub mod interleave;
pub mod pace;
pub mod record;
pub mod statistics;
pub mod text;
