//! Programs as guests. In: an image with arguments, a stage of the object model. Out: functions
//! from options to runs.

use objmodel::image::Image;
use objmodel::machine::{self, Machine, Stage};
use std::path::Path;
use verdigris::Options;
use verdigris_testing::{Outcome, Run};

pub fn guest(image: &Image, args: &[i64], stage: Stage, depth: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let machine = Machine::new(options, stage, depth).unwrap_or_else(|error| panic!("{error}"));
        let machine::Outcome { output, error } = machine.run(image, args, true);
        Run {
            outcome: Outcome { output, error },
            stats: machine.vm().stats(),
            traces: machine.vm().traces(),
        }
    }
}

/// The output of the command.
pub fn printed(outcome: Outcome) -> String {
    let Outcome { output, error } = outcome;
    machine::Outcome { output, error }.to_string()
}

/// A program of the folder `programs`.
pub fn image(name: &str) -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.om"));
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    machine::load(&text, name).unwrap_or_else(|error| panic!("{error}"))
}
