//! Profiles of guest programs: samples of a thread ([`Sampler`]), which a VM turns into a
//! [`Profile`], and a profile as a table ([`Profile::table`]) or as a file for the Firefox
//! Profiler, speedscope, or flame graphs ([`Output`]). Nothing here knows the engine: a raw sample
//! is a few words that the VM interprets.
//!
//! Unsafe Rust is confined to `signal`, whose handler interrupts any code.

#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(unsafe_code)]

mod firefox;
mod model;
mod output;
mod ring;
mod sampler;
mod stacks;
mod table;

pub use model::{CompiledCode, Mark, MarkKind, Profile, ProfileFrame, Sample, StackId};
pub use output::Output;
pub use sampler::{
    INTERVAL, Machine, RawSample, Running, STACK_WORDS, Sampler, SamplerError, Watched,
};
pub use verdigris_report::{Activity, SourcePos};
