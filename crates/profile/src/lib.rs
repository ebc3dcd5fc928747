//! Where the time of a guest program goes. In: a thread that is stopped again and again, for a
//! moment each ([`Sampler`]), and what a VM makes of what is found there. Out: a [`Profile`], which
//! is data, as a table for people ([`Profile::table`]), and as a file for the Firefox Profiler
//! ([`Output`]). Invariant: nothing here knows the engine; a sample is a few words for whoever
//! knows what they mean.
//!
//! Unsafe Rust is confined to `signal`, which the system calls in the middle of anything.

#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(unsafe_code)]

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
mod firefox;
mod model;
mod output;
mod ring;
mod sampler;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod signal;
mod table;

pub use model::{Frame, Made, Place, Profile, Sample, StackId, Tier};
pub use output::Output;
pub use sampler::{INTERVAL, Machine, NoSampler, Raw, Running, STACK_WORDS, Sampler, Watched};
