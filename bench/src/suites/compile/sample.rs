//! One run of a TLC program in a fresh VM, for the VM's times of the phases of compiling.

use crate::measure::clock::cpu_seconds;
use tlc::image::Image;
use tlc::machine::{MAX_DEPTH, Machine};
use verdigris::{Options, Stats};

/// Picks the seconds of one phase.
pub type Phase = fn(&Stats) -> f64;

/// The VM's statistics of one cold run of a program.
pub fn sample(image: &Image, n: i64, options: &Options) -> Result<Stats, String> {
    let options = options.clone().clock(cpu_seconds as fn() -> f64);
    let machine = Machine::new(options, MAX_DEPTH)?;
    match machine.run(image, &[n], true).error {
        Some(error) => Err(error),
        None => Ok(machine.vm().stats()),
    }
}

/// The phases of compilation, and their sum.
pub const PHASES: [(&str, Phase); 4] = [
    ("tracing", |stats| stats.seconds.tracing),
    ("optimising", |stats| stats.seconds.optimising),
    ("backend", |stats| stats.seconds.compiling),
    ("total", |stats| {
        stats.seconds.tracing + stats.seconds.optimising + stats.seconds.compiling
    }),
];
