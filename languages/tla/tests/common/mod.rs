//! TLA programs as guests. In: an image with arguments. Out: functions from options to runs.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::Path;
use tla::image::Image;
use tla::machine::{Machine, load, on_stack};
use verdigris::Options;
use verdigris_testing::Run;

/// How deep calls may be in tests, unless they say otherwise.
pub const DEPTH: i64 = 600;

/// A program that runs on a stack of its own.
pub fn guest(image: &Image, args: &[i64], max_depth: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let run = || {
            let machine = Machine::new(options, max_depth).unwrap_or_else(|e| panic!("{e}"));
            Run {
                outcome: machine.run(image, args).into(),
                stats: machine.stats(),
                traces: machine.traces(),
            }
        };
        on_stack(max_depth, run).expect("a stack")
    }
}

/// A program of the folder `programs`.
pub fn image(name: &str) -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.tla"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    load(&text, &format!("{name}.tla")).unwrap_or_else(|error| panic!("{error}"))
}
