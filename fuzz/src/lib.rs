//! Differential fuzzing: made-up inputs, and what the JIT does with them compared with what is
//! right. In: a campaign, seeds, an amount of time or of cases. Out: a tally of what was executed,
//! or the first failure in its smallest form.
//!
//! A case is made of a [`tape`] of bytes, by a total function: whatever the bytes are, there is a
//! case, and fewer or lower bytes make a smaller one. So one shrinker ([`shrink`]) serves
//! everything, and a coverage-guided fuzzer can write the tapes.
//!
//! [`campaign`] is what all kinds of fuzzing have in common; [`registry`] is their table.
//! [`differ`] is the kind that runs programs of a [`language`] under [`configuration`]s drawn at
//! random; [`growth`] says how much code some of them may get. The table in [`languages`] names the
//! languages: a new one is a file and a line there.
//! [`limits`] runs programs on heaps that are too small. [`front`] is about the translator.
//! [`kept`] is the form in which failures are written down and replayed, and [`supervise`] finds
//! the case of a process that died. With the feature `sabotage`, `sabotage.rs` sees that all this
//! notices a broken optimiser. Invariant: the same seed gives the same cases, however many threads
//! there are.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod campaign;
pub mod configuration;
pub mod differ;
pub mod front;
pub mod growth;
pub mod heap;
pub mod journal;
pub mod kept;
pub mod language;
pub mod languages;
pub mod limits;
pub mod panics;
mod recorded;
pub mod registry;
#[cfg(feature = "sabotage")]
pub mod sabotage;
pub mod shrink;
pub mod supervise;
pub mod tally;
pub use fuzz_tape as tape;
pub mod traces;
